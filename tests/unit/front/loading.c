#include "loading.h"

#include "../check.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[64];

void loading_start(void) {
    strcpy(folder, "/tmp/tamar-front-XXXXXX");
    assert_non_null(mkdtemp(folder));
}

void loading_end(void) {
    DIR *directory = opendir(folder);
    assert_non_null(directory);
    char path[512];
    for (struct dirent *entry; (entry = readdir(directory));) {
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        unlink(path);
    }
    closedir(directory);
    rmdir(folder);
}

const char *file_with(const char *name, const void *content, size_t size) {
    static char paths[8][256];
    static unsigned next;
    char *path = paths[next++ % 8];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    assert_int_equal(write(file, content, size), size);
    close(file);
    return path;
}

const char *text_file(const char *name, const char *text) { return file_with(name, text, strlen(text)); }

struct ir_program *load(const struct front_options *options, const char *const *words) {
    struct front_options own = options ? *options : (struct front_options){0};
    own.intrinsics = true;
    own.no_libc = true;
    unsigned count = 0;
    while (words[count]) count++;
    setenv("TAMAR_PROGRAM_CACHE", "none", true); // no load comes from the cache
    return front_load(&(struct front_input){words, count}, &own, NULL);
}

struct ir_program *load_text(const char *name, const char *text, const char *flag) {
    const char *words[] = {text_file(name, text), flag, NULL};
    struct ir_program *program = load(NULL, words);
    assert_non_null(program);
    const char *problem = ir_verify(program);
    if (problem) fail_msg("%s", problem);
    return program;
}

char *listing(const struct ir_program *program, const char *function) {
    const struct ir_function *found = ir_find_function(program, function);
    assert_non_null(found);
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    ir_print_function(out, program, found);
    fclose(out);
    return text;
}

char *failure(const struct front_options *options, const char *const *words) {
    char path[128];
    snprintf(path, sizeof path, "%s/messages", folder);
    fflush(stderr);
    int saved = dup(STDERR_FILENO), file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    if (saved < 0 || file < 0) abort();
    dup2(file, STDERR_FILENO);
    struct ir_program *program = load(options, words);
    fflush(stderr);
    dup2(saved, STDERR_FILENO);
    close(saved);
    char *text = calloc(1, 8192);
    ssize_t size = pread(file, text, 8191, 0);
    close(file);
    assert_true(size > 0 || program);
    if (program) fail_msg("%s is accepted", words[0]);
    return text;
}
