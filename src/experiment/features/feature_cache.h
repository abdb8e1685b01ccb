/* What is made of a pool's texts (φ, term counts, statistics), kept in a folder for the next run of the same
 * texts and options. docs/formats.md has the file.
 *
 * A file is read into memory, not mapped: what was checked is then what is used, whoever cuts off or
 * changes the file meanwhile (a mapping would end the process with SIGBUS, on NFS already where another machine removes
 * the file, or have columns changed after they were checked). The checksum finds damage, not forgery: values that
 * somebody made up are used. Nothing in a file makes the program read or write outside its memory. */
#ifndef REGRET_EXPERIMENT_FEATURE_CACHE_H
#define REGRET_EXPERIMENT_FEATURE_CACHE_H

#include <stdint.h>

#include "experiment/features/feature_set.h"
#include "regret/experiment.h"

struct feature_cache {
    const char *folder;             /* borrowed; NULL: there is none */
    int writes;                     /* what is computed is kept; 0 after that has failed, too */
    regret_notice_callback *notice; /* told of files that cannot be used or written; may be NULL */
    void *notice_context;
};

/* The content that a file is of. */
struct feature_key {
    uint64_t part[2];
    char digits[33]; /* the same, as the file's name */
    int texts;       /* terms and statistics belong to it */
};

static inline int feature_cache_is_on(const struct feature_cache *cache)
{
    return cache != NULL && cache->folder != NULL;
}

/* The XXH3-128 of everything that the features of a set, which has its grid, depend on: the length and the XXH3-128 of
 * every text (the outputs as far as they are looked at; NULL counts as empty) in order, the shape of the grid, the
 * feature options, the versions of program, format and Unicode, and the machine's logarithms. `texts_wanted`: terms and statistics belong to it. */
int feature_key_make(struct feature_key *out, const struct feature_set *set,
                     const char *const *outputs, const char *const *contexts, int texts_wanted);

/* *found: the set has its features (phi, phi_context, terms, statistics) from the file of the key. Where there is a
 * file that cannot be used, the notice says why, and *found is 0. Fails for want of memory only. */
int feature_cache_take(int *found, struct feature_set *set, const struct feature_cache *cache,
                       const struct feature_key *key);

/* Writes the set's features, replacing what is there in one step. Where that cannot be, the notice says why, once a
 * cache. Fails for want of memory only. */
int feature_cache_keep(struct feature_cache *cache, const struct feature_key *key,
                       const struct feature_set *set);

#endif
