#include "report/internal.h"

#include <cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "base/text.h"
#include "regret/estimate.h"
#include "regret/status.h"
#include "report/lists.h"
#include "report/slice.h"
#include "report/table.h"

/* Blocks of a table that are about some cells. */

static int is_shared(const struct slice *s, size_t key)
{
    size_t i = 1;
    while (i < s->n_cells && slice_value_at(s, i, key) == slice_value_at(s, 0, key)) {
        i++;
    }
    return s->n_cells > 0 && i >= s->n_cells;
}

void table_keys_of(struct table *t, enum table_key_of of, const struct slice *s)
{
    for (size_t k = 0; s->n_cells > 0 && k < s->r->n_keys; k++) {
        if (is_shared(s, k)) {
            table_key(t, of, s->r->keys[k].name, slice_value(s, k));
        }
    }
}

void table_block_of(struct table *t, const struct group *group, const char *heading)
{
    int both = group->heading[0] != '\0' && heading[0] != '\0';
    table_block(t, "%s%s%s", group->heading, both ? ": " : "", heading);
    table_keys_of(t, TABLE_KEY_OF_BLOCK, &group->slice);
}

void append_key_values(struct regret_buffer *out, const struct slice *s,
                       const struct key_axis *axes, size_t n_axes)
{
    for (size_t i = 0; i < n_axes; i++) {
        regret_buffer_printf(out, "%s%s%s%s", i > 0 ? ", " : "", axes[i].symbol,
                             axes[i].symbol[0] != '\0' ? " " : "", slice_value(s, axes[i].key));
    }
}

void table_value_columns(struct table *t, const struct groups *columns, const struct key_axis *axes,
                         size_t n_axes)
{
    struct regret_buffer head = REGRET_BUFFER_INIT;
    for (size_t j = 0; j < columns->n; j++) {
        regret_buffer_clear(&head);
        append_key_values(&head, &columns->items[j].slice, axes, n_axes);
        table_column(t, "%s", regret_buffer_get(&head));
        table_keys_of(t, TABLE_KEY_OF_COLUMN, &columns->items[j].slice);
    }
    text_free_into(&t->status, &head);
}

/* One more, in its place among those from `first` on; a subject without data is left out. */
static void insert(struct contenders *s, size_t first, const struct slice *cells, size_t subject)
{
    struct estimate e = slice_estimate(cells, REGRET_MEASURE_REGRET, subject);
    if (!isfinite(e.mean)) {
        return;
    }
    size_t j = s->n++;
    for (; j > first && e.mean < s->items[j - 1].mean; j--) {
        s->items[j] = s->items[j - 1];
    }
    s->items[j] = (struct contender){.subject = subject, .mean = e.mean, .se = e.se};
}

static int compare_to_best(struct contenders *s, const struct slice *cells, int whole)
{
    for (size_t i = 0; i < s->n; i++) {
        struct contender *x = &s->items[i];
        if (s->n_families == 0) {
            x->verdict = CONTENDER_UNKNOWN;
        } else if (i > 0) {
            TRY(slice_paired(&x->to_best, cells, REGRET_MEASURE_REGRET, x->subject,
                             REGRET_MEASURE_REGRET, s->items[0].subject));
            TRY(whole ? slice_two_way(&x->on_new, cells, x->subject, s->items[0].subject)
                      : REGRET_OK);
            x->verdict = x->to_best.n < 2        ? CONTENDER_UNKNOWN
                         : x->to_best.low > 0.0  ? CONTENDER_WORSE
                         : x->to_best.high < 0.0 ? CONTENDER_BETTER
                                                 : CONTENDER_TIED;
        }
    }
    return REGRET_OK;
}

static int make(struct contenders *out, const struct slice *cells, int whole)
{
    const struct regret_results *r = cells->r;
    FREED_BY(contenders_free) struct contenders s = {.r = r};
    TRY(REGRET_NEW(&s.items, r->n_subjects));
    for (size_t i = 0; i < r->n_families; i++) {
        if (family_is_ranked(r, i)) {
            insert(&s, 0, cells, i);
        }
    }
    s.n_families = s.n;
    for (size_t i = r->n_families; i < r->n_subjects; i++) {
        if (is_shown_baseline(r, i)) {
            insert(&s, s.n_families, cells, i);
        }
    }
    TRY(compare_to_best(&s, cells, whole));
    *out = s;
    s = (struct contenders){0};
    return REGRET_OK;
}

int contenders_make(struct contenders *out, const struct slice *cells)
{
    return make(out, cells, 1);
}

int contenders_compare(struct contenders *out, const struct slice *cells)
{
    return make(out, cells, 0);
}

void contenders_free(struct contenders *s)
{
    regret_free(s->items);
    *s = (struct contenders){0};
}

/* They stand by mean regret. */
static const struct contender *lowest_of(const struct contenders *s, enum regret_rule rule)
{
    for (size_t i = s->n_families; i < s->n; i++) {
        if (s->r->subjects[s->items[i].subject].rule == rule) {
            return &s->items[i];
        }
    }
    return NULL;
}

const struct contender *contenders_single_agent(const struct contenders *s)
{
    return lowest_of(s, REGRET_RULE_SINGLE);
}

const struct contender *contenders_by_tag(const struct contenders *s)
{
    return lowest_of(s, REGRET_RULE_BY_TAG);
}

/* ---------------------------------------------------------------- the sentence */

enum { MOST_NAMED = 4 };

/* Whether the family is behind the best on new contexts for certain, all pairs of families together. */
static int is_behind(const struct contenders *s, size_t i)
{
    double pairs = (double)s->n_families * (double)(s->n_families - 1) / 2.0;
    const struct regret_two_way *w = &s->items[i].on_new;
    return i > 0 && w->mean > two_way_half(w, TOLD_LEVEL / pairs);
}

void contenders_list(struct regret_buffer *out, const struct contenders *s,
                     int (*is_in)(const struct contenders *, size_t))
{
    size_t n = 0, k = 0;
    for (size_t i = 0; i < s->n_families; i++) {
        n += (size_t)is_in(s, i);
    }
    size_t named = n <= MOST_NAMED + 1 ? n : MOST_NAMED;
    for (size_t i = 0; i < s->n_families && k < named; i++) {
        if (is_in(s, i)) {
            const char *before = k == 0 ? "" : k + 1 == n ? " and " : ", ";
            regret_buffer_printf(out, "%s%s", before, s->r->subjects[s->items[i].subject].name);
            k++;
        }
    }
    if (named < n) {
        regret_buffer_printf(out, " and %zu more", n - named);
    }
}

static void say_others(struct regret_buffer *out, const struct contenders *s)
{
    size_t behind = 0;
    for (size_t i = 0; i < s->n_families; i++) {
        behind += (size_t)is_behind(s, i);
    }
    regret_buffer_append(out, " On new requests of this kind ");
    if (behind == 0) {
        regret_buffer_append(out, "no other family can be told from it");
    } else if (behind + 1 == s->n_families) {
        regret_buffer_printf(out, "%s would be behind it",
                             behind == 1 ? "the other family" : "every other family");
    } else {
        contenders_list(out, s, is_behind);
        regret_buffer_append(out, " would be behind it, the others cannot be told from it");
    }
    regret_buffer_append(out, " (98 % intervals over seeds and held-out contexts, all pairs "
                              "together).");
}

void contenders_sentence(struct regret_buffer *out, const struct contenders *s)
{
    if (s->n_families == 0) {
        regret_buffer_append(out, "No family of this run has a regret, so there is no best one.");
        return;
    }
    const struct contender *best = &s->items[0];
    regret_buffer_printf(out, "%s has the lowest mean regret over %s%zu cell%s, %.4f",
                         s->r->subjects[best->subject].name, s->r->n_cells > 1 ? "all " : "",
                         s->r->n_cells, s->r->n_cells > 1 ? "s" : "", best->mean);
    if (isfinite(best->se)) {
        regret_buffer_printf(out, " ± %.4f", best->se);
    }
    regret_buffer_append_char(out, '.');
    if (s->n_families == 1) {
        regret_buffer_append(out, " It is the only family of this run.");
    } else if (!isfinite(s->items[1].on_new.se)) {
        regret_buffer_append(out, " Of new requests this run says nothing: that wants two seeds, "
                                  "ten held-out contexts, and rows with lists of them.");
    } else {
        say_others(out, s);
    }
}

/* The map of winners: which family has the lowest mean regret where. */

static struct key_axis axis_of(const struct regret_results *r, size_t key)
{
    return (struct key_axis){key, key == REGRET_KEY_BETA ? "β" : r->keys[key].name};
}

struct winner_map winner_map(const struct regret_results *r, size_t *keys)
{
    keys[0] = REGRET_KEY_MAP;
    size_t n = 1 + extra_keys(keys + 1, r);
    int budget = r->keys[REGRET_KEY_N_OBS].n_values > 1 || r->keys[REGRET_KEY_N_EXP].n_values > 1;
    struct winner_map map = {{axis_of(r, REGRET_KEY_N_OBS), axis_of(r, REGRET_KEY_N_EXP)},
                             axis_of(r, REGRET_KEY_BETA),
                             2,
                             keys,
                             n};
    if (r->keys[REGRET_KEY_BETA].n_values > 1 || n < 2) {
        return map;
    }
    size_t taken = !budget && n >= 3 ? 2 : 1;
    if (taken == 2) {
        map.rows[0] = axis_of(r, keys[1]);
        map.n_rows = 1;
    }
    map.column = axis_of(r, keys[taken]);
    keys[taken] = REGRET_KEY_MAP;
    map.blocks = keys + taken;
    map.n_blocks = n - taken;
    return map;
}

int phase_map(struct winner_map *map, const struct regret_results *r, size_t *keys)
{
    size_t axes[2], n_axes = 0, n = extra_keys(keys, r), n_blocks = 0;
    for (size_t i = 0; i < n; i++) {
        if (n_axes < 2 && strncmp(r->keys[keys[i]].name, "spread.", 7) == 0) {
            axes[n_axes++] = keys[i];
        } else {
            keys[n_blocks++] = keys[i];
        }
    }
    if (n_axes < 2) {
        return 0;
    }
    int by_budget = r->keys[REGRET_KEY_N_EXP].n_values > 1;
    const struct key_axis row = axis_of(r, axes[1]);
    keys[n_blocks++] = REGRET_KEY_MAP;
    keys[n_blocks++] = REGRET_KEY_N_OBS;
    keys[n_blocks++] = REGRET_KEY_BETA;
    *map = (struct winner_map){{by_budget ? axis_of(r, REGRET_KEY_N_EXP) : row, row},
                               {axes[0], ""},
                               by_budget ? 2 : 1,
                               keys,
                               n_blocks};
    return 1;
}

int find_winner(struct winner *out, const struct slice *s, const size_t *subjects, size_t n)
{
    double mean[2] = {INFINITY, INFINITY};
    *out = (struct winner){REGRET_NO_ROW, REGRET_NO_ROW, NAN, 0, NAN};
    for (size_t i = 0; i < n; i++) {
        double m = slice_estimate(s, REGRET_MEASURE_REGRET, subjects[i]).mean;
        if (mean_is_below(m, mean[0])) {
            out->second = out->first;
            mean[1] = mean[0];
            out->first = subjects[i];
            mean[0] = m;
        } else if (m < mean[1]) {
            out->second = subjects[i];
            mean[1] = m;
        }
    }
    if (out->second != REGRET_NO_ROW) {
        struct paired p;
        TRY(slice_paired(&p, s, REGRET_MEASURE_REGRET, out->second, REGRET_MEASURE_REGRET,
                         out->first));
        out->lead = fmax(mean[1] - mean[0], 0.0); /* equals differ in their last digits */
        out->clear = paired_separable(&p);
        out->p = paired_p(&p, 0.0);
    }
    return REGRET_OK;
}

/* A number, or the ends of a list of candidates, which ascends. */
static struct range range_of(const cJSON *value)
{
    const cJSON *last = cJSON_GetArrayItem(value, cJSON_GetArraySize(value) - 1);
    if (cJSON_IsArray(value) && cJSON_IsNumber(value->child) && cJSON_IsNumber(last)) {
        return (struct range){value->child->valuedouble, last->valuedouble};
    }
    return cJSON_IsNumber(value) ? (struct range){value->valuedouble, value->valuedouble}
                                 : (struct range){NAN, NAN};
}

static struct range read_range(const struct slice *s, const cJSON *config, const char *name)
{
    size_t key = regret_results_find_key(s->r, name);
    const cJSON *fixed = cJSON_GetObjectItemCaseSensitive(config, name);
    struct range range = {NAN, NAN};
    if (key == REGRET_NO_ROW) {
        return range_of(fixed);
    }
    for (size_t i = 0; i < s->n_cells; i++) {
        cJSON *value = cJSON_Parse(regret_results_key_text(s->r, s->cells[i], key));
        struct range cell = range_of(value);
        range.low = fmin(range.low, cell.low); /* fmin and fmax pass over NaN */
        range.high = fmax(range.high, cell.high);
        cJSON_Delete(value);
    }
    return range;
}

static int reads_none(const struct slice *s, const cJSON *config, const char *name)
{
    size_t key = regret_results_find_key(s->r, name);
    const cJSON *fixed = cJSON_GetObjectItemCaseSensitive(config, name);
    const char *law = cJSON_IsString(fixed) ? fixed->valuestring : "";
    int none = key != REGRET_NO_ROW || strcmp(law, "none") == 0;
    for (size_t i = 0; key != REGRET_NO_ROW && i < s->n_cells; i++) {
        none = none && strcmp(regret_results_key_text(s->r, s->cells[i], key), "none") == 0;
    }
    return none;
}

/* Its "task" is "world". */
static int is_controlled(const struct regret_results *r)
{
    const cJSON *task = cJSON_GetObjectItemCaseSensitive(r->run.config, "task");
    return cJSON_IsString(task) && strcmp(task->valuestring, "world") == 0;
}

/* The family's hyper-parameter that is the one ridge penalty it is fitted with, or NULL. */
static const struct regret_hyper *fixed_penalty(const struct regret_family *family)
{
    for (size_t i = 0; family->roles & REGRET_ROLE_PAPER && i < family->n_hypers; i++) {
        const struct regret_hyper *h = &family->hypers[i];
        int plain = h->kind == REGRET_HYPER_NUMBER || h->underfits; /* not one of a grounding */
        if (plain && h->column != NULL && strcmp(h->column, "rho") == 0) {
            return h;
        }
    }
    return NULL;
}

struct regime regime_read(const struct slice *s)
{
    const cJSON *config = s->r->run.config;
    int world = is_controlled(s->r);
    struct regime g = {.beta = read_range(s, config, "beta"),
                       .n_obs = read_range(s, config, "n_obs"),
                       .precision =
                           read_range(s, config, world ? "world.precision" : "outcome.precision"),
                       .noiseless = !world && reads_none(s, config, "outcome.law")};
    for (size_t i = 0; i < regret_family_count() && g.n_penalties < REGRET_MAX_HYPERS; i++) {
        const struct regret_hyper *h = fixed_penalty(regret_family_at(i));
        if (h != NULL) {
            g.penalty[g.n_penalties++] = (struct penalty){h, read_range(s, config, h->key)};
        }
    }
    return g;
}

/* F5's regime: strong selection, low noise and a deliberate underfit, against the protocol's
 * defaults: beta at least 0.8, outcomes more precise than 25, a penalty above 1. */
static int regime_is_stressed(const struct regime *g)
{
    int underfit = 0;
    for (size_t i = 0; i < g->n_penalties; i++) {
        underfit |= g->penalty[i].hyper->underfits && g->penalty[i].range.low > 1.0;
    }
    return g->beta.low >= 0.8 && (g->noiseless || g->precision.low > 25.0) && underfit;
}

static void describe(struct regret_buffer *out, const char *before, const char *label,
                     struct range range)
{
    regret_buffer_printf(out, "%s%s", before, label);
    if (!isfinite(range.low)) {
        regret_buffer_append(out, " not given");
    } else if (range.low < range.high) {
        regret_buffer_printf(out, " %.10g to %.10g", range.low, range.high);
    } else {
        regret_buffer_printf(out, " %.10g", range.low);
    }
}

void regime_describe(struct regret_buffer *out, const struct regime *g)
{
    describe(out, "Regime: ", "β", g->beta);
    describe(out, ", ", "n_obs", g->n_obs);
    if (g->noiseless) {
        regret_buffer_append(out, ", outcomes without noise");
    } else {
        describe(out, ", ", "outcome precision", g->precision);
    }
    for (size_t i = 0; i < g->n_penalties; i++) {
        describe(out, i == 0 ? ", penalties " : ", ", g->penalty[i].hyper->key,
                 g->penalty[i].range);
    }
    regret_buffer_append(out, regime_is_stressed(g)
                                  ? ": strong selection, low noise and a deliberate underfit."
                                  : ": not the one of the paper's F5, which has strong selection, "
                                    "low noise and a deliberate underfit.");
}
