/* How much memory this process may still take. */
#ifndef REGRET_BASE_MEMORY_LEFT_H
#define REGRET_BASE_MEMORY_LEFT_H

struct memory_left {
    double
        bytes; /* that it may take besides what it has; INFINITY where the system does not tell */
    double allowed;       /* in all, what it has included */
    int is_limited;       /* 1: by a limit of its own, below what the machine has */
    int is_address_space; /* 1: ulimit -v, which counts what is mapped, used or not */
};

/* The least of what the machine has, of what its control groups allow, and of ulimit -v. */
void memory_left(struct memory_left *out);

/* What this process has of it now, in bytes; 0 where the system does not tell. */
double memory_resident(void);

/* A field of /proc/self/status or /proc/meminfo, "VmRSS:", in bytes; 0 where there is none. */
double memory_field(const char *path, const char *field);

#endif
