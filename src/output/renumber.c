// Renumbers tests: their files, run.db, and all references to them.
#include "output/renumber.h"
#include "base/arena.h"
#include "base/file.h"
#include "output/results.h"
#include "output/tests.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char *const ends[] = {"", ".ktest", ".json"};

// Replaces the number in the file.
static bool write_number(struct results *results, const char *name, uint32_t number) {
    struct text path = results_path(results, "%s", name), old = {0}, new = {0};
    static const char key[] = "\"number\": ";
    bool good = file_read(path.at, &old) && old.at;
    char *at = good ? strstr(old.at, key) : NULL;
    if (at) {
        at += sizeof key - 1;
        text_add_bytes(&new, old.at, (size_t)(at - old.at));
        text_add(&new, "%u", number);
        at += strspn(at, "0123456789");
        text_add_bytes(&new, at, old.count - (size_t)(at - old.at));
        test_seal(&new);
        good = results_write(results, name, new.at, new.count);
    }
    text_free(&path);
    text_free(&old);
    text_free(&new);
    return good;
}

// Renames the files of a test. Files may be missing: a run that ends at its time limit may not have written the folder.
static bool move(struct results *results, uint32_t from, uint32_t to) {
    char old[64], new[64];
    bool good = true;
    for (unsigned i = 0; i < COUNT(ends) && good; i++) {
        snprintf(old, sizeof old, "tests/%06u%s", from, ends[i]);
        snprintf(new, sizeof new, "tests/%06u%s", to, ends[i]);
        struct text path = results_path(results, "%s", old);
        if (access(path.at, F_OK) == 0) good = results_rename(results, old, new);
        text_free(&path);
    }
    return good && write_number(results, new, to);
}

bool renumber_files(struct results *results, const uint32_t *numbers, uint32_t count) {
    uint8_t *done = NEW_ARRAY(uint8_t, count + 1);
    uint32_t *old_of = NEW_ARRAY(uint32_t, count + 1);
    const uint32_t held = count + 1; // temporary number of the test that is moved out of the way
    struct text checkpoint = results_path(results, "checkpoint");
    bool good = unlink(checkpoint.at) == 0 || errno == ENOENT;
    text_free(&checkpoint);
    for (uint32_t i = 1; i <= count; i++) old_of[numbers[i]] = i;
    for (uint32_t first = 1; first <= count && good; first++) {
        if (done[first] || numbers[first] == first) continue;
        good = move(results, first, held);
        uint32_t free = first;
        for (; old_of[free] != first && good; free = old_of[free]) {
            good = move(results, old_of[free], free);
            done[free] = 1;
        }
        good = good && move(results, held, free);
        done[free] = 1;
    }
    DELETE_ARRAY(old_of, count + 1);
    DELETE_ARRAY(done, count + 1);
    return good;
}
