# Data structures with symbolic keys and indices are explored completely: hash tables, union-find, a Bloom filter, an
# interpreter with symbolic register numbers, a histogram, RC4's key schedule.
# RUN: bash %s %tamar %S/../../../bench/memory-programs %t
set -eu
tamar=$1 programs=$2 folder=$3
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
# program, paths, options
while read -r program paths options; do
    options="$options $(sed -n 's|^// options: ||p' "$programs/$program.c")"
    # shellcheck disable=SC2086
    "$tamar" run -q $options "$programs/$program.c" --out "$program" || { echo "$program: status $?"; exit 1; }
    python3 - "$program" "$paths" <<'END'
import json, sys
summary = json.load(open(sys.argv[1] + "/summary.json"))
assert summary["complete"] and not summary["gave_up"], (sys.argv[1], summary["gave_up"])
assert summary["paths"]["completed"] == int(sys.argv[2]), (sys.argv[1], summary["paths"])
END
done <<'END'
chained_hash 6
bloom 4
union_find 5
slab 1
lz77 64
symbols 12
open_hash 13 -DSLOTS=16
rc4 2 -DROUNDS=64
END
