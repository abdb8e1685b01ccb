#include "estimate/mixed.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/status.h"
#include "estimate/family.h"
#include "estimate/session.h"
#include "linalg/mixed_model.h"
#include "regret/status.h"

enum { MIXED_INTERCEPT, MIXED_SHIFT, MIXED_FIXED };
enum { MIXED_VARIANCES = MIXED_BLOCKS + MIXED_OTHERS };

/* How far a fit tells requests apart: what lies beyond has no columns. */
enum mixed_reach { MIXED_ONE_AGENT, MIXED_BY_TAG, MIXED_BY_REQUEST };

/* Lines: the columns that all entries have, then those of its agent alone. */
struct mixed_layout {
    const struct regret_problem *problem;
    const double
        *held; /* h(x), n_picked × n_contexts: whether a context holds a picked word, centred */
    size_t common, own;                    /* columns of a line */
    size_t n_blocks;                       /* without own columns those before MIXED_OWN */
    struct mixed_span block[MIXED_BLOCKS]; /* where they stand in a line */
};

/* Rows gathered as entries: a pair in OBS, or in EXP, grouped by context. */
struct mixed_rows {
    struct mixed_model model;
    double *line, *y, *rows; /* owned, as the next */
    uint32_t *group, *part;
};

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Blocks that have columns, one after another: where they end. */
static size_t put_blocks(struct mixed_span *block, size_t column, const size_t size[MIXED_BLOCKS])
{
    for (size_t b = 0; b < MIXED_BLOCKS; b++) {
        if (size[b] > 0) {
            block[b] = (struct mixed_span){column, column + size[b]};
            column += size[b];
        }
    }
    return column;
}

static struct mixed_layout lay_out(const struct regret_session *session, enum mixed_reach reach,
                                   const double *held, size_t n_picked)
{
    const struct regret_problem *p = session->problem;
    struct mixed_layout l = {.problem = p, .held = held};
    size_t tags = p->n_tags > 1 && p->tag != NULL && p->context != NULL ? p->n_tags : 0;
    int by_tag = reach >= MIXED_BY_TAG, by_request = reach == MIXED_BY_REQUEST;
    size_t text = by_request ? p->z.dim : 0;
    size_t rank = by_request ? least(p->words_rank, MIXED_MOST_CROSSED / p->n_agents) : 0;
    size_t own_rank = by_request ? least(p->own_rank, MIXED_MOST_OWN / p->n_agents) : 0;
    l.n_blocks = own_rank > 0 ? MIXED_BLOCKS : MIXED_OWN;
    l.common = put_blocks(l.block, MIXED_FIXED,
                          (const size_t[MIXED_BLOCKS]){
                              [MIXED_TEXT] = text,
                              [MIXED_TEXT_BIAS] = text,
                              [MIXED_OWN] = own_rank > 0 ? p->own_rank : 0,
                          });
    l.own = put_blocks(l.block, l.common,
                       (const size_t[MIXED_BLOCKS]){
                           [MIXED_AGENT] = 1,
                           [MIXED_AGENT_TAG] = by_tag ? tags : 0,
                           [MIXED_WORDS] = rank,
                           [MIXED_PICKED] = n_picked,
                           [MIXED_BIAS] = 1,
                           [MIXED_AGENT_OWN] = own_rank,
                       }) -
            l.common;
    return l;
}

static double variance_of_rows(const struct mixed_model *m)
{
    double rows = 0.0, mean = 0.0, square = m->within;
    for (size_t e = 0; e < m->n; e++) {
        rows += m->rows[e];
        mean += m->rows[e] * m->y[e];
    }
    mean /= rows;
    for (size_t e = 0; e < m->n; e++) {
        square += m->rows[e] * (m->y[e] - mean) * (m->y[e] - mean);
    }
    return square / rows;
}

static const double LEAST_VARIANCE = 1e-8;  /* a standard deviation of .0001: none to speak of */
static const double LEAST_OF_AGENTS = 1e-4; /* of .01 */
static const double LEAST_NOISE = 1e-6;

/* The summit that is reached from where one variance has this share of that of all rows, and the others the rest, equally. */
static int climb_from(double v[MIXED_VARIANCES], double *likelihood, size_t main, double share,
                      const struct mixed_model *m)
{
    double low[MIXED_VARIANCES], all = variance_of_rows(m);
    size_t n = m->n_blocks + MIXED_OTHERS;
    for (size_t j = 0; j < n; j++) {
        low[j] = LEAST_VARIANCE;
        v[j] = all * (j == main ? share : (1.0 - share) / (double)(n - 1));
    }
    low[MIXED_AGENT] = LEAST_OF_AGENTS;
    low[m->n_blocks + MIXED_NOISE] = LEAST_NOISE;
    for (size_t j = 0; j < n; j++) {
        v[j] = fmax(v[j], low[j]);
    }
    return mixed_choose(v, likelihood, m, low);
}

/* Of few entries the likelihood may have several summits: they are climbed from where each variance in turn is nearly all
 * there is. One that is higher by less than SAME_SUMMIT is the same. */
enum { FEW_ENTRIES = 256 };
static const double SAME_SUMMIT = 1e-6;

static int choose_variances(double v[MIXED_VARIANCES], const struct mixed_model *m)
{
    double other[MIXED_VARIANCES], highest, reached;
    TRY(climb_from(v, &highest, m->n_blocks + MIXED_NOISE, 0.5, m));
    for (size_t j = 0; m->n <= FEW_ENTRIES && j < m->n_blocks + MIXED_OTHERS; j++) {
        TRY(climb_from(other, &reached, j, 0.9, m));
        if (reached > highest + SAME_SUMMIT) {
            memcpy(v, other, sizeof other);
            highest = reached;
        }
    }
    return REGRET_OK;
}

/* A block without columns has no variance. */
static void clear_absent(double v[MIXED_VARIANCES], const struct mixed_layout *layout)
{
    for (size_t b = 0; b < MIXED_BLOCKS; b++) {
        v[b] = layout->block[b].end > layout->block[b].begin ? v[b] : 0.0;
    }
}

/* Variances of all blocks from those of a model, which may lack the last of them, and the other way. */
static void from_model(double v[MIXED_VARIANCES], const double *of_model, size_t n_blocks)
{
    memcpy(v, of_model, n_blocks * sizeof *v);
    memcpy(v + MIXED_BLOCKS, of_model + n_blocks, MIXED_OTHERS * sizeof *v);
}

static void to_model(double *of_model, const double v[MIXED_VARIANCES], size_t n_blocks)
{
    memcpy(of_model, v, n_blocks * sizeof *v);
    memcpy(of_model + n_blocks, v + MIXED_BLOCKS, MIXED_OTHERS * sizeof *v);
}

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

/* The line of a pair, zeroed before, in an OBS or EXP row. */
static void mixed_fill_line(double *line, const struct mixed_layout *layout, size_t pair,
                            int is_obs)
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

/* f without the effects of contexts, entries and OBS. */
static int predict(double *f, const struct mixed_layout *layout, const double *beta)
{
    const struct regret_problem *problem = layout->problem;
    size_t columns = layout->common + layout->own;
    FREED double *line = NULL;
    TRY(REGRET_NEW(&line, columns));
    for (size_t p = 0; p < problem->pairs; p++) {
        const double *own = beta + layout->common + problem->agent[p] * layout->own;
        double sum = 0.0;
        memset(line, 0, columns * sizeof *line);
        mixed_fill_line(line, layout, p, 0);
        for (size_t j = 0; j < columns; j++) {
            sum += line[j] * (j < layout->common ? beta[j] : own[j - layout->common]);
        }
        f[p] = clip01(sum);
    }
    return REGRET_OK;
}

static void mixed_rows_free(struct mixed_rows *rows)
{
    regret_free(rows->line);
    regret_free(rows->y);
    regret_free(rows->rows);
    regret_free(rows->group);
    regret_free(rows->part);
}

FREED_POINTER(struct regret_sample, regret_sample_free)

static const double precision[MIXED_FIXED] = {
    [MIXED_SHIFT] =
        1.0, /* N(0, 1): next to nothing where outcomes are of [0,1], and always defined */
};

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

/* Of all OBS rows, and of the EXP rows outside DR fold `without`; SIZE_MAX: of all. */
static int mixed_rows_gather(struct mixed_rows *out, const struct mixed_layout *layout,
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

/* Predictions of every pair from the rows outside a DR fold; of all rows also v, unless it is kept. */
static int fit_without(double *f, double v[MIXED_VARIANCES], const struct regret_session *session,
                       const struct mixed_layout *layout, size_t without, int is_kept)
{
    FREED_BY(mixed_rows_free) struct mixed_rows rows = {0};
    double of_model[MIXED_VARIANCES];
    FREED double *beta = NULL;
    to_model(of_model, v, layout->n_blocks);
    TRY(mixed_rows_gather(&rows, layout, session, without));
    TRY(is_kept ? REGRET_OK : choose_variances(of_model, &rows.model));
    from_model(v, of_model, layout->n_blocks);
    clear_absent(v, layout);
    TRY(REGRET_NEW(&beta, mixed_columns(&rows.model)));
    TRY(mixed_solve(beta, &rows.model, of_model));
    return predict(f, layout, beta);
}

static int cross_fit(struct regret_estimate *estimate, const struct regret_session *session,
                     const struct mixed_layout *layout)
{
    const struct regret_problem *problem = session->problem;
    FREED double *f = NULL;
    TRY(REGRET_NEW(&f, problem->pairs));
    for (size_t k = 0; k < problem->dr->n_folds; k++) {
        TRY(fit_without(f, estimate->variance, session, layout, k, 1));
        TRY(cross_fit_fold(estimate, problem, k, f));
    }
    return REGRET_OK;
}

/* The words that are crossed with agents, or those chosen before. */
static int pick(struct regret_estimate *estimate, const struct regret_session *session,
                enum mixed_reach reach)
{
    if (session->chosen != NULL) {
        memcpy(estimate->picked, session->chosen->picked, sizeof estimate->picked);
        estimate->n_picked = session->chosen->n_picked;
        return REGRET_OK;
    }
    return mixed_pick(
        estimate->picked, &estimate->n_picked, session,
        reach == MIXED_BY_REQUEST
            ? least(REGRET_MOST_PICKED, MIXED_MOST_PICKED / session->problem->n_agents)
            : 0);
}

/* Best linear unbiased predictions at the variances of largest restricted likelihood, or at those chosen before. */
static int fit_reach(struct regret_estimate *estimate, struct regret_session *session,
                     enum mixed_reach reach)
{
    const struct regret_estimate *chosen = session->chosen;
    FREED double *held = NULL;
    if (chosen != NULL) {
        memcpy(estimate->variance, chosen->variance, sizeof estimate->variance);
    }
    TRY(pick(estimate, session, reach));
    TRY(mixed_hold(&held, session->problem, estimate->picked, estimate->n_picked));
    struct mixed_layout layout = lay_out(session, reach, held, estimate->n_picked);
    TRY(fit_without(estimate->prediction, estimate->variance, session, &layout, SIZE_MAX,
                    chosen != NULL));
    return estimate->cross_fit != NULL ? cross_fit(estimate, session, &layout) : REGRET_OK;
}

static int fit(struct regret_estimate *estimate, struct regret_session *session)
{
    return fit_reach(estimate, session, MIXED_BY_REQUEST);
}

static int fit_one_agent(struct regret_estimate *estimate, struct regret_session *session)
{
    return fit_reach(estimate, session, MIXED_ONE_AGENT);
}

static int fit_by_tag(struct regret_estimate *estimate, struct regret_session *session)
{
    return fit_reach(estimate, session, MIXED_BY_TAG);
}

/* About a dozen steps, of two products of entries by columns and an inverse; from other starts too where entries are few. */
static void work(struct fit_work *w, const struct fit_sizes *s)
{
    enum { STEPS = 12 };
    uint64_t entries = work_add(s->obs, s->exp),
             q = work_add(work_mul(2, s->z), MIXED_MOST_CROSSED / 2);
    uint64_t step = work_add(work_mul3(2 * entries, q, q), work_mul3(q, q, q));
    uint64_t climbs = entries <= FEW_ENTRIES ? 1 + MIXED_VARIANCES : 1;
    uint64_t steps = s->kept ? 1 : STEPS * climbs + s->value_folds / 2;
    w->block = work_add(w->block, work_mul(steps, step));
}

_Static_assert((int)MIXED_VARIANCES == (int)REGRET_N_VARIANCES,
               "an estimate has room for every variance");

const struct regret_family family_mixed = {
    .name = "mixed",
    .summary = "effects of agents, tags and texts, and of OBS, with variances by REML",
    .fit = fit,
    .work = work,
    .crosses_words = 1,
};

const struct regret_family mixed_one_agent = {.name = "mixed-agent", .fit = fit_one_agent};
const struct regret_family mixed_by_tag = {.name = "mixed-tag", .fit = fit_by_tag};
