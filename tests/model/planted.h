/* Tables of made-up scores with winners that were put in: by tag, by a word, by a number beside, or none. Synthetic. */
#ifndef REGRET_TESTS_PLANTED_H
#define REGRET_TESTS_PLANTED_H

#include "model/model.h"

enum planted_kind { PLANTED_NONE, PLANTED_TAG, PLANTED_WORD, PLANTED_ONE, PLANTED_COLUMN };

struct planted {
    size_t n, n_agents;
    char **text;
    const char **tag;
    const char **agent;
    const char *first_tag; /* what "code" is called; NULL: that */
    double *target;        /* [n × n_agents] */
    size_t *best;          /* [n] the agent that was planted there; 0 of none */
    /* Of PLANTED_COLUMN a number "a size", above 60 where agent 0 is better, blank in every tenth, and a word "land". */
    struct regret_covariate *own;              /* [n × 2] */
    const struct regret_covariate **covariate; /* [n] */
    size_t n_columns;
};

/* n contexts of 12 words, some of two tags; agent 0 is better with the first tag (or the word "function"), agent 1 with the
 * second (or without). `holes` is the share of scores that are NaN, of which every context keeps two. */
void planted_make(struct planted *p, enum planted_kind kind, size_t n, size_t n_agents,
                  double holes, uint64_t seed);
void planted_free(struct planted *p);

/* The table of the first `n` contexts, to be freed; the model of it by that rule. */
void planted_table(struct score_table *s, const struct planted *p, size_t n);
struct regret_model *planted_fit(const struct planted *p, size_t n, enum rule rule);

#endif
