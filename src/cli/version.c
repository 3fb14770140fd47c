#include "cli/command.h"

const char version_line[] = "tamar " TAMAR_VERSION TAMAR_PARTS;
