// --serve: serves the page of `tamar report` to browsers on this machine while the run goes on.
#ifndef TAMAR_RUN_SERVE_H
#define TAMAR_RUN_SERVE_H

struct serve;

// Starts a process that serves the page of the run in `folder` on 127.0.0.1, and prints the address. `port`: a number,
// or "" for any free one. Returns NULL if an error has been reported.
struct serve *serve_start(const char *port, const char *folder);
// Called when the run is over. A connected browser still gets the last page. `serve` may be NULL.
void serve_end(struct serve *serve);

#endif
