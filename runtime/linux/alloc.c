#include "runtime/linux/linux.h"

void *__tamar_new(size_t size) { return __tamar_alloc(size, 16, __TAMAR_KERNEL); }

void __tamar_delete(void *p) {
    if (p) __tamar_free(p);
}

char *__tamar_copy_text(const char *text) {
    size_t size = strlen(text) + 1;
    char *copy = __tamar_new(size);
    return copy ? memcpy(copy, text, size) : NULL;
}
