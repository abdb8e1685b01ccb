/* The agents: eight prompt styles in two sizes, then four extractive systems. */
#ifndef REGRET_SYNTH_NEWSWIRE_AGENTS_H
#define REGRET_SYNTH_NEWSWIRE_AGENTS_H

#include "synth/newswire/summary.h"

/* Agent s is the small model in style s, agent NEWSWIRE_STYLES + s the large one. */
enum newswire_style {
    NEWSWIRE_BRIEF,
    NEWSWIRE_DETAILED,
    NEWSWIRE_BULLETS,
    NEWSWIRE_PLAIN,
    NEWSWIRE_NUMBERS,
    NEWSWIRE_QUOTES,
    NEWSWIRE_CAUTIOUS,
    NEWSWIRE_VIVID,
    NEWSWIRE_STYLES
};

enum newswire_system {
    NEWSWIRE_LEAD3 = 2 * NEWSWIRE_STYLES,
    NEWSWIRE_TEXTRANK,
    NEWSWIRE_LEXRANK,
    NEWSWIRE_SUMBASIC,
    NEWSWIRE_AGENTS
};

/* abstract.c: adds the summary of an agent < NEWSWIRE_LEAD3 on `article`, which is number `index` of
 * the world `seed`, to an empty summary. */
int newswire_abstract(struct newswire_summary *summary, const struct newswire_article *article,
                      uint64_t seed, size_t index, size_t agent, uint32_t draw);
/* extract.c: the same of the other agents. */
int newswire_extract(struct newswire_summary *summary, const struct newswire_article *article,
                     size_t agent);
/* Copies the chosen sentences (bit per sentence) in their order. */
void newswire_copy_sentences(struct newswire_summary *summary,
                             const struct newswire_article *article, uint64_t chosen);

#endif
