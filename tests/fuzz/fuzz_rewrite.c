/* Rows of rewrites: the quick reader and the careful one agree in what they refuse and say, and in
 * every row, label, score, issue and estimate; keeping the texts changes none of it. */
#include <math.h>
#include <string.h>

#include "regret/alloc.h"
#include "regret/rewrite.h"
#include "support.h"

static char message[1024];

static struct regret_rewrite_rows *read_rows(const char *path, int careful, int keep_texts)
{
    const struct regret_rewrite_read_options options = {.careful = careful,
                                                        .keep_texts = keep_texts};
    struct regret_rewrite_rows *rows = NULL;
    int taken = fuzz_taken(regret_rewrite_read(&rows, &path, 1, &options));
    REQUIRE(taken == (rows != NULL));
    if (taken) {
        REQUIRE(rows->n_rows > 0 && rows->n_models <= REGRET_REWRITE_MAX_MODELS);
        REQUIRE(regret_rewrite_rows_finish(rows) == 0);
    }
    return rows;
}

static void same_issues(const struct regret_rewrite_rows *a, const struct regret_rewrite_rows *b)
{
    for (size_t i = 0; i < REGRET_N_ISSUES; i++) {
        size_t n = a->issues[i].count;
        REQUIRE(n == b->issues[i].count);
        for (size_t k = 0; k < n && k < REGRET_ISSUE_EXAMPLES; k++) {
            REQUIRE(a->issues[i].examples[k].line == b->issues[i].examples[k].line);
            REQUIRE(a->issues[i].examples[k].model == b->issues[i].examples[k].model);
        }
    }
}

static void same_models(const struct regret_rewrite_rows *a, const struct regret_rewrite_rows *b)
{
    for (size_t m = 0; m < a->n_models; m++) {
        const struct regret_rewrite_model *x = &a->models[m], *y = &b->models[m];
        REQUIRE(strcmp(x->name, y->name) == 0 && x->contrastive == y->contrastive);
        for (size_t s = 0; s < REGRET_N_SIDES; s++) {
            for (size_t i = 0; i < a->n_rows; i++) {
                REQUIRE(fuzz_same_number(x->score[s][i], y->score[s][i]));
                REQUIRE(!isinf(x->score[s][i]));
            }
        }
    }
}

static void same_rows(const struct regret_rewrite_rows *a, const struct regret_rewrite_rows *b)
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

static void same_texts(const struct regret_rewrite_rows *a, const struct regret_rewrite_rows *b)
{
    for (size_t i = 0; i < a->n_rows; i++) {
        REQUIRE(fuzz_same_text(a->texts[i].prompt, b->texts[i].prompt));
        for (size_t s = 0; s < REGRET_N_SIDES; s++) {
            REQUIRE(fuzz_same_text(a->texts[i].completion[s], b->texts[i].completion[s]));
        }
    }
}

static void check_effect(const struct regret_effect *e)
{
    if (e->missing == NULL) {
        REQUIRE(isfinite(e->estimate) && e->n > 0);
        REQUIRE(isnan(e->se) || e->se >= 0.0);
    } else {
        REQUIRE(isnan(e->estimate) && e->missing[0] != '\0');
    }
}

static void check_estimates(const struct regret_rewrite_rows *rows)
{
    const struct regret_rewrite_options options = {.se = REGRET_SE_PAIRED, .threads = 1};
    struct regret_rewrite_estimate *e = NULL;
    size_t n = 0;
    REQUIRE(regret_rewrite_estimate(&e, &n, rows, &options) == 0);
    for (size_t i = 0; i < n; i++) {
        REQUIRE(e[i].group < rows->n_groups && e[i].model < rows->n_models);
        REQUIRE(e[i].n1 + e[i].n0 == e[i].n_used && e[i].n_used <= e[i].n_rows);
        for (size_t k = 0; k < REGRET_N_EFFECTS; k++) {
            check_effect(&e[i].effects[k]);
        }
    }
    regret_free(e);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *path = fuzz_put("rows", (const char *)data, size);
    struct regret_rewrite_rows *quick = read_rows(path, 0, 0);
    strcpy(message, quick == NULL ? regret_error_message() : "");
    struct regret_rewrite_rows *careful = read_rows(path, 1, 0);
    REQUIRE((quick == NULL) == (careful == NULL));
    REQUIRE(quick != NULL || strcmp(message, regret_error_message()) == 0);
    if (quick != NULL) {
        same_rows(quick, careful);
        check_estimates(quick);
        struct regret_rewrite_rows *texts = read_rows(path, 0, 1);
        struct regret_rewrite_rows *careful_texts = read_rows(path, 1, 1);
        REQUIRE(texts != NULL && careful_texts != NULL);
        same_rows(quick, texts);
        same_texts(texts, careful_texts);
        regret_rewrite_rows_free(texts);
        regret_rewrite_rows_free(careful_texts);
    }
    fuzz_accepted = quick != NULL;
    regret_rewrite_rows_free(quick);
    regret_rewrite_rows_free(careful);
    return 0;
}
