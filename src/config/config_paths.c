#include "base/error.h"
#include "base/file.h"
#include "cluster/processes.h"
#include "config/config_study.h"
#include "config/space_merge.h"
#include "explore/follow.h"
#include "output/results.h"
#include "run/peers.h"
#include "transform/variables.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define MOST_FOUND 16 // most values of an integer option that are distinguished

// ---- combinations of options that are not symbolic

static bool is_tried(const struct spec_option *option) { return option->kind != SPEC_VARIABLE; }

// Returns the index of an option's setting in a combination: 0 <= combination < config->combinations.
static uint32_t config_digit(const struct config *config, uint32_t combination, uint32_t option) {
    for (uint32_t i = 0; i < config->spec.options.count; i++) {
        const struct spec_option *one = &config->spec.options.at[i];
        if (!is_tried(one)) continue;
        if (i == option) return combination % one->settings.count;
        combination /= one->settings.count;
    }
    return 0;
}

uint32_t config_combination(const struct config *config, const uint32_t *settings) {
    uint32_t combination = 0, factor = 1;
    for (uint32_t i = 0; i < config->spec.options.count; i++) {
        const struct spec_option *one = &config->spec.options.at[i];
        if (!is_tried(one)) continue;
        combination += factor * (settings[i] - config->space.options.first[i]);
        factor *= one->settings.count;
    }
    return combination;
}

static bool count_combinations(struct config *config) {
    uint64_t count = 1;
    vec_each (struct spec_option, option, &config->spec.options)
        if (is_tried(option) && count <= config->options->max_combinations) count *= option->settings.count;
    config->combinations = (uint32_t)count;
    if (count <= config->options->max_combinations) return true;
    user_error_at(config->spec.path,
                  "Leave some out, name the variables that they set (`variable NAME bool`), which need no "
                  "combinations, or raise --max-combinations.",
                  "the flags, choices and keys have more than %llu combinations",
                  (unsigned long long)config->options->max_combinations);
    return false;
}

// ---- configuration files

static bool is_name_end(char c) { return c == ' ' || c == '\t' || c == '=' || c == ':' || c == 0; }

// Appends the line with the value of key `name` replaced. Returns false if the line is about another key.
static bool replace_value(struct text *to, const char *line, size_t length, const char *name,
                          const char *value) {
    size_t at = 0, size = strlen(name);
    while (at < length && (line[at] == ' ' || line[at] == '\t')) at++;
    if (length - at < size || memcmp(line + at, name, size) != 0) return false;
    at += size;
    if (at < length && !is_name_end(line[at])) return false;
    while (at < length && is_name_end(line[at])) at++;
    text_add_bytes(to, line, at);
    text_add(to, "%s\n", value);
    return true;
}

static void set_key(struct text *content, const char *name, const char *value) {
    struct text changed = {0};
    bool found = false;
    for (const char *at = content->at; at && *at;) {
        size_t length = strcspn(at, "\n");
        if (!found && replace_value(&changed, at, length, name, value))
            found = true;
        else
            text_add(&changed, "%.*s\n", (int)length, at);
        at += length + (at[length] != 0);
    }
    if (!found) text_add(&changed, "%s=%s\n", name, value);
    text_free(content);
    *content = changed;
}

// Writes the configuration file of this combination below OUT/settings. Returns false if an error has been reported.
static bool write_key_file(struct config *config, const char *file, uint32_t combination) {
    struct text content = {0}, name = {0};
    bool good = file_read(file, &content);
    if (!good)
        user_error_at(config->spec.path, "A key's file must be there: its keys are replaced.", "%s: %s", file,
                      strerror(errno));
    for (uint32_t i = 0; good && i < config->spec.options.count; i++) {
        const struct spec_option *option = &config->spec.options.at[i];
        if (option->kind == SPEC_KEY && !strcmp(option->file, file))
            set_key(&content, option->name, option->settings.at[config_digit(config, combination, i)].text);
    }
    const char *slash = strrchr(file, '/');
    text_add(&name, "settings/%u-%s", combination, slash ? slash + 1 : file);
    good = good && results_write(config->results, name.at, content.at ? content.at : "", content.count);
    text_free(&content);
    text_free(&name);
    return good;
}

static const struct spec_option *first_with_file(const struct config *config, const char *file) {
    vec_each (struct spec_option, option, &config->spec.options)
        if (option->kind == SPEC_KEY && !strcmp(option->file, file)) return option;
    return NULL;
}

static bool write_key_files(struct config *config) {
    if (!results_make_folder(config->results, "settings")) return false;
    vec_each (struct spec_option, option, &config->spec.options) {
        if (option->kind != SPEC_KEY || first_with_file(config, option->file) != option) continue;
        for (uint32_t k = 0; k < config->combinations; k++)
            if (!write_key_file(config, option->file, k)) return false;
    }
    return true;
}

// Returns a word of a test. The file of this combination replaces the name of a configuration file.
static const char *test_word(struct config *config, const char *word, uint32_t combination) {
    vec_each (struct spec_option, option, &config->spec.options) {
        const char *at = option->kind == SPEC_KEY ? strstr(word, option->file) : NULL;
        if (!at) continue;
        const char *slash = strrchr(option->file, '/');
        struct text path =
            results_path(config->results, "settings/%u-%s", combination, slash ? slash + 1 : option->file);
        struct text whole = {0};
        char *absolute = realpath(path.at, NULL);
        text_add(&whole, "%.*s%s%s", (int)(at - word), word, absolute ? absolute : path.at,
                 at + strlen(option->file));
        const char *copy = arena_strdup(config->arena, whole.at);
        free(absolute);
        text_free(&path);
        text_free(&whole);
        return copy;
    }
    return word;
}

// Makes the command line: the words of flags and choices, then the words of the test.
static struct vm_start_config environment(struct config *config, const struct spec_test *test,
                                          uint32_t combination) {
    uint32_t most = 1 + config->spec.options.count + test->words.count, count = 0;
    struct vm_text *words = ARENA_ARRAY(config->arena, struct vm_text, most);
    words[count++].text = config->program_name;
    for (uint32_t i = 0; i < config->spec.options.count; i++) {
        const struct spec_option *option = &config->spec.options.at[i];
        if (option->kind != SPEC_FLAG && option->kind != SPEC_CHOICE) continue;
        const char *word = option->settings.at[config_digit(config, combination, i)].text;
        if (*word) words[count++].text = word;
    }
    for (uint32_t i = 0; i < test->words.count; i++)
        words[count++].text = test_word(config, test->words.at[i], combination);
    return (struct vm_start_config){.arguments = words, .argument_count = count};
}

// ---- the paths

struct element_writer {
    uint64_t *set;
    uint32_t at;
};

static void write_element(void *context, bool covered) {
    struct element_writer *writer = context;
    if (covered) elements_add(writer->set, writer->at);
    writer->at++;
}

// Called at the end of a path that was replayed alone: the VM's coverage is the coverage of this path.
static void note_coverage(void *context, struct vm *vm, enum vm_event event) {
    struct config *config = context;
    struct kept_path *path = vec_last(&config->running->paths);
    struct element_writer writer = {.set = path->coverage};
    cover_forget(config->cover);
    struct cover_seen seen = {vm_edges_seen(vm), vm_functions_seen(vm), vm_positions_seen(vm)};
    cover_update(config->cover, &seen);
    for (unsigned k = 0; k < COVER_KIND_COUNT; k++)
        cover_each(config->cover, (enum cover_kind)k, write_element, &writer);
    assert(writer.at == space_elements(&config->space));
}

static struct explore_options explore_options(struct config *config, struct test_run *run);

static void keep_path(void *context, const struct message *message) {
    struct config *config = context;
    if (message->kind != MESSAGE_TEST) return;
    const struct test_case *test = message->test_case;
    struct test_run *run = config->running;
    vec_push(&run->paths, ((struct kept_path){
                              .condition = path_copy(explore_tested(run->explore).state->path),
                              .environment = test->environment,
                              .decisions = arena_memdup(config->arena, test->decisions,
                                                        test->decision_count * sizeof *test->decisions),
                              .decision_count = test->decision_count,
                              .coverage = elements_new(config->arena, space_elements(&config->space)),
                          }));
    struct explore_options options = explore_options(config, run);
    struct follow_view view = {.context = config, .ended = note_coverage};
    struct followed followed;
    explore_follow(config->program, &options, test, &view, &followed);
    if (followed.strayed || followed.decisions_left)
        error_internal("a path of test '%s' cannot be followed again", run->test->name);
    follow_free(&followed);
}

static struct explore_options explore_options(struct config *config, struct test_run *run) {
    struct explore_options options = {
        .search = "dfs",
        .random_seed = 1,
        .emit = EMIT_ALL,
        .max_time = config->options->max_time,
        .max_memory = config->options->max_memory << 20,
        .solver = solver_defaults,
        .machine = {.host = {.host_files = true,
                             .input_file = run->test->input,
                             .directory = config->directory,
                             .peers = run->peers.count ? &run->peers : NULL,
                             .start_time = 1700000000},
                    .stack_size = (uint64_t)64 << 20},
        .environments = run->environments,
        .environment_count = config->combinations,
    };
    options.solver.timeout = config->options->solver_timeout;
    return options;
}

// Warns once about each kind of incompleteness, with the number of its locations.
static void warn_given_up(const struct test_run *run, const struct explore_result *result) {
    for (uint32_t i = 0; i < result->given_up_count; i++) {
        const char *what = result->given_up[i].what;
        uint64_t times = 0, places = 0;
        bool earlier = false;
        for (uint32_t k = 0; k < result->given_up_count; k++) {
            if (strcmp(result->given_up[k].what, what) != 0) continue;
            earlier |= k < i;
            times += result->given_up[k].count;
            places++;
        }
        if (!earlier)
            user_warning("%s: %s (%llu times, in %llu different location%s)", run->test->name, what,
                         (unsigned long long)times, (unsigned long long)places, places == 1 ? "" : "s");
    }
}

static int by_decisions(const void *a, const void *b) {
    const struct kept_path *x = a, *y = b;
    if (x->environment != y->environment) return x->environment < y->environment ? -1 : 1;
    for (uint32_t i = 0; i < x->decision_count && i < y->decision_count; i++)
        if (x->decisions[i] != y->decisions[i]) return x->decisions[i] < y->decisions[i] ? -1 : 1;
    return x->decision_count < y->decision_count ? -1 : x->decision_count > y->decision_count;
}

static void keep_test(void *context, const struct message *message) {
    struct config *config = context;
    if (message->kind != MESSAGE_TEST) return;
    struct test_case test;
    layout_copy(&layout_test_case, config->arena, message->test_case, &test);
    vec_push(&config->running->found, test);
}

// Explores in several processes, then follows the paths that they have found in this process: their conditions must be
// terms of one exploration. Returns the exploration with the result.
static struct explore *explore_in_processes(struct config *config, struct test_run *run) {
    struct explore_options options = explore_options(config, run);
    options.on_message = keep_test;
    options.context = config;
    struct explore *whole = explore_new(config->program, &options);
    struct processes_options how = {
        .jobs = config->jobs, .explore = &options, .max_memory = options.max_memory};
    struct sharing sharing = processes_sharing(processes_new(whole, config->program, &how));
    sharing.methods->run(sharing.self);
    sharing.methods->free(sharing.self);
    struct explore_options follow = explore_options(config, run);
    follow.max_time = 0;
    follow.seeds = run->found.at;
    follow.seed_count = run->found.count;
    follow.seeds_only = follow.seeds_by_environment = follow.pending = true;
    follow.on_message = keep_path;
    follow.context = config;
    run->explore = explore_new(config->program, &follow);
    if (run->found.count) explore_run(run->explore);
    return whole;
}

static struct explore *explore_alone(struct config *config, struct test_run *run) {
    struct explore_options options = explore_options(config, run);
    options.on_message = keep_path;
    options.context = config;
    run->explore = explore_new(config->program, &options);
    explore_run(run->explore);
    return run->explore;
}

static bool explore_test(struct config *config, struct test_run *run) {
    run->environments = ARENA_ARRAY(config->arena, struct vm_start_config, config->combinations);
    for (uint32_t k = 0; k < config->combinations; k++)
        run->environments[k] = environment(config, run->test, k);
    if (run->test->input && access(run->test->input, R_OK) != 0) {
        struct text place = {0};
        text_add(&place, "%s:%u", config->spec.path, run->test->line);
        user_error_at(place.at, "Name a file that can be read.", "%s: %s", run->test->input, strerror(errno));
        text_free(&place);
        return false;
    }
    if (run->test->peers && !peers_read(run->test->peers, &run->peers)) return false;
    config->running = run;
    struct explore *explored = config->jobs ? explore_in_processes(config, run) : explore_alone(config, run);
    const struct explore_result *result = explore_result(explored);
    run->complete = result->complete;
    if (run->paths.count) qsort(run->paths.at, run->paths.count, sizeof *run->paths.at, by_decisions);
    log_line("%s: %u path%s%s", run->test->name, run->paths.count, run->paths.count == 1 ? "" : "s",
             run->complete ? "" : " (not all: the results below are not guarantees)");
    if (result->counts.errors)
        user_warning("%s: paths that end with a bug of the program: %llu; `tamar run` shows it",
                     run->test->name, (unsigned long long)result->counts.errors);
    warn_given_up(run, result);
    if (explored != run->explore) explore_free(explored);
    return run->paths.count > 0 ||
           (user_error_at(run->test->name, "Run the test with `tamar run` to see why.",
                          "no path of the test ended"),
            false);
}

// ---- settings

// Returns the term of a variable; 0: no path made it symbolic.
static Term variable_bits(struct config *config, struct test_run *run, const char *name) {
    struct terms *terms = explore_terms(run->explore);
    uint32_t input = inputs_find(vm_inputs(explore_vm(run->explore)), input_object(name, 0));
    for (uint32_t i = 0; i < config->variable_count; i++)
        if (input != NO_INPUT && !strcmp(config->variables[i].name, name))
            return term_input_bits(terms, input, 0, config->variables[i].size);
    return 0;
}

static void add_value(struct spec_option *option, struct arena *arena, int64_t value) {
    vec_each (struct spec_setting, setting, &option->settings)
        if (setting->value == value) return;
    struct text text = {0};
    text_add(&text, "%lld", (long long)value);
    vec_push(&option->settings, ((struct spec_setting){arena_strdup(arena, text.at), value}));
    text_free(&text);
}

static int by_value(const void *a, const void *b) {
    int64_t x = ((const struct spec_setting *)a)->value, y = ((const struct spec_setting *)b)->value;
    return (x > y) - (x < y);
}

static void note_condition(void *context, Term condition) { *(bool *)context = true; }

// Adds, for each open option, the smallest value that the path allows together with the values of the earlier options.
// So the values make a configuration that takes the path.
static void add_path_values(struct config *config, struct test_run *run, const struct kept_path *kept) {
    struct terms *terms = explore_terms(run->explore);
    struct solver *solver = explore_solver(run->explore);
    struct path_condition path = path_copy(&kept->condition);
    uint32_t variable = 0;
    vec_each (struct spec_option, option, &config->spec.options) {
        if (option->kind != SPEC_VARIABLE) continue;
        const struct variable_input *input = &config->variables[variable++];
        Term bits = option->open ? variable_bits(config, run, option->name) : 0;
        uint64_t low, high;
        bool asked = false;
        if (bits) path_each_of(terms, &path, term_support(terms, bits), note_condition, &asked);
        if (!asked || option->settings.count > MOST_FOUND ||
            solver_bounds(solver, &path, bits, &low, &high) != ANSWER_YES)
            continue;
        add_value(option, config->arena,
                  input->is_unsigned ? (int64_t)low : sign_extend(low, 8 * input->size));
        path_add(solver, &path, term_eq(terms, bits, term_const(terms, term_width(terms, bits), low)), NULL);
        if (solver_check(solver, &path) != ANSWER_YES) break;
    }
    path_free(&path);
}

// Finds the values of open options that distinguish paths.
static void find_values(struct config *config) {
    uint32_t variable = 0;
    vec_each (struct spec_option, option, &config->spec.options) {
        const struct variable_input *input =
            option->kind == SPEC_VARIABLE ? &config->variables[variable++] : NULL;
        if (option->open)
            add_value(option, config->arena, option->has_preset ? option->preset_value : input->initial);
    }
    for (uint32_t t = 0; t < config->spec.tests.count; t++)
        vec_each (struct kept_path, path, &config->tests[t].paths)
            add_path_values(config, &config->tests[t], path);
    vec_each (struct spec_option, option, &config->spec.options) {
        if (!option->open) continue;
        if (option->settings.count > MOST_FOUND)
            user_warning("%s: more than %u values make a difference; name those of interest as A|B|C",
                         option->name, MOST_FOUND);
        qsort(option->settings.at, option->settings.count, sizeof *option->settings.at, by_value);
    }
}

static uint32_t default_setting(const struct spec_option *option, const struct variable_input *variable) {
    int64_t wanted = option->open && option->has_preset ? option->preset_value
                     : variable                         ? variable->initial
                                                        : 0;
    if (option->has_preset && !option->open) return option->preset;
    for (uint32_t i = 0; variable && i < option->settings.count; i++)
        if (option->settings.at[i].value == wanted) return i;
    return 0;
}

static void number_settings(struct config *config) {
    struct arena *arena = config->arena;
    uint32_t options = config->spec.options.count, settings = 0, variable = 0;
    uint32_t *first = ARENA_ARRAY(arena, uint32_t, options + 1);
    config->defaults = ARENA_ARRAY(arena, uint32_t, options);
    find_values(config);
    for (uint32_t i = 0; i < options; i++) {
        struct spec_option *option = &config->spec.options.at[i];
        const struct variable_input *input =
            option->kind == SPEC_VARIABLE ? &config->variables[variable++] : NULL;
        first[i] = settings;
        config->defaults[i] = settings + default_setting(option, input);
        settings += option->settings.count;
    }
    first[options] = settings;
    uint32_t *option_of = ARENA_ARRAY(arena, uint32_t, settings);
    config->setting_names = ARENA_ARRAY(arena, const char *, settings);
    config->setting_values = ARENA_ARRAY(arena, int64_t, settings);
    for (uint32_t i = 0; i < options; i++) {
        const struct spec_option *option = &config->spec.options.at[i];
        for (uint32_t k = 0; k < option->settings.count; k++) {
            struct text name = {0};
            const char *text = option->settings.at[k].text;
            if (option->kind == SPEC_FLAG)
                text_add(&name, "%s%s", k ? "" : "no ", option->name);
            else
                text_add(&name, "%s=%s", option->name, *text ? text : "(none)");
            option_of[first[i] + k] = i;
            config->setting_names[first[i] + k] = arena_strdup(arena, name.at);
            config->setting_values[first[i] + k] = option->settings.at[k].value;
            text_free(&name);
        }
    }
    config->space.options = (struct option_space){options, settings, option_of, first};
}

// ---- the space

static Term setting_term(struct config *config, struct test_run *run, uint32_t setting) {
    const struct spec_option *option = &config->spec.options.at[config->space.options.option_of[setting]];
    Term bits = option->kind == SPEC_VARIABLE ? variable_bits(config, run, option->name) : 0;
    if (!bits) return 0;
    struct terms *terms = explore_terms(run->explore);
    return term_eq(terms, bits,
                   term_const(terms, term_width(terms, bits), (uint64_t)config->setting_values[setting]));
}

// Whether the path allows these settings together. An unknown answer counts as yes: then fewer elements are
// guaranteed, never too many.
static bool together(void *context, uint32_t test, uint32_t path, const uint32_t *settings, uint32_t count) {
    struct config *config = context;
    struct test_run *run = &config->tests[test];
    struct terms *terms = explore_terms(run->explore);
    Term all = term_true(terms);
    for (uint32_t i = 0; i < count; i++) {
        Term one = setting_term(config, run, settings[i]);
        if (one) all = term_and(terms, all, one);
    }
    return solver_may_be_true(explore_solver(run->explore), &run->paths.at[path].condition, all, NULL) !=
           ANSWER_NO;
}

struct part_finder {
    struct config *config;
    struct terms *terms;
    const struct inputs *inputs;
    uint32_t *part, own;
};

// Joins this option and the options that occur in a condition with it into one part.
static void join_parts(void *context, Term condition) {
    struct part_finder *finder = context;
    struct config *config = finder->config;
    for (uint32_t i = 0; i < config->spec.options.count; i++) {
        const struct spec_option *option = &config->spec.options.at[i];
        uint32_t input = option->kind == SPEC_VARIABLE
                             ? inputs_find(finder->inputs, input_object(option->name, 0))
                             : NO_INPUT;
        if (input == NO_INPUT) continue;
        if (varset_has(finder->terms, term_support(finder->terms, condition),
                       terms_input_var(finder->terms, input, 0)))
            finder->part[i] = finder->own;
    }
}

static uint32_t *find_parts(struct config *config, struct test_run *run, const struct kept_path *path) {
    uint32_t count = config->spec.options.count, *part = ARENA_ARRAY(config->arena, uint32_t, count);
    struct part_finder finder = {config, explore_terms(run->explore), vm_inputs(explore_vm(run->explore)),
                                 part, 0};
    for (uint32_t i = 0; i < count; i++) part[i] = i;
    for (uint32_t i = 0; i < count; i++) {
        if (part[i] != i) continue; // already joined by an earlier option
        Term bits = config->spec.options.at[i].kind == SPEC_VARIABLE
                        ? variable_bits(config, run, config->spec.options.at[i].name)
                        : 0;
        finder.own = i;
        if (bits)
            path_each_of(finder.terms, &path->condition, term_support(finder.terms, bits), join_parts,
                         &finder);
    }
    return part;
}

static uint64_t *find_allowed(struct config *config, uint32_t test, uint32_t index) {
    struct test_run *run = &config->tests[test];
    uint64_t *allowed = elements_new(config->arena, config->space.options.setting_count);
    for (uint32_t s = 0; s < config->space.options.setting_count; s++) {
        uint32_t i = config->space.options.option_of[s];
        bool tried = is_tried(&config->spec.options.at[i]);
        bool allows = tried ? config_digit(config, run->paths.at[index].environment, i) ==
                                  s - config->space.options.first[i]
                            : together(config, test, index, &s, 1);
        if (allows) elements_add(allowed, s);
    }
    return allowed;
}

// Marks the options that the path depends on: it excludes one of their settings, or relates them to another option.
static void note_looked_at(struct config *config, const struct config_path *path) {
    const struct option_space *options = &config->space.options;
    for (uint32_t s = 0; s < options->setting_count; s++)
        if (!elements_has(path->allowed, s)) config->looked_at[options->option_of[s]] = true;
    for (uint32_t i = 0; i < options->option_count; i++)
        if (path->part[i] != i) config->looked_at[i] = config->looked_at[path->part[i]] = true;
}

static void make_space(struct config *config) {
    struct config_test *tests = ARENA_ARRAY(config->arena, struct config_test, config->spec.tests.count);
    config->looked_at = ARENA_ARRAY(config->arena, bool, config->spec.options.count);
    for (uint32_t t = 0; t < config->spec.tests.count; t++) {
        struct test_run *run = &config->tests[t];
        struct config_path *paths = ARENA_ARRAY(config->arena, struct config_path, run->paths.count);
        for (uint32_t i = 0; i < run->paths.count; i++) {
            paths[i] = (struct config_path){run->paths.at[i].coverage, find_allowed(config, t, i),
                                            find_parts(config, run, &run->paths.at[i])};
            note_looked_at(config, &paths[i]);
        }
        tests[t] = (struct config_test){paths, run->paths.count};
    }
    config->space.tests = tests;
    config->space.test_count = config->spec.tests.count;
    config->space.together = together;
    config->space.context = config;
    config->space.most_predicates = (uint32_t)config->options->max_predicates;
}

bool config_explore(struct config *config) {
    if (!count_combinations(config) || !write_key_files(config)) return false;
    config->cover = cover_new(config->program);
    struct cover_totals totals = cover_totals(config->cover);
    if (!totals.line.total) {
        user_error_at(config->program_name, "Build it with -g: coverage is counted in source lines.",
                      "the program has no debug lines");
        return false;
    }
    uint32_t sizes[] = {
#define KIND(name) totals.name.total,
        COVER_KINDS(KIND)
#undef KIND
    };
    static_assert(COUNT(sizes) == CONFIG_KINDS, "one end for each kind");
    for (unsigned k = 0, end = 0; k < CONFIG_KINDS; k++) {
        config->totals[k] = sizes[k];
        config->space.kind_end[k] = end += sizes[k];
    }
    config->tests = ARENA_ARRAY(config->arena, struct test_run, config->spec.tests.count);
    for (uint32_t t = 0; t < config->spec.tests.count; t++) {
        config->tests[t].test = &config->spec.tests.at[t];
        if (!explore_test(config, &config->tests[t])) return false;
    }
    number_settings(config);
    make_space(config);
    config->space = config_merge(config->arena, &config->space);
    return true;
}

void config_close(struct config *config) {
    for (uint32_t t = 0; config->tests && t < config->spec.tests.count; t++) {
        struct test_run *run = &config->tests[t];
        vec_each (struct kept_path, path, &run->paths) path_free(&path->condition);
        vec_free(&run->paths);
        vec_free(&run->found);
        text_free(&run->peers);
        if (run->explore) explore_free(run->explore);
    }
    cover_free(config->cover);
}
