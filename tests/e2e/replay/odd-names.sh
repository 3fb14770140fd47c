# Inputs whose names have odd bytes, become equal when written as file names, or are empty: each keeps its own bytes, in
# the engine, in replays of both builds, in .ktest files and as seeds.
# RUN: bash %s %t
# REQUIRES: run, replay
set -eu
tamar=$TAMAR_BINARY
rm -rf "$1" && mkdir "$1" && cd "$1"
cat > make.py <<'END'
import random, sys
r = random.Random(int(sys.argv[1]))
fixed = [b"a\nb", b"a/b", b"..", b".", b"", b"sp ace", b"qu\"ote'", b"\xff\xfe", b"\xe9", "é".encode(), b"\xc3", b"a:b", b"a_b", b"%", b"%2F", b"%25", b"a#1", b"a",
         b"a", b"a#1", b"-x", b"\x01", b"A", b"back\\slash", b"$(x)", b"*", b"x" * 300, b"x" * 299 + b"y", b"choices ", b"input"]
some = [bytes(r.choice(b"ab/.%:#_ \n\xff\x80~") for _ in range(r.randint(0, 12))) for _ in range(30)]
names = fixed + some
r.shuffle(names)
text = ", ".join('"' + "".join(f"\\{c:03o}" for c in name) + '"' for name in names)
print(f"""#include <stdlib.h>
#include <tamar.h>
static const char *const names[] = {{{text}}};
int main(void) {{
    for (unsigned i = 0; i < {len(names)}; i++) {{
        unsigned char byte;
        tamar_symbolic(&byte, 1, names[i]);
        if (byte != i + 1) return i + 1;
    }}
    abort();
}}""")
END
for seed in 1 2; do
    python3 make.py $seed > names.c
    status 1 "$tamar" run names.c --emit all -q --out out-$seed >/dev/null
    "$tamar" replay out-$seed >text || { grep -v 'the same' text; exit 1; }
    grep -q '1 of 1 that show a bug confirmed' text
    # The same inputs as seeds: the first path is the one with the bug.
    bug=$(python3 -c "import json; print(json.load(open('out-$seed/summary.json'))['bugs'][0]['test'])")
    mkdir seeds-$seed && cp "$(printf 'out-%s/tests/%06d.json' $seed "$bug")" seeds-$seed/
    status 1 "$tamar" run names.c --seeds seeds-$seed --max-paths 1 -q --out again-$seed >/dev/null
done
# Files and variables.
cat > files.c <<'END'
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    static const char *const files[] = {"new\nline", "sp ace/quo\"te", "\377", "\303\251", "%25", "100%", "a:b", "a_b", ".hidden", "-dash"};
    for (unsigned i = 0; i < 10; i++) {
        FILE *file = fopen(files[i], "r");
        if (!file || fgetc(file) != (int)i + 65) return i + 1;
    }
    const char *x = getenv("odd-name"), *y = getenv("NL");
    if (x && y && x[0] == 1 && y[0] == '\n' && y[1] == '\377') abort();
    return 0;
}
END
status 1 "$tamar" run files.c -q --out files $'--sym-file' $'new\nline=1' --sym-file 'sp ace/quo"te=1' --sym-file $'\377=1' --sym-file $'\303\251=1' --sym-file '%25=1' \
    --sym-file '100%=1' --sym-file a:b=1 --sym-file a_b=1 --sym-file .hidden=1 --sym-file -dash=1 --sym-env odd-name=2 --sym-env NL=2 >/dev/null
"$tamar" replay files >text || { cat text; exit 1; }
grep -q '1 of 1 that show a bug confirmed' text
bug=$(printf 'files/tests/%06d.json' "$(python3 -c "import json; print(json.load(open('files/summary.json'))['bugs'][0]['test'])")")
"$tamar" show "$bug" --as c-test >test.c
mkdir c-test && cd c-test && cc -w -Dmain=program_main -c ../files.c -o program.o && cc -w ../test.c program.o && { ./a.out || [ $? = 134 ]; }
cd .. && "$tamar" show "$bug" --as gdb | grep -qF "set exec-wrapper env \$'odd-name=\\001"
