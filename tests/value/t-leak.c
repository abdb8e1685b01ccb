/* Errors that cancel as no honest predictor's do: the χ² distribution, a naive reference, what must not change the
 * answer, and how often honest predictors are accused. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "base/random.h"
#include "regret/task.h"
#include "value/leak.h"

/* SciPy's chi2.cdf. */
Test(leak, chi_square)
{
    static const double known[][3] = {
        {0.5, 0.001, 0.16495975076841285},     {0.7, 3.2, 0.95482015063208425},
        {1.3, 0.02, 0.055461578143684506},     {3.7, 0.0001, 6.3124229123224232e-09},
        {5.0, 4.35, 0.49979987899220701},      {12.5, 30.0, 0.99635449313418445},
        {200.0, 150.0, 0.0033524414981869932}, {1000.5, 1000.0, 0.50148618551071766}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        double p = chi_square_cdf(known[i][1], known[i][0]);
        cr_expect_lt(fabs(p / known[i][2] - 1.0), 1e-12, "df %g, x %g: %.17g", known[i][0],
                     known[i][1], p);
    }
    for (double x = 1e-9; x < 100.0; x *= 1.7) {
        cr_expect_float_eq(chi_square_cdf(x, 2.0), -expm1(-0.5 * x), 1e-15);
        cr_expect_float_eq(chi_square_cdf(x, 1.0), erf(sqrt(0.5 * x)), 1e-14);
    }
    cr_expect_eq(chi_square_cdf(0.0, 3.0), 0.0);
    cr_expect_eq(chi_square_cdf(INFINITY, 3.0), 1.0);
    cr_expect(isnan(chi_square_cdf(NAN, 3.0)));
    cr_expect(isnan(chi_square_cdf(1.0, 0.0)));
}

enum { N = 60, AGENTS = 5, TAGS = 2, HELD = 12 };

/* Scores of contexts of two kinds: what kinds and agents make of them, what a context adds for every agent, and the
 * rest. */
struct scores {
    double of[N][AGENTS];
    uint32_t tag[N];
    unsigned char held[N];
};

static struct scores make_scores(uint64_t seed, double by_context)
{
    struct scores s = {0};
    struct regret_rng r = regret_rng_at(seed, 7, 0);
    for (size_t x = 0; x < N; x++) {
        double difficulty = by_context * regret_rng_normal(&r);
        s.tag[x] = x % TAGS;
        s.held[x] = x / TAGS % (N / HELD) == 0; /* contexts are exchangeable: any will do */
        for (size_t a = 0; a < AGENTS; a++) {
            s.of[x][a] = 0.5 + 0.1 * (double)((a + 2 * s.tag[x]) % AGENTS) + difficulty +
                         0.2 * regret_rng_normal(&r);
        }
    }
    return s;
}

static double probability(const struct scores *s, double prediction[N][AGENTS], int by_tag)
{
    double error[N][AGENTS], p = 0.0;
    for (size_t i = 0; i < (size_t)N * AGENTS; i++) {
        ((double *)error)[i] = ((const double *)s->of)[i] - ((double *)prediction)[i];
    }
    const struct leak_problem problem = {
        (double *)error, s->held, by_tag ? s->tag : NULL, N, AGENTS, by_tag ? TAGS : 1};
    cr_assert_eq(leak_probability(&p, &problem), 0);
    return p;
}

/* The means of the scores of some contexts: those of the training ones, or of all, of the same kind or of any. */
static void predict_means(double prediction[N][AGENTS], const struct scores *s, int all, int by_tag)
{
    for (size_t x = 0; x < N; x++) {
        for (size_t a = 0; a < AGENTS; a++) {
            double sum = 0.0, n = 0.0;
            for (size_t k = 0; k < N; k++) {
                if ((all || !s->held[k]) && (!by_tag || s->tag[k] == s->tag[x])) {
                    sum += s->of[k][a];
                    n += 1.0;
                }
            }
            prediction[x][a] = sum / n;
        }
    }
}

/* Honest predictors, from the best that could be to one that has every training score by heart. */
enum { TRUTH, MEANS, MEANS_BY_TAG, BY_HEART, OFF, NOISY, KINDS };
static void predict(double prediction[N][AGENTS], const struct scores *s, int kind, uint64_t seed)
{
    struct regret_rng r = regret_rng_at(seed, 8, 0);
    predict_means(prediction, s, 0, kind != MEANS);
    for (size_t x = 0; x < N; x++) {
        for (size_t a = 0; a < AGENTS; a++) {
            double law = 0.5 + 0.1 * (double)((a + 2 * s->tag[x]) % AGENTS);
            double *to = &prediction[x][a];
            *to = kind == TRUTH                     ? law
                  : kind == OFF                     ? law + 0.05
                  : kind == NOISY                   ? *to + 0.1 * regret_rng_normal(&r)
                  : kind == BY_HEART && !s->held[x] ? s->of[x][a]
                                                    : *to;
        }
    }
}

/* Twice the errors of chance beyond the level is allowed; the test is exact but for Satterthwaite's approximation, and the
 * best predictor that there could be is the only one for which it need not be far on the safe side. */
Test(leak, honest_predictors_are_seldom_accused)
{
    enum { TIMES = 2000 };
    for (int kind = 0; kind < KINDS; kind++) {
        for (int shared = 0; shared < 2; shared++) {
            size_t below25 = 0, below01 = 0;
            for (uint64_t t = 0; t < TIMES; t++) {
                double prediction[N][AGENTS];
                struct scores s = make_scores(t, shared ? 0.3 : 0.0);
                predict(prediction, &s, kind, t);
                double p = probability(&s, prediction, 1);
                below25 += p < 0.025;
                below01 += p < 0.001;
            }
            cr_log_info("kind %d, shared %d: %zu below .025 and %zu below .001 of %d\n", kind,
                        shared, below25, below01, (int)TIMES);
            cr_expect_leq((double)below25 / TIMES, 0.025 + 2.0 * sqrt(0.025 * 0.975 / TIMES),
                          "kind %d", kind);
            cr_expect_leq((double)below01, 0.001 * TIMES + 2.0 * sqrt(0.001 * TIMES), "kind %d",
                          kind);
        }
    }
}

/* As reports ask: twice the mean over the seeds of a pool, whose splits differ and whose contexts do not. */
Test(leak, honest_predictors_of_many_seeds)
{
    enum { POOLS = 300, SEEDS = 10 };
    for (int kind = 0; kind < KINDS; kind++) {
        size_t accused = 0;
        double least = 1.0;
        for (uint64_t t = 0; t < POOLS; t++) {
            struct scores s = make_scores(t, t % 2 ? 0.3 : 0.0);
            double sum = 0.0;
            for (uint64_t seed = 0; seed < SEEDS; seed++) {
                double prediction[N][AGENTS];
                struct regret_rng r = regret_rng_at(seed, 9, t);
                memset(s.held, 0, sizeof s.held);
                for (size_t held = 0; held < HELD;) {
                    size_t x = (size_t)(regret_rng_uniform(&r) * N) % N;
                    held += s.held[x] == 0;
                    s.held[x] = 1;
                }
                predict(prediction, &s, kind, t);
                sum += probability(&s, prediction, 1);
            }
            accused += 2.0 * sum / SEEDS < 0.05;
            least = fmin(least, 2.0 * sum / SEEDS);
        }
        cr_log_info("kind %d: %zu of %d accused, the least is %.2g\n", kind, accused, (int)POOLS,
                    least);
        cr_expect_leq(accused, (size_t)(0.05 * POOLS));
    }
}

Test(leak, means_of_all_scores_are_accused)
{
    for (uint64_t t = 0; t < 200; t++) {
        double prediction[N][AGENTS];
        struct scores s = make_scores(t, t % 2 ? 0.3 : 0.0);
        for (int by_tag = 0; by_tag < 2; by_tag++) {
            predict_means(prediction, &s, 1, by_tag);
            cr_expect_lt(probability(&s, prediction, 1), 1e-12);
            for (size_t i = 0; i < (size_t)N * AGENTS; i++) { /* as a file has it, to four digits */
                ((double *)prediction)[i] = round(1e4 * ((double *)prediction)[i]) / 1e4;
            }
            cr_expect_lt(probability(&s, prediction, 1), 5e-4);
        }
        memcpy(prediction, s.of, sizeof prediction);
        cr_expect_eq(probability(&s, prediction, 1), 0.0, "the scores themselves");
    }
}

/* One kind of contexts; Q and its moments from covariances that are centred first. */
static double naive(const struct scores *s, double prediction[N][AGENTS])
{
    double q = 0.0, trace = 0.0, square = 0.0;
    for (size_t a = 0; a < AGENTS; a++) {
        double w = 0.0;
        for (size_t x = 0; x < N; x++) {
            w += s->of[x][a] - prediction[x][a];
        }
        q += w * w;
        for (size_t b = 0; b < AGENTS; b++) {
            double mean_a = 0.0, mean_b = 0.0, c = 0.0;
            for (size_t x = 0; x < N; x++) {
                mean_a += s->held[x] ? (s->of[x][a] - prediction[x][a]) / HELD : 0.0;
                mean_b += s->held[x] ? (s->of[x][b] - prediction[x][b]) / HELD : 0.0;
            }
            for (size_t x = 0; x < N; x++) {
                c += s->held[x] ? (s->of[x][a] - prediction[x][a] - mean_a) *
                                      (s->of[x][b] - prediction[x][b] - mean_b) / (HELD - 1)
                                : 0.0;
            }
            trace += a == b ? c : 0.0;
            square += c * c;
        }
    }
    double df = trace * trace / square;
    return chi_square_cdf(df * q / (HELD * trace), df);
}

Test(leak, as_by_hand)
{
    for (uint64_t t = 0; t < 50; t++) {
        double prediction[N][AGENTS];
        struct scores s = make_scores(t, 0.2);
        predict(prediction, &s, (int)(t % KINDS), t);
        double p = probability(&s, prediction, 0), wanted = naive(&s, prediction);
        cr_expect_lt(fabs(p - wanted), 1e-10 * wanted + 1e-300, "%g %g", p, wanted);
    }
}

/* Order, units and names say nothing. */
Test(leak, what_does_not_matter)
{
    double prediction[N][AGENTS], moved[N][AGENTS];
    struct scores s = make_scores(3, 0.2), other = s;
    predict(prediction, &s, NOISY, 3);
    double p = probability(&s, prediction, 1);
    for (size_t x = 0; x < N; x++) {
        size_t to = (x * 7 + 3) % N;
        other.tag[to] = 1 - s.tag[x];
        other.held[to] = s.held[x];
        for (size_t a = 0; a < AGENTS; a++) {
            other.of[to][(a * 2 + 1) % AGENTS] = 3.0 * s.of[x][a];
            moved[to][(a * 2 + 1) % AGENTS] = 3.0 * prediction[x][a];
        }
    }
    cr_expect_lt(fabs(probability(&other, moved, 1) / p - 1.0), 1e-9);
}

Test(leak, what_cannot_be_told)
{
    double prediction[N][AGENTS], p = 0.0;
    struct scores s = make_scores(5, 0.2), none = s;
    predict(prediction, &s, MEANS, 5);
    memset(none.held, 0, sizeof none.held);
    cr_expect(isnan(probability(&none, prediction, 1)), "nothing is held out");
    none.held[4] = 1;
    cr_expect(isnan(probability(&none, prediction, 0)), "one context is");
    double only[N][AGENTS];
    memcpy(only, prediction, sizeof only);
    for (size_t x = 0; x < N; x++) {
        only[x][x % AGENTS] = s.held[x] ? only[x][x % AGENTS] : NAN;
    }
    cr_expect(isnan(probability(&s, only, 1)), "no training context is whole");
    memset(none.held, 2, sizeof none.held);
    const struct leak_problem problem = {(double *)prediction, none.held, NULL, N, AGENTS, 1};
    cr_assert_eq(leak_probability(&p, &problem), 0);
    cr_expect(isnan(p), "of neither part");
}
