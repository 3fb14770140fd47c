#include "ir/dictionary.h"

#include "base/hash.h"
#include "base/text.h"

#include <ctype.h>
#include <string.h>

#define SHORTEST 2u
#define LONGEST  32u
#define MOST     2000u // limit of words: fuzzers slow down with larger dictionaries

struct dictionary_words {
    struct text *to;
    struct map known; // hashes of the words added so far
};

// Adds a word. Quotes, backslashes and bytes that are not printable are written as \xNN.
static void add(struct dictionary_words *words, const uint8_t *bytes, uint32_t size) {
    assert(size >= 1 && size <= LONGEST);
    if (words->known.count >= MOST) return;
    uint64_t *known = map_put(&words->known, hash_bytes(bytes, size, size) >> 1);
    if (*known) return;
    *known = 1;
    text_add(words->to, "\"");
    for (uint32_t i = 0; i < size; i++)
        text_add(words->to, isprint(bytes[i]) && bytes[i] != '"' && bytes[i] != '\\' ? "%c" : "\\x%02x",
                 bytes[i]);
    text_add(words->to, "\"\n");
}

// Adds a number in both byte orders, as short as possible. Single bytes are left out: a fuzzer finds them without a
// dictionary.
static void add_number(struct dictionary_words *words, uint64_t value, uint32_t width) {
    uint8_t little[8], big[8];
    uint32_t size = 8;
    if (width < 64) value &= ((uint64_t)1 << width) - 1;
    int64_t negative = width >= 64 ? (int64_t)value : (int64_t)(value << (64 - width)) >> (64 - width);
    if (value <= 0xff || (negative < 0 && negative >= -0x100)) return;
    while (size > 2 && value >> (8 * (size / 2)) == 0) size /= 2;
    for (uint32_t i = 0; i < size; i++) {
        little[i] = (uint8_t)(value >> 8 * i);
        big[size - 1 - i] = little[i];
    }
    add(words, little, size);
    add(words, big, size);
}

static bool is_comparison(enum ir_fn fn) { return fn >= IR_FN_EQ && fn <= IR_FN_SGE; }

static void add_code(struct dictionary_words *words, const struct ir_function *function) {
    for (uint32_t i = 0; i < function->code_count; i += ir_op_info[function->code[i].op].words) {
        const struct ir_insn *insn = &function->code[i];
        const struct ir_op_info *info = &ir_op_info[insn->op];
        uint32_t width = info->width ? info->width : insn->aux;
        bool compares = is_comparison((enum ir_fn)info->fn);
        if (compares && (info->format == IR_FORMAT_RRI || info->format == IR_FORMAT_BRI))
            add_number(words, insn->b, width && width <= 64 ? width : 64);
        else if (compares && (info->format == IR_FORMAT_RRJ || info->format == IR_FORMAT_BRJ))
            add_number(words, (uint64_t)(int64_t)(int32_t)insn->b, 64);
        else if (info->format == IR_FORMAT_IMM) // a constant too large for the immediate of a comparison
            add_number(words, insn->a | (uint64_t)insn->b << 32, 64);
        else if (info->format == IR_FORMAT_SWITCH)
            for (uint32_t k = 0; k < function->switches[insn->b].count; k++)
                add_number(words, function->switches[insn->b].values[k], width ? width : 64);
    }
}

// Whether a constant is one string that is not text, such as the magic number "\x89PNG\r\n\x1a\n": a fuzzer does not
// find it. Messages (text with newlines or tabs) are not keywords.
static bool is_magic(const struct ir_global *global) {
    uint64_t length = global->size - 1;
    if (global->size < SHORTEST + 1 || length > LONGEST) return false;
    if (memchr(global->bytes, 0, global->size) != global->bytes + length) return false;
    for (uint64_t i = 0; i < length; i++)
        if (!isprint(global->bytes[i]) && global->bytes[i] != '\n' && global->bytes[i] != '\t') return true;
    return false;
}

// Adds the string constants of constant data: printable, each up to its NUL.
static void add_texts(struct dictionary_words *words, const struct ir_global *global) {
    if (is_magic(global)) {
        add(words, global->bytes, (uint32_t)(global->size - 1));
        return;
    }
    for (uint64_t at = 0, start = 0; at < global->size; at++) {
        if (isprint(global->bytes[at])) continue;
        uint64_t length = at - start;
        if (!global->bytes[at] && length >= SHORTEST && length <= LONGEST)
            add(words, global->bytes + start, (uint32_t)length);
        start = at + 1;
    }
}

void ir_add_dictionary(struct text *to, const struct ir_program *program) {
    struct dictionary_words words = {.to = to};
    for (uint32_t i = 0; i < program->function_count; i++)
        if (program->functions[i].code && !program->functions[i].runtime)
            add_code(&words, &program->functions[i]);
    for (uint32_t i = 0; i < program->global_count; i++)
        if (program->globals[i].readonly && program->globals[i].bytes && !program->globals[i].runtime)
            add_texts(&words, &program->globals[i]);
    map_free(&words.known);
}
