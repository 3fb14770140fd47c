# Names, messages, output and inputs of a hostile program stay text: on the page, on a terminal, in SARIF, in logs.
# RUN: bash %s %t %S
# REQUIRES: run, report
set -eu
work=$1 here=$2 tamar=$TAMAR_BINARY
rm -rf "$work" && mkdir "$work" && cd "$work"
name='</script><img src=x onerror=document.title="owned">.c'
name=${name//\//_} # a slash cannot be in a name
cat >"$name" <<'END'
#include <stdio.h>
#include <tamar.h>
// </script><script>document.title = "owned"</script> & &amp; <!--
int hostile(int) __asm__("<b onclick=x>&\033[31mred");
int hostile(int x) {
    tamar_assert(x != 7 || !"</pre><img src=x onerror=owned>\033[2J\033]0;owned\a");
    return 1;
}
int main(void) {
    int x;
    tamar_symbolic(&x, sizeof x, "</td><script>owned\033[5m\n\"'");
    printf("</script>\033[41m");
    return hostile(x);
}
END
status=0
"$tamar" run "$name" --sym-file $'../<i>\033[7m&=1' --out out >text 2>&1 || status=$?
test $status = 1
"$tamar" report out >>text
"$tamar" show out/bugs/*.txt >>text
"$tamar" show out/tests/000001.json >>text
"$tamar" stats out >>text
python3 - "$here/Inputs" "$name" <<'END'
import json, pathlib, re, sys
sys.path.insert(0, sys.argv[1])
from browser import open_page
for path in ["text", "out/log.txt", *map(str, pathlib.Path("out/bugs").glob("*"))]:
    data = pathlib.Path(path).read_bytes()
    assert not re.search(rb"[\x00-\x08\x0b-\x1f\x7f]", data), (path, re.search(rb".{20}[\x00-\x08\x0b-\x1f\x7f]", data, re.S))
assert len(pathlib.Path("out/log.txt").read_text().splitlines()) < 20
sarif = json.loads(pathlib.Path("out/bugs.sarif").read_text())
place = sarif["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
assert re.fullmatch(r"[A-Za-z0-9._~/%-]+", place), place
page = open_page("out/report.html")
assert page.value("document.title").endswith("Tamar report") and "owned" in page.value("document.title")
assert page.value("document.querySelectorAll('img, b, i, iframe, [onclick], [onerror]').length") == 0
assert page.value("document.scripts.length") == 2
assert sys.argv[2] in page.value("document.getElementById('title').textContent")
assert "</pre><img" in page.value("document.getElementById('bugs').textContent")
assert "document.title = \"owned\"" in page.value("document.querySelector('.source').textContent")
assert "\x1b" not in page.value("document.body.innerText")
assert [url for url in page.requests if not url.startswith("file:")] == [], page.requests
assert len(page.requests) == 1 and not page.errors, (page.requests, page.errors)
page.close()
END
