// An old name.
#include <unistd.h>
