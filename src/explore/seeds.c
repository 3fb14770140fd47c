// Seeds: inputs that the initial states follow. Each becomes an assignment to the input bytes. Bytes that
// a seed lacks are 0; bytes beyond the symbolic input are dropped.
#include "explore/explore_int.h"

#include "base/clock.h"
#include "base/log.h"

#include <string.h>

struct fitting {
    uint32_t cut, extended; // seeds that are longer, or shorter, than the input
    uint32_t longest;       // bytes of the longest input that was cut
    bool this_cut, this_extended;
};

static void set_bytes(struct explore *explore, struct path_condition *seed, struct input_id id,
                      const uint8_t *bytes, uint32_t size) {
    uint32_t input = inputs_get(vm_inputs(explore->vm), id, size);
    for (uint32_t i = 0; i < size; i++)
        path_set_default(seed, terms_input_var(explore->terms, input, i), bytes[i]);
}

static void note_size(struct fitting *fitting, uint32_t size, uint32_t least, uint32_t most) {
    fitting->this_cut |= size > most;
    if (size > most) fitting->longest = MAX(fitting->longest, size);
    fitting->this_extended |= size < least;
}

static void set_length(struct explore *explore, struct path_condition *seed, struct input_id of,
                       uint32_t length) {
    uint8_t bytes[4] = {(uint8_t)length, (uint8_t)(length >> 8), (uint8_t)(length >> 16),
                        (uint8_t)(length >> 24)};
    set_bytes(explore, seed, input_length(of), bytes, sizeof bytes);
}

static void set_harness(struct explore *explore, struct path_condition *seed, const struct test_input *input,
                        struct fitting *fitting) {
    struct vm_range range = explore->options.machine.host.input;
    struct input_id id = input_object(input_roles[ROLE_HARNESS].name, 0);
    uint32_t size = MIN(input->size, range.most);
    note_size(fitting, input->size, range.least, range.most);
    set_bytes(explore, seed, id, input->bytes, size);
    set_length(explore, seed, id, MAX(size, range.least));
}

static void set_file(struct explore *explore, struct path_condition *seed, const struct test_input *input,
                     const struct vm_start_config *own, struct fitting *fitting) {
    const struct vm_options *machine = &explore->options.machine;
    bool is_stdin = input->kind == INPUT_STDIN;
    for (uint32_t i = 0; i < (own ? own->file_count : machine->file_count); i++) {
        const struct vm_file *file = own ? &own->files[i] : &machine->files[i];
        if (is_stdin != !file->path || (file->path && strcmp(file->path, input->name) != 0)) continue;
        uint32_t size = MIN(input->size, file->most);
        struct input_id id = input_file(file->path);
        note_size(fitting, input->size, file->least, file->most);
        set_bytes(explore, seed, id, input->bytes, size);
        set_length(explore, seed, id, MAX(size, file->least));
    }
}

// Finds the bytes of argument `index`, which is preceded by `order` symbolic arguments. If the seed's command line has
// the same length, arguments correspond by index, otherwise by the order of the symbolic ones.
static bool argument_of(const struct test_case *seed, const struct vm_start_config *environment,
                        uint32_t index, uint32_t order, const uint8_t **bytes, uint32_t *size) {
    if (seed->argument_count == environment->argument_count) {
        *bytes = (const uint8_t *)seed->arguments[index];
        *size = (uint32_t)strlen(seed->arguments[index]);
        return true;
    }
    for (uint32_t i = 0; i < seed->input_count; i++) {
        if (seed->inputs[i].kind != INPUT_ARGUMENT || order--) continue;
        *bytes = seed->inputs[i].bytes;
        *size = seed->inputs[i].size;
        return true;
    }
    return false;
}

static uint32_t count_arguments(const struct test_case *seed) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < seed->input_count; i++) count += seed->inputs[i].kind == INPUT_ARGUMENT;
    return count;
}

static uint32_t count_symbolic(const struct vm_start_config *environment) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < environment->argument_count; i++)
        count += environment->arguments[i].symbolic > 0;
    return count;
}

// Whether the seed matches the command line. A seed without arguments matches all.
static bool fits(const struct explore *explore, const struct test_case *seed, uint32_t number) {
    const struct vm_start_config *environment = &explore->options.environments[number];
    if (explore->options.seeds_by_environment) return seed->environment == number;
    return !seed->argument_count || seed->argument_count == environment->argument_count ||
           count_arguments(seed) == count_symbolic(environment);
}

static void set_arguments(struct explore *explore, struct path_condition *assignment,
                          const struct test_case *seed, const struct vm_start_config *environment,
                          struct fitting *fitting) {
    uint32_t order = 0;
    for (uint32_t i = 0; i < environment->argument_count; i++) {
        uint32_t most = environment->arguments[i].symbolic, size;
        const uint8_t *bytes;
        if (!most || !argument_of(seed, environment, i, order++, &bytes, &size)) continue;
        note_size(fitting, size, 0, most); // no least size: a NUL ends a shorter argument
        set_bytes(explore, assignment, input_numbered(INPUT_ARGUMENT, i), bytes, MIN(size, most));
    }
}

static void set_variable(struct explore *explore, struct path_condition *assignment,
                         const struct test_input *input, struct fitting *fitting) {
    const struct vm_start_config *environment = explore->options.environments;
    for (uint32_t i = 0; i < environment->variable_count; i++) {
        const struct vm_text *variable = &environment->variables[i];
        if (!variable->symbolic || strcmp(variable->text, input->name) != 0) continue;
        note_size(fitting, input->size, 0, variable->symbolic);
        set_bytes(explore, assignment, input_variable(input->name), input->bytes,
                  MIN(input->size, variable->symbolic));
    }
}

// Assigns the seed's bytes to inputs. Objects are assigned without a check of their size: the program makes them
// symbolic as it runs, and their sizes are known only then.
static void set_inputs(struct explore *explore, struct path_condition *assignment,
                       const struct test_case *seed, struct fitting *fitting) {
    const struct explore_options *options = &explore->options;
    const struct vm_start_config *own =
        options->seeds_by_environment ? &options->environments[seed->environment] : NULL;
    if (own && !own->own_files) own = NULL;
    bool has_harness = ir_is_harness(explore->program);
    for (uint32_t i = 0; i < seed->input_count; i++) {
        const struct test_input *input = &seed->inputs[i];
        if (has_harness && input_role(input->kind, input->name) == ROLE_HARNESS)
            set_harness(explore, assignment, input, fitting);
        else if (input->kind == INPUT_OBJECT)
            set_bytes(explore, assignment, input_object(input->name, 0), input->bytes, input->size);
        else if (input_kinds[input->kind].has_length)
            set_file(explore, assignment, input, own, fitting);
        else if (input->kind == INPUT_ENVIRONMENT)
            set_variable(explore, assignment, input, fitting);
    }
}

static void make_seeds(struct explore *explore) {
    const struct explore_options *options = &explore->options;
    struct fitting fitting = {0};
    for (uint32_t i = 0; i < options->seed_count; i++) {
        const struct test_case *seed = &options->seeds[i];
        struct path_condition assignment = {0};
        fitting.this_cut = fitting.this_extended = false;
        set_inputs(explore, &assignment, seed, &fitting);
        for (uint32_t e = 0; e < options->environment_count; e++)
            if (seed->argument_count && fits(explore, seed, e))
                set_arguments(explore, &assignment, seed, &options->environments[e], &fitting);
        vec_push(&explore->seeds, assignment);
        fitting.cut += fitting.this_cut;
        fitting.extended += fitting.this_extended;
    }
    if (fitting.cut)
        log_line("%u of %u seeds are longer than the symbolic input: cut (the longest has %u bytes)",
                 fitting.cut, options->seed_count, fitting.longest);
    if (fitting.extended)
        log_line("%u of %u seeds are shorter than the symbolic input: extended with zeros", fitting.extended,
                 options->seed_count);
    vm_set_seeds(explore->vm, explore->seeds.at, explore->seeds.count);
}

void seeds_start_states(struct explore *explore) {
    const struct explore_options *options = &explore->options;
    make_seeds(explore);
    vec(uint32_t) fitting = {0};
    uint8_t *used = NEW_ARRAY(uint8_t, options->seed_count + 1);
    for (uint32_t i = 0; i < options->environment_count; i++) {
        struct state *state = vm_start(explore->vm, &options->environments[i]);
        state->start.environment = i;
        vec_clear(&fitting);
        for (uint32_t k = 0; k < options->seed_count; k++)
            if (fits(explore, &options->seeds[k], i)) vec_push(&fitting, k);
        vec_each (uint32_t, seed, &fitting) used[*seed] = 1;
        if (fitting.count) vm_seed(explore->vm, state, fitting.at, fitting.count);
        explore_add_state(explore, state, NULL);
        if (explore->reach) reach_add_initial(explore->reach, state);
    }
    for (uint32_t i = 0; i < explore->seeded.count / 2; i++) { // reverses the list: the last one runs first
        struct state **other = &explore->seeded.at[explore->seeded.count - 1 - i], *one = *other;
        *other = explore->seeded.at[i];
        explore->seeded.at[i] = one;
    }
    uint32_t unused = 0;
    for (uint32_t k = 0; k < options->seed_count; k++) unused += !used[k];
    if (unused)
        log_line("%u of %u seeds match none of the explored command lines: skipped", unused,
                 options->seed_count);
    DELETE_ARRAY(used, options->seed_count + 1);
    vec_free(&fitting);
}

// Adds an initial state, during the run, that follows the newest seed.
static void add_late_seed(struct explore *explore, uint32_t environment) {
    uint32_t number = explore->seeds.count - 1;
    struct state *state = vm_start(explore->vm, &explore->options.environments[environment]);
    state->start.environment = environment;
    state->start.is_late_seed = true;
    vm_set_seeds(explore->vm, explore->seeds.at, explore->seeds.count);
    vm_seed(explore->vm, state, &number, 1);
    explore_add_state(explore, state, NULL);
}

void seeds_add_guess(struct explore *explore, const struct path_condition *seed, uint32_t environment) {
    vec_push(&explore->seeds, *seed);
    add_late_seed(explore, environment);
}

void explore_add_seed(struct explore *explore, const struct test_case *seed) {
    struct path_condition assignment = {0};
    struct fitting fitting = {0};
    set_inputs(explore, &assignment, seed, &fitting);
    // Arguments belong to one command line: the one that the seed names, if any.
    const struct vm_start_config *environment = &explore->options.environments[seed->environment];
    bool named = seed->argument_count && seed->argument_count == environment->argument_count;
    if (named) set_arguments(explore, &assignment, seed, environment, &fitting);
    vec_push(&explore->seeds, assignment);
    for (uint32_t i = 0; i < explore->options.environment_count; i++)
        if (named ? i == seed->environment : fits(explore, seed, i)) add_late_seed(explore, i);
}

// Whether some state follows a seed. A state leaves the list when all its seeds have taken other paths.
bool seeds_has_states(struct explore *explore) {
    while (explore->seeded.count && !(*vec_last(&explore->seeded))->seed.list)
        (void)vec_pop(&explore->seeded);
    return explore->seeded.count;
}

bool explore_follows_seed(struct explore *explore) { return seeds_has_states(explore); }

struct state *seeds_next_state(struct explore *explore) {
    struct turn *turn = &explore->turn;
    if (!seeds_has_states(explore)) return NULL;
    bool others = search_count(explore->search) > explore->seeded.count;
    if (turn->others_until > 0 && others && clock_seconds() < turn->others_until) return NULL;
    turn->others_until = 0;
    return *vec_last(&explore->seeded);
}

// Moves the state to the end of the queue and triples the total time that its seed may spend before other states run.
static void end_turn(struct explore *explore, const struct state *state, uint32_t seed) {
    struct turn *turn = &explore->turn;
    double now = turn->allowed.at[seed];
    turn->allowed.at[seed] += 2 * now;
    turn->others_until = clock_seconds() + explore->options.seed_time;
    uint32_t at = explore->seeded.count;
    while (at && explore->seeded.at[at - 1] != state) at--;
    if (!at) return; // its seeds have taken other paths
    struct state *held = explore->seeded.at[at - 1];
    for (uint32_t i = at - 1; i > 0; i--) explore->seeded.at[i] = explore->seeded.at[i - 1];
    explore->seeded.at[0] = held;
}

void seeds_note_time(struct explore *explore, const struct state *state, uint32_t seed, double seconds) {
    struct turn *turn = &explore->turn;
    if (explore->options.seed_time <= 0) return;
    while (turn->spent.count <= seed) {
        vec_push(&turn->spent, 0);
        vec_push(&turn->allowed, explore->options.seed_time);
    }
    assert(seed < turn->allowed.count && seconds >= 0);
    turn->spent.at[seed] += seconds;
    if (turn->spent.at[seed] > turn->allowed.at[seed]) end_turn(explore, state, seed);
}

void seeds_forget_state(struct explore *explore, const struct state *state) {
    for (uint32_t i = explore->seeded.count; i--;) {
        if (explore->seeded.at[i] != state) continue;
        for (uint32_t k = i + 1; k < explore->seeded.count; k++)
            explore->seeded.at[k - 1] = explore->seeded.at[k];
        explore->seeded.count--;
    }
}

void seeds_free(struct explore *explore) {
    vec_each (struct path_condition, seed, &explore->seeds) path_free(seed);
    vec_free(&explore->seeds);
    vec_free(&explore->seeded);
    vec_free(&explore->turn.spent);
    vec_free(&explore->turn.allowed);
}
