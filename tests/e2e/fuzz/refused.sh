# A fuzzer that is not installed, or does not fit the program: the message has the cause and the remedy.
# RUN: bash %s %t
# REQUIRES: run
set -eu
work=$1 tamar=$TAMAR_BINARY
rm -rf "$work" && mkdir "$work" && cd "$work"
printf 'int main(void) { return 0; }\n' >main.c
printf '#include <tamar.h>\nint main(void) { int x; tamar_symbolic(&x, sizeof x, "x"); return x == 3; }\n' >object.c
printf '#include <stddef.h>\nint LLVMFuzzerTestOneInput(const unsigned char *data, size_t size) { return 0; }\n' >harness.c
refused() { # what must be said, then the command
    local text=$1
    shift
    status 2 "$@" >log.txt 2>&1
    grep -q -- "$text" log.txt || { cat log.txt; exit 1; }
    test ! -e out
}
refused "libFuzzer needs LLVMFuzzerTestOneInput" "$tamar" run main.c --sym-stdin 4 --fuzz libfuzzer --out out
refused "no symbolic input can come from a fuzzer" "$tamar" run object.c --fuzz auto --out out
refused "not with --entry" "$tamar" run main.c --sym-stdin 4 --entry main --fuzz auto --out out
refused "'fast'" "$tamar" run main.c --sym-stdin 4 --fuzz fast --out out
refused "cannot be read\|No such file" "$tamar" run main.c --sym-stdin 4 --fuzz auto --dict no-such-file --out out
printf '# words\nname="a\\x00b"\n"open\n' >words
refused "words:3: this is not a word" "$tamar" run main.c --sym-stdin 4 --fuzz auto --dict words --out out
refused "a dictionary needs a fuzzer" "$tamar" run main.c --sym-stdin 4 --dict words --out out
printf '#!/bin/sh\nexec unshare -rm sh -c "mount -t tmpfs none \"\\$1\" && shift && exec \"\\$@\"" sh "$@"\n' >hidden
chmod +x hidden
if ./hidden /usr/lib/afl true 2>/dev/null; then
    refused "afl++ is not installed: there is no /usr/lib/afl/afl-compiler-rt.o" ./hidden /usr/lib/afl "$tamar" run main.c --sym-stdin 4 --fuzz auto --out out
    refused "apt-get install afl++" ./hidden /usr/lib/afl "$tamar" run main.c --sym-stdin 4 --fuzz auto --out out
    refused "apt-get install libclang-rt-19-dev" ./hidden /usr/lib/llvm-19/lib/clang/19/lib/linux "$tamar" run harness.c --fuzz auto --out out
fi
