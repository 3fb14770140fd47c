// One X.509 certificate in DER, and its description.
#include "mbedtls/x509_crt.h"
#include <stdint.h>
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static char text[4096];
    mbedtls_x509_crt certificate;
    mbedtls_x509_crt_init(&certificate);
    if (mbedtls_x509_crt_parse_der(&certificate, data, size) == 0) mbedtls_x509_crt_info(text, sizeof text, "", &certificate);
    mbedtls_x509_crt_free(&certificate);
    return 0;
}
