#include "message/stream.h"

#include "base/arena.h"
#include "base/hash.h"
#include "message/codec_int.h"

#include <string.h>

// Numbers are little-endian, as on all hosts that Tamar supports.
struct head {
    char magic[8];
    uint32_t version, unused;
    uint64_t tables; // hash of the tables of fields
};
static const char magic[8] = "tamarmsg";

#define LAST_RECORD MESSAGE_KINDS // kind of the last record; its body is the number of records before it

struct stream_record {
    uint32_t size; // bytes of the body that follows
    uint32_t kind;
    uint64_t checksum;
};

// The same for every stream of the process. Computed once: workers write many short streams.
static struct head stream_head(void) {
    static struct head head;
    if (head.version) return head;
    for (unsigned i = 0; i < MESSAGE_KINDS; i++) head.tables = layout_hash(message_layouts[i], head.tables);
    memcpy(head.magic, magic, sizeof magic);
    head.version = MESSAGE_VERSION;
    return head;
}

static uint64_t checksum(uint64_t before, uint32_t size, uint32_t kind, const void *body) {
    return hash_bytes(body, size, hash_combine(before, (uint64_t)kind << 32 | size));
}

// ---- writing

struct message_writer {
    struct text *to;
    uint64_t checksum, records;
    struct shared shared[MESSAGE_KINDS][MOST_SHARED];
};

struct message_writer *message_writer_new(struct text *to) {
    struct message_writer *writer = NEW(struct message_writer);
    struct head head = stream_head();
    writer->to = to;
    text_add_bytes(to, &head, sizeof head);
    return writer;
}

// Reserves the head of a record; the caller appends the body next. Returns the offset of the head.
static size_t begin_record(struct message_writer *writer) {
    size_t start = writer->to->count;
    text_add_bytes(writer->to, &(struct stream_record){0}, sizeof(struct stream_record));
    return start;
}

static void end_record(struct message_writer *writer, uint32_t kind, size_t start) {
    size_t size = writer->to->count - start - sizeof(struct stream_record);
    assert(size <= UINT32_MAX);
    writer->checksum = checksum(writer->checksum, (uint32_t)size, kind,
                                writer->to->at + start + sizeof(struct stream_record));
    struct stream_record record = {(uint32_t)size, kind, writer->checksum};
    memcpy(writer->to->at + start, &record, sizeof record);
    writer->records++;
}

void message_write(struct message_writer *writer, enum message_kind kind, const void *body) {
    assert(kind < MESSAGE_KINDS);
    size_t start = begin_record(writer);
    encode_struct(writer->to, message_layouts[kind], body, writer->shared[kind]);
    end_record(writer, kind, start);
}

void message_writer_end(struct message_writer *writer) {
    uint64_t records = writer->records;
    size_t start = begin_record(writer);
    text_add_bytes(writer->to, &records, sizeof records);
    end_record(writer, LAST_RECORD, start);
    for (unsigned i = 0; i < MESSAGE_KINDS; i++) message_shared_free(writer->shared[i]);
    DELETE(writer);
}

// ---- reading

struct message_reader {
    struct arena *arena;
    const char *bytes;
    size_t at, size;
    uint64_t checksum, records;
    struct cbor_callbacks callbacks;
    struct text problem;
    struct shared shared[MESSAGE_KINDS][MOST_SHARED];
};

static enum message_status refuse(struct message_reader *reader, const char *why) {
    if (reader->problem.count) return MESSAGE_REFUSED;
    text_add(&reader->problem, "record %llu, at byte %zu: %s", (unsigned long long)reader->records + 1,
             reader->at, why);
    return MESSAGE_REFUSED;
}

static void read_head(struct message_reader *reader) {
    struct head head, expected = stream_head();
    if (reader->size < sizeof head || memcmp(reader->bytes, magic, sizeof magic) != 0) {
        text_add(&reader->problem, "at byte 0: not a stream of messages of Tamar");
        return;
    }
    memcpy(&head, reader->bytes, sizeof head);
    if (head.version != expected.version)
        text_add(&reader->problem, "at byte 8: its version is %u, and this one reads %u", head.version,
                 expected.version);
    else if (head.tables != expected.tables || head.unused)
        text_add(&reader->problem, "at byte 12: it has messages with other fields");
    reader->at = sizeof head;
}

struct message_reader *message_reader_new(struct arena *arena, const void *bytes, size_t size) {
    struct message_reader *reader = NEW(struct message_reader);
    reader->arena = arena;
    reader->bytes = bytes;
    reader->size = size;
    reader->callbacks = decode_callbacks();
    read_head(reader);
    return reader;
}

static enum message_status read_last(struct message_reader *reader, const struct stream_record *record) {
    uint64_t records;
    if (record->size != sizeof records) return refuse(reader, "the last record has a wrong size");
    memcpy(&records, reader->bytes + reader->at + sizeof *record, sizeof records);
    if (records != reader->records) return refuse(reader, "records are missing");
    if (reader->at + sizeof *record + record->size != reader->size)
        return refuse(reader, "something follows the last record");
    return MESSAGE_END;
}

enum message_status message_read(struct message_reader *reader, struct message *message) {
    struct stream_record record;
    if (reader->problem.count) return MESSAGE_REFUSED;
    size_t left = reader->size - reader->at;
    if (left < sizeof record) return refuse(reader, "the stream ends without its last record");
    memcpy(&record, reader->bytes + reader->at, sizeof record);
    if (record.size > left - sizeof record) return refuse(reader, "the stream ends within the record");
    const char *body = reader->bytes + reader->at + sizeof record;
    uint64_t expected = checksum(reader->checksum, record.size, record.kind, body);
    if (record.checksum != expected) return refuse(reader, "the checksum is wrong");
    if (record.kind == LAST_RECORD) return read_last(reader, &record);
    if (record.kind > LAST_RECORD) return refuse(reader, "its kind is not known");
    struct source source = {.at = (const unsigned char *)body,
                            .end = (const unsigned char *)body + record.size,
                            .arena = reader->arena,
                            .callbacks = &reader->callbacks};
    void *value = arena_alloc(reader->arena, message_layouts[record.kind]->size);
    if (!decode_struct(&source, message_layouts[record.kind], value, reader->shared[record.kind]))
        return refuse(reader, source.problem);
    if (source.at != source.end) return refuse(reader, "something follows its last field");
    *message = (struct message){.kind = (enum message_kind)record.kind, .body = value};
    reader->checksum = record.checksum;
    reader->at += sizeof record + record.size;
    reader->records++;
    return MESSAGE_READ;
}

const char *message_problem(const struct message_reader *reader) {
    return reader->problem.at ? reader->problem.at : "";
}

void message_reader_free(struct message_reader *reader) {
    text_free(&reader->problem);
    DELETE(reader);
}
