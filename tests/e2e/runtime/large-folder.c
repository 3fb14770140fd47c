// The cost of listing a large folder is linear in the number of files: 20 million instructions here; 644 million when
// every name was compared with all others.
// RUN: rm -rf %t && mkdir -p %t/folder && cd %t/folder && seq -f 'a_file_of_some_length_%%05g.txt' 1000 | xargs touch && cd ..
// RUN: %tamar exec %s -- folder | FileCheck %s
// RUN: %tamar run -q --out run %s -- folder && python3 %S/../search/Inputs/summary run 'instructions < 60000000'
// CHECK: 1002 names, 31003 characters, again 1
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
int main(int argc, char **argv) {
    DIR *folder = opendir(argv[1]);
    unsigned names = 0, characters = 0, again = 0;
    if (!folder) return 1;
    for (struct dirent *entry; (entry = readdir(folder)); names++) characters += strlen(entry->d_name);
    rewinddir(folder);
    for (struct dirent *entry; (entry = readdir(folder));)
        again += !strcmp(entry->d_name, "a_file_of_some_length_00777.txt");
    printf("%u names, %u characters, again %u\n", names, characters, again);
    return 0;
}
