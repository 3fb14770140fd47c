// Serialisation of messages.
//
//   message_writer_new -> { message_write } -> message_writer_end      appends to a text
//   message_reader_new -> { message_read } -> message_reader_free      reads bytes, which must outlive the reader
//
// A stream begins with a magic number, the version of the encoding and a hash of the tables of fields. Each record has
// its length, the kind of its message and a checksum over this and all earlier records. So a record that was damaged,
// moved, repeated or removed is detected. The last record has the number of records: a stream without it is truncated.
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

// `arena` owns the messages that are read.
struct message_reader *message_reader_new(struct arena *arena, const void *bytes, size_t size);
// Reads the next message. MESSAGE_REFUSED: the stream is invalid; message_problem describes the error.
enum message_status message_read(struct message_reader *reader, struct message *message);
// Returns the error, as in "record 12, at byte 3041: the checksum is wrong"; valid until the reader is freed.
const char *message_problem(const struct message_reader *reader);
void message_reader_free(struct message_reader *reader);

#endif
