// Tests see the run's folder as it was when the run began: files that appear later change no path, in any build.
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s list.c && echo 1 >data && %tamar run -q --out out --sym-stdin 1 list.c
// RUN: cd %t && echo later >appears && mkdir folder && %tamar replay out >rp.log 2>&1 || { cat %t/rp.log; false; }
// RUN: cd %t && grep "2 tests, 2 as predicted" rp.log
// REQUIRES: run, replay
#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(void) {
    int count = 0, c = getchar();
    DIR *folder = opendir(".");
    for (struct dirent *entry; (entry = readdir(folder));) count += entry->d_name[0] != '.';
    if (access("appears", F_OK) == 0 || access("rp.log", F_OK) == 0) return 1;
    if (c == 'a') return count == 2 ? 2 : 3; // list.c and data
    return 0;
}
