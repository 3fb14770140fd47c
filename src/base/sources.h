// The source files that reports may quote. A program can name any file as its source (#line). Reports quote only
// regular files below the folders in which the program was compiled, and below the working folder.
#ifndef TAMAR_BASE_SOURCES_H
#define TAMAR_BASE_SOURCES_H

#include "base/base.h"

#include <stdio.h>

void sources_allow(const char *folder); // ignored if it does not exist
uint32_t sources_count(void);
const char *sources_folder(uint32_t index);
// Opens the file for reading. NULL: it cannot be opened or must not be quoted.
FILE *sources_open(const char *path);

#endif
