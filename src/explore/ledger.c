#include "explore/ledger.h"

#include <string.h>

void ledger_open(struct ledger *ledger) { *ledger = (struct ledger){.texts = arena_new()}; }

void ledger_close(struct ledger *ledger) {
    vec_free(&ledger->entries);
    map_free(&ledger->index);
    arena_free(ledger->texts);
}

void ledger_note(struct ledger *ledger, const char *what, uint32_t site, bool lost, uint64_t count) {
    assert(what && count);
    uint64_t key = hash_bytes(what, strlen(what), site) >> 1, *found;
    for (;; key++) { // reasons with equal hashes are adjacent
        found = map_put(&ledger->index, key);
        if (!*found) break;
        const struct given_up *entry = &ledger->entries.at[*found - 1];
        if (entry->site == site && entry->lost == lost && !strcmp(entry->what, what)) break;
    }
    if (!*found) {
        *found = ledger->entries.count + 1;
        struct given_up entry = {arena_strdup(ledger->texts, what), site, 0, lost};
        vec_push(&ledger->entries, entry);
    }
    assert(*found <= ledger->entries.count);
    ledger->entries.at[*found - 1].count += count;
    if (lost) ledger->lost += count;
}
