# The completion, used as bash would: commands first, then options of the command.
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
