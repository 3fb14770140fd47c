// Directories: entries in memory, which take precedence over the host's.
#include "runtime/linux/linux.h"

static bool is_symbolic(const char *name) { return __tamar_is_symbolic_bytes(name, strlen(name)); }

// Compares with one decision for a symbolic name of known length, instead of one for each byte.
static bool is_same(const char *name, const char *other) {
    size_t length = strlen(name);
    unsigned difference = 0;
    if (strlen(other) != length) return false;
    for (size_t i = 0; i < length; i++) difference |= (unsigned)(name[i] ^ other[i]);
    return difference == 0;
}

static unsigned hash_of(const char *name) {
    unsigned hash = 5381;
    while (*name) hash = hash * 33 + (unsigned char)*name++;
    return hash;
}

// Folders of thousands of files have names with common beginnings: their hashes are compared first.
static struct entry **slot_of(struct inode *directory, const char *name) {
    struct entry **p = &directory->entries;
    if (is_symbolic(name)) {
        while (*p && !is_same(name, (*p)->name)) p = &(*p)->next;
        return p;
    }
    unsigned hash = hash_of(name);
    while (*p && (((*p)->hash != hash && !(*p)->symbolic) || strcmp(name, (*p)->name) != 0)) p = &(*p)->next;
    return p;
}

static struct entry *entry_new(const char *name, struct inode *inode) {
    size_t size = strlen(name) + 1;
    struct entry *entry = __tamar_new(sizeof *entry + size);
    if (!entry) return NULL;
    memcpy(entry->name, name, size);
    entry->inode = inode;
    entry->symbolic = is_symbolic(name);
    entry->hash = entry->symbolic ? 0 : hash_of(name);
    return entry;
}

static void adopt(struct inode *directory, const char *name, struct inode *inode) {
    if (!S_ISDIR(inode->mode)) return;
    inode->parent = directory;
    __tamar_delete(inode->name);
    inode->name = __tamar_copy_text(name);
}

// Joins "/a" and "b" to "/a/b". Returns false if the result is too long.
static bool join(char *path, size_t size, const char *directory, const char *name) {
    size_t length = strlen(directory), extra = strlen(name);
    if (length == 1) length = 0; // the root
    if (length + extra + 2 > size) return false;
    memcpy(path, directory, length);
    path[length] = '/';
    memcpy(path + length + 1, name, extra + 1);
    return true;
}

// A symbolic name is compared with the existing names if they are not too many: one path for each file
// that it can name, and one for all other names. Concretized, it would hardly ever name a file. Only in
// the start directory and below: other directories may change, and a test must take the same path later.
enum { MOST_CANDIDATES = 64 };

static bool is_below(const struct inode *directory, const struct inode *above) {
    while (directory && directory != above && directory != directory->parent) directory = directory->parent;
    return directory == above;
}

static bool has_candidates(const struct inode *directory, const char *name) {
    char last[NAME_MAX + 1];
    return is_symbolic(name) && is_below(directory, KERNEL->home) &&
           __tamar_host_candidate(directory->host, MOST_CANDIDATES, last, sizeof last) == 0;
}

static bool choose(const struct inode *directory, const char *name, char *chosen) {
    for (unsigned long i = 0; __tamar_host_candidate(directory->host, i, chosen, NAME_MAX + 1) > 0; i++)
        if (is_same(name, chosen)) return true;
    return false;
}

// Queries the host, and caches the answer. `slot`: the end of the list, where the name was not found.
static struct entry *find_on_host(struct inode *directory, const char *name, struct entry **slot) {
    char path[PATH_MAX], chosen[NAME_MAX + 1];
    struct __tamar_host_stat host;
    if (has_candidates(directory, name)) {
        if (!choose(directory, name, chosen)) return NULL;
        name = chosen;
        slot = slot_of(directory, name);
    }
    if (!join(path, sizeof path, directory->host, name)) return NULL;
    if (__tamar_host_stat(path, 0, &host) < 0) return NULL;
    struct inode *inode = __tamar_inode_from_host(path, &host);
    struct entry *entry = inode ? entry_new(name, inode) : NULL;
    if (!entry) return NULL;
    *slot = entry;
    adopt(directory, name, inode);
    return entry;
}

struct entry *__tamar_entry_find(struct inode *directory, const char *name) {
    struct entry **slot = slot_of(directory, name), *entry = *slot;
    if (!entry && directory->host) entry = find_on_host(directory, name, slot);
    return entry && entry->inode ? entry : NULL;
}

long __tamar_entry_add(struct inode *directory, const char *name, struct inode *inode) {
    struct entry **slot = slot_of(directory, name);
    if (*slot) {
        (*slot)->inode = inode;
    } else {
        *slot = entry_new(name, inode);
        if (!*slot) return -ENOSPC;
    }
    inode->links++;
    if (S_ISDIR(inode->mode)) directory->links++;
    adopt(directory, name, inode);
    __tamar_touch(directory, false, true, true);
    return 0;
}

void __tamar_entry_remove(struct inode *directory, const char *name) {
    struct entry **slot = slot_of(directory, name), *entry = *slot;
    if (!entry || !entry->inode) return;
    struct inode *inode = entry->inode;
    if (directory->host) {
        entry->inode = NULL; // the host may have a file of this name
    } else {
        *slot = entry->next;
        __tamar_delete(entry);
    }
    if (inode->links) inode->links--;
    if (S_ISDIR(inode->mode)) {
        if (directory->links) directory->links--;
        inode->parent = NULL;
    }
    __tamar_touch(directory, false, true, true);
}

// Positions: 0 ".", 1 "..", then the host's entries, then those that only the model has.
static const unsigned long OURS = 1ul << 40;

static long host_next(struct inode *directory, unsigned long *position, char *name, struct inode **inode) {
    for (;;) {
        long length = __tamar_host_list(directory->host, *position - 2, name, NAME_MAX + 1);
        if (length <= 0) return 0;
        ++*position;
        struct entry *entry = __tamar_entry_find(directory, name);
        if (!entry) continue; // removed
        *inode = entry->inode;
        return length;
    }
}

static bool is_on_host(struct inode *directory, const char *name) {
    char path[PATH_MAX];
    struct __tamar_host_stat host;
    return directory->host && join(path, sizeof path, directory->host, name) &&
           __tamar_host_stat(path, 0, &host) == 0;
}

long __tamar_directory_next(struct inode *directory, unsigned long *position, char *name,
                            struct inode **inode) {
    if (*position < 2) {
        *inode = *position && directory->parent ? directory->parent : directory;
        strcpy(name, *position ? ".." : ".");
        return (long)++*position;
    }
    if (*position < OURS) {
        long length = directory->host ? host_next(directory, position, name, inode) : 0;
        if (length) return length;
        *position = OURS;
    }
    unsigned long index = *position - OURS;
    for (struct entry *entry = directory->entries; entry; entry = entry->next) {
        if (index) {
            index--;
            continue;
        }
        ++*position;
        if (!entry->inode || is_on_host(directory, entry->name)) continue;
        strcpy(name, entry->name);
        *inode = entry->inode;
        return (long)strlen(name);
    }
    return 0;
}

bool __tamar_directory_is_empty(struct inode *directory) {
    unsigned long position = 2;
    char name[NAME_MAX + 1];
    struct inode *inode;
    return __tamar_directory_next(directory, &position, name, &inode) == 0;
}

long __tamar_directory_path(struct inode *directory, char *buffer, size_t size) {
    char path[PATH_MAX], *p = path + sizeof path - 1;
    *p = 0;
    for (struct inode *i = directory; i != PROCESS->root; i = i->parent) {
        if (!i->parent) return -ENOENT;
        size_t length = strlen(i->name);
        if ((size_t)(p - path) < length + 1) return -ENAMETOOLONG;
        p -= length;
        memcpy(p, i->name, length);
        *--p = '/';
    }
    if (!*p) *--p = '/';
    size_t length = (size_t)(path + sizeof path - p); // with the NUL
    if (length > size) return -ERANGE;
    memcpy(buffer, p, length);
    return (long)length;
}
