"""Finds the sites of a C file where one small edit makes a plausible mistake.

A file is split into tokens; only bodies of functions are changed. Left alone are comments, preprocessor lines, strings,
tables at file scope, the conditions of assertions, messages to the user, and statements that only release memory
(`make asan` detects a leak, the suite does not)."""
import bisect
import collections
import functools
import hashlib
import re

Token = collections.namedtuple("Token", "kind text start end")
Site = collections.namedtuple("Site", "path line operator start end text id")

LEXICAL = re.compile(r"""
    (?P<space>[\s\\]+) | (?P<comment>//[^\n]*|/\*.*?\*/) | (?P<directive>^[ \t]*\#(?:[^\n\\]|\\.)*$)
  | (?P<string>(?:u8|[uUL])?"(?:[^"\\]|\\.)*") | (?P<char>[uUL]?'(?:[^'\\]|\\.)+')
  | (?P<number>\.?[0-9](?:[eEpP][+-]|[\w.])*) | (?P<name>[A-Za-z_]\w*)
  | (?P<op><<=|>>=|\.\.\.|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|.)""", re.X | re.S | re.M)

# Arguments of these calls do not change what Tamar finds.
SILENT = re.compile(r"^(assert|static_assert|_Static_assert|log_\w+|error_internal|perror|fprintf|printf|"
                    r"user_\w+|LIKELY_NEVER|__builtin_unreachable|limits_poll|verify_fail)$")
RELEASE = re.compile(r"(^|_)(free|unref|release|close|fclose|munmap|destroy|DELETE|FREE)(_|$)|^(vec|map|set)_free$")
# Dropping a statement of this kind leaves stale data.
STALE = re.compile(r"forget|reset|clear|flush|invalid|stale|drop|discard|evict|dirty|unlink|remove|rewind|restart")
STALE_FIELD = re.compile(r"cache|known|valid|memo|last|recent|hint|dirty|ready|current")

COMPARE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
BOUNDARY = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
BITS = {"&": "|", "|": "&", "<<": ">>", ">>": "<<", "^": "|", "&=": "|=", "|=": "&=", "<<=": ">>=", ">>=": "<<="}
SIGN = {"+": "-", "-": "+", "+=": "-=", "-=": "+="}
SIGN_NAMES = {"int64_t": "uint64_t", "uint64_t": "int64_t", "int32_t": "uint32_t", "uint32_t": "int32_t",
              "INT64_MAX": "UINT64_MAX", "UINT64_MAX": "INT64_MAX", "INT32_MAX": "UINT32_MAX", "UINT32_MAX": "INT32_MAX"}
WIDTH = {"uint64_t": "uint32_t", "int64_t": "int32_t", "uint32_t": "uint16_t", "size_t": "uint32_t", "uint16_t": "uint8_t",
         "64": "32", "63": "31", "32": "16", "31": "15", "16": "8", "8": "7", "1ull": "1u", "1ul": "1u"}
# Names that are one part away from their counterpart, which must occur in the same file.
PAIRS = [("slt", "ult"), ("sle", "ule"), ("sdiv", "udiv"), ("srem", "urem"), ("ashr", "lshr"), ("sext", "zext"), ("min", "max"),
         ("low", "high"), ("first", "last"), ("lower", "upper"), ("least", "most"), ("begin", "end"), ("left", "right"),
         ("before", "after"), ("from", "to"), ("read", "write"), ("line", "column"), ("base", "size"), ("start", "end"),
         ("signed", "unsigned"), ("zero", "one"), ("any", "all"), ("old", "new"), ("source", "target"), ("and", "or")]
OPEN, CLOSE = {"(": ")", "[": "]", "{": "}"}, {")": "(", "]": "[", "}": "{"}
BLOCK_WORDS = {"if", "while", "for", "switch"}
OPERAND_ENDS = {"&&", "||", "?", ":", ",", ";", "=", "return", "{", "}"}


def tokens_of(text):
    tokens = []
    for match in LEXICAL.finditer(text):
        if match.lastgroup not in ("space", "comment"):
            tokens.append(Token(match.lastgroup, match.group(), match.start(), match.end()))
    return tokens


class Unit:
    """The tokens of a file, with matching brackets and excluded tokens."""

    def __init__(self, path, text):
        self.path, self.text = path, text
        self.tokens = [t for t in tokens_of(text) if t.kind != "directive"]
        self.starts = [m.start() for m in re.finditer(r"^", text, re.M)]
        self.lines = text.split("\n")
        self.match = {}
        self.depth = [] # open parentheses and brackets, not braces
        self.pair_brackets()
        self.inside = [False] * len(self.tokens)
        self.find_bodies()
        self.names = {t.text for t in self.tokens if t.kind == "name"}

    def pair_brackets(self):
        stack, depth = [], 0
        for i, token in enumerate(self.tokens):
            if token.kind == "op" and token.text in OPEN:
                stack.append(i)
                depth += token.text != "{"
            self.depth.append(depth)
            if token.kind == "op" and token.text in CLOSE and stack and OPEN[self.tokens[stack[-1]].text] == token.text:
                first = stack.pop()
                self.match[first], self.match[i] = i, first
                depth -= token.text != "}"

    def find_bodies(self):
        """Marks the tokens of function bodies, without calls that only assert or print."""
        i = 0
        while i < len(self.tokens):
            token = self.tokens[i]
            if token.text == "{" and i in self.match:
                if i and self.tokens[i - 1].text == ")":
                    for k in range(i + 1, self.match[i]):
                        self.inside[k] = True
                i = self.match[i]
            i += 1
        for i, token in enumerate(self.tokens):
            if token.kind == "name" and self.inside[i] and SILENT.match(token.text) and self.word(i + 1) == "(":
                for k in range(i, self.match.get(i + 1, i) + 1):
                    self.inside[k] = False

    def word(self, i):
        return self.tokens[i].text if 0 <= i < len(self.tokens) else ""

    def line(self, position):
        return bisect.bisect_right(self.starts, position)

    def begins_statement(self, i):
        if self.depth[i]:
            return False
        before = self.word(i - 1)
        if before in (";", "{", "}", "else", "do"):
            return True
        return before == ")" and self.block_word(self.match.get(i - 1, 0) - 1)

    def block_word(self, i):
        word = self.word(i)
        return word in BLOCK_WORDS or "each" in word or "EACH" in word

    def statement_end(self, i):
        """The `;` that ends the statement that begins at i, or None for a block."""
        k = i
        while k < len(self.tokens) and self.tokens[k].text != ";":
            if self.tokens[k].text in ("{", "}"):
                if self.tokens[k].text == "}" or self.word(k - 1) != ")":
                    return None
            k = self.match[k] + 1 if self.tokens[k].text in OPEN and k in self.match else k + 1
        return k

    def operand(self, i, step):
        """The span of the operand of && or || that begins beside i: its first and last token."""
        k, level = i + step, self.depth[i]
        opening, closing = (OPEN, CLOSE) if step > 0 else (CLOSE, OPEN)
        while 0 <= k < len(self.tokens):
            text = self.tokens[k].text
            if text in opening and k in self.match:
                k = self.match[k]
            elif text in closing or text in OPERAND_ENDS:
                break
            k += step
        assert level >= 0
        return (i + 1, k - 1) if step > 0 else (k + 1, i - 1)

    def primary(self, i, step):
        """The span of a primary expression (a name, its members, indices, arguments; a number) that begins at i."""
        k = i
        if step > 0:
            if self.tokens[k].kind not in ("name", "number"):
                return None
            while self.word(k + 1) in ("->", ".", "[", "("):
                k = self.match[k + 1] if k + 1 in self.match else k + 2
            return i, k
        while True:
            if self.word(k) in (")", "]") and k in self.match:
                k = self.match[k] - 1
                continue
            if self.tokens[k].kind not in ("name", "number"):
                return None
            if self.word(k - 1) in ("->", "."):
                k -= 2
                continue
            return k, i


def replaced(unit, first, last, text):
    """One edit; newlines inside are kept, so that all other lines keep their numbers."""
    start, end = unit.tokens[first].start, unit.tokens[last].end
    return start, end, text + "\n" * (unit.text[start:end].count("\n") - text.count("\n"))


def token_sites(unit, i):
    token = unit.tokens[i]
    text = token.text
    binary = i and (unit.tokens[i - 1].kind in ("name", "number", "char") and unit.word(i - 1) not in ("return", "case")
                    or unit.word(i - 1) in (")", "]"))
    if token.kind == "op":
        for name, table in (("comparison", COMPARE), ("boundary", BOUNDARY)):
            if text in table:
                yield name, replaced(unit, i, i, table[text])
        if text in ("&&", "||"):
            yield "logic", replaced(unit, i, i, "||" if text == "&&" else "&&")
            for step in (1, -1):
                first, last = unit.operand(i, step)
                if first <= last:
                    yield "dropped-condition", replaced(unit, first, last, "true" if text == "&&" else "false")
        if binary and text in SIGN:
            yield "sign", replaced(unit, i, i, SIGN[text])
        if binary and text in BITS and not (text == "&" and unit.word(i - 1) == ")"):
            yield "bits", replaced(unit, i, i, BITS[text])
        if text == "!" and unit.word(i + 1) != "!":
            yield "dropped-condition", replaced(unit, i, i, "")
        if binary and text in ("-", "/", "%", "<<", ">>", "<", "<="):
            yield from swap_operands(unit, i)
    elif token.kind == "number":
        yield from number_sites(unit, i, text)
    elif token.kind == "name":
        yield from name_sites(unit, i, text)


def swap_operands(unit, i):
    left, right = unit.primary(i - 1, -1), unit.primary(i + 1, 1)
    if not left or not right:
        return
    source = [unit.text[unit.tokens[a].start:unit.tokens[b].end] for a, b in (left, right)]
    if source[0] != source[1]:
        yield "swapped-operands", replaced(unit, left[0], right[1], f"{source[1]} {unit.word(i)} {source[0]}")


def number_sites(unit, i, text):
    if text in WIDTH:
        yield "width", replaced(unit, i, i, WIDTH[text])
    match = re.fullmatch(r"(0[xX][0-9a-fA-F]+|[0-9]+)([uUlL]*)", text)
    if not match or (text[0] == "0" and text[1:2].isdigit()):
        return
    value, suffix = int(match[1], 0), match[2]
    for other in {value + 1, value - 1} - {-1}:
        yield "constant", replaced(unit, i, i, (hex(other) if match[1][:2] in ("0x", "0X") else str(other)) + suffix)


@functools.lru_cache(maxsize=None)
def counterparts(name):
    """Names that differ in one part, which is half of a pair: state_min for state_max."""
    parts = name.split("_")
    return [
        "_".join(parts[:k] + [form(other)] + parts[k + 1:])
        for k, part in enumerate(parts) for form in (str, str.upper) for pair in PAIRS for one, other in (pair, pair[::-1])
        if part == form(one)]


def counts_a_loop(unit, i):
    """Whether it is a loop's counter: another type matters only beyond 2^16 iterations, or is a warning."""
    return unit.word(i - 1) == "(" and unit.word(i - 2) == "for"


def name_sites(unit, i, text):
    if text in WIDTH and not counts_a_loop(unit, i):
        yield "width", replaced(unit, i, i, WIDTH[text])
    if text in SIGN_NAMES and not counts_a_loop(unit, i):
        yield "sign", replaced(unit, i, i, SIGN_NAMES[text])
    if text in ("true", "false"):
        yield "constant", replaced(unit, i, i, "false" if text == "true" else "true")
    for other in counterparts(text):
        if other in unit.names:
            yield "name", replaced(unit, i, i, other)
    if text == "if" and unit.word(i + 1) == "(" and i + 1 in unit.match:
        condition = (i + 2, unit.match[i + 1] - 1)
        for constant in ("true", "false"):
            yield "dropped-condition", replaced(unit, *condition, constant)
    if unit.word(i + 1) == "(" and i + 1 in unit.match and text not in BLOCK_WORDS and text not in ("return", "sizeof"):
        yield from swap_arguments(unit, i + 1)
    if unit.begins_statement(i):
        yield from statement_sites(unit, i, text)


def swap_arguments(unit, opening):
    closing = unit.match[opening]
    commas, k = [], opening + 1
    while k < closing: # inner brackets are passed over
        if unit.tokens[k].text == ",":
            commas.append(k)
        k = unit.match[k] + 1 if unit.tokens[k].text in OPEN and k in unit.match else k + 1
    edges = [opening, *commas, closing]
    spans = [(a + 1, b - 1) for a, b in zip(edges, edges[1:]) if a + 1 <= b - 1]
    for left, right in zip(spans, spans[1:]):
        source = [unit.text[unit.tokens[a].start:unit.tokens[b].end] for a, b in (left, right)]
        if source[0] != source[1] and all(re.fullmatch(r"[\w.\[\]>-]+", one) for one in source):
            yield "swapped-operands", replaced(unit, left[0], right[1], f"{source[1]}, {source[0]}")


def statement_sites(unit, i, text):
    end = unit.statement_end(i)
    if end is None or not unit.inside[end]:
        return
    if text in ("return", "continue", "break", "goto"):
        early = unit.word(i - 1) in (")", "else") or unit.word(end + 1) != "}" or unit.match.get(end + 1) is not None
        last = unit.word(end + 1) == "}" and end + 2 < len(unit.inside) and not unit.inside[end + 1]
        if text != "goto" and early and not last:
            yield "dropped-return", replaced(unit, i, end, ";")
        return
    if text in BLOCK_WORDS or text in ("else", "do", "case", "default", "typedef", "static", "struct", "enum", "union", "const"):
        return
    second = unit.tokens[i + 1]
    if second.kind == "name" or (second.text == "*" and unit.tokens[i + 2].kind == "name") or RELEASE.search(text):
        return # a declaration, or a release
    words = [unit.word(k) for k in range(i, end)]
    if not any(word in ("(", "=", "++", "--") or (word.endswith("=") and word not in COMPARE) for word in words):
        return
    target = " ".join(words[:words.index("=")] if "=" in words else words[:1])
    stale = STALE.search(text) or ("=" in words and words[-1] in ("0", "NULL", "false") and STALE_FIELD.search(target))
    yield "stale" if stale else "dropped-statement", replaced(unit, i, end, ";")


def sites(path, text):
    """All sites of a file, in the order of the text. A site's id stays the same when other lines move."""
    unit = Unit(path, text)
    seen = collections.Counter()
    for i, token in enumerate(unit.tokens):
        if not unit.inside[i]:
            continue
        for operator, (start, end, new) in token_sites(unit, i):
            line = unit.line(token.start)
            before = unit.lines[line - 1]
            key = (path, operator, before.strip(), start - unit.starts[line - 1] - (len(before) - len(before.lstrip())), end - start,
                   new.strip())
            seen[key] += 1
            name = hashlib.sha1(repr((*key, seen[key])).encode()).hexdigest()[:10]
            yield Site(path, line, operator, start, end, new, name)
