// Installs a script that records a program's runs.
#ifndef TAMAR_RUN_RECORD_INSTALL_H
#define TAMAR_RUN_RECORD_INSTALL_H

// The first replaces the program by the script, the second restores the program. Both return an exit status.
int record_install(const char *program, const char *folder, const char *version);
int record_uninstall(const char *program);

#endif
