# Each program exceeds its time or memory within one instruction, in the solver, in the checkpoint, or while it is loaded.
# RUN: python3 %S/../../limits/run $(dirname $(dirname $(dirname %binary))) --time 2 --factor 4
# REQUIRES: run
# UNSUPPORTED: sanitized, hostile
