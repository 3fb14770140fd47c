// /proc: modelled even if the host's files are visible,
// because the host's /proc describes the process of Tamar.
#include "runtime/addresses.h"
#include "runtime/linux/linux.h"

static struct inode *make_directory(struct inode *parent, const char *name) {
    struct inode *inode = __tamar_inode_new(S_IFDIR | 0555, PROC_DEVICE);
    if (!inode) return NULL;
    inode->links = 1;
    __tamar_entry_add(parent, name, inode);
    return inode;
}

static void make_file(struct inode *directory, const char *name, const char *content) {
    struct inode *inode = __tamar_inode_new(S_IFREG | 0444, PROC_DEVICE);
    if (!inode) return;
    __tamar_inode_write(inode, content, strlen(content), 0);
    __tamar_entry_add(directory, name, inode);
}

static void make_link(struct inode *directory, const char *name, const char *target) {
    struct inode *inode = __tamar_inode_new(S_IFLNK | 0777, PROC_DEVICE);
    if (!inode || !(inode->data = (unsigned char *)__tamar_copy_text(target))) return;
    inode->size = strlen(target);
    __tamar_entry_add(directory, name, inode);
}

static char *add_hexadecimal(char *p, unsigned long value) {
    for (int shift = 44; shift >= 0; shift -= 4) *p++ = "0123456789abcdef"[value >> shift & 15];
    return p;
}

// Makes `maps` with one line: the stack, for programs that look up its bounds. The part in use is not shown: natively
// it has another size.
static void make_maps(struct inode *self) {
    char line[128], *p = line;
    p = add_hexadecimal(p, STACK_TOP - (unsigned long)__tamar_host_value(__TAMAR_MAX_STACK));
    *p++ = '-';
    p = add_hexadecimal(p, STACK_TOP);
    strcpy(p, " rw-p 00000000 00:00 0                          [stack]\n");
    make_file(self, "maps", line);
}

static void make_program_link(struct inode *self, const char *program) {
    char path[PATH_MAX];
    if (program[0] == '/') {
        make_link(self, "exe", program);
        return;
    }
    long length = __tamar_host_directory(path, sizeof path);
    size_t extra = strlen(program);
    if (length <= 0 || (size_t)length + extra + 2 > sizeof path) return;
    path[length] = '/';
    memcpy(path + length + 1, program, extra + 1);
    make_link(self, "exe", path);
}

void __tamar_proc_make(struct inode *root, const char *program) {
    struct inode *proc = make_directory(root, "proc"), *self = proc ? make_directory(proc, "self") : NULL;
    if (!self) return;
    make_program_link(self, program);
    make_maps(self);
    make_link(self, "fd", "/dev/fd");
    make_file(self, "comm", "program\n");
    make_link(self, "mounts", "../mounts");
    make_file(proc, "mounts", "tamar / tmpfs rw 0 0\n");
    make_file(proc, "meminfo",
              "MemTotal:        4194304 kB\nMemFree:         2097152 kB\nMemAvailable:    2097152 kB\n");
    make_file(proc, "cpuinfo", "processor\t: 0\nmodel name\t: x86-64\n");
    make_file(proc, "uptime", "1000.00 1000.00\n");
    make_file(proc, "loadavg", "0.00 0.00 0.00 1/1 1000\n");
    make_file(proc, "version", "Linux version 6.1.0\n");
}
