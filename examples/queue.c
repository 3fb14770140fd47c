// A queue of jobs, driven by one-letter commands: a adds, r runs the oldest, c cancels the newest.
//     tamar exec examples/queue.c -- aarr
//     tamar exec examples/queue.c -- aaca
#include <stdio.h>
#include <stdlib.h>

struct job {
    struct job *next;
    int number;
};
static struct job *oldest, *newest;

static void add(int number) {
    struct job *job = malloc(sizeof *job);
    if (!job) exit(1);
    job->next = NULL;
    job->number = number;
    if (oldest)
        newest->next = job; // after cancelling, newest may be gone
    else
        oldest = job;
    newest = job;
}

static void run(void) {
    struct job *job = oldest;
    if (!job) return;
    oldest = job->next;
    printf("job %d\n", job->number);
    free(job);
}

static void cancel(void) {
    struct job *job = oldest;
    if (!job) return;
    if (job == newest) {
        oldest = newest = NULL;
    } else {
        while (job->next != newest) job = job->next;
        job->next = NULL;
    }
    free(newest);
}

int main(int argc, char **argv) {
    int number = 0;
    for (const char *command = argc > 1 ? argv[1] : ""; *command; command++) {
        if (*command == 'a') add(++number);
        if (*command == 'r') run();
        if (*command == 'c') cancel();
    }
    while (oldest) run();
    return 0;
}
