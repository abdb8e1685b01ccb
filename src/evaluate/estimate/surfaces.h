/* Families fitted without each fold of clusters, and on all rows. */
#ifndef REGRET_EVALUATE_SURFACES_H
#define REGRET_EVALUATE_SURFACES_H

#include "evaluate/material/material.h"

/* What was learned without a fold: who answers, by the two policies that know no request. */
struct learned {
    uint32_t single;
    uint32_t *by_tag; /* [n_tags]; NULL without tags */
};

/* A family. Rows are those of the basis. */
struct surfaces {
    const struct regret_family *family;
    double
        *out_of_fold; /* [rows × n_agents] f^(−k) on the contexts of rows; owned, as the others */
    double *whole;    /* [pairs] f of all rows */
    double lambda;    /* of the fit of all rows; NaN where it has none */
    struct learned *learned; /* [folds + 1] without each fold; on all rows */
    int status;              /* REGRET_OK, or why it could not be fitted */
    char *reason;            /* then; NULL else */
};

struct surface_list {
    size_t n, folds, used; /* `used` corrects values and makes policies */
    struct surfaces *of;   /* [n] */
};

/* Fits every family that the options name or that the data allow. Of those that could not be fitted, by reason of what
 * they are, status and reason tell; REGRET_E_INPUT where none could. The same bits whatever options->threads. */
int surfaces_make(struct surface_list *out, const struct material *m,
                  const struct regret_evaluate_options *options);
void surfaces_clear(struct surface_list *list);

/* Agents that values and policies are of: those with rows of two clusters of the basis. */
int eligible_agents(unsigned char *eligible, const struct material *m);
/* Probabilities of what was chosen, of rows of the basis: as given, or where the log has none, of its tag's shares. */
int propensities_make(double *propensity, const struct material *m);
/* Learns from f and from the rows of the basis outside of `fold` (SIZE_MAX: all). */
int policies_learn(struct learned *out, const struct material *m, const double *f,
                   const double *propensity, const unsigned char *eligible, size_t fold);
/* The agent of the largest f on a context that has all pairs, of equals the lowest. */
uint32_t policy_by_request(const struct material *m, const double *f_of_agents,
                           const unsigned char *eligible);

#endif
