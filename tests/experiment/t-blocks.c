/* Blocks of φ of tags, columns and words of contexts: the sets of a run, its solvers, its cache, its errors. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "experiment/features.h"
#include "experiment/fixture.h"
#include "experiment/inputs.h"
#include "experiment/replicate.h"
#include "linalg/design.h"
#include "regret/status.h"

enum { CONTEXTS = 8, AGENTS = 4, TAGS = 3, COVARIATES = 2 + 3 };

static const char *const TAG[CONTEXTS] = {"b", "a", NULL, "b", "a", "a", "b", "b"};
static const char *const WORD[CONTEXTS] = {"x", "", "x", "y", "y", "x", "", "x"};

static void set(char **to, const char *text)
{
    regret_free(*to);
    *to = NULL;
    cr_assert(text == NULL || regret_strdup(to, text) == 0);
}

/* The fixture's pool with tags and with columns: a number, one that is constant, a word. */
static void open_tagged(void)
{
    static const char *const names[] = {"size", "same", "word"};
    struct regret_pool *p = NULL;
    fixture_open();
    cr_assert_eq(regret_pool_read(&p, sample_path("pool")), 0);
    cr_assert_eq(REGRET_NEW(&p->columns, 3), 0);
    p->n_columns = 3;
    for (size_t j = 0; j < 3; j++) {
        set(&p->columns[j].name, names[j]);
        p->columns[j].kind = j == 2 ? REGRET_COLUMN_WORD : REGRET_COLUMN_NUMBER;
    }
    for (size_t x = 0; x < CONTEXTS; x++) {
        struct regret_context *c = &p->contexts[x];
        set(&c->tag, TAG[x]);
        cr_assert_eq(REGRET_NEW(&c->columns, 3), 0);
        c->columns[0].number = (double)(x * x) - 7.0;
        c->columns[1].number = 0.1;
        set(&c->columns[2].word, WORD[x]);
    }
    cr_assert_eq(regret_pool_write(p, sample_path("pool"), NULL, 1), 0, "%s",
                 regret_error_message());
    regret_pool_free(p);
}

TestSuite(blocks, .init = open_tagged, .fini = fixture_close);

#define EVERY                                                                                      \
    "features.agent=3", "features.tag=0.5", "features.agent_tag=2", "features.columns=1.5",        \
        "features.agent_columns=0.75", "features.agent_words=1.25"
enum { N_EVERY = 6 };

Test(blocks, numbers_are_standardised_and_words_one_hot)
{
    const char *sets[] = {EVERY};
    struct fixture_inputs o = fixture_inputs_open(sets, N_EVERY);
    const struct regret_csr *m = o.inputs->features[0]->columns;
    struct regret_buffer names = REGRET_BUFFER_INIT;
    double sum = 0.0, squares = 0.0, first = NAN;
    cr_assert(m->rows == CONTEXTS && m->cols == COVARIATES);
    for (size_t x = 0; x < CONTEXTS; x++) {
        double row[COVARIATES] = {0};
        for (size_t e = m->row_start[x]; e < m->row_start[x + 1]; e++) {
            row[m->column[e]] = m->value[e];
        }
        sum += row[0];
        squares += row[0] * row[0];
        first = x == 0 ? row[0] : first;
        cr_assert_eq(row[1], 0.0, "what is constant says nothing");
        for (size_t w = 0; w < 3; w++) {
            static const char *const words[] = {"x", "", "y"}; /* by first appearance */
            cr_assert_eq(row[2 + w], strcmp(words[w], WORD[x]) == 0);
        }
    }
    cr_assert_float_eq(sum, 0.0, 1e-12);
    cr_assert_float_eq(squares, CONTEXTS, 1e-12);
    cr_assert_float_eq(first, -17.5 / sqrt(4676.0 / 8.0 - 17.5 * 17.5),
                       1e-12); /* of the squares 0 to 49 */
    covariates_names(&names, o.inputs->features[0]->grid);
    cr_assert_str_eq(regret_buffer_get(&names),
                     "[\"size\",\"same\",\"word=x\",\"word=\",\"word=y\"]");
    regret_buffer_free(&names);
    fixture_inputs_close(&o);
}

/* φ of every pair as rows of numbers, [pair][column]. */
enum { PAIRS = CONTEXTS * AGENTS, BUCKETS = 64 };
enum { AT_TAG = BUCKETS + AGENTS, AT_CROSS = AT_TAG + TAGS, AT_COLUMNS = AT_CROSS + AGENTS * TAGS };
enum { AT_OWN = AT_COLUMNS + COVARIATES, AT_WORDS = AT_OWN + AGENTS * COVARIATES };
enum { COLUMNS = AT_WORDS + BUCKETS };

static void take_phi(double out[PAIRS][COLUMNS], const struct feature_set *f)
{
    cr_assert(f->pairs == PAIRS && f->phi->cols == COLUMNS, "%zu", f->phi->cols);
    memset(out, 0, sizeof(double[PAIRS][COLUMNS]));
    for (size_t p = 0; p < PAIRS; p++) {
        const struct regret_csr *part[] = {f->phi, f->phi_context};
        const size_t row[] = {p, f->context[p]};
        for (size_t k = 0; k < 2 && part[k] != NULL; k++) {
            for (size_t e = part[k]->row_start[row[k]]; e < part[k]->row_start[row[k] + 1]; e++) {
                out[p][part[k]->column[e]] += part[k]->value[e];
            }
        }
    }
}

/* Where blocks are one-hot they are told by hand; dense and sparse sets hold the same. */
Test(blocks, dense_and_sparse_sets_hold_what_they_should)
{
    static double dense[PAIRS][COLUMNS], sparse[PAIRS][COLUMNS];
    static const size_t number[CONTEXTS] = {0, 1, 2, 0,
                                            1, 1, 0, 0}; /* of tags, by first appearance */
    const char *sets[] = {EVERY, "solver=direct"}, *other[] = {EVERY, "solver=iterative"};
    struct fixture_inputs a = fixture_inputs_open(sets, N_EVERY + 1),
                          b = fixture_inputs_open(other, N_EVERY + 1);
    cr_assert(!a.inputs->features[0]->sparse && b.inputs->features[0]->sparse);
    take_phi(dense, a.inputs->features[0]);
    take_phi(sparse, b.inputs->features[0]);
    for (size_t p = 0; p < PAIRS; p++) {
        size_t x = p / AGENTS, agent = p % AGENTS;
        double own = 0.0;
        for (size_t j = 0; j < COLUMNS; j++) {
            cr_assert_float_eq(dense[p][j], sparse[p][j], 1e-15);
        }
        for (size_t i = 0; i < AGENTS * TAGS; i++) {
            cr_assert_eq(dense[p][AT_CROSS + i], i == agent * TAGS + number[x] ? 2.0 : 0.0);
        }
        for (size_t t = 0; t < TAGS; t++) {
            cr_assert_eq(dense[p][AT_TAG + t], t == number[x] ? 0.5 : 0.0);
        }
        for (size_t i = 0; i < AGENTS * COVARIATES; i++) {
            double want =
                i / COVARIATES == agent ? dense[p][AT_COLUMNS + i % COVARIATES] / 2.0 : 0.0;
            cr_assert_float_eq(dense[p][AT_OWN + i], want, 1e-15);
        }
        for (size_t i = 0; i < BUCKETS; i++) {
            own += dense[p][AT_WORDS + i] * dense[p][AT_WORDS + i];
        }
        cr_assert_float_eq(sqrt(own), 1.25, 1e-14);
    }
    fixture_inputs_close(&a);
    fixture_inputs_close(&b);
}

/* Every family by factorisation and by conjugate gradients. */
Test(blocks, solvers_agree)
{
    static const char *const solver[] = {"solver=direct", "solver=iterative"};
    struct fixture_inputs o[2];
    struct replicate *r[2] = {NULL, NULL};
    for (size_t i = 0; i < 2; i++) {
        const char *sets[] = {EVERY, fixture_every_family(), "features.agent_tag=10", solver[i]};
        const struct replicate_place at = {1, 2, 0, .all_losses = 1};
        o[i] = fixture_inputs_open(sets, N_EVERY + 3);
        const struct replicate_source from = {o[i].plan, o[i].inputs, NULL, NULL};
        cr_assert_eq(replicate_run(&r[i], &from, &at), 0, "%s", regret_error_message());
    }
    for (size_t k = 0; k < r[0]->estimates.n; k++) {
        for (size_t p = 0; p < PAIRS; p++) {
            double a = r[0]->estimates.family[k]->prediction[p],
                   b = r[1]->estimates.family[k]->prediction[p];
            cr_assert_float_eq(a, b, 1e-8, "family %zu, pair %zu: %.12g and %.12g", k, p, a, b);
        }
    }
    for (size_t i = 0; i < 2; i++) {
        replicate_free(r[i]);
        fixture_inputs_close(&o[i]);
    }
}

/* With every scale 0 a pool that has tags and columns makes the features of one that has none. */
Test(blocks, scales_of_zero_change_nothing)
{
    struct fixture_inputs with = fixture_inputs_open(NULL, 0);
    fixture_pool(CONTEXTS, AGENTS, 1, 0);
    struct fixture_inputs without = fixture_inputs_open(NULL, 0);
    const struct regret_csr *a = with.inputs->features[0]->phi,
                            *b = without.inputs->features[0]->phi;
    size_t n = regret_csr_entries(a);
    cr_assert(a->cols == BUCKETS && b->cols == BUCKETS && n == regret_csr_entries(b));
    cr_assert_eq(memcmp(a->column, b->column, n * sizeof *a->column), 0);
    cr_assert_eq(memcmp(a->value, b->value, n * sizeof *a->value), 0);
    fixture_inputs_close(&with);
    fixture_inputs_close(&without);
}
