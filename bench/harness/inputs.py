"""Tests as (arguments, standard input, files): Tamar's, and afl-fuzz's in the format of input_main.c."""
import pathlib
import re


def from_tamar(out):
    """Tests of a run of Tamar, in order, except those that end at something not modelled: [{argv, stdin, files}]."""
    tests = []
    for folder in sorted(path for path in pathlib.Path(out, "tests").iterdir() if path.is_dir()):
        argv = (folder / "argv").read_bytes().split(b"\0")[1:-1]
        stdin = (folder / "stdin").read_bytes() if (folder / "stdin").exists() else b""
        files = {str(path.relative_to(folder / "files")): path.read_bytes()
                 for path in (folder / "files").rglob("*") if path.is_file()} if (folder / "files").exists() else {}
        tests.append({"number": int(folder.name), "argv": argv, "stdin": stdin, "files": files})
    return tests


def pack(argv, stdin):
    """The form of input_main.c."""
    return b"".join(word + b"\0" for word in argv if word) + b"\0" + stdin


def unpack(data):
    argv, at = [], 0
    while at < len(data):
        end = data.find(b"\0", at)
        end = len(data) if end < 0 else end
        if end == at:
            break
        argv.append(data[at:end])
        at = end + 1
    return argv, data[at + 1:]


def from_afl(out, kind, fixed, packed):
    """Inputs that afl-fuzz kept (`queue` or `crashes`), with their milliseconds. `fixed` precedes the arguments;
    without `packed` the whole file is standard input."""
    tests = []
    for path in sorted(pathlib.Path(out, "default", kind).glob("id:*")):
        when = re.search(r"time:(\d+)", path.name)
        argv, stdin = unpack(path.read_bytes()) if packed else ([], path.read_bytes())
        tests.append({"ms": int(when[1]) if when else 0, "argv": [*fixed, *argv], "stdin": stdin, "files": {}, "path": str(path)})
    return tests
