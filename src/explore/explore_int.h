// Private to the exploration.
//
// The loop (explore.c) picks a state and runs it. The VM reports to the sink (outcome.c), which counts, makes tests and
// adds new states to the search. The search holds every live state except the hard ones: pending states whose condition
// the solver did not decide with a small budget (hard.c). result.counts.states counts all live states, hard ones
// included, but not the speculative ones. Pending states (check_pending.c) are checked when they are picked, or when
// memory runs out. States that follow seeds (seeds.c) run before any other, the newest first.
#ifndef TAMAR_EXPLORE_INT_H
#define TAMAR_EXPLORE_INT_H

#include "base/arena.h"
#include "base/hash.h"
#include "base/vec.h"
#include "cover/cover.h"
#include "explore/explore.h"
#include "search/search.h"

struct watched_path;

struct explore {
    const struct ir_program *program;
    struct explore_options options;
    struct terms *terms;
    struct solver *solver;
    struct vm *vm;
    struct search *search;
    struct reach *reach;     // NULL: no targets
    struct search_step step; // counters of the running state's step
    struct explore_result result;
    vec(struct found_bug) bugs;
    struct map written;             // tests written earlier: hash of the test's path -> number of the test
    struct map bug_sites;           // site in user code, kind and fault -> index of the bug
    struct map bug_hashes;          // hashes of all stacks and callers of bugs
    struct map known_sites;         // keys as in bug_sites -> index in `known`, plus 1
    vec(const char *) known;        // entries of the list of known reports; NULL: not a known bug
    vec(struct watched_path) hangs; // paths that may hang
    struct ledger ledger;
    enum explore_end dropped_by;  // why the first state was dropped; END_COMPLETE: none was
    vec(struct finding) findings; // allocated in `texts`
    struct state *running;        // NULL between steps
    struct explore_tested tested; // source of the test being reported
    struct reported *reported;    // values reported last (tell.c)
    vec(struct state *) seeded;   // states that follow seeds: they run first
    vec(struct path_condition) seeds;
    struct turn {            // time sharing between slow seeds and other states
        vec(double) spent;   // by seed: seconds spent on its path
        vec(double) allowed; // by seed: seconds it may spend before other states run
        double others_until; // time until which states without seeds run
    } turn;
    struct hard { // hard states (hard.c)
        vec(struct state *) states;
        uint32_t first;     // states before this index are gone
        uint64_t work;      // solver cost spent on these states
        struct map guesses; // edge plus 1 -> number of inputs guessed so far to take it
    } hard;
    uint64_t infeasible_nanoseconds;
    struct arena *texts;
    struct occurrence { // hashes of the stack of the occurrence that was counted last
        uint64_t stack, caller;
        uint32_t frames;
    } occurrence;
    uint8_t *covered_by_test; // per edge, function and position (cover/cover.h): a written test covers it
    // Per source location: number of tests of paths forked at a branch in changed code there. NULL without
    // emit_changed.
    uint8_t *shown;
    double started, last_progress;
    double seconds_before, work_before; // elapsed and process time of the run being resumed
    bool merges;           // executes nothing: adds up the reports of other explorations (merge.c)
    uint64_t other_memory; // peak memory of the merged explorations, in bytes
    struct resume *resume;
    bool begun;                // the initial states have been added
    bool ended;                // on_progress has ended this call of explore_run
    struct backward *backward; // NULL: no backward search
    // Bytes; only with a memory limit. `memory_budget`: budget of states and terms. `usable`: current soft
    // limit. `taken`: allocator size at which `usable` is lowered next.
    uint64_t memory_budget, usable, taken;
    bool was_near; // the process was near its memory limit after the last step
    // States made in the running step have numbers from `step_first` on; `step_added`: numbers of those that
    // the search holds.
    uint64_t step_first;
    vec(uint64_t) step_added;
    bool abandoned; // a step was abandoned: its state is inconsistent
};

// outcome.c
extern const struct vm_sink explore_sink; // its context is the exploration
// Adds a new state to the search.
void explore_add_state(struct explore *explore, struct state *state, const struct state *parent);
void explore_drop_state(struct explore *explore, struct state *state);
// Adds a state that will be dropped before its end, or the entries that it represents (resume_is_rebuilding), to
// the ledger.
void explore_note_dropped(struct explore *explore, const struct state *state, enum explore_end why);
// Returns the reason that an entry of the ledger gives for dropped states; END_COMPLETE: the entry is not about
// dropped states.
enum explore_end explore_why_dropped(const char *what);
// Counts the path, makes its test if one is wanted, and drops the state.
void explore_finish_path(struct explore *explore, struct state *state, enum vm_event event);
// Handles a state at the mark of a target: makes a test if it is the first state there.
bool explore_target_reached(struct explore *explore, struct state *state, uint32_t mark);

// tell.c
void tell_open(struct explore *explore);
void tell_close(struct explore *explore);
void tell(struct explore *explore, enum message_kind kind, const void *body);
// Writes all counters and findings, reported before or not.
struct message_writer;
void tell_everything(struct explore *explore, struct message_writer *stream);
// Writes the same without findings, which are reported with their tests. `end`: as for explore_tell.
void tell_part(struct explore *explore, struct message_writer *stream, bool end);

// findings.c
// Counts the bug and returns its number. `test`: number that a test of this path would have. Sets *wanted if
// the path should become a test: the bug is new, or has a shorter stack or another caller than before.
uint32_t findings_note_bug(struct explore *explore, const struct bug *bug, uint32_t test, bool *wanted);
// Returns the entry of the list of known reports that names the bug, or NULL.
const char *findings_known_entry(struct explore *explore, const struct bug *bug);
// Returns the bug with this kind, fault and operation; adds it if absent.
struct found_bug *findings_find(struct explore *explore, enum bug_kind kind, enum bug_fault fault,
                                uint32_t site, uint32_t user_site);
// Counts a call stack of the bug. `*wanted`: as for findings_note_bug. Returns true if a test of this stack is to
// represent the bug from now on.
bool findings_note_occurrence(struct explore *explore, struct found_bug *bug, const struct occurrence *at,
                              bool *wanted);
// Adds the hashes of a message to the bug.
void findings_add_hashes(struct explore *explore, struct found_bug *bug, const struct engine_bug *found);
void findings_note_target(struct explore *explore, const struct found_bug *bug);
// Stores the finding, makes its fingerprint unique, and reports it.
void findings_put(struct explore *explore, struct finding *finding);
// Makes the finding of the bug if `test`, which is about to be reported, represents it.
void findings_report(struct explore *explore, uint32_t number, const struct state *state,
                     const struct bug *bug, const struct test_case *test);
// Restores a bug of an earlier run.
void findings_restore_bug(struct explore *explore, const struct engine_bug *found, uint32_t site);
void findings_restore(struct explore *explore, const struct finding *finding);
void findings_free(struct explore *explore);

// hang.c
// Records a step in which the state neither ended nor forked. Returns true if the path hangs; the VM then
// has the bug.
bool hang_found(struct explore *explore, struct state *state, uint64_t instructions, uint32_t fresh);
// Returns the number of instructions that the state may run before its next check for a hang, at most `budget`.
uint64_t hang_budget(struct explore *explore, const struct state *state, uint64_t budget);
void hang_forget(struct explore *explore, const struct state *state);
void hang_close(struct explore *explore);

// check_pending.c
// Checks a pending state and counts the outcome.
enum vm_revival explore_check_pending(struct explore *explore, struct state *state);
// Checks a pending state. Returns true if it is feasible, or if the run is over and it stays pending.
// Otherwise it was dropped or added to the hard states.
bool explore_revive(struct explore *explore, struct state *state);

// hard.c
bool explore_is_hard(const struct state *state);
void hard_add(struct explore *explore, struct state *state);
// Returns the next hard state to check; NULL if there is none or other states have their turn.
struct state *hard_next(struct explore *explore);
void hard_check(struct explore *explore, struct state *state);
void hard_remove(struct explore *explore, const struct state *state);
void hard_free(struct explore *explore);

// memory_limit.c
void explore_set_memory_budget(struct explore *explore); // called before the first state
uint32_t explore_gate_limit(uint64_t limit); // most gates of a query under this memory limit; 0: no limit
// Evicts states while too much memory is used: infeasible and hard ones first, then others at random.
void explore_evict_states(struct explore *explore);

// backward.c. All but the first two need explore->backward.
void backward_open(struct explore *explore);
void backward_close(struct explore *explore);
void backward_start(struct explore *explore); // after targets without a path in the graph were closed
// Handles a mark or a fork. Returns false if the caller must handle it.
bool backward_marked(struct explore *explore, struct state *state, uint32_t mark);
bool backward_forked(struct explore *explore, struct state *child);
// Called after a state has run. Adds the instructions of the paths tried from it to *spent. Returns true
// if the state can be dropped.
bool backward_ran(struct explore *explore, struct state *state, uint64_t *spent);

// seeds.c
// Adds the initial states, one for each environment. A state whose environment matches seeds follows them.
void seeds_start_states(struct explore *explore);
// Returns a state that follows seeds; NULL if there is none or other states have their turn.
struct state *seeds_next_state(struct explore *explore);
bool seeds_has_states(struct explore *explore);
// Adds this time to the total of the seed that the state follows.
void seeds_note_time(struct explore *explore, const struct state *state, uint32_t seed, double seconds);
// Adds an initial state that follows this assignment, of which the exploration takes ownership.
void seeds_add_guess(struct explore *explore, const struct path_condition *seed, uint32_t environment);
void seeds_forget_state(struct explore *explore, const struct state *state);
void seeds_free(struct explore *explore);

// outcome.c
// Moves the items (cover/cover.h) that no written test covers to the front; returns their number.
uint32_t explore_uncovered_items(const struct explore *explore, uint32_t *items, uint32_t count);
// Numbers the test, marks the code that it covers, and reports it. A test that was written before keeps its number.
void explore_put_test(struct explore *explore, struct test_case *test);
// Returns the number that explore_put_test would give.
uint32_t explore_next_test_number(const struct explore *explore, const struct test_case *test);

// checkpoint.c
// Returns the live states in creation order, without speculative ones. Allocated in the arena.
struct state **checkpoint_live_states(const struct explore *explore, struct arena *arena, uint32_t *count);

// exchange.c
// Gives away states, as explore_give does.
uint32_t exchange_give_states(struct explore *explore, uint32_t most, struct message_writer *stream);
// Adds the states of entries that frontier_problem accepts. Takes ownership of their arena.
void exchange_take_entries(struct explore *explore, struct frontier_entry *entries, uint32_t count,
                           struct arena *arena);

// resume.c: states that were received as decisions, from a checkpoint or another exploration, and are still being
// rebuilt.
struct resume;
void resume_open(struct explore *explore);
void resume_restore(struct explore *explore); // counters and findings of the checkpoint
void resume_start(struct explore *explore);   // adds its states, instead of seeds_start_states
void resume_free(struct explore *explore);
uint32_t resume_intern_site(struct explore *explore, const uint32_t *site, uint32_t count);
// Adds states that represent these entries, which must be sorted and valid for the program. The entries
// live in the arena, which is freed when all are rebuilt or dropped; NULL: they outlive the exploration.
void resume_add(struct explore *explore, struct frontier_entry *entries, uint32_t count, struct arena *arena);
bool resume_is_rebuilding(const struct explore *explore, const struct state *state);
// Runs a state that is being rebuilt. Returns true when it is rebuilt and the caller must handle the
// event.
bool resume_step(struct explore *explore, struct state *state, uint64_t budget, enum vm_event *event);
// Returns the number of frontier entries that a state being rebuilt represents; 0 for other states.
uint32_t resume_entries(const struct explore *explore, const struct state *state,
                        const struct frontier_entry **entries);
// Like resume_entries, but returns 1 for states that are not being rebuilt.
uint32_t resume_represented_states(const struct explore *explore, const struct state *state);
void resume_forget(struct explore *explore, const struct state *state);
// Removes the last `count` entries, which were given away. Returns whether the state still represents
// others.
bool resume_shorten(struct explore *explore, const struct state *state, uint32_t count);

// explore.c
// These two call vm_run and vm_revive. The rest of the loop masks the limits of base/run_limits.h, so that a step can
// be abandoned only inside these calls.
enum vm_event explore_run_state(struct explore *explore, struct state *state, uint64_t budget);
enum vm_revival explore_try_revive(struct explore *explore, struct state *state);
// Returns whether a limit is reached, and records which one.
bool explore_at_limit(struct explore *explore);
void explore_note_contradiction(struct explore *explore);
void explore_end_targets(struct explore *explore);

#endif
