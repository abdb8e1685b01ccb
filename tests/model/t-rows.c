/* Models of pseudo-outcomes, whose intervals are those of the rows behind them. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/planted.h"
#include "regret/task.h"

enum { TRAIN = 600, NEW = 400, AGENTS = 4 };

/* A trial of planted outcomes: agent 0 is asked half of the requests, the others a sixth each. Tags alone tell contexts apart. */
struct trial {
    struct planted p;
    struct regret_model_row row[TRAIN];
    double target[TRAIN * AGENTS];
};

static void trial_make(struct trial *t, enum planted_kind kind, uint64_t seed)
{
    planted_make(&t->p, kind, TRAIN + NEW, AGENTS, 0.0, seed);
    for (size_t x = 0; x < TRAIN + NEW; x++) {
        t->p.text[x][0] = '\0';
    }
    for (size_t x = 0; x < TRAIN; x++) {
        struct regret_rng rng = regret_rng_at(seed, REGRET_RNG_TEST, 100000 + x);
        uint32_t draw = (uint32_t)regret_rng_below(&rng, 6), a = draw < 3 ? 0 : draw - 2;
        double chance = a == 0 ? 1.0 / 2 : 1.0 / 6, y = t->p.target[x * AGENTS + a];
        t->row[x] = (struct regret_model_row){(uint32_t)x, a, y, 1.0 / chance};
        for (size_t j = 0; j < AGENTS; j++) {
            t->target[x * AGENTS + j] = 0.5 + (j == a) * (y - 0.5) / chance;
        }
    }
}

static struct regret_model_data data_of(const struct trial *t)
{
    struct regret_model_data data = planted_data(&t->p, TRAIN);
    data.target = t->target;
    data.row = t->row;
    data.n_rows = TRAIN;
    return data;
}

static void answer_new(struct regret_answer *answers, const struct regret_model_data *data,
                       const struct planted *p)
{
    struct regret_model *m = NULL;
    struct regret_request requests[NEW];
    for (size_t i = 0; i < NEW; i++) {
        requests[i] = (struct regret_request){.text = p->text[TRAIN + i], .tag = p->tag[TRAIN + i]};
    }
    cr_assert_eq(regret_model_fit(&m, data, 1), 0, "%s", regret_error_message());
    cr_assert_eq(regret_model_answer(answers, m, requests, NEW), 0);
    regret_model_free(m);
}

/* Adds the intervals that hold a new request's outcome, and their half-widths. */
static void count_held(size_t *held, double *half, const struct planted *p,
                       const struct regret_answer *answers)
{
    for (size_t i = 0; i < NEW; i++) {
        const struct regret_answer *a = &answers[i];
        double y = p->target[(TRAIN + i) * AGENTS + a->agent];
        *held += a->low <= y && y <= a->high;
        *half += 0.5 * (a->high - a->low);
    }
}

Test(model_rows, intervals_hold_outcomes_and_not_pseudo_outcomes)
{
    enum { SEEDS = 6 };
    static struct trial t;
    static struct regret_answer answers[NEW];
    for (int kind = PLANTED_NONE; kind <= PLANTED_TAG; kind++) {
        size_t held = 0, unused = 0;
        double half = 0.0, wide = 0.0;
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            trial_make(&t, (enum planted_kind)kind, 50 + seed);
            struct regret_model_data data = data_of(&t);
            answer_new(answers, &data, &t.p);
            count_held(&held, &half, &t.p, answers);
            data.n_rows = 0;
            answer_new(answers, &data, &t.p);
            count_held(&unused, &wide, &t.p, answers);
            planted_free(&t.p);
        }
        double share = (double)held / (SEEDS * NEW);
        cr_expect(share > 0.93 && share < 0.975, "kind %d: %.3f", kind, share);
        cr_expect_lt(half, 0.75 * wide, "kind %d: %.3f against %.3f", kind, half / (SEEDS * NEW),
                     wide / (SEEDS * NEW));
    }
}

struct naive_row {
    double ratio, weight;
};

static int by_ratio(const void *a, const void *b)
{
    double x = ((const struct naive_row *)a)->ratio, y = ((const struct naive_row *)b)->ratio;
    return (x > y) - (x < y);
}

/* The mean of an agent's targets, without context x. */
static double mean_without(const struct trial *t, size_t agent, size_t x)
{
    double total = 0.0;
    for (size_t i = 0; i < TRAIN; i++) {
        total += i == x ? 0.0 : t->target[i * AGENTS + agent];
    }
    return total / (x < TRAIN ? TRAIN - 1 : TRAIN);
}

static size_t best_without(const struct trial *t, size_t x)
{
    size_t best = 0;
    for (size_t a = 1; a < AGENTS; a++) {
        best = mean_without(t, a, x) > mean_without(t, best, x) ? a : best;
    }
    return best;
}

/* s_a² v of an agent by definition, where nothing tells contexts apart: v is 1 + 1/n in the sample and out of it. */
static double variance_of(const struct trial *t, size_t agent)
{
    double own = 0.0, all = 0.0, weight = 0.0, weights = 0.0;
    for (size_t x = 0; x < TRAIN; x++) {
        const struct regret_model_row *r = &t->row[x];
        double e = r->outcome - mean_without(t, r->agent, x), square = r->weight * e * e;
        own += r->agent == agent ? square : 0.0;
        weight += r->agent == agent ? r->weight : 0.0;
        all += square;
        weights += r->weight;
    }
    return (own + all / TRAIN) / (weight + weights / TRAIN);
}

static double factor_of(const struct trial *t)
{
    static struct naive_row rows[TRAIN];
    double variance[AGENTS], total = 0.0, sum = 0.0;
    size_t n = 0, i = 0;
    for (size_t a = 0; a < AGENTS; a++) {
        variance[a] = variance_of(t, a);
    }
    for (size_t x = 0; x < TRAIN; x++) {
        const struct regret_model_row *r = &t->row[x];
        double e = r->outcome - mean_without(t, r->agent, x);
        if (r->agent == best_without(t, x)) {
            rows[n++] = (struct naive_row){fabs(e) / sqrt(variance[r->agent]), r->weight};
            total += r->weight;
        }
    }
    qsort(rows, n, sizeof *rows, by_ratio);
    for (sum = rows[0].weight; i + 1 < n && sum < 0.95 * (total + total / (double)n);) {
        sum += rows[++i].weight;
    }
    return rows[i].ratio;
}

Test(model_rows, widths_are_those_of_the_formula)
{
    static struct trial t;
    static struct regret_answer answers[NEW];
    for (uint64_t seed = 0; seed < 3; seed++) {
        trial_make(&t, PLANTED_NONE, 70 + seed);
        for (size_t x = 0; x < TRAIN; x++) {
            t.p.tag[x] = NULL;
        }
        const struct regret_model_data data = data_of(&t);
        answer_new(answers, &data, &t.p);
        size_t best = best_without(&t, TRAIN);
        double value = mean_without(&t, best, TRAIN);
        double half = factor_of(&t) * sqrt(variance_of(&t, best));
        cr_expect_eq(answers[0].agent, best);
        cr_expect_float_eq(answers[0].value, value, 1e-12);
        cr_expect_float_eq(answers[0].low, fmax(value - half, 0.0), 1e-10);
        cr_expect_float_eq(answers[0].high, fmin(value + half, 1.0), 1e-10);
        planted_free(&t.p);
    }
}

Test(model_rows, refuses_rows_of_nothing)
{
    static struct trial t;
    struct regret_model *m = NULL;
    trial_make(&t, PLANTED_NONE, 1);
    struct regret_model_data data = data_of(&t);
    const struct regret_model_row kept = t.row[7];
    const struct regret_model_row bad[] = {{TRAIN, 0, 0.5, 2.0},
                                           {7, AGENTS, 0.5, 2.0},
                                           {7, 0, NAN, 2.0},
                                           {7, 0, 0.5, 0.0},
                                           {7, 0, 0.5, INFINITY}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        t.row[7] = bad[i];
        cr_expect_eq(regret_model_fit(&m, &data, 1), REGRET_E_INPUT);
        cr_expect(strstr(regret_error_message(), "row 7") != NULL, "%s", regret_error_message());
        cr_expect_null(m);
    }
    t.row[7] = kept;
    planted_free(&t.p);
}
