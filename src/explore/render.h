// From what the engine knows of a bug to what messages say about it: sites become frames, terms become text. Done at the moment
// at which something is found, while the state is still there.
#ifndef TAMAR_EXPLORE_RENDER_H
#define TAMAR_EXPLORE_RENDER_H

#include "message/message.h"
#include "vm/vm.h"

struct arena;

// The frame of a site in the program's own source where there is one. Site 0: an empty frame.
struct finding_frame render_place(const struct vm *vm, uint32_t site);
// The call stack of a site. Of the library only the functions that the program called are shown. `state`: a state that stands there,
// for the arguments; NULL: none does.
struct finding_stack render_stack(struct arena *arena, struct vm *vm, uint32_t site,
                                  const struct state *state);
// The site as pairs of a function and an instruction, innermost first; the number of numbers in *count.
const uint32_t *render_site(struct arena *arena, const struct vm *vm, uint32_t site, uint32_t *count);

// Kind, message, place and stacks. `state` as for render_stack.
struct finding *render_bug(struct arena *arena, struct vm *vm, const struct bug *bug,
                           const struct state *state);
// The bytes that the path depends on and its conditions. Queries the solver for the bounds of each byte.
void render_inputs(struct arena *arena, struct solver *solver, struct terms *terms,
                   const struct inputs *inputs, const struct path_condition *path,
                   const struct test_case *test, struct finding *finding);

#endif
