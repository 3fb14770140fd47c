// What each kind of bug is, for people and for SARIF: KIND(name, CWE, headline, help). The names are those of
// the interface.
#ifndef TAMAR_KINDS_H
#define TAMAR_KINDS_H

#define FINDING_KINDS(KIND)                                                                                  \
    KIND("out-of-bounds", 125, "memory outside of an object is accessed",                                    \
         "Check the index or the length against the size of the object before the access.")                  \
    KIND("use-after-free", 416, "an object is used after its end",                                           \
         "Keep the object until its last use, or forget the pointer when it is freed.")                      \
    KIND("double-free", 415, "an object is freed twice", "Forget the pointer when the object is freed.")     \
    KIND("bad-free", 590, "something that was not allocated is freed",                                       \
         "Free only what malloc and its relatives returned, and exactly that pointer.")                      \
    KIND("null", 476, "a null pointer is followed",                                                          \
         "Check the pointer before it is followed, most of all the results of calls that may fail.")         \
    KIND("div-by-zero", 369, "a division by zero, or one whose result cannot be represented",                \
         "Check the divisor before the division.")                                                           \
    KIND("assert", 617, "an assertion fails",                                                                \
         "Either the assertion or the code before it is wrong for this input.")                              \
    KIND("abort", 617, "the program aborts", "Report the condition instead of aborting.")                    \
    KIND("overflow", 190, "signed arithmetic overflows",                                                     \
         "Use a wider or an unsigned type, or check the operands first.")                                    \
    KIND("shift", 1335, "a shift by more than the width of the type, or of a negative number",               \
         "Check the amount before the shift.")                                                               \
    KIND("unreachable", 561, "code that was declared unreachable is reached",                                \
         "The assumption behind it does not hold for this input.")                                           \
    KIND("stack-overflow", 674, "the stack is exhausted", "Bound the recursion or the size of the locals.")  \
    KIND("leak", 401, "memory is never freed", "Free it before the last pointer to it is lost.")             \
    KIND("uninitialised", 457, "the program depends on memory that was never written",                       \
         "Give the object a value before it is read.")                                                       \
    KIND("bad-call", 843, "a call or jump to what is no function",                                           \
         "Check the function pointer; something has overwritten it, or it was never set.")                   \
    KIND("deadlock", 833, "every thread and process waits for another",                                      \
         "Take locks in one order, and close the ends of pipes that are not used.")                          \
    KIND("not-a-number", 682, "an operation on numbers whose result is a NaN",                               \
         "Check the operands: differences of infinities, zero by zero, roots of negative numbers.")          \
    KIND("user", 710, "an error that the program itself reports", "See the message.")

#endif
