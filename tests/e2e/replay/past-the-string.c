// An argument ends with its first NUL: natively the symbolic bytes after it do not exist. A read of them is found at
// each location and confirmed; code that does not read them gets no report. Every test takes its path natively.
// RUN: rm -rf %t && mkdir %t && cd %t && status 1 %tamar run %s --sym-arg 4 --emit all --out bad -- decode >bad.txt
// RUN: cd %t && FileCheck --check-prefix=BAD %s <bad.txt && %tamar replay bad >bad.native && FileCheck --check-prefix=NATIVE %s <bad.native
// RUN: cd %t && python3 -c 'import json; bugs = json.load(open("bad/summary.json"))["bugs"]; assert len(bugs) == 2 and all(bug["replayed"] is True for bug in bugs), bugs'
// RUN: cd %t && status 0 %tamar run %s -DCAREFUL --sym-arg 4 --emit all --out good -- decode >good.txt
// RUN: cd %t && FileCheck --check-prefix=GOOD %s <good.txt && %tamar replay good >good.native && FileCheck --check-prefix=NATIVE %s <good.native
// RUN: cd %t && status 1 %tamar run %s --sym-arg 3 --sym-arg 1 --sym-env COLOUR=3 --emit all --out more -- others >more.txt
// RUN: cd %t && FileCheck --check-prefix=MORE %s <more.txt && %tamar replay more >more.native && FileCheck --check-prefix=NATIVE %s <more.native
// RUN: cd %t && python3 -c 'import json; bugs = json.load(open("more/summary.json"))["bugs"]; assert len(bugs) == 7 and all(bug["replayed"] is True for bug in bugs), bugs'
// RUN: cd %t && status 1 %tamar run %s --feasibility pending --sym-arg 4 --emit all --out late -- decode >late.txt && FileCheck --check-prefix=BAD %s <late.txt
// REQUIRES: run, replay
// NATIVE-NOT: DIFFERS
// NATIVE-NOT: ANOTHER PATH
// NATIVE: as predicted
// GOOD: every path was explored
#include <stdlib.h>
#include <string.h>

static int hex(char c) { return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1; }

static int decode(const char *s, char *to) {
    int count = 0;
    for (int i = 0; s[i]; i++) { // BAD-DAG: out-of-bounds: {{.*}}past-the-string.c:[[#@LINE]]
        if (s[i] != '%') {
            to[count++] = s[i];
            continue;
        }
#ifdef CAREFUL
        if (!s[i + 1] || !s[i + 2]) return -1;
#endif
        int high = hex(s[i + 1]);
        int low = hex(s[i + 2]); // BAD-DAG: out-of-bounds: {{.*}}past-the-string.c:[[#@LINE]]
        to[count++] = (char)(high << 4 | low);
        i += 2;
    }
    return count;
}

static int colour(void) {
    const char *value = getenv("COLOUR");
    return value && value[2] == '!'; // MORE-DAG: out-of-bounds: {{.*}}past-the-string.c:[[#@LINE]]
}

static int others(char *s, const char *which) {
    char buffer[8] = "";
    switch (which[0]) {
    case '0': memcpy(buffer, s, 3); break;    // MORE-DAG: out-of-bounds: {{.*}}past-the-string.c:[[#@LINE]]
    case '1': s[2] = 'x'; break;              // MORE-DAG: out-of-bounds: {{.*}}past-the-string.c:[[#@LINE]]
    case '2': buffer[0] = which[2]; break;    // MORE-DAG: out-of-bounds: {{.*}}past-the-string.c:[[#@LINE]]
    case '3': buffer[0] = s[s[0] & 3]; break; // MORE-DAG: out-of-bounds: {{.*}}past-the-string.c:[[#@LINE]]
    case '4': buffer[0] = s[-1]; break;       // MORE-DAG: out-of-bounds: {{.*}}past-the-string.c:[[#@LINE]]
    case '5': free(s); break;                 // MORE-DAG: bad-free: {{.*}}past-the-string.c:[[#@LINE]]
    case '6': return colour();
    case '7': // its bytes are plain once they were reached
        if (strlen(s) == 3) buffer[0] = s[3], s[0] = 0, buffer[1] = s[2];
        break;
    }
    return buffer[0] == 'z';
}

int main(int argc, char **argv) {
    char to[8];
    if (!strcmp(argv[1], "others")) return others(argv[2], argv[3]);
    return decode(argv[2], to) == 3;
}
// BAD: every path was explored
// MORE: every path was explored
