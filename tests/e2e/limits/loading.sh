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
# The compiler's memory counts for --max-memory.
python3 -c 'print("unsigned char data[] = {" + ",".join(str(i % 256) for i in range(4000000)) + "};\nint main(void) { return data[7]; }")' >large.c
status=0
"$tamar" exec --max-memory 200 large.c >said.txt 2>&1 || status=$?
[ $status = 3 ] && grep -q -- "--max-memory is reached while the program was being loaded" said.txt || { cat said.txt; exit 1; }
sleep 1 # the compiler has gone, too
! pgrep -f "clang.*$work" >/dev/null

# Ctrl-C and SIGTERM while the program is being loaded: status 3 and a message, no compiler and no temporary files are
# left. Ctrl-C on a terminal reaches the compiler, too: its end is not reported as an error.
mkdir temporary
export TMPDIR=$PWD/temporary
loads() { [ -e "$(echo temporary/tamar-*/messages)" ]; }
for way in "run INT one" "run TERM one" "run INT group" "reach INT one" "exec TERM one" "exec INT group"; do
    set -- $way
    target=; [ $1 = reach ] && target=branches.c:40
    status=0
    setsid "$tamar" $1 $target branches.c >said.txt 2>&1 &
    pid=$!
    for i in $(seq 600); do loads && break || sleep 0.05; done
    loads || { echo "$way: no compiler was started"; exit 1; }
    if [ $3 = group ]; then kill -$2 -- -$pid; else kill -$2 $pid; fi
    wait $pid || status=$?
    [ $status = 3 ] && [ "$(cat said.txt)" = "tamar: interrupted while the program was being loaded" ] ||
        { cat said.txt; echo "$way: status $status"; exit 1; }
    [ -z "$(ls temporary)" ] || { ls temporary/*; echo "$way: files are left"; exit 1; }
done
! pgrep -f "clang.*$work" >/dev/null
[ -z "$(ls | grep tamar-out)" ] || { ls; echo "a results folder without results"; exit 1; }
