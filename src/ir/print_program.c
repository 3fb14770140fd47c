// The listing of `tamar ir`: one line for each instruction, with its source line where that changes.
#include "ir/ir.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

static void print_name(FILE *out, const struct ir_insn *insn) {
    const char *name = ir_op_info[insn->op].name;
    char text[32];
    size_t i = 0;
    for (; name[i] && i + 1 < sizeof text; i++) text[i] = (char)tolower((unsigned char)name[i]);
    text[i] = 0;
    fprintf(out, "%s", text);
    const struct ir_op_info *info = &ir_op_info[insn->op];
    bool general = info->format == IR_FORMAT_INT || info->format == IR_FORMAT_FLOAT;
    if (general) fprintf(out, ".%s", ir_fn_info[insn[1].dst].name);
}

static const char *const float_names[] = {"f16", "bf16", "f32", "f64", "f80", "f128"};

static void print_argument(FILE *out, const struct ir_function *function, uint32_t entry) {
    if (entry & IR_CONSTANT)
        fprintf(out, "0x%" PRIx64, function->constants[entry & ~IR_CONSTANT]);
    else
        fprintf(out, "r%u", entry);
}

static void print_call(FILE *out, const struct ir_program *program, const struct ir_function *function,
                       const struct ir_insn *insn) {
    uint32_t header = function->arguments[insn->b], count = header & ~IR_CALL_VARIADIC;
    if (insn->aux) fprintf(out, " r%u", insn->dst);
    if (insn->aux > 1) fprintf(out, "..r%u", insn->dst + insn->aux - 1);
    if (insn->aux) fprintf(out, " =");
    if (insn->op == IR_CALL)
        fprintf(out, " %s(", program->functions[insn->a].name);
    else
        fprintf(out, " [r%u](", insn->a);
    for (uint32_t i = 0; i < count; i++) {
        if (i) fprintf(out, ", ");
        if (i + 1 == count && header & IR_CALL_VARIADIC) fprintf(out, "... ");
        print_argument(out, function, function->arguments[insn->b + 1 + i]);
    }
    fprintf(out, ")");
}

static void print_switch(FILE *out, const struct ir_function *function, const struct ir_insn *insn) {
    const struct ir_switch *s = &function->switches[insn->b];
    fprintf(out, " r%u, %u%s", insn->a, insn->aux, s->dense ? ", dense" : "");
    for (uint32_t i = 0; i < s->count; i++)
        fprintf(out, "\n            0x%" PRIx64 " -> @%u (edge %u)", s->values[i], s->targets[i],
                s->edges[i]);
    fprintf(out, "\n            default -> @%u (edge %u)", s->default_target, s->default_edge);
}

static void print_general(FILE *out, const struct ir_insn *insn) {
    const struct ir_fn_info *fn = &ir_fn_info[insn[1].dst];
    fprintf(out, " r%u, r%u", insn->dst, insn->a);
    if (fn->arity >= 2) fprintf(out, ", r%u", insn->b);
    if (fn->arity >= 3) fprintf(out, ", r%u", insn[1].a);
    if (insn->op == IR_FLOAT)
        fprintf(out, "  [%s, %u]", float_names[insn->aux], insn[1].b);
    else
        fprintf(out, "  [%u -> %u]", insn->aux, insn[1].aux);
}

static void print_operands(FILE *out, const struct ir_program *program, const struct ir_function *function,
                           const struct ir_insn *insn) {
    uint32_t d = insn->dst, a = insn->a, b = insn->b, width = insn->aux;
    switch ((enum ir_format)ir_op_info[insn->op].format) {
    case IR_FORMAT_RRR: fprintf(out, " r%u, r%u, r%u  [%u]", d, a, b, width); break;
    case IR_FORMAT_RRI: fprintf(out, " r%u, r%u, 0x%x  [%u]", d, a, b, width); break;
    case IR_FORMAT_RRJ: fprintf(out, " r%u, r%u, %d  [%u]", d, a, (int32_t)b, width); break;
    case IR_FORMAT_RR:
        if (insn->op == IR_MOV || insn->op == IR_MOV_WIDE)
            fprintf(out, " r%u, r%u  [%u]", d, a, width);
        else
            fprintf(out, " r%u, r%u  [%u -> %u]", d, a, width & 255, width >> 8);
        break;
    case IR_FORMAT_RJ: fprintf(out, " r%u, %d", d, (int32_t)b); break;
    case IR_FORMAT_R: fprintf(out, " r%u", d); break;
    case IR_FORMAT_A: fprintf(out, " r%u", a); break;
    case IR_FORMAT_AAA: fprintf(out, " r%u, r%u, r%u", d, a, b); break;
    case IR_FORMAT_INT:
    case IR_FORMAT_FLOAT: print_general(out, insn); break;
    case IR_FORMAT_IMM: fprintf(out, " r%u, 0x%" PRIx64 "  [%u]", d, a | (uint64_t)b << 32, width); break;
    case IR_FORMAT_POOL:
        fprintf(out, " r%u, 0x", d);
        for (uint32_t i = ir_slots(width); i-- > 0;) fprintf(out, "%016" PRIx64, function->constants[a + i]);
        fprintf(out, "  [%u]", width);
        break;
    case IR_FORMAT_SELECT: fprintf(out, " r%u, r%u ? r%u : r%u  [%u]", d, a, b, insn[1].a, width); break;
    case IR_FORMAT_PARTS: fprintf(out, " r%u, r%u, %u x %u  [%u]", d, a, b, insn[1].a, width); break;
    case IR_FORMAT_LEA: fprintf(out, " r%u, r%u + r%u * %u", d, a, b, width); break;
    case IR_FORMAT_LEA_I: fprintf(out, " r%u, r%u%+d", d, a, (int32_t)b); break;
    case IR_FORMAT_LOAD: fprintf(out, " r%u, [r%u%+d]  [%u]", d, a, (int32_t)b, width); break;
    case IR_FORMAT_STORE: fprintf(out, " [r%u%+d], r%u  [%u]", a, (int32_t)b, d, width); break;
    case IR_FORMAT_STORE_I: fprintf(out, " [r%u%+d], %d", a, (int32_t)b, (int32_t)d); break;
    case IR_FORMAT_LOADA: fprintf(out, " r%u, [0x%x]", d, a); break;
    case IR_FORMAT_STOREA: fprintf(out, " [0x%x], r%u", a, d); break;
    case IR_FORMAT_LOADX: fprintf(out, " r%u, [r%u + r%u * %u]", d, a, b, width); break;
    case IR_FORMAT_STOREX: fprintf(out, " [r%u + r%u * %u], r%u", a, b, width, d); break;
    case IR_FORMAT_CHECK: fprintf(out, " %s r%u, r%u  [%u]", ir_fn_info[d].name, a, b, width); break;
    case IR_FORMAT_HOLDS:
        fprintf(out, " r%u, \"%s\" (r%u, r%u)", a, program->strings[program->checks[b].text], insn[1].a,
                insn[1].b);
        break;
    case IR_FORMAT_BELOW:
        fprintf(out, " r%u, 0x%x, \"%s\"  [%u]", a, d, program->strings[program->checks[b].text], width);
        break;
    case IR_FORMAT_JMP: fprintf(out, " @%u (edge %u)", a, b); break;
    case IR_FORMAT_BR: fprintf(out, " r%u", a); break;
    case IR_FORMAT_BRR: fprintf(out, " r%u, r%u  [%u]", a, b, width); break;
    case IR_FORMAT_BRI: fprintf(out, " r%u, 0x%x  [%u]", a, b, width); break;
    case IR_FORMAT_BRJ: fprintf(out, " r%u, %d  [%u]", a, (int32_t)b, width); break;
    case IR_FORMAT_SWITCH: print_switch(out, function, insn); break;
    case IR_FORMAT_GOTO:
        fprintf(out, " [r%u]", a);
        for (uint32_t i = 0; i < function->gotos[b].count; i++)
            fprintf(out, "%s @%u", i ? "," : " ->", function->gotos[b].targets[i]);
        break;
    case IR_FORMAT_RET:
        if (width) fprintf(out, " r%u", a);
        if (width > 1) fprintf(out, "..r%u", a + width - 1);
        break;
    case IR_FORMAT_CALL:
    case IR_FORMAT_CALL_R: print_call(out, program, function, insn); break;
    case IR_FORMAT_TEXT: fprintf(out, " \"%s\"", program->strings[a]); break;
    case IR_FORMAT_MARK: fprintf(out, a & IR_MARK_ENTRY ? " entry" : " %u", a); break;
    case IR_FORMAT_SCOPE: fprintf(out, " frame+%u %s", d, program->strings[function->allocas[a].name]); break;
    case IR_FORMAT_END:
    case IR_FORMAT_PLAIN: break;
    }
    if (ir_op_info[insn->op].terminator && ir_op_info[insn->op].words == 2)
        fprintf(out, " ? @%u : @%u (edges %u, %u)", insn[1].a, insn[1].b, insn[1].dst, insn[1].dst + 1);
}

static void print_location(FILE *out, const struct ir_program *program, uint32_t index, uint32_t *last) {
    if (index == *last || !index) return;
    *last = index;
    fprintf(out, "  ;");
    for (; index; index = program->locations[index].inlined_at) {
        const struct ir_location *at = &program->locations[index];
        const char *file = program->files[at->file], *slash = strrchr(file, '/');
        fprintf(out, " %s:%u:%u", slash ? slash + 1 : file, at->line, at->column);
        if (at->inlined_at) fprintf(out, " in %s, inlined at", program->strings[at->function]);
    }
}

static void print_head(FILE *out, const struct ir_program *program, const struct ir_function *function) {
    const struct ir_location *at = &program->locations[function->location];
    fprintf(out,
            "function %u %s%s: %u parameter slots%s, %u result slots, %u registers, frame of %" PRIu64
            " bytes",
            function->index, function->name, function->local ? " (local)" : "", function->parameter_slots,
            function->variadic ? " and more" : "", function->result_slots, function->register_count,
            function->frame_size);
    if (at->line) fprintf(out, "  ; %s:%u", program->files[at->file], at->line);
    fprintf(out, "\n");
    for (uint32_t i = 0; i < function->alloca_count; i++) {
        const struct ir_alloca *object = &function->allocas[i];
        fprintf(out, "  frame+%" PRIu64 ": %" PRIu64 " bytes %s", object->offset, object->size,
                program->strings[object->name]);
        if (object->location) fprintf(out, " (line %u)", program->locations[object->location].line);
        fprintf(out, "\n");
    }
}

void ir_print_function(FILE *out, const struct ir_program *program, const struct ir_function *function) {
    print_head(out, program, function);
    uint32_t last = 0;
    for (uint32_t b = 0; b < function->block_count; b++) {
        const struct ir_block *block = &function->blocks[b];
        fprintf(out, "block %u:\n", function->first_block + b);
        for (uint32_t i = block->start; i < block->end; i += ir_op_info[function->code[i].op].words) {
            const struct ir_insn *insn = &function->code[i];
            fprintf(out, "  %5u  ", i);
            print_name(out, insn);
            print_operands(out, program, function, insn);
            print_location(out, program, function->locations[i], &last);
            fprintf(out, "\n");
        }
    }
    if (!function->code) fprintf(out, "  no body\n");
}

static void print_globals(FILE *out, const struct ir_program *program) {
    for (uint32_t i = 0; i < program->global_count; i++) {
        const struct ir_global *global = &program->globals[i];
        fprintf(out, "%s 0x%" PRIx64 " %s: %" PRIu64 " bytes, aligned to %" PRIu64 "%s\n",
                global->thread_local_ ? "thread"
                : global->readonly    ? "constant"
                                      : "variable",
                global->address, global->name, global->size, global->align, global->bytes ? "" : ", zero");
    }
}

void ir_print(FILE *out, const struct ir_program *program) {
    print_globals(out, program);
    for (uint32_t i = 0; i < program->function_count; i++) {
        fprintf(out, "\n");
        ir_print_function(out, program, &program->functions[i]);
    }
}
