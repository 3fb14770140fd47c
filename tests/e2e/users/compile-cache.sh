# A C file that was compiled before is not compiled again: its bitcode and the compiler's messages come from the cache.
# Everything that the compiler reads decides: the source, each header, other flags, a header that appears earlier in the
# search path. Files that depend on the time or on the presence of headers are always compiled.
# RUN: rm -rf %t && mkdir -p %t && cd %t && bash %s %tamar
set -e
tamar=$1
export TAMAR_PROGRAM_CACHE=$PWD/cache
mkdir first second
echo '#define NUMBER 3' >second/number.h
cat >prog.c <<'END'
#include "number.h"
#include <limits.h>
int main(void) {
    int unused;
    return NUMBER + CHAR_BIT;
}
END
flags="-Ifirst -Isecond -Wunused-variable"
# A file that changed just before a compilation may have changed during it, so its output is not kept.
settle() { sleep 0.05; }
runs() { # STATUS FILE FLAG...: the program ends with this status; the messages are in said
    expected=$1; shift
    status "$expected" $tamar exec -v "$@" >said 2>&1
}
from_cache() { grep -q 'taken from the compile cache' said; }
anew() { runs "$@"; if from_cache; then echo "not compiled: $*"; exit 1; fi; }
cached() { runs "$@"; if ! from_cache; then echo "compiled again: $*"; exit 1; fi; }

settle
anew 11 prog.c $flags; grep -q "warning: unused variable 'unused'" said; grep warning said >first.said
cached 11 prog.c $flags; grep warning said | diff first.said -
(cd first && anew 11 ../prog.c -I../second)

# a changed header and a changed source
echo '#define NUMBER 4' >second/number.h; settle
anew 12 prog.c $flags
touch second/number.h; cached 12 prog.c $flags
sed -i 's/NUMBER +/NUMBER -/' prog.c; settle
anew 252 prog.c $flags
# a header that hides another one: in a folder before it, beside the source, in place of a header of the C library
echo '#define NUMBER 5' >first/number.h; settle
anew 253 prog.c $flags
echo '#define NUMBER 6' >number.h; settle
anew 254 prog.c $flags
echo '#define CHAR_BIT 1' >first/limits.h; settle
anew 5 prog.c $flags
rm first/limits.h number.h; anew 253 prog.c $flags; cached 253 prog.c $flags

# damaged, empty, in a folder that others can write to
damage() { for file in "$TAMAR_PROGRAM_CACHE"/*.compiled; do "$@" "$file"; done; }
other_byte() { printf '\177' | dd of="$1" bs=1 seek=300 conv=notrunc status=none; }
damage other_byte; anew 253 prog.c $flags
damage truncate -s 0; anew 253 prog.c $flags
chmod g+w "$TAMAR_PROGRAM_CACHE"; anew 253 prog.c $flags
chmod g-w "$TAMAR_PROGRAM_CACHE"; cached 253 prog.c $flags

# never kept: a test for a header
printf '#if __has_include("later.h")\n#define LATER 1\n#else\n#define LATER 0\n#endif\n' >later-if.h
printf '#include "later-if.h"\nint main(void) { return LATER; }\n' >later.c; settle
anew 0 later.c
touch later.h; anew 1 later.c
