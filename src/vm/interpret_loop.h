// The dispatch loop, included twice by interpret.c: LOOP is the name of the function, SYMBOLIC is 1 if registers may
// hold terms. It is the one long function of Tamar, on purpose: a threaded interpreter keeps its state in machine
// registers, and each operation ends in its own jump, which the branch predictor learns.
//
// While it runs, the top frame's `instruction` is stale; SAVE updates it before code outside the loop reads it.

#define SAVE()     (frame->instruction = (uint32_t)(pc - code), vm->budget.steps = steps)
#define DISPATCH() goto *labels[pc->op]
#define NEXT()                                                                                               \
    do {                                                                                                     \
        pc++;                                                                                                \
        DISPATCH();                                                                                          \
    } while (0)
#define NEXT2()                                                                                              \
    do {                                                                                                     \
        pc += 2;                                                                                             \
        DISPATCH();                                                                                          \
    } while (0)
#define LOAD_FRAME()                                                                                         \
    do {                                                                                                     \
        frame = frames_top(&state->frames);                                                                  \
        function = frame->function;                                                                          \
        code = function->code;                                                                               \
        pc = code + frame->instruction;                                                                      \
        regs = frame->registers;                                                                             \
        LOAD_TERMS();                                                                                        \
    } while (0)

#if SYMBOLIC
#define LOAD_TERMS() terms = frame_terms(frame)
#define WRONG_LOOP() (!frame->has_terms)
#define IF_TERM1(x)                                                                                          \
    if (UNLIKELY(terms[x])) goto symbolic
#define IF_TERM2(x, y)                                                                                       \
    if (UNLIKELY(terms[x] | terms[y])) goto symbolic
#define SET(d, value) (regs[d] = (value), terms[d] = 0)
#define CLEAR(d)      (terms[d] = 0)
#else
#define LOAD_TERMS()   ((void)0)
#define WRONG_LOOP()   (frame->has_terms)
#define IF_TERM1(x)    ((void)0)
#define IF_TERM2(x, y) ((void)0)
#define SET(d, value)  (regs[d] = (value))
#define CLEAR(d)       ((void)0)
#endif

// Two- and one-operand operations.
#define RRR(NAME, EXPRESSION)                                                                                \
    L_##NAME : {                                                                                             \
        IF_TERM2(pc->a, pc->b);                                                                              \
        uint64_t a = regs[pc->a], b = regs[pc->b];                                                           \
        (void)a, (void)b;                                                                                    \
        SET(pc->dst, EXPRESSION);                                                                            \
        NEXT();                                                                                              \
    }
#define RRI(NAME, EXPRESSION)                                                                                \
    L_##NAME##_I : {                                                                                         \
        IF_TERM1(pc->a);                                                                                     \
        uint64_t a = regs[pc->a], b = pc->b;                                                                 \
        SET(pc->dst, EXPRESSION);                                                                            \
        NEXT();                                                                                              \
    }
#define RRJ(NAME, EXPRESSION)                                                                                \
    L_##NAME##64_I : {                                                                                       \
        IF_TERM1(pc->a);                                                                                     \
        uint64_t a = regs[pc->a], b = (uint64_t)(int32_t)pc->b;                                              \
        SET(pc->dst, EXPRESSION);                                                                            \
        NEXT();                                                                                              \
    }
#define RR(NAME, EXPRESSION)                                                                                 \
    L_##NAME : {                                                                                             \
        IF_TERM1(pc->a);                                                                                     \
        uint64_t a = regs[pc->a];                                                                            \
        SET(pc->dst, EXPRESSION);                                                                            \
        NEXT();                                                                                              \
    }

// One operation at all widths: its expression for each width, over a and b; N uses aux.
#define FAMILY(F, E8, E16, E32, E64, EN)                                                                     \
    RRR(F##8, E8)                                                                                            \
    RRI(F##8, E8)                                                                                            \
    RRR(F##16, E16)                                                                                          \
    RRI(F##16, E16) RRR(F##32, E32) RRI(F##32, E32) RRR(F##64, E64) RRJ(F, E64) RRR(F##N, EN) RRI(F##N, EN)
#define FAMILY_ANY(F, E) RRR(F, E) RRI(F, E) RRJ(F, E)
#define CUT(x)           ((x) & mask_bits(pc->aux))
#define SIGNED(x)        sign_extend(x, pc->aux)
#define AMOUNT(x)        ((x) & (pc->aux <= 32 ? 31 : 63))

// Divisions leave the loop when the divisor is zero, or when the quotient cannot be represented.
#define DIVIDE(NAME, B, BAD, EXPRESSION)                                                                     \
    L_##NAME : {                                                                                             \
        IF_TERM1(pc->a);                                                                                     \
        B;                                                                                                   \
        uint64_t a = regs[pc->a];                                                                            \
        if (UNLIKELY(!b || (BAD))) goto division;                                                            \
        SET(pc->dst, EXPRESSION);                                                                            \
        NEXT();                                                                                              \
    }
#define B_REGISTER                                                                                           \
    IF_TERM1(pc->b);                                                                                         \
    uint64_t b = regs[pc->b]
#define B_IMMEDIATE uint64_t b = pc->b
#define B_SIGNED    uint64_t b = (uint64_t)(int32_t)pc->b
#define DIVISION(F, OP)                                                                                      \
    DIVIDE(F##8, B_REGISTER, 0, (uint8_t)((uint8_t)a OP(uint8_t) b))                                         \
    DIVIDE(F##8_I, B_IMMEDIATE, 0, (uint8_t)((uint8_t)a OP(uint8_t) b))                                      \
    DIVIDE(F##16, B_REGISTER, 0, (uint16_t)((uint16_t)a OP(uint16_t) b))                                     \
    DIVIDE(F##16_I, B_IMMEDIATE, 0, (uint16_t)((uint16_t)a OP(uint16_t) b))                                  \
    DIVIDE(F##32, B_REGISTER, 0, (uint32_t)a OP(uint32_t) b)                                                 \
    DIVIDE(F##32_I, B_IMMEDIATE, 0, (uint32_t)a OP(uint32_t) b)                                              \
    DIVIDE(F##64, B_REGISTER, 0, a OP b)                                                                     \
    DIVIDE(F##64_I, B_SIGNED, 0, a OP b)                                                                     \
    DIVIDE(F##N, B_REGISTER, 0, a OP b)                                                                      \
    DIVIDE(F##N_I, B_IMMEDIATE, 0, a OP b)
#define SIGNED_DIVISION(F, OP)                                                                               \
    DIVIDE(F##8, B_REGISTER, 0, (uint8_t)((int8_t)a OP(int8_t) b))                                           \
    DIVIDE(F##8_I, B_IMMEDIATE, 0, (uint8_t)((int8_t)a OP(int8_t) b))                                        \
    DIVIDE(F##16, B_REGISTER, 0, (uint16_t)((int16_t)a OP(int16_t) b))                                       \
    DIVIDE(F##16_I, B_IMMEDIATE, 0, (uint16_t)((int16_t)a OP(int16_t) b))                                    \
    DIVIDE(F##32, B_REGISTER, (int32_t)b == -1 && (int32_t)a == INT32_MIN,                                   \
           (uint32_t)((int32_t)a OP(int32_t) b))                                                             \
    DIVIDE(F##32_I, B_IMMEDIATE, (int32_t)b == -1 && (int32_t)a == INT32_MIN,                                \
           (uint32_t)((int32_t)a OP(int32_t) b))                                                             \
    DIVIDE(F##64, B_REGISTER, (int64_t)b == -1 && (int64_t)a == INT64_MIN,                                   \
           (uint64_t)((int64_t)a OP(int64_t) b))                                                             \
    DIVIDE(F##64_I, B_SIGNED, (int64_t)b == -1 && (int64_t)a == INT64_MIN,                                   \
           (uint64_t)((int64_t)a OP(int64_t) b))                                                             \
    DIVIDE(F##N, B_REGISTER, 0, CUT((uint64_t)(SIGNED(a) OP SIGNED(b))))                                     \
    DIVIDE(F##N_I, B_IMMEDIATE, 0, CUT((uint64_t)(SIGNED(a) OP SIGNED(b))))

// Control flow. TAKE goes to the target of an edge, and records the edge if no state has taken it before.
#define TAKE(TARGET, EDGE)                                                                                   \
    do {                                                                                                     \
        uint32_t edge_taken = (EDGE);                                                                        \
        if (UNLIKELY(!edges_seen[edge_taken])) vm_note_new_edge(vm, state, edge_taken);                      \
        pc = code + (TARGET);                                                                                \
        if (UNLIKELY(steps >= limit)) {                                                                      \
            if (vm->watch.trace) vm->watch.trace(vm->watch.trace_context, edge_taken);                       \
            goto budget;                                                                                     \
        }                                                                                                    \
        DISPATCH();                                                                                          \
    } while (0)
#define BRANCH(CONDITION)                                                                                    \
    do {                                                                                                     \
        steps += pc->dst;                                                                                    \
        if (CONDITION) TAKE(pc[1].a, pc[1].dst);                                                             \
        TAKE(pc[1].b, pc[1].dst + 1);                                                                        \
    } while (0)
#define BRR(NAME, CONDITION)                                                                                 \
    L_BR_##NAME : {                                                                                          \
        IF_TERM2(pc->a, pc->b);                                                                              \
        uint64_t a = regs[pc->a], b = regs[pc->b];                                                           \
        BRANCH(CONDITION);                                                                                   \
    }
#define BRI(NAME, CONDITION)                                                                                 \
    L_BR_##NAME##_I : {                                                                                      \
        IF_TERM1(pc->a);                                                                                     \
        uint64_t a = regs[pc->a], b = pc->b;                                                                 \
        BRANCH(CONDITION);                                                                                   \
    }
#define BRJ(NAME, CONDITION)                                                                                 \
    L_BR_##NAME##64_I : {                                                                                    \
        IF_TERM1(pc->a);                                                                                     \
        uint64_t a = regs[pc->a], b = (uint64_t)(int32_t)pc->b;                                              \
        BRANCH(CONDITION);                                                                                   \
    }
#define BRANCH_ANY(F, C) BRR(F, C) BRI(F, C) BRJ(F, C)
#define COMPARE_ANY(F, OP)                                                                                   \
    FAMILY_ANY(F, a OP b)                                                                                    \
    BRANCH_ANY(F, a OP b)
#define COMPARE_SIGNED(F, OP)                                                                                \
    FAMILY(F, (int8_t)a OP(int8_t) b, (int16_t)a OP(int16_t) b, (int32_t)a OP(int32_t) b,                    \
           (int64_t)a OP(int64_t) b, SIGNED(a) OP SIGNED(b))                                                 \
    BRR(F##8, (int8_t)a OP(int8_t) b)                                                                        \
    BRI(F##8, (int8_t)a OP(int8_t) b)                                                                        \
    BRR(F##16, (int16_t)a OP(int16_t) b)                                                                     \
    BRI(F##16, (int16_t)a OP(int16_t) b)                                                                     \
    BRR(F##32, (int32_t)a OP(int32_t) b)                                                                     \
    BRI(F##32, (int32_t)a OP(int32_t) b)                                                                     \
    BRR(F##64, (int64_t)a OP(int64_t) b)                                                                     \
    BRJ(F, (int64_t)a OP(int64_t) b)

// Memory. The address of a slow access is left in `slow_address` for the labels slow_load and slow_store.
#define TRANSLATE(CACHE) (&(CACHE)[(address >> PAGE_BITS) & (TRANSLATIONS - 1)])
#define LOAD(NAME, TYPE, ADDRESS)                                                                            \
    L_##NAME : {                                                                                             \
        uint64_t address = ADDRESS;                                                                          \
        const struct translation *entry = TRANSLATE(vm->cache.read);                                         \
        const uint8_t *at;                                                                                   \
        TYPE shadow, value;                                                                                  \
        if (UNLIKELY(entry->page != (address >> PAGE_BITS | vm->cache.tag)) ||                               \
            UNLIKELY((at = entry->bytes + (address & (PAGE_SIZE - 1)),                                       \
                      memcpy(&shadow, at + PAGE_SIZE, sizeof shadow), shadow))) {                            \
            slow_address = address;                                                                          \
            goto slow_load;                                                                                  \
        }                                                                                                    \
        memcpy(&value, at, sizeof value);                                                                    \
        SET(pc->dst, value);                                                                                 \
        NEXT();                                                                                              \
    }
#define STORE(NAME, TYPE, ADDRESS, VALUE)                                                                    \
    L_##NAME : {                                                                                             \
        uint64_t address = ADDRESS;                                                                          \
        const struct translation *entry = TRANSLATE(vm->cache.write);                                        \
        uint8_t *at;                                                                                         \
        TYPE shadow, value = (TYPE)(VALUE);                                                                  \
        if (UNLIKELY(entry->page != (address >> PAGE_BITS | vm->cache.tag)) ||                               \
            UNLIKELY((at = entry->bytes + (address & (PAGE_SIZE - 1)),                                       \
                      memcpy(&shadow, at + PAGE_SIZE, sizeof shadow), shadow))) {                            \
            slow_address = address;                                                                          \
            slow_value = value;                                                                              \
            goto slow_store;                                                                                 \
        }                                                                                                    \
        memcpy(at, &value, sizeof value);                                                                    \
        NEXT();                                                                                              \
    }
#define BASED()                                                                                              \
    ({                                                                                                       \
        IF_TERM1(pc->a);                                                                                     \
        regs[pc->a] + (uint64_t)(int64_t)(int32_t)pc->b;                                                     \
    })
#define INDEXED()                                                                                            \
    ({                                                                                                       \
        IF_TERM2(pc->a, pc->b);                                                                              \
        regs[pc->a] + regs[pc->b] * pc->aux;                                                                 \
    })
#define INDEXED_S32()                                                                                        \
    ({                                                                                                       \
        IF_TERM2(pc->a, pc->b);                                                                              \
        regs[pc->a] + (uint64_t)(int32_t)regs[pc->b] * pc->aux;                                              \
    })
// Whether base and address of a checked operation are known to lie in one object (provenance.h).
#define SAME_OBJECT(BASE, ADDRESS)                                                                           \
    ({                                                                                                       \
        const struct object_range *range = &vm->ranges.at[((uintptr_t)pc / sizeof *pc) & (RANGES - 1)];      \
        uint64_t low = range->low, span = range->span;                                                       \
        LIKELY((BASE) - low <= span) && LIKELY((ADDRESS) - low <= span);                                     \
    })
// The address of a checked access.
#define CHECKED(ADDRESS)                                                                                     \
    ({                                                                                                       \
        uint64_t address_now = ADDRESS;                                                                      \
        if (UNLIKELY(!SAME_OBJECT(regs[pc->a], address_now))) {                                              \
            slow_address = address_now;                                                                      \
            goto far_access;                                                                                 \
        }                                                                                                    \
        address_now;                                                                                         \
    })
#define POINT(NAME, RESULT)                                                                                  \
    L_##NAME : {                                                                                             \
        uint64_t result = RESULT;                                                                            \
        if (UNLIKELY(!SAME_OBJECT(regs[pc->a], result)) && !heap_is_one_granule(regs[pc->a], result)) {      \
            slow_address = regs[pc->a];                                                                      \
            slow_value = result;                                                                             \
            goto far_pointer;                                                                                \
        }                                                                                                    \
        SET(pc->dst, result);                                                                                \
        NEXT();                                                                                              \
    }
#define VALUE()                                                                                              \
    ({                                                                                                       \
        IF_TERM1(pc->dst);                                                                                   \
        regs[pc->dst];                                                                                       \
    })
#define ACCESSES(W, TYPE)                                                                                    \
    LOAD(LOAD##W, TYPE, BASED())                                                                             \
    LOAD(LOADA##W, TYPE, pc->a)                                                                              \
    LOAD(LOADX##W, TYPE, CHECKED(INDEXED()))                                                                 \
    LOAD(LOADX##W##_S32, TYPE, CHECKED(INDEXED_S32()))                                                       \
    LOAD(LOADG##W, TYPE, INDEXED())                                                                          \
    LOAD(LOADG##W##_S32, TYPE, INDEXED_S32())                                                                \
    LOAD(LOADF##W, TYPE, CHECKED(BASED()))                                                                   \
    STORE(STOREF##W, TYPE, CHECKED(BASED()), VALUE())                                                        \
    STORE(STOREF##W##_I, TYPE, CHECKED(BASED()), (int32_t)pc->dst)                                           \
    STORE(STOREG##W, TYPE, INDEXED(), VALUE())                                                               \
    STORE(STOREG##W##_S32, TYPE, INDEXED_S32(), VALUE())                                                     \
    STORE(STORE##W, TYPE, BASED(), VALUE())                                                                  \
    STORE(STORE##W##_I, TYPE, BASED(), (int32_t)pc->dst)                                                     \
    STORE(STOREA##W, TYPE, pc->a, VALUE())                                                                   \
    STORE(STOREX##W, TYPE, CHECKED(INDEXED()), VALUE())                                                      \
    STORE(STOREX##W##_S32, TYPE, CHECKED(INDEXED_S32()), VALUE())

#define FLOATING(NAME, TYPE, BITS, OP)                                                                       \
    L_##NAME : {                                                                                             \
        IF_TERM2(pc->a, pc->b);                                                                              \
        BITS bits_a = (BITS)regs[pc->a], bits_b = (BITS)regs[pc->b];                                         \
        TYPE x, y;                                                                                           \
        memcpy(&x, &bits_a, sizeof x);                                                                       \
        memcpy(&y, &bits_b, sizeof y);                                                                       \
        x = x OP y;                                                                                          \
        memcpy(&bits_a, &x, sizeof x);                                                                       \
        SET(pc->dst, bits_a);                                                                                \
        NEXT();                                                                                              \
    }
// LLVM's predicate is a set of outcomes: 1 equal, 2 greater, 4 less, 8 unordered.
#define FLOAT_COMPARE(NAME, TYPE, BITS)                                                                      \
    L_##NAME : {                                                                                             \
        IF_TERM2(pc->a, pc->b);                                                                              \
        BITS bits_a = (BITS)regs[pc->a], bits_b = (BITS)regs[pc->b];                                         \
        TYPE x, y;                                                                                           \
        memcpy(&x, &bits_a, sizeof x);                                                                       \
        memcpy(&y, &bits_b, sizeof y);                                                                       \
        unsigned outcome = x == y ? 1 : x > y ? 2 : x < y ? 4 : 8;                                           \
        SET(pc->dst, (pc->aux & outcome) != 0);                                                              \
        NEXT();                                                                                              \
    }

// The one function that is long on purpose: a label per operation.
static enum step LOOP(struct vm *vm) { // NOLINT(readability-function-size)
    static const void *const labels[] = {
#define OP(name, format, fn, width) &&L_##name,
        IR_OP_TABLE(OP)
#undef OP
    };
    struct state *const state = vm->state;
    uint8_t *const edges_seen = vm->coverage.edges;
    struct frame *frame;
    const struct ir_function *function;
    const struct ir_insn *code, *pc;
    uint64_t *regs;
#if SYMBOLIC
    uint32_t *terms;
#endif
    const struct ir_function *callee;
    uint64_t slow_address, slow_value, steps = vm->budget.steps;
    uint64_t limit = vm->budget.steps_limit;
    enum step step;

    LOAD_FRAME();
    if (WRONG_LOOP()) return STEP_RELOAD;
    DISPATCH();

    FAMILY(ADD, (uint8_t)(a + b), (uint16_t)(a + b), (uint32_t)(a + b), a + b, CUT(a + b))
    FAMILY(SUB, (uint8_t)(a - b), (uint16_t)(a - b), (uint32_t)(a - b), a - b, CUT(a - b))
    FAMILY(MUL, (uint8_t)(a * b), (uint16_t)(a * b), (uint32_t)(a * b), a * b, CUT(a * b))
    DIVISION(UDIV, /)
    DIVISION(UREM, %)
    SIGNED_DIVISION(SDIV, /)
    SIGNED_DIVISION(SREM, %)
    FAMILY(SHL, (uint8_t)(a << (b & 31)), (uint16_t)(a << (b & 31)), (uint32_t)(a << (b & 31)), a << (b & 63),
           CUT(a << AMOUNT(b)))
    FAMILY(LSHR, a >> (b & 31), a >> (b & 31), a >> (b & 31), a >> (b & 63), a >> AMOUNT(b))
    FAMILY(ASHR, (uint8_t)((int8_t)a >> (b & 31)), (uint16_t)((int16_t)a >> (b & 31)),
           (uint32_t)((int32_t)a >> (b & 31)), (uint64_t)((int64_t)a >> (b & 63)),
           CUT((uint64_t)(SIGNED(a) >> AMOUNT(b))))
    FAMILY_ANY(AND, a & b)
    FAMILY_ANY(OR, a | b)
    FAMILY_ANY(XOR, a ^ b)
    COMPARE_ANY(EQ, ==)
    COMPARE_ANY(NE, !=)
    COMPARE_ANY(ULT, <)
    COMPARE_ANY(ULE, <=)
    COMPARE_ANY(UGT, >)
    COMPARE_ANY(UGE, >=)
    COMPARE_SIGNED(SLT, <)
    COMPARE_SIGNED(SLE, <=)
    COMPARE_SIGNED(SGT, >)
    COMPARE_SIGNED(SGE, >=)

    RR(ZEXT, a)
    RR(TRUNC, a & mask_bits(pc->aux >> 8))
    RR(SEXT8_32, (uint32_t)(int8_t)a)
    RR(SEXT8_64, (uint64_t)(int8_t)a)
    RR(SEXT16_32, (uint32_t)(int16_t)a)
    RR(SEXT16_64, (uint64_t)(int16_t)a)
    RR(SEXT32_64, (uint64_t)(int32_t)a)
    RR(SEXT, (uint64_t)sign_extend(a, pc->aux & 255) & mask_bits(pc->aux >> 8))
    RR(MOV, a)

L_IMM:
    SET(pc->dst, pc->a | (uint64_t)pc->b << 32);
    NEXT();
L_IMM_WIDE:
    memcpy(regs + pc->dst, function->constants + pc->a, ir_slots(pc->aux) * sizeof *regs);
    CLEAR(pc->dst);
    NEXT();
L_MOV_WIDE:
    IF_TERM1(pc->a);
    memmove(regs + pc->dst, regs + pc->a, ir_slots(pc->aux) * sizeof *regs);
    CLEAR(pc->dst);
    NEXT();
L_SELECT: {
    IF_TERM1(pc->a);
    uint32_t chosen = regs[pc->a] ? pc->b : pc[1].a;
    IF_TERM1(chosen);
    if (LIKELY(pc->aux <= 64))
        regs[pc->dst] = regs[chosen];
    else
        memmove(regs + pc->dst, regs + chosen, ir_slots(pc->aux) * sizeof *regs);
    CLEAR(pc->dst);
    NEXT2();
}
    RRR(LEAG, a + b * pc->aux)
    RRR(LEAG_S32, a + (uint64_t)(int32_t)b * pc->aux)
    POINT(LEA, INDEXED())
    POINT(LEA_S32, INDEXED_S32())
    POINT(LEA_I, BASED())
L_EXPOSED: {
    IF_TERM2(pc->a, pc->b);
    uint64_t result = regs[pc->a];
    if (UNLIKELY(!SAME_OBJECT(regs[pc->b], result))) {
        slow_address = regs[pc->b];
        slow_value = result;
        goto far_pointer;
    }
    SET(pc->dst, result);
    NEXT();
}
L_FRAME:
    SET(pc->dst, frame->memory + (uint64_t)(int64_t)(int32_t)pc->b);
    NEXT();
L_TLS:
    SET(pc->dst, state->threads.block + (uint64_t)(int64_t)(int32_t)pc->b);
    NEXT();
L_STACK_SAVE:
    SET(pc->dst, frame->stack_pointer);
    NEXT();

    ACCESSES(8, uint8_t)
    ACCESSES(16, uint16_t)
    ACCESSES(32, uint32_t)
    ACCESSES(64, uint64_t)

    FLOATING(F32ADD, float, uint32_t, +)
    FLOATING(F32SUB, float, uint32_t, -)
    FLOATING(F32MUL, float, uint32_t, *)
    FLOATING(F32DIV, float, uint32_t, /)
    FLOATING(F64ADD, double, uint64_t, +)
    FLOATING(F64SUB, double, uint64_t, -)
    FLOATING(F64MUL, double, uint64_t, *)
    FLOATING(F64DIV, double, uint64_t, /)
    FLOAT_COMPARE(F32CMP, float, uint32_t)
    FLOAT_COMPARE(F64CMP, double, uint64_t)

L_JMP:
    steps += pc->dst;
    TAKE(pc->a, pc->b);
L_BR:
    IF_TERM1(pc->a);
    BRANCH(regs[pc->a]);
L_SWITCH: {
    IF_TERM1(pc->a);
    steps += pc->dst;
    const struct ir_switch *table = &function->switches[pc->b];
    uint32_t chosen = switch_case(table, regs[pc->a]);
    if (chosen < table->count) TAKE(table->targets[chosen], table->edges[chosen]);
    TAKE(table->default_target, table->default_edge);
}
L_CALL:
    callee = vm->program->functions + pc->a;
call:
    if (UNLIKELY(!callee->code)) goto builtin;
    frame->instruction = (uint32_t)(pc - code);
    steps++;
    if (callee->frame_size == 0 && LIKELY(frame->stack_pointer - state->threads.stack_limit > 4096)) {
        // The common case: the callee has no locals in memory, arguments are as declared, the chunk has enough space.
        const uint32_t *list = function->arguments + pc->b;
        uint32_t count = *list++;
        struct frame_chunk *chunk = state->frames.chunk;
        uint32_t size = frame_bytes(callee);
        if (LIKELY(count == callee->parameter_slots && !callee->variadic) &&
            LIKELY(chunk->size - chunk->used >= size)) {
            struct frame *new = frame_put(chunk, callee, size);
            if (UNLIKELY(!vm->coverage.functions[callee->index])) vm_note_new_function(vm, callee);
            state->frames.depth++;
            new->stack_entry = frame->stack_pointer;
            new->memory = new->stack_pointer = frame->stack_pointer - CALL_COST;
            for (uint32_t i = 0; i < count; i++) {
                uint32_t from = list[i];
                new->registers[i] = from &IR_CONSTANT ? function->constants[from & ~IR_CONSTANT] : regs[from];
            }
#if SYMBOLIC
            pass_terms(new, frame, list, count);
            if (!new->has_terms) {
                vm->budget.steps = steps;
                return STEP_RELOAD;
            }
            terms = frame_terms(new);
#endif
            frame = new;
            function = callee;
            pc = code = callee->code;
            regs = frame->registers;
            DISPATCH();
        }
    }
    SAVE();
    step = vm_enter_function(vm, callee, pc);
    goto stepped_into;
L_CALL_R:
    IF_TERM1(pc->a);
    callee = ir_function_at(vm->program, regs[pc->a]);
    if (LIKELY(callee)) goto call;
    SAVE();
    step = vm_bad_call(vm, regs[pc->a]);
    goto stepped;
L_RET: {
    steps += pc->dst;
    uint32_t count = pc->aux, from = pc->a;
    struct frame_chunk *chunk = state->frames.chunk;
    if (UNLIKELY(count > 1 || frame->function->frame_size || frame->memory != frame->stack_pointer ||
                 !chunk->top || frame->previous < chunk->shared || !vm->coverage.positions[pc->b]))
        goto slow_return;
    uint64_t value = count ? regs[from] : 0;
#if SYMBOLIC
    uint32_t term = count ? terms[from] : 0;
#endif
    state->frames.depth--;
    chunk->used = chunk->top;
    chunk->top = frame->previous;
    LOAD_FRAME();
    if (pc->aux) {
#if SYMBOLIC
        if (term) frame_add_terms(frame);
        if (frame->has_terms) terms[pc->dst] = term;
        regs[pc->dst] = value;
#else
        if (frame->has_terms) frame_terms(frame)[pc->dst] = 0;
        regs[pc->dst] = value;
#endif
    }
    pc++;
    if (UNLIKELY(WRONG_LOOP())) {
        SAVE();
        return STEP_RELOAD;
    }
    if (UNLIKELY(steps >= limit)) goto budget;
    DISPATCH();
}
slow_return:
    SAVE();
    step = vm_leave_function(vm);
    goto stepped_into;

    // Rare or long operations are functions: they work on the frame and return how the loop continues.
L_INT:
    SAVE();
    step = step_int(vm, pc);
    goto stepped2;
L_FLOAT:
    SAVE();
    step = step_float(vm, pc);
    goto stepped2;
L_CONCAT:
L_SPLIT:
    SAVE();
    step = step_parts(vm, pc);
    goto stepped2;
L_LOADN:
L_STOREN:
L_MEMCPY:
L_MEMMOVE:
L_MEMSET:
L_ALLOCA:
L_STACK_RESTORE:
    SAVE();
    step = step_memory(vm, pc);
    goto stepped;
L_CHECK_OVERFLOW:
L_CHECK_SHIFT:
    SAVE();
    step = step_check(vm, pc);
    goto stepped;
L_CHECK_SAME_OBJECT:
    SAVE();
    step = step_same_object(vm, pc);
    goto stepped;
L_HOLDS:
    IF_TERM1(pc->a);
    if (LIKELY(regs[pc->a])) NEXT2();
    SAVE();
    step = step_failed_check(vm, pc);
    goto stepped2;
L_BELOW:
    IF_TERM1(pc->a);
    if (LIKELY(regs[pc->a] < pc->dst)) NEXT();
    SAVE();
    step = step_failed_check(vm, pc);
    goto stepped;
L_GOTO:
    steps += pc->dst;
    SAVE();
    step = step_goto(vm, pc);
    goto stepped_into;
L_MARK:
    if (LIKELY(!vm_is_watched(vm, pc->a))) NEXT();
    SAVE();
    step = step_mark(vm, pc);
    goto stepped;
L_SCOPE_BEGIN:
    if (UNLIKELY(!mark_word(vm, frame, pc, true))) step_scope(vm, pc);
    NEXT();
L_SCOPE_END:
    if (UNLIKELY(!mark_word(vm, frame, pc, false))) step_scope(vm, pc);
    NEXT();
L_UNREACHABLE:
L_TRAP:
L_NOT_MODELLED:
L_FAILURE:
L_EXTRA:
    SAVE();
    step = step_end(vm, pc);
    goto stepped;
division:
    SAVE();
    step = vm_report_division(vm, pc);
    goto stepped;
builtin:
    SAVE();
    step = call_builtin(vm, callee, pc);
    goto stepped_into;
far_pointer:
    SAVE();
    step = step_far_pointer(vm, pc, slow_address, slow_value);
    if (LIKELY(step == STEP_NEXT)) goto *labels[ir_unchecked(pc->op)];
    goto stepped_into;
far_access:
    SAVE();
    step = step_far_access(vm, pc, regs[pc->a], slow_address);
    if (LIKELY(step == STEP_NEXT)) goto *labels[ir_unchecked(pc->op)];
    goto stepped_into;
slow_load:
    if (vm_translate_read(vm, slow_address)) DISPATCH(); // retry: now it is translated
    SAVE();
    step = vm_slow_load(vm, slow_address, &slow_value, ir_op_info[pc->op].width / 8);
    if (LIKELY(step == STEP_NEXT)) SET(pc->dst, slow_value);
    goto stepped;
slow_store:
    if (first_write(vm, slow_address, ir_op_info[pc->op].width / 8)) DISPATCH();
    if (vm_translate_write(vm, slow_address)) {
        if (UNLIKELY(limits_look())) limit = vm->budget.steps_limit = 0;
        DISPATCH();
    }
    SAVE();
    step = vm_slow_store(vm, slow_address, slow_value, ir_op_info[pc->op].width / 8);
    goto stepped;
#if SYMBOLIC
symbolic:
    SAVE();
    step = step_symbolic(vm, pc);
    if (LIKELY(vm->solver) && UNLIKELY(solver_work(vm->solver) >= vm->budget.work_limit))
        vm->budget.steps_limit = 0;
    goto stepped_into;
#endif

stepped2:
    pc++;
stepped:
    limit = vm->budget.steps_limit; // block operations lower it (vm_charge)
    if (UNLIKELY(limits_look())) limit = vm->budget.steps_limit = 0;
    if (LIKELY(step == STEP_NEXT)) NEXT();
stepped_into: // continues at the frame's own `instruction`
    if (step == STEP_STOP) return step;
    limit = vm->budget.steps_limit;
    if (UNLIKELY(limits_look())) limit = vm->budget.steps_limit = 0;
    LOAD_FRAME();
    if (WRONG_LOOP()) return STEP_RELOAD;
    DISPATCH();
budget:
    SAVE();
    vm->outcome.event = VM_BUDGET;
    return STEP_STOP;
}

#undef SAVE
#undef DISPATCH
#undef NEXT
#undef NEXT2
#undef LOAD_FRAME
#undef LOAD_TERMS
#undef WRONG_LOOP
#undef IF_TERM1
#undef IF_TERM2
#undef SET
#undef CLEAR
#undef RRR
#undef RRI
#undef RRJ
#undef RR
#undef FAMILY
#undef FAMILY_ANY
#undef CUT
#undef SIGNED
#undef AMOUNT
#undef DIVIDE
#undef B_REGISTER
#undef B_IMMEDIATE
#undef B_SIGNED
#undef DIVISION
#undef SIGNED_DIVISION
#undef TAKE
#undef BRANCH
#undef BRR
#undef BRI
#undef BRJ
#undef BRANCH_ANY
#undef COMPARE_ANY
#undef COMPARE_SIGNED
#undef TRANSLATE
#undef LOAD
#undef STORE
#undef BASED
#undef INDEXED
#undef INDEXED_S32
#undef SAME_OBJECT
#undef CHECKED
#undef POINT
#undef VALUE
#undef ACCESSES
#undef FLOATING
#undef FLOAT_COMPARE
