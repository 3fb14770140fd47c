// Stack traces of the running program: always empty here. Tamar's bug reports have the call stack.
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
