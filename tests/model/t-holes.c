/* Grids with holes against the joint least squares, solved at once. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "model/internal.h"
#include "model/model.h"
#include "model/planted.h"
#include "model/reference.h"

enum { N = 24, AGENTS = 3, COLS = 5 };

/* Unknowns: c_x, then b_a and θ_a of every agent; b_0 is set to 0, for only differences of d are told. */
enum { EACH = COLS + 1, UNKNOWNS = N + AGENTS * EACH };

static void joint(double *solution, const struct panel *p, const double *z, double rho)
{
    double *a = calloc((size_t)UNKNOWNS * UNKNOWNS, sizeof *a);
    for (size_t agent = 0; agent < AGENTS; agent++) {
        double mean[COLS] = {0}, n = 0.0;
        for (size_t x = 0; x < N;
             x++) { /* columns less their means over what was observed: b is then free of θ */
            int there = !isnan(p->target[x * AGENTS + agent]);
            for (size_t j = 0; there && j < COLS; j++) {
                mean[j] += z[j * N + x];
            }
            n += there;
        }
        for (size_t x = 0; x < N; x++) {
            double y = p->target[x * AGENTS + agent], row[UNKNOWNS] = {0};
            if (isnan(y)) {
                continue;
            }
            row[x] = 1.0;
            row[N + agent * EACH] = agent > 0;
            for (size_t j = 0; j < COLS; j++) {
                row[N + agent * EACH + 1 + j] = z[j * N + x] - mean[j] / n;
            }
            for (size_t i = 0; i < UNKNOWNS; i++) {
                for (size_t j = 0; j < UNKNOWNS; j++) {
                    a[i * UNKNOWNS + j] += row[i] * row[j];
                }
                solution[i] += row[i] * y;
            }
        }
        for (size_t j = 1; j <= COLS; j++) {
            a[(N + agent * EACH + j) * UNKNOWNS + N + agent * EACH + j] += rho;
        }
    }
    a[N * UNKNOWNS + N] = 1.0; /* b_0 = 0 */
    naive_solve(a, solution, UNKNOWNS);
    free(a);
}

Test(model_holes, are_the_joint_least_squares)
{
    static const double rhos[] = {0.1, 3.0};
    struct planted p;
    double z[COLS * N];
    size_t at[N];
    planted_make(&p, PLANTED_TAG, N, AGENTS, 0.4, 11);
    for (size_t x = 0; x < N; x++) {
        at[x] = x;
        for (size_t j = 0; j < COLS; j++) {
            z[j * N + x] = sin(1.0 + (double)(x * COLS + j) * 1.7);
        }
    }
    const struct design design = {.rule = REGRET_MODEL_WORDS, .cols = COLS, .z = z};
    const struct panel panel = {p.target, N, AGENTS, N, at};
    for (size_t r = 0; r < 2; r++) {
        double solution[UNKNOWNS] = {0}, theta[COLS * AGENTS], intercept[AGENTS];
        struct contrast *c = NULL;
        joint(solution, &panel, z, rhos[r]);
        cr_assert_eq(contrast_create(&c, &panel, &design), 0);
        cr_assert_eq(c->n_smooths, AGENTS);
        contrast_fit(c, rhos[r]);
        cr_assert_eq(contrast_weights(theta, intercept, c, COLS), 0);
        for (size_t agent = 0; agent < AGENTS; agent++) {
            for (size_t j = 0; j < COLS; j++) {
                cr_expect_float_eq(theta[agent * COLS + j], solution[N + agent * EACH + 1 + j],
                                   1e-7);
            }
            cr_expect_float_eq(c->mean[agent] - c->mean[0], solution[N + agent * EACH], 1e-7);
        }
        contrast_free(c);
    }
    planted_free(&p);
}

/* A grid without holes by the way of one with: one score is taken out of a context that nothing else is learnt from. */
Test(model_holes, nearly_none_is_nearly_complete)
{
    struct planted p;
    planted_make(&p, PLANTED_TAG, 120, 4, 0.0, 2);
    struct regret_model *complete = planted_fit(&p, 120, 1);
    p.target[5] = NAN;
    struct regret_model *hole = planted_fit(&p, 120, 1);
    struct regret_answer a, b;
    const struct regret_request request = {.text = "w1 w2 w3", .tag = "code"};
    cr_assert_eq(regret_model_answer(&a, complete, &request, 1), 0);
    cr_assert_eq(regret_model_answer(&b, hole, &request, 1), 0);
    cr_expect_eq(a.agent, b.agent);
    cr_expect_float_eq(a.value, b.value, 0.01);
    cr_expect_float_eq(a.margin, b.margin, 0.01);
    regret_model_free(complete);
    regret_model_free(hole);
    planted_free(&p);
}

/* Two scores of ten a context are enough where 300 contexts have them. */
Test(model_holes, winners_are_found_in_sparse_tables)
{
    struct planted p;
    size_t right = 0;
    planted_make(&p, PLANTED_TAG, 800, 6, 0.9, 4);
    struct regret_model *m = planted_fit(&p, 600, 1);
    struct regret_model_facts facts = regret_model_facts(m);
    cr_expect_eq(facts.contrasts, REGRET_MODEL_TAG);
    cr_expect_lt(facts.n_pairs, 600 * 3);
    for (size_t x = 600; x < 800; x++) {
        struct regret_answer answer;
        const struct regret_request request = {.text = p.text[x], .tag = p.tag[x]};
        cr_assert_eq(regret_model_answer(&answer, m, &request, 1), 0);
        right += answer.agent == p.best[x];
    }
    cr_expect_geq(right, 190, "%zu of 200", right);
    regret_model_free(m);
    planted_free(&p);
}

/* Agents were asked other tags more than others: who is best where nothing is known of the tag is who is best of all, and its
 * value that of all. */
Test(model_holes, no_tag_is_all_contexts)
{
    static const char *const tags[] = {"chat", "code", "law"};
    static const double gain[3][3] = {{0.1, -0.3, 0.0}, {0.0, 0.35, 0.0}, {0.0, 0.0, 0.1}};
    struct planted p;
    planted_make(&p, PLANTED_NONE, 240, 3, 0.0, 6);
    for (size_t x = 0; x < 240; x++) {
        size_t tag = x % 10 < 6 ? 0 : x % 10 < 9 ? 1 : 2;
        p.tag[x] = tags[tag];
        for (size_t a = 0; a < 3; a++) {
            int is_rare = a == 1 && tag == 0 && x % 40 >= 10;
            p.target[x * 3 + a] =
                is_rare ? NAN : 0.5 + gain[tag][a] + 0.01 * sin((double)(x * 3 + a));
        }
    }
    struct regret_model *m = planted_fit(&p, 240, 1);
    const struct regret_request requests[] = {{.text = "", .tag = "none of them"}, {.text = ""}};
    struct regret_answer answers[2];
    cr_assert_eq(regret_model_facts(m).contrasts, REGRET_MODEL_TAG);
    cr_assert_eq(regret_model_answer(answers, m, requests, 2), 0);
    for (size_t i = 0; i < 2; i++) {
        cr_expect_eq(answers[i].agent, regret_model_facts(m).single);
        cr_expect_float_eq(answers[i].margin, 0.0, 1e-12);
        cr_expect(answers[i].notes & REGRET_REQUEST_UNKNOWN_TAG);
    }
    regret_model_free(m);
    planted_free(&p);
}

/* An agent that was asked the hard half alone is not held to be a bad one. */
Test(model_holes, hard_requests_are_not_the_agents_fault)
{
    struct planted p;
    planted_make(&p, PLANTED_NONE, 200, 4, 0.0, 6);
    for (size_t x = 0; x < 200; x++) {
        double hard = x % 2 ? -0.3 : 0.1;
        for (size_t a = 0; a < 4; a++) {
            p.target[x * 4 + a] =
                0.5 + hard + 0.05 * (double)(a == 0) + 0.01 * sin((double)(x * 4 + a));
        }
        p.target[x * 4] = x % 2 ? p.target[x * 4] : NAN;
    }
    struct regret_model *m = planted_fit(&p, 200, 1);
    cr_expect_eq(regret_model_facts(m).single, 0);
    regret_model_free(m);
    planted_free(&p);
}
