/* A mixed model fitted by restricted maximum likelihood. */
#ifndef LINALG_MIXED_MODEL_H
#define LINALG_MIXED_MODEL_H

#include <stddef.h>
#include <stdint.h>

#include "regret/status.h"

/* What a mixed model is of: its entries, columns and blocks (mixed_model.h has the mathematics). */

enum { MIXED_MAX_BLOCKS = 9 };
/* Places of variances behind those of the blocks. */
enum { MIXED_GROUP, MIXED_ENTRY, MIXED_NOISE, MIXED_OTHERS };
enum { MIXED_MAX_VARIANCES = MIXED_MAX_BLOCKS + MIXED_OTHERS };

/* Columns of a line with one variance; all common or all own. */
struct mixed_span {
    size_t begin, end;
};

struct mixed_model {
    size_t n;              /* entries */
    size_t common, own;    /* columns that all entries have, and those that a part has for itself */
    size_t parts;          /* of which an entry belongs to one */
    const double *line;    /* (common + own) × n, column-major: the line of an entry together */
    const uint32_t *part;  /* [n] < parts */
    const double *y;       /* [n] means of rows */
    const double *rows;    /* [n] how many, > 0 */
    const uint32_t *group; /* [n] ascending */
    size_t fixed;          /* columns before the first block, all common */
    const double *precision; /* [fixed] */
    size_t n_blocks;
    struct mixed_span block[MIXED_MAX_BLOCKS]; /* they may be empty */
    double within;                             /* S */
    const struct regret_stop *stop;            /* asked at every step; may be NULL */
};

/* Where β of part 0 begins, and those of the next parts by `own` each. */
static inline size_t mixed_columns(const struct mixed_model *m)
{
    return m->common + m->parts * m->own;
}

/* A linear mixed model of N entries, each the mean of rows of its own, in parts and in groups:
 *
 *   y_e = x_e β + c_g(e) + p_e + ε_e      c_g ~ N(0, v_c)   p_e ~ N(0, v_p)   ε_e ~ N(0, v_ε / n_e)
 *   β_j ~ N(0, v_b) for the columns of block b; columns before the first block have a precision that is given, 0 for
 *   an effect that is fixed.
 *
 * Some columns all entries have, others a part for itself. With V the covariance of y given the fixed effects,
 *
 *   ℓ(v) = −½ [ log|V| + log|X_f' V⁻¹ X_f| + y'Py + (n − N) log v_ε + S/v_ε ]     (up to a constant)
 *
 * is the restricted likelihood of the rows, S their squares within entries (Patterson and Thompson, Biometrika 58, 1971); β at the v
 * that maximises it is the best linear unbiased prediction (Robinson, Statistical Science 6, 1991).
 *
 * Method. Henderson's mixed model equations (internal.h), parts or groups eliminated first (crossed.h). ℓ is climbed in log v by
 * Newton steps with the average information (Gilmour, Thompson and Cullis, Biometrics 51, 1995), damped until ℓ rises. A step is
 * O(Σ over parts of entries × columns², and m³), m the columns in common and those of all parts, or the groups of two entries
 * or more, whichever are fewer. */

/* β, [mixed_columns()], given variances v [n_blocks + MIXED_OTHERS], > 0; those of blocks without columns are not read. */
int mixed_solve(double *beta, const struct mixed_model *m, const double *v);
/* The v of largest ℓ with low ≤ v ≤ MIXED_MOST that a climb reaches, and that ℓ; v holds where to start. Blocks without
 * columns stay as they are. */
int mixed_choose(double *v, double *likelihood, const struct mixed_model *m, const double *low);

#endif
