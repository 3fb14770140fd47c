// `tamar report`: what a run left behind as one HTML page that needs nothing else.
//
// The page is fixed text (page/) and one block of JSON. Everything that comes from the program under test is in
// that block, where no character of it can end the block; the script puts it on the page as text only.
#ifndef TAMAR_PAGE_H
#define TAMAR_PAGE_H

#include "base/text.h"
#include "base/vec.h"

struct arena;
struct json_value;

struct page_test {
    uint32_t number;
    bool bug;
    const uint32_t *decisions;
    uint32_t decision_count;
};

struct page {
    const char *folder;
    const struct json_value *summary, *coverage, *program; // coverage may be NULL: the run was killed
    struct page_test *tests;                               // sorted by the page
    uint32_t test_count;
};

void page_add(struct text *to, const struct page *page);

#endif
