// tcpdump's printers of DNS and BOOTP packets.
#include <config.h>
#include "netdissect-stdinc.h"
#define ND_LONGJMP_FROM_TCHECK
#include "netdissect.h"
#include "netdissect-alloc.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
// Of printers and of libpcap, which are not linked:
struct pcap_etherent *pcap_next_etherent(FILE *file) { return NULL; }
const char *dnnum_string(netdissect_options *ndo, u_short number) { return ""; }
const char *q922_string(netdissect_options *ndo, const u_char *bytes, u_int size) { return ""; }
static int quiet(netdissect_options *ndo, const char *format, ...) {
    char text[512];
    va_list list;
    va_start(list, format);
    int length = vsnprintf(text, sizeof text, format, list);
    va_end(list);
    return length;
}
static void NORETURN failed(netdissect_options *ndo, status_exit_codes_t status, const char *format, ...) { longjmp(ndo->ndo_early_end, 1); }
static void warned(netdissect_options *ndo, const char *format, ...) {}
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    netdissect_options options, *ndo = &options;
    if (size < 1) return 0;
    memset(ndo, 0, sizeof *ndo);
    ndo->ndo_printf = quiet;
    ndo->ndo_error = failed;
    ndo->ndo_warning = warned;
    ndo->ndo_nflag = 1;
    ndo->ndo_vflag = data[0] >> 1 & 3;
    ndo->ndo_snaplen = 65535;
    ndo->ndo_packetp = data + 1;
    ndo->ndo_snapend = data + size;
    if (setjmp(ndo->ndo_early_end) == 0) {
        if (data[0] & 1)
            bootp_print(ndo, data + 1, (u_int)(size - 1));
        else
            domain_print(ndo, data + 1, (u_int)(size - 1), data[0] >> 3 & 1, 0);
    }
    nd_free_all(ndo);
    return 0;
}
