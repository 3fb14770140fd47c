# docs/troubleshooting.md lists all messages of the source, and the commands below print some of them.
# RUN: bash %s %t %S
# REQUIRES: run
set -eu
work=$1 root=$2/../../..
rm -rf "$work" && mkdir "$work" && cd "$work"
"$root/scripts/messages" --check
printed() { # the message of a command, as the page has it
    "$TAMAR_BINARY" "${@:2}" >log 2>&1 && exit 1
    grep -q -F -- "| $1" "$root/docs/troubleshooting.md" || { echo "not on the page: $1"; exit 1; }
    python3 - "$1" log <<'P' || { cat log; exit 1; }
import re, sys
pattern = ".*".join(re.escape(part) for part in sys.argv[1].split("..."))
sys.exit(not re.search(pattern, open(sys.argv[2]).read()))
P
}
echo 'int main(void) { return 0; }' >a.c
printed "... is given twice" run a.c --sym-file A=1 --sym-file A=2
printed "... is not a kind of bug" run a.c --ignore <(echo 'nul a.c')
printed "the program has no function \"...\"" run -c a.c -Dmain=other
printed "there are no seeds" run a.c --as-recorded
