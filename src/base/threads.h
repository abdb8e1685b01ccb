/* Work in parallel, and what the machine has: processors and memory. */
#ifndef BASE_THREADS_H
#define BASE_THREADS_H

/* One source of a kernel, compiled for what the processor may have; sums are taken in the same order everywhere. */

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) &&                             \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define FOR_EACH_PROCESSOR                                                                         \
    __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define FOR_EACH_PROCESSOR
#endif

/* How much memory this process may still take. */

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
