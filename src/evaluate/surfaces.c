#include "evaluate/internal.h"

#include <math.h>
#include <string.h>

#include "base/status.h"
#include "log/log.h"
#include "regret/estimate.h"
#include "regret/status.h"
#include "regret/task.h"

FREED_POINTER(struct regret_estimate, regret_estimate_free)

static const struct regret_folds no_folds = {.mode = REGRET_FOLDS_NONE};

/* ---------------------------------------------------------------- which families */

static int is_of_one_source(const struct material *m)
{
    return m->rows[REGRET_LOG_OBS].n == 0 || m->rows[REGRET_LOG_EXP].n == 0;
}

/* Of one source there is nothing to pool; without texts no proxy. */
static int can_fit(const struct material *m, const struct regret_family *family)
{
    static const char *const of_proxy[] = {"representation-exp", "grounded",      "grounded-linear",
                                           "grounded-anchored",  "cvci-residual", "stack"};
    if (is_of_one_source(m)) {
        const char *own = m->drawn.basis == REGRET_LOG_EXP ? "exp-only" : "obs-only";
        return strcmp(family->name, "mixed") == 0 || strcmp(family->name, own) == 0;
    }
    for (size_t i = 0; m->rank == 0 && i < sizeof of_proxy / sizeof *of_proxy; i++) {
        if (strcmp(family->name, of_proxy[i]) == 0) {
            return 0;
        }
    }
    return 1;
}

/* A family that is not fitted, and why. */
static int leave_family(struct surface_list *list, const struct regret_family *family,
                        const char *reason)
{
    struct surfaces *s = &list->of[list->n++];
    *s = (struct surfaces){.family = family, .lambda = NAN, .status = REGRET_E_INPUT};
    return regret_strdup(&s->reason, reason);
}

static int add_family(struct surface_list *list, const struct material *m,
                      const struct regret_family *family)
{
    if (!can_fit(m, family)) {
        return leave_family(list, family,
                            is_of_one_source(m) ? "it wants both OBS and EXP"
                                                : "it wants a text of every context");
    }
    struct surfaces *s = &list->of[list->n++];
    *s = (struct surfaces){.family = family, .lambda = NAN};
    TRY(REGRET_NEW(&s->out_of_fold, count_surfaces(m) * m->n_agents));
    TRY(REGRET_NEW(&s->early, count_surfaces(m) * m->n_agents));
    TRY(REGRET_NEW(&s->level, list->folds * m->n_agents));
    TRY(REGRET_NEW(&s->whole, m->pairs));
    TRY(REGRET_NEW(&s->learned, list->folds + 1));
    for (size_t k = 0; m->tag != NULL && k <= list->folds; k++) {
        TRY(REGRET_NEW(&s->learned[k].by_tag, m->n_tags));
    }
    return REGRET_OK;
}

/* From what is wanted least for correcting values to what is wanted most. */
static const char *const presets[] = {"exp-only",      "obs-only", "cvci",
                                      "cvci-residual", "mixed",    "stack"};
enum { N_PRESETS = sizeof presets / sizeof *presets };

/* Rows that families are fitted to. */
static size_t count_rows(const struct material *m)
{
    const struct drawn *d = &m->drawn;
    return d->n_fitted + (d->basis == REGRET_LOG_EXP ? d->n[REGRET_LOG_OBS] : 0);
}

/* The stack is fitted to no more than so many rows unless it is named [C]: of 9,000 a fit takes 13 to 17 s of one processor,
 * of which there are eight. */
static int is_dear(const struct material *m, const char *name)
{
    enum { MOST_ROWS = 10000 };
    return count_rows(m) > MOST_ROWS && strcmp(name, "stack") == 0;
}

/* What a dear family would take. */
static int leave_dear(struct surface_list *list, const struct material *m,
                      const struct regret_family *family)
{
    /* As measured, to within a factor of two. */
    const double seconds = 120.0, of_rows = 9000.0, power = 1.5;
    double rows = (double)count_rows(m);
    FREED_BY(regret_buffer_free) struct regret_buffer text = REGRET_BUFFER_INIT;
    regret_buffer_printf(&text, "of %.0f rows it takes some %.0f minutes; name it in \"families\"",
                         rows, ceil(seconds * pow(rows / of_rows, power) / 60.0));
    TRY(regret_buffer_status(&text));
    return leave_family(list, family, regret_buffer_get(&text));
}

static int list_families(struct surface_list *list, const struct material *m,
                         const struct regret_evaluate_options *options)
{
    size_t n = options->n_families;
    TRY(REGRET_NEW(&list->of, n > 0 ? n : N_PRESETS));
    for (size_t i = 0; i < n; i++) {
        TRY(add_family(list, m, options->family[i]));
    }
    for (size_t i = 0; n == 0 && i < N_PRESETS; i++) {
        const struct regret_family *family = regret_family_find(presets[i]);
        if (can_fit(m, family)) {
            TRY(is_dear(m, presets[i]) ? leave_dear(list, m, family) : add_family(list, m, family));
        }
    }
    return REGRET_OK;
}

/* The stack where it was fitted, else mixed, else what comes last in the list. */
static int choose_used(struct surface_list *list)
{
    size_t best = 0;
    list->used = list->n;
    for (size_t i = 0; i < list->n; i++) {
        size_t rank = 1;
        for (size_t j = 0; j < N_PRESETS; j++) {
            rank += strcmp(list->of[i].family->name, presets[j]) == 0 ? j + 1 : 0;
        }
        if (list->of[i].status == REGRET_OK && rank > best) {
            best = rank;
            list->used = i;
        }
    }
    if (list->used == list->n) {
        return regret_fail(REGRET_E_INPUT, "no family could be fitted: %s: %s",
                           list->of[0].family->name, list->of[0].reason);
    }
    return REGRET_OK;
}

/* ---------------------------------------------------------------- one fold */

/* A problem without a fold. */
struct remainder {
    struct regret_rows first, second; /* of the basis; of OBS beside EXP; owned */
    struct regret_folds *cv, *obs_cv; /* owned */
};

static void remainder_clear(struct remainder *r)
{
    regret_rows_clear(&r->first);
    regret_rows_clear(&r->second);
    regret_folds_free(r->cv);
    regret_folds_free(r->obs_cv);
}

static void append(struct regret_rows *to, const struct regret_rows *from, size_t i)
{
    to->pair[to->n] = from->pair[i];
    to->y[to->n++] = from->y[i];
}

static int is_left_out(struct left_out left, uint32_t fold)
{
    return fold >= left.from && fold < left.to;
}

/* Rows of OBS on clusters and contexts that what is left out does not have. */
static int keep_second(struct regret_rows *to, const struct material *m, struct left_out left)
{
    const struct drawn *d = &m->drawn;
    const struct regret_rows *obs = &m->rows[REGRET_LOG_OBS];
    const uint32_t *cluster = m->log->rows[REGRET_LOG_OBS].cluster;
    FREED unsigned char *gone = NULL;
    TRY(regret_rows_create(to, d->basis == REGRET_LOG_EXP ? obs->n : 0));
    size_t room = to->n;
    to->n = 0;
    TRY(REGRET_NEW(&gone, m->n_contexts));
    for (size_t i = 0; d->basis == REGRET_LOG_EXP && i < d->n[REGRET_LOG_EXP]; i++) {
        uint32_t x = m->local[drawn_context(d, REGRET_LOG_EXP, i)];
        if (x != UINT32_MAX && is_left_out(left, d->fold[i])) {
            gone[x] = 1;
        }
    }
    for (size_t i = 0; i < room; i++) {
        uint32_t of = d->fold_of[cluster[d->row[REGRET_LOG_OBS][i]]];
        if (!gone[m->context[obs->pair[i]]] && !is_left_out(left, of)) {
            append(to, obs, i);
        }
    }
    return REGRET_OK;
}

static int leave_out(struct remainder *r, const struct material *m, struct left_out left,
                     const struct regret_evaluate_options *options)
{
    const struct regret_rows *rows = &m->rows[m->drawn.basis];
    TRY(regret_rows_create(&r->first, m->drawn.n_fitted));
    r->first.n = 0;
    for (size_t i = 0; i < m->drawn.n_fitted; i++) {
        if (!is_left_out(left, m->drawn.fold[i])) {
            append(&r->first, rows, i);
        }
    }
    TRY(keep_second(&r->second, m, left));
    TRY(regret_folds_by_agent(&r->cv, &r->first, m->pairs, m->agent, m->n_agents, options->cv_folds,
                              options->seed));
    return regret_folds_by_context(&r->obs_cv, &r->second, m->pairs, m->context, m->n_contexts,
                                   options->cv_folds, options->seed, REGRET_RNG_OBS_CV);
}

static struct regret_problem problem_of(const struct material *m, const struct remainder *r,
                                        uint64_t seed)
{
    return (struct regret_problem){.pairs = m->pairs,
                                   .agent = m->agent,
                                   .n_agents = m->n_agents,
                                   .context = m->context,
                                   .n_contexts = m->n_contexts,
                                   .tag = m->tag,
                                   .n_tags = m->n_tags,
                                   .words = m->words_rank > 0 ? m->words : NULL,
                                   .words_rank = m->words_rank,
                                   .common_words = m->common_words,
                                   .own = m->columns,
                                   .own_rank = m->columns_rank,
                                   .train = m->train,
                                   .phi = m->phi,
                                   .z = regret_design_dense(m->pairs, m->rank, m->z),
                                   .obs = &r->second,
                                   .exp = &r->first,
                                   .cv = r->cv,
                                   .obs_cv = r->obs_cv,
                                   .dr = &no_folds,
                                   .seed = seed,
                                   .of_one_source = 1};
}

/* Work on all folds, and on the whole. */
struct fitting {
    const struct material *m;
    const struct regret_evaluate_options *options;
    struct regret_estimate_options estimate;
    struct surface_list *list;
    const double *propensity;
    const unsigned char *eligible;
    int *status;   /* [jobs × n]; owned, as the next */
    char **reason; /* [jobs × n] */
};

FREED_FIELDS(fitting, of->status, of->reason)

/* Jobs: without each fold; of all rows; of the folds before each of the later ones but the last, before which stand all
 * others. */
static size_t count_jobs(const struct surface_list *list)
{
    return list->folds + 1 + (list->folds - 1 - list->first_late);
}

static struct left_out left_out_of(const struct surface_list *list, size_t job)
{
    size_t folds = list->folds, early = list->first_late + job - (folds + 1);
    return job < folds    ? (struct left_out){job, job + 1}
           : job == folds ? (struct left_out){folds, folds}
                          : (struct left_out){early, folds};
}

size_t surface_at(const struct material *m, size_t row)
{
    const struct drawn *d = &m->drawn;
    return row < d->n_known ? row : d->n_known + d->fold[row] * count_tags(m) + drawn_tag(d, row);
}

size_t count_surfaces(const struct material *m)
{
    const struct drawn *d = &m->drawn;
    return d->n_known + (d->n_known < d->n[d->basis] ? d->n_folds * count_tags(m) : 0);
}

/* f on the contexts of the rows of a fold; and of those that are not laid out. */
static int take_fold(double *to, const struct material *m, size_t fold, const double *f)
{
    const struct drawn *d = &m->drawn;
    size_t tags = count_tags(m), bytes = m->n_agents * sizeof *f;
    FREED double *level = NULL;
    for (size_t i = 0; i < d->n_known; i++) {
        if (d->fold[i] == fold) {
            memcpy(to + i * m->n_agents, f + pairs_of_row(m, i), bytes);
        }
    }
    if (d->n_known < d->n[d->basis]) {
        TRY(levels_by_tag(&level, m, f));
        memcpy(to + (d->n_known + fold * tags) * m->n_agents, level, tags * bytes);
    }
    return REGRET_OK;
}

/* Of f on the rows of the basis, agent by agent; NaN of one that never was on offer. */
static void set_level(double *level, const struct material *m, const double *f)
{
    const struct regret_rows *rows = &m->rows[m->drawn.basis];
    for (size_t a = 0; a < m->n_agents; a++) {
        double sum = 0.0, n = 0.0;
        for (size_t i = 0; i < rows->n; i++) {
            int is_there = drawn_offers(&m->drawn, i, a);
            sum += is_there ? f[pairs_of_row(m, i) + a] : 0.0;
            n += is_there;
        }
        level[a] = sum / n;
    }
}

static int fit_family(struct fitting *w, size_t i, size_t job, struct regret_session *session)
{
    struct surfaces *s = &w->list->of[i];
    FREED_BY(regret_estimate_free_at) struct regret_estimate *fit = NULL;
    struct left_out left = left_out_of(w->list, job);
    size_t folds = w->list->folds;
    TRY(regret_family_fit(&fit, s->family, session));
    if (job < folds) {
        TRY(take_fold(s->out_of_fold, w->m, job, fit->prediction));
        set_level(s->level + job * w->m->n_agents, w->m, fit->prediction);
    }
    if (job == folds) {
        memcpy(s->whole, fit->prediction, w->m->pairs * sizeof *s->whole);
        s->lambda = fit->lambda;
    }
    if (job == folds || left.to == folds) {
        TRY(policies_learn(&s->learned[left.from], w->m, fit->prediction, w->propensity,
                           w->eligible, w->list->incumbent, left));
    }
    if (job != folds && left.to == folds) {
        TRY(take_fold(s->early, w->m, left.from, fit->prediction));
    }
    return REGRET_OK;
}

/* What a family is not made for is told; what is wrong with the machine ends all. */
static int note_failure(struct fitting *w, size_t place, int status)
{
    if (status != REGRET_E_INPUT && status != REGRET_E_NUMERIC) {
        return status;
    }
    w->status[place] = status;
    return regret_strdup(&w->reason[place], regret_error_message());
}

/* The session that a family is fitted in: of a log alone obs-only reads it as OBS, all others as if it were EXP. */
static int session_for(struct regret_session **out, struct regret_session *session[2],
                       struct regret_problem problem[2], const struct fitting *w, size_t i)
{
    int is_log =
        w->m->drawn.basis == REGRET_LOG_OBS && strcmp(w->list->of[i].family->name, "obs-only") == 0;
    if (session[is_log] == NULL) {
        TRY(regret_session_open(&session[is_log], &problem[is_log], &w->estimate));
    }
    *out = session[is_log];
    return REGRET_OK;
}

static int fit_families(struct fitting *w, size_t job, const struct remainder *r)
{
    struct regret_problem problem[2];
    struct regret_session *open[2] = {NULL, NULL}, *session = NULL;
    int rc = REGRET_OK;
    problem[0] = problem[1] = problem_of(w->m, r, w->options->seed);
    problem[1].obs = problem[0].exp;
    problem[1].exp = problem[0].obs;
    problem[1].cv = &no_folds;
    problem[1].obs_cv = r->cv;
    for (size_t i = 0; i < w->list->n; i++) {
        if (w->list->of[i].status != REGRET_OK) {
            continue;
        }
        TRY_CLEANUP(session_for(&session, open, problem, w, i));
        int status = fit_family(w, i, job, session);
        if (status != REGRET_OK) {
            TRY_CLEANUP(note_failure(w, job * w->list->n + i, status));
        }
    }
cleanup:
    regret_session_close(open[0]);
    regret_session_close(open[1]);
    return rc;
}

static int fit_job(void *self, size_t job, size_t worker)
{
    struct fitting *w = self;
    FREED_BY(remainder_clear) struct remainder r = {0};
    (void)worker;
    TRY(leave_out(&r, w->m, left_out_of(w->list, job), w->options));
    return fit_families(w, job, &r);
}

/* The first failure of a family, in the order of jobs. */
static void gather_failures(struct fitting *w)
{
    for (size_t place = 0; place < count_jobs(w->list) * w->list->n; place++) {
        struct surfaces *s = &w->list->of[place % w->list->n];
        if (w->status[place] != REGRET_OK && s->status == REGRET_OK) {
            s->status = w->status[place];
            s->reason = w->reason[place];
            w->reason[place] = NULL;
        }
        regret_free(w->reason[place]);
    }
}

static int fit_all(struct fitting *w)
{
    size_t jobs = count_jobs(w->list);
    TRY(REGRET_NEW(&w->status, jobs * w->list->n));
    TRY(REGRET_NEW(&w->reason, jobs * w->list->n));
    int rc = regret_parallel_for(jobs, w->options->threads, fit_job, w);
    gather_failures(w);
    return rc;
}

int surfaces_make(struct surface_list *out, const struct material *m,
                  const struct regret_evaluate_options *options)
{
    size_t folds = m->drawn.n_folds, before = 2 * folds / 5;
    FREED_BY(surfaces_clear)
    struct surface_list list = {.folds = folds, .first_late = before > 0 ? before : 1};
    FREED_BY(fitting_fields)
    struct fitting w = {.m = m, .options = options, .estimate = options->estimate, .list = &list};
    FREED double *propensity = NULL;
    FREED unsigned char *eligible = NULL;
    w.estimate.cross_fit = 0;
    TRY(list_families(&list, m, options));
    TRY(REGRET_NEW(&propensity, m->drawn.n[m->drawn.basis]));
    TRY(REGRET_NEW(&eligible, m->n_agents));
    TRY(propensities_make(propensity, m));
    TRY(eligible_agents(eligible, m));
    TRY(log_incumbent(&list.incumbent, m->log, eligible));
    w.propensity = propensity;
    w.eligible = eligible;
    TRY(fit_all(&w));
    TRY(choose_used(&list));
    *out = list;
    list = (struct surface_list){0};
    return REGRET_OK;
}

void surfaces_clear(struct surface_list *list)
{
    for (size_t i = 0; list->of != NULL && i < list->n; i++) {
        struct surfaces *s = &list->of[i];
        for (size_t k = 0; s->learned != NULL && k <= list->folds; k++) {
            regret_free(s->learned[k].by_tag);
        }
        regret_free(s->learned);
        regret_free(s->out_of_fold);
        regret_free(s->early);
        regret_free(s->level);
        regret_free(s->whole);
        regret_free(s->reason);
    }
    regret_free(list->of);
}
