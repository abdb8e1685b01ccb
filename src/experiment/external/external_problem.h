/* The problem of a replicate as files for an estimator that is another program (docs/own-estimator.md). */
#ifndef REGRET_EXPERIMENT_EXTERNAL_PROBLEM_H
#define REGRET_EXPERIMENT_EXTERNAL_PROBLEM_H

#include "experiment/inputs/feature_set.h"

struct external_case;

#define EXTERNAL_PROBLEM_FORMAT "regret-problem-1"

/* φ of every pair: phi_indptr.npy, phi_indices.npy and phi_data.npy. */
int external_write_phi(const char *folder, const struct feature_set *features);

/* problem.json and every other array into an empty folder. `phi`: the folder where external_write_phi() has put φ
 * (files are linked). Nothing of what is written tells a segment, the target, or an outcome of
 * held-out contexts. */
int external_write_problem(const char *folder, const char *phi, const struct external_case *c);

#endif
