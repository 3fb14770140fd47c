// --follow names decisions that are not branches: bounds, divisions, values for the system, decisions of the C library.
// RUN: rm -rf %t && status 1 %tamar run -q --emit all --sym-arg 2 --out %t %s
// RUN: for t in %t/tests/*.json; do %tamar run --follow $t; done >%t.txt && FileCheck %s <%t.txt
// CHECK-DAG: [[# @LINE + 9]]:{{[0-9]+}}  in main: bounds of an access: fails  [
// CHECK-DAG: [[# @LINE + 8]]:{{[0-9]+}}  in main: bounds of an access: passes  [
// CHECK-DAG: [[# @LINE + 8]]:{{[0-9]+}}  in main: division by zero: fails  [(arg:1[1] != '0')]
// CHECK-DAG: [[# @LINE + 7]]:{{[0-9]+}}  in main: division by zero: passes  [(arg:1[1] != '0')]
// CHECK-DAG: [[# @LINE + 7]]:{{[0-9]+}}  in main: false  [
// REQUIRES: run
int main(int argc, char **argv) {
    static int table[4] = {1, 2, 3, 4};
    int *at = table;
    int index = argv[1][0] - '0', value = at[index];
    int quotient = 12 / (argv[1][1] - '0');
    if (quotient > value) return 1;
    return 0;
}
