// jq's parser and printer of JSON.
#include "jq.h"
#include "jv.h"
#include <stdint.h>
void jq_get_input_cb(jq_state *jq, jq_input_cb *callback, void **data) {} // of the interpreter, which is not linked
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 1) return 0;
    jv value = jv_parse_sized((const char *)data + 1, (int)(size - 1));
    if (jv_is_valid(value))
        jv_free(jv_dump_string(value, data[0] & (JV_PRINT_PRETTY | JV_PRINT_SORTED | JV_PRINT_ASCII | JV_PRINT_COLOR)));
    else
        jv_free(value);
    return 0;
}
