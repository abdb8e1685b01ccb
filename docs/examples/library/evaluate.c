/* A log and a trial, from evaluate.json to an answer.
 *
 *     cc evaluate.c $(pkg-config --cflags --libs regret) && ./a.out evaluate.json
 */
#include <stdio.h>

#include <regret/regret.h>

static void print_answer(const struct regret_evaluation *e, const struct regret_log *log)
{
    printf("%s: %s\n", regret_verdict_name(e->verdict), e->sentence);
    for (size_t a = 0; a < e->n_agents; a++) {
        const struct regret_valued *v = &e->agent[a].value[REGRET_VALUE_SNDR];
        printf("  %-20s %.3f [%.3f, %.3f]\n", log->agent[a], v->value, v->low, v->high);
    }
}

int main(int argc, char **argv)
{
    const struct regret_family *families[REGRET_MAX_FAMILIES];
    struct regret_evaluate_options options;
    struct regret_evaluation *evaluation = NULL;
    struct regret_log *log = NULL;
    if (argc != 2) {
        fprintf(stderr, "usage: %s evaluate.json\n", argv[0]);
        return 2;
    }
    int rc = regret_evaluate_options_read(&options, families, argv[1]);
    if (rc == REGRET_OK) {
        rc = regret_log_read(&log, argv[1]);
    }
    if (rc == REGRET_OK) {
        rc = regret_evaluate(&evaluation, log, &options);
    }
    if (rc == REGRET_OK) {
        print_answer(evaluation, log);
    } else {
        fprintf(stderr, "evaluate: %s\n", regret_error_message());
    }
    regret_evaluation_free(evaluation);
    regret_log_free(log);
    return rc == REGRET_OK ? 0 : 1;
}
