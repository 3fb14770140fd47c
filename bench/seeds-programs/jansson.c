// Load, dump, free.
#include <jansson.h>
#include <stdint.h>
#include <stdlib.h>
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 1) return 0;
    json_error_t error;
    json_object_seed(1);
    json_t *json = json_loadb((const char *)data + 1, size - 1, data[0], &error);
    if (json) {
        free(json_dumps(json, data[0] & 0x10 ? JSON_COMPACT : JSON_INDENT(2)));
        json_decref(json);
    }
    return 0;
}
