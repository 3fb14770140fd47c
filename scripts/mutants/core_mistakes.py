"""Mistakes in the core, each with the unit tests that have to notice it (scripts/core-mistakes).

A mistake is (kind, what is wrong, file, text, replacement, tests). The text occurs once in its file."""

POLICIES, REBUILD = "vm/test_vm_policies", "vm/test_vm_rebuild"
EXPLORE, EXCHANGE = "explore/test_explore", "explore/test_explore_exchange"
OBJECTS, STREAM = "state/test_state_objects", "message/test_message_stream"
CHOICE, MEMORY, FACTS = "src/vm/choice.c", "src/vm/symbolic_memory.c", "src/vm/recorded_facts.c"

MISTAKES = [
    # A decision is not recorded.
    ("recording", "a decision that the path condition implies is not recorded", CHOICE,
     "constraint.\n        record(vm->state, choice, choice->taken);", "constraint.\n        (void)0;", [REBUILD, EXCHANGE]),
    ("recording", "an answer of the solver (vm_ask) is not recorded", FACTS,
     "        vm_know(vm, &word, 1);\n    } else {", "    } else {", [REBUILD, EXCHANGE]),
    ("recording", "a choice of the kernel is not recorded", CHOICE,
     "    record(vm->state, choice, 0);\n", "", [REBUILD, EXCHANGE]),
    ("recording", "a concretized value is not recorded", CHOICE,
     "    choice->taken = alternative_of_model(vm, choice);\n    take(vm, vm->state, choice, choice->taken, NULL);",
     "    choice->taken = alternative_of_model(vm, choice);\n"
     "    assume_alternative(vm, vm->state, condition_of(vm, choice, choice->taken), NULL);", [REBUILD, EXCHANGE]),
    ("recording", "an implied value (vm_fold_implied) is not recorded", FACTS,
     "        vm_know(vm, &implied, 1);\n        if (implied) vm_know_number(vm, value);\n", "", [REBUILD, EXCHANGE]),
    ("recording", "the values that other states took are not recorded", CHOICE,
     "        model_release(model);\n        exclude(other, choice, choice->taken);\n    }",
     "        model_release(model);\n    }", [EXCHANGE, REBUILD]),
    ("recording", "the decisions of a repeated instruction are recorded twice", "src/vm/replay.c",
     "        *word = replay->own.at[replay->own_read++];\n",
     "        *word = replay->own.at[replay->own_read++];\n        shared_list_add(&vm->state->history.decisions, *word);\n",
     [EXCHANGE, REBUILD]),
    # An alternative is dropped.
    ("alternatives", "one side of a branch is dropped", CHOICE,
     "if (yes && no && !may_fail) {", "if (yes && no && !may_fail && choice->kind != CHOICE_BRANCH) {", [POLICIES, EXPLORE]),
    ("alternatives", "the second part of the values is dropped", CHOICE,
     "if (yes && no && !may_fail) {", "if (yes && no && !may_fail && choice->kind != CHOICE_PART) {", [POLICIES, EXPLORE]),
    ("alternatives", "cases of a switch are dropped", CHOICE,
     "        if (more != ANSWER_YES) {\n            take_known", "        if (more != ANSWER_YES || choice->forked) {\n            take_known", [POLICIES, EXPLORE]),
    ("alternatives", "values are dropped", CHOICE,
     "    if (more == ANSWER_YES) {\n        other = vm_fork_state(vm);", "    if (more == ANSWER_YES && choice->taken & 1) {\n        other = vm_fork_state(vm);",
     [POLICIES, EXPLORE]),
    ("alternatives", "a pending alternative is dropped", CHOICE,
     "if (choice->kind != CHOICE_ASSUMPTION && is_alternative_kept(vm, choice)) {",
     "if (choice->kind != CHOICE_ASSUMPTION && choice->kind != CHOICE_BRANCH && is_alternative_kept(vm, choice)) {", [POLICIES, EXPLORE]),
    ("alternatives", "a path whose model does not satisfy an assumption is dropped", CHOICE,
     "struct state *other =\n        vm_fork_other_side(vm, choice->term, info(choice)->unanswered, choice->now, &answer);",
     "struct state *other = NULL;\n    (void)answer;", [POLICIES, EXPLORE]),
    ("alternatives", "a bug that only some inputs have is not reported", CHOICE,
     "if (no && may_fail) report_failing(", "if (no && may_fail && !yes) report_failing(", [POLICIES, EXPLORE]),
    # While replaying, terms are built otherwise.
    ("terms", "the objects of a pointer come in another order while replaying", MEMORY,
     "    targets->gap_count = MIN(numbers[1], MOST_GAPS);",
     "    if (targets->count > 1) {\n        struct pointer_target first = targets->at[0];\n        targets->at[0] = targets->at[1];\n        targets->at[1] = first;\n    }\n"
     "    targets->gap_count = MIN(numbers[1], MOST_GAPS);", [REBUILD]),
    ("terms", "a bound comes from the model while replaying", FACTS,
     "        *low = vm_recall_number(vm);\n        *high = vm_recall_number(vm);\n",
     "        *low = *high = solver_evaluate(vm->solver, vm->state->path, term);\n", [REBUILD, EXCHANGE]),
    ("terms", "the places of a write do not come from the decisions while replaying", MEMORY,
     "places[i] = vm_recall_number(vm);\n        step", "places[i] = vm_recall_number(vm);\n        *count = 0;\n        step", [REBUILD]),
    # An object or a page is stale.
    ("objects", "a freed object stays in the table", "src/state/objects.c",
     ".life = heap->freed ? OBJECT_FREED : OBJECT_LIVE", ".life = OBJECT_LIVE", [OBJECTS]),
    ("objects", "a local whose scope has ended stays in the table", "src/state/objects.c",
     "        object->life = OBJECT_OUT_OF_SCOPE;", "        object->life = OBJECT_LIVE;", [OBJECTS]),
    ("objects", "an alloca that was given back stays accessible", "src/state/state.c",
     "    memory_set_shadow(&state->memory, frame->stack_pointer, pointer - frame->stack_pointer,\n"
     "                      SHADOW_GIVEN_BACK);\n", "", [OBJECTS]),
    ("objects", "the bytes of a freed object stay accessible", "src/state/heap.c",
     "    memory_retire(memory, address, freed.size, SHADOW_FREED);\n", "", [OBJECTS]),
    ("objects", "a page that is shared after a fork is written in place", "src/vm/fork.c",
     "    vm_forget_translations(vm); // every page is shared now\n", "", [POLICIES, REBUILD]),
    # A field of a message is left out.
    ("messages", "the encoder leaves a kind of field out", "src/message/encode.c",
     "case FIELD_LONG: put(to, cbor_encode_uint, *(const uint64_t *)at); break;", "case FIELD_LONG: put(to, cbor_encode_uint, 0); break;", [STREAM]),
    ("messages", "an entry of the frontier lacks the depth", "src/explore/frontier.c",
     "                                   .depth = state->fork.depth,\n", "", [EXCHANGE]),
    ("messages", "an entry of the frontier lacks the model", "src/explore/frontier.c",
     "                                   .model = writer->model.at,\n                                   .model_size = writer->model.count};",
     "                                   };", [EXCHANGE]),
    ("messages", "an entry of the frontier does not say that it is pending", "src/explore/frontier.c",
     "                                   .pending = state->waiting.condition != 0,\n", "", [EXCHANGE]),
    ("messages", "a pending condition is lost when its state is rebuilt", CHOICE,
     "    state->waiting.condition = recorded->excluded ? term_not(vm->terms, condition) : condition;\n",
     "    state->waiting.condition = recorded->excluded ? term_not(vm->terms, condition) : term_true(vm->terms);\n", [EXCHANGE]),
]
