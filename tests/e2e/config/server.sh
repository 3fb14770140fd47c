# tamar config on a server whose client follows a script (--peers). Some options matter only if the client sends certain
# words. Two integers are options, too; a configuration needs values that fit together (their sum is ten).
# RUN: bash %s %t
# REQUIRES: config
set -eu
work=$1 tamar=$TAMAR_BINARY
rm -rf "$work" && mkdir "$work" && cd "$work"
cat >server.c <<'END'
#include <arpa/inet.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
int greets, limit, least, idle;
static void serve(int fd) {
    char line[64];
    if (greets)
        write(fd, "hello\n", 6);
    for (int n; (n = (int)read(fd, line, sizeof line)) > 0;) {
        if (least + limit == 10 && least > 3 && limit > 3 && line[0] == 'x')
            write(fd, "ten\n", 4);
        else
            write(fd, "?\n", 2);
    }
}
int main(void) {
    struct sockaddr_in name = {.sin_family = AF_INET, .sin_port = htons(7000), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    int s = socket(AF_INET, SOCK_STREAM, 0);
    if (bind(s, (void *)&name, sizeof name) || listen(s, 1))
        return 1;
    serve(accept(s, 0, 0));
    return 0;
}
END
printf 'a connect 7000\na send "x"\na shutdown\na ends\n' >x.peers
printf 'a connect 7000\na send "y"\na shutdown\na ends\n' >y.peers
printf 'variable greets bool in serve\nvariable limit 0..100 in serve\nvariable least 0..100 in serve\nvariable idle bool\ntest x: <> x.peers\ntest y: <> y.peers\n' >options
"$tamar" config -q --prove --out out options server.c >said
grep -q 'these configurations execute .*: the same lines' said
grep -q 'idle never mattered: no path depends on it' said
# The two integers were chosen together: their sum is ten in some configuration.
grep -q '  1\. .*greets=1.*limit=[4-6].*least=[4-6]\|  1\. .*limit=[4-6], least=[4-6]' said
python3 - <<'END'
import json
result = json.load(open("out/config.json"))
assert all(test["complete"] for test in result["tests"]), result["tests"]
assert result["proof"]["missed"] == [] and result["proof"]["failed_runs"] == 0 and result["proof"]["lines"] > 0, result["proof"]
best = result["configurations"]["line"][0]["settings"]
assert int(best["limit"]) + int(best["least"]) == 10, best
END
printf 'flag -v\ntest <> nowhere.peers\n' >wrong
status 2 "$tamar" config wrong server.c 2>&1 | grep -q 'nowhere.peers'
# A bug on the way is reported; a program without debug lines is an error.
printf 'int zero, on;\nint main(void) { return on ? 1 / zero : 0; }\n' >bug.c
printf 'variable on bool\ntest\n' >buggy
"$tamar" config --out buggy-out buggy bug.c 2>&1 | grep -q 'end with a bug of the program'
clang-19 -O0 -emit-llvm -c bug.c -o nodebug.bc
status 2 "$tamar" config --out nodebug buggy nodebug.bc 2>&1 | grep -q 'nodebug.bc: the program has no debug lines'
