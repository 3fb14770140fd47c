// Private to the messages: one struct as CBOR (RFC 8949), by its layout.
//
// A struct is an array of its fields in the table's order. Texts are byte strings, for they need not be UTF-8; NULL is
// null. Numbers that are all below 256 are a typed array (RFC 8746, tag 64), others an array. A SET is its first number
// and the gaps after it. Only the forms that the encoder writes are accepted.
//
// A shared field is encoded against the same field of the message of its kind before it: numbers and structs as the
// length of the common beginning and the rest; bytes as their number and the runs that differ, each with its distance from
// the end of the run before.
#ifndef TAMAR_MESSAGE_CODEC_INT_H
#define TAMAR_MESSAGE_CODEC_INT_H

#include "base/text.h"
#include "base/vec.h"
#include "message/message.h"

#include <cbor.h>

#define MOST_SHARED 8 // shared fields of a struct

// A shared field of the last message: in an encoder `bytes`, in a decoder `items`.
struct shared {
    struct text bytes;  // numbers or bytes as they are; of structs, their encodings
    struct text spare;  // for the encodings of the next message
    vec(uint32_t) ends; // of each encoding
    const void *items;
    uint32_t count;
};

// `shared`: MOST_SHARED of them for the fields of this struct.
void encode_struct(struct text *to, const struct layout *layout, const void *value, struct shared *shared);
void shared_free(struct shared *shared);

struct source {
    const unsigned char *at, *end;
    struct arena *arena; // of what is decoded
    const struct cbor_callbacks *callbacks;
    const char *problem; // NULL: none so far
};

struct cbor_callbacks decode_callbacks(void);
// False: source->problem says why not.
bool decode_struct(struct source *source, const struct layout *layout, void *value, struct shared *shared);

#endif
