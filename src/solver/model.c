#include "solver/solver_int.h"

unsigned model_set_next(const struct set *set, unsigned from) {
    assert(from <= 256);
    for (unsigned word = from / 64; word < 4; word++, from = word * 64) {
        uint64_t rest = set->word[word] >> from % 64;
        if (rest) return from + (unsigned)__builtin_ctzll(rest);
    }
    return 256;
}

// A model is one allocation: the struct, its arrays if it has any, vars, values.
static size_t model_size(uint32_t count, bool arrays) {
    return sizeof(struct model) +
           count * ((arrays ? sizeof(struct shared_array *) : 0) + sizeof(uint32_t) + sizeof(uint8_t));
}

struct model *model_new(uint32_t count, bool arrays) {
    assert(count > 0);
    struct model *model = mem_alloc_zeroed(model_size(count, arrays));
    model->count = count;
    struct shared_array **after = (struct shared_array **)(model + 1);
    if (arrays) model->arrays = after;
    model->vars = (uint32_t *)(arrays ? after + count : after);
    model->values = (uint8_t *)(model->vars + count);
    return model;
}

struct shared_array *model_array_keep(struct shared_array *array) {
    assert(!array || array->references > 0);
    if (array) array->references++;
    return array;
}

void model_array_release(struct shared_array *array) {
    assert(!array || array->references > 0);
    if (!array || --array->references) return;
    array_value_free(array->value);
    DELETE(array);
}

void model_release(struct model *model) {
    if (!model) return;
    for (uint32_t i = 0; model->arrays && i < model->count; i++) model_array_release(model->arrays[i]);
    mem_free(model, model_size(model->count, model->arrays != NULL));
}

// The position of a var, or the model's count if it has no value.
static uint32_t find(const struct model *model, uint32_t var) {
    uint32_t low = 0, high = model->count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (model->vars[middle] < var)
            low = middle + 1;
        else
            high = middle;
    }
    return low < model->count && model->vars[low] == var ? low : model->count;
}

uint8_t model_byte(const struct model *model, uint32_t var, uint8_t otherwise) {
    uint32_t at = find(model, var);
    return at < model->count ? model->values[at] : otherwise;
}

struct shared_array *model_shared_array(const struct model *model, uint32_t var) {
    uint32_t at = model->arrays ? find(model, var) : model->count;
    return at < model->count ? model->arrays[at] : NULL;
}
