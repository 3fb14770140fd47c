// Small random programs over one or two symbolic bytes, for the tests of the engine's core. A number names a program.
//
// Each is made twice: once with its inputs symbolic and the kernel's choices open (__tamar_symbolic, __tamar_choose),
// once with both read from the host, for the concrete oracle (oracle.h). The two differ in the bodies of the functions
// `input` and `choice` alone: the same instructions have the same places, edges have the same numbers.
//
// Every loop and recursion is bounded, so each concrete run ends. Every register is written where a function begins, so
// that frames can be compared. Indices stay so small that a wrong one lands in a red zone, never in another object: a
// concrete run then sees the same error as a symbolic one.
#ifndef TAMAR_TEST_SYMBOLIC_PROGRAM_H
#define TAMAR_TEST_SYMBOLIC_PROGRAM_H

#include "ir/ir.h"

#define MOST_INPUTS  2
#define MOST_CHOICES 2 // of the kernel, on one path
#define INPUT_FD     0 // of __tamar_host_read in the concrete program: the next byte of input
#define CHOICE_FD    2 // the next choice; the offset is the number of possibilities
#define MOST_OBJECTS 4

struct symbolic_program {
    uint64_t seed;
    struct ir_program *symbolic, *concrete;
    uint32_t inputs; // bytes that are read at most
    uint32_t domain; // each is below this: the rest is stopped by an assumption
    // Objects whose content is compared at the end of a path: none holds an address.
    struct {
        uint64_t address;
        uint32_t size;
    } objects[MOST_OBJECTS];
    unsigned features;
};

enum program_features {
    PROGRAM_UNINITIALISED = 1, // locals and heap objects are not initialised: for the check of that
    PROGRAM_PARTED = 2,        // values are concretized, some of them lengths of block operations
};

struct symbolic_program symbolic_program(uint64_t seed, unsigned features);
static inline bool program_has(const struct symbolic_program *program, enum program_features feature) {
    return program->features & feature;
}
// Least number of places for which a symbolic write is an array store. 1: all, in every second program; 0: the default.
static inline uint32_t program_array_places(const struct symbolic_program *program) {
    return program->seed % 2 ? 1 : 0;
}
void symbolic_program_free(struct symbolic_program *program);

#endif
