// Prints values and models in SMT-LIB.
#include "expr/print_term.h"
#include "expr/smtlib_int.h"

void script_print_symbol_name(struct text *out, const char *name) {
    bool simple = *name && !(*name >= '0' && *name <= '9');
    for (const char *p = name; *p && simple; p++) {
        bool letter = (*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') || (*p >= '0' && *p <= '9');
        simple = letter || strchr("~!@$%^&*_-+=<>.?/", *p);
    }
    text_add(out, simple ? "%s" : "|%s|", name);
}

static void print_array_value(struct text *out, struct sort sort, const struct array_value *array) {
    char name[80];
    const uint64_t *index, *element;
    script_sort_text(sort, name, sizeof name);
    uint32_t count = 0;
    while (array_value_entry(array, count, &index, &element)) {
        text_add(out, "(store ");
        count++;
    }
    text_add(out, "((as const %s) ", name);
    smtlib_print_limbs(out, sort.width, array_value_default(array));
    text_add(out, ")");
    for (uint32_t i = 0; array_value_entry(array, i, &index, &element); i++) {
        text_add(out, " ");
        smtlib_print_limbs(out, sort.index_width, index);
        text_add(out, " ");
        smtlib_print_limbs(out, sort.width, element);
        text_add(out, ")");
    }
}

void script_print_value(struct script *script, struct text *out, struct value value,
                        struct evaluator *evaluator) {
    (void)script;
    if (value.sort.kind == SORT_ARRAY) {
        struct array_value *array = evaluate_array(evaluator, value.term);
        print_array_value(out, value.sort, array);
        array_value_free(array);
    } else if (value.sort.kind == SORT_BOOL) {
        text_add(out, evaluate(evaluator, value.term) ? "true" : "false");
    } else if (value.sort.kind == SORT_FLOAT) {
        script_print_float_value(out, value.sort, evaluate_limbs(evaluator, value.term));
    } else {
        smtlib_print_limbs(out, value.sort.width, evaluate_limbs(evaluator, value.term));
    }
}

void script_print_model(struct script *script, struct evaluator *evaluator) {
    struct text out = {0};
    text_add(&out, "(\n");
    vec_each (struct binding, binding, &script->bindings) {
        if (!binding->declared) continue;
        char sort[80];
        script_sort_text(binding->value.sort, sort, sizeof sort);
        text_add(&out, "  (define-fun ");
        script_print_symbol_name(&out, script->symbols.at[binding->symbol].name);
        text_add(&out, " ");
        if (binding->meaning == MEANS_FUNCTION) {
            script_print_function(script, &out, binding, evaluator);
        } else {
            text_add(&out, "() %s ", sort);
            script_print_value(script, &out, binding->value, evaluator);
        }
        text_add(&out, ")\n");
    }
    text_add(&out, ")\n");
    fputs(out.at, script->out);
    text_free(&out);
}
