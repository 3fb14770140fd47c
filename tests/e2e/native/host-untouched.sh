# Native code cannot reach the host, in any build, as root and as an ordinary user: signals, processes, files, FIFOs,
# Unix sockets, mounts, kernel settings, daemons.
# RUN: bash %s %t %tamar %S/Inputs/attack.c
# REQUIRES: run, replay
set -eu
work=$1 tamar=$2 program=$3
rm -rf "$work" && mkdir -p "$work"
mkdir -m 1777 "$work/tmp"
export TMPDIR=$work/tmp
sleep 1000 & sleeper=$!
reader= server=
trap 'kill $sleeper $reader $server 2>/dev/null || true' EXIT

# attacked FOLDER COMMAND...: runs the attacks in FOLDER; COMMAND is a prefix of the command line that changes the user
attacked() {
    cd "$work/$1"
    local as="${*:2}"
    cp "$program" attack.c
    echo $sleeper >pid
    echo whole >victim
    echo there >removed
    mkfifo fifo filled
    chmod 666 fifo filled
    cat fifo >from-fifo & reader=$!
    exec 5<>filled
    echo data >&5
    python3 -c '
import socket
s = socket.socket(socket.AF_UNIX); s.bind("socket"); s.listen(5); s.settimeout(600)
import os; os.chmod("socket", 0o777); open("ready", "w").close()
try:
    s.accept(); open("reached", "w").close()
except OSError:
    pass' & server=$!
    while [ ! -e ready ]; do sleep 0.05; done
    [ -z "$as" ] || { rm -f ready; chown 65534:65534 . attack.c pid victim removed fifo filled socket; }
    $as $tamar run -q --out out attack.c
    for build in --exact --sanitizers --plain --valgrind --gcov; do
        $as $tamar replay $build out >log 2>&1 || { cat log; exit 1; }
        grep -q '1 test, 1 as predicted' log || { cat log; exit 1; }
    done
    $as $tamar replay out
    kill $reader $server 2>/dev/null || true
    wait $reader $server || true
    test "$(cat victim removed)" = "whole
there"
    test ! -e made
    test ! -s from-fifo
    test ! -e reached
    read -r -t 1 line <&5
    test "$line" = data
    exec 5<&-
    kill -0 $sleeper
    if ls -l /proc/[0-9]*/exe 2>/dev/null | grep "$work"; then echo "a process is left behind"; exit 1; fi
}

mkdir "$work/own"
attacked own
if [ "$(id -u)" = 0 ]; then
    mkdir "$work/user"
    attacked user setpriv --reuid=65534 --regid=65534 --clear-groups
fi
