#include "cluster/parcel.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "message/stream.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#define MOST_BYTES        ((uint32_t)1 << 28) // largest symbolic file or argument
#define MOST_STACK        ((uint64_t)1024 << 20)
#define MOST_ENVIRONMENTS 100000u
#define MOST_TARGETS      1000000u

static uint64_t hash_string(const struct ir_program *program, uint32_t string, uint64_t hash) {
    const char *text = program->strings[string];
    return hash_bytes(text, strlen(text), hash);
}

// Tables of texts and checks are in the order in which the modules of the program were linked, which may differ between
// an executable and the bitcode that is sent. So the hash uses the text or check that an index refers to, not the
// index.
static uint64_t hash_code(const struct ir_program *program, const struct ir_function *function,
                          uint64_t hash) {
    for (uint32_t i = 0; i < function->code_count; i++) {
        struct ir_insn insn = function->code[i];
        enum ir_format format = (enum ir_format)ir_op_info[insn.op].format;
        if (format == IR_FORMAT_TEXT) {
            hash = hash_string(program, insn.a, hash);
            insn.a = 0;
        } else if (format == IR_FORMAT_HOLDS || format == IR_FORMAT_BELOW) {
            const struct ir_check *check = &program->checks[insn.b];
            hash = hash_combine(hash_string(program, check->text, hash), check->kind);
            insn.b = 0;
        }
        hash = hash_bytes(&insn, sizeof insn, hash);
    }
    return hash;
}

uint64_t parcel_form(const struct ir_program *program) {
    uint64_t hash = hash_combine(program->function_count, program->edge_count);
    hash = hash_combine(hash_combine(hash, program->block_count), program->position_count);
    hash = hash_combine(hash_combine(hash, program->data_end), program->readonly_end);
    for (uint32_t i = 0; i < program->function_count; i++) {
        const struct ir_function *function = &program->functions[i];
        if (function->name) hash = hash_bytes(function->name, strlen(function->name), hash);
        if (function->code) hash = hash_code(program, function, hash);
    }
    return hash;
}

// ---- writing

static const struct shared_text *put_texts(struct arena *arena, const struct vm_text *from, uint32_t count) {
    struct shared_text *to = ARENA_ARRAY(arena, struct shared_text, count);
    for (uint32_t i = 0; i < count; i++) to[i] = (struct shared_text){from[i].text, from[i].symbolic};
    return to;
}

static const struct shared_file *put_files(struct arena *arena, const struct vm_file *from, uint32_t count) {
    struct shared_file *to = ARENA_ARRAY(arena, struct shared_file, count);
    for (uint32_t i = 0; i < count; i++)
        to[i] = (struct shared_file){.path = from[i].path,
                                     .least = from[i].least,
                                     .most = from[i].most,
                                     .is_given = from[i].content != NULL,
                                     .content = from[i].content,
                                     .content_size = from[i].content ? from[i].most : 0,
                                     .is_part = from[i].around != NULL,
                                     .around = from[i].around,
                                     .around_size = from[i].around ? from[i].most : 0,
                                     .from = from[i].from,
                                     .to = from[i].to,
                                     .endless = from[i].endless};
    return to;
}

static const struct shared_range *put_ranges(struct arena *arena, const struct vm_range *from,
                                             uint32_t count) {
    struct shared_range *to = ARENA_ARRAY(arena, struct shared_range, count);
    for (uint32_t i = 0; i < count; i++) to[i] = (struct shared_range){from[i].least, from[i].most};
    return to;
}

static const struct shared_environment *put_environments(struct arena *arena,
                                                         const struct explore_options *explore) {
    struct shared_environment *to = ARENA_ARRAY(arena, struct shared_environment, explore->environment_count);
    for (uint32_t i = 0; i < explore->environment_count; i++) {
        const struct vm_start_config *from = &explore->environments[i];
        to[i] =
            (struct shared_environment){.arguments = put_texts(arena, from->arguments, from->argument_count),
                                        .argument_count = from->argument_count,
                                        .variables = put_texts(arena, from->variables, from->variable_count),
                                        .variable_count = from->variable_count,
                                        .own_files = from->own_files,
                                        .files = put_files(arena, from->files, from->file_count),
                                        .file_count = from->file_count,
                                        .sockets = put_ranges(arena, from->sockets, from->socket_count),
                                        .socket_count = from->socket_count,
                                        .has_input = from->input != NULL,
                                        .input = from->input,
                                        .input_size = from->input ? from->input_size : 0};
    }
    return to;
}

static uint64_t layers_of(const struct solver_options *solver) {
    uint64_t layers = 0;
#define LAYER(number, name, ...) layers |= (uint64_t)solver->name << LAYER_##number;
    LAYER_TABLE(LAYER)
#undef LAYER
    return layers;
}

static const struct shared_target *put_targets(struct arena *arena, const struct parcel_front *front,
                                               const int *kinds) {
    struct shared_target *to = ARENA_ARRAY(arena, struct shared_target, front->target_count);
    for (uint32_t i = 0; i < front->target_count; i++)
        to[i] = (struct shared_target){front->targets[i].file, front->targets[i].line, kinds ? kinds[i] : -1};
    return to;
}

static void put_aims(struct shared_run *run, const struct explore_options *explore,
                     const struct parcel_front *front, const struct ir_program *program,
                     struct arena *arena) {
    run->targets_only = explore->targets_only;
    run->targets = put_targets(arena, front, explore->target_kinds);
    run->target_count = front->target_count;
    run->changed = explore->machine.changed;
    run->changed_size = explore->machine.changed ? program->location_count : 0;
    run->known_name = front->known_name;
    run->known = front->known;
}

static void put_host(struct shared_run *run, const struct explore_options *explore, struct arena *arena) {
    const struct vm_host *host = &explore->machine.host;
    run->unmodelled = host->unmodelled;
    run->unset = explore->machine.unset;
    run->stack_size = explore->machine.stack_size;
    run->start_time = (uint64_t)host->start_time;
    run->directory = host->directory;
    run->input = (struct shared_range){host->input.least, host->input.most};
    run->sockets = put_ranges(arena, host->sockets, host->socket_count);
    run->socket_count = host->socket_count;
    run->failures = host->failures;
    run->short_reads = host->short_reads;
    run->symbolic_random = host->symbolic_random;
    run->has_peers = host->peers != NULL;
    run->peers = host->peers ? (const uint8_t *)host->peers->at : NULL;
    run->peers_size = host->peers ? (uint32_t)host->peers->count : 0;
    run->user = getuid();
    run->group = getgid();
    run->files = put_files(arena, explore->machine.files, explore->machine.file_count);
    run->file_count = explore->machine.file_count;
    run->environments = put_environments(arena, explore);
    run->environment_count = explore->environment_count;
}

bool parcel_write(struct text *to, const struct explore_options *explore, const struct parcel_front *front,
                  const struct ir_program *program, const char *name) {
    const char *input_file = explore->machine.host.input_file;
    struct text input = {0};
    if (input_file && !file_read(input_file, &input)) {
        user_error_at(input_file, NULL, "%s", strerror(errno));
        return false;
    }
    struct arena *arena = arena_new();
    struct shared_run run = {.form = parcel_form(program),
                             .name = name,
                             .no_libc = front->no_libc,
                             .allow_undefined = front->allow_undefined,
                             .checks = front->checks,
                             .search = explore->search,
                             .random_seed = explore->random_seed,
                             .pending = explore->pending,
                             .relax_checks = explore->relax_checks,
                             .step = explore->step,
                             .emit = explore->emit,
                             .max_depth = explore->max_depth,
                             .goes_on_after_bugs = explore->goes_on_after_bugs,
                             .seed_time = explore->seed_time,
                             .seeds_by_environment = explore->seeds_by_environment,
                             .layers = layers_of(&explore->solver),
                             .independence = explore->solver.independence,
                             .check_solver = explore->solver.check,
                             .solver_timeout = explore->solver.timeout,
                             .has_input_file = input_file != NULL,
                             .input_file = (const uint8_t *)input.at,
                             .input_file_size = (uint32_t)input.count};
    put_host(&run, explore, arena);
    put_aims(&run, explore, front, program, arena);
    struct message_writer *writer = message_writer_new(to);
    message_write(writer, MESSAGE_RUN, &run);
    for (uint32_t i = 0; i < explore->seed_count; i++)
        message_write(writer, MESSAGE_TEST, &explore->seeds[i]);
    message_writer_end(writer);
    arena_free(arena);
    text_free(&input);
    return true;
}

// ---- reading

static const char too_large[] = "a size in it exceeds the limit of every run";

static const struct vm_text *get_texts(struct arena *arena, const struct shared_text *from, uint32_t count,
                                       bool named, const char **wrong) {
    struct vm_text *to = ARENA_ARRAY(arena, struct vm_text, count);
    for (uint32_t i = 0; i < count; i++) {
        if (from[i].symbolic > MOST_BYTES) *wrong = too_large;
        if (!from[i].text && (named || !from[i].symbolic)) *wrong = "an argument or a variable has no text";
        to[i] = (struct vm_text){from[i].text, from[i].symbolic};
    }
    return to;
}

static const struct vm_file *get_files(struct arena *arena, const struct shared_file *from, uint32_t count,
                                       const char **wrong) {
    struct vm_file *to = ARENA_ARRAY(arena, struct vm_file, count);
    for (uint32_t i = 0; i < count; i++) {
        if (from[i].most > MOST_BYTES) *wrong = too_large;
        if (from[i].least > from[i].most || (from[i].is_given && from[i].content_size != from[i].most))
            *wrong = "the size of a file is not valid";
        if (from[i].is_part &&
            (from[i].around_size != from[i].most || from[i].from > from[i].to || from[i].to > from[i].most))
            *wrong = "a part of a file lies outside of it";
        to[i] = (struct vm_file){.path = from[i].path,
                                 .least = from[i].least,
                                 .most = from[i].most,
                                 .from = from[i].from,
                                 .to = from[i].to,
                                 .endless = from[i].endless};
        if (from[i].is_given) to[i].content = from[i].content;
        if (from[i].is_part) to[i].around = from[i].around;
    }
    return to;
}

static const struct vm_range *get_ranges(struct arena *arena, const struct shared_range *from, uint32_t count,
                                         const char **wrong) {
    struct vm_range *to = ARENA_ARRAY(arena, struct vm_range, count);
    for (uint32_t i = 0; i < count; i++) {
        if (from[i].most > MOST_BYTES) *wrong = too_large;
        if (from[i].least > from[i].most) *wrong = "the size of a connection is not valid";
        to[i] = (struct vm_range){from[i].least, from[i].most};
    }
    return to;
}

static void get_environments(struct parcel *parcel, const struct shared_run *run, const char **wrong) {
    struct arena *arena = parcel->arena;
    struct vm_start_config *to = ARENA_ARRAY(arena, struct vm_start_config, run->environment_count);
    for (uint32_t i = 0; i < run->environment_count; i++) {
        const struct shared_environment *from = &run->environments[i];
        to[i] = (struct vm_start_config){
            .arguments = get_texts(arena, from->arguments, from->argument_count, false, wrong),
            .argument_count = from->argument_count,
            .variables = get_texts(arena, from->variables, from->variable_count, true, wrong),
            .variable_count = from->variable_count,
            .own_files = from->own_files,
            .files = get_files(arena, from->files, from->file_count, wrong),
            .file_count = from->file_count,
            .sockets = get_ranges(arena, from->sockets, from->socket_count, wrong),
            .socket_count = from->socket_count,
            .input = from->has_input ? from->input : NULL,
            .input_size = from->input_size};
    }
    parcel->explore.environments = to;
    parcel->explore.environment_count = run->environment_count;
}

static void get_solver(struct solver_options *solver, const struct shared_run *run) {
    *solver = solver_defaults;
#define LAYER(number, name, ...) solver->name = run->layers >> LAYER_##number & 1;
    LAYER_TABLE(LAYER)
#undef LAYER
    solver->independence = run->independence;
    solver->check = run->check_solver;
    solver->timeout = run->solver_timeout;
}

static void get_host(struct parcel *parcel, const struct shared_run *run, const char **wrong) {
    struct vm_options *machine = &parcel->explore.machine;
    struct vm_host *host = &machine->host;
    text_add_bytes(&parcel->peers, run->peers, run->peers_size);
    const struct vm_range *input = get_ranges(parcel->arena, &run->input, 1, wrong);
    *host = (struct vm_host){.unmodelled = (enum unmodelled)run->unmodelled,
                             .start_time = (int64_t)run->start_time,
                             .directory = run->directory,
                             .input = *input,
                             .sockets = get_ranges(parcel->arena, run->sockets, run->socket_count, wrong),
                             .socket_count = run->socket_count,
                             .failures = run->failures,
                             .short_reads = run->short_reads,
                             .symbolic_random = run->symbolic_random,
                             .peers = run->has_peers ? &parcel->peers : NULL};
    machine->files = get_files(parcel->arena, run->files, run->file_count, wrong);
    machine->file_count = run->file_count;
    machine->stack_size = run->stack_size;
    machine->checks = run->checks;
    machine->unset = (enum unset)run->unset;
}

static void get_aims(struct parcel *parcel, const struct shared_run *run, const char **wrong) {
    struct parcel_target *targets = ARENA_ARRAY(parcel->arena, struct parcel_target, run->target_count);
    int *kinds = ARENA_ARRAY(parcel->arena, int, run->target_count);
    for (uint32_t i = 0; i < run->target_count; i++) {
        const struct shared_target *from = &run->targets[i];
        if (!from->file || from->kind < -1 || from->kind >= (int)BUG_COUNT) *wrong = "a target is not a line";
        targets[i] = (struct parcel_target){from->file, from->line};
        kinds[i] = from->kind;
    }
    if (!run->known_name != !run->known) *wrong = "a list of known reports has no name or no content";
    parcel->front.targets = targets;
    parcel->front.target_count = run->target_count;
    parcel->front.known_name = run->known_name;
    parcel->front.known = run->known;
    parcel->explore.targets_only = run->targets_only;
    parcel->explore.target_kinds = kinds;
    parcel->explore.machine.changed = run->changed_size ? run->changed : NULL;
    parcel->explore.emit_changed = run->changed_size > 0;
    parcel->changed_size = run->changed_size;
}

static const char *limits_problem(const struct shared_run *run) {
    if (!run->search || !run->directory || run->directory[0] != '/' || !run->name)
        return "it has no strategy, no name or no directory";
    if (!explore_check_search(run->search)) return "its strategy is not known";
    if (run->emit > EMIT_ERRORS || run->unmodelled > UNMODELLED_NATIVE || run->unset > UNSET_SYMBOLIC)
        return "an option has an unknown value";
    if (run->stack_size < 1u << 20 || run->stack_size > MOST_STACK || run->failures > 1000 ||
        run->short_reads > 1000 || run->symbolic_random > 1048576 || !run->environment_count ||
        run->environment_count > MOST_ENVIRONMENTS || run->target_count > MOST_TARGETS ||
        !(run->seed_time >= 0) || !(run->solver_timeout >= 0))
        return too_large;
    return NULL;
}

static const char *take_run(struct parcel *parcel, const struct shared_run *run) {
    const char *wrong = limits_problem(run);
    if (wrong) return wrong;
    parcel->front = (struct parcel_front){
        .no_libc = run->no_libc, .allow_undefined = run->allow_undefined, .checks = run->checks};
    parcel->form = run->form;
    parcel->name = run->name;
    parcel->explore = (struct explore_options){.search = run->search,
                                               .random_seed = run->random_seed,
                                               .pending = run->pending,
                                               .relax_checks = run->relax_checks,
                                               .step = run->step,
                                               .emit = (enum emit)run->emit,
                                               .may_abandon = true,
                                               .max_depth = run->max_depth,
                                               .goes_on_after_bugs = run->goes_on_after_bugs,
                                               .seed_time = run->seed_time,
                                               .seeds_by_environment = run->seeds_by_environment,
                                               .findings = true};
    get_solver(&parcel->explore.solver, run);
    get_host(parcel, run, &wrong);
    get_environments(parcel, run, &wrong);
    get_aims(parcel, run, &wrong);
    parcel->input_file = run->has_input_file ? run->input_file : NULL;
    parcel->input_file_size = run->input_file_size;
    parcel->user = run->user;
    parcel->group = run->group;
    return wrong;
}

static const char *seed_problem(const struct parcel *parcel, const struct test_case *seed) {
    for (uint32_t i = 0; i < seed->input_count; i++)
        if (!seed->inputs[i].name) return "an input of a seed has no name";
    if (parcel->explore.seeds_by_environment && seed->environment >= parcel->explore.environment_count)
        return "a seed has a command line that the run does not have";
    return NULL;
}

bool parcel_read(struct parcel *parcel, const void *bytes, size_t size, struct text *problem) {
    *parcel = (struct parcel){.arena = arena_new()};
    struct message_reader *reader = message_reader_new(parcel->arena, bytes, size);
    struct message message;
    enum message_status status;
    const char *wrong = NULL;
    bool run = false;
    vec(struct test_case) seeds = {0};
    while (!wrong && (status = message_read(reader, &message)) == MESSAGE_READ) {
        if (message.kind == MESSAGE_RUN && !run) {
            wrong = take_run(parcel, message.shared_run);
            run = true;
        } else if (message.kind == MESSAGE_TEST && run) {
            wrong = seed_problem(parcel, message.test_case);
            vec_push(&seeds, *message.test_case);
        } else {
            wrong = "it has other messages than those of a run";
        }
    }
    if (!wrong && status == MESSAGE_REFUSED) wrong = message_problem(reader);
    if (!wrong && !run) wrong = "the description of the run is missing";
    if (wrong) text_add(problem, "%s", wrong);
    parcel->explore.seeds = arena_memdup(parcel->arena, seeds.at, seeds.count * sizeof *seeds.at);
    parcel->explore.seed_count = seeds.count;
    vec_free(&seeds);
    message_reader_free(reader);
    return !wrong;
}

void parcel_free(struct parcel *parcel) {
    text_free(&parcel->peers);
    arena_free(parcel->arena);
    *parcel = (struct parcel){0};
}
