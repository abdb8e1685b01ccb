/* A family in C: every agent's mean outcome in EXP, shrunk to the mean of all. It looks at no output, and any family
 * that does should recommend better.
 *
 *     f(x,a) = (Σ_{i: A_i=a} Y_i + κ Ȳ) / (n_a + κ)
 *
 * Run a configuration with it, beside the families of the library:
 *
 *     cc agent_means.c $(pkg-config --cflags --libs regret) -o agent-means
 *     ./agent-means CONFIG RUN */
#include <stdio.h>

#include <regret/estimate.h>
#include <regret/experiment.h>
#include <regret/report.h>
#include <regret/status.h>

static const struct regret_hyper shrinkage = {
    .key = "agent_means.kappa",
    .help = "EXP rows that the mean of all agents counts as",
    .kind = REGRET_HYPER_NUMBER,
    .low = 0.0,
    .high = 1e6,
    .preset = {.number = 5.0},
};

/* The shrunken means of the EXP rows outside fold `out` (all rows: SIZE_MAX), by agent. */
static void take_means(double *mean, const struct regret_problem *p, size_t out, double kappa)
{
    double all = 0.0, n = 0.0;
    for (size_t i = 0; i < p->exp->n; i++) {
        int used = out == SIZE_MAX || p->dr->fold[i] != out;
        all += used ? p->exp->y[i] : 0.0;
        n += used;
    }
    all = n > 0.0 ? all / n : 0.5;
    for (size_t a = 0; a < p->n_agents; a++) {
        double sum = kappa * all, weight = kappa;
        for (size_t i = 0; i < p->exp->n; i++) {
            int used = (out == SIZE_MAX || p->dr->fold[i] != out) && p->agent[p->exp->pair[i]] == a;
            sum += used ? p->exp->y[i] : 0.0;
            weight += used;
        }
        mean[a] = weight > 0.0 ? sum / weight : all;
    }
}

/* Fills what the estimate has room for: predictions of every pair, and those out of fold that DR wants. */
static int fit(struct regret_estimate *estimate, struct regret_session *session)
{
    const struct regret_problem *p = regret_session_problem(session);
    double kappa = regret_session_hyper(session, shrinkage.key)->number, *mean = NULL;
    int rc = REGRET_NEW(&mean, p->n_agents);
    if (rc != REGRET_OK) {
        return rc;
    }
    take_means(mean, p, SIZE_MAX, kappa);
    for (size_t i = 0; i < p->pairs; i++) {
        estimate->prediction[i] = mean[p->agent[i]];
    }
    for (size_t k = 0; estimate->cross_fit != NULL && k < p->dr->n_folds; k++) {
        take_means(mean, p, k, kappa);
        for (size_t i = 0; i < p->exp->n; i++) {
            if (p->dr->fold[i] == k) {
                estimate->cross_fit[i] = mean[p->agent[p->exp->pair[i]]];
            }
        }
    }
    regret_free(mean);
    return REGRET_OK;
}

static const struct regret_family agent_means = {
    .name = "agent-means",
    .summary = "every agent's shrunken mean outcome in EXP",
    .hypers = &shrinkage,
    .n_hypers = 1,
    .fit = fit,
};

int main(int argc, char **argv)
{
    struct regret_run_options options = REGRET_RUN_OPTIONS_INIT;
    struct regret_run_summary summary;
    static const char *const sets[] = {"families=[\"exp-only\",\"cvci\",\"agent-means\"]"};
    if (argc != 3) {
        fprintf(stderr, "usage: agent-means CONFIG RUN\n");
        return 2;
    }
    options.config = argv[1];
    options.out = argv[2];
    options.sets = sets;
    options.n_sets = 1;
    int rc = regret_family_register(&agent_means);
    if (rc == REGRET_OK) {
        rc = regret_run(&summary, &options);
    }
    if (rc == REGRET_OK) {
        rc = regret_report_write(argv[2], NULL, NULL);
    }
    if (rc != REGRET_OK) {
        fprintf(stderr, "agent-means: %s\n", regret_error_message());
        return 1;
    }
    printf("%zu replicates of %zu cells in %s\n", summary.replicates, summary.cells, argv[2]);
    return 0;
}
