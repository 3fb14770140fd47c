// GNU's error(): prints the program's name, a message and the text of errno, and may exit.
#ifndef TAMAR_GNU_ERROR_H
#define TAMAR_GNU_ERROR_H
#ifdef __cplusplus
extern "C" {
#endif
void error(int status, int number, const char *format, ...) __attribute__((format(printf, 3, 4)));
void error_at_line(int status, int number, const char *file, unsigned int line, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
extern void (*error_print_progname)(void);
extern unsigned int error_message_count;
extern int error_one_per_line;
#ifdef __cplusplus
}
#endif
#endif
