# Compiled objects of the runtime may outlive the checkout in which they were built: their dependency files name headers
# by variables of the Makefile, so that they stay valid.
# RUN: bash %s %t %S
set -eu
work=$1 root=$(cd "$2/../../.." && pwd)
rm -rf "$work" && mkdir -p "$work/new/include" "$work/cache/runtime/musl/include" && cd "$work"
cp -R "$root/runtime" new/ && cp -R "$root/include" new/
touch cache/runtime/musl/.prepared
object=$work/cache/runtime/bc/tamar/api/gnu_error.bc
[ -e new/runtime/api/gnu_error.c ] || { echo "the source of the example is gone: name another one"; exit 1; }
mkdir -p "$(dirname "$object")"
make() { command make -s -f "$1/runtime/Makefile" OUT="$work/out" CACHE="$work/cache" "${@:2}"; }
says_compile() { grep -q -e '-c .*api/gnu_error.c' plan || { echo "not compiled: $1"; cat plan; exit 1; }; }

# notes of a checkout that is gone, as they were written before; nobody reads them
touch -d "2000-01-01" "$object"
printf '%s: /nowhere/runtime/api/gnu_error.c /nowhere/include/gone.h\n' "$object" >"$object.d"
make new -n "$object" >plan 2>&1 || { cat plan; exit 1; }
says_compile "it is older than the Makefile"

# dependency files as written today: everything exists, nothing to do; a changed header is noticed also after a move
cat >bin-clang <<'END'
#!/bin/sh
# replaces the compiler: writes the requested output, and a dependency on a header
while [ $# -gt 0 ]; do
    case $1 in -MF) notes=$2 ;; -MT) target=$2 ;; -o) output=$2 ;; -c) source=$2 ;; esac
    shift
done
printf '%s: %s %s\n%s:\n' "$target" "$source" "$HEADER" "$HEADER" >"$notes"
: >"$output"
END
chmod +x bin-clang
export HEADER=$work/new/include/tamar.h
make new CLANG="$work/bin-clang" "$object"
make new -n "$object" >plan
[ ! -s plan ] || { echo "compiled again for nothing:"; cat plan; exit 1; }
grep -q "$work" "$object.needs" && { echo "a path in the notes:"; cat "$object.needs"; exit 1; }
mv new newer
touch -d '1 hour' newer/include/tamar.h
make newer -n "$object" >plan
says_compile "a header changed after the checkout was moved"
