/* The answer to a claim as it is gathered: its evidence seed by seed, its parts, and the numbers it shows. */
#ifndef REGRET_REPORT_EVIDENCE_H
#define REGRET_REPORT_EVIDENCE_H

#include "report/claims/claims.h"

/* One comparison: which side of 0 its interval lies on, and the two-sided p-value that the evidence is
 * 0. NaN over fewer than FEW_SEEDS seeds, which decide nothing. */
struct claim_part {
    int side; /* +1 above, −1 below, 0 neither */
    double p;
};

/* The answer, gathered part by part. */
struct claim_result {
    size_t n_seeds;
    double *d;                /* the evidence of the part at hand; n_seeds numbers, 0 at first */
    struct paired weakest;    /* the part that decides */
    size_t tested;            /* parts that some seed has */
    struct claim_part *parts; /* owned */
    size_t n_parts, capacity;
    struct regret_buffer lacking; /* what it lacks; "" where the claim applies */
};

/* What a claim is asked of. */
struct claim_context {
    const struct regret_results *r;
    struct slice cells;     /* those that the claim speaks of */
    struct ranking ranking; /* of the paper's families */
    int measure;            /* of those of the claim the one at hand */
};

/* ---------------------------------------------------------------- needs and cells (claim_needs.c) */

/* Says in f->lacking what the claim needs and the cells do not have. */
int claim_needs(struct claim_result *f, const struct claim *c, const struct slice *all);
/* The cells that the claim speaks of. Keys it needs are swept. */
int claim_cells_of(struct slice *out, const struct claim *c, const struct slice *all);
/* Those with the least or the greatest value of the key that occurs; of reward maps smooth and sharpened. */
enum end { FIRST, LAST };
int cells_at(struct slice *out, const struct slice *base, size_t key, enum end end);

/* How many the claim speaks of, a choice of families for one, and the i-th; the i-th of the others from there on.
 * REGRET_NO_ROW where the run has none of the name, and of a choice. */
size_t claim_spoken_of(const struct claim *c, const struct claim_context *x);
size_t claim_subject(const struct claim *c, const struct claim_context *x, size_t i);
size_t claim_others(const struct claim *c);

/* ---------------------------------------------------------------- evidence (evidence.c) */

/* The mean over all seeds of a measure of rows or of a squared bias over the cells. */
double claim_mean(const struct slice *s, int measure, size_t subject);

/* Of n families, family slowest, the seed's number of the one with the best mean over the other seeds: a
 * choice that is not made on what it is judged by. The seeds share most of what they choose on, so the
 * numbers are nearly, not strictly, independent. Best is the greatest sign · score; of scores that are equal
 * the lowest `tie`, which may be NULL: then the first. NaN where there are no other seeds. */
void choose_on_others(double *out, size_t n_seeds, size_t n, int sign, const double *score,
                      const double *tie);
/* How low or high counts: −1 for a measure of which less is better, else +1. */
int better_sign(enum regret_measure m);
/* That of the families by the measure; `out` has room for all seeds. */
int held_out_best(double *out, const struct slice *s, enum regret_measure m, const size_t *families,
                  size_t n);

/* d += weight · the number of the i-th subject in the cells; d −= weight · what that is taken against. */
int add_own(struct claim_result *f, double weight, const struct claim *c,
            const struct claim_context *x, const struct slice *s, size_t i);
int subtract_counterpart(struct claim_result *f, double weight, const struct claim *c,
                         const struct claim_context *x, const struct slice *s, size_t i);

/* What it is taken against in the mean over all seeds: a subject and its measure. REGRET_NO_ROW
 * where there is none. */
size_t counterpart(int *measure, const struct claim *c, const struct claim_context *x,
                   const struct slice *s, size_t i);

/* How far from 0 an amount over some cells may be and count as none [C]: 5 % of what it is taken against
 * or, alone, of itself; of R² .05. */
double margin_of(const struct claim *c, const struct claim_context *x, const struct slice *s);

/* Ends a part: its interval is taken into the verdict, d is 0 again. Evidence below MEANS_TIE is the
 * rounding of equal numbers and counts as 0. */
int end_part(struct claim_result *f);
/* Ends a part that claims no change: above 0 in the verdict where the interval of d lies within
 * ± margin, below where it lies outside. Shown is the change itself; its p-value is that of the margin
 * nearer to it. */
int end_flat_part(struct claim_result *f, double margin);
/* Ends a part whose interval is known. */
int end_part_with(struct claim_result *f, const struct paired *p);

/* ---------------------------------------------------------------- kinds of claims */

/* An amount over contrasts of cells (contrast.c); against each rival (rivals.c); ranks and wins, which are of cell means (means.c); what the costliest choices cost (costliest.c). */
typedef int claim_kind(struct claim_result *f, const struct claim *c,
                       const struct claim_context *x);
claim_kind judge_contrast, judge_rivals, judge_wins, judge_costliest;

/* What standing so in a cell counts for: the rank, 1 among the three best, or the share of a win. */
double placement(int measure, struct standing s);
/* The mean rank, or the cells among the best three or won, of all[0] among those ranked is above or below that of each
 * of the n − 1 after it. */
int compare_ranks(struct claim_result *f, const struct claim *c, const struct claim_context *x,
                  const size_t *all, size_t n);

#endif
