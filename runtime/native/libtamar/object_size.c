// Above the system's musl objects are its allocator's: the nearest natively known size.
#include "runtime/intrinsics.h"

#include <malloc.h>

size_t __tamar_object_size(const void *p) { return malloc_usable_size((void *)p); }
