// Zero to two further arguments of one byte: one path for each number and length of arguments.
// RUN: rm -rf %t.out
// RUN: %tamar run --emit all --sym-args 0 2 1 --out %t.out %s | grep "7 paths, 7 tests; every path was explored"
// REQUIRES: run

int main(int argc, char **argv) {
    int status = 0;
    for (int i = 1; i < argc; i++) // none; a or not; the four combinations of two
        if (argv[i][0] == 'a') status |= 1 << i;
    return status;
}
