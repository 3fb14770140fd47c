# Each program exceeds its time or memory inside one instruction, the solver, the checkpoint or loading.
# RUN: python3 %S/../../limits/run $(dirname $(dirname $(dirname %binary))) --time 2 --factor 4
# REQUIRES: run
# UNSUPPORTED: sanitized, hostile
