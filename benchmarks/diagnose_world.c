/* How often the diagnostics of a log say no to a clean one, and how often they find what is wrong.
 *
 * usage: diagnose-world clean|broken|large LOGS [FIRST_SEED [FIRST_SHAPE]]
 *
 * clean: for each shape of clean logs the share that is told no, or caution, by any entry, and the entries that said so.
 * broken: for each planted defect the share in which the entries that should find it say no, or at least caution.
 * large: one log of LOGS rows of OBS and 20,000 of EXP, and the seconds that it takes.
 * All logs are synthetic (tests/diagnose/log_world.h). Lines are rows of a Markdown table. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "diagnose/log_world.h"
#include "regret/evaluate.h"

struct shape {
    const char *name;
    struct log_world world;
    const char *found_by[3]; /* entries that should find it, any of them */
};

#define COMMON .n_agents = 5, .n_tags = 4, .n_obs = 2000, .n_exp = 400, .binary = 1

static const struct shape clean[] = {
    {"plain: 2,000 + 400 rows, 5 agents, binary", {COMMON}, {0}},
    {"few rows: 300 + 60, 3 agents, no text",
     {.n_agents = 3, .n_tags = 3, .n_obs = 300, .n_exp = 60, .binary = 1, .no_text = 1},
     {0}},
    {"rare failures: base rate about .95", {COMMON, .base = 3.0}, {0}},
    {"between 0 and 1", {.n_agents = 5, .n_tags = 4, .n_obs = 2000, .n_exp = 400}, {0}},
    {"users of 6 rows", {COMMON, .user_rows = 6.0}, {0}},
    {"users of 6 rows, assigned as one", {COMMON, .user_rows = 6.0, .by_user = 1}, {0}},
    {"unequal probabilities", {COMMON, .probabilities = WORLD_BY_AGENT}, {0}},
    {"probabilities by tag", {COMMON, .probabilities = WORLD_BY_TAG}, {0}},
    {"probabilities by row", {COMMON, .probabilities = WORLD_BY_ROW}, {0}},
    {"40 agents, 4,000 + 1,200 rows",
     {.n_agents = 40, .n_tags = 6, .n_obs = 4000, .n_exp = 1200, .binary = 1},
     {0}},
};

static const struct shape broken[] = {
    {"hidden confounder, weak", {COMMON, .hidden = 0.3}, {"gap", "gap.adjusted", "gap.tag"}},
    {"hidden confounder, strong", {COMMON, .hidden = 1.0}, {"gap", "gap.adjusted", "gap.tag"}},
    {"hidden confounder, strong, 20,000 + 2,000 rows",
     {.n_agents = 5, .n_tags = 4, .n_obs = 20000, .n_exp = 2000, .binary = 1, .hidden = 1.0},
     {"gap", "gap.adjusted", "gap.tag"}},
    {"recorded confounder (tag): gap", {COMMON, .recorded = 1.5}, {"gap"}},
    {"recorded confounder (tag): gap left after adjusting",
     {COMMON, .recorded = 1.5},
     {"gap.adjusted"}},
    {"assignment by tag, odds 1.5 a deviation", {COMMON, .assign_tag = 0.2}, {"balance.tag"}},
    {"assignment by tag, odds 2.7 a deviation", {COMMON, .assign_tag = 0.5}, {"balance.tag"}},
    {"assignment by a word, odds 7", {COMMON, .assign_word = 1.0}, {"balance.words"}},
    {"assignment by a word, odds 7, 2,000 rows",
     {.n_agents = 5, .n_tags = 4, .n_obs = 2000, .n_exp = 2000, .binary = 1, .assign_word = 1.0},
     {"balance.words"}},
    {"assignment by a covariate", {COMMON, .assign_column = 0.4}, {"balance.covariates"}},
    {"assignment moves with time", {COMMON, .assign_time = 1.0}, {"balance.time"}},
    {"assignment sticks, one time in four",
     {COMMON, .user_rows = 6.0, .sticky = 0.25},
     {"balance.previous"}},
    {"assignment by tag, probabilities by row",
     {COMMON, .probabilities = WORLD_BY_ROW, .assign_tag = 0.5},
     {"balance.tag"}},
    {"wrong probabilities, factor 1.5", {COMMON, .wrong = 0.405}, {"shares"}},
    {"wrong probabilities, factor 2", {COMMON, .wrong = 0.693}, {"shares"}},
    {"wrong probabilities, factor 2, by row",
     {COMMON, .probabilities = WORLD_BY_ROW, .wrong = 0.693},
     {"shares"}},
    {"OBS drifts by 1 logit", {COMMON, .drift_obs = 1.0}, {"drift.obs"}},
    {"EXP drifts by 1 logit", {COMMON, .drift_exp = 1.0}, {"drift.exp"}},
    {"an agent changed between log and trial, 1 logit",
     {COMMON, .changed = 1.0},
     {"gap", "gap.adjusted", "gap.tag"}},
    {"other tags in the trial", {COMMON, .mixed = 0.8}, {"contexts"}},
    {"a tenth of OBS stands in it twice", {COMMON, .repeated = 0.1}, {"repeated.obs"}},
};

struct tally {
    const char *name;
    size_t cautions, noes;
};
enum { MOST_NAMES = 64 };

static void add(struct tally *tally, size_t *n, const char *name, int is_no)
{
    size_t i = 0;
    while (i < *n && strcmp(tally[i].name, name) != 0) {
        i++;
    }
    if (i == *n) {
        tally[(*n)++] = (struct tally){name, 0, 0};
    }
    tally[i].cautions++;
    tally[i].noes += (size_t)is_no;
}

static struct regret_diagnostics *diagnose(const struct log_world *world, double *seconds)
{
    struct regret_diagnose_options options = REGRET_DIAGNOSE_OPTIONS_INIT;
    struct regret_diagnostics *d = NULL;
    struct regret_log *log = log_world_make(world);
    struct timespec from, to;
    options.seed = world->seed;
    timespec_get(&from, TIME_UTC);
    if (!log || regret_diagnose(&d, log, &options) != REGRET_OK) {
        fprintf(stderr, "diagnose-world: %s\n", regret_error_message());
        exit(1);
    }
    timespec_get(&to, TIME_UTC);
    *seconds = difftime(to.tv_sec, from.tv_sec) + 1e-9 * (double)(to.tv_nsec - from.tv_nsec);
    regret_log_free(log);
    return d;
}

static void run_clean(const struct shape *shape, size_t logs, size_t first)
{
    struct tally tally[MOST_NAMES];
    size_t n = 0, noes = 0, cautions = 0;
    double seconds, sum = 0.0;
    for (size_t i = 0; i < logs; i++) {
        struct log_world world = shape->world;
        world.seed = first + i;
        struct regret_diagnostics *d = diagnose(&world, &seconds);
        sum += seconds;
        noes += d->n > 0 && d->entry[0].verdict == REGRET_DIAGNOSTIC_NO;
        cautions += d->n > 0 && d->entry[0].verdict != REGRET_DIAGNOSTIC_FINE;
        for (size_t k = 0; k < d->n && d->entry[k].verdict != REGRET_DIAGNOSTIC_FINE; k++) {
            add(tally, &n, d->entry[k].name, d->entry[k].verdict == REGRET_DIAGNOSTIC_NO);
        }
        regret_diagnostics_free(d);
    }
    printf("| %s | %zu | %.1f %% | %.1f %% |", shape->name, logs,
           100.0 * (double)noes / (double)logs, 100.0 * (double)cautions / (double)logs);
    for (size_t i = 0; i < n; i++) {
        printf("%s%s %zu (%zu no)", i ? ", " : " ", tally[i].name, tally[i].cautions,
               tally[i].noes);
    }
    printf(" | %.2f |\n", sum / (double)logs);
    fflush(stdout);
}

static int is_wanted(const struct shape *shape, const char *name)
{
    for (size_t i = 0; i < 3 && shape->found_by[i]; i++) {
        if (strcmp(shape->found_by[i], name) == 0) {
            return 1;
        }
    }
    return 0;
}

static void run_broken(const struct shape *shape, size_t logs, size_t first)
{
    size_t noes = 0, cautions = 0, others = 0;
    double seconds;
    for (size_t i = 0; i < logs; i++) {
        struct log_world world = shape->world;
        int worst = 0, other = 0;
        world.seed = first + i;
        struct regret_diagnostics *d = diagnose(&world, &seconds);
        for (size_t k = 0; k < d->n; k++) {
            int verdict = (int)d->entry[k].verdict;
            if (is_wanted(shape, d->entry[k].name)) {
                worst = verdict > worst ? verdict : worst;
            } else if (strncmp(d->entry[k].name, "gap", 3) != 0) {
                other = verdict > other ? verdict : other;
            }
        }
        noes += worst == REGRET_DIAGNOSTIC_NO;
        cautions += worst != REGRET_DIAGNOSTIC_FINE;
        others += other != REGRET_DIAGNOSTIC_FINE;
        regret_diagnostics_free(d);
    }
    printf("| %s |", shape->name);
    for (size_t i = 0; i < 3 && shape->found_by[i]; i++) {
        printf("%s`%s`", i ? ", " : " ", shape->found_by[i]);
    }
    printf(" | %zu | %.0f %% | %.0f %% | %.0f %% |\n", logs, 100.0 * (double)noes / (double)logs,
           100.0 * (double)cautions / (double)logs, 100.0 * (double)others / (double)logs);
    fflush(stdout);
}

static void run_large(size_t rows)
{
    struct log_world world = {COMMON, .seed = 1};
    double seconds;
    world.n_obs = rows;
    world.n_exp = 20000;
    world.user_rows = 5.0;
    world.no_text =
        rows > 1000000; /* of so many rows texts are kept of those that are drawn alone */
    struct regret_diagnostics *d = diagnose(&world, &seconds);
    for (size_t k = 0; k < d->n; k++) {
        printf("%-20s %-8s %9.4f [%7.4f, %7.4f] p %.4f  %s\n", d->entry[k].name,
               regret_diagnostic_verdict_name(d->entry[k].verdict), d->entry[k].value,
               d->entry[k].low, d->entry[k].high, d->entry[k].p, d->entry[k].sentence);
    }
    printf("%zu + %zu rows: %.1f s\n", world.n_obs, world.n_exp, seconds);
    regret_diagnostics_free(d);
}

int main(int argc, char **argv)
{
    size_t logs = argc > 2 ? strtoull(argv[2], NULL, 10) : 0;
    size_t first = argc > 3 ? strtoull(argv[3], NULL, 10) : 1;
    if (logs < 1) {
        fprintf(stderr,
                "usage: diagnose-world clean|broken|large LOGS [FIRST_SEED [FIRST_SHAPE]]\n");
        return 2;
    }
    if (strcmp(argv[1], "large") == 0) {
        run_large(logs);
        return 0;
    }
    int is_clean = strcmp(argv[1], "clean") == 0;
    const struct shape *shapes = is_clean ? clean : broken;
    size_t n = is_clean ? sizeof clean / sizeof *clean : sizeof broken / sizeof *broken;
    puts(is_clean ? "| clean logs | logs | told no | told caution or no | by | s a log "
                    "|\n|---|---:|---:|---:|---|---:|"
                  : "| planted | found by | logs | no | caution or no | other entries not fine "
                    "|\n|---|---|---:|---:|---:|---:|");
    for (size_t i = argc > 4 ? strtoull(argv[4], NULL, 10) : 0; i < n; i++) {
        (is_clean ? run_clean : run_broken)(&shapes[i], logs, first);
    }
    return 0;
}
