/* Heads and lists of rows. */
#ifndef REPORT_LISTS_H
#define REPORT_LISTS_H

#include <stddef.h>

#include "regret/results.h"
#include "report/slice.h"
#include "stats/resampling.h"

/* What a report says of a run besides its numbers: what was run, on what, by what. */

/* The configuration's title, else the pool's, else its name. Borrowed; not escaped. */
const char *head_title(const struct regret_run_facts *run);

/* Of generated data the first two are said, of a real task the third. */
extern const char head_synthetic[], head_not_real[], head_real[];

/* "not the pool's own: …" of scores that spread.* changed in some cells; nothing where none were. */
void head_changed_scores(struct regret_buffer *out, const struct regret_results *r);

/* What repeats the run from config.json. Static. */
const char *head_command(const struct regret_run_facts *run);

/* Pool, digest, grid, seeds, families, versions: a list of either format. */
void head_facts_markdown(struct regret_buffer *out, const struct regret_results *r);
void head_facts_html(struct regret_buffer *out, const struct regret_results *r);

/* The lists of a run's rows (regret/results.h) as figures take them: means over cells, then over seeds; and what
 * the lists of losses say of contexts that were not there. */

/* The oracle's subject when rows of the run hold lists and every grid has the same agents, whose ids are
 * those of r->grids[0]; else REGRET_NO_ROW. */
size_t lists_oracle(const struct regret_results *r);

/* Of fewer held-out contexts nothing is said of new ones. */
enum { FEW_CONTEXTS = 10 };

/* What contexts do to a mean over seeds, gathered seed by seed for regret_two_way(). */
struct held_out {
    size_t n_contexts, n_seeds, n_touched;
    double *mean;                      /* n_seeds, with room for all */
    double *shift;                     /* [n_contexts] of the seed at hand … */
    size_t *touched;                   /* … the n_touched contexts that it holds out … */
    unsigned char *is_in;              /* … and 1 for each of them */
    struct regret_two_way_pair *pairs; /* n_pairs with room for `room` */
    size_t n_pairs, room;
    int unknown; /* 1: rows without lists have come */
};
int held_out_begin(struct held_out *h, size_t n_contexts, size_t n_seeds);
void held_out_free(struct held_out *h);
/* A mean of the numbers x of the contexts in a list, by their numbers here. */
void held_out_add(struct held_out *h, const struct regret_list_view *context, const double *x);
/* Ends the seed, whose mean is sum/total; left out where that is not finite. */
int held_out_seed(struct held_out *h, double sum, double total);
/* NaN but for the mean where a list was missing, or of fewer than FEW_CONTEXTS. */
int held_out_interval(struct regret_two_way *out, const struct held_out *h);

#endif
