# `tamar harness`: its output compiles unchanged, runs at once, and finds the bugs of a small library.
# RUN: bash %s %t %tamar
# REQUIRES: run
set -eu
tamar=$2
rm -rf "$1" && mkdir "$1" && cd "$1"
fail() { echo "$1" >&2; exit 1; }
cat >box.h <<'END'
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
typedef struct box box_t;
typedef struct { int x, y; const char *label; } place;
typedef struct { int wide, high; } image, *image_pointer;
enum color { RED, GREEN = 7 };
typedef int (*visitor)(const char *name, void *user);
box_t *box_new(int kind);
void box_free(box_t *box);
int box_feed(box_t *box, const uint8_t *data, size_t size);
int box_paint(box_t *box, enum color color, bool all);
int box_walk(const place *where, visitor visit, void *user);
int box_text(const char *text);
int box_scale(image_pointer picture, const image *other);
int box_read(FILE *file, double scale, char **message);
int box_print(const char *format, ...);
END
cat >box.c <<'END'
#include "box.h"
#include <stdlib.h>
struct box { int kind; unsigned char last; };
box_t *box_new(int kind) { box_t *box = malloc(sizeof *box); if (box) *box = (box_t){kind, 0}; return box; }
void box_free(box_t *box) { free(box); }
int box_feed(box_t *box, const uint8_t *data, size_t size) {
    if (size > 1 && data[0] == 'k' && box->kind == 5) box->last = data[size]; // one too far
    return box->last;
}
int box_paint(box_t *box, enum color color, bool all) { return color == 3 || (int)all > 1 ? abort(), 1 : box->kind; }
int box_walk(const place *where, visitor visit, void *user) { return where->label[0] == 'w' && visit(where->label, user) == 3 ? 10 / (where->x - where->x) : 0; }
int box_text(const char *text) { int n = 0; while (text[n]) n++; return n; }
int box_scale(image_pointer picture, const image *other) { return picture->wide == 7 ? 100 / (other->high - 3) : 0; }
int box_read(FILE *file, double scale, char **message) { *message = NULL; int c = fgetc(file); return c == 'r' ? *(volatile int *)0 : (int)(scale > 1); }
int box_print(const char *format, ...) { return format[0]; }
END
"$tamar" cc -c box.c && ar crs libbox.a box.o
"$tamar" harness box.h --out all.c 2>warnings
grep -q 'harness_box_walk' all.c || fail "functions of the header"
! grep -q 'box_print' all.c || fail "a variadic function has no harness by itself"
explore() { # FUNCTION STATUS TEXT
    status=0
    "$tamar" run --out "out-$1" -DHARNESS="harness_$1" all.c libbox.a >text 2>&1 || status=$?
    [ $status = "$2" ] && grep -q "$3" text || { cat text; fail "$1: status $status"; }
    "$tamar" cc -Werror -DHARNESS="harness_$1" all.c libbox.a -o native && ./native || fail "$1: natively"
}
explore box_new 0 'every path was explored'
explore box_free 0 'every path was explored'
explore box_feed 1 'out-of-bounds: .*box.c:7'
explore box_paint 0 'every path was explored'
explore box_walk 1 'div-by-zero: .*box.c:11'
explore box_scale 1 'div-by-zero: .*box.c:13'
explore box_text 0 'every path was explored'
explore box_read 1 'null: .*box.c:14'
# one function; standard output
"$tamar" harness box.h box_text >one.c
[ "$(grep -c '^static void harness_' one.c)" = 1 ] || fail "one function"
"$tamar" run --out one-out one.c box.c | grep -q 'every path was explored' || fail "run of one"
# a function of a C file, static or not, whose main is replaced
cat >own.c <<'END'
static int twice(int value) { return value == 1234 ? 1 / (value - 1234) : 2 * value; }
int main(void) { return twice(1); }
END
"$tamar" harness own.c twice >own-harness.c
status=0
"$tamar" run --out own-out own-harness.c >text 2>&1 || status=$?
[ $status = 1 ] && grep -q 'div-by-zero: .*own.c:1' text || { cat text; fail "a static function"; }
# a header that the compiler finds
mkdir include && cp box.h include/found.h
"$tamar" harness -I include found.h box_text | grep -q '#include <found.h>' || fail "a header in a folder of -I"
printf "#include <stdarg.h>\nint box_va(va_list list);\n" >va.h
# errors
expect() { # TEXT WORDS...
    text=$1
    shift
    status=0
    "$tamar" harness "$@" >output 2>errors || status=$?
    [ $status = 2 ] && grep -q "$text" errors || { cat errors; fail "$*: status $status"; }
}
expect 'no such function in box.h; near: box_text' box.h box_txt
expect 'no header, C file or program given' box_text
expect 'cannot be compiled' nowhere.h
expect 'already exists' box.h --out all.c

expect "no value of type" va.h
# a harness from debug information: of an archive, an executable with its own main, bitcode
cat >made.c <<'END'
#include <stdio.h>
#include <stdlib.h>
enum shade { LIGHT, DARK = 7 };
typedef struct { short a; char b; } __attribute__((packed)) tight;
union either { int number; double real; };
struct row;
typedef int (*judge)(const struct row *row, void *user);
struct row { struct row *next; union either value; tight mark; struct { unsigned low : 3, high : 5; }; enum shade shade; judge by; };
struct row *row_new(unsigned count) { struct row *row = calloc(1, sizeof *row); if (row) row->mark.b = (char)count; return row; }
void row_free(struct row *row) { free(row); }
int row_find(struct row *row, const unsigned char *key, size_t length) { return length == 3 && key[1] == 'k' && row->mark.b == 5 ? key[3] : 0; }
tight row_mark(const struct row *row, long double scale, char **names, FILE *log) { (void)names, (void)log; return scale > 2 ? row->mark : (tight){1, 2}; }
int row_shade(enum shade shade, _Bool all, judge by) { return shade == 3 || all > 1 ? abort(), 1 : by(NULL, NULL) == 4 ? 1 / (shade - 7 + !all) : 0; }
int main(void) { return row_find(row_new(1), (const unsigned char *)"abc", 2); }
END
"$tamar" cc -g -c made.c && ar crs libmade.a made.o && "$tamar" cc -g made.c -o made && clang-19 -g -O0 -emit-llvm -c made.c -o made.bc
for built in libmade.a made made.o made.bc; do
    "$tamar" harness row_find $built --out "find-$built.c"
    status=0
    "$tamar" run --out "find-$built" "find-$built.c" $built >text 2>&1 || status=$?
    [ $status = 1 ] && grep -q 'out-of-bounds: .*made.c:11' text || { cat text; fail "$built: status $status"; }
done
"$tamar" harness ./made >rows.c
for name in new free mark shade; do
    status=0
    "$tamar" run --out "row-$name" -DHARNESS=harness_row_$name rows.c ./made >text 2>&1 || status=$?
    [ $status = $([ $name = shade ] && echo 1 || echo 0) ] || { cat text; fail "row_$name: status $status"; }
done
grep -q 'div-by-zero: .*made.c:13' text || fail "an enumeration, a bool and a callback"
expect 'no such function in ./made; near: row_find' row_fnd ./made
printf 'static int inner(int a) { return a; }\nint zebra(int b) { return inner(b); }\nint main(void) { return inner(0); }\n' >static.c
"$tamar" cc -g static.c -o static
expect 'for a static one name its C file' inner ./static
expect 'Name a function that the file declares or defines' box.h zzzzzzzzzzzz
strip -g -o bare made.o 2>/dev/null || true
clang-19 -O0 -emit-llvm -c made.c -o bare.bc
expect "has no debug information about functions that can be called" row_find bare.bc
