/* One article: an event drawn from a domain, and its text with what every sentence states. */
#ifndef REGRET_SYNTH_NEWSWIRE_ARTICLE_ARTICLE_H
#define REGRET_SYNTH_NEWSWIRE_ARTICLE_ARTICLE_H

#include "synth/newswire/article/difficulty.h"
#include "synth/newswire/article/grammar.h"
#include "synth/newswire/article/tokens.h"

enum { NEWSWIRE_MAX_SENTENCES = 64 };

struct newswire_sentence {
    size_t start, end;     /* bytes [start, end) of the text */
    int fact;              /* of the domain; -1 for a scene */
    uint32_t gives, needs; /* slots introduced here, and those taken as known */
};

enum newswire_shape {
    NEWSWIRE_PYRAMID,  /* the event first, then by importance */
    NEWSWIRE_DELAYED,  /* scenes and background first, the event later */
    NEWSWIRE_SCATTERED /* the event first, the rest in any order */
};

struct newswire_article {
    const struct newswire_corpus *corpus;         /* what it is made of */
    const struct newswire_difficulty *difficulty; /* for those who summarize it */
    const struct newswire_domain *domain;
    struct newswire_value values[NEWSWIRE_MAX_SLOTS];
    enum newswire_shape shape;
    struct regret_buffer text;
    struct newswire_sentence sentences[NEWSWIRE_MAX_SENTENCES];
    size_t n_sentences;
    uint32_t present;                     /* bit per fact of the domain */
    int position[NEWSWIRE_MAX_FACTS];     /* sentence that states the fact, or -1 */
    size_t n_majors, n_quotes, n_numbers; /* among the facts present */
    struct newswire_tokens tokens;
};

int newswire_is_major(const struct newswire_fact *fact);

/* Writes article `index` of the world `seed` into *article, whose corpus and difficulty are set and whose text
 * buffer must be valid (empty or of an earlier article; its memory is reused). */
int newswire_article_write(struct newswire_article *article, uint64_t seed, size_t index);
void newswire_article_free(struct newswire_article *article);

/* Streams of the purpose REGRET_RNG_NEWSWIRE, which never collide with those of articles. */
uint64_t newswire_stream_grasp(size_t article, size_t agent);
uint64_t newswire_stream_draw(size_t article, size_t agent, uint32_t draw);

#endif
