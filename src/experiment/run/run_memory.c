#include "experiment/run/run_memory.h"

#include <math.h>

#include "base/core/try.h"
#include "experiment/features/cell_cost.h"

static const double GIB = 1073741824.0;

/* Of what sizes say so little is certain. */
static const double CERTAIN = 0.7;

/* Of a thread besides what its replicates hold: its stack, what malloc() reserves for it, and a buffer of OpenBLAS, which waits
 * without end for one that it does not get. */
static const double RESERVED = (8.0 + 64.0 + 132.0) * 1048576.0;

static void put_left(struct regret_buffer *t, const struct memory_left *left)
{
    regret_buffer_printf(t, "the %.2f GiB left of the %.2f GiB %s", left->bytes / GIB,
                         left->allowed / GIB,
                         left->is_address_space ? "of address space allowed (ulimit -v)"
                         : left->is_limited     ? "that the control group of this process allows"
                                                : "of memory there are");
}

/* What takes less. */
static void put_remedy(struct regret_buffer *t, const struct run_memory *m)
{
    regret_buffer_printf(t,
                         "; it has %zu rows (n_obs + n_exp) of %zu columns: fewer rows, fewer "
                         "columns (features.buckets)%s or a smaller pool (regret pool select) take "
                         "less",
                         m->rows, m->columns, m->is_direct ? ", solver=iterative" : "");
}

int run_memory_open(struct run_memory *out, const struct regret_run_plan *plan,
                    const struct run_inputs *inputs)
{
    FREED_BY(regret_buffer_free) struct regret_buffer text = REGRET_BUFFER_INIT;
    struct run_memory m = {.shared = memory_resident()};
    for (size_t c = 0; c < regret_run_plan_cells(plan); c++) {
        struct regret_config config;
        const struct feature_set *features = run_inputs_features(inputs, c);
        regret_run_plan_cell(&config, plan, c);
        double bytes = cell_bytes(&config, features);
        if (bytes > m.bytes) {
            m.cell = c;
            m.bytes = bytes;
            m.rows = config.n_obs + config.n_exp;
            m.columns = features->phi->cols;
            m.is_direct = cell_solver(&config, features) == REGRET_SOLVER_DIRECT;
        }
    }
    memory_left(&m.left);
    *out = m;
    if (CERTAIN * m.bytes <= m.left.bytes) {
        return REGRET_OK;
    }
    regret_buffer_printf(&text, "a replicate of cell %zu takes about %.2f GiB, more than ", m.cell,
                         m.bytes / GIB);
    put_left(&text, &m.left);
    put_remedy(&text, &m);
    return regret_fail(REGRET_E_INPUT, "%s", regret_buffer_get(&text));
}

int run_memory_explain(int rc, const struct run_memory *m)
{
    FREED_BY(regret_buffer_free) struct regret_buffer text = REGRET_BUFFER_INIT;
    if (rc != REGRET_E_NOMEM) {
        return rc;
    }
    put_left(&text, &m->left);
    put_remedy(&text, m);
    return regret_fail_suffix(rc, ": a replicate of cell %zu takes about %.2f GiB of %s", m->cell,
                              m->bytes / GIB, regret_buffer_get(&text));
}

int run_memory_threads(const struct run_memory *m, size_t threads)
{
    FREED_BY(regret_buffer_free) struct regret_buffer text = REGRET_BUFFER_INIT;
    double each = m->left.is_address_space ? m->bytes + RESERVED : CERTAIN * m->bytes;
    double wanted = (double)threads * each;
    if (threads < 2 || wanted <= m->left.bytes) {
        return REGRET_OK;
    }
    regret_buffer_printf(
        &text, "%zu threads would take %.2f GiB besides the %.2f GiB that they share, more than ",
        threads, wanted / GIB, m->shared / GIB);
    put_left(&text, &m->left);
    regret_buffer_printf(&text, ": use --threads %.0f", fmax(floor(m->left.bytes / each), 1.0));
    return regret_fail(REGRET_E_INPUT, "%s", regret_buffer_get(&text));
}

int run_memory_check(const struct run_rest *rest)
{
    struct run_memory m;
    size_t n = rest->range->end - rest->range->begin;
    TRY(run_memory_open(&m, rest->plan, rest->inputs));
    return run_memory_threads(&m, rest->threads < n ? rest->threads : n);
}
