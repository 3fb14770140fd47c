// Reads the difference from git, from two trees or from a file, and finds the changed lines of the program.
#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "regress/changed_source.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

// ---- other programs

static bool take_some(int fd, struct text *to) {
    char buffer[65536];
    ssize_t got = read(fd, buffer, sizeof buffer);
    if (got > 0) text_add_bytes(to, buffer, (size_t)got);
    return got > 0;
}

int regress_capture(const char *const *words, const char *folder, struct text *output, struct text *errors) {
    int out[2], err[2], status;
    if (pipe2(out, O_CLOEXEC) != 0) return 127;
    if (pipe2(err, O_CLOEXEC) != 0) {
        close(out[0]), close(out[1]);
        return 127;
    }
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
        if (nothing >= 0 && dup2(nothing, 0) == 0 && dup2(out[1], 1) == 1 && dup2(err[1], 2) == 2 &&
            (!folder || chdir(folder) == 0))
            execvp(words[0], (char *const *)words);
        _exit(127);
    }
    close(out[1]), close(err[1]);
    struct pollfd wait[] = {{out[0], POLLIN, 0}, {err[0], POLLIN, 0}};
    while (child > 0 && (wait[0].fd >= 0 || wait[1].fd >= 0) && poll(wait, 2, -1) >= 0) {
        if (wait[0].fd >= 0 && wait[0].revents && !take_some(out[0], output)) wait[0].fd = -1;
        if (wait[1].fd >= 0 && wait[1].revents && !take_some(err[0], errors)) wait[1].fd = -1;
    }
    close(out[0]), close(err[0]);
    if (child < 0 || waitpid(child, &status, 0) < 0) return 127;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static const char *first_line(struct text *text) {
    if (!text->count) return "";
    text->at[strcspn(text->at, "\n")] = 0;
    return text->at;
}

// ---- the diff

// Sets `diff` to the output of git diff, and *root to the folder that its names are relative to.
static bool diff_of_git(struct regress *regress, struct text *diff, const char **root) {
    struct text output = {0}, errors = {0}, commit = {0};
    text_add(&commit, "%s^{commit}", regress->since);
    const char *top[] = {"git", "rev-parse", "--show-toplevel", NULL};
    const char *verify[] = {"git", "rev-parse", "--verify", "--quiet", "--end-of-options", commit.at, NULL};
    const char *compare[] = {"git",
                             "-c",
                             "core.quotepath=off",
                             "diff",
                             "--no-ext-diff",
                             "--no-color",
                             "--find-renames",
                             "--src-prefix=a/",
                             "--dst-prefix=b/",
                             commit.at,
                             "--",
                             NULL};
    bool good = false;
    int status = regress_capture(top, NULL, &output, &errors);
    if (status == 127)
        user_error_at("--since", "Install git, or use --old or --diff.", "git cannot be run");
    else if (status)
        user_error_at("--since", "Run it in the folder of the program's source, or use --old or --diff.",
                      "%s", first_line(&errors));
    else {
        *root = arena_strdup(regress->arena, first_line(&output));
        text_clear(&output);
        if (regress_capture(verify, NULL, &output, &errors) != 0)
            user_error_at("--since", "`git log` and `git tag` list revisions.",
                          "'%s' is not a revision of %s", regress->since, *root);
        else if (regress_capture(compare, *root, diff, &errors) != 0)
            user_error_at("--since", NULL, "git diff failed: %s", first_line(&errors));
        else
            good = true;
    }
    text_free(&output);
    text_free(&errors);
    text_free(&commit);
    return good;
}

static bool is_folder(const char *path) {
    struct stat status;
    return !stat(path, &status) && S_ISDIR(status.st_mode);
}

static bool diff_files(const char *old, const char *new, struct text *diff) {
    struct text errors = {0};
    const char *words[] = {"diff", "-u", "--", old, new, NULL};
    bool good = regress_capture(words, NULL, diff, &errors) <= 1;
    if (!good) user_error_at("--old", "Is diff installed?", "%s: %s", old, first_line(&errors));
    text_free(&errors);
    return good;
}

// Finds the files and locations of user code.
static void find_own_files(const struct ir_program *program, uint8_t *own, uint8_t *code, bool *any_line) {
    *any_line = false;
    for (uint32_t f = 0; f < program->function_count; f++) {
        const struct ir_function *function = &program->functions[f];
        for (uint32_t i = 0; !function->runtime && i < function->code_count; i++) {
            const struct ir_location *at = &program->locations[function->locations[i]];
            if (!at->line) continue;
            own[at->file] = 1;
            code[function->locations[i]] = 1;
            *any_line = true;
        }
    }
}

static const char *below(const char *path, const char *folder) {
    size_t length = strlen(folder);
    return !strncmp(path, folder, length) && path[length] == '/' ? path + length + 1 : NULL;
}

// Compares the headers in the folder of this file that have no code with the headers of the other tree. Does so only
// for the first file of each folder.
static bool diff_headers(struct regress *regress, const uint8_t *own, uint32_t file, const char *here,
                         struct text *diff) {
    const struct ir_program *program = regress->program;
    struct text folder = {0};
    text_add(&folder, "%.*s", (int)(strrchr(program->files[file], '/') - program->files[file]),
             program->files[file]);
    bool is_first = true, good = true;
    for (uint32_t f = 0; f < file; f++)
        is_first &= !own[f] || !below(program->files[f], folder.at) ||
                    strchr(below(program->files[f], folder.at), '/');
    DIR *entries = is_first ? opendir(folder.at) : NULL;
    for (struct dirent *entry; entries && good && (entry = readdir(entries));) {
        size_t length = strlen(entry->d_name);
        bool with_code = false;
        struct text path = {0}, old = {0};
        text_add(&path, "%s/%s", folder.at, entry->d_name);
        for (uint32_t f = 0; f < program->file_count; f++)
            with_code |= own[f] && !strcmp(program->files[f], path.at);
        text_add(&old, "%s/%s", regress->tree, below(path.at, here));
        if (length > 2 && !strcmp(entry->d_name + length - 2, ".h") && !with_code &&
            access(old.at, R_OK) == 0)
            good = diff_files(old.at, path.at, diff);
        text_free(&path);
        text_free(&old);
    }
    if (entries) closedir(entries);
    text_free(&folder);
    return good;
}

// Compares each file of the program with the file of the same name in the other tree.
static bool diff_of_trees(struct regress *regress, const uint8_t *own, struct text *diff) {
    const struct ir_program *program = regress->program;
    char here[PATH_MAX];
    bool tree = is_folder(regress->tree), good = getcwd(here, sizeof here) != NULL;
    uint32_t found = 0;
    if (!tree && access(regress->tree, R_OK) != 0) {
        user_error_at("--old", "Name the folder with the old version's source.", "%s: %s", regress->tree,
                      strerror(errno));
        return false;
    }
    for (uint32_t f = 0; good && f < program->file_count; f++) {
        const char *name = own[f] ? below(program->files[f], here) : NULL;
        if (!name) continue;
        struct text old = {0};
        text_add(&old, tree ? "%s/%s" : "%s", regress->tree, name);
        bool there = tree ? access(old.at, R_OK) == 0 : !found;
        if (there) good = diff_files(old.at, program->files[f], diff);
        if (good && tree) good = diff_headers(regress, own, f, here, diff);
        found += there;
        text_free(&old);
    }
    if (good && !found)
        user_error_at("--old",
                      "Run it in the folder of the new version; --old names the same folder of the old one.",
                      "%s has none of the program's files", regress->tree);
    return good && found;
}

static bool diff_of_file(struct regress *regress, struct text *diff) {
    if (file_read(regress->diff_file, diff)) return true;
    user_error_at("--diff", "Name a file that `git diff` or `diff -u` wrote.", "%s: %s", regress->diff_file,
                  strerror(errno));
    return false;
}

// ---- names

static bool same_path(const char *a, const char *b) {
    char real_a[PATH_MAX], real_b[PATH_MAX];
    return !strcmp(a, b) || (realpath(a, real_a) && realpath(b, real_b) && !strcmp(real_a, real_b));
}

static bool ends_in(const char *path, const char *name) {
    size_t a = strlen(path), b = strlen(name);
    return a >= b && !strcmp(path + a - b, name) && (a == b || path[a - b - 1] == '/');
}

// Returns the program's file that a name in the diff refers to: the file ROOT/NAME if the program has it, else a file
// whose path ends with the longest suffix of the name. UINT32_MAX: none.
static uint32_t find_file(const struct ir_program *program, const uint8_t *own, const char *root,
                          const char *name) {
    struct text whole = {0};
    uint32_t found = UINT32_MAX;
    text_add(&whole, *name == '/' ? "%s%s" : "%s/%s", *name == '/' ? "" : root, name);
    for (uint32_t f = 0; f < program->file_count && found == UINT32_MAX; f++)
        if (own[f] && same_path(whole.at, program->files[f])) found = f;
    text_free(&whole);
    for (const char *rest = name; rest && found == UINT32_MAX;) {
        for (uint32_t f = 0; f < program->file_count && found == UINT32_MAX; f++)
            if (own[f] && *rest && ends_in(program->files[f], rest)) found = f;
        rest = strchr(rest, '/');
        if (rest) rest++;
    }
    return found;
}

// ---- lines

void changed_source_read(const char *path, struct changed_source *source) {
    *source = (struct changed_source){0};
    if (!file_read(path, &source->content) || !source->content.count) return;
    char *save = source->content.at;
    for (char *line; (line = strsep(&save, "\n"));) {
        size_t length = strlen(line);
        if (length && line[length - 1] == '\r') line[length - 1] = 0;
        vec_push(&source->lines, line);
    }
}

void changed_source_free(struct changed_source *source) {
    text_free(&source->content);
    vec_free(&source->lines);
}

// Checks that the lines quoted in the diff equal those of the source. If not, the diff belongs to another version.
static bool fits(const char *path, const struct diff_file *file, const struct changed_source *source) {
    if (!source->lines.count) return true; // the file does not exist any more
    vec_each (struct diff_line, quoted, &file->quoted) {
        const char *line = quoted->number <= source->lines.count ? source->lines.at[quoted->number - 1] : "";
        if (strlen(line) == quoted->length && !memcmp(line, quoted->text, quoted->length)) continue;
        struct text place = {0}, had = {0};
        text_add(&place, "%s:%u", path, quoted->number);
        text_add_escaped(&had, quoted->text, MIN(quoted->length, 60));
        user_error_at(place.at, "The diff must lead to the version that the program was built from.",
                      "the line differs from the diff, which has '%s'", had.at ? had.at : "");
        text_free(&place);
        text_free(&had);
        return false;
    }
    return true;
}

static const char *trimmed(struct arena *arena, const char *line) {
    line += strspn(line, " \t");
    size_t length = strlen(line);
    while (length && strchr(" \t", line[length - 1])) length--;
    char *copy = arena_alloc(arena, length + 1);
    memcpy(copy, line, length);
    return copy;
}

void regress_add_line(struct regress *regress, uint32_t file, uint32_t line,
                      const struct changed_source *source) {
    const struct ir_program *program = regress->program;
    char here[PATH_MAX];
    bool any = false;
    regress->changed_count++;
    for (uint32_t i = 0; i < program->location_count; i++)
        if (program->locations[i].line == line && program->locations[i].file == file && regress->code[i])
            any = regress->changed[i] = true;
    if (!any) return;
    const char *path = program->files[file], *name = getcwd(here, sizeof here) ? below(path, here) : NULL;
    struct changed_line changed = {.file = path, .name = name ? name : path, .line = line};
    if (line <= source->lines.count) changed.source = trimmed(regress->arena, source->lines.at[line - 1]);
    vec_push(&regress->lines, changed);
}

static bool add_file(struct regress *regress, const struct diff_file *diff, uint32_t file) {
    struct changed_source source;
    changed_source_read(regress->program->files[file], &source);
    bool good = fits(regress->program->files[file], diff, &source);
    for (uint32_t i = 0; good && i < diff->changed.count; i++)
        regress_add_line(regress, file, diff->changed.at[i], &source);
    changed_source_free(&source);
    return good;
}

static const char *option_of(const struct regress *regress) {
    return regress->since ? "--since" : regress->tree ? "--old" : "--diff";
}

static void say_no_file(const struct regress *regress, const uint8_t *own) {
    struct text names = {0};
    uint32_t count = 0;
    vec_each (struct diff_file, file, &regress->diff.files)
        if (file->name && ++count <= 3) text_add(&names, "%s%s", count > 1 ? ", " : "", file->name);
    if (count > 3) text_add(&names, " and %u more", count - 3);
    struct text remedy = {0};
    for (uint32_t f = 0, shown = 0; f < regress->program->file_count && shown < 1; f++)
        if (own[f]) {
            text_add(&remedy, "The program is built from %s, among others.", regress->program->files[f]);
            shown++;
        }
    user_error_at(option_of(regress), remedy.at, "the changed files are not sources of this program: %s",
                  names.at ? names.at : "files that are gone");
    text_free(&names);
    text_free(&remedy);
}

static bool use_diff(struct regress *regress, const uint8_t *own, const char *root) {
    uint32_t used = 0;
    regress->changed = arena_alloc(regress->arena, regress->program->location_count + 1);
    vec_each (struct diff_file, file, &regress->diff.files) {
        uint32_t found = file->name ? find_file(regress->program, own, root, file->name) : UINT32_MAX;
        if (found == UINT32_MAX) continue;
        used++;
        if (!add_file(regress, file, found)) return false;
    }
    regress_add_macro_uses(regress, own, root);
    if (!used && !regress->lines.count)
        say_no_file(regress, own);
    else if (!regress->lines.count)
        user_error_at(option_of(regress),
                      "Changes of comments, declarations and functions that are never called have no effect.",
                      "none of the %u changed lines is code of this program", regress->changed_count);
    return regress->lines.count > 0;
}

static bool read_diff(struct regress *regress, const struct text *text) {
    uint32_t line;
    const char *wrong =
        diff_parse(regress->arena, text->at ? text->at : "", text->count, &regress->diff, &line);
    if (wrong) {
        struct text place = {0};
        text_add(&place, "%s, line %u", regress->diff_file ? regress->diff_file : "the diff", line);
        user_error_at(place.at, "It must be a unified diff, as `git diff` and `diff -u` write it.", "%s",
                      wrong);
        text_free(&place);
        return false;
    }
    if (regress->diff.files.count) return true;
    if (regress->since)
        user_error_at("--since", "Name an earlier revision.", "nothing has changed since %s", regress->since);
    else if (regress->tree)
        user_error_at("--old", "Name the source of another version.", "%s: the program's files are the same",
                      regress->tree);
    else
        user_error_at("--diff", "It must be a unified diff, as `git diff` and `diff -u` write it.",
                      "%s: there is no difference in it", regress->diff_file);
    return false;
}

bool regress_find_changes(struct regress *regress, const struct ir_program *program) {
    struct text diff = {0};
    char here[PATH_MAX];
    const char *root = getcwd(here, sizeof here) ? here : "/";
    uint8_t *own = arena_alloc(regress->arena, program->file_count + 1);
    bool any_line;
    regress->program = program;
    regress->code = arena_alloc(regress->arena, program->location_count + 1);
    find_own_files(program, own, regress->code, &any_line);
    if (!any_line) {
        user_error_at("regress", "Build it with -g.", "the program has no debug lines");
        return false;
    }
    bool good = regress->since  ? diff_of_git(regress, &diff, &root)
                : regress->tree ? diff_of_trees(regress, own, &diff)
                                : diff_of_file(regress, &diff);
    good = good && read_diff(regress, &diff) && use_diff(regress, own, root);
    if (good)
        log_line("%u changed lines, %u of them with code", regress->changed_count, regress->lines.count);
    text_free(&diff);
    return good;
}
