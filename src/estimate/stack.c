/* The family `stack`. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/status.h"
#include "estimate/family.h"
#include "estimate/mixed.h"
#include "estimate/session.h"
#include "linalg/dense.h"
#include "regret/status.h"
#include "regret/task.h"

/* The stack: a convex combination of other families and of plain means (protocol §5). */

/* Members, from the simplest on: a library is all of them up to some place. */
enum stack_mean { MEAN_AGENT_EXP, MEAN_AGENT_OBS, MEAN_TAG_EXP, MEAN_TAG_OBS, STACK_MEANS };

/* What every member says of the EXP rows of contexts that its fit never saw. */
struct stack_level {
    size_t n, members;
    const size_t *kind_end; /* members come in kinds; where each ends, the last at `members` */
    double *target;         /* [n] Y − m(X) */
    double *contrast;       /* members × n, f(X, A) − mean over the pairs of X; entry by entry */
    uint32_t *fold, *context; /* [n] */
};

FREED_POINTER(struct regret_folds, regret_folds_free)
FREED_POINTER(struct regret_estimate, regret_estimate_free)

/* Folds of contexts, by which weights are cross-validated; rows by which a mean of an agent is drawn to that of all; rows of
 * EXP that weights before data are worth [C]. */
enum { FOLDS = 5 };
static const double SHRINKAGE = 2.0, PRIOR = 400.0;

/* ---- Members ----------------------------------------------------------------------------------- */

struct member {
    const char *name;                /* of a family of the table, or of what the next members say */
    const struct regret_family *own; /* a fit that is no family of the table */
    int is_mean;
    enum stack_mean mean;
};

/* From one agent for all, by one for a tag, to what tells requests apart: libraries are nested in this order. In the first
 * nothing is weighed. */
static const struct member stack_members[] = {
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
enum { N_MEMBERS = sizeof stack_members / sizeof *stack_members, SIMPLEST = 0, MIXED = 6 };
/* What knows agents and tags alone, mixed, and the paper's families. */
static const size_t stack_kind_end[] = {MIXED, MIXED + 1, N_MEMBERS};

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
    if (stack_members[member].own != NULL) {
        return stack_members[member].own;
    }
    while (strcmp(options->families[i]->name, stack_members[member].name) != 0) {
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
        e->member[i].name = stack_members[i].name;
        if (!stack_members[i].is_mean) {
            TRY(session_member(&e->member[i].estimate, session, family_of(session->options, i),
                               chosen != NULL ? chosen->member[i].estimate : NULL));
        }
    }
    return REGRET_OK;
}

/* Sums of outcomes: of all rows, of agents, of agents by tag. */
struct sums {
    double all[2];      /* Σ y and the number of rows */
    double (*agent)[2]; /* [n_agents]; owned */
    double (*cell)[2];  /* [n_agents × n_tags]; owned; one tag where there are none */
};

FREED_FIELDS(sums, of->agent, of->cell)

static size_t tags_of(const struct regret_problem *p)
{
    return p->tag != NULL && p->n_tags > 0 ? p->n_tags : 1;
}

static size_t cell_of(const struct regret_problem *p, size_t pair)
{
    size_t tag = tags_of(p) > 1 ? p->tag[p->context[pair]] : 0;
    return p->agent[pair] * tags_of(p) + tag;
}

static void add(double sum[2], double y)
{
    sum[0] += y;
    sum[1] += 1.0;
}

static void add_rows(struct sums *s, const struct regret_problem *p, const struct regret_rows *rows,
                     const uint32_t *fold, size_t without)
{
    for (size_t i = 0; i < rows->n; i++) {
        if (without == SIZE_MAX || fold[i] != without) {
            add(s->all, rows->y[i]);
            add(s->agent[p->agent[rows->pair[i]]], rows->y[i]);
            add(s->cell[cell_of(p, rows->pair[i])], rows->y[i]);
        }
    }
}

static double shrunken(const double sum[2], double towards)
{
    return (sum[0] + SHRINKAGE * towards) / (sum[1] + SHRINKAGE);
}

/* A surface of means: of an agent, or of an agent by tag, over EXP or OBS rows, for every pair; `without` a DR fold of EXP
 * (SIZE_MAX: of all). Means are shrunk as if SHRINKAGE rows more had the mean of all, by tag that of the agent. */
static int stack_mean_surface(double *f, const struct regret_problem *p, enum stack_mean which,
                              size_t without)
{
    int is_exp = which == MEAN_AGENT_EXP || which == MEAN_TAG_EXP;
    int by_tag = which == MEAN_TAG_EXP || which == MEAN_TAG_OBS;
    FREED_BY(sums_fields) struct sums s = {{0.0, 0.0}, NULL, NULL};
    TRY(REGRET_NEW(&s.agent, p->n_agents));
    TRY(REGRET_NEW(&s.cell, p->n_agents * tags_of(p)));
    add_rows(&s, p, is_exp ? p->exp : p->obs, p->dr->fold, is_exp ? without : SIZE_MAX);
    double all = s.all[1] > 0.0 ? s.all[0] / s.all[1] : 0.5;
    for (size_t pair = 0; pair < p->pairs; pair++) {
        f[pair] = shrunken(s.agent[p->agent[pair]], all);
        if (by_tag) {
            f[pair] = shrunken(s.cell[cell_of(p, pair)], f[pair]);
        }
    }
    return REGRET_OK;
}

/* A member's predictions of every pair: those of its fit, or, in `memory`, its means. */
static int surface(const double **out, double *memory, size_t i, const struct regret_estimate *fit,
                   const struct regret_session *session, size_t without)
{
    *out = memory;
    if (fit != NULL) {
        *out = fit->prediction;
        return REGRET_OK;
    }
    return stack_mean_surface(memory, session->problem, stack_members[i].mean, without);
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
    if (!stack_members[i].is_mean) {
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
    level->kind_end = stack_kind_end;
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

static int split_exp(struct regret_folds **out, const struct regret_problem *problem)
{
    return regret_folds_by_context(out, problem->exp, problem->pairs, problem->context,
                                   problem->n_contexts, FOLDS, problem->seed, REGRET_RNG_CV_FOLDS);
}

/* Before data every kind of members that a library has weighs the same, and in it every member. */
static void start_from(double *centre, const struct stack_level *level, size_t members)
{
    size_t kinds = 0, from = 0;
    for (size_t end = 0; end < members; kinds++) {
        end = level->kind_end[kinds];
    }
    for (size_t k = 0; k < kinds; from = level->kind_end[k++]) {
        size_t end = level->kind_end[k] < members ? level->kind_end[k] : members;
        for (size_t i = from; i < end; i++) {
            centre[i] = 1.0 / (double)(kinds * (end - from));
        }
    }
}

/* Weights of the first `members` on the rows outside fold k (SIZE_MAX: all). */
static int stack_weigh(double *weight, const struct stack_level *level, size_t members, size_t k)
{
    double q[SIMPLEX_MOST * SIMPLEX_MOST] = {0.0}, c[SIMPLEX_MOST] = {0.0}, trace = 0.0;
    double centre[SIMPLEX_MOST], rows = 0.0;
    for (size_t i = 0; i < level->n; i++) {
        const double *g = level->contrast + i * level->members;
        rows += level->fold[i] != k;
        for (size_t a = 0; a < members && level->fold[i] != k; a++) {
            c[a] += g[a] * level->target[i];
            for (size_t b = 0; b < members; b++) {
                q[a * members + b] += g[a] * g[b];
            }
        }
    }
    for (size_t a = 0; a < members; a++) {
        trace += q[a * members + a];
    }
    double cost = trace > 0.0 ? PRIOR * trace / ((double)members * rows) : 1.0;
    start_from(centre, level, members);
    for (size_t a = 0; a < members; a++) {
        q[a * members + a] += cost;
        c[a] += cost * centre[a];
    }
    return simplex_least_squares(weight, q, c, members);
}

static double square_of(const struct stack_level *level, size_t i, const double *weight,
                        size_t members)
{
    double gap = level->target[i];
    for (size_t m = 0; m < members; m++) {
        gap -= weight[m] * level->contrast[i * level->members + m];
    }
    return gap * gap;
}

/* (Y − m − g w)² of every row at weights that never saw its fold. */
static int cross_validate(double *loss, const struct stack_level *level, size_t members,
                          size_t folds)
{
    double weight[SIMPLEX_MOST];
    for (size_t k = 0; k < folds; k++) {
        TRY(stack_weigh(weight, level, members, k));
        for (size_t i = 0; i < level->n; i++) {
            if (level->fold[i] == k) {
                loss[i] = square_of(level, i, weight, members);
            }
        }
    }
    return REGRET_OK;
}

static double mean_of(const double *x, size_t n)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i++) {
        sum += x[i];
    }
    return sum / (double)n;
}

/* The standard error of the mean of `d`, with contexts for clusters: C/(C − 1) Σ_x (Σ_x (d − d̄))² / n². */
static int clustered_error(double *error, const double *d, const struct stack_level *level)
{
    double mean = mean_of(d, level->n), total = 0.0, clusters = 0.0, *sum = NULL;
    uint32_t last = 0;
    for (size_t i = 0; i < level->n; i++) {
        last = level->context[i] > last ? level->context[i] : last;
    }
    TRY(REGRET_NEW(&sum, 2 * ((size_t)last + 1)));
    for (size_t i = 0; i < level->n; i++) {
        double *cluster = sum + 2 * (size_t)level->context[i];
        clusters += cluster[1] == 0.0;
        cluster[0] += d[i] - mean;
        cluster[1] = 1.0;
    }
    for (size_t x = 0; x <= last; x++) {
        total += sum[2 * x] * sum[2 * x];
    }
    *error = sqrt(total * clusters / fmax(1.0, clusters - 1.0)) / (double)level->n;
    regret_free(sum);
    return REGRET_OK;
}

/* Differences from the library of least loss; the first that is as good but for rounding is chosen. */
static int compare(struct regret_estimate *e, const double *loss, const struct stack_level *level,
                   double tie_tolerance)
{
    FREED double *d = NULL;
    size_t best = 0;
    TRY(REGRET_NEW(&d, level->n));
    for (size_t l = 0; l < e->n_libraries; l++) {
        e->library[l].loss = mean_of(loss + l * level->n, level->n);
        best = e->library[l].loss < e->library[best].loss ? l : best;
    }
    e->chosen_library = best;
    double tie = regret_cv_tie(e->library[best].loss, tie_tolerance);
    for (size_t l = e->n_libraries; l-- > 0;) {
        struct regret_library *library = &e->library[l];
        for (size_t i = 0; i < level->n; i++) {
            d[i] = loss[l * level->n + i] - loss[best * level->n + i];
        }
        library->difference = mean_of(d, level->n);
        TRY(clustered_error(&library->error, d, level));
        if (l < best && library->loss <= tie) {
            e->chosen_library = l;
        }
    }
    return REGRET_OK;
}

/* Cross-validates every library, and chooses the best, of ties (regret_cv_tie()) the simplest. */
static int stack_choose(struct regret_estimate *e, const struct stack_level *level, size_t folds,
                        double tie_tolerance)
{
    FREED double *loss = NULL;
    TRY(REGRET_NEW(&loss, e->n_libraries * level->n));
    for (size_t l = 0; l < e->n_libraries; l++) {
        TRY(cross_validate(loss + l * level->n, level, e->library[l].n_members, folds));
    }
    return compare(e, loss, level, tie_tolerance);
}

/* Without a context to leave out, the simplest member has the weight. */
static int weigh(struct regret_estimate *e, struct regret_session *session)
{
    double weight[N_MEMBERS] = {[SIMPLEST] = 1.0};
    FREED_BY(regret_folds_free_at) struct regret_folds *folds = NULL;
    FREED_BY(level_clear)
    struct stack_level level = {0};
    TRY(split_exp(&folds, session->problem));
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
    uint64_t folds = s->kept ? 0 : FOLDS;
    for (uint64_t k = 0; k < folds; k++) {
        work_refits(w, s, 3);
        work_tuning(w, s, s->z, s->obs, 3, 1);
    }
    for (size_t i = 0; i < N_MEMBERS; i++) {
        const struct regret_family *family =
            stack_members[i].is_mean ? NULL : family_of(s->options, i);
        if (family != NULL && family->work != NULL) {
            family->work(w, s);
        }
    }
}

const struct regret_family family_stack = {
    .name = "stack",
    .summary = "convex weights on families and on means of agents, by contexts left out",
    .fit = fit,
    .work = work,
    .crosses_words = 1,
    .split_exp = split_exp,
};
