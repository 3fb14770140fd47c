// Parse, print, minify.
#include "cJSON.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 2) return 0;
    char *text = malloc(size);
    memcpy(text, data + 1, size - 1);
    text[size - 1] = 0;
    cJSON *json = cJSON_ParseWithOpts(text, NULL, data[0] & 1);
    if (json) {
        char *printed = data[0] & 2 ? cJSON_Print(json) : cJSON_PrintUnformatted(json);
        free(printed);
        cJSON_Delete(json);
    }
    if (data[0] & 4) cJSON_Minify(text);
    free(text);
    return 0;
}
