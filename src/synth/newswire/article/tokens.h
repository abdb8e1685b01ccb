/* Words of a text, for the extractive systems and the auxiliary labels. */
#ifndef REGRET_SYNTH_NEWSWIRE_ARTICLE_TOKENS_H
#define REGRET_SYNTH_NEWSWIRE_ARTICLE_TOKENS_H

#include <stddef.h>
#include <stdint.h>

#include "synth/data/data.h"

enum { NEWSWIRE_MAX_TOKENS = 1024, NEWSWIRE_TOKEN_SLOTS = 2048 };

struct newswire_token {
    uint64_t hash;         /* FNV-1a of the lower-case word */
    uint32_t start;        /* byte in the text */
    unsigned char number;  /* starts with a digit */
    unsigned char capital; /* starts with a capital inside a sentence */
    unsigned char stop;    /* a word too common to mean anything */
};

struct newswire_tokens {
    struct newswire_token items[NEWSWIRE_MAX_TOKENS];
    size_t count;
    /* Of every slot of hashes the first place, and of every place the next of its slot; else `count`. */
    uint16_t first[NEWSWIRE_TOKEN_SLOTS], next[NEWSWIRE_MAX_TOKENS];
};

/* ASCII letters and digits make words; "." "," "'" and "-" do between two of them. What exceeds the
 * limit is ignored: generated texts stay far below it. */
void newswire_tokenize(struct newswire_tokens *tokens, const char *text,
                       const struct data_strings *stop_words);

/* The first place of a word, and the next one behind a place that has it; `count` where there is none. */
size_t newswire_first_place(const struct newswire_tokens *tokens, uint64_t hash);
size_t newswire_next_place(const struct newswire_tokens *tokens, size_t place);

/* Words of `length` bytes as people count them: runs without white space. */
size_t newswire_word_count(const char *text, size_t length);

#endif
