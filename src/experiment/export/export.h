/* The files of `regret cell --export`. */
#ifndef REGRET_EXPERIMENT_EXPORT_H
#define REGRET_EXPERIMENT_EXPORT_H

#include "experiment/replicate/replicate.h"
#include "regret/buffer.h"

/* Numbers of an export read back exactly; "nan" where there is none. */
void export_number(struct regret_buffer *t, double x);
/* The name of the i-th family of the replicate. Static. */
const char *export_family(const struct replicate *r, size_t i);

/* phi.mtx, pairs × D. Of a sparse feature set only the pairs in use, those of OBS, EXP and test contexts:
 * the rows of the others are empty, and cell.json says so. */
void export_phi(struct regret_buffer *t, const struct replicate *r);
/* hyper.json: what every family chose; of family mixed its variances, of the stack its members' weights and
 * variances, and its libraries. */
void export_hyper(struct regret_buffer *t, const struct replicate *r);
/* words.csv and own.csv: w(x) and k(x) of every context, where a family crosses them with agents. */
int export_words(const char *folder, const struct replicate *r);
/* values.csv: family, agent, truth, dm, dr, sndr. */
void export_values(struct regret_buffer *t, const struct replicate *r);
/* intervals.csv and differences.csv: bootstrap intervals (95 %, 2,000 resamples) of the values and
 * of the differences V(a) - V(b) between agents. */
int export_intervals(struct regret_buffer *values, struct regret_buffer *differences,
                     const struct replicate *r);

#endif
