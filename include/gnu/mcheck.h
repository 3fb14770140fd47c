// glibc's heap checks: no-ops, because Tamar checks every access anyway.
#ifndef TAMAR_GNU_MCHECK_H
#define TAMAR_GNU_MCHECK_H
#ifdef __cplusplus
extern "C" {
#endif
enum mcheck_status { MCHECK_DISABLED = -1, MCHECK_OK, MCHECK_FREE, MCHECK_HEAD, MCHECK_TAIL };
int mcheck(void (*report)(enum mcheck_status status));
int mcheck_pedantic(void (*report)(enum mcheck_status status));
void mcheck_check_all(void);
enum mcheck_status mprobe(void *object);
void mtrace(void);
void muntrace(void);
#ifdef __cplusplus
}
#endif
#endif
