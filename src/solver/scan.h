// Decides queries byte by byte, in input order (scan.c).
#ifndef TAMAR_SCAN_H
#define TAMAR_SCAN_H

struct scan;
struct solver;

struct scan *scan_new(struct solver *solver);
void scan_free(struct scan *scan);

#endif
