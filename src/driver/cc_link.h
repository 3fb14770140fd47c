// The linking half of `tamar cc`.
#ifndef TAMAR_DRIVER_CC_LINK_H
#define TAMAR_DRIVER_CC_LINK_H

struct cc_line;

// Compiles the sources among the inputs and links everything. Returns the exit status.
int cc_link_all(const struct cc_line *line);

#endif
