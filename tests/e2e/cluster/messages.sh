# Messages about a run in Redis: the data there belongs to another run or version, is damaged, or is gone; the server
# does not answer; workers cannot be started. A starter with --jobs 0 explores nothing itself, so that the data in Redis
# stays as the test makes it.
# RUN: bash %s %t
# REQUIRES: run, worker
# UNSUPPORTED: sanitized
set -u
work=$1 tamar=$TAMAR_BINARY failed=0 folder=$(cd "$(dirname "$0")" && pwd) started=
rm -rf "$work" && mkdir "$work" && cd "$work"
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
clean_up() {
    for pid in $started; do kill -9 "$pid" 2>/dev/null; done
    [ ! -e redis.pid ] || kill -9 "$(cat redis.pid)" 2>/dev/null
}
trap clean_up EXIT
redis-server --port "$port" --bind 127.0.0.1 --save "" --appendonly no --dir "$work" --pidfile "$work/redis.pid" --logfile "$work/redis.txt" --daemonize yes >/dev/null
ask() { redis-cli -p "$port" "$@"; }
until [ "$(ask ping 2>/dev/null)" = PONG ]; do sleep 0.1; done
address() { echo "redis://127.0.0.1:$port/$1"; }
said() { # FILE MESSAGE
    grep -qF -- "$2" "$1" && return
    echo "$1 does not say: $2"; cat "$1"; failed=1
}
until_said() { # FILE MESSAGE: waits for it
    for i in $(seq 600); do grep -qF -- "$2" "$1" && return; sleep 0.1; done
    said "$1" "$2"
}
check() { # STATUS MESSAGE COMMAND...
    local wanted=$1 message=$2 status=0
    shift 2
    timeout -k 5 60 env LD_PRELOAD="${FAULT_PRELOAD-}" "$tamar" "$@" >out.text 2>&1 </dev/null || status=$?
    [ $status = "$wanted" ] && grep -qF -- "$message" out.text && return
    echo "tamar $*: status $status, not $wanted with: $message"; cat out.text; failed=1
}
ended() { # STATUS PROCESS FILE
    local status=0
    wait "$2" || status=$?
    [ $status = "$1" ] || { echo "$3: status $status, not $1"; cat "$3"; failed=1; }
}
cat >one.c <<'E'
#include <stdio.h>
int main(void) { int c = getchar(); if (c == 'x') return 2; return c == 7; }
E
cat >two.c <<'E'
int main(void) { return 0; }
E
cat >endless.c <<'E'
#include <stdio.h>
int main(void) { int n = 0; for (;;) n += getchar() == 'x'; }
E
start() { # NAME OPTIONS...: a starter without workers; $begun is its process
    local name=$1
    shift
    "$tamar" run -q one.c --sym-stdin 1 --out "$name" --workers "$(address "$name")" --jobs 0 "$@" >"$name.text" 2>&1 &
    begun=$! started="$started $begun"
    until [ "$(ask hget "tamar:{$name}:meta" state)" = run ]; do sleep 0.05; done
}
token() { ask --raw hkeys "tamar:{$1}:states" | head -1; }

# ---- what workers refuse
start a
ask hset 'tamar:{a}:meta' version 'tamar 0.0.1' >/dev/null
check 2 'the run was started by another version: tamar 0.0.1; this is tamar' worker "$(address a)"
start b
run=$(ask hget 'tamar:{b}:meta' run) program=$(ask hget 'tamar:{b}:meta' program)
ask hset 'tamar:{b}:meta' run "$program" >/dev/null
check 2 'b: the data in Redis is rejected: ' worker "$(address b)"
ask hset 'tamar:{b}:meta' run "$run" >/dev/null
ask del "tamar:{b}:blob:$program" >/dev/null
check 2 'b: the program that it names is not in Redis, or is damaged' worker "$(address b)"
ask set "tamar:{b}:blob:$run" damaged >/dev/null
check 2 'b: the run that it names is not in Redis, or is damaged' worker "$(address b)"
start c
"$tamar" run -q two.c --out other --workers "$(address other)" --jobs 0 >other.text 2>&1 &
started="$started $!"
until [ "$(ask hget 'tamar:{other}:meta' state)" = run ]; do sleep 0.05; done
program=$(ask hget 'tamar:{other}:meta' program)
ask copy "tamar:{other}:blob:$program" "tamar:{c}:blob:$program" >/dev/null
ask hset 'tamar:{c}:meta' program "$program" >/dev/null
check 2 'the program is not the same here: another build of Tamar or of its C library' worker "$(address c)"

# ---- what a worker takes and cannot use, what a starter gets
start d
ask hset 'tamar:{d}:states' "$(token d)" nonsense >/dev/null
check 4 'd: the data in Redis is refused: ' worker "$(address d)" --jobs 1 # it gives up after some attempts
kill -INT "$begun" && ended 3 "$begun" d.text
said d.text 'states in Redis are rejected: '
start e
ask xadd 'tamar:{e}:reports' '*' w someone b nonsense >/dev/null
until_said e.text 'a report of a worker is rejected: '
kill -INT "$begun" && ended 3 "$begun" e.text
start f
ask del 'tamar:{f}:meta' >/dev/null
ended 3 "$begun" f.text
said f.text 'f: the run is no longer in Redis'

# ---- two starters
again() { echo run one.c --sym-stdin 1 --workers "$(address "$1")" --jobs 0; }
start g
check 2 'g: another process has started this run: ' $(again g) --out g2
kill -9 "$begun"
check 2 "the run is in Redis already, with its results in $work/g" $(again g) --out g2
check 2 'there is a run of this name, and it is a run of another program (' run two.c --workers "$(address g)" --jobs 0
check 2 'there is a run of this name, and it was started with other options or inputs (' run one.c --sym-stdin 2 --workers "$(address g)" --jobs 0
"$tamar" run -q one.c --sym-stdin 1 --max-instructions 10 --out cut >/dev/null 2>&1
cp cut/checkpoint g/checkpoint
check 2 'the results are no longer those of the run in Redis' $(again g)

# ---- workers of this machine
check 0 '--max-memory is too little for 1000 workers: using ' run one.c --sym-stdin 1 --workers "$(address h)" --jobs 1000 --max-memory 2000 --out h
check 0 '--max-memory is too little for 1000 workers: using ' run one.c --sym-stdin 1 --jobs 1000 --max-memory 2000 --out h2
clang-19 -shared -fPIC -O1 "$folder/../cli/Inputs/faults.c" -o faults.so || failed=1
FAULT_CALL=fork FAULT_ERROR=11 FAULT_PRELOAD=$PWD/faults.so \
    check 3 '--jobs: cannot start a process: Resource temporarily unavailable' run one.c --sym-stdin 1 --workers "$(address i)" --jobs 1 --out i

# ---- the workers of a machine end again and again
"$tamar" run -q endless.c --sym-stdin 4 --out k --workers "$(address k)" --jobs 0 >k.text 2>&1 &
begun=$! started="$started $begun"
until [ "$(ask hget 'tamar:{k}:meta' state)" = run ]; do sleep 0.05; done
"$tamar" worker "$(address k)" --jobs 1 >l.text 2>&1 &
crew=$! started="$started $crew"
for i in $(seq 600); do
    kill -0 "$crew" 2>/dev/null || break
    for pid in $(pgrep -P "$crew"); do kill -KILL "$pid" 2>/dev/null; done
    sleep 0.1
done
until_said l.text '--jobs: 11 workers have ended unexpectedly'
kill -INT "$begun" && ended 3 "$begun" k.text

# ---- the server goes away
"$tamar" run -q endless.c --sym-stdin 4 --out j --workers "$(address j)" --jobs 1 >j.text 2>&1 &
begun=$! started="$started $begun"
until [ "$(ask hget 'tamar:{j}:meta' state)" = run ]; do sleep 0.05; done
kill -STOP "$(cat redis.pid)"
until_said j.text 'workers continue with their states, and commit later'
said j.text 'Redis does not answer ('
kill -CONT "$(cat redis.pid)"
kill -INT "$begun" && ended 3 "$begun" j.text
exit $failed
