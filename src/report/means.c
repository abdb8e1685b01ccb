#include "report/internal.h"

#include <math.h>
#include <stdlib.h>

#include "base/status.h"
#include "regret/status.h"
#include "report/lists.h"
#include "report/slice.h"
#include "stats/limits.h"
#include "value/bootstrap.h"

static size_t subject_at(const struct subject_spec *subject, const struct line_place *at)
{
    const struct regret_results *r = at->slice->r;
    switch (subject->kind) {
    case SUBJECT_FAMILY:
        return regret_results_subject(r, REGRET_ROW_FAMILY, subject->name);
    case SUBJECT_FIT:
        return regret_results_subject(r, REGRET_ROW_FIT, subject->name);
    case SUBJECT_BEST_OBS_BASED:
        return best_obs_based(at->slice);
    default:
        return at->self;
    }
}

/* Two numbers that are compared. */
struct pair {
    size_t a, b; /* subjects */
    enum regret_measure measure_a, measure_b;
};

/* The share of cells (in %) in which the mean of a is below that of b; NaN without cells that have
 * both. */
static double share_below(const struct slice *s, const struct pair *p)
{
    size_t n = 0, below = 0;
    for (size_t i = 0; i < s->n_cells; i++) {
        double x = cell_mean(s->r, p->measure_a, p->a, s->cells[i]);
        double y = cell_mean(s->r, p->measure_b, p->b, s->cells[i]);
        if (isfinite(x) && isfinite(y)) {
            n++;
            below += x < y;
        }
    }
    return n > 0 ? 100.0 * (double)below / (double)n : NAN;
}

static int read_comparison(struct line_value *out, enum statistic statistic,
                           const struct pair *pair, const struct slice *s)
{
    struct paired p;
    if (statistic == STATISTIC_SHARE_BELOW) {
        out->value = share_below(s, pair);
        out->decimals = 0;
        return REGRET_OK;
    }
    TRY(slice_paired(&p, s, pair->measure_a, pair->a, pair->measure_b, pair->b));
    out->flags |= TABLE_SIGNED;
    switch (statistic) {
    case STATISTIC_PAIRED_LOW:
        out->value = p.low;
        break;
    case STATISTIC_PAIRED_HIGH:
        out->value = p.high;
        break;
    case STATISTIC_PAIRED_MEAN:
        out->value = p.mean;
        break;
    case STATISTIC_MEAN_DIFFERENCE:
        out->value = slice_estimate(s, pair->measure_a, pair->a).mean -
                     slice_estimate(s, pair->measure_b, pair->b).mean;
        out->se = p.se;
        out->flags |= TABLE_SE;
        break;
    default:
        out->value = p.mean;
        out->se = p.se;
        out->flags |= TABLE_SE | (p.high < 0.0 ? TABLE_BEST : 0U);
    }
    return REGRET_OK;
}

int line_read(struct line_value *out, const struct line_spec *line, const struct line_place *at)
{
    struct pair pair = {subject_at(&line->subject, at), REGRET_NO_ROW, line->measure,
                        line->other_measure};
    *out = (struct line_value){NAN, NAN, measure_decimals(line->measure), TABLE_NUMBER, NULL};
    if (pair.a == REGRET_NO_ROW) {
        return REGRET_OK;
    }
    if (line->statistic == STATISTIC_WINS) {
        out->value = (double)slice_wins(at->slice, line->measure, -1, pair.a, at->rows, at->n_rows);
        out->decimals = 0;
        return REGRET_OK;
    }
    if (line->statistic == STATISTIC_MEAN || line->statistic == STATISTIC_PLAIN_MEAN) {
        struct estimate e = slice_estimate(at->slice, line->measure, pair.a);
        out->value = e.mean;
        out->se = e.se;
        out->flags |= line->statistic == STATISTIC_MEAN ? TABLE_SE : 0U;
        out->subject = line->subject.kind == SUBJECT_BEST_OBS_BASED
                           ? at->slice->r->subjects[pair.a].name
                           : NULL;
        return REGRET_OK;
    }
    pair.b = subject_at(&line->other, at);
    /* Nothing is compared with itself. */
    int comparable =
        pair.b != REGRET_NO_ROW && (pair.a != pair.b || pair.measure_a != pair.measure_b);
    return comparable ? read_comparison(out, line->statistic, &pair, at->slice) : REGRET_OK;
}

/* ---------------------------------------------------------------- the best */

/* Over contexts where both have an output; limits of older programs, and within contexts, by Student's t. */
static struct paired lead_of(double *p, const struct regret_run_means *m, size_t group)
{
    size_t n = (size_t)m->pairs[group];
    double mean = m->lead[group], se = n > 1 ? m->lead_sd[group] / sqrt((double)n) : NAN;
    double half = half_width(se, n);
    struct paired lead = {.mean = mean, .se = se, .low = mean - half, .high = mean + half, .n = n};
    int has_limits = m->low != NULL && m->over == NULL;
    *p = has_limits ? m->lead_p[group] : paired_p(&lead, 0.0);
    lead.low = has_limits ? m->lead_low[group] : lead.low;
    lead.high = has_limits ? m->lead_high[group] : lead.high;
    return lead;
}

struct paired means_apart(const struct regret_run_means *m, size_t group, size_t first,
                          size_t second)
{
    size_t a = group * m->n_agents + first, b = group * m->n_agents + second;
    const struct bounded x = bounded_moments(m->mean[a], m->sd[a], m->n[a]),
                         y = bounded_moments(m->mean[b], m->sd[b], m->n[b]);
    struct limits l = bounded_difference(&x, &y, 0.0, tails_of(0.95));
    return (struct paired){.mean = m->mean[a] - m->mean[b],
                           .se = hypot(m->sd[a] / sqrt(m->n[a]), m->sd[b] / sqrt(m->n[b])),
                           .low = l.low,
                           .high = l.high,
                           .n = (size_t)fmin(m->n[a], m->n[b])};
}

static struct means_best best_of(const struct regret_run_means *m, size_t group)
{
    struct means_best best = {
        .first = m->first[group], .second = m->second[group], .pairs = (size_t)m->pairs[group]};
    best.lead = lead_of(&best.p, m, group);
    return best;
}

int means_best(struct means_best **out, const struct regret_run_means *m)
{
    size_t groups = m->n_tags + 1;
    FREED struct means_best *best = NULL;
    FREED double *p = NULL;
    TRY(REGRET_NEW(&best, groups));
    TRY(REGRET_NEW(&p, groups));
    for (size_t g = 0; g < groups; g++) {
        best[g] = best_of(m, g);
        p[g] = best[g].lead.n >= FEW_CONTEXTS ? best[g].p : NAN;
    }
    TRY(regret_holm(p, p, groups));
    for (size_t g = 0; g < groups; g++) {
        best[g].p = p[g];
        best[g].separable = best[g].lead.mean > 0.0 && p[g] <= 0.05;
    }
    *out = best;
    best = NULL;
    return REGRET_OK;
}

/* ---------------------------------------------------------------- one number */

const char *means_group_name(const struct regret_run_means *m, size_t group)
{
    return group == 0 ? "all" : m->tags[group - 1] != NULL ? m->tags[group - 1] : "no tag";
}

double means_of(const struct regret_run_means *m, size_t group, size_t agent)
{
    return m->mean[group * m->n_agents + agent];
}

struct limits means_limits(const struct regret_run_means *m, size_t group, size_t agent)
{
    size_t at = group * m->n_agents + agent;
    double half = half_width(m->sd[at] / sqrt(m->n[at]), (size_t)m->n[at]);
    return m->low != NULL ? (struct limits){m->low[at], m->high[at]}
                          : (struct limits){m->mean[at] - half, m->mean[at] + half};
}

/* ---------------------------------------------------------------- orders */

struct ordered {
    double key; /* the largest first, NaN last */
    size_t number;
};

static int largest_first(const void *a, const void *b)
{
    const struct ordered *x = a, *y = b;
    if (isnan(x->key) != isnan(y->key)) {
        return isnan(x->key) ? 1 : -1;
    }
    if (x->key > y->key || x->key < y->key) {
        return x->key > y->key ? -1 : 1;
    }
    return x->number < y->number ? -1 : x->number > y->number;
}

/* 0 to n − 1 by their keys. */
static int order(size_t **out, const double *key, size_t n)
{
    FREED struct ordered *items = NULL;
    TRY(REGRET_NEW(&items, n));
    TRY(REGRET_NEW(out, n));
    for (size_t i = 0; i < n; i++) {
        items[i] = (struct ordered){key[i], i};
    }
    qsort(items, n, sizeof *items, largest_first);
    for (size_t i = 0; i < n; i++) {
        (*out)[i] = items[i].number;
    }
    return REGRET_OK;
}

int means_order_agents(size_t **out, const struct regret_run_means *m)
{
    return order(out, m->mean, m->n_agents);
}

/* The whole has as many contexts as any tag, and stands first among equals. */
int means_order_groups(size_t **out, const struct regret_run_means *m)
{
    return order(out, m->contexts, m->n_tags + 1);
}

/* ---------------------------------------------------------------- cells */

int means_cells(struct slice *out, const struct regret_results *r, size_t item)
{
    size_t n = 0;
    TRY(slice_all(out, r));
    for (size_t i = 0; i < out->n_cells; i++) {
        if (r->cell_means[out->cells[i]] == item) {
            out->cells[n++] = out->cells[i];
        }
    }
    out->n_cells = n;
    return REGRET_OK;
}

void means_heading(struct regret_buffer *out, const struct slice *s)
{
    const struct regret_results *r = s->r;
    const char *joint = "";
    for (size_t k = 0; k < r->n_keys && s->n_cells < r->n_cells; k++) {
        size_t i = 1;
        while (i < s->n_cells && slice_value_at(s, i, k) == slice_value_at(s, 0, k)) {
            i++;
        }
        if (r->keys[k].n_values > 1 && i == s->n_cells) {
            regret_buffer_printf(out, "%s%s = %s", joint, r->keys[k].name, slice_value(s, k));
            joint = ", ";
        }
    }
}

const struct regret_run_grid *means_grid(const struct slice *s)
{
    return &s->r->grids[s->r->cell_grid[s->cells[0]]];
}

/* The mean reward of every agent by tag, and who is best for which. */

enum { DECIMALS = 4, MOST_BEST = 60, MOST_AGENTS = 40, MOST_GROUPS = 9, MOST_ITEMS = 2 };

/* An item of the run's means as it is shown. */
struct shown {
    const struct regret_run_means *m;
    const struct regret_run_grid *grid;
    struct slice cells;
    struct means_best *best; /* by group; owned, and so are the others */
    size_t *agents, *groups; /* in the order in which they stand */
    struct regret_buffer heading;
};

static void shown_free(struct shown *s)
{
    slice_free(&s->cells);
    regret_free(s->best);
    regret_free(s->agents);
    regret_free(s->groups);
    regret_buffer_free(&s->heading);
}

static int shown_make(struct shown *s, const struct regret_results *r, size_t item)
{
    *s = (struct shown){.m = &r->means[item], .heading = REGRET_BUFFER_INIT};
    TRY(means_cells(&s->cells, r, item));
    s->grid = means_grid(&s->cells);
    means_heading(&s->heading, &s->cells);
    TRY(means_best(&s->best, s->m));
    TRY(means_order_agents(&s->agents, s->m));
    TRY(means_order_groups(&s->groups, s->m));
    return regret_buffer_status(&s->heading);
}

/* `what` behind the item's own heading. */
static void begin_block(struct table *t, const struct shown *s, const char *what,
                        enum table_readers readers)
{
    const char *heading = regret_buffer_get(&s->heading);
    table_block(t, "%s%s%s", heading, heading[0] != '\0' ? ": " : "", what);
    table_block_readers(t, readers);
    table_keys_of(t, TABLE_KEY_OF_BLOCK, &s->cells);
}

/* ---------------------------------------------------------------- the best by tag */

static void put_agent(struct table *t, const struct shown *s, size_t agent)
{
    table_text(t, "%s", agent != REGRET_NO_ROW ? s->grid->agents[agent] : "–");
}

static void put_mean(struct table *t, const struct shown *s, size_t group, size_t agent,
                     unsigned flags)
{
    double mean = agent != REGRET_NO_ROW ? means_of(s->m, group, agent) : NAN;
    table_cell(t, NULL, mean, NAN, DECIMALS, TABLE_NUMBER | flags);
}

static void put_best(struct table *t, const struct shown *s, size_t group)
{
    const struct means_best *b = &s->best[group];
    table_row(t, "%s", means_group_name(s->m, group));
    table_number(t, s->m->contexts[group], 0);
    put_agent(t, s, b->first);
    put_mean(t, s, group, b->first, b->separable ? TABLE_BEST : 0);
    put_agent(t, s, b->second);
    put_mean(t, s, group, b->second, 0);
    table_signed(t, b->lead.mean, DECIMALS);
    table_signed(t, b->lead.low, DECIMALS);
    table_signed(t, b->lead.high, DECIMALS);
    table_number(t, (double)b->pairs, 0);
    table_cell(t, NULL, b->p, NAN, 2, TABLE_NUMBER | TABLE_SIGNIFICANT);
    table_text(t, "%s",
               b->second == REGRET_NO_ROW ? "no second"
               : isnan(b->p)              ? "too few contexts"
               : b->separable             ? "separable"
                                          : "not separable");
}

static void put_best_block(struct table *t, const struct shown *s, size_t n,
                           enum table_readers readers)
{
    begin_block(t, s, "who is best", readers);
    table_column(t, "Tag");
    TABLE_HEADS(t, "Contexts", "Best", "Its mean", "Second", "Second mean", "Lead", "95 % low",
                "95 % high", "Pairs", "p", "Best is");
    for (size_t i = 0; i < n; i++) {
        put_best(t, s, s->groups[i]);
    }
}

/* ---------------------------------------------------------------- every agent */

static int is_stressed(const struct shown *s, size_t group, size_t agent)
{
    return s->best[group].separable && s->best[group].first == agent;
}

/* Agents by tags, as far as a page goes. */
static void put_grid(struct table *t, const struct shown *s, size_t n_agents, size_t n_groups)
{
    begin_block(t, s, "mean and 95 % interval over contexts", TABLE_FOR_PEOPLE);
    table_column(t, "Agent");
    for (size_t j = 0; j < n_groups; j++) {
        size_t g = s->groups[j];
        table_column(t, "%s (%.0f)", means_group_name(s->m, g), s->m->contexts[g]);
    }
    for (size_t i = 0; i < n_agents; i++) {
        size_t agent = s->agents[i];
        table_row(t, "%s", s->grid->agents[agent]);
        for (size_t j = 0; j < n_groups; j++) {
            size_t g = s->groups[j];
            struct limits l = means_limits(s->m, g, agent);
            table_limits(t, means_of(s->m, g, agent), l.low, l.high, DECIMALS,
                         is_stressed(s, g, agent) ? TABLE_BEST : 0);
        }
    }
}

/* A row an agent and tag. */
static void put_records(struct table *t, const struct shown *s)
{
    begin_block(t, s, "every agent", TABLE_FOR_DATA);
    table_column(t, "Agent");
    TABLE_HEADS(t, "Tag", "Contexts", "Mean", "95 % low", "95 % high", "Best and separable");
    for (size_t k = 0; k < s->m->n_agents * (s->m->n_tags + 1); k++) {
        size_t agent = s->agents[k / (s->m->n_tags + 1)], g = s->groups[k % (s->m->n_tags + 1)];
        struct limits l = means_limits(s->m, g, agent);
        table_row(t, "%s", s->grid->agents[agent]);
        table_text(t, "%s", means_group_name(s->m, g));
        table_number(t, s->m->n[g * s->m->n_agents + agent], 0);
        table_number(t, means_of(s->m, g, agent), DECIMALS);
        table_number(t, l.low, DECIMALS);
        table_number(t, l.high, DECIMALS);
        table_text(t, "%s", is_stressed(s, g, agent) ? "yes" : "no");
    }
}

static size_t at_most(size_t n, size_t most)
{
    return n < most ? n : most;
}

/* Items past MOST_ITEMS are for programs alone; what a page leaves out is said once. */
static void put_blocks(struct table *t, const struct shown *s, size_t item)
{
    int on_page = item < MOST_ITEMS;
    size_t groups = s->m->n_tags + 1, best = on_page ? at_most(groups, MOST_BEST) : 0;
    size_t agents = at_most(s->m->n_agents, MOST_AGENTS), columns = at_most(groups, MOST_GROUPS);
    if (on_page) {
        put_best_block(t, s, best, best < groups ? TABLE_FOR_PEOPLE : TABLE_FOR_ALL);
        put_grid(t, s, agents, columns);
    }
    if (best < groups) {
        put_best_block(t, s, groups, TABLE_FOR_DATA);
    }
    put_records(t, s);
    if (item == 0 && (best < groups || agents < s->m->n_agents || columns < groups)) {
        table_note(t,
                   "A page shows who is best for %zu of %zu tags, and %zu of %zu agents by %zu of "
                   "them, those of most contexts; CSV and JSON have all.",
                   best - 1, groups - 1, agents, s->m->n_agents, columns - 1);
    }
}

static int put_item(struct table *t, const struct regret_results *r, size_t item)
{
    struct shown s;
    int rc = shown_make(&s, r, item);
    TRY_CLEANUP(rc);
    put_blocks(t, &s, item);
cleanup:
    shown_free(&s);
    return rc;
}

static void put_notes(struct table *t, const struct regret_run_means *m, int of_votes)
{
    if (of_votes) {
        table_note(t,
                   "Of votes a mean is a value: the chance that the agent's answer is preferred to "
                   "that of another agent, drawn uniformly, by Bradley and Terry's model of all "
                   "votes of the grid, or of the tag. Intervals are over prompts. Lead: the "
                   "difference of two values, by all votes; Pairs: the fewer votes of the two. "
                   "Nothing is said where votes leave agents in parts that none joins. Separable, "
                   "and in bold: p, adjusted by Holm for the rows of the block, is at most .05.");
        return;
    }
    if (m->over != NULL) {
        table_note(t, "Not every agent has answered every context: means are of all contexts, and "
                      "leads on the same ones, by effects of agents and of contexts in each tag "
                      "(or in five parts by how many agents words say have answered). An agent "
                      "that too few common contexts join to the others has none. Intervals "
                      "(Student's t) are over contexts; separable, and in bold: p of the lead, "
                      "adjusted by Holm for the rows of the block, is at most .05.");
        return;
    }
    table_note(t,
               "The pool's scores by the run's reward, mu(x,a), 0 to 1: means over the contexts of "
               "the grid, training and held out together, that have an output of the agent; each "
               "context counts the same. Intervals are over contexts: what the mean would be "
               "on other contexts of the kind; near 0 and 1 they lean to the middle. Nothing here "
               "was estimated from OBS or EXP.");
    table_note(t,
               "Lead: the best less the second, paired over contexts where both have an output "
               "(Pairs). Separable, and in bold: by the "
               "two-sided test with p adjusted by Holm for "
               "the rows of the block, at most .05; of fewer than ten contexts nothing is said. "
               "The two were chosen by the same scores, which no correction makes up for; a third "
               "may be as good as the second.");
}

int put_means(struct table *t, const struct table_data *d)
{
    if (d->r->n_means == 0) {
        table_note(t,
                   "This run does not say what the pool's outputs are worth: of a generated pool "
                   "without tags none does, nor of an older program.");
        return REGRET_OK;
    }
    for (size_t i = 0; i < d->r->n_means; i++) {
        TRY(put_item(t, d->r, i));
    }
    if (d->r->n_means > MOST_ITEMS) {
        table_note(t, "A page shows the first %d of %zu rewards; CSV and JSON have all.",
                   (int)MOST_ITEMS, d->r->n_means);
    }
    put_notes(t, d->r->means, has_strengths(d->r));
    return REGRET_OK;
}
