// The program that further-programs.c starts: prints what it got from its caller.
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

int shared = 3; // further-programs.c has another variable of this name
static int constructed;
__attribute__((constructor)) static void construct(void) { constructed = shared; }
__attribute__((destructor)) static void destroy(void) { write(1, "tool ends\n", 10); }

int main(int argc, char **argv, char **envp) {
    if (argc > 1 && !strcmp(argv[1], "check")) { // 1: a letter; a bug for one of the digits
        if (argv[2][0] == '7') abort();
        return argv[2][0] >= 'a' && argv[2][0] <= 'z';
    }
    printf("tool: %d arguments:", argc);
    for (int i = 1; i < argc; i++) printf(" <%s>", argv[i]);
    printf("\nfirst variable: %s, A=%s, constructed %d, shared %d\n", envp[0] ? envp[0] : "(none)",
           getenv("A") ? getenv("A") : "(none)", constructed, ++shared);
    struct sigaction handled, ignored;
    sigaction(SIGUSR1, NULL, &handled);
    sigaction(SIGUSR2, NULL, &ignored);
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    printf("handler kept: %d, ignored: %d, limit: %d\n", handled.sa_handler != SIG_DFL,
           ignored.sa_handler == SIG_IGN, (int)limit.rlim_cur);
    if (argc > 2) {
        long kept = write(atoi(argv[1]), "kept\n", 5), closed = write(atoi(argv[2]), "closed\n", 7);
        printf("write: %ld, %ld %s\n", kept, closed, closed < 0 ? strerror(errno) : "");
    }
    char line[40];
    if (fgets(line, sizeof line, stdin)) printf("read: %s", line);
    return 5;
}
