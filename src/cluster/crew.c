#include "cluster/crew.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/run_limits.h"
#include "cluster/answers.h"
#include "cluster/budget.h"
#include "cluster/worker_process.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MOST_BEATS 5u // heartbeats within the timeout of a silent worker

struct hand {
    pid_t process;
    char name[96];
};

struct crew {
    struct crew_options options;
    struct explore_options explore; // options.explore, with the answers that workers share
    struct answers *answers;        // NULL: none
    char name[96];
    vec(struct hand) hands;
    vec(struct hand) gone; // ended, but not yet reported to Redis
    vec(uint32_t) statuses;
    uint32_t started, deaths;
    uint64_t base, random;
    double next_beat;
    enum board_state state;
    bool ending;
};

struct crew *crew_new(const struct crew_options *options) {
    struct crew *crew = NEW(struct crew);
    crew->options = *options;
    crew->base = limits_resident();
    crew->state = BOARD_RUN;
    if (getrandom(&crew->random, sizeof crew->random, GRND_NONBLOCK) != sizeof crew->random)
        crew->random = (uint64_t)time(NULL);
    struct budget budget = {options->max_memory, crew->base, options->jobs};
    if (options->jobs) crew->options.jobs = budget_jobs(&budget);
    if (crew->options.jobs < options->jobs)
        user_warning("--max-memory is too little for %u workers: using %u", options->jobs,
                     crew->options.jobs);
    crew->explore = *options->explore;
    snprintf(crew->name, sizeof crew->name, "%016llx", (unsigned long long)crew->random);
    if (crew->options.jobs) {
        crew->answers = answers_new(options->board, crew->name);
        crew->explore.solver.shared = answers_table(crew->answers);
    }
    return crew;
}

void crew_free(struct crew *crew) {
    if (!crew) return;
    answers_free(crew->answers);
    vec_free(&crew->hands);
    vec_free(&crew->gone);
    vec_free(&crew->statuses);
    DELETE(crew);
}

uint32_t crew_count(const struct crew *crew) { return crew->hands.count; }
enum board_state crew_state(const struct crew *crew) { return crew->state; }

NORETURN static void be_worker(struct crew *crew, const char *name, uint64_t memory) {
    worker_process_begin();
    if (crew->options.forked) crew->options.forked(crew->options.context);
    limits_forked(memory);
    struct remote_options options = {.address = board_address(crew->options.board),
                                     .name = name,
                                     .program = crew->options.program,
                                     .explore = &crew->explore,
                                     .timeout = crew->options.timeout,
                                     .foreign = crew->options.foreign,
                                     .user = crew->options.user,
                                     .group = crew->options.group};
    enum remote_end end = remote_serve(&options);
    fflush(NULL);
    _exit(end == REMOTE_OVER ? 0 : end == REMOTE_LOST ? REMOTE_LOST_STATUS : EXIT_INTERNAL);
}

static bool start_worker(struct crew *crew) {
    struct budget budget = {crew->options.max_memory, crew->base, crew->options.jobs};
    struct hand hand = {0};
    char host[64] = "host";
    gethostname(host, sizeof host - 1);
    snprintf(hand.name, sizeof hand.name, "%s-%d-%u-%08x", host, (int)getpid(), ++crew->started,
             (unsigned)crew->random);
    fflush(NULL);
    hand.process = fork();
    if (hand.process == 0) be_worker(crew, hand.name, budget_share(&budget));
    if (hand.process < 0) return false;
    vec_push(&crew->hands, hand);
    return true;
}

static void note_end(struct crew *crew, const struct hand *hand, int status) {
    bool good = WIFEXITED(status) && (WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == REMOTE_LOST_STATUS);
    vec_push(&crew->gone, *hand);
    // crew_end kills a worker that does not end in time: that is no failure
    vec_push(&crew->statuses, good || crew->ending ? BOARD_WORKER_LEFT : BOARD_WORKER_DEAD);
    if (good || crew->ending) return;
    crew->deaths++;
    user_warning("worker %s was killed; its states go to another worker", hand->name);
}

static void reap(struct crew *crew, bool wait) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < crew->hands.count; i++) {
        struct hand hand = crew->hands.at[i];
        int status = 0;
        pid_t ended = waitpid(hand.process, &status, wait ? 0 : WNOHANG);
        if (ended == hand.process || (ended < 0 && errno == ECHILD))
            note_end(crew, &hand, status);
        else
            crew->hands.at[kept++] = hand;
    }
    crew->hands.count = kept;
}

// Reports ended workers to Redis; retried later if the server cannot be reached.
static void report_gone(struct crew *crew) {
    while (crew->gone.count) {
        if (!board_leave(crew->options.board, vec_last(&crew->gone)->name, *vec_last(&crew->statuses)))
            return;
        crew->gone.count--;
        crew->statuses.count--;
    }
}

static void beat(struct crew *crew) {
    double now = clock_seconds();
    if (now < crew->next_beat) return;
    crew->next_beat = now + (double)crew->options.timeout * 0.001 / MOST_BEATS;
    const char **names = NEW_ARRAY(const char *, crew->hands.count);
    for (uint32_t i = 0; i < crew->hands.count; i++) names[i] = crew->hands.at[i].name;
    enum board_state state = board_beat(crew->options.board, names, crew->hands.count);
    if (state != BOARD_AWAY) crew->state = state;
    DELETE_ARRAY(names, crew->hands.count);
}

bool crew_tend(struct crew *crew, bool may_start) {
    reap(crew, false);
    report_gone(crew);
    beat(crew);
    if (crew->answers) answers_exchange(crew->answers);
    if (!may_start) return true;
    if (crew->deaths > 8 + 2 * crew->options.jobs) {
        user_error_at("--jobs", "Find the cause: the system's memory, a limit, a crash of Tamar.",
                      "%u workers have ended unexpectedly", crew->deaths);
        return false;
    }
    while (crew->hands.count < crew->options.jobs)
        if (!start_worker(crew)) {
            if (crew->hands.count) return true;
            user_error_at("--jobs", NULL, "cannot start a process: %s", strerror(errno));
            return false;
        }
    return true;
}

void crew_end(struct crew *crew, double seconds) {
    crew->ending = true;
    vec_each (struct hand, hand, &crew->hands) kill(hand->process, SIGTERM);
    double until = clock_seconds() + seconds;
    while (crew->hands.count && clock_seconds() < until) {
        clock_pause(10);
        reap(crew, false);
    }
    vec_each (struct hand, hand, &crew->hands) kill(hand->process, SIGKILL);
    reap(crew, true);
    report_gone(crew);
}
