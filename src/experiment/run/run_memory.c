#include "experiment/run/run_memory.h"

#include <math.h>

#include "base/core/try.h"
#include "experiment/features/cell_cost.h"
#include "experiment/features/cell_smaller.h"

static const double GIB = 1073741824.0;

/* Of what sizes say: so little of it is certain, and so much of what there is may be used by what is advised. */
static const double CERTAIN = 0.7, USED = 0.75;

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

/* Appends what would fit into a replicate's memory of `bytes`. */
static int put_smaller(struct regret_buffer *t, const struct run_memory *m, double bytes,
                       const struct regret_run_plan *plan, const struct run_inputs *inputs)
{
    FREED_BY(regret_buffer_free) struct regret_buffer sizes = REGRET_BUFFER_INIT;
    struct regret_config config;
    regret_run_plan_cell(&config, plan, m->cell);
    TRY(cell_smaller(&sizes, &config, run_inputs_features(inputs, m->cell), m->shared,
                     m->shared + bytes));
    regret_buffer_append(t, sizes.length > 0 ? "; what would fit: "
                                             : "; no smaller budget by itself would fit");
    regret_buffer_append(t, sizes.length > 0 ? regret_buffer_get(&sizes) : "");
    return regret_buffer_status(t);
}

int run_memory_open(struct run_memory *out, const struct regret_run_plan *plan,
                    const struct run_inputs *inputs)
{
    FREED_BY(regret_buffer_free) struct regret_buffer text = REGRET_BUFFER_INIT;
    *out = (struct run_memory){.shared = memory_resident()};
    for (size_t c = 0; c < regret_run_plan_cells(plan); c++) {
        struct regret_config config;
        regret_run_plan_cell(&config, plan, c);
        double bytes = cell_bytes(&config, run_inputs_features(inputs, c));
        *out = bytes > out->bytes ? (struct run_memory){c, bytes, out->shared, out->left} : *out;
    }
    memory_left(&out->left);
    if (CERTAIN * out->bytes <= out->left.bytes) {
        return REGRET_OK;
    }
    regret_buffer_printf(&text, "a replicate of cell %zu takes about %.2f GiB, more than ",
                         out->cell, out->bytes / GIB);
    put_left(&text, &out->left);
    TRY(put_smaller(&text, out, USED * out->left.bytes, plan, inputs));
    return regret_fail(REGRET_E_INPUT, "%s", regret_buffer_get(&text));
}

int run_memory_explain(int rc, const struct run_memory *m, const struct regret_run_plan *plan,
                       const struct run_inputs *inputs)
{
    FREED_BY(regret_buffer_free) struct regret_buffer text = REGRET_BUFFER_INIT;
    if (rc != REGRET_E_NOMEM) {
        return rc;
    }
    if (m->bytes > m->left.bytes) {
        regret_buffer_printf(&text, "about %.2f GiB, ", m->bytes / GIB);
    }
    regret_buffer_append(&text, "more than ");
    put_left(&text, &m->left);
    TRY(put_smaller(&text, m, USED * fmin(m->bytes, m->left.bytes), plan, inputs));
    return regret_fail_suffix(rc, ": a replicate takes %s", regret_buffer_get(&text));
}

int run_memory_threads(const struct run_memory *m, const struct probed *one, size_t threads,
                       const struct regret_run_plan *plan, const struct run_inputs *inputs)
{
    FREED_BY(regret_buffer_free) struct regret_buffer text = REGRET_BUFFER_INIT;
    int reserves = m->left.is_address_space;
    double each = one->thread_bytes + (reserves ? RESERVED : 0.0);
    double wanted = (double)threads * each, fit = floor(m->left.bytes / each);
    if ((reserves && threads < 2) || wanted <= m->left.bytes) {
        return REGRET_OK;
    }
    regret_buffer_printf(
        &text, "%zu thread%s would take %.2f GiB besides the %.2f GiB that %s, more than ", threads,
        threads == 1 ? "" : "s", wanted / GIB, m->shared / GIB,
        threads == 1 ? "it shares" : "they share");
    put_left(&text, &m->left);
    if (threads > 1) {
        regret_buffer_printf(&text, ": use --threads %.0f", fmax(fit, 1.0));
    }
    if (fit < 1.0) {
        TRY(put_smaller(&text, m, USED * m->left.bytes * m->bytes / each, plan, inputs));
    }
    return regret_fail(REGRET_E_INPUT, "%s", regret_buffer_get(&text));
}

int run_memory_check(const struct run_rest *rest)
{
    struct run_memory m;
    struct probed one;
    size_t n = rest->range->end - rest->range->begin;
    size_t threads = rest->threads < n ? rest->threads : n;
    TRY(run_memory_open(&m, rest->plan, rest->inputs));
    if (n == 0 || (!m.left.is_address_space && 2.0 * (double)threads * m.bytes < m.left.bytes)) {
        return REGRET_OK;
    }
    int rc = run_probe(&one, rest->plan, rest->inputs, m.cell, rest->first_seed, rest->stop);
    TRY(run_memory_explain(rc, &m, rest->plan, rest->inputs));
    return run_memory_threads(&m, &one, threads, rest->plan, rest->inputs);
}
