# Errors of the recipes for real programs: a download fails, a recipe does not exist, a build fails, a program was built
# by another compiler, a program is compared before it is built. Each has a cause and a remedy, and status 2. A small
# recipe works.
# RUN: bash %s %t %tamar %S
set -eu
work=$1 tamar=$2 root=$(cd "$3/../../.." && pwd)
rm -rf "$work" && mkdir -p "$work/fake" && cd "$work"
export TAMAR_CACHE=$work/cache
expect() { # STATUS TEXT COMMAND...: ends with STATUS and says TEXT
    local status=$1 text=$2 got=0
    shift 2
    "$@" >output 2>&1 || got=$?
    [ $got = "$status" ] && grep -q -e "$text" output || { echo "status $got of: $*"; cat output; exit 1; }
}
# apt-get without a network: the lists are there, the package is not
cat >fake/apt-get <<'END'
#!/bin/sh
echo "$*" >>"$ASKED"
case "$*" in *indextargets*) echo "http://deb.example/debian/ $CODE main" ;; *update*) exit 0 ;; *) echo "E: Failed to fetch" >&2; exit 100 ;; esac
END
chmod +x fake/apt-get
export ASKED=$work/asked
export CODE=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
expect 2 "the source package bc cannot be downloaded" env PATH="$work/fake:$PATH" "$root/scripts/fetch-source" bc "$work/bc"
grep -q "network" output
[ ! -e "$work/bc" ]
grep -q -- "--only-source source bc" "$ASKED" # not the source of an installed binary package of that name

# the folder of recipes, with small ones of this test
mkdir -p tree/bench tree/scripts
cp -r "$root/bench/subjects" tree/bench/subjects
cp "$root/scripts/fetch-source" tree/scripts
subjects=$work/tree/bench/subjects
printf 'package=tiny\nbuild() { $CC -o tiny tiny.c; }\nprograms=tiny\ninputs() { echo text >file; }\ncommands=%s\n' \
    "'
run tiny a b
run tiny > out; run tiny < out
run tiny fail
'" >"$subjects/tiny"
mkdir -p cache/sources/tiny && touch cache/sources/tiny/.complete
cat >cache/sources/tiny/tiny.c <<'END'
#include <stdio.h>
#include <unistd.h>
int main(int argc, char **argv) {
    FILE *file = fopen("written", "w");
    fprintf(file, "%d\n", argc);
    fclose(file);
    if (WRONG) printf("%d\n", access("/proc/tamar", F_OK));
    int c = getchar();
    printf("%d %d\n", argc, c);
    return argc > 1 && argv[1][0] == 'f';
}
END
expect 2 "there is no recipe 'nothing'" "$subjects/build" --tamar "$tamar" nothing
expect 2 "not built; bench/subjects/build tiny" "$subjects/check" --tamar "$tamar" tiny
expect 2 "tiny did not build" "$subjects/build" --tamar "$tamar" tiny
grep -q build.log output
sed -i 's/WRONG/0/' cache/sources/tiny/tiny.c
expect 0 "tiny: 1 programs" "$subjects/build" --tamar "$tamar" tiny
expect 0 "tiny: 3 of 3 the same" "$subjects/check" --tamar "$tamar" tiny
expect 0 "tiny: 1 of 1 the same" "$subjects/check" --tamar "$tamar" --only fail tiny
# differences are found: the process number of a run, and a line that is listed as different but is not
sed -i "s/^run tiny fail/run tiny; echo \$way/" "$subjects/tiny"
expect 1 "tiny: differs: run tiny; echo" "$subjects/check" --tamar "$tamar" tiny
sed -i "s/^run tiny a b/differs for a reason: run tiny a b/; s/^run tiny; /differs as it must: run tiny; /" "$subjects/tiny"
expect 0 "tiny: no longer differs for a reason: run tiny a b" "$subjects/check" --tamar "$tamar" tiny
grep -q "tiny: differs as it must: run tiny; echo" output

for command in run exec ir; do
    expect 2 "carries no bitcode" "$tamar" $command /bin/true
    grep -q 'CC="tamar cc"' output
done
