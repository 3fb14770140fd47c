// `tamar show`: prints a bug or a test for a person, a compiler, a debugger or another tool.
#include "../runtime/object_file.h"
#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/resources.h"
#include "base/text.h"
#include "cli/command.h"
#include "output/ktest.h"
#include "output/report.h"
#include "output/tests.h"
#include "run/common_options.h"
#include "run/native_replay.h"
#include "run/out_folder.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define SHOW_OPTIONS(X, T)                                                                                   \
    X(T, CHOICE, as, "text|c-test|raw|ktest|gdb", "text", "the form of the output")                          \
    X(T, FLAG, full, 0, "print the whole report: all stacks, bytes and conditions of the path")              \
    COMMON_OPTIONS(X, T)
OPTIONS_STRUCT(show_options, SHOW_OPTIONS)
OPTIONS_TABLE(show_options, SHOW_OPTIONS)

enum { AS_TEXT, AS_C_TEST, AS_RAW, AS_KTEST, AS_GDB };

struct shown {
    struct arena *arena;
    const char *folder;
    const char *report; // file of the bug's report; NULL: a test was named
    const char *program;
    struct report_program words;
    bool entry; // a run of --entry
    bool full;  // --full
    struct test_case test;
    struct finding finding;
};

// ---- the bug or test that was named

// Returns the parent of the folder that holds the file.
static const char *folder_of(struct arena *arena, const char *path) {
    char *copy = arena_strdup(arena, path), *slash = strrchr(copy, '/');
    if (!slash) return "..";
    *slash = 0;
    slash = strrchr(copy, '/');
    if (!slash) return !strcmp(copy, "..") ? "../.." : ".";
    *slash = 0;
    return copy;
}

// Finds the test of a report: its `bug` names the report.
static bool find_bug_test(struct shown *shown) {
    const struct json_value *summary = out_read_json(shown->arena, shown->folder, "summary.json");
    const char *slash = strrchr(shown->report, '/'), *name = slash ? slash + 1 : shown->report;
    if (!summary) return false;
    json_each(bug, json_get(summary, "bugs")) {
        const char *report = json_get_text(bug, "report", "");
        if (strncmp(report, "bugs/", 5) != 0 || strcmp(report + 5, name) != 0) continue;
        return out_read_test(shown->arena, shown->folder, (uint32_t)json_get_number(bug, "test", 0),
                             &shown->test, &shown->finding);
    }
    user_error_at(shown->report, "summary.json lists the bugs of a run.", "is not a bug of %s",
                  shown->folder);
    return false;
}

// Finds the bug or test that the word names: the path of a report or a test, or the number of a test of tamar-last.
static bool find_named(struct shown *shown, const char *word) {
    uint32_t number;
    if (text_ends_with(word, ".txt")) {
        shown->report = word;
        shown->folder = folder_of(shown->arena, word);
        if (access(word, R_OK) != 0) {
            user_error_at(word, "Name a file of OUT/bugs or OUT/tests.", "%s", strerror(errno));
            return false;
        }
        if (!find_bug_test(shown)) return false;
    } else if (out_test_number(word, &number)) {
        shown->folder = strchr(word, '/') ? folder_of(shown->arena, word) : "tamar-last";
        if (!out_read_test(shown->arena, shown->folder, number, &shown->test, &shown->finding)) return false;
    } else {
        user_error_at("show", "Name a file of OUT/bugs or OUT/tests, or the number of a test of tamar-last.",
                      "'%s' is neither a bug nor a test", word);
        return false;
    }
    const struct json_value *program = out_read_json(shown->arena, shown->folder, "program.json");
    shown->program = json_get_text(program, "program", "program");
    out_allow_sources(program);
    const struct json_value *words = json_get(program, "words");
    const char **list = ARENA_ARRAY(shown->arena, const char *, (words ? words->count : 0) + 1);
    shown->words =
        (struct report_program){shown->program, list, 0, NULL, json_get_text(program, "stdin", NULL)};
    json_each(item, words) list[shown->words.word_count++] = item->text ? item->text : "";
    json_each(part, json_get(program, "command")) shown->entry |=
        part->text && (!strcmp(part->text, "--entry") || !strncmp(part->text, "--entry=", 8));
    return program != NULL;
}

// ---- forms

#define MOST_LINES 20u // most lines of a report without --full
#define MOST_HEAD  8u  // most lines before its first part
#define MOST_PART  4u  // most lines of a part, with the title

static bool is_title(const char *line, size_t length) {
    return length > 1 && line[0] != ' ' && line[length - 1] == ':';
}

// Appends the first lines of each part of a report: what happened, where, with which input. The conditions of the path
// are left out.
static void add_shortened(struct text *to, const char *report, const char *file) {
    uint32_t lines = 0, in_part = 0, most = MOST_HEAD, left_out = 0;
    for (const char *at = report; *at;) {
        size_t length = strcspn(at, "\n");
        if (is_title(at, length)) {
            in_part = 0;
            most = strncmp(at, "the path to it", 14) ? MOST_PART : 0;
        }
        if (length && lines + 1 < MOST_LINES && in_part++ < most) {
            text_add_bytes(to, at, length);
            text_add(to, "\n");
            lines++;
        } else if (length) {
            left_out++;
        }
        at += length + (at[length] == '\n');
    }
    if (!left_out) return;
    text_add(to, "... %u more line%s: tamar show --full ", left_out, left_out == 1 ? "" : "s");
    report_add_word(to, file, strlen(file));
    text_add(to, "\n");
}

static void show_text(const struct shown *shown) {
    struct text text = {0};
    const struct test_case *test = &shown->test;
    struct text kept = {0};
    const char *wrong = shown->report ? file_read_kept(shown->report, &kept) : NULL;
    if (wrong) user_error_at(shown->report, NULL, "%s", wrong);
    if (shown->report && !wrong) {
        text_add_shown(&text, kept.at, kept.count);
        struct text shortened = {0};
        if (!shown->full && text.at) add_shortened(&shortened, text.at, shown->report);
        fputs(shortened.at ? shortened.at : text.at ? text.at : "", stdout);
        text_free(&shortened);
        text_free(&text);
        text_free(&kept);
        return;
    }
    text_free(&kept);
    text_add(&text, "test %06u: %s", test->number, test_outcome_names[test->outcome]);
    if (test->outcome == TEST_EXITED || test->outcome == TEST_SIGNALLED)
        text_add(&text, ", status %d", test->exit_status);
    if (shown->finding.kind) {
        text_add(&text, ", %s at ", shown->finding.kind);
        report_add_safe(&text, shown->finding.place.file);
        text_add(&text, ":%u: ", shown->finding.place.line);
        report_add_safe(&text, shown->finding.message);
    }
    text_add(&text, "\n");
    for (uint32_t i = 0; i < test->input_count; i++) {
        const struct test_input *input = &test->inputs[i];
        text_add(&text, "  %s ", input_kinds[input->kind].word);
        report_add_safe(&text, input->name);
        text_add(&text, "%s(%u bytes): \"", *input->name ? " " : "", input->size);
        text_add_escaped(&text, input->bytes, input->size);
        text_add(&text, "\"\n");
    }
    for (uint32_t i = 0; i < test->event_count; i++) {
        text_add(&text, "  ");
        report_add_safe(&text, test->events[i]);
        text_add(&text, "\n");
    }
    report_add_output(&text, test);
    text_add(&text, "  %u decisions, %llu instructions\n  ", test->decision_count,
             (unsigned long long)test->instructions);
    struct report_program words = shown->words;
    words.check = report_check_of(shown->finding.kind);
    report_add_command(&text, test, shown->folder, &words);
    puts(text.at);
    text_free(&text);
}

static void add_c_string(struct text *to, const void *bytes, size_t size) {
    text_add(to, "\"");
    text_add_escaped(to, bytes, size);
    text_add(to, "\"");
}

// Appends text to a // comment: no newline may end the comment, and no backslash or trigraph may continue it.
static void add_comment(struct text *to, const char *text) {
    for (; *text; text++)
        if (*text == '\\' || *text == '?')
            text_add(to, "_");
        else
            text_add_line(to, text, 1);
}

static void add_title(struct text *c, const struct shown *shown) {
    text_add(c, "// Test %06u", shown->test.number);
    if (shown->finding.kind) {
        text_add(c, ": ");
        add_comment(c, shown->finding.kind);
        text_add(c, " at ");
        add_comment(c, shown->finding.place.file);
        text_add(c, ":%u", shown->finding.place.line);
    }
}

static const char write_file_function[] =
    "static void write_file(char *name, const void *bytes, size_t size) {\n"
    "    for (char *slash = strchr(name + 1, '/'); slash; slash = strchr(slash + 1, '/')) {\n"
    "        *slash = 0;\n        mkdir(name, 0777);\n        *slash = '/';\n    }\n"
    "    FILE *file = fopen(name, \"wb\");\n"
    "    if (!file || fwrite(bytes, 1, size, file) != size || fclose(file)) abort();\n}\n\n";

// ---- objects of the test, which libtamar.a reads: those of the program, and bytes that arrive over sockets

static bool has_objects(const struct test_case *test) {
    for (uint32_t i = 0; i < test->input_count; i++)
        if (test->inputs[i].kind == INPUT_OBJECT) return true;
    return false;
}

// Appends the least and the most bytes of each arrival, in the format of TAMAR_SOCKETS. Appends nothing if nothing
// arrives. A symbolic length is a separate object.
static void add_sockets(struct text *to, const struct test_case *test) {
    for (uint32_t number = 1;; number++) {
        const struct test_input *found = NULL;
        bool any_length = false;
        char name[32], length[32];
        snprintf(name, sizeof name, "socket%u", number);
        snprintf(length, sizeof length, "socket%u-length", number);
        for (uint32_t i = 0; i < test->input_count; i++) {
            if (test->inputs[i].kind != INPUT_OBJECT) continue;
            if (!strcmp(test->inputs[i].name, name)) found = &test->inputs[i];
            any_length |= !strcmp(test->inputs[i].name, length);
        }
        if (!found) return;
        text_add(to, "%s%u %u", number > 1 ? " " : "", any_length ? 0 : found->size, found->size);
    }
}

static bool has_sockets(const struct test_case *test) {
    struct text sockets = {0};
    add_sockets(&sockets, test);
    bool any = sockets.count > 0;
    text_free(&sockets);
    return any;
}

// Appends the library for the objects, and the linker's flags for sockets.
static void add_library(struct text *to, const struct shown *shown) {
    char *library = resources_path("lib/libtamar.a");
    text_add(to, " ");
    add_comment(to, library);
    text_add(to, " -lm");
    if (has_sockets(&shown->test))
        for (const char *const *call = replay_socket_calls; *call; call++)
            text_add(to, " -Wl,--wrap=%s", *call);
    mem_free_string(library);
}

// Appends statements that put the objects of the test where libtamar.a reads them.
static void add_objects(struct text *c, const struct test_case *test) {
    text_add(c, "    static char folder[] = \"/tmp/test-XXXXXX\", path[400];\n"
                "    if (!mkdtemp(folder) || setenv(\"TAMAR_TEST\", folder, 1)) abort();\n");
    for (uint32_t i = 0; i < test->input_count; i++) {
        const struct test_input *input = &test->inputs[i];
        char file[OBJECT_FILE_SIZE];
        if (input->kind != INPUT_OBJECT) continue;
        object_file_name(file, input->name, 0);
        text_add(c, "    snprintf(path, sizeof path, \"%%s/objects/%%s\", folder, ");
        add_c_string(c, file, strlen(file));
        text_add(c, ");\n    write_file(path, ");
        add_c_string(c, input->bytes, input->size);
        text_add(c, ", %u); // ", input->size);
        add_comment(c, input->name);
        text_add(c, "\n");
    }
    struct text sockets = {0};
    add_sockets(&sockets, test);
    if (sockets.count) text_add(c, "    setenv(\"TAMAR_SOCKETS\", \"%s\", 1);\n", sockets.at);
    text_free(&sockets);
}

// Appends the commands that build the program from its bitcode, which has the driver of --entry.
static void add_entry_build(struct text *to, const struct shown *shown, const char *mark, const char *file) {
    char here[PATH_MAX];
    if (!realpath(shown->folder, here)) snprintf(here, sizeof here, "%s", shown->folder);
    text_add(to, "%s     opt-19 -passes=forceattrs --force-attribute=sanitize_address ", mark);
    add_comment(to, here);
    text_add(to, "/program.bc -o program.bc\n%s     clang-19 -g -fsanitize=address -no-pie ", mark);
    text_add(to, "%s-x ir program.bc -x none", file);
    add_library(to, shown);
    text_add(to, " -Wl,--unresolved-symbols=ignore-all");
}

// Appends the statements that set up the inputs of the test. Objects of the program come from files, as in a replay.
static void add_c_inputs(struct text *c, const struct shown *shown) {
    const struct test_case *test = &shown->test;
    if (has_objects(test)) add_objects(c, test);
    for (uint32_t i = 0; i < test->input_count; i++) {
        const struct test_input *input = &test->inputs[i];
        if (input->kind == INPUT_STDIN) {
            text_add(c, "    write_file((char[]){\"stdin.test\"}, ");
            add_c_string(c, input->bytes, input->size);
            text_add(c, ", %u);\n    if (!freopen(\"stdin.test\", \"rb\", stdin)) abort();\n", input->size);
        } else if (input->kind == INPUT_FILE) {
            text_add(c, "    write_file((char[]){");
            add_c_string(c, input->name, strlen(input->name));
            text_add(c, "}, ");
            add_c_string(c, input->bytes, input->size);
            text_add(c, ", %u);\n", input->size);
        } else if (input->kind == INPUT_ENVIRONMENT) {
            text_add(c, "    setenv(");
            add_c_string(c, input->name, strlen(input->name));
            text_add(c, ", ");
            add_c_string(c, input->bytes, strnlen((const char *)input->bytes, input->size));
            text_add(c, ", 1);\n");
        }
    }
}

// Prints a C file that is linked with the program's bitcode: for --entry, whose driver is main, and for the objects of
// a built program. A constructor puts the inputs where the program reads them.
static void show_bitcode_test(const struct shown *shown) {
    struct text c = {0};
    const struct test_case *test = &shown->test;
    add_title(&c, shown);
    text_add(&c, shown->entry ? ". Build it with the program and the driver that calls the function:\n"
                              : ". Build it with the program's bitcode, which can be given the objects:\n");
    add_entry_build(&c, shown, "//", "this-file.c ");
    text_add(&c, " && ./a.out");
    for (uint32_t i = 1; i < test->argument_count; i++) {
        struct text word = {0};
        report_add_word(&word, test->arguments[i], strlen(test->arguments[i]));
        text_add(&c, " ");
        add_comment(&c, *test->arguments[i] ? word.at : "''");
        text_free(&word);
    }
    text_add(&c,
             "\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"
             "#include <sys/stat.h>\n\n%s",
             write_file_function);
    text_add(&c, "__attribute__((constructor)) static void prepare(void) {\n");
    add_c_inputs(&c, shown);
    text_add(&c, "}\n");
    fputs(c.at, stdout);
    text_free(&c);
}

static void add_called(struct text *c, const struct test_case *test) {
    text_add(c, "    extern char **environ;\n    return program_main(%u, arguments, environ)",
             test->argument_count);
    if (test->outcome == TEST_EXITED) text_add(c, " != %d", test->exit_status);
    text_add(c, ";\n");
}

// Appends code that starts an executable. The C test returns 0 if the program exits with the predicted status, or, if
// no status is predicted, with any status.
static void add_started(struct text *c, const struct shown *shown) {
    struct text path = {0};
    char here[PATH_MAX];
    text_add(&path, "%s", realpath(shown->program, here) ? here : shown->program);
    text_add(c, "    pid_t child = fork();\n    int status = 0;\n    if (!child) {\n        execv(");
    add_c_string(c, path.at, path.count);
    text_add(c, ", arguments);\n        _exit(127);\n    }\n"
                "    if (child < 0 || waitpid(child, &status, 0) != child) abort();\n");
    if (shown->test.outcome == TEST_EXITED)
        text_add(c, "    return !WIFEXITED(status) || WEXITSTATUS(status) != %d;\n", shown->test.exit_status);
    else
        text_add(c, "    return !WIFEXITED(status);\n");
    text_free(&path);
}

// Makes a C file that calls the program's main once with the test's input. It is compiled with the program's source.
static void show_c_test(const struct shown *shown) {
    struct text c = {0};
    const struct test_case *test = &shown->test;
    const char *program = shown->program;
    bool built = report_is_executable(&shown->words);
    add_title(&c, shown);
    if (built) {
        text_add(&c, ". It runs the program that was built: cc this-file.c && ./a.out\n");
    } else {
        text_add(&c, ". Build it with the program, whose main gets another name:\n");
        text_add(&c, "//     cc -g -fsanitize=address,undefined -Dmain=program_main -c ");
        add_comment(&c, program);
        text_add(&c, " -o program.o\n");
        text_add(&c, "//     cc -g -fsanitize=address,undefined this-file.c program.o");
        if (has_objects(test)) add_library(&c, shown);
        text_add(&c, " && ./a.out\n");
    }
    text_add(&c,
             "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"
             "#include <sys/stat.h>\n%s#include <unistd.h>\n\n",
             built ? "#include <sys/wait.h>\n" : "");
    if (!built) text_add(&c, "int program_main(int argc, char **argv, char **envp);\n\n");
    text_add(&c, "%s", write_file_function);
    text_add(&c, "int main(void) {\n");
    add_c_inputs(&c, shown);
    for (uint32_t i = 0; i < test->argument_count; i++) {
        text_add(&c, "    static char argument%u[] = ", i);
        add_c_string(&c, test->arguments[i], strlen(test->arguments[i]));
        text_add(&c, ";\n");
    }
    text_add(&c, "    char *arguments[] = {");
    for (uint32_t i = 0; i < test->argument_count; i++) text_add(&c, "argument%u, ", i);
    text_add(&c, "NULL};\n");
    built ? add_started(&c, shown) : add_called(&c, test);
    text_add(&c, "}\n");
    fputs(c.at, stdout);
    text_free(&c);
}

// Prints the bytes of the input that a fuzzer would generate: the harness's input, standard input, or a file.
static int show_raw(const struct shown *shown) {
    static const enum input_kind order[] = {INPUT_OBJECT, INPUT_STDIN, INPUT_FILE};
    for (size_t k = 0; k < COUNT(order); k++)
        for (uint32_t i = 0; i < shown->test.input_count; i++) {
            const struct test_input *input = &shown->test.inputs[i];
            if (input->kind != order[k]) continue;
            fwrite(input->bytes, 1, input->size, stdout);
            return EXIT_OK;
        }
    user_error_at("show", "Its arguments and variables are in its folder as plain files.",
                  "test %u has no input that is a plain sequence of bytes", shown->test.number);
    return EXIT_USAGE;
}

static void show_ktest(const struct shown *shown) {
    struct text bytes = {0};
    struct ktest ktest = test_as_ktest(shown->arena, &shown->test);
    ktest_write(&bytes, &ktest);
    fwrite(bytes.at, 1, bytes.count, stdout);
    text_free(&bytes);
}

// Appends a word to a gdb command, which ends at the end of its line: control characters become '?'.
static void add_gdb_word(struct text *to, const char *word) {
    for (; *word; word++)
        if ((unsigned char)*word < 32 || *word == 127 || *word == '"')
            text_add(to, "?");
        else
            text_add(to, "%c", *word);
}

// Whether a line of a gdb script cannot set the variable.
static bool is_odd(const struct test_input *input) {
    size_t length = strnlen((const char *)input->bytes, input->size);
    for (const char *p = input->name; *p; p++)
        if (*p <= 32 || *p == 127) return true;
    for (size_t i = 0; i < length; i++)
        if (input->bytes[i] < 33 || input->bytes[i] >= 127) return true;
    return false;
}

// Makes gdb start the program through a shell, which can set every variable.
static void add_odd_variables(struct text *script, const struct test_case *test) {
    bool any = false;
    for (uint32_t i = 0; i < test->input_count; i++) {
        const struct test_input *input = &test->inputs[i];
        if (input->kind != INPUT_ENVIRONMENT || !is_odd(input)) continue;
        if (!any) text_add(script, "set exec-wrapper env");
        any = true;
        struct text word = {0};
        text_add(&word, "%s=", input->name);
        text_add_bytes(&word, input->bytes, strnlen((const char *)input->bytes, input->size));
        text_add(script, " ");
        report_add_word(script, word.at, word.count);
        text_free(&word);
    }
    if (any) text_add(script, "\n");
}

// Appends commands that copy the files of the test to the paths that the program opens.
static void add_files(struct text *script, const struct shown *shown, const char *here) {
    const struct test_case *test = &shown->test;
    for (uint32_t i = 0; i < test->input_count; i++) {
        const struct test_input *input = &test->inputs[i];
        if (input->kind != INPUT_FILE) continue;
        const char *slash = strrchr(input->name, '/');
        struct text source = {0};
        if (slash && slash != input->name) {
            text_add(script, "shell mkdir -p ");
            report_add_word(script, input->name, (size_t)(slash - input->name));
            text_add(script, "\n");
        }
        text_add(&source, "%s/tests/%06u/%s", here, test->number, input_kinds[INPUT_FILE].place);
        test_add_file_path(&source, input->name);
        text_add(script, "shell cp ");
        report_add_word(script, source.at, source.count);
        text_add(script, " ");
        report_add_word(script, input->name, strlen(input->name));
        text_add(script, "\n");
        text_free(&source);
    }
}

// Prints a script for gdb: the input, and a breakpoint at the location of the bug.
static void show_gdb(const struct shown *shown) {
    struct text script = {0};
    char here[4096];
    const struct test_case *test = &shown->test;
    bool input = false;
    for (uint32_t i = 0; i < test->input_count; i++) input |= test->inputs[i].kind == INPUT_STDIN;
    if (!realpath(shown->folder, here)) snprintf(here, sizeof here, "%s", shown->folder);
    text_add(&script, "# gdb -x THIS PROGRAM, with PROGRAM built with -g\n");
    if (shown->entry || (has_objects(test) && report_is_executable(&shown->words))) {
        text_add(&script, shown->entry
                              ? "# PROGRAM with the driver that calls the function:\n"
                              : "# PROGRAM made from its bitcode, so that it gets the test's objects:\n");
        add_entry_build(&script, shown, "#", "");
        text_add(&script, " -o PROGRAM\n");
    } else if (has_objects(test)) {
        text_add(&script, "# PROGRAM with the test's objects: clang-19 -g SOURCE");
        add_library(&script, shown);
        text_add(&script, " -o PROGRAM\n");
    }
    text_add(&script, "set breakpoint pending on\n");
    if (shown->finding.place.line) {
        const char *slash = strrchr(shown->finding.place.file, '/');
        text_add(&script, "break \"");
        add_gdb_word(&script, slash ? slash + 1 : shown->finding.place.file);
        text_add(&script, ":%u\"\n", shown->finding.place.line);
    }
    text_add(&script, "set environment TAMAR_TEST ");
    add_gdb_word(&script, here);
    text_add(&script, "/tests/%06u\n", test->number);
    for (uint32_t i = 0; i < test->input_count; i++) {
        if (test->inputs[i].kind != INPUT_ENVIRONMENT || is_odd(&test->inputs[i])) continue;
        text_add(&script, "set environment %s %.*s\n", test->inputs[i].name,
                 (int)strnlen((const char *)test->inputs[i].bytes, test->inputs[i].size),
                 (const char *)test->inputs[i].bytes);
    }
    struct text sockets = {0};
    add_sockets(&sockets, test);
    if (sockets.count) // SIGTERM ends a program that waits after the last arrival
        text_add(&script, "set environment TAMAR_SOCKETS %s\nhandle SIGTERM nostop noprint pass\n",
                 sockets.at);
    text_free(&sockets);
    add_odd_variables(&script, test);
    add_files(&script, shown, here);
    text_add(&script, "run");
    for (uint32_t i = 1; i < test->argument_count; i++) {
        text_add(&script, " ");
        if (*test->arguments[i])
            report_add_word(&script, test->arguments[i], strlen(test->arguments[i]));
        else
            text_add(&script, "''");
    }
    if (input) {
        text_add(&script, " <");
        report_add_word(&script, here, strlen(here));
        text_add(&script, "/tests/%06u/stdin", test->number);
    }
    text_add(&script, "\nbacktrace\n");
    fputs(script.at, stdout);
    text_free(&script);
}

static int show(const struct shown *shown, unsigned as) {
    switch (as) {
    case AS_TEXT: show_text(shown); break;
    case AS_C_TEST: {
        bool objects = has_objects(&shown->test) && report_is_executable(&shown->words);
        (shown->entry || objects ? show_bitcode_test : show_c_test)(shown);
        break;
    }
    case AS_RAW: return show_raw(shown);
    case AS_KTEST: show_ktest(shown); break;
    default: show_gdb(shown); break;
    }
    return EXIT_OK;
}

static int run(const struct command *command, char **argv) {
    struct show_options options;
    struct operands operands;
    int status;
    if (!command_parse(command, argv, &options, &operands, &status)) return status;
    COMMON_APPLY(&options);
    status = EXIT_USAGE;
    if (operands.words.count != 1) {
        user_error_at("show", "Name one file of OUT/bugs or OUT/tests.", "%s",
                      operands.words.count ? "more than one file to show" : "nothing to show");
    } else {
        struct shown shown = {.arena = arena_new(), .full = options.full};
        if (find_named(&shown, operands.words.at[0])) status = show(&shown, options.as);
        arena_free(shown.arena);
    }
    options_free(command->options, &options);
    operands_free(&operands);
    return status;
}

const struct command show_command = {
    .name = "show",
    .help = "print a bug or a test, also as a C test, raw bytes, a .ktest or a gdb script",
    .operands = "BUG|TEST",
    .description =
        "Prints a report of OUT/bugs or a test of OUT/tests (a number is a test of tamar-last).\n\n"
        "As c-test: a C file that calls the program's main with the input. As raw: the bytes for "
        "a fuzzer. As ktest: KLEE's format. As gdb: a script that runs to the location of the bug.",
    .options = &show_options_table,
    .style = OPERANDS_PLAIN,
    .run = run,
};
