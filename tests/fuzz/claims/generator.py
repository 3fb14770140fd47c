"""Random small C programs of one or two input bytes, for `run`.

Each statement is on its own line and begins with L, which the native reference defines to record the line. Every object
is initialised, so that only the input decides the behaviour of a program. The native reference detects more than the
sanitizers: AT and CHECK_SIZE compare subscripts with the size that the generator knows, wherever the access lands.

`checked`: signed overflow and bad shifts count as errors, so the generator does not avoid such operations."""
import random

HEAD = r"""#include <ctype.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef NATIVE
#include "reference.h"
#else
#include <tamar.h>
#define L
#define AT(pointer, index, size) (pointer)[index]
#define CHECK_SIZE(length, size)
#define MUST_HOLD(condition) tamar_assert(condition)
#endif
struct pair { signed char c; unsigned u : 3, v : 5; short s; int i; };
struct node { struct node *next; int value; struct pair pair; unsigned char tail[6]; };
union mix { uint32_t word; uint8_t bytes[4]; uint16_t halves[2]; struct { unsigned low : 4, high : 12, rest : 16; } bits; };
static unsigned h = 1;
static int g0 = 3, g1 = -7, g2 = 200;
static long g3 = 100000;
static unsigned char small[12] = {1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233};
static int ints[8] = {4, -1, 0, 77, 1000, -50, 6, 2};
static short grid[3][5] = {{1, 2, 3, 4, 5}, {-1, -2, -3, -4, -5}, {10, 20, 30, 40, 50}};
static int *pointers[10] = {&g0, &g1, NULL, &g2, ints, ints + 3, &ints[7], &g0, NULL, &g1};
static const char *const words[16] = {"zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "a", "", "thirteen", "end"};
static struct pair pairs[4] = {{1, 2, 3, 4, 5}, {-1, 7, 31, -300, 100000}, {0}, {9, 1, 1, 1, 1}};
static struct node nodes[3] = {{&nodes[1], 5, {1, 1, 1, 1, 1}, "abc"}, {&nodes[2], 6, {2, 2, 2, 2, 2}, "de"}, {NULL, 7, {3, 3, 3, 3, 3}, "x"}};
static union mix mix = {0x01020304};
static unsigned char *heap[3];
static unsigned sizes[3];
static int *scoped = &g0;
static jmp_buf env;
static int calls;
"""

FIXED = r"""static int twice(int x) { return (int)(2u * (unsigned)x); }
static int halve(int x) { return x / 2; }
static int below(int x) { return x < 100; }
static int (*const table[6])(int) = {twice, halve, below, twice, NULL, below};
static int compare(const void *x, const void *y) { return (*(const int *)x > *(const int *)y) - (*(const int *)x < *(const int *)y); }
static int sum(int count, ...) {
    va_list list;
    int total = 0;
    va_start(list, count);
    for (int i = 0; i < count; i++) total ^= va_arg(list, int);
    va_end(list);
    return total;
}
static struct pair swapped(struct pair p) { struct pair q = {(signed char)p.s, p.v, p.u, p.c, p.i ^ 5}; return q; }
static void *thread(void *p) { *(int *)p = *(int *)p ^ 21; return p; }
"""

TAIL = r"""static int start(int a, int b) {
    int x = 1;
    L if (setjmp(env)) {
        L return 15;
    }
    L x = f0(a, b, x, 0);
    L h ^= (unsigned)x;
    h ^= h >> 16;
    h ^= h >> 8;
    for (unsigned i = 0; i < 14; i++) if (h %% 14 == i) return (int)i;
    return 14;
}
#ifndef NATIVE
int main(void) {
    int a = getchar(), b = %s;
    if (a < 0 || b < 0 || a >= %d || b >= %d) return 77;
    return start(a, b);
}
#endif
"""


class Program:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.two = self.random.random() < 0.25
        self.checked = self.random.random() < 0.4
        self.threads = self.random.random() < 0.03
        self.functions = self.random.randint(1, 4)
        self.lines, self.labels, self.loops, self.depth = [], 0, 0, 0
        self.locals, self.function = [], 0
        self.calls_left = 0
        self.text = self.make()

    @property
    def domain(self):
        return (32, 8) if self.two else (256, 1)

    # ---- expressions

    def leaf(self):
        r = self.random
        kinds = ["a"] * 5 + ["x"] * 2 + [str(r.randint(-4, 300))] * 3 + ["g0", "g1", "g2", "(int)g3", "mix.bytes[1]", "pairs[1].s", "pairs[2].v", "calls", "(int)h", "nodes[0].value"]
        kinds += ["b"] * (4 if self.two else 0) + self.locals * 2
        return r.choice(kinds)

    def number(self, depth=2):
        """An expression of integer type without an operation that fails, unless arithmetic is checked."""
        r = self.random
        if depth == 0 or r.random() < 0.25:
            return self.leaf()
        x, y = self.number(depth - 1), self.number(depth - 1)
        kind = r.randrange(14)
        if kind < 5:
            operator = r.choice("+-*")
            return f"({x} {operator} {y})" if self.checked else f"(int)((unsigned)({x}) {operator} (unsigned)({y}))"
        if kind < 7:
            return f"({x} {r.choice('&|^')} {y})"
        if kind == 7:
            return f"({x} {r.choice(['<', '>', '<=', '>=', '==', '!='])} {y})"
        if kind == 8:
            return f"({x} ? {y} : {self.number(depth - 1)})"
        if kind == 9:
            return f"({x} << ({y} & 3))" if self.checked else f"(int)((unsigned)({x}) << ({y} & 7))"
        if kind == 10:
            return f"({x} >> ({y} & 7))"
        if kind == 11:
            return f"({r.choice(['signed char', 'unsigned char', 'short', 'uint16_t', '_Bool'])})({x})"
        if kind == 12:
            return f"({x} {r.choice('/%')} {r.choice([3, 7, 10, 16])})"
        return r.choice([f"__builtin_popcount((unsigned)({x}))", f"(int)(((long long)({x}) * 1000003) >> 7)", f"(!{x})", f"(~{x})",
                         f"(int)((double)({x}) * 0.25)", f"((float)({x}) > {r.randint(-9, 90)}.5f)", f"!!isdigit({x} & 127)", f"toupper({x} & 127)",
                         f"(int)(((unsigned __int128)(unsigned)({x}) * 0x123456789abcdefull) >> 60)"])

    def masked(self, mask):
        return f"({self.number(1)} & {mask})"

    def index(self, size):
        """A subscript that is mostly inside."""
        r = self.random
        bits = (1 << (size - 1).bit_length()) - 1
        kind = r.random()
        if kind < 0.3:
            return str(r.randrange(size))
        if kind < 0.7:
            return f"((unsigned)({self.number(1)}) % {size})"
        if kind < 0.9:
            return self.masked(bits) # may be out of bounds if size is not a power of two
        if kind < 0.96:
            return f"(a >> {r.choice([2, 3, 4])})"
        return f"({self.masked(bits)} - 1)"

    def condition(self):
        r = self.random
        return r.choice([f"a == {r.randint(0, 255)}", f"a > {r.randint(0, 255)}", f"(a & {r.choice([1, 2, 4, 8, 12, 65])}) == 0", f"x % 3 == {r.randint(0, 2)}",
                         f"{self.number()} > {r.randint(-5, 300)}", f"{self.number()} == {self.leaf()}", f"{self.number(1)} && {self.number(1)} != {r.randint(0, 9)}",
                         f"{self.number(1)} < 0 || a % {r.randint(2, 9)} == 1", f"words[a % 16][0] == '{r.choice('zotfsena')}'"])

    # ---- statements

    def put(self, text):
        self.lines.append("    " * self.depth + text)

    def open(self, text):
        self.put(text)
        self.depth += 1

    def close(self, text="}"):
        self.depth -= 1
        self.put(text)

    def assign(self):
        target = self.random.choice(["x", "x", "x", "g0", "g1", "g2", "g3", *self.locals])
        self.put(f"L {target} = {self.number()};")

    def mix_in(self):
        self.put(f"L h = h * 31 + (unsigned)({self.number()});")

    def array(self):
        r = self.random
        name, size = r.choice([("small", 12), ("ints", 8), ("pairs[1].i", 0), ("grid", 0), ("mix.bytes", 4), ("nodes", 0)])
        if name == "grid":
            self.put(f"L x {r.choice(['=', '^='])} grid[{r.randrange(3)}][{self.index(5)}];" if r.random() < 0.6 else
                     f"L grid[((unsigned)({self.number(1)}) % 3)][{self.index(5)}] = (short)({self.number()});")
        elif name == "nodes":
            self.put(f"L {r.choice(['x ^=', 'x ='])} nodes[((unsigned)({self.number(1)}) % 3)].tail[{r.randrange(6)}];")
        elif size == 0:
            self.put(f"L pairs[((unsigned)({self.number(1)}) % 4)].{r.choice(['i', 's', 'u', 'v', 'c'])} = {self.number(1)};")
        elif r.random() < 0.5:
            self.put(f"L {name}[{self.index(size)}] = {self.masked(127)};")
        else:
            self.put(f"L x ^= {name}[{self.index(size)}];")

    def pointer(self):
        r = self.random
        index = r.choice([f"((unsigned)({self.number(1)}) % 10)", str(r.randrange(10)), "(a % 10)", "(a & 7)"])
        self.put("L " + r.choice([f"x ^= *pointers[{index}];", f"*pointers[{index}] = {self.masked(255)};", f"if (pointers[{index}]) x++;"]))

    def word(self):
        r = self.random
        self.put(r.choice(["L x = words[a % 16][0];", "L x ^= words[(unsigned)x % 16][0];", "L x = (int)strlen(words[a & 15]);",
                           f"L x = strcmp(words[a & 15], \"{r.choice(['one', 'five', 'end', ''])}\") == 0;", f"L x = words[a >> 4][{r.randint(0, 3)}];"]))

    def structure(self):
        r = self.random
        i, j = r.randrange(4), r.randrange(4)
        self.put(r.choice([f"L pairs[{i}] = pairs[{j}];", f"L pairs[{i}] = swapped(pairs[(unsigned)({self.number(1)}) % 4]);", f"L pairs[{i}].u += a;",
                           f"L x ^= pairs[{i}].v - pairs[{j}].u;", f"L mix.word = (uint32_t)({self.number()});", "L x ^= mix.bits.high;", "L mix.bits.low = (unsigned)x;",
                           f"L mix.halves[{r.randrange(2)}] = (uint16_t)({self.number()});", f"L nodes[{r.randrange(3)}].pair = pairs[{i}];",
                           f"L x ^= nodes[0].next->value;", f"L nodes[1].next = ({self.condition()}) ? &nodes[2] : NULL;", "L x ^= nodes[1].next->pair.i;"]))

    def memory(self):
        r = self.random
        i, size = r.randrange(3), r.randint(1, 12)
        kind = r.randrange(8)
        if kind < 2:
            self.put(f"L heap[{i}] = malloc({size}); sizes[{i}] = {size}; memset(heap[{i}], a, {size});")
        elif kind == 2:
            self.put(f"L free(heap[{i}]);")
            if r.random() < 0.7:
                self.put(f"L heap[{i}] = NULL; sizes[{i}] = 0;")
        elif kind == 3:
            j = r.randrange(3)
            self.put(f"L if (heap[{i}]) {{")
            self.put(f"    L AT(heap[{i}], {self.index(size)}, sizes[{i}]) = {self.masked(255)};")
            self.put("}")
            if r.random() < 0.1:
                self.put(f"L heap[{j}] = heap[{i}]; sizes[{j}] = sizes[{i}];")
        elif kind == 4:
            self.put(f"L if (heap[{i}]) {{")
            self.put(f"    L x ^= AT(heap[{i}], {self.index(size)}, sizes[{i}]);")
            self.put("}")
        elif kind == 5:
            self.put(f"L x ^= *heap[{i}];")
        elif kind == 6:
            self.put(f"L if (heap[{i}] && sizes[{i}] > 1) {{")
            self.put(f"    L heap[{i}] = realloc(heap[{i}], 16); memset(heap[{i}] + 2, 1, 14); sizes[{i}] = 16;")
            self.put("}")
        else:
            count = f"({self.masked(3)} + 1)"
            self.put(f"L sizes[{i}] = 4 * {count}; heap[{i}] = calloc({count}, 4);")

    def string(self):
        r = self.random
        room = r.randint(4, 9)
        self.open("L {")
        self.put(f"L char s[{room}] = \"{'xyzw'[:r.randint(0, 3)]}\", t[24] = \"text\";")
        for _ in range(r.randint(1, 3)):
            self.put("L " + r.choice([
                f"s[{self.index(room)}] = {self.masked(127)};", "x ^= (int)strlen(t);", f"t[{r.randrange(20)}] = (char)a;",
                f"CHECK_SIZE({{n}}, {room}); memcpy(s, t, {{n}});".replace("{n}", f"(size_t)({self.masked(15)} % 11)") if r.random() < 0.7 else f"memcpy(s, t, (size_t)({room}));",
                f"x ^= memcmp(s, t, {room}) > 0;", f"x += snprintf(t, sizeof t, \"%d-%x\", {self.leaf()}, (unsigned)a);", "x ^= memchr(t, a, 20) != NULL;",
                f"x += strchr(\"{r.choice(['abc,;', '0123456789', ' +-*'])}\", a) != NULL;", "t[23] = 0; x += atoi(t);", f"strncpy(t, words[a % 16], {r.randint(1, 20)});",
                "memmove(t + 1, t, 9);", f"memcpy(t + {self.masked(15)} % 12, t + {r.randint(0, 8)}, (size_t)({self.masked(7)}));", f"t[11] = 0; strcpy(t + {self.masked(15)} % 10, t + {r.randint(0, 9)});",
                f"t[9] = 0; t[0] = 'q'; strncat(t, t + {self.masked(15)} % 12, {r.randint(0, 4)});", f"strncpy(t + {r.randint(0, 9)}, t + {self.masked(7)}, {r.randint(0, 8)});", "x ^= memcmp(t, words[a % 12], 8) == 0;", f"x ^= strncmp(t, words[(a >> 2) % 16], {r.randint(1, 6)}) == 0;", "strcpy(t, words[a % 12]);", "t[23] = 0; x ^= (int)strtol(t, NULL, 0);"]))
        self.put("L h = h * 33 + (unsigned char)s[0] + (unsigned char)t[1];")
        self.close()

    def division(self):
        r = self.random
        divisor = r.choice([f"(a - {r.randint(0, 255)})", f"{self.masked(7)}", f"({self.number(1)} | 1)", f"(x ^ {r.randint(0, 99)})"])
        self.put(f"L x = {r.choice([str(r.randint(1, 1000)), 'a', 'x'])} {r.choice('/%')} {divisor};")

    def branch(self):
        r = self.random
        self.open(f"L if ({self.condition()}) {{")
        self.block(3)
        if r.random() < 0.5:
            self.close("} else {")
            self.depth += 1
            self.block(3)
        self.close()

    def loop(self):
        r = self.random
        self.loops += 1
        name = f"i{self.loops}"
        bound = r.choice([str(r.randint(1, 4)), f"{self.masked(3)}"])
        if r.random() < 0.3:
            self.put(f"L int {name}n = {bound};")
            self.open(f"L while ({name}n-- > 0) {{")
            self.locals.append(f"{name}n")
        else:
            self.open(f"L for (int {name} = 0, {name}n = {bound}; {name} < {name}n; {name}++) {{")
            self.locals.append(name)
        kept = self.locals[:]
        self.locals = [n for n in self.locals if not n.startswith("i")] # bounds are not written
        self.block(2)
        self.locals = kept[:-1]
        if r.random() < 0.3:
            self.put(f"L if ({self.condition()}) {r.choice(['break', 'continue'])};")
        self.close()

    def switch(self):
        r = self.random
        self.open(f"L switch ({r.choice(['a', 'x', self.masked(7)])}) {{")
        for value in r.sample(range(0, 40), r.randint(1, 4)):
            self.put(f"case {value}:")
            self.depth += 1
            self.block(2)
            if r.random() < 0.7:
                self.put("L break;")
            self.depth -= 1
        if r.random() < 0.6:
            self.put("default:")
            self.depth += 1
            self.block(2)
            self.depth -= 1
        self.close()

    def call(self):
        r = self.random
        if not self.calls_left:
            return self.mix_in()
        self.calls_left -= 1
        first = self.function + 1
        if first < self.functions:
            self.put(f"L x = f{r.randint(first, self.functions - 1)}({r.choice(['a', 'a', 'x & 255'])}, b, x, 0);")
        else:
            self.put(f"L if (depth < {r.randint(1, 3)}) {{")
            self.put(f"    L x = f{self.function}(a, b, x + 1, depth + 1);")
            self.put("}")

    def indirect(self):
        self.put(f"L x = table[{self.random.choice(['a % 6', '(unsigned)x % 6', 'a & 3', '2'])}](x);")

    def jump(self):
        self.labels += 1
        label = f"out{self.labels}"
        self.put(f"L if ({self.condition()}) goto {label};")
        self.block(2)
        self.put(f"{label}:;")

    def claim(self):
        r = self.random
        self.put(f"L MUST_HOLD({r.choice([f'a != {r.randint(0, 255)}', f'{self.number()} != {r.randint(-3, 300)}', '(a & 3) + (a & 12) == (a & 15)', f'!({self.condition()})', 'x == x', 'a < 256', f'(unsigned char)({self.number()}) < 256'])});")

    def ending(self):
        r = self.random
        self.put(f"L if ({self.condition()}) {{")
        self.put("    L " + r.choice(["exit(14);", "abort();", "return x;", "longjmp(env, 1);", "return a & 3;", "__builtin_trap();"]))
        self.put("}")

    def scope(self):
        r = self.random
        self.open("L {")
        self.put(f"L int z = {self.number()};")
        self.put(f"L z += {self.masked(15)};")
        if r.random() < 0.6:
            self.put(f"L if ({self.condition()}) scoped = &z;")
        self.put("L x ^= z;")
        self.close()
        if r.random() < 0.4:
            self.put("L x ^= *scoped;")
        if r.random() < 0.5:
            self.put("L scoped = &g0;")

    def library(self):
        r = self.random
        kind = r.randrange(6)
        if kind == 0:
            self.put("L { int l[4] = {a, x & 15, 7, 9}; qsort(l, 4, sizeof *l, compare); x = l[1]; }")
        elif kind == 1:
            self.put(f"L x = sum({r.randint(1, 3)}, a, x, {r.randint(0, 99)});")
        elif kind == 2:
            self.put(f"L {{ int v[{self.masked(7)} + 1]; memset(v, a, sizeof v); x ^= v[0]; }}")
        elif kind == 3:
            self.put(f"L x ^= ((struct pair){{.i = {self.leaf()}, .s = (short)a}}).i;")
        elif kind == 4:
            self.put("L { static int count = 2; count += a & 1; x ^= count; }")
        else:
            self.put("L { const int *found = bsearch(&(int){a & 15}, (int[]){1, 3, 5, 9}, 4, sizeof(int), compare); x ^= found ? *found : 2; }")

    def threaded(self):
        if self.threads:
            self.put("L { pthread_t t; int v = a; pthread_create(&t, NULL, thread, &v); pthread_join(t, NULL); x ^= v; }")
        else:
            self.mix_in()

    def block(self, most):
        r = self.random
        choices = [(self.assign, 6), (self.mix_in, 4), (self.array, 5), (self.pointer, 3), (self.word, 2), (self.structure, 4), (self.memory, 6), (self.string, 2),
                   (self.division, 2), (self.call, 3), (self.indirect, 2), (self.claim, 3), (self.ending, 2), (self.scope, 2), (self.library, 2), (self.threaded, 1)]
        if self.depth < 5:
            choices += [(self.branch, 8), (self.loop, 3), (self.switch, 2), (self.jump, 2)]
        for _ in range(r.randint(1, most)):
            r.choices([c for c, _ in choices], [w for _, w in choices])[0]()

    def make(self):
        self.calls_left = 3
        for function in reversed(range(self.functions)):
            self.function, self.locals, self.depth = function, [], 0
            self.open(f"static int f{function}(int a, int b, int x, int depth) {{")
            for i in range(self.random.randint(0, 3)):
                kind = self.random.choice(["int", "unsigned char", "short", "long", "unsigned", "int8_t"])
                self.put(f"{kind} l{i} = {self.random.choice(['a', 'x', '7', '-1', 'depth'])};")
                self.locals.append(f"l{i}")
            self.put("L calls++;")
            self.calls_left = 3
            self.block(7)
            self.put("L return x;")
            self.close()
        first, second = self.domain
        return HEAD + FIXED + "\n".join(self.lines) + "\n" + TAIL % ("getchar()" if self.two else "0", first, second)
