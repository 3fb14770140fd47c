// Inputs, their bytes as variables, and declared arrays.
#include "expr/expr_int.h"

// Finds a name by its hash; on a collision the next key is tried.
static uint64_t *name_slot(struct terms *terms, const char *name, bool arrays, bool make) {
    uint64_t hash = hash_bytes(name, strlen(name), arrays) >> 1;
    for (;; hash = (hash + 1) & (UINT64_MAX >> 1)) {
        uint64_t *slot = map_get(&terms->input_names, hash);
        if (!slot) return make ? map_put(&terms->input_names, hash) : NULL;
        bool is_array_name = *slot & 1;
        uint64_t i = *slot >> 1;
        const char *other = is_array_name ? terms->arrays.at[i].name : terms->inputs.at[i].name;
        if (is_array_name == arrays && strcmp(other, name) == 0) return slot;
    }
}

uint32_t terms_find_input(const struct terms *terms, const char *name) {
    uint64_t *slot = name_slot((struct terms *)terms, name, false, false);
    return slot ? (uint32_t)(*slot >> 1) : UINT32_MAX;
}

void terms_grow_input(struct terms *terms, uint32_t input, uint32_t size) {
    assert(input < terms->inputs.count);
    struct input *at = &terms->inputs.at[input];
    if (size <= at->size) return;
    struct chunk chunk = {at->size, terms->vars.count, size - at->size};
    struct chunk *last = at->chunks.count ? vec_last(&at->chunks) : NULL;
    if (last && last->first_var + last->count == chunk.first_var)
        last->count += chunk.count;
    else
        vec_push(&at->chunks, chunk);
    vec_reserve(&terms->vars, chunk.count);
    for (uint32_t i = at->size; i < size; i++) vec_push(&terms->vars, ((struct var){input, i}));
    at->size = size;
}

uint32_t terms_input(struct terms *terms, const char *name, uint32_t size) {
    uint32_t input = terms_find_input(terms, name);
    if (input == UINT32_MAX) {
        input = terms->inputs.count;
        *name_slot(terms, name, false, true) = (uint64_t)input << 1;
        vec_push(&terms->inputs, ((struct input){.name = mem_strdup(name)}));
    }
    terms_grow_input(terms, input, size);
    return input;
}

uint32_t terms_input_count(const struct terms *terms) { return terms->inputs.count; }

const char *terms_input_name(const struct terms *terms, uint32_t input) {
    assert(input < terms->inputs.count);
    return terms->inputs.at[input].name;
}

uint32_t terms_input_size(const struct terms *terms, uint32_t input) {
    assert(input < terms->inputs.count);
    return terms->inputs.at[input].size;
}

uint32_t terms_var_count(const struct terms *terms) { return terms->vars.count; }

uint32_t terms_input_var(const struct terms *terms, uint32_t input, uint32_t index) {
    assert(input < terms->inputs.count && index < terms->inputs.at[input].size);
    const struct input *at = &terms->inputs.at[input];
    uint32_t i = at->chunks.count - 1;
    while (at->chunks.at[i].start > index) i--;
    return at->chunks.at[i].first_var + (index - at->chunks.at[i].start);
}

bool terms_var_is_array(const struct terms *terms, uint32_t var) {
    assert(var < terms->vars.count);
    return terms->vars.at[var].input == UINT32_MAX;
}

uint32_t terms_var_input(const struct terms *terms, uint32_t var) {
    assert(!terms_var_is_array(terms, var));
    return terms->vars.at[var].input;
}

uint32_t terms_var_index(const struct terms *terms, uint32_t var) {
    assert(!terms_var_is_array(terms, var));
    return terms->vars.at[var].index;
}

const char *terms_array_name(const struct terms *terms, uint32_t var) {
    assert(terms_var_is_array(terms, var));
    return terms->arrays.at[terms->vars.at[var].index].name;
}

unsigned terms_array_element_width(const struct terms *terms, uint32_t var) {
    assert(terms_var_is_array(terms, var));
    return terms->arrays.at[terms->vars.at[var].index].element_width;
}

Term term_var_byte(struct terms *terms, uint32_t var) {
    assert(!terms_var_is_array(terms, var));
    struct node node = {.kind = KIND_BYTE, .width = 8, .args = {var}};
    return node_intern(terms, &node);
}

Term term_byte(struct terms *terms, uint32_t input, uint32_t index) {
    return term_var_byte(terms, terms_input_var(terms, input, index));
}

Term term_input_bits(struct terms *terms, uint32_t input, uint32_t from, uint32_t count) {
    assert(count >= 1 && count <= TERM_MAX_WIDTH / 8);
    Term t = term_byte(terms, input, from);
    for (uint32_t i = 1; i < count; i++) t = term_concat(terms, term_byte(terms, input, from + i), t);
    return t;
}

Term term_variable(struct terms *terms, const char *name, unsigned width) {
    assert(width >= 1 && width <= TERM_MAX_WIDTH);
    uint32_t bytes = (width + 7) / 8;
    uint32_t input = terms_input(terms, name, bytes);
    if (width % 8 == 0) return term_input_bits(terms, input, 0, bytes);
    Term top = term_extract(terms, term_byte(terms, input, bytes - 1), 0, width % 8);
    return bytes == 1 ? top : term_concat(terms, top, term_input_bits(terms, input, 0, bytes - 1));
}

Term term_input_array(struct terms *terms, uint32_t input, uint32_t size, unsigned index_width) {
    assert(size <= terms_input_size(terms, input) && index_width >= 1 && index_width <= TERM_MAX_WIDTH);
    if (size == 0) return term_array_const(terms, index_width, term_const(terms, 8, 0));
    struct node node = {.kind = KIND_ARRAY_INPUT, .width = 8, .aux = index_width, .args = {input, size}};
    return node_intern(terms, &node);
}

Term term_array_variable(struct terms *terms, const char *name, unsigned index_width,
                         unsigned element_width) {
    uint64_t *slot = name_slot(terms, name, true, false);
    uint32_t i;
    if (slot) {
        i = (uint32_t)(*slot >> 1);
        const struct declared_array *array = &terms->arrays.at[i];
        if (array->index_width != index_width || array->element_width != element_width) return 0;
    } else {
        i = terms->arrays.count;
        *name_slot(terms, name, true, true) = (uint64_t)i << 1 | 1;
        struct declared_array array = {mem_strdup(name), (uint16_t)index_width, (uint16_t)element_width,
                                       terms->vars.count};
        vec_push(&terms->arrays, array);
        vec_push(&terms->vars, ((struct var){UINT32_MAX, i}));
    }
    struct node node = {.kind = KIND_ARRAY_VAR,
                        .width = (uint16_t)element_width,
                        .aux = index_width,
                        .args = {terms->arrays.at[i].var}};
    return node_intern(terms, &node);
}
