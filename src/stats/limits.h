/* Limits of means and of differences. */
#ifndef STATS_LIMITS_H
#define STATS_LIMITS_H

#include <stddef.h>

/* What an interval leaves below and above. */
struct tails {
    double below, above;
};
struct tails tails_of(double level); /* as much on either side */

struct limits {
    double low, high;
};

/* A mean of outcomes of [0,1] with its variance, the independent rows of full weight that it is worth, and the variance's degrees of
 * freedom. NaN of no rows. Where the range is that of the data alone, `lean` is the skewness over √n (else 0): then the end on the
 * long side is at least Hall's; of a difference only where one has more than twice the rows of the other, since alike tails cancel. */
struct bounded {
    double value, variance, rows, df, lean;
};

/* Of n independent rows of that mean and standard deviation (divisor n − 1). */
struct bounded bounded_moments(double mean, double sd, double n);
/* Of clusters with sums and numbers of rows. Outcomes that are all alike do not tell how alike those of a cluster are: rows count as
 * if their correlation were .3 [C]. */
struct bounded bounded_clusters(const double *sum, const double *rows, size_t n);
/* Rows that clusters of those sizes are worth, Σ rows/(1 + .3 (Σ rows²/Σ rows − 1)), from both sums. */
double clusters_worth(double rows, double squares);

/* The rows of an agent's own that a weighted value (DR, SNDR) rests on. With weights w of sum W they are worth no more than W²/Σw² rows and,
 * for what was not seen may stand in a row of the largest weight, than W/max w. */
struct own_rows {
    double worth, clusters; /* rows and clusters that they are worth */
    double mean, variance;  /* Σwy/W, and its variance */
    double lean;            /* of the value, as above */
};
/* A value of that variance, model and all; of own rows that are all alike it is theirs: no model may move what no row contradicts. */
struct bounded bounded_weighted(double value, double variance, const struct own_rows *own);

struct limits bounded_limits(const struct bounded *x, struct tails tails);
/* Of x less y, whose estimates have the correlation rho (0 of independent arms; not used where a variance is 0), from the limits of both. */
struct limits limits_of_gap(double x, struct limits of_x, double y, struct limits of_y, double rho);
struct limits bounded_difference(const struct bounded *x, const struct bounded *y, double rho,
                                 struct tails tails);

/* Differences on the same requests, by clusters: of `n` clusters the sums of what is above 0, of what is below (as positive numbers),
 * and of rows. Where enough of them differ the interval is Student's; else that of two shares, of those above and of those below. */
struct paired_limits {
    double value, low, high;
    double share; /* λ, of Student's interval in it */
    double rho;   /* of the two shares */
};
struct pairs {
    const double *above, *below, *rows; /* [n] */
    size_t n;
};
struct paired_limits paired_limits_of(const struct pairs *pairs, struct tails tails);

/* The two-sided p-value that a difference is 0: twice what is left on the side where an interval ends at 0. */
double paired_p_of_zero(const struct pairs *pairs);

/* How far a mean of that error may lie above (r > 0; below: −r) where t errors are left, by Hall's transformation of long tails, for r the
 * skewness over √n. (Σ|y|)²/Σy² is how many rows such a mean rests on: of fewer than HEAVY_WARN its end may still be too low, of
 * fewer than HEAVY_REFUSE nothing should be said of it. */
enum { HEAVY_WARN = 50, HEAVY_REFUSE = 10 };
double long_reach(double error, double t, double r);

#endif
