# A recorded program can write to its start directory and below /tmp, and nowhere else. It cannot signal other
# processes, and leaves none running. Its streams and status are unchanged. --no-sandbox removes the
# restrictions.
# RUN: bash %s %t %tamar
# REQUIRES: record, cc
set -eu
work=$1 tamar=$2
rm -rf "$work" && mkdir -p "$work/here" "$work/outside" && cd "$work/here"
mkdir -m 1777 "$work/tmp"
export TMPDIR=$work/tmp
sleep 1000 & sleeper=$!
trap 'kill $sleeper' EXIT
below_tmp=0 # whether the folder "outside" is below /tmp, too
case $work in /tmp/*) below_tmp=1 ;; esac
cat >program.c <<'END'
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char **argv) {
    char line[64];
    int outside, killed;
    if (!fgets(line, sizeof line, stdin)) return 1;
    fclose(fopen("made", "w"));
    outside = open("../outside/made", O_CREAT | O_WRONLY, 0644) >= 0;
    killed = kill(atoi(argv[1]), 0) == 0;
    if (fork() == 0) {
        setsid();
        for (;;) pause();
    }
    printf("read %soutside %d, killed %d\n", line, outside, killed);
    return 7;
}
END
$tamar cc -g program.c -o program
echo input | status 7 $tamar record --later -- ./program $sleeper >text
test "$(cat text)" = "read input
outside $below_tmp, killed 0"
test -e made
[ $below_tmp = 1 ] || test ! -e ../outside/made
test -e tamar-seeds/tests/000001.json
! ls -l /proc/[0-9]*/exe 2>/dev/null | grep "$work/here/program"
echo other | status 7 $tamar record --no-sandbox --later -- ./program $sleeper >text
test "$(cat text)" = "read other
outside 1, killed 1"
for process in /proc/[0-9]*; do # what it left behind
    [ "$(readlink "$process/exe" 2>/dev/null)" != "$work/here/program" ] || kill -9 "${process#/proc/}"
done
