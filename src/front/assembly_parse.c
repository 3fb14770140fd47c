// Parses the text of inline assembly into instructions. It is in AT&T syntax, as LLVM stores it: $0 and ${0:b} are
// operands, $$ is a dollar sign.
#include "front/assembly.h"

#include <ctype.h>
#include <stdlib.h>

struct cursor {
    const char *at, *end;
};

static void skip_blanks(struct cursor *c) {
    while (c->at < c->end && (*c->at == ' ' || *c->at == '\t')) c->at++;
}

static bool take(struct cursor *c, char wanted) {
    skip_blanks(c);
    if (c->at >= c->end || *c->at != wanted) return false;
    c->at++;
    return true;
}

static bool take_number(struct cursor *c, int64_t *value) {
    skip_blanks(c);
    char digits[32];
    size_t length = MIN((size_t)(c->end - c->at), sizeof digits - 1);
    memcpy(digits, c->at, length);
    digits[length] = 0;
    char *rest;
    uint64_t magnitude = strtoull(*digits == '-' ? digits + 1 : digits, &rest, 0);
    if (rest == digits + (*digits == '-')) return false;
    *value = (int64_t)(*digits == '-' ? 0 - magnitude : magnitude);
    c->at += rest - digits;
    return true;
}

// ---- registers

static bool named_register(const char *name, size_t length, struct asm_place *place) {
    static const char *const names[4][ASM_REGISTERS] = {
        {"al", "cl", "dl", "bl", "spl", "bpl", "sil", "dil", "r8b", "r9b", "r10b", "r11b", "r12b", "r13b",
         "r14b", "r15b"},
        {"ax", "cx", "dx", "bx", "sp", "bp", "si", "di", "r8w", "r9w", "r10w", "r11w", "r12w", "r13w", "r14w",
         "r15w"},
        {"eax", "ecx", "edx", "ebx", "esp", "ebp", "esi", "edi", "r8d", "r9d", "r10d", "r11d", "r12d", "r13d",
         "r14d", "r15d"},
        {"rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12", "r13",
         "r14", "r15"}};
    static const char *const high[] = {"ah", "ch", "dh", "bh"};
    *place = (struct asm_place){.kind = ASM_REGISTER};
    for (unsigned size = 0; size < 4; size++)
        for (unsigned i = 0; i < ASM_REGISTERS; i++)
            if (strlen(names[size][i]) == length && !memcmp(names[size][i], name, length)) {
                place->number = (uint8_t)i;
                place->width = (uint8_t)(8 << size);
                return true;
            }
    for (unsigned i = 0; i < COUNT(high); i++)
        if (length == 2 && !memcmp(high[i], name, 2)) {
            place->number = (uint8_t)i;
            place->width = 8;
            place->high = true;
            return true;
        }
    return false;
}

static bool take_register(struct cursor *c, struct asm_place *place) {
    size_t length = 0;
    while (c->at + length < c->end && isalnum((unsigned char)c->at[length])) length++;
    bool known = named_register(c->at, length, place);
    c->at += length;
    return known;
}

// ---- operands of the statement: after the dollar sign

static unsigned modifier_width(char modifier) {
    switch (modifier) {
    case 'b':
    case 'h': return 8;
    case 'w': return 16;
    case 'k': return 32;
    case 'q': return 64;
    default: return 0;
    }
}

static bool take_operand(struct cursor *c, struct asm_place *place) {
    int64_t number;
    bool braces = take(c, '{');
    if (!take_number(c, &number) || number < 0 || number >= ASM_MOST_CONSTRAINTS) return false;
    *place = (struct asm_place){.kind = ASM_OPERAND, .number = (uint8_t)number};
    if (!braces) return true;
    if (take(c, ':')) {
        if (c->at >= c->end) return false;
        char modifier = *c->at++;
        place->width = (uint8_t)modifier_width(modifier);
        place->high = modifier == 'h';
        if (!place->width && modifier != 'c' && modifier != 'P' && modifier != 'a') return false;
    }
    return take(c, '}');
}

// A part of an address: a 64-bit register or an operand of the statement.
static bool take_address_part(struct cursor *c, struct asm_place *part) {
    bool good = take(c, '%') ? take_register(c, part) : take(c, '$') && take_operand(c, part);
    return good && (part->kind == ASM_OPERAND || part->width == 64);
}

// "(%rsi)", "($1)", "(%rsi,$1,4)": after the displacement.
static bool take_address(struct cursor *c, struct asm_place *place) {
    struct asm_place base = {0}, index = {0};
    int64_t scale = 0;
    skip_blanks(c);
    place->no_base = c->at < c->end && *c->at == ',';
    if (!place->no_base && !take_address_part(c, &base)) return false;
    if (take(c, ',')) {
        scale = 1;
        if (!take_address_part(c, &index)) return false;
        if (take(c, ',') && (!take_number(c, &scale) || scale < 1 || scale > 8 || (scale & (scale - 1))))
            return false;
    }
    if (!take(c, ')')) return false;
    place->kind = ASM_MEMORY;
    place->number = base.number;
    place->base_is_operand = base.kind == ASM_OPERAND;
    place->index = index.number;
    place->index_is_operand = index.kind == ASM_OPERAND;
    place->scale = (uint8_t)scale;
    return true;
}

static bool take_place(struct cursor *c, struct asm_place *place) {
    *place = (struct asm_place){0};
    if (take(c, '%')) return take_register(c, place);
    if (take(c, '$')) {
        if (!take(c, '$')) return take_operand(c, place);
        place->kind = ASM_IMMEDIATE;
        return take_number(c, &place->value);
    }
    skip_blanks(c);
    if (c->at < c->end && *c->at != '(' && !take_number(c, &place->value)) return false;
    return take(c, '(') && take_address(c, place);
}

// ---- instructions

static const struct {
    const char *name;
    unsigned prefix;
} prefixes[] = {{"rep", ASM_REP},     {"repe", ASM_REP},  {"repz", ASM_REP}, {"repne", ASM_REPNE},
                {"repnz", ASM_REPNE}, {"lock", ASM_LOCK}, {"data16", 0},     {"notrack", 0}};

static unsigned prefix_index(const char *name) {
    unsigned i = 0;
    while (i < COUNT(prefixes) && strcmp(prefixes[i].name, name) != 0) i++;
    return i;
}

static bool take_name(struct cursor *c, char *name, size_t size) {
    skip_blanks(c);
    size_t length = 0;
    while (c->at < c->end && isalnum((unsigned char)*c->at) && length + 1 < size)
        name[length++] = (char)tolower((unsigned char)*c->at++);
    name[length] = 0;
    bool whole = c->at >= c->end || *c->at == ' ' || *c->at == '\t';
    return length && whole;
}

// Directives without an effect: an alignment of the code.
static bool is_alignment(const struct cursor *line) {
    static const char *const names[] = {".p2align", ".align", ".balign"};
    for (unsigned i = 0; i < COUNT(names); i++) {
        size_t length = strlen(names[i]);
        if ((size_t)(line->end - line->at) > length && !memcmp(line->at, names[i], length)) return true;
    }
    return false;
}

// Instructions that are written as bytes, for old assemblers: replaces the line by the instruction's name.
static void name_bytes(struct cursor *line) {
    static const struct {
        unsigned count;
        uint8_t bytes[4];
        const char *name;
    } known[] = {{2, {0x0f, 0xa2}, "cpuid"},
                 {2, {0xf3, 0x90}, "pause"},
                 {2, {0x0f, 0x31}, "rdtsc"},
                 {4, {0x48, 0x0f, 0xc7, 0xf0}, "rdrand %rax"},
                 {3, {0x0f, 0xc7, 0xf0}, "rdrand %eax"}};
    if (line->end - line->at < 6 || memcmp(line->at, ".byte", 5) != 0) return;
    struct cursor at = {line->at + 5, line->end};
    uint8_t bytes[4];
    unsigned count = 0;
    int64_t value;
    do {
        if (count == COUNT(bytes) || !take_number(&at, &value)) return;
        bytes[count++] = (uint8_t)value;
    } while (take(&at, ','));
    for (unsigned i = 0; i < COUNT(known); i++)
        if (known[i].count == count && !memcmp(known[i].bytes, bytes, count))
            *line = (struct cursor){known[i].name, known[i].name + strlen(known[i].name)};
}

// Parses one line. A prefix may be alone on a line: its instruction is on the next one.
static bool parse_line(struct cursor line, struct asm_text *text, unsigned *open) {
    struct asm_instruction insn = {.prefixes = *open};
    skip_blanks(&line);
    if (line.at >= line.end || is_alignment(&line)) return true;
    name_bytes(&line);
    for (;;) {
        if (!take_name(&line, insn.name, sizeof insn.name)) return false;
        unsigned prefix = prefix_index(insn.name);
        if (prefix >= COUNT(prefixes)) break;
        insn.prefixes |= prefixes[prefix].prefix;
        skip_blanks(&line);
        if (line.at >= line.end) {
            *open = insn.prefixes;
            return true;
        }
    }
    *open = 0;
    skip_blanks(&line);
    while (line.at < line.end) {
        if (insn.count >= ASM_MOST_OPERANDS || (insn.count && !take(&line, ','))) return false;
        if (!take_place(&line, &insn.at[insn.count++])) return false;
        skip_blanks(&line);
    }
    if (text->count >= ASM_MOST_INSTRUCTIONS) return false;
    text->at[text->count++] = insn;
    return true;
}

// Normalises the text: "$(add $1, $0$|add $0, $1$)" has one alternative per dialect, of which the first is AT&T's.
// Comments are removed, and all line ends become '\n'.
static size_t plain_text(const char *text, size_t length, char *out) {
    size_t count = 0;
    bool other = false;
    for (size_t i = 0; i < length; i++) {
        char next = i + 1 < length ? text[i + 1] : 0;
        if (text[i] == '$' && (next == '(' || next == '|' || next == ')')) {
            other = next == '|';
            i++;
        } else if (text[i] == '#') {
            while (i < length && text[i] != '\n') i++;
            out[count++] = '\n';
        } else if (text[i] == '/' && next == '*') {
            while (i + 1 < length && (text[i] != '*' || text[i + 1] != '/')) i++;
            i++;
        } else if (!other) {
            out[count++] = text[i] == ';' ? '\n' : text[i];
        }
    }
    return count;
}

bool assembly_parse(const char *text, size_t length, struct asm_text *result) {
    *result = (struct asm_text){0};
    char *plain = NEW_ARRAY(char, length + 1);
    size_t count = plain_text(text, length, plain);
    unsigned open = 0;
    bool good = true;
    for (size_t at = 0; at < count && good;) {
        size_t end = at;
        while (end < count && plain[end] != '\n') end++;
        good = parse_line((struct cursor){plain + at, plain + end}, result, &open);
        at = end + 1;
    }
    DELETE_ARRAY(plain, length + 1);
    return good && !open;
}
