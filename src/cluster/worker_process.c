#include "cluster/worker_process.h"

#include "base/error.h"
#include "base/log.h"

#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>

void worker_process_begin(void) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    signal(SIGINT, SIG_IGN); // a terminal sends it to the whole process group: the parent ends its workers
    error_on_fatal(NULL, NULL);
    log_set_clear(NULL);
    log_copy_to(NULL);
    log_set_level(LOG_QUIET);
    user_warnings_mute();
}
