// Known reports (--ignore): a file with one report per line, `KIND FILE[:LINE] [FUNCTION]` or `fingerprint:HEX`, each
// with an optional `until=YYYY-MM-DD`; `#` begins a comment. A bug that matches an entry is counted but not reported,
// and its path continues if a real machine could continue.
#ifndef TAMAR_RUN_KNOWN_H
#define TAMAR_RUN_KNOWN_H

#include "message/finding.h"

struct text;

#define KNOWN_DEFAULT_FILE ".tamar-ignore"
#define KNOWN_KEPT_FILE    "ignore"

#define KNOWN_OPTIONS(X, T)                                                                                  \
    X(T, TEXT, ignore, "FILE", NULL,                                                                         \
      "known reports, one a line: KIND FILE[:LINE] [FUNCTION] or fingerprint:HEX (default: .tamar-ignore)")

struct known_reports;

// Reads the entries of the file; without `path` the file is .tamar-ignore, if it exists. A resumed run reads the copy
// in its folder, but messages name the original file. Expired entries are skipped with a warning. *good: false if a
// line is malformed or the file cannot be read; an error has been reported. Returns NULL if there are no entries.
struct known_reports *known_open(const char *path, const char *resumed, bool *good);
// Returns the same entries from the text that known_sent made on another machine; NULL: it is malformed.
struct known_reports *known_parse(const char *name, const char *text);
// Appends the file without its expired entries, for known_parse; *name: its name in messages.
void known_sent(const struct known_reports *known, struct text *to, const char **name);
// Returns the content of the file. The run keeps it in its folder as KNOWN_KEPT_FILE.
const struct text *known_content(const struct known_reports *known);
void known_free(struct known_reports *known);
// Returns "FILE:LINE: ENTRY" for the first entry that names the bug; NULL: there is none. Owned by `known`.
const char *known_match(const struct known_reports *known, const struct finding *finding);
// Returns entry number i in the same form; NULL: there are fewer.
const char *known_entry(const struct known_reports *known, uint32_t i);

#endif
