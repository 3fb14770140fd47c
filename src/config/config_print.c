// The output of `tamar config`: config.json, configurations/N.txt, interactions.dot and .svg, and the tables.
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "config/config_study.h"
#include "config/interaction_graph.h"
#include "output/results.h"

#include <spawn.h>
#include <stdio.h>
#include <sys/wait.h>

static const char *const kind_names[] = {
#define KIND(name) #name,
    COVER_KINDS(KIND)
#undef KIND
};

// ---- the most important options

// Counts the elements that no path covers unless the option has this setting.
static uint32_t elements_that_need(const struct config *config, const struct interactions *found,
                                   uint32_t setting, unsigned kind) {
    const struct config_space *space = &config->space;
    uint32_t option = space->options.option_of[setting], count = space_elements(space);
    struct arena *arena = arena_new();
    uint64_t *needing = elements_new(arena, count);
    elements_join(needing, found->reached, count);
    for (uint32_t t = 0; t < space->test_count; t++)
        for (uint32_t i = 0; i < space->tests[t].path_count; i++) {
            const struct config_path *path = &space->tests[t].paths[i];
            bool other = false;
            for (uint32_t s = space->options.first[option]; s < space->options.first[option + 1]; s++)
                other |= s != setting && elements_has(path->allowed, s);
            if (other) elements_take_away(needing, path->coverage, count);
        }
    uint32_t number = interactions_space_count(space, needing, kind);
    arena_free(arena);
    return number;
}

// Returns the share of elements that need this setting among those that depend on options (reached, but not by every
// configuration).
static double needed_share(const struct config *config, const struct interactions *found, uint32_t setting,
                           unsigned kind) {
    uint32_t decided = found->most[kind] - found->strengths[0].guaranteed[kind];
    return decided ? (double)elements_that_need(config, found, setting, kind) / decided : 0;
}

// ---- texts

bool config_is_complete(const struct config *config) {
    bool complete = true;
    for (uint32_t t = 0; t < config->spec.tests.count; t++) complete &= config->tests[t].complete;
    return complete;
}

static void add_settings(struct text *to, const struct config *config, const struct predicate *p) {
    for (uint32_t i = 0; i < p->strength; i++)
        text_add(to, "%s%s", i ? ", " : "", config->setting_names[p->settings[i]]);
}

// Adds the last columns of a row: the number of elements that some configuration covers, and of all elements.
static void add_most(struct text *to, uint32_t most, uint32_t total) {
    text_add(to, "%9u%9u%6.0f %%", most, total, total ? 100.0 * most / total : 0);
}

static void add_strengths(struct text *to, const struct config *config, const struct interactions *found,
                          const char *title, bool coverage) {
    text_add(to, "\n%-22s", title);
    for (uint32_t t = coverage ? 0 : 1; t < found->strength_count; t++) text_add(to, "%7s%u", "t=", t);
    text_add(to, "%s\n", coverage ? "     most       of program" : "");
    for (unsigned k = 0; k < CONFIG_KINDS; k++) {
        text_add(to, "  %-20s", kind_names[k]);
        for (uint32_t t = coverage ? 0 : 1; t < found->strength_count; t++)
            text_add(to, "%8u",
                     coverage ? found->strengths[t].guaranteed[k] : found->strengths[t].interactions[k]);
        if (coverage) add_most(to, found->most[k], config->totals[k]);
        text_add(to, "\n");
    }
}

static void add_enabling(struct text *to, const struct config *config, const struct interactions *found) {
    unsigned kind = config->options->kind;
    bool any = false;
    for (uint32_t s = 0; s < config->space.options.setting_count; s++) {
        double share = needed_share(config, found, s, kind);
        if (share < 0.1) continue;
        if (!any) text_add(to, "\nMuch depends on\n");
        any = true;
        text_add(to, "  %-30s  %3.0f %% of the %ss that options decide\n", config->setting_names[s],
                 100 * share, kind_names[kind]);
    }
}

static bool is_in_interaction(const struct config *config, const struct interactions *found,
                              uint32_t option) {
    for (uint32_t i = 0; i < found->count; i++)
        for (uint32_t k = 0; k < found->all[i]->strength; k++)
            if (config->space.options.option_of[found->all[i]->settings[k]] == option) return true;
    return false;
}

static void add_idle(struct text *to, const struct config *config, const struct interactions *found) {
    for (uint32_t i = 0; i < config->spec.options.count; i++) {
        if (is_in_interaction(config, found, i)) continue;
        text_add(to, "\n%s %s: %s", config->spec.options.at[i].name,
                 config_is_complete(config) ? "never mattered" : "did not matter on the explored paths",
                 config->looked_at[i] ? "paths depend on it, but it does not change the coverage"
                                      : "no path depends on it");
    }
}

static void add_configurations(struct text *to, const struct config *config,
                               const struct covering *covering) {
    unsigned kind = config->options->kind;
    text_add(to, "\n%u configuration%s cover%s everything that any %s covers (%ss)\n", covering->count,
             covering->count == 1 ? "" : "s", covering->count == 1 ? "s" : "",
             config_is_complete(config) ? "configuration" : "explored path", kind_names[kind]);
    for (uint32_t i = 0; i < covering->count; i++) {
        const struct configuration *c = &covering->at[i];
        text_add(to, "  %u. +%-5u", i + 1, c->added[kind]);
        const char *separator = "";
        for (uint32_t o = 0; o < config->spec.options.count; o++) {
            if (c->chosen[o] == UINT32_MAX) continue;
            text_add(to, "%s%s", separator, config->setting_names[c->chosen[o]]);
            separator = ", ";
        }
        text_add(to, "%s\n", *separator ? "" : "(the defaults)");
    }
    if (covering->missed[kind])
        text_add(to, "  %u are missing: the search was cut\n", covering->missed[kind]);
}

static double combinations(const struct config *config) {
    double number = 1;
    for (uint32_t i = 0; i < config->spec.options.count; i++)
        number *= config->spec.options.at[i].settings.count;
    return number * config->spec.tests.count;
}

static uint64_t count_paths(const struct config *config) {
    uint64_t paths = 0;
    for (uint32_t t = 0; t < config->spec.tests.count; t++) paths += config->tests[t].paths.count;
    return paths;
}

#define MOST_MISSED 10 // most lines that are listed

static void add_proof(struct text *to, const struct config_proof *proof) {
    if (!proof->done) return;
    text_add(to,
             "\nNatively, under gcov: these configurations execute %u lines (%u runs), all configurations %u "
             "(%u runs, ",
             proof->lines, proof->configuration_runs, proof->all_lines, proof->path_runs);
    text_add(to, "one for each path)%s\n",
             proof->missed_count || !proof->lines ? ""
             : proof->lines == proof->all_lines   ? ": the same lines"
                                                  : ": all of them, and more");
    for (uint32_t i = 0; i < MIN(proof->missed_count, MOST_MISSED); i++)
        text_add(to, "  only others execute %s\n", proof->missed[i]);
    if (proof->missed_count > MOST_MISSED)
        text_add(to, "  and %u more lines\n", proof->missed_count - MOST_MISSED);
    for (uint32_t i = 0; i < MIN(proof->extra_count, MOST_MISSED); i++)
        text_add(to, "  only the covering set executes %s\n", proof->extra[i]);
    if (proof->failed) text_add(to, "  %u runs did not end by themselves\n", proof->failed);
}

static void print_summary(const struct config *config, const struct interactions *found,
                          const struct covering *covering, uint32_t drawn, const struct config_proof *proof) {
    struct text text = {0};
    text_add(&text, "%llu paths stand for %.0f runs (%u options, %u tests)\n",
             (unsigned long long)count_paths(config), combinations(config), config->spec.options.count,
             config->spec.tests.count);
    if (!config_is_complete(config))
        text_add(&text, "Not every path was explored: nothing below is guaranteed\n");
    add_strengths(&text, config, found,
                  config_is_complete(config) ? "Guaranteed coverage" : "Coverage so far", true);
    add_strengths(&text, config, found, "Interactions", false);
    if (found->cut) text_add(&text, "  (stronger ones were not looked for: --max-predicates)\n");
    add_enabling(&text, config, found);
    add_configurations(&text, config, covering);
    add_proof(&text, proof);
    add_idle(&text, config, found);
    text_add(&text, "\n%s: config.json, configurations/, interactions.dot and .svg (%u interactions drawn)\n",
             results_folder(config->results), drawn);
    text_put_shown(&text, stdout);
    text_free(&text);
}

// ---- config.json

static void add_counts(struct json *json, const char *key, const uint32_t *counts) {
    json_key(json, key);
    json_open_flat(json, '{');
    for (unsigned k = 0; k < CONFIG_KINDS; k++) json_field(json, number, kind_names[k], counts[k]);
    json_close(json, '}');
}

static void add_json_options(struct json *json, const struct config *config,
                             const struct interactions *found) {
    json_key(json, "options");
    json_open(json, '[');
    for (uint32_t i = 0; i < config->spec.options.count; i++) {
        const struct spec_option *option = &config->spec.options.at[i];
        json_open(json, '{');
        json_field(json, string, "name", option->name);
        json_field(json, string, "default",
                   option->settings.at[config->defaults[i] - config->space.options.first[i]].text);
        json_field(json, bool, "looked_at", config->looked_at[i]);
        json_field(json, bool, "matters", is_in_interaction(config, found, i));
        json_key(json, "settings");
        json_open(json, '[');
        for (uint32_t k = 0; k < option->settings.count; k++) {
            json_open_flat(json, '{');
            json_field(json, string, "value", option->settings.at[k].text);
            json_field(
                json, real, "needed_for",
                needed_share(config, found, config->space.options.first[i] + k, config->options->kind));
            json_close(json, '}');
        }
        json_close(json, ']');
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void add_json_tests(struct json *json, const struct config *config) {
    json_key(json, "tests");
    json_open(json, '[');
    for (uint32_t t = 0; t < config->spec.tests.count; t++) {
        json_open_flat(json, '{');
        json_field(json, string, "name", config->tests[t].test->name);
        json_field(json, number, "paths", config->tests[t].paths.count);
        json_field(json, bool, "complete", config->tests[t].complete);
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void add_json_interactions(struct json *json, const struct config *config,
                                  const struct interactions *found) {
    json_key(json, "strengths");
    json_open(json, '[');
    for (uint32_t t = 0; t < found->strength_count; t++) {
        json_open(json, '{');
        json_field(json, number, "strength", t);
        add_counts(json, "guaranteed", found->strengths[t].guaranteed);
        add_counts(json, "interactions", found->strengths[t].interactions);
        json_close(json, '}');
    }
    json_close(json, ']');
    json_key(json, "interactions");
    json_open(json, '[');
    for (uint32_t i = 0; i < found->count; i++) {
        const struct predicate *p = found->all[i];
        json_open(json, '{');
        json_key(json, "settings");
        json_open_flat(json, '[');
        for (uint32_t k = 0; k < p->strength; k++) json_string(json, config->setting_names[p->settings[k]]);
        json_close(json, ']');
        add_counts(json, "gained", p->gained);
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void add_json_configurations(struct json *json, const struct config *config,
                                    const struct covering *coverings[]) {
    json_key(json, "configurations");
    json_open(json, '{');
    for (unsigned kind = 0; kind < CONFIG_KINDS; kind++) {
        json_key(json, kind_names[kind]);
        json_open(json, '[');
        for (uint32_t i = 0; i < coverings[kind]->count; i++) {
            const struct configuration *c = &coverings[kind]->at[i];
            json_open(json, '{');
            json_key(json, "settings");
            json_open_flat(json, '{');
            for (uint32_t o = 0; o < config->spec.options.count; o++)
                json_field(json, string, config->spec.options.at[o].name,
                           config->spec.options.at[o]
                               .settings.at[c->settings[o] - config->space.options.first[o]]
                               .text);
            json_close(json, '}');
            add_counts(json, "added", c->added);
            json_close(json, '}');
        }
        json_close(json, ']');
    }
    json_close(json, '}');
}

static void add_json_proof(struct json *json, const struct config_proof *proof) {
    if (!proof->done) return;
    json_key(json, "proof");
    json_open(json, '{');
    json_field(json, number, "configuration_runs", proof->configuration_runs);
    json_field(json, number, "path_runs", proof->path_runs);
    json_field(json, number, "failed_runs", proof->failed);
    json_field(json, number, "lines", proof->lines);
    json_field(json, number, "all_lines", proof->all_lines);
    json_key(json, "missed");
    json_open(json, '[');
    for (uint32_t i = 0; i < proof->missed_count; i++) json_string(json, proof->missed[i]);
    json_close(json, ']');
    json_key(json, "extra");
    json_open(json, '[');
    for (uint32_t i = 0; i < proof->extra_count; i++) json_string(json, proof->extra[i]);
    json_close(json, ']');
    json_close(json, '}');
}

static void write_json(const struct config *config, const struct interactions *found,
                       const struct covering *coverings[], const struct config_proof *proof) {
    struct text text = {0};
    struct json json = {.to = &text};
    json_open(&json, '{');
    json_field(&json, number, "paths", count_paths(config));
    json_field(&json, real, "combinations", combinations(config));
    add_counts(&json, "reached", found->most);
    add_counts(&json, "program", config->totals);
    json_field(&json, bool, "cut", found->cut);
    json_field(&json, bool, "complete", config_is_complete(config));
    add_json_options(&json, config, found);
    add_json_tests(&json, config);
    add_json_interactions(&json, config, found);
    add_json_configurations(&json, config, coverings);
    add_json_proof(&json, proof);
    json_close(&json, '}');
    text_add(&text, "\n");
    results_write(config->results, "config.json", text.at, text.count);
    if (config->options->json) fputs(text.at, stdout);
    text_free(&text);
}

// ---- ready configurations, and the picture

// Writes the configuration files of this configuration, N-FILE.
static void write_ready_files(const struct config *config, const struct configuration *configuration,
                              uint32_t number) {
    uint32_t combination = config_combination(config, configuration->settings);
    vec_each (struct spec_option, option, &config->spec.options) {
        if (option->kind != SPEC_KEY) continue;
        const char *slash = strrchr(option->file, '/'), *file = slash ? slash + 1 : option->file;
        struct text from = results_path(config->results, "settings/%u-%s", combination, file), content = {0},
                    name = {0};
        text_add(&name, "configurations/%u-%s", number, file);
        if (file_read(from.at, &content)) results_write(config->results, name.at, content.at, content.count);
        text_free(&from);
        text_free(&content);
        text_free(&name);
    }
}

static void write_configurations(const struct config *config, const struct covering *covering) {
    results_make_folder(config->results, "configurations");
    for (uint32_t i = 0; i < covering->count; i++) {
        const struct configuration *c = &covering->at[i];
        struct text text = {0}, name = {0};
        text_add(&text, "# adds %u %ss\n", c->added[config->options->kind],
                 kind_names[config->options->kind]);
        for (uint32_t o = 0; o < config->spec.options.count; o++) {
            const struct spec_option *option = &config->spec.options.at[o];
            const char *value = option->settings.at[c->settings[o] - config->space.options.first[o]].text;
            bool word = option->kind == SPEC_FLAG || option->kind == SPEC_CHOICE;
            if (word && *value) text_add(&text, "argument %s\n", value);
            if (!word) text_add(&text, "%s=%s\n", option->name, value);
        }
        text_add(&name, "configurations/%u.txt", i + 1);
        results_write(config->results, name.at, text.at, text.count);
        write_ready_files(config, c, i + 1);
        text_free(&text);
        text_free(&name);
    }
}

// Runs Graphviz, if it is installed.
static void draw(const struct config *config) {
    extern char **environ;
    struct text from = results_path(config->results, "interactions.dot"),
                to = results_path(config->results, "interactions.svg");
    char *words[] = {"dot", "-Kneato", "-Tsvg", "-o", to.at, from.at, NULL};
    pid_t child;
    int status = 0;
    if (posix_spawnp(&child, "dot", NULL, NULL, words, environ) != 0)
        user_warning("interactions.svg was not written: `dot` of Graphviz is not installed");
    else if (waitpid(child, &status, 0) < 0 || status != 0)
        user_warning("interactions.svg was not written: `dot` failed");
    text_free(&from);
    text_free(&to);
}

bool config_report(struct config *config, const struct interactions *found) {
    const struct covering *coverings[CONFIG_KINDS];
    for (unsigned k = 0; k < CONFIG_KINDS; k++)
        coverings[k] = covering_find(config->arena, &config->space, found, k, config->defaults);
    struct text dot = {0};
    uint32_t drawn = interaction_graph_add_dot(&dot, &config->space, found, config->options->kind,
                                               (double)config->options->share / 100, config->setting_names);
    results_write(config->results, "interactions.dot", dot.at, dot.count);
    text_free(&dot);
    write_configurations(config, coverings[config->options->kind]);
    struct config_proof proof = {0};
    bool good = !config->options->prove || config_prove(config, coverings[COVER_line], &proof);
    write_json(config, found, coverings, &proof);
    draw(config);
    if (!config->options->json) print_summary(config, found, coverings[config->options->kind], drawn, &proof);
    good = good && (!proof.done || (proof.lines && !proof.missed_count && !proof.failed));
    if (log_level() != LOG_VERBOSE || config->options->json) return good;
    for (uint32_t i = 0; i < found->count; i++) {
        struct text line = {0};
        add_settings(&line, config, found->all[i]);
        printf("interaction: %s (+%u %ss)\n", line.at, found->all[i]->gained[config->options->kind],
               kind_names[config->options->kind]);
        text_free(&line);
    }
    return good;
}
