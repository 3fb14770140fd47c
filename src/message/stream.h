// Messages as bytes.
//
//   message_writer_new -> { message_write } -> message_writer_end      appends to a text
//   message_reader_new -> { message_read } -> message_reader_free      from bytes that stay where they are
//
// A stream begins with a magic, the version of the encoding and a hash of the tables of fields. Each record has its length,
// the kind of its message and a checksum, which covers all records before it, too: a record that was damaged, moved, repeated
// or left out is refused. The last record counts them: a stream without it was cut off.
#ifndef TAMAR_MESSAGE_STREAM_H
#define TAMAR_MESSAGE_STREAM_H

#include "base/text.h"
#include "message/message.h"

#define MESSAGE_VERSION 4u

struct message_writer;
struct message_reader;

struct message_writer *message_writer_new(struct text *to);
void message_write(struct message_writer *writer, enum message_kind kind, const void *body);
// Writes the last record and frees the writer.
void message_writer_end(struct message_writer *writer);

enum message_status { MESSAGE_READ, MESSAGE_END, MESSAGE_REFUSED };

// `arena`: where messages live.
struct message_reader *message_reader_new(struct arena *arena, const void *bytes, size_t size);
// REFUSED: see message_problem; the stream is of no further use.
enum message_status message_read(struct message_reader *reader, struct message *message);
// "record 12, at byte 3041: the checksum is wrong"; valid until the reader is freed.
const char *message_problem(const struct message_reader *reader);
void message_reader_free(struct message_reader *reader);

#endif
