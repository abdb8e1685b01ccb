#include "experiment/replicate/external_fit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/core/try.h"
#include "estimate/fit/session.h"
#include "experiment/config/config_keys.h"
#include "experiment/replicate/external_problem.h"
#include "external/npy.h"
#include "regret/alloc.h"
#include "regret/buffer.h"

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
