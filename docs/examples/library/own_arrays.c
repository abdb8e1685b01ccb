/* One estimator on arrays of your own: features and rewards go in, a recommendation a context comes out.
 *
 *     cc own_arrays.c $(pkg-config --cflags --libs regret) -lm && ./a.out
 *
 * The arrays are made up here (synthetic): 60 contexts, 3 agents, and a log in which users pick the agent
 * they will rate well, which makes the second agent look better than it is. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <regret/regret.h>

enum { CONTEXTS = 60, AGENTS = 3, PAIRS = CONTEXTS * AGENTS, FEATURES = 4, OBS = 1500, EXP = 300 };
enum { MY_NUMBERS = 2000 }; /* a stream of random numbers that the library does not use */

struct arrays {
    double truth[PAIRS]; /* mean reward of a pair */
    double phi[PAIRS *
               FEATURES]; /* column-major: an agent's own level, and the context's difficulty */
    uint32_t agent[PAIRS];
    unsigned char train[PAIRS];
};

static void make_arrays(struct arrays *a, struct regret_rng *rng)
{
    static const double level[AGENTS] = {0.6, 0.5, 0.3};
    for (size_t x = 0; x < CONTEXTS; x++) {
        double hard = regret_rng_uniform(rng);
        for (size_t m = 0; m < AGENTS; m++) {
            size_t pair = x * AGENTS + m;
            a->agent[pair] = (uint32_t)m;
            a->train[pair] = 1;
            a->truth[pair] = level[m] - 0.3 * hard * (m == 0);
            a->phi[m * PAIRS + pair] = 1.0;
            a->phi[AGENTS * PAIRS + pair] = m == 0 ? hard : 0.0;
        }
    }
}

/* A row of a log (biased: whoever picks agent 1 likes it) or of the experiment. */
static void draw_rows(struct regret_rows *rows, const struct arrays *a, int log,
                      struct regret_rng *rng)
{
    for (size_t i = 0; i < rows->n; i++) {
        uint32_t m = regret_rng_below(rng, AGENTS),
                 pair = regret_rng_below(rng, CONTEXTS) * AGENTS + m;
        double liking = log && m == 1 ? 0.25 : 0.0;
        rows->pair[i] = pair;
        rows->y[i] = regret_rng_uniform(rng) < a->truth[pair] + liking ? 1.0 : 0.0;
    }
}

static double regret_of(const double *prediction, const struct arrays *a)
{
    double sum = 0.0;
    for (size_t x = 0; x < CONTEXTS; x++) {
        size_t best = x * AGENTS, chosen = x * AGENTS;
        for (size_t pair = x * AGENTS; pair < (x + 1) * AGENTS; pair++) {
            best = a->truth[pair] > a->truth[best] ? pair : best;
            chosen = prediction[pair] > prediction[chosen] ? pair : chosen;
        }
        sum += a->truth[best] - a->truth[chosen];
    }
    return sum / CONTEXTS;
}

static int fit_and_print(const struct regret_problem *problem, const struct arrays *a)
{
    static const char *const names[] = {"obs-only", "exp-only", "cvci"};
    struct regret_estimate_options options;
    struct regret_session *session = NULL;
    regret_estimate_options_default(&options);
    int rc = regret_session_open(&session, problem, &options);
    for (size_t i = 0; rc == REGRET_OK && i < sizeof names / sizeof *names; i++) {
        struct regret_estimate *estimate = NULL;
        rc = regret_family_fit(&estimate, regret_family_find(names[i]), session);
        if (rc == REGRET_OK) {
            printf("%-10s regret %.4f\n", names[i], regret_of(estimate->prediction, a));
        }
        regret_estimate_free(estimate);
    }
    regret_session_close(session);
    return rc;
}

int main(void)
{
    struct arrays *a = calloc(1, sizeof *a);
    struct regret_rng rng = regret_rng_at(1, MY_NUMBERS, 0);
    struct regret_rows obs = {0}, exp = {0};
    struct regret_folds *cv = NULL, *dr = NULL;
    int rc = a == NULL ? REGRET_E_NOMEM : regret_rows_create(&obs, OBS);
    if (rc == REGRET_OK) {
        rc = regret_rows_create(&exp, EXP);
    }
    if (rc == REGRET_OK) {
        make_arrays(a, &rng);
        draw_rows(&obs, a, 1, &rng);
        draw_rows(&exp, a, 0, &rng);
        rc = regret_folds_by_agent(&cv, &exp, PAIRS, a->agent, AGENTS, 5, 1);
    }
    if (rc == REGRET_OK) {
        rc = regret_folds_by_row(&dr, &exp, PAIRS, 5, 1, REGRET_RNG_DR_FOLDS);
    }
    if (rc == REGRET_OK) {
        struct regret_design phi = regret_design_dense(PAIRS, FEATURES, a->phi);
        const struct regret_problem problem = {.pairs = PAIRS,
                                               .agent = a->agent,
                                               .n_agents = AGENTS,
                                               .train = a->train,
                                               .phi = phi,
                                               .z = phi,
                                               .obs = &obs,
                                               .exp = &exp,
                                               .cv = cv,
                                               .dr = dr,
                                               .seed = 1};
        rc = fit_and_print(&problem, a);
    }
    if (rc != REGRET_OK) {
        fprintf(stderr, "own_arrays: %s\n", regret_error_message());
    }
    regret_folds_free(cv);
    regret_folds_free(dr);
    regret_rows_clear(&obs);
    regret_rows_clear(&exp);
    free(a);
    return rc == REGRET_OK ? 0 : 1;
}
