# The page in a browser: its content, use by keyboard alone, light and dark, and large runs.
# RUN: bash %s %t %S
# REQUIRES: run, report, replay
set -eu
work=$1 here=$2 tamar=$TAMAR_BINARY
rm -rf "$work" && mkdir "$work" && cd "$work"
cp "$here/../../../examples/queue.c" .
status=0
"$tamar" run queue.c --search rp --sym-arg 4 --out out -q >/dev/null || status=$?
test $status = 1
"$tamar" replay out >/dev/null
test "$("$tamar" report out)" = out/report.html
"$tamar" report out --to elsewhere.html && cmp out/report.html elsewhere.html
status=0
"$tamar" report nowhere 2>error || status=$?
test $status = 2 && grep -q nowhere error
# A run that was killed has no coverage yet, but it has a page.
cp -r out killed && rm killed/coverage.json killed/run.db* && "$tamar" report killed 2>error && grep -q 'no coverage.json' error
# A large run: 10,000 lines, 100,000 tests in the database, 3,000 of them as files.
cp -r out large
python3 - <<'END'
import json, pathlib, sqlite3
out = pathlib.Path("large")
source = pathlib.Path("large.c").absolute()
source.write_text("".join(f"    line_{i}(); /* some text to fill it, {i * 7} */\n" for i in range(1, 10001)))
coverage = json.loads((out / "coverage.json").read_text())
file = coverage["files"][0]
file.update(file=str(source), covered=list(range(1, 8001)), missed=list(range(8001, 10001)),
            conditions=[dict(line=i, column=1, choice=i, side=s, to=0, reached=True, covered=not s, symbolic=True)
                        for i in range(1, 10001, 2) for s in (0, 1)])
coverage["files"].append(dict(file, file=f"{source.parent}/sub/.././{source.name}2"))
(out / "coverage.json").write_text(json.dumps(coverage))
db = sqlite3.connect(out / "run.db")
db.execute("DELETE FROM tests")
db.executemany("INSERT INTO tests VALUES (?,?,?,0,NULL,1000,20,1)", ((i, i / 1000, "exit" if i % 9 else "bug") for i in range(1, 100001)))
for i in range(20000):
    db.execute("INSERT INTO progress (seconds, solver_seconds, states, completed, errors, incomplete, killed, tests, bugs, instructions,"
               " forks, queries, queries_sat, lines, blocks, edges, conditions, memory) VALUES (?,0,?,?,0,0,0,?,0,0,0,0,0,?,0,?,?,0)",
               (i, i, i * 3, i, i, i, i))
db.commit()
test = json.loads((out / "tests/000001.json").read_text())
for i in range(1000, 4000):
    test.update(number=i, decisions=[i >> b & 1 for b in range(12)] + [1] * (i % 30))
    (out / f"tests/{i:06}.json").write_text(json.dumps(test))
END
"$tamar" report large >/dev/null
python3 - "$here/Inputs" <<'END'
import sys
sys.path.insert(0, sys.argv[1])
from browser import open_page
page = open_page("out/report.html")
v = page.value
text = v("document.body.innerText")
for words in ("2 bugs", "use-after-free", "confirmed natively", "tamar exec queue.c -- aaca", "Not covered, and why", "queue.c:15",
              "Covered, over time", "Execution tree", "Answered", "every path was explored"):
    assert words in text, words
assert v("document.querySelectorAll('#bugs > details').length") == 2
assert v("document.querySelectorAll('#bugs details details').length") == 2 # the conditions of the paths, folded
assert v("document.querySelectorAll('#bugs details details[open]').length") == 0
assert v("document.querySelectorAll('.row').length") == 54 and v("document.querySelectorAll('.row.bug').length") == 2
assert v("document.querySelectorAll('.row.hit').length") >= 28 and v("document.querySelectorAll('.row.part').length") == 2
assert v("document.querySelectorAll('#time polyline').length") == 7 and v("document.querySelectorAll('#tree rect').length") > 10
assert v("[...document.querySelectorAll('#tests tbody tr')].length") == 9
# Tab reaches everything and shows the focus; Enter follows a link to its line.
assert v("scrollY") == 0
page.press("Tab")
assert v("document.activeElement.className") == "skip"
seen = set()
for _ in range(40):
    page.press("Tab")
    seen.add(v("document.activeElement.tagName"))
    assert v("document.activeElement.matches(':focus-visible')") or v("document.activeElement === document.body")
    if v("document.activeElement.textContent") == "queue.c:19":
        page.press("Enter", text="\r")
        break
assert {"A", "BUTTON", "SUMMARY"} <= seen, seen
assert v("document.querySelector('.row.found').id") == "line-19"
# For screen readers: names of regions, tables and pictures; one h1; headings in order.
assert v("document.documentElement.lang") == "en" and v("document.querySelectorAll('h1').length") == 1
assert v("[...document.querySelectorAll('svg')].every(s => s.getAttribute('role') === 'img' && s.getAttribute('aria-label'))")
assert v("[...document.querySelectorAll('table')].every(t => t.caption.textContent && t.querySelector('th[scope=col]'))")
assert v("[...document.querySelectorAll('section')].every(s => document.getElementById(s.getAttribute('aria-labelledby')))")
assert v("[...document.querySelectorAll('button, select, a')].every(e => e.textContent.trim() || document.querySelector(`label[for=${e.id}]`))")
levels = v("[...document.querySelectorAll('h1,h2,h3')].map(h => +h.tagName[1])")
assert all(b <= a + 1 for a, b in zip(levels, levels[1:])), levels
# The tree opens level by level.
v("document.querySelector('#tree-list summary').click()")
page.until("document.querySelectorAll('#tree-list li').length >= 3")
# Light, dark, and the button; text has enough contrast in both.
def contrast():
    return v("""(() => { const rgb = (c) => c.match(/\\d+/g).map(Number).map(x => x / 255).map(x => x <= 0.03928 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4);
        const light = (c) => { const [r, g, b] = rgb(c); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
        const back = (e) => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor; if (!c.endsWith(', 0)')) return c; } };
        return Math.min(...[...document.querySelectorAll('p, td, a, button, .row > span, summary, .kind, .soft, .legend span')].filter(e => e.textContent.trim()).map(e => {
            const a = light(getComputedStyle(e).color), b = light(back(e)); return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05); })); })()""")
page.scheme("light")
white = v("getComputedStyle(document.body).backgroundColor")
assert contrast() >= 4.5, contrast()
page.scheme("dark")
black = v("getComputedStyle(document.body).backgroundColor")
assert white != black and contrast() >= 4.5, contrast()
v("document.getElementById('theme').click()")
assert v("document.documentElement.dataset.theme") == "light" and v("getComputedStyle(document.body).backgroundColor") == white
assert v("document.getElementById('theme').textContent") == "Dark"
assert not page.errors, page.errors
page.close()

page = open_page("large/report.html")
v = page.value
assert "large.c2" in v("document.body.innerText") and "sub/.." not in v("document.body.innerText"), "names of files are tidied"
assert v("document.querySelectorAll('*').length") < 6000, "nothing large is drawn before it is asked for"
assert v("document.querySelectorAll('#tests tbody tr').length") == 100 and "100,000 tests" in v("document.getElementById('tests').textContent")
v("[...document.querySelectorAll('#tests button')].find(b => b.textContent === 'Next').click()")
assert v("document.querySelector('#tests tbody td').textContent") == "000101"
v("(() => { const s = document.getElementById('outcome'); s.value = 'bug'; s.dispatchEvent(new Event('change')); })()")
assert "11,111 tests" in v("document.getElementById('tests').textContent")
v("document.querySelector('#coverage button').click()")
assert v("document.querySelectorAll('.row').length") == 10000 and v("document.querySelectorAll('.row.miss').length") == 1000
assert v("document.querySelector('#time polyline').points.length") <= 600
assert 100 < v("document.querySelectorAll('#tree rect').length") <= 1500
assert not page.errors, page.errors
page.close()
page = open_page("killed/report.html")
assert "No coverage was written" in page.value("document.body.innerText") and not page.errors, page.errors
page.close()
END
