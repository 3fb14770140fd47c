# Messages of docs/troubleshooting.md about operands and input files that no other test printed
# (scripts/check-messages --printed): each has status 2, and is in the log of messages as its format.
# RUN: bash %s %t
# REQUIRES: run, replay, reach, config, ir, report
set -u
work=$1 tamar=$TAMAR_BINARY failed=0
rm -rf "$work" && mkdir "$work" && cd "$work"
whole=${TAMAR_MESSAGE_LOG:-}
export TAMAR_MESSAGE_LOG=$PWD/printed
check() { # FORMAT COMMAND...
    local format=$1 status=0
    shift
    rm -f printed
    timeout -k 5 60 "$@" >out.text 2>&1 </dev/null || status=$?
    if [ $status = 2 ] && grep -qxF -- "$format" printed; then return; fi
    echo "$*: status $status, not 2 with: $format"; cat out.text printed; failed=1
}
keep() { [ -z "$whole" ] || cat printed >>"$whole"; }
printf '#include <stdio.h>\nint main(void) { return getchar() == 1; }\n' >good.c
"$tamar" run -q good.c --sym-stdin 1 --out out >/dev/null
cat >flow.sarif <<'E'
{"version": "2.1.0", "runs": [{"results": [{"message": {"text": "x"}, "locations": [{"physicalLocation":
  {"artifactLocation": {"uri": "good.c"}, "region": {"startLine": 2}}}]}]}]}
E
echo 'DA:1,0' >empty.info
echo 'until=2030-01-01' >known
echo 'flag -v' >spec
printf 'flag -v\0\ntest\n' >binary-spec
mkdir dangling && ln -s nowhere dangling/seed
clang-19 --target=x86_64-linux-musl -c -emit-llvm good.c -o plain.bc
"$tamar" run -q plain.bc --sym-stdin 1 --out plain >/dev/null
mkdir seeds && echo '{' >seeds/000001.json
many=$(printf 'out %.0s' $(seq 70))
check 'no folder given' "$tamar" replay && keep
check "'%s' is not a test" "$tamar" replay out abc && keep
check '%u runs: at most %u can be compared' "$tamar" report $many && keep
check '%s has no code flow' "$tamar" reach --trace flow.sarif good.c && keep
check '%s has no source file' "$tamar" reach --uncovered-by empty.info good.c && keep
check 'this is not an entry' "$tamar" run good.c --sym-stdin 1 --ignore known && keep
check 'no test is named' "$tamar" config spec good.c && keep
check 'this is not text' "$tamar" config binary-spec good.c && keep
check 'the program has no function "%s", or never reaches it' "$tamar" ir good.c --function nothing && keep
check 'the seed cannot be used: %s' "$tamar" run good.c --sym-stdin 1 --seeds seeds && keep
check 'the seed cannot be read: %s' "$tamar" run good.c --sym-stdin 1 --seeds dangling && keep
check 'cannot run %s: %s' env PATH=/nonexistent TAMAR_PROGRAM_CACHE=none "$tamar" run good.c --sym-stdin 1 && keep
check 'the program has no debug lines to count' "$tamar" replay plain --gcov && keep
check "there is no command or topic '%s'" "$tamar" help nonsense && keep
exit $failed
