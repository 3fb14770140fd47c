// GNU's heap statistics. The model keeps none: all counts are zero, and nothing can be tuned or trimmed.
#include_next <malloc.h>

#ifndef TAMAR_GNU_MALLOC_H
#define TAMAR_GNU_MALLOC_H
#ifdef __cplusplus
extern "C" {
#endif
struct mallinfo {
    int arena, ordblks, smblks, hblks, hblkhd, usmblks, fsmblks, uordblks, fordblks, keepcost;
};
struct mallinfo2 {
    size_t arena, ordblks, smblks, hblks, hblkhd, usmblks, fsmblks, uordblks, fordblks, keepcost;
};
#define M_MMAP_THRESHOLD (-3)
#define M_TRIM_THRESHOLD (-1)
#define M_TOP_PAD        (-2)
#define M_MMAP_MAX       (-4)
#define M_CHECK_ACTION   (-5)
#define M_PERTURB        (-6)
#define M_ARENA_MAX      (-8)
struct mallinfo mallinfo(void);
struct mallinfo2 mallinfo2(void);
int mallopt(int parameter, int value);
int malloc_trim(size_t pad);
#ifdef __cplusplus
}
#endif
#endif
