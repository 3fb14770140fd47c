# A package's own test scripts as a compared tool: which scripts are chosen for a tool, that they run as an ordinary
# user within their time, and that gcov counts what they execute, outside of the build folder.
# RUN: bash %s %t %S
set -eu
work=$1 bench=$2/../../../bench
rm -rf "$work" && mkdir -p "$work/source/tests/misc" "$work/source/tests/one" "$work/source/src" "$work/run" && cd "$work"
chmod 755 . source run
cat >source/src/one.c <<'END'
int main(int argc, char **argv) {
    if (argc > 1)
        return 3;
    return argv[0] == 0;
}
END
(cd source/src && gcc --coverage -O0 -o one one.c && mv one-one.gcno one.gcno 2>/dev/null || [ -e one.gcno ])
cat >source/tests/local.mk <<'END'
all_root_tests = \
  tests/one/root.sh
all_tests = \
  tests/misc/one.sh \
  tests/misc/other.sh \
  tests/misc/oneness.sh \
  tests/misc/named.sh \
  tests/misc/perl.pl \
  tests/one/skips.sh \
  tests/one/hangs.sh \
  $(all_root_tests)
END
cat >source/Makefile <<'END'
TESTS_ENVIRONMENT = export abs_top_builddir='$(CURDIR)' abs_top_srcdir='$(CURDIR)' abs_srcdir='$(CURDIR)' VERSION=1;
END
other=true # in a user's own namespace there is nobody else
[ "$(id -u)" != 0 ] || other='test "$(id -u)" != 0'
echo "$other && test -w . && one" >source/tests/misc/one.sh
echo 'exit 1' | tee source/tests/misc/other.sh source/tests/misc/oneness.sh >source/tests/one/root.sh
printf 'print_ver_ two one\none x; test $? = 3\n' >source/tests/misc/named.sh
echo "my \$prog = 'two';" >source/tests/misc/perl.pl
echo 'exit 77' >source/tests/one/skips.sh
echo 'sleep 1000' >source/tests/one/hangs.sh
PYTHONPATH=$bench python3 - <<'END'
import pathlib
from harness import own_tests

source = pathlib.Path("source").resolve()
assert own_tests.scripts(source, "one") == [f"tests/{name}.sh" for name in ("misc/one", "misc/named", "one/skips", "one/hangs")]
assert own_tests.scripts(source, "two") == ["tests/misc/named.sh", "tests/misc/perl.pl"]
covered, total, series, statuses, _ = own_tests.run(source, "one", [source / "src/one.gcno"], {"one.c"}, pathlib.Path("run").resolve(), seconds=3)
assert list(statuses.values()) == [0, 0, 77, "time"], statuses
assert (covered, total) == (4, 4) and [lines for _, lines in series][0] == 3, (covered, total, series)
END
[ -z "$(find source -name '*.gcda')" ] || { echo "counts in the build"; exit 1; }
