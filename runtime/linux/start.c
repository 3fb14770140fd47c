// Creates the initial process, and ends it.
#include "runtime/linux/calls.h"
#include "runtime/linux/peer.h"

struct kernel *__tamar_kernel;

struct inode *__tamar_make_directory(struct inode *parent, const char *name, unsigned mode) {
    struct inode *inode = __tamar_inode_new(S_IFDIR | mode, parent->device_number);
    if (!inode) return parent;
    inode->links = 1;
    __tamar_entry_add(parent, name, inode);
    return inode;
}

static struct inode *make_root(void) {
    struct __tamar_host_stat host;
    if (__tamar_host_value(__TAMAR_HOST_FILES) && __tamar_host_stat("/", 1, &host) == 0)
        return __tamar_inode_from_host("/", &host);
    struct inode *root = __tamar_inode_new(S_IFDIR | 0755, 1);
    root->links = 1;
    return root;
}

// Returns the start directory, created if it does not exist.
static struct inode *make_current(void) {
    char path[PATH_MAX];
    long length = __tamar_host_directory(path, sizeof path);
    struct inode *at = PROCESS->root;
    if (length <= 0) return at;
    for (char *name = path, *end; *name; name = end) {
        while (*name == '/') name++;
        end = name + strcspn(name, "/");
        if (end == name) break;
        if (*end) *end++ = 0;
        struct entry *entry = __tamar_entry_find(at, name);
        if (entry && !S_ISDIR(entry->inode->mode)) break;
        at = entry ? entry->inode : __tamar_make_directory(at, name, 0755);
    }
    return at;
}

static void open_stream(int number) {
    char name[] = "fd:0";
    struct __tamar_host_stat host = {.mode = S_IFIFO | 0600, .links = 1, .block_size = 4096};
    name[3] = (char)('0' + number);
    if (__tamar_host_stat(name, 1, &host) == -EBADF) return; // closed by the parent
    host.links = 1;
    struct inode *inode = __tamar_inode_from_host(name, &host);
    if (!inode) return;
    inode->stream = number + 1;
    struct file *file = __tamar_file_new(inode, host.is_terminal ? O_RDWR : number ? O_WRONLY : O_RDONLY);
    if (!file) return;
    while (__tamar_descriptor_new(file, number, 0) < 0) {}
}

void __tamar_linux_start(const char *program) {
    __tamar_tasks_start();
    struct process *p = PROCESS;
    __tamar_credentials_start();
    p->umask = (unsigned)__tamar_host_value(__TAMAR_UMASK);
    KERNEL->next_inode = FIRST_OWN_INODE;
    strcpy(KERNEL->host_name, "tamar");
    p->root = make_root();
    p->root->parent = p->root;
    p->root->links++;
    __tamar_devices_make(p->root);
    __tamar_proc_make(p->root, program);
    if (!__tamar_entry_find(p->root, "tmp")) __tamar_make_directory(p->root, "tmp", 01777);
    p->directory = KERNEL->home = make_current();
    for (int i = 0; i < 3; i++) open_stream(i);
    __tamar_peers_start();
    KERNEL->failures = __tamar_host_value(__TAMAR_FAILURES);
    KERNEL->short_reads = __tamar_host_value(__TAMAR_SHORT_READS);
}
