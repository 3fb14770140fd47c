# Messages about tools that are missing, fail, or print nonsense: a folder at the front of PATH has substitutes for them.
# Errors have status 2; warnings do not change the status.
# RUN: bash %s %t
# REQUIRES: run, replay, reach, config, regress, harness, cc
set -u
work=$1 tamar=$TAMAR_BINARY failed=0 whole=$PATH
rm -rf "$work" && mkdir "$work" && cd "$work"
check() { # STATUS MESSAGE COMMAND...
    local wanted=$1 message=$2 status=0
    shift 2
    timeout -k 5 60 "$@" >out.text 2>&1 </dev/null || status=$?
    [ $status = "$wanted" ] && grep -qF -- "$message" out.text && return
    echo "$*: status $status, not $wanted with: $message"; cat out.text; failed=1
}
instead() { # TOOL SCRIPT: the tool is this script; `real` in it is the tool's path
    PATH=$whole
    rm -rf fake && mkdir fake
    printf '#!/bin/sh\nreal=%s\n%s\n' "$(PATH=$whole command -v "$1")" "$2" >"fake/$1" && chmod +x "fake/$1"
    PATH=$PWD/fake:$whole
}
without() { # TOOL: no folder of PATH has it
    PATH=$whole
    rm -rf fake && mkdir fake
    for folder in ${whole//:/ }; do
        for tool in "$folder"/*; do [ "${tool##*/}" = "$1" ] || ln -sf "$tool" fake/ 2>/dev/null; done
    done
    PATH=$PWD/fake
}
as_usual() { PATH=$whole; }
echo 'int main(void) { return 0; }' >good.c
cat >part.c <<'E'
#include <stdio.h>
int level;
int main(void) { int c = getchar(); if (c == 'x' && level == 3) return 2; return c == 7; }
E
"$tamar" run -q part.c --sym-stdin 1 --out run >/dev/null
"$tamar" cc -g part.c -o part && echo x | "$tamar" record --into seeds -- ./part >/dev/null 2>&1

# ---- the compiler
without clang-19
check 2 'clang-19 cannot be started: No such file or directory' "$tamar" cc -c good.c
instead clang-19 'kill -SEGV $$'
check 2 'good.c: the compiler was ended by a signal' env TAMAR_PROGRAM_CACHE=none "$tamar" run good.c
instead clang-19 'case "$*" in *ast-dump*) echo "{ nonsense"; exit 0;; esac; exec $real "$@"'
check 2 "part.c: clang's syntax tree cannot be read: " "$tamar" harness part.c main
as_usual
cp part.c kept.c && echo '#error broken' >>part.c # the build with sanitizers is made from the source
check 2 'replay: the sanitizers build failed' "$tamar" replay run --sanitizers
mv kept.c part.c

# ---- libraries of the host
gcc -c good.c -o host.o && ar crs host.a host.o
check 0 "cc: host.o has no bitcode: Tamar cannot execute its functions. Build it with \`tamar cc\`." "$tamar" cc host.o -o host
echo 'int main(void) { return 0; }' >main.c && echo 'int one(void) { return 1; }' >one.c
gcc -c one.c -o one.o && ar crs one.a one.o
check 0 "cc: one.a has no bitcode: Tamar cannot execute its functions. Build it with \`tamar cc\`, or with \`tamar deps\` where Debian has it." \
    "$tamar" cc main.c one.a -o one
gcc -shared -fPIC -Wl,--no-as-needed one.c -o libone.so
check 0 "cc: libone.so is for another C library: the program cannot be linked with it. Build it with \`tamar cc\`, or with \`tamar deps\` where Debian has it." \
    "$tamar" cc -shared main.c libone.so -o more.so
gcc -shared -fPIC -Wl,-soname,libstdc++.so.6 one.c -o libplus.so && gcc -shared -fPIC -Wl,--no-as-needed one.c libplus.so -o libtwo.so
check 0 "cc: libtwo.so is C++, which Tamar does not execute. Leave it out, or build that part of the project with another compiler." \
    "$tamar" cc -shared main.c libtwo.so -o more.so
printf '#include <sqlite3.h>\nint main(void) { return 0; }\n' >database.c # a package that Tamar is built with
check 2 "<sqlite3.h> is only among the host's headers, which are for another C library. \`tamar deps sqlite3.h\` builds its library for Tamar." \
    "$tamar" run database.c

# ---- git: a revision that cannot be compared, one that cannot be checked out
git init -q tree && cd tree && git config user.name t && git config user.email t@example.org
cp ../part.c . && git add part.c && git commit -qm one && sed -i 's/== 7/== 8/' part.c && git commit -qam two
instead git 'case "$*" in *diff*) echo "no diff today" >&2; exit 128;; esac; exec $real "$@"'
check 2 'git diff failed: no diff today' "$tamar" regress part.c --since HEAD~1 --seeds ../seeds --out ../regress-1
instead git 'case "$*" in *archive*) echo "no archive today" >&2; exit 128;; esac; exec $real "$@"'
check 0 'the old version cannot be checked out: ' "$tamar" regress part.c --since HEAD~1 --seeds ../seeds --out ../regress-2
cd ..

# ---- Graphviz, gcov
printf 'variable level 0|3\ntest one:\n' >options
instead dot 'exit 3'
check 0 'interactions.svg was not written: `dot` failed' "$tamar" config options part.c --out config-1
without dot
check 0 'interactions.svg was not written: `dot` of Graphviz is not installed' "$tamar" config options part.c --out config-2
instead llvm-cov-19 'exit 1'
check 1 'llvm-cov-19 cannot read the counts' "$tamar" config options part.c --prove --out config-3
as_usual

# ---- Tamar's own files, and a folder for temporary ones
mkdir alone && cp "$tamar" alone/tamar
check 2 'the runtime (share/tamar) is not found beside the binary' env -u TAMAR_RUNTIME TAMAR_PROGRAM_CACHE=none alone/tamar cc good.c
check 2 'cannot create a temporary folder in /proc/nowhere: ' env TMPDIR=/proc/nowhere "$tamar" cc good.c
exit $failed
