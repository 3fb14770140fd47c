// The commands of a script.
#include "expr/smtlib_int.h"

#define VERSION_TEXT "0.1.0"

static uint32_t argument(const struct script *script, uint32_t cell, uint32_t n) {
    uint32_t at = cell_at(script, cell)->child;
    while (at && n-- > 0) at = cell_at(script, at)->next;
    return at;
}

static bool want_arguments(struct script *script, uint32_t cell, uint32_t least, uint32_t most) {
    uint32_t count = cell_at(script, cell)->count - 1;
    if (count >= least && count <= most) return true;
    script_error(script, cell, "%.60s: wrong number of arguments",
                 cell_text(script, cell_at(script, cell)->child));
    return false;
}

static void success(struct script *script) {
    if (script->print_success && !script->reading_only) fprintf(script->out, "success\n");
}

// ---- Declarations ----

// Reads a name that can be declared or defined; 0 after an error.
static uint32_t new_name(struct script *script, uint32_t cell) {
    if (!cell || cell_at(script, cell)->token != TOKEN_SYMBOL) {
        script_error(script, cell, "expected a symbol");
        return 0;
    }
    uint32_t symbol = script_intern_symbol(script, cell_text(script, cell));
    bool reserved = script->symbols.at[symbol].builtin || cell_is(script, cell, "true") ||
                    cell_is(script, cell, "false") || cell_is(script, cell, "let") ||
                    cell_is(script, cell, "_") || cell_is(script, cell, "!") ||
                    cell_is(script, cell, "Bool") || cell_is(script, cell, "Array") ||
                    cell_is(script, cell, "as");
    if (reserved || script_find_binding(script, symbol)) {
        script_error(script, cell, "'%.100s' is already %s", cell_text(script, cell),
                     reserved ? "reserved" : "declared");
        return 0;
    }
    return symbol;
}

struct value script_declare(struct script *script, uint32_t symbol, struct sort sort) {
    struct symbol *at = &script->symbols.at[symbol];
    struct text name = {0};
    text_add(&name, "%s", at->name);
    // Declared again after a pop: a new variable of the same name.
    if (at->declared++) text_add(&name, "\001%u", at->declared);
    struct value value = {.sort = sort};
    if (sort.kind == SORT_ARRAY)
        value.term = term_array_variable(script->terms, name.at ? name.at : "", sort.index_width, sort.width);
    else
        value.term = term_variable(script->terms, name.at ? name.at : "", sort.width);
    text_free(&name);
    return value;
}

struct value script_new_parameter(struct script *script, struct sort sort) {
    char placeholder[40];
    snprintf(placeholder, sizeof placeholder, "\002%u", script->parameters.count);
    struct value value = script_declare(script, script_intern_symbol(script, placeholder), sort);
    vec_push(&script->parameters, value);
    return value;
}

static void declare(struct script *script, uint32_t cell, bool function) {
    if (!want_arguments(script, cell, function ? 3 : 2, function ? 3 : 2)) return;
    uint32_t parameters = argument(script, cell, 2), sort_cell = argument(script, cell, function ? 3 : 2);
    if (function && cell_at(script, parameters)->token != TOKEN_OPEN) {
        script_error(script, parameters, "expected a list of sorts");
        return;
    }
    uint32_t symbol = new_name(script, argument(script, cell, 1));
    struct sort sort;
    if (!symbol || !script_read_sort(script, sort_cell, &sort)) return;
    if (sort.kind == SORT_ROUNDING || sort.kind == SORT_REAL) {
        script_error(script, sort_cell, "unsupported: variables of this sort");
        return;
    }
    if (function && cell_at(script, parameters)->count) {
        if (sort.kind == SORT_ARRAY)
            script_error(script, sort_cell, "unsupported: functions to arrays");
        else if (script_declare_function(script, symbol, parameters, sort))
            success(script);
        return;
    }
    struct value value = script_declare(script, symbol, sort);
    if (!value.term) {
        script_error(script, argument(script, cell, 1), "an array of this name but another sort exists");
        return;
    }
    script_bind_symbol(
        script, (struct binding){.symbol = symbol, .meaning = MEANS_VALUE, .declared = true, .value = value});
    success(script);
}

// Binds the parameters to placeholders. False after an error.
static bool bind_parameters(struct script *script, uint32_t list) {
    for (uint32_t pair = cell_at(script, list)->child; pair; pair = cell_at(script, pair)->next) {
        const struct cell *c = cell_at(script, pair);
        struct sort sort;
        if (c->token != TOKEN_OPEN || c->count != 2 || cell_at(script, c->child)->token != TOKEN_SYMBOL) {
            script_error(script, pair, "a parameter is (symbol sort)");
            return false;
        }
        uint32_t name = c->child;
        if (!script_read_sort(script, cell_at(script, name)->next, &sort)) return false;
        struct value value = script_new_parameter(script, sort);
        uint32_t symbol = script_intern_symbol(script, cell_text(script, name));
        script_bind_symbol(script,
                           (struct binding){.symbol = symbol, .meaning = MEANS_VALUE, .value = value});
    }
    return true;
}

static void define(struct script *script, uint32_t cell, bool function) {
    if (!want_arguments(script, cell, function ? 4 : 3, function ? 4 : 3)) return;
    uint32_t list = function ? argument(script, cell, 2) : 0, shift = function ? 1 : 0;
    uint32_t symbol = new_name(script, argument(script, cell, 1)), before = script->bindings.count;
    uint32_t first = script->parameters.count;
    struct sort sort;
    struct value body;
    if (!symbol) return;
    if (list && cell_at(script, list)->token != TOKEN_OPEN) {
        script_error(script, list, "expected a list of parameters");
        return;
    }
    bool good = (!list || bind_parameters(script, list)) &&
                script_read_sort(script, argument(script, cell, 2 + shift), &sort) &&
                script_read_term(script, argument(script, cell, 3 + shift), &body);
    script_unbind_symbols(script, before);
    if (!good) return;
    if (!same_sort(sort, body.sort)) {
        char a[80], b[80];
        script_sort_text(sort, a, sizeof a);
        script_sort_text(body.sort, b, sizeof b);
        script_error(script, argument(script, cell, 3 + shift), "the definition has sort %s, not %s", b, a);
        return;
    }
    uint32_t count = script->parameters.count - first;
    script_bind_symbol(script, (struct binding){.symbol = symbol,
                                                .meaning = count ? MEANS_FUNCTION : MEANS_VALUE,
                                                .value = body,
                                                .first_parameter = first,
                                                .parameter_count = count});
    success(script);
}

static void define_sort(struct script *script, uint32_t cell) {
    if (!want_arguments(script, cell, 3, 3)) return;
    uint32_t list = argument(script, cell, 2);
    if (cell_at(script, list)->token != TOKEN_OPEN || cell_at(script, list)->count) {
        script_error(script, list, "unsupported: sorts with parameters");
        return;
    }
    uint32_t symbol = new_name(script, argument(script, cell, 1));
    struct sort sort;
    if (!symbol || !script_read_sort(script, argument(script, cell, 3), &sort)) return;
    script_bind_symbol(script,
                       (struct binding){.symbol = symbol, .meaning = MEANS_SORT, .value = {.sort = sort}});
    success(script);
}

// ---- Assertions and levels ----

static bool read_condition(struct script *script, uint32_t cell, Term *condition) {
    struct value value;
    if (!script_read_term(script, cell, &value)) return false;
    if (value.sort.kind != SORT_BOOL) {
        script_error(script, cell, "expected a term of sort Bool");
        return false;
    }
    *condition = value.term;
    return true;
}

static void assert_command(struct script *script, uint32_t cell) {
    Term condition;
    uint32_t named = script->named.count, term = argument(script, cell, 1);
    if (!want_arguments(script, cell, 1, 1) || !read_condition(script, term, &condition)) return;
    // An assertion is a candidate for the core only if the whole assertion is named.
    bool whole =
        cell_at(script, term)->token == TOKEN_OPEN && cell_is(script, cell_at(script, term)->child, "!");
    if (whole && script->named.count > named) vec_last(&script->named)->assertion = true;
    vec_push(&script->assertions, condition);
    script->has_model = false;
    success(script);
}

static void push_levels(struct script *script, uint32_t cell) {
    uint64_t count = 1;
    if (!want_arguments(script, cell, 0, 1)) return;
    if (cell_at(script, cell)->count == 2 && !script_read_numeral(script, argument(script, cell, 1), &count))
        return;
    if (count > 1000000 || script->levels.count + count > 10000000) {
        script_error(script, cell, "too many levels");
        return;
    }
    while (count-- > 0)
        vec_push(&script->levels, ((struct level){script->bindings.count, script->assertions.count,
                                                  script->named.count, script->refused}));
    script->has_model = false;
    success(script);
}

static void pop_levels(struct script *script, uint32_t cell) {
    uint64_t count = 1;
    if (!want_arguments(script, cell, 0, 1)) return;
    if (cell_at(script, cell)->count == 2 && !script_read_numeral(script, argument(script, cell, 1), &count))
        return;
    if (count > script->levels.count) {
        script_error(script, cell, "pop of %llu levels, but there are %u", (unsigned long long)count,
                     script->levels.count);
        return;
    }
    while (count-- > 0) {
        struct level level = vec_pop(&script->levels);
        if (!script->global_declarations) script_unbind_symbols(script, level.bindings);
        script->assertions.count = level.assertions;
        script->named.count = level.named;
        script->refused = level.refused;
    }
    script->has_model = false;
    success(script);
}

// ---- Answers ----

static void check(struct script *script) {
    static const char *const words[] = {"unknown", "sat", "unsat"};
    uint32_t assertions = script->assertions.count;
    vec_each (Term, assumption, &script->assumptions) vec_push(&script->assertions, *assumption);
    const char *reason = NULL;
    script->model = (struct assignment){0};
    script->answer = script->solver->check(script->solver->context, script->assertions.at,
                                           script->assertions.count, &script->model, &reason);
    script->assertions.count = assertions;
    if (script->answer == SMTLIB_SAT && script->refused) {
        script->answer = SMTLIB_UNKNOWN;
        reason = "an assertion was refused";
    }
    script->has_model = script->answer == SMTLIB_SAT;
    snprintf(script->reason, sizeof script->reason, "%s", reason ? reason : "incomplete");
    script->result.last = script->answer;
    script->result.checks++;
    fprintf(script->out, "%s\n", words[script->answer]);
    fflush(script->out);
}

static void check_sat(struct script *script, uint32_t cell) {
    if (!want_arguments(script, cell, 0, 0)) return;
    vec_clear(&script->assumptions);
    vec_clear(&script->assumption_texts);
    text_clear(&script->assumption_text);
    check(script);
}

static void check_sat_assuming(struct script *script, uint32_t cell) {
    if (!want_arguments(script, cell, 1, 1)) return;
    uint32_t list = argument(script, cell, 1);
    vec_clear(&script->assumptions);
    vec_clear(&script->assumption_texts);
    text_clear(&script->assumption_text);
    if (cell_at(script, list)->token != TOKEN_OPEN) {
        script_error(script, list, "expected a list of literals");
        return;
    }
    for (uint32_t at = cell_at(script, list)->child; at; at = cell_at(script, at)->next) {
        Term condition;
        if (!read_condition(script, at, &condition)) {
            vec_clear(&script->assumptions);
            return;
        }
        vec_push(&script->assumptions, condition);
        vec_push(&script->assumption_texts, (uint32_t)script->assumption_text.count);
        cell_print(script, &script->assumption_text, at);
        text_add_bytes(&script->assumption_text, "", 1);
    }
    check(script);
}

static bool want_model(struct script *script, uint32_t cell) {
    if (!script->has_model)
        script_error(script, cell, "no model: the last command must be a check that answered sat");
    return script->has_model;
}

static void get_model(struct script *script, uint32_t cell) {
    if (!want_arguments(script, cell, 0, 0) || !want_model(script, cell)) return;
    struct evaluator *evaluator = evaluator_new(script->terms);
    evaluator_assign(evaluator, &script->model);
    script_print_model(script, evaluator);
    evaluator_free(evaluator);
}

static void get_value(struct script *script, uint32_t cell) {
    if (!want_arguments(script, cell, 1, 1) || !want_model(script, cell)) return;
    uint32_t list = argument(script, cell, 1);
    if (cell_at(script, list)->token != TOKEN_OPEN || !cell_at(script, list)->count) {
        script_error(script, list, "expected a list of terms");
        return;
    }
    struct text out = {0};
    struct evaluator *evaluator = evaluator_new(script->terms);
    evaluator_assign(evaluator, &script->model);
    text_add(&out, "(");
    for (uint32_t at = cell_at(script, list)->child; at && !script->failed; at = cell_at(script, at)->next) {
        struct value value;
        if (!script_read_term(script, at, &value)) break;
        text_add(&out, at == cell_at(script, list)->child ? "(" : "\n (");
        cell_print(script, &out, at);
        text_add(&out, " ");
        script_print_value(script, &out, value, evaluator);
        text_add(&out, ")");
    }
    if (!script->failed) fprintf(script->out, "%s)\n", out.at);
    evaluator_free(evaluator);
    text_free(&out);
}

static void get_assignment(struct script *script, uint32_t cell) {
    if (!want_model(script, cell)) return;
    struct text out = {0};
    struct evaluator *evaluator = evaluator_new(script->terms);
    evaluator_assign(evaluator, &script->model);
    vec_each (struct named, named, &script->named) {
        if (named->value.sort.kind != SORT_BOOL) continue;
        text_add(&out, out.count ? " (" : "(");
        script_print_symbol_name(&out, script->symbols.at[named->symbol].name);
        text_add(&out, evaluate(evaluator, named->value.term) ? " true)" : " false)");
    }
    fprintf(script->out, "(%s)\n", out.at ? out.at : "");
    evaluator_free(evaluator);
    text_free(&out);
}

// Prints all candidates as the core: correct, but not minimal.
static void get_unsat(struct script *script, uint32_t cell, bool assumptions) {
    if (script->answer != SMTLIB_UNSAT || script->has_model || !script->result.checks) {
        script_error(script, cell, "the last check did not answer unsat");
        return;
    }
    bool space = false;
    struct text out = {0};
    if (assumptions) {
        vec_each (uint32_t, at, &script->assumption_texts) {
            text_add(&out, "%s%s", space ? " " : "", script->assumption_text.at + *at);
            space = true;
        }
    } else {
        vec_each (struct named, named, &script->named) {
            if (!named->assertion) continue;
            if (space) text_add(&out, " ");
            script_print_symbol_name(&out, script->symbols.at[named->symbol].name);
            space = true;
        }
    }
    fprintf(script->out, "(%s)\n", out.at ? out.at : "");
    text_free(&out);
}

// ---- Options and information ----

static void set_logic(struct script *script, uint32_t cell) {
    static const char *const known[] = {"QF_BV", "QF_ABV",  "QF_AUFBV", "QF_UFBV",  "QF_AX",      "QF_UF",
                                        "QF_FP", "QF_BVFP", "QF_FPBV",  "QF_ABVFP", "QF_AUFBVFP", "ALL"};
    if (!want_arguments(script, cell, 1, 1)) return;
    uint32_t name = argument(script, cell, 1);
    bool found = false;
    for (unsigned i = 0; i < COUNT(known); i++) found = found || cell_is(script, name, known[i]);
    if (!found)
        script_error(script, name,
                     "unsupported logic '%.60s'; supported are QF_BV, QF_ABV, QF_UFBV, QF_AUFBV, QF_FP, "
                     "QF_BVFP, QF_ABVFP",
                     cell_text(script, name));
    else
        success(script);
}

static void set_option(struct script *script, uint32_t cell) {
    if (!want_arguments(script, cell, 1, 2)) return;
    uint32_t keyword = argument(script, cell, 1), value = argument(script, cell, 2);
    if (cell_at(script, keyword)->token != TOKEN_KEYWORD) {
        script_error(script, keyword, "expected a keyword");
        return;
    }
    const char *name = cell_text(script, keyword);
    if (strcmp(name, ":print-success") == 0) {
        script->print_success = cell_is(script, value, "true");
    } else if (strcmp(name, ":global-declarations") == 0) {
        script->global_declarations = cell_is(script, value, "true");
    } else if (value && script->solver && script->solver->option) {
        text_clear(&script->info);
        cell_print(script, &script->info, value);
        script->solver->option(script->solver->context, name, script->info.at);
    }
    success(script);
}

static void get_info(struct script *script, uint32_t cell) {
    if (!want_arguments(script, cell, 1, 1)) return;
    const char *name = cell_text(script, argument(script, cell, 1));
    if (strcmp(name, ":name") == 0)
        fprintf(script->out, "(:name \"Tamar\")\n");
    else if (strcmp(name, ":version") == 0)
        fprintf(script->out, "(:version \"" VERSION_TEXT "\")\n");
    else if (strcmp(name, ":authors") == 0)
        fprintf(script->out, "(:authors \"the authors of Tamar\")\n");
    else if (strcmp(name, ":error-behavior") == 0)
        fprintf(script->out, "(:error-behavior %s)\n",
                script->options->stop_on_error ? "immediate-exit" : "continued-execution");
    else if (strcmp(name, ":reason-unknown") == 0)
        fprintf(script->out, "(:reason-unknown \"%s\")\n",
                script->answer == SMTLIB_UNKNOWN ? script->reason : "");
    else if (strcmp(name, ":assertion-stack-levels") == 0)
        fprintf(script->out, "(:assertion-stack-levels %u)\n", script->levels.count);
    else if (strcmp(name, ":all-statistics") == 0 && script->solver->statistics)
        script->solver->statistics(script->solver->context, script->out);
    else
        fprintf(script->out, "unsupported\n");
}

static void echo(struct script *script, uint32_t cell) {
    if (!want_arguments(script, cell, 1, 1)) return;
    struct text out = {0};
    for (const char *p = cell_text(script, argument(script, cell, 1)); *p; p++)
        text_add(&out, *p == '"' ? "\"\"" : "%c", *p);
    fprintf(script->out, "\"%s\"\n", out.at ? out.at : "");
    text_free(&out);
}

// ---- Start, reset, dispatch ----

static void forget_all(struct script *script, bool keep_declarations) {
    if (!keep_declarations) script_unbind_symbols(script, 0);
    vec_clear(&script->assertions);
    script->refused = 0;
    vec_clear(&script->named);
    vec_clear(&script->levels);
    vec_clear(&script->assumptions);
    script->has_model = false;
    script->answer = SMTLIB_UNKNOWN;
}

static void script_start(struct script *script, struct terms *terms) {
    script->terms = terms;
    vec_push(&script->symbols, (struct symbol){0});
    script_register_builtins(script);
}

static void script_free(struct script *script) {
    vec_each (struct symbol, symbol, &script->symbols) {
        if (symbol->name) mem_free_string(symbol->name);
    }
    vec_free(&script->symbols);
    map_free(&script->symbol_map);
    vec_free(&script->cells);
    vec_free(&script->bindings);
    vec_free(&script->parameters);
    vec_free(&script->assertions);
    vec_free(&script->named);
    vec_free(&script->levels);
    vec_free(&script->frames);
    vec_free(&script->values);
    vec_free(&script->assumptions);
    vec_free(&script->assumption_texts);
    text_free(&script->assumption_text);
    text_free(&script->texts);
    text_free(&script->message);
    text_free(&script->info);
}

static void reset(struct script *script) {
    forget_all(script, false);
    script->global_declarations = false;
    struct terms *old = script->terms;
    script->terms = terms_new();
    vec_clear(&script->parameters);
    vec_each (struct symbol, symbol, &script->symbols) symbol->declared = 0;
    script->print_success = false;
    if (script->solver) script->solver->reset(script->solver->context, script->terms);
    terms_free(old);
    success(script);
}

static bool run_state_command(struct script *script, uint32_t cell, const char *name) {
    if (strcmp(name, "assert") == 0)
        assert_command(script, cell);
    else if (strcmp(name, "declare-const") == 0 || strcmp(name, "declare-fun") == 0)
        declare(script, cell, strcmp(name, "declare-fun") == 0);
    else if (strcmp(name, "define-fun") == 0 || strcmp(name, "define-const") == 0)
        define(script, cell, strcmp(name, "define-fun") == 0);
    else if (strcmp(name, "define-sort") == 0)
        define_sort(script, cell);
    else if (strcmp(name, "push") == 0)
        push_levels(script, cell);
    else if (strcmp(name, "pop") == 0)
        pop_levels(script, cell);
    else if (strcmp(name, "set-logic") == 0)
        set_logic(script, cell);
    else if (strcmp(name, "set-option") == 0)
        set_option(script, cell);
    else if (strcmp(name, "set-info") == 0)
        success(script);
    else if (strcmp(name, "exit") == 0)
        script->exiting = true;
    else if (strcmp(name, "reset-assertions") == 0) {
        forget_all(script, script->global_declarations);
        success(script);
    } else
        return false;
    return true;
}

static bool run_answer_command(struct script *script, uint32_t cell, const char *name) {
    if (strcmp(name, "check-sat") == 0)
        check_sat(script, cell);
    else if (strcmp(name, "check-sat-assuming") == 0)
        check_sat_assuming(script, cell);
    else if (strcmp(name, "get-model") == 0)
        get_model(script, cell);
    else if (strcmp(name, "get-value") == 0)
        get_value(script, cell);
    else if (strcmp(name, "get-assignment") == 0)
        get_assignment(script, cell);
    else if (strcmp(name, "get-unsat-assumptions") == 0)
        get_unsat(script, cell, true);
    else if (strcmp(name, "get-unsat-core") == 0)
        get_unsat(script, cell, false);
    else if (strcmp(name, "get-info") == 0)
        get_info(script, cell);
    else if (strcmp(name, "get-option") == 0)
        fprintf(script->out, "unsupported\n");
    else if (strcmp(name, "echo") == 0)
        echo(script, cell);
    else if (strcmp(name, "reset") == 0)
        reset(script);
    else
        return false;
    return true;
}

static void script_command(struct script *script, uint32_t cell) {
    uint32_t head = cell_at(script, cell)->token == TOKEN_OPEN ? cell_at(script, cell)->child : 0;
    if (!head || cell_at(script, head)->token != TOKEN_SYMBOL) {
        script_error(script, cell, "expected a command");
        return;
    }
    const char *name = cell_text(script, head);
    if (run_state_command(script, cell, name)) {
        script->refused += script->failed && strcmp(name, "assert") == 0;
        return;
    }
    if (script->reading_only) {
        if (strcmp(name, "reset") == 0)
            script_error(script, head, "reset cannot be read as a set of conditions");
        return;
    }
    if (!run_answer_command(script, cell, name))
        script_error(script, head, "unknown or unsupported command '%.60s'", name);
}

static void report(struct script *script) {
    fputs("(error \"", script->out);
    for (const char *p = script->message.at; *p; p++) {
        if (*p == '"') fputc('"', script->out);
        fputc(*p, script->out);
    }
    fputs("\")\n", script->out);
    fflush(script->out);
    script->result.errors++;
}

struct smtlib_result smtlib_run(FILE *in, FILE *out, const struct smtlib_solver *solver,
                                const struct smtlib_options *options) {
    static const struct smtlib_options defaults = {0};
    struct script script = {.out = out, .solver = solver, .options = options ? options : &defaults};
    lexer_init_file(&script.lexer, in);
    script_start(&script, terms_new());
    solver->reset(solver->context, script.terms);
    while (!script.exiting) {
        script.failed = false;
        uint32_t cell = script_read_cell(&script);
        if (!cell && !script.failed) break;
        if (cell)
            script_command(&script, cell);
        else
            script.refused++; // it may have been an assertion
        if (!script.failed) continue;
        report(&script);
        if (script.options->stop_on_error) break;
    }
    struct smtlib_result result = script.result;
    struct terms *terms = script.terms;
    script_free(&script);
    solver->reset(solver->context, NULL);
    terms_free(terms);
    return result;
}

Term *smtlib_read_conditions(struct terms *terms, const char *text, size_t size, size_t *count,
                             char **error) {
    static const struct smtlib_options defaults = {0};
    struct script script = {.options = &defaults, .reading_only = true};
    lexer_init_text(&script.lexer, text, size);
    script_start(&script, terms);
    while (!script.exiting && !script.failed) {
        uint32_t cell = script_read_cell(&script);
        if (!cell) break;
        script_command(&script, cell);
    }
    Term *conditions = NULL;
    *error = script.failed ? mem_strdup(script.message.at) : NULL;
    *count = script.failed ? 0 : script.assertions.count;
    if (!script.failed) {
        conditions = mem_alloc(MAX(*count, 1u) * sizeof(Term));
        if (*count) memcpy(conditions, script.assertions.at, *count * sizeof(Term));
    }
    script_free(&script);
    return conditions;
}
