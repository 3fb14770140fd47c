// Private to the exploration.
//
// The loop (explore.c) picks a state and runs it; what comes out of the machine goes through the sink (outcome.c), which
// counts, makes tests and gives new states to the search. Every state that is alive is held by the search;
// result.counts.states counts them. Pending states (pending.c) are checked when they are picked, or when memory runs out.
// States that follow seeds (seeds.c) run before any other, the newest first.
#ifndef TAMAR_EXPLORE_INT_H
#define TAMAR_EXPLORE_INT_H

#include "base/arena.h"
#include "base/hash.h"
#include "base/vec.h"
#include "cover/cover.h"
#include "explore/explore.h"
#include "search/search.h"

struct hang_watch;

struct explore {
    const struct ir_program *program;
    struct explore_options options;
    struct terms *terms;
    struct solver *solver;
    struct vm *vm;
    struct search *search;
    struct reach *reach;     // NULL: no targets
    struct search_step step; // what the running state has done
    struct explore_result result;
    vec(struct found_bug) bugs;
    struct map written;           // path of a test that was written before: its number
    struct map bug_sites;         // site in the program's own source, kind and fault: index of the bug
    struct map bug_hashes;        // all hashes of stacks and callers
    struct map known_sites;       // as bug_sites: index in `known`, plus 1
    vec(const char *) known;      // entries of the list of known reports, or NULL
    vec(struct hang_watch) hangs; // paths that may hang
    struct ledger ledger;
    enum explore_end dropped_by;  // why the first state was dropped; END_COMPLETE: none was
    vec(struct finding) findings; // live in `texts`
    struct state *running;        // or NULL
    struct explore_tested tested; // of the test that is being told
    struct told *told;            // what messages have said (tell.c)
    vec(struct state *) seeded;   // states that follow seeds: they run first
    vec(struct path_condition) seeds;
    struct turn {            // of the seeds that take time
        vec(double) spent;   // by seed: seconds for its path
        vec(double) allowed; // by seed: that it may take before others have their turn
        double others_until; // until then the states without seeds run
    } turn;
    struct hard {
        vec(struct state *) states;
        uint32_t first;     // states before it are gone
        uint64_t work;      // of the solver, for these
        struct map guesses; // edge plus 1 -> inputs that were guessed to take it
    } hard;
    uint64_t infeasible_nanoseconds;
    struct arena *texts;
    struct occurrence { // of the bug that was counted last
        uint64_t stack, caller;
        uint32_t frames;
    } occurrence;
    uint8_t *claimed; // per edge, then per function: a test covers it
    uint8_t *shown; // per location: tests of paths that began with a choice there; NULL: nobody wants to know
    double started, last_progress;
    double seconds_before, work_before; // of the run that this one goes on with
    bool merges;                        // executes nothing: adds up what other explorations report (merge.c)
    uint64_t other_memory;              // bytes that these have taken at most
    struct resume *resume;
    bool begun;                // the first states are there
    bool ended;                // on_progress has ended this call of explore_run
    struct backward *backward; // NULL: nothing is searched for from the middle of the program
    // Bytes: what states and terms may have of the process, what they may use of it, and how much they may have taken before they
    // may use less. Only with a limit of memory.
    uint64_t room, usable, taken;
    bool was_near; // to the limit of the process, after the last step
    // States that the running step has made have numbers from `step_first` on; those among them that the search has.
    uint64_t step_first;
    vec(uint64_t) step_added;
    bool abandoned; // in a step: what it changed is not whole
};

// outcome.c
extern const struct vm_sink explore_sink; // its context is the exploration
// A new state, held from now on.
void add_state(struct explore *explore, struct state *state, const struct state *parent);
void drop_state(struct explore *explore, struct state *state);
// States that could have gone on are dropped: `count` entries of the ledger.
void note_dropped(struct explore *explore, enum explore_end why, uint64_t count);
// Counts the path, makes its test when one is wanted, and drops the state.
void finish_path(struct explore *explore, struct state *state, enum vm_event event);

// tell.c
void tell_open(struct explore *explore);
void tell_close(struct explore *explore);
void tell(struct explore *explore, enum message_kind kind, const void *body);
// All that has been counted and found, whether it was told or not.
struct message_writer;
void tell_everything(struct explore *explore, struct message_writer *stream);
// The same without findings, which are told with their tests. `end`: as for explore_tell.
void tell_part(struct explore *explore, struct message_writer *stream, bool end);

// findings.c
// Counts the bug and returns its number. `test`: the number that a test of this path gets. `*wanted`: whether its path becomes a test; set where the bug is new, or has a shorter
// stack or another caller than before.
uint32_t note_bug(struct explore *explore, const struct bug *bug, uint32_t test, bool *wanted);
// The entry of the list of known reports that names the bug; NULL: none does.
const char *known_entry_of(struct explore *explore, const struct bug *bug);
// The bug with this kind, fault and operation, made when it is not there.
struct found_bug *find_bug(struct explore *explore, enum bug_kind kind, enum bug_fault fault, uint32_t site,
                           uint32_t user_site);
// Counts a call stack of the bug. `*wanted`: as for note_bug. Returns whether a test of it stands for the bug from now on.
bool note_occurrence(struct explore *explore, struct found_bug *bug, const struct occurrence *at,
                     bool *wanted);
// Adds hashes of a message to the bug's.
void add_bug_hashes(struct explore *explore, struct found_bug *bug, const struct known_bug *known);
void note_target(struct explore *explore, const struct found_bug *bug);
// Keeps the finding and tells it; its fingerprint gets different from those of the others.
void put_finding(struct explore *explore, struct finding *finding);
// Describes the bug if `test`, which is about to be told, stands for it.
void tell_finding(struct explore *explore, uint32_t number, const struct state *state, const struct bug *bug,
                  const struct test_case *test);
// Those of an earlier run.
void restore_bug(struct explore *explore, const struct known_bug *known, uint32_t site);
void restore_finding(struct explore *explore, const struct finding *finding);
void free_bugs(struct explore *explore);

// hang.c
// Notes what a state did without ending or forking. True: it hangs, and the machine's bug says so.
bool hang_found(struct explore *explore, struct state *state, uint64_t instructions, uint32_t fresh);
// How long the state is to run at most.
uint64_t hang_budget(struct explore *explore, const struct state *state, uint64_t budget);
void hang_forget(struct explore *explore, const struct state *state);
void hang_close(struct explore *explore);

// pending.c
// Checks a pending state, and counts what came of it.
enum vm_revival check_pending(struct explore *explore, struct state *state);
// Checks a pending state: it is feasible now (true), or it has been dropped or is one of those that are hard.
bool revive(struct explore *explore, struct state *state);

// hard.c
bool is_hard(const struct state *state);
void hard_add(struct explore *explore, struct state *state);
// The next one to be checked; NULL: there is none, or it is not its turn.
struct state *hard_next(struct explore *explore);
void hard_check(struct explore *explore, struct state *state);
void hard_remove(struct explore *explore, const struct state *state);
void hard_free(struct explore *explore);

// room.c
void measure_room(struct explore *explore); // before the first state
uint32_t most_gates(uint64_t limit);        // that a query may have with this limit of memory, 0: any number
uint64_t memory_limit(const struct explore *explore); // 0: none
// Frees states while there is too little memory, infeasible ones first.
void relieve_memory(struct explore *explore);

// A state that stands at the mark of a target: makes a test of it if no other state was there before.
bool target_reached(struct explore *explore, struct state *state, uint32_t mark);

// backward.c: only where explore->backward is not NULL, but for the first two.
void backward_open(struct explore *explore);
void backward_close(struct explore *explore);
void backward_start(struct explore *explore); // the targets that no way leads to have been settled
// The sink was told of a mark, or of a fork. False: that concerns others.
bool backward_marked(struct explore *explore, struct state *state, uint32_t mark);
bool backward_forked(struct explore *explore, struct state *child);
// A state has run; `spent` gets the instructions of those that it made try out something. True: it is of no further use.
bool backward_ran(struct explore *explore, struct state *state, uint64_t *spent);

// seeds.c
// The first states, one for each environment; those that seeds fit follow them.
void start_states(struct explore *explore);
// A state that follows seeds, NULL: there is none, or other states have their turn.
struct state *next_seeded(struct explore *explore);
bool has_seeded(struct explore *explore);
// The state, which follows seeds, has run for this long.
void note_seed_time(struct explore *explore, const struct state *state, uint32_t seed, double seconds);
// A state that follows this assignment, which becomes the exploration's, from the program's start.
void add_guess(struct explore *explore, const struct path_condition *seed, uint32_t environment);
void forget_seeded(struct explore *explore, const struct state *state);
void free_seeds(struct explore *explore);

// outcome.c
// Items of the list that no test covers: moves them to its front, and returns how many.
uint32_t unclaimed_items(const struct explore *explore, uint32_t *items, uint32_t count);
// Gives the test its number, that of the test which was written for its path before or the next one, marks what it covers, and tells it.
void put_test(struct explore *explore, struct test_case *test);
// The number that put_test would give.
uint32_t next_test_number(const struct explore *explore, const struct test_case *test);

// checkpoint.c
// The states that are alive, without speculative ones, in the order of making. Lives in the arena.
struct state **live_states(const struct explore *explore, struct arena *arena, uint32_t *count);

// exchange.c
// Writes up to `most` states as explore_give does.
uint32_t give_states(struct explore *explore, uint32_t most, struct message_writer *stream);
// Adds states of entries that frontier_problem accepts. The arena they live in becomes the exploration's.
void take_entries(struct explore *explore, struct frontier_entry *entries, uint32_t count,
                  struct arena *arena);

// resume.c: states that came as decisions, from a checkpoint or from another exploration, and are still being rebuilt.
struct resume;
void resume_open(struct explore *explore);
void resume_restore(struct explore *explore); // counts and findings of the checkpoint
void resume_start(struct explore *explore);   // its states, in place of start_states
void resume_free(struct explore *explore);
uint32_t intern_site(struct explore *explore, const uint32_t *site, uint32_t count);
// States that stand for these entries, which are sorted and fit the program. They live in the arena, which is freed with the last
// of them; NULL: they outlive the exploration.
void resume_add(struct explore *explore, struct frontier_entry *entries, uint32_t count, struct arena *arena);
bool is_guided(const struct explore *explore, const struct state *state);
// Runs a guided state. True: it is one no longer, and the event is to be dealt with.
bool run_guided(struct explore *explore, struct state *state, uint64_t budget, enum vm_event *event);
// The frontier's entries that a guided state stands for; 0: it is not guided.
uint32_t guided_entries(const struct explore *explore, const struct state *state,
                        const struct frontier_entry **entries);
void forget_guided(struct explore *explore, const struct state *state);
// The last `count` entries are given away. Returns whether the state stands for others still.
bool shorten_guided(struct explore *explore, const struct state *state, uint32_t count);

// explore.c
// vm_run and vm_revive. The loop holds the limits of base/run_limits.h off; while the machine has the state, it can be abandoned.
enum vm_event run_state(struct explore *explore, struct state *state, uint64_t budget);
enum vm_revival revive_state(struct explore *explore, struct state *state);
double explore_now(void); // seconds, of a clock that only rises
// Sets the reason when a limit is reached.
bool at_limit(struct explore *explore);
void note_contradiction(struct explore *explore);
void end_targets(struct explore *explore);

#endif
