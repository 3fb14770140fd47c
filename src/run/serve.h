// --serve: the page of `tamar report`, live, for browsers on this machine.
#ifndef TAMAR_RUN_SERVE_H
#define TAMAR_RUN_SERVE_H

struct serve;

// Starts a process that serves the page of the run whose results are in `folder`, on 127.0.0.1, and says where. `port`: a number, or "" for
// any that is free. NULL: an error has been reported.
struct serve *serve_start(const char *port, const char *folder);
// The run is over. A browser that looks on still gets the last page. NULL: nothing is served.
void serve_end(struct serve *serve);

#endif
