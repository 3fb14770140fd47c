#include "run/peers.h"

#include "../runtime/boundary.h"
#include "base/error.h"
#include "base/file.h"
#include "base/vec.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

#define MOST_SCRIPT   (1u << 20)
#define MOST_SYMBOLIC (1u << 20)
#define FIRST_PORT    40001 // first port of peers without a given port

struct known_peer {
    const char *name; // points into the script, not terminated
    size_t length;
    enum __tamar_peer_kind begins; // CONNECT, LISTEN or UDP
};

struct peers_script {
    const char *path;
    uint32_t line;
    const char *at; // next character of the line
    struct text *steps;
    vec(struct known_peer) peers;
};

static bool wrong(const struct peers_script *script, const char *remedy, const char *cause, const char *what,
                  size_t length) {
    struct text place = {0};
    text_add(&place, "%s:%u", script->path, script->line);
    user_error_at(place.at, remedy, "%s '%.*s'", cause, (int)length, what);
    text_free(&place);
    return false;
}

static void add_step(struct peers_script *script, enum __tamar_peer_kind kind, uint32_t peer,
                     const void *bytes, size_t size) {
    struct __tamar_peer_step head = {kind, peer, script->line, (uint32_t)size};
    text_add_bytes(script->steps, &head, sizeof head);
    text_add_bytes(script->steps, bytes, size);
}

// ---- words

static void skip_blanks(struct peers_script *script) {
    while (*script->at == ' ' || *script->at == '\t' || *script->at == '\r') script->at++;
}

static bool at_end(struct peers_script *script) {
    skip_blanks(script);
    return !*script->at || *script->at == '#';
}

static const char *next_word(struct peers_script *script, size_t *length) {
    skip_blanks(script);
    const char *start = script->at;
    while (*script->at && !isspace((unsigned char)*script->at)) script->at++;
    *length = (size_t)(script->at - start);
    return start;
}

static bool is_word(const char *word, size_t length, const char *text) {
    return length == strlen(text) && !memcmp(word, text, length);
}

static bool read_number(const char *word, size_t length, unsigned long most, unsigned long *value) {
    char *end;
    *value = strtoul(word, &end, 10);
    return length && isdigit((unsigned char)*word) && end == word + length && *value <= most;
}

// Parses [ADDRESS:]PORT into six bytes in network order.
static bool read_address(struct peers_script *script, unsigned char *to) {
    size_t length;
    unsigned long port;
    char text[INET_ADDRSTRLEN] = "127.0.0.1";
    const char *word = next_word(script, &length), *colon = memchr(word, ':', length);
    const char *digits = colon ? colon + 1 : word;
    if (colon && colon - word < (long)sizeof text) {
        memcpy(text, word, (size_t)(colon - word));
        text[colon - word] = 0;
    }
    if ((colon && colon - word >= (long)sizeof text) || inet_pton(AF_INET, text, to) != 1 ||
        !read_number(digits, length - (size_t)(digits - word), 65535, &port))
        return wrong(script, "Give a port, or ADDRESS:PORT with the address as four numbers.",
                     "this is not an address:", word, length);
    to[4] = (unsigned char)(port >> 8);
    to[5] = (unsigned char)port;
    return true;
}

static int hex_digit(int c) { return isdigit(c) ? c - '0' : isxdigit(c) ? tolower(c) - 'a' + 10 : -1; }

// Parses "text" with the escapes of C.
static bool read_quoted(struct peers_script *script, struct text *bytes) {
    static const char letters[] = "nrt0\\\"", meanings[] = "\n\r\t\0\\\"";
    const char *start = script->at++;
    for (; *script->at && *script->at != '"'; script->at++) {
        char c = *script->at;
        if (c == '\\') {
            c = *++script->at;
            const char *letter = c ? strchr(letters, c) : NULL;
            int high = c == 'x' ? hex_digit((unsigned char)script->at[1]) : -1;
            int low = high >= 0 ? hex_digit((unsigned char)script->at[2]) : -1;
            if (!letter && low < 0)
                return wrong(script, "The escape sequences are \\n \\r \\t \\0 \\\\ \\\" and \\xHH.",
                             "this is not an escape sequence:", script->at - 1, c ? 2 : 1);
            c = letter ? meanings[letter - letters] : (char)(high * 16 + low);
            if (!letter) script->at += 2;
        }
        text_add_bytes(bytes, &c, 1);
    }
    if (*script->at != '"')
        return wrong(script, "End it with \" on the same line.", "this text does not end:", start,
                     strlen(start));
    script->at++;
    return true;
}

// Parses bytes: two hexadecimal digits each, or N*HH: that byte N times.
static bool read_hex(struct peers_script *script, struct text *bytes) {
    size_t length;
    unsigned long count = 1;
    const char *word = next_word(script, &length), *star = memchr(word, '*', length);
    const char *digits = star ? star + 1 : word, *end = word + length;
    bool good = !star || (read_number(word, (size_t)(star - word), MOST_SCRIPT, &count) && end - digits == 2);
    good &= (end - digits) % 2 == 0 && end != digits;
    for (const char *p = digits; good && p < end; p += 2) {
        int high = hex_digit((unsigned char)p[0]), low = hex_digit((unsigned char)p[1]);
        good = high >= 0 && low >= 0;
        char byte = (char)(high * 16 + low);
        for (unsigned long i = 0; good && i < count; i++) text_add_bytes(bytes, &byte, 1);
    }
    return good || wrong(script, "Bytes are \"text\", pairs of hexadecimal digits, or N*HH.",
                         "these are not bytes:", word, length);
}

static bool read_bytes(struct peers_script *script, enum __tamar_peer_kind kind, uint32_t peer) {
    struct text bytes = {0};
    bool good = true;
    while (good && !at_end(script))
        good = *script->at == '"' ? read_quoted(script, &bytes) : read_hex(script, &bytes);
    if (good && !bytes.count)
        good = wrong(script, "Name bytes: \"text\", pairs of hexadecimal digits, or N*HH.",
                     "nothing is given to", kind == __TAMAR_PEER_SEND ? "send" : "expect",
                     kind == __TAMAR_PEER_SEND ? 4 : 6);
    if (good) add_step(script, kind, peer, bytes.at, bytes.count);
    text_free(&bytes);
    return good;
}

// ---- steps

// Parses `interface NAME ADDRESS/BITS HARDWARE`.
static bool read_interface(struct peers_script *script) {
    static const char remedy[] = "Write: interface NAME ADDRESS/BITS HH:HH:HH:HH:HH:HH";
    unsigned char bytes[30];
    char address[32] = "";
    size_t name_length, length, hardware_length;
    const char *name = next_word(script, &name_length), *word = next_word(script, &length);
    const char *slash = memchr(word, '/', length), *hardware = next_word(script, &hardware_length);
    unsigned long bits = 0;
    bool good = name_length && name_length <= 15 && slash && (size_t)(slash - word) < sizeof address &&
                read_number(slash + 1, length - (size_t)(slash + 1 - word), 32, &bits) &&
                hardware_length == 17;
    if (good) memcpy(address, word, (size_t)(slash - word));
    good = good && inet_pton(AF_INET, address, bytes) == 1;
    uint32_t mask = htonl(bits ? UINT32_MAX << (32 - bits) : 0);
    memcpy(bytes + 4, &mask, sizeof mask);
    for (unsigned i = 0; good && i < 6; i++) {
        int high = hex_digit((unsigned char)hardware[3 * i]),
            low = hex_digit((unsigned char)hardware[3 * i + 1]);
        good = high >= 0 && low >= 0;
        bytes[8 + i] = (unsigned char)(high * 16 + low);
    }
    if (!good) return wrong(script, remedy, "this is not an interface:", name, name_length);
    memcpy(bytes + 14, name, name_length);
    add_step(script, __TAMAR_PEER_INTERFACE, 0, bytes, 14 + name_length);
    return true;
}

static bool read_wait(struct peers_script *script) {
    size_t length;
    const char *word = next_word(script, &length);
    char *end;
    double seconds = strtod(word, &end);
    if (!length || end != word + length || !(seconds >= 0 && seconds <= 1e9))
        return wrong(script, "Write: wait SECONDS", "this is not a time:", word, length);
    uint64_t nanoseconds = (uint64_t)(seconds * 1e9);
    add_step(script, __TAMAR_PEER_WAIT, 0, &nanoseconds, sizeof nanoseconds);
    return true;
}

static bool read_symbolic(struct peers_script *script, uint32_t peer) {
    size_t length;
    unsigned long value;
    const char *word = next_word(script, &length);
    if (!read_number(word, length, MOST_SYMBOLIC, &value) || !value)
        return wrong(script, "Give a number from 1 to 1048576.",
                     "this is not a number of symbolic bytes:", word, length);
    uint32_t size = (uint32_t)value;
    add_step(script, __TAMAR_PEER_SYMBOLIC, peer, &size, sizeof size);
    return true;
}

// Parses the first step of a peer: NAME connect TO [from OWN], NAME listen OWN, NAME udp TO [from OWN].
static bool read_beginning(struct peers_script *script, enum __tamar_peer_kind kind, const char *name,
                           size_t name_length) {
    uint32_t number = script->peers.count + 1;
    unsigned char own[12] = {127,
                             0,
                             0,
                             1,
                             (unsigned char)((FIRST_PORT + number - 1) >> 8),
                             (unsigned char)(FIRST_PORT + number - 1)};
    if (!read_address(script, kind == __TAMAR_PEER_LISTEN ? own : own + 6)) return false;
    if (kind != __TAMAR_PEER_LISTEN && !at_end(script)) {
        size_t length;
        const char *word = next_word(script, &length);
        if (!is_word(word, length, "from"))
            return wrong(script, "Only `from ADDRESS` may follow.", "unexpected:", word, length);
        if (!read_address(script, own)) return false;
    }
    vec_push(&script->peers, ((struct known_peer){name, name_length, kind}));
    add_step(script, __TAMAR_PEER_NAME, number, name, name_length);
    add_step(script, kind, number, own, kind == __TAMAR_PEER_LISTEN ? 6 : 12);
    return true;
}

static const struct {
    const char *word;
    enum __tamar_peer_kind kind;
} actions[] = {{"connect", __TAMAR_PEER_CONNECT},   {"listen", __TAMAR_PEER_LISTEN},
               {"udp", __TAMAR_PEER_UDP},           {"accept", __TAMAR_PEER_ACCEPT},
               {"send", __TAMAR_PEER_SEND},         {"symbolic", __TAMAR_PEER_SYMBOLIC},
               {"expect", __TAMAR_PEER_EXPECT},     {"close", __TAMAR_PEER_CLOSE},
               {"shutdown", __TAMAR_PEER_SHUTDOWN}, {"ends", __TAMAR_PEER_ENDS}};

static uint32_t find_peer(const struct peers_script *script, const char *name, size_t length) {
    for (uint32_t i = 0; i < script->peers.count; i++)
        if (script->peers.at[i].length == length && !memcmp(script->peers.at[i].name, name, length))
            return i + 1;
    return 0;
}

static bool is_name(const char *name, size_t length) {
    bool good = length > 0 && length <= 64;
    for (size_t i = 0; good && i < length; i++)
        good = isalnum((unsigned char)name[i]) || name[i] == '-' || name[i] == '_';
    return good;
}

static bool read_action(struct peers_script *script, const char *name, size_t name_length) {
    size_t length, number = 0;
    const char *word = next_word(script, &length);
    while (number < COUNT(actions) && !is_word(word, length, actions[number].word)) number++;
    if (!is_name(name, name_length) || number == COUNT(actions))
        return wrong(
            script,
            "A line is: NAME connect|listen|udp|accept|send|symbolic|expect|close|shutdown|ends ..., "
            "interface ..., or wait SECONDS.",
            "this is not a step:", name, strlen(name));
    enum __tamar_peer_kind kind = actions[number].kind;
    uint32_t peer = find_peer(script, name, name_length);
    bool begins = kind == __TAMAR_PEER_CONNECT || kind == __TAMAR_PEER_LISTEN || kind == __TAMAR_PEER_UDP;
    if (begins && peer)
        return wrong(script, "Give it another name.", "there is already a peer", name, name_length);
    if (!begins && !peer)
        return wrong(script, "It begins with: NAME connect, NAME listen or NAME udp.",
                     "there is no peer yet with the name", name, name_length);
    if (begins) return read_beginning(script, kind, name, name_length);
    if (kind == __TAMAR_PEER_SEND || kind == __TAMAR_PEER_EXPECT) return read_bytes(script, kind, peer);
    if (kind == __TAMAR_PEER_SYMBOLIC) return read_symbolic(script, peer);
    if (script->peers.at[peer - 1].begins == __TAMAR_PEER_UDP ||
        (kind == __TAMAR_PEER_ACCEPT && script->peers.at[peer - 1].begins != __TAMAR_PEER_LISTEN))
        return wrong(script, "accept is for peers that listen, close, shutdown and ends for connections.",
                     "this peer cannot do that:", name, strlen(name));
    add_step(script, kind, peer, "", 0);
    return true;
}

static bool read_line(struct peers_script *script) {
    if (at_end(script)) return true;
    size_t length;
    const char *word = next_word(script, &length);
    bool good = is_word(word, length, "interface") ? read_interface(script)
                : is_word(word, length, "wait")    ? read_wait(script)
                                                   : read_action(script, word, length);
    if (good && !at_end(script))
        return wrong(script, "Write one step per line.", "unexpected:", script->at, strlen(script->at));
    return good;
}

bool peers_read(const char *path, struct text *steps) {
    static const char remedy[] = "Name a file with a script; docs/sockets.md describes it.";
    struct text content = {0};
    struct stat st;
    if (stat(path, &st) == 0 && S_ISDIR(st.st_mode)) {
        user_error_at("--peers", remedy, "%s is a directory", path);
        return false;
    }
    if (stat(path, &st) == 0 && st.st_size > MOST_SCRIPT) {
        user_error_at("--peers", "The limit is 1 MB.", "%s has %lld bytes", path, (long long)st.st_size);
        return false;
    }
    if (!file_read(path, &content)) {
        user_error_at("--peers", remedy, "%s: %s", path, strerror(errno));
        return false;
    }
    struct peers_script script = {.path = path, .steps = steps};
    bool good = true;
    for (char *line = content.at; good && line && *line;) {
        char *end = strchr(line, '\n');
        if (end) *end = 0;
        script.line++;
        script.at = line;
        good = read_line(&script);
        line = end ? end + 1 : NULL;
    }
    if (good && !steps->count) {
        user_error_at("--peers", remedy, "%s has no steps", path);
        good = false;
    }
    vec_free(&script.peers);
    text_free(&content);
    if (!good) text_free(steps);
    return good;
}
