/* What the sources of this folder share. */
#ifndef MODEL_INTERNAL_H
#define MODEL_INTERNAL_H

#include <stddef.h>
#include <stdint.h>

#include "model/contrast.h"
#include "model/model.h"
#include "regret/buffer.h"

/* ---- rules.c: rules by request. ---- */

/* What was found. */
struct rules {
    double rho[DESIGNS]; /* of the fit of all contexts by each design, by its own left-out loss … */
    double loss[DESIGNS]; /* … which is this */
    enum regret_model_rule rule;
    size_t design; /* the one of that rule */
    struct regret_model_score score[REGRET_MODEL_RULES];
    double random;
    size_t judged;
};

/* Contexts are left out in RULE_FOLDS folds, each with its share of every tag. In every fold every design has its ρ chosen
 * by leaving out one context after the other, and of the designs of a rule the one of least loss speaks for it. With δ_x the
 * regret of the best single agent of the fold less that of the rule on x, a rule is taken for better where
 * mean δ > t se(δ), t of Student's distribution at 1 − .05/(2 × the rules compared); own columns and words are taken instead
 * of the one before only where they are better than it in the same way. */
int rules_find(struct rules *out, const struct panel *panel, const struct design_list *designs,
               const uint32_t *kind, size_t threads);

/* ---- widths.c: intervals for new requests. ---- */

/* Fills variances and factors of a model of `data` that is otherwise made. `miss` [rows × n_agents] and `shared_miss` [rows] are what
 * the fits without a context miss of d_a and c.
 *
 *   s_a² = mean over contexts of miss²/v_d      s_c² = that of c      v: model_layer_variance()
 *   |mu(x,â) − f(x,â)| / √(s_c² v_c + s_â² v_d)  of every context, â the agent recommended without it
 *
 * The ⌈.95 (n + 1)⌉-th smallest of these (the greatest, where there is none) is the factor of half-widths (jackknife
 * prediction; Barber, Candès, Ramdas and Tibshirani, Annals of Statistics 49, 2021, section 1). The margin's likewise, of
 * contexts where â is not the single agent; of all agents on all contexts where these are fewer than forty.
 *
 * Of rows, e = outcome − f(x,A), weights w, s_c = 0:
 *
 *   s_a² = mean of e²/v_d over the agent's rows, by w, and one more row of the mean over all
 *
 * and the factor is the least that rows of w (Σw + w̄) .95 have, of those whose agent is recommended without x, of all
 * rows where these are fewer than forty (weighted conformal prediction; Tibshirani, Barber, Candès and Ramdas, NeurIPS 2019). No row
 * has two agents: a margin's variance is the sum of both, its factor the same. */
int widths_measure(struct regret_model *m, const struct regret_model_data *data,
                   const struct panel *panel, const struct vocabulary *v, const double *miss,
                   const double *shared_miss, const double *shared);

/* ---- request_table.c: tables of new requests. ---- */

enum request_role { REQUEST_TEXT, REQUEST_ID, REQUEST_TAG, REQUEST_ROLES };

/* Requests in one piece of memory; texts are found by where they begin. */
struct request_block {
    size_t n, capacity;
    struct request_place {
        size_t id, text, tag; /* in `bytes` */
    } * place;                /* owned */
    struct request_value {    /* of own columns */
        double number;
        size_t word;        /* in `bytes`; SIZE_MAX: it is not told */
    } * value;              /* [n × n_columns]; owned */
    size_t n_columns, room; /* room: of `value` */
    struct regret_buffer bytes;
};
void request_block_free(struct request_block *block);

struct request_table; /* opaque */

/* Opens it and finds its columns: those that the options name, or the one column of each role that its name tells, as
 * `regret init` reads names; and the model's own, by their names. REGRET_E_INPUT where there is no column of texts, or more
 * than one it could be. */
int request_table_open(struct request_table **out, const struct regret_requests_options *options,
                       const struct regret_model *model);
void request_table_close(struct request_table *table); /* NULL is fine */

/* The next requests, until there are `most` or they take `bytes`; none at the end. Those without an id have their number in
 * the table, from 1. REGRET_E_INPUT names file and line. */
int request_table_read(struct request_block *block, struct request_table *table, size_t most,
                       size_t bytes);

#endif
