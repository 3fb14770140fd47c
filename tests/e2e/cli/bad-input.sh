# Whatever cannot be used ends with status 2 and says where, why and what to do; nothing crashes, no folder is left.
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
# Files of a finished run that were damaged are said to be.
"$tamar" run good.c --sym-stdin 1 --out out -q || exit 1
echo '{"bugs": [' >out/summary.json
refuse "damaged" stats out
refuse "damaged" report out
