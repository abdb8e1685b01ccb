/* A model fitted. */
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "model/internal.h"
#include "model/model.h"
#include "regret/status.h"
#include "value/strength.h"

/* What the agents share of a context, c(x), by the design that foretells it best. */

struct shared {
    size_t design;
    double rho, mean;
    struct smooth *smooth; /* of the panel's contexts by that design; owned */
    double *coefficient;   /* [smooth->k]; owned */
    double *miss;          /* [rows] what the fit without a context misses of its c_x; owned */
};

static void shared_clear(struct shared *s)
{
    smooth_free(s->smooth);
    regret_free(s->coefficient);
    regret_free(s->miss);
    *s = (struct shared){0};
}

/* The fit at a penalty, and what it misses; returns the mean square of that. */
static double fit_at(struct shared *s, const double *y, double *fitted, double rho)
{
    double squares = 0.0;
    double *leverage = fitted + s->smooth->n;
    smooth_fit(&s->mean, s->coefficient, s->smooth, rho, y, 1);
    smooth_fitted(fitted, leverage, s->smooth, rho, &s->mean, s->coefficient, 1);
    for (size_t i = 0; i < s->smooth->n; i++) {
        double e = (y[i] - fitted[i]) / fmax(1.0 - leverage[i], 1e-6);
        s->miss[s->smooth->at[i]] = e;
        squares += e * e;
    }
    s->rho = rho;
    return squares / (double)s->smooth->n;
}

static int fit_design(struct shared *out, const struct panel *p, const struct design *d,
                      const double *value)
{
    double least = INFINITY, best = penalties[0];
    FREED double *y = NULL;
    TRY(smooth_create(&out->smooth, d->z, p->rows, d->cols, p->at, p->n));
    TRY(REGRET_NEW(&out->coefficient, out->smooth->k));
    TRY(REGRET_NEW(&out->miss, p->rows));
    TRY(REGRET_NEW(&y, 3 * p->n)); /* the values, the fit, the leverages */
    for (size_t i = 0; i < p->n; i++) {
        y[i] = value[p->at[i]];
    }
    for (size_t i = 0; i < PENALTIES; i++) {
        double loss = fit_at(out, y, y + p->n, penalties[i]);
        if (loss < least * (1.0 - 1e-8)) {
            least = loss;
            best = penalties[i];
        }
    }
    fit_at(out, y, y + p->n, best);
    return REGRET_OK;
}

/* Whether the second misses less by more than `errors` standard errors. */
static int is_better(const struct shared *first, const struct shared *second, const struct panel *p,
                     double errors)
{
    double total = 0.0, squares = 0.0, n = (double)p->n;
    for (size_t i = 0; i < p->n; i++) {
        double e = first->miss[p->at[i]], f = second->miss[p->at[i]], d = e * e - f * f;
        total += d;
        squares += d * d;
    }
    double mean = total / n, variance = fmax(squares / n - mean * mean, 0.0) / (n - 1.0);
    return mean > errors * sqrt(variance);
}

/* Every design at every penalty, by the mean square of what the fit without a context misses. Of two rules the simpler is
 * taken unless the other's mean square is less by more than a standard error of the difference over contexts (Breiman and
 * others, Classification and Regression Trees, 1984, section 3.4.3). */
static int shared_find(struct shared *out, const struct panel *panel,
                       const struct design_list *designs, const double *value)
{
    struct shared found = {0};
    int rc = REGRET_OK;
    *out = (struct shared){0};
    for (size_t d = 0; d < designs->n; d++) {
        TRY_CLEANUP(fit_design(&found, panel, &designs->item[d], value));
        found.design = d;
        int same = d > 0 && designs->item[d].rule == designs->item[out->design].rule;
        if (d == 0 || is_better(out, &found, panel, same ? 0.0 : 1.0)) {
            struct shared worse = *out;
            *out = found;
            found = worse;
        }
        shared_clear(&found);
    }
cleanup:
    shared_clear(&found);
    if (rc != REGRET_OK) {
        shared_clear(out);
    }
    return rc;
}

FREED_POINTER(struct regret_model, regret_model_free)

/* A direction that explains less of its share than this is not kept for half-widths. */
#define LEAST_SHARE 0.1

/* Everything of one fit. */
struct fitting {
    const struct regret_model_data *data;
    struct vocabulary *words;
    struct design_list designs;
    struct panel panel;
    size_t *at; /* contexts with a score; owned */
    struct rules rules;
    struct contrast *contrast; /* of the rule */
    struct contrast *means;    /* of nothing but agents */
    double *miss;              /* [rows × n_agents] */
    struct shared shared;
    struct smooth *smooth; /* of all contexts by the contrasts' design */
};

static void fitting_clear(struct fitting *f)
{
    vocabulary_free(f->words);
    design_list_clear(&f->designs);
    regret_free(f->at);
    contrast_free(f->contrast);
    contrast_free(f->means);
    regret_free(f->miss);
    shared_clear(&f->shared);
    smooth_free(f->smooth);
}

static int check_agents(const struct regret_model_data *data)
{
    for (size_t a = 0; a < data->n_agents; a++) {
        size_t n = 0;
        for (size_t x = 0; x < data->n_contexts; x++) {
            n += !isnan(data->target[x * data->n_agents + a]);
        }
        if (n == 0) {
            return regret_fail(REGRET_E_INPUT,
                               "agent %s has no score on any context; leave the agent out",
                               data->agent[a]);
        }
    }
    return REGRET_OK;
}

/* Contexts differ by themselves, so that agents which none of them joins differ by nobody knows how much. */
static int check_joined(const struct regret_model_data *data)
{
    FREED_BY(regret_buffer_free) struct regret_buffer list = REGRET_BUFFER_INIT;
    FREED uint32_t *part = NULL;
    size_t m = data->n_agents;
    TRY(REGRET_NEW(&part, m));
    parts_begin(part, m);
    for (size_t x = 0; x < data->n_contexts; x++) {
        size_t first = m;
        for (size_t a = 0; a < m; a++) {
            if (!isnan(data->target[x * m + a])) {
                first = first == m ? a : first;
                parts_join(part, (uint32_t)first, (uint32_t)a);
            }
        }
    }
    size_t parts = parts_end(part, m);
    parts_name(&list, part, m, data->agent);
    TRY(regret_buffer_status(&list));
    return parts == 1 ? REGRET_OK
                      : regret_fail(
                            REGRET_E_INPUT,
                            "the agents fall into %zu parts, and no context has scores of two: %s; "
                            "which part is better is not in the scores: import the agents of one "
                            "(--agent PATTERN), or score contexts that join them",
                            parts, regret_buffer_get(&list));
}

/* Which contexts have scores, and whether they are enough to judge by. */
static int open_panel(struct fitting *f)
{
    const struct regret_model_data *data = f->data;
    size_t judged = 0;
    f->panel = (struct panel){
        .target = data->target, .rows = data->n_contexts, .n_agents = data->n_agents};
    TRY(REGRET_NEW(&f->at, data->n_contexts));
    for (size_t x = 0; x < data->n_contexts; x++) {
        size_t n = panel_observed(&f->panel, x).n;
        judged += n >= 2;
        f->at[f->panel.n] = x;
        f->panel.n += n >= 1;
    }
    f->panel.at = f->at;
    if (judged < REGRET_MODEL_LEAST_CONTEXTS) {
        return regret_fail(REGRET_E_INPUT,
                           "only %zu contexts have scores of two agents or more; a model of new "
                           "requests wants %d: score more of them",
                           judged, REGRET_MODEL_LEAST_CONTEXTS);
    }
    TRY(check_agents(data));
    return check_joined(data);
}

static int fit_layers(struct fitting *f, size_t threads)
{
    const struct regret_model_data *data = f->data;
    TRY(open_panel(f));
    TRY(vocabulary_create(&f->words, data));
    TRY(design_list_create(&f->designs, f->words));
    TRY(rules_find(&f->rules, &f->panel, &f->designs, f->words->kind, threads));
    const struct design *d = &f->designs.item[f->rules.design];
    double rho = f->rules.rho[f->rules.design];
    TRY(contrast_create(&f->contrast, &f->panel, d));
    contrast_fit(f->contrast, rho);
    TRY(contrast_create(&f->means, &f->panel, &f->designs.item[0]));
    contrast_fit(f->means, penalties[0]);
    TRY(REGRET_NEW(&f->miss, data->n_contexts * data->n_agents));
    contrast_left_out(f->miss, f->contrast, rho);
    TRY(smooth_create(&f->smooth, d->z, data->n_contexts, d->cols, f->at, f->panel.n));
    return shared_find(&f->shared, &f->panel, &f->designs, f->contrast->shared);
}

/* ---- rows ---- */

/* The directions of a smooth that explain the most of what they lie along; pca has them in order. */
static size_t count_directions(const struct smooth *s, double rho)
{
    size_t n = 0;
    /* A fit without panel ends before. NOLINTNEXTLINE(clang-analyzer-core.NullDereference) */
    for (; n < s->k && n < REGRET_MODEL_DIRECTIONS; n++) {
        double l = s->pca->singular[n] * s->pca->singular[n];
        if (l / (l + rho) < LEAST_SHARE) {
            break;
        }
    }
    return n;
}

/* The column `to` of the rows for weights θ in the columns of a design. */
static void put_column(struct regret_model *m, size_t to, const struct vocabulary *v,
                       const struct design *d, const double *theta, double intercept)
{
    double *tags = m->row + m->width + to, *buckets = tags + (m->n_tags + 1) * m->width;
    m->row[to] = intercept;
    for (size_t t = 0; t < d->n_tags; t++) {
        tags[t * m->width] = sqrt(d->gamma) * theta[t];
        tags[m->n_tags * m->width] += v->share[t] * sqrt(d->gamma) * theta[t];
    }
    size_t words = model_word_buckets(m), before = d->n_tags + d->n_own;
    for (size_t j = 0; j < d->n_own; j++) {
        buckets[(words + j) * m->width] = sqrt(d->kappa) * theta[d->n_tags + j];
    }
    for (size_t r = 0; r < d->cols - before; r++) {
        const double *direction = v->svd->v + r * v->svd->n_columns;
        for (size_t b = 0; b < words; b++) {
            buckets[b * m->width] += theta[before + r] * direction[m->bucket[b]];
        }
    }
}

/* z̄·z, the last column of a layer; of own features, whose means are 0, nothing. */
static void put_mean(struct regret_model *m, size_t to, const struct vocabulary *v,
                     const struct design *d, struct model_layer *layer)
{
    double *tags = m->row + m->width + to, *buckets = tags + (m->n_tags + 1) * m->width;
    for (size_t t = 0; t < d->n_tags; t++) {
        tags[t * m->width] = d->gamma * v->share[t];
        layer->centre += d->gamma * v->share[t] * v->share[t];
    }
    tags[m->n_tags * m->width] = layer->centre;
    for (size_t b = 0; d->rule == REGRET_MODEL_WORDS && b < model_word_buckets(m); b++) {
        double mean = v->mean[m->bucket[b]];
        buckets[b * m->width] = mean;
        layer->centre += mean * mean;
    }
}

static void put_layer(struct regret_model *m, struct model_layer *layer, const struct fitting *f,
                      size_t design, const struct smooth *s, double rho)
{
    const struct design *d = &f->designs.item[design];
    size_t to = model_directions_at(m, layer);
    layer->rule = d->rule;
    layer->gamma = d->n_tags > 0 ? d->gamma : 0.0;
    layer->kappa = d->kappa;
    layer->rho = rho;
    for (size_t j = 0; j < layer->n; j++) {
        const double *u = s->pca->v + j * s->cols; /* NOLINT(clang-analyzer-core.NullDereference) */
        double offset = 0.0, sigma = s->pca->singular[j];
        for (size_t i = 0; i < s->cols; i++) {
            offset -= u[i] * s->pca->mean[i];
        }
        layer->shrink[j] = 1.0 / (sigma * sigma + rho);
        put_column(m, to + j, f->words, d, u, offset);
    }
    put_mean(m, to + layer->n, f->words, d, layer);
}

static double shared_mean(const struct contrast *c)
{
    double sum = 0.0;
    for (size_t i = 0; i < c->panel->n; i++) {
        sum += c->shared[c->panel->at[i]];
    }
    return sum / (double)c->panel->n;
}

/* A request of no known tag that is else the mean one has the values that agents have by nothing but their means: of a
 * table with holes the mean over tags has others, and its best agent would not be the single one. */
static void put_unknown_tag(struct regret_model *m, const struct fitting *f, const struct design *d,
                            const double *theta, const double *intercept)
{
    double *row = m->row + (1 + m->n_tags) * m->width;
    for (size_t a = 0; d->n_tags > 0 && a < m->n_agents; a++) {
        double at_mean = intercept[a] + row[a];
        for (size_t j = d->n_tags; j < d->cols; j++) {
            at_mean += f->smooth->pca->mean[j] * theta[a * d->cols + j];
        }
        row[a] += f->means->mean[a] - at_mean;
    }
    row[m->n_agents] += d->n_tags > 0 ? shared_mean(f->means) - shared_mean(f->contrast) : 0.0;
}

static int put_contrasts(struct regret_model *m, const struct fitting *f)
{
    const struct design *d = &f->designs.item[f->rules.design];
    FREED double *theta = NULL, *intercept = NULL;
    TRY(REGRET_NEW(&theta, d->cols * m->n_agents));
    TRY(REGRET_NEW(&intercept, m->n_agents));
    TRY(contrast_weights(theta, intercept, f->contrast, d->cols));
    for (size_t a = 0; a < m->n_agents; a++) {
        put_column(m, a, f->words, d, theta + a * d->cols, intercept[a]);
    }
    put_unknown_tag(m, f, d, theta, intercept);
    return REGRET_OK;
}

static int put_shared(struct regret_model *m, const struct fitting *f)
{
    const struct design *d = &f->designs.item[f->shared.design];
    FREED double *theta = NULL;
    double intercept = 0.0;
    TRY(REGRET_NEW(&theta, d->cols));
    smooth_weights(theta, &intercept, f->shared.smooth, &f->shared.mean, f->shared.coefficient, 1);
    put_column(m, m->n_agents, f->words, d, theta, intercept);
    return REGRET_OK;
}

/* ---- the whole ---- */

/* The buckets that a context fills, ascending. */
static size_t list_buckets(uint32_t *bucket, const struct vocabulary *v, const unsigned char *seen)
{
    size_t n = 0;
    for (size_t b = 0; b < v->phi->cols; b++) {
        if (seen[b] && bucket != NULL) {
            bucket[n] = (uint32_t)b;
        }
        n += seen[b];
    }
    return n;
}

static int create_model(struct regret_model **out, const struct fitting *f)
{
    const struct vocabulary *v = f->words;
    const struct design *contrast = &f->designs.item[f->rules.design];
    const struct design *common = &f->designs.item[f->shared.design];
    int words = contrast->rule == REGRET_MODEL_WORDS || common->rule == REGRET_MODEL_WORDS;
    size_t n_tags = v->n_tags == 1 && v->tag[0][0] == '\0' ? 0 : v->n_tags;
    FREED unsigned char *seen = NULL;
    TRY(REGRET_NEW(&seen, v->phi->cols));
    for (size_t e = 0; words && e < regret_csr_entries(v->phi); e++) {
        seen[v->phi->column[e]] = 1;
    }
    size_t n_words = list_buckets(NULL, v, seen);
    TRY(model_create(out, f->data->n_agents, n_tags, n_words + v->columns.features,
                     count_directions(f->smooth, f->rules.rho[f->rules.design]),
                     count_directions(f->shared.smooth, f->shared.rho)));
    list_buckets((*out)->bucket, v, seen);
    for (size_t j = 0; j < v->columns.features; j++) {
        (*out)->bucket[n_words + j] = (uint32_t)(v->phi->cols + j);
    }
    (*out)->columns = f->words->columns; /* which are its own from here on */
    f->words->columns = (struct model_columns){0};
    return REGRET_OK;
}

/* Which agents have a score on a context of the tag. */
static int name_answered(char **out, const struct fitting *f, size_t tag)
{
    const struct regret_model_data *data = f->data;
    char *answered = NULL;
    TRY(REGRET_NEW(&answered, data->n_agents + 1));
    memset(answered, '0', data->n_agents);
    for (size_t x = 0; x < data->n_contexts; x++) {
        for (size_t a = 0; f->words->kind[x] == tag && a < data->n_agents; a++) {
            answered[a] = isnan(data->target[x * data->n_agents + a]) ? answered[a] : '1';
        }
    }
    *out = answered;
    return REGRET_OK;
}

static int name_model(struct regret_model *m, const struct fitting *f)
{
    const struct regret_model_data *data = f->data;
    for (size_t a = 0; a < m->n_agents; a++) {
        TRY(regret_strdup(&m->agent[a], data->agent[a]));
    }
    for (size_t t = 0; t < m->n_tags; t++) {
        TRY(regret_strdup(&m->tag[t], f->words->tag[t]));
        TRY(name_answered(&m->answered[t], f, t));
        m->tag_mean += f->words->share[t] * f->words->share[t];
    }
    TRY(regret_strdup(&m->pool, data->pool));
    TRY(regret_strdup(&m->pool_digest, data->pool_digest));
    TRY(regret_strdup(&m->settings, data->settings));
    m->features = data->features;
    m->max_bytes = data->max_bytes;
    return REGRET_OK;
}

/* The agent of the greatest mean, the contexts' own part taken off: of equals the lowest. */
static size_t find_single(const struct fitting *f)
{
    size_t single = 0;
    for (size_t a = 1; a < f->panel.n_agents; a++) {
        single = f->means->mean[a] > f->means->mean[single] ? a : single;
    }
    return single;
}

static void state_facts(struct regret_model *m, const struct fitting *f)
{
    struct regret_model_facts *facts = &m->facts;
    facts->n_contexts = f->panel.n;
    facts->n_agents = m->n_agents;
    facts->n_tags = m->n_tags;
    facts->judged = f->rules.judged;
    facts->contrasts = f->rules.rule;
    facts->common = f->designs.item[f->shared.design].rule;
    facts->random = f->rules.random;
    memcpy(facts->score, f->rules.score, sizeof facts->score);
    for (size_t i = 0; i < f->panel.rows * m->n_agents; i++) {
        facts->n_pairs += !isnan(f->data->target[i]);
    }
    facts->single = find_single(f);
}

static int make_model(struct regret_model **out, const struct fitting *f)
{
    FREED_BY(regret_model_free_at) struct regret_model *m = NULL;
    TRY(create_model(&m, f));
    TRY(name_model(m, f));
    state_facts(m, f);
    put_layer(m, &m->contrast, f, f->rules.design, f->smooth, f->rules.rho[f->rules.design]);
    put_layer(m, &m->common, f, f->shared.design, f->shared.smooth, f->shared.rho);
    TRY(put_contrasts(m, f));
    TRY(put_shared(m, f));
    TRY(widths_measure(m, f->data, &f->panel, f->words, f->miss, f->shared.miss,
                       f->contrast->shared));
    *out = m;
    m = NULL;
    return REGRET_OK;
}

/* Targets are squared, and summed over all pairs. */
static int check_targets(const struct regret_model_data *data)
{
    static const double most = 1e100;
    for (size_t i = 0; i < data->n_contexts * data->n_agents; i++) {
        if (fabs(data->target[i]) > most) {
            return regret_fail(REGRET_E_INPUT,
                               "the target of context %zu and agent \"%.60s\" is %g; a model wants "
                               "values of at most %g, or none",
                               i / data->n_agents, data->agent[i % data->n_agents], data->target[i],
                               most);
        }
    }
    return REGRET_OK;
}

static int check_rows(const struct regret_model_data *data)
{
    for (size_t i = 0; i < data->n_rows; i++) {
        const struct regret_model_row *r = &data->row[i];
        if (r->context >= data->n_contexts || r->agent >= data->n_agents ||
            isnan(data->target[r->context * data->n_agents + r->agent])) {
            return regret_fail(REGRET_E_INPUT, "row %zu is of no target of the model", i);
        }
        if (!isfinite(r->outcome) || !isfinite(r->weight) || r->weight <= 0.0) {
            return regret_fail(REGRET_E_INPUT,
                               "row %zu has outcome %g and weight %g; a model wants numbers, and a "
                               "weight above 0",
                               i, r->outcome, r->weight);
        }
    }
    return REGRET_OK;
}

int regret_model_fit(struct regret_model **out, const struct regret_model_data *data,
                     size_t threads)
{
    struct fitting f = {.data = data};
    int rc;
    TRY(regret_blas_check_threads(threads));
    TRY(check_targets(data));
    TRY(check_rows(data));
    int before = regret_blas_set_threads(1); /* jobs run in parallel, and a sum has one order */
    TRY_CLEANUP(fit_layers(&f, threads));
    rc = make_model(out, &f);
cleanup:
    regret_blas_set_threads(before);
    fitting_clear(&f);
    return rc;
}
