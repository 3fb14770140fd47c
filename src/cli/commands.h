// The commands, in the order in which help lists them: one line each.
#ifndef TAMAR_COMMANDS_H
#define TAMAR_COMMANDS_H

// clang-format off
#define COMMANDS(X) \
    X(help) \
    X(cc) \
    X(deps) \
    X(harness) \
    X(ir) \
    X(run) \
    X(reach) \
    X(replay) \
    X(report) \
    X(show) \
    X(export) \
    X(stats) \
    X(exec) \
    X(record) \
    X(regress) \
    X(config) \
    X(slice) \
    X(worker) \
    X(solve)
// clang-format on

#endif
