# A test keeps the output of its path, as the program prints it natively, for any number of workers.
# RUN: bash %s %t %S
# REQUIRES: run, show
set -eu
work=$1 here=$2
rm -rf "$work" && mkdir "$work" && cd "$work"
tamar=$TAMAR_BINARY
fail() { echo "$1" >&2; exit 1; }
cat >echo.c <<'E'
#include <stdio.h>
#include <string.h>
#include <unistd.h>
int main(void) {
    char text[8] = {0};
    if (read(0, text, 6) != 6) return 2;
    printf("%c%d|%s\n", text[0] ^ 1, text[1] > 'm', text + 2); // symbolic bytes, a string of symbolic length
    fflush(stdout);
    fprintf(stderr, "first %02x\n", (unsigned char)text[0]);
    size_t length = (unsigned char)text[5] % 4;
    if (write(1, text, length) < 0) return 3; // a symbolic number of bytes
    if (text[1] == 'L')
        for (int i = 0; i < 5000; i++) putchar('a' + i % 26);
    fputs("lost", stdout);
    return text[1] == 'B' ? fflush(stdout), 10 / (text[1] - 'B') : 0;
}
E
status 1 "$tamar" run echo.c --sym-stdin 6 --emit all --out one >log
status 1 "$tamar" run echo.c --sym-stdin 6 --emit all --jobs 2 --out two >log
clang-19 -fno-sanitize=all -O1 -w echo.c -o native
cat >compare.py <<'E'
import json, pathlib, subprocess, sys
schema = json.load(open(sys.argv[1]))
import jsonschema
def outputs(folder):
    found = []
    for path in sorted(pathlib.Path(folder, "tests").glob("*.json")):
        test = json.loads(path.read_text())
        jsonschema.validate(test, schema)
        kept = [bytes.fromhex(test[name]["hex"]) if name in test else b"" for name in ("stdout", "stderr")]
        for name, content in zip(("stdout", "stderr"), kept):
            file = path.with_suffix("") / name
            assert (file.read_bytes() if file.exists() else b"") == content, path
        stdin = bytes.fromhex(next(i["hex"] for i in test["inputs"] if i["kind"] == "stdin"))
        found.append((stdin, kept, test.get("output_cut", False), test["outcome"]))
    return found
one, two = outputs("one"), outputs("two")
assert len(one) == len(two) > 10, (len(one), len(two))
for stdin, (out, err), cut, outcome in one + two:
    native = subprocess.run(["./native"], input=stdin, capture_output=True)
    if cut:
        assert native.stdout.startswith(out) and len(out) > 4000, (stdin, out, native.stdout)
    else:
        assert (out, err) == (native.stdout, native.stderr), (stdin, out, err, native)
assert any(cut for _, _, cut, _ in one) and any(outcome == "bug" for *_, outcome in one)
E
python3 compare.py "$here/../../../docs/reference/schema/test.schema.json"
"$tamar" show one/tests/000001.json >text
grep -q 'standard output (' text && grep -q 'standard error (9 bytes): "first ' text || fail "tamar show"
"$tamar" show one/bugs/div-by-zero*.txt --full | grep -A 1 '^output before it:' | grep -q 'standard output (' || fail "the report"
