#include <stdint.h>

#include "base/core/try.h"
#include "estimate/practice/mixed.h"
#include "regret/alloc.h"

FREED_POINTER(struct regret_sample, regret_sample_free)

static const double precision[MIXED_FIXED] = {
    [MIXED_SHIFT] =
        1.0, /* N(0, 1): next to nothing where outcomes are of [0,1], and always defined */
};

size_t mixed_columns(const struct mixed_layout *layout)
{
    return layout->end[MIXED_BLOCKS - 1];
}

/* z of a pair, in a block of columns that may be empty. */
static void fill_text(double *line, size_t first, size_t end, const struct regret_design *z,
                      size_t pair)
{
    for (size_t j = 0; first + j < end; j++) {
        line[first + j] = z->value[j * z->pairs + pair];
    }
}

void mixed_fill_line(double *line, const struct mixed_layout *layout, size_t pair, int is_obs)
{
    const struct regret_problem *p = layout->problem;
    const size_t *end = layout->end;
    size_t a = p->agent[pair], x = p->context != NULL ? p->context[pair] : 0;
    line[MIXED_INTERCEPT] = 1.0;
    line[MIXED_FIXED + a] = 1.0;
    if (end[MIXED_AGENT_TAG] > end[MIXED_AGENT]) {
        line[end[MIXED_AGENT] + a * p->n_tags + p->tag[x]] = 1.0;
    }
    fill_text(line, end[MIXED_AGENT_TAG], end[MIXED_TEXT], &p->z, pair);
    for (size_t j = 0; j < layout->rank; j++) {
        line[end[MIXED_TEXT] + a * layout->rank + j] = p->words[j * p->n_contexts + x];
    }
    for (size_t j = 0; j < layout->n_picked; j++) {
        line[end[MIXED_WORDS] + a * layout->n_picked + j] = layout->held[j * p->n_contexts + x];
    }
    for (size_t j = 0; layout->own_rank > 0 && j < p->own_rank; j++) {
        line[end[MIXED_TEXT_BIAS] + j] = p->own[j * p->n_contexts + x];
    }
    for (size_t j = 0; j < layout->own_rank; j++) {
        line[end[MIXED_OWN] + a * layout->own_rank + j] = p->own[j * p->n_contexts + x];
    }
    if (is_obs) {
        line[MIXED_SHIFT] = 1.0;
        line[end[MIXED_PICKED] + a] = 1.0;
        fill_text(line, end[MIXED_BIAS], end[MIXED_TEXT_BIAS], &p->z, pair);
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
    size_t q = mixed_columns(layout);
    for (size_t e = 0; e < s->entries; e++) {
        uint32_t g = group_of(layout->problem, s->pair[e]);
        size_t i = start[g]++;
        double mean = s->sum[e] / s->count[e];
        out->group[i] = g;
        out->rows[i] = s->count[e];
        out->y[i] = mean;
        out->model.within += s->square[e] - s->sum[e] * mean;
        mixed_fill_line(out->line + i * q, layout, s->pair[e], is_obs);
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
    size_t q = mixed_columns(layout);
    TRY(REGRET_NEW(&out->line, q * n));
    TRY(REGRET_NEW(&out->y, n));
    TRY(REGRET_NEW(&out->rows, n));
    TRY(REGRET_NEW(&out->group, n));
    out->model = (struct mixed_model){.n = n,
                                      .q = q,
                                      .line = out->line,
                                      .y = out->y,
                                      .rows = out->rows,
                                      .group = out->group,
                                      .fixed = MIXED_FIXED,
                                      .precision = precision,
                                      .n_blocks = layout->n_blocks,
                                      .stop = layout->problem->phi.stop};
    for (size_t b = 0; b < layout->n_blocks; b++) {
        out->model.end[b] = layout->end[b];
    }
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
}
