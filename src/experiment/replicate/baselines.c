#include "experiment/replicate/baselines.h"

#include <math.h>
#include <string.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "regret/measure.h"

size_t baselines_count(const struct run_inputs *inputs)
{
    return run_inputs_tags(inputs) > 1 ? ROW_BASELINES : ROW_BASELINES_ALWAYS;
}

/* Which kind a context is of, for a rule: its tag or, of one agent for all, none. */
struct kinds {
    const uint32_t *kind; /* [n_contexts]; NULL: all are of one */
    size_t n;
};

static struct kinds kinds_of(const struct setting *s, enum regret_rule rule)
{
    const struct regret_grid *g = s->features->grid;
    int by_tag = rule == REGRET_RULE_BY_TAG && g->n_tags > 0;
    return (struct kinds){by_tag ? g->kind : NULL, by_tag ? g->n_tags : 1};
}

/* Sums of outcomes and how many there are, by agent, of a kind of contexts. */
static void add_rows(double *sum, double *count, const struct kinds *kinds, const struct setting *s,
                     const struct regret_rows *rows)
{
    const struct feature_set *f = s->features;
    for (size_t i = 0; i < rows->n; i++) {
        size_t pair = rows->pair[i];
        size_t k = kinds->kind != NULL ? kinds->kind[f->context[pair]] : 0;
        size_t at = k * s->task->n_agents + f->agent[pair];
        sum[at] += rows->y[i];
        count[at] += 1.0;
    }
}

/* The agent of the largest mean outcome over the rows, by kind of contexts. An agent without rows of the kind does not
 * compete, however few the others have; of equals the lowest. A kind without rows has the agent of all rows. */
static int best_by_kind(size_t *best, const struct kinds *kinds, const struct setting *s,
                        const struct regret_rows *rows)
{
    const struct kinds whole = {NULL, 1};
    size_t n_agents = s->task->n_agents, n = (kinds->n + 1) * n_agents; /* all rows stand last */
    double *sum = NULL;
    TRY(REGRET_NEW(&sum, 2 * n));
    double *count = sum + n, *all = sum + kinds->n * n_agents;
    add_rows(sum, count, kinds, s, rows);
    add_rows(all, count + kinds->n * n_agents, &whole, s, rows);
    for (size_t i = 0; i < n; i++) {
        sum[i] /= count[i]; /* 0/0 = NaN never wins */
    }
    for (size_t k = 0; k < kinds->n; k++) {
        const double *mean = sum + k * n_agents;
        size_t a = 0;
        while (a < n_agents && isnan(mean[a])) {
            a++;
        }
        best[k] = regret_argmax(a < n_agents ? mean : all, n_agents);
    }
    regret_free(sum);
    return REGRET_OK;
}

const struct regret_rows *baselines_rows(const struct row_baseline *baseline,
                                         const struct draws *draws)
{
    return strcmp(baseline->source, "EXP") == 0 ? &draws->exp : &draws->obs;
}

int baselines_agent_means(double *mean, const struct setting *s, const struct regret_rows *rows)
{
    const struct kinds whole = {NULL, 1};
    size_t n = s->task->n_agents;
    double *count = NULL;
    TRY(REGRET_NEW(&count, n));
    memset(mean, 0, n * sizeof *mean);
    add_rows(mean, count, &whole, s, rows);
    for (size_t a = 0; a < n; a++) {
        mean[a] /= count[a];
    }
    regret_free(count);
    return REGRET_OK;
}

/* By rows of EXP or OBS. */
static int choose_by_rows(size_t *choice, const struct row_baseline *baseline,
                          const struct setting *s, const struct draws *draws)
{
    const struct regret_split *split = s->split.contexts;
    const struct regret_rows *rows = baselines_rows(baseline, draws);
    const struct kinds kinds = kinds_of(s, baseline->rule);
    size_t *best = NULL;
    int rc;
    TRY_CLEANUP(REGRET_NEW(&best, kinds.n));
    TRY_CLEANUP(best_by_kind(best, &kinds, s, rows));
    for (size_t i = 0; i < split->n_test; i++) {
        choice[i] = best[kinds.kind != NULL ? kinds.kind[split->test[i]] : 0];
    }
cleanup:
    regret_free(best);
    return rc;
}

static void choose_best(size_t *choice, const struct setting *s)
{
    const struct regret_split *split = s->split.contexts;
    size_t n_agents = s->task->n_agents;
    for (size_t i = 0; i < split->n_test; i++) {
        choice[i] = regret_argmax(s->task->target + split->test[i] * n_agents, n_agents);
    }
}

int baselines_make(struct baselines *out, const struct setting *s, const struct draws *draws,
                   size_t n)
{
    size_t n_test = s->split.contexts->n_test;
    TRY(REGRET_NEW(&out->choice, n * n_test));
    out->n = n;
    for (size_t i = 0; i < n; i++) {
        size_t *choice = out->choice + i * n_test;
        if (row_baselines[i].source != NULL) {
            TRY(choose_by_rows(choice, &row_baselines[i], s, draws));
        } else if (row_baselines[i].rule == REGRET_RULE_ORACLE) {
            choose_best(choice, s);
        }
    }
    return REGRET_OK;
}
