#include "driver/cc_response.h"

#include "base/error.h"
#include "base/file.h"
#include "base/text.h"

#include <ctype.h>

enum { MAX_DEPTH = 32 };

// Reads one word: both kinds of quotes group, and a backslash quotes the next character (not within '...').
static const char *take_word(const char *p, struct text *word) {
    char quote = 0;
    text_add_bytes(word, "", 0);
    for (; *p; p++) {
        if (!quote && isspace((unsigned char)*p)) break;
        if (*p == quote) {
            quote = 0;
        } else if (!quote && (*p == '\'' || *p == '"')) {
            quote = *p;
        } else {
            if (*p == '\\' && quote != '\'' && p[1]) p++;
            text_add_bytes(word, p, 1);
        }
    }
    return p;
}

static bool expand_word(struct cc_response *response, char *word, int depth);

static bool expand_content(struct cc_response *response, const char *content, int depth) {
    const char *p = content;
    for (;;) {
        while (isspace((unsigned char)*p)) p++;
        if (!*p) return true;
        struct text word = {0};
        p = take_word(p, &word);
        char *copy = mem_strdup(word.at);
        text_free(&word);
        vec_push(&response->owned, copy);
        if (!expand_word(response, copy, depth)) return false;
    }
}

static bool expand_word(struct cc_response *response, char *word, int depth) {
    struct text content = {0};
    if (word[0] != '@' || !file_read(word + 1, &content)) {
        text_free(&content);
        vec_push(&response->words, word);
        return true;
    }
    bool good = depth < MAX_DEPTH;
    if (!good)
        user_error_at("cc", NULL, "response file %s includes itself", word + 1);
    else if (content.at)
        good = expand_content(response, content.at, depth + 1);
    text_free(&content);
    return good;
}

bool cc_response_expand(struct cc_response *response, char **argv) {
    for (; *argv; argv++)
        if (!expand_word(response, *argv, 0)) return false;
    vec_push(&response->words, NULL);
    return true;
}

void cc_response_free(struct cc_response *response) {
    vec_each (char *, word, &response->owned) mem_free_string(*word);
    vec_free(&response->owned);
    vec_free(&response->words);
}
