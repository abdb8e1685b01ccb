#include "rate/estimate/columns.h"

#include "base/core/try.h"
#include "rate/rows/rows.h"
#include "regret/alloc.h"

static int make_room(struct columns *c, size_t n)
{
    if (n <= c->capacity && c->block != NULL) {
        return REGRET_OK;
    }
    columns_free(c);
    TRY(REGRET_NEW(&c->row, n));
    TRY(REGRET_NEW(&c->block, 6 * n));
    c->capacity = n;
    return REGRET_OK;
}

static unsigned needed_of(const struct regret_rate_rows *rows, size_t m, const size_t *members)
{
    return rows->needed[rows->group[members[0]] * rows->n_models + m];
}

/* Sets the used rows: c->row, n1, n0. */
static void choose_rows(struct columns *c, const struct regret_rate_rows *rows, size_t m,
                        const size_t *members, size_t n)
{
    size_t used = 0;
    int any = (needed_of(rows, m, members) & NEEDED_SIDES) != 0; /* else no row serves */
    c->n_predicted = 0;
    for (int w = 1; w >= 0; w--) {
        for (size_t k = 0; any && k < n; k++) {
            size_t i = members[k];
            if (rows->w[i] == w && rows_missing(rows, m, i) == 0) {
                c->n_predicted += rows->w_predicted[i];
                c->row[used++] = k;
            }
        }
        if (w == 1) {
            c->n1 = used;
        }
    }
    c->n0 = used - c->n1;
}

static void fill_pointwise(struct columns *c, const struct regret_rate_model *model,
                           const size_t *members)
{
    size_t n = c->n1 + c->n0;
    double *o = c->score[REGRET_SIDE_ORIGINAL], *r = c->score[REGRET_SIDE_REWRITE];
    double *rr = c->score[REGRET_SIDE_REWRITE_OF_REWRITE];
    for (size_t k = 0; k < n; k++) {
        size_t i = members[c->row[k]];
        double sign = k < c->n1 ? 1.0 : -1.0;
        o[k] = model->score[REGRET_SIDE_ORIGINAL][i];
        r[k] = model->score[REGRET_SIDE_REWRITE][i];
        rr[k] = model->score[REGRET_SIDE_REWRITE_OF_REWRITE][i];
        c->single[k] = sign * (o[k] - r[k]);
        c->rate[k] = sign * (rr[k] - r[k]);
        c->drift[k] = rr[k] - o[k];
    }
}

static void fill_contrastive(struct columns *c, const struct regret_rate_model *model,
                             const size_t *members)
{
    for (size_t k = 0; k < c->n1 + c->n0; k++) {
        size_t i = members[c->row[k]];
        c->single[k] = model->score[0][i];
        c->rate[k] = model->score[1][i];
    }
}

/* Which scores there are, and so which kinds of estimates. */
static void find_kinds(struct columns *c, unsigned needed)
{
    for (int side = 0; side < REGRET_N_SIDES; side++) {
        c->has[side] = !c->contrastive && (needed & 1U << side) != 0;
    }
    int rewrite = c->has[REGRET_SIDE_REWRITE];
    c->has_single = c->contrastive ? (needed & 1U) != 0 : rewrite && c->has[REGRET_SIDE_ORIGINAL];
    c->has_rate =
        c->contrastive ? (needed & 2U) != 0 : rewrite && c->has[REGRET_SIDE_REWRITE_OF_REWRITE];
}

int columns_gather(struct columns *c, const struct regret_rate_rows *rows, size_t m,
                   const size_t *members, size_t n)
{
    const struct regret_rate_model *model = &rows->models[m];
    TRY(make_room(c, n));
    choose_rows(c, rows, m, members, n);
    size_t used = c->n1 + c->n0;
    for (size_t side = 0; side < REGRET_N_SIDES; side++) {
        c->score[side] = c->block + side * used;
    }
    c->single = c->block + 3 * used;
    c->rate = c->block + 4 * used;
    c->drift = c->block + 5 * used;
    c->contrastive = model->contrastive;
    find_kinds(c, needed_of(rows, m, members));
    if (c->contrastive) {
        fill_contrastive(c, model, members);
    } else {
        fill_pointwise(c, model, members);
    }
    return REGRET_OK;
}

void columns_free(struct columns *c)
{
    regret_free(c->block);
    regret_free(c->row);
    c->block = NULL;
    c->row = NULL;
    c->capacity = 0;
}
