// Findings: the distinct bugs of a run as a person counts them, by kind and by the stack in the program's own source.
#include "explore/explore_int.h"
#include "explore/render.h"

#include <string.h>

static struct finding *known_finding(struct explore *explore, const struct finding *like) {
    vec_each (struct finding, known, &explore->findings)
        if (known->hash == like->hash && !strcmp(known->kind, like->kind)) return known;
    return NULL;
}

static struct finding *add_finding(struct explore *explore, const struct finding *finding) {
    struct finding copy = {0};
    layout_copy(&finding_layout, explore->texts, finding, &copy);
    copy.number = explore->findings.count + 1;
    vec_push(&explore->findings, copy);
    return vec_last(&explore->findings);
}

uint32_t find_finding(struct explore *explore, const struct state *state, const struct bug *bug,
                      const struct test_case *test) {
    struct arena *arena = arena_new();
    struct finding *known = known_finding(explore, render_bug(arena, explore->vm, bug, NULL));
    if (!known) {
        struct finding *new = render_bug(arena, explore->vm, bug, state);
        new->test = test->number;
        new->paths = 1;
        new->events = test->events;
        new->event_count = test->event_count;
        if (state->path)
            render_inputs(arena, explore->solver, explore->terms, vm_inputs(explore->vm), state->path, test,
                          new);
        known = add_finding(explore, new);
        tell(explore, MESSAGE_FINDING, known);
    }
    arena_free(arena);
    return known->number;
}

void restore_finding(struct explore *explore, const struct finding *finding) {
    if (!known_finding(explore, finding)) add_finding(explore, finding);
}
