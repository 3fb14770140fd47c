// glibc's hint that no thread has been started yet; false is always a safe answer.
#ifndef TAMAR_GNU_SINGLE_THREADED_H
#define TAMAR_GNU_SINGLE_THREADED_H
#ifdef __cplusplus
extern "C" {
#endif
extern char __libc_single_threaded;
#ifdef __cplusplus
}
#endif
#endif
