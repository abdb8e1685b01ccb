#include <stdint.h>

#include "base/core/try.h"
#include "estimate/practice/stack.h"
#include "regret/alloc.h"

/* Sums of outcomes: of all rows, of agents, of agents by tag. */
struct sums {
    double all[2];      /* Σ y and the number of rows */
    double (*agent)[2]; /* [n_agents]; owned */
    double (*cell)[2];  /* [n_agents × n_tags]; owned; one tag where there are none */
};

FREED_FIELDS(sums, of->agent, of->cell)

static size_t tags_of(const struct regret_problem *p)
{
    return p->tag != NULL && p->n_tags > 0 ? p->n_tags : 1;
}

static size_t cell_of(const struct regret_problem *p, size_t pair)
{
    size_t tag = tags_of(p) > 1 ? p->tag[p->context[pair]] : 0;
    return p->agent[pair] * tags_of(p) + tag;
}

static void add(double sum[2], double y)
{
    sum[0] += y;
    sum[1] += 1.0;
}

static void add_rows(struct sums *s, const struct regret_problem *p, const struct regret_rows *rows,
                     const uint32_t *fold, size_t without)
{
    for (size_t i = 0; i < rows->n; i++) {
        if (without == SIZE_MAX || fold[i] != without) {
            add(s->all, rows->y[i]);
            add(s->agent[p->agent[rows->pair[i]]], rows->y[i]);
            add(s->cell[cell_of(p, rows->pair[i])], rows->y[i]);
        }
    }
}

static double shrunken(const double sum[2], double towards, double rows)
{
    return (sum[0] + rows * towards) / (sum[1] + rows);
}

int stack_mean_surface(double *f, const struct regret_problem *p, enum stack_mean which,
                       double rows, size_t without)
{
    int is_exp = which == MEAN_AGENT_EXP || which == MEAN_TAG_EXP;
    int by_tag = which == MEAN_TAG_EXP || which == MEAN_TAG_OBS;
    FREED_BY(sums_fields) struct sums s = {{0.0, 0.0}, NULL, NULL};
    TRY(REGRET_NEW(&s.agent, p->n_agents));
    TRY(REGRET_NEW(&s.cell, p->n_agents * tags_of(p)));
    add_rows(&s, p, is_exp ? p->exp : p->obs, p->dr->fold, is_exp ? without : SIZE_MAX);
    double all = s.all[1] > 0.0 ? s.all[0] / s.all[1] : 0.5;
    for (size_t pair = 0; pair < p->pairs; pair++) {
        f[pair] = shrunken(s.agent[p->agent[pair]], all, rows);
        if (by_tag) {
            f[pair] = shrunken(s.cell[cell_of(p, pair)], f[pair], rows);
        }
    }
    return REGRET_OK;
}
