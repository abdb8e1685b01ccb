/* Rows of rewrites: each is read, or refused with the words, or passed over where that is asked for; keeping the texts changes no row,
 * label, score or issue; estimates are finite or missing. One input in 16, and each seed, goes both ways and is read with its texts,
 * too. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "regret/rate.h"
#include "regret/status.h"
#include "support.h"

static struct regret_rate_rows *read_rows(const char *path, int keep_texts, int skip_bad)
{
    const struct regret_rate_read_options options = {.keep_texts = keep_texts,
                                                     .skip_bad = skip_bad};
    struct regret_rate_rows *rows = NULL;
    int taken = fuzz_taken(regret_rate_read(&rows, &path, 1, &options));
    REQUIRE(taken == (rows != NULL));
    if (taken) {
        REQUIRE(rows->n_rows > 0 && rows->n_models <= REGRET_RATE_MAX_MODELS);
        REQUIRE(regret_rate_rows_finish(rows) == 0);
    }
    return rows;
}

static void same_issues(const struct regret_rate_rows *a, const struct regret_rate_rows *b)
{
    for (size_t i = 0; i < REGRET_RATE_N_ISSUES; i++) {
        size_t n = a->issues[i].count;
        REQUIRE(n == b->issues[i].count);
        for (size_t k = 0; k < n && k < REGRET_RATE_ISSUE_EXAMPLES; k++) {
            REQUIRE(a->issues[i].examples[k].line == b->issues[i].examples[k].line);
            REQUIRE(a->issues[i].examples[k].model == b->issues[i].examples[k].model);
        }
    }
}

static void same_models(const struct regret_rate_rows *a, const struct regret_rate_rows *b)
{
    for (size_t m = 0; m < a->n_models; m++) {
        const struct regret_rate_model *x = &a->models[m], *y = &b->models[m];
        REQUIRE(strcmp(x->name, y->name) == 0 && x->contrastive == y->contrastive);
        for (size_t s = 0; s < REGRET_N_SIDES; s++) {
            for (size_t i = 0; i < a->n_rows; i++) {
                REQUIRE(fuzz_same_number(x->score[s][i], y->score[s][i]));
                REQUIRE(!isinf(x->score[s][i]));
            }
        }
    }
}

static void same_rows(const struct regret_rate_rows *a, const struct regret_rate_rows *b)
{
    REQUIRE(a->n_rows == b->n_rows && a->n_groups == b->n_groups && a->n_models == b->n_models);
    for (size_t g = 0; g < a->n_groups; g++) {
        REQUIRE(strcmp(a->groups[g].dataset, b->groups[g].dataset) == 0);
        REQUIRE(strcmp(a->groups[g].attribute, b->groups[g].attribute) == 0);
    }
    for (size_t i = 0; i < a->n_rows; i++) {
        REQUIRE(a->w[i] == b->w[i] && a->z[i] == b->z[i]);
        REQUIRE(a->line[i] == b->line[i] && a->group[i] == b->group[i]);
    }
    same_issues(a, b);
    same_models(a, b);
}

static void check_effect(const struct regret_rate_effect *e)
{
    if (e->missing == NULL) {
        REQUIRE(isfinite(e->estimate) && e->n > 0);
        REQUIRE(isnan(e->se) || e->se >= 0.0);
    } else {
        REQUIRE(isnan(e->estimate) && e->missing[0] != '\0');
    }
}

static void check_estimates(const struct regret_rate_rows *rows)
{
    const struct regret_rate_options options = {.se = REGRET_SE_PAIRED, .threads = 1};
    struct regret_rate_estimate *e = NULL;
    size_t n = 0;
    REQUIRE(regret_rate_estimate(&e, &n, rows, &options) == 0);
    for (size_t i = 0; i < n; i++) {
        REQUIRE(e[i].group < rows->n_groups && e[i].model < rows->n_models);
        REQUIRE(e[i].n1 + e[i].n0 == e[i].n_used && e[i].n_used <= e[i].n_rows);
        for (size_t k = 0; k < REGRET_N_EFFECTS; k++) {
            check_effect(&e[i].effects[k]);
        }
    }
    regret_free(e);
}

static void check_file(const char *data, size_t size, int skip_bad, int with_texts)
{
    const char *path = fuzz_put("rows", data, size);
    struct regret_rate_rows *rows = read_rows(path, 0, skip_bad);
    if (with_texts) {
        struct regret_rate_rows *texts = read_rows(path, 1, skip_bad);
        REQUIRE((rows == NULL) == (texts == NULL));
        if (rows != NULL) {
            same_rows(rows, texts);
        }
        regret_rate_rows_free(texts);
    }
    if (rows != NULL) {
        check_estimates(rows);
    }
    fuzz_accepted = rows != NULL;
    regret_rate_rows_free(rows);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum fuzz_ways ways = fuzz_ways_of(data, size);
    if (ways & FUZZ_LENIENT) {
        check_file((const char *)data, size, 1, ways == FUZZ_BOTH);
    }
    if (ways & FUZZ_STRICT) {
        check_file((const char *)data, size, 0, ways == FUZZ_BOTH);
    }
    return 0;
}
