// Installs a script that records a program's runs.
#ifndef TAMAR_RUN_RECORD_INSTALL_H
#define TAMAR_RUN_RECORD_INSTALL_H

// record_install replaces the program by the script, record_uninstall restores the program. Both return an exit
// status.
int record_install(const char *program, const char *folder, const char *version);
int record_uninstall(const char *program);

#endif
