#include "experiment/inputs/run_open.h"

#include <stdio.h>

#include "base/core/try.h"
#include "base/files/memory_left.h"
#include "experiment/external/external.h"
#include "experiment/pool/pool_source.h"
#include "regret/experiment.h"

int run_open_plan(struct regret_run_plan **out, const struct regret_run_options *o)
{
    return o->config_text == NULL ? regret_run_plan_read(out, o->config, o->sets, o->n_sets)
                                  : regret_run_plan_parse(out, o->config_text, o->config_length,
                                                          o->config, o->sets, o->n_sets);
}

/* After a grid could not be cut: is it because more hard contexts are asked for than there are? */
static int explain_grid(int rc, const struct regret_run_plan *plan, const struct regret_pool *pool,
                        const char *path)
{
    char reason[1024];
    snprintf(reason, sizeof reason, "%s", regret_error_message());
    for (size_t c = 0; rc == REGRET_E_INPUT && c < regret_run_plan_cells(plan); c++) {
        struct regret_config config;
        struct regret_grid *whole = NULL;
        regret_run_plan_cell(&config, plan, c);
        size_t hard = config.grid.hard_contexts;
        config.grid.hard_contexts = 0;
        if (hard <= 1 || regret_grid_cut(&whole, pool, &config.grid) != REGRET_OK) {
            continue;
        }
        size_t n = whole->n_contexts;
        regret_grid_free(whole);
        if (hard > n) {
            return regret_fail(rc,
                               "%s: contexts.hard = %zu, but the grid of pool \"%s\" has %zu; "
                               "--set contexts.hard=0 keeps them all",
                               path, hard, pool->name, n);
        }
    }
    return regret_fail(rc, "%s", reason);
}

/* Says who is in no order by votes: after the run, recommend refuses to name any of these. */
static int tell_apart(const struct run_inputs *in, regret_notice_callback *notice, void *context)
{
    FREED_BY(regret_buffer_free) struct regret_buffer text = REGRET_BUFFER_INIT;
    for (size_t i = 0; in->votes != NULL && i < in->n_features && text.length == 0; i++) {
        TRY(grid_votes_caution(&text, &in->votes[i]));
    }
    if (text.length > 0) {
        notice(context, regret_buffer_get(&text));
    }
    return REGRET_OK;
}

int run_open_inputs(struct run_inputs **out, const struct regret_run_plan *plan,
                    const struct regret_pool *pool, const char *path,
                    const struct regret_command_options *commands, regret_notice_callback *notice,
                    void *notice_context)
{
    struct run_inputs *inputs = NULL;
    TRY(external_check_allowed(plan, commands, path));
    struct regret_config first;
    regret_run_plan_cell(&first, plan, 0);
    struct memory_left before;
    memory_left(&before);
    int rc = pool_source_explain(run_inputs_create(&inputs, plan, pool), &first, &before, 1);
    if (rc != REGRET_OK) {
        return explain_grid(rc, plan, pool, path);
    }
    TRY_CLEANUP(run_inputs_check(inputs, plan, path));
    TRY_CLEANUP(notice != NULL ? tell_apart(inputs, notice, notice_context) : REGRET_OK);
    TRY_CLEANUP(external_open(&inputs->external, plan, pool, commands));
    *out = inputs;
    inputs = NULL;
cleanup:
    run_inputs_free(inputs);
    return rc;
}
