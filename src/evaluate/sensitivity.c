#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/status.h"
#include "evaluate/diagnose.h"
#include "regret/evaluate.h"
#include "regret/status.h"
#include "stats/distributions.h"

enum { MOST_PLACES = 1 << 20, MOST_CLASSES = 4096, LEAST_CLASSES = 64 };

void odds_free(struct odds *o)
{
    regret_free(o->at);
    regret_free(o->value);
    regret_free(o->rows);
    *o = (struct odds){0};
}

/* Rows by tag; one tag where there are none. */
static int count_tags(double **out, const struct cells *c)
{
    TRY(REGRET_NEW(out, c->n_tags));
    for (size_t k = 0; k < c->n; k++) {
        (*out)[k % c->n_tags] += (double)c->at[k].rows[REGRET_LOG_OBS];
    }
    return REGRET_OK;
}

static void add_row(struct odds *o, size_t agent, double y, double e)
{
    size_t class = (size_t)(y * (double)(o->n_classes - 1) + 0.5);
    struct odds_class *c = &o->at[agent * o->n_classes + class];
    double more = 1.0 / e - 1.0;
    c->one += 1.0;
    c->one_y += y;
    c->more += more;
    c->more_y += more * y;
    o->rows[agent]++;
}

int odds_build(struct odds *out, const struct regret_log *log)
{
    const struct regret_log_rows *obs = &log->rows[REGRET_LOG_OBS];
    FREED_BY(odds_free) struct odds o = {0};
    FREED_BY(cells_free) struct cells cells = {0};
    FREED double *tags = NULL;
    size_t classes = MOST_PLACES / (log->n_agents + 1);
    o.n_agents = log->n_agents;
    o.n_classes = classes > MOST_CLASSES    ? MOST_CLASSES
                  : classes < LEAST_CLASSES ? LEAST_CLASSES
                                            : classes;
    TRY(REGRET_NEW(&o.at, o.n_agents * o.n_classes));
    TRY(REGRET_NEW(&o.value, o.n_agents));
    TRY(REGRET_NEW(&o.rows, o.n_agents));
    TRY(cells_build(&cells, log, 1, 0));
    TRY(count_tags(&tags, &cells));
    for (size_t i = 0; i < obs->n; i++) {
        size_t cell = cell_of(&cells, REGRET_LOG_OBS, i);
        double share = (double)cells.at[cell].rows[REGRET_LOG_OBS] / tags[cell % cells.n_tags];
        add_row(&o, obs->agent[i], obs->outcome[i], obs->propensity ? obs->propensity[i] : share);
    }
    for (size_t a = 0; a < o.n_agents; a++) {
        double high;
        odds_bounds(&o.value[a], &high, &o, a, 1.0);
    }
    *out = o;
    o = (struct odds){0};
    return REGRET_OK;
}

/* The largest of Σ w y/Σ w with λ at the low value in classes before a threshold and at the high one from it on; or the least
 * with the two exchanged. */
static double extreme(const struct odds *o, size_t agent, double before, double after, int is_low)
{
    const struct odds_class *of = o->at + agent * o->n_classes;
    double sum = 0.0, weight = 0.0;
    for (size_t k = 0; k < o->n_classes; k++) {
        sum += of[k].one_y + after * of[k].more_y;
        weight += of[k].one + after * of[k].more;
    }
    double best = sum / weight;
    for (size_t k = 0; k < o->n_classes; k++) {
        sum += (before - after) * of[k].more_y;
        weight += (before - after) * of[k].more;
        double value = sum / weight;
        best = is_low ? fmin(best, value) : fmax(best, value);
    }
    return best;
}

void odds_bounds(double *low, double *high, const struct odds *o, size_t agent, double lambda)
{
    *low = *high = NAN;
    if (o->rows[agent] > 0) {
        *low = extreme(o, agent, lambda, 1.0 / lambda, 1);
        *high = extreme(o, agent, 1.0 / lambda, lambda, 0);
    }
}

/* Whether another agent may be as good at Λ, and which is the furthest ahead. */
static int may_change(size_t *other, const struct odds *o, size_t agent, double lambda)
{
    double low, high, own, most = -1.0;
    odds_bounds(&own, &high, o, agent, lambda);
    for (size_t a = 0; a < o->n_agents; a++) {
        odds_bounds(&low, &high, o, a, lambda);
        if (a != agent && high > most) {
            most = high;
            *other = a;
        }
    }
    return most >= own;
}

double odds_of_change(size_t *other, const struct odds *o, size_t agent)
{
    const double widest = 1e6;
    double low = 0.0, high = log(widest); /* logarithms */
    if (!may_change(other, o, agent, widest)) {
        return INFINITY;
    }
    if (may_change(other, o, agent, 1.0)) {
        return 1.0;
    }
    while (high - low > 1e-6) {
        double middle = 0.5 * (low + high);
        if (may_change(other, o, agent, exp(middle))) {
            high = middle;
        } else {
            low = middle;
        }
    }
    may_change(other, o, agent, exp(high));
    return exp(high);
}

int odds_by_tag(double *out, const struct regret_log *logged, size_t agent)
{
    const struct regret_log_rows *obs = &logged->rows[REGRET_LOG_OBS];
    FREED_BY(cells_free) struct cells c = {0};
    double sum = 0.0, own = 0.0, n = (double)obs->n;
    FREED double *tags = NULL;
    *out = NAN;
    if (!logged->tag || logged->n_tags < 2) {
        return REGRET_OK;
    }
    TRY(cells_build(&c, logged, 1, 0));
    TRY(count_tags(&tags, &c));
    for (size_t t = 0; t < logged->n_tags; t++) {
        own += (double)c.at[agent * c.n_tags + t].rows[REGRET_LOG_OBS];
    }
    for (size_t t = 0; t < logged->n_tags;
         t++) { /* half a row more either way keeps empty ones finite */
        double k = (double)c.at[agent * c.n_tags + t].rows[REGRET_LOG_OBS];
        double within = log((k + 0.5) / (tags[t] - k + 0.5));
        double all = log((own + 0.5) / (n - own + 0.5));
        sum += tags[t] / n * fabs(within - all);
    }
    *out = exp(sum);
    return REGRET_OK;
}

enum { REGRESSION_INTERCEPT = 0, REGRESSION_CHOICE = 1 };

/* What a row has in a group: a dummy by level, or a number. */
struct source {
    const uint32_t *level; /* [contexts] NULL of numbers */
    uint32_t *slot;        /* [levels] its dummy; owned */
    double *value;         /* [n] standardised; owned */
    size_t n;              /* contexts with a value; those behind are in the middle */
};

struct building {
    const struct regret_log *log;
    size_t agent, other;
    struct regression r;
    struct source source[REGRESSION_MAX_COLUMNS + 2]; /* of the groups */
};

static int is_of_two(const struct building *b, size_t row)
{
    size_t a = b->log->rows[REGRET_LOG_OBS].agent[row];
    return a == b->agent || a == b->other;
}

static struct column_group *add_group(struct building *b, enum column_kind kind, size_t covariate,
                                      size_t n)
{
    struct column_group *group = &b->r.group[b->r.n_groups++];
    *group = (struct column_group){kind, covariate, b->r.m, n};
    b->r.m += n;
    return group;
}

/* The `most` − 1 most frequent levels have a dummy of their own, the others share the last. */
static int add_levels(struct building *b, enum column_kind kind, size_t covariate,
                      const uint32_t *level, size_t n_levels, size_t most)
{
    const struct regret_log_rows *obs = &b->log->rows[REGRET_LOG_OBS];
    struct source *source = &b->source[b->r.n_groups];
    size_t n = n_levels < most ? n_levels : most;
    FREED size_t *count = NULL;
    add_group(b, kind, covariate, n);
    source->level = level;
    TRY(REGRET_NEW(&source->slot, n_levels));
    TRY(REGRET_NEW(&count, n_levels));
    for (size_t i = 0; i < obs->n; i++) {
        count[level[obs->context[i]]] += (size_t)is_of_two(b, i);
    }
    for (size_t k = 0; k < n_levels; k++) {
        source->slot[k] = n_levels <= most ? (uint32_t)k : (uint32_t)(n - 1);
    }
    for (size_t s = 0; s + 1 < n && n_levels > most; s++) {
        size_t top = 0;
        for (size_t k = 1; k < n_levels; k++) {
            top = count[k] > count[top] ? k : top;
        }
        source->slot[top] = (uint32_t)s;
        count[top] = 0;
    }
    return REGRET_OK;
}

/* Mean 0 and variance 1 over contexts; a missing value is in the middle. */
static void standardise(double *value, size_t n)
{
    double sum = 0.0, squares = 0.0, known = 0.0;
    for (size_t x = 0; x < n; x++) {
        known += !isnan(value[x]);
        sum += isnan(value[x]) ? 0.0 : value[x];
    }
    double mean = known > 0.0 ? sum / known : 0.0;
    for (size_t x = 0; x < n; x++) {
        value[x] = isnan(value[x]) ? 0.0 : value[x] - mean;
        squares += value[x] * value[x];
    }
    double scale = squares > 0.0 ? sqrt(known / squares) : 0.0;
    for (size_t x = 0; x < n; x++) {
        value[x] *= scale;
    }
}

static int add_number(struct building *b, size_t j)
{
    const struct regret_log_column *column = &b->log->column[j];
    struct source *source = &b->source[b->r.n_groups];
    add_group(b, GROUP_COVARIATE, j, 1);
    source->n = column->n_known > 0 ? column->n_known : b->log->n_contexts;
    TRY(REGRET_NEW(&source->value, source->n));
    memcpy(source->value, column->value, source->n * sizeof *source->value);
    standardise(source->value, source->n);
    return REGRET_OK;
}

static int add_length(struct building *b)
{
    const struct regret_log *log = b->log;
    struct source *source = &b->source[b->r.n_groups];
    size_t n = 0;
    for (size_t x = 0; x < log->n_contexts && log->text; x++) {
        n += log->text[x] != NULL;
    }
    if (n == 0) {
        return REGRET_OK;
    }
    add_group(b, GROUP_LENGTH, 0, 1);
    source->n = log->n_kept > 0 ? log->n_kept : log->n_contexts;
    TRY(REGRET_NEW(&source->value, source->n));
    for (size_t x = 0; x < source->n; x++) {
        source->value[x] = log->text[x] ? log1p((double)strlen(log->text[x])) : NAN;
    }
    standardise(source->value, source->n);
    return REGRET_OK;
}

static int add_groups(struct building *b)
{
    const struct regret_log *log = b->log;
    if (log->tag && log->n_tags > 1) {
        TRY(add_levels(b, GROUP_TAGS, 0, log->tag, log->n_tags, REGRESSION_MAX_TAGS));
    }
    for (size_t j = 0; j < log->n_columns && j < REGRESSION_MAX_COLUMNS; j++) {
        const struct regret_log_column *c = &log->column[j];
        if (!c->is_word) {
            TRY(add_number(b, j));
        } else if (c->n_words > 1) {
            TRY(add_levels(b, GROUP_COVARIATE, j, c->word, c->n_words, REGRESSION_MAX_WORDS));
        }
    }
    return add_length(b);
}

/* The columns in which a row is not zero, ascending. */
struct nonzero {
    size_t n, column[REGRESSION_MAX_COLUMNS + 5];
    double value[REGRESSION_MAX_COLUMNS + 5];
};

static void regression_put(struct nonzero *z, size_t column, double value)
{
    z->column[z->n] = column;
    z->value[z->n++] = value;
}

static void read_row(struct nonzero *z, const struct building *b, size_t row)
{
    const struct regret_log_rows *obs = &b->log->rows[REGRET_LOG_OBS];
    uint32_t x = obs->context[row];
    z->n = 0;
    regression_put(z, REGRESSION_INTERCEPT, 1.0);
    if (obs->agent[row] == b->agent) {
        regression_put(z, REGRESSION_CHOICE, 1.0);
    }
    for (size_t g = 0; g < b->r.n_groups; g++) {
        const struct source *s = &b->source[g];
        size_t first = b->r.group[g].first;
        double value = s->level ? 1.0 : x < s->n ? s->value[x] : 0.0;
        regression_put(z, first + (s->level ? s->slot[s->level[x]] : 0), value);
    }
    regression_put(z, b->r.m - 1, obs->outcome[row]);
}

static void add_products(struct building *b)
{
    struct regression *r = &b->r;
    struct nonzero z;
    for (size_t i = 0; i < b->log->rows[REGRET_LOG_OBS].n; i++) {
        if (!is_of_two(b, i)) {
            continue;
        }
        r->n_rows++;
        read_row(&z, b, i);
        for (size_t j = 0; j < z.n; j++) {
            for (size_t k = 0; k <= j; k++) {
                r->gram[z.column[k] * r->m + z.column[j]] += z.value[j] * z.value[k];
            }
        }
    }
    for (size_t j = 0; j < r->m; j++) {
        for (size_t k = 0; k < j; k++) {
            r->gram[j * r->m + k] = r->gram[k * r->m + j];
        }
    }
}

void regression_free(struct regression *r)
{
    regret_free(r->gram);
    *r = (struct regression){0};
}

static void building_free(struct building *b)
{
    regression_free(&b->r);
    for (size_t g = 0; g < REGRESSION_MAX_COLUMNS + 2; g++) {
        regret_free(b->source[g].slot);
        regret_free(b->source[g].value);
    }
}

int regression_build(struct regression *out, const struct regret_log *log, size_t agent,
                     size_t other)
{
    FREED_BY(building_free)
    struct building b = {.log = log, .agent = agent, .other = other, .r = {.m = 2}};
    TRY(add_groups(&b));
    b.r.m++;
    TRY(REGRET_NEW(&b.r.gram, b.r.m * b.r.m));
    add_products(&b);
    *out = b.r;
    b.r.gram = NULL;
    return REGRET_OK;
}

/* Least squares by sweeping (Goodnight, The American Statistician 33, 1979). */

#define SWEEP_TOLERANCE 1e-10

/* Takes column k out of the others of the m × m symmetric a: what is left of them are sums of products of residuals. A column of
 * which less than the tolerance of its square in `first` (the sums before any) is left depends on those taken out: nothing is done.
 * Returns 1 or 0, the rank it adds. O(m²). */
static size_t sweep(double *a, const double *first, size_t m, size_t k)
{
    double pivot = a[k * m + k];
    if (!(pivot > SWEEP_TOLERANCE * first[k * m + k])) {
        return 0;
    }
    for (size_t i = 0; i < m; i++) {
        double factor = a[k * m + i] / pivot;
        for (size_t j = 0; j < m && i != k; j++) {
            if (j != k) {
                a[j * m + i] -= factor * a[j * m + k];
            }
        }
    }
    for (size_t i = 0; i < m; i++) { /* nothing is left of it for the others */
        a[k * m + i] = a[i * m + k] = 0.0;
    }
    return 1;
}

/* Sweeps the intercept and the groups but `left_out` (n_groups: none) out of a copy of the sums. */
static size_t take_out(double *a, const struct regression *r, size_t left_out)
{
    memcpy(a, r->gram, r->m * r->m * sizeof *a);
    size_t rank = sweep(a, r->gram, r->m, REGRESSION_INTERCEPT);
    for (size_t g = 0; g < r->n_groups; g++) {
        for (size_t k = 0; k < r->group[g].n && g != left_out; k++) {
            rank += sweep(a, r->gram, r->m, r->group[g].first + k);
        }
    }
    return rank;
}

static double value_to_zero(double f)
{
    return f <= 0.0 ? 0.0 : 0.5 * (sqrt(f * f * f * f + 4.0 * f * f) - f * f);
}

int robustness_of(struct robustness *out, const struct regression *r, double level)
{
    FREED double *a = NULL;
    size_t m = r->m, y = m - 1, d = REGRESSION_CHOICE;
    TRY(REGRET_NEW(&a, m * m));
    size_t rank = take_out(a, r, r->n_groups);
    double dd = a[d * m + d], dy = a[d * m + y], yy = a[y * m + y];
    struct robustness s = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, yy, dd};
    s.df = (double)r->n_rows - (double)rank - 1.0;
    double left = yy - dy * dy / dd;
    if (dd > SWEEP_TOLERANCE * r->gram[d * m + d] && left > SWEEP_TOLERANCE * r->gram[y * m + y] &&
        s.df > 1.0) {
        s.value = dy / dd;
        s.error = sqrt(left / s.df / dd);
        s.t = s.value / s.error;
        s.partial_r2 = s.t * s.t / (s.t * s.t + s.df);
        double f = fabs(s.t) / sqrt(s.df);
        double chance = regret_student_quantile(0.5 * (1.0 + level), s.df - 1.0) / sqrt(s.df - 1.0);
        s.to_zero = value_to_zero(f);
        s.to_chance = value_to_zero(f - chance);
        if (f > chance && f > 1.0 / chance) { /* one that explains all of Y does it sooner */
            s.to_chance = (f * f - chance * chance) / (1.0 + f * f);
        }
    }
    *out = s;
    return REGRET_OK;
}

/* The share of a residual sum of squares that goes when more is taken out. */
static double gone(double before, double after)
{
    return before > 0.0 ? fmax(0.0, (before - after) / before) : NAN;
}

int benchmark_of(struct benchmark *out, const struct regression *r, const struct robustness *of,
                 size_t group)
{
    FREED double *a = NULL;
    size_t m = r->m, y = m - 1, d = REGRESSION_CHOICE;
    TRY(REGRET_NEW(&a, m * m));
    take_out(a, r, group);
    double d_r2 = gone(a[d * m + d], of->choice_left);
    double y_without = a[y * m + y] - a[d * m + y] * a[d * m + y] / a[d * m + d];
    double y_with = of->without_choice - of->value * of->value * of->choice_left;
    double y_r2 = gone(y_without, y_with);
    /* Their bounds (20), with R²_{Z~X_j|X_-j,D} for what the two share given D. */
    double with_choice = d_r2 / (1.0 - d_r2);
    double shared = d_r2 * d_r2 / ((1.0 - d_r2) * (1.0 - d_r2));
    double step = (1.0 + sqrt(shared)) / sqrt(1.0 - shared);
    double with_outcome = fmin(1.0, step * step * y_r2 / (1.0 - y_r2));
    *out = (struct benchmark){NAN, NAN, NAN};
    if (with_choice < 1.0 && shared < 1.0 && y_r2 < 1.0) {
        double bias =
            sqrt(with_outcome * with_choice / (1.0 - with_choice)) * of->error * sqrt(of->df);
        double left = fabs(of->value) - bias;
        *out = (struct benchmark){with_choice, with_outcome, of->value < 0.0 ? -left : left};
    }
    return REGRET_OK;
}
