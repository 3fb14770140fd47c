// From what the machine knows of a bug to what results say about it.
#ifndef TAMAR_CLI_FINDINGS_H
#define TAMAR_CLI_FINDINGS_H

#include "explore/explore.h"
#include "output/finding.h"

struct arena;

// Lives in the arena. `test` may be NULL; with it the bytes that matter and the path's conditions are found,
// which asks the solver.
struct finding *finding_make(struct arena *arena, struct explore *explore, const struct ir_program *program,
                             const struct bug *bug, const struct test_case *test);
// The place of a site in the program's own source where there is one.
struct finding_frame finding_frame_at(struct explore *explore, const struct ir_program *program,
                                      uint32_t site);

#endif
