#include "state/inputs.h"

#include "base/arena.h"
#include "base/hash.h"
#include "base/run_limits.h"
#include "base/text.h"
#include "base/vec.h"
#include "expr/expr.h"

struct inputs {
    struct terms *terms;
    struct arena *names;
    vec(struct input_id) at;  // by number among the terms
    struct map numbers;       // hash of the identity -> number; collisions use the next key
    vec(const char *) given;  // names that programs gave to objects
    struct map given_numbers; // hash of a name -> index in `given`, with the same collision rule
};

// ---- the run

struct inputs *inputs_new(struct terms *terms) {
    assert(terms_input_count(terms) == 0);
    struct inputs *inputs = NEW(struct inputs);
    inputs->terms = terms;
    inputs->names = arena_new();
    return inputs;
}

void inputs_free(struct inputs *inputs) {
    if (!inputs) return;
    arena_free(inputs->names);
    vec_free(&inputs->at);
    vec_free(&inputs->given);
    map_free(&inputs->numbers);
    map_free(&inputs->given_numbers);
    DELETE(inputs);
}

// Returns the key of the identity, present or not; *number: its number, or NO_INPUT.
static uint64_t find_key(const struct inputs *inputs, struct input_id id, uint32_t *number) {
    uint64_t key = input_hash(id) >> 1;
    for (;; key = (key + 1) & (UINT64_MAX >> 1)) {
        const uint64_t *known = map_get(&inputs->numbers, key);
        *number = known ? (uint32_t)*known : NO_INPUT;
        if (!known || input_same(inputs->at.at[*known], id)) return key;
    }
}

uint32_t inputs_find(const struct inputs *inputs, struct input_id id) {
    uint32_t number;
    find_key(inputs, id, &number);
    return number;
}

static const char *keep_name(struct inputs *inputs, struct input_id id) {
    char *name = arena_alloc(inputs->names, id.name_length + 1); // zeroed
    if (id.name_length) memcpy(name, id.name, id.name_length);
    return name;
}

uint32_t inputs_get(struct inputs *inputs, struct input_id id, uint32_t size) {
    uint32_t number;
    uint64_t key = find_key(inputs, id, &number);
    if (number == NO_INPUT) {
        number = inputs->at.count;
        id.name = keep_name(inputs, id);
        vec_push(&inputs->at, id);
        *map_put(&inputs->numbers, key) = number;
        struct text name = {0};
        input_add_term_name(&name, id);
        uint32_t made = terms_input(inputs->terms, name.at, size);
        assert(made == number); // each identity has its own name
        (void)made;
        text_free(&name);
    } else if (size > terms_input_size(inputs->terms, number)) {
        terms_grow_input(inputs->terms, number, size);
    }
    return number;
}

struct input_id inputs_id(const struct inputs *inputs, uint32_t input) {
    assert(input < inputs->at.count);
    return inputs->at.at[input];
}

// Returns the number of a name that a program gave to an object.
static uint32_t intern_name(struct inputs *inputs, const char *name) {
    uint64_t key = hash_bytes(name, strlen(name), 0) >> 1;
    for (;; key = (key + 1) & (UINT64_MAX >> 1)) {
        const uint64_t *known = map_get(&inputs->given_numbers, key);
        if (!known) break;
        if (strcmp(inputs->given.at[*known], name) == 0) return (uint32_t)*known;
    }
    *map_put(&inputs->given_numbers, key) = inputs->given.count;
    vec_push(&inputs->given, arena_strdup(inputs->names, name));
    return inputs->given.count - 1;
}

// ---- a path

struct state_inputs state_inputs_fork(const struct state_inputs *inputs) {
    return (struct state_inputs){shared_list_fork(inputs->order), tree_copy(&inputs->sizes),
                                 tree_copy(&inputs->next)};
}

void state_inputs_free(struct state_inputs *inputs) {
    shared_list_free(inputs->order);
    tree_free(&inputs->sizes, NULL);
    tree_free(&inputs->next, NULL);
    *inputs = (struct state_inputs){0};
}

bool state_inputs_same(const struct state_inputs *a, const struct state_inputs *b) {
    return a->order.chunk == b->order.chunk && a->order.used == b->order.used &&
           a->sizes.root == b->sizes.root;
}

uint32_t state_inputs_count(const struct state_inputs *inputs) { return shared_list_count(inputs->order); }

void state_inputs_copy(const struct state_inputs *inputs, uint32_t *numbers) {
    shared_list_copy(inputs->order, numbers);
}

bool state_inputs_has(const struct state_inputs *inputs, uint32_t input) {
    return tree_get(&inputs->sizes, input) != 0;
}

uint32_t state_inputs_size(const struct state_inputs *inputs, uint32_t input) {
    assert(state_inputs_has(inputs, input));
    return (uint32_t)(tree_get(&inputs->sizes, input) - 1);
}

void state_inputs_use(struct state_inputs *inputs, uint32_t input, uint32_t size) {
    uint64_t known = tree_get(&inputs->sizes, input);
    assert(input != NO_INPUT);
    limits_hold(); // a limit must not interrupt between the two updates
    if (!known) shared_list_add(&inputs->order, input);
    if (known <= size) tree_put(&inputs->sizes, input, (uint64_t)size + 1, NULL);
    limits_release();
}

// The search for a free number begins where the last one for this name ended: all lower numbers are used on this
// path. It meets a used number only if the program gave an object that very name (`x#1`).
uint32_t state_inputs_add_object(struct state_inputs *inputs, struct inputs *all, const char *name,
                                 uint32_t size) {
    struct text clean = {0};
    text_add(&clean, "%s", name);
    for (char *at = clean.at; *at; at++) // objects have no colons in their names: other inputs do (vm.h)
        if (*at == ':') *at = '_';
    uint32_t given = intern_name(all, clean.at), index = (uint32_t)tree_get(&inputs->next, given), input;
    for (;; index++) {
        input = inputs_find(all, input_object(clean.at, index));
        if (input == NO_INPUT || !state_inputs_has(inputs, input)) break;
    }
    input = inputs_get(all, input_object(clean.at, index), size);
    tree_put(&inputs->next, given, (uint64_t)index + 1, NULL);
    state_inputs_use(inputs, input, size);
    text_free(&clean);
    return input;
}
