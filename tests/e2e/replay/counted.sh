# gcov from bitcode, for a program of `tamar cc` with two source files of the same name: counts of a child process are
# added, also if main never returns.
# RUN: bash %s %t
# REQUIRES: replay, cc
set -eu
work=$1 tamar=$TAMAR_BINARY
rm -rf "$work" && mkdir -p "$work/a" "$work/b" && cd "$work"
cat >a/part.c <<'END'
#include <sys/wait.h>
#include <unistd.h>
int other(int x);
int main(int argc, char **argv) {
    if (argv[1][0] == 'f') {
        if (fork() == 0)
            return other(1);
        wait(0);
    }
    if (argv[1][0] == 'k')
        _exit(other(2));
    return 0;
}
END
cat >b/part.c <<'END'
int other(int x) {
    if (x == 1)
        return 5;
    if (x == 2)
        return 6;
    return 7;
}
END
"$tamar" cc -g -c a/part.c -o a.o && "$tamar" cc -g -c b/part.c -o b.o && "$tamar" cc a.o b.o -o program
status 3 "$tamar" run -q --emit all --out out --sym-arg 1 ./program >/dev/null # a process is started
"$tamar" replay -q --gcov out >said
grep -q 'annotated source in' said
grep -q '^3 tests, 3 as predicted' said
counts() { sed -En 's/^ *([^: ]+): *([0-9]+):.*/\2:\1/p' out/gcov/*"#$1#part.c.gcov" | grep -v -e ':-$' -e '^0:' | tr '\n' ' '; }
test "$(counts a)" = '4:3 5:3 6:1 7:1 8:1 9:1 10:3 11:1 12:2 13:3 '
test "$(counts b)" = '1:2 2:2 3:1 4:1 5:1 6:##### 7:2 '
