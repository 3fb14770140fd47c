# usage: names.bash SOURCE: prints for each check the input (the first byte) and the kind of its report.
set -eu
source=$1
while read -r check input kind; do
    status 1 "$TAMAR_BINARY" run -w --check "$check" --sym-stdin 1 --out "$check" "$source" >"$check.txt"
    python3 - "$check" "$input" "$kind" >tests <<'END'
import glob, json, sys
check, inputs, kind = sys.argv[1], {int(word) for word in sys.argv[2].split(",")}, sys.argv[3]
found = set()
for path in glob.glob(f"{check}/tests/*.json"):
    test = json.load(open(path))
    if test["outcome"] == "bug":
        assert test["bug"]["kind"] == kind, (check, test["bug"])
        found.add(int(test["inputs"][0]["hex"], 16))
        print(test["number"])
assert found == inputs, (check, found, inputs)
END
    "$TAMAR_BINARY" replay --sanitizers "$check" $(cat tests) >"$check.replay" || { cat "$check.replay"; exit 1; }
    grep -q "that show a bug confirmed" "$check.replay"
done <<'END'
alignment 0 alignment
bool 1 invalid-bool
builtin 2 builtin
null 3 null
pointer-overflow 4 pointer-overflow
vla-bound 5 vla-bound
nonnull-attribute 6 nonnull
returns-nonnull-attribute 7 nonnull
float-cast-overflow 8 overflow
float-divide-by-zero 9 div-by-zero
signed-integer-overflow 10 overflow
arithmetic 10 overflow
shift-base 11 shift
shift-exponent 12 shift
shift 11,12 shift
implicit-unsigned-integer-truncation 13 overflow
implicit-signed-integer-truncation 14 overflow
implicit-integer-truncation 13,14 overflow
overflow 10,13,14 overflow
implicit-integer-sign-change 15 overflow
unsigned-integer-overflow 16 overflow
unsigned-shift-base 17 shift
END
