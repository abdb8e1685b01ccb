/* Whole replicates of your pool from a program: every family on a configuration, without the command line.
 *
 *     cc replicate.c $(pkg-config --cflags --libs regret) && ./a.out CONFIG RUN-FOLDER [KEY=VALUE...]
 */
#include <stdio.h>

#include <regret/regret.h>

static int show(void *context, const struct regret_progress *progress)
{
    (void)context;
    fprintf(stderr, "\r%zu of %zu replicates%s", progress->done, progress->total,
            progress->done == progress->total ? "\n" : "");
    return 0; /* anything else would stop the run; what is done stays */
}

/* The mean regret of a family or baseline over cells and seeds. */
static double mean_regret(const struct regret_results *r, size_t subject)
{
    double sum = 0.0;
    for (size_t cell = 0; cell < r->n_cells; cell++) {
        for (size_t seed = 0; seed < r->n_seeds; seed++) {
            sum += regret_results_value(r, REGRET_MEASURE_REGRET, subject, cell, seed);
        }
    }
    return sum / (double)(r->n_cells * r->n_seeds);
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fprintf(stderr, "usage: %s CONFIG RUN-FOLDER [KEY=VALUE...]\n", argv[0]);
        return 2;
    }
    struct regret_run_options options = REGRET_RUN_OPTIONS_INIT;
    struct regret_run_summary summary;
    struct regret_results *results = NULL;
    options.config = argv[1];
    options.out = argv[2];
    options.sets = (const char *const *)argv + 3;
    options.n_sets = (size_t)argc - 3;
    options.threads = regret_processor_count();
    options.resume = 1; /* goes on with what an interrupted call left */
    options.progress = show;
    int rc = regret_run(&summary, &options);
    if (rc == REGRET_OK) {
        rc = regret_results_read(&results, argv[2]);
    }
    for (size_t i = 0; rc == REGRET_OK && i < results->n_subjects; i++) {
        if (results->subjects[i].kind != REGRET_ROW_FIT) {
            printf("%-20s %.4f\n", results->subjects[i].name, mean_regret(results, i));
        }
    }
    if (rc != REGRET_OK) {
        fprintf(stderr, "replicate: %s\n", regret_error_message());
    }
    regret_results_free(results);
    return rc == REGRET_OK ? 0 : 1;
}
