# A harness with a checksum, which the exploration solves, and a loop after it, which the fuzzer runs quickly: each
# needs the other. The fuzzer's crash is run in the engine, which gives its kind and location.
# RUN: bash %s %t
# REQUIRES: run
set -eu
work=$1 tamar=$TAMAR_BINARY
rm -rf "$work" && mkdir "$work" && cd "$work"
cat >harness.c <<'END'
#include <stddef.h>
#include <stdint.h>
#include <string.h>
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    uint32_t wanted, sum = 17;
    if (size < 12) return 0;
    memcpy(&wanted, data, 4);
    for (int i = 4; i < 8; i++) sum = sum * 31 + data[i];
    if (wanted * 2654435761u + (wanted >> 7) != sum) return 0; // no value of a comparison is to be copied
    uint32_t hash = 1;
    for (int round = 0; round < 3000; round++)
        for (size_t i = 8; i < size; i++) hash = (hash ^ data[i]) * 16777619u + (hash >> 13);
    if ((hash & 31) != 10) return 0;
    int table[4] = {1, 2, 3, 4};
    return table[(hash & 3) + 2]; // hash ends in 10: element 4
}
END
"$tamar" run harness.c --sym-input 0..16 --fuzz auto --max-time 110 --out out >out.txt 2>&1 &
run=$!
until-json out/summary.json "s['fuzz']['bugs']"
kill -INT $run
status=0; wait $run || status=$?
test $status -eq 1
until-json out/summary.json "not s['running'] and not s['complete'] and s['fuzz']['tool'] == 'libfuzzer' and s['fuzz']['given'] >= 1"
until-json out/summary.json "s['fuzz']['bugs'][0]['kind'] == 'out-of-bounds' and s['fuzz']['bugs'][0]['line'] == 15 and s['fuzz']['unexplained'] == 0"
# Code that only the fuzzer ran is counted separately.
until-json out/summary.json "s['fuzz']['bugs'][0]['followed'] or not s['bugs']"
test -s out/fuzz/kept/000001
! pgrep -f "$work/out/fuzz/" || exit 1
python3 -c "import json, jsonschema, sys; jsonschema.validate(json.load(open('out/summary.json')), json.load(open(sys.argv[1])))" \
    "$(dirname "$0")/../../../docs/reference/schema/summary.schema.json"
