// Which files may be quoted as source. A program can name any file as its source (#line): reports quote only regular files below the folders
// in which its parts were really compiled, and below the working folder.
#ifndef TAMAR_BASE_SOURCES_H
#define TAMAR_BASE_SOURCES_H

#include "base/base.h"

#include <stdio.h>

void sources_allow(const char *folder); // what does not exist is left out
uint32_t sources_count(void);
const char *sources_folder(uint32_t index);
// The file for reading; NULL: it cannot be had, or is not to be quoted.
FILE *sources_open(const char *path);

#endif
