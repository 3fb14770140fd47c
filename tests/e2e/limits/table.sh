# Each program needs more time or memory than it is allowed, from inside one instruction, the solver, the checkpoint or loading.
# RUN: python3 %S/../../limits/run $(dirname $(dirname $(dirname %binary))) --time 2 --factor 4
# REQUIRES: run
# UNSUPPORTED: sanitized, hostile
