// Bugs as messages: sites become frames, terms become text. Called when a bug is found, while its state
// still exists.
#ifndef TAMAR_EXPLORE_RENDER_H
#define TAMAR_EXPLORE_RENDER_H

#include "message/message.h"
#include "vm/vm.h"

struct arena;

// Returns the innermost frame of a site in user code if there is one. Site 0: an empty frame.
struct finding_frame render_place(const struct vm *vm, uint32_t site);
// Returns the call stack of a site. Library functions are shown only if user code called them.
// `state`: a state at that site, for the arguments; or NULL.
struct finding_stack render_stack(struct arena *arena, struct vm *vm, uint32_t site,
                                  const struct state *state);
// Returns the site as pairs of function and instruction, innermost first; *count is the number of values.
const uint32_t *render_site(struct arena *arena, const struct vm *vm, uint32_t site, uint32_t *count);

// Returns a finding with kind, message, location and stacks. `state`: as for render_stack.
struct finding *render_bug(struct arena *arena, struct vm *vm, const struct bug *bug,
                           const struct state *state);
// Adds the bytes that the path depends on and its conditions. Queries the solver for the bounds of each
// byte.
void render_inputs(struct arena *arena, struct solver *solver, struct terms *terms,
                   const struct inputs *inputs, const struct path_condition *path,
                   const struct test_case *test, struct finding *finding);

#endif
