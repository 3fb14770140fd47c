#include "run/jobs.h"

#include "base/error.h"
#include "cluster/cores.h"

#include <stdlib.h>
#include <string.h>

bool jobs_parse(const char *word, uint32_t *jobs) {
    char *end;
    if (!strcmp(word, "auto")) {
        *jobs = cores_usable();
        return true;
    }
    unsigned long number = strtoul(word, &end, 10);
    *jobs = (uint32_t)number;
    if (*word >= '0' && *word <= '9' && !*end && number >= 1 && number <= MOST_JOBS) return true;
    user_error_at("--jobs", "Give a number from 1 to 1024, or auto.", "'%s' is not a number of processes",
                  word);
    return false;
}
