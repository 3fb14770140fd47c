// The language of strategies:
//   expression = name [ "(" argument { "," argument } ")" ] ;
//   argument = expression | number
#include "base/arena.h"
#include "base/suggest.h"
#include "base/vec.h"
#include "search/fork_tree.h"
#include "search/search_int.h"

#include <ctype.h>
#include <stdlib.h>

#define DEEPEST 32u // nesting of strategies

const struct strategy_class *const strategy_classes[] = {
#define STRATEGY(name) &strategy_##name,
    STRATEGY_TABLE(STRATEGY)
#undef STRATEGY
        NULL};

struct strategy_parser {
    struct arena *arena;
    const char *text, *at;
    struct search_error *error;
    uint32_t depth;
};

static struct expression *fail(struct strategy_parser *parser, const char *at, const char *message) {
    *parser->error = (struct search_error){message, (uint32_t)(at - parser->text), NULL};
    return NULL;
}

static void skip_space(struct strategy_parser *parser) {
    while (isspace((unsigned char)*parser->at)) parser->at++;
}

static bool take(struct strategy_parser *parser, char c) {
    skip_space(parser);
    if (*parser->at != c) return false;
    parser->at++;
    return true;
}

static bool is_name(char c) { return isalnum((unsigned char)c) || c == '-' || c == '_'; }

static struct expression *parse_expression(struct strategy_parser *parser);

// Returns the letter of the argument expected at this index, 0 if there is none. Sets *may_end if the list
// may end here.
static char expected_at(const char *arguments, uint32_t index, bool *may_end) {
    uint32_t letters = (uint32_t)strcspn(arguments, "+?");
    char mark = arguments[letters];
    *may_end = index >= letters || (mark == '?' && index + 1 == letters);
    if (index < letters) return arguments[index];
    return mark == '+' ? arguments[letters - 1] : 0;
}

static struct expression *parse_number(struct strategy_parser *parser) {
    char *end;
    skip_space(parser);
    const char *start = parser->at;
    struct expression *number = ARENA_NEW(parser->arena, struct expression);
    number->offset = (uint32_t)(start - parser->text);
    if (!isdigit((unsigned char)*start) && *start != '.')
        return fail(parser, start, "a number is expected here");
    number->number = strtod(start, &end);
    parser->at = end;
    if (!(number->number > 0) || number->number > 1e18)
        return fail(parser, start, "the number must be greater than 0");
    return number;
}

static struct expression *parse_arguments(struct strategy_parser *parser, struct expression *expression) {
    vec(struct expression *) arguments = {0};
    const struct strategy_class *class = expression->class;
    bool may_end, ok = true;
    do {
        char kind = expected_at(class->arguments, arguments.count, &may_end);
        skip_space(parser);
        struct expression *argument = !kind         ? fail(parser, parser->at, "there are too many arguments")
                                      : kind == 'N' ? parse_number(parser)
                                                    : parse_expression(parser);
        ok = argument != NULL;
        if (ok) vec_push(&arguments, argument);
    } while (ok && take(parser, ','));
    if (ok) {
        expected_at(class->arguments, arguments.count, &may_end);
        skip_space(parser);
        if (*parser->at != ')')
            ok = fail(parser, parser->at,
                      *parser->at ? "',' or ')' is expected here" : "a ')' is missing at the end");
        else if (!may_end)
            ok = fail(parser, parser->at, "an argument is missing before this ')'");
        else
            parser->at++;
    }
    if (ok) {
        expression->count = arguments.count;
        expression->arguments =
            arena_memdup(parser->arena, arguments.at, arguments.count * sizeof *expression->arguments);
    }
    vec_free(&arguments);
    return ok ? expression : NULL;
}

static const struct strategy_class *find_class(struct strategy_parser *parser, const char *start,
                                               size_t length) {
    char *name = arena_memdup(parser->arena, start, length + 1);
    name[length] = 0;
    struct suggestion nearest = {.typed = name};
    for (const struct strategy_class *const *class = strategy_classes; *class; class ++) {
        if (!strcmp((*class)->name, name)) return *class;
        suggest_consider(&nearest, (*class)->name);
    }
    fail(parser, start, "there is no strategy of this name");
    parser->error->nearest = nearest.best;
    return NULL;
}

// Replaces a name by the expression that it abbreviates.
static struct expression *parse_meaning(struct strategy_parser *parser, const struct strategy_class *class,
                                        uint32_t offset) {
    struct search_error error;
    struct strategy_parser inner = {parser->arena, class->meaning, class->meaning, &error, parser->depth};
    struct expression *expression = parse_expression(&inner);
    assert(expression && !*inner.at);
    expression->offset = offset;
    return expression;
}

static struct expression *parse_expression(struct strategy_parser *parser) {
    skip_space(parser);
    const char *start = parser->at;
    while (is_name(*parser->at)) parser->at++;
    if (parser->at == start) return fail(parser, start, "a strategy is expected here");
    const struct strategy_class *class = find_class(parser, start, (size_t)(parser->at - start));
    if (!class) return NULL;
    if (parser->depth >= DEEPEST) return fail(parser, start, "strategies are nested too deeply");
    parser->depth++;
    struct expression *expression = NULL;
    bool may_end;
    if (class->meaning) {
        expression = parse_meaning(parser, class, (uint32_t)(start - parser->text));
    } else {
        expression = ARENA_NEW(parser->arena, struct expression);
        expression->class = class;
        expression->offset = (uint32_t)(start - parser->text);
        char kind = expected_at(class->arguments, 0, &may_end);
        skip_space(parser);
        const char *after = parser->at;
        if (!take(parser, '(')) {
            if (!may_end)
                expression = fail(parser, after, "this strategy needs arguments: a '(' is expected here");
        } else if (!kind) {
            expression = fail(parser, after, "this strategy takes no arguments");
        } else {
            expression = parse_arguments(parser, expression);
        }
    }
    parser->depth--;
    return expression;
}

// Counts the walkers of the fork tree that the expression makes: pending(S) makes S twice.
static uint64_t walkers_of(const struct expression *expression) {
    uint64_t walkers = expression->class == &strategy_rp;
    for (uint32_t i = 0; i < expression->count; i++)
        if (expression->arguments[i]->class) walkers += walkers_of(expression->arguments[i]);
    return expression->class == &strategy_pending ? 2 * walkers : walkers;
}

struct expression *parse_search(struct arena *arena, const char *text, struct search_error *error) {
    struct strategy_parser parser = {.arena = arena, .text = text, .at = text, .error = error};
    struct expression *expression = parse_expression(&parser);
    skip_space(&parser);
    if (expression && *parser.at) return fail(&parser, parser.at, "the strategy ends before this");
    if (expression && walkers_of(expression) > FORK_TREE_WALKERS / 2)
        return fail(&parser, text, "there are too many strategies that walk the tree of forks");
    return expression;
}

bool parse_is_backward(const struct expression *expression) {
    bool backward = expression->class && expression->class->backward;
    for (uint32_t i = 0; i < expression->count && !backward; i++)
        backward = parse_is_backward(expression->arguments[i]);
    return backward;
}

bool parse_is_pending(const struct expression *expression) {
    bool pending = expression->class && expression->class->pending;
    for (uint32_t i = 0; i < expression->count && !pending; i++)
        pending = parse_is_pending(expression->arguments[i]);
    return pending;
}

// ---- from an expression to strategies

struct strategy *strategy_new(struct search_context *context, const struct expression *expression) {
    struct strategy *strategy = expression->class->new(context, expression);
    strategy->class = expression->class;
    return strategy;
}

struct strategy *parse_argument_strategy(struct search_context *context, const struct expression *expression,
                                         uint32_t index) {
    assert(index < expression->count && expression->arguments[index]->class);
    return strategy_new(context, expression->arguments[index]);
}

double parse_argument_number(const struct expression *expression, uint32_t index, double otherwise) {
    return index < expression->count ? expression->arguments[index]->number : otherwise;
}
