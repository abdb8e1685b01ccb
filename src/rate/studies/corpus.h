/* Texts made by this project, for the example set: short reviews of household goods. SYNTHETIC. */
#ifndef REGRET_RATE_CORPUS_H
#define REGRET_RATE_CORPUS_H

#include "regret/buffer.h"
#include "regret/rng.h"

/* Appends a clean review, good or bad in its words, and with extra sentences when `is_long`. */
void corpus_review(struct regret_buffer *out, int positive, int is_long, struct regret_rng *rng);

#endif
