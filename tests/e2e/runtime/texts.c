// Strings, search.h, sorting, patterns, calendars, wide characters, jumps: the parts of the library that compute.
// RUN: same-as-kernel %tamar %s %t
#include "Inputs/trace.h"
#include <fnmatch.h>
#include <iconv.h>
#include <langinfo.h>
#include <libgen.h>
#include <limits.h>
#include <locale.h>
#include <regex.h>
#include <search.h>
#include <setjmp.h>
#include <strings.h>
#include <time.h>
#include <wchar.h>
#include <wctype.h>

static void strings(void) {
    char buffer[64], other[64];
    memset(buffer, 'x', sizeof buffer);
    printf("%s %s\n", strncpy(buffer, "abc", 6), strncat(strcpy(other, "ab"), "cdef", 2));
    for (int i = 0; i < 10; i++) printf("%02x", (unsigned char)buffer[i]);
    puts("");
    strcpy(buffer, "overlap");
    memmove(buffer + 2, buffer, 8);
    puts(buffer);
    memmove(buffer, buffer + 3, 6);
    puts(buffer);
    printf("%zu %zu %zu\n", strlcpy(other, "truncated", 5), strlcat(other, "xyz", 6),
           strxfrm(NULL, "abc", 0));
    char list[] = "a:b::c", *save;
    for (char *word = strtok_r(list, ":", &save); word; word = strtok_r(NULL, ":", &save))
        printf("<%s>", word);
    puts("");
    printf("%s %s %s\n", strpbrk("hello world", "ow"), strcasestr("HayStack", "st"),
           (char *)memmem("abcabd", 6, "abd", 3));
    printf("%s %s\n", strchrnul("abc", 'z') - 1, (char *)memrchr("a-b-c", '-', 5));
    T(strverscmp("file9", "file10") < 0);
    T(strverscmp("1.01", "1.1") < 0);
    char path[] = "/usr/lib/x/", same[] = "/usr/lib/x/";
    puts(basename(path));
    puts(dirname(same));
    char *copy = strndup("duplicate", 3);
    puts(copy);
    free(copy);
    printf("%s|%s|%s\n", strerror(0), strerror(EACCES), strerror(9999));
    swab("abcd", other, 4);
    printf("%.4s %p\n", other, memccpy(buffer, "no match", 'z', 5));
    T(a64l(l64a(123456)));
}

static int by_value(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static int by_key(const void *a, const void *b, void *order) {
    return (*(const int *)a - *(const int *)b) * *(int *)order;
}
static int by_text(const void *a, const void *b) { return strcmp(a, b); }
static void visit(const void *node, VISIT when, int depth) {
    if (when == postorder || when == leaf) printf("%s@%d ", *(const char *const *)node, depth);
}

static void searching(void) {
    int numbers[50], order = -1, key = 7, wanted = 21;
    size_t count = 5;
    for (int i = 0; i < 50; i++) numbers[i] = i * 17 % 50;
    qsort(numbers, 50, sizeof *numbers, by_value);
    for (int i = 0; i < 50; i++) printf("%d ", numbers[i]);
    qsort_r(numbers, 50, sizeof *numbers, by_key, &order);
    printf("%d %d\n", numbers[0], numbers[49]);
    int few[8] = {3, 7, 1, 9, 5};
    printf("%d ", (int)((int *)lfind(&key, few, &count, sizeof *few, by_value) - few));
    lsearch(&wanted, few, &count, sizeof *few, by_value);
    printf("%zu %d\n", count, few[5]);
    void *root = NULL;
    static const char *const words[] = {"pear", "apple", "fig", "kiwi", "lime", "date", "fig"};
    for (int i = 0; i < 7; i++) tsearch(words[i], &root, by_text);
    twalk(root, visit);
    T(tfind("kiwi", &root, by_text) != NULL);
    T(tdelete("kiwi", &root, by_text) != NULL);
    T(tfind("kiwi", &root, by_text) == NULL);
    hcreate(20);
    for (int i = 0; i < 6; i++) hsearch((ENTRY){(char *)words[i], (void *)(long)i}, ENTER);
    printf("%ld %d\n", (long)hsearch((ENTRY){"lime", NULL}, FIND)->data,
           hsearch((ENTRY){"none", NULL}, FIND) == NULL);
    hdestroy();
    srandom(5);
    long first = random();
    srand48(3);
    printf("%ld %ld %.6f %ld\n", first, random(), drand48(), lrand48());
}

static void patterns(void) {
    static const struct {
        const char *pattern, *text;
        int flags;
    } cases[] = {{"a*b", "aaab", 0},
                 {"^\\(a*\\)\\1$", "aaaa", 0},
                 {"(a|b)*c", "ababc", REG_EXTENDED},
                 {"x{2,3}", "xxxx", REG_EXTENDED},
                 {"[[:digit:]]+-[^a-c]", "tel 123-d", REG_EXTENDED},
                 {"HELLO", "say hello", REG_ICASE},
                 {"^b", "a\nb", REG_NEWLINE},
                 {"(", "x", REG_EXTENDED},
                 {"[z-a]", "x", 0},
                 {"a\\{1", "x", 0},
                 {"(a)(b)?(c)", "ac", REG_EXTENDED},
                 {"\\<w", "a w", 0},
                 {"", "", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        regex_t pattern;
        regmatch_t at[4];
        char message[64];
        int error = regcomp(&pattern, cases[i].pattern, cases[i].flags);
        if (error) {
            regerror(error, &pattern, message, sizeof message);
            printf("%s; ", message);
            continue;
        }
        int found = regexec(&pattern, cases[i].text, 4, at, 0);
        printf("%d", found);
        for (int k = 0; !found && k < 4; k++) printf(" %d-%d", (int)at[k].rm_so, (int)at[k].rm_eo);
        printf("; ");
        regfree(&pattern);
    }
    puts("");
    printf("%d%d%d%d%d%d\n", fnmatch("*.c", "x.c", 0), fnmatch("a?[b-d]", "axe", 0),
           fnmatch("*/x", "a/b/x", FNM_PATHNAME), fnmatch(".*", ".hidden", FNM_PERIOD),
           fnmatch("[!a]", "b", 0), fnmatch("A*", "abc", FNM_CASEFOLD));
}

static void calendars(void) {
    static const time_t moments[] = {0, -1, 951782400, 1078012799, 1700000000, 4102444800, -2208988800};
    static const char *const zones[] = {"UTC0", "EST5EDT,M3.2.0,M11.1.0", "CET-1CEST,M3.5.0,M10.5.0/3",
                                        "XXX-5:30"};
    char text[200];
    for (size_t z = 0; z < 4; z++) {
        setenv("TZ", zones[z], 1);
        tzset();
        for (size_t m = 0; m < sizeof moments / sizeof *moments; m++) {
            struct tm *tm = localtime(&moments[m]);
            strftime(text, sizeof text,
                     "%a %A %b %B %c %C %d %D %e %F %g %G %H %I %j %m %M %p %r %R %S %T %u %U %V %w %W %x %X "
                     "%y %Y %z %Z %%",
                     tm);
            printf("%s|%d|%ld\n", text, tm->tm_isdst, (long)(mktime(tm) - moments[m]));
        }
    }
    setenv("TZ", "UTC0", 1);
    tzset();
    struct tm odd = {.tm_year = 120, .tm_mon = 13, .tm_mday = -5, .tm_hour = 50, .tm_sec = -7200};
    time_t t = mktime(&odd);
    printf("%ld %s", (long)t, asctime(&odd));
    struct tm parsed = {0};
    printf("%s", strptime("2021-03-04 05:06:07 tail", "%Y-%m-%d %H:%M:%S", &parsed));
    printf(" %ld %s", (long)timegm(&parsed), ctime(&t));
    T(strptime("13/45", "%m/%d", &parsed) == NULL);
    T((long)difftime(10, 3));
}

static void wide(void) {
    T(setlocale(LC_ALL, "C.UTF-8") != NULL);
    puts(nl_langinfo(CODESET));
    wchar_t text[32];
    T(mbstowcs(text, "a\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80z", 32));
    for (size_t i = 0; text[i]; i++) printf("%x ", (unsigned)text[i]);
    char bytes[32];
    T(wcstombs(bytes, text, sizeof bytes));
    mbstate_t state = {0};
    wchar_t c;
    printf("%zd %zd %zd\n", mbrtowc(&c, "\xe2\x82", 2, &state), mbrtowc(&c, "\xac", 1, &state),
           mbrtowc(&c, "\xff", 1, &(mbstate_t){0}));
    printf("%d %d %d %x %x %d\n", iswalpha(0xe4) != 0, iswdigit(L'5') != 0, iswspace(0x2003) != 0,
           towupper(0xe4), towlower(0x394), wcwidth(0x4e00));
    printf("%ld %g %zu %d\n", wcstol(L"-42x", NULL, 10), wcstod(L"2.5", NULL), wcslen(L"four"),
           wcscmp(L"a", L"b") < 0);
    T(swprintf(text, 32, L"%d %ls %5.2f", 7, L"wide", 1.5));
    printf("%ls\n", text);
    T(iswctype(L'x', wctype("lower")) != 0);
    iconv_t to = iconv_open("UTF-16LE", "UTF-8");
    char *in = "a\xc3\xa4", *out = bytes;
    size_t left = 3, room = sizeof bytes;
    T(iconv(to, &in, &left, &out, &room));
    for (char *p = bytes; p < out; p++) printf("%02x", (unsigned char)*p);
    puts("");
    iconv_close(to);
    to = iconv_open("ISO-8859-1", "UTF-8");
    in = "\xe2\x82\xac", left = 3, out = bytes, room = sizeof bytes;
    T(iconv(to, &in, &left, &out, &room));
    iconv_close(to);
    T(iconv_open("nonsense", "UTF-8") == (iconv_t)-1);
    setlocale(LC_ALL, "C");
    struct lconv *l = localeconv();
    printf("%s|%s\n", l->decimal_point, l->thousands_sep);
}

static jmp_buf outer;
static void jump(int depth) {
    if (!depth) longjmp(outer, 5);
    char room[100];
    memset(room, depth, sizeof room);
    jump(depth - 1);
}
static void jumps(void) {
    volatile int rounds = 0;
    int value = setjmp(outer);
    rounds++;
    printf("%d %d\n", value, rounds);
    if (!value) jump(10);
    sigjmp_buf other;
    if (!sigsetjmp(other, 1)) siglongjmp(other, 0);
    if (rounds++ < 4) longjmp(outer, rounds);
}

static void words(void) {
    char *options[] = {"ro", "size", NULL}, text[] = "size=5,ro,other", *at = text, *value;
    while (*at) {
        int which = getsubopt(&at, options, &value);
        printf("%d %s; ", which, value ? value : "-");
    }
    puts("");
    char *line[] = {"x", "-a", "-bvalue", "--long=1", "--", "rest", NULL};
    int option;
    while ((option = getopt(6, line, "ab:")) != -1) printf("%c %s; ", option, optarg ? optarg : "-");
    printf("%d\n", optind);
}

int main(void) {
    strings();
    searching();
    patterns();
    calendars();
    wide();
    jumps();
    words();
    return 0;
}
