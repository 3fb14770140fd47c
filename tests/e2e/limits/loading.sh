# --max-time includes loading: the run ends in time although the program has not been loaded yet, and says so.
# RUN: bash %s %t
# REQUIRES: run
set -eu
work=$1 tamar=$TAMAR_BINARY
rm -rf "$work" && mkdir "$work" && cd "$work"
python3 - >branches.c <<'END'
print('#include <tamar.h>\nint main(void) {\n    int n = tamar_int("n"), s = 0;')
for i in range(40000): print(f"    if (n == {i}) s += {i * 7 + 1};")
print("    return s;\n}")
END
for command in "run --max-time 1" "exec --max-time 1"; do
    status=0 begin=$(date +%s%N)
    "$tamar" $command branches.c >said.txt 2>&1 || status=$?
    took=$((($(date +%s%N) - begin) / 1000000))
    [ $status = 3 ] && grep -q -- "--max-time is reached while the program was being loaded" said.txt || { cat said.txt; exit 1; }
    [ $took -lt 4000 ] || { echo "took $took ms"; exit 1; }
done
sleep 1 # the compiler has gone, too
! pgrep -f "clang.*$work" >/dev/null
