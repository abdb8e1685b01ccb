#include "experiment/run/run_batches.h"

#include <string.h>

#include "base/core/try.h"
#include "experiment/config/config_keys.h"
#include "regret/alloc.h"

/* With fewer batches for a thread than these the last ones would keep it waiting. */
enum { BATCHES_A_THREAD = 4 };

/* The keys of a cell, but for n_exp. */
static int shared_keys(struct regret_buffer *out, const struct regret_run_plan *plan, size_t cell)
{
    struct regret_config config;
    regret_run_plan_cell(&config, plan, cell);
    config.n_exp = 0;
    regret_buffer_clear(out);
    config_members_json(out, &config);
    return regret_buffer_status(out);
}

/* follows[c]: cell c differs from the one before it in n_exp alone. */
static int compare_cells(unsigned char *follows, const struct regret_run_plan *plan)
{
    struct regret_buffer keys[2] = {REGRET_BUFFER_INIT, REGRET_BUFFER_INIT};
    int rc = REGRET_OK;
    for (size_t c = 0; c < regret_run_plan_cells(plan); c++) {
        TRY_CLEANUP(shared_keys(&keys[c % 2], plan, c));
        follows[c] = c > 0 && strcmp(regret_buffer_get(&keys[0]), regret_buffer_get(&keys[1])) == 0;
    }
cleanup:
    regret_buffer_free(&keys[0]);
    regret_buffer_free(&keys[1]);
    return rc;
}

static void cut(struct run_batches *out, const unsigned char *follows, size_t cells, size_t begin,
                size_t end)
{
    out->n = 0;
    for (size_t i = begin; i < end; i++) {
        if (i == begin || follows == NULL || !follows[i % cells]) {
            out->begin[out->n++] = i;
        }
    }
    out->begin[out->n] = end;
}

int run_batches_create(struct run_batches *out, const struct regret_run_plan *plan, size_t begin,
                       size_t end, size_t threads)
{
    size_t cells = regret_run_plan_cells(plan);
    FREED unsigned char *follows = NULL;
    TRY(REGRET_NEW(&follows, cells));
    TRY(REGRET_NEW(&out->begin, end - begin + 1));
    TRY(compare_cells(follows, plan));
    cut(out, follows, cells, begin, end);
    if (out->n / BATCHES_A_THREAD < threads) {
        cut(out, NULL, cells, begin, end);
    }
    return REGRET_OK;
}

void run_batches_free(struct run_batches *batches)
{
    regret_free(batches->begin);
    *batches = (struct run_batches){0};
}
