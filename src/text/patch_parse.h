/* Patches parsed. */
#ifndef TEXT_PATCH_PARSE_H
#define TEXT_PATCH_PARSE_H

#include <stddef.h>
#include <stdint.h>

#include "regret/status.h"

/* A growable bag of 64-bit hashes. Want of memory is sticky. */
struct hash_bag {
    uint64_t *hash; /* owned */
    size_t n, capacity;
    int status;
};

void hash_bag_add(struct hash_bag *bag, uint64_t hash);
/* Sorts, and keeps one of each. */
void hash_bag_unite(struct hash_bag *bag);
/* 1 when a united bag holds `hash`. */
int hash_bag_has(const struct hash_bag *bag, uint64_t hash);
/* Share of the members of `bag` that `among` holds, both united; 0 for an empty bag. */
double hash_bag_share(const struct hash_bag *bag, const struct hash_bag *among);
void hash_bag_free(struct hash_bag *bag);

/* Called with each identifier of a text in turn; `name` is borrowed. */
typedef void (*identifier_visitor)(void *context, struct regret_span name);
void visit_identifiers(struct regret_span text, identifier_visitor visit, void *context);

/* Called with each word of an identifier, in lower case, three bytes or longer, cut at 64. */
typedef void (*word_visitor)(void *context, const char *word, size_t length);
void visit_words(struct regret_span name, word_visitor visit, void *context);

/* The hashes of English function words and keywords of programming languages, united. */
int excluded_words(struct hash_bag *out);

/* Where the identifiers and words of texts go. */
struct word_sink {
    const struct hash_bag *excluded;      /* borrowed */
    struct hash_bag *identifiers, *words; /* borrowed; either may be NULL */
};
void sink_text(const struct word_sink *sink, struct regret_span text);

#endif
