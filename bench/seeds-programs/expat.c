// One document, with handlers.
#include "expat.h"
#include <stddef.h>
#include <stdint.h>
static void XMLCALL start(void *context, const XML_Char *name, const XML_Char **attributes) {}
static void XMLCALL end(void *context, const XML_Char *name) {}
static void XMLCALL characters(void *context, const XML_Char *text, int length) {}
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    XML_Parser parser = XML_ParserCreate(NULL);
    if (!parser) return 0;
    XML_SetHashSalt(parser, 1);
    XML_SetElementHandler(parser, start, end);
    XML_SetCharacterDataHandler(parser, characters);
    XML_Parse(parser, (const char *)data, (int)size, 1);
    XML_ParserFree(parser);
    return 0;
}
