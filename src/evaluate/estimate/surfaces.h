/* Families fitted without each fold of clusters, on the folds before each of the later ones, and on all rows.
 *
 * What corrects values, f^(−k), has seen every fold but its own. A policy must have seen less: where all folds choose by nearly the
 * same rows, their errors are not independent, and intervals about the value of what was chosen are too short (of ten agents that are
 * alike, 100 rows, 80 % of nominal 95 % intervals hold it). So the policy of fold k is learned on folds before k alone, and its errors are
 * martingale differences (Luedtke and van der Laan, Annals of Statistics 44, 2016); the first folds, two of five, are learned from
 * only. */
#ifndef REGRET_EVALUATE_SURFACES_H
#define REGRET_EVALUATE_SURFACES_H

#include "evaluate/material/material.h"

/* What was learned of some folds: who answers, by the two policies that know no request. */
struct learned {
    uint32_t single;
    uint32_t *by_tag; /* [n_tags]; NULL without tags */
};

/* A family. Rows are those of the basis. */
struct surfaces {
    const struct regret_family *family;
    /* f^(−k), and f of the folds before k alone, for the later folds, by agents: on the context of each row that has pairs (its
     * drawn.n_known); behind these, where not all have, for each fold on average over those by tag (surface_at()). Owned. */
    double *out_of_fold, *early;
    double *
        level; /* [folds × n_agents] f^(−k) on average over all rows with the agent on offer; owned */
    double *whole; /* [pairs] f of all rows; owned */
    double lambda; /* of that fit; NaN where it has none */
    /* [folds + 1] of the folds before each of the later ones; last, of all rows. Owned. */
    struct learned *learned;
    int status;   /* REGRET_OK, or why it could not be fitted */
    char *reason; /* then; NULL else */
};

struct surface_list {
    size_t n, folds, used; /* `used` corrects values and makes policies */
    size_t incumbent;      /* whom policies are compared to */
    size_t first_late;     /* policies are valued on rows of this fold and those behind it */
    struct surfaces *of;   /* [n] */
};

/* Fits every family that the options name or that the data allow. Of those that could not be fitted, by reason of what
 * they are, status and reason tell; REGRET_E_INPUT where none could. The same bits whatever options->threads. */
int surfaces_make(struct surface_list *out, const struct material *m,
                  const struct regret_evaluate_options *options);
void surfaces_clear(struct surface_list *list);

/* Where a row of the basis has its f, of out_of_fold and early; and how many there are. */
size_t surface_at(const struct material *m, size_t row);
size_t count_surfaces(const struct material *m);

/* Agents that policies may name: those with rows of two clusters of the basis that are not withdrawn. */
int eligible_agents(unsigned char *eligible, const struct material *m);
/* Probabilities of what was chosen, of rows of the basis: as given, or where the log has none, of its tag's shares. */
int propensities_make(double *propensity, const struct material *m);
/* Folds that are left out: from..to − 1. */
struct left_out {
    size_t from, to;
};
/* f by agents on average over the rows that are laid out, for each tag (of none of these over all): [tags × n_agents]. */
int levels_by_tag(double **level, const struct material *m, const double *f);
/* Learns from f and from the rows of the basis that are not left out: agents are compared with the incumbent, on requests of a tag with
 * the single one, on rows in which both were on offer. */
int policies_learn(struct learned *out, const struct material *m, const double *f,
                   const double *propensity, const unsigned char *eligible, size_t incumbent,
                   struct left_out left);
/* The agent of the largest f on a context that has all pairs, of equals the lowest, of those on offer in a row of the basis (SIZE_MAX:
 * all); UINT32_MAX of none. */
uint32_t policy_by_request(const struct material *m, const double *f_of_agents,
                           const unsigned char *eligible, size_t row);

#endif
