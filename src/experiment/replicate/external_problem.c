#include "experiment/replicate/external_problem.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/core/try.h"
#include "base/files/output.h"
#include "experiment/external/external_phi.h"
#include "external/npy.h"
#include "pool/grid/grid_lists.h"
#include "regret/alloc.h"
#include "regret/file.h"
#include "regret/rng.h"

/* ---------------------------------------------------------------- folds */

/* Of each row its fold, or -1 where there are none. */
static void take_folds(int32_t *out, const struct regret_folds *folds, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        out[i] = folds->n_folds > 0 ? (int32_t)folds->fold[i] : -1;
    }
}

/* Of each OBS row the fold of DR with which it is left out: that of the EXP rows on its context, where folds hold
 * contexts; else -1. */
static int take_obs_folds(int32_t *out, const struct external_case *c)
{
    const struct regret_rows *obs = &c->draws->obs, *exp = &c->draws->exp;
    const struct regret_folds *dr = c->estimates->dr;
    const uint32_t *context = c->setting->features->context;
    size_t n_contexts = c->setting->task->n_contexts;
    int32_t *of_context = NULL;
    TRY(REGRET_NEW(&of_context, n_contexts));
    memset(of_context, -1, n_contexts * sizeof *of_context);
    for (size_t i = 0; dr->mode == REGRET_FOLDS_CONTEXTS && i < exp->n; i++) {
        of_context[context[exp->pair[i]]] = (int32_t)dr->fold[i];
    }
    for (size_t i = 0; i < obs->n; i++) {
        out[i] = of_context[context[obs->pair[i]]];
    }
    regret_free(of_context);
    return REGRET_OK;
}

static int write_folds(const char *folder, const struct external_case *c)
{
    size_t n_exp = c->draws->exp.n, n_obs = c->draws->obs.n;
    FREED int32_t *fold = NULL;
    TRY(REGRET_NEW(&fold, n_exp > n_obs ? n_exp : n_obs));
    const struct npy_array of_exp = {NPY_I32, n_exp, 0, fold}, of_obs = {NPY_I32, n_obs, 0, fold};
    take_folds(fold, c->estimates->cv, n_exp);
    TRY(npy_write(folder, "exp_cv_fold.npy", &of_exp));
    take_folds(fold, c->estimates->dr, n_exp);
    TRY(npy_write(folder, "exp_dr_fold.npy", &of_exp));
    TRY(take_obs_folds(fold, c));
    return npy_write(folder, "obs_dr_fold.npy", &of_obs);
}

/* ---------------------------------------------------------------- the rest */

_Static_assert(sizeof *((struct regret_rows *)0)->pair == 4, "pairs are written as they are");

/* What predictions are judged on: held-out contexts and those of the values. */
static int write_evaluated(const char *folder, const struct pair_split *split, size_t pairs)
{
    FREED unsigned char *evaluated = NULL;
    TRY(REGRET_NEW(&evaluated, pairs));
    for (size_t p = 0; p < pairs; p++) {
        evaluated[p] = split->test[p] || split->reference[p];
    }
    const struct npy_array array = {NPY_U8, pairs, 0, evaluated};
    return npy_write(folder, "evaluated.npy", &array);
}

/* Pairs that EXP and OBS can be of. */
static int write_observed(const char *folder, const struct regret_grid *grid, size_t pairs)
{
    FREED unsigned char *observed = NULL;
    TRY(REGRET_NEW(&observed, pairs));
    for (size_t p = 0; p < pairs; p++) {
        observed[p] = !regret_grid_is_unobserved(grid, p);
    }
    const struct npy_array array = {NPY_U8, pairs, 0, observed};
    return npy_write(folder, "observed.npy", &array);
}

static int write_arrays(const char *folder, const struct external_case *c)
{
    const struct feature_set *f = c->setting->features;
    const struct regret_rows *obs = &c->draws->obs, *exp = &c->draws->exp;
    const struct {
        const char *name;
        struct npy_array array;
    } files[] = {{"pair_context.npy", {NPY_I32, f->pairs, 0, f->context}},
                 {"pair_agent.npy", {NPY_I32, f->pairs, 0, f->agent}},
                 {"train.npy", {NPY_U8, f->pairs, 0, c->setting->split.train}},
                 {"z.npy", {NPY_F64, f->pairs, c->proxy->dim, c->proxy->z}},
                 {"obs_pair.npy", {NPY_I32, obs->n, 0, obs->pair}},
                 {"obs_y.npy", {NPY_F64, obs->n, 0, obs->y}},
                 {"exp_pair.npy", {NPY_I32, exp->n, 0, exp->pair}},
                 {"exp_y.npy", {NPY_F64, exp->n, 0, exp->y}}};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        TRY(npy_write(folder, files[i].name, &files[i].array));
    }
    TRY(write_observed(folder, f->grid, f->pairs));
    TRY(write_evaluated(folder, &c->setting->split, f->pairs));
    return write_folds(folder, c);
}

/* Not flushed to disk: what is temporary need not outlive the machine. */
static int write_text(const char *folder, const char *name, const struct regret_buffer *text)
{
    char *path = NULL;
    int fd = -1, rc;
    TRY_CLEANUP(regret_buffer_status(text));
    TRY_CLEANUP(regret_path_join(&path, folder, name));
    TRY_CLEANUP(output_open(&fd, path, O_WRONLY | O_CREAT | O_EXCL));
    rc = output_write(fd, regret_buffer_get(text), text->length, path);
    close(fd);
cleanup:
    regret_free(path);
    return rc;
}

/* Who the numbers of the files are. */
static void put_ids(struct regret_buffer *t, const struct regret_grid *g)
{
    regret_buffer_append(t, ",\n\"agent_ids\":");
    grid_json_agents(t, g, GRID_BY_ID);
    regret_buffer_append(t, ",\n\"context_ids\":");
    grid_json_contexts(t, g, GRID_BY_ID);
    grid_json_first(t, g);
    regret_buffer_append(t, ",\n");
}

static int write_description(const char *folder, const struct external_case *c)
{
    const struct setting *s = c->setting;
    const struct regret_config *config = &s->config;
    struct regret_rng rng = regret_rng_at(s->seed, REGRET_RNG_EXTERNAL, 0);
    int wants_folds = config->values && c->estimates->dr->n_folds > 0;
    FREED_BY(regret_buffer_free) struct regret_buffer t = REGRET_BUFFER_INIT;
    regret_buffer_append(&t, "{\"format\":\"" EXTERNAL_PROBLEM_FORMAT "\",\"family\":");
    regret_buffer_json_string(&t, c->name);
    regret_buffer_printf(&t,
                         ",\n\"pairs\":%zu,\"contexts\":%zu,\"agents\":%zu,\"draws\":%zu,"
                         "\"columns\":%zu,\"z_columns\":%zu,\"obs\":%zu,\"exp\":%zu,\n",
                         s->features->pairs, s->task->n_contexts, s->task->n_agents,
                         s->features->grid->most_draws, s->features->phi->cols, c->proxy->dim,
                         c->draws->obs.n, c->draws->exp.n);
    feature_set_describe(&t, s->features);
    put_ids(&t, s->features->grid);
    regret_buffer_printf(&t, "\"features\":%zu,\"random\":%lu,\n", s->feature_set,
                         (unsigned long)regret_rng_u32(&rng));
    regret_buffer_printf(
        &t, "\"cv_folds\":%zu,\"cv_mode\":\"%s\",\"dr_folds\":%zu,\"dr_mode\":\"%s\",\n",
        c->estimates->cv->n_folds, regret_fold_mode_name(c->estimates->cv->mode),
        c->estimates->dr->n_folds, regret_fold_mode_name(c->estimates->dr->mode));
    regret_buffer_printf(
        &t, "\"wants_cross_fit\":%s,\"wants_fold_mean\":%s}\n", wants_folds ? "true" : "false",
        wants_folds && config->value_plug_in == REGRET_PLUG_IN_FOLDS ? "true" : "false");
    return write_text(folder, "problem.json", &t);
}

int external_write_problem(const char *folder, const char *phi, const struct external_case *c)
{
    TRY(external_link_phi(folder, phi));
    TRY(write_arrays(folder, c));
    return write_description(folder, c);
}
