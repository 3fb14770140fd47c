// A hash table with chains: malloc and free, pointer chasing, string comparison.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BUCKETS (1 << 15)
#ifndef ROUNDS
#define ROUNDS 15000000
#endif

struct entry {
    struct entry *next;
    uint32_t hash;
    unsigned count;
    char key[];
};
static struct entry *buckets[BUCKETS];

static uint32_t hash_of(const char *key) {
    uint32_t h = 2166136261u;
    for (; *key; key++) h = (h ^ (unsigned char)*key) * 16777619u;
    return h;
}

static struct entry **find(const char *key, uint32_t hash) {
    struct entry **at = &buckets[hash % BUCKETS];
    while (*at && ((*at)->hash != hash || strcmp((*at)->key, key) != 0)) at = &(*at)->next;
    return at;
}

static void make_key(char *key, uint32_t n) {
    *key++ = 'k';
    do *key++ = (char)('a' + n % 26);
    while (n /= 26);
    *key = 0;
}

int main(void) {
    uint32_t state = 7;
    unsigned long added = 0, removed = 0, sum = 0;
    char key[20];
    for (unsigned i = 0; i < ROUNDS; i++) {
        state = state * 1664525u + 1013904223u;
        make_key(key, (state >> 8) % 60000);
        uint32_t hash = hash_of(key);
        struct entry **at = find(key, hash);
        if (!*at) {
            struct entry *entry = malloc(sizeof *entry + strlen(key) + 1);
            entry->next = NULL, entry->hash = hash, entry->count = 0;
            strcpy(entry->key, key);
            *at = entry, added++;
        }
        if (++(*at)->count == 60) {
            struct entry *entry = *at;
            *at = entry->next, removed++;
            free(entry);
        }
    }
    for (unsigned i = 0; i < BUCKETS; i++)
        for (struct entry *entry = buckets[i]; entry; entry = entry->next)
            sum = sum * 31 + entry->hash + entry->count;
    printf("%lu %lu %lu\n", added, removed, sum);
    return 0;
}
