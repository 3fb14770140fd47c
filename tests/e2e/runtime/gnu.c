// GNU functions that musl lacks: error(), obstacks, and smaller ones. The code is the same natively and in Tamar, so
// the expected output is written down here.
// RUN: same-as-kernel %tamar %s %t
#include "Inputs/trace.h"
#include <assert.h>
#include <error.h>
#include <malloc.h>
#include <obstack.h>

#define obstack_chunk_alloc malloc
#define obstack_chunk_free  free

static int chunks;
static void *take(void *extra, size_t size) { return chunks++, (void)extra, malloc(size); }
static void give(void *extra, void *chunk) { chunks--, (void)extra, free(chunk); }
static void name(void) { fputs("named: ", stderr); }

int main(void) {
    struct obstack stack;
    T(obstack_init(&stack));
    char *first = obstack_copy0(&stack, "first", 5);
    for (int i = 0; i < 3000; i++) obstack_1grow(&stack, 'a' + i % 26);
    T(obstack_object_size(&stack));
    for (int i = 0; i < 3000; i++) obstack_int_grow(&stack, i); // over the end of the chunk: it moves
    char *second = obstack_finish(&stack);
    assert(!strcmp(first, "first") && !memcmp(second, "abcdef", 6));
    int number;
    memcpy(&number, second + 3000 + 4 * 2999, sizeof number);
    T(number);
    T((size_t)second % 16);
    obstack_grow(&stack, "x=", 2);
    T(obstack_printf(&stack, "%d", 42));
    obstack_1grow(&stack, 0);
    char *third = obstack_finish(&stack);
    puts(third);
    T(_obstack_allocated_p(&stack, second) && obstack_memory_used(&stack) > 15000);
    obstack_free(&stack, second); // and everything after it
    T((char *)obstack_alloc(&stack, 10) == second);
    T(!strcmp(first, "first"));
    obstack_free(&stack, NULL);
    obstack_specify_allocation_with_arg(&stack, 100, 0, take, give, NULL);
    for (int i = 0; i < 50; i++) T(*(char *)obstack_copy(&stack, "0123456789", 10));
    T(chunks > 1);
    obstack_free(&stack, NULL);
    T(chunks);

    char *path = canonicalize_file_name("/usr/../usr/./");
    puts(path);
    free(path);
    T(mallinfo().arena);
    T(mallopt(M_MMAP_MAX, 0));
    T((char *)rawmemchr("abc", 'c') - (char *)rawmemchr("abc", 'a') >= 0);

    program_invocation_name = "gnu";
    error(0, 0, "message %d", 1);
    error(0, ENOENT, "with a reason");
    error_at_line(0, 0, "file.c", 7, "at a line");
    error_one_per_line = 1;
    error_at_line(0, 0, "file.c", 8, "once");
    error_at_line(0, 0, "file.c", 8, "twice");
    T(error_message_count);
    error_print_progname = name;
    error(3, EACCES, "the end");
    return 0;
}
