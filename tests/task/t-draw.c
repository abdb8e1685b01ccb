/* EXP and OBS rows: where they fall, what they share, how outcomes scatter. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "regret/status.h"
#include "regret/task.h"
#include "task/small_task.h"

enum { AGENTS = 5, CONTEXTS = 10, SEGMENTS = 3 };

static struct regret_rows draw(const struct small_task *w, int obs, size_t n, uint64_t seed)
{
    struct regret_rows rows;
    cr_assert_eq(obs ? regret_draw_obs(&rows, &w->task->base, w->split, n, seed)
                     : regret_draw_exp(&rows, &w->task->base, w->split, n, seed),
                 0, "%s", regret_error_message());
    cr_assert_eq(rows.n, n);
    return rows;
}

static void make(struct small_task *w, uint64_t seed)
{
    small_task_make(w, CONTEXTS, AGENTS, 1, seed);
}

static int same_rows(const struct regret_rows *a, const struct regret_rows *b, size_t n)
{
    return memcmp(a->pair, b->pair, n * sizeof *a->pair) == 0 &&
           memcmp(a->segment, b->segment, n * sizeof *a->segment) == 0 &&
           memcmp(a->y, b->y, n * sizeof *a->y) == 0;
}

Test(draw, budgets_are_nested_and_seeds_differ)
{
    for (int obs = 0; obs < 2; obs++) {
        struct small_task w;
        make(&w, 21);
        struct regret_rows all = draw(&w, obs, 300, 4), few = draw(&w, obs, 70, 4);
        struct regret_rows other = draw(&w, obs, 70, 5), none = draw(&w, obs, 0, 4);
        cr_assert(same_rows(&all, &few, 70));
        cr_assert_not(same_rows(&all, &other, 70));
        regret_rows_clear(&all);
        regret_rows_clear(&few);
        regret_rows_clear(&other);
        regret_rows_clear(&none);
        cr_assert(all.pair == NULL && all.n == 0);
        small_task_clear(&w);
    }
}

Test(draw, training_contexts_only)
{
    struct small_task w;
    make(&w, 22);
    int train[CONTEXTS] = {0};
    for (size_t i = 0; i < w.split->n_train; i++) {
        train[w.split->train[i]] = 1;
    }
    for (int obs = 0; obs < 2; obs++) {
        struct regret_rows rows = draw(&w, obs, 500, 1);
        for (size_t i = 0; i < rows.n; i++) {
            cr_assert(rows.pair[i] < CONTEXTS * AGENTS && train[rows.pair[i] / AGENTS]);
            cr_assert(rows.segment[i] < SEGMENTS && rows.y[i] > 0.0 && rows.y[i] < 1.0);
        }
        regret_rows_clear(&rows);
    }
    small_task_clear(&w);
}

/* Every (context, segment, agent) equally often: 8 · 3 · 5 cells, χ² of 119 degrees, 99.99 % at
 * 182. */
Test(draw, exp_is_uniform)
{
    enum { N = 60000 };
    static double count[CONTEXTS * SEGMENTS * AGENTS], expected[CONTEXTS * SEGMENTS * AGENTS];
    struct small_task w;
    make(&w, 23);
    size_t cells = w.split->n_train * SEGMENTS * AGENTS;
    struct regret_rows rows = draw(&w, 0, N, 2);
    size_t place[CONTEXTS] = {0};
    for (size_t i = 0; i < w.split->n_train; i++) {
        place[w.split->train[i]] = i;
    }
    for (size_t i = 0; i < N; i++) {
        size_t x = place[rows.pair[i] / AGENTS];
        count[(x * SEGMENTS + rows.segment[i]) * AGENTS + rows.pair[i] % AGENTS] += 1.0;
    }
    for (size_t i = 0; i < cells; i++) {
        expected[i] = N / (double)cells;
    }
    cr_assert_eq(cells, 120);
    cr_assert_lt(chi_square(count, expected, cells), 182.0);
    regret_rows_clear(&rows);
    small_task_clear(&w);
}

/* Every draw of a pair is used, equally often, whatever others have. */
Test(draw, repeated_outputs_are_used)
{
    struct small_task w;
    uint64_t seed = 24;
    small_task_make(&w, 3, 2, 4, seed);
    while (w.grid->most_draws < 4) { /* the pool has one to four draws of a pair, by chance */
        small_task_clear(&w);
        small_task_make(&w, 3, 2, 4, ++seed);
    }
    for (int obs = 0; obs < 2; obs++) {
        w.task->logging.slate = 2;
        struct regret_rows rows = draw(&w, obs, 20000, 3);
        for (size_t cell = 0; cell < w.grid->n_contexts * w.grid->n_agents; cell++) {
            size_t first = regret_grid_first(w.grid, cell);
            size_t draws = regret_grid_first(w.grid, cell + 1) - first;
            double n = 0.0, count[4] = {0}, expected[4];
            for (size_t i = 0; i < rows.n; i++) {
                size_t k = rows.pair[i] - first; /* wraps below */
                count[k < draws ? k : 0] += k < draws;
                n += k < draws;
            }
            for (size_t k = 0; k < draws; k++) {
                expected[k] = n / (double)draws;
            }
            cr_assert(n == 0.0 || chi_square(count, expected, draws) < 21.1);
        }
        regret_rows_clear(&rows);
    }
    small_task_clear(&w);
}

/* β moves the agent and nothing else of a row: contexts, segments and slates are the same. */
Test(draw, beta_shares_its_uniforms)
{
    enum { N = 400 };
    struct small_task w;
    make(&w, 25);
    struct regret_rows base = draw(&w, 1, N, 6);
    static const double betas[] = {0.0, 0.2, 1.0, 5.0};
    for (size_t b = 0; b < 4; b++) {
        w.task->logging.beta = betas[b];
        struct regret_rows rows = draw(&w, 1, N, 6);
        size_t moved = 0;
        for (size_t i = 0; i < N; i++) {
            cr_assert_eq(rows.pair[i] / AGENTS, base.pair[i] / AGENTS);
            cr_assert_eq(rows.segment[i], base.segment[i]);
            moved += rows.pair[i] != base.pair[i];
        }
        cr_assert(moved > 0 && moved < N / 2, "%zu moved at beta = %g", moved, betas[b]);
        regret_rows_clear(&rows);
    }
    regret_rows_clear(&base);
    /* A slate of one leaves no choice: the same rows at any β, so the slates are the same. */
    w.task->logging.slate = 1;
    base = draw(&w, 1, N, 6);
    w.task->logging.beta = 0.0;
    struct regret_rows rows = draw(&w, 1, N, 6);
    cr_assert(same_rows(&base, &rows, N));
    regret_rows_clear(&base);
    regret_rows_clear(&rows);
    small_task_clear(&w);
}

/* At β = 0 the logging policy knows nothing of rewards, at β > 0 it does. */
Test(draw, beta_zero_removes_the_user)
{
    enum { N = 300 };
    for (int confounded = 0; confounded < 2; confounded++) {
        struct small_task w;
        make(&w, 26);
        w.task->logging.beta = confounded ? 1.0 : 0.0;
        struct regret_rows one = draw(&w, 1, N, 7);
        size_t pairs = regret_grid_pairs(w.grid);
        for (size_t i = 0; i < SEGMENTS * pairs; i++) {
            w.reward[i] = (double)(i * 7919 % 101) / 101.0; /* other tastes altogether */
        }
        struct regret_rows two = draw(&w, 1, N, 7);
        int same = memcmp(one.pair, two.pair, N * sizeof *one.pair) == 0;
        cr_assert_eq(same, !confounded);
        regret_rows_clear(&one);
        regret_rows_clear(&two);
        small_task_clear(&w);
    }
}

Test(draw, without_noise_the_outcome_is_the_reward)
{
    struct small_task w;
    make(&w, 27);
    w.task->base.outcome.law = REGRET_OUTCOME_NONE;
    size_t pairs = regret_grid_pairs(w.grid);
    for (int obs = 0; obs < 2; obs++) {
        struct regret_rows rows = draw(&w, obs, 200, 8);
        for (size_t i = 0; i < rows.n; i++) {
            cr_assert_eq(rows.y[i], w.reward[rows.segment[i] * pairs + rows.pair[i]]);
        }
        regret_rows_clear(&rows);
    }
    small_task_clear(&w);
}

/* E Y = r, Var Y = r(1−r)/(φ+1), third central moment 2(b−a)ab/((a+b)³(a+b+1)(a+b+2)) with a = φr,
 * b = φ(1−r), and r moved into [.01, .99]; within five standard errors. */
Test(draw, beta_law_moments)
{
    enum { N = 40000 };
    static const double rewards[] = {0.0, 0.005, 0.2, 0.5, 0.83, 1.0}, phis[] = {25.0, 2.0};
    struct small_task w;
    make(&w, 28);
    size_t n = SEGMENTS * regret_grid_pairs(w.grid);
    for (size_t k = 0; k < 12; k++) {
        double phi = phis[k / 6], r = fmin(fmax(rewards[k % 6], 0.01), 0.99);
        double a = phi * r, b = phi - a, variance = r * (1.0 - r) / (phi + 1.0);
        double third = 2.0 * (b - a) * a * b / (phi * phi * phi * (phi + 1.0) * (phi + 2.0));
        double mean = 0.0, m2 = 0.0, m3 = 0.0, m4 = 0.0, m6 = 0.0;
        for (size_t i = 0; i < n; i++) {
            w.reward[i] = rewards[k % 6];
        }
        w.task->base.outcome.precision = phi;
        struct regret_rows rows = draw(&w, (int)k % 2, N, 9 + k);
        for (size_t i = 0; i < N; i++) {
            double d = rows.y[i] - r;
            cr_assert(rows.y[i] >= 0.0 && rows.y[i] <= 1.0);
            mean += d / N, m2 += d * d / N, m3 += d * d * d / N;
            m4 += pow(d, 4.0) / N, m6 += pow(d, 6.0) / N;
        }
        cr_assert_float_eq(mean, 0.0, 5.0 * sqrt(variance / N), "r %g: %g", r, mean);
        cr_assert_float_eq(m2, variance, 5.0 * sqrt((m4 - m2 * m2) / N), "r %g: %g", r, m2);
        cr_assert_float_eq(m3, third, 5.0 * sqrt((m6 - m3 * m3) / N), "r %g: %g", r, m3);
        regret_rows_clear(&rows);
    }
    small_task_clear(&w);
}

/* OBS and EXP of one seed have streams of their own. */
Test(draw, obs_and_exp_do_not_share_noise)
{
    struct small_task w;
    make(&w, 29);
    struct regret_rows obs = draw(&w, 1, 200, 10), exp = draw(&w, 0, 200, 10);
    size_t same = 0;
    for (size_t i = 0; i < 200; i++) {
        same += obs.y[i] == exp.y[i];
    }
    cr_assert_eq(same, 0);
    regret_rows_clear(&obs);
    regret_rows_clear(&exp);
    small_task_clear(&w);
}
