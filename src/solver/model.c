#include "solver/solver_int.h"

unsigned set_next(const struct set *set, unsigned from) {
    for (unsigned word = from / 64; word < 4; word++, from = word * 64) {
        uint64_t rest = set->word[word] >> from % 64;
        if (rest) return from + (unsigned)__builtin_ctzll(rest);
    }
    return 256;
}

struct model *model_new(uint32_t count, bool arrays) {
    struct model *model = NEW(struct model);
    model->references = 1;
    model->count = count;
    model->vars = NEW_ARRAY(uint32_t, count);
    model->values = NEW_ARRAY(uint8_t, count);
    if (arrays) model->arrays = NEW_ARRAY(struct shared_array *, count);
    return model;
}

struct model *model_keep(struct model *model) {
    if (model) model->references++;
    return model;
}

struct shared_array *array_keep(struct shared_array *array) {
    if (array) array->references++;
    return array;
}

void array_release(struct shared_array *array) {
    if (!array || --array->references) return;
    array_value_free(array->value);
    DELETE(array);
}

void model_release(struct model *model) {
    if (!model || --model->references) return;
    for (uint32_t i = 0; model->arrays && i < model->count; i++) array_release(model->arrays[i]);
    if (model->arrays) DELETE_ARRAY(model->arrays, model->count);
    DELETE_ARRAY(model->vars, model->count);
    DELETE_ARRAY(model->values, model->count);
    DELETE(model);
}

// The position of a var, or the model's count.
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

const struct array_value *model_array(const struct model *model, uint32_t var) {
    const struct shared_array *array = model_shared_array(model, var);
    return array ? array->value : NULL;
}
