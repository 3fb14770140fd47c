# Unusable input ends with status 2 and a message with location, cause and remedy; nothing crashes, no folder is left.
# RUN: bash %s %t
# REQUIRES: run, replay, show, stats, report, export, reach
set -u
work=$1 tamar=$TAMAR_BINARY
rm -rf "$work" && mkdir "$work" && cd "$work"
echo 'int main(void) { return 0; }' >good.c
echo 'int main(void) { return x; }' >wrong.c
printf 'BC\300\336nonsense' >damaged.bc
printf '\177ELF nonsense' >damaged
: >empty.c
mkdir folder && ln -s nowhere dangling.c
refuse() { # WORDS_IN_THE_MESSAGE COMMAND...
    local words=$1 status=0
    shift
    "$tamar" "$@" >out.text 2>err.text </dev/null || status=$?
    if [ $status != 2 ] || ! grep -q -- "$words" err.text; then
        echo "tamar $*: status $status"; cat err.text; exit 1
    fi
    if [ -s out.text ]; then echo "tamar $*: something on standard output"; exit 1; fi
}
refuse "unknown option --sym-stdni" run good.c --sym-stdni 3
refuse "Did you mean --sym-stdin?" run good.c --sym-stdni 3
refuse "Did you mean .tamar report.?" reprot
refuse "Did you mean --max-time?" run good.c --max-tiem 3
refuse "Did you mean --valgrind?" replay --valgrnid x
refuse "--max-time" run good.c --max-time soon
refuse "--emit" run good.c --emit some
refuse "--check" run good.c --check memry
refuse "--sym-stdin" run good.c --sym-stdin many
refuse "--sym-stdin" run good.c --sym-stdin 5..2
refuse "--sym-file" run good.c --sym-file name
truncate -s 300M large # it has holes: nothing is written
refuse "nowhere: No such file" run good.c --stdin nowhere
refuse "folder is a directory" run good.c --stdin folder
refuse "/dev/zero is not a regular file" run good.c --stdin /dev/zero
refuse "large is too large: 314572800 bytes" run good.c --stdin large
refuse "the limit is 256 MB" run good.c --stdin large
refuse "No such file" run good.c --peers nowhere
refuse "is a directory" exec --peers folder good.c
refuse "has 314572800 bytes" exec --peers large good.c
for size in 0 1048577; do # of anything symbolic: at least a byte, at most 1 MB
    for option in "--sym-arg $size" "--sym-args 0 1 $size" "--sym-stdin $size" "--sym-file f=$size" "--sym-env V=$size" \
        "--sym-socket $size" "--sym-input $size"; do
        refuse "${option%% *}.*'${size}'" run good.c $option
        [ "${option%% *}" = --sym-input ] || refuse "Give .*\(byte\|1048576\)" run good.c $option
    done
done
refuse "--sym-random.*'1048577'" run good.c --sym-random 1048577
refuse "--sym-args.*'65'" run good.c --sym-args 0 65 1
refuse "--search" run good.c --search 'rr(rp'
refuse "--max-depth" run good.c --max-depth -1
refuse "wrong.c:1" run wrong.c
refuse "nothing.c" run nothing.c
refuse "dangling.c" run dangling.c
refuse "damaged.bc" run damaged.bc
refuse "damaged" run ./damaged
refuse "folder" run folder
refuse "main" run empty.c
refuse "no program given" run
refuse "nowhere" run good.c --sym-stdin 1 --seeds nowhere
refuse "nowhere" replay nowhere
refuse "nowhere" report nowhere
refuse "nowhere" export nowhere
refuse "nowhere" stats nowhere
refuse "neither a bug nor a test" show something
refuse "" show 7
refuse "good.c:99" reach good.c:99 good.c
refuse "nothing" show
if ls -d tamar-out-* 2>/dev/null; then echo "a folder of results is left"; exit 1; fi
# Damaged files of a finished run are reported as damaged.
"$tamar" run good.c --sym-stdin 1 --out out -q || exit 1
echo '{"bugs": [' >out/summary.json
refuse "damaged" stats out
refuse "damaged" report out
