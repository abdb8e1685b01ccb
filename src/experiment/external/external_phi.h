/* φ of every pair as files for an estimator that is another program (docs/formats.md). */
#ifndef REGRET_EXPERIMENT_EXTERNAL_PHI_H
#define REGRET_EXPERIMENT_EXTERNAL_PHI_H

#include "experiment/features/feature_set.h"

/* phi_indptr.npy, phi_indices.npy and phi_data.npy. */
int external_write_phi(const char *folder, const struct feature_set *features);
/* Links them from the folder `phi`, where they were written. */
int external_link_phi(const char *folder, const char *phi);

#endif
