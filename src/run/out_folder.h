// Reading a folder of results: for the commands that look at one.
#ifndef TAMAR_RUN_OUT_FOLDER_H
#define TAMAR_RUN_OUT_FOLDER_H

#include "message/finding.h"
#include "message/test_case.h"

struct arena;
struct json_value;

// Whether program.json is of a folder that this version reads. False: an error has been reported.
bool out_check_format(const char *folder, const struct json_value *description);
// A JSON file below the folder. NULL: an error has been reported.
const struct json_value *out_read_json(struct arena *arena, const char *folder, const char *name);
// The source folders that program.json lists may be quoted.
void out_allow_sources(const struct json_value *program);
// "3", "000003", ".../000003.json": the number of a test.
bool out_test_number(const char *word, uint32_t *number);
// The numbers of all tests of the folder, in order, in the arena.
const uint32_t *out_list_tests(struct arena *arena, const char *folder, uint32_t *count);
// False: an error has been reported.
bool out_read_test(struct arena *arena, const char *folder, uint32_t number, struct test_case *test,
                   struct finding *finding);
// FOLDER/NAME in the arena.
const char *out_path(struct arena *arena, const char *folder, const char *name);

// The words of the command line that program.json has, NULL-terminated.
char **out_command(struct arena *arena, const struct json_value *description);

#endif
