# The completion script, called as bash would call it: commands first, then the options of the command.
# RUN: rm -rf %t && bash %s %tamar %t
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
# Lists: the words before the last comma stay.
[ "$(complete_words tamar run --check overflow,und)" = overflow,undefined ]
[ "$(complete_words tamar run --check = shift,overflow,unde)" = shift,overflow,undefined ]
[ "$(complete_words tamar run --emit all,n)" = "" ]
# Names of files (and of commands after `help`), not options, unless the word begins with a dash.
[ "$(complete_words tamar run --ignore '')" = "" ]
[ "$(complete_words tamar show '')" = "" ]
[ "$(complete_words tamar help repo)" = report ]
[ "$(complete_words tamar show --fu)" = --full ]
$tamar help --completion=zsh | grep -q "'\*:command:(help .*run .*)'"
# The scripts for zsh and fish: well-formed, with values. The shells check them if they are installed.
$tamar help --completion=zsh | grep -q "'--emit=\[write tests for all paths, for bugs and new coverage, or only for bugs\]:all|new|errors:(all new errors)'"
$tamar help --completion=fish | grep -q "__fish_seen_subcommand_from run' -l emit -x -a 'all new errors'"
$tamar help --completion=zsh | grep -q "'--layers=.*: _values -s , .* cache "
$tamar help --completion=fish | grep -q "l check -x -a '(__fish_append , memory "
$tamar help --completion=fish | grep -q "__fish_seen_subcommand_from run' -l search -x -d"
if command -v zsh >/dev/null; then $tamar help --completion=zsh | zsh -n /dev/stdin; fi
if command -v fish >/dev/null; then $tamar help --completion=fish | fish -n /dev/stdin; fi
if command -v fish >/dev/null; then
    mkdir -p "$2" && cd "$2"
    $tamar help --completion=fish >tamar.fish
    fish_words() { HOME=$2 XDG_CONFIG_HOME=$2 fish --no-config -c "source tamar.fish; complete -C '$1'" | cut -f 1; }
    [ "$(fish_words 'tamar run --emit n' "$PWD")" = new ]
    [ "$(fish_words 'tamar run --check=overflow,und' "$PWD")" = --check=overflow,undefined ]
    [ -z "$(fish_words 'tamar run --search ' "$PWD")" ]
    [ "$(fish_words 'tamar help repo' "$PWD")" = report ]
fi
