// An old name of <unistd.h>.
#include <unistd.h>
