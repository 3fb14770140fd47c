// The script that records a program's runs.
#ifndef TAMAR_RUN_RECORD_INSTALL_H
#define TAMAR_RUN_RECORD_INSTALL_H

// A script in the program's place that records each of its runs, and the way back. Exit statuses.
int record_install(const char *program, const char *folder, const char *version);
int record_uninstall(const char *program);

#endif
