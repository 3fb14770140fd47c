#include "cluster/cores.h"

#include "base/text.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- affinity

static uint32_t allowed(void) {
    cpu_set_t set;
    CPU_ZERO(&set);
    return sched_getaffinity(0, sizeof set, &set) == 0 ? (uint32_t)CPU_COUNT(&set) : 1;
}

// ---- control groups

static bool read_line(const char *path, char *line, int size) {
    FILE *file = fopen(path, "re");
    bool good = file && fgets(line, size, file);
    if (file) fclose(file);
    return good;
}

static double quota_of(const char *folder) {
    char path[600], line[100];
    double quota, period;
    snprintf(path, sizeof path, "%s/cpu.max", folder); // version 2: "QUOTA PERIOD", "max PERIOD"
    if (read_line(path, line, sizeof line))
        return sscanf(line, "%lf %lf", &quota, &period) == 2 && period > 0 ? quota / period : 0;
    snprintf(path, sizeof path, "%s/cpu.cfs_quota_us", folder); // version 1
    if (!read_line(path, line, sizeof line) || (quota = strtod(line, NULL)) <= 0) return 0;
    snprintf(path, sizeof path, "%s/cpu.cfs_period_us", folder);
    if (!read_line(path, line, sizeof line) || (period = strtod(line, NULL)) <= 0) return 0;
    return quota / period;
}

// Returns the smallest quota of a group and its ancestors; 0: none.
static double least_quota(const char *mount, const char *group) {
    char path[512];
    double least = 0;
    snprintf(path, sizeof path, "%s%s", mount, group);
    for (char *slash;; *slash = 0) {
        double quota = quota_of(path);
        if (quota > 0 && (least <= 0 || quota < least)) least = quota;
        slash = strrchr(path, '/');
        if (!slash || (size_t)(slash - path) < strlen(mount)) return least;
    }
}

static double quota(void) {
    char line[512];
    double least = 0;
    FILE *groups = fopen("/proc/self/cgroup", "re");
    while (groups && fgets(line, sizeof line, groups)) { // "0::/a/b", or "4:cpu,cpuacct:/a/b"
        char *controllers = strchr(line, ':'), *group = controllers ? strchr(controllers + 1, ':') : NULL;
        if (!group) continue;
        *group++ = 0;
        group[strcspn(group, "\n")] = 0;
        bool second = controllers[1] == 0;
        if (!second && !strstr(controllers, "cpu")) continue;
        double found = least_quota(second ? "/sys/fs/cgroup" : "/sys/fs/cgroup/cpu", group);
        if (found > 0 && (least <= 0 || found < least)) least = found;
    }
    if (groups) fclose(groups);
    return least;
}

uint32_t cores_usable(void) {
    uint32_t cores = allowed();
    double most = quota();
    if (most > 0 && most < cores) cores = (uint32_t)(most + 0.5);
    return cores ? cores : 1;
}
