#include "symbolic_program.h"

#include "base/random.h"
#include "program_builder.h"

#include <string.h>

// Functions; the first ones have a body.
enum {
    F_MAIN,
    F_ONE,
    F_TWO,
    F_INPUT,
    F_CHOICE,
    F_START, // enters main: the first frame has no memory
    F_BODIES,
    F_SYMBOLIC = F_BODIES,
    F_CHOOSE,
    F_HOST_READ,
    F_ASSUME,
    F_ALLOC,
    F_FREE,
    F_EXIT,
    F_KILLED,
    F_STOP,
    F_REPORT,
    F_EVENT,
    F_PIN,
    F_COUNT
};
static const char *const names[F_COUNT] = {"main",
                                           "one",
                                           "two",
                                           "input",
                                           "choice",
                                           "__tamar_start",
                                           "__tamar_symbolic",
                                           "__tamar_choose",
                                           "__tamar_host_read",
                                           "__tamar_assume",
                                           "__tamar_alloc",
                                           "__tamar_free",
                                           "__tamar_exit",
                                           "__tamar_killed",
                                           "__tamar_stop",
                                           "__tamar_report",
                                           "__tamar_event",
                                           "__tamar_pin"};

// Registers of a function; the first three are its parameters.
#define VALUES   5
#define POINTERS 4
#define LOOPS    3
enum {
    R_DEPTH,                      // calls that may still follow
    R_VALUE,                      // values of 32 bits
    R_POINTER = R_VALUE + VALUES, // addresses
    R_LOOP = R_POINTER + POINTERS,
    R_NARROW = R_LOOP + LOOPS, // 8 or 16 bits
    R_WORD,                    // 32 bits
    R_OTHER_WORD,
    R_LONG, // 64 bits
    R_BIT,
    R_PAIR, // a value and its overflow bit
    R_COUNT = R_PAIR + 2
};

#define MOST_NESTED 3

enum {
    AT_TABLE,
    AT_SMALL,
    AT_MEDIUM,
    AT_WIDE,
    AT_HUGE,
    AT_POINTERS,
    AT_OUT,
    AT_IN,
    AT_NAME,
    AT_ASSERT,
    ADDRESSES
};
#define HUGE_SIZE 66000u // too large for a symbolic index: the path forks on each value
#define HUGE_STEP 4500u

struct generator {
    struct builder builder;
    struct random random;
    struct symbolic_program *program;
    bool concrete;
    uint32_t nested, loops;  // number of statements and loops that enclose the next statement
    uint32_t left;           // statements that may still be put into this function
    uint32_t reads, choices; // number of input bytes and kernel choices so far
    uint32_t first_input;    // register of the first input
    uint32_t locals[2];
    uint64_t address[ADDRESSES];
};

static uint32_t below(struct generator *g, uint32_t bound) {
    return (uint32_t)random_below(&g->random, bound);
}
static uint32_t any_value(struct generator *g) { return R_VALUE + below(g, VALUES); }
static uint32_t any_pointer(struct generator *g) { return R_POINTER + below(g, POINTERS); }
static struct builder *b(struct generator *g) { return &g->builder; }

static void put_statements(struct generator *g, uint32_t most);

// ---- values

static void put_binary(struct generator *g) {
    static const struct {
        enum ir_op op, immediate;
    } ops[] = {{IR_ADD32, IR_ADD32_I}, {IR_SUB32, IR_SUB32_I},   {IR_MUL32, IR_MUL32_I},
               {IR_AND, IR_AND_I},     {IR_OR, IR_OR_I},         {IR_XOR, IR_XOR_I},
               {IR_SHL32, IR_SHL32_I}, {IR_LSHR32, IR_LSHR32_I}, {IR_ASHR32, IR_ASHR32_I},
               {IR_ADD32, IR_ADD32_I}, {IR_XOR, IR_XOR_I}};
    uint32_t i = below(g, COUNT(ops)), dst = any_value(g), a = any_value(g);
    if (below(g, 2))
        put(b(g), ops[i].op, 32, dst, a, any_value(g));
    else
        put(b(g), ops[i].immediate, 32, dst, a, below(g, 20));
}

// Puts 8-bit arithmetic: of a value with itself, then with an immediate.
static void put_narrow(struct generator *g) {
    static const enum ir_op ops[] = {IR_ADD8, IR_SUB8, IR_MUL8, IR_XOR, IR_AND};
    put(b(g), IR_TRUNC, 32 | 8 << 8, R_NARROW, any_value(g), 0);
    put(b(g), ops[below(g, COUNT(ops))], 8, R_NARROW, R_NARROW, R_NARROW);
    put(b(g), IR_ADD8_I, 8, R_NARROW, R_NARROW, below(g, 256));
    if (below(g, 2))
        put(b(g), IR_SEXT8_32, 8 | 32 << 8, any_value(g), R_NARROW, 0);
    else
        put(b(g), IR_ZEXT, 8 | 32 << 8, any_value(g), R_NARROW, 0);
}

static void put_general(struct generator *g) {
    static const enum ir_fn fns[] = {IR_FN_SMIN,     IR_FN_UMAX,  IR_FN_UADD_SAT,
                                     IR_FN_SSUB_SAT, IR_FN_CTPOP, IR_FN_ABS};
    static const enum ir_fn overflows[] = {IR_FN_UADD_OVERFLOW, IR_FN_SMUL_OVERFLOW, IR_FN_USUB_OVERFLOW};
    bool pair = !below(g, 3);
    enum ir_fn fn = pair ? overflows[below(g, COUNT(overflows))] : fns[below(g, COUNT(fns))];
    uint32_t dst = pair ? R_PAIR : any_value(g);
    put(b(g), IR_INT, 32, dst, any_value(g), any_value(g));
    put_extra(b(g), 32, fn, 0, 0);
    if (pair) put(b(g), IR_ZEXT, 1 | 32 << 8, any_value(g), R_PAIR + 1, 0);
}

// Puts a condition into R_BIT.
static void put_condition(struct generator *g) {
    static const struct {
        enum ir_op op, immediate;
    } ops[] = {{IR_EQ, IR_EQ_I},   {IR_NE, IR_NE_I},   {IR_ULT, IR_ULT_I},     {IR_ULE, IR_ULE_I},
               {IR_UGT, IR_UGT_I}, {IR_UGE, IR_UGE_I}, {IR_SLT32, IR_SLT32_I}, {IR_SGE32, IR_SGE32_I}};
    uint32_t i = below(g, COUNT(ops)), a = any_value(g);
    if (below(g, 2)) {
        put(b(g), IR_AND_I, 32, R_WORD, a, (2u << below(g, 4)) - 1);
        a = R_WORD;
    }
    if (below(g, 3))
        put(b(g), ops[i].immediate, 32, R_BIT, a, below(g, g->program->domain));
    else
        put(b(g), ops[i].op, 32, R_BIT, a, any_value(g));
}

static void put_select(struct generator *g) {
    put_condition(g);
    if (below(g, 2)) {
        put(b(g), IR_ZEXT, 1 | 32 << 8, any_value(g), R_BIT, 0);
    } else {
        put(b(g), IR_SELECT, 32, any_value(g), R_BIT, any_value(g));
        put_extra(b(g), 0, 0, any_value(g), 0);
    }
}

// ---- errors that depend on values

static void put_division(struct generator *g) {
    static const enum ir_op ops[] = {IR_UDIV32, IR_SDIV32, IR_UREM32, IR_SREM32};
    put(b(g), IR_AND_I, 32, R_WORD, any_value(g), below(g, 2) ? 3 : 7);
    if (below(g, 6)) put(b(g), IR_ADD32_I, 32, R_WORD, R_WORD, below(g, 6) ? 1 : UINT32_MAX);
    put(b(g), ops[below(g, COUNT(ops))], 32, any_value(g), any_value(g), R_WORD);
}

static void put_check(struct generator *g) {
    static const enum ir_fn overflows[] = {IR_FN_ADD, IR_FN_SUB, IR_FN_MUL},
                            shifts[] = {IR_FN_SHL, IR_FN_LSHR};
    // The symbolic run does not check a value that is uninitialised for some input; concrete runs for other inputs
    // would check it.
    if (program_has(g->program, PROGRAM_UNINITIALISED)) return;
    if (below(g, 2)) {
        put(b(g), IR_CHECK_OVERFLOW, 32, overflows[below(g, 3)], any_value(g), any_value(g));
    } else {
        put(b(g), IR_AND_I, 32, R_WORD, any_value(g), below(g, 2) ? 31 : 63);
        put(b(g), IR_CHECK_SHIFT, 32, shifts[below(g, 2)], any_value(g), R_WORD);
    }
}

// Ends the path and the block: exit, signal, failed assertion or unreachable code.
static void put_death(struct generator *g) {
    switch (below(g, 6)) {
    case 0: put(b(g), IR_TRAP, 0, 0, 0, 0); break;
    case 1: put_call(b(g), F_KILLED, 0, 0, CONSTANT(15)); break;
    case 2: put_call_list(b(g), IR_CALL, F_STOP, 0, 0, NULL, 0); break;
    case 3: put_call(b(g), F_EXIT, 0, 0, REGISTER(any_value(g))); break;
    case 4: break; // unreachable
    default:
        put_call(b(g), F_REPORT, 0, 0, CONSTANT(g->address[AT_ASSERT]), CONSTANT(g->address[AT_NAME]));
        break;
    }
    put_end(b(g));
}

static void put_assertion(struct generator *g) {
    uint32_t good = builder_label(b(g)), bad = builder_label(b(g));
    put_condition(g);
    put_branch(b(g), IR_BR, 1, R_BIT, 0, bad, good);
    builder_place(b(g), bad);
    put_death(g);
    builder_place(b(g), good);
}

static void put_assumption(struct generator *g) {
    put_condition(g);
    put(b(g), IR_ZEXT, 1 | 32 << 8, R_WORD, R_BIT, 0);
    put_call(b(g), F_ASSUME, 0, 0, REGISTER(R_WORD));
}

// ---- memory

// Least size of the objects of pointers, except objects of symbolic size.
#define LEAST_OBJECT 8

// Puts an index of at most 15 into R_LONG; scaled by `size`, it is mostly in bounds.
static void put_index(struct generator *g, unsigned size) {
    uint32_t mask = LEAST_OBJECT / size - 1;
    if (!below(g, 10)) mask = 15;
    if (below(g, 6))
        put(b(g), IR_AND_I, 32, R_WORD, any_value(g), mask);
    else
        put_constant(b(g), R_WORD, 32, below(g, mask + 1));
    put(b(g), IR_ZEXT, 32 | 64 << 8, R_LONG, R_WORD, 0);
}

// Puts an addition to a compared word. It is put before and after an operation that forks within a step: a state that
// sees the write of another state adds twice.
static void put_mark(struct generator *g) {
    uint32_t address = (uint32_t)g->address[AT_OUT] + 4 * below(g, 2);
    put(b(g), IR_LOADA32, 32, R_WORD, address, 0);
    put(b(g), IR_ADD32_I, 32, R_WORD, R_WORD, 1 + below(g, 9));
    put(b(g), IR_STOREA32, 32, R_WORD, address, 0);
}

static const enum ir_op loads[3][3] = {{IR_LOADX8, IR_LOADX8_S32, IR_LOAD8},
                                       {IR_LOADX16, IR_LOADX16_S32, IR_LOAD16},
                                       {IR_LOADX32, IR_LOADX32_S32, IR_LOAD32}};
static const enum ir_op stores[3][3] = {{IR_STOREX8, IR_STOREX8_S32, IR_STORE8},
                                        {IR_STOREX16, IR_STOREX16_S32, IR_STORE16},
                                        {IR_STOREX32, IR_STOREX32_S32, IR_STORE32}};

// Loads to `value`, or stores it: 1, 2 or 4 bytes at pointer + R_LONG (R_WORD) * size, in one of three forms.
static void put_access(struct generator *g, bool write, uint32_t value, uint32_t pointer, unsigned log_size) {
    unsigned form = below(g, 3), size = 1u << log_size;
    enum ir_op op = (write ? stores : loads)[log_size][form];
    if (form == 2) {
        put(b(g), IR_LEA, size, R_LONG, pointer, R_LONG);
        put(b(g), op, 8 * size, value, R_LONG, !below(g, 16) ? size : 0);
    } else {
        put(b(g), op, size, value, pointer, form == 1 ? R_WORD : R_LONG);
    }
}

static void put_load(struct generator *g, uint32_t pointer, unsigned log_size) {
    if (log_size == 2) {
        put_access(g, false, any_value(g), pointer, 2);
        return;
    }
    put_access(g, false, R_NARROW, pointer, log_size);
    put(b(g), IR_ZEXT, 8u << log_size | 32 << 8, any_value(g), R_NARROW, 0);
}

static void put_store(struct generator *g, uint32_t pointer, unsigned log_size) {
    uint32_t value = any_value(g);
    if (log_size < 2) {
        put(b(g), IR_TRUNC, 32 | 8u << log_size << 8, R_NARROW, value, 0);
        value = R_NARROW;
    }
    put_access(g, true, value, pointer, log_size);
}

static void put_any_load(struct generator *g) {
    unsigned log_size = below(g, 3);
    put_index(g, 1u << log_size);
    put_load(g, any_pointer(g), log_size);
}

static void put_any_store(struct generator *g) {
    unsigned log_size = below(g, 3);
    put_index(g, 1u << log_size);
    put_store(g, any_pointer(g), log_size);
}

static void put_table_load(struct generator *g) {
    put(b(g), IR_AND_I, 32, R_WORD, any_value(g), below(g, 8) ? 15 : 31);
    put(b(g), IR_ZEXT, 32 | 64 << 8, R_LONG, R_WORD, 0);
    put(b(g), IR_LOAD8, 8, R_NARROW, R_LONG, (uint32_t)g->address[AT_TABLE]); // the base is the displacement
    put(b(g), IR_ZEXT, 8 | 32 << 8, any_value(g), R_NARROW, 0);
}

// Accesses a large object at an index with many values, or the huge object at an index with few values, on which the
// path forks.
static void put_large_access(struct generator *g) {
    bool huge = !below(g, 3), write = below(g, 2);
    uint32_t pointer = R_OTHER_WORD; // holds an address here
    if (huge) put_mark(g);
    put(b(g), IR_AND_I, 32, R_WORD, any_value(g), huge ? (below(g, 3) ? 7 : 15) : (below(g, 3) ? 127 : 255));
    if (huge) put(b(g), IR_MUL32_I, 32, R_WORD, R_WORD, HUGE_STEP);
    put(b(g), IR_ZEXT, 32 | 64 << 8, R_LONG, R_WORD, 0);
    put_constant(b(g), pointer, 64, g->address[huge ? AT_HUGE : AT_WIDE]);
    if (write)
        put_store(g, pointer, 0);
    else
        put_load(g, pointer, 0);
    put_constant(b(g), pointer, 32, 0);
    if (huge) put_mark(g);
}

static void put_object(struct generator *g, uint32_t pointer) {
    uint32_t which = below(g, 5);
    if (which < 3)
        put_constant(b(g), pointer, 64, g->address[AT_SMALL + which]);
    else
        put(b(g), IR_FRAME, 64, pointer, 0, g->locals[which - 3]);
}

static void put_allocation(struct generator *g) {
    uint32_t pointer = any_pointer(g);
    if (below(g, 2)) {
        put_call(b(g), F_ALLOC, pointer, 1, CONSTANT(LEAST_OBJECT + below(g, 9)), CONSTANT(16), CONSTANT(0));
        return;
    }
    put(b(g), IR_AND_I, 32, R_WORD, any_value(g), 15);
    if (below(g, 4)) put(b(g), IR_ADD32_I, 32, R_WORD, R_WORD, LEAST_OBJECT);
    put(b(g), IR_ZEXT, 32 | 64 << 8, R_LONG, R_WORD, 0);
    put_call(b(g), F_ALLOC, pointer, 1, REGISTER(R_LONG), CONSTANT(16), CONSTANT(0));
}

static void put_free(struct generator *g) {
    uint32_t pointer = any_pointer(g);
    if (below(g, 10)) // mostly frees an object that can be freed
        put_call(b(g), F_ALLOC, pointer, 1, CONSTANT(LEAST_OBJECT), CONSTANT(16), CONSTANT(0));
    put_call(b(g), F_FREE, 0, 0, REGISTER(pointer));
    if (!below(g, 4)) { // copies from the freed object: only length 0 is valid
        put(b(g), IR_AND_I, 32, R_WORD, any_value(g), 7);
        put(b(g), IR_ZEXT, 32 | 64 << 8, R_LONG, R_WORD, 0);
        put(b(g), IR_MEMCPY, 0, any_pointer(g), pointer, R_LONG);
    }
    if (below(g, 5)) put_object(g, pointer);
}

static void put_pointer(struct generator *g) {
    uint32_t pointer = any_pointer(g);
    switch (below(g, 4)) {
    case 0: put_object(g, pointer); break;
    case 1: // one of two
        put_condition(g);
        put(b(g), IR_SELECT, 64, pointer, R_BIT, any_pointer(g));
        put_extra(b(g), 0, 0, any_pointer(g), 0);
        break;
    case 2: // one of four, from memory
        put(b(g), IR_AND_I, 32, R_WORD, any_value(g), 3);
        put(b(g), IR_ZEXT, 32 | 64 << 8, R_LONG, R_WORD, 0);
        put_constant(b(g), pointer, 64, g->address[AT_POINTERS]);
        put(b(g), IR_LOADX64, 8, pointer, pointer, R_LONG);
        break;
    default: // into the middle
        put_object(g, pointer);
        put(b(g), IR_AND_I, 32, R_WORD, any_value(g), 3);
        put(b(g), IR_LEA_S32, 1, pointer, pointer, R_WORD);
        break;
    }
}

// Uses a pointer to one of two objects, of which one may have a symbolic size.
static void put_pointed(struct generator *g) {
    uint32_t pointer = any_pointer(g), other = any_pointer(g);
    if (below(g, 2)) {
        put_object(g, other);
    } else { // the index is often past the end of the object
        put(b(g), IR_AND_I, 32, R_WORD, any_value(g), 15);
        put(b(g), IR_ZEXT, 32 | 64 << 8, R_LONG, R_WORD, 0);
        put_call(b(g), F_ALLOC, other, 1, REGISTER(R_LONG), CONSTANT(16), CONSTANT(0));
    }
    put_condition(g);
    put(b(g), IR_SELECT, 64, pointer, R_BIT, pointer);
    put_extra(b(g), 0, 0, other, 0);
    unsigned log_size = below(g, 2);
    put_index(g, 1u << log_size);
    if (below(g, 2)) put_store(g, pointer, log_size);
    put_load(g, pointer, log_size);
}

// Reads a byte, writes one at a symbolic offset of the same object, and reads the first again.
static void put_overwritten(struct generator *g) {
    put_object(g, R_POINTER);
    put(b(g), IR_LOAD8, 8, R_NARROW, R_POINTER, 0);
    put(b(g), IR_ZEXT, 8 | 32 << 8, any_value(g), R_NARROW, 0);
    put(b(g), IR_AND_I, 32, R_WORD, any_value(g), 3);
    put(b(g), IR_TRUNC, 32 | 8 << 8, R_NARROW, any_value(g), 0);
    put(b(g), IR_STOREX8_S32, 1, R_NARROW, R_POINTER, R_WORD);
    put(b(g), IR_LOAD8, 8, R_NARROW, R_POINTER, 0);
    put(b(g), IR_ZEXT, 8 | 32 << 8, any_value(g), R_NARROW, 0);
}

// A branch on bit 1 of a square, which is never set. No simplification rule covers this: a query finds that one side is
// infeasible.
static void put_square(struct generator *g) {
    uint32_t value = any_value(g), yes = builder_label(b(g)), after = builder_label(b(g));
    put(b(g), IR_LOAD8, 8, R_NARROW, any_pointer(g), 0);
    put(b(g), IR_ZEXT, 8 | 32 << 8, R_WORD, R_NARROW, 0);
    put(b(g), IR_MUL32, 32, R_WORD, R_WORD, R_WORD);
    put(b(g), IR_AND_I, 32, R_WORD, R_WORD, 2);
    put_branch(b(g), IR_BR_EQ_I, 32, R_WORD, 0, yes, after);
    builder_place(b(g), yes);
    put(b(g), IR_ADD32_I, 32, value, value, 1);
    put_jump(b(g), after);
    builder_place(b(g), after);
}

// Stores a pointer to memory and loads it again.
static void put_pointer_store(struct generator *g) {
    put(b(g), IR_STOREA64, 64, any_pointer(g), (uint32_t)g->address[AT_POINTERS] + 8 * below(g, 4), 0);
    put(b(g), IR_LOADA64, 64, any_pointer(g), (uint32_t)g->address[AT_POINTERS] + 8 * below(g, 4), 0);
}

static void put_block_at(struct generator *g, uint32_t from, uint32_t to) {
    static const enum ir_op ops[] = {IR_MEMCPY, IR_MEMMOVE, IR_MEMSET};
    enum ir_op op = ops[below(g, 3)];
    if (below(g, 3)) {
        put(b(g), IR_AND_I, 32, R_WORD, any_value(g), below(g, 8) ? 7 : 15);
        put(b(g), IR_ZEXT, 32 | 64 << 8, R_LONG, R_WORD, 0);
    } else {
        put_constant(b(g), R_LONG, 64, below(g, LEAST_OBJECT + 1));
    }
    if (op == IR_MEMSET) {
        put(b(g), IR_TRUNC, 32 | 8 << 8, R_NARROW, any_value(g), 0);
        from = R_NARROW;
    }
    put(b(g), op, 0, to, from, R_LONG);
}

static void put_block(struct generator *g) { put_block_at(g, any_pointer(g), any_pointer(g)); }

// A block operation in one of two objects: one path for each object.
static void put_block_of_two(struct generator *g) {
    uint32_t pointer = any_pointer(g), other = any_pointer(g);
    put_object(g, pointer);
    put_object(g, other);
    put_condition(g);
    put(b(g), IR_SELECT, 64, pointer, R_BIT, pointer);
    put_extra(b(g), 0, 0, other, 0);
    put_block_at(g, below(g, 2) ? pointer : any_pointer(g), below(g, 2) ? pointer : any_pointer(g));
    put_object(g, pointer);
}

// A block operation at a symbolic offset in an object, outside of it for some inputs, or in one of two objects.
static void put_moved_block(struct generator *g) {
    uint32_t pointer = any_pointer(g);
    if (!below(g, 3)) {
        put_block_of_two(g);
        return;
    }
    put_object(g, pointer);
    put(b(g), IR_AND_I, 32, R_WORD, any_value(g), below(g, 3) ? 7 : 15);
    put(b(g), IR_LEA_S32, 1, pointer, pointer, R_WORD);
    put_block_at(g, below(g, 2) ? pointer : any_pointer(g), below(g, 2) ? pointer : any_pointer(g));
    put_object(g, pointer);
}

// Concretizes a value. The concrete program has an instruction there, too, since reports are compared by program point.
static void put_concretized(struct generator *g) {
    uint32_t value = any_value(g);
    if (g->concrete)
        put(b(g), IR_MOV, 32, value, value, 0);
    else
        put_call(b(g), F_PIN, value, 1, REGISTER(value));
}

// Writes zeros over zeros. Some lengths are so large that the block is spliced into the object's array.
static void put_long_block(struct generator *g) {
    put(b(g), IR_AND_I, 32, R_WORD, any_value(g), 3);
    put(b(g), IR_MUL32_I, 32, R_WORD, R_WORD, 3000);
    put(b(g), IR_ZEXT, 32 | 64 << 8, R_LONG, R_WORD, 0);
    put_constant(b(g), R_NARROW, 8, 0);
    uint32_t to = any_pointer(g);
    put_constant(b(g), to, 64, g->address[AT_HUGE]);
    put(b(g), IR_MEMSET, 0, to, R_NARROW, R_LONG);
    put_object(g, to);
}

// Stores a value in an object that is compared when the path ends.
static void put_output(struct generator *g) {
    put(b(g), IR_STOREA32, 32, any_value(g), (uint32_t)g->address[AT_OUT] + 4 * below(g, 4), 0);
}

// ---- control

static void put_branching(struct generator *g) {
    static const enum ir_op ops[] = {IR_BR_EQ, IR_BR_ULT, IR_BR_NE, IR_BR_SLT32};
    static const enum ir_op immediate[] = {IR_BR_EQ_I, IR_BR_ULT_I, IR_BR_UGE_I, IR_BR_SGT32_I};
    uint32_t yes = builder_label(b(g)), no = builder_label(b(g)), after = builder_label(b(g));
    uint32_t form = below(g, 3);
    if (form == 0) {
        put_condition(g);
        put_branch(b(g), IR_BR, 1, R_BIT, 0, yes, no);
    } else if (form == 1) {
        put_branch(b(g), ops[below(g, 4)], 32, any_value(g), any_value(g), yes, no);
    } else {
        put(b(g), IR_AND_I, 32, R_WORD, any_value(g), 15);
        put_branch(b(g), immediate[below(g, 4)], 32, R_WORD, below(g, 16), yes, no);
    }
    builder_place(b(g), yes);
    put_statements(g, 3);
    put_jump(b(g), after);
    builder_place(b(g), no);
    if (below(g, 2)) put_statements(g, 3);
    put_jump(b(g), after);
    builder_place(b(g), after);
}

static void put_switching(struct generator *g) {
    uint64_t values[4];
    uint32_t labels[5], count = 1 + below(g, 4), after = builder_label(b(g)), last = 0;
    for (uint32_t i = 0; i < count; i++) {
        values[i] = last += 1 + below(g, 2);
        labels[i] = i && !below(g, 4) ? labels[i - 1] : builder_label(b(g));
    }
    labels[count] = builder_label(b(g));
    put(b(g), IR_AND_I, 32, R_WORD, any_value(g), 7);
    put_switch(b(g), 32, R_WORD, values, labels, count);
    for (uint32_t i = 0; i <= count; i++) {
        if (i && labels[i] == labels[i - 1]) continue;
        builder_place(b(g), labels[i]);
        put_statements(g, 2);
        put_jump(b(g), after);
    }
    builder_place(b(g), after);
}

static void put_loop(struct generator *g) {
    uint32_t counter = R_LOOP + g->loops, head = builder_label(b(g)), body = builder_label(b(g)),
             after = builder_label(b(g)), bound = any_value(g);
    bool symbolic = below(g, 2);
    g->loops++;
    put_constant(b(g), counter, 32, 0);
    put_jump(b(g), head);
    builder_place(b(g), head);
    if (symbolic) {
        put(b(g), IR_AND_I, 32, R_OTHER_WORD, bound, 3);
        put_branch(b(g), IR_BR_ULT, 32, counter, R_OTHER_WORD, body, after);
    } else {
        put_branch(b(g), IR_BR_ULT_I, 32, counter, 1 + below(g, 2), body, after);
    }
    builder_place(b(g), body);
    put_statements(g, 2);
    put(b(g), IR_ADD32_I, 32, counter, counter, 1);
    put_jump(b(g), head);
    builder_place(b(g), after);
    g->loops--;
}

// Calls a function, perhaps by its address. The depth bounds calls, including recursion.
static void put_any_call(struct generator *g) {
    uint32_t call = builder_label(b(g)), after = builder_label(b(g)), form = below(g, 3);
    struct argument passed[] = {REGISTER(R_OTHER_WORD), REGISTER(any_value(g)), REGISTER(any_value(g))};
    put_branch(b(g), IR_BR_NE_I, 32, R_DEPTH, 0, call, after);
    builder_place(b(g), call);
    if (form == 0) {
        put_condition(g);
        put_constant(b(g), R_LONG, 64, IR_CODE_BASE + 16 * F_ONE);
        put_constant(b(g), R_PAIR, 64, IR_CODE_BASE + 16 * F_TWO);
        put(b(g), IR_SELECT, 64, R_LONG, R_BIT, R_LONG);
        put_extra(b(g), 0, 0, R_PAIR, 0);
        put_constant(b(g), R_PAIR, 32, 0);
    }
    put(b(g), IR_SUB32_I, 32, R_OTHER_WORD, R_DEPTH, 1);
    if (!form) put_mark(g);
    put_call_list(b(g), form ? IR_CALL : IR_CALL_R, form ? (uint32_t)F_ONE + form - 1 : (uint32_t)R_LONG,
                  any_value(g), 1, passed, COUNT(passed));
    if (!form) put_mark(g);
    put_jump(b(g), after);
    builder_place(b(g), after);
}

// ---- inputs and kernel choices

static void put_input(struct generator *g) {
    if (g->reads == g->program->inputs || g->loops || g->builder.function->index != F_MAIN) return;
    g->reads++;
    uint32_t to = any_value(g);
    if (g->reads == 1) g->first_input = to;
    put_call_list(b(g), IR_CALL, F_INPUT, to, 1, NULL, 0);
}

static void put_choice(struct generator *g) {
    if (g->choices == MOST_CHOICES || g->loops || g->builder.function->index != F_MAIN) return;
    g->choices++;
    put_mark(g);
    put_call(b(g), F_CHOICE, any_value(g), 1, CONSTANT(2 + below(g, 2)));
    put_mark(g);
    if (below(g, 2)) put_call(b(g), F_EVENT, 0, 0, CONSTANT(g->address[AT_NAME]));
}

// ---- statements

static const struct {
    uint32_t weight;
    bool nests, risky;
    void (*put)(struct generator *g);
} statements[] = {
    {8, false, false, put_binary},        {3, false, false, put_narrow},
    {3, false, false, put_general},       {3, false, false, put_select},
    {3, false, true, put_division},       {2, false, true, put_check},
    {4, true, false, put_assertion},      {1, false, false, put_assumption},
    {6, false, true, put_any_load},       {8, false, true, put_any_store},
    {3, false, true, put_table_load},     {3, false, true, put_large_access},
    {3, false, false, put_allocation},    {2, false, true, put_free},
    {6, false, false, put_pointer},       {4, false, true, put_pointed},
    {2, false, false, put_overwritten},   {2, true, true, put_square},
    {2, false, false, put_pointer_store}, {4, false, true, put_block},
    {3, false, false, put_output},        {10, true, false, put_branching},
    {4, true, false, put_switching},      {3, true, false, put_loop},
    {4, true, false, put_any_call},       {4, false, false, put_input},
    {1, false, false, put_choice},        {2, false, true, put_moved_block},
};

// Puts an operation that may fail under a condition, so that it does not end every path.
static void put_guarded(struct generator *g, void (*statement)(struct generator *g)) {
    uint32_t yes = builder_label(b(g)), after = builder_label(b(g));
    put_condition(g);
    put_branch(b(g), IR_BR, 1, R_BIT, 0, yes, after);
    builder_place(b(g), yes);
    statement(g);
    put_jump(b(g), after);
    builder_place(b(g), after);
}

static void put_statement(struct generator *g) {
    uint32_t all = 0, i = 0;
    if (program_has(g->program, PROGRAM_CONCRETIZED) && !below(g, 8)) // concretizing drops all other values
        (g->program->seed % 2 ? put_concretized : put_long_block)(g);
    for (uint32_t k = 0; k < COUNT(statements); k++) all += statements[k].weight;
    for (uint32_t dice = below(g, all); dice >= statements[i].weight; i++) dice -= statements[i].weight;
    bool too_deep = statements[i].nests && g->nested == MOST_NESTED;
    if (too_deep || (statements[i].put == put_loop && g->loops == LOOPS)) return;
    g->left--;
    g->nested++;
    if (statements[i].risky && g->nested < MOST_NESTED && below(g, 2))
        put_guarded(g, statements[i].put);
    else
        statements[i].put(g);
    g->nested--;
}

static void put_statements(struct generator *g, uint32_t most) {
    for (uint32_t i = 1 + below(g, most); i && g->left; i--) put_statement(g);
}

// ---- functions

static void put_start(struct generator *g, uint32_t function) {
    bool is_main = function == F_MAIN;
    builder_function(b(g), function, R_COUNT, is_main ? 0 : 3, is_main ? 0 : 1);
    g->locals[0] = builder_local(b(g), LEAST_OBJECT);
    g->locals[1] = builder_local(b(g), 12);
    builder_place(b(g), builder_label(b(g)));
    if (is_main) put_constant(b(g), R_DEPTH, 32, 2);
    for (uint32_t i = is_main ? 0 : 2; i < VALUES; i++) put_constant(b(g), R_VALUE + i, 32, below(g, 8));
    for (uint32_t i = R_LOOP; i < R_COUNT; i++) put_constant(b(g), i, 32, 0);
    for (uint32_t i = 0; i < POINTERS; i++) put_object(g, R_POINTER + i);
    if (program_has(g->program, PROGRAM_UNINITIALISED)) return;
    for (uint32_t i = 0; i < 2; i++) {
        put(b(g), IR_FRAME, 64, R_LONG, 0, g->locals[i]);
        put(b(g), IR_STORE64_I, 64, 7 + i, R_LONG, 0);
        if (i) put(b(g), IR_STORE32_I, 32, 9, R_LONG, 8);
    }
    put_constant(b(g), R_LONG, 32, 0);
}

// Makes most values depend on the first input from the start.
static void put_spread(struct generator *g) {
    static const enum ir_op ops[] = {IR_ADD32_I, IR_XOR_I, IR_MUL32_I, IR_LSHR32_I};
    put(b(g), IR_MOV, 32, R_VALUE, g->first_input, 0);
    for (uint32_t i = 1; i < VALUES - 1; i++)
        put(b(g), ops[below(g, COUNT(ops))], 32, R_VALUE + i, R_VALUE, 1 + below(g, 5));
}

static void put_function(struct generator *g, uint32_t function) {
    put_start(g, function);
    g->left = function == F_MAIN ? 30 : 8;
    if (function == F_MAIN) {
        for (uint32_t i = 0; i < 4; i++) {
            put_object(g, R_POINTER);
            put(b(g), IR_STOREA64, 64, R_POINTER, (uint32_t)g->address[AT_POINTERS] + 8 * i, 0);
        }
        put_input(g);
        put_spread(g);
    }
    while (g->left) put_statement(g);
    if (function != F_MAIN) {
        put_return(b(g), any_value(g));
    } else {
        for (uint32_t i = 0; i < VALUES; i++)
            put(b(g), IR_STOREA32, 32, R_VALUE + i, (uint32_t)g->address[AT_OUT] + 16 + 4 * i, 0);
        put(b(g), IR_AND_I, 32, R_WORD, any_value(g), 255);
        put_call(b(g), F_EXIT, 0, 0, REGISTER(R_WORD));
        put_end(b(g));
    }
    builder_finish(b(g));
}

// Reads a byte of input; an assumption keeps it below the domain.
static void put_input_function(struct generator *g) {
    builder_function(b(g), F_INPUT, R_COUNT, 0, 1);
    builder_place(b(g), builder_label(b(g)));
    for (uint32_t i = 0; i < R_COUNT; i++) put_constant(b(g), i, 32, 0);
    if (g->concrete)
        put_call(b(g), F_HOST_READ, R_LONG, 1, CONSTANT(INPUT_FD), CONSTANT(g->address[AT_IN]), CONSTANT(1),
                 CONSTANT(UINT64_MAX));
    else
        put_call(b(g), F_SYMBOLIC, 0, 0, CONSTANT(g->address[AT_IN]), CONSTANT(1),
                 CONSTANT(g->address[AT_NAME]));
    put(b(g), IR_LOADA8, 8, R_NARROW, (uint32_t)g->address[AT_IN], 0);
    put(b(g), IR_ZEXT, 8 | 32 << 8, R_WORD, R_NARROW, 0);
    if (g->program->domain < 256) {
        put(b(g), IR_ULT_I, 32, R_BIT, R_WORD, g->program->domain);
        put(b(g), IR_ZEXT, 1 | 32 << 8, R_OTHER_WORD, R_BIT, 0);
        put_call(b(g), F_ASSUME, 0, 0, REGISTER(R_OTHER_WORD));
    }
    put_return(b(g), R_WORD);
    builder_finish(b(g));
}

static void put_choice_function(struct generator *g) {
    builder_function(b(g), F_CHOICE, R_COUNT, 1, 1);
    builder_place(b(g), builder_label(b(g)));
    for (uint32_t i = 1; i < R_COUNT; i++) put_constant(b(g), i, 32, 0);
    if (g->concrete) {
        put_call(b(g), F_HOST_READ, R_LONG, 1, CONSTANT(CHOICE_FD), CONSTANT(g->address[AT_IN]), CONSTANT(1),
                 REGISTER(0));
        put(b(g), IR_LOADA8, 8, R_NARROW, (uint32_t)g->address[AT_IN], 0);
        put(b(g), IR_ZEXT, 8 | 32 << 8, R_WORD, R_NARROW, 0);
    } else {
        put_call(b(g), F_CHOOSE, R_WORD, 1, REGISTER(0));
    }
    put_return(b(g), R_WORD);
    builder_finish(b(g));
}

static void put_start_function(struct generator *g) {
    builder_function(b(g), F_START, 1, 1, 0);
    builder_place(b(g), builder_label(b(g)));
    put_call_list(b(g), IR_CALL, F_MAIN, 0, 0, NULL, 0);
    put_end(b(g));
    builder_finish(b(g));
}

static void put_globals(struct generator *g) {
    uint8_t bytes[16];
    uint64_t *at = g->address;
    for (unsigned i = 0; i < sizeof bytes; i++) bytes[i] = (uint8_t)(below(g, 2) ? i : below(g, 256));
    at[AT_TABLE] = builder_global(b(g), "table", sizeof bytes, true, bytes);
    at[AT_NAME] = builder_global(b(g), "name", 2, true, "x");
    at[AT_ASSERT] = builder_global(b(g), "kind", 7, true, "assert");
    at[AT_SMALL] = builder_global(b(g), "small", LEAST_OBJECT, false, NULL);
    at[AT_MEDIUM] = builder_global(b(g), "medium", 16, false, bytes);
    at[AT_WIDE] = builder_global(b(g), "wide", 200, false, NULL);
    at[AT_OUT] = builder_global(b(g), "out", 16 + 4 * VALUES, false, NULL);
    at[AT_POINTERS] = builder_global(b(g), "pointers", 32, false, NULL);
    at[AT_IN] = builder_global(b(g), "in", 1, false, NULL);
    at[AT_HUGE] = builder_global(b(g), "huge", HUGE_SIZE, false, NULL);
    static const uint32_t compared[MOST_OBJECTS] = {AT_SMALL, AT_MEDIUM, AT_WIDE, AT_OUT};
    static const uint32_t sizes[MOST_OBJECTS] = {LEAST_OBJECT, 16, 200, 16 + 4 * VALUES};
    for (uint32_t i = 0; i < MOST_OBJECTS; i++) {
        g->program->objects[i].address = at[compared[i]];
        g->program->objects[i].size = sizes[i];
    }
}

static struct ir_program *make(struct symbolic_program *program, bool concrete) {
    struct generator g = {.random = {program->seed}, .program = program, .concrete = concrete};
    static const struct {
        uint32_t inputs, domain;
    } spaces[] = {{1, 256}, {1, 16}, {2, 8}, {2, 16}, {2, 6}};
    uint32_t space = below(&g, COUNT(spaces));
    program->inputs = spaces[space].inputs;
    program->domain = spaces[space].domain;
    builder_open(b(&g), names, F_COUNT);
    put_globals(&g);
    for (uint32_t f = F_MAIN; f <= F_TWO; f++) put_function(&g, f);
    put_input_function(&g);
    put_choice_function(&g);
    put_start_function(&g);
    return builder_close(b(&g));
}

struct symbolic_program symbolic_program(uint64_t seed, unsigned features) {
    struct symbolic_program program = {.seed = seed, .features = features};
    program.symbolic = make(&program, false);
    program.concrete = make(&program, true);
    return program;
}

void symbolic_program_free(struct symbolic_program *program) {
    ir_program_free(program->symbolic);
    ir_program_free(program->concrete);
}
