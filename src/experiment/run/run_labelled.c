#include "experiment/run/run_labelled.h"

#include <math.h>
#include <string.h>

#include "base/core/try.h"
#include "experiment/pool/pair_split.h"
#include "regret/alloc.h"
#include "regret/ppi.h"
#include "results/run/run_file.h"

static const double LEVEL = 0.95;

/* With fewer labels their own slope is noise, and an interval about it held the mean in 83 to 90 of 100 (2 to 5 labels, planted
 * judges): none is given [C]. */
static const double LEAST_LABELS = 8.0;

struct labelled {
    const struct regret_grid *grid;
    size_t n_groups;              /* all contexts, then those of each tag */
    struct regret_ppi_sums *sums; /* [n_groups × n_agents]; owned, and so are the others */
    unsigned char *mark;          /* [n_contexts × n_agents] 1: labelled */
    double *judged;               /* [n_contexts × n_agents] what OBS sees */
    struct regret_task *task;
    struct regret_split *split;
    struct regret_rows exp;
};

static void labelled_free(struct labelled *l)
{
    regret_free(l->sums);
    regret_free(l->mark);
    regret_free(l->judged);
    regret_task_free(l->task);
    regret_split_free(l->split);
    regret_rows_clear(&l->exp);
}

/* The sums of an agent over the contexts of the i-th group that context x is in: all, and its tag. */
static struct regret_ppi_sums *sums_of(const struct labelled *l, size_t x, size_t agent, size_t i)
{
    size_t group = i == 0 ? 0 : l->grid->kind[x] + 1;
    return &l->sums[group * l->grid->n_agents + agent];
}

static void add_labels(struct labelled *l)
{
    const struct regret_grid *g = l->grid;
    for (size_t i = 0; i < l->exp.n; i++) {
        size_t cell = regret_grid_cell(g, l->exp.pair[i]), x = cell / g->n_agents,
               a = cell % g->n_agents;
        if (g->outputs[l->exp.pair[i]] == NULL) { /* imputed: it says nothing */
            continue;
        }
        l->mark[cell] = 1;
        for (size_t k = 0; k < (l->n_groups > 1 ? 2 : 1); k++) {
            regret_ppi_add_label(sums_of(l, x, a, k), l->exp.y[i], l->exp.judged[i]);
        }
    }
}

static void add_judgements(struct labelled *l)
{
    const struct regret_grid *g = l->grid;
    for (size_t cell = 0; cell < g->n_contexts * g->n_agents; cell++) {
        size_t x = cell / g->n_agents, a = cell % g->n_agents;
        if (l->mark[cell] || g->outputs[regret_grid_first(g, cell)] == NULL) {
            continue;
        }
        for (size_t k = 0; k < (l->n_groups > 1 ? 2 : 1); k++) {
            regret_ppi_add_judgement(sums_of(l, x, a, k), l->judged[cell]);
        }
    }
}

static void number_of(double out[REGRET_N_LABELLED], const struct regret_ppi_sums *sums)
{
    struct regret_ppi_sums labels = *sums;
    struct regret_ppi plain, powered;
    labels.others = 0.0;
    regret_ppi_mean(&plain, &labels, 1, LEVEL);
    regret_ppi_mean(&powered, sums, 1, LEVEL);
    out[REGRET_LABELLED_N] = sums->n;
    out[REGRET_LABELLED_MEAN] = plain.mean;
    out[REGRET_LABELLED_HALF] = plain.high - plain.mean;
    out[REGRET_LABELLED_PPI] = powered.mean;
    out[REGRET_LABELLED_PPI_HALF] =
        sums->n < LEAST_LABELS && powered.lambda > 0.0 ? (double)NAN : powered.high - powered.mean;
    out[REGRET_LABELLED_LAMBDA] = powered.lambda;
}

static void put_lists(struct regret_buffer *out, const struct labelled *l)
{
    size_t n = l->n_groups * l->grid->n_agents;
    for (size_t k = 0; k < REGRET_N_LABELLED; k++) {
        regret_buffer_printf(out, ",\n\"%s\":[", run_labelled_names[k]);
        for (size_t i = 0; i < n; i++) {
            double number[REGRET_N_LABELLED];
            number_of(number, &l->sums[i]);
            regret_buffer_append(out, i > 0 ? "," : "");
            regret_buffer_printf(out, isfinite(number[k]) ? "%.6g" : "null", number[k]);
        }
        regret_buffer_append_char(out, ']');
    }
}

int run_labelled_put(struct regret_buffer *out, const struct run_inputs *inputs, size_t cell,
                     const struct regret_config *config)
{
    const struct regret_grid *g = run_inputs_features(inputs, cell)->grid;
    FREED_BY(labelled_free)
    struct labelled l = {.grid = g, .n_groups = g->n_tags > 1 ? g->n_tags + 1 : 1};
    uint64_t seed = config->first_seed;
    if (strcmp(config->obs_outcome, config->exp_outcome) == 0) {
        return REGRET_OK;
    }
    TRY(run_inputs_task(&l.task, inputs, cell, config));
    TRY(context_split_make(&l.split, g, config, 0, seed));
    TRY(regret_draw_exp(&l.exp, l.task, l.split, config->n_exp, regret_fold_seed(seed, 0)));
    TRY(REGRET_NEW(&l.sums, l.n_groups * g->n_agents));
    TRY(REGRET_NEW(&l.mark, g->n_contexts * g->n_agents));
    TRY(regret_target_build(&l.judged, g, l.task->obs_mean));
    add_labels(&l);
    add_judgements(&l);
    put_lists(out, &l);
    return regret_buffer_status(out);
}
