// The C library above the model: stdio, numbers, sorting, locale, time, environment, jumps, thread-locals.
// RUN: same-as-kernel %tamar %s %t
#include "Inputs/trace.h"
#include <complex.h>
#include <ctype.h>
#include <glob.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <regex.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <strings.h>
#include <time.h>
#include <wchar.h>

static _Thread_local int local = 5;
static jmp_buf target;
static const char *order = "";

__attribute__((constructor(200))) static void second(void) { order = order[0] ? "12" : "2"; }
__attribute__((constructor(101))) static void first(void) { order = "1"; }
__attribute__((destructor)) static void last(void) { puts("destructor"); }
static void at_exit(void) { puts("atexit"); }

static void formatting(void) {
    char text[100];
    printf("%d %5u %-5ld| %+lld %#x %#o %c %s %.2s %%\n", -1, 2u, 3l, 4ll, 255, 8, 'c', "str", "trunc");
    printf("%f %.3e %g %g %a\n", 1.5, 123456.789, 1e-5, 1e20, 0.1);
    printf("%Lf %.20Lg %La\n", 1.25L, 0.1L, 3.0L);
    printf("%p %n\n", (void *)0, &(int){0});
    T(snprintf(text, 5, "%d", 1234567));
    puts(text);
    T(sscanf("12 abc 0x1f 3.5", "%d %s %i", &(int){0}, text, &(int){0}));
    T(strtol("  -0x7fz", NULL, 0));
    T(strtoul("99999999999999999999", NULL, 10) == ULONG_MAX);
    printf("%.17g %g\n", strtod("0.1e1", NULL), strtod("inf", NULL));
    T(atoi("42x"));
}

static void strings(void) {
    char text[32] = "one,two,,three", *save = text, *word;
    while ((word = strsep(&save, ","))) printf("[%s]", word);
    puts("");
    T(strspn("aabbc", "ab"));
    T(strcspn("hello", "l"));
    T(strstr("haystack", "st") != NULL);
    T(strcasecmp("HeLLo", "hEllO"));
    T(strncmp("abc", "abd", 2));
    T(memchr("abc", 'd', 3) == NULL);
    T(strrchr("a/b/c", '/') != NULL);
    T(strlen(strcat(strcpy(text, "foo"), "bar")));
    T(strnlen("abcdef", 3));
    T(memcmp("a\xff", "a\x01", 2) > 0);
    T(strcoll("a", "b") < 0);
    T(ffs(8));
    puts(strerror(ENOENT));
    puts(strsignal(11));
}

static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static void algorithms(void) {
    int numbers[200];
    unsigned seed = 1;
    for (int i = 0; i < 200; i++) numbers[i] = (int)((seed = seed * 1103515245 + 12345) >> 16 & 1023);
    qsort(numbers, 200, sizeof numbers[0], compare);
    int sorted = 1;
    for (int i = 1; i < 200; i++) sorted &= numbers[i - 1] <= numbers[i];
    T(sorted);
    T(bsearch(&numbers[77], numbers, 200, sizeof numbers[0], compare) != NULL);
    srand(1);
    printf("%d %d\n", rand(), rand());
    regex_t pattern;
    T(regcomp(&pattern, "^([a-z]+)=([0-9]+)$", REG_EXTENDED));
    T(regexec(&pattern, "key=42", 0, NULL, 0));
    T(regexec(&pattern, "key=x", 0, NULL, 0));
    regfree(&pattern);
}

static void numbers(void) {
    printf("%.17g %.17g %.17g %.17g\n", sin(1), cos(2), exp(1.5), log(10));
    printf("%.17g %.17g %.17g %.17g\n", pow(2, 0.5), sqrt(2), atan2(1, -1), fmod(10, 3));
    printf("%.9g %.9g %ld %g %g\n", (double)sinf(1), (double)tanf(0.5f), lround(-2.5), floor(-0.5), trunc(1.9));
    double complex z = (1 + 2 * I) * (3 - I) / (2 + I);
    printf("%g %g\n", creal(z), cimag(z));
}

static void times(void) {
    time_t moment = 1700000000;
    struct tm *tm = gmtime(&moment);
    char text[64];
    strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S %a %j", tm);
    puts(text);
    T(mktime(tm) == moment);
    time_t now;
    T(time(&now) == now);
    struct timespec a, b;
    clock_gettime(CLOCK_MONOTONIC, &a);
    nanosleep(&(struct timespec){0, 2000000}, NULL);
    clock_gettime(CLOCK_MONOTONIC, &b);
    T((b.tv_sec - a.tv_sec) * 1000000000 + b.tv_nsec - a.tv_nsec >= 2000000);
}

static void streams(void) {
    char line[64];
    FILE *file = fopen("stream", "w+");
    fprintf(file, "line %d\nline %d\n", 1, 2);
    fseek(file, 5, SEEK_SET);
    T(fgetc(file));
    T(ungetc('x', file));
    T(fgets(line, sizeof line, file) != NULL);
    puts(line);
    T(ftell(file));
    T(fclose(file));
    file = fopen("stream", "a");
    T(fwrite("end\n", 1, 4, file));
    T(fclose(file));
    file = fopen("stream", "r");
    while (fgets(line, sizeof line, file)) fputs(line, stdout);
    T(feof(file) != 0);
    T(fputc('x', file));
    fclose(file);
    T(fopen("/none/none", "r") == NULL);
    char *memory;
    size_t size;
    file = open_memstream(&memory, &size);
    fputs("in memory", file);
    fclose(file);
    printf("%zu %s\n", size, memory);
    free(memory);
    char *owned = NULL;
    size_t capacity = 0;
    file = fopen("stream", "r");
    T(getline(&owned, &capacity, file));
    free(owned);
    fclose(file);
    char name[] = "tmpXXXXXX";
    int fd = mkstemp(name);
    T(fd >= 0);
    T(unlink(name));
    glob_t found;
    T(glob("str*", 0, NULL, &found));
    T(found.gl_pathc);
    globfree(&found);
}

static void environment(void) {
    T(setenv("TAMAR_X", "value", 1));
    puts(getenv("TAMAR_X"));
    T(unsetenv("TAMAR_X"));
    T(getenv("TAMAR_X") == NULL);
    T(setlocale(LC_ALL, "C") != NULL);
    wchar_t wide[8];
    T(mbstowcs(wide, "abc", 8));
    T(isalpha('a') != 0);
    T(toupper('q'));
    T(sysconf(_SC_PAGESIZE));
    T(local++);
    T(local);
    int value = setjmp(target);
    printf("%d\n", value);
    if (value < 3) longjmp(target, value + 1);
    printf("%s\n", order);
}

int main(int argc, char **argv) {
    T(argc);
    formatting();
    strings();
    algorithms();
    numbers();
    times();
    streams();
    environment();
    atexit(at_exit);
    return 42;
}
