#include "base/sanitizers.h"
#include "base/text.h"

static const struct {
    const char *name;
    uint64_t checks;
    enum bug_kind kind;
} sanitizers[] = {
#define SANITIZER(id, text, wanted_by, bug)                                                                  \
    [SANITIZER_##id] = {.name = (text), .checks = (wanted_by), .kind = BUG_##bug},
    SANITIZER_TABLE(SANITIZER)
#undef SANITIZER
};

enum bug_kind sanitizers_kind(enum sanitizer sanitizer) {
    assert(sanitizer < SANITIZER_COUNT);
    return sanitizers[sanitizer].kind;
}

uint64_t sanitizers_wanted(uint64_t checks) {
    static const uint64_t always = CHECKS_ALWAYS;
    uint64_t set = 0;
    for (unsigned i = 0; i < SANITIZER_COUNT; i++)
        if (sanitizers[i].checks & (checks | always)) set |= UINT64_C(1) << i;
    return set;
}

void sanitizers_add_names(struct text *text, uint64_t set) {
    const char *separator = "";
    for (unsigned i = 0; i < SANITIZER_COUNT; i++) {
        if (!(set >> i & 1)) continue;
        text_add(text, "%s%s", separator, sanitizers[i].name);
        separator = ",";
    }
}
