// Operations that the loop leaves to functions: rare, long or wide ones. Each reads its operands from the top frame.
#include "vm/float_check.h"
#include "vm/numeric.h"
#include "vm/vm_int.h"

static struct frame *top(struct vm *vm) { return frames_top(&vm->state->frames); }

// Whether one of these registers holds a term.
static bool any_term(struct frame *frame, uint32_t a, uint32_t b, uint32_t c) {
    if (!frame->has_terms) return false;
    assert(MAX(a, MAX(b, c)) < frame->function->register_count);
    const uint32_t *terms = frame_terms(frame);
    return terms[a] || terms[b] || terms[c];
}

static void clear_term(struct frame *frame, uint32_t dst) {
    if (frame->has_terms) frame_terms(frame)[dst] = 0;
}

static bool is_zero(const uint64_t *limbs, unsigned width) {
    for (unsigned i = 0; i < ir_slots(width); i++)
        if (limbs[i]) return false;
    return true;
}

static bool is_all_ones(const uint64_t *limbs, unsigned width) {
    for (unsigned i = 0; i < ir_slots(width); i++)
        if (limbs[i] != mask_bits(MIN(64, width - 64 * i))) return false;
    return true;
}

static bool is_signed_minimum(const uint64_t *limbs, unsigned width) {
    for (unsigned i = 0; i < ir_slots(width); i++)
        if (limbs[i] != (i == (width - 1) / 64 ? (uint64_t)1 << (width - 1) % 64 : 0)) return false;
    return true;
}

enum step step_int(struct vm *vm, const struct ir_insn *insn) {
    struct frame *frame = top(vm);
    enum ir_fn fn = insn[1].dst;
    unsigned arity = ir_fn_info[fn].arity, width = insn->aux;
    uint32_t b = arity > 1 ? insn->b : insn->a, c = arity > 2 ? insn[1].a : insn->a;
    if (any_term(frame, insn->a, b, c)) return step_symbolic(vm, insn);
    uint64_t *regs = frame->registers;
    if (fn == IR_FN_UDIV || fn == IR_FN_UREM || fn == IR_FN_SDIV || fn == IR_FN_SREM) {
        if (is_zero(regs + b, width)) return vm_report_division(vm, insn);
        bool is_signed = fn == IR_FN_SDIV || fn == IR_FN_SREM;
        if (is_signed && is_all_ones(regs + b, width) && is_signed_minimum(regs + insn->a, width))
            return vm_report_division(vm, insn);
    }
    int_evaluate(fn, width, insn[1].aux, regs + insn->dst, regs + insn->a, regs + b, regs + c);
    clear_term(frame, insn->dst);
    if (ir_fn_info[fn].result == 'V') clear_term(frame, insn->dst + ir_slots(width));
    return STEP_NEXT;
}

enum step step_float(struct vm *vm, const struct ir_insn *insn) {
    struct frame *frame = top(vm);
    enum ir_fn fn = insn[1].dst;
    unsigned arity = ir_fn_info[fn].arity;
    uint32_t b = arity > 1 ? insn->b : insn->a, c = arity > 2 ? insn[1].a : insn->a;
    if (any_term(frame, insn->a, b, c)) return step_symbolic(vm, insn);
    uint64_t *regs = frame->registers;
    bool to_int = fn >= IR_FN_FTO_SINT && fn <= IR_FN_FTO_UINT_SAT;
    if (vm_float_is_checked(vm, frame) && (!to_int || insn[1].b <= 64)) {
        uint64_t result[2] = {0}; // one float, or 64 bits
        const uint64_t *operands[] = {regs + insn->a, regs + b, regs + c};
        float_evaluate(fn, insn->aux, insn[1].b, result, operands[0], operands[1], operands[2]);
        enum step step = vm_check_float(vm, fn, insn->aux, insn[1].b, operands, result);
        if (step != STEP_NEXT) return step;
    }
    float_evaluate(fn, insn->aux, insn[1].b, regs + insn->dst, regs + insn->a, regs + b, regs + c);
    clear_term(frame, insn->dst);
    return STEP_NEXT;
}

// Copies `width` bits between bit positions of two arrays of limbs.
static void copy_bits(uint64_t *to, unsigned to_bit, const uint64_t *from, unsigned from_bit,
                      unsigned width) {
    while (width) {
        unsigned count = MIN(width, MIN(64 - to_bit % 64, 64 - from_bit % 64));
        uint64_t piece = from[from_bit / 64] >> from_bit % 64 & mask_bits(count);
        uint64_t mask = mask_bits(count) << to_bit % 64;
        to[to_bit / 64] = (to[to_bit / 64] & ~mask) | piece << to_bit % 64;
        to_bit += count;
        from_bit += count;
        width -= count;
    }
}

enum step step_parts(struct vm *vm, const struct ir_insn *insn) {
    struct frame *frame = top(vm);
    uint64_t *regs = frame->registers;
    unsigned width = insn->aux, count = insn->b, part = insn[1].a, part_slots = ir_slots(part);
    bool joining = insn->op == IR_CONCAT;
    for (unsigned i = 0; i < (joining ? count : 1); i++)
        if (any_term(frame, insn->a + i * part_slots, insn->a, insn->a)) return step_symbolic(vm, insn);
    unsigned slots = joining ? ir_slots(width) : count * part_slots;
    assert(insn->dst + slots <= frame->function->register_count && width == count * part);
    uint64_t *result = mem_alloc_zeroed(slots * sizeof *result); // a separate array, since dst may overlap a
    for (unsigned i = 0; i < count; i++) {
        if (joining)
            copy_bits(result, i * part, regs + insn->a + i * part_slots, 0, part);
        else
            copy_bits(result + i * part_slots, 0, regs + insn->a, i * part, part);
    }
    memcpy(regs + insn->dst, result, slots * sizeof *result);
    mem_free(result, slots * sizeof *result);
    for (unsigned i = 0; i < (joining ? 1 : count); i++) clear_term(frame, insn->dst + i * part_slots);
    return STEP_NEXT;
}

static enum step step_wide_access(struct vm *vm, const struct ir_insn *insn) {
    struct frame *frame = top(vm);
    bool store = insn->op == IR_STOREN;
    if (any_term(frame, insn->a, store ? insn->dst : insn->a, insn->a)) return step_symbolic(vm, insn);
    uint64_t *regs = frame->registers, address = regs[insn->a] + (uint64_t)(int64_t)(int32_t)insn->b;
    unsigned width = insn->aux, size = (width + 7) / 8;
    if (store) return vm_write_bytes(vm, address, regs + insn->dst, size);
    if (vm->terms) {
        enum step checked = vm_check_access(vm, address, size, false);
        if (checked != STEP_NEXT) return checked;
        if (vm_any_symbolic(vm, address, size)) {
            vm_begin_values(vm);
            Term value = term_extract(vm->terms, vm_load_term(vm, address, size), 0, width);
            vm_set_register_term(vm, frame, insn->dst, width, value);
            frame->instruction++;
            return STEP_RELOAD;
        }
    }
    uint64_t *value = regs + insn->dst;
    uint64_t *last = &value[ir_slots(width) - 1], before = *last;
    *last = 0;
    enum step step = vm_read_bytes(vm, address, value, size);
    if (step != STEP_NEXT) {
        *last = before;
        return step;
    }
    *last &= mask_bits((width - 1) % 64 + 1);
    clear_term(frame, insn->dst);
    return STEP_NEXT;
}

enum step step_memory(struct vm *vm, const struct ir_insn *insn) {
    replay_begin_decisions(vm);
    struct frame *frame = top(vm);
    uint64_t *regs = frame->registers;
    enum step step = STEP_NEXT;
    switch (insn->op) {
    case IR_LOADN:
    case IR_STOREN: return step_wide_access(vm, insn);
    case IR_ALLOCA: {
        if (any_term(frame, insn->a, insn->a, insn->a)) return step_symbolic(vm, insn);
        uint64_t address =
            state_alloca(vm->state, regs[insn->a], insn->b, vm_current_site(vm), vm->initial_shadow);
        if (!address)
            return vm_report_bug(vm, BUG_STACK_OVERFLOW, "the stack is exhausted: alloca of %llu bytes",
                                 (unsigned long long)regs[insn->a]);
        regs[insn->dst] = address;
        clear_term(frame, insn->dst);
        break;
    }
    case IR_STACK_RESTORE:
        if (any_term(frame, insn->a, insn->a, insn->a)) return step_symbolic(vm, insn);
        state_restore_stack(vm->state, regs[insn->a]);
        provenance_forget_ranges(vm);
        break;
    default:
        if (any_term(frame, insn->dst, insn->a, insn->b)) return step_symbolic(vm, insn);
        assert(insn->op == IR_MEMSET || insn->op == IR_MEMCPY || insn->op == IR_MEMMOVE);
        if (insn->op == IR_MEMSET)
            step = vm_set_bytes(vm, regs[insn->dst], (uint8_t)regs[insn->a], regs[insn->b]);
        else if (insn->op == IR_MEMCPY)
            step = vm_check_copy(vm, regs[insn->dst], regs[insn->a], regs[insn->b]);
        if (step == STEP_NEXT && insn->op != IR_MEMSET)
            step = vm_copy_bytes(vm, regs[insn->dst], regs[insn->a], regs[insn->b]);
    }
    vm_sync_translations(vm);
    return step;
}

enum step step_check(struct vm *vm, const struct ir_insn *insn) {
    struct frame *frame = top(vm);
    if (any_term(frame, insn->a, insn->b, insn->a)) return step_symbolic(vm, insn);
    const uint64_t *a = frame->registers + insn->a, *b = frame->registers + insn->b;
    unsigned width = insn->aux;
    if (insn->op == IR_CHECK_SHIFT) {
        bool high = false;
        for (unsigned i = 1; i < ir_slots(width); i++) high |= b[i] != 0;
        if (!high && b[0] < width) return STEP_NEXT;
        return vm_report_bug(vm, BUG_SHIFT, "shift of a %u-bit value by %llu", width,
                             (unsigned long long)b[0]);
    }
    static const struct {
        enum ir_fn fn, checked;
        const char *name;
    } kinds[] = {{IR_FN_ADD, IR_FN_SADD_OVERFLOW, "addition"},
                 {IR_FN_SUB, IR_FN_SSUB_OVERFLOW, "subtraction"},
                 {IR_FN_MUL, IR_FN_SMUL_OVERFLOW, "multiplication"}};
    for (unsigned i = 0; i < COUNT(kinds); i++) {
        if (kinds[i].fn != insn->dst) continue;
        size_t slots = ir_slots(width) + 1;
        uint64_t *result = mem_alloc(slots * sizeof *result);
        int_evaluate(kinds[i].checked, width, width, result, a, b, a);
        bool overflow = result[slots - 1];
        mem_free(result, slots * sizeof *result);
        if (!overflow) return STEP_NEXT;
        if (width > 64) return vm_report_bug(vm, BUG_OVERFLOW, "signed %s overflows", kinds[i].name);
        return vm_report_bug(vm, BUG_OVERFLOW, "signed %s overflows: operands %lld and %lld", kinds[i].name,
                             (long long)sign_extend(*a, width), (long long)sign_extend(*b, width));
    }
    assert(!"an operation that cannot overflow is checked");
    return STEP_NEXT;
}

// Returns a register's value under the running state's model.
static uint64_t value_of(struct vm *vm, uint32_t reg) {
    struct frame *frame = top(vm);
    if (!any_term(frame, reg, reg, reg)) return frame->registers[reg];
    return solver_evaluate(vm->solver, vm->state->path, vm_register_term(vm, frame, reg, 64));
}

static void add_value(struct vm *vm, struct text *text, struct ir_check_value type, uint32_t reg) {
    uint64_t value = value_of(vm, reg) & mask_bits(type.width);
    if (type.is_address)
        text_add(text, "0x%llx", (unsigned long long)value);
    else if (type.is_signed)
        text_add(text, "%lld", (long long)sign_extend(value, type.width));
    else
        text_add(text, "%llu", (unsigned long long)value);
}

// Adds the indexed variable and the offset that the subscript leads to.
static void describe_subscript(struct vm *vm, const struct ir_check *check, int64_t index) {
    struct frame *frame = top(vm);
    uint64_t start = check->address;
    if (!start) start = frame->memory + frame->function->allocas[check->local].offset;
    struct object object;
    if (!object_find(vm->state, start, &object)) return;
    vm_print_where(&vm->outcome.bug.details, start + (uint64_t)index * check->scale, object.start,
                   object.size);
    text_add(&vm->outcome.bug.details, " ");
    vm_describe_object(vm, &object, &vm->outcome.bug.details);
    text_add(&vm->outcome.bug.details, "\n");
}

enum step step_failed_check(struct vm *vm, const struct ir_insn *insn) {
    assert(insn->b < vm->program->check_count);
    const struct ir_check *check = &vm->program->checks[insn->b];
    struct text text = {0};
    for (const char *p = vm->program->strings[check->text]; *p; p++) {
        unsigned which = p[0] == '%' ? (unsigned)(p[1] - '1') : UINT32_MAX;
        if (which < COUNT(check->values)) {
            uint32_t reg = insn->op == IR_BELOW ? insn->a : which ? insn[1].b : insn[1].a;
            add_value(vm, &text, check->values[which], reg);
            p++;
        } else {
            text_add_bytes(&text, p, 1);
        }
    }
    vm_report_begin(vm, (enum bug_kind)check->kind, "%s", text.at);
    text_free(&text);
    if (check->scale) {
        uint64_t index = value_of(vm, insn->a);
        bool is_signed = check->values[0].is_signed;
        describe_subscript(vm, check, is_signed ? sign_extend(index, insn->aux) : (int64_t)index);
    }
    return vm_report_end(vm);
}

enum step step_goto(struct vm *vm, const struct ir_insn *insn) {
    struct frame *frame = top(vm);
    if (any_term(frame, insn->a, insn->a, insn->a)) return step_symbolic(vm, insn);
    assert(insn->b < frame->function->goto_count);
    const struct ir_goto *targets = &frame->function->gotos[insn->b];
    uint64_t label = frame->registers[insn->a] - IR_LABEL_BASE;
    // Labels are ascending and mostly consecutive: then the distance to the first one is the index.
    uint64_t guess = targets->count ? label - targets->labels[0] : 0;
    bool found = guess < targets->count && targets->labels[guess] == label;
    uint32_t low = found ? (uint32_t)guess : 0, high = found ? low : targets->count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (targets->labels[middle] < label)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == targets->count || targets->labels[low] != label)
        return vm_report_label(vm, frame->registers[insn->a]);
    if (!vm->coverage.edges[targets->edges[low]]) vm_note_new_edge(vm, vm->state, targets->edges[low]);
    if (vm->watch.trace) vm->watch.trace(vm->watch.trace_context, targets->edges[low]);
    frame->instruction = targets->targets[low];
    return STEP_RELOAD;
}

enum step step_mark(struct vm *vm, const struct ir_insn *insn) {
    if (vm->options.sink.marked) vm->options.sink.marked(vm->options.sink.context, vm->state, insn->a);
    if (vm->watch.began) { // the state is in another function now, which begins with its own mark
        vm->watch.began = false;
        return STEP_RELOAD;
    }
    if (insn->a & IR_MARK_ENTRY && vm->state->start.function) {
        replay_begin_decisions(vm);
        enum step step = lazy_enter(vm);
        if (step != STEP_NEXT) return step;
    }
    if (!vm->watch.ends_soon) return STEP_NEXT;
    vm->outcome.event = VM_BUDGET;
    frames_top(&vm->state->frames)->instruction++;
    return STEP_STOP;
}

enum step step_end(struct vm *vm, const struct ir_insn *insn) {
    switch (insn->op) {
    case IR_FAILURE: return vm_report_bug(vm, BUG_ASSERT, "%s was reached", vm->program->strings[insn->a]);
    case IR_UNREACHABLE:
        return vm_report_bug(vm, BUG_UNREACHABLE, "code that is marked as unreachable is executed");
    case IR_TRAP: return vm_report_bug(vm, BUG_ABORT, "__builtin_trap");
    default:
        assert(insn->op == IR_NOT_MODELLED);
        return vm_report_not_modelled(vm, vm->program->strings[insn->a]);
    }
}
