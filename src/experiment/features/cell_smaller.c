#include "experiment/features/cell_smaller.h"

#include "experiment/features/cell_cost.h"

/* A cell as it might be. */
struct might {
    struct regret_config config;
    struct regret_grid grid;
    struct feature_set set; /* with the features of the one that there is */
};

/* What its replicate and its features take, these in proportion to its pairs. */
static double bytes_of(struct might *m, const struct feature_set *features, double shared)
{
    const struct regret_grid *g = features->grid;
    m->set.pairs =
        m->grid.n_contexts * m->grid.n_agents * features->pairs / (g->n_contexts * g->n_agents);
    double share = (double)m->set.pairs / (double)features->pairs;
    double gram = 8.0 * (double)m->set.pairs * (double)m->set.pairs;
    if (features->sparse && m->config.task != REGRET_TASK_WORLD) {
        m->set.sparse = cell_wants_sparse(&m->config, &m->set, cell_row(features));
    }
    return share * shared + gram * (double)(features->sparse - m->set.sparse) +
           cell_bytes(&m->config, &m->set);
}

/* The next smaller of two digits, or power of two. */
static size_t next_smaller(size_t value, int is_power)
{
    size_t unit = 1, less = value - value / 10 - (value < 10);
    while (less / unit >= 100) {
        unit *= 10;
    }
    return is_power ? value / 2 : less - less % unit;
}

struct size_of {
    size_t *value;
    size_t least;
    int is_power;
    const char *before, *behind;
};

static void try_size(struct regret_buffer *out, struct might *m, const struct size_of *size,
                     const struct feature_set *features, double shared, double bytes)
{
    size_t was = *size->value;
    double takes = bytes + 1.0;
    while (takes > bytes && *size->value > size->least) {
        *size->value = next_smaller(*size->value, size->is_power);
        takes = bytes_of(m, features, shared);
    }
    if (takes <= bytes) {
        regret_buffer_printf(out, "%s%s%zu%s", out->length > 0 ? ", or " : "", size->before,
                             *size->value, size->behind);
    }
    *size->value = was;
}

int cell_smaller(struct regret_buffer *out, const struct regret_config *cell,
                 const struct feature_set *features, double shared, double bytes)
{
    struct might m = {.config = *cell, .grid = *features->grid, .set = *features};
    const struct size_of sizes[] = {
        {&m.config.n_obs, 100, 0, "--set n_obs=", ""},
        {&m.config.n_exp, 50, 0, "--set n_exp=", ""},
        {&m.config.features.buckets, 128, 1, "--set features.buckets=", ""},
        {&m.grid.n_agents, 2, 0, "", " agents (regret pool select --not-agent)"},
        {&m.grid.n_contexts, 10, 0, "", " contexts (regret pool select --sample)"},
    };
    m.set.grid = &m.grid;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        try_size(out, &m, &sizes[i], features, shared, bytes);
    }
    m.config.solver = REGRET_SOLVER_AUTO;
    m.set.sparse = 1;
    if (!features->sparse && cell_solver(&m.config, &m.set) == REGRET_SOLVER_ITERATIVE &&
        bytes_of(&m, features, shared) <= bytes) {
        regret_buffer_printf(out, "%s--set solver=iterative", out->length > 0 ? ", or " : "");
    }
    return regret_buffer_status(out);
}
