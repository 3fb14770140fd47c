// Small random programs over one or two symbolic bytes, for the tests of the engine's core. The seed determines the
// program.
//
// Each program is made in two versions: one with symbolic inputs and kernel choices (__tamar_symbolic, __tamar_choose),
// one that reads both from the host, for the concrete oracle (oracle.h). The versions differ only in the bodies of the
// functions `input` and `choice`: instructions and edges have the same numbers in both.
//
// Every loop and recursion is bounded, so each concrete run ends. Every register is written at the start of its
// function, so that frames can be compared. Indices are so small that an access out of bounds hits a red zone, never
// another object: a concrete run then reports the same error as a symbolic one.
#ifndef TAMAR_TEST_SYMBOLIC_PROGRAM_H
#define TAMAR_TEST_SYMBOLIC_PROGRAM_H

#include "ir/ir.h"

#define MOST_INPUTS  2
#define MOST_CHOICES 2 // most kernel choices on one path
#define INPUT_FD     0 // __tamar_host_read of the concrete program returns the next byte of input
#define CHOICE_FD    2 // it returns the next choice; the offset is the number of alternatives
#define MOST_OBJECTS 4

struct symbolic_program {
    uint64_t seed;
    struct ir_program *symbolic, *concrete;
    uint32_t inputs; // most bytes that a path reads
    uint32_t domain; // an assumption keeps each byte below this
    // Objects whose content is compared at the end of a path. None contains an address.
    struct {
        uint64_t address;
        uint32_t size;
    } objects[MOST_OBJECTS];
    unsigned features;
};

enum program_features {
    PROGRAM_UNINITIALISED = 1, // locals and heap objects are not initialised, to test --check uninit
    PROGRAM_CONCRETIZED = 2,   // values are concretized, some of them lengths of block operations
};

struct symbolic_program symbolic_program(uint64_t seed, unsigned features);
static inline bool program_has(const struct symbolic_program *program, enum program_features feature) {
    return program->features & feature;
}
// Least number of offsets for which a symbolic write is an array store, and a block a splice. 1 (in every second
// program): for all of them; 0: the default.
static inline uint32_t program_array_offsets(const struct symbolic_program *program) {
    return program->seed % 2 ? 1 : 0;
}
void symbolic_program_free(struct symbolic_program *program);

#endif
