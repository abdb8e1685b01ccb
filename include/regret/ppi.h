/* Prediction-powered inference of a mean (Angelopoulos, Bates, Fannjiang, Jordan and Zrnic, Science 382, 2023,
 * doi:10.1126/science.adi6000), tuned as in PPI++ (Angelopoulos, Duchi and Zrnic, 2023, arXiv:2311.01453): n labels Y with
 * judgements f of the same things, and N judgements F of others that are drawn alike,
 *
 *   mean = λ F̄ + (Ȳ − λ f̄)        variance = λ² S²(F)/N + S²(Y − λf)/n
 *
 * with λ = 1 untuned, and tuned, which makes the variance least where f and F scatter alike, the slope of Y on f over
 * 1 + n/N, moved into [0,1]. S² has n − 1. The slope is that of the n labelled things [C: PPI++ divides by the variance of
 * all judgements], so that of judgements that are the labels it is 1 and the mean is that of all n + N. Without two labels
 * and one other judgement, or where f does not vary, λ is 0 and the mean is Ȳ. The interval has Student's t of n − 1
 * degrees of freedom [C: the papers', of large samples, have the normal quantile]. */
#ifndef REGRET_PPI_H
#define REGRET_PPI_H

#include "regret/status.h"

/* What is known; zero: nothing. Numbers are of the size of one, as scores from 0 to 1 are. */
struct regret_ppi_sums {
    double n, y, f, yy, yf, ff; /* of labelled things */
    double others, other, other_squares;
};
REGRET_API void regret_ppi_add_label(struct regret_ppi_sums *sums, double label, double judgement);
REGRET_API void regret_ppi_add_judgement(struct regret_ppi_sums *sums, double judgement);

struct regret_ppi {
    double mean, lambda;  /* NaN without a label */
    double se, low, high; /* NaN without two */
};
/* `tuned` 1: λ is chosen; 0: it is 1 (0 without other judgements). 0 < level < 1. */
REGRET_API void regret_ppi_mean(struct regret_ppi *out, const struct regret_ppi_sums *sums,
                                int tuned, double level);

#endif
