"""Random sequences of system calls on files, folders, pipes, sockets and event descriptors.

Nothing waits: all descriptors that could are non-blocking. Left out is what the model does not claim to repeat: the
number of bytes that fit into a pipe or a socket, ends of folders, holes of files, RENAME_EXCHANGE, splice and sendfile between unusual
kinds of files."""
import random

NAMES = ["a", "b", "d/x", "d", "l", "m", "ld/x", "d/y/z", "a/x", ".", "gone", "ld", ""]
SIZES = [0, 1, 2, 5, 10, 10, 100, 511, 1000, 4096, 5000]
OFFSETS = [0, 0, 1, 3, 5, 10, 100, 4095, 4096, 5000, -1, -3]


class Program:
    def __init__(self, seed):
        self.r = random.Random(seed)
        calls = [getattr(self, name) for name in dir(self) if name.startswith("call_")]
        weights = [int(one.__doc__) for one in calls]
        lines = [self.r.choices(calls, weights)[0]() for _ in range(self.r.choice([40, 80, 120]))]
        self.text = "\n".join(['#include "prelude.h"', "int main(void) {", "    struct stat status;", "    begin();",
                               *("    " + line for line in lines), "    return 0;", "}", ""])

    # ---- operands

    def slot(self):
        return self.r.randrange(8)

    def two_slots(self):
        return self.r.sample(range(8), 2)

    def file(self):
        return f"file[{self.slot()}]"

    def name(self):
        return '"' + (self.r.choice(NAMES[:3]) if self.r.random() < 0.6 else self.r.choice(NAMES)) + '"'

    def size(self):
        return self.r.choice(SIZES)

    def offset(self):
        return self.r.choice(OFFSETS)

    def choice(self, *options):
        return self.r.choice(options)

    def parts(self, base):
        sizes = [self.size() % 3000, self.size(), self.r.randrange(20)]
        return "struct iovec parts[3] = {{%s, %d}, {%s + 3000, %d}, {%s + 9000, %d}};" % (base, sizes[0], base, sizes[1], base, sizes[2])

    # ---- descriptors; the documentation string of each is its weight

    def call_open(self):
        "12"
        flags = [self.choice("O_RDONLY", "O_WRONLY", "O_RDWR", "O_RDWR")]
        more = ["O_CREAT", "O_CREAT", "O_EXCL", "O_TRUNC", "O_APPEND", "O_DIRECTORY", "O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC"]
        flags += self.r.sample(more, self.choice(0, 1, 1, 1, 2, 3))
        if "O_DIRECTORY" in flags:
            flags = [flag for flag in flags if flag != "O_CREAT"]
        return f"R(open({self.name()}, {' | '.join(flags)}, {self.choice('0644', '0600', '0755')})); set({self.slot()}, result);"

    def call_openat(self):
        "2"
        return f'R(openat({self.file()}, "{self.choice("x", ".", "..", "a")}", O_RDONLY)); set({self.slot()}, result);'

    def call_close(self):
        "3"
        slot = self.slot()
        return f"R(close(file[{slot}])); file[{slot}] = -1;"

    def call_dup(self):
        "3"
        a, b = self.two_slots()
        return f"R(dup(file[{a}])); set({b}, result);"

    def call_dup2(self):
        "2"
        a, b = self.two_slots()
        return f"if (file[{b}] > 2) R(dup2(file[{a}], file[{b}]));"

    def call_pipe(self):
        "4"
        a, b = self.two_slots()
        return f"{{ int ends[2]; if (R(pipe2(ends, O_NONBLOCK{self.choice('', ' | O_CLOEXEC')})) == 0) set_both(ends, {a}, {b}); }}"

    def call_socketpair(self):
        "4"
        a, b = self.two_slots()
        kind = self.choice("SOCK_STREAM", "SOCK_DGRAM", "SOCK_SEQPACKET")
        return f"{{ int ends[2]; if (R(socketpair(AF_UNIX, {kind} | SOCK_NONBLOCK, 0, ends)) == 0) set_both(ends, {a}, {b}); }}"

    def call_eventfd(self):
        "2"
        return f"R(eventfd({self.r.randrange(4)}, EFD_NONBLOCK{self.choice('', ' | EFD_SEMAPHORE')})); set({self.slot()}, result);"

    def call_fcntl(self):
        "3"
        command = self.choice("F_GETFL", "F_GETFD", "F_SETFD, FD_CLOEXEC", "F_SETFL, O_APPEND | O_NONBLOCK", "F_SETFL, O_NONBLOCK", "F_GETPIPE_SZ")
        return f"R(fcntl({self.file()}, {command}));"

    # ---- bytes

    def call_read(self):
        "10"
        return f"R(read({self.file()}, in, {self.size()})); show_bytes();"

    def call_write(self):
        "14"
        return f"R(write({self.file()}, out + {self.r.randrange(50)}, {self.size()}));"

    def call_pread(self):
        "4"
        return f"R(pread({self.file()}, in, {self.size()}, {self.offset()})); show_bytes();"

    def call_pwrite(self):
        "4"
        return f"R(pwrite({self.file()}, out + {self.r.randrange(50)}, {self.size()}, {self.offset()}));"

    def call_readv(self):
        "5"
        return f"{{ {self.parts('in')} R(readv({self.file()}, parts, {self.choice(0, 1, 2, 3, 3, 3, -1)})); show_bytes(); }}"

    def call_writev(self):
        "5"
        return f"{{ {self.parts('out')} R(writev({self.file()}, parts, {self.choice(0, 1, 2, 3, 3, 3, -1)})); }}"

    def call_preadv(self):
        "2"
        return f"{{ {self.parts('in')} R(preadv({self.file()}, parts, 2, {self.offset()})); show_bytes(); }}"

    def call_lseek(self):
        "6"
        file, whence = self.file(), self.choice("SEEK_SET", "SEEK_CUR", "SEEK_END", "7")
        only = f"if (fstat({file}, &status) || !S_ISDIR(status.st_mode)) " if whence == "SEEK_END" else ""
        return f"{only}R(lseek({file}, {self.offset()}, {whence}));"

    def call_ftruncate(self):
        "4"
        return f"R(ftruncate({self.file()}, {self.choice(0, 1, 10, 5000, 15000, -1)}));"

    def call_fallocate(self):
        "2"
        return f"R(fallocate({self.file()}, {self.choice('0', 'FALLOC_FL_KEEP_SIZE')}, {self.offset()}, {self.choice(0, 1, 100, 5000)}));"

    def call_copy_file_range(self):
        "2"
        return f"R(copy_file_range({self.file()}, NULL, {self.file()}, NULL, {self.size()}, 0));"

    def call_mmap(self):
        "3"
        size, access = self.choice(1, 10, 4096, 5000, 0), self.choice("PROT_READ", "PROT_READ | PROT_WRITE")
        kind, offset = self.choice("MAP_SHARED", "MAP_PRIVATE"), self.choice(0, 0, 0, 4096, 1)
        return (f"{{ char *at = mmap(NULL, {size}, {access}, {kind}, {self.file()}, {offset}); R(at == MAP_FAILED ? -1 : 0); "
                f"if (at != MAP_FAILED) munmap(at, {size}); }}")

    def call_send(self):
        "3"
        return f"R(send({self.file()}, out, {self.size()}, {self.choice('0', 'MSG_NOSIGNAL', 'MSG_DONTWAIT | MSG_MORE')}));"

    def call_recv(self):
        "4"
        flags = self.choice("0", "MSG_PEEK", "MSG_TRUNC", "MSG_WAITALL", "MSG_PEEK | MSG_TRUNC", "MSG_DONTWAIT")
        return f"R(recv({self.file()}, in, {self.size()}, {flags})); show_bytes();"

    def call_shutdown(self):
        "2"
        return f"R(shutdown({self.file()}, {self.choice('SHUT_RD', 'SHUT_WR', 'SHUT_RDWR', '9')}));"

    def call_count(self):
        "1"
        return f"{{ long added = {self.r.randrange(5)}; R(write({self.file()}, &added, 8)); }}"

    # ---- states

    def call_poll(self):
        "5"
        wanted = self.choice("POLLIN", "POLLOUT", "POLLIN | POLLOUT", "POLLIN | POLLPRI | POLLRDHUP", "0")
        return f'{{ struct pollfd one = {{{self.file()}, {wanted}, 0}}; R(poll(&one, 1, 0)); printf("   %x\\n", one.revents); }}'

    def call_select(self):
        "2"
        sets = self.choice("&files, NULL", "NULL, &files")
        return (f"{{ fd_set files; FD_ZERO(&files); int one = {self.file()}; struct timeval none = {{0, 0}}; "
                f"if (one >= 0) {{ FD_SET(one, &files); R(select(one + 1, {sets}, NULL, &none)); }} }}")

    def call_available(self):
        "3"
        return f'{{ int count = -7; R(ioctl({self.file()}, FIONREAD, &count)); printf("   %d\\n", count); }}'

    def call_fstat(self):
        "3"
        return f"show_status(__LINE__, fstat({self.file()}, &status), &status);"

    def call_stat(self):
        "7"
        return f"show_status(__LINE__, {self.choice('stat', 'lstat')}({self.name()}, &status), &status);"

    def call_sync(self):
        "1"
        return f"R({self.choice('fsync', 'fdatasync', 'isatty')}({self.file()}));"

    # ---- names

    def call_path(self):
        "12"
        name = self.choice(self.name(), self.name(), '"d/y"')
        call = self.choice("access(%s, F_OK)", "access(%s, R_OK | W_OK)", "access(%s, 9)", "chmod(%s, 0755)", "chmod(%s, 0600)", "mkdir(%s, 0755)",
                           "rmdir(%s)", "unlink(%s)", "unlink(%s)", "truncate(%s, 10)", "truncate(%s, 5000)", "truncate(%s, -1)",
                           "readlink(%s, in, 3)", "readlink(%s, in, 100)")
        return f"R({call % name}); show_bytes();"

    def call_rename(self):
        "4"
        return f"R(rename({self.name()}, {self.name()}));"

    def call_rename_new(self):
        "1"
        return f"R(renameat2(AT_FDCWD, {self.name()}, AT_FDCWD, {self.name()}, RENAME_NOREPLACE));"

    def call_link(self):
        "3"
        return f"R(link({self.name()}, {self.name()}));"

    def call_symlink(self):
        "2"
        return f"R(symlink({self.choice(self.name(), chr(34) + 'x' + chr(34))}, {self.name()}));"

    def call_unlinkat(self):
        "1"
        return f'R(unlinkat({self.file()}, "x", {self.choice("0", "AT_REMOVEDIR")}));'

    def call_list(self):
        "2"
        return f"list(__LINE__, {self.name()});"
