# A symbolic file name is compared with the existing names: one path for each file, one for all others, and nothing is
# given up. Tamar's own files are hidden from the program, in the engine and natively.
# RUN: bash %s %t
# REQUIRES: run, replay
set -eu
tamar=$TAMAR_BINARY work=$1
rm -rf "$work" && mkdir -p "$work/sub" && cd "$work/sub"
cat > ../names.c <<'END'
#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv) {
    const char *name = argv[1];
    char byte = 0;
    int names = 0, fd = strchr(name, '/') ? -1 : open(name, O_RDONLY);
    DIR *here = opendir(".");
    for (struct dirent *entry; (entry = readdir(here));) names += entry->d_name[0] != '.';
    if (fd < 0) return 100 + names;
    return read(fd, &byte, 1) == 1 ? byte : names;
}
END
printf 1 > A && printf 2 > file

"$tamar" run -q --emit all --sym-arg 4 ../names.c
cat > ../check.py <<'END'
# check.py WANTED: which outcome belongs to which names, over all tests; nothing was given up
import glob, json, sys
summary = json.load(open("tamar-last/summary.json"))
assert summary["complete"] and not summary["gave_up"], summary["gave_up"]
found = {}
for path in glob.glob("tamar-last/tests/*.json"):
    test = json.load(open(path))
    name = bytes.fromhex(test["inputs"][0]["hex"]).split(b"\0")[0].decode("latin1")
    found.setdefault(test["exit_status"], set()).add(name)
wanted = eval(sys.argv[1])
for status, names in wanted.items():
    assert found.pop(status) == names, (status, names)
assert list(found) == [int(sys.argv[2])], found.keys() # no such file
END
python3 ../check.py '{49: {"A"}, 50: {"file"}, 2: {".", ".."}}' 102
"$tamar" replay -q --exact tamar-last

# A symbolic file is among the names, in the program's directory only; a test contains the file once the program has
# seen its name in a listing.
mkdir d && rm -rf tamar-*
"$tamar" run -q --emit all --sym-arg 1 --sym-file Z=1 ../names.c
"$tamar" replay -q --exact tamar-last
cat > ../files.py <<'END'
import glob, json
tests = [json.load(open(path)) for path in glob.glob("tamar-last/tests/*.json")]
names = {bytes.fromhex(test["inputs"][0]["hex"])[:1] for test in tests}
assert b"Z" in names and len(names) > 4, names
assert all(any(given["kind"] == "file" for given in test["inputs"]) for test in tests)
END
python3 ../files.py
cat > ../elsewhere.c <<'END'
#include <fcntl.h>
int main(void) { return open("d/Z", O_RDONLY) < 0 && open("/Z", O_RDONLY) < 0 && open("Z", O_RDONLY) >= 0; }
END
rm -rf tamar-*
"$tamar" run -q --emit all --sym-file Z=1 ../elsewhere.c
grep -q '"exit_status": 1' tamar-last/tests/000001.json && test ! -e tamar-last/tests/000002.json
"$tamar" replay -q --exact tamar-last

# Changes outside of the program's directory change no path.
cat > ../outside.c <<'END'
#include <fcntl.h>
int main(int argc, char **argv) {
    if (argv[1][0] != '.' || argv[1][1] != '.' || argv[1][2] != '/') return 1;
    for (const char *p = argv[1] + 3; *p; p++)
        if (*p < 'a') return 2;
    return open(argv[1], O_RDONLY) < 0 ? 3 : argv[1][3] == 'n' ? 4 : 5;
}
END
rm -rf tamar-*
"$tamar" run -q --emit all --sym-arg 8 ../outside.c || test $? = 3
: > ../absent && : > ../other
"$tamar" replay -q --exact tamar-last

# Too many names: the name is concretized, and the run says so.
mkdir ../many && cd ../many
for i in $(seq 100 170); do : > "$i"; done
"$tamar" run --sym-arg 3 ../names.c >log || test $? = 3
grep -q '^given up: symbolic bytes were concretized at ' log
