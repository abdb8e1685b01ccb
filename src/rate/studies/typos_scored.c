/* Fig. 3 from rows that somebody's own rewriter and reward models made. */
#include <stdlib.h>
#include <string.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "regret/rate_study.h"

static int compare_rates(const void *a, const void *b)
{
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

/* The percent that the dataset of a group is. */
static int rate_of(size_t *percent, const struct regret_rate_group *g)
{
    char *end = NULL;
    unsigned long value = strtoul(g->dataset, &end, 10);
    if (g->dataset[0] < '0' || g->dataset[0] > '9' || *end != '\0' || value > 100) {
        return regret_fail(REGRET_E_INPUT,
                           "\"%s\" is no percent of words with typos; every row needs a "
                           "\"typo_percent\" from 0 to 100, as the exported ones have it",
                           g->dataset);
    }
    *percent = value;
    return REGRET_OK;
}

/* The rates of all groups, in order. */
static int find_rates(struct regret_rate_typo_rates *rates, const struct regret_rate_rows *rows)
{
    if (rows->n_groups > REGRET_RATE_TYPO_MAX) {
        return regret_fail(REGRET_E_INPUT, "more than %d rates of typos", REGRET_RATE_TYPO_MAX);
    }
    for (size_t g = 0; g < rows->n_groups; g++) {
        if (strcmp(rows->groups[g].attribute, rows->groups[0].attribute) != 0) {
            return regret_fail(REGRET_E_INPUT,
                               "the rows have attributes \"%s\" and \"%s\"; give "
                               "those of one",
                               rows->groups[0].attribute, rows->groups[g].attribute);
        }
        TRY(rate_of(&rates->percents[g], &rows->groups[g]));
    }
    rates->n = rows->n_groups;
    qsort(rates->percents, rows->n_groups, sizeof *rates->percents, compare_rates);
    for (size_t k = 1; k < rates->n; k++) {
        if (rates->percents[k] == rates->percents[k - 1]) {
            return regret_fail(REGRET_E_INPUT, "two spellings of %zu %% typos; write it one way",
                               rates->percents[k]);
        }
    }
    return REGRET_OK;
}

/* Puts the estimates in their places; a model that a rate lacks is refused. */
static int place_estimates(struct regret_rate_typos *typos,
                           const struct regret_rate_typo_rates *rates,
                           const struct regret_rate_rows *rows,
                           const struct regret_rate_estimate *e, size_t n)
{
    if (n != rows->n_groups * rows->n_models) {
        return regret_fail(REGRET_E_INPUT,
                           "a reward model has not scored the texts of every rate; score them, or "
                           "give the files of one model");
    }
    for (size_t k = 0; k < n; k++) {
        size_t percent = 0, at = 0;
        TRY(rate_of(&percent, &rows->groups[e[k].group]));
        while (rates->percents[at] != percent) {
            at++;
        }
        typos[e[k].model].rates[at] = e[k];
    }
    return REGRET_OK;
}

int regret_rate_scored_typos(struct regret_rate_typos **out, size_t *n,
                             struct regret_rate_typo_rates *rates,
                             const struct regret_rate_rows *rows,
                             const struct regret_rate_options *estimate)
{
    struct regret_rate_typos *typos = NULL;
    struct regret_rate_estimate *e = NULL;
    size_t found = 0;
    int rc;
    TRY(find_rates(rates, rows));
    TRY_CLEANUP(REGRET_NEW(&typos, rows->n_models));
    for (size_t m = 0; m < rows->n_models; m++) {
        TRY_CLEANUP(regret_strdup(&typos[m].model, rows->models[m].name));
    }
    TRY_CLEANUP(regret_rate_estimate(&e, &found, rows, estimate));
    TRY_CLEANUP(place_estimates(typos, rates, rows, e, found));
    *out = typos;
    *n = rows->n_models;
    typos = NULL;
cleanup:
    regret_free(e);
    if (typos != NULL) {
        regret_rate_typos_free(typos, rows->n_models);
    }
    return rc;
}

void regret_rate_typos_free(struct regret_rate_typos *typos, size_t n)
{
    for (size_t m = 0; m < n; m++) {
        regret_free(typos[m].model);
    }
    regret_free(typos);
}
