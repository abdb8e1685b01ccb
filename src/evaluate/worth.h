/* DM, DR and SNDR of rows with their influence. */
#ifndef EVALUATE_WORTH_H
#define EVALUATE_WORTH_H

#include <stddef.h>
#include <stdint.h>

#include "evaluate/features.h"
#include "stats/limits.h"

/* What values rest on. Borrowed. */
struct basis {
    size_t n, n_agents, n_clusters;
    const uint32_t *agent, *cluster; /* [n] */
    const double *y, *propensity;    /* [n] */
    const double *surface;           /* [n × n_agents] */
    double level;
    double noise;               /* s², of basis_noise(); 0 before */
    const struct drawn *drawn;  /* who was on offer; NULL: everybody, always */
    const uint32_t *surface_of; /* [n] which of the surfaces is a row's; NULL: its own */
    int range_of_data;          /* 1: outcomes beyond [0,1] could have been */
};
/* f of row i, by agents. */
static inline const double *basis_surface(const struct basis *b, size_t i)
{
    return b->surface + (b->surface_of != NULL ? b->surface_of[i] : i) * b->n_agents;
}
static inline int basis_offers(const struct basis *b, size_t i, size_t agent)
{
    return b->drawn == NULL || drawn_offers(b->drawn, i, agent);
}
/* One agent, or the agent of each row. */
struct chooser {
    const uint32_t *choice; /* [n]; NULL: `agent` everywhere */
    uint32_t agent;
};
/* Rows with group[i] == value; NULL: all. */
struct part {
    const uint32_t *group;
    uint32_t value;
};

/* What a value is made of. */
struct worth_parts {
    double correction;          /* R */
    double by_surface, by_rows; /* C/(C−1) Σ P², V_Q as it is without s² */
    double clusters, effective; /* C, and m */
    size_t own;                 /* clusters with rows of the policy */
    struct bounded sndr;
};

/* s²: V_Q m of agents, weighted by m − 1; 0 where none has rows of two clusters. */
int basis_noise(double *noise, const struct basis *b);
/* DM, DR, SNDR. DM's interval is that of the mean of the surface; NaN of the others where m < 2. `parts` may be NULL. */
int worth_of(struct regret_valued out[REGRET_N_VALUES], struct worth_parts *parts,
             const struct basis *b, const struct chooser *x, const struct part *part);

/* Of the one of n estimates that was chosen because it is large; of one there was no choice. The choice makes a value too high and not
 * too low: .8 of what the level leaves is for the lower bound, shared by all n (Bonferroni), .2 for the upper [C]. */
struct tails tails_of_chosen(double level, size_t n);

/* What limits of a difference come from: both values on the rows where they differ and how their errors go together, the share of these
 * rows, and the part of the variance that is the share's. */
struct gap {
    struct bounded x, y;
    double rho, share, by_share, df;
};
/* SNDR of x less that of y over the rows where they differ, times the share of these; exactly 0 where they nowhere do, NaN of no rows.
 * influence [n_clusters] gets what clusters add to it; it and gap may be NULL. */
int worth_difference(struct regret_valued *out, struct gap *gap, double *influence,
                     const struct basis *b, const struct chooser *x, const struct chooser *y,
                     const struct part *part);

/* Intervals; NaN where the error is. Student's, for what has no range; limits of a value and of a difference (stats/limits.h): the edge
 * of the range is decided by the policy's own rows. */
void student_set_interval(struct regret_valued *v, struct tails tails);
void value_set_interval(struct regret_valued *v, const struct bounded *of, struct tails tails);
void difference_set_interval(struct regret_valued *v, const struct gap *of, struct tails tails);

/* Intervals of DM that know what the surface misses (losses.c). f follows an agent's own rows by the share s: DM moves by s where
 * their mean moves by 1. With R = SNDR − DM of n agents and v = V_Q, which is their rows' part of the variance,
 *
 *   E (DM − V)² = V_P + s² v + M      M = mean (1 − s)² δ², of which mean R² − (1 − s)² mean v is an unbiased estimate
 *
 * since DM − V = s ε + (1 − s) δ and R = (1 − s)(ε − δ), ε the error of the rows and δ that of all else; M is its mean given that it is
 * not negative (value/measure.h). s is the slope of `level`, what f^(−k) says of an agent on the same requests for every k, on the residuals of its
 * rows without fold k, over agents and folds, in [0,1]: requests that differ between folds would blur it. They cover on average over agents.
 * NaN of an agent without rows. */
void direct_intervals(struct regret_valued *direct, const struct worth_parts *parts, size_t n,
                      double share, double level);
int own_share(double *share, const struct basis *b, const uint32_t *fold, size_t n_folds,
              const double *level);

#endif
