// --program: execve starts programs whose bitcode is known, with arguments, environment, descriptors, ignored signals
// and limits kept, and fresh data, as the kernel does.
// RUN: rm -rf %t && mkdir -p %t && cd %t && %tamar cc %S/Inputs/tool.c -o tool && %tamar cc %S/Inputs/shell.c -o shell && %tamar cc %s -o main
// RUN: cd %t && echo "#! $PWD/tool from script" >script && chmod +x script && echo text >plain
// RUN: cd %t && echo input | status 5 ./main $PWD >native
// RUN: cd %t && echo input | status 5 %tamar exec --program tool --program /bin/sh=shell main -- $PWD >engine && diff native engine
// RUN: grep -q 'system 5' %t/engine && grep -q 'first again: again' %t/engine
// Without bitcode the call is not modelled.
// RUN: cd %t && echo input | status 126 %tamar exec main -- $PWD 2>&1 | FileCheck --check-prefix=NONE %s
// NONE: gave up: {{.*}} not modelled: system call execve of {{.*}}/tool
// RUN: status 2 %tamar exec --program sh=%t/shell %t/main 2>&1 | FileCheck --check-prefix=PATH %s
// PATH: --program: "sh" is not an absolute path
// RUN: cd %t && status 2 %tamar exec --program tool --program $PWD/tool=shell main 2>&1 | FileCheck --check-prefix=TWICE %s
// TWICE: --program: two programs for "{{.*}}/tool": "tool" and "shell"
// RUN: status 2 %tamar exec --program /bin/nothing=/nothing %t/main 2>&1 | FileCheck --check-prefix=MISSING %s
// MISSING: /nothing: No such file or directory
// RUN: cd %t && echo 'int part(void) { return 0; }' >part.c && status 2 %tamar exec --program /part=part.c main 2>&1 | FileCheck --check-prefix=PART %s
// PART: part.c: the program has no function "main"
// A symbolic argument is symbolic in the program that is started. The exact build, which has the model of the kernel,
// confirms each path and the bug.
// RUN: cd %t && rm -rf out && status 1 %tamar run -q --sym-stdin 1 --emit all --out out --program /usr/lib/tool=%S/Inputs/tool.c -DSYMBOLIC %s
// RUN: status 1 %tamar replay --exact %t/out | FileCheck --check-prefix=REPLAY %s
// REPLAY: 5 tests, 5 as predicted{{.*}}1 by the exact build alone
// RUN: grep -q 'Inputs/tool.c' %t/out/summary.json
// A symbolic path: one path of the run for each program that it can name.
// RUN: rm -rf %t/named && mkdir %t/named && cd %t/named && %tamar run -q --sym-stdin 1 --emit all --out out --program $PWD/x=%S/Inputs/tool.c --program $PWD/y=%S/Inputs/shell.c -DNAMED %s
// RUN: cd %t/named && grep -l '"exit_status": 1,' out/tests/*.json | wc -l | grep -qx 1 && grep -l '"exit_status": 2,' out/tests/*.json | wc -l | grep -qx 1 && %tamar replay --exact out | grep -q '6 tests, 6 as predicted'
// A path through a symbolic link, as /bin/sh where /bin is one.
// RUN: cd %t/named && ln -s . link && %tamar run -q --sym-stdin 1 --emit all --out linked --program $PWD/link/new/x=%S/Inputs/tool.c --program $PWD/link/x=%S/Inputs/tool.c -DNAMED %s && grep -q '"exit_status": 1,' linked/tests/*.json
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int shared = 10;
extern char **environ;

#ifdef NAMED
int main(void) {
    char path[] = "./_", *words[] = {path, "check", "q", NULL};
    path[2] = (char)getchar();
    execv(path, words);
    return 50;
}
#elif defined SYMBOLIC
int main(void) {
    char argument[2] = {(char)getchar(), 0};
    char *words[] = {"tool", "check", argument, NULL};
    int status;
    if (argument[0] == 'x') return 9; // before the program starts
    if (fork() == 0) {
        execvp("/usr/lib/tool", words);
        _exit(20);
    }
    wait(&status);
    if (WIFSIGNALED(status)) return 8;
    return WEXITSTATUS(status);
}
#else
static void handler(int signal) { (void)signal; }

static void run(const char *what, const char *path, char **words, char **variables) {
    int status;
    fflush(stdout);
    if (fork() == 0) {
        execve(path, words, variables);
        printf("%s: %s\n", what, strerror(errno));
        fflush(stdout);
        _exit(errno);
    }
    wait(&status);
    printf("%s: exited %d\n", what, WEXITSTATUS(status));
}

int main(int argc, char **argv) {
    char path[500], kept[10], closed[10], line[200];
    char *plain[] = {"tool", NULL}, *variables[] = {"A=b c", "Z=", NULL};
    if (argc > 2) {
        printf("first again: %s, shared %d\n", argv[2], ++shared);
        return 6;
    }
    shared = 20;
    signal(SIGUSR1, handler);
    signal(SIGUSR2, SIG_IGN);
    struct rlimit limit = {77, 77};
    setrlimit(RLIMIT_NOFILE, &limit);
    int pipes[2];
    if (pipe(pipes)) return 1;
    int other = fcntl(pipes[1], F_DUPFD_CLOEXEC, 0);
    snprintf(kept, sizeof kept, "%d", pipes[1]);
    snprintf(closed, sizeof closed, "%d", other);
    snprintf(path, sizeof path, "%s/tool", argv[1]);
    char *words[] = {"tool", kept, closed, "a b", "", NULL};
    run("tool", path, words, variables);
    printf("pipe: %ld\n", (long)read(pipes[0], line, sizeof line));
    run("tool without words", path, plain, plain + 1);
    snprintf(path, sizeof path, "%s/script", argv[1]);
    run("script", path, words, variables);
    snprintf(path, sizeof path, "%s/plain", argv[1]);
    run("not executable", path, words, variables);
    snprintf(path, sizeof path, "%s/missing", argv[1]);
    run("missing", path, words, variables);
    char *again[] = {"main", argv[1], "again", NULL};
    snprintf(path, sizeof path, "%s/main", argv[1]);
    run("first", path, again, environ);
    setenv("PATH", argv[1], 1);
    unsetenv("A");
    char *const empty[] = {"A=1", NULL};
    environ = (char **)empty;
    snprintf(line, sizeof line, "%s/tool one two", argv[1]);
    int status = system(line);
    printf("system %d\n", WEXITSTATUS(status));
    FILE *tool = popen(line, "r");
    while (tool && fgets(line, sizeof line, tool)) printf("popen: %s", line);
    printf("pclose %d\n", WEXITSTATUS(pclose(tool)));
    fflush(stdout);
    snprintf(path, sizeof path, "%s/tool", argv[1]);
    execl(path, "tool", "last", (char *)NULL); // this process itself
    return 99;
}
#endif
