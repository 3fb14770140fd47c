// Reads `name = value` lines and prints them sorted. Works on every file its author tried.
//     printf 'b = 2\na = 1\n' | tamar exec examples/settings.c
//     printf 'colour = a rather long description of a colour\n' | tamar exec examples/settings.c
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct setting {
    char name[16];
    char value[32];
};

static char *trim(char *text) {
    while (isspace((unsigned char)*text)) text++;
    char *end = text + strlen(text);
    while (end > text && isspace((unsigned char)end[-1])) end--;
    *end = 0;
    return text;
}

static void set(struct setting *setting, const char *name, const char *value) {
    strncpy(setting->name, name, sizeof setting->name - 1);
    strcpy(setting->value, value); // the name is cut to size, the value is not
}

static int by_name(const void *a, const void *b) {
    return strcmp(((const struct setting *)a)->name, ((const struct setting *)b)->name);
}

int main(void) {
    struct setting *settings = NULL;
    size_t count = 0;
    char line[200];
    while (fgets(line, sizeof line, stdin)) {
        char *equals = strchr(line, '=');
        if (!equals) continue;
        *equals = 0;
        settings = realloc(settings, (count + 1) * sizeof *settings);
        if (!settings) return 1;
        memset(&settings[count], 0, sizeof *settings);
        set(&settings[count++], trim(line), trim(equals + 1));
    }
    qsort(settings, count, sizeof *settings, by_name);
    for (size_t i = 0; i < count; i++) printf("%s=%s\n", settings[i].name, settings[i].value);
    free(settings);
    return 0;
}
