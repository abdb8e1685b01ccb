#include <math.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "regret/rng.h"
#include "regret/task.h"

int regret_rows_create(struct regret_rows *rows, size_t n)
{
    TRY(REGRET_NEW(&rows->pair, n));
    TRY(REGRET_NEW(&rows->segment, n));
    TRY(REGRET_NEW(&rows->y, n));
    rows->n = n;
    return REGRET_OK;
}

void regret_rows_clear(struct regret_rows *rows)
{
    regret_free(rows->pair);
    regret_free(rows->segment);
    regret_free(rows->y);
    regret_free(rows->judged);
    *rows = (struct regret_rows){0};
}

static double draw_outcome(const struct regret_outcome_options *o, double mean,
                           struct regret_rng *rng)
{
    if (o->law == REGRET_OUTCOME_NONE) {
        return mean;
    }
    mean = fmin(fmax(mean, o->margin), 1.0 - o->margin);
    return regret_rng_beta(rng, o->precision * mean, o->precision * (1.0 - mean));
}

/* The streams of a sample: row i takes what it chooses from one, its outcome from the other; of EXP a second outcome. */
struct streams {
    uint64_t seed;
    enum regret_purpose row, outcome, judged;
};

static void draw_row(struct regret_rows *rows, size_t i, const struct regret_task *task,
                     const struct regret_split *split, void *logger, const struct streams *streams)
{
    struct regret_rng rng = regret_rng_at(streams->seed, streams->row, i);
    struct regret_rng noise = regret_rng_at(streams->seed, streams->outcome, i);
    struct regret_choice chosen;
    size_t pairs = regret_task_first(task, task->n_contexts * task->n_agents);
    size_t x = split->train[regret_rng_below(&rng, (uint32_t)split->n_train)];
    task->policy->choose(&chosen, task, logger, x, &rng);
    size_t pair = regret_task_first(task, x * task->n_agents + chosen.agent) + chosen.draw;
    rows->pair[i] = (uint32_t)pair;
    rows->segment[i] = (uint32_t)chosen.segment;
    size_t at = chosen.segment * pairs + pair;
    const double *mean = logger != NULL && task->obs_mean != NULL ? task->obs_mean : task->mean;
    rows->y[i] = draw_outcome(&task->outcome, mean[at], &noise);
    if (rows->judged != NULL && task->obs_mean != NULL) {
        noise = regret_rng_at(streams->seed, streams->judged, i);
        rows->judged[i] = draw_outcome(&task->outcome, task->obs_mean[at], &noise);
    }
}

static int draw_rows(struct regret_rows *out, const struct regret_task *task,
                     const struct regret_split *split, void *logger, size_t n,
                     const struct streams *streams)
{
    FREED_BY(regret_rows_clear) struct regret_rows rows = {0};
    if (split->n_train == 0 || split->train[split->n_train - 1] >= task->n_contexts) {
        return regret_fail(REGRET_E_INPUT,
                           "the split's training contexts are not among the task's %zu; split "
                           "the same contexts",
                           task->n_contexts);
    }
    TRY(regret_rows_create(&rows, n));
    TRY(logger == NULL && task->obs_mean != NULL ? REGRET_NEW(&rows.judged, n) : REGRET_OK);
    for (size_t i = 0; i < n; i++) {
        draw_row(&rows, i, task, split, logger, streams);
    }
    *out = rows;
    rows = (struct regret_rows){0};
    return REGRET_OK;
}

int regret_draw_exp(struct regret_rows *out, const struct regret_task *task,
                    const struct regret_split *split, size_t n, uint64_t seed)
{
    const struct streams streams = {seed, REGRET_RNG_EXP_ROW, REGRET_RNG_EXP_OUTCOME,
                                    REGRET_RNG_EXP_JUDGED};
    return draw_rows(out, task, split, NULL, n, &streams);
}

int regret_draw_obs(struct regret_rows *out, const struct regret_task *task,
                    const struct regret_split *split, size_t n, uint64_t seed)
{
    const struct streams streams = {seed, REGRET_RNG_OBS_ROW, REGRET_RNG_OBS_OUTCOME,
                                    REGRET_RNG_OBS_OUTCOME};
    void *logger = NULL;
    TRY(task->policy->open(&logger, task, split));
    int rc = draw_rows(out, task, split, logger, n, &streams);
    task->policy->close(logger);
    return rc;
}

size_t regret_task_first(const struct regret_task *task, size_t cell)
{
    return regret_first_pair(task->first, task->n_draws, cell);
}

void regret_task_free(struct regret_task *task)
{
    if (task != NULL) {
        task->policy->free(task);
    }
}
