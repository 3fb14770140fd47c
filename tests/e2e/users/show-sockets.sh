# `tamar show --as c-test` and `--as gdb` for tests with data from sockets and with objects: the commands that they name
# show the bug, from source and for a built program.
# RUN: bash %s %t
# REQUIRES: run, show, cc
set -eu
work=$1 tamar=$TAMAR_BINARY
rm -rf "$work" && mkdir "$work" && cd "$work"
fail() { echo "$1" >&2; exit 1; }
cat >server.c <<'E'
#include <netinet/in.h>
#include <sys/socket.h>
int main(int argc, char **argv) {
    int s = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in name = {.sin_family = AF_INET};
    if (bind(s, (struct sockaddr *)&name, sizeof name) || listen(s, 1)) return 2;
    int c = accept(s, 0, 0);
    char text[8] = {0}, out[2];
    if (recv(c, text, sizeof text, 0) < 3 || argc < 2) return 3;
    if (text[0] == argv[1][0] && text[1] == 'e') { out[text[2] & 7] = 1; return out[0] == 1 ? 4 : 5; }
    return 6;
}
E
# Runs the commands that a file names in its comments.
build() { sed -n "s@^$2     @@p" "$1" | sed "s@this-file.c@$1@; s@^cc@clang-19@" >"$1.sh"; bash "$1.sh" >"$1.log" 2>&1; }
"$tamar" cc -g server.c -o server
for program in server.c ./server; do
    out=out-$(basename $program)
    status 1 "$tamar" run "$program" --sym-socket 3..4 --out $out -- g >log 2>&1
    bug=$(ls $out/bugs/out-of-bounds*.txt)
    "$tamar" show "$bug" --as c-test >bug.c
    ! build bug.c // || fail "$program: the bug's C test ends well"
    grep -aq 'AddressSanitizer: stack-buffer-overflow\|out of bounds' bug.c.log || { cat bug.c.log; fail "$program: no bug"; }
    "$tamar" show "$bug" --as gdb >script
    grep -q '^set environment TAMAR_SOCKETS [034] 4$' script || fail "$program: gdb gets no data"
done
test=$(grep -l '"exit_status": 6' out-server.c/tests/*.json | head -n 1)
"$tamar" show "$test" --as c-test >six.c
build six.c // || { cat six.c.log; fail "a test that ends well"; }
sed -n 's/^# *\(clang-19.*\)-o PROGRAM$/\1-o traced/p; s/^#  *\(opt-19.*\)/\1/p' script >build.sh
bash build.sh
gdb -batch -nx -x script ./traced >log 2>&1 </dev/null || true
grep -q 'Breakpoint 1, .*server.c:10' log || { cat log; fail "gdb does not come to the bug"; }
