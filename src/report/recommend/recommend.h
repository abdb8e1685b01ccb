/* Who is recommended, of a run's lists: counted here, written by recommend_text.c. */
#ifndef REGRET_REPORT_RECOMMEND_H
#define REGRET_REPORT_RECOMMEND_H

#include "report/rows/lists.h"
#include "report/rows/table_data.h"

/* What one source of recommendations says of one context, or of all together. */
struct recommended {
    size_t agent;             /* the one most often recommended; equals: the lowest */
    double share;             /* of the replicates' recommendations that are for it */
    size_t replicates;        /* that held the context out */
    struct seeds_mean value;  /* of what was recommended, whoever that was */
    struct seeds_mean margin; /* that value less the best single agent's */
    /* Both by seeds and contexts, of all contexts together; else NaN. */
    struct regret_two_way new_value, new_margin;
};

/* The sources: each ranked family, then the vote, then the baselines that go by EXP: best-exp and, in a run with
 * tags, best-by-tag-exp. */
struct recommend {
    const struct regret_results *r;     /* borrowed */
    const struct regret_run_grid *grid; /* of all chosen cells */
    struct slice cells;
    const size_t *families; /* borrowed */
    size_t *baselines;      /* [n_sources − n_families − 1] subjects; owned */
    size_t n_families, n_sources;
    size_t best;          /* of `families`, that of lowest mean regret */
    unsigned char *votes; /* [n_families] 1: not separable from the best */
    struct recommended
        *item; /* [n_sources × (n_contexts + 1)]; the last of a source is of all contexts */
};

/* Of one cell or, with REGRET_NO_ROW, of all; borrows from `d`. */
int recommend_make(struct recommend *out, const struct table_data *d, size_t cell);
void recommend_free(struct recommend *s);

/* "vote", or the subject's name. */
const char *recommend_source(const struct recommend *s, size_t source);

#endif
