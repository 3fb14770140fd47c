# A symbolic file is at its path, together with its parent folders: every call of the program sees both, and replay
# creates them.
# RUN: bash %s %t
# REQUIRES: run, replay
set -eu
tamar=$TAMAR_BINARY
rm -rf "$1" && mkdir -p "$1/work/have" && cd "$1/work" && echo x >have/other && echo y >file
cat > folders.c <<'END'
#include <dirent.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int listed(const char *folder, const char *name) {
    int seen = 0;
    DIR *d = opendir(folder);
    if (!d) return -1;
    for (struct dirent *e; (e = readdir(d));) seen += !strcmp(e->d_name, name);
    closedir(d);
    return seen;
}

int main(void) {
    static const char path[] = NAME;
    char folder[300], other[310];
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    struct stat st;
    glob_t found;
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) : 1, slash ? path : ".");
    snprintf(other, sizeof other, "%s/new", folder);
    if (listed(folder, name) != 1) return 40;
    if (stat(folder, &st) || !S_ISDIR(st.st_mode) || access(folder, R_OK | X_OK)) return 41;
    if (stat(path, &st) || !S_ISREG(st.st_mode) || st.st_size != 2) return 42;
    if (glob(path, 0, NULL, &found) || found.gl_pathc != 1) return 43;
    FILE *file = fopen(path, "r");
    if (!file) return 44;
    int a = fgetc(file), b = fgetc(file), end = fgetc(file);
    fclose(file);
    if (end != EOF) return 45;
    if (a == 't' && (truncate(path, 1) || stat(path, &st) || st.st_size != 1)) return 46;
    if (a == 'u' && (unlink(path) || access(path, F_OK) == 0 || listed(folder, name))) return 47;
    if (a == 'r' && (rename(path, other) || access(path, F_OK) == 0 || access(other, F_OK) || listed(folder, "new") != 1)) return 48;
    if (a == 'w' && ((file = fopen(path, "w")) == NULL || fputs("longer", file) < 0 || fclose(file) || stat(path, &st) || st.st_size != 6)) return 49;
    if (a == 'z' && b == 'q') abort();
    return 0;
}
END
try() { # NAME [OPTION OF REPLAY]
    status 1 "$tamar" run "-DNAME=\"$1\"" folders.c --sym-file "$1=2" --emit all -q --out ../out >/dev/null
    "$tamar" replay ${2-} ../out >../text || test "${2-}" = --exact || { echo "$1"; cat ../text; exit 1; }
    python3 - "$1" <<'END'
import glob, json, sys
summary = json.load(open("../out/summary.json"))
assert summary["complete"] and [bug["kind"] for bug in summary["bugs"]] == ["abort"], (sys.argv[1], summary["bugs"])
statuses = {json.load(open(path)).get("exit_status", 0) for path in glob.glob("../out/tests/*.json")}
assert statuses == {0}, (sys.argv[1], statuses)
assert len(glob.glob("../out/tests/*.json")) >= 7
END
    grep -q '\([0-9]*\) tests, \1 as predicted' ../text || { echo "$1"; cat ../text; exit 1; }
    test "${2-}" = --exact || grep -q '1 of 1 that show a bug confirmed' ../text || { echo "$1"; cat ../text; exit 1; }
    rm -rf ../out
}
for name in ./x.conf new/x.conf have/x.conf have/../x.conf "$PWD/absolute.conf"; do try "$name" --exact; done
try new/deep/x.conf
try have/y.conf --plain
try ../up.conf
try "$1/elsewhere/x.conf"
# Impossible names are rejected, with the reason.
refused() { # MESSAGE OPTION...
    message=$1 && shift
    status 2 "$tamar" run '-DNAME="x"' folders.c "$@" 2>../text
    grep -qF -- "$message" ../text || { cat ../text; exit 1; }
}
refused "A is given twice" --sym-file A=10 --sym-file A=5
refused "a/b is given twice" --sym-file a/b=10 --sym-file ./a/c/../b=5
refused "cannot be a file and a folder" --sym-file a=1 --sym-file a/b=1
refused "have is a folder" --sym-file have=1
refused "file is not a folder" --sym-file file/x=1
refused "is the name of a folder" --sym-file have/=1
refused "the name of a variable has no '='" --sym-env A=B=1
refused "Give each variable once" --sym-env A=1 --sym-env A=2
