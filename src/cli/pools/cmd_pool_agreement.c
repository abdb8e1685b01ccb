/* regret pool agreement: how well raters that are components of a pool agree. */
#include <string.h>

#include "base/core/try.h"
#include "base/text/name.h"
#include "cli/pools/cmd_pool.h"
#include "cli/terminal/find.h"
#include "regret/agreement.h"
#include "report/render/table.h"

FREED_POINTER(struct regret_pool, regret_pool_free)

enum { RESAMPLES = 1000, SEED = 1 };
static const double LEVEL = 0.95;

/* The components of these names; of none, all. */
static int find_raters(size_t *out, size_t *n, const struct regret_pool *pool,
                       const char *const *names, size_t n_names)
{
    const char *known[REGRET_POOL_MAX_COMPONENTS];
    for (size_t k = 0; k < pool->n_components; k++) {
        known[k] = pool->components[k].name;
        out[k] = k;
    }
    *n = n_names > 0 ? n_names : pool->n_components;
    for (size_t i = 0; i < n_names; i++) {
        for (out[i] = 0; out[i] < pool->n_components && strcmp(known[out[i]], names[i]) != 0;
             out[i]++) {
        }
        TRY(out[i] < pool->n_components
                ? REGRET_OK
                : name_unknown("component", names[i], known, pool->n_components));
    }
    return REGRET_OK;
}

/* How high and how far apart each rates. */
static void put_raters(struct table *t, const struct regret_pool *pool,
                       const struct regret_ratings *r, const size_t *rater)
{
    static const char *const HEADS[] = {"rater", "mean", "less all"};
    double mean[REGRET_POOL_MAX_COMPONENTS], all = 0.0;
    table_block(t, "raters, from 0 to 1");
    table_columns(t, HEADS, sizeof HEADS / sizeof *HEADS);
    for (size_t j = 0; j < r->n_raters; j++) {
        mean[j] = 0.0;
        for (size_t i = 0; i < r->n_units; i++) {
            mean[j] += r->rating[i * r->n_raters + j] / (double)r->n_units;
        }
        all += mean[j] / (double)r->n_raters;
    }
    for (size_t j = 0; j < r->n_raters; j++) {
        table_row(t, "%s", pool->components[rater[j]].name);
        table_number(t, mean[j], 3);
        table_number(t, mean[j] - all, 3);
    }
}

static int put_agreement(struct table *t, const struct regret_pool *pool,
                         const struct regret_ratings *r, const size_t *rater)
{
    static const char *const HEADS[] = {"measure", "value", "low", "high"};
    struct regret_agreement found[REGRET_AGREEMENTS];
    TRY(regret_agreement_measure(found, r, RESAMPLES, SEED, LEVEL));
    table_begin(t, "agreement", "Agreement of %zu raters on %zu outputs%s", r->n_raters, r->n_units,
                pool->synthetic ? " (SYNTHETIC)" : "");
    table_block(t, "agreement");
    table_columns(t, HEADS, sizeof HEADS / sizeof *HEADS);
    for (size_t k = 0; k < REGRET_AGREEMENTS; k++) {
        table_row(t, "%s", regret_agreement_name(k));
        table_number(t, found[k].value, 3);
        table_number(t, found[k].low, 3);
        table_number(t, found[k].high, 3);
    }
    put_raters(t, pool, r, rater);
    table_note(
        t,
        "1: they say the same; 0: what chance gives. Krippendorff's alpha, and intraclass "
        "correlations of absolute agreement (Shrout and Fleiss): of one rater, and of the mean "
        "of the %zu. Intervals (95 %%) by drawing the %zu contexts again, %d times.",
        r->n_raters, r->n_clusters, RESAMPLES);
    return table_check(t);
}

static int print_agreement(struct regret_buffer *out, const char *path, const char *const *names,
                           size_t n_names, enum regret_format format)
{
    FREED_BY(regret_pool_free_at) struct regret_pool *pool = NULL;
    FREED_BY(regret_ratings_free) struct regret_ratings ratings = {0};
    FREED_BY(table_free) struct table t = {0};
    size_t rater[REGRET_POOL_MAX_COMPONENTS], n = 0;
    TRY(regret_pool_read(&pool, path));
    TRY(find_raters(rater, &n, pool, names, n_names));
    TRY(regret_ratings_of_pool(&ratings, pool, rater, n));
    TRY(put_agreement(&t, pool, &ratings, rater));
    return render(out, &t, format);
}

int cmd_pool_agreement(const struct cli_command *self, int argc, char **argv)
{
    const char *word = NULL;
    int safe_csv = 0, json = 0, code = 0, rc;
    const struct cli_option options[] = {{"format", 'f', CLI_STRING, &word,
                                          "text|md|csv|tex|html|json",
                                          "of the table (default text)", 0, 0},
                                         CLI_JSON(json),
                                         CLI_SAFE_CSV(safe_csv),
                                         {0}};
    struct cli_arguments rest;
    if (cli_parse(&rest, &code, self, options, 1, 1 + REGRET_POOL_MAX_COMPONENTS, argc, argv)) {
        return code;
    }
    enum regret_format format = REGRET_FORMAT_TEXT;
    char storage[FIND_PATH_SIZE];
    const char *path = find_pool(storage, rest.items[0]);
    word = cli_format(word, json);
    if (path == NULL || word == NULL) {
        return CLI_USAGE;
    }
    struct regret_buffer text = REGRET_BUFFER_INIT;
    TRY_CLEANUP(regret_format_parse(&format, word));
    rc = print_agreement(&text, path, rest.items + 1, rest.count - 1, format);
cleanup:
    return cli_print_csv(&text, rc, safe_csv && format == REGRET_FORMAT_CSV);
}
