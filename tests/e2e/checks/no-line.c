// A failing operation in a function without source lines is reported at the nearest call that has one.
// RUN: status 125 %tamar exec %s 2>&1 | FileCheck %s
// CHECK: tamar: out-of-bounds: {{.*}}no-line.c:[[# @LINE + 8]]:{{.*}}, in main
// CHECK: #0 peek (no line)
static char letters[4];
__attribute__((nodebug)) static int peek(int i) {
    return letters[i];
}
int main(int argc, char **argv) {
    (void)argv;
    return peek(argc + 4);
}
