#include "output/testcomp.h"

#include <string.h>
#include <time.h>

static const char head[] = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n";

// Appends text, escaped for XML, which cannot represent most control characters at all.
static void add_escaped(struct text *to, const char *text) {
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (strchr("<>&\"'", c))
            text_add(to, "&#%u;", c);
        else
            text_add(to, "%c", c < 32 || c >= 127 ? '?' : c);
    }
}

static void add_element(struct text *to, const char *name, const char *value) {
    text_add(to, "  <%s>", name);
    add_escaped(to, value);
    text_add(to, "</%s>\n", name);
}

void testcomp_add_metadata(struct text *to, const struct testcomp_program *program) {
    char now[32];
    time_t seconds = time(NULL);
    struct tm parts;
    strftime(now, sizeof now, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&seconds, &parts));
    text_add(to, "%s", head);
    text_add(to,
             "<!DOCTYPE test-metadata PUBLIC \"+//IDN sosy-lab.org//DTD test-format test-metadata 1.1//EN\" "
             "\"https://sosy-lab.org/test-format/test-metadata-1.1.dtd\">\n<test-metadata>\n");
    add_element(to, "sourcecodelang", "C");
    add_element(to, "producer", program->producer);
    add_element(to, "specification",
                program->errors ? "COVER( init(main()), FQL(COVER EDGES(@CALL(reach_error))) )"
                                : "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )");
    add_element(to, "programfile", program->file);
    add_element(to, "programhash", program->hash);
    add_element(to, "entryfunction", "main");
    add_element(to, "architecture", "64bit");
    add_element(to, "creationtime", now);
    text_add(to, "</test-metadata>\n");
}

// ---- values: an input of __VERIFIER_nondet_X is named X, or X#N

static const struct {
    const char *name, *type;
    char kind; // s signed, u unsigned, f floating point
} types[] = {{"bool", "bool", 'u'},
             {"char", "char", 's'},
             {"schar", "signed char", 's'},
             {"uchar", "unsigned char", 'u'},
             {"u8", "unsigned char", 'u'},
             {"u16", "unsigned short", 'u'},
             {"u32", "unsigned int", 'u'},
             {"U32", "unsigned int", 'u'},
             {"short", "short", 's'},
             {"ushort", "unsigned short", 'u'},
             {"int", "int", 's'},
             {"uint", "unsigned int", 'u'},
             {"unsigned", "unsigned int", 'u'},
             {"long", "long", 's'},
             {"ulong", "unsigned long", 'u'},
             {"longlong", "long long", 's'},
             {"ulonglong", "unsigned long long", 'u'},
             {"int128", "__int128", 's'},
             {"uint128", "unsigned __int128", 'u'},
             {"loff_t", "long", 's'},
             {"sector_t", "unsigned long", 'u'},
             {"pthread_t", "unsigned long", 'u'},
             {"size_t", "unsigned long", 'u'},
             {"float", "float", 'f'},
             {"double", "double", 'f'}};

// Appends an integer of 16 bytes in decimal.
static void add_wide(struct text *to, const uint8_t *bytes, bool is_signed) {
    unsigned __int128 value = 0;
    char digits[40], *at = digits + sizeof digits;
    for (unsigned i = 0; i < 16; i++) value |= (unsigned __int128)bytes[i] << 8 * i;
    bool negative = is_signed && value >> 127;
    if (negative) value = -value;
    *--at = 0;
    do *--at = (char)('0' + (int)(value % 10));
    while (value /= 10);
    text_add(to, "%s%s", negative ? "-" : "", at);
}

static void add_value(struct text *to, const struct test_input *input, char kind) {
    if (input->size == 16) {
        add_wide(to, input->bytes, kind == 's');
        return;
    }
    uint64_t bits = 0;
    union {
        uint32_t bits;
        float number;
    } narrow;
    union {
        uint64_t bits;
        double number;
    } wide;
    for (uint32_t i = 0; i < input->size && i < 8; i++) bits |= (uint64_t)input->bytes[i] << 8 * i;
    wide.bits = bits;
    narrow.bits = (uint32_t)bits;
    if (kind == 'f')
        text_add(to, "%.17g", input->size == 4 ? (double)narrow.number : wide.number);
    else if (kind == 's' && input->size && input->size <= 8)
        text_add(to, "%lld", (long long)sign_extend(bits, 8 * input->size));
    else
        text_add(to, "%llu", (unsigned long long)bits);
}

// Memory (__VERIFIER_nondet_memory) is a sequence of bytes, each an input.
static void add_memory(struct text *to, const struct test_input *input) {
    for (uint32_t i = 0; i < input->size; i++)
        text_add(to, "  <input variable=\"memory[%u]\" type=\"unsigned char\">%u</input>\n", i,
                 input->bytes[i]);
}

bool testcomp_can_express(const struct test_case *test) {
    for (uint32_t i = 0; i < test->input_count; i++)
        if (test->inputs[i].kind != INPUT_OBJECT) return false;
    return true;
}

void testcomp_add_case(struct text *to, const struct test_case *test) {
    text_add(to, "%s", head);
    text_add(to,
             "<!DOCTYPE testcase PUBLIC \"+//IDN sosy-lab.org//DTD test-format testcase 1.1//EN\" "
             "\"https://sosy-lab.org/test-format/testcase-1.1.dtd\">\n<testcase%s>\n",
             test->outcome == TEST_BUG ? " coversError=\"true\"" : "");
    for (uint32_t i = 0; i < test->input_count; i++) {
        const struct test_input *input = &test->inputs[i];
        if (input->kind != INPUT_OBJECT) continue;
        struct input_id id = input_parse(input->kind, input->name);
        size_t k = 0;
        if (id.name_length == strlen("memory") && !memcmp(id.name, "memory", id.name_length)) {
            add_memory(to, input);
            continue;
        }
        while (k < COUNT(types) &&
               (strncmp(types[k].name, id.name, id.name_length) != 0 || types[k].name[id.name_length]))
            k++;
        text_add(to, "  <input variable=\"");
        add_escaped(to, input->name);
        text_add(to, "\"");
        if (k < COUNT(types)) text_add(to, " type=\"%s\"", types[k].type);
        text_add(to, ">");
        add_value(to, input, k < COUNT(types) ? types[k].kind : 'u');
        text_add(to, "</input>\n");
    }
    text_add(to, "</testcase>\n");
}
