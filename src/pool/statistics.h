/* Statistics of a pool. */
#ifndef POOL_STATISTICS_H
#define POOL_STATISTICS_H

#include <stddef.h>

#include "regret/pool.h"

/* What a pool holds, in numbers. */

enum { REGRET_POOL_BINS = 10 };

/* Of n numbers; all zero when n is 0. */
struct regret_spread {
    size_t n;
    double mean;
    double sd; /* with n - 1; 0 when n < 2 */
    double low, high;
};

/* The quality of a pair is the mean over its draws of the mean normalised component. Words are what
 * stands between white space. */
struct regret_agent_stats {
    size_t outputs;               /* all draws */
    size_t missing;               /* contexts without an output */
    struct regret_spread quality; /* over its pairs */
    struct regret_spread words;   /* over its outputs */
    int constant;                 /* 1: one text for every context, of two at least */
    double
        best; /* contexts of the complete sub-grid on which its quality is the highest; 1/k of one on which
                    that of k agents is, to 1e-12 */
};

/* Outputs may be so far outside that they decide what a whole pool says: an output is extreme in a
 * quantity where it lies beyond the quartiles by more than REGRET_POOL_FAR times their distance
 * (Tukey's fences, Exploratory Data Analysis 1977, are at 1.5 and 3). Quantities are 0, the bytes of the
 * text, and 1 + j, count or aux label j; components have ranges. A quantity whose quartiles are the
 * same has none. */
enum { REGRET_POOL_FAR = 10 };
struct regret_pool_extreme {
    size_t quantity;
    double quartile[2];       /* the first and the third, over outputs */
    size_t outputs, contexts; /* extreme ones, and the contexts that have them */
    size_t output;            /* the farthest */
    double value;             /* of that one */
};
/* The quantities in which a checked pool has extreme outputs, *n of them, to be freed with
 * regret_free(). O(quantities · outputs · log outputs), and the lengths of the texts. */
int regret_pool_extremes(struct regret_pool_extreme **out, size_t *n,
                         const struct regret_pool *pool);
/* "bytes of text", or the name of the count or label; borrowed. */
const char *regret_pool_quantity_name(const struct regret_pool *pool, size_t quantity);

/* A column of the contexts. */
struct regret_column_stats {
    struct regret_spread number; /* of one of numbers, over contexts that have it … */
    size_t blank;                /* … and how many do not */
    size_t words;                /* of one of words: how many different ones */
};

struct regret_pool_stats {
    size_t pairs, missing_pairs;    /* contexts x agents, and those of them without an output */
    size_t least_draws, most_draws; /* of a pair with outputs */
    size_t empty_outputs;           /* outputs without a word */
    struct regret_spread context_words, output_words;
    struct regret_pool_tag *tags; /* by first appearance; NULL where no context has one; owned */
    size_t n_tags;
    struct regret_column_stats *columns; /* n_columns; owned */
    struct regret_agent_stats *agents;   /* n_agents; owned */
    double *agent_components; /* n_agents x n_components, column-major: mean normalised component
                                 over the agent's outputs; 0 without outputs; owned */
    struct regret_spread *values; /* n_components raw scores, n_counts counts, n_aux labels over all
                                     outputs; owned */
    size_t *histogram;   /* n_components rows of REGRET_POOL_BINS: outputs by normalised component
                            in equal bins, the last one closed; owned */
    double *correlation; /* n_components x n_components: Pearson's r of the components over outputs;
                            0 where one does not vary; owned */
    /* Of the largest complete sub-grid by the greedy rule of REGRET_GRID_COMPLETE; 0 contexts: of votes between more than two
     * agents there is none worth the name */
    size_t grid_contexts, grid_agents;
    struct regret_spread difficulty;
    double difficulty_quartile[3]; /* linear interpolation between order statistics */
    /* The two-way decomposition of the pairs' quality q(x,a): sums of squares of the agent means,
     * of the context means, and of the rest, as shares of the total; all 0 when q is constant. */
    double quality_variance; /* total sum of squares over the number of pairs */
    double agent_share, context_share, interaction_share;
    struct regret_pool_extreme *extremes; /* owned */
    size_t n_extremes;
};

/* Computes the statistics of a checked pool. Linear in its texts. Frees with the function below. */
int regret_pool_stats_make(struct regret_pool_stats **out, const struct regret_pool *pool);
void regret_pool_stats_free(struct regret_pool_stats *stats); /* NULL is fine */

#endif
