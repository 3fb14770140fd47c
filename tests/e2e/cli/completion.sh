# The completion script, called as bash would call it: commands first, then the options of the command.
# RUN: bash %s %tamar
set -eu
tamar=$1
eval "$($tamar help --completion=bash)"
complete_words() { # the words so far, the last being completed
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
    _tamar
    echo "${COMPREPLY[*]}"
}
[ "$(complete_words tamar hel)" = help ]
[ "$(complete_words tamar help --comp)" = --completion ]
[ "$(complete_words tamar --ver)" = --version ]
[ "$(complete_words tamar run --emit n)" = new ]
[ "$(complete_words tamar run --feasibility '')" = "eager pending" ]
[ "$(complete_words tamar run --check und)" = undefined ]
# The scripts for zsh and fish: well-formed, with values. The shells check them if they are installed.
$tamar help --completion=zsh | grep -q "'--emit=\[write tests for all paths, for bugs and new coverage, or only for bugs\]:all|new|errors:(all new errors)'"
$tamar help --completion=fish | grep -q "__fish_seen_subcommand_from run' -l emit -x -a 'all new errors'"
if command -v zsh >/dev/null; then $tamar help --completion=zsh | zsh -n /dev/stdin; fi
if command -v fish >/dev/null; then $tamar help --completion=fish | fish -n /dev/stdin; fi
