// The name of the file that has an object's bytes in a test: written by the engine, read by native builds.
// ':' becomes '_'; '/', '%' and a leading '.' are written as %XX. A name that is too long for a file is
// cut, and a hash of the whole name follows: "%~" and sixteen digits, which no other name contains.
#ifndef TAMAR_OBJECT_FILE_H
#define TAMAR_OBJECT_FILE_H

#include <stddef.h>

#define OBJECT_FILE_SIZE    256 // a file name, and a NUL
#define OBJECT_FILE_LONGEST 200 // characters of the object's name; longer ones are cut

// A test with very many objects has one file for them: for each object an entry, then its bytes.
#define OBJECT_LIST "objects.list"
struct object_list_entry {
    unsigned long hash, size; // hash of the object's name, as object_file_name returns it
};

struct object_file_writer {
    char *to;
    size_t count, bytes; // characters written; characters of the object's name
    size_t kept;         // characters that remain if the name is cut
    int is_long;
    unsigned long hash; // FNV-1a
};

static inline void object_file_put(struct object_file_writer *writer, unsigned char c) {
    static const char digits[] = "0123456789ABCDEF";
    if (c == ':') c = '_'; // as in the engine
    int coded = c == '/' || c == '%' || (c == '.' && writer->bytes == 0);
    writer->hash = (writer->hash ^ c) * 1099511628211ul;
    writer->bytes++;
    if (writer->count + (coded ? 3 : 1) >= OBJECT_FILE_SIZE || writer->bytes > OBJECT_FILE_LONGEST)
        writer->is_long = 1;
    if (writer->is_long) return;
    if (coded) {
        writer->to[writer->count++] = '%';
        writer->to[writer->count++] = digits[c >> 4];
        writer->to[writer->count++] = digits[c & 15];
    } else {
        writer->to[writer->count++] = (char)c;
    }
    if (writer->count <= OBJECT_FILE_LONGEST) writer->kept = writer->count;
}

// Writes the file name of object NAME, or NAME#NUMBER if the number is not 0. Returns the hash of that name.
static inline unsigned long object_file_name(char to[OBJECT_FILE_SIZE], const char *name,
                                             unsigned int number) {
    struct object_file_writer writer = {.to = to, .hash = 14695981039346656037ul};
    while (*name) object_file_put(&writer, (unsigned char)*name++);
    if (number) {
        char digits[12], *d = digits + sizeof digits;
        *--d = 0;
        do *--d = (char)('0' + number % 10);
        while (number /= 10);
        *--d = '#';
        while (*d) object_file_put(&writer, (unsigned char)*d++);
    }
    if (!writer.bytes) to[writer.count++] = '%';
    if (writer.is_long) {
        writer.count = writer.kept;
        to[writer.count++] = '%';
        to[writer.count++] = '~';
        for (int i = 60; i >= 0; i -= 4) to[writer.count++] = "0123456789abcdef"[writer.hash >> i & 15];
    }
    to[writer.count] = 0;
    return writer.hash;
}

#endif
