#include "base/files/memory_left.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

static const char STATUS[] = "/proc/self/status", MACHINE[] = "/proc/meminfo";

/* What follows the first `mark` in a line of a file; "" where there is none. */
static void line_after(char *out, size_t size, const char *path, const char *mark)
{
    char line[4096];
    FILE *file = fopen(path, "r");
    out[0] = '\0';
    while (file != NULL && out[0] == '\0' && fgets(line, sizeof line, file) != NULL) {
        const char *at = strstr(line, mark);
        if (at != NULL) {
            at += strlen(mark);
            snprintf(out, size, "%.*s", (int)strcspn(at, "\n"), at);
        }
    }
    if (file != NULL) {
        fclose(file);
    }
}

double memory_field(const char *path, const char *field)
{
    char text[128];
    line_after(text, sizeof text, path, field);
    return 1024.0 * strtod(text, NULL);
}

double memory_resident(void)
{
    return memory_field(STATUS, "VmRSS:");
}

static void take(struct memory_left *out, double bytes, double allowed, int is_address_space)
{
    if (bytes < out->bytes) {
        *out = (struct memory_left){bytes > 0.0 ? bytes : 0.0, allowed, 1, is_address_space};
    }
}

/* Where the two versions of control groups say what. */
struct group_kind {
    const char *mark; /* of the line of /proc/self/cgroup that names the group */
    const char *folder, *most, *used;
};
static const struct group_kind group_kinds[] = {
    {"0::", "/sys/fs/cgroup", "memory.max", "memory.current"},
    {":memory:", "/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes"},
};

/* 0 where a file of a group is not there or holds no number, as where it says "max". */
static double group_bytes(const struct group_kind *kind, const char *group, const char *name,
                          const char *mark)
{
    char path[4400], text[128];
    snprintf(path, sizeof path, "%s%s/%s", kind->folder, group, name);
    line_after(text, sizeof text, path, mark);
    return strtod(text, NULL);
}

/* Of its own group and of those that it is in; pages of files are given back where they are wanted. */
static void take_groups(struct memory_left *out, const struct group_kind *kind)
{
    char group[4096];
    line_after(group, sizeof group, "/proc/self/cgroup", kind->mark);
    for (char *end = group + strlen(group); end != NULL; end = strrchr(group, '/')) {
        *end = '\0';
        double most = group_bytes(kind, group, kind->most, "");
        if (most > 0.0) {
            take(out,
                 most - group_bytes(kind, group, kind->used, "") +
                     group_bytes(kind, group, "memory.stat", "inactive_file "),
                 most, 0);
        }
    }
}

void memory_left(struct memory_left *out)
{
    struct rlimit limit;
    double free = memory_field(MACHINE, "MemAvailable:") + memory_field(MACHINE, "SwapFree:");
    *out = (struct memory_left){.bytes = INFINITY, .allowed = INFINITY};
    if (free > 0.0) {
        take(out, free, free + memory_resident(), 0);
        out->is_limited = 0;
    }
    take_groups(out, &group_kinds[0]);
    take_groups(out, &group_kinds[1]);
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
        take(out, (double)limit.rlim_cur - memory_field(STATUS, "VmSize:"), (double)limit.rlim_cur,
             1);
    }
}
