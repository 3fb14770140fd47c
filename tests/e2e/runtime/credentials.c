// Users, groups and capabilities, as a daemon drops its privileges. Each part is a separate process.
// RUN: same-as-kernel %tamar %s %t
#include "Inputs/trace.h"
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void who(void) {
    uid_t r, e, s;
    gid_t gr, ge, gs;
    getresuid(&r, &e, &s);
    getresgid(&gr, &ge, &gs);
    printf("users %u %u %u groups %u %u %u\n", r, e, s, gr, ge, gs);
}

static void powers(void) {
    struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct data[2];
    if (syscall(SYS_capget, &head, data)) return;
    for (int i = 0; i < 2; i++) printf("%x %x %x\n", data[i].effective, data[i].permitted, data[i].inheritable);
}

static long limit_to(unsigned bits, unsigned effective) {
    struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct data[2] = {{effective, bits, 0}, {0, 0, 0}};
    return syscall(SYS_capset, &head, data);
}

static long bind_to(int port) {
    struct sockaddr_in name = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    long result = bind(fd, (struct sockaddr *)&name, sizeof name);
    int error = errno;
    close(fd);
    errno = error;
    return result;
}

static void drop(void) {
    gid_t groups[] = {7, 9};
    T(setgroups(2, groups));
    T(getgroups(1, groups));
    T(getgroups(2, groups));
    printf("%u %u\n", groups[0], groups[1]);
    T(setgid(5));
    T(setuid(3));
    who();
    powers();
    T(setuid(0));
    T(seteuid(0));
    T(setgroups(0, NULL));
    T(setgid(9));
    T(bind_to(81));
    T(chroot("/"));
    T(kill(getppid(), 0));
    T(open("secret", O_RDONLY));
    T(open("shared", O_RDONLY) >= 0);
    T(access("shared", W_OK));
    T(chown("shared", 3, -1));
    T(socket(AF_PACKET, SOCK_RAW, 0));
    T(socket(AF_INET, SOCK_RAW, IPPROTO_RAW));
    T(socket(AF_INET, SOCK_RAW, 0));
}

static void for_a_while(void) {
    T(seteuid(3));
    who();
    T(open("secret", O_RDONLY));
    T(access("secret", R_OK)); // for the real user
    T(seteuid(0));
    T(open("secret", O_RDONLY) >= 0);
    T(setreuid(3, -1));
    who();
    T(setreuid(-1, 3));
    who();
    T(setuid(0));
    T(setresuid(3, 3, 3));
    T(setresuid(0, -1, -1));
    T(setuid(-1));
}

static void keep(void) {
    T(prctl(PR_GET_KEEPCAPS));
    T(prctl(PR_SET_KEEPCAPS, 1));
    T(prctl(PR_SET_KEEPCAPS, 2));
    T(prctl(PR_GET_KEEPCAPS));
    T(setuid(3));
    T(bind_to(82));
    T(limit_to(1 << CAP_NET_BIND_SERVICE, 1 << CAP_NET_BIND_SERVICE));
    powers();
    T(bind_to(82));
    T(limit_to(3, 0));
    T(limit_to(1 << CAP_NET_BIND_SERVICE, 1 << CAP_CHOWN));
    T(limit_to(0, 0));
    powers();
    T(bind_to(82));
}

static void calls(void) {
    struct __user_cap_header_struct head = {0x1234, 0};
    struct __user_cap_data_struct data[2];
    T(syscall(SYS_capset, NULL, NULL));
    T(syscall(SYS_capget, &head, NULL));
    printf("%x\n", head.version);
    head.version = 0;
    T(syscall(SYS_capget, &head, data));
    head.pid = -1;
    T(syscall(SYS_capget, &head, data));
    T(prctl(PR_CAPBSET_READ, 64));
    T(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
    T(prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0));
    T(prctl(PR_SET_DUMPABLE, 0));
    T(prctl(PR_GET_DUMPABLE));
    T(prctl(PR_SET_PDEATHSIG, 99));
    T(setgroups(70000, NULL));
}

int main(void) {
    void (*parts[])(void) = {drop, for_a_while, keep, calls};
    umask(0);
    close(open("secret", O_CREAT | O_WRONLY, 0600));
    close(open("shared", O_CREAT | O_WRONLY, 0640));
    T(chown("shared", -1, 7));
    for (unsigned i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        int status;
        printf("part %u\n", i);
        fflush(stdout);
        if (!fork()) {
            parts[i]();
            fflush(stdout);
            _exit(0);
        }
        wait(&status);
        printf("%x\n", status);
    }
    return 0;
}
