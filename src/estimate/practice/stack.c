#include "estimate/practice/stack.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/core/try.h"
#include "estimate/fit/work.h"
#include "estimate/practice/mixed.h"
#include "regret/alloc.h"
#include "regret/rng.h"

FREED_POINTER(struct regret_folds, regret_folds_free)
FREED_POINTER(struct regret_estimate, regret_estimate_free)

enum { FOLDS, ROWS, PRIOR, N_HYPERS };
static const struct regret_hyper hypers[N_HYPERS] = {
    [FOLDS] = {.key = "stack.folds",
               .help = "folds of contexts by which weights are cross-validated",
               .kind = REGRET_HYPER_COUNT,
               .low = 2.0,
               .high = 100.0,
               .preset = {.count = 5}},
    [ROWS] = {.key = "stack.shrinkage",
              .help = "rows by which a mean of an agent is drawn to the mean of all",
              .kind = REGRET_HYPER_NUMBER,
              .low = 1e-6,
              .high = 1e6,
              .preset = {.number = 2.0}},
    [PRIOR] = {.key = "stack.prior",
               .help = "rows of EXP that even weights are worth",
               .kind = REGRET_HYPER_NUMBER,
               .low = 1e-6,
               .high = 1e6,
               .preset = {.number = 400.0}},
};

/* ---- Members ----------------------------------------------------------------------------------- */

struct member {
    const char *name;                /* of a family of the table, or of what the next members say */
    const struct regret_family *own; /* a fit that is no family of the table */
    int is_mean;
    enum stack_mean mean;
};

/* From one agent for all, by one for a tag, to what tells requests apart: libraries are nested in this order. In the first
 * nothing is weighed. */
static const struct member members[] = {
    {"mixed-agent", &mixed_one_agent, 0, 0},
    {"agent-exp", NULL, 1, MEAN_AGENT_EXP},
    {"agent-obs", NULL, 1, MEAN_AGENT_OBS},
    {"mixed-tag", &mixed_by_tag, 0, 0},
    {"tag-exp", NULL, 1, MEAN_TAG_EXP},
    {"tag-obs", NULL, 1, MEAN_TAG_OBS},
    {"mixed", NULL, 0, 0},
    {"exp-only", NULL, 0, 0},
    {"obs-only", NULL, 0, 0},
    {"representation-exp", NULL, 0, 0},
    {"grounded", NULL, 0, 0},
    {"cvci", NULL, 0, 0},
    {"cvci-residual", NULL, 0, 0},
};
enum { N_MEMBERS = sizeof members / sizeof *members, SIMPLEST = 0, MIXED = 6 };
/* What knows agents and tags alone, mixed, and the paper's families. */
static const size_t kind_end[] = {MIXED, MIXED + 1, N_MEMBERS};

static const struct regret_library libraries[] = {
    {.name = "one", .n_members = 1, .loss = NAN, .difference = NAN, .error = NAN},
    {.name = "agents", .n_members = 3, .loss = NAN, .difference = NAN, .error = NAN},
    {.name = "tags", .n_members = 6, .loss = NAN, .difference = NAN, .error = NAN},
    {.name = "mixed", .n_members = 7, .loss = NAN, .difference = NAN, .error = NAN},
    {.name = "all", .n_members = N_MEMBERS, .loss = NAN, .difference = NAN, .error = NAN},
};
enum { N_LIBRARIES = sizeof libraries / sizeof *libraries };
_Static_assert((int)N_LIBRARIES <= (int)REGRET_MAX_LIBRARIES, "an estimate has room for each");

static const struct regret_family *family_of(const struct regret_estimate_options *options,
                                             size_t member)
{
    size_t i = 0;
    if (members[member].own != NULL) {
        return members[member].own;
    }
    while (strcmp(options->families[i]->name, members[member].name) != 0) {
        i++; /* the table has each */
    }
    return options->families[i];
}

/* The fits of the members, those of the means left out. */
static int fit_members(struct regret_estimate *e, struct regret_session *session)
{
    const struct regret_estimate *chosen = session->chosen;
    TRY(REGRET_NEW(&e->member, N_MEMBERS));
    e->n_members = N_MEMBERS;
    e->n_libraries = N_LIBRARIES;
    memcpy(e->library, libraries, sizeof libraries);
    for (size_t i = 0; i < N_MEMBERS; i++) {
        e->member[i].name = members[i].name;
        if (!members[i].is_mean) {
            TRY(session_member(&e->member[i].estimate, session, family_of(session->options, i),
                               chosen != NULL ? chosen->member[i].estimate : NULL));
        }
    }
    return REGRET_OK;
}

/* A member's predictions of every pair: those of its fit, or, in `memory`, its means. */
static int surface(const double **out, double *memory, size_t i, const struct regret_estimate *fit,
                   const struct regret_session *session, size_t without)
{
    double rows = hyper_value(session->options, &hypers[ROWS])->number;
    *out = memory;
    if (fit != NULL) {
        *out = fit->prediction;
        return REGRET_OK;
    }
    return stack_mean_surface(memory, session->problem, members[i].mean, rows, without);
}

/* ---- What members say of contexts that they never saw -------------------------------------------- */

struct level_maker {
    struct regret_estimate *estimate;     /* the fits of the whole */
    const struct regret_problem *problem; /* with the folds of the stack in the place of DR's */
    struct stack_level *level;
    double *surface, *mean, *count; /* [P], [contexts], [contexts]; owned */
};

FREED_FIELDS(level_maker, of->surface, of->mean, of->count)

/* Means of a surface over the pairs that EXP draws from, of each training context: contrasts have the mean 0 under the
 * assignment then, so that no error of a context's level enters. An unobserved pair is never drawn. */
static void average(double *mean, double *count, const double *f, const struct regret_problem *p)
{
    memset(mean, 0, p->n_contexts * sizeof *mean);
    memset(count, 0, p->n_contexts * sizeof *count);
    for (size_t pair = 0; pair < p->pairs; pair++) {
        if (p->train[pair]) {
            double share = p->share != NULL ? p->share[pair] : 1.0;
            mean[p->context[pair]] += share * f[pair];
            count[p->context[pair]] += share;
        }
    }
    for (size_t x = 0; x < p->n_contexts; x++) {
        mean[x] /= count[x] > 0.0 ? count[x] : 1.0;
    }
}

/* The rows of fold k, in the places that they have among all rows; m(x) is what mixed says of a context. */
static void take_rows(struct level_maker *m, size_t member, size_t k, const double *f)
{
    const struct regret_problem *p = m->problem;
    for (size_t i = 0; i < p->exp->n; i++) {
        if (p->dr->fold[i] == k) {
            size_t pair = p->exp->pair[i];
            double mean = m->mean[p->context[pair]];
            m->level->contrast[i * N_MEMBERS + member] = f[pair] - mean;
            m->level->fold[i] = (uint32_t)k;
            if (member == MIXED) {
                m->level->target[i] = p->exp->y[i] - mean;
            }
        }
    }
}

static int take_member(struct level_maker *m, size_t i, size_t k, struct regret_session *session)
{
    FREED_BY(regret_estimate_free_at) struct regret_estimate *fit = NULL;
    const double *f = NULL;
    if (!members[i].is_mean) {
        TRY(session_member(&fit, session, family_of(session->options, i),
                           m->estimate->member[i].estimate));
    }
    TRY(surface(&f, m->surface, i, fit, session, SIZE_MAX));
    average(m->mean, m->count, f, m->problem);
    take_rows(m, i, k, f);
    return REGRET_OK;
}

static int take_fold(void *self, size_t k, struct regret_session *session)
{
    for (size_t i = 0; i < N_MEMBERS; i++) {
        TRY(take_member(self, i, k, session));
    }
    return REGRET_OK;
}

static int level_room(struct level_maker *m)
{
    const struct regret_problem *p = m->problem;
    struct stack_level *level = m->level;
    level->members = N_MEMBERS;
    level->kind_end = kind_end;
    TRY(REGRET_NEW(&m->surface, p->pairs));
    TRY(REGRET_NEW(&m->mean, p->n_contexts));
    TRY(REGRET_NEW(&m->count, p->n_contexts));
    TRY(REGRET_NEW(&level->target, p->exp->n));
    TRY(REGRET_NEW(&level->contrast, p->exp->n * N_MEMBERS));
    TRY(REGRET_NEW(&level->fold, p->exp->n));
    TRY(REGRET_NEW(&level->context, p->exp->n));
    for (size_t i = 0; i < p->exp->n; i++) {
        level->context[i] = p->context[p->exp->pair[i]];
        level->fold[i] = UINT32_MAX;
    }
    return REGRET_OK;
}

/* Rows of folds that leave nothing to fit on are not told of. */
static void drop_untold(struct stack_level *level, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (level->fold[i] == UINT32_MAX) {
            continue;
        }
        size_t to = level->n++;
        memmove(level->contrast + to * N_MEMBERS, level->contrast + i * N_MEMBERS,
                N_MEMBERS * sizeof *level->contrast);
        level->target[to] = level->target[i];
        level->fold[to] = level->fold[i];
        level->context[to] = level->context[i];
    }
}

static int make_level(struct stack_level *level, struct regret_estimate *e,
                      struct regret_session *session, const struct regret_folds *folds)
{
    struct regret_problem problem = *session->problem;
    struct regret_estimate_options options = *session->options;
    const struct regret_refit how = {
        .context = problem.context, .n_contexts = problem.n_contexts, .whole = session};
    FREED_BY(level_maker_fields)
    struct level_maker m = {.estimate = e, .problem = &problem, .level = level};
    size_t undefined = 0;
    problem.dr = folds;
    options.cross_fit = 0;
    TRY(level_room(&m));
    TRY(session_without_each_fold(&undefined, &problem, &options, &how, take_fold, &m));
    drop_untold(level, problem.exp->n);
    return REGRET_OK;
}

static void level_clear(struct stack_level *level)
{
    regret_free(level->target);
    regret_free(level->contrast);
    regret_free(level->fold);
    regret_free(level->context);
}

/* ---- Weights --------------------------------------------------------------------------------- */

static void put_weights(struct regret_estimate *e, const double *weight, size_t n)
{
    for (size_t i = 0; i < e->n_members; i++) {
        e->member[i].weight = i < n ? weight[i] : 0.0;
    }
}

static int split_exp(struct regret_folds **out, const struct regret_problem *problem,
                     const struct regret_estimate_options *options)
{
    return regret_folds_by_context(out, problem->exp, problem->pairs, problem->context,
                                   problem->n_contexts, hyper_value(options, &hypers[FOLDS])->count,
                                   problem->seed, REGRET_RNG_CV_FOLDS);
}

/* Without a context to leave out, the simplest member has the weight. */
static int weigh(struct regret_estimate *e, struct regret_session *session)
{
    double weight[N_MEMBERS] = {[SIMPLEST] = 1.0};
    FREED_BY(regret_folds_free_at) struct regret_folds *folds = NULL;
    FREED_BY(level_clear)
    struct stack_level level = {.prior = hyper_value(session->options, &hypers[PRIOR])->number};
    TRY(split_exp(&folds, session->problem, session->options));
    TRY(make_level(&level, e, session, folds));
    e->cv_mode = level.n > 0 ? REGRET_FOLDS_CONTEXTS : REGRET_FOLDS_NONE;
    if (level.n > 0) {
        TRY(stack_choose(e, &level, folds->n_folds, session->options->tie_tolerance));
        TRY(stack_weigh(weight, &level, e->library[e->chosen_library].n_members, SIZE_MAX));
    }
    put_weights(e, weight, e->library[e->chosen_library].n_members);
    return REGRET_OK;
}

static void keep_weights(struct regret_estimate *e, const struct regret_estimate *chosen)
{
    for (size_t i = 0; i < e->n_members; i++) {
        e->member[i].weight = chosen->member[i].weight;
    }
    memcpy(e->library, chosen->library, sizeof e->library);
    e->chosen_library = chosen->chosen_library;
    e->cv_mode = chosen->cv_mode;
}

/* ---- Predictions ----------------------------------------------------------------------------- */

static int predict(struct regret_estimate *e, struct regret_session *session)
{
    size_t pairs = session->problem->pairs;
    const double *f = NULL;
    FREED double *memory = NULL;
    TRY(REGRET_NEW(&memory, pairs));
    for (size_t i = 0; i < e->n_members; i++) {
        TRY(surface(&f, memory, i, e->member[i].estimate, session, SIZE_MAX));
        for (size_t p = 0; p < pairs; p++) {
            e->prediction[p] += e->member[i].weight * f[p];
        }
    }
    for (size_t p = 0; p < pairs; p++) {
        e->prediction[p] = clip01(e->prediction[p]);
    }
    return REGRET_OK;
}

/* A mean's out-of-fold predictions of the rows of DR fold k, added. */
static int cross_fit_mean(struct regret_estimate *e, const struct regret_session *session, size_t i,
                          size_t k, double *memory)
{
    const struct regret_problem *p = session->problem;
    const double *f = NULL;
    double weight = e->member[i].weight;
    TRY(surface(&f, memory, i, NULL, session, k));
    for (size_t row = 0; row < p->exp->n; row++) {
        if (p->dr->fold[row] == k) {
            e->cross_fit[row] += weight * f[p->exp->pair[row]];
        }
    }
    return e->fold_value != NULL ? fold_value_add(e->fold_value + k * p->n_agents, p, f, weight)
                                 : REGRET_OK;
}

/* Weights stay; with the fits, those of the members are at hand. */
static int cross_fit(struct regret_estimate *e, const struct regret_session *session)
{
    const struct regret_problem *p = session->problem;
    FREED double *memory = NULL;
    if (p->dr->n_folds == 0) {
        return REGRET_OK;
    }
    TRY(REGRET_NEW(&memory, p->pairs));
    memset(e->cross_fit, 0, p->exp->n * sizeof *e->cross_fit);
    for (size_t i = 0; i < e->n_members; i++) {
        const struct regret_estimate *fit = e->member[i].estimate;
        for (size_t row = 0; fit != NULL && row < p->exp->n; row++) {
            e->cross_fit[row] += e->member[i].weight * fit->cross_fit[row];
        }
        for (size_t v = 0; fit != NULL && e->fold_value != NULL && v < p->dr->n_folds * p->n_agents;
             v++) {
            e->fold_value[v] += e->member[i].weight * fit->fold_value[v];
        }
        for (size_t k = 0; fit == NULL && k < p->dr->n_folds; k++) {
            TRY(cross_fit_mean(e, session, i, k, memory));
        }
    }
    for (size_t row = 0; row < p->exp->n; row++) {
        e->cross_fit[row] = clip01(e->cross_fit[row]);
    }
    return REGRET_OK;
}

static int fit(struct regret_estimate *e, struct regret_session *session)
{
    if (session->problem->context == NULL) {
        return regret_fail(REGRET_E_INPUT, "the problem must tell the contexts of pairs, which are "
                                           "left out to weigh members");
    }
    TRY(fit_members(e, session));
    if (session->chosen != NULL) {
        keep_weights(e, session->chosen);
    } else {
        TRY(weigh(e, session));
    }
    TRY(predict(e, session));
    return e->cross_fit != NULL ? cross_fit(e, session) : REGRET_OK;
}

/* Every member once, with its hyper-parameters, and in every fold without; those that the run fits anyway are counted
 * twice once. */
static void work(struct fit_work *w, const struct fit_sizes *s)
{
    uint64_t folds = s->kept ? 0 : hyper_value(s->options, &hypers[FOLDS])->count;
    for (uint64_t k = 0; k < folds; k++) {
        work_refits(w, s, 3);
        work_tuning(w, s, s->z, s->obs, 3, 1);
    }
    for (size_t i = 0; i < N_MEMBERS; i++) {
        const struct regret_family *family = members[i].is_mean ? NULL : family_of(s->options, i);
        if (family != NULL && family->work != NULL) {
            family->work(w, s);
        }
    }
}

const struct regret_family family_stack = {
    .name = "stack",
    .summary = "convex weights on families and on means of agents, by contexts left out",
    .hypers = hypers,
    .n_hypers = N_HYPERS,
    .fit = fit,
    .work = work,
    .crosses_words = 1,
    .split_exp = split_exp,
};
