/* Newswire: a synthetic pool of articles and summaries; and the list of generators. */
#ifndef SYNTH_NEWSWIRE_H
#define SYNTH_NEWSWIRE_H

#include <stddef.h>
#include <stdint.h>

#include "regret/synth.h"
#include "synth/agents.h"

/* newswire: a synthetic summarization pool and its simulator.
 *
 * Everything here is made by a program. An article is built from known facts (who, what, when,
 * where, numbers, quotations, qualifiers) drawn from a grammar of thirteen kinds of events and
 * reads as news of 200 to 600 words; people, towns and organisations are invented. Twenty agents
 * summarize it: eight prompt styles in two model sizes, which choose, order, word, pad, distort or
 * invent facts each in its way, and four extractive systems (lead-3, TextRank, LexRank,
 * SumBasic) that run on the article's words. A program that compares facts is the judge: it gives
 * faithfulness, coverage, clarity and conciseness as integers 0..5 with the anchors of the
 * OBS/EXP/SIM paper's Appendix B, and counts unsupported claims (protocol.md, 1 and 2). Scores are
 * a function of article and summary; nothing is drawn at random apart from the text. The rules with
 * every threshold are stated by the card.
 *
 * All bytes depend on (seed, article, agent, draw) alone, through streams of REGRET_RNG_NEWSWIRE and
 * integer arithmetic. Extractive systems give the same text for every draw. An article with all its
 * agents takes about 2 ms. */

/* The same articles, agents and rules in two difficulties (grammar.h), and the easier one with scores that lie
 * closer together. */
extern const struct regret_generator newswire_generator;
extern const struct regret_generator newswire_ceiling_generator;

/* Makes the summary of `agent` on `article` (number `index` of the world `seed`). */
int newswire_summarize(struct newswire_summary *summary, const struct newswire_article *article,
                       uint64_t seed, size_t index, size_t agent, uint32_t draw);

/* The generators that a run can make its pool with. */

/* Makes all of them known to the library; once, before any other thread runs. */
int synth_register(void);

#endif
