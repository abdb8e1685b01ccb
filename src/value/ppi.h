/* Corrected labels. */
#ifndef VALUE_PPI_H
#define VALUE_PPI_H

/* What is known, of labels y and judgements f; zero: nothing. Numbers are of the size of one, as scores from 0 to 1 are. */
struct regret_ppi_sums {
    double n, y, f, yy, yf, ff; /* of labelled things */
    double others, other, other_squares;
};
void regret_ppi_add_label(struct regret_ppi_sums *s, double y, double f);
void regret_ppi_add_judgement(struct regret_ppi_sums *s, double f);

struct regret_ppi {
    double mean, lambda;  /* NaN without a label */
    double se, low, high; /* NaN without two */
};
/* `tuned` 1: λ is chosen; 0: it is 1 (0 without other judgements). 0 < level < 1. */
void regret_ppi_mean(struct regret_ppi *out, const struct regret_ppi_sums *sums, int tuned,
                     double level);

#endif
