// --entry-depth counts the objects of a chain, the first included: with 3, the default, the third is there, and no fourth.
// RUN: rm -rf %t && mkdir %t && cd %t && status 1 %tamar run --entry third %s --out three | FileCheck %s
// RUN: cd %t && %tamar run --entry third --entry-depth 2 %s --out two | FileCheck --check-prefix=NONE %s
// RUN: cd %t && %tamar run --entry fourth %s --out none | FileCheck --check-prefix=NONE %s
// RUN: cd %t && status 1 %tamar run --entry held %s --out held | FileCheck %s
// CHECK: abort
// CHECK: every path was explored
// NONE: no bug found
// NONE: every path was explored
#include <stdlib.h>

struct list {
    struct list *next;
    int value;
};
struct holder {
    struct list *first;
};

int third(struct list *list) {
    struct list *second = list->next;
    if (second && second->next && second->next->value == 30) abort();
    return 0;
}

int fourth(struct list *list) {
    int count = 0;
    for (; list; list = list->next) count++;
    if (count > 3) abort();
    return count;
}

int held(struct holder *holder) {
    return holder->first ? third(holder->first) : 0;
}
