#include "experiment/config/run_plan.h"

#include <string.h>

#include "base/core/try.h"

static int starts_with(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

/* A sweep along what the task does not have would make cells of equal results. */
static int check_axes(const struct regret_run_plan *plan, const char *path)
{
    int world = plan->base.task == REGRET_TASK_WORLD;
    for (size_t i = 0; i < plan->n_axes; i++) {
        const char *name = plan->axis[i].key->name;
        if (plan->base.split == REGRET_SPLIT_ONE_KIND &&
            strcmp(name, "contexts.train_share") == 0) {
            return regret_fail(REGRET_E_INPUT,
                               "%s: \"%s\" cannot be swept with contexts.split = "
                               "\"leave-one-tag-out\", which says which contexts train",
                               path, name);
        }
        if (plan->base.context_folds > 0 && strcmp(name, "contexts.train_share") == 0) {
            return regret_fail(REGRET_E_INPUT,
                               "%s: \"%s\" cannot be swept with contexts.folds = %zu, which says "
                               "how many contexts train; sweep contexts.folds",
                               path, name, plan->base.context_folds);
        }
        if (strcmp(name, "exp.outcome") == 0) {
            return regret_fail(REGRET_E_INPUT,
                               "%s: \"%s\" cannot be swept: it says what is true, and regrets of "
                               "different truths are no one table; make a run of each",
                               path, name);
        }
        int of_pool = strcmp(name, "obs.outcome") == 0 || starts_with(name, "reward.") ||
                      starts_with(name, "outcome.") || starts_with(name, "router.") ||
                      starts_with(name, "spread.");
        if (world ? of_pool : starts_with(name, "world.")) {
            return regret_fail(REGRET_E_INPUT, "%s: \"%s\" cannot be swept with task \"%s\", %s",
                               path, name, world ? "world" : "pool",
                               world ? "whose outcomes have a law of their own; see the keys "
                                       "world.*"
                                     : "which has no controlled world; set task to \"world\"");
        }
    }
    return REGRET_OK;
}

static int check_world(const struct regret_config *cell, const char *path)
{
    int rc = REGRET_OK;
    if (regret_spread_is_on(&cell->spread)) {
        rc = regret_fail(REGRET_E_INPUT,
                         "spread.* changes the scores of a pool, and the outcomes of a controlled "
                         "world do not come of them; leave these keys out, or set task to "
                         "\"pool\"");
    } else if (cell->logging.beta > 1.0) {
        rc = regret_fail(REGRET_E_INPUT,
                         "beta = %g is out of range in a controlled world, where it is the chance "
                         "of the latent user's own choice; use 0 to 1",
                         cell->logging.beta);
    } else {
        rc = regret_world_options_check(&cell->world, 0);
    }
    return rc != REGRET_OK ? regret_fail_prefix(rc, "%s", path) : rc;
}

int run_plan_check(const struct regret_run_plan *plan, const char *path)
{
    const struct regret_config *c = &plan->base;
    if (c->pool[0] == '\0') {
        return regret_fail(REGRET_E_INPUT,
                           "%s: no \"pool\"; name the folder of a task pool, or --set pool=DIR",
                           path);
    }
    double cells = 1.0;
    for (size_t i = 0; i < plan->n_axes; i++) {
        cells *= (double)plan->axis[i].n;
    }
    if (cells > REGRET_MAX_CELLS) {
        return regret_fail(REGRET_E_INPUT, "%s: the sweep makes %.0f cells; at most %d are allowed",
                           path, cells, REGRET_MAX_CELLS);
    }
    TRY(check_axes(plan, path));
    for (size_t i = 0; i < regret_run_plan_cells(plan); i++) {
        struct regret_config cell;
        regret_run_plan_cell(&cell, plan, i);
        if ((cell.features.buckets & (cell.features.buckets - 1)) != 0) {
            return regret_fail(REGRET_E_INPUT,
                               "%s: \"features.buckets\" must be a power of two, but is %zu", path,
                               cell.features.buckets);
        }
        if (cell.split == REGRET_SPLIT_ONE_KIND && cell.context_folds > 0) {
            return regret_fail(REGRET_E_INPUT,
                               "%s: contexts.split = \"leave-one-tag-out\" holds out one tag after "
                               "the other, contexts.folds = %zu does so with blocks of contexts; "
                               "--set contexts.folds=0",
                               path, cell.context_folds);
        }
        if (cell.task == REGRET_TASK_WORLD) {
            TRY(check_world(&cell, path));
        }
        if (config_wants_weights(&cell) && cell.transport_weights[0] == '\0') {
            return regret_fail(REGRET_E_INPUT,
                               "%s: \"transport.by\" is \"weights\", but no file is named; --set "
                               "transport.weights=FILE",
                               path);
        }
    }
    return REGRET_OK;
}
