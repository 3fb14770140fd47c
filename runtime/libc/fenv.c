// The floating-point environment, of which little is modelled: every operation rounds to
// nearest, and none raises a flag. Other requests fail or end the path, and are reported.
#include "runtime/intrinsics.h"

#include <fenv.h>
#include <stddef.h>

static int raised; // flags raised by feraiseexcept

int feclearexcept(int mask) {
    raised &= ~mask;
    return 0;
}

int feraiseexcept(int mask) {
    raised |= mask & FE_ALL_EXCEPT;
    return 0;
}

// The flags raised by earlier operations are not known.
int fetestexcept(int mask) {
    if (mask & FE_ALL_EXCEPT & ~raised)
        __tamar_not_modelled("fetestexcept: flags that floating-point operations raise");
    return mask & raised;
}

int fegetround(void) { return FE_TONEAREST; }

int fesetround(int mode) {
    if (mode == FE_TONEAREST) return 0;
    if (mode == FE_DOWNWARD || mode == FE_UPWARD || mode == FE_TOWARDZERO)
        __tamar_not_modelled("fesetround: rounding that is not to nearest");
    return -1;
}

int fegetenv(fenv_t *environment) {
    *environment = (fenv_t){0};
    environment->__status_word = (unsigned short)raised;
    return 0;
}

int fesetenv(const fenv_t *environment) {
    raised = environment == FE_DFL_ENV ? 0 : environment->__status_word & FE_ALL_EXCEPT;
    return 0;
}

int feupdateenv(const fenv_t *environment) {
    int before = raised;
    fesetenv(environment);
    return feraiseexcept(before);
}
