#include "experiment/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/status.h"
#include "experiment/external.h"
#include "experiment/features.h"
#include "experiment/inputs.h"
#include "experiment/measures.h"
#include "experiment/pool_source.h"
#include "linalg/dense.h"
#include "pool/grid_policy.h"
#include "regret/buffer.h"
#include "regret/status.h"
#include "results/run_file.h"

_Static_assert((int)REGRET_MAX_CELLS == (int)RUN_CELLS_MOST &&
                   (int)REGRET_MAX_SEEDS == (int)RUN_SEEDS_MOST,
               "every run that a plan makes can be read");

static void string_field(struct regret_buffer *t, const char *name, const char *value)
{
    regret_buffer_printf(t, "\"%s\":", name);
    regret_buffer_json_string(t, value != NULL ? value : "");
    regret_buffer_append_char(t, ',');
}

/* The range of the raw scores that rewards are means of, from worst to best, where every cell has such ones and all scores one
 * range, not 0 to 1. */
static void describe_scale(struct regret_buffer *t, const struct regret_run_plan *plan,
                           const struct regret_pool *pool)
{
    const struct regret_component *of = pool->components;
    int is_shared = pool->n_components > 0 &&
                    (of->is_turned || of->low < 0.0 || of->low > 0.0 || of->high != 1.0);
    for (size_t k = 1; k < pool->n_components; k++) {
        is_shared &= of[k].low <= of->low && of[k].low >= of->low && of[k].high <= of->high &&
                     of[k].high >= of->high && of[k].is_turned == of->is_turned;
    }
    for (size_t c = 0; c < regret_run_plan_cells(plan) && is_shared; c++) {
        struct regret_config config;
        regret_run_plan_cell(&config, plan, c);
        is_shared = config.task == REGRET_TASK_POOL &&
                    strcmp(regret_reward_map_at((size_t)config.reward.map)->name, "smooth") == 0;
    }
    if (is_shared) {
        regret_buffer_printf(t, ",\"scale\":[%.17g,%.17g]", of->is_turned ? of->high : of->low,
                             of->is_turned ? of->low : of->high);
    }
}

static void describe_pool(struct regret_buffer *t, const struct regret_run_plan *plan,
                          const struct run_inputs *inputs)
{
    const struct regret_grid *g = inputs->features[0]->grid;
    const struct regret_pool *pool = g->pool;
    regret_buffer_append(t, "\"pool\":{");
    string_field(t, "name", pool->name);
    string_field(t, "title", pool->title);
    string_field(t, "version", pool->version);
    string_field(t, "licence", pool->licence);
    string_field(t, "source", pool->source);
    string_field(t, "digest", pool->digest);
    regret_buffer_printf(t,
                         "\"synthetic\":%s,\"contexts\":%zu,\"agents\":%zu,\"draws\":%zu,"
                         "\"dropped_contexts\":%zu,\"dropped_agents\":%zu,\"imputed\":%zu",
                         pool->synthetic ? "true" : "false", g->n_contexts, g->n_agents,
                         g->most_draws, g->dropped_contexts, g->dropped_agents, g->imputed);
    if (g->first != NULL) {
        regret_buffer_printf(t, ",\"least_draws\":%zu", g->n_draws);
    }
    if (g->observed != NULL) {
        regret_buffer_printf(t, ",\"observed\":%zu,\"comparable\":%zu",
                             g->observed_start[g->n_contexts], g->comparable);
    }
    describe_scale(t, plan, pool);
    regret_buffer_append(t, "},\n");
}

static int same_grid(const struct regret_grid *a, const struct regret_grid *b)
{
    return a->n_contexts == b->n_contexts && a->n_agents == b->n_agents &&
           memcmp(a->contexts, b->contexts, a->n_contexts * sizeof *a->contexts) == 0 &&
           memcmp(a->agents, b->agents, a->n_agents * sizeof *a->agents) == 0;
}

/* Of the feature sets, that one before which no other has its grid. */
static size_t first_like(const struct run_inputs *inputs, size_t features)
{
    size_t i = 0;
    while (!same_grid(inputs->features[i]->grid, inputs->features[features]->grid)) {
        i++;
    }
    return i;
}

/* The number of a cell's grid among the distinct ones. */
static size_t grid_number(const struct run_inputs *inputs, size_t cell)
{
    size_t first = first_like(inputs, inputs->features_of[cell]), number = 0;
    for (size_t i = 0; i < first; i++) {
        number += first_like(inputs, i) == i;
    }
    return number;
}

/* Of each context of a grid whose pool tags them. */
static void describe_tags(struct regret_buffer *t, const struct regret_grid *g)
{
    if (g->n_tags > 0) {
        grid_json(t, ",\n\"tags\":", g, GRID_CONTEXT_TAGS);
    }
}

/* The agents that give one text to every context: their scores say something of the judge. */
static void describe_constant(struct regret_buffer *t, const struct regret_grid *g)
{
    size_t n = 0;
    for (size_t a = 0; a < g->n_agents; a++) {
        if (regret_grid_is_constant(g, a)) {
            regret_buffer_printf(t, "%s%zu", n++ == 0 ? ",\n\"constant\":[" : ",", a);
        }
    }
    regret_buffer_append(t, n > 0 ? "]" : "");
}

static int has_curves(const struct regret_run_plan *plan)
{
    for (size_t c = 0; c < regret_run_plan_cells(plan); c++) {
        struct regret_config config;
        regret_run_plan_cell(&config, plan, c);
        if (config.costs) {
            return 1;
        }
    }
    return 0;
}

/* What the lists of rows number. */
static void describe_grids(struct regret_buffer *t, const struct regret_run_plan *plan,
                           const struct run_inputs *inputs)
{
    int costs = has_curves(plan);
    regret_buffer_append(t, "\"grids\":[");
    for (size_t i = 0; i < inputs->n_features; i++) {
        const struct regret_grid *g = inputs->features[i]->grid;
        if (first_like(inputs, i) != i) {
            continue;
        }
        grid_json(t, i > 0 ? ",\n{\"agents\":" : "\n{\"agents\":", g, GRID_AGENT_NAMES);
        grid_json(t, ",\n\"contexts\":", g, GRID_CONTEXT_NAMES);
        describe_tags(t, g);
        if (g->pool->n_columns > 0) {
            regret_buffer_append(t, ",\n\"columns\":");
            grid_json_columns(t, g);
        }
        describe_constant(t, g);
        if (costs) {
            grid_json(t, ",\n\"costs\":", g, GRID_AGENT_COSTS);
        }
        if (inputs->votes != NULL) {
            regret_buffer_fail(t, run_votes_describe(t, &inputs->votes[i]));
        }
        regret_buffer_append_char(t, '}');
    }
    regret_buffer_append(t, "],\n");
}

static void describe_hyper(struct regret_buffer *t, const struct regret_hyper *hyper)
{
    static const char *const kinds[] = {[REGRET_HYPER_GRID] = "grid",
                                        [REGRET_HYPER_NUMBER] = "number",
                                        [REGRET_HYPER_CHOICE] = "choice"};
    regret_buffer_append_char(t, '{');
    string_field(t, "key", hyper->key);
    if (hyper->column != NULL) {
        string_field(t, "column", hyper->column);
    }
    regret_buffer_printf(t, "\"kind\":\"%s\"}", kinds[hyper->kind]);
}

/* What a family is, so that no reader of the run needs a table of its own; not the words about it, which
 * may be put better without its being another run. */
static void describe_family(struct regret_buffer *t, const struct regret_family *family)
{
    const char *joint = "";
    regret_buffer_append_char(t, '{');
    string_field(t, "family", family->name);
    regret_buffer_append(t, "\"roles\":[");
    for (unsigned i = 0; i < REGRET_N_ROLES; i++) {
        if (family->roles >> i & 1) {
            regret_buffer_printf(t, "%s\"%s\"", joint, regret_family_role_name(i));
            joint = ",";
        }
    }
    regret_buffer_append(t, "],");
    if (family->variant_of != NULL) {
        string_field(t, "variant_of", family->variant_of->name);
    }
    regret_buffer_append(t, "\"hyper\":[");
    for (size_t i = 0; i < family->n_hypers; i++) {
        regret_buffer_append(t, i > 0 ? "," : "");
        describe_hyper(t, &family->hypers[i]);
    }
    regret_buffer_append(t, "]}");
}

/* One of the user's own: nobody knows of its roles. What it is made of stands in "config". */
static void describe_external(struct regret_buffer *t, const struct regret_family_list *list,
                              size_t i, const struct external *external)
{
    const struct regret_external_family *family = regret_family_list_external(list, i);
    const char *digest = external_digest(external, list->index[i] - REGRET_EXTERNAL_INDEX);
    regret_buffer_append_char(t, '{');
    string_field(t, "family", family->name);
    string_field(t, "external", family->is_command ? "command" : "predictions");
    if (digest[0] != '\0') {
        string_field(t, "digest", digest);
    }
    regret_buffer_append(t, "\"roles\":[],\"hyper\":[]}");
}

static void put_family_name(struct regret_buffer *t, const void *list, size_t i)
{
    regret_buffer_json_string(t, regret_family_list_name(list, i));
}

static void describe_families(struct regret_buffer *t, const struct regret_family_list *list,
                              const struct external *external)
{
    regret_buffer_append(t, "\"families\":");
    json_list(t, list->n, put_family_name, list);
    regret_buffer_append(t, ",\n\"" RUN_FAMILY_FACTS "\":[");
    for (size_t i = 0; i < list->n; i++) {
        regret_buffer_append(t, i > 0 ? ",\n" : "\n");
        const struct regret_family *family = regret_family_list_built_in(list, i);
        if (family != NULL) {
            describe_family(t, family);
        } else {
            describe_external(t, list, i, external);
        }
    }
    regret_buffer_append(t, "],\n");
}

/* Where there are more than every run has. */
static void describe_baselines(struct regret_buffer *t, const struct row_baseline_list *list)
{
    for (size_t i = 0; list->n > ROW_BASELINES_ALWAYS && i < list->n; i++) {
        regret_buffer_printf(t, "%s\"%s\"%s", i > 0 ? "," : "\"" RUN_BASELINES "\":[",
                             list->at[i]->name, i + 1 == list->n ? "],\n" : "");
    }
}

static void describe_means(struct regret_buffer *t, const struct run_means *means)
{
    if (means->n == 0) {
        return;
    }
    regret_buffer_printf(t, "\"" RUN_MEANS "\":{\"version\":%d,\"items\":[",
                         (int)RUN_MEANS_VERSION);
    for (size_t i = 0; i < means->n; i++) {
        regret_buffer_append(t, i > 0 ? ",\n" : "\n");
        regret_buffer_append(t, regret_buffer_get(&means->items[i]));
    }
    regret_buffer_append(t, "]},\n");
}

void run_describe(struct regret_buffer *t, const struct regret_run_plan *plan,
                  const struct run_inputs *inputs, const struct shard_range *range)
{
    struct run_means means = {0};
    struct regret_config first;
    struct regret_blas_info blas = regret_blas_describe();
    size_t cells = regret_run_plan_cells(plan);
    regret_run_plan_cell(&first, plan, 0);
    regret_buffer_append(t, "{");
    string_field(t, "format", REGRET_RUN_FORMAT);
    regret_buffer_append(t, "\n\"config\":");
    regret_run_plan_json(t, plan);
    regret_buffer_append(t, ",\n");
    describe_pool(t, plan, inputs);
    describe_grids(t, plan, inputs);
    string_field(t, "version", regret_version());
    regret_buffer_printf(t, "\"results_version\":%d,\"blas\":{", REGRET_RESULTS_VERSION);
    string_field(t, "build", blas.build);
    regret_buffer_append(t, "\"kernel\":");
    regret_buffer_json_string(t, blas.kernel);
    regret_buffer_append(t, "},\n");
    const struct row_baseline_list baselines = baselines_of(inputs);
    describe_families(t, &first.families, inputs->external);
    describe_baselines(t, &baselines);
    regret_buffer_fail(t, run_means_make(&means, plan, inputs));
    describe_means(t, &means);
    regret_buffer_append(t, "\"cells\":[");
    for (size_t c = 0; c < cells; c++) {
        regret_buffer_printf(t, "%s\n{\"cell\":%zu,\"key\":", c > 0 ? "," : "", c);
        regret_run_plan_cell_key(t, plan, c);
        if (grid_number(inputs, c) > 0) {
            regret_buffer_printf(t, ",\"grid\":%zu", grid_number(inputs, c));
        }
        if (means.n > 0 && means.of[c] > 0) {
            regret_buffer_printf(t, ",\"means\":%zu", means.of[c]);
        }
        double clipped = run_inputs_clipped(inputs, c);
        if (!isnan(clipped)) {
            regret_buffer_printf(t, ",\"clipped_scores\":%.4g", clipped);
        }
        regret_buffer_append(t, "}");
    }
    regret_buffer_printf(t, "],\n\"seeds\":%zu,\"rows\":%zu,", first.seeds,
                         rows_count(&first, inputs));
    run_file_write_range(t, range);
    run_means_free(&means);
}

enum { FOLDS = 5, STRATA = 5, LEAST_CONTEXTS = 30 };
static const double TOLD = 0.1; /* of the variance, out of fold [C] */

/* The share of agents that are observed on each context, less its mean over the contexts of the tag. */
static int take_shares(double *y, double *mean, const struct feature_set *set)
{
    const struct regret_grid *g = set->grid;
    FREED double *sum = NULL;
    TRY(REGRET_NEW(&sum, g->n_tags + 1));
    for (size_t x = 0; x < g->n_contexts; x++) {
        size_t tag = g->kind != NULL ? g->kind[x] : 0;
        double contexts = (double)(g->kind != NULL ? g->tags[tag].contexts : g->n_contexts);
        y[x] = (double)regret_grid_observed(g, x) / (double)g->n_agents;
        sum[tag] += y[x] / contexts;
    }
    for (size_t x = 0; x < g->n_contexts; x++) {
        mean[x] = sum[g->kind != NULL ? g->kind[x] : 0];
        y[x] -= mean[x];
    }
    return REGRET_OK;
}

/* What e(x) says of y, out of fold. */
static int predict(double *f, const double *y, const struct feature_set *set)
{
    size_t n = set->grid->n_contexts, d = set->embedding_rank;
    FREED unsigned char *use = NULL;
    FREED double *b = NULL;
    TRY(REGRET_NEW(&use, n));
    TRY(REGRET_NEW(&b, d + 1));
    for (size_t fold = 0; fold < FOLDS; fold++) {
        for (size_t x = 0; x < n; x++) {
            use[x] = x % FOLDS != fold;
        }
        TRY(least_squares(b, set->embedding, d, y, n, use));
        for (size_t x = fold; x < n; x += FOLDS) {
            f[x] = b[d];
            for (size_t j = 0; j < d; j++) {
                f[x] += b[j] * set->embedding[j * n + x];
            }
        }
    }
    return REGRET_OK;
}

struct ranked {
    double key;
    size_t context;
};

static int by_key(const void *left, const void *right)
{
    const struct ranked *a = left, *b = right;
    if (a->key < b->key || a->key > b->key) {
        return a->key < b->key ? -1 : 1;
    }
    return a->context < b->context ? -1 : a->context > b->context;
}

static int cut(uint32_t *of, const double *f, const double *mean, size_t n)
{
    FREED struct ranked *items = NULL;
    TRY(REGRET_NEW(&items, n));
    for (size_t x = 0; x < n; x++) {
        items[x] = (struct ranked){mean[x] + f[x], x};
    }
    qsort(items, n, sizeof *items, by_key);
    for (size_t i = 0; i < n; i++) {
        of[items[i].context] = (uint32_t)(i * STRATA / n);
    }
    return REGRET_OK;
}

int run_strata(uint32_t **out, size_t *n_out, const char **by, const struct feature_set *set)
{
    const struct regret_grid *g = set->grid;
    size_t n = g->n_contexts;
    FREED uint32_t *of = NULL;
    FREED double *y = NULL;
    double all = 0.0, left = 0.0;
    TRY(REGRET_NEW(&of, n));
    TRY(REGRET_NEW(&y, 3 * n));
    TRY(take_shares(y, y + n, set));
    TRY(n >= LEAST_CONTEXTS && set->embedding_rank > 0 ? predict(y + 2 * n, y, set) : REGRET_OK);
    for (size_t x = 0; x < n; x++) {
        of[x] = g->kind != NULL ? g->kind[x] : 0;
        all += y[x] * y[x];
        left += (y[x] - y[2 * n + x]) * (y[x] - y[2 * n + x]);
    }
    *by = g->n_tags > 1 ? "tags" : "none";
    *n_out = g->n_tags > 0 ? g->n_tags : 1;
    if (left < (1.0 - TOLD) * all) {
        *by = "words";
        *n_out = STRATA;
        TRY(cut(of, y + 2 * n, y + n, n));
    }
    *out = of;
    of = NULL;
    return REGRET_OK;
}
