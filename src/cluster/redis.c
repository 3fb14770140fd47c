#include "cluster/redis.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/vec.h"

#include <ctype.h>
#include <hiredis/hiredis.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define FIRST_WAIT   0.1 // seconds before the second connection attempt
#define LONGEST_WAIT 2.0

struct redis {
    struct redis_address address;
    struct redis_script *scripts;
    uint32_t script_count;
    double seconds;
    redisContext *link; // NULL: not connected
    redisReply *reply;  // reply to the last command
    struct text problem;
    bool refused;
    double wait, next_try;
    uint64_t commands, bytes;
};

// ---- addresses

static const char remedy[] =
    "Write redis://[[USER]:PASSWORD@]HOST[:PORT]/RUN, such as redis://head:6379/my-run.";

static int hex(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    c = (char)tolower(c);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

// Copies a part of the URL and decodes %XX. Returns false if it is too long or has a zero byte.
static bool copy_part(char *to, size_t room, const char *from, const char *end) {
    size_t count = 0;
    while (from < end) {
        int byte = (unsigned char)*from++;
        if (byte == '%' && end - from >= 2 && hex(from[0]) >= 0 && hex(from[1]) >= 0) {
            byte = hex(from[0]) * 16 + hex(from[1]);
            from += 2;
        }
        if (!byte || count + 1 >= room) return false;
        to[count++] = (char)byte;
    }
    to[count] = 0;
    return true;
}

static bool is_run_name(const char *name) {
    size_t length = strlen(name);
    for (size_t i = 0; i < length; i++)
        if (!isalnum((unsigned char)name[i]) && !strchr("._-", name[i])) return false;
    return length >= 1 && length <= 64;
}

static bool parse_user(struct redis_address *address, const char *at, const char *end) {
    const char *colon = memchr(at, ':', (size_t)(end - at));
    if (!colon) return copy_part(address->user, sizeof address->user, at, end);
    return copy_part(address->user, sizeof address->user, at, colon) &&
           copy_part(address->password, sizeof address->password, colon + 1, end);
}

static bool parse_host(struct redis_address *address, const char *at, const char *end) {
    bool bracket = at < end && *at == '[';
    const char *close = bracket ? memchr(at, ']', (size_t)(end - at)) : NULL;
    if (bracket && !close) return false;
    const char *colon = memchr(bracket ? close : at, ':', (size_t)(end - (bracket ? close : at)));
    const char *host_end = bracket ? close : colon ? colon : end;
    if (!copy_part(address->host, sizeof address->host, at + bracket, host_end) || !*address->host)
        return false;
    address->port = 6379;
    if (!colon) return true;
    char *rest;
    long port = strtol(colon + 1, &rest, 10);
    address->port = (int)port;
    return rest == end && rest != colon + 1 && port >= 1 && port <= 65535;
}

bool redis_parse(const char *url, struct redis_address *address) {
    static const char plain[] = "redis://";
    *address = (struct redis_address){0};
    if (!strncmp(url, "rediss://", 9)) {
        user_error_at("rediss://", "Use a tunnel: docs/howto/cluster.md shows stunnel and ssh -L.",
                      "the client library has no TLS");
        return false;
    }
    const char *at = url + sizeof plain - 1, *slash = NULL, *last = NULL;
    if (!strncmp(url, plain, sizeof plain - 1)) slash = strrchr(at, '/');
    for (const char *c = at; slash && c < slash; c++)
        if (*c == '@') last = c;
    if (!slash || (last && !parse_user(address, at, last)) ||
        !parse_host(address, last ? last + 1 : at, slash) ||
        !copy_part(address->run, sizeof address->run, slash + 1, slash + strlen(slash)) ||
        !is_run_name(address->run)) {
        const char *shown = last ? last + 1 : url; // without the password
        user_error_at(shown, remedy,
                      "is not the address of a run (letters, digits, '.', '_' and '-' in RUN)");
        return false;
    }
    const char *variable = getenv("REDISCLI_AUTH");
    if (!*address->password && variable)
        snprintf(address->password, sizeof address->password, "%s", variable);
    return true;
}

void redis_add_address(struct text *to, const struct redis_address *address) {
    bool colon = strchr(address->host, ':') != NULL;
    text_add(to, "redis://%s%s%s:%d/%s", colon ? "[" : "", address->host, colon ? "]" : "", address->port,
             address->run);
}

// ---- the connection

static void write_fails(int number) {}

struct redis *redis_new(const struct redis_address *address, struct redis_script *scripts,
                        uint32_t script_count, double seconds) {
    struct redis *redis = NEW(struct redis);
    signal(SIGPIPE, write_fails); // a handler, unlike "ignore", does not reach programs that are run natively
    redis->address = *address;
    redis->scripts = scripts;
    redis->script_count = script_count;
    redis->seconds = seconds;
    redis->wait = FIRST_WAIT;
    return redis;
}

static void forget_reply(struct redis *redis) {
    if (redis->reply) freeReplyObject(redis->reply);
    redis->reply = NULL;
}

static void disconnect(struct redis *redis, const char *problem) {
    if (problem) {
        text_clear(&redis->problem);
        text_add(&redis->problem, "%s", problem);
    }
    if (redis->link) redisFree(redis->link);
    redis->link = NULL;
    redis->next_try = clock_seconds() + redis->wait;
    redis->wait = MIN(2 * redis->wait, LONGEST_WAIT);
}

void redis_free(struct redis *redis) {
    if (!redis) return;
    forget_reply(redis);
    if (redis->link) redisFree(redis->link);
    text_free(&redis->problem);
    DELETE(redis);
}

static uint64_t size_of(const redisReply *reply) {
    uint64_t sum = reply->len;
    for (size_t i = 0; reply->type == REDIS_REPLY_ARRAY && i < reply->elements; i++)
        sum += size_of(reply->element[i]);
    return sum;
}

// Sends one command over an open connection. Returns NULL on failure, with the reason in the problem.
static redisReply *talk(struct redis *redis, uint32_t count, const char *const *words, const size_t *sizes) {
    forget_reply(redis);
    redis->refused = false;
    redis->commands++;
    for (uint32_t i = 0; i < count; i++) redis->bytes += sizes[i];
    redisReply *reply = redisCommandArgv(redis->link, (int)count, (const char **)words, sizes);
    if (!reply) {
        disconnect(redis, redis->link->err ? redis->link->errstr : "the connection is gone");
        return NULL;
    }
    redis->reply = reply;
    redis->bytes += size_of(reply);
    if (reply->type != REDIS_REPLY_ERROR) return reply;
    text_clear(&redis->problem);
    text_add_line(&redis->problem, reply->str, reply->len);
    redis->refused = true;
    // Temporary errors (the server starts, stops, or has lost its scripts): a new connection may succeed.
    static const char *const passing[] = {"LOADING",    "NOSCRIPT", "READONLY",
                                          "MASTERDOWN", "BUSY ",    "TRYAGAIN"};
    for (unsigned i = 0; i < COUNT(passing); i++) {
        if (strncmp(reply->str, passing[i], strlen(passing[i])) != 0) continue;
        redis->refused = false;
        disconnect(redis, NULL);
        break;
    }
    return NULL;
}

static bool say_words(struct redis *redis, uint32_t count, const char *const *words) {
    size_t sizes[4];
    assert(count <= COUNT(sizes));
    for (uint32_t i = 0; i < count; i++) sizes[i] = strlen(words[i]);
    return talk(redis, count, words, sizes) != NULL;
}

static bool log_in(struct redis *redis) {
    const struct redis_address *address = &redis->address;
    if (!*address->password) return true;
    if (!*address->user) return say_words(redis, 2, (const char *[]){"AUTH", address->password});
    return say_words(redis, 3, (const char *[]){"AUTH", address->user, address->password});
}

static bool load_scripts(struct redis *redis) {
    for (uint32_t i = 0; i < redis->script_count; i++) {
        struct redis_script *script = &redis->scripts[i];
        if (!say_words(redis, 3, (const char *[]){"SCRIPT", "LOAD", script->text})) return false;
        size_t size;
        const char *name = redis_text((const struct redis_reply *)redis->reply, &size);
        if (size >= sizeof script->name) return false;
        memcpy(script->name, name, size + 1);
    }
    return true;
}

static bool connect_now(struct redis *redis) {
    if (redis->link) return true;
    if (clock_seconds() < redis->next_try) return false;
    struct timeval wait = {(time_t)redis->seconds,
                           (suseconds_t)((redis->seconds - (double)(time_t)redis->seconds) * 1e6)};
    redis->link = redisConnectWithTimeout(redis->address.host, redis->address.port, wait);
    if (!redis->link || redis->link->err) {
        disconnect(redis, redis->link ? redis->link->errstr : "no memory");
        return false;
    }
    redisSetTimeout(redis->link, wait);
    redisEnableKeepAlive(redis->link);
    if (!log_in(redis) || !load_scripts(redis)) {
        bool refused = redis->refused;
        disconnect(redis, NULL);
        redis->refused = refused;
        return false;
    }
    redis->wait = FIRST_WAIT;
    return true;
}

const struct redis_reply *redis_command(struct redis *redis, uint32_t count, const char *const *words,
                                        const size_t *sizes) {
    forget_reply(redis);
    redis->refused = false;
    if (!connect_now(redis)) return NULL;
    return (const struct redis_reply *)talk(redis, count, words, sizes);
}

const struct redis_reply *redis_list(struct redis *redis, const char *const *list) {
    vec(size_t) sizes = {0};
    for (uint32_t i = 0; list[i]; i++) vec_push(&sizes, strlen(list[i]));
    const struct redis_reply *reply = redis_command(redis, sizes.count, list, sizes.at);
    vec_free(&sizes);
    return reply;
}

const struct redis_reply *redis_run_script(struct redis *redis, uint32_t script, const char *key,
                                           uint32_t count, const char *const *words, const size_t *sizes) {
    assert(script < redis->script_count);
    if (!connect_now(redis)) return NULL; // the script's name is known once connected
    vec(const char *) all = {0};
    vec(size_t) all_sizes = {0};
    const char *head[] = {"EVALSHA", redis->scripts[script].name, "1", key};
    for (unsigned i = 0; i < COUNT(head); i++) {
        vec_push(&all, head[i]);
        vec_push(&all_sizes, strlen(head[i]));
    }
    for (uint32_t i = 0; i < count; i++) {
        vec_push(&all, words[i]);
        vec_push(&all_sizes, sizes[i]);
    }
    const struct redis_reply *reply = redis_command(redis, all.count, all.at, all_sizes.at);
    vec_free(&all);
    vec_free(&all_sizes);
    return reply;
}

const char *redis_problem(const struct redis *redis) {
    return redis->problem.at ? redis->problem.at : "away";
}
bool redis_was_refused(const struct redis *redis) { return redis->refused; }

uint64_t redis_traffic(const struct redis *redis, uint64_t *bytes) {
    *bytes = redis->bytes;
    return redis->commands;
}

// ---- replies

static const redisReply *raw(const struct redis_reply *reply) { return (const redisReply *)reply; }

uint32_t redis_count(const struct redis_reply *reply) {
    if (!reply || raw(reply)->type != REDIS_REPLY_ARRAY) return 0;
    return (uint32_t)MIN(raw(reply)->elements, UINT32_MAX);
}

const struct redis_reply *redis_at(const struct redis_reply *reply, uint32_t index) {
    return index < redis_count(reply) ? (const struct redis_reply *)raw(reply)->element[index] : NULL;
}

bool redis_is_nothing(const struct redis_reply *reply) {
    return !reply || raw(reply)->type == REDIS_REPLY_NIL;
}

const char *redis_text(const struct redis_reply *reply, size_t *size) {
    bool is_text =
        reply && (raw(reply)->type == REDIS_REPLY_STRING || raw(reply)->type == REDIS_REPLY_STATUS);
    if (size) *size = is_text ? raw(reply)->len : 0;
    return is_text ? raw(reply)->str : "";
}

int64_t redis_number(const struct redis_reply *reply) {
    if (!reply) return 0;
    if (raw(reply)->type == REDIS_REPLY_INTEGER) return raw(reply)->integer;
    return strtoll(redis_text(reply, NULL), NULL, 10);
}
