// Functions of glibc for names of errors, folders and formats (include/gnu). Compiled into the bitcode library and, for
// native programs, into libtamar.a.
#include "include/gnu/dirent.h"
#include "include/gnu/netdb.h"
#include "include/gnu/printf.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const error_names[] = {
    [0] = "0",
    [EPERM] = "EPERM",
    [ENOENT] = "ENOENT",
    [ESRCH] = "ESRCH",
    [EINTR] = "EINTR",
    [EIO] = "EIO",
    [ENXIO] = "ENXIO",
    [E2BIG] = "E2BIG",
    [ENOEXEC] = "ENOEXEC",
    [EBADF] = "EBADF",
    [ECHILD] = "ECHILD",
    [EAGAIN] = "EAGAIN",
    [ENOMEM] = "ENOMEM",
    [EACCES] = "EACCES",
    [EFAULT] = "EFAULT",
    [ENOTBLK] = "ENOTBLK",
    [EBUSY] = "EBUSY",
    [EEXIST] = "EEXIST",
    [EXDEV] = "EXDEV",
    [ENODEV] = "ENODEV",
    [ENOTDIR] = "ENOTDIR",
    [EISDIR] = "EISDIR",
    [EINVAL] = "EINVAL",
    [ENFILE] = "ENFILE",
    [EMFILE] = "EMFILE",
    [ENOTTY] = "ENOTTY",
    [ETXTBSY] = "ETXTBSY",
    [EFBIG] = "EFBIG",
    [ENOSPC] = "ENOSPC",
    [ESPIPE] = "ESPIPE",
    [EROFS] = "EROFS",
    [EMLINK] = "EMLINK",
    [EPIPE] = "EPIPE",
    [EDOM] = "EDOM",
    [ERANGE] = "ERANGE",
    [EDEADLK] = "EDEADLK",
    [ENAMETOOLONG] = "ENAMETOOLONG",
    [ENOLCK] = "ENOLCK",
    [ENOSYS] = "ENOSYS",
    [ENOTEMPTY] = "ENOTEMPTY",
    [ELOOP] = "ELOOP",
    [ENOMSG] = "ENOMSG",
    [EIDRM] = "EIDRM",
    [ECHRNG] = "ECHRNG",
    [EL2NSYNC] = "EL2NSYNC",
    [EL3HLT] = "EL3HLT",
    [EL3RST] = "EL3RST",
    [ELNRNG] = "ELNRNG",
    [EUNATCH] = "EUNATCH",
    [ENOCSI] = "ENOCSI",
    [EL2HLT] = "EL2HLT",
    [EBADE] = "EBADE",
    [EBADR] = "EBADR",
    [EXFULL] = "EXFULL",
    [ENOANO] = "ENOANO",
    [EBADRQC] = "EBADRQC",
    [EBADSLT] = "EBADSLT",
    [EBFONT] = "EBFONT",
    [ENOSTR] = "ENOSTR",
    [ENODATA] = "ENODATA",
    [ETIME] = "ETIME",
    [ENOSR] = "ENOSR",
    [ENONET] = "ENONET",
    [ENOPKG] = "ENOPKG",
    [EREMOTE] = "EREMOTE",
    [ENOLINK] = "ENOLINK",
    [EADV] = "EADV",
    [ESRMNT] = "ESRMNT",
    [ECOMM] = "ECOMM",
    [EPROTO] = "EPROTO",
    [EMULTIHOP] = "EMULTIHOP",
    [EDOTDOT] = "EDOTDOT",
    [EBADMSG] = "EBADMSG",
    [EOVERFLOW] = "EOVERFLOW",
    [ENOTUNIQ] = "ENOTUNIQ",
    [EBADFD] = "EBADFD",
    [EREMCHG] = "EREMCHG",
    [ELIBACC] = "ELIBACC",
    [ELIBBAD] = "ELIBBAD",
    [ELIBSCN] = "ELIBSCN",
    [ELIBMAX] = "ELIBMAX",
    [ELIBEXEC] = "ELIBEXEC",
    [EILSEQ] = "EILSEQ",
    [ERESTART] = "ERESTART",
    [ESTRPIPE] = "ESTRPIPE",
    [EUSERS] = "EUSERS",
    [ENOTSOCK] = "ENOTSOCK",
    [EDESTADDRREQ] = "EDESTADDRREQ",
    [EMSGSIZE] = "EMSGSIZE",
    [EPROTOTYPE] = "EPROTOTYPE",
    [ENOPROTOOPT] = "ENOPROTOOPT",
    [EPROTONOSUPPORT] = "EPROTONOSUPPORT",
    [ESOCKTNOSUPPORT] = "ESOCKTNOSUPPORT",
    [EOPNOTSUPP] = "EOPNOTSUPP",
    [EPFNOSUPPORT] = "EPFNOSUPPORT",
    [EAFNOSUPPORT] = "EAFNOSUPPORT",
    [EADDRINUSE] = "EADDRINUSE",
    [EADDRNOTAVAIL] = "EADDRNOTAVAIL",
    [ENETDOWN] = "ENETDOWN",
    [ENETUNREACH] = "ENETUNREACH",
    [ENETRESET] = "ENETRESET",
    [ECONNABORTED] = "ECONNABORTED",
    [ECONNRESET] = "ECONNRESET",
    [ENOBUFS] = "ENOBUFS",
    [EISCONN] = "EISCONN",
    [ENOTCONN] = "ENOTCONN",
    [ESHUTDOWN] = "ESHUTDOWN",
    [ETOOMANYREFS] = "ETOOMANYREFS",
    [ETIMEDOUT] = "ETIMEDOUT",
    [ECONNREFUSED] = "ECONNREFUSED",
    [EHOSTDOWN] = "EHOSTDOWN",
    [EHOSTUNREACH] = "EHOSTUNREACH",
    [EALREADY] = "EALREADY",
    [EINPROGRESS] = "EINPROGRESS",
    [ESTALE] = "ESTALE",
    [EUCLEAN] = "EUCLEAN",
    [ENOTNAM] = "ENOTNAM",
    [ENAVAIL] = "ENAVAIL",
    [EISNAM] = "EISNAM",
    [EREMOTEIO] = "EREMOTEIO",
    [EDQUOT] = "EDQUOT",
    [ENOMEDIUM] = "ENOMEDIUM",
    [EMEDIUMTYPE] = "EMEDIUMTYPE",
    [ECANCELED] = "ECANCELED",
    [ENOKEY] = "ENOKEY",
    [EKEYEXPIRED] = "EKEYEXPIRED",
    [EKEYREVOKED] = "EKEYREVOKED",
    [EKEYREJECTED] = "EKEYREJECTED",
    [EOWNERDEAD] = "EOWNERDEAD",
    [ENOTRECOVERABLE] = "ENOTRECOVERABLE",
    [ERFKILL] = "ERFKILL",
    [EHWPOISON] = "EHWPOISON",
};

const char *strerrorname_np(int number);
const char *strerrorname_np(int number) {
    bool known = number >= 0 && number < (int)(sizeof error_names / sizeof *error_names);
    return known ? error_names[number] : NULL;
}
const char *strerrordesc_np(int number);
const char *strerrordesc_np(int number) {
    if (!number) return "Success";
    return strerrorname_np(number) ? strerror(number) : NULL;
}

static bool add_entry(struct dirent ***entries, size_t *count, const struct dirent *entry) {
    struct dirent **grown = realloc(*entries, (*count + 1) * sizeof **entries);
    if (!grown) return false;
    *entries = grown;
    grown[*count] = malloc(entry->d_reclen);
    if (!grown[*count]) return false;
    memcpy(grown[(*count)++], entry, entry->d_reclen);
    return true;
}

int scandirat(int folder, const char *path, struct dirent ***result, int (*filter)(const struct dirent *),
              int (*compare)(const struct dirent **, const struct dirent **)) {
    int descriptor = openat(folder, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *stream = descriptor < 0 ? NULL : fdopendir(descriptor);
    struct dirent **entries = NULL, *entry;
    size_t count = 0;
    bool good = true;
    int before = errno;
    if (!stream) {
        if (descriptor >= 0) close(descriptor);
        return -1;
    }
    errno = 0;
    while (good && (entry = readdir(stream)))
        if (!filter || filter(entry)) good = add_entry(&entries, &count, entry);
    if (errno) good = false;
    closedir(stream);
    if (!good) {
        while (count) free(entries[--count]);
        free(entries);
        return -1;
    }
    errno = before;
    if (compare && count)
        qsort(entries, count, sizeof *entries, (int (*)(const void *, const void *))compare);
    *result = entries;
    return (int)count;
}

// There is no netgroup database, so no name is a member of one.
int innetgr(const char *group, const char *host, const char *user, const char *domain) { return 0; }

// ---- the types of a format's arguments

struct format {
    const char *at;
    size_t next;  // the argument that the next conversion without a number takes
    size_t count; // one more than the last argument that was used
    size_t most;
    int *types;
};

static size_t parse_number(const char **at) {
    size_t number = 0;
    for (; **at >= '0' && **at <= '9'; (*at)++) number = number * 10 + (size_t)(**at - '0');
    return number;
}

// Parses `N$` at the format's position. Returns the index of that argument, or that of the next one.
static size_t parse_argument(struct format *format) {
    const char *at = format->at;
    size_t number = parse_number(&at);
    if (*at != '$' || !number) return format->next++;
    format->at = at + 1;
    return number - 1;
}

static void set_type(struct format *format, size_t argument, int type) {
    if (argument < format->most) format->types[argument] = type;
    if (argument >= format->count) format->count = argument + 1;
}

// A width or precision: a number, or `*` with an argument.
static void parse_size(struct format *format) {
    if (*format->at != '*') {
        parse_number(&format->at);
        return;
    }
    format->at++;
    set_type(format, parse_argument(format), PA_INT);
}

// Parses the letters for the length of an argument. A long long is a long here, as in glibc.
static int parse_length(struct format *format) {
    int flags = 0;
    for (;; format->at++) {
        switch (*format->at) {
        case 'h': flags = flags == PA_FLAG_SHORT ? PA_CHAR : PA_FLAG_SHORT; break;
        case 'l': flags |= flags == PA_FLAG_LONG ? PA_FLAG_LONG_DOUBLE : PA_FLAG_LONG; break;
        case 'L':
        case 'q': flags = PA_FLAG_LONG_DOUBLE; break;
        case 'j':
        case 'z':
        case 'Z':
        case 't': flags = PA_FLAG_LONG; break;
        default: return flags;
        }
    }
}

static int type_of(char conversion, int length) {
    switch (conversion) {
    case 'd':
    case 'i':
    case 'o':
    case 'u':
    case 'x':
    case 'X': return length == PA_CHAR ? PA_CHAR : length & (PA_FLAG_LONG | PA_FLAG_SHORT);
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
    case 'a':
    case 'A': return PA_DOUBLE | (length & PA_FLAG_LONG_DOUBLE);
    case 'c': return PA_CHAR; // `l` too, as in glibc
    case 'C': return PA_WCHAR;
    case 's': return PA_STRING;
    case 'S': return PA_WSTRING;
    case 'p': return PA_POINTER;
    case 'n': return PA_INT | PA_FLAG_PTR;
    default: return -1; // takes no argument
    }
}

static void parse_conversion(struct format *format) {
    const char *start = format->at;
    size_t number = parse_number(&format->at);
    bool numbered = number && *format->at == '$';
    if (numbered)
        format->at++;
    else
        format->at = start;
    format->at += strspn(format->at, "-+ #0'I");
    parse_size(format);
    if (*format->at == '.') {
        format->at++;
        parse_size(format);
    }
    int length = parse_length(format);
    int type = type_of(*format->at, length);
    if (type >= 0) set_type(format, numbered ? number - 1 : format->next++, type);
    if (*format->at) format->at++;
}

size_t parse_printf_format(const char *text, size_t most, int *types) {
    struct format format = {.at = text, .most = most, .types = types};
    while ((format.at = strchr(format.at, '%'))) {
        format.at++;
        parse_conversion(&format);
    }
    return format.count;
}
