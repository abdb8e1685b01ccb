/* newswire: a synthetic summarization pool and its simulator.
 *
 * Everything here is made by a program. An article is built from known facts (who, what, when,
 * where, numbers, quotations, qualifiers) drawn from a grammar of thirteen kinds of events and
 * reads as news of 200 to 600 words; people, towns and organisations are invented. Twenty agents
 * summarize it: eight prompt styles in two model sizes, which choose, order, word, pad, distort or
 * invent facts each in its manner, and four extractive systems (lead-3, TextRank, LexRank,
 * SumBasic) that run on the article's words. A program that compares facts is the judge: it gives
 * faithfulness, coverage, clarity and conciseness as integers 0..5 with the anchors of the
 * OBS/EXP/SIM paper's Appendix B, and counts unsupported claims (protocol.md, 1 and 2). Scores are
 * a function of article and summary; nothing is drawn at random apart from the text. The rules with
 * every threshold are stated by regret_newswire_card().
 *
 * The generator can redraw any (article, agent) pair: it is the SIM of the pool. All bytes depend
 * on (seed, article, agent, draw) alone, through streams of REGRET_RNG_NEWSWIRE and integer
 * arithmetic: they are the same on every machine, and article i does not depend on how many
 * articles are made. */
#ifndef REGRET_NEWSWIRE_H
#define REGRET_NEWSWIRE_H

#include <stddef.h>
#include <stdint.h>

#include "regret/pool.h"
#include "regret/status.h"

enum {
    REGRET_NEWSWIRE_AGENTS = 20,
    REGRET_NEWSWIRE_COMPONENTS = 4, /* faithfulness, coverage, clarity, conciseness */
    REGRET_NEWSWIRE_COUNTS = 1,     /* unsupported_claims */
    REGRET_NEWSWIRE_AUX = 10        /* the labels T, named in the pool */
};

struct regret_newswire_options {
    uint64_t seed;
    size_t articles; /* 1 .. REGRET_POOL_MAX_CONTEXTS */
    size_t draws;    /* outputs of each (article, agent), >= 1; the grid within the pool's limits */
};
#define REGRET_NEWSWIRE_OPTIONS_INIT                                                               \
    {                                                                                              \
        1, 80, 1                                                                                   \
    }

/* The whole pool in memory; free it with regret_pool_free(). `options` may be NULL for the
 * defaults. Outputs are sorted by context, agent, draw; draws of an abstractive agent are drawn
 * anew each. REGRET_E_INPUT when a size is out of range. O(articles × draws), about 2 ms an article
 * with all its agents. */
REGRET_API int regret_newswire_generate(struct regret_pool **out,
                                        const struct regret_newswire_options *options);

/* The simulator. It holds no state but the seed, so one may serve many threads. */
struct regret_newswire;
REGRET_API int regret_newswire_open(struct regret_newswire **out, uint64_t seed);
REGRET_API void regret_newswire_close(struct regret_newswire *sim);

/* Article `index` (0 .. REGRET_POOL_MAX_CONTEXTS - 1) as the pool of this seed has it. The caller
 * owns context->id and context->text and frees both with regret_free(). */
REGRET_API int regret_newswire_article(const struct regret_newswire *sim, size_t index,
                                       struct regret_context *context);

/* The output of `agent` on `article`, any `draw`; draw k is byte for byte the cached draw k. The
 * caller owns output->text and output->values (4 scores, 1 count, 10 labels) and frees both with
 * regret_free(). Extractive systems give the same text for every draw. */
REGRET_API int regret_newswire_redraw(const struct regret_newswire *sim, size_t article,
                                      size_t agent, uint32_t draw, struct regret_output *output);

/* The card (README.md) of the pool these options make, into *out, to be freed with regret_free().
 * `options` may be NULL for the defaults. */
REGRET_API int regret_newswire_card(char **out, const struct regret_newswire_options *options);

#endif
