/* One source of a kernel, compiled for what the processor may have; sums are taken in the same order everywhere. */
#ifndef REGRET_BASE_PROCESSOR_H
#define REGRET_BASE_PROCESSOR_H

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) &&                             \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define FOR_EACH_PROCESSOR                                                                         \
    __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define FOR_EACH_PROCESSOR
#endif

#endif
