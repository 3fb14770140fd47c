// At the end of the program: saves the files that differ from the host's, on request.
#include "runtime/linux/peer.h"

static void save(struct inode *inode, char *path, size_t length);

static void save_name(struct inode *inode, const char *name, char *path, size_t length) {
    size_t extra = strlen(name);
    if (length + extra + 2 > PATH_MAX) return;
    path[length] = '/';
    memcpy(path + length + 1, name, extra + 1);
    if (inode)
        save(inode, path, length + 1 + extra);
    else
        __tamar_save_file(path, __TAMAR_SAVED_REMOVED, 0, NULL, 0);
    path[length] = 0;
}

// Whether the host has exactly this file under this path.
static bool is_as_on_host(const struct inode *inode, const char *path) {
    struct __tamar_host_stat host;
    if (!inode->host || strcmp(inode->host, path)) return false;
    if (__tamar_host_stat(path, 0, &host) < 0 || host.mode != inode->mode) return false;
    return S_ISDIR(inode->mode) || (host.modify_time[0] == inode->modify_time.tv_sec &&
                                    host.modify_time[1] == inode->modify_time.tv_nsec);
}

static void save_time(const struct inode *inode, const char *path) {
    long time[2] = {inode->modify_time.tv_sec, inode->modify_time.tv_nsec};
    __tamar_save_file(path, __TAMAR_SAVED_TIME, 0, time, sizeof time);
}

// Saves a directory. In a host directory at its original path only the model's entries can differ; a directory that
// was made or moved is saved with all its content.
static void save_directory(struct inode *directory, char *path, size_t length) {
    if (is_as_on_host(directory, path)) {
        for (struct entry *entry = directory->entries; entry; entry = entry->next)
            save_name(entry->inode, entry->name, path, length);
        return;
    }
    __tamar_save_file(path, __TAMAR_SAVED_DIRECTORY, directory->mode & 07777, NULL, 0);
    unsigned long position = 2; // after "." and ".."
    char name[NAME_MAX + 1];
    struct inode *inode;
    while (__tamar_directory_next(directory, &position, name, &inode) > 0)
        save_name(inode, name, path, length);
}

static void save(struct inode *inode, char *path, size_t length) {
    if (S_ISDIR(inode->mode)) {
        save_directory(inode, path, length);
    } else if (S_ISREG(inode->mode) && !is_as_on_host(inode, path)) {
        __tamar_mappings_to_file(inode);
        if (__tamar_inode_load(inode) == 0)
            __tamar_save_file(path, __TAMAR_SAVED_FILE, inode->mode & 07777, inode->data, inode->size);
        save_time(inode, path);
    } else if (S_ISFIFO(inode->mode) && !is_as_on_host(inode, path)) {
        __tamar_save_file(path, __TAMAR_SAVED_PIPE, inode->mode & 07777, NULL, 0);
    } else if (S_ISLNK(inode->mode) && inode->number >= FIRST_OWN_INODE) {
        __tamar_save_file(path, __TAMAR_SAVED_LINK, 0777, inode->data, inode->size);
    }
}

// Saves the data sent over connections to the outside as /.sockets/NUMBER;
// datagrams as /.sockets/0; to scripted peers as /.sockets/NAME.
static void save_sent(void) {
    for (struct sent *sent = KERNEL->sent; sent; sent = sent->next) {
        char path[32], digits[12], *p = digits + sizeof digits;
        int number = sent->number;
        *--p = 0;
        do *--p = (char)('0' + number % 10);
        while (number /= 10);
        strcat(strcpy(path, "/.sockets/"), p);
        __tamar_save_file(path, __TAMAR_SAVED_FILE, 0644, sent->content->data, sent->content->size);
    }
    for (struct peer *peer = KERNEL->peers ? KERNEL->peers->all : NULL; peer; peer = peer->next) {
        char path[128] = "/.sockets/";
        strncat(path, peer->name, sizeof path - sizeof "/.sockets/");
        __tamar_save_file(path, __TAMAR_SAVED_FILE, 0644, peer->received->data, peer->received->size);
    }
}

void __tamar_linux_end(void) {
    static bool done;
    char path[PATH_MAX];
    if (done || !__tamar_wants_files()) return;
    done = true;
    path[0] = 0; // not initialized above: most paths end without saving
    save_sent();
    for (struct entry *entry = PROCESS->root->entries; entry; entry = entry->next)
        if (strcmp(entry->name, "dev") && strcmp(entry->name, "proc")) // the model's own
            save_name(entry->inode, entry->name, path, 0);
}
