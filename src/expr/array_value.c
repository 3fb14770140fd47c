// The value of an array: a default, and exceptions sorted by index.
#include "base/vec.h"
#include "expr/eval.h"
#include "expr/limbs.h"

struct array_value {
    unsigned index_width, element_width;
    uint32_t index_limbs, row; // row: limbs of an index and an element
    uint32_t count;
    vec(uint64_t) rows;
    vec(uint64_t) otherwise;
};

struct array_value *array_value_new(unsigned index_width, unsigned element_width) {
    struct array_value *array = NEW(struct array_value);
    array->index_width = index_width;
    array->element_width = element_width;
    array->index_limbs = limbs_count(index_width);
    array->row = array->index_limbs + limbs_count(element_width);
    for (uint32_t i = 0; i < limbs_count(element_width); i++) vec_push(&array->otherwise, 0);
    return array;
}

void array_value_free(struct array_value *array) {
    if (!array) return;
    vec_free(&array->rows);
    vec_free(&array->otherwise);
    DELETE(array);
}

void array_value_set_default(struct array_value *array, const uint64_t *element) {
    limbs_copy(array->otherwise.at, element, array->element_width);
}

const uint64_t *array_value_default(const struct array_value *array) { return array->otherwise.at; }

// Index of the first row whose index is not below the given one.
static uint32_t find_row(const struct array_value *array, const uint64_t *index) {
    uint32_t low = 0, high = array->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (limbs_ult(&array->rows.at[(size_t)middle * array->row], index, array->index_width))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool row_is(const struct array_value *array, uint32_t row, const uint64_t *index) {
    return row < array->count &&
           limbs_eq(&array->rows.at[(size_t)row * array->row], index, array->index_width);
}

void array_value_set(struct array_value *array, const uint64_t *index, const uint64_t *element) {
    uint32_t row = find_row(array, index);
    if (!row_is(array, row, index)) {
        vec_reserve(&array->rows, array->row);
        uint64_t *at = &array->rows.at[(size_t)row * array->row];
        memmove(at + array->row, at, (size_t)(array->count - row) * array->row * sizeof *at);
        array->rows.count += array->row;
        array->count++;
        limbs_copy(at, index, array->index_width);
    }
    limbs_copy(&array->rows.at[(size_t)row * array->row + array->index_limbs], element, array->element_width);
}

const uint64_t *array_value_get(const struct array_value *array, const uint64_t *index) {
    uint32_t row = find_row(array, index);
    if (!row_is(array, row, index)) return array->otherwise.at;
    return &array->rows.at[(size_t)row * array->row + array->index_limbs];
}

bool array_value_entry(const struct array_value *array, uint32_t i, const uint64_t **index,
                       const uint64_t **element) {
    if (i >= array->count) return false;
    *index = &array->rows.at[(size_t)i * array->row];
    *element = *index + array->index_limbs;
    return true;
}

bool array_value_equal(const struct array_value *a, const struct array_value *b) {
    assert(a->index_width == b->index_width && a->element_width == b->element_width);
    const uint64_t *index, *element;
    uint64_t points = a->count;
    for (uint32_t i = 0; array_value_entry(a, i, &index, &element); i++)
        if (!limbs_eq(element, array_value_get(b, index), a->element_width)) return false;
    for (uint32_t i = 0; array_value_entry(b, i, &index, &element); i++) {
        if (!limbs_eq(element, array_value_get(a, index), a->element_width)) return false;
        points += !row_is(a, find_row(a, index), index);
    }
    // The defaults matter only if the exceptions do not cover every index.
    if (a->index_width < 32 && points >= (uint64_t)1 << a->index_width) return true;
    return limbs_eq(a->otherwise.at, b->otherwise.at, a->element_width);
}
