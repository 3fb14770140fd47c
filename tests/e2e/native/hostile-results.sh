# Nothing in a results folder is trusted: files that are FIFOs, devices or links, names with newlines and escape
# sequences, source files that are not source, linkers among the compiler's arguments.
# RUN: bash %s %t %tamar
# REQUIRES: run, replay, report, show
set -eu
work=$1 tamar=$2
rm -rf "$work" && mkdir -p "$work/program" "$work/outside" && cd "$work/program"
echo "a secret line" >../outside/secret
cat >bug.c <<END
#include <stdio.h>
int main(void) {
    int c = getchar();
    if (c == 'l') {
#line 1 "$work/outside/secret"
        return 1 / (c - 'l');
    }
#line 9 "bug\nshell touch $work/outside/run\n.c"
    if (c == 'x') return 1 / (c - 'x');
    return 0;
}
END
$tamar run -q --emit all --sym-stdin 1 --out out bug.c >text 2>&1 || true
! grep -q "a secret line" text out/bugs/*.txt
$tamar report out >/dev/null
! grep -q "a secret line" out/report.html
for report in out/bugs/*.txt; do
    $tamar show --as gdb "$report" >script
    ! grep -q '^shell' script
    $tamar show --as c-test "$report" >test.c
    ! grep -q '^shell' test.c
    clang-19 -fsyntax-only test.c
    $tamar show "$report" >/dev/null
done

# Links in place of files are not followed.
rm -f out/report.html && ln -s "$work/outside/page" out/report.html
$tamar report out >/dev/null && test ! -e ../outside/page && test ! -L out/report.html
ln -s "$work/outside" out/corpus
status 2 $tamar export out 2>/dev/null
test "$(ls ../outside)" = secret

# Files that never end.
refused() { # WORDS COMMAND...
    local words=$1
    shift
    status=0
    timeout 20 "$@" >log 2>&1 || status=$?
    test $status != 0 && test $status != 124 || { cat log; exit 1; }
    grep -q "$words" log || { cat log; exit 1; }
}
for file in tests/000001.json summary.json program.json; do
    cp -r out copy && rm copy/$file && mkfifo copy/$file
    refused "not a regular file" $tamar $(case $file in tests*) echo replay --exact copy;; program*) echo replay --exact copy;; *) echo stats copy;; esac)
    rm copy/$file && ln -s /dev/zero copy/$file
    refused "symbolic link" $tamar $(case $file in summary*) echo stats copy;; *) echo replay --exact copy;; esac)
    rm -rf copy
done
cp -r out copy && rm copy/program.bc && mkfifo copy/program.bc
refused "not a regular file" $tamar replay --exact copy
rm -rf copy
report=$(basename "$(ls out/bugs/*.txt | head -1)")
cp -r out copy && rm "copy/bugs/$report" && mkfifo "copy/bugs/$report"
timeout 20 $tamar show "copy/bugs/$report" >/dev/null 2>log || true
grep -q "not a regular file" log
rm -rf copy

# A linker that is named in the folder runs in the sandbox.
cat >../outside/linker <<END
#!/bin/sh
touch $work/outside/linked
exec /usr/bin/ld "\$@"
END
chmod +x ../outside/linker
cp -r out copy
python3 - "$work" <<'END'
import json, sys
program = json.load(open("copy/program.json"))
program["words"] = [f"-fuse-ld={sys.argv[1]}/outside/linker", *program["words"]]
json.dump(program, open("copy/program.json", "w"))
END
$tamar replay --sanitizers copy >/dev/null 2>&1 || true
test ! -e ../outside/linked
rm -rf copy

# A resumed run compiles in the sandbox, and writes to no other file that the folder names.
printf '#include <stdio.h>\n__attribute__((constructor)) static void start(void) { FILE *f = fopen("%s/outside/loaded", "w"); if (f) fclose(f); }\n' "$work" >../outside/plugin.c
clang-19 -shared -fPIC ../outside/plugin.c -o ../outside/plugin.so
for words in "-fplugin=$work/outside/plugin.so" "-ftime-trace=$work/outside/trace" "--solver-cache $work/outside/cache" "--afl-sync $work/outside/afl"; do
    cp -r out copy
    python3 - $words <<'END'
import json, sys
program = json.load(open("copy/program.json"))
program["command"] += sys.argv[1:]
json.dump(program, open("copy/program.json", "w"))
END
    TAMAR_PROGRAM_CACHE=$work/cache $tamar run --resume copy >log 2>&1 || test $? = 1
    grep -q "every path was explored" log || { cat log; exit 1; }
    case $words in --*) grep -q "tamar: ${words%% *} is not continued: give it again" log;; esac
    $tamar replay --exact copy >log 2>&1 || true
    ls ../outside
    test "$(echo $(ls ../outside))" = "linker plugin.c plugin.so secret"
    rm -rf copy "$work/cache"
done

# No escape sequence reaches a terminal.
escape=$(printf '\033')
cat >escape.c <<'END'
#include <klee/klee.h>
#include <tamar.h>
int main(void) {
    int x;
    klee_make_symbolic(&x, sizeof x, "x\033[31m");
#line 7 "esc\033[2Jape.c"
    if (x == 5) tamar_report("a message\033[31m");
    return 0;
}
END
grep -q tamar_report "$(dirname "$0")/../../../include/tamar.h" || sed -i 's/tamar_report("a message\\033\[31m")/return 1 \/ (x - 5)/' escape.c
$tamar run --out esc escape.c >text 2>&1 || true
python3 - <<'END'
import json
summary = json.load(open("esc/summary.json"))
for bug in summary["bugs"]:
    bug["kind"] = "kind\x1b[31m"
summary["program"] = "name\x1b]0;x\x07"
json.dump(summary, open("esc/summary.json", "w"))
END
$tamar stats esc >>text 2>&1
for test in esc/tests/*.json esc/bugs/*.txt; do $tamar show "$test" >>text 2>&1 || true; done
$tamar replay esc >>text 2>&1 || true
$tamar exec "no$escape[31msuch.c" >>text 2>&1 || true
$tamar exec "--wro$escape[31mng" >>text 2>&1 || true
$tamar show "no$escape[31mtest" >>text 2>&1 || true
test -s text
! grep -q "$escape" text
