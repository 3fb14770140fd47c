# A Test-Comp suite: valid by the format's document types, with the program's hash, and its values lead a native build to the error.
# RUN: bash %s %t
# REQUIRES: run, export
set -eu
work=$1 tamar=$TAMAR_BINARY inputs=$(cd "$(dirname "$0")/Inputs" && pwd)
rm -rf "$work" && mkdir "$work" && cd "$work"
cat >task.c <<'END'
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern double __VERIFIER_nondet_double(void);
extern void reach_error(void);
extern __int128 __VERIFIER_nondet_int128(void);
extern unsigned __int128 __VERIFIER_nondet_uint128(void);
extern signed char __VERIFIER_nondet_schar(void);
extern unsigned long __VERIFIER_nondet_pthread_t(void);
extern void __VERIFIER_nondet_memory(void *, unsigned long);
int main(void) {
    for (int i = 0; i < 2; i++) {
        int a = __VERIFIER_nondet_int();
        unsigned char b = __VERIFIER_nondet_uchar();
        if (a < -10 && b == 200) reach_error();
    }
    char text[3];
    __VERIFIER_nondet_memory(text, sizeof text);
    if (__VERIFIER_nondet_int128() == -((__int128)77 << 100) && __VERIFIER_nondet_uint128() >> 99 == 5 && __VERIFIER_nondet_schar() == -3 && __VERIFIER_nondet_pthread_t() == ~5ul &&
        text[0] == 'a' && text[2] == (char)200)
        reach_error();
    return 0;
}
END
status 1 "$tamar" run task.c --out out -q >/dev/null
"$tamar" export out --as test-comp --to suite
valid() { xmllint --noout --nonet --dtdvalid "$inputs/$1.dtd" "${@:2}" 2>xml.text || { cat xml.text; return 1; }; }
valid test-metadata suite/metadata.xml
valid testcase suite/testcase-*.xml
grep -v '<producer>' suite/metadata.xml >wrong.xml # the check itself
if valid test-metadata wrong.xml >/dev/null; then exit 1; fi
python3 - <<'END'
import hashlib, pathlib, subprocess, xml.etree.ElementTree as tree
root = tree.parse("suite/metadata.xml").getroot()
assert root.tag == "test-metadata"
assert [part.tag for part in root] == ["sourcecodelang", "producer", "specification", "programfile", "programhash", "entryfunction",
                                       "architecture", "creationtime"]
values = {part.tag: part.text for part in root}
assert values["programhash"] == hashlib.sha256(pathlib.Path("task.c").read_bytes()).hexdigest()
assert values["sourcecodelang"] == "C" and values["architecture"] == "64bit" and "reach_error" in values["specification"]
pathlib.Path("native.c").write_text("""#include <stdio.h>
#include <stdlib.h>
static long next(void) { long value; if (scanf("%ld", &value) != 1) exit(3); return value; }
int __VERIFIER_nondet_int(void) { return (int)next(); }
unsigned char __VERIFIER_nondet_uchar(void) { return (unsigned char)next(); }
signed char __VERIFIER_nondet_schar(void) { return (signed char)next(); }
void __VERIFIER_nondet_memory(unsigned char *at, unsigned long size) { while (size--) *at++ = __VERIFIER_nondet_uchar(); }
unsigned __int128 __VERIFIER_nondet_uint128(void) {
    char text[64], *at = text;
    unsigned __int128 value = 0;
    if (scanf("%63s", text) != 1) exit(3);
    for (at += *at == '-'; *at; at++) value = 10 * value + (*at - '0');
    return *text == '-' ? -value : value;
}
__int128 __VERIFIER_nondet_int128(void) { return (__int128)__VERIFIER_nondet_uint128(); }
unsigned long __VERIFIER_nondet_pthread_t(void) { return (unsigned long)__VERIFIER_nondet_uint128(); }
void reach_error(void) { exit(77); }
""")
subprocess.run(["clang-19", "-w", "task.c", "native.c", "-o", "native"], check=True)
errors = 0
cases = sorted(pathlib.Path("suite").glob("testcase-*.xml"))
assert len(cases) >= 3
for path in cases:
    case = tree.parse(path).getroot()
    assert case.tag == "testcase" and all(item.tag == "input" for item in case)
    assert [item.get("type") for item in case][:2] == ["int", "unsigned char"]
    status = subprocess.run(["./native"], input="\n".join(item.text for item in case), text=True).returncode
    assert status == (77 if case.get("coversError") == "true" else 0), (path, status)
    errors += status == 77
assert errors >= 3
END
# Standard input, arguments and files have no place in the format: such tests are left out, with a warning.
cat >mixed.c <<'END'
extern int __VERIFIER_nondet_int(void);
int main(int argc, char **argv) { return __VERIFIER_nondet_int() == 3 ? argc > 1 : argv[argc - 1][0] == 'x'; }
END
"$tamar" run mixed.c --sym-args 0 1 1 --emit all --out mixed -q >/dev/null
"$tamar" export mixed --as test-comp --to some 2>log
grep -q "left out: arguments, files and standard input have no place in Test-Comp's format" log
test "$(cat some/testcase-*.xml | grep -c '>3</input>')" = 1
printf '#include <stdio.h>\nint main(void) { return getchar() == 5; }\n' >stdin.c
"$tamar" run stdin.c --sym-stdin 1 --out stdin -q >/dev/null
status 2 "$tamar" export stdin --as test-comp --to none 2>log
grep -q "no test can be expressed in Test-Comp's format" log
