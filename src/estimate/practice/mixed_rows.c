#include <stdint.h>
#include <string.h>

#include "base/core/try.h"
#include "estimate/practice/mixed.h"
#include "regret/alloc.h"

FREED_POINTER(struct regret_sample, regret_sample_free)

static const double precision[MIXED_FIXED] = {
    [MIXED_SHIFT] =
        1.0, /* N(0, 1): next to nothing where outcomes are of [0,1], and always defined */
};

/* z of a pair, in a block of columns that may be empty. */
static void fill_text(double *line, struct mixed_span block, const struct regret_design *z,
                      size_t pair)
{
    for (size_t j = 0; block.begin + j < block.end; j++) {
        line[block.begin + j] = z->value[j * z->pairs + pair];
    }
}

/* What is known of a context by columns, n_contexts each, likewise. */
static void fill_context(double *line, struct mixed_span block, const double *of, size_t x,
                         const struct regret_problem *p)
{
    for (size_t j = 0; block.begin + j < block.end; j++) {
        line[block.begin + j] = of[j * p->n_contexts + x];
    }
}

void mixed_fill_line(double *line, const struct mixed_layout *layout, size_t pair, int is_obs)
{
    const struct regret_problem *p = layout->problem;
    const struct mixed_span *block = layout->block;
    size_t x = p->context != NULL ? p->context[pair] : 0;
    line[MIXED_INTERCEPT] = 1.0;
    line[block[MIXED_AGENT].begin] = 1.0;
    if (block[MIXED_AGENT_TAG].end > block[MIXED_AGENT_TAG].begin) {
        line[block[MIXED_AGENT_TAG].begin + p->tag[x]] = 1.0;
    }
    fill_text(line, block[MIXED_TEXT], &p->z, pair);
    fill_context(line, block[MIXED_WORDS], p->words, x, p);
    fill_context(line, block[MIXED_PICKED], layout->held, x, p);
    fill_context(line, block[MIXED_OWN], p->own, x, p);
    fill_context(line, block[MIXED_AGENT_OWN], p->own, x, p);
    if (is_obs) {
        line[MIXED_SHIFT] = 1.0;
        line[block[MIXED_BIAS].begin] = 1.0;
        fill_text(line, block[MIXED_TEXT_BIAS], &p->z, pair);
    }
}

/* A pair without a context shares its effects with no other. */
static uint32_t group_of(const struct regret_problem *p, size_t pair)
{
    return p->context != NULL ? p->context[pair] : (uint32_t)pair;
}

static void count_groups(size_t *start, const struct regret_problem *p,
                         const struct regret_sample *s)
{
    for (size_t e = 0; e < s->entries; e++) {
        start[group_of(p, s->pair[e]) + 1]++;
    }
}

/* Puts the entries of a sample at the next free places of their groups. */
static void place_entries(struct mixed_rows *out, size_t *start, const struct mixed_layout *layout,
                          const struct regret_sample *s, int is_obs)
{
    size_t columns = layout->common + layout->own;
    for (size_t e = 0; e < s->entries; e++) {
        uint32_t g = group_of(layout->problem, s->pair[e]);
        size_t i = start[g]++;
        double mean = s->sum[e] / s->count[e];
        out->group[i] = g;
        out->part[i] = layout->problem->agent[s->pair[e]];
        out->rows[i] = s->count[e];
        out->y[i] = mean;
        out->model.within += s->square[e] - s->sum[e] * mean;
        mixed_fill_line(out->line + i * columns, layout, s->pair[e], is_obs);
    }
}

static int gather_exp(struct regret_sample **out, const struct regret_problem *p, size_t without)
{
    FREED uint32_t *use = NULL;
    TRY(REGRET_NEW(&use, p->exp->n));
    for (size_t i = 0; i < p->exp->n; i++) {
        use[i] = without == SIZE_MAX || p->dr->fold[i] != without;
    }
    return regret_sample_gather(out, p->exp->pair, p->exp->y, p->exp->n, p->pairs, use, 1);
}

static int make_room(struct mixed_rows *out, const struct mixed_layout *layout, size_t n)
{
    TRY(REGRET_NEW(&out->line, (layout->common + layout->own) * n));
    TRY(REGRET_NEW(&out->y, n));
    TRY(REGRET_NEW(&out->rows, n));
    TRY(REGRET_NEW(&out->group, n));
    TRY(REGRET_NEW(&out->part, n));
    out->model = (struct mixed_model){.n = n,
                                      .common = layout->common,
                                      .own = layout->own,
                                      .parts = layout->problem->n_agents,
                                      .line = out->line,
                                      .part = out->part,
                                      .y = out->y,
                                      .rows = out->rows,
                                      .group = out->group,
                                      .fixed = MIXED_FIXED,
                                      .precision = precision,
                                      .n_blocks = layout->n_blocks,
                                      .stop = layout->problem->phi.stop};
    memcpy(out->model.block, layout->block, layout->n_blocks * sizeof *layout->block);
    return REGRET_OK;
}

int mixed_rows_gather(struct mixed_rows *out, const struct mixed_layout *layout,
                      const struct regret_session *session, size_t without)
{
    const struct regret_problem *p = layout->problem;
    size_t groups = p->context != NULL ? p->n_contexts : p->pairs;
    FREED_BY(regret_sample_free_at) struct regret_sample *exp = NULL;
    FREED size_t *start = NULL;
    *out = (struct mixed_rows){0};
    TRY(gather_exp(&exp, p, without));
    TRY(REGRET_NEW(&start, groups + 1));
    TRY(make_room(out, layout, session->obs->entries + exp->entries));
    count_groups(start, p, session->obs);
    count_groups(start, p, exp);
    for (size_t g = 0; g < groups; g++) {
        start[g + 1] += start[g];
    }
    place_entries(out, start, layout, session->obs, 1);
    place_entries(out, start, layout, exp, 0);
    return REGRET_OK;
}

void mixed_rows_free(struct mixed_rows *rows)
{
    regret_free(rows->line);
    regret_free(rows->y);
    regret_free(rows->rows);
    regret_free(rows->group);
    regret_free(rows->part);
}
