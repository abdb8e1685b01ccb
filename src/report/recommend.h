/* The recommendation of a run. */
#ifndef REPORT_RECOMMEND_H
#define REPORT_RECOMMEND_H

#include <stddef.h>

#include "regret/results.h"
#include "report/lists.h"
#include "report/slice.h"

/* What a value is held against: the best single agent as the headline of the run has it, then each by its name. */
enum reference { OVER_SINGLE, OVER_BEST_EXP, OVER_BEST_OBS, N_REFERENCES };

/* What one source of recommendations says of one context, or of all together. */
struct recommended {
    size_t agent;                           /* the one most often recommended; equals: the lowest */
    double share;                           /* of the replicates' recommendations that are for it */
    size_t replicates;                      /* that held the context out */
    struct seeds_mean value;                /* of what was recommended, whoever that was */
    struct seeds_mean margin[N_REFERENCES]; /* that value less the reference's */
    /* Both by seeds and contexts, of all contexts together; else NaN. */
    struct regret_two_way new_value, new_margin[N_REFERENCES];
};

/* What the rows say of a family of one's own: whether it has seen what was held out (report/leaks). */
enum leaking { LEAKS_NOT, LEAKS_UNKNOWN, LEAKS_LIKELY };

/* The sources: each ranked family, then the vote, then the baselines that go by rows. */
struct recommend {
    const struct regret_results *r;     /* borrowed */
    const struct regret_run_grid *grid; /* of all chosen cells */
    struct slice cells;
    size_t oracle;                  /* its subject */
    size_t reference[N_REFERENCES]; /* subjects; REGRET_NO_ROW where the rows have none */
    size_t *subject;                /* [n_sources]; REGRET_NO_ROW of the vote; owned */
    size_t n_families, n_sources;
    size_t best;          /* of the families, that of lowest mean regret */
    unsigned char *votes; /* [n_families] 1: not separable from the best */
    enum leaking *leaks;  /* [n_families] */
    struct recommended
        *item; /* [n_sources × (n_contexts + 1)]; the last of a source is of all contexts */
};

/* Of one cell or, with REGRET_NO_ROW, of all; borrows from `d`. */
int recommend_make(struct recommend *out, const struct table_data *d, size_t cell);
void recommend_free(struct recommend *s);

/* "vote", or the subject's name; the source of a subject, n_sources where it is none. */
const char *recommend_source(const struct recommend *s, size_t source);
size_t recommend_find(const struct recommend *s, size_t subject);

static inline const struct recommended *recommend_item(const struct recommend *s, size_t source,
                                                       size_t x)
{
    return &s->item[source * (s->grid->n_contexts + 1) + x];
}

/* The tag of a context, NULL of one without. */
static inline const char *recommend_tag(const struct recommend *s, size_t x)
{
    return s->grid->tags != NULL ? s->grid->tags[x] : NULL;
}

/* What a subject recommends on the held-out contexts of a replicate: of all agents where pairs are unobserved and the rows say
 * so, though its loss is that of the best it names among the observed. */
struct regret_list_view recommend_choices(const struct recommend *s, size_t subject, size_t cell,
                                          size_t seed);

#endif
