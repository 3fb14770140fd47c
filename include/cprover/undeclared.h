// Declares names of CBMC that a program calls without a declaration. `tamar run` includes this before such a file.
#ifdef TAMAR_UNDECLARED
#pragma clang system_header // calls get no warning about missing prototypes
TAMAR_UNDECLARED
#endif
