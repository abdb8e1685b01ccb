/* Splits, and coordinates against the features they stand for. */
#include <criterion/criterion.h>
#include <math.h>

#include "experiment/cell_cost.h"
#include "experiment/fixture.h"
#include "experiment/inputs.h"
#include "experiment/pool_source.h"
#include "regret/status.h"
#include "regret/text.h"

TestSuite(inputs, .init = fixture_open, .fini = fixture_close);

/* φ_p · φ_q by the definition. */
static double inner(const struct regret_csr *phi, size_t p, size_t q)
{
    double sum = 0.0;
    for (size_t i = phi->row_start[p]; i < phi->row_start[p + 1]; i++) {
        for (size_t j = phi->row_start[q]; j < phi->row_start[q + 1]; j++) {
            sum += phi->column[i] == phi->column[j] ? phi->value[i] * phi->value[j] : 0.0;
        }
    }
    return sum;
}

static double coordinate_inner(const struct regret_coordinates *c, size_t pairs, size_t p, size_t q)
{
    double sum = 0.0;
    for (size_t j = 0; j < c->rank; j++) {
        sum += c->value[j * pairs + p] * c->value[j * pairs + q];
    }
    return sum;
}

/* Z Zᵀ = φφᵀ whenever one side is a drawn pair: for two drawn pairs that is the Gram matrix, and
 * for another it says that its row is the projection on their span: what is left of φ is
 * orthogonal to every drawn pair. No pair is longer than its φ. */
static void check_coordinates(const struct feature_set *f, const unsigned char *drawn, size_t *rank)
{
    struct regret_coordinates c;
    size_t n = 0;
    cr_assert_eq(regret_coordinates_of_gram(&c, f->gram, f->pairs, drawn), 0, "%s",
                 regret_error_message());
    for (size_t p = 0; p < f->pairs; p++) {
        n += drawn[p];
        for (size_t q = 0; q < f->pairs; q++) {
            if (drawn[q]) {
                double want = inner(f->phi, p, q), got = coordinate_inner(&c, f->pairs, p, q);
                cr_assert_float_eq(f->gram[q * f->pairs + p], want, 1e-12);
                cr_assert(fabs(got - want) < 1e-9, "pairs %zu, %zu: %.17g, not %.17g", p, q, got,
                          want);
            }
        }
        cr_assert_leq(coordinate_inner(&c, f->pairs, p, p), inner(f->phi, p, p) + 1e-9);
    }
    cr_assert_leq(c.rank, n);
    cr_assert_gt(c.rank, 0);
    *rank = c.rank;
    regret_coordinates_free(&c);
}

/* All training pairs, and every third of them. */
static void check_seeds(const struct feature_set *f, size_t *rank)
{
    for (uint64_t seed = 0; seed < 5; seed++) {
        struct pair_split b;
        size_t fewer = 0;
        struct regret_config config = {.train_share = seed == 4 ? 0.5 : 0.8};
        cr_assert_eq(pair_split_make(&b, f->grid, &config, 0, seed), 0);
        cr_assert_eq(b.contexts->n_train, seed == 4 ? 4 : 6);
        for (size_t p = 0; p < f->pairs; p++) {
            cr_assert_eq(b.train[p] + b.test[p], 1);
            cr_assert_eq(b.train[p], b.train[p / 4 * 4], "contexts stay together");
        }
        check_coordinates(f, b.train, rank);
        for (size_t p = 0; p < f->pairs; p++) {
            b.train[p] = b.train[p] && p % 3 == 0;
        }
        check_coordinates(f, b.train, &fewer);
        cr_assert_leq(fewer, *rank);
        pair_split_clear(&b);
    }
}

Test(inputs, every_pair_drawn_and_only_one)
{
    struct fixture_inputs o = fixture_inputs_open(NULL, 0);
    const struct feature_set *f = o.inputs->features[0];
    unsigned char *drawn = NULL;
    size_t rank = 0;
    cr_assert_eq(REGRET_NEW(&drawn, f->pairs), 0);
    drawn[f->pairs - 1] = 1;
    check_coordinates(f, drawn, &rank);
    cr_assert_eq(rank, 1);
    for (size_t p = 0; p < f->pairs; p++) {
        drawn[p] = 1;
    }
    check_coordinates(f, drawn, &rank);
    regret_free(drawn);
    fixture_inputs_close(&o);
}

Test(inputs, coordinates_keep_the_inner_products)
{
    size_t rank = 0;
    struct fixture_inputs o = fixture_inputs_open(NULL, 0);
    cr_assert_eq(o.inputs->n_features, 1);
    check_seeds(o.inputs->features[0], &rank);
    fixture_inputs_close(&o);
}

Test(inputs, duplicate_texts_lower_the_rank)
{
    size_t rank = 0;
    fixture_pool(8, 4, 1, 1);
    struct fixture_inputs o = fixture_inputs_open(NULL, 0);
    check_seeds(o.inputs->features[0], &rank);
    cr_assert_leq(rank, 8, "4 contexts of 2 different outputs");
    fixture_inputs_close(&o);
}

Test(inputs, more_pairs_than_features)
{
    const char *sets[] = {"features.buckets=16", "features.agent=true"};
    size_t rank = 0;
    struct fixture_inputs o = fixture_inputs_open(sets, 2);
    check_seeds(o.inputs->features[0], &rank);
    cr_assert_leq(rank, o.inputs->features[0]->phi->cols);
    fixture_inputs_close(&o);
}

/* Rows of a sample are as long as those of all pairs, and short rows are what makes iterating cheap. */
Test(inputs, rows_are_priced_as_they_are)
{
    const char *sets[] = {"solver=iterative", "features.agent=1", "features.agent_words=1"};
    for (size_t n = 1; n <= 3; n++) {
        struct fixture_inputs o = fixture_inputs_open(sets, n);
        const struct feature_set *f = o.inputs->features[0];
        const char *text[32], *context[8];
        struct row_sizes row;
        cr_assert_eq(f->pairs, 32);
        for (size_t p = 0; p < f->pairs; p++) {
            text[p] = regret_grid_output_text(f->grid, p);
            context[p / 4] = regret_grid_context_text(f->grid, p / 4);
        }
        cr_assert_eq(row_sample(&row, f, text, context), 0, "%s", regret_error_message());
        cr_assert_eq(row.own, regret_csr_entries(f->phi) / f->pairs + 1);
        cr_assert_eq(row.shared, regret_csr_entries(f->phi_context) / 8 + 1);
        struct regret_config config = f->config;
        struct feature_set large = *f;
        large.pairs = 4000;
        config.solver = REGRET_SOLVER_AUTO;
        config.n_obs = 2000;
        cr_assert(cell_wants_sparse(&config, &large, (struct row_sizes){1, 1}));
        cr_assert_not(cell_wants_sparse(&config, f, (struct row_sizes){1, 1}));
        cr_assert_not(cell_wants_sparse(&config, &large, (struct row_sizes){10000000, 1}));
        cr_assert_not(cell_wants_sparse(&config, &large, (struct row_sizes){1, 10000000}));
        fixture_inputs_close(&o);
    }
}

Test(inputs, cells_share_features_only_where_its_options_agree)
{
    const char *sets[] = {"sweep.features.output=[0,1]", "sweep.n_obs=[5,6]",
                          "sweep.contexts.hard=[5,8]"};
    struct fixture_inputs o = fixture_inputs_open(sets, 3);
    cr_assert_eq(regret_run_plan_cells(o.plan), 16);
    cr_assert_eq(o.inputs->n_features, 4);
    for (size_t c = 0; c < 16; c++) {
        struct regret_config config;
        regret_run_plan_cell(&config, o.plan, c);
        const struct feature_set *f = run_inputs_features(o.inputs, c);
        cr_assert_eq(f->config.features.output, config.features.output);
        cr_assert_eq(f->grid->n_contexts, config.grid.hard_contexts);
    }
    fixture_inputs_close(&o);
}

/* A bound that no output reaches changes nothing; one that all reach leaves fewer features, and is
 * another set of them. */
Test(inputs, outputs_are_seen_as_far_as_they_may_be)
{
    const char *sets[] = {"sweep.text.max_bytes=[0,100000,9]"};
    struct fixture_inputs o = fixture_inputs_open(sets, 1);
    cr_assert_eq(o.inputs->n_features, 3);
    const struct regret_csr *whole = o.inputs->features[0]->phi, *far = o.inputs->features[1]->phi,
                            *cut = o.inputs->features[2]->phi;
    cr_assert_eq(regret_csr_entries(whole), regret_csr_entries(far));
    cr_assert_arr_eq(whole->value, far->value, regret_csr_entries(far) * sizeof *far->value);
    cr_assert_arr_eq(whole->column, far->column, regret_csr_entries(far) * sizeof *far->column);
    cr_assert_lt(regret_csr_entries(cut), regret_csr_entries(whole));
    fixture_inputs_close(&o);
}

/* H T Tᵀ H for the TF-IDF T of the contexts' texts, H the centring, divided by its mean diagonal. */
static void centred_products(double *out, const struct regret_grid *g)
{
    const struct regret_terms_options how = REGRET_TERMS_OPTIONS_INIT;
    const struct regret_tfidf_options options = REGRET_TFIDF_OPTIONS_INIT;
    const char *text[8];
    struct regret_tokens *tokens = NULL;
    struct regret_terms *terms = NULL;
    struct regret_tfidf *fitted = NULL;
    struct regret_csr *t = NULL;
    double raw[8 * 8], mean[8] = {0.0}, all = 0.0, diagonal = 0.0;
    for (size_t x = 0; x < 8; x++) {
        text[x] = regret_grid_context_text(g, x);
    }
    cr_assert_eq(regret_tokens_build(&tokens, text, 8), 0);
    cr_assert_eq(regret_terms_build(&terms, tokens, &how), 0);
    cr_assert_eq(regret_tfidf_fit(&fitted, terms, NULL, &options), 0);
    cr_assert_eq(regret_tfidf_transform(&t, fitted, terms), 0);
    for (size_t x = 0; x < 8; x++) {
        for (size_t y = 0; y < 8; y++) {
            raw[x * 8 + y] = inner(t, x, y);
            mean[x] += raw[x * 8 + y] / 8.0;
            all += raw[x * 8 + y] / 64.0;
        }
    }
    for (size_t i = 0; i < 64; i++) {
        out[i] = raw[i] - mean[i / 8] - mean[i % 8] + all;
        diagonal += i / 8 == i % 8 ? out[i] / 8.0 : 0.0;
    }
    for (size_t i = 0; i < 64; i++) {
        out[i] /= diagonal;
    }
    regret_csr_free(t);
    regret_tfidf_free(fitted);
    regret_terms_free(terms);
    regret_tokens_free(tokens);
}

/* Eight contexts have fewer directions than are kept: products of rows are those of the whole TF-IDF. Families of the
 * paper have none made. */
Test(inputs, words_of_contexts_are_centred_directions_of_their_terms)
{
    const char *sets[] = {"families=[\"cvci\",\"mixed\"]"};
    struct fixture_inputs o = fixture_inputs_open(NULL, 0);
    cr_assert_null(o.inputs->features[0]->words);
    fixture_inputs_close(&o);
    o = fixture_inputs_open(sets, 1);
    const struct feature_set *f = o.inputs->features[0];
    double want[64];
    cr_assert_not_null(f->words);
    centred_products(want, f->grid);
    for (size_t i = 0; i < 64; i++) {
        double got = 0.0;
        for (size_t j = 0; j < f->words_rank; j++) {
            got += f->words[j * 8 + i / 8] * f->words[j * 8 + i % 8];
        }
        cr_expect_float_eq(got, want[i], 1e-9, "contexts %zu, %zu", i / 8, i % 8);
    }
    fixture_inputs_close(&o);
}

/* What is left of them less their mean is rounding, which no scale makes a direction. */
Test(inputs, contexts_that_say_the_same_have_no_directions)
{
    const char *sets[] = {"families=[\"mixed\"]"};
    struct regret_pool *pool = NULL;
    fixture_pool(13, 4, 1, 0); /* thirteen thirteenths are not one */
    cr_assert_eq(regret_pool_read(&pool, sample_path("pool")), 0, "%s", regret_error_message());
    for (size_t x = 1; x < pool->n_contexts; x++) {
        regret_free(pool->contexts[x].text);
        cr_assert_eq(regret_strdup(&pool->contexts[x].text, pool->contexts[0].text), 0);
    }
    cr_assert_eq(regret_pool_write(pool, sample_path("pool"), NULL, 1), 0, "%s",
                 regret_error_message());
    regret_pool_free(pool);
    struct fixture_inputs o = fixture_inputs_open(sets, 1);
    cr_expect_eq(o.inputs->features[0]->words_rank, 0);
    fixture_inputs_close(&o);
    fixture_make("run");
}
