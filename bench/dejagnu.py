"""Reads the comments that say how a program of gcc's test suite is compiled, and for which targets: `{ dg-options "-O1"
{ target x86_64-*-* } }`.

`options(text)` returns the options for x86-64 Linux; `skipped(text)` the reason why the program is not for this target,
or None."""
import fnmatch
import re

TARGET = "x86_64-pc-linux-gnu"
# Properties of targets that x86-64 Linux does not have. It has all others that the suite uses (int32plus, alloca,
# signal, fpic, ...).
LACKS = {"freestanding", "ia32", "ilp32", "newlib_nano_io", "vxworks_kernel", "dfp", "c++", "int16", "keeps_null_pointer_checks"}
KEPT = ("-f", "-D", "-std")


def parse(text):
    """A list of Tcl as nested lists: words, "quoted words" and {lists}."""
    stack = [[]]
    for quoted, mark, word in re.findall(r'"((?:\\.|[^"\\])*)"|([{}])|([^\s{}"]+)', text):
        if mark == "{":
            stack.append([])
        elif mark == "}":
            if len(stack) == 1:
                break
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(word or quoted)
    return stack[0]


def directives(text):
    """Each directive as a list, its name first."""
    for match in re.finditer(r"\{\s*dg-", text):
        depth = 0
        for at in range(match.start(), len(text)):
            depth += {"{": 1, "}": -1}.get(text[at], 0)
            if depth == 0:
                yield parse(text[match.start():at + 1])[0]
                break


def holds(selector):
    """A word is a pattern of targets or a property; a list is an expression with !, && and ||, or alternatives."""
    if isinstance(selector, str):
        return fnmatch.fnmatchcase(TARGET, selector) if "-" in selector and "*" in selector else selector not in LACKS
    if not selector:
        return False
    if "||" in selector:
        at = selector.index("||")
        return holds(selector[:at]) or holds(selector[at + 1:])
    if "&&" in selector:
        at = selector.index("&&")
        return holds(selector[:at]) and holds(selector[at + 1:])
    if selector[0] == "!":
        return not holds(selector[1:])
    return any(holds(word) for word in selector)


def words(part):
    return part.split() if isinstance(part, str) else [word for one in part for word in words(one)]


def options(text):
    found = []
    for name, *parts in directives(text):
        if name not in ("dg-options", "dg-additional-options"):
            continue
        selector = parts[1] if len(parts) > 1 else []
        if not selector or (selector[0] == "target" and holds(selector[1:])):
            found += [word for word in words(parts[0]) if word.startswith(KEPT)]
    return found


def matches(patterns, given):
    """Each pattern is a list of options that must all be there; "*" stands for all, "" for none."""
    return any(all(any(fnmatch.fnmatchcase(option, word) for option in given) for word in pattern.split()) for pattern in patterns if pattern.strip())


def skipped(text):
    given = options(text) + ["-O0"]
    for name, *parts in directives(text):
        if name == "dg-require-effective-target" and not holds(parts[0]):
            return "needs " + parts[0]
        if name == "dg-skip-if" and holds(parts[1]):
            including, excluding = ([part] if isinstance(part, str) else part for part in (parts[2:] + ["*", ""][len(parts) - 2:])[:2])
            if matches(including, given) and not matches(excluding, given):
                return "skipped: " + (parts[0] or " ".join(words(parts[1])))
    return None
