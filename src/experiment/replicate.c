#include "experiment/replicate.h"

#include <math.h>

#include "base/status.h"
#include "estimate/family.h"
#include "estimate/session.h"
#include "experiment/cell_cost.h"
#include "experiment/curves.h"
#include "experiment/internal.h"
#include "experiment/measures.h"
#include "regret/buffer.h"
#include "regret/status.h"
#include "regret/task.h"

FREED_POINTER(struct replicate, replicate_free)

const char *const stage_names[N_STAGES] = {"features", "draw", "proxy", "fit", "measure"};

static int set_up(struct setting *out, const struct replicate_source *from,
                  const struct replicate_place *at)
{
    const struct run_inputs *inputs = from->inputs;
    size_t cell = at->cell;
    regret_run_plan_cell(&out->config, from->plan, cell);
    out->at = *at;
    out->config.estimate.all_losses = at->all_losses;
    out->seed = regret_fold_seed(at->seed, at->fold);
    out->features = run_inputs_features(inputs, cell);
    out->feature_set = inputs->features_of[cell];
    out->votes = inputs->votes != NULL ? &inputs->votes[out->feature_set] : NULL;
    out->external = inputs->external;
    TRY(pair_split_make(&out->split, out->features->grid, &out->config, at->fold, at->seed));
    TRY(observed_check_split(out));
    TRY(observed_support(&out->support, out));
    return run_inputs_task(&out->task, inputs, cell, &out->config);
}

static int draw(struct draws *out, const struct setting *s)
{
    TRY(regret_draw_exp(&out->exp, s->task, s->split.contexts, s->config.n_exp, s->seed));
    return regret_draw_obs(&out->obs, s->task, s->split.contexts, s->config.n_obs, s->seed);
}

static size_t mark_rows(unsigned char *mark, const struct regret_rows *rows)
{
    size_t fresh = 0;
    for (size_t i = 0; i < rows->n; i++) {
        fresh += !mark[rows->pair[i]];
        mark[rows->pair[i]] = 1;
    }
    return fresh;
}

size_t draws_mark(unsigned char *mark, const struct draws *draws)
{
    return mark_rows(mark, &draws->obs) + mark_rows(mark, &draws->exp);
}

/* φ of a sparse set as the cheapest solver wants it. */
static int make_features(struct replicate_features *out, const struct setting *s,
                         const struct draws *draws, struct regret_solver_record *record,
                         const struct regret_stop *stop)
{
    const struct feature_set *f = s->features;
    FREED unsigned char *drawn = NULL;
    TRY(REGRET_NEW(&drawn, f->pairs));
    size_t n = draws_mark(drawn, draws);
    if (!f->sparse) {
        TRY(regret_coordinates_of_gram(&out->coordinates, f->gram, f->pairs, drawn));
        out->phi = regret_design_dense(f->pairs, out->coordinates.rank, out->coordinates.value);
        out->phi.stop = stop;
        return REGRET_OK;
    }
    out->phi = regret_design_sparse(f->phi, f->phi_context, f->context);
    out->phi.iterative = cell_solver(&s->config, f) == REGRET_SOLVER_ITERATIVE;
    out->phi.record = record;
    out->phi.stop = stop;
    if (!out->phi.iterative && n <= f->phi->cols) {
        TRY(regret_coordinates_of_design(&out->coordinates, &out->phi, drawn));
        out->phi = regret_design_reduced(&out->phi, &out->coordinates);
    }
    return REGRET_OK;
}

static int fit_proxy(struct fitted_proxy *out, const struct setting *s, const struct draws *draws,
                     const struct replicate_features *features, struct proxy_memo *memo)
{
    const struct feature_set *f = s->features;
    const struct regret_proxy_source source = {.n_pairs = f->pairs,
                                               .aux = s->task->labels,
                                               .n_aux = s->task->n_labels,
                                               .statistics = f->statistics,
                                               .n_statistics =
                                                   f->statistics != NULL ? REGRET_STATISTICS : 0,
                                               .terms = f->terms,
                                               .features = &features->phi};
    FREED double *count = NULL;
    TRY(REGRET_NEW(&count, f->pairs));
    TRY(REGRET_NEW(&out->z, f->pairs * s->config.proxy.dim));
    for (size_t i = 0; i < draws->obs.n; i++) {
        count[draws->obs.pair[i]] += 1.0;
    }
    return proxy_memo_fit(out->z, &out->dim, memo, f, &source, count, &s->config.proxy);
}

struct regret_problem replicate_problem(const struct setting *s, const struct draws *draws,
                                        const struct replicate_features *features,
                                        const struct fitted_proxy *proxy,
                                        const struct estimates *estimates)
{
    return (struct regret_problem){
        .pairs = s->features->pairs,
        .agent = s->features->agent,
        .n_agents = s->task->n_agents,
        .context = s->features->context,
        .n_contexts = s->task->n_contexts,
        .tag = s->features->grid->kind,
        .n_tags = s->features->grid->n_tags,
        .words = s->features->words,
        .words_rank = s->features->words_rank,
        .common_words = s->features->common_words,
        .own = s->features->own,
        .own_rank = s->features->own_rank,
        .train = s->split.train,
        .phi = features->phi,
        .z = regret_design_dense(s->features->pairs, proxy->dim, proxy->z),
        .obs = &draws->obs,
        .exp = &draws->exp,
        .cv = estimates->cv,
        .obs_cv = estimates->obs_cv,
        .dr = estimates->dr,
        .eval = s->config.values ? s->split.reference : NULL,
        .share = s->features->share,
        .seed = s->seed,
    };
}

static int make_folds(struct estimates *out, const struct setting *s, const struct draws *draws)
{
    const struct feature_set *f = s->features;
    TRY(s->config.cv_unit == REGRET_CV_CONTEXTS
            ? regret_folds_by_context(&out->cv, &draws->exp, f->pairs, f->context,
                                      s->task->n_contexts, s->config.cv_folds, s->seed,
                                      REGRET_RNG_CV_FOLDS)
            : regret_folds_by_agent(&out->cv, &draws->exp, f->pairs, f->agent, s->task->n_agents,
                                    s->config.cv_folds, s->seed));
    if (hyper_grid(&s->config.estimate, &plain_rho_hyper[RHO_OF_OBS])->n > 1) {
        TRY(regret_folds_by_context(&out->obs_cv, &draws->obs, f->pairs, f->context,
                                    s->task->n_contexts, s->config.cv_folds, s->seed,
                                    REGRET_RNG_OBS_CV));
    }
    if (s->config.value_unit == REGRET_UNIT_CONTEXT) {
        return regret_folds_by_context(&out->dr, &draws->exp, f->pairs, f->context,
                                       s->task->n_contexts, s->config.value_folds, s->seed,
                                       REGRET_RNG_DR_FOLDS);
    }
    return regret_folds_by_row(&out->dr, &draws->exp, f->pairs, s->config.value_folds, s->seed,
                               REGRET_RNG_DR_FOLDS);
}

static struct regret_refit refit_of(const struct setting *s, struct regret_session *whole)
{
    const struct regret_config *c = &s->config;
    return (struct regret_refit){
        .context = c->value_unit == REGRET_UNIT_CONTEXT ? s->features->context : NULL,
        .n_contexts = s->task->n_contexts,
        .retune = c->value_retune,
        .cv_folds = c->cv_folds,
        .whole = whole,
    };
}

/* Out-of-fold fits of every family of the table; those of one's own have made theirs. */
static int refit_folds(const struct estimates *e, const struct setting *s,
                       const struct regret_problem *problem, const struct regret_refit *how)
{
    const struct regret_config *c = &s->config;
    const struct regret_family *family[REGRET_MAX_FAMILIES];
    size_t n = e->n - c->families.n_external;
    for (size_t i = 0; i < n; i++) {
        family[i] = regret_family_list_built_in(&c->families, i);
    }
    return regret_refit_folds(e->family, family, n, problem, &c->estimate, how);
}

static int fit_families(struct estimates *out, const struct setting *s, const struct draws *draws,
                        const struct replicate_features *features, const struct fitted_proxy *proxy)
{
    const struct regret_family_list *list = &s->config.families;
    struct regret_session *session = NULL;
    int rc;
    TRY(REGRET_NEW(&out->family, list->n));
    out->n = list->n;
    TRY(make_folds(out, s, draws));
    const struct regret_problem problem = replicate_problem(s, draws, features, proxy, out);
    TRY_CLEANUP(regret_session_open(&session, &problem, &s->config.estimate));
    const struct regret_refit how = refit_of(s, session);
    TRY_CLEANUP(config_refits(&s->config) ? session_expect_refits(session, &how) : REGRET_OK);
    for (size_t i = 0; i < list->n; i++) {
        const struct regret_family *family = regret_family_list_built_in(list, i);
        TRY_CLEANUP(family != NULL ? regret_family_fit(&out->family[i], family, session)
                                   : external_fit(out, i, s, draws, proxy));
    }
    if (config_refits(&s->config)) {
        rc = refit_folds(out, s, &problem, &how);
    }
cleanup:
    regret_session_close(session);
    return rc;
}

static const double *plug_in_surface(const struct setting *s,
                                     const struct regret_estimate *estimate)
{
    return s->config.values && s->config.value_plug_in == REGRET_PLUG_IN_FOLDS
               ? estimate->fold_mean
               : estimate->prediction;
}

static struct regret_exp_support exp_support_of(const struct setting *s)
{
    return (struct regret_exp_support){s->support.offered, s->support.factor};
}

struct regret_value_problem replicate_value_problem(const struct replicate *r,
                                                    const struct regret_estimate *estimate)
{
    const struct feature_set *f = r->setting.features;
    const struct regret_split *split = r->setting.split.contexts;
    /* of the grid; contexts of one tag are no sample of it */
    int is_sample = r->setting.config.split != REGRET_SPLIT_ONE_KIND;
    double all = is_sample ? (double)r->setting.task->n_contexts : INFINITY;
    return (struct regret_value_problem){.prediction = estimate->prediction,
                                         .plug_in = plug_in_surface(&r->setting, estimate),
                                         .cross_fit = estimate->cross_fit,
                                         .exp = &r->draws.exp,
                                         .fold_value = estimate->fold_value,
                                         .fold = r->estimates.dr->fold,
                                         .n_folds = r->estimates.dr->n_folds,
                                         .agent = f->agent,
                                         .context = f->context,
                                         .eval = r->setting.split.reference,
                                         .pairs = f->pairs,
                                         .n_agents = r->setting.task->n_agents,
                                         .n_contexts = r->setting.task->n_contexts,
                                         .share = f->share,
                                         .support = exp_support_of(&r->setting),
                                         .eval_share = (double)split->n_reference / all,
                                         .exp_share = (double)split->n_train / all};
}

static int value_family(struct agent_values *v, const struct setting *s, const struct draws *draws,
                        const struct regret_estimate *estimate)
{
    const struct feature_set *f = s->features;
    const double *surface = plug_in_surface(s, estimate);
    const struct regret_context_weights weights = {f->context, NULL, f->share};
    const struct regret_exp_support support = exp_support_of(s);
    size_t n_agents = s->task->n_agents;
    double *plug_in = NULL;
    TRY(REGRET_NEW(&v->dm, n_agents));
    regret_value_dm(v->dm, estimate->prediction, f->agent, s->split.reference, f->pairs, n_agents,
                    &weights);
    if (!s->config.values) {
        return REGRET_OK;
    }
    TRY(REGRET_NEW(&v->dr, n_agents));
    TRY(REGRET_NEW(&v->sndr, n_agents));
    if (surface != estimate->prediction) {
        TRY(REGRET_NEW(&plug_in, n_agents));
        regret_value_dm(plug_in, surface, f->agent, s->split.reference, f->pairs, n_agents,
                        &weights);
    }
    regret_value_dr(v->dr, v->sndr, plug_in != NULL ? plug_in : v->dm, &draws->exp,
                    estimate->cross_fit, f->agent, n_agents, &weights, &support);
    regret_free(plug_in);
    return REGRET_OK;
}

/* V(a): the mean of mu over the reference contexts. */
static void true_values(double *truth, const struct setting *s)
{
    const struct regret_split *split = s->split.contexts;
    size_t n_agents = s->task->n_agents;
    if (s->features->grid->observed != NULL) {
        observed_means(truth, s, split->reference, split->n_reference);
        return;
    }
    double all = (double)split->n_reference;
    for (size_t i = 0; i < split->n_reference; i++) {
        for (size_t a = 0; a < n_agents; a++) {
            truth[a] += s->task->target[split->reference[i] * n_agents + a] / all;
        }
    }
}

static int value_families(struct values *out, const struct setting *s, const struct draws *draws,
                          const struct estimates *estimates)
{
    TRY(REGRET_NEW(&out->truth, s->task->n_agents));
    true_values(out->truth, s);
    TRY(REGRET_NEW(&out->family, estimates->n));
    out->n = estimates->n;
    for (size_t i = 0; i < estimates->n; i++) {
        TRY(value_family(&out->family[i], s, draws, estimates->family[i]));
    }
    return REGRET_OK;
}

/* Adds the time since *start to a stage and starts anew. */
static void lap(struct replicate *r, enum stage stage, double *start)
{
    double now = clock_seconds();
    r->effort.seconds[stage] += now - *start;
    *start = now;
}

int replicate_run(struct replicate **out, const struct replicate_source *from,
                  const struct replicate_place *at)
{
    FREED_BY(replicate_free_at) struct replicate *r = NULL;
    double start = clock_seconds();
    TRY(REGRET_NEW(&r, 1));
    TRY(set_up(&r->setting, from, at));
    const struct setting *s = &r->setting;
    TRY(draw(&r->draws, s));
    lap(r, STAGE_DRAW, &start);
    TRY(make_features(&r->features, s, &r->draws, &r->effort.solver, from->stop));
    lap(r, STAGE_FEATURES, &start);
    TRY(fit_proxy(&r->proxy, s, &r->draws, &r->features, from->memo));
    TRY(regret_stop_check(from->stop));
    lap(r, STAGE_PROXY, &start);
    TRY(fit_families(&r->estimates, s, &r->draws, &r->features, &r->proxy));
    lap(r, STAGE_FIT, &start);
    TRY(value_families(&r->values, s, &r->draws, &r->estimates));
    TRY(baselines_make(&r->baselines, s, &r->draws, from->inputs));
    TRY(measures_take(&r->measures, s, &r->draws, &r->proxy, &r->estimates, &r->values,
                      &r->baselines));
    lap(r, STAGE_MEASURE, &start);
    *out = r;
    r = NULL;
    return REGRET_OK;
}

static void estimates_clear(struct estimates *e)
{
    for (size_t i = 0; i < e->n; i++) {
        regret_estimate_free(e->family[i]);
    }
    regret_free(e->family);
    regret_folds_free(e->cv);
    regret_folds_free(e->obs_cv);
    regret_folds_free(e->dr);
}

static void values_clear(struct values *v)
{
    for (size_t i = 0; i < v->n; i++) {
        regret_free(v->family[i].dm);
        regret_free(v->family[i].dr);
        regret_free(v->family[i].sndr);
    }
    regret_free(v->family);
    regret_free(v->truth);
}

void replicate_free(struct replicate *r)
{
    if (r == NULL) {
        return;
    }
    regret_free(r->baselines.surface);
    values_clear(&r->values);
    estimates_clear(&r->estimates);
    regret_free(r->proxy.z);
    regret_coordinates_free(&r->features.coordinates);
    regret_rows_clear(&r->draws.obs);
    regret_rows_clear(&r->draws.exp);
    regret_task_free(r->setting.task);
    pair_split_clear(&r->setting.split);
    observed_support_clear(&r->setting.support);
    regret_free(r);
}

static void put_count(struct regret_buffer *text, size_t n, const char *what)
{
    regret_buffer_printf(text, "%zu %s%s", n, what, n == 1 ? "" : "s");
}

void grid_losses(struct regret_buffer *text, const struct grid_loss *loss)
{
    int left_out = loss->contexts > 0 || loss->agents > 0;
    if (loss->contexts > 0) {
        put_count(text, loss->contexts, "context");
    }
    if (loss->agents > 0) {
        regret_buffer_append(text, loss->contexts > 0 ? " and " : "");
        put_count(text, loss->agents, "agent");
    }
    if (left_out) {
        regret_buffer_append(text, " left out for missing outputs");
        regret_buffer_append(text, loss->imputed > 0 || loss->pairs > 0 ? "; " : "");
    }
    if (loss->imputed > 0) {
        put_count(text, loss->imputed, "missing output");
        regret_buffer_append(text, " counted as 0");
    }
    if (loss->pairs > 0) {
        regret_buffer_printf(text, "%zu of %zu pairs observed (%.2g %%), two or more on ",
                             loss->observed, loss->pairs,
                             100.0 * (double)loss->observed / (double)loss->pairs);
        put_count(text, loss->comparable, "context");
        regret_buffer_append(text, ", where alone regret is taken, among what is observed");
    }
}
