/* What the outputs of the run's pool are worth, by agent and tag (struct regret_run_means), as the table, the figure and the
 * terminal show it. Contexts, not seeds, are the sample here. */
#ifndef REGRET_REPORT_MEANS_H
#define REGRET_REPORT_MEANS_H

#include "report/rows/slice.h"
#include "stats/limits.h"

/* The agent of the largest mean and the second, of all contexts together (group 0) or of those of a tag. */
struct means_best {
    size_t first, second; /* agents; REGRET_NO_ROW: there is none */
    /* Over contexts where both have an output; where some are missing by effects within contexts (struct regret_run_means), by
     * Student's t; of votes by all votes. */
    struct paired lead;
    size_t pairs;  /* contexts where both have an output */
    double p;      /* that the lead is 0, by Holm over the groups; NaN of fewer than FEW_CONTEXTS */
    int separable; /* the lead is above 0, and p at most .05 */
};

/* One a group, n_tags + 1; the caller frees *out. */
int means_best(struct means_best **out, const struct regret_run_means *means);

/* "all", "no tag" or the tag. */
const char *means_group_name(const struct regret_run_means *means, size_t group);
double means_of(const struct regret_run_means *means, size_t group, size_t agent);
/* The 95 % interval over contexts; NaN of fewer than two. */
struct limits means_limits(const struct regret_run_means *means, size_t group, size_t agent);
/* Of two agents as of independent means. */
struct paired means_apart(const struct regret_run_means *means, size_t group, size_t first,
                          size_t second);

/* The agents by their mean over all contexts, the largest first; those without an output last. */
int means_order_agents(size_t **out, const struct regret_run_means *means);
/* All contexts, then the tags of most contexts; equals in the order of the pool. */
int means_order_groups(size_t **out, const struct regret_run_means *means);

/* The cells that have the item, of which there is one at least. */
int means_cells(struct slice *out, const struct regret_results *r, size_t item);
/* What these cells share and others do not, "reward.map = smooth"; nothing where every cell has the same item. */
void means_heading(struct regret_buffer *out, const struct slice *cells);
const struct regret_run_grid *means_grid(const struct slice *cells);

#endif
