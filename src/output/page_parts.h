// The fixed parts of the page, embedded when Tamar is built (page/*).
#ifndef TAMAR_PAGE_PARTS_H
#define TAMAR_PAGE_PARTS_H

extern const char page_style[], page_body[], page_script[];

#endif
