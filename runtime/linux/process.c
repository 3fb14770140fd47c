// execve: other programs are never run, because there is no bitcode for them.
#include "runtime/linux/calls.h"
#include "runtime/linux/linux.h"

static long refuse(const char *call, const char *path) {
    char what[PATH_MAX + 64];
    strcpy(what, call);
    strncat(what, path, PATH_MAX);
    __tamar_not_modelled(what);
    return -ENOSYS;
}

// If the file does not exist, the error is the kernel's, because shells and execvp try one folder after the other.
long __tamar_sys_execve(long path, long argv, long envp) {
    struct inode *inode;
    long error = __tamar_find(AT_FDCWD, POINTER(path), FOLLOW, &inode);
    if (error < 0) return error;
    if (!S_ISREG(inode->mode) || !__tamar_may(inode, 1)) return -EACCES;
    return refuse("system call execve of ", POINTER(path));
}
long __tamar_sys_execveat(long directory, long path, long argv, long envp, long flags) {
    return refuse("system call execveat of ", POINTER(path));
}
