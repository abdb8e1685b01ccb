/* Fits of complete grids against dense ones, and what must not change them. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/internal.h"
#include "model/model.h"
#include "model/planted.h"
#include "model/reference.h"
#include "regret/task.h"

enum { N = 40, NEW = 12, AGENTS = 4, BUCKETS = 256 };

/* mu(x,a) less its mean over agents, and that mean, as outcomes. */
static void centre(double *own, double *shared, const struct planted *p)
{
    for (size_t x = 0; x < N; x++) {
        shared[x] = 0.0;
        for (size_t a = 0; a < AGENTS; a++) {
            shared[x] += p->target[x * AGENTS + a] / AGENTS;
        }
        for (size_t a = 0; a < AGENTS; a++) {
            own[a * N + x] = p->target[x * AGENTS + a] - shared[x];
        }
    }
}

static void all_of(size_t *at)
{
    for (size_t x = 0; x < N; x++) {
        at[x] = x;
    }
}

/* The miss of the fit without a context is that of a fit that was made without it. */
Test(model_fit, a_context_left_out_is_left_out)
{
    static const double rhos[] = {0.03, 1.0, 30.0};
    struct planted p;
    double own[AGENTS * N], shared[N], *miss = calloc(N * AGENTS, sizeof *miss);
    size_t at[N];
    planted_make(&p, PLANTED_WORD, N, AGENTS, 0.0, 7);
    struct regret_model_data data = planted_data(&p, N);
    struct naive_design d;
    data.features.buckets = BUCKETS;
    centre(own, shared, &p);
    all_of(at);
    naive_design_make(&d, &data, data.text, data.tag, N, 10.0, 1);
    double *columns = calloc(d.n * d.cols, sizeof *columns);
    for (size_t x = 0; x < N; x++) {
        for (size_t j = 0; j < d.cols; j++) {
            columns[j * N + x] = d.z[x * d.cols + j];
        }
    }
    struct design design = {
        .rule = REGRET_MODEL_WORDS, .gamma = 10.0, .n_tags = 2, .cols = d.cols, .z = columns};
    struct panel panel = {data.target, N, AGENTS, N, at};
    for (size_t r = 0; r < 3; r++) {
        struct contrast *c = NULL;
        cr_assert_eq(contrast_create(&c, &panel, &design), 0);
        contrast_fit(c, rhos[r]);
        contrast_left_out(miss, c, rhos[r]);
        for (size_t x = 0; x < N; x += 7) {
            for (size_t a = 0; a < AGENTS; a++) {
                double f = naive_without(&d, at, N, own + a * N, rhos[r], x);
                cr_expect_float_eq(miss[x * AGENTS + a], own[a * N + x] - f, 1e-8);
            }
        }
        contrast_free(c);
    }
    naive_design_free(&d);
    free(columns);
    free(miss);
    planted_free(&p);
}

/* The penalty and γ of the contrasts are those of the least loss, every fit made anew. */
Test(model_fit, the_penalty_is_that_of_least_loss)
{
    struct planted p;
    double own[AGENTS * N], shared[N], least = INFINITY, rho = 0.0, gamma = 0.0;
    size_t at[N];
    planted_make(&p, PLANTED_WORD, N, AGENTS, 0.0, 3);
    struct regret_model_data data = planted_data(&p, N);
    struct regret_model *m = NULL;
    data.features.buckets = BUCKETS;
    cr_assert_eq(regret_model_fit(&m, &data, 1), 0);
    cr_assert_eq(m->contrast.rule, REGRET_MODEL_WORDS);
    centre(own, shared, &p);
    all_of(at);
    for (double g = 1.0; g <= 10.0; g *= 10.0) {
        struct naive_design d;
        naive_design_make(&d, &data, data.text, data.tag, N, g, 1);
        for (size_t r = 0; r < PENALTIES; r++) {
            double loss = 0.0;
            for (size_t a = 0; a < AGENTS; a++) {
                for (size_t x = 0; x < N; x++) {
                    double e =
                        own[a * N + x] - naive_without(&d, at, N, own + a * N, penalties[r], x);
                    loss += e * e;
                }
            }
            if (loss < least) {
                least = loss;
                rho = penalties[r];
                gamma = g;
            }
        }
        naive_design_free(&d);
    }
    cr_expect_eq(m->contrast.rho, rho);
    cr_expect_eq(m->contrast.gamma, gamma);
    regret_model_free(m);
    planted_free(&p);
}

/* What all agents gain on a context moves the value, and no choice. */
Test(model_fit, what_agents_share_chooses_none)
{
    struct planted p;
    struct regret_answer a[NEW], b[NEW];
    struct regret_request requests[NEW];
    planted_make(&p, PLANTED_WORD, 80 + NEW, AGENTS, 0.0, 5);
    for (size_t i = 0; i < NEW; i++) {
        requests[i] = (struct regret_request){.text = p.text[80 + i], .tag = p.tag[80 + i]};
    }
    struct regret_model *before = planted_fit(&p, 80, 1);
    for (size_t x = 0; x < 80; x++) {
        for (size_t agent = 0; agent < AGENTS; agent++) {
            p.target[x * AGENTS + agent] += x % 2 ? 0.125 : -0.25;
        }
    }
    struct regret_model *after = planted_fit(&p, 80, 1);
    cr_assert_eq(regret_model_answer(a, before, requests, NEW), 0);
    cr_assert_eq(regret_model_answer(b, after, requests, NEW), 0);
    for (size_t i = 0; i < NEW; i++) {
        cr_expect_eq(a[i].agent, b[i].agent);
        cr_expect_float_eq(a[i].margin, b[i].margin, 1e-10);
    }
    regret_model_free(before);
    regret_model_free(after);
    planted_free(&p);
}

Test(model_fit, refuses_too_little)
{
    struct planted p;
    struct regret_model *m = NULL;
    planted_make(&p, PLANTED_TAG, 60, AGENTS, 0.0, 1);
    struct regret_model_data data = planted_data(&p, REGRET_MODEL_LEAST_CONTEXTS - 1);
    cr_expect_eq(regret_model_fit(&m, &data, 1), REGRET_E_INPUT);
    cr_expect(strstr(regret_error_message(), "only 19 contexts") != NULL, "%s",
              regret_error_message());
    data = planted_data(&p, 60);
    for (size_t x = 0; x < 60; x++) {
        p.target[x * AGENTS + 2] = NAN;
    }
    cr_expect_eq(regret_model_fit(&m, &data, 1), REGRET_E_INPUT);
    cr_expect(strstr(regret_error_message(), "agent cat has no score") != NULL, "%s",
              regret_error_message());
    planted_free(&p);
    planted_make(&p, PLANTED_TAG, 60, AGENTS, 0.0, 1);
    data = planted_data(&p, 60);
    for (size_t i = 0; i < 60 * AGENTS;
         i++) { /* two agents on even contexts, the others on odd ones */
        p.target[i] = i / AGENTS % 2 == (i % AGENTS < 2) ? NAN : p.target[i];
    }
    cr_expect_eq(regret_model_fit(&m, &data, 1), REGRET_E_INPUT);
    cr_expect(strstr(regret_error_message(), "the agents fall into 2 parts") != NULL, "%s",
              regret_error_message());
    cr_expect_null(m);
    planted_free(&p);
}

/* Texts without a word, tags without another, scores without a difference. */
Test(model_fit, degenerate_pools)
{
    struct planted p;
    struct regret_answer answer;
    const struct regret_request request = {.text = "w1 function", .tag = "code"};
    planted_make(&p, PLANTED_TAG, 40, AGENTS, 0.0, 9);
    struct regret_model_data data = planted_data(&p, 40);
    struct regret_model *m = NULL;
    for (int what = 0; what < 3; what++) {
        for (size_t x = 0; x < 40; x++) {
            p.text[x][0] = what == 0 ? '\0' : p.text[x][0];
            p.tag[x] = what == 1 ? "one" : p.tag[x];
            for (size_t a = 0; what == 2 && a < AGENTS; a++) {
                p.target[x * AGENTS + a] = 0.5;
            }
        }
        cr_assert_eq(regret_model_fit(&m, &data, 1), 0, "%s", regret_error_message());
        cr_assert_eq(regret_model_answer(&answer, m, &request, 1), 0);
        cr_expect(isfinite(answer.value) && answer.low <= answer.value &&
                  answer.value <= answer.high);
        cr_expect_eq(m->n_tags, what == 0 ? 2 : 1);
        cr_expect_eq(answer.notes & REGRET_REQUEST_UNKNOWN_TAG,
                     what == 0 ? 0 : REGRET_REQUEST_UNKNOWN_TAG);
        regret_model_free(m);
        m = NULL;
    }
    cr_expect_eq(answer.agent, 0);
    cr_expect_float_eq(answer.value, 0.5, 1e-12);
    cr_expect_float_eq(answer.high, answer.low, 1e-12);
    planted_free(&p);
}
