# Comparison of several runs, as text and as a page in a browser.
# RUN: bash %s %t
# REQUIRES: run, stats, report
set -eu
work=$1
rm -rf "$work" && mkdir "$work" && cd "$work"
tamar=$TAMAR_BINARY
cat >two.c <<'E'
int main(int argc, char **argv) {
    if (argc > 1 && argv[1][0] == 'a')
        return 10 / (argv[1][1] - 'b');
    if (argc > 2)
        return 7;
    return 0;
}
E
! $tamar run two.c --sym-arg 2 --out one >log
$tamar run two.c --out '<two>' -- x y >log
$tamar stats one '<two>' >log
grep -q '^bugs  *1  *0  *1$' log
grep -q '^lines covered  *5 of 6  *4 of 6  *6 of 6$' log || { cat log; exit 1; }
grep -q '^covered by it alone  *2  *1 *$' log || { cat log; exit 1; }
grep -q '^div-by-zero  two.c:3  division by zero  (one)$' log
$tamar report one '<two>' --to page.html
python3 - <<'E'
from html.parser import HTMLParser
text = []
class Page(HTMLParser):
    def handle_data(self, data): text.append(data)
page = open("page.html").read()
Page().feed(page)
assert "<two>" in text and "1 line covered by <two> alone" in "".join(text) and "division by zero" in text, text
assert page.count("<th class=text>") == 4 # headings stand above their columns
assert "<two>" not in page # what comes from outside is text
E
! $tamar stats one nowhere >log 2>&1
grep -q nowhere log
