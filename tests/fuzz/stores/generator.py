"""Random C programs over memory: overlapping loads and stores of all widths at offsets that depend on the input, also
through pointers to one of several objects.

A program has the variables v0 to v4 (32 bits) and several objects. The native build (-DNATIVE) first checks each access
against its object. An access out of bounds ends the native run with the number of its line. Tamar's own checks must
report the same lines."""
import random

WIDTHS = {"u8": 1, "u16": 2, "u32": 4, "u64": 8}
PRELUDE = """#include <stdint.h>
#include <stdlib.h>
#include <string.h>
typedef uint8_t u8;
typedef uint16_t u16 __attribute__((aligned(1), may_alias));
typedef uint32_t u32 __attribute__((aligned(1), may_alias));
typedef uint64_t u64 __attribute__((aligned(1), may_alias));
#ifdef NATIVE
#include <setjmp.h>
#include <stdio.h>
static jmp_buf outside;
static void check(size_t at, size_t size, size_t length) {
    extern int line;
    if (size && (at > length || size > length - at)) longjmp(outside, line);
}
int line;
#define IN(at, size, length) (line = __LINE__, check(at, size, length))
#else
#include <tamar.h>
#define IN(at, size, length) ((void)0)
#endif
#define FOLD(value) ((uint32_t)((uint64_t)(value) ^ (uint64_t)(value) >> 32))
#define LOAD(type, p, at, length) (IN(at, sizeof(type), length), FOLD(*(type *)((u8 *)(p) + (at))))
#define STORE(type, p, at, length, value) (IN(at, sizeof(type), length), *(type *)((u8 *)(p) + (at)) = (type)((value) * 0x100000001ul))
#define MOVE(p, at, n, q, from, m, count) \\
    (IN(at, count, n), IN(from, count, m), memmove((u8 *)(p) + (at), (u8 *)(q) + (from), count))
#define FILL(p, at, n, value, count) (IN(at, count, n), memset((u8 *)(p) + (at), (u8)(value), count))
"""
CHECK = """#ifdef NATIVE
static void check_SEED(void) {
    for (unsigned x = 0; x < INPUTS; x++) {
        int at = setjmp(outside);
        printf("SEED %d %u\\n", at, at ? 0 : run_SEED(x));
    }
}
#else
static void check_SEED(void) {
    u8 in[2] = {0, 0};
    tamar_symbolic(in, INPUTS > 256 ? 2 : 1, "in");
    unsigned x = in[0] | in[1] << 8;
    tamar_assume(x < INPUTS);
    uint32_t result = run_SEED(x);
    for (unsigned high = 0; INPUTS > 256 && high < INPUTS / 256; high++)
        if (in[1] == high) break; // one path for each value: the comparison then depends on one byte
    if (x == PLANTED_SEED) {
        if (result == expected_SEED[x]) tamar_error("planted");
    } else {
        if (result != expected_SEED[x]) tamar_error("another result");
    }
}
#endif
"""


def whole(programs):
    """The text of a file with these programs, each of which is a separate path."""
    checks = [f"check_{each.seed}" for each in programs]
    return (PRELUDE + '#ifndef NATIVE\n#include "expected.h"\n#endif\n' + "".join(each.text for each in programs) +
            f"static void (*const checks[])(void) = {{{', '.join(checks)}}};\n" + "int main(void) {\n#ifdef NATIVE\n"
            f"    for (unsigned i = 0; i < {len(checks)}; i++) checks[i]();\n#else\n    checks[tamar_choose({len(checks)})]();\n#endif\n}}\n")


class Object:
    """size: least size in bytes; length: whole size, as a C expression."""

    def __init__(self, name, size, length=None):
        self.name, self.size, self.length = name, size, length or str(size)


class Program:
    def __init__(self, seed, most_inputs):
        self.seed, self.r = seed, random.Random(seed)
        r = self.r
        self.inputs = min(r.choice([64, 256, 256, 1024, 4096]), most_inputs)
        self.lines, self.depth, self.pointers = [], 0, 0
        self.outside = r.random() < 0.3 # some accesses may be out of bounds
        sizes = [r.choice([8, 24, 64, 200, 512, 1024, 4096, 70000]) for _ in range(r.randint(2, 4))]
        self.globals = [Object(f"g{seed}_{i}", size) for i, size in enumerate(sizes)]
        self.objects = list(self.globals)
        body = self.body()
        self.text = "".join(f"static {kind} {each.name}[{each.size // WIDTHS[kind]}];\n" for each in self.globals
                            for kind in [r.choice(list(WIDTHS))])
        self.text += body + CHECK.replace("SEED", str(seed)).replace("INPUTS", str(self.inputs))

    def value(self, depth=2):
        r = self.r
        if depth == 0 or r.random() < 0.3:
            return r.choice(["x", "x", "v0", "v1", "v2", "v3", "v4", str(r.randrange(256))])
        operation = r.choice(["+", "-", "^", "&", "|", "*", ">>", "<<"])
        right = str(r.randint(1, 9)) if operation in (">>", "<<", "*") else self.value(depth - 1)
        return f"({self.value(depth - 1)} {operation} {right})"

    def place(self, each, width):
        """An offset in the object, mostly in its bounds."""
        r, room = self.r, each.size - width
        if each.length != str(each.size) and r.random() < 0.6:
            return f"{self.value()} % ({each.length} - {width - 1})"
        if r.random() < 0.15:
            return str(r.randint(0, room))
        scale = r.choice([1, 1, width, width, 2 * width])
        steps = room // scale
        if self.outside and r.random() < 0.1:
            steps = 2 * steps + 3
        start = r.choice([0, 0, r.randint(0, room % scale + (steps // 2) * scale)]) if steps > 1 else 0
        most = (room - start) // scale if steps <= room // scale else steps
        mask = (1 << max(0, (most + 1).bit_length() - 1)) - 1
        index = f"({self.value()} & {mask}u)" if r.random() < 0.7 else f"{self.value()} % {most + 1}u"
        return f"{index} * {scale}ul + {start}"

    def put(self, text):
        self.lines.append("    " * (self.depth + 1) + text)

    def access(self):
        """An object and a type that fits into it."""
        each = self.r.choice(self.objects)
        return self.r.choice([kind for kind, width in WIDTHS.items() if width <= each.size]), each

    def put_load(self):
        kind, each = self.access()
        self.put(f"v{self.r.randrange(5)} {self.r.choice(['', '^', '+'])}= LOAD({kind}, {each.name}, {self.place(each, WIDTHS[kind])}, {each.length});")

    def put_store(self):
        kind, each = self.access()
        self.put(f"STORE({kind}, {each.name}, {self.place(each, WIDTHS[kind])}, {each.length}, {self.value()});")

    def put_move(self):
        r = self.r
        to, source = r.choice(self.objects), r.choice(self.objects)
        most = r.randint(1, min(to.size, source.size, r.choice([8, 40, 300])))
        count = r.choice([f"({self.value()} % {most + 1}u)", str(most)])
        self.put(f"MOVE({to.name}, {self.place(to, most)}, {to.length}, {source.name}, {self.place(source, most)}, {source.length}, {count});")

    def put_fill(self):
        r, to = self.r, self.r.choice(self.objects)
        most = r.randint(1, min(to.size, r.choice([8, 40, 300])))
        count = r.choice([f"({self.value()} % {most + 1}u)", str(most)])
        self.put(f"FILL({to.name}, {self.place(to, most)}, {to.length}, {self.value()}, {count});")

    def put_if(self):
        if self.depth > 1:
            return
        self.put(f"if ({self.value()} {self.r.choice(['<', '>', '==', '!='])} {self.r.randrange(200)}) {{")
        self.put_statements(2)
        if self.r.random() < 0.5:
            self.put("} else {")
            self.put_statements(2)
        self.put("}")

    def put_loop(self):
        if self.depth > 1:
            return
        name = f"i{len(self.lines)}"
        self.put(f"for (u32 {name} = 0; {name} < {self.r.randint(2, 4)}; {name}++) {{")
        self.depth += 1
        self.put(f"v{self.r.randrange(5)} += {name};")
        self.depth -= 1
        self.put_statements(2)
        self.put("}")

    def put_pointer(self):
        """A pointer into one of several objects: it overlaps them."""
        if self.depth:
            return
        r, name = self.r, f"p{self.pointers}"
        self.pointers += 1
        targets = [r.choice(self.objects) for _ in range(r.choice([1, 2, 2, 4]))]
        starts = [r.randint(0, each.size // 2) for each in targets]
        chosen = f"c{name}"
        self.put(f"unsigned {chosen} = {self.value()} % {len(targets)}u;")
        self.put(f"u8 *all{name}[] = {{{', '.join(f'(u8 *){each.name} + {start}' for each, start in zip(targets, starts))}}};")
        self.put(f"size_t length{name}[] = {{{', '.join(f'{each.length} - {start}' for each, start in zip(targets, starts))}}};")
        self.put(f"u8 *{name} = all{name}[{chosen}];")
        self.objects.append(Object(name, min(each.size - start for each, start in zip(targets, starts)), f"length{name}[{chosen}]"))

    def put_statements(self, most):
        kinds = [self.put_load] * 4 + [self.put_store] * 6 + [self.put_move, self.put_move, self.put_fill, self.put_if, self.put_if, self.put_loop, self.put_pointer]
        self.depth += most <= 2
        for _ in range(self.r.randint(1, most)):
            self.r.choice(kinds)()
        self.depth -= most <= 2

    def body(self):
        r = self.r
        self.put("u32 v0 = x, v1 = x >> 8, v2 = x * 7, v3 = 1, v4 = x ^ 85;")
        for each in self.globals:
            self.put(f"for (unsigned i = 0; i < sizeof {each.name}; i++) ((u8 *){each.name})[i] = (u8)(i * {r.randrange(256)} + i / 251);")
        if r.random() < 0.5:
            size = r.choice([16, 100, 700])
            self.put(f"u32 local[{size}];")
            self.put("memset(local, 7, sizeof local);")
            self.objects.append(Object("local", 4 * size))
        if r.random() < 0.5:
            size = r.choice([16, 128, 2000])
            self.put(f"size_t sized = {size} + ({self.value()} & {r.choice([15, 255])}u);")
            self.put("u8 *heap = calloc(1, sized);")
            self.put("if (!heap) return 0;")
            self.objects.append(Object("heap", size, "sized"))
        self.put_statements(r.randint(5, 12))
        self.put("u32 result = v0 ^ v1 << 3 ^ v2 << 7 ^ v3 << 12 ^ v4 << 17;")
        for each in self.objects:
            for kind in r.sample(kinds := [kind for kind, width in WIDTHS.items() if width <= each.size], min(2, len(kinds))):
                fold = f"LOAD({kind}, {each.name}, {self.place(each, WIDTHS[kind])}, {each.length})"
                self.put(f"result = (result << 5 | result >> 27) ^ {fold};")
        if any(each.name == "heap" for each in self.objects):
            self.put("free(heap);")
        self.put("return result;")
        return f"static u32 run_{self.seed}(u32 x) {{\n" + "\n".join(self.lines) + "\n}\n"
