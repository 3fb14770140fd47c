// Source of a custom mutator for AFL++, compiled together with the fuzzed program. It returns the files 1, 2, 3, ...
// of the folder TAMAR_GIVEN as mutations. AFL++ thus takes inputs while it runs; its own synchronisation happens only
// every 20 minutes.
#ifndef TAMAR_NATIVE_FUZZER_GIVEN_H
#define TAMAR_NATIVE_FUZZER_GIVEN_H

// clang-format off
#define FUZZER_GIVEN_SOURCE                                                                                  \
    "#include <fcntl.h>\n#include <stdint.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <unistd.h>\n"\
    "static unsigned long next = 1;\n"                                                                       \
    "static unsigned char bytes[1 << 20];\n"                                                                 \
    "static void name(char *path, size_t size, unsigned long number) {\n"                                    \
    "    snprintf(path, size, \"%s/%lu\", getenv(\"TAMAR_GIVEN\"), number);\n"                               \
    "}\n"                                                                                                    \
    "void *afl_custom_init(void *afl, unsigned seed) { return &next; }\n"                                    \
    "void afl_custom_deinit(void *data) {}\n"                                                                \
    "uint32_t afl_custom_fuzz_count(void *data, const unsigned char *buffer, size_t size) {\n"               \
    "    char path[4096];\n"                                                                                 \
    "    uint32_t count = 0;\n"                                                                              \
    "    do name(path, sizeof path, next + count); while (count < 256 && access(path, R_OK) == 0 && ++count);\n"\
    "    return count;\n"                                                                                    \
    "}\n"                                                                                                    \
    "size_t afl_custom_fuzz(void *data, uint8_t *buffer, size_t size, uint8_t **out, uint8_t *add,\n"        \
    "                       size_t add_size, size_t most) {\n"                                               \
    "    char path[4096];\n"                                                                                 \
    "    name(path, sizeof path, next);\n"                                                                   \
    "    *out = bytes;\n"                                                                                    \
    "    int fd = open(path, O_RDONLY | O_CLOEXEC);\n"                                                       \
    "    if (fd < 0) return 0;\n"                                                                            \
    "    next++;\n"                                                                                          \
    "    ssize_t got = read(fd, bytes, most < sizeof bytes ? most : sizeof bytes);\n"                        \
    "    close(fd);\n"                                                                                       \
    "    return got > 0 ? got : 0;\n"                                                                        \
    "}\n"
// clang-format on

#endif
