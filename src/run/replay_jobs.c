// Runs the tests of a replay in several processes. Each process takes the next number from a shared counter, and sends
// the result through its own pipe; results are passed on in the order of the numbers.
#include "base/error.h"
#include "base/file.h"
#include "run/native_replay.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

struct header {
    uint32_t index;
    struct replayed_test result;
    uint32_t size; // size of the message that follows
};

struct job {
    pid_t process;
    int pipe;
};

struct one_result {
    bool there;
    struct replayed_test result;
    struct text message;
};

NORETURN static void be_job(struct native_replay *replay, bool valgrind, const struct replay_numbers *numbers,
                            atomic_uint *next, int pipe) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (unsigned i = 0; i < COUNT(replay_signals); i++) signal(replay_signals[i], SIG_DFL);
    signal(SIGPIPE, SIG_IGN);
    for (uint32_t index; (index = atomic_fetch_add(next, 1)) < numbers->count;) {
        struct header header = {.index = index};
        struct text message = {0};
        replay_test(replay, valgrind, numbers->at[index], &header.result, &message);
        header.size = (uint32_t)message.count;
        if (!file_write_bytes(pipe, &header, sizeof header) ||
            !file_write_bytes(pipe, message.at, message.count))
            break;
        text_free(&message);
        if (header.result.failed) break;
    }
    fflush(NULL);
    _exit(0);
}

static bool start(struct native_replay *replay, bool valgrind, const struct replay_numbers *numbers,
                  struct job *jobs, uint32_t count, atomic_uint *next) {
    fflush(NULL);
    for (uint32_t i = 0; i < count; i++) jobs[i].pipe = -1;
    for (uint32_t i = 0; i < count; i++) {
        int pipes[2];
        if (pipe2(pipes, O_CLOEXEC) != 0) return false;
        replay->job = i;
        jobs[i].process = fork();
        if (jobs[i].process == 0) be_job(replay, valgrind, numbers, next, pipes[1]);
        close(pipes[1]);
        jobs[i].pipe = pipes[0];
        if (jobs[i].process < 0) return false;
    }
    return true;
}

// Reads one result. Returns false if the process has ended.
static bool receive(struct job *job, struct one_result *all, uint32_t count) {
    struct header header;
    if (!file_read_bytes(job->pipe, &header, sizeof header)) return false;
    assert(header.index < count);
    struct one_result *one = &all[header.index];
    one->result = header.result;
    one->there = file_read_bytes(job->pipe, text_room(&one->message, header.size), header.size);
    if (!one->there) return false;
    one->message.count = header.size;
    one->message.at[header.size] = 0;
    return true;
}

static bool wait_for_any(struct job *jobs, uint32_t count, struct one_result *all, uint32_t numbers) {
    struct pollfd *wait = NEW_ARRAY(struct pollfd, count);
    bool any = false;
    for (uint32_t i = 0; i < count; i++) {
        wait[i] = (struct pollfd){jobs[i].pipe, POLLIN, 0};
        any |= jobs[i].pipe >= 0;
    }
    if (any && poll(wait, count, -1) > 0)
        for (uint32_t i = 0; i < count; i++)
            if (wait[i].revents && !receive(&jobs[i], all, numbers)) {
                close(jobs[i].pipe);
                jobs[i].pipe = -1;
            }
    DELETE_ARRAY(wait, count);
    return any;
}

static void end_jobs(struct job *jobs, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        if (jobs[i].pipe >= 0) close(jobs[i].pipe);
        if (jobs[i].process <= 0) continue;
        kill(jobs[i].process, SIGKILL);
        while (waitpid(jobs[i].process, NULL, 0) < 0 && errno == EINTR) {}
    }
}

bool replay_jobs(struct native_replay *replay, bool valgrind, const struct replay_numbers *numbers,
                 uint32_t jobs,
                 void (*report)(void *context, const struct replayed_test *result, const char *message),
                 void *context) {
    if (!numbers->count) return true;
    uint32_t count = MIN(jobs, numbers->count), done = 0;
    atomic_uint *next = mmap(NULL, sizeof *next, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    struct job *all_jobs = NEW_ARRAY(struct job, count);
    struct one_result *all = NEW_ARRAY(struct one_result, numbers->count);
    bool good = next != MAP_FAILED && start(replay, valgrind, numbers, all_jobs, count, next), failed = false;
    if (!good) user_error_at("replay", NULL, "cannot start a process: %s", strerror(errno));
    while (good && !failed && done < numbers->count) {
        bool more = wait_for_any(all_jobs, count, all, numbers->count);
        for (; done < numbers->count && all[done].there && !failed; done++) {
            failed = all[done].result.failed;
            if (!failed) report(context, &all[done].result, all[done].message.at ? all[done].message.at : "");
        }
        if (!more && done < numbers->count && !failed) {
            user_error_at("replay", NULL, "test %u was not finished: its process ended", numbers->at[done]);
            failed = true;
        }
    }
    end_jobs(all_jobs, count);
    for (uint32_t i = 0; i < numbers->count; i++) text_free(&all[i].message);
    DELETE_ARRAY(all, numbers->count);
    DELETE_ARRAY(all_jobs, count);
    if (next != MAP_FAILED) munmap(next, sizeof *next);
    return good && !failed;
}
