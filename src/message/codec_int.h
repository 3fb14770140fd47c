// Encodes and decodes one struct as CBOR (RFC 8949) by its layout; private to the folder.
//
// A struct is an array of its fields in the table's order. Texts are byte strings, because they need not be UTF-8; NULL
// is null. A list of numbers is a typed array (RFC 8746, tag 64) if all are below 256, otherwise an array. A SET is its
// first number and the gaps after it. The decoder accepts only the forms that the encoder writes.
//
// A shared field is encoded as the difference from the same field of the previous message of its kind. For numbers and
// structs this is the length of the common prefix and the rest. For bytes it is their number and the runs that differ,
// each with its distance from the end of the previous run.
#ifndef TAMAR_MESSAGE_CODEC_INT_H
#define TAMAR_MESSAGE_CODEC_INT_H

#include "base/text.h"
#include "base/vec.h"
#include "message/message.h"

#include <cbor.h>

#define MOST_SHARED 8 // most shared fields of a struct

// A shared field of the previous message. An encoder uses `bytes`, a decoder `items`.
struct shared {
    struct text bytes;  // the numbers or bytes themselves, or the encodings of the structs
    struct text spare;  // buffer for the encodings of the next message
    vec(uint32_t) ends; // end of each struct's encoding in `bytes`
    const void *items;
    uint32_t count;
};

// Appends the encoding of a struct. `shared`: an array of MOST_SHARED entries for the fields of this struct.
void encode_struct(struct text *to, const struct layout *layout, const void *value, struct shared *shared);
void message_shared_free(struct shared *shared);

struct source {
    const unsigned char *at, *end;
    struct arena *arena; // owns the decoded values
    const struct cbor_callbacks *callbacks;
    const char *problem; // NULL: none so far
};

struct cbor_callbacks decode_callbacks(void);
// Decodes a struct. Returns false on an error, which source->problem describes.
bool decode_struct(struct source *source, const struct layout *layout, void *value, struct shared *shared);

#endif
