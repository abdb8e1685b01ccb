/* Contrasts of agents by request. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/names.h"
#include "base/status.h"
#include "linalg/dense.h"
#include "model/internal.h"
#include "model/model.h"
#include "regret/design.h"
#include "regret/status.h"

FREED_POINTER(struct vocabulary, vocabulary_free)

void vocabulary_free(struct vocabulary *v)
{
    if (v == NULL) {
        return;
    }
    texts_free(v->tag, v->n_tags);
    regret_free(v->kind);
    regret_free(v->share);
    model_columns_free(&v->columns);
    regret_free(v->own);
    regret_csr_free(v->phi);
    regret_svd_free(v->svd);
    regret_free(v->score);
    regret_free(v->mean);
    regret_free(v);
}

static const char *tag_of(const struct regret_model_data *data, size_t x)
{
    return data->tag != NULL && data->tag[x] != NULL ? data->tag[x] : "";
}

/* Tags by first appearance. */
static int find_tags(struct vocabulary *v, const struct regret_model_data *data)
{
    size_t capacity = 0;
    for (size_t x = 0; x < v->n; x++) {
        const char *name = tag_of(data, x);
        size_t t = texts_find((const char *const *)v->tag, v->n_tags, name);
        if (t == REGRET_MODEL_MAX_TAGS) {
            return regret_fail(REGRET_E_INPUT,
                               "the contexts have more than %d tags, too many to tell apart; give "
                               "coarser ones, or none",
                               REGRET_MODEL_MAX_TAGS);
        }
        if (t == v->n_tags) {
            TRY(regret_grow((void **)&v->tag, &capacity, v->n_tags, sizeof *v->tag, "tags"));
            v->tag[t] = NULL;
            TRY(regret_strdup(&v->tag[t], name));
            v->n_tags++;
        }
        v->kind[x] = (uint32_t)t;
    }
    return REGRET_OK;
}

static int count_tags(struct vocabulary *v)
{
    TRY(REGRET_NEW(&v->share, v->n_tags));
    for (size_t x = 0; x < v->n; x++) {
        v->share[v->kind[x]] += 1.0 / (double)v->n;
    }
    return REGRET_OK;
}

static int find_columns(struct vocabulary *v, const struct regret_model_data *data)
{
    TRY(model_columns_make(&v->columns, data));
    TRY(REGRET_NEW(&v->own, v->n * v->columns.features));
    for (size_t x = 0; v->columns.n > 0 && x < v->n; x++) {
        model_columns_read(v->own + x * v->columns.features, &v->columns, data->covariate[x]);
    }
    return REGRET_OK;
}

static int find_words(struct vocabulary *v, const struct regret_model_data *data)
{
    struct regret_svd_options options = REGRET_SVD_OPTIONS_INIT;
    options.rank = v->n < REGRET_MODEL_RANK ? v->n : REGRET_MODEL_RANK;
    TRY(model_words(&v->phi, &data->features, data->max_bytes, data->text, v->n));
    TRY(regret_svd_fit(&v->svd, v->phi, NULL, &options));
    TRY(REGRET_NEW(&v->score, v->n * v->svd->rank));
    TRY(REGRET_NEW(&v->mean, v->phi->cols));
    for (size_t e = 0; e < regret_csr_entries(v->phi); e++) {
        v->mean[v->phi->column[e]] += v->phi->value[e] / (double)v->n;
    }
    return regret_svd_project(v->score, v->svd, v->phi);
}

int vocabulary_create(struct vocabulary **out, const struct regret_model_data *data)
{
    FREED_BY(vocabulary_free_at) struct vocabulary *v = NULL;
    TRY(REGRET_NEW(&v, 1));
    v->n = data->n_contexts;
    TRY(REGRET_NEW(&v->kind, v->n));
    TRY(find_tags(v, data));
    TRY(count_tags(v));
    TRY(find_columns(v, data));
    TRY(find_words(v, data));
    *out = v;
    v = NULL;
    return REGRET_OK;
}

static int add_design(struct design_list *list, const struct vocabulary *v,
                      enum regret_model_rule rule, double gamma, double kappa)
{
    struct design *d = &list->item[list->n++];
    size_t rank = rule == REGRET_MODEL_WORDS ? v->svd->rank : 0;
    d->rule = rule;
    d->gamma = gamma;
    d->kappa = kappa;
    d->n_tags = gamma > 0.0 ? v->n_tags : 0;
    d->n_own = kappa > 0.0 ? v->columns.features : 0;
    d->cols = d->n_tags + d->n_own + rank;
    TRY(REGRET_NEW(&d->z, v->n * d->cols));
    for (size_t x = 0; d->n_tags > 0 && x < v->n; x++) {
        d->z[v->kind[x] * v->n + x] = sqrt(gamma);
    }
    for (size_t j = 0; j < d->n_own; j++) {
        for (size_t x = 0; x < v->n; x++) {
            d->z[(d->n_tags + j) * v->n + x] = sqrt(kappa) * v->own[x * d->n_own + j];
        }
    }
    if (rank > 0) {
        memcpy(d->z + v->n * (d->n_tags + d->n_own), v->score, v->n * rank * sizeof *d->z);
    }
    return REGRET_OK;
}

int design_list_create(struct design_list *out, const struct vocabulary *v)
{
    static const double gammas[] = {1.0, 10.0};
    int has_tags = v->n_tags > 1, has_own = v->columns.features > 0, has_words = v->svd->rank > 0;
    *out = (struct design_list){0};
    TRY(add_design(out, v, REGRET_MODEL_SINGLE, 0.0, 0.0));
    if (has_tags) {
        TRY(add_design(out, v, REGRET_MODEL_TAG, 1.0, 0.0));
    }
    if (has_own) {
        TRY(add_design(out, v, REGRET_MODEL_COLUMNS, has_tags ? 1.0 : 0.0, 1.0));
    }
    for (size_t g = 0; has_words && g < (has_tags || has_own ? 2 : 1); g++) {
        TRY(add_design(out, v, REGRET_MODEL_WORDS, has_tags ? gammas[g] : 0.0,
                       has_own ? gammas[g] : 0.0));
    }
    return REGRET_OK;
}

void design_list_clear(struct design_list *list)
{
    for (size_t i = 0; i < list->n; i++) {
        regret_free(list->item[i].z);
    }
    list->n = 0;
}

FREED_POINTER(struct smooth, smooth_free)

void smooth_free(struct smooth *s)
{
    if (s != NULL) {
        regret_free(s->at);
        regret_pca_free(s->pca);
        regret_free(s->score);
        regret_free(s);
    }
}

static int decompose(struct smooth *s, const double *design, size_t rows)
{
    FREED double *z = NULL;
    TRY(REGRET_NEW(&z, s->n * s->cols));
    for (size_t j = 0; j < s->cols; j++) {
        for (size_t i = 0; i < s->n; i++) {
            z[j * s->n + i] = design[j * rows + s->at[i]];
        }
    }
    TRY(regret_pca_fit(&s->pca, z, s->n, s->cols, NULL, s->cols, 1));
    s->k = s->pca->rank;
    TRY(REGRET_NEW(&s->score, s->n * s->k));
    return regret_pca_project(s->score, s->pca, z, s->n);
}

int smooth_create(struct smooth **out, const double *design, size_t rows, size_t cols,
                  const size_t *at, size_t n)
{
    FREED_BY(smooth_free_at) struct smooth *s = NULL;
    TRY(REGRET_NEW(&s, 1));
    s->n = n;
    s->cols = cols;
    TRY(REGRET_NEW(&s->at, n));
    memcpy(s->at, at, n * sizeof *at);
    if (cols > 0 && n > 1) {
        TRY(decompose(s, design, rows));
    }
    *out = s;
    s = NULL;
    return REGRET_OK;
}

void smooth_fit(double *mean, double *coefficient, const struct smooth *s, double rho,
                const double *y, size_t m)
{
    /* scores have mean zero: ȳ need not be taken off */
    products_by_columns(coefficient, s->score, s->n, s->k, y, m);
    for (size_t o = 0; o < m; o++) {
        double total = 0.0;
        for (size_t i = 0; i < s->n; i++) {
            total += y[o * s->n + i];
        }
        mean[o] = total / (double)s->n;
        for (size_t j = 0; j < s->k; j++) {
            double sigma = s->pca->singular[j];
            coefficient[o * s->k + j] /= sigma * sigma + rho;
        }
    }
}

void smooth_fitted(double *fitted, double *leverage, const struct smooth *s, double rho,
                   const double *mean, const double *coefficient, size_t m)
{
    for (size_t o = 0; fitted != NULL && o < m; o++) {
        for (size_t i = 0; i < s->n; i++) {
            fitted[o * s->n + i] = mean[o];
        }
    }
    if (fitted != NULL) {
        products_add(fitted, s->score, s->n, s->k, coefficient, m);
    }
    for (size_t i = 0; leverage != NULL && i < s->n; i++) {
        leverage[i] = 1.0 / (double)s->n;
    }
    for (size_t j = 0; leverage != NULL && j < s->k; j++) {
        double sigma = s->pca->singular[j], factor = 1.0 / (sigma * sigma + rho);
        for (size_t i = 0; i < s->n; i++) {
            leverage[i] += factor * s->score[j * s->n + i] * s->score[j * s->n + i];
        }
    }
}

void smooth_weights(double *theta, double *intercept, const struct smooth *s, const double *mean,
                    const double *coefficient, size_t m)
{
    memset(theta, 0, s->cols * m * sizeof *theta);
    if (s->pca != NULL) {
        products_add(theta, s->pca->v, s->cols, s->k, coefficient, m);
    }
    for (size_t o = 0; o < m; o++) {
        intercept[o] = mean[o];
        for (size_t i = 0; s->pca != NULL && i < s->cols; i++) {
            intercept[o] -= s->pca->mean[i] * theta[o * s->cols + i];
        }
    }
}

FREED_POINTER(struct contrast, contrast_free)

const double penalties[PENALTIES] = {1000.0, 300.0, 100.0, 30.0, 10.0, 3.0, 1.0, 0.3, 0.1, 0.03};

/* When the shared part stands, on a scale of 0 to 1. */
enum { MOST_SWEEPS = 1000 };
#define STANDS 1e-10
/* The contrast of an agent without a score among the contexts that are fitted: below every other. */
#define UNKNOWN (-2.0)

static size_t agents_of(const struct contrast *c)
{
    return c->n_smooths == 1 ? c->panel->n_agents : 1;
}

static double score_at(const struct panel *p, size_t x, size_t a)
{
    return p->target[x * p->n_agents + a];
}

struct observed panel_observed(const struct panel *p, size_t x)
{
    struct observed of = {0, 0.0, -INFINITY};
    for (size_t a = 0; a < p->n_agents; a++) {
        double y = score_at(p, x, a);
        of.total += isnan(y) ? 0.0 : y;
        of.best = fmax(of.best, y); /* which passes a NaN by */
        of.n += !isnan(y);
    }
    return of;
}

static int is_complete(const struct panel *p)
{
    size_t i = 0;
    while (i < p->n && panel_observed(p, p->at[i]).n == p->n_agents) {
        i++;
    }
    return i == p->n;
}

void contrast_free(struct contrast *c)
{
    if (c == NULL) {
        return;
    }
    for (size_t s = 0; s < c->n_smooths; s++) {
        smooth_free(c->smooth != NULL ? c->smooth[s] : NULL);
        regret_free(c->coefficient != NULL ? c->coefficient[s] : NULL);
    }
    regret_free(c->smooth);
    regret_free(c->coefficient);
    regret_free(c->shared);
    regret_free(c->mean);
    regret_free(c->fitted);
    regret_free(c->room);
    regret_free(c->observed);
    regret_free(c->sweep);
    regret_free(c);
}

/* The smooth of the contexts in which agent `a` was observed; all of them where there is one for all. */
static int make_smooth(struct contrast *c, size_t s, const struct design *d, size_t *at)
{
    const struct panel *p = c->panel;
    size_t n = 0;
    for (size_t i = 0; i < p->n; i++) {
        if (c->n_smooths == 1 || !isnan(score_at(p, p->at[i], s))) {
            at[n++] = p->at[i];
        }
    }
    TRY(smooth_create(&c->smooth[s], d->z, p->rows, d->cols, at, n));
    return REGRET_NEW(&c->coefficient[s], c->smooth[s]->k * agents_of(c));
}

/* c_x to begin with: the mean of what was observed. */
static void begin_shared(struct contrast *c)
{
    const struct panel *p = c->panel;
    for (size_t i = 0; i < p->n; i++) {
        struct observed of = panel_observed(p, p->at[i]);
        c->shared[p->at[i]] = of.n > 0 ? of.total / (double)of.n : 0.0;
        c->observed[p->at[i]] = of.n > 0 ? (double)of.n : 1.0;
    }
}

int contrast_create(struct contrast **out, const struct panel *panel, const struct design *design)
{
    FREED_BY(contrast_free_at) struct contrast *c = NULL;
    size_t cells = panel->rows * panel->n_agents;
    FREED size_t *at = NULL;
    TRY(REGRET_NEW(&c, 1));
    c->panel = panel;
    c->n_smooths = is_complete(panel) ? 1 : panel->n_agents;
    TRY(REGRET_NEW(&at, panel->n));
    TRY(REGRET_NEW(&c->smooth, c->n_smooths));
    TRY(REGRET_NEW(&c->coefficient, c->n_smooths));
    for (size_t s = 0; s < c->n_smooths; s++) {
        TRY(make_smooth(c, s, design, at));
    }
    TRY(REGRET_NEW(&c->shared, panel->rows));
    TRY(REGRET_NEW(&c->mean, panel->n_agents));
    TRY(REGRET_NEW(&c->fitted, cells));
    TRY(REGRET_NEW(&c->room, 2 * panel->n * panel->n_agents + panel->n));
    TRY(REGRET_NEW(&c->observed, panel->rows));
    TRY(REGRET_NEW(&c->sweep, 3 * panel->rows));
    begin_shared(c);
    *out = c;
    c = NULL;
    return REGRET_OK;
}

/* Fits the agents of smooth s to what the shared part leaves. `room` is n × agents twice. */
static void fit_smooth(struct contrast *c, size_t s, double rho)
{
    const struct panel *p = c->panel;
    const struct smooth *smooth = c->smooth[s];
    size_t m = agents_of(c), n = smooth->n;
    double *y = c->room, *fitted = c->room + n * m;
    for (size_t o = 0; o < m; o++) {
        for (size_t i = 0; i < n; i++) {
            y[o * n + i] = score_at(p, smooth->at[i], s + o) - c->shared[smooth->at[i]];
        }
    }
    if (n == 0) { /* nothing is known of the agent here, and it is not recommended */
        c->mean[s] = UNKNOWN;
        return;
    }
    smooth_fit(c->mean + s, c->coefficient[s], smooth, rho, y, m);
    smooth_fitted(fitted, NULL, smooth, rho, c->mean + s, c->coefficient[s], m);
    for (size_t o = 0; o < m; o++) {
        for (size_t i = 0; i < n; i++) {
            c->fitted[smooth->at[i] * p->n_agents + s + o] = fitted[o * n + i];
        }
    }
}

/* out_x = Σ_a observed (v_x − (S_a v)_x), S_a what an agent's smooth makes of outcomes. Agents have a smooth each. */
static void apply(double *out, struct contrast *c, double rho, const double *v)
{
    memset(out, 0, c->panel->rows * sizeof *out);
    for (size_t s = 0; s < c->n_smooths; s++) {
        const struct smooth *smooth = c->smooth[s];
        double *y = c->room, *fitted = c->room + smooth->n, mean = 0.0;
        for (size_t i = 0; i < smooth->n; i++) {
            y[i] = v[smooth->at[i]];
        }
        smooth_fit(&mean, c->coefficient[s], smooth, rho, y, 1);
        smooth_fitted(fitted, NULL, smooth, rho, &mean, c->coefficient[s], 1);
        for (size_t i = 0; i < smooth->n; i++) {
            out[smooth->at[i]] += y[i] - fitted[i];
        }
    }
}

/* What the fits at c leave of every context, summed over its agents: the gradient, which is to vanish. */
static void leave(double *out, const struct contrast *c)
{
    const struct panel *p = c->panel;
    for (size_t i = 0; i < p->n; i++) {
        size_t x = p->at[i];
        out[x] = 0.0;
        for (size_t a = 0; a < p->n_agents; a++) {
            double y = score_at(p, x, a);
            out[x] += isnan(y) ? 0.0 : y - c->shared[x] - c->fitted[x * p->n_agents + a];
        }
    }
}

static void fit_all(struct contrast *c, double rho)
{
    for (size_t s = 0; s < c->n_smooths; s++) {
        fit_smooth(c, s, rho);
    }
}

/* One step of conjugate gradients from c along `along`; *old is rᵀr/n before it and after. */
static void step(struct contrast *c, double rho, double *old)
{
    const struct panel *p = c->panel;
    double *left = c->sweep, *along = left + p->rows, *applied = along + p->rows;
    double curvature = 0.0, now = 0.0;
    apply(applied, c, rho, along);
    for (size_t i = 0; i < p->n; i++) {
        curvature += along[p->at[i]] * applied[p->at[i]];
    }
    double length = curvature > 0.0 ? *old / curvature : 0.0;
    for (size_t i = 0; i < p->n; i++) {
        size_t x = p->at[i];
        c->shared[x] += length * along[x];
        left[x] -= length * applied[x];
        now += left[x] * left[x] / c->observed[x];
    }
    for (size_t i = 0; i < p->n; i++) {
        size_t x = p->at[i];
        along[x] = left[x] / c->observed[x] + (*old > 0.0 ? now / *old : 0.0) * along[x];
    }
    *old = now;
}

/* With d fitted to whatever c is, c solves Σ_a (I − S_a) (y_a − c) = 0, a symmetric system: conjugate gradients, scaled by
 * how many agents a context has, until no c_x would move by more than STANDS. In turn, as backfitting goes, takes
 * thousands of sweeps where the agents' fits have a part in common. */
static void fit_shared(struct contrast *c, double rho)
{
    const struct panel *p = c->panel;
    double *left = c->sweep, *along = left + p->rows, old = 0.0;
    fit_all(c, rho);
    leave(left, c);
    for (size_t i = 0; i < p->n; i++) {
        size_t x = p->at[i];
        along[x] = left[x] / c->observed[x];
        old += left[x] * along[x];
    }
    for (size_t sweep = 0; sweep < MOST_SWEEPS; sweep++) {
        double most = 0.0;
        for (size_t i = 0; i < p->n; i++) {
            most = fmax(most, fabs(left[p->at[i]]) / c->observed[p->at[i]]);
        }
        if (most < STANDS) {
            break;
        }
        step(c, rho, &old);
    }
}

void contrast_fit(struct contrast *c, double rho)
{
    if (c->n_smooths > 1) { /* of a complete grid the mean over agents stands */
        fit_shared(c, rho);
    }
    fit_all(c, rho);
}

void contrast_left_out(double *miss, struct contrast *c, double rho)
{
    const struct panel *p = c->panel;
    for (size_t i = 0; i < p->rows * p->n_agents; i++) {
        miss[i] = NAN;
    }
    for (size_t s = 0; s < c->n_smooths; s++) {
        const struct smooth *smooth = c->smooth[s];
        double *leverage = c->room;
        smooth_fitted(NULL, leverage, smooth, rho, NULL, NULL, 0);
        for (size_t i = 0; i < smooth->n; i++) {
            size_t x = smooth->at[i];
            for (size_t a = s; a < s + agents_of(c); a++) {
                double e = score_at(p, x, a) - c->shared[x] - c->fitted[x * p->n_agents + a];
                miss[x * p->n_agents + a] = e / fmax(1.0 - leverage[i], 1e-6);
            }
        }
    }
}

double contrast_loss(const double *miss, const struct panel *p)
{
    double loss = 0.0;
    for (size_t i = 0; i < p->n; i++) {
        const double *e = miss + p->at[i] * p->n_agents;
        double total = 0.0, squares = 0.0;
        size_t n = 0;
        for (size_t a = 0; a < p->n_agents; a++) {
            total += isnan(e[a]) ? 0.0 : e[a];
            n += !isnan(e[a]);
        }
        for (size_t a = 0; a < p->n_agents; a++) {
            double d = isnan(e[a]) ? 0.0 : e[a] - total / (double)n;
            squares += d * d;
        }
        loss += squares;
    }
    return loss;
}

int contrast_weights(double *theta, double *intercept, const struct contrast *c, size_t cols)
{
    for (size_t s = 0; s < c->n_smooths; s++) {
        smooth_weights(theta + s * cols, intercept + s, c->smooth[s], c->mean + s,
                       c->coefficient[s], agents_of(c));
    }
    return REGRET_OK;
}
