/* Splits, and coordinates against the features they stand for. */
#include <criterion/criterion.h>
#include <math.h>

#include "experiment/coordinates.h"
#include "experiment/fixture.h"
#include "regret/alloc.h"

TestSuite(bench, .init = fixture_open, .fini = fixture_close);

struct opened {
    struct regret_plan *plan;
    struct regret_pool *pool;
    struct lab_set *labs;
};

static struct opened open_labs(const char *const *sets, size_t n)
{
    struct opened o = {NULL, NULL, NULL};
    cr_assert_eq(regret_plan_read(&o.plan, fixture_config(), sets, n), 0, "%s",
                 regret_error_message());
    cr_assert_eq(regret_pool_read(&o.pool, sample_path("pool")), 0);
    cr_assert_eq(lab_set_create(&o.labs, o.plan, o.pool), 0, "%s", regret_error_message());
    return o;
}

static void close_labs(struct opened *o)
{
    lab_set_free(o->labs);
    regret_pool_free(o->pool);
    regret_plan_free(o->plan);
}

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

static double coordinate_inner(const struct coordinates *c, size_t pairs, size_t p, size_t q)
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
static void check_coordinates(const struct lab *lab, const unsigned char *drawn, size_t *rank)
{
    struct coordinates c;
    size_t n = 0;
    cr_assert_eq(coordinates_create(&c, lab, drawn), 0, "%s", regret_error_message());
    for (size_t p = 0; p < lab->pairs; p++) {
        n += drawn[p];
        for (size_t q = 0; q < lab->pairs; q++) {
            if (drawn[q]) {
                double want = inner(lab->phi, p, q), got = coordinate_inner(&c, lab->pairs, p, q);
                cr_assert_float_eq(lab->gram[q * lab->pairs + p], want, 1e-12);
                cr_assert(fabs(got - want) < 1e-9, "pairs %zu, %zu: %.17g, not %.17g", p, q, got,
                          want);
            }
        }
        cr_assert_leq(coordinate_inner(&c, lab->pairs, p, p), inner(lab->phi, p, p) + 1e-9);
    }
    cr_assert_leq(c.rank, n);
    cr_assert_gt(c.rank, 0);
    *rank = c.rank;
    coordinates_free(&c);
}

/* All training pairs, and every third of them. */
static void check_seeds(const struct lab *lab, size_t *rank)
{
    for (uint64_t seed = 0; seed < 5; seed++) {
        struct bench *b = NULL;
        size_t fewer = 0;
        cr_assert_eq(bench_create(&b, lab, seed, seed == 4 ? 0.5 : 0.8), 0);
        cr_assert_eq(b->split->n_train, seed == 4 ? 4 : 6);
        for (size_t p = 0; p < lab->pairs; p++) {
            cr_assert_eq(b->train[p] + b->test[p], 1);
            cr_assert_eq(b->train[p], b->train[p / 4 * 4], "contexts stay together");
        }
        check_coordinates(lab, b->train, rank);
        for (size_t p = 0; p < lab->pairs; p++) {
            b->train[p] = b->train[p] && p % 3 == 0;
        }
        check_coordinates(lab, b->train, &fewer);
        cr_assert_leq(fewer, *rank);
        bench_free(b);
    }
}

Test(bench, every_pair_drawn_and_only_one)
{
    struct opened o = open_labs(NULL, 0);
    const struct lab *lab = o.labs->labs[0];
    unsigned char *drawn = NULL;
    size_t rank = 0;
    cr_assert_eq(REGRET_NEW(&drawn, lab->pairs), 0);
    drawn[lab->pairs - 1] = 1;
    check_coordinates(lab, drawn, &rank);
    cr_assert_eq(rank, 1);
    for (size_t p = 0; p < lab->pairs; p++) {
        drawn[p] = 1;
    }
    check_coordinates(lab, drawn, &rank);
    regret_free(drawn);
    close_labs(&o);
}

Test(bench, coordinates_keep_the_inner_products)
{
    size_t rank = 0;
    struct opened o = open_labs(NULL, 0);
    cr_assert_eq(o.labs->n, 1);
    check_seeds(o.labs->labs[0], &rank);
    close_labs(&o);
}

Test(bench, duplicate_texts_lower_the_rank)
{
    size_t rank = 0;
    fixture_pool(8, 4, 1, 1);
    struct opened o = open_labs(NULL, 0);
    check_seeds(o.labs->labs[0], &rank);
    cr_assert_leq(rank, 8, "4 contexts of 2 different outputs");
    close_labs(&o);
}

Test(bench, more_pairs_than_features)
{
    const char *sets[] = {"features.buckets=16", "features.agent=true"};
    size_t rank = 0;
    struct opened o = open_labs(sets, 2);
    check_seeds(o.labs->labs[0], &rank);
    cr_assert_leq(rank, o.labs->labs[0]->phi->cols);
    close_labs(&o);
}

Test(bench, cells_share_a_lab_only_where_its_options_agree)
{
    const char *sets[] = {"sweep.features.output=[0,1]", "sweep.n_obs=[5,6]",
                          "sweep.contexts.hard=[5,8]"};
    struct opened o = open_labs(sets, 3);
    cr_assert_eq(regret_plan_cells(o.plan), 16);
    cr_assert_eq(o.labs->n, 4);
    for (size_t c = 0; c < 16; c++) {
        struct regret_config config;
        regret_plan_cell(&config, o.plan, c);
        const struct lab *lab = o.labs->labs[o.labs->of_cell[c]];
        cr_assert_eq(lab->config.features.output, config.features.output);
        cr_assert_eq(lab->grid->n_contexts, config.grid.hard_contexts);
    }
    close_labs(&o);
}
