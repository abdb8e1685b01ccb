#include "experiment/internal.h"

#include <fcntl.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/files.h"
#include "base/status.h"
#include "estimate/session.h"
#include "experiment/curves.h"
#include "experiment/external.h"
#include "experiment/replicate.h"
#include "external/prediction_file.h"
#include "pool/grid_policy.h"
#include "regret/buffer.h"
#include "regret/results.h"
#include "regret/status.h"
#include "regret/task.h"
#include "results/row.h"

/* What one fold measures, and on how many contexts: of those held out for the regret those that take part in it; of
 * the reference ones. */
struct fold {
    struct measures measures;
    double test, reference;
};

static double comparable(const struct setting *s)
{
    const struct regret_split *split = s->split.contexts;
    double n = 0.0;
    for (size_t i = 0; i < split->n_test; i++) {
        n += regret_is_comparable(s->task->target + split->test[i] * s->task->n_agents,
                                  s->task->n_agents);
    }
    return n;
}

static void effort_add(struct effort *sum, const struct effort *more)
{
    for (size_t s = 0; s < N_STAGES; s++) {
        sum->seconds[s] += more->seconds[s];
    }
    sum->solver.fits += more->solver.fits;
    sum->solver.steps += more->solver.steps;
    sum->solver.fallbacks += more->solver.fallbacks;
    sum->solver.error = fmax(sum->solver.error, more->solver.error);
}

static int run_fold(struct fold *out, struct details *details, struct effort *effort,
                    const struct replicate_source *from, const struct replicate_place *at)
{
    struct replicate *r = NULL;
    int rc = REGRET_OK;
    TRY(replicate_run(&r, from, at));
    double start = clock_seconds();
    if (r->setting.config.details) {
        rc = details_add(details, r);
    }
    r->effort.seconds[STAGE_MEASURE] += clock_seconds() - start;
    const struct regret_split *split = r->setting.split.contexts;
    *out = (struct fold){r->measures, comparable(&r->setting), (double)split->n_reference};
    effort_add(effort, &r->effort);
    replicate_free(r);
    return rc;
}

/* How a number of the folds becomes one of the row. */
enum summary { OVER_TEST, OVER_REFERENCE, OVER_FOLDS, MOST_FREQUENT, NOT_JOINED };

static enum summary summary_of(enum regret_measure m)
{
    int by_mean = 0;
    if (row_tuned_symbol(m, &by_mean) != NULL) {
        return by_mean ? OVER_FOLDS : MOST_FREQUENT;
    }
    switch (m) {
    case REGRET_MEASURE_TOP1:
    case REGRET_MEASURE_TOP3:
    case REGRET_MEASURE_SPEARMAN:
    case REGRET_MEASURE_KENDALL:
    case REGRET_MEASURE_DM_RMSE:
    case REGRET_MEASURE_DR_RMSE:
    case REGRET_MEASURE_SNDR_RMSE:
        return OVER_REFERENCE;
    case REGRET_MEASURE_POLICY_IPS: /* folds share their training contexts */
    case REGRET_MEASURE_POLICY_DR:
    case REGRET_MEASURE_POLICY_DR_HALF:
        return NOT_JOINED;
    default:
        return OVER_TEST;
    }
}

static double mean_of(const struct fold *fold, const double *x, size_t n, enum summary how)
{
    double sum = 0.0, weight = 0.0;
    for (size_t k = 0; k < n; k++) {
        double w = how == OVER_TEST        ? fold[k].test
                   : how == OVER_REFERENCE ? fold[k].reference
                                           : 1.0;
        if (!isnan(x[k])) {
            sum += w * x[k];
            weight += w;
        }
    }
    return weight > 0.0 ? sum / weight : NAN;
}

static double most_frequent(const double *x, size_t n)
{
    double best = NAN;
    size_t most = 0;
    for (size_t k = 0; k < n; k++) {
        size_t times = 0;
        for (size_t j = 0; j < n; j++) {
            times += x[j] == x[k];
        }
        if (times > most) {
            most = times;
            best = x[k];
        }
    }
    return best;
}

/* `x` is room for a number of each fold. */
static void join_family(struct family_measures *out, const struct fold *fold, size_t n,
                        size_t family, double *x)
{
    /* A mean over some of the folds would be about other contexts than those of the other families. */
    for (size_t k = 0; k < n; k++) {
        if (fold[k].measures.family[family].failure.word != NULL) {
            *out = fold[k].measures.family[family];
            return;
        }
    }
    for (size_t m = 0; m < REGRET_N_MEASURES; m++) {
        for (size_t k = 0; k < n; k++) {
            x[k] = fold[k].measures.family[family].measure[m];
        }
        enum summary how = summary_of((enum regret_measure)m);
        out->measure[m] = how == NOT_JOINED      ? NAN
                          : how == MOST_FREQUENT ? most_frequent(x, n)
                                                 : mean_of(fold, x, n, how);
    }
    for (size_t m = 0; m < REGRET_N_LEAK; m++) {
        for (size_t k = 0; k < n; k++) {
            x[k] = fold[k].measures.family[family].leak[m];
        }
        out->leak[m] = mean_of(fold, x, n, OVER_TEST);
    }
    for (size_t k = 0; k < n; k++) {
        x[k] = fold[k].measures.family[family].basis;
    }
    out->basis = (int)most_frequent(x, n);
    for (size_t k = 0; k < n; k++) {
        x[k] = fold[k].measures.family[family].cv_mode;
    }
    out->cv_mode = (int)most_frequent(x, n);
}

/* `count` numbers at `offset` of struct measures, each over the contexts of the regret. */
static void join_numbers(struct measures *out, const struct fold *fold, size_t n, size_t offset,
                         size_t count, double *x)
{
    double *to = (double *)((char *)out + offset);
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < n; k++) {
            x[k] = ((const double *)((const char *)&fold[k].measures + offset))[i];
        }
        to[i] = mean_of(fold, x, n, OVER_TEST);
    }
}

static void join(struct measures *out, const struct fold *fold, size_t n, double *x)
{
    _Static_assert(offsetof(struct measures, fit_r2_clipped) + sizeof out->fit_r2_clipped ==
                       sizeof *out,
                   "what struct measures holds besides is joined here, too");
    *out = fold[0].measures;
    for (size_t i = 0; i < out->n_families; i++) {
        join_family(&out->family[i], fold, n, i, x);
    }
    join_numbers(out, fold, n, offsetof(struct measures, baseline_regret), out->baselines.n, x);
    for (size_t i = 0; i < out->baselines.n * MEASURED_POLICY; i++) {
        out->baseline_policy[i] = NAN;
    }
    join_numbers(out, fold, n, offsetof(struct measures, fit_r2), out->n_fits, x);
    join_numbers(out, fold, n, offsetof(struct measures, fit_r2_clipped), out->n_fits, x);
}

int cross_fit(struct measures *out, struct details *details, struct effort *effort,
              const struct replicate_source *from, size_t cell, uint64_t seed)
{
    struct regret_config config;
    FREED struct fold *fold = NULL;
    FREED double *x = NULL;
    regret_run_plan_cell(&config, from->plan, cell);
    size_t n = context_folds(&config, run_inputs_features(from->inputs, cell)->grid);
    TRY(REGRET_NEW(&fold, n));
    TRY(REGRET_NEW(&x, n));
    for (size_t k = 0; k < n; k++) {
        const struct replicate_place at = {cell, seed, k, 0};
        TRY(run_fold(&fold[k], details, effort, from, &at));
    }
    details_finish(details);
    if (n == 1) {
        *out = fold[0].measures; /* as they are: a mean of one may differ in the last bit */
    } else {
        join(out, fold, n, x);
    }
    return REGRET_OK;
}

/* The problem of a replicate as files for an estimator that is another program (docs/formats.md). */

#define EXTERNAL_PROBLEM_FORMAT "regret-problem-1"

/* What a family of one's own is asked. */
struct external_case {
    const char *name;
    const struct setting *setting;
    const struct draws *draws;
    const struct fitted_proxy *proxy;
    const struct estimates *estimates; /* its folds */
};

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
    grid_json(t, ",\n\"agent_ids\":", g, GRID_AGENT_IDS);
    grid_json(t, ",\n\"context_ids\":", g, GRID_CONTEXT_IDS);
    if (g->first != NULL) {
        grid_json(t, ",\n\"first_pair\":", g, GRID_FIRST_PAIRS);
    }
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

/* problem.json and every other array into an empty folder. `phi`: the folder where external_write_phi() has put φ
 * (files are linked). Nothing of what is written tells a segment, the target, or an outcome of
 * held-out contexts. */
static int external_write_problem(const char *folder, const char *phi,
                                  const struct external_case *c)
{
    TRY(external_link_phi(folder, phi));
    TRY(write_arrays(folder, c));
    return write_description(folder, c);
}

FREED_POINTER(struct regret_estimate, regret_estimate_free)

static void fill_nan(double *x, size_t n)
{
    for (size_t i = 0; x != NULL && i < n; i++) {
        x[i] = NAN;
    }
}

static void set_nothing(struct regret_estimate *e, const struct external_case *c)
{
    fill_nan(e->prediction, c->setting->features->pairs);
    fill_nan(e->cross_fit, c->draws->exp.n);
    fill_nan(e->fold_mean, c->setting->features->pairs);
}

/* An estimate that says nothing. */
static int create(struct regret_estimate **out, const struct external_case *c)
{
    const struct regret_config *config = &c->setting->config;
    size_t pairs = c->setting->features->pairs;
    FREED_BY(regret_estimate_free_at) struct regret_estimate *e = NULL;
    TRY(REGRET_NEW(&e, 1));
    TRY(REGRET_NEW(&e->prediction, pairs));
    TRY(REGRET_NEW(&e->unclipped, pairs));
    TRY(config->values ? REGRET_NEW(&e->cross_fit, c->draws->exp.n) : REGRET_OK);
    TRY(config_refits(config) ? REGRET_NEW(&e->fold_mean, pairs) : REGRET_OK);
    set_nothing(e, c);
    fill_nan(e->tuned, REGRET_N_TUNED);
    e->basis = e->cv_mode = -1;
    *out = e;
    e = NULL;
    return REGRET_OK;
}

/* Keeps what can be shown of the detail, which may be a stranger's; returns 0. */
static int fail(struct external_failure *failure, const char *word, const char *detail)
{
    size_t n =
        strlen(detail) < sizeof failure->detail ? strlen(detail) : sizeof failure->detail - 1;
    int is_text = regret_utf8_valid(detail, n, NULL);
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)detail[i];
        failure->detail[i] = (char)(c < ' ' || c == 0x7F || (c >= 0x80 && !is_text) ? '?' : c);
    }
    failure->detail[n] = '\0';
    failure->word = word;
    return 0;
}

/* ---------------------------------------------------------------- of a file */

static void read_predictions(struct regret_estimate *e, struct external_failure *failure,
                             const struct prediction_file *file, const struct external_case *c)
{
    const struct setting *s = c->setting;
    const struct regret_grid *g = s->features->grid;
    char detail[EXTERNAL_DETAIL_SIZE];
    for (size_t p = 0; p < s->features->pairs; p++) {
        const size_t x = g->contexts[s->features->context[p]], a = g->agents[s->features->agent[p]];
        const size_t draw = p - regret_grid_first(g, regret_grid_cell(g, p));
        const struct prediction_key key = {s->at.cell, s->at.seed, s->at.fold, x, a, draw};
        int there = prediction_file_find(&e->prediction[p], file, &key);
        if (!there && (s->split.test[p] || s->split.reference[p])) {
            snprintf(detail, sizeof detail,
                     "the predictions have none of context \"%.60s\" and agent \"%.60s\", draw %zu",
                     g->pool->contexts[x].id, g->pool->agents[a].id, draw);
            fail(failure, "missing", detail);
            return;
        }
    }
}

/* ---------------------------------------------------------------- of a command */

/* Reads an array of n finite numbers; 0 where it is not there, or where it is wrong and the failure says so. */
static int read_array(double *out, size_t n, struct external_failure *failure, const char *folder,
                      const char *name)
{
    static const char *const words[] = {
        [NPY_ABSENT] = "format", [NPY_MALFORMED] = "format", [NPY_SHAPE] = "shape"};
    char detail[EXTERNAL_DETAIL_SIZE];
    enum npy_found found = npy_read(out, n, folder, name, detail, sizeof detail);
    if (found != NPY_READ) {
        return found == NPY_ABSENT ? 0 : fail(failure, words[found], detail);
    }
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(out[i])) {
            snprintf(detail, sizeof detail, "%s has %g at its place %zu", name, out[i], i);
            return fail(failure, "not-finite", detail);
        }
    }
    return 1;
}

/* Outcomes are from 0 to 1; a worker that predicts on another scale is not clipped to an end of it. */
static int check_range(const double *x, size_t n, struct external_failure *failure)
{
    char detail[EXTERNAL_DETAIL_SIZE];
    size_t outside = 0, last = 0;
    for (size_t i = 0; i < n; i++) {
        if (x[i] < 0.0 || x[i] > 1.0) {
            last = i;
            outside++;
        }
    }
    snprintf(detail, sizeof detail,
             "%zu of %zu predictions are outside 0 to 1, within which outcomes are (%g at place "
             "%zu)",
             outside, n, x[last], last);
    return 2 * outside <= n || fail(failure, "range", detail);
}

/* Predictions, and where DR has folds those out of fold, if the worker has made them. */
static void read_answer(struct regret_estimate *e, struct external_failure *failure,
                        const char *folder, const struct external_case *c)
{
    size_t pairs = c->setting->features->pairs, n_exp = c->draws->exp.n;
    int folds = c->estimates->dr->n_folds > 0;
    if (!read_array(e->prediction, pairs, failure, folder, "prediction.npy")) {
        if (failure->word == NULL) {
            fail(failure, "format", "it has not written prediction.npy");
        }
        return;
    }
    if (!check_range(e->prediction, pairs, failure)) {
        return;
    }
    if (folds && e->cross_fit != NULL &&
        !read_array(e->cross_fit, n_exp, failure, folder, "cross_fit.npy")) {
        fill_nan(e->cross_fit, n_exp);
    }
    if (folds && e->fold_mean != NULL && failure->word == NULL &&
        !read_array(e->fold_mean, pairs, failure, folder, "fold_mean.npy")) {
        fill_nan(e->fold_mean, pairs);
    }
}

/* What the worker's line says: 1 where it has answered as it should. */
static int judge(struct external_failure *failure, enum worker_answer answer, const char *line)
{
    static const char *const words[] = {
        [WORKER_ENDED] = "crash", [WORKER_LATE] = "time-out", [WORKER_BABBLED] = "protocol"};
    char detail[EXTERNAL_DETAIL_SIZE];
    if (answer != WORKER_ANSWERED) {
        return fail(failure, words[answer], line);
    }
    if (strcmp(line, "done") == 0) {
        return 1;
    }
    if (strncmp(line, "failed", 6) == 0 && (line[6] == ' ' || line[6] == '\0')) {
        return fail(failure, "failed", line + 6 + (line[6] == ' '));
    }
    snprintf(detail, sizeof detail,
             "\"%.120s\" on its standard output, where \"done\" or \"failed REASON\" is wanted",
             line);
    return fail(failure, "protocol", detail);
}

static int ask(struct regret_estimate *e, struct external_failure *failure, int *spent,
               const struct external_worker *w, const struct external_case *c, size_t i)
{
    struct external *external = c->setting->external;
    char question[1024], line[1024];
    const char *phi = NULL;
    TRY(external_features(&phi, external, c->setting->feature_set, c->setting->features));
    TRY(external_write_problem(w->folder, phi, c));
    snprintf(question, sizeof question, "fit %s", w->folder);
    enum worker_answer answer = external_ask(line, sizeof line, external, i, w, question);
    if (answer == WORKER_CANCELLED) {
        return regret_fail(REGRET_E_CANCELLED, "stopped while %s was asked", c->name);
    }
    int done = judge(failure, answer, line);
    *spent = !done && strcmp(failure->word, "failed") != 0;
    if (done) {
        read_answer(e, failure, w->folder, c);
    }
    return REGRET_OK;
}

static int run_command(struct regret_estimate *e, struct external_failure *failure,
                       const struct external_case *c, size_t i)
{
    struct external_worker *w = NULL;
    int spent = 1;
    TRY(external_borrow(&w, failure, c->setting->external, i));
    if (w == NULL) {
        return REGRET_OK; /* the failure says why */
    }
    int rc = ask(e, failure, &spent, w, c, i);
    if (rc != REGRET_OK) {
        external_return(c->setting->external, i, w, 1);
        return rc;
    }
    return external_return(c->setting->external, i, w, spent);
}

/* ---------------------------------------------------------------- both */

static void clip(double *x, size_t n)
{
    for (size_t i = 0; x != NULL && i < n; i++) {
        x[i] = isnan(x[i]) ? x[i] : clip01(x[i]);
    }
}

int external_fit(struct estimates *estimates, size_t i, const struct setting *setting,
                 const struct draws *draws, const struct fitted_proxy *proxy)
{
    const struct regret_family_list *list = &setting->config.families;
    const struct external_case c = {regret_family_list_name(list, i), setting, draws, proxy,
                                    estimates};
    size_t number = list->index[i] - REGRET_EXTERNAL_INDEX;
    FREED_BY(regret_estimate_free_at) struct regret_estimate *e = NULL;
    struct external_failure *failure = &estimates->failure[i];
    TRY(create(&e, &c));
    if (list->external[number].is_command) {
        TRY(run_command(e, failure, &c, number));
    } else {
        read_predictions(e, failure, external_predictions(setting->external, number), &c);
    }
    if (failure->word != NULL) {
        set_nothing(e, &c);
    }
    memcpy(e->unclipped, e->prediction, setting->features->pairs * sizeof *e->unclipped);
    clip(e->prediction, setting->features->pairs);
    clip(e->cross_fit, draws->exp.n);
    clip(e->fold_mean, setting->features->pairs);
    estimates->family[i] = e;
    e = NULL;
    return REGRET_OK;
}
