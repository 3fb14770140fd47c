// Code built with -fsanitize=undefined, or with sanitizers that need a library, runs unchanged: --check decides.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: cd %t && %tamar cc -w -fsanitize=undefined -fno-sanitize-recover=all %s -o program 2>/dev/null && ./program
// RUN: cd %t && %tamar run -w --sym-stdin 1 --out a program | grep "no bug found"
// RUN: cd %t && %tamar run -w -fsanitize=undefined,address -fsanitize-trap=undefined --sym-stdin 1 --out b %s | grep "no bug found"
// RUN: cd %t && status 1 %tamar run -w -fsanitize=undefined --check arithmetic --sym-stdin 1 --out c %s | grep "^tamar: overflow"
// RUN: cd %t && %tamar replay c | grep "1 of 1 that show a bug confirmed"
// RUN: cd %t && clang-19 -g -w -O2 --target=x86_64-linux-musl -fsanitize=undefined -emit-llvm -c %s -o optimised.bc
// RUN: cd %t && %tamar run -w --sym-stdin 1 --out d optimised.bc | grep "no bug found"
// RUN: cd %t && status 1 %tamar run -w --check arithmetic --sym-stdin 1 --out e optimised.bc | grep "^tamar: overflow"
// Bitcode with calls of a sanitizer's library is refused by one message.
// RUN: cd %t && clang-19 -w --target=x86_64-linux-musl -fsanitize=address -emit-llvm -c %s -o asan.bc
// RUN: cd %t && status 2 %tamar run --out f asan.bc 2>&1 | grep "^tamar: asan.bc: was compiled with -fsanitize=address: it calls __asan_init"
// REQUIRES: run, replay, cc
int getchar(void);

static int apply(int (*function)(int), int value) { return function(value); }
static int next(int value) { return value + 1; }

int main(void) {
    int c = getchar();
    return apply(next, c == 'x' ? 2147483647 : c) == 5;
}
