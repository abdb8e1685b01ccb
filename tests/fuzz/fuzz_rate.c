/* Rows of rewrites: each is read, or refused with the words, as by a naive reader that makes a tree of
 * it; keeping the texts changes no row, label, score or issue; estimates are finite or missing. The file
 * is read, or its lines are compared: which one the hash of the input says. One in 16, and each seed, goes
 * through both and is read with its texts, too. */
#include <math.h>
#include <string.h>

#include "rate/naive_row.h"
#include "rate/row.h"
#include "regret/rate.h"
#include "regret/status.h"
#include "support.h"

static char message[1024];

static struct regret_rate_rows *read_rows(const char *path, int keep_texts)
{
    const struct regret_rate_read_options options = {.keep_texts = keep_texts};
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

static int same_span(struct regret_span a, struct regret_span b)
{
    return (a.text == NULL) == (b.text == NULL) &&
           (a.text == NULL || (a.length == b.length && memcmp(a.text, b.text, a.length) == 0));
}

static void same_scores(const struct regret_rate_scores *a, const struct regret_rate_scores *b)
{
    REQUIRE(same_span(a->model, b->model) && a->contrastive == b->contrastive);
    REQUIRE(a->bad == b->bad && a->doubtful == b->doubtful);
    REQUIRE(same_span(a->unknown, b->unknown));
    for (size_t s = 0; s < REGRET_N_SIDES; s++) {
        REQUIRE(fuzz_same_number(a->value[s], b->value[s]));
    }
}

static void same_row(const struct regret_rate_row *a, const struct regret_rate_row *b)
{
    REQUIRE(same_span(a->id, b->id) && same_span(a->dataset, b->dataset));
    REQUIRE(same_span(a->attribute, b->attribute) && same_span(a->prompt, b->prompt));
    for (size_t s = 0; s < REGRET_N_SIDES; s++) {
        REQUIRE(same_span(a->completion[s], b->completion[s]));
    }
    REQUIRE(a->w == b->w && a->z == b->z && a->n_scores == b->n_scores);
    for (size_t k = 0; k < a->n_scores; k++) {
        same_scores(&a->scores[k], &b->scores[k]);
    }
}

static void check_line(const char *line, size_t length)
{
    const struct regret_place at = {"rows", 1};
    struct row_reader reader = {.z_field = {"z", 1}, .with_texts = 1};
    struct naive_row naive = {.z_field = "z"};
    int rc = row_read(&reader, line, length, at);
    strcpy(message, rc != 0 ? regret_error_message() : "");
    REQUIRE(rc == naive_row_read(&naive, line, length, at));
    REQUIRE(rc == 0 || strcmp(message, regret_error_message()) == 0);
    if (rc == 0) {
        same_row(&reader.row, &naive.row);
    }
    naive_row_free(&naive);
    row_reader_free(&reader);
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

static void check_lines(const char *data, size_t size)
{
    for (size_t begin = 0; begin < size;) {
        const char *stop = memchr(data + begin, '\n', size - begin);
        size_t n = stop != NULL ? (size_t)(stop - data) - begin : size - begin;
        check_line(data + begin, n);
        begin += n + 1;
    }
}

static void check_file(const char *data, size_t size, int with_texts)
{
    const char *path = fuzz_put("rows", data, size);
    struct regret_rate_rows *rows = read_rows(path, 0);
    if (with_texts) {
        struct regret_rate_rows *texts = read_rows(path, 1);
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
    if (ways & FUZZ_STRICT) {
        check_file((const char *)data, size, ways == FUZZ_BOTH);
    }
    if (ways & FUZZ_LENIENT) {
        check_lines((const char *)data, size);
    }
    return 0;
}
