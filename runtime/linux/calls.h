// Declares the functions of the system calls, from the table.
#ifndef TAMAR_CALLS_H
#define TAMAR_CALLS_H

#include "runtime/linux/syscalls.h"

#define TYPES_0                   void
#define TYPES_1                   long
#define TYPES_2                   long, long
#define TYPES_3                   long, long, long
#define TYPES_4                   long, long, long, long
#define TYPES_5                   long, long, long, long, long
#define TYPES_6                   long, long, long, long, long, long
#define DECLARE_CALL(name, count) long __tamar_sys_##name(TYPES_##count);
SYSCALL_TABLE(DECLARE_CALL)
#undef DECLARE_CALL

#endif
