"""Plants probes into a copy of the source: one at the beginning of each statement that contains a site of a mutant. They
cost little, and killed processes are counted, too."""
import operators

# What may continue a statement: no probe stands before it.
JOINED = ("else", "while", "case", "default", ";", ",", ")")


def blocks(unit):
    """For each token, whether the innermost braces around it hold statements, not an initializer or members. A closing
    brace lies inside."""
    inside, stack = [], [False]
    for i, token in enumerate(unit.tokens):
        inside.append(stack[-1])
        if token.text == "}" and len(stack) > 1:
            stack.pop()
        if token.text == "{":
            stack.append(holds_statements(unit, i, stack[-1]))
    return inside


def holds_statements(unit, i, around):
    before = unit.word(i - 1)
    if before == ")":
        opening = unit.match[i - 1]
        return unit.tokens[opening - 1].kind == "name" and unit.word(opening - 1) not in ("return", "sizeof")
    return before in ("else", "do") or (around and before in (";", "{", "}", ":"))


def follows_label(unit, i):
    """Whether the token follows the colon of a case, of default, or of a label."""
    k = i - 2
    if unit.word(k) == "default" or (unit.tokens[k].kind == "name" and unit.word(k - 1) in (";", "{", "}")):
        return True
    while k > 0 and unit.word(k) not in (";", "{", "}", "?", "case"):
        k = unit.match[k] - 1 if unit.word(k) in operators.CLOSE and k in unit.match else k - 1
    return unit.word(k) == "case"


def closes_do(unit, i):
    """Whether the statement without braces that ends at i is the body of a `do`."""
    while unit.word(i) not in (";", "{", "}", "do"):
        i = unit.match[i] - 1 if unit.word(i) in operators.CLOSE and i in unit.match else i - 1
    return unit.word(i) == "do"


def may_begin(unit, blocks_, i):
    if not blocks_[i] or unit.depth[i] - (unit.word(i) in ("(", "[")):
        return False
    before = unit.word(i - 1)
    if before == ":":
        return unit.word(i) not in JOINED and follows_label(unit, i)
    if before == "}" and not blocks_[i - 1]:
        return False
    if unit.word(i) == "while":
        return before == "{" or (before == ";" and not closes_do(unit, i - 2))
    return before in (";", "{", "}") and unit.word(i) not in JOINED


def statement(unit, blocks_, i):
    """The token that begins the innermost statement around token i before which another statement may stand."""
    while i > 0 and not may_begin(unit, blocks_, i):
        i = unit.match[i - 1] if unit.word(i - 1) in operators.CLOSE and i - 1 in unit.match else i - 1
    return i


def plant(path, text, number):
    """The text with probes from `number` on, and the lines of sites of each. All lines keep their numbers."""
    unit = operators.Unit(path, text)
    blocks_ = blocks(unit)
    probes = {}
    for i in range(len(unit.tokens)):
        if unit.inside[i] and any(True for _ in operators.token_sites(unit, i)):
            probes.setdefault(unit.tokens[statement(unit, blocks_, i)].start, set()).add(unit.line(unit.tokens[i].start))
    parts, last = [], 0
    for k, start in enumerate(sorted(probes)):
        parts += [text[last:start], f"PROBE({number + k}); "]
        last = start
    return "".join(parts) + text[last:], [sorted(probes[start]) for start in sorted(probes)]
