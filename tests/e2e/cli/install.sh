# The files of `make install` work in any folder: none refers to the build folder.
# RUN: bash %s %binary %t
# REQUIRES: exec, cc
set -eu
build=$(cd "$(dirname "$1")/../.." && pwd) to=$2
rm -rf "$to"
meson install -C "$build" --no-rebuild --quiet --destdir "$to" >/dev/null
prefix=$(dirname "$(dirname "$(find "$to" -path '*/bin/tamar')")")
mv "$prefix" "$to/elsewhere"
prefix=$to/elsewhere
cd "$to"
for file in bin/tamar bin/tamar-cc include/tamar.h share/man/man1/tamar.1 share/bash-completion/completions/tamar.bash share/zsh/site-functions/_tamar share/fish/vendor_completions.d/tamar.fish; do
    [ -e "$prefix/$file" ] || { echo "missing: $file"; exit 1; }
done
printf '#include <stdio.h>\n#include <tamar.h>\nint main(void) { puts("installed"); return 0; }\n' >hello.c
[ "$("$prefix/bin/tamar" exec hello.c)" = installed ]
"$prefix/bin/tamar-cc" hello.c -o hello
[ "$(./hello)" = installed ]
[ "$("$prefix/bin/tamar" exec ./hello)" = installed ]
