# `exec --save-files DIR` writes only below DIR: neither through links that the program leaves, nor through
# links that were there before. A program that calls intrinsics is rejected. Without the option nothing is
# saved.
# RUN: bash %s %t %tamar
# REQUIRES: exec
set -eu
work=$1 tamar=$2
rm -rf "$work" && mkdir -p "$work/outside" && cd "$work"
cat >links.c <<'END'
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
static void put(const char *path) {
    int fd = open(path, O_CREAT | O_WRONLY | O_TRUNC, 0644);
    if (write(fd, "out", 3) != 3) _exit(1);
    close(fd);
}
int main(int argc, char **argv) {
    mkdir("/made", 0755);
    put("/made/first");
    put("/made/second");
    mkdir("/made/folder", 0755);
    put("/made/folder/third");
    symlink(argv[1], "/made/link");
    symlink(argv[1], "/made/other");
    return 0;
}
END
# Links, left by an earlier run, where files and folders will be written.
mkdir -p saved/made
ln -s "$work/outside/a" saved/made/first
ln -s "$work/outside" saved/made/folder
ln -s "$work/outside/b" saved/.removed
mkfifo saved/made/second
timeout 20 $tamar exec --save-files saved links.c -- "$work/outside" 2>errors || true
test -z "$(ls outside)"
test "$(cat saved/made/first)" = out && test ! -L saved/made/first
test -f saved/made/second
grep -q 'cannot be saved' errors
test -L saved/made/link

for call in '__tamar_save_file("/../../x", 1, 0644, "a", 1ul)' '__tamar_host_write(9, "a", 1ul)' '__tamar_task_switch(77, 0)'; do
    echo "int main(void) { $call; return 0; }" >own.c
    status 2 $tamar exec -Wno-implicit-function-declaration own.c 2>errors
    grep -q "belongs to Tamar's own runtime: a program cannot call it" errors
    status 2 $tamar run -Wno-implicit-function-declaration own.c 2>errors
done
echo 'void __tamar_exit(int status) {} int main(void) { return 0; }' >own.c
status 2 $tamar exec own.c 2>errors
grep -q "cannot define it" errors
