/* How often limits hold the truth (reports/coverage/limits.md): means of shares and grades, by rows and by clusters; values of a trial
 * of unequal shares; differences, of arms and of the same requests, one and several at once; strengths by votes.
 *
 * usage: limits-coverage [DRAWS]        2,000 without it; values and votes take a fifth of them, at least 500. Prints the page. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "evaluate/internal.h"
#include "regret/task.h"
#include "stats/distributions.h"
#include "stats/limits.h"
#include "stats/multiplicity.h"
#include "value/strength.h"

enum { MOST = 6000 };
static struct regret_rng rng;
static size_t draws = 2000;

static double uniform(void)
{
    return regret_rng_uniform(&rng);
}

static double logistic(double x)
{
    return 1.0 / (1.0 + exp(-x));
}

/* One cell of a kind: how often both intervals held, and how wide they were. */
struct cell {
    size_t n, held, student_held;
    double width, student_width;
};
/* A kind: the least and the mean coverage over its cells. */
struct kind {
    const char *name;
    size_t cells, low; /* cells below .925 */
    double least, sum, student_least, student_sum, ratio;
};
static struct kind kinds[16];
static size_t n_kinds;

static void add(struct cell *c, struct limits l, struct limits student, double truth)
{
    c->n++;
    c->held += l.low <= truth && truth <= l.high;
    c->student_held += student.low <= truth && truth <= student.high;
    c->width += l.high - l.low;
    c->student_width += student.high - student.low;
}

static void begin(const char *name)
{
    kinds[n_kinds++] = (struct kind){.name = name, .least = 1.0, .student_least = 1.0};
}

static void end(const struct cell *c, const char *what)
{
    struct kind *k = &kinds[n_kinds - 1];
    double n = (double)c->n, held = (double)c->held / n, student = (double)c->student_held / n;
    k->cells++;
    k->low += held < 0.925;
    k->least = fmin(k->least, held);
    k->sum += held;
    k->student_least = fmin(k->student_least, student);
    k->student_sum += student;
    printf("| %s | %s | %.3f | %.4f |", k->name, what, held, c->width / n);
    if (isnan(c->student_width)) {
        printf(" – | – |\n");
    } else {
        printf(" %.3f | %.4f |\n", student, c->student_width / n);
    }
    fflush(stdout);
}

static struct limits student_of(double value, double error, double df, double low, double high)
{
    double half = error * regret_student_quantile(0.975, fmax(1.0, df));
    return (struct limits){fmax(low, value - half), fmin(high, value + half)};
}

static void moments(double *mean, double *sd, const double *y, size_t n)
{
    double squares = 0.0;
    *mean = 0.0;
    for (size_t i = 0; i < n; i++) {
        *mean += y[i] / (double)n;
    }
    for (size_t i = 0; i < n; i++) {
        squares += (y[i] - *mean) * (y[i] - *mean);
    }
    *sd = sqrt(squares / ((double)n - 1.0));
}

/* ---------------------------------------------------------------- means */

/* Outcomes of a law, and their mean: shares p, or grades. */
enum law { SHARE, UNIFORM, RARE_UNIFORM, RARE_TENTHS, NEAR_ONE, LAWS };
static const char *const law_names[LAWS] = {"", "uniform", "10 % uniform, else 0",
                                            "10 % of .1 and 1 (9:1), else 0",
                                            "1 less 10 % of uniform/2"};
static const double law_means[LAWS] = {0.0, 0.5, 0.05, 0.019, 0.975};

static double outcome(enum law law, double p)
{
    double u = uniform();
    switch (law) {
    case SHARE:
        return u < p;
    case UNIFORM:
        return u;
    case RARE_UNIFORM:
        return u < 0.1 ? uniform() : 0.0;
    case RARE_TENTHS:
        return u < 0.09 ? 0.1 : u < 0.1 ? 1.0 : 0.0;
    default:
        return u < 0.1 ? 1.0 - 0.5 * uniform() : 1.0;
    }
}

static void of_mean(enum law law, double p, size_t n)
{
    static double y[MOST];
    struct cell c = {0};
    char what[80];
    double truth = law == SHARE ? p : law_means[law];
    for (size_t r = 0; r < draws; r++) {
        double mean, sd;
        for (size_t i = 0; i < n; i++) {
            y[i] = outcome(law, p);
        }
        moments(&mean, &sd, y, n);
        const struct bounded of = bounded_moments(mean, sd, (double)n);
        add(&c, bounded_limits(&of, tails_of(0.95)),
            student_of(mean, sd / sqrt((double)n), (double)n - 1.0, 0.0, 1.0), truth);
    }
    if (law == SHARE) {
        snprintf(what, sizeof what, "n %zu, p %g", n, p);
    } else {
        snprintf(what, sizeof what, "n %zu, %s", n, law_names[law]);
    }
    end(&c, what);
}

/* A cluster's own p is a beta's with intra-class correlation icc, by its mean of Bernoulli draws (Pólya's urn). */
static double of_cluster(size_t n, double p, double icc)
{
    double sum = 0.0, weight = icc > 0.0 ? 1.0 / icc - 1.0 : INFINITY;
    for (size_t i = 0; i < n; i++) {
        double now = icc > 0.0 ? (p * weight + sum) / (weight + (double)i) : p;
        sum += uniform() < now;
    }
    return sum;
}

static void of_clusters(size_t n, double p, double icc)
{
    double sum[MOST], rows[MOST];
    struct cell c = {0};
    char what[80];
    for (size_t r = 0; r < draws; r++) {
        for (size_t i = 0; i < n; i++) {
            rows[i] = 1.0 + (double)regret_rng_below(&rng, 25);
            sum[i] = of_cluster((size_t)rows[i], p, icc);
        }
        const struct bounded of = bounded_clusters(sum, rows, n);
        add(&c, bounded_limits(&of, tails_of(0.95)),
            student_of(of.value, sqrt(of.variance), (double)n - 1.0, 0.0, 1.0), p);
    }
    snprintf(what, sizeof what, "%zu clusters of 1 to 25, p %g, correlation %g", n, p, icc);
    end(&c, what);
}

/* ---------------------------------------------------------------- a trial */

enum { ARMS = 5, FOLDS = 5 };
struct trial {
    size_t n, arms;
    uint32_t agent[MOST], cluster[MOST];
    double y[MOST], x[MOST], propensity[MOST], surface[MOST * ARMS];
    const double *share, *level; /* of arms; log odds of their outcomes at x = 0 */
};

static double chance(const struct trial *t, size_t arm, double x)
{
    return logistic(t->level[arm] + x);
}

static double truth_of(const struct trial *t, size_t arm)
{
    enum { STEPS = 2000 };
    double sum = 0.0;
    for (size_t i = 0; i < STEPS; i++) {
        sum += chance(t, arm, 2.0 * ((double)i + 0.5) / STEPS - 1.0) / STEPS;
    }
    return sum;
}

/* The surface is an arm's mean in the other folds, moved by half of what x does. */
static void draw_trial(struct trial *t)
{
    double sum[FOLDS][ARMS] = {{0}}, rows[FOLDS][ARMS] = {{0}};
    for (size_t i = 0; i < t->n; i++) {
        double u = uniform();
        size_t a = 0;
        while (a + 1 < t->arms && u >= t->share[a]) {
            u -= t->share[a++];
        }
        t->x[i] = 2.0 * uniform() - 1.0;
        t->agent[i] = (uint32_t)a;
        t->cluster[i] = (uint32_t)i;
        t->propensity[i] = t->share[a];
        t->y[i] = uniform() < chance(t, a, t->x[i]);
        for (size_t k = 0; k < FOLDS; k++) {
            sum[k][a] += k != i % FOLDS ? t->y[i] : 0.0;
            rows[k][a] += k != i % FOLDS;
        }
    }
    for (size_t i = 0; i < t->n; i++) {
        for (size_t a = 0; a < t->arms; a++) {
            double m = (sum[i % FOLDS][a] + 0.1) / (rows[i % FOLDS][a] + 0.2);
            t->surface[i * t->arms + a] = m + 0.5 * m * (1.0 - m) * t->x[i];
        }
    }
}

static struct basis basis_of(struct trial *t)
{
    struct basis b = {t->n,       t->arms, t->n, t->agent, t->cluster, t->y, t->propensity,
                      t->surface, 0.95,    0.0,  NULL,     NULL,       0};
    return basis_noise(&b.noise, &b) == 0 ? b : (struct basis){0};
}

static void of_trial(struct trial *t, const char *what)
{
    struct cell value[ARMS] = {{0}}, difference[ARMS] = {{0}}, together = {0};
    static double influence[ARMS * MOST];
    char name[120];
    for (size_t r = 0; r < draws / 4; r++) {
        struct gap gap[ARMS];
        struct regret_valued d[ARMS], v[REGRET_N_VALUES];
        draw_trial(t);
        struct basis b = basis_of(t);
        const struct chooser first = {NULL, 0};
        memset(influence, 0, t->arms * t->n * sizeof *influence);
        for (uint32_t a = 0; a < t->arms; a++) {
            const struct chooser x = {NULL, a};
            const struct regret_valued *s = &v[REGRET_VALUE_SNDR];
            worth_of(v, NULL, &b, &x, NULL);
            add(&value[a], (struct limits){s->low, s->high},
                student_of(s->value, s->error, s->df, 0.0, 1.0), truth_of(t, a));
            worth_difference(&d[a], &gap[a], influence + a * t->n, &b, &x, &first, NULL);
            if (a > 0) {
                add(&difference[a], (struct limits){d[a].low, d[a].high},
                    student_of(d[a].value, d[a].error, d[a].df, -1.0, 1.0),
                    truth_of(t, a) - truth_of(t, 0));
            }
        }
        double each = 0.95, critical = NAN, widths = 0.0, student_widths = 0.0;
        int held = 1, student_held = 1;
        simultaneous_level(&each, &critical, influence, t->arms, t->n, 0.95, 500, r, 1);
        for (size_t a = 1; a < t->arms; a++) {
            double gain = truth_of(t, a) - truth_of(t, 0);
            double half = d[a].error * -regret_student_quantile(tails_of(each).below, d[a].df);
            struct regret_valued wide = d[a];
            difference_set_interval(&wide, &gap[a], tails_of(each));
            held &= wide.low <= gain && gain <= wide.high;
            student_held &= fabs(gain - d[a].value) <= half;
            widths += (wide.high - wide.low) / (double)(t->arms - 1);
            student_widths += 2.0 * half / (double)(t->arms - 1);
        }
        together.n++;
        together.held += (size_t)held;
        together.student_held += (size_t)student_held;
        together.width += widths;
        together.student_width += student_widths;
    }
    for (size_t a = 0; a < t->arms; a++) {
        snprintf(name, sizeof name, "%s, value of %.4f, share %g", what, truth_of(t, a),
                 t->share[a]);
        end(&value[a], name);
    }
    for (size_t a = 1; a < t->arms; a++) {
        snprintf(name, sizeof name, "%s, %.4f less %.4f", what, truth_of(t, a), truth_of(t, 0));
        end(&difference[a], name);
    }
    snprintf(name, sizeof name, "%s, all %zu differences at once", what, t->arms - 1);
    end(&together, name);
}

/* ---------------------------------------------------------------- differences */

static void of_arms(double p, size_t n, double q, size_t m)
{
    struct cell c = {0};
    char what[80];
    for (size_t r = 0; r < draws; r++) {
        double x = 0.0, y = 0.0, k = (double)n, l = (double)m;
        for (size_t i = 0; i < n; i++) {
            x += uniform() < p;
        }
        for (size_t i = 0; i < m; i++) {
            y += uniform() < q;
        }
        x /= k;
        y /= l;
        const struct bounded of_x = bounded_moments(x, sqrt(x * (1.0 - x) * k / (k - 1.0)), k),
                             of_y = bounded_moments(y, sqrt(y * (1.0 - y) * l / (l - 1.0)), l);
        double error = sqrt(of_x.variance + of_y.variance);
        add(&c, bounded_difference(&of_x, &of_y, 0.0, tails_of(0.95)),
            student_of(x - y, error, fmin(k, l) - 1.0, -1.0, 1.0), p - q);
    }
    snprintf(what, sizeof what, "%g of %zu less %g of %zu", p, n, q, m);
    end(&c, what);
}

/* On the same requests: a share `up` of them is better, `down` worse, each by 1 or by a uniform number. */
static void of_pairs(size_t n, double up, double down, int graded)
{
    double above[MOST], below[MOST], rows[MOST], d[MOST];
    struct cell c = {0};
    char what[80];
    for (size_t r = 0; r < draws; r++) {
        double mean, sd;
        for (size_t i = 0; i < n; i++) {
            double u = uniform(), size = graded ? uniform() : 1.0;
            above[i] = u < up ? size : 0.0;
            below[i] = u >= up && u < up + down ? size : 0.0;
            rows[i] = 1.0;
            d[i] = above[i] - below[i];
        }
        moments(&mean, &sd, d, n);
        struct paired_limits l =
            paired_limits_of(&(struct pairs){above, below, rows, n}, tails_of(0.95));
        add(&c, (struct limits){l.low, l.high},
            student_of(mean, sd / sqrt((double)n), (double)n - 1.0, -1.0, 1.0),
            (up - down) * (graded ? 0.5 : 1.0));
    }
    snprintf(what, sizeof what, "%zu requests, %g better, %g worse%s", n, up, down,
             graded ? ", by uniform grades" : "");
    end(&c, what);
}

/* ---------------------------------------------------------------- votes */

/* The first of k agents leads the rest, which are half a logit apart, by `lead`; every vote has a prompt of its own. Being shown first adds
 * `position`. */
static void of_votes(size_t k, size_t n, double lead, double position)
{
    enum { MOST_AGENTS = 10 };
    static struct regret_vote vote[MOST];
    static const char *const names[MOST_AGENTS] = {"0", "1", "2", "3", "4",
                                                   "5", "6", "7", "8", "9"};
    static const char *const places[3] = {"strongest", "middle", "last"};
    struct cell c[3] = {{0}};
    double theta[MOST_AGENTS], truth[MOST_AGENTS] = {0};
    char what[120];
    for (size_t a = 0; a < k; a++) {
        theta[a] = (a == 0 ? lead + 0.5 : 0.0) - 0.5 * (double)a;
    }
    for (size_t i = 0; i < k * k; i++) {
        truth[i / k] +=
            i / k != i % k ? logistic(theta[i / k] - theta[i % k]) / (double)(k - 1) : 0.0;
    }
    for (size_t r = 0; r < draws / 4; r++) {
        for (uint32_t v = 0; v < n; v++) {
            uint32_t a = regret_rng_below(&rng, (uint32_t)k),
                     b = regret_rng_below(&rng, (uint32_t)k - 1);
            b += b >= a;
            double p = logistic(theta[a] - theta[b] + position);
            vote[v] = (struct regret_vote){a, b, v, 0, 1.0, uniform() < p, 1};
        }
        struct regret_votes votes = {vote, n, k, n, NULL, 0};
        struct regret_bradley_terry *fit = NULL;
        if (regret_bradley_terry_fit(&fit, &votes, names, NULL) != 0) {
            continue; /* agents in parts */
        }
        for (size_t i = 0; i < 3; i++) {
            size_t a = i == 0 ? 0 : i == 1 ? k / 2 : k - 1;
            const struct regret_strength *s = &fit->agents[a];
            add(&c[i], (struct limits){s->low, s->high}, (struct limits){NAN, NAN}, truth[a]);
        }
        regret_bradley_terry_free(fit);
    }
    for (size_t i = 0; i < 3; i++) {
        snprintf(what, sizeof what, "%zu agents, %zu votes, lead %g, first shown %+g: %s", k, n,
                 lead, position, places[i]);
        end(&c[i], what);
    }
}

/* ---------------------------------------------------------------- the page */

static void means(void)
{
    static const double p[] = {0.005, 0.03, 0.1, 0.3, 0.5, 0.97};
    static const size_t n[] = {10, 30, 100, 1000};
    begin("shares");
    for (size_t i = 0; i < 24; i++) {
        of_mean(SHARE, p[i % 6], n[i / 6]);
    }
    begin("grades");
    for (size_t i = 0; i < 4 * (LAWS - 1); i++) {
        of_mean((enum law)(1 + i % (LAWS - 1)), 0.0, n[i / (LAWS - 1)]);
    }
    begin("clusters");
    for (size_t i = 0; i < 24; i++) {
        static const double shares[] = {0.01, 0.05, 0.3, 0.97}, icc[] = {0.0, 0.1, 0.3};
        of_clusters(i % 2 == 0 ? 12 : 40, shares[i / 2 % 4], icc[i / 8]);
    }
}

static void trials(void)
{
    static const double unequal[ARMS] = {0.8, 0.1, 0.1}, even[ARMS] = {0.2, 0.2, 0.2, 0.2, 0.2};
    static const double rare[ARMS] = {-5.0, -4.0, -5.0, -4.0, -3.0},
                        middle[ARMS] = {0.0, 0.5, -0.5}, high[ARMS] = {4.0, 3.0, 5.0, 4.0, 4.0};
    static struct trial t;
    begin("trials");
    for (size_t i = 0; i < 6; i++) {
        char what[40];
        t.n = i % 2 == 0 ? 300 : 900;
        t.arms = 3;
        t.share = unequal;
        t.level = i / 2 == 0 ? rare : i / 2 == 1 ? middle : high;
        snprintf(what, sizeof what, "%zu rows, .8/.1/.1", t.n);
        of_trial(&t, what);
    }
    t.arms = 5;
    t.share = even;
    t.level = rare;
    t.n = 1000;
    of_trial(&t, "1000 rows, 5 arms");
}

static void differences(void)
{
    static const double p[][2] = {{0.0, 0.0}, {0.005, 0.01}, {0.02, 0.1}, {0.3, 0.4}, {0.97, 0.9}};
    static const size_t n[][2] = {{30, 30}, {200, 200}, {1000, 100}};
    begin("arms");
    for (size_t i = 0; i < 15; i++) {
        of_arms(p[i % 5][0], n[i / 5][0], p[i % 5][1], n[i / 5][1]);
    }
    begin("pairs");
    for (size_t i = 0; i < 24; i++) {
        static const double by[][2] = {{0.01, 0.01}, {0.05, 0.0}, {0.1, 0.05}, {0.3, 0.2}};
        static const size_t requests[] = {20, 60, 300};
        of_pairs(requests[i / 8], by[i % 4][0], by[i % 4][1], i / 4 % 2 == 1);
    }
}

static void votes(void)
{
    begin("votes");
    of_votes(5, 60, 3.0, 0.0);
    of_votes(5, 150, 4.0, 0.0);
    of_votes(5, 400, 5.0, 0.0);
    of_votes(10, 200, 3.0, 0.0);
    of_votes(10, 1000, 0.0, 0.0);
    of_votes(5, 400, 1.0, 0.8);
}

int main(int argc, char **argv)
{
    draws = argc > 1 ? strtoul(argv[1], NULL, 10) : draws;
    rng = regret_rng_at(2026, REGRET_RNG_TEST, 1);
    printf("| kind | cell | held | width | Student held | its width "
           "|\n|---|---|---:|---:|---:|---:|\n");
    means();
    trials();
    differences();
    votes();
    printf("\n| kind | cells | least | mean | below .925 | Student's least | its mean |\n"
           "|---|---:|---:|---:|---:|---:|---:|\n");
    for (size_t i = 0; i < n_kinds; i++) {
        const struct kind *k = &kinds[i];
        double n = (double)k->cells;
        printf("| %s | %zu | %.3f | %.3f | %zu |", k->name, k->cells, k->least, k->sum / n, k->low);
        if (k->student_sum > 0.0) {
            printf(" %.3f | %.3f |\n", k->student_least, k->student_sum / n);
        } else {
            printf(" – | – |\n");
        }
    }
    return 0;
}
