/* Figures of agents, contexts and families. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "base/status.h"
#include "chart/svg.h"
#include "regret/status.h"
#include "report/figures.h"
#include "report/internal.h"
#include "report/lists.h"

/* Figures by agent: their values, how often each is recommended, and how often intervals hold the truth. */

enum { N_KINDS = 3 };
static const char *const kind_names[N_KINDS] = {"DM", "DR", "SNDR"};

/* Agents by a number of each, the largest first; equals by another, then by their place. */
struct ordered {
    double key, then;
    size_t agent;
};

static int largest_first(const void *a, const void *b)
{
    const struct ordered *x = a, *y = b;
    if (x->key != y->key) {
        return x->key > y->key ? -1 : 1;
    }
    if (x->then != y->then) {
        return x->then > y->then ? -1 : 1;
    }
    return x->agent < y->agent ? -1 : x->agent > y->agent;
}

static void order_agents(struct chart *c, struct ordered *agents, const struct regret_results *r)
{
    qsort(agents, r->grids[0].n_agents, sizeof *agents, largest_first);
    for (size_t i = 0; i < r->grids[0].n_agents; i++) {
        chart_row(c, "%s", r->grids[0].agents[agents[i].agent]);
    }
}

/* A series for each, and what they are held against. */
static void add_kinds(struct chart *c, const char *reference)
{
    for (size_t k = 0; k < N_KINDS; k++) {
        chart_series(c, (int)k, "%s", kind_names[k]);
    }
    chart_series(c, CHART_STYLE_REFERENCE, "%s", reference);
}

/* ---------------------------------------------------------------- values against the truth */

/* Of more rows than this, all panels together, one family is shown. */
enum { MOST_ROWS = 48 };

/* The estimate of an agent over seeds, or with `list` the truth of the oracle; the interval is that of
 * what the estimate is off the truth of its own seed, so that it holds the truth where that may be 0. */
static struct chart_point value_point(const struct slice *s, enum regret_list list, size_t subject,
                                      size_t oracle, size_t agent, double *x)
{
    size_t n = s->r->n_seeds;
    double sum = 0.0, seeds = 0.0;
    for (size_t seed = 0; seed < n; seed++) {
        double truth = list_mean(s, REGRET_LIST_VALUE, oracle, agent, seed);
        double value = list_mean(s, list, subject, agent, seed);
        x[seed] = value - truth;
        if (isfinite(x[seed])) {
            sum += value;
            seeds += 1.0;
        }
    }
    double half = seeds_mean(x, n).half, mean = seeds > 0.0 ? sum / seeds : NAN;
    return list == REGRET_LIST_VALUE
               ? (struct chart_point){.value = mean, .low = NAN, .high = NAN}
               : (struct chart_point){.value = mean, .low = mean - half, .high = mean + half};
}

static void value_panel(struct chart *c, const struct slice *s, size_t family, size_t oracle,
                        const struct ordered *agents, double *x)
{
    const struct regret_results *r = s->r;
    chart_panel(c, "%s", r->subjects[family].name);
    for (size_t i = 0; i < r->grids[0].n_agents; i++) {
        for (size_t k = 0; k <= N_KINDS; k++) {
            struct chart_point p =
                k < N_KINDS ? value_point(s, REGRET_LIST_DM + k, family, oracle, agents[i].agent, x)
                            : value_point(s, REGRET_LIST_VALUE, oracle, oracle, agents[i].agent, x);
            p.series = k;
            p.row = i;
            chart_point(c, p);
        }
    }
}

int figure_agents(struct chart *c, const struct table_data *d, const struct figure_spec *spec)
{
    const struct regret_results *r = d->r;
    size_t oracle = lists_oracle(r);
    FREED struct ordered *agents = NULL;
    FREED double *x = NULL;
    if (oracle == REGRET_NO_ROW || d->n_ranked == 0) {
        return REGRET_OK;
    }
    size_t n = r->grids[0].n_agents, n_families = d->n_ranked, best = 0;
    const size_t *families = d->ranked;
    if (n * d->n_ranked > MOST_ROWS || d->n_ranked > 6) {
        best =
            slice_best(&d->all, REGRET_MEASURE_REGRET, -1, d->ranked, d->n_ranked, REGRET_NO_ROW);
        families = best != REGRET_NO_ROW ? &best : d->ranked;
        n_families = 1;
        chart_title(c, "%s, by %s", spec->title, r->subjects[families[0]].name);
        chart_caption(c, "%s Shown is the ranked family of lowest mean regret.", spec->caption);
    }
    add_kinds(c, "truth");
    TRY(REGRET_NEW(&agents, n));
    TRY(REGRET_NEW(&x, r->n_seeds));
    for (size_t a = 0; a < n; a++) {
        double truth = value_point(&d->all, REGRET_LIST_VALUE, oracle, oracle, a, x).value;
        agents[a] = (struct ordered){isfinite(truth) ? truth : -INFINITY, 0.0, a};
    }
    order_agents(c, agents, r);
    for (size_t i = 0; i < n_families; i++) {
        value_panel(c, &d->all, families[i], oracle, agents, x);
    }
    return REGRET_OK;
}

/* ---------------------------------------------------------------- who is recommended */

/* Of the recommendations of a subject, the share of each agent: every replicate counts the same. */
static void count_shares(double *share, const struct regret_results *r, size_t subject)
{
    size_t n_agents = r->grids[0].n_agents;
    double replicates = 0.0;
    for (size_t a = 0; a < n_agents; a++) {
        share[a] = 0.0;
    }
    for (size_t i = 0; i < r->n_cells * r->n_seeds; i++) {
        struct regret_list_view v =
            regret_results_list(r, REGRET_LIST_CHOICE, subject, i % r->n_cells, i / r->n_cells);
        for (size_t k = 0; k < v.n; k++) {
            share[(size_t)v.number[k]] += 1.0 / (double)v.n;
        }
        replicates += v.n > 0;
    }
    for (size_t a = 0; a < n_agents; a++) {
        share[a] /= replicates; /* 0/0: NaN, which is not drawn */
    }
}

/* Agents by the oracle's share, equals by the mean share of the families; those whom nobody recommends
 * are left out. Returns how many stay. `share` has a column of n_agents for the oracle, then for each ranked
 * family. */
static size_t order_shares(struct ordered *agents, const double *share, size_t n_agents,
                           size_t n_families)
{
    size_t n = 0;
    for (size_t a = 0; a < n_agents; a++) {
        double families = 0.0;
        for (size_t i = 1; i <= n_families; i++) {
            double x = share[i * n_agents + a];
            families += isfinite(x) ? x / (double)n_families : 0.0;
        }
        if (share[a] > 0.0 || families > 0.0) {
            agents[n++] = (struct ordered){share[a], families, a};
        }
    }
    qsort(agents, n, sizeof *agents, largest_first);
    return n;
}

static void draw_shares(struct chart *c, const struct table_data *d, const struct ordered *agents,
                        size_t n, const double *share)
{
    const struct regret_run_grid *grid = &d->r->grids[0];
    for (size_t i = 0; i < n; i++) {
        chart_row(c, "%s", grid->agents[agents[i].agent]);
    }
    chart_panel(c, "%s", "");
    for (size_t column = 0; column <= d->n_ranked; column++) {
        chart_column(c, "%s", column == 0 ? "oracle" : d->r->subjects[d->ranked[column - 1]].name);
        for (size_t i = 0; i < n; i++) {
            struct chart_point p =
                plain_point(CHART_NO_SERIES, i, share[column * grid->n_agents + agents[i].agent]);
            p.column = column;
            chart_point(c, p);
        }
    }
}

int figure_shares(struct chart *c, const struct table_data *d, const struct figure_spec *spec)
{
    const struct regret_results *r = d->r;
    size_t oracle = lists_oracle(r);
    FREED struct ordered *agents = NULL;
    FREED double *share = NULL;
    char facts[160];
    if (oracle == REGRET_NO_ROW) {
        return REGRET_OK;
    }
    size_t n_agents = r->grids[0].n_agents;
    TRY(REGRET_NEW(&agents, n_agents));
    TRY(REGRET_NEW(&share, (d->n_ranked + 1) * n_agents));
    count_shares(share, r, oracle);
    for (size_t i = 0; i < d->n_ranked; i++) {
        count_shares(share + (i + 1) * n_agents, r, d->ranked[i]);
    }
    size_t n = order_shares(agents, share, n_agents, d->n_ranked);
    c->decimals = 0;
    if (n < n_agents) {
        snprintf(facts, sizeof facts, "%s; %zu of %zu agents, the rest is never recommended",
                 spec->facts, n, n_agents);
        figure_facts(c, d, facts);
    }
    draw_shares(c, d, agents, n, share);
    return REGRET_OK;
}

/* ---------------------------------------------------------------- coverage */

/* The share of the intervals of one seed, of all agents in all cells, that hold the mean of mu over the
 * grid; NaN without any. */
static double covered(const struct slice *s, enum regret_list list, size_t family, size_t oracle,
                      size_t seed)
{
    enum regret_list half_of = list - REGRET_LIST_DM + REGRET_LIST_DM_HALF;
    double hits = 0.0, n = 0.0;
    for (size_t i = 0; i < s->n_cells; i++) {
        size_t cell = s->cells[i];
        struct regret_list_view value = regret_results_list(s->r, list, family, cell, seed);
        struct regret_list_view half = regret_results_list(s->r, half_of, family, cell, seed);
        struct regret_list_view truth =
            regret_results_list(s->r, REGRET_LIST_VALUE_GRID, oracle, cell, seed);
        for (size_t a = 0; a < value.n && half.n == value.n && truth.n == value.n; a++) {
            if (isfinite(value.number[a]) && isfinite(half.number[a])) {
                hits += fabs(value.number[a] - truth.number[a]) <= half.number[a];
                n += 1.0;
            }
        }
    }
    return hits / n;
}

static struct chart_point coverage_point(const struct slice *s, enum regret_list list,
                                         size_t family, size_t oracle, double *x)
{
    for (size_t seed = 0; seed < s->r->n_seeds; seed++) {
        x[seed] = covered(s, list, family, oracle, seed);
    }
    struct seeds_mean m = seeds_mean(x, s->r->n_seeds);
    struct chart_point p = {.value = m.mean, .low = NAN, .high = NAN};
    if (isfinite(m.half)) {
        p.low = fmax(m.mean - m.half, 0.0);
        p.high = fmin(m.mean + m.half, 1.0);
    }
    return p;
}

static void coverage_panel(struct chart *c, const struct group *g, const struct table_data *d,
                           size_t oracle, double *x)
{
    int any = 0;
    chart_panel(c, "%s", g->heading);
    for (size_t i = 0; i < d->n_ranked; i++) {
        for (size_t k = 0; k < N_KINDS; k++) {
            struct chart_point p =
                coverage_point(&g->slice, REGRET_LIST_DM + k, d->ranked[i], oracle, x);
            p.series = k;
            p.row = i;
            any |= isfinite(p.value);
            chart_point(c, p);
        }
    }
    for (size_t i = 0; any && i < d->n_ranked; i++) {
        chart_point(c, plain_point(N_KINDS, i, 0.95));
    }
}

int figure_coverage(struct chart *c, const struct table_data *d, const struct figure_spec *spec)
{
    const struct regret_results *r = d->r;
    const size_t key = REGRET_KEY_N_EXP;
    size_t oracle = lists_oracle(r);
    FREED_BY(groups_free) struct groups panels = {0};
    FREED double *x = NULL;
    (void)spec;
    if (oracle == REGRET_NO_ROW) {
        return REGRET_OK;
    }
    add_kinds(c, "nominal");
    for (size_t i = 0; i < d->n_ranked; i++) {
        chart_row(c, "%s", r->subjects[d->ranked[i]].name);
    }
    TRY(REGRET_NEW(&x, r->n_seeds));
    TRY(groups_split(&panels, &d->all, &key, r->keys[key].n_values <= 6));
    for (size_t i = 0; i < panels.n; i++) {
        coverage_panel(c, &panels.items[i], d, oracle, x);
    }
    return REGRET_OK;
}

/* How regret spreads over contexts. */

FREED_FIELDS(shown, of->subjects)

/* Of more contexts than this their percentiles are shown. */
enum { MOST_CONTEXTS = 240, PERCENTILES = 101 };

/* Sums of losses by context, those of one grid after those of the other. */
struct contexts {
    size_t n;
    double *loss, *times; /* owned */
    size_t *first;        /* of each grid; owned */
};

static int contexts_make(struct contexts *out, const struct regret_results *r)
{
    TRY(REGRET_NEW(&out->first, r->n_grids));
    for (size_t g = 0; g < r->n_grids; g++) {
        out->first[g] = out->n;
        out->n += r->grids[g].n_contexts;
    }
    TRY(REGRET_NEW(&out->loss, out->n));
    return REGRET_NEW(&out->times, out->n);
}

static void contexts_free(struct contexts *s)
{
    regret_free(s->loss);
    regret_free(s->times);
    regret_free(s->first);
}

/* The mean loss of every context that was ever held out, over the replicates that held it out, to the
 * front of `loss`; returns how many there are. */
static size_t mean_losses(struct contexts *s, const struct regret_results *r, size_t subject,
                          size_t oracle)
{
    size_t kept = 0;
    memset(s->loss, 0, s->n * sizeof *s->loss);
    memset(s->times, 0, s->n * sizeof *s->times);
    for (size_t i = 0; i < r->n_cells * r->n_seeds; i++) {
        size_t cell = i % r->n_cells, seed = i / r->n_cells, first = s->first[r->cell_grid[cell]];
        struct regret_list_view x = regret_results_list(r, REGRET_LIST_CONTEXT, oracle, cell, seed);
        struct regret_list_view loss =
            regret_results_list(r, REGRET_LIST_LOSS, subject, cell, seed);
        for (size_t k = 0; k < loss.n && x.n == loss.n; k++) {
            s->loss[first + (size_t)x.number[k]] += loss.number[k];
            s->times[first + (size_t)x.number[k]] += 1.0;
        }
    }
    for (size_t i = 0; i < s->n; i++) {
        if (s->times[i] > 0.0) {
            s->loss[kept++] = s->loss[i] / s->times[i];
        }
    }
    return kept;
}

static void add_strip(struct chart *c, double *loss, size_t n, size_t row)
{
    size_t points = n > MOST_CONTEXTS ? PERCENTILES : n;
    if (points < n) {
        regret_sort_numbers(loss, n);
    }
    for (size_t i = 0; i < points; i++) {
        double value =
            points < n ? regret_quantile(loss, n, (double)i / (PERCENTILES - 1)) : loss[i];
        chart_point(c, plain_point(row, row, value));
    }
}

static void say_points(struct chart *c, const struct table_data *d, size_t n)
{
    char facts[160];
    snprintf(
        facts, sizeof facts,
        n > MOST_CONTEXTS
            ? "the percentiles of %zu contexts; box: quartiles; whiskers: 5th and 95th"
            : "a point: one of %zu contexts; box: quartiles; whiskers: 5th and 95th percentile",
        n);
    figure_facts(c, d, facts);
}

int figure_contexts(struct chart *c, const struct table_data *d, const struct figure_spec *spec)
{
    size_t oracle = lists_oracle(d->r);
    FREED_BY(contexts_free) struct contexts contexts = {0};
    FREED_BY(shown_fields) struct shown shown = {NULL, 0};
    (void)spec;
    if (oracle == REGRET_NO_ROW) {
        return REGRET_OK;
    }
    TRY(contexts_make(&contexts, d->r));
    say_points(c, d, mean_losses(&contexts, d->r, oracle, oracle));
    TRY(show_families(c, &shown, d));
    chart_panel(c, "%s", "");
    for (size_t k = 0; k < shown.n; k++) {
        size_t n = mean_losses(&contexts, d->r, shown.subjects[k], oracle);
        add_strip(c, contexts.loss, n, k);
    }
    return REGRET_OK;
}

/* Figures of the families over all cells. */

/* Rows beyond so many times the middle of the rows' upper ends only point there, or the others would be one smear. */
static const double FAR = 3.0;

/* Of all panels together. */
static int limit_axis(struct chart *c)
{
    double *ends = NULL;
    size_t n = 0;
    for (size_t i = 0; i < c->n_panels; i++) {
        n += c->panels[i].n_points;
    }
    TRY(REGRET_NEW(&ends, n));
    n = 0;
    for (size_t i = 0; i < c->n_panels; i++) {
        for (size_t j = 0; j < c->panels[i].n_points; j++) {
            const struct chart_point *p = &c->panels[i].points[j];
            double end = isfinite(p->high) ? p->high : p->value;
            if (end > 0.0) {
                ends[n++] = end;
            }
        }
    }
    if (n > 2) {
        regret_sort_numbers(ends, n);
        double far = FAR * ends[n / 2];
        c->limit = ends[n - 1] > far ? far : 0.0;
    }
    regret_free(ends);
    return REGRET_OK;
}

static struct chart_point less_best(const struct contender *x, size_t row)
{
    struct chart_point p = paired_point(row, row, &x->to_best);
    if (x->verdict == CONTENDER_BEST) {
        p.x = x->mean;
        p.low = p.high = NAN;
        p.flags = CHART_ORIGIN;
    } else if (x->verdict == CONTENDER_TIED || x->verdict == CONTENDER_UNKNOWN) {
        p.flags = CHART_TIE;
    }
    return p;
}

static int add_less_best(struct chart *c, const struct group *group, const struct contenders *rows)
{
    struct contenders here;
    TRY(contenders_make(&here, &group->slice));
    chart_panel(c, "%s", group->heading);
    for (size_t i = 0; here.n_families > 0 && i < here.n; i++) {
        for (size_t row = 0; row < rows->n; row++) {
            if (rows->items[row].subject == here.items[i].subject) {
                chart_point(c, less_best(&here.items[i], row));
            }
        }
    }
    contenders_free(&here);
    return REGRET_OK;
}

/* The families, then the baselines, by their mean over all cells. */
int figure_less_best(struct chart *c, const struct table_data *d, const struct figure_spec *spec)
{
    FREED_BY(contenders_free) struct contenders rows = {0};
    FREED_BY(groups_free) struct groups panels = {0};
    (void)spec;
    TRY(contenders_make(&rows, &d->all));
    c->numbered = 1;
    for (size_t i = 0; i < rows.n; i++) {
        size_t x = rows.items[i].subject;
        chart_row(c, "%s", d->r->subjects[x].name);
        chart_series(
            c, i < rows.n_families ? family_style(d->r, x) : baseline_style(&d->r->subjects[x]),
            "%s", d->r->subjects[x].name);
    }
    TRY(split_panels(&panels, &d->all, d, REGRET_NO_ROW, 1));
    for (size_t i = 0; i < panels.n; i++) {
        TRY(add_less_best(c, &panels.items[i], &rows));
    }
    return limit_axis(c);
}

int figure_seeds(struct chart *c, const struct table_data *d, const struct figure_spec *spec)
{
    FREED_BY(shown_fields) struct shown shown = {NULL, 0};
    (void)spec;
    TRY(show_families(c, &shown, d));
    chart_panel(c, "%s", "");
    for (size_t k = 0; k < shown.n; k++) {
        for (size_t seed = 0; seed < d->r->n_seeds; seed++) {
            double value = seed_mean(&d->all, REGRET_MEASURE_REGRET, shown.subjects[k], seed);
            chart_point(c, plain_point(k, k, value));
        }
    }
    return REGRET_OK;
}

/* The paired difference of two subjects' regrets. */
static int add_difference(struct chart *c, const struct slice *s, size_t a, size_t b, size_t series,
                          size_t row)
{
    struct paired p;
    TRY(slice_paired(&p, s, REGRET_MEASURE_REGRET, a, REGRET_MEASURE_REGRET, b));
    chart_point(c, paired_point(series, row, &p));
    return REGRET_OK;
}

int figure_best_agent(struct chart *c, const struct table_data *d, const struct figure_spec *spec)
{
    const struct regret_results *r = d->r;
    FREED size_t *baselines = NULL;
    (void)spec;
    TRY(REGRET_NEW(&baselines, r->n_subjects));
    size_t n = baselines_by_rows(baselines, r);
    for (size_t i = 0; i < d->n_ranked; i++) {
        chart_row(c, "%s", r->subjects[d->ranked[i]].name);
    }
    chart_panel(c, "%s", "");
    for (size_t b = 0; b < n; b++) {
        size_t k = chart_series(c, CHART_N_SERIES_STYLES - 5 - (int)b, "less %s",
                                r->subjects[baselines[b]].name);
        for (size_t i = 0; i < d->n_ranked; i++) {
            TRY(add_difference(c, &d->all, d->ranked[i], baselines[b], k, i));
        }
    }
    return REGRET_OK;
}

static int add_variants(struct chart *c, const struct group *group)
{
    const struct regret_results *r = group->slice.r;
    chart_panel(c, "%s", group->heading);
    for (size_t f = 0, k = 0; f < r->n_families; f++) {
        if (family_is_ranked(r, f)) {
            continue;
        }
        size_t base = regret_results_subject(r, REGRET_ROW_FAMILY, r->subjects[f].variant_of);
        TRY(base != REGRET_NO_ROW ? add_difference(c, &group->slice, f, base, k, k) : REGRET_OK);
        k++;
    }
    return REGRET_OK;
}

int figure_variants(struct chart *c, const struct table_data *d, const struct figure_spec *spec)
{
    const struct regret_results *r = d->r;
    (void)spec;
    for (size_t f = 0; f < r->n_families; f++) {
        if (!family_is_ranked(r, f)) {
            chart_row(c, "%s less %s", r->subjects[f].name, r->subjects[f].variant_of);
            chart_series(c, family_style(r, f), "%s", r->subjects[f].name);
        }
    }
    for (size_t i = 0; i < d->groups.n && d->groups.n <= 8; i++) {
        TRY(add_variants(c, &d->groups.items[i]));
    }
    return REGRET_OK;
}
