# How long a run takes depends on the machine. `more_work COMMAND...`, for tests that need work for several workers, or
# that disturb a run: runs the command in a subshell with $WORK = 1. Status 9 says that the run was over too soon; the
# command is then repeated with four times the work, and so on. Programs multiply their loops by WORK.
more_work() {
    local status
    for WORK in 1 4 16 64 256; do
        set +e
        (
            set -e
            "$@"
        )
        status=$?
        set -e
        if test $status != 9; then return $status; fi
    done
    echo "$*: over too soon even with $WORK times the work" >&2
    return 1
}
