// A connection to a Redis server, the only user of hiredis. Commands have binary arguments; replies are trees of
// numbers and texts. An unreachable server is not an error: the command returns NULL, and a later one reconnects.
#ifndef TAMAR_CLUSTER_REDIS_H
#define TAMAR_CLUSTER_REDIS_H

#include "base/text.h"

#define REDIS_LARGEST ((size_t)256 << 20) // largest value that is sent or accepted, in bytes

// redis://[[USER]:PASSWORD@]HOST[:PORT]/RUN
struct redis_address {
    char host[256], user[128], password[256], run[72];
    int port;
};

// Parses a URL. Without a password in it REDISCLI_AUTH is used, as by redis-cli. Returns false if an error has been
// reported.
bool redis_parse(const char *url, struct redis_address *address);
// Appends the URL without its password, for messages and files.
void redis_add_address(struct text *to, const struct redis_address *address);

struct redis;
struct redis_reply;

struct redis_script {
    const char *text;
    char name[48]; // SHA-1, as reported by the server
};

// Connects with the first command, and then loads the scripts, which must outlive the connection. `seconds`: timeout
// of a reply.
struct redis *redis_new(const struct redis_address *address, struct redis_script *scripts,
                        uint32_t script_count, double seconds);
void redis_free(struct redis *redis);

// Sends the words and waits for the reply, which is valid until the next command. Returns NULL if the server cannot
// be reached or reports an error: see redis_problem.
const struct redis_reply *redis_command(struct redis *redis, uint32_t count, const char *const *words,
                                        const size_t *sizes);
// As redis_command, for words without zero bytes; the list ends with NULL.
const struct redis_reply *redis_list(struct redis *redis, const char *const *list);
#define redis_words(redis, ...) redis_list(redis, (const char *const[]){__VA_ARGS__, NULL})
// Runs a script with one key.
const struct redis_reply *redis_run_script(struct redis *redis, uint32_t script, const char *key,
                                           uint32_t count, const char *const *words, const size_t *sizes);
// Returns the reason why the last command returned NULL.
const char *redis_problem(const struct redis *redis);
// Returns true if the server answered the last command with an error, false if it could not be reached.
bool redis_was_refused(const struct redis *redis);
// Returns the number of commands so far; *bytes: their size in both directions.
uint64_t redis_traffic(const struct redis *redis, uint64_t *bytes);

// Accessors of a reply. For a missing or unexpected part they return NULL, 0 or "".
uint32_t redis_count(const struct redis_reply *reply);
const struct redis_reply *redis_at(const struct redis_reply *reply, uint32_t index);
bool redis_is_nothing(const struct redis_reply *reply);
// Returns the bytes, with a NUL after the last one.
const char *redis_text(const struct redis_reply *reply, size_t *size);
int64_t redis_number(const struct redis_reply *reply);

#endif
