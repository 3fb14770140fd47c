// musl declares the functions of <ucontext.h>, but does not define them. These two return again when the context that
// they save is activated.
#include_next <ucontext.h>

#ifndef TAMAR_GNU_UCONTEXT_H
#define TAMAR_GNU_UCONTEXT_H
#ifdef __cplusplus
extern "C" {
#endif
int getcontext(struct __ucontext *out) __attribute__((__returns_twice__));
int swapcontext(struct __ucontext *out, const struct __ucontext *in) __attribute__((__returns_twice__));
#ifdef __cplusplus
}
#endif
#endif
