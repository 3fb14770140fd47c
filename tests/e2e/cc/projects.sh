# Libraries in the prefix are found by tamar cc, tamar run, pkg-config, CMake and Meson; the host's are not.
# RUN: rm -rf %t && mkdir %t && cd %t && TAMAR_PREFIX=%t/prefix bash %s %tamar
# REQUIRES: run
set -eu
tamar=$1
fail() { echo "$1" >&2; exit 1; }

# a library with a header and a .pc file
mkdir -p prefix/include prefix/lib/pkgconfig
echo 'int triple(int value);' >prefix/include/triple.h
echo 'int triple(int value) { return 3 * value; }' >triple.c
"$tamar" cc -c triple.c -o triple.o
ar crs prefix/lib/libtriple.a triple.o
printf 'prefix=%s/prefix\nName: triple\nDescription: t\nVersion: 1.2\nLibs: -L${prefix}/lib -ltriple\nCflags: -I${prefix}/include\n' "$PWD" >prefix/lib/pkgconfig/triple.pc
cat >main.c <<'END'
#include <stdio.h>
#include <triple.h>
int main(int argc, char **argv) {
    if (argc > 1 && triple(argv[1][0]) == 3 * 'x') puts("x");
    return 0;
}
END
"$tamar" cc main.c -ltriple -o main
./main x | grep -q '^x$' || fail "the linked program"
"$tamar" run --sym-arg 1 --out linked main | grep -q 'every path was explored' || fail "run of the linked program"

# the order of libraries does not matter, as with shared ones: before the source, and with mutual dependences
echo 'int triple(int); int six(int v) { return triple(v) + triple(v); }' >six.c
"$tamar" cc -c six.c -o six.o
ar crs prefix/lib/libsix.a six.o
"$tamar" cc -ltriple -lsix main.c -Dtriple=six -o order && ./order x >order.text || fail "libraries before the source"
"$tamar" cc -l triple main.c -o order && ./order x | grep -q '^x$' || fail "-l NAME before the source"

# a static library of `tamar deps` brings the libraries that it needs
"$tamar" cc main.c -Dtriple=six -lsix -o alone 2>/dev/null && fail "-lsix needs -ltriple"
mkdir -p prefix/share/tamar/needs
echo triple >prefix/share/tamar/needs/six
"$tamar" cc main.c -Dtriple=six -lsix -o alone && ./alone x >alone.text || fail "the libraries that a library needs"
"$tamar" cc main.c -Dtriple=six "$TAMAR_PREFIX/lib/libsix.a" -o by-path && ./by-path x | cmp - alone.text || fail "the libraries that a library given by its path needs"
"$tamar" run --sym-arg 1 --out alone-out main.c -Dtriple=six -lsix | grep -q 'every path was explored' || fail "run with the libraries that a library needs"

# tamar run with the source and -l
"$tamar" run --sym-arg 1 --out source main.c -ltriple | grep -q 'every path was explored' || fail "run with -l"

# the environment for configure scripts
(eval "$("$tamar" cc --print-environment)"
    [ "$(pkg-config --modversion triple)" = 1.2 ] || fail "pkg-config"
    ! pkg-config --exists zlib || fail "the host's zlib must not be found"
    $CC main.c $(pkg-config --cflags --libs triple) -o with-pkg-config && ./with-pkg-config x | grep -q x)

# CMake and Meson
if command -v cmake >/dev/null; then
    cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.13)
project(main C)
find_library(TRIPLE triple REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(T REQUIRED triple)
add_executable(main main.c)
target_link_libraries(main ${TRIPLE} m)
END
    cmake -S . -B cmake-build -DCMAKE_TOOLCHAIN_FILE="$("$tamar" cc --print-cmake-toolchain)" >cmake.log && cmake --build cmake-build >>cmake.log || { cat cmake.log; fail cmake; }
    "$tamar" run --sym-arg 1 --out cmake-out cmake-build/main | grep -q 'every path was explored' || fail "run of CMake's program"
fi
if command -v meson >/dev/null; then
    cat >meson.build <<'END'
project('main', 'c')
executable('main', 'main.c', dependencies: [dependency('triple'), meson.get_compiler('c').find_library('m')])
END
    meson setup meson-build --native-file "$("$tamar" cc --print-meson-file)" >meson.log && ninja -C meson-build >>meson.log || { cat meson.log; fail meson; }
    "$tamar" run --sym-arg 1 --out meson-out meson-build/main | grep -q 'every path was explored' || fail "run of Meson's program"
fi

# what cannot be used is named, with the remedy
if "$tamar" cc main.c -lnowhere -o none 2>errors; then fail "-lnowhere was found"; fi
grep -q 'tamar deps nowhere' errors || { cat errors; fail "no remedy for -lnowhere"; }
echo 'int main(void) { return 0; }' >plain.c
"$tamar" cc -I/usr/include plain.c -o plain 2>errors
grep -q '/usr/include is ignored' errors || { cat errors; fail "-I/usr/include is not explained"; }
if [ -r /usr/include/zlib.h ]; then # of a package that Tamar itself needs
    echo '#include <zlib.h>' | cat - plain.c >header.c
    for command in cc run exec; do
        if "$tamar" $command header.c 2>errors; then fail "$command: a header of the host was found"; fi
        grep -q 'zlib.h> is only among the host.*tamar deps zlib.h' errors || { cat errors; fail "$command: no remedy for a header of the host"; }
    done
fi
echo 'int host(void) { return 1; }' >host.c
clang-19 -c host.c -o host.o && rm -f libhost.a && ar crs libhost.a host.o
echo 'int host(void); int main(void) { return host() - 1; }' >user.c
"$tamar" cc user.c libhost.a -o user 2>errors
grep -q 'libhost.a.*no bitcode' errors || { cat errors; fail "an archive without bitcode is not named"; }
if "$tamar" exec ./user 2>errors; then fail "a function without bitcode was executed"; fi
grep -q 'host, which has native code only: .*/libhost.a has no bitcode' errors || { cat errors; fail "a function without bitcode is not named as such"; }

# C++
echo 'int main() { return 0; }' >plus.cpp
if "$tamar" run plus.cpp 2>errors; then fail "C++ was run"; fi
grep -q 'C++' errors || { cat errors; fail "C++ is not named"; }
if "$tamar" cc plus.cpp -o plus 2>errors; then fail "C++ was compiled"; fi
grep -q 'C++' errors || fail "C++ is not named by cc"
"$tamar" deps --list | grep -q '^zlib$' || fail "deps --list"
if "$tamar" deps 2>/dev/null; then fail "deps without a name"; fi
