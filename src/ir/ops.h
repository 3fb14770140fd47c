// The table of operations of the IR. Enum, names, printer, verifier and the two dispatch tables of the VM are generated
// from it; the comment next to each operation defines its meaning.
//
//   OP(NAME, FORMAT, FN, WIDTH)
//
// Opcodes have the prefix IR_. FORMAT defines the fields of the 16-byte instruction (enum ir_format); `c` in a comment
// is field `a` of the second word. FN is the integer or float function that the operation computes. WIDTH is its
// operand width if the opcode fixes it; 0: `aux` holds it. A register ("slot") has 64 bits. Values of up to 64 bits are
// zero-extended in one slot; wider values take consecutive slots, least significant first, the top one zero-extended.
#ifndef TAMAR_IR_OPS_H
#define TAMAR_IR_OPS_H

// clang-format off

// Integer functions: INT(NAME, arity, result). Result: S same width as the operands, B one bit, V value then (in the
// next slot) an overflow bit, C converted to another width. The VM checks for division by zero and INT_MIN / -1. A
// shift by the width or more has the result of x86-64 at -O0. For widths up to 64 the amount is taken modulo 32 (widths
// up to 32) or modulo 64, and the result is truncated to the width. For larger widths the result is 0 (of ASHR: copies
// of the sign).
#define IR_INT_TABLE(INT)                                                                                    \
    INT(ADD, 2, S) INT(SUB, 2, S) INT(MUL, 2, S) INT(UDIV, 2, S) INT(SDIV, 2, S) INT(UREM, 2, S)             \
    INT(SREM, 2, S) INT(SHL, 2, S) INT(LSHR, 2, S) INT(ASHR, 2, S) INT(AND, 2, S) INT(OR, 2, S)              \
    INT(XOR, 2, S)                                                                                           \
    INT(EQ, 2, B) INT(NE, 2, B) INT(ULT, 2, B) INT(ULE, 2, B) INT(UGT, 2, B) INT(UGE, 2, B) INT(SLT, 2, B)   \
    INT(SLE, 2, B) INT(SGT, 2, B) INT(SGE, 2, B)                                                             \
    INT(ZEXT, 1, C) INT(SEXT, 1, C) INT(TRUNC, 1, C)                                                         \
    INT(ABS, 1, S) INT(BSWAP, 1, S) INT(BITREVERSE, 1, S) INT(CTPOP, 1, S) INT(CTLZ, 1, S) INT(CTTZ, 1, S)   \
    INT(SMIN, 2, S) INT(SMAX, 2, S) INT(UMIN, 2, S) INT(UMAX, 2, S) INT(UADD_SAT, 2, S) INT(SADD_SAT, 2, S)  \
    INT(USUB_SAT, 2, S) INT(SSUB_SAT, 2, S) INT(USHL_SAT, 2, S) INT(SSHL_SAT, 2, S)                          \
    INT(UADD_OVERFLOW, 2, V) INT(SADD_OVERFLOW, 2, V) INT(USUB_OVERFLOW, 2, V) INT(SSUB_OVERFLOW, 2, V)      \
    INT(UMUL_OVERFLOW, 2, V) INT(SMUL_OVERFLOW, 2, V)                                                        \
    INT(FSHL, 3, S) INT(FSHR, 3, S) INT(UCMP, 2, C) INT(SCMP, 2, C)

// Float functions: FLOAT(NAME, arity). `b` of the second word: CMP: LLVM's predicate (0..15); IS_CLASS: LLVM's mask;
// CONVERT: the target format; TO_*: the integer's width; FROM_*: the integer's width (`aux` is the target format).
// TO_* out of range returns the "indefinite" value of x86-64; *_SAT saturates, NaN to 0.
#define IR_FLOAT_TABLE(FLOAT)                                                                                \
    FLOAT(FADD, 2) FLOAT(FSUB, 2) FLOAT(FMUL, 2) FLOAT(FDIV, 2) FLOAT(FREM, 2) FLOAT(FNEG, 1) FLOAT(FMA, 3)  \
    FLOAT(FSQRT, 1) FLOAT(FABS, 1) FLOAT(FCOPYSIGN, 2) FLOAT(FMINNUM, 2) FLOAT(FMAXNUM, 2)                   \
    FLOAT(FMINIMUM, 2) FLOAT(FMAXIMUM, 2) FLOAT(FFLOOR, 1) FLOAT(FCEIL, 1) FLOAT(FTRUNC, 1)                  \
    FLOAT(FRINT, 1) FLOAT(FNEARBYINT, 1) FLOAT(FROUND, 1) FLOAT(FROUNDEVEN, 1) FLOAT(FLDEXP, 2)              \
    FLOAT(FCMP, 2) FLOAT(FIS_CLASS, 1) FLOAT(FCONVERT, 1) FLOAT(FTO_SINT, 1) FLOAT(FTO_UINT, 1)              \
    FLOAT(FTO_SINT_SAT, 1) FLOAT(FTO_UINT_SAT, 1) FLOAT(FFROM_SINT, 1) FLOAT(FFROM_UINT, 1)

// One arithmetic family: a register form and an immediate form for each machine width, and for odd widths (N, with the
// width in aux, up to 64). Immediates are 32 bits: zero-extended (the constant's own unsigned value), but
// sign-extended in the 64-bit form. `aux` holds the width in every form, fixed or not.
#define IR_ALU(OP, F)                                                                                        \
    OP(F##8, RRR, F, 8) OP(F##16, RRR, F, 16) OP(F##32, RRR, F, 32) OP(F##64, RRR, F, 64)                    \
    OP(F##N, RRR, F, 0)                                                                                      \
    OP(F##8_I, RRI, F, 8) OP(F##16_I, RRI, F, 16) OP(F##32_I, RRI, F, 32) OP(F##64_I, RRJ, F, 64)            \
    OP(F##N_I, RRI, F, 0)
// A family whose result does not depend on the width, since registers are zero-extended.
#define IR_ALU_ANY(OP, F) OP(F, RRR, F, 0) OP(F##_I, RRI, F, 0) OP(F##64_I, RRJ, F, 64)
// The same two families as compare-and-branch: the second word holds the targets.
#define IR_BRANCH(OP, F)                                                                                     \
    OP(BR_##F##8, BRR, F, 8) OP(BR_##F##16, BRR, F, 16) OP(BR_##F##32, BRR, F, 32)                           \
    OP(BR_##F##64, BRR, F, 64) OP(BR_##F##8_I, BRI, F, 8) OP(BR_##F##16_I, BRI, F, 16)                       \
    OP(BR_##F##32_I, BRI, F, 32) OP(BR_##F##64_I, BRJ, F, 64)
#define IR_BRANCH_ANY(OP, F) OP(BR_##F, BRR, F, 0) OP(BR_##F##_I, BRI, F, 0) OP(BR_##F##64_I, BRJ, F, 64)

#define IR_OP_TABLE(OP)                                                                                      \
    IR_ALU(OP, ADD) IR_ALU(OP, SUB) IR_ALU(OP, MUL) IR_ALU(OP, UDIV) IR_ALU(OP, SDIV) IR_ALU(OP, UREM)       \
    IR_ALU(OP, SREM) IR_ALU(OP, SHL) IR_ALU(OP, LSHR) IR_ALU(OP, ASHR)                                       \
    IR_ALU_ANY(OP, AND) IR_ALU_ANY(OP, OR) IR_ALU_ANY(OP, XOR)                                               \
    IR_ALU_ANY(OP, EQ) IR_ALU_ANY(OP, NE) IR_ALU_ANY(OP, ULT) IR_ALU_ANY(OP, ULE) IR_ALU_ANY(OP, UGT)        \
    IR_ALU_ANY(OP, UGE)                                                                                      \
    IR_ALU(OP, SLT) IR_ALU(OP, SLE) IR_ALU(OP, SGT) IR_ALU(OP, SGE)                                          \
    IR_BRANCH_ANY(OP, EQ) IR_BRANCH_ANY(OP, NE) IR_BRANCH_ANY(OP, ULT) IR_BRANCH_ANY(OP, ULE)                \
    IR_BRANCH_ANY(OP, UGT) IR_BRANCH_ANY(OP, UGE)                                                            \
    IR_BRANCH(OP, SLT) IR_BRANCH(OP, SLE) IR_BRANCH(OP, SGT) IR_BRANCH(OP, SGE)                              \
    /* conversions up to 64 bits; aux = from | to << 8 */                                                    \
    OP(ZEXT, RR, ZEXT, 0) OP(TRUNC, RR, TRUNC, 0)                                                            \
    OP(SEXT8_32, RR, SEXT, 0) OP(SEXT8_64, RR, SEXT, 0) OP(SEXT16_32, RR, SEXT, 0)                           \
    OP(SEXT16_64, RR, SEXT, 0) OP(SEXT32_64, RR, SEXT, 0) OP(SEXT, RR, SEXT, 0)                              \
    /* any integer function of any width (aux), result width and third operand in the second word */         \
    OP(INT, INT, NONE, 0)                                                                                    \
    /* moves; aux = width, any */                                                                            \
    OP(IMM, IMM, NONE, 0)        /* dst = the 64 bits of a (low) and b (high) */                             \
    OP(IMM_WIDE, POOL, NONE, 0)  /* dst... = constants[a...], aux = width, more than 64 */                         \
    OP(MOV, RR, NONE, 0)         /* up to 64 bits */                                                         \
    OP(MOV_WIDE, RR, NONE, 0)                                                                                \
    OP(SELECT, SELECT, NONE, 0)  /* dst = a ? b : c; aux = width, any */                                     \
    OP(CONCAT, PARTS, NONE, 0)   /* dst (aux bits) from b parts of c bits each, at a, least significant first */ \
    OP(SPLIT, PARTS, NONE, 0)    /* the inverse: b parts of c bits to dst... from a (aux bits) */            \
    /* addresses */                                                                                          \
    /* pointer arithmetic: if the result leaves the object of a, its register records that object (vm/provenance.c) */ \
    OP(LEA, LEA, NONE, 64)       /* dst = a + b * aux */                                                     \
    OP(LEA_S32, LEA, NONE, 64)   /* dst = a + sign-extended 32-bit b * aux */                                \
    OP(LEA_I, LEA_I, NONE, 64)   /* dst = a + b, b signed */                                                 \
    OP(LEAG, LEA, NONE, 64) OP(LEAG_S32, LEA, NONE, 64) /* as LEA, LEA_S32, after BELOW has checked the index */ \
    OP(EXPOSED, RRR, NONE, 64)   /* dst = a, a pointer cast from an integer that was computed from b */    \
    OP(FRAME, RJ, NONE, 64)      /* dst = address of the frame's memory + b */                               \
    OP(TLS, RJ, NONE, 64)        /* dst = the thread's block + b */                                          \
    OP(ALLOCA, RRI, NONE, 64)    /* dst = new stack object of a bytes, aligned to b */                       \
    OP(STACK_SAVE, R, NONE, 64)                                                                              \
    OP(STACK_RESTORE, A, NONE, 64)                                                                           \
    /* the lifetime of local allocas[a], b bytes at dst in the frame, begins or ends; not counted as an instruction */ \
    OP(SCOPE_BEGIN, SCOPE, NONE, 0) OP(SCOPE_END, SCOPE, NONE, 0)                                            \
    /* memory: [a + b] with b a signed 32-bit displacement; [a] absolute; [a + b * aux] indexed. LOADF, */ \
    /* STOREF: as LOAD, STORE, for displacements that may reach past a red zone. They and indexed accesses are */ \
    /* checked against the object of a */ \
    OP(LOAD8, LOAD, NONE, 8) OP(LOAD16, LOAD, NONE, 16) OP(LOAD32, LOAD, NONE, 32) OP(LOAD64, LOAD, NONE, 64) \
    OP(LOADN, LOAD, NONE, 0)     /* aux = width, any; reads the bytes that hold it, truncates to the width */ \
    OP(STORE8, STORE, NONE, 8) OP(STORE16, STORE, NONE, 16) OP(STORE32, STORE, NONE, 32)                     \
    OP(STORE64, STORE, NONE, 64)                                                                             \
    OP(STOREN, STORE, NONE, 0)   /* aux = width, any; the unused bits of the last byte become zero */        \
    OP(STORE8_I, STORE_I, NONE, 8) OP(STORE16_I, STORE_I, NONE, 16) OP(STORE32_I, STORE_I, NONE, 32)         \
    OP(STORE64_I, STORE_I, NONE, 64) /* value: dst as immediate, sign-extended */                            \
    OP(LOADA8, LOADA, NONE, 8) OP(LOADA16, LOADA, NONE, 16) OP(LOADA32, LOADA, NONE, 32)                     \
    OP(LOADA64, LOADA, NONE, 64) OP(STOREA8, STOREA, NONE, 8) OP(STOREA16, STOREA, NONE, 16)                 \
    OP(STOREA32, STOREA, NONE, 32) OP(STOREA64, STOREA, NONE, 64)                                            \
    OP(LOADX8, LOADX, NONE, 8) OP(LOADX16, LOADX, NONE, 16) OP(LOADX32, LOADX, NONE, 32)                     \
    OP(LOADX64, LOADX, NONE, 64) OP(STOREX8, STOREX, NONE, 8) OP(STOREX16, STOREX, NONE, 16)                 \
    OP(STOREX32, STOREX, NONE, 32) OP(STOREX64, STOREX, NONE, 64)                                            \
    /* indexed, with a 32-bit index b, sign-extended */                                                      \
    OP(LOADX8_S32, LOADX, NONE, 8) OP(LOADX16_S32, LOADX, NONE, 16) OP(LOADX32_S32, LOADX, NONE, 32)         \
    OP(LOADX64_S32, LOADX, NONE, 64) OP(STOREX8_S32, STOREX, NONE, 8) OP(STOREX16_S32, STOREX, NONE, 16)     \
    OP(STOREX32_S32, STOREX, NONE, 32) OP(STOREX64_S32, STOREX, NONE, 64)                                    \
    /* indexed, after BELOW has checked the index; in the order of the LOADX and STOREX operations */        \
    OP(LOADG8, LOADX, NONE, 8) OP(LOADG16, LOADX, NONE, 16) OP(LOADG32, LOADX, NONE, 32)                     \
    OP(LOADG64, LOADX, NONE, 64) OP(STOREG8, STOREX, NONE, 8) OP(STOREG16, STOREX, NONE, 16)                 \
    OP(STOREG32, STOREX, NONE, 32) OP(STOREG64, STOREX, NONE, 64)                                            \
    OP(LOADG8_S32, LOADX, NONE, 8) OP(LOADG16_S32, LOADX, NONE, 16) OP(LOADG32_S32, LOADX, NONE, 32)         \
    OP(LOADG64_S32, LOADX, NONE, 64) OP(STOREG8_S32, STOREX, NONE, 8) OP(STOREG16_S32, STOREX, NONE, 16)     \
    OP(STOREG32_S32, STOREX, NONE, 32) OP(STOREG64_S32, STOREX, NONE, 64)                                    \
    OP(LOADF8, LOAD, NONE, 8) OP(LOADF16, LOAD, NONE, 16) OP(LOADF32, LOAD, NONE, 32)                        \
    OP(LOADF64, LOAD, NONE, 64) OP(STOREF8, STORE, NONE, 8) OP(STOREF16, STORE, NONE, 16)                    \
    OP(STOREF32, STORE, NONE, 32) OP(STOREF64, STORE, NONE, 64)                                              \
    OP(STOREF8_I, STORE_I, NONE, 8) OP(STOREF16_I, STORE_I, NONE, 16) OP(STOREF32_I, STORE_I, NONE, 32)      \
    OP(STOREF64_I, STORE_I, NONE, 64)                                                                        \
    OP(MEMCPY, AAA, NONE, 0)     /* to dst, from a, b bytes: three registers */                              \
    OP(MEMMOVE, AAA, NONE, 0)                                                                                \
    OP(MEMSET, AAA, NONE, 0)     /* to dst, byte a, b bytes */                                               \
    /* floats; aux = enum ir_float where the opcode does not fix it */                                       \
    OP(F32ADD, RRR, FADD, 32) OP(F32SUB, RRR, FSUB, 32) OP(F32MUL, RRR, FMUL, 32) OP(F32DIV, RRR, FDIV, 32)  \
    OP(F64ADD, RRR, FADD, 64) OP(F64SUB, RRR, FSUB, 64) OP(F64MUL, RRR, FMUL, 64) OP(F64DIV, RRR, FDIV, 64)  \
    OP(F32CMP, RRR, FCMP, 32) OP(F64CMP, RRR, FCMP, 64) /* aux = LLVM's predicate */                         \
    OP(FLOAT, FLOAT, NONE, 0)                                                                                \
    /* checks that are emitted only on request; aux = width, any */                                          \
    OP(CHECK_OVERFLOW, CHECK, NONE, 0) /* dst = enum ir_fn: ADD, SUB or MUL of a and b as signed numbers */  \
    OP(CHECK_SHIFT, CHECK, NONE, 0)    /* dst = SHL, LSHR or ASHR: the amount b must be below the width */   \
    OP(CHECK_SAME_OBJECT, CHECK, NONE, 0) /* a and b are pointers that must belong to one object; dst = 0 */   \
    OP(HOLDS, HOLDS, NONE, 1)          /* checks[b] fails unless the bit in a is 1; its values: second word */ \
    OP(BELOW, BELOW, NONE, 0)          /* checks[b] fails unless a (aux bits) is below the immediate dst */  \
    /* control; dst of each terminator = number of instructions of its block */                              \
    OP(JMP, JMP, NONE, 0)        /* to a, by edge b */                                                       \
    OP(BR, BR, NONE, 1)          /* on the bit in a; second word: edge in dst, targets a (1) and b (0) */    \
    OP(SWITCH, SWITCH, NONE, 0)  /* on a, aux = width up to 64, by switches[b] */                            \
    OP(GOTO, GOTO, NONE, 64)     /* computed: a holds the address of a label; gotos[b] lists the targets */  \
    OP(RET, RET, NONE, 0)        /* aux slots from a; b = this instruction's position, for coverage */        \
    OP(UNREACHABLE, END, NONE, 0)                                                                            \
    OP(CALL, CALL, NONE, 0)      /* function a, arguments[b...]; the aux result slots go to dst */           \
    OP(CALL_R, CALL_R, NONE, 0)  /* as CALL, of the function whose address is in register a */               \
    OP(TRAP, PLAIN, NONE, 0)     /* __builtin_trap: an abort */                                              \
    OP(NOT_MODELLED, TEXT, NONE, 0) /* reports strings[a] when executed */                                   \
    OP(FAILURE, TEXT, NONE, 0)   /* a failed assertion: the function strings[a] was reached */               \
    OP(MARK, MARK, NONE, 0)      /* reports that a path reached mark a, if that mark is enabled */           \
    OP(EXTRA, PLAIN, NONE, 0)    /* the second word of a two-word instruction; never executed */
// clang-format on

#endif
