// Decides queries byte by byte, in input order (scan.c).
#ifndef TAMAR_SCAN_H
#define TAMAR_SCAN_H

struct scan;
struct solver;

void scan_free(struct scan *scan);

#endif
