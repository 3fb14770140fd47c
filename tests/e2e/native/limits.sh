# A native program cannot exceed its limits of processes, memory, file space or time, nor call the kernel by another
# convention, as root and as an ordinary user. If the system allows no sandbox, nothing is run unless --no-sandbox is
# given.
# RUN: bash %s %t %tamar
# REQUIRES: run, replay
set -eu
work=$1 tamar=$2
rm -rf "$work" && mkdir -p "$work"
mkdir -m 1777 "$work/tmp"
export TMPDIR=$work/tmp
cat >"$work/greedy.c" <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <fcntl.h>
int main(int argc, char **argv) {
    static char block[1 << 20];
    const char *test = getenv("TAMAR_TEST"); // only natively
    if (argc < 2 || !test) return 0;
    switch (argv[1][0]) {
    case 'p':
        for (;;) fork();
    case 'm': // past the allocator of a checker
        for (;;) {
            char *at = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
            if (at == MAP_FAILED) _exit(99);
            memset(at, 1, 1 << 20);
        }
    case 'f': {
        int fd = open("large", O_CREAT | O_WRONLY, 0600);
        for (;;)
            if (write(fd, block, sizeof block) <= 0) _exit(98);
    }
    case 'd':
        for (int i = 0;; i++) {
            char name[] = "/tmp/fileAAAA";
            for (int k = 0, n = i; k < 4; k++, n /= 26) name[9 + k] += n % 26;
            int fd = open(name, O_CREAT | O_WRONLY, 0600);
            for (int k = 0; k < 64; k++)
                if (write(fd, block, sizeof block) <= 0) _exit(97);
        }
    case 's': // segments that no process has attached
        for (;;) {
            int id = shmget(IPC_PRIVATE, 64 << 20, IPC_CREAT | 0600);
            char *at = id < 0 ? (char *)-1 : shmat(id, NULL, 0);
            if (at == (char *)-1) _exit(94);
            memset(at, 1, 64 << 20);
            shmdt(at);
        }
    case 'v': // files in memory
        for (;;) {
            int fd = syscall(SYS_memfd_create, "x", 0);
            if (fd < 0) _exit(93);
            for (int k = 0; k < 64; k++) write(fd, block, sizeof block);
        }
    case 'k': // buffers of sockets
        for (;;) {
            int ends[2], size = 1 << 24;
            if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends)) _exit(92);
            setsockopt(ends[0], SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
            while (send(ends[0], block, 65536, MSG_DONTWAIT) > 0);
        }
    case 'g': { // page tables of pages that are only read
        volatile char *at = mmap(NULL, 1l << 43, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (at == MAP_FAILED) _exit(91);
        for (long k = 0; k < 1l << 43; k += 2 << 20) at[k];
        _exit(0);
    }
    case 't':
        for (;;) pause();
    case '8': {
        int result = 20; // getpid
        __asm__ volatile("int $0x80" : "+a"(result) : : "memory");
        _exit(result > 0 ? 96 : 95);
    }
    }
    return 0;
}
END

# ends LETTER WORDS BUILD [SECONDS]: a replay under limits prints WORDS about the program
ends() {
    rm -rf out
    $as $tamar run -q --out out greedy.c -- "$1" 2>/dev/null
    status=0
    timeout -k 1 100 $as $tamar replay $3 --max-time ${4:-3} --max-memory 400 out >log 2>&1 || status=$?
    test $status = 1 || { cat log; echo "status $status"; exit 1; }
    grep -Eq "$2" log || { cat log; exit 1; }
}

limited() {
    mkdir "$work/$1" && cd "$work/$1" && cp ../greedy.c .
    as=${*:2}
    [ -z "$as" ] || chown -R 65534:65534 .
    for build in --plain --sanitizers; do
        ends p 'more processes than are allowed|did not end in time|more memory' $build
        ends m 'more memory than is allowed|status 99' $build 40
        ends f 'signal 25|status 98' $build 40
        ends d 'status 97|more memory' $build 40
        ends t 'did not end in time' $build
        ends 8 'signal 31' $build
    done
    # Memory that the kernel keeps for the program.
    ends s 'more memory than is allowed|status 94' --plain 40
    ends v 'status 93' --plain 40
    ends k 'more memory than is allowed|status 92' --plain 40
    ends g 'more memory than is allowed' --sanitizers 40
}
# In parallel, since most of the time is spent waiting for limits.
limited own &
own=$!
[ "$(id -u)" != 0 ] || limited user setpriv --reuid=65534 --regid=65534 --clear-groups
wait $own

cd "$work/own"
cat >fine.c <<'END'
int main(void) { return 0; }
END
$tamar run -q --out fine fine.c 2>/dev/null
forbidden="unshare -Ur sh -c 'echo 0 >/proc/sys/user/max_user_namespaces; exec \"\$@\"' sh"
status=0
eval "$forbidden" $tamar replay fine >log 2>&1 || status=$?
test $status = 2
grep -q 'no native code is run: this system does not allow' log
grep -q -e --no-sandbox log
eval "$forbidden" $tamar replay --no-sandbox fine
