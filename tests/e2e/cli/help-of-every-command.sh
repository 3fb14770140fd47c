# Every listed command has help, a section in the manual page and a line in the completion.
# RUN: bash %s %tamar %t
set -eu
tamar=$1 temporary=$2
$tamar help --man >"$temporary.man"
$tamar help --completion=bash >"$temporary.bash"
bash -n "$temporary.bash"
commands=$($tamar help | sed -n 's/^  tamar \([a-z]*\) .*/\1/p')
[ -n "$commands" ]
for command in $commands; do
    $tamar help "$command" | grep -q "^usage: tamar $command" || { echo "no usage: $command"; exit 1; }
    grep -qi "^\.SH \"$command\"" "$temporary.man" || { echo "not in the manual page: $command"; exit 1; }
    grep -q "^    $command) options=" "$temporary.bash" || { echo "no completion: $command"; exit 1; }
done
