// The inputs of a run, and those of one path.
//
// `struct inputs` belongs to the run: it gives each identity (base/input_id.h) the number by which
// `struct terms` knows the input.
// `struct state_inputs` belongs to a state: the inputs that were made symbolic on its path, in their order.
// It is a value: forks share it, and the cost of adding an input does not depend on the number of inputs.
#ifndef TAMAR_STATE_INPUTS_H
#define TAMAR_STATE_INPUTS_H

#include "base/input_id.h"
#include "base/tree.h"
#include "state/shared_list.h"

struct terms;

// ---- the run

#define NO_INPUT UINT32_MAX

struct inputs;
// The terms must outlive it; all their inputs must be made here.
struct inputs *inputs_new(struct terms *terms);
void inputs_free(struct inputs *inputs);
// Returns the input's number in `struct terms`; makes it if absent, with at least `size` bytes.
uint32_t inputs_get(struct inputs *inputs, struct input_id id, uint32_t size);
// Returns the input's number, or NO_INPUT if absent.
uint32_t inputs_find(const struct inputs *inputs, struct input_id id);
// The name lives as long as the inputs, and is NUL-terminated.
struct input_id inputs_id(const struct inputs *inputs, uint32_t input);

// ---- a path

struct state_inputs {
    struct shared_list order; // numbers in `struct terms`
    struct tree sizes;        // number -> bytes used by this path, plus 1
    struct tree next;         // name given by the program -> suffix to try next
};

struct state_inputs state_inputs_fork(const struct state_inputs *inputs);
void state_inputs_free(struct state_inputs *inputs);
uint32_t state_inputs_count(const struct state_inputs *inputs);
// Copies all of them in order; `numbers` has space for state_inputs_count.
void state_inputs_copy(const struct state_inputs *inputs, uint32_t *numbers);
// Whether both still share one list and their sizes. False does not mean that they differ.
bool state_inputs_same(const struct state_inputs *a, const struct state_inputs *b);
bool state_inputs_has(const struct state_inputs *inputs, uint32_t input);
// Returns how many bytes of the input this path uses. The path must have the input.
uint32_t state_inputs_size(const struct state_inputs *inputs, uint32_t input);
// Adds the input if absent; the path then uses at least `size` bytes of it.
void state_inputs_use(struct state_inputs *inputs, uint32_t input, uint32_t size);
// Adds an object under a name that no other input of this path has: the second `x` is `x#1`. Returns its
// number.
uint32_t state_inputs_add_object(struct state_inputs *inputs, struct inputs *all, const char *name,
                                 uint32_t size);

#endif
