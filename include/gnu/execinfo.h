// Stack traces of the running program. Tamar's reports have the call stack; the program itself sees none: no address, no name.
#ifndef TAMAR_GNU_EXECINFO_H
#define TAMAR_GNU_EXECINFO_H
#ifdef __cplusplus
extern "C" {
#endif
int backtrace(void **buffer, int size);
char **backtrace_symbols(void *const *buffer, int size);
void backtrace_symbols_fd(void *const *buffer, int size, int descriptor);
#ifdef __cplusplus
}
#endif
#endif
