/* Folds, the losses of causal cross-validation, the choice among candidates, the bases. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/family_world.h"
#include "regret/status.h"
#include "regret/task.h"

static const struct world_shape SHAPE = {12, 9, 9, 3, 10, 20, 83, 0.3, 1.0};

static void expect_parts_of(const struct regret_folds *f, const struct regret_rows *rows)
{
    size_t total = 0;
    for (size_t k = 0; k < f->n_folds; k++) {
        const struct regret_sample *part = f->part[k];
        double *count = calloc(200, sizeof *count), *sum = calloc(200, sizeof *sum);
        double *square = calloc(200, sizeof *square);
        for (size_t i = 0; i < rows->n; i++) {
            if (f->fold[i] == k) {
                count[rows->pair[i]] += 1.0;
                sum[rows->pair[i]] += rows->y[i];
                square[rows->pair[i]] += rows->y[i] * rows->y[i];
            }
        }
        for (size_t e = 0; e < part->entries; e++) {
            size_t p = part->pair[e];
            cr_assert(e == 0 || part->pair[e - 1] < p);
            cr_assert(part->count[e] == count[p] && part->sum[e] == sum[p] &&
                      part->square[e] == square[p] && count[p] >= 1.0);
            total += (size_t)count[p];
        }
        cr_assert_gt(part->rows, 0);
        free(count);
        free(sum);
        free(square);
    }
    cr_assert_eq(total, rows->n);
}

Test(folds, whole_agents_dealt_out_evenly)
{
    uint64_t different = 0;
    uint32_t first[9] = {0};
    for (uint64_t seed = 0; seed < 20; seed++) {
        struct world *w = world_draw(&SHAPE, 50);
        struct regret_folds *f = NULL;
        uint32_t of_agent[9];
        size_t agents[5] = {0};
        memset(of_agent, 0xff, sizeof of_agent);
        cr_assert_eq(regret_folds_by_agent(&f, &w->exp, w->pairs, w->agent, 9, 5, seed), 0);
        cr_assert(f->mode == REGRET_FOLDS_AGENTS && f->n_folds == 5 && f->n_rows == w->exp.n);
        for (size_t i = 0; i < w->exp.n; i++) {
            uint32_t a = w->agent[w->exp.pair[i]];
            cr_assert(of_agent[a] == UINT32_MAX || of_agent[a] == f->fold[i]);
            of_agent[a] = f->fold[i];
        }
        for (size_t a = 0; a < 9; a++) {
            agents[of_agent[a]]++; /* 83 rows: all nine agents occur */
        }
        for (size_t k = 0; k < 5; k++) {
            cr_assert(agents[k] == 1 || agents[k] == 2);
        }
        expect_parts_of(f, &w->exp);
        if (seed == 0) {
            memcpy(first, of_agent, sizeof first);
        }
        different += memcmp(first, of_agent, sizeof first) != 0;
        regret_folds_free(f);
        world_free(w);
    }
    cr_assert_gt(different, 10, "the seed must matter");
}

/* An agent that is added or absent elsewhere does not reshuffle the rest: the order is of all
 * agents, and those present are dealt out along it. */
Test(folds, absent_agents_do_not_count)
{
    struct world *w = world_draw(&SHAPE, 51);
    struct regret_folds *f = NULL;
    size_t agents[5] = {0};
    int seen[9] = {0};
    for (size_t i = 0; i < w->exp.n; i++) {
        w->exp.pair[i] -= w->agent[w->exp.pair[i]] % 9 >= 5 ? 4 : 0; /* agents 0 … 4 */
    }
    cr_assert_eq(regret_folds_by_agent(&f, &w->exp, w->pairs, w->agent, 9, 5, 3), 0);
    cr_assert_eq(f->mode, REGRET_FOLDS_AGENTS);
    for (size_t i = 0; i < w->exp.n; i++) {
        uint32_t a = w->agent[w->exp.pair[i]];
        agents[f->fold[i]] += !seen[a];
        seen[a] = 1;
    }
    for (size_t k = 0; k < 5; k++) {
        cr_assert_eq(agents[k], 1);
    }
    regret_folds_free(f);
    cr_assert_eq(regret_folds_by_agent(&f, &w->exp, w->pairs, w->agent, 9, 6, 3), 0);
    cr_assert(f->mode == REGRET_FOLDS_ROWS && f->n_folds == 6, "five agents for six folds");
    regret_folds_free(f);
    world_free(w);
}

Test(folds, rows_dealt_out_evenly)
{
    static const size_t cases[][4] = {/* rows, folds wanted, folds made, mode */
                                      {83, 5, 5, REGRET_FOLDS_ROWS}, {3, 5, 3, REGRET_FOLDS_ROWS},
                                      {2, 5, 2, REGRET_FOLDS_ROWS},  {1, 5, 0, REGRET_FOLDS_NONE},
                                      {0, 5, 0, REGRET_FOLDS_NONE},  {83, 1, 0, REGRET_FOLDS_NONE}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct world *w = world_draw(&SHAPE, 52);
        struct regret_folds *f = NULL;
        size_t count[5] = {0};
        w->exp.n = cases[c][0];
        cr_assert_eq(
            regret_folds_by_row(&f, &w->exp, w->pairs, cases[c][1], 9, REGRET_RNG_DR_FOLDS), 0);
        cr_assert(f->n_folds == cases[c][2] && f->mode == (enum regret_fold_mode)cases[c][3]);
        for (size_t i = 0; i < w->exp.n; i++) {
            count[f->fold[i]]++;
        }
        for (size_t k = 0; k < f->n_folds; k++) {
            size_t least = w->exp.n / f->n_folds;
            cr_assert(count[k] == least || count[k] == least + 1);
        }
        if (f->n_folds > 0) {
            expect_parts_of(f, &w->exp);
        }
        regret_folds_free(f);
        world_free(w);
    }
}

/* Both losses, from the rows themselves. */
Test(folds, losses_by_the_definition)
{
    struct world *w = world_draw(&SHAPE, 53);
    struct regret_sample *part = NULL;
    double f[108], by_row = 0.0, by_agent = 0.0, n = (double)w->exp.n;
    double prediction[108];
    struct regret_rng r = regret_rng_at(53, REGRET_RNG_TEST, 79);
    for (size_t p = 0; p < w->pairs; p++) {
        f[p] = regret_rng_uniform(&r);
    }
    for (size_t a = 0; a < 9; a++) {
        double n_a = 0.0, y = 0.0, g = 0.0;
        for (size_t i = 0; i < w->exp.n; i++) {
            if (w->agent[w->exp.pair[i]] == a) {
                n_a += 1.0;
                y += w->exp.y[i];
                g += f[w->exp.pair[i]];
                by_row += pow(w->exp.y[i] - f[w->exp.pair[i]], 2.0) / n;
            }
        }
        by_agent += n_a > 0.0 ? n_a / n * pow(y / n_a - g / n_a, 2.0) : 0.0;
    }
    cr_assert_eq(regret_sample_gather(&part, w->exp.pair, w->exp.y, w->exp.n, w->pairs, NULL, 0),
                 0);
    for (size_t e = 0; e < part->entries; e++) {
        prediction[e] = f[part->pair[e]];
    }
    cr_assert_float_eq(regret_cv_loss(REGRET_FOLDS_AGENTS, part, prediction, w->agent), by_agent,
                       1e-14);
    cr_assert_float_eq(regret_cv_loss(REGRET_FOLDS_ROWS, part, prediction, w->agent), by_row,
                       1e-14);
    regret_sample_free(part);
    world_free(w);
}

static size_t choose(size_t n, const double *loss)
{
    struct regret_candidate c[4];
    for (size_t i = 0; i < n; i++) {
        c[i] = (struct regret_candidate){.loss = loss[i]};
    }
    return regret_cv_choose(c, n, 1e-8);
}

Test(folds, the_choice_among_candidates)
{
    cr_assert_eq(choose(3, (double[]){0.3, 0.1, 0.2}), 1);
    cr_assert_eq(choose(3, (double[]){0.1, 0.1, 0.1}), 0, "ties: the most regularised");
    cr_assert_eq(choose(3, (double[]){0.2, 0.1 + 0.5e-9, 0.1}), 1, "within the tolerance");
    cr_assert_eq(choose(3, (double[]){0.2, 0.1 + 2e-9, 0.1}), 2, "beyond it");
    cr_assert_eq(choose(2, (double[]){9e-13, 0.0}), 0, "nothing is as good as next to nothing");
    cr_assert_eq(choose(3, (double[]){NAN, 0.2, 0.1}), 2);
    cr_assert_eq(choose(2, (double[]){NAN, 5.0}), 1);
    cr_assert_eq(choose(3, (double[]){NAN, NAN, NAN}), 0);
    cr_assert_eq(choose(2, (double[]){INFINITY, 1e300}), 1);
}
