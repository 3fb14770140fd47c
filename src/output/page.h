// `tamar report`: the results of a run as one self-contained HTML page.
//
// The page is fixed text (page/) and one block of JSON. All text of the program under test is in that block, escaped so
// that it cannot end the block. The script inserts it into the page as text only.
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

struct report_page {
    const char *folder;
    const struct json_value *summary, *coverage, *program; // coverage: NULL if the run was killed
    struct page_test *tests;                               // page_add sorts them
    uint32_t test_count;
};

void page_add(struct text *to, const struct report_page *page);

#endif
