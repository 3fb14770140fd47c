# Three hosts and a Redis server, for the tests of this folder. The hosts are network namespaces with a bridge between
# them (as root), else processes of this host: "head" (with the server), "one" and "two". `on HOST COMMAND...` runs a
# command there; `cut HOST` and `join HOST` change the host's link; `server` and `server_stop` start and stop Redis. All
# processes end with the script.
source "$folder/../jobs/more-work.bash"
tag=t$$
started=
spaces=
address=127.0.0.1
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')

clean_up() {
    for pid in $started; do kill -9 "$pid" 2>/dev/null || true; done
    test ! -e "$work/redis.pid" || kill -9 "$(cat "$work/redis.pid")" 2>/dev/null || true
    for host in $spaces; do ip netns del "$tag-$host" 2>/dev/null || true; done
    test -z "$spaces" || ip link del "$tag-br" 2>/dev/null || true
}
trap clean_up EXIT

make_host() { # NAME NUMBER
    ip netns add "$tag-$1" && spaces="$spaces $1"
    ip link add "$tag-$2" type veth peer name eth0 netns "$tag-$1"
    ip link set "$tag-$2" master "$tag-br" up
    ip -n "$tag-$1" address add "10.213.7.$2/24" dev eth0
    ip -n "$tag-$1" link set eth0 up
    ip -n "$tag-$1" link set lo up
}

make_hosts() {
    ip link add "$tag-br" type bridge 2>/dev/null || return 1
    ip link set "$tag-br" up && make_host head 1 && make_host one 2 && make_host two 3
}

if test "$(id -u)" = 0 && make_hosts 2>"$work/netns.txt"; then
    address=10.213.7.1
else
    for host in $spaces; do ip netns del "$tag-$host" 2>/dev/null || true; done
    ip link del "$tag-br" 2>/dev/null || true
    spaces=
fi

on() { # HOST COMMAND...: in the foreground
    host=$1
    shift
    if test -n "$spaces"; then ip netns exec "$tag-$host" "$@"; else "$@"; fi
}

begin() { # HOST OUTPUT COMMAND...: in the background; $begun is the process
    host=$1 output=$2
    shift 2
    if test -n "$spaces"; then
        ip netns exec "$tag-$host" "$@" >"$output" 2>&1 &
    else
        "$@" >"$output" 2>&1 &
    fi
    begun=$!
    started="$started $begun"
}

cut() { test -z "$spaces" || ip -n "$tag-$1" link set eth0 down; }
join() { test -z "$spaces" || ip -n "$tag-$1" link set eth0 up; }

server() { # with its append-only file in the work folder
    on head redis-server --port "$port" --bind 0.0.0.0 --protected-mode no --save "" --appendonly yes --dir "$work" \
        --pidfile "$work/redis.pid" --logfile "$work/redis.txt" --daemonize yes --requirepass secret "$@" >/dev/null
    for i in $(seq 600); do
        if on head redis-cli -h "$address" -p "$port" -a secret --no-auth-warning ping 2>/dev/null | grep -q PONG; then return; fi
        sleep 0.1
    done
    return 1
}

server_stop() { on head redis-cli -h "$address" -p "$port" -a secret --no-auth-warning shutdown; }
ask() { on head redis-cli -h "$address" -p "$port" -a secret --no-auth-warning "$@"; }

until_tests() { # FOLDER COUNT: the folder has so many tests. Ends with 9 if the run is over: nothing is left to disturb.
    for i in $(seq 3000); do
        if grep -q '"running": false' "$1/summary.json" 2>/dev/null; then
            echo "the run $1 was over before the test could disturb it" >&2
            exit 9 # more_work
        fi
        if test "$(ls "$1/tests" 2>/dev/null | grep -c json)" -ge "$2"; then return; fi
        sleep 0.02
    done
    return 1
}

# What `begin` has started in a subshell ends with it: call it first in a command of more_work.
end_with_me() {
    started=
    trap 'for pid in $started; do kill -9 "$pid" 2>/dev/null || true; done' EXIT
}
