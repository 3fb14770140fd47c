// cmocka with the headers that it needs.
#ifndef TAMAR_CHECK_H
#define TAMAR_CHECK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// keep this order: cmocka.h needs the ones above
#include <cmocka.h>

#endif
