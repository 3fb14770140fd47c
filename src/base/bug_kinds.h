// The kinds of bugs, and every fact about a kind that several folders use. One row is one kind:
//
//   BUG(NAME, name, CWE, checks, title, advice, traits, signals, messages)
//
//   name      name in results, reports and options; also the id of the SARIF rule
//   checks    set of checks (base/checks.h) that report it; 0: it is reported whatever --check says
//   title     the rule's description, in SARIF
//   advice    the last sentence of a report, and the rule's help
//   traits    enum bug_trait
//   signals   signals that end a native run that has this bug
//   messages  messages of sanitizers, valgrind and the C library that confirm it
//
// The order is that of the rules in SARIF; USER is last.
#ifndef TAMAR_BASE_BUG_KINDS_H
#define TAMAR_BASE_BUG_KINDS_H

#include "base/checks.h"

enum bug_trait {
    BUG_PLAIN = 0,
    BUG_PLACELESS = 1,     // other tools report it without the source line that the engine reports
    BUG_VALGRIND_ONLY = 2, // valgrind reports it, the sanitizer builds do not
    BUG_SURVIVED = 4       // a native run continues after it, unless the memory is not mapped
};

// clang-format off
#define BUG_TABLE(BUG)                                                                                       \
    BUG(OUT_OF_BOUNDS, "out-of-bounds", 125, CHECK_BIT(MEMORY) | CHECK_BIT(BOUNDS),                          \
        "memory outside of an object is accessed",                                                           \
        "Check the index or the length against the size of the object before the access.", BUG_SURVIVED,        \
        (SIGSEGV),                                                                                           \
        ("buffer-overflow", "buffer-underflow", "use-after-poison", "out of bounds for type",                \
         "insufficient space for an object", "negative-size-param", "AddressSanitizer: SEGV",                \
         "AddressSanitizer: BUS", "AddressSanitizer: unknown-crash", "Invalid read", "Invalid write",        \
         "Access not within mapped region"))                                                                 \
    BUG(USE_AFTER_FREE, "use-after-free", 416, CHECK_BIT(MEMORY), "an object is used after its lifetime",    \
        "Keep the object until its last use, or forget the pointer when it is freed.", BUG_SURVIVED,            \
        (SIGSEGV), ("use-after-free", "stack-use-after", "free'd"))                                          \
    BUG(USE_AFTER_SCOPE, "use-after-scope", 825, CHECK_BIT(MEMORY),                                          \
        "a local variable is used outside of its scope",                                                     \
        "Declare the variable in the outermost block that uses its address.", BUG_SURVIVED,                     \
        (), ("stack-use-after-scope"))                                                                       \
    BUG(DOUBLE_FREE, "double-free", 415, CHECK_BIT(MEMORY), "an object is freed twice",                      \
        "Forget the pointer when the object is freed.", BUG_PLAIN,                                           \
        (SIGABRT), ("double-free", "Invalid free"))                                                          \
    BUG(BAD_FREE, "bad-free", 590, CHECK_BIT(MEMORY), "something that was not allocated is freed",           \
        "Free only pointers that malloc, calloc or the like returned, unchanged.", BUG_PLAIN,            \
        (SIGABRT), ("not malloc()-ed", "Invalid free"))                                                      \
    BUG(NULL, "null", 476, CHECK_BIT(MEMORY) | CHECK_BIT(NULL), "a null pointer is dereferenced",                              \
        "Check the pointer before it is used, above all the result of a call that may fail.",                \
        BUG_PLAIN, (SIGSEGV),                                                                                \
        ("null pointer", "zero page", "Access not within mapped region at address 0x"))                      \
    BUG(DIVISION, "div-by-zero", 369,                                                                        \
        CHECK_BIT(DIV) | CHECK_BIT(FLOAT) | CHECK_BIT(FLOAT_DIVIDE),                                         \
        "a division by zero, or one whose result cannot be represented",                                     \
        "Check the divisor before the division.", BUG_PLAIN,                                                 \
        (SIGFPE), ("division by zero", "by -1 cannot be represented", "AddressSanitizer: FPE", "SIGFPE"))                                   \
    BUG(ASSERT, "assert", 617, CHECK_BIT(ASSERT), "an assertion fails",                                      \
        "Either the assertion or the code before it is wrong for this input.", BUG_PLAIN,                    \
        (SIGABRT), ("tamar: assert", "Assertion", "AddressSanitizer: ABRT", "SIGABRT"))                      \
    BUG(ABORT, "abort", 617, 0, "the program aborts", "Report the condition instead of aborting.",           \
        BUG_PLAIN, (SIGABRT, SIGILL, SIGTRAP),                                                               \
        ("AddressSanitizer: ABRT", "AddressSanitizer: ILL", "AddressSanitizer: TRAP", "SIGABRT"))            \
    BUG(OVERFLOW, "overflow", 190,                                                                           \
        CHECK_BIT(OVERFLOW) | CHECK_BIT(ARITHMETIC) | CHECK_BIT(FLOAT) | CHECK_BIT(FLOAT_CAST_OVERFLOW) |    \
            CHECK_BIT(SIGNED_OVERFLOW) | CHECK_BIT(UNSIGNED_OVERFLOW) | CHECK_BIT(UNSIGNED_TRUNCATION) |     \
            CHECK_BIT(SIGNED_TRUNCATION) | CHECK_BIT(SIGN_CHANGE) | CHECK_BIT(BITFIELD),                     \
        "the result of arithmetic or of a conversion does not fit its type",                                 \
        "Use a wider or an unsigned type, or check the operands first.", BUG_SURVIVED,                          \
        (), ("signed integer overflow", "cannot be represented", "implicit conversion from type",            \
             "is outside the range of representable values"))                                                \
    BUG(SHIFT, "shift", 1335,                                                                                \
        CHECK_BIT(SHIFT) | CHECK_BIT(SHIFT_BASE) | CHECK_BIT(SHIFT_EXPONENT) | CHECK_BIT(UNSIGNED_SHIFT),    \
        "a shift by the width or more, by a negative amount, or of a negative number",                       \
        "Check the amount before the shift.", BUG_SURVIVED, (), ("shift exponent", "left shift of"))            \
    BUG(UNREACHABLE, "unreachable", 561, 0, "code that was declared unreachable is reached",                 \
        "The assumption behind it does not hold for this input.", BUG_PLAIN,                                 \
        (SIGILL, SIGTRAP), ("reached an unreachable", "AddressSanitizer: ILL"))                              \
    BUG(STACK_OVERFLOW, "stack-overflow", 674, 0, "the stack is exhausted",                                  \
        "Bound the recursion or the size of the locals.", BUG_PLACELESS,                                     \
        (SIGSEGV), ("stack-overflow", "Stack overflow"))                                                     \
    BUG(LEAK, "leak", 401, CHECK_BIT(LEAK), "memory is never freed",                                         \
        "Free it before the last pointer to it is lost.", BUG_PLACELESS | BUG_SURVIVED,                                     \
        (), ("LeakSanitizer", "definitely lost"))                                                            \
    BUG(UNINITIALISED, "uninitialised", 457, CHECK_BIT(UNINIT),                                              \
        "the program depends on memory that was never written",                                              \
        "Give the object a value before it is read.", BUG_VALGRIND_ONLY | BUG_SURVIVED, (),                                 \
        ("ninitialised value", "ninitialised byte",                                                          \
         "AddressSanitizer: FPE" /* a divisor that happened to be zero */, "division by zero"))              \
    BUG(BAD_CALL, "bad-call", 843, CHECK_BIT(MEMORY), "a call or jump to an address that is not a function",               \
        "Check the function pointer; something has overwritten it, or it was never set.", BUG_PLAIN,         \
        (SIGSEGV, SIGILL),                                                                                   \
        ("AddressSanitizer: SEGV", "AddressSanitizer: ILL", "Jump to the invalid address"))                  \
    BUG(DEADLOCK, "deadlock", 833, 0, "every thread and process waits for another",                          \
        "Take locks in one order, and close the ends of pipes that are not used.", BUG_PLAIN,                \
        (SIGABRT), ("tamar: deadlock"))                                                                      \
    BUG(NOT_A_NUMBER, "not-a-number", 682, CHECK_BIT(FLOAT),                                                 \
        "an operation on numbers whose result is a NaN",                                                     \
        "Check the operands: differences of infinities, zero by zero, roots of negative numbers.",           \
        BUG_SURVIVED, (), ())                                                                                   \
    BUG(ALIGNMENT, "alignment", 704, CHECK_BIT(ALIGNMENT),                                                   \
        "a pointer is not aligned as its type requires",                                                     \
        "Copy the bytes with memcpy, or place the object at an aligned address.", BUG_SURVIVED,                 \
        (SIGBUS), ("misaligned address", "alignment of"))                                                    \
    BUG(BOOL, "invalid-bool", 704, CHECK_BIT(BOOL), "a _Bool is neither 0 nor 1",                            \
        "Initialise it, and copy only valid _Bool values into it.", BUG_SURVIVED,                               \
        (), ("not a valid value for type"))                                                                  \
    BUG(BUILTIN, "builtin", 475, CHECK_BIT(BUILTIN), "a builtin is called with an invalid value",            \
        "Check the value before the call.", BUG_SURVIVED, (), ("passing zero to"))                              \
    BUG(POINTER_OVERFLOW, "pointer-overflow", 823, CHECK_BIT(POINTER_OVERFLOW),                              \
        "pointer arithmetic wraps around, or begins at null",                                                \
        "Compare lengths instead of pointers, and check the offset first.", BUG_SURVIVED,                       \
        (), ("pointer index expression", "offset to null pointer", "to null pointer",                        \
             "null pointer produced null pointer"))                                                          \
    BUG(POINTER_DIFFERENCE, "pointer-difference", 469, CHECK_BIT(POINTER_DIFFERENCE),                              \
        "pointers into different objects are subtracted",                                                    \
        "Subtract only pointers into the same object; compare or store offsets instead.", BUG_SURVIVED,      \
        (), ("invalid-pointer-pair"))                                                                        \
    BUG(OVERLAP, "overlap", 475, CHECK_BIT(MEMORY), "a block is copied to memory that overlaps it",            \
        "Use memmove, or copy from and to different memory.", BUG_SURVIVED,                                  \
        (), ("-param-overlap", "Source and destination overlap"))                                            \
    BUG(VLA_BOUND, "vla-bound", 1284, CHECK_BIT(VLA_BOUND),                                                  \
        "the length of a variable-length array is not positive",                                             \
        "Check the length before the declaration.", BUG_SURVIVED,                                               \
        (), ("variable length array bound"))                                                                 \
    BUG(NONNULL, "nonnull", 476,                                                                             \
        CHECK_BIT(NONNULL_ATTRIBUTE) | CHECK_BIT(RETURNS_NONNULL) | CHECK_BIT(NULLABILITY_ARG) |             \
            CHECK_BIT(NULLABILITY_ASSIGN) | CHECK_BIT(NULLABILITY_RETURN),                                   \
        "a null pointer where the declaration says that there is none",                                      \
        "Check the pointer first, or change the declaration.", BUG_SURVIVED,                                    \
        (), ("declared to never be null", "declared to never return null",                                    \
             "_Nonnull binding to null pointer"))                                                            \
    BUG(HANG, "hang", 835, CHECK_BIT(HANG), "the program does not terminate",                                \
        "Make sure that each iteration comes closer to the end of the loop.", BUG_PLACELESS, (), ())         \
    BUG(USER, "user", 710, 0, "an error that the program itself reports", "See the message.", BUG_PLAIN,     \
        (SIGABRT), ("tamar: user", "AddressSanitizer: ABRT"))

// Words that identify a kind in the SARIF rules and messages of other tools (--sarif). The first matching row wins.
#define BUG_RULE_WORDS(WORDS)                                                                                \
    WORDS(DOUBLE_FREE, "double free", "doublefree", "CWE-415")                                               \
    WORDS(USE_AFTER_FREE, "use after free", "use-after-free", "after it is freed", "after free", "CWE-416")  \
    WORDS(NULL, "null", "CWE-476")                                                                           \
    WORDS(DIVISION, "division by zero", "divide by zero", "div-by-zero", "dividezero", "zerodiv", "CWE-369") \
    WORDS(OUT_OF_BOUNDS, "out of bounds", "out-of-bounds", "outofbounds", "arraybound", "buffer overflow",   \
          "buffer-overflow", "bufferaccess", "overrun", "CWE-119", "CWE-120", "CWE-125", "CWE-787")          \
    WORDS(LEAK, "leak", "CWE-401")                                                                           \
    WORDS(UNINITIALISED, "uninit", "CWE-457")                                                                \
    WORDS(OVERFLOW, "integer overflow", "CWE-190")                                                           \
    WORDS(ASSERT, "assert", "CWE-617")
// clang-format on

enum bug_kind {
#define BUG(name, ...) BUG_##name,
    BUG_TABLE(BUG)
#undef BUG
        BUG_COUNT
};

// Distinguishes several failures of one kind at one operation: each is a separate bug. FAULT(NAME, name in messages).
#define BUG_FAULT_TABLE(FAULT)                                                                               \
    FAULT(ANY, "")                                                                                           \
    FAULT(READ, "read")                                                                                      \
    FAULT(WRITE, "write")                                                                                    \
    FAULT(ZERO, "zero")                                                                                      \
    FAULT(QUOTIENT, "quotient")

enum bug_fault {
#define FAULT(name, text) FAULT_##name,
    BUG_FAULT_TABLE(FAULT)
#undef FAULT
        FAULT_COUNT
};
extern const char *const bug_fault_names[FAULT_COUNT];

struct bug_facts {
    const char *name;
    unsigned cwe;
    uint64_t checks;
    const char *title, *advice;
    unsigned traits;
    const int *signals;          // terminated by 0
    const char *const *messages; // terminated by NULL
};
extern const struct bug_facts bug_facts[BUG_COUNT];

// The kind of this name. BUG_COUNT: there is none.
enum bug_kind bug_kind_by_name(const char *name);
// The fault of this name. FAULT_COUNT: there is none.
enum bug_fault bug_fault_by_name(const char *name);
// The kind that a rule of another tool reports, by the words in its name, then by those in its message.
// BUG_COUNT: none matches.
enum bug_kind bug_kind_by_rule(const char *rule, const char *message);
// The name that --check must list for this kind to be reported. NULL: the kind is always reported.
const char *bug_check_name(enum bug_kind kind);
// The set of kinds that the check of this name reports. 0: no check has this name.
uint64_t bug_kinds_of_check(const char *name, size_t length);
// Whether a native run that ended by this signal, or that wrote this text to standard error, confirms the bug.
bool bug_confirmed_by_signal(enum bug_kind kind, int signal);
bool bug_confirmed_by_text(enum bug_kind kind, const char *errors);

#endif
