/* Claims asked of one run or of several, corrected for how many comparisons that makes, as tables. */
#ifndef REGRET_REPORT_ANSWERS_H
#define REGRET_REPORT_ANSWERS_H

#include "report/claims/claim_ask.h"
#include "report/render/table.h"
#include "report/rows/blocks.h"

struct claim_answer {
    const struct claim *claim;
    const char *run,
        *group; /* whose cells: the run's name and the heading of the group; borrowed */
    struct claim_result result;
    size_t
        first; /* where its parts stand among all comparisons; REGRET_NO_ROW where it is not counted */
};

struct claim_answers {
    const struct claims *claims; /* those that are asked; borrowed */
    struct claim_answer *items;
    size_t n, capacity;
    double *holm, *benjamini_hochberg; /* adjusted p-values of all comparisons */
};

/* The views of the whole run `d`; and every claim about one of them asked of a group of its cells. */
int answers_ask(struct claim_answers *a, const struct table_data *d, const struct group *group,
                const char *run);
/* Adjusts the p-values of the parts of all counted claims, as one family of comparisons. */
int answers_correct(struct claim_answers *a);
void answers_free(struct claim_answers *a);

/* A block for every idea, "heading: idea"; with a column that names the run where there are several. */
void put_answers(struct table *t, const struct claim_answers *a, const struct group *heading,
                 int with_run);
/* The block "verdicts": counts by idea or, of several runs, by run. */
void put_tallies(struct table *t, const struct claim_answers *a, const struct group *heading,
                 int by_run);

/* Claims about none of the views. */
size_t claims_about_others(const struct claims *c, unsigned views);

/* What the columns and verdicts mean, as notes. */
void note_claims(struct table *t);

/* Every claim about a view that the run has the shape of, asked of each of its groups of cells (table_claims.c). */
int put_claims(struct table *t, const struct table_data *d);

#endif
