#include "report/tables.h"

#include <math.h>
#include <string.h>

#include "regret/alloc.h"
#include "regret/json.h"

/* Every table, in the order of the report. */
static table_maker *const makers[] = {
    make_summary,   make_budget,    make_reward_shape, make_beta,   make_winners,
    make_alignment, make_crossover, make_grounded,     make_values, make_dr_regime,
    make_sweep,     make_tuning,    make_claims,
};
static const char *const names[] = {
    "summary",  "budget", "reward-shape", "beta",  "winners", "alignment", "crossover",
    "grounded", "values", "dr-regime",    "sweep", "tuning",  "claims",
};

enum { N_TABLES = sizeof names / sizeof *names };
_Static_assert(sizeof makers / sizeof *makers == N_TABLES, "one maker a name");

size_t regret_report_tables(const char *const **out)
{
    *out = names;
    return N_TABLES;
}

int regret_report_table(struct regret_text *out, const struct regret_results *r, const char *name,
                        enum regret_format format)
{
    size_t i = 0;
    while (i < N_TABLES && strcmp(names[i], name) != 0) {
        i++;
    }
    if (i == N_TABLES) {
        const char *near = regret_nearest_word(name, names, N_TABLES);
        struct regret_text list = REGRET_TEXT_INIT;
        for (size_t j = 0; j < N_TABLES; j++) {
            regret_text_printf(&list, "%s%s", j > 0 ? ", " : "", names[j]);
        }
        int rc = regret_fail(REGRET_E_INPUT, "unknown table \"%s\"; %s%s%sthere are %s", name,
                             near != NULL ? "did you mean \"" : "", near != NULL ? near : "",
                             near != NULL ? "\"? " : "", regret_text_get(&list));
        regret_text_free(&list);
        return rc;
    }
    struct table t = {0};
    int rc = makers[i](&t, r);
    if (rc == REGRET_OK) {
        rc = render(out, &t, format);
    }
    table_free(&t);
    return rc;
}

/* The methods that learn from OBS outcomes. */
static const char *const obs_based[] = {"obs-only", "grounded", "cvci", "cvci-residual"};

size_t obs_based_families(size_t *out, const struct regret_results *r)
{
    size_t n = 0;
    for (size_t i = 0; i < sizeof obs_based / sizeof *obs_based; i++) {
        size_t family = regret_results_subject(r, REGRET_ROW_FAMILY, obs_based[i]);
        if (family != REGRET_NO_ROW) {
            out[n++] = family;
        }
    }
    return n;
}

size_t best_obs_based(const struct slice *s)
{
    size_t best = REGRET_NO_ROW;
    double lowest = INFINITY;
    for (size_t i = 0; i < sizeof obs_based / sizeof *obs_based; i++) {
        size_t family = regret_results_subject(s->r, REGRET_ROW_FAMILY, obs_based[i]);
        if (family == REGRET_NO_ROW) {
            continue;
        }
        double mean = slice_estimate(s, REGRET_MEASURE_REGRET, family).mean;
        if (mean < lowest) {
            lowest = mean;
            best = family;
        }
    }
    return best;
}

static size_t count_null_regrets(const struct regret_results *r)
{
    size_t n = 0;
    for (size_t i = 0; i < r->n_rows; i++) {
        n += r->subjects[r->row_subject[i]].kind != REGRET_ROW_FIT &&
             !isfinite(r->measure[REGRET_MEASURE_REGRET][i]);
    }
    return n;
}

void begin_report_table(struct table *t, const struct regret_results *r, const char *name,
                        const char *title)
{
    table_begin(t, name, "%s: %s (%s)", title, r->run.pool_name,
                r->run.synthetic ? "SYNTHETIC data" : "real task");
    if (r->run.synthetic) {
        table_note(t,
                   "SYNTHETIC: the pool %s was generated; these numbers say nothing about any "
                   "real task.",
                   r->run.pool_name);
    }
    if (r->gaps != NULL) {
        table_note(t,
                   "%s Means use the replicates that are there; standard errors and intervals "
                   "only the seeds that are whole.",
                   r->gaps);
    }
    size_t nulls = count_null_regrets(r);
    if (nulls > 0) {
        table_note(t, "%zu row%s no finite regret and count%s as missing.", nulls,
                   nulls == 1 ? " has" : "s have", nulls == 1 ? "s" : "");
    }
    if (r->n_seeds == 1) {
        table_note(t, "One seed only: standard errors and intervals are undefined (–), and no two "
                      "families can be told apart.");
    } else if (r->n_seeds < FEW_SEEDS) {
        table_note(t, "%zu seeds only: bootstrap intervals over so few are too narrow.",
                   r->n_seeds);
    }
}

size_t ranked_families(size_t *out, const struct regret_results *r)
{
    static const char *const variants[] = {"grounded-linear", "grounded-anchored"};
    size_t n = 0;
    for (size_t f = 0; f < r->n_families; f++) {
        if (strcmp(r->subjects[f].name, variants[0]) != 0 &&
            strcmp(r->subjects[f].name, variants[1]) != 0) {
            out[n++] = f;
        }
    }
    return n;
}

size_t design_key(const struct regret_results *r, enum design design)
{
    static const char *const names_of[] = {"reward.lambda_fix", "reward.omega"};
    for (size_t k = REGRET_N_MAIN_KEYS; k < r->n_keys; k++) {
        if (strcmp(r->keys[k].name, names_of[design]) == 0 && r->keys[k].n_values > 1) {
            return k;
        }
    }
    return REGRET_NO_ROW;
}

/* The extra keys that make blocks. The reward design is averaged over, like beta; the tables
 * winners, alignment and crossover show it. */
static size_t block_keys(size_t *keys, const struct regret_results *r)
{
    size_t all = extra_keys(keys, r), n = 0;
    for (size_t i = 0; i < all; i++) {
        if (keys[i] != design_key(r, DESIGN_LAMBDA_FIX) && keys[i] != design_key(r, DESIGN_OMEGA)) {
            keys[n++] = keys[i];
        }
    }
    return n;
}

int plan_make(struct plan *out, const struct regret_results *r, int by_map)
{
    struct plan p = {.r = r};
    size_t *keys = NULL;
    int rc = REGRET_NEW(&p.families, r->n_families);
    if (rc == REGRET_OK) {
        rc = REGRET_NEW(&keys, r->n_keys + 1);
    }
    if (rc == REGRET_OK) {
        rc = slice_all(&p.all, r);
    }
    if (rc == REGRET_OK) {
        size_t n = 0;
        if (by_map) {
            keys[n++] = REGRET_KEY_MAP;
        }
        n += block_keys(keys + n, r);
        p.n_ranked = ranked_families(p.families, r);
        rc = groups_split(&p.blocks, &p.all, keys, n);
    }
    regret_free(keys);
    if (rc != REGRET_OK) {
        plan_free(&p);
        return rc;
    }
    *out = p;
    return REGRET_OK;
}

void plan_free(struct plan *p)
{
    groups_free(&p->blocks);
    slice_free(&p->all);
    regret_free(p->families);
}

int has_measure(const struct regret_results *r, enum regret_measure m, size_t subject)
{
    for (size_t i = 0; i < r->n_rows; i++) {
        if (r->row_subject[i] == subject && isfinite(r->measure[m][i])) {
            return 1;
        }
    }
    return 0;
}

static void put_regret_row(struct table *t, size_t subject, const struct groups *columns)
{
    const struct regret_results *r = columns->items[0].slice.r;
    table_row(t, "%s", r->subjects[subject].name);
    for (size_t j = 0; j < columns->n; j++) {
        struct estimate e =
            slice_estimate(&columns->items[j].slice, REGRET_MEASURE_REGRET, subject);
        table_estimate(t, e.mean, e.se, REGRET_DECIMALS);
    }
}

void put_baseline_rows(struct table *t, const struct groups *columns)
{
    const struct regret_results *r = columns->items[0].slice.r;
    for (size_t i = 0; i < r->n_subjects; i++) {
        if (r->subjects[i].kind == REGRET_ROW_BASELINE &&
            has_measure(r, REGRET_MEASURE_REGRET, i)) {
            put_regret_row(t, i, columns);
        }
    }
}

void put_regret_rows(struct table *t, const size_t *subjects, size_t n,
                     const struct groups *columns)
{
    for (size_t i = 0; i < n; i++) {
        put_regret_row(t, subjects[i], columns);
    }
    for (size_t j = 0; t->status == REGRET_OK && n > 1 && j < columns->n; j++) {
        table_stress_lowest(t, 0, n, j + 1);
    }
    put_baseline_rows(t, columns);
}
