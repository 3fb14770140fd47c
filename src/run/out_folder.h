// Reads a results folder, for the commands that need one.
#ifndef TAMAR_RUN_OUT_FOLDER_H
#define TAMAR_RUN_OUT_FOLDER_H

#include "message/finding.h"
#include "message/test_case.h"

struct arena;
struct json_value;

// Whether this version can read the folder that program.json describes. If not, an error has been reported.
bool out_check_format(const char *folder, const struct json_value *description);
// Reads a JSON file of the folder. Returns NULL if an error has been reported.
const struct json_value *out_read_json(struct arena *arena, const char *folder, const char *name);
// Permits reports to quote sources from the folders that program.json lists.
void out_allow_sources(const struct json_value *program);
// Parses the number of a test: "3", "000003" or ".../000003.json".
bool out_test_number(const char *word, uint32_t *number);
// Returns the numbers of all tests of the folder, ascending, in the arena.
const uint32_t *out_list_tests(struct arena *arena, const char *folder, uint32_t *count);
// Reads a test, and the bug that it shows. Returns false if an error has been reported.
bool out_read_test(struct arena *arena, const char *folder, uint32_t number, struct test_case *test,
                   struct finding *finding);
// Returns FOLDER/NAME, in the arena.
const char *out_path(struct arena *arena, const char *folder, const char *name);

// Returns the words of the command line in program.json, NULL-terminated.
char **out_command(struct arena *arena, const struct json_value *description);

#endif
