#include "evaluate/sensitivity/regression.h"

#include <math.h>
#include <string.h>

#include "base/core/try.h"
#include "regret/alloc.h"

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
    struct regression *r;
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
    struct column_group *group = &b->r->group[b->r->n_groups++];
    *group = (struct column_group){kind, covariate, b->r->m, n};
    b->r->m += n;
    return group;
}

/* The `most` − 1 most frequent levels have a dummy of their own, the others share the last. */
static int add_levels(struct building *b, enum column_kind kind, size_t covariate,
                      const uint32_t *level, size_t n_levels, size_t most)
{
    const struct regret_log_rows *obs = &b->log->rows[REGRET_LOG_OBS];
    struct source *source = &b->source[b->r->n_groups];
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
    struct source *source = &b->source[b->r->n_groups];
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
    struct source *source = &b->source[b->r->n_groups];
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

static void put(struct nonzero *z, size_t column, double value)
{
    z->column[z->n] = column;
    z->value[z->n++] = value;
}

static void read_row(struct nonzero *z, const struct building *b, size_t row)
{
    const struct regret_log_rows *obs = &b->log->rows[REGRET_LOG_OBS];
    uint32_t x = obs->context[row];
    z->n = 0;
    put(z, REGRESSION_INTERCEPT, 1.0);
    if (obs->agent[row] == b->agent) {
        put(z, REGRESSION_CHOICE, 1.0);
    }
    for (size_t g = 0; g < b->r->n_groups; g++) {
        const struct source *s = &b->source[g];
        size_t first = b->r->group[g].first;
        double value = s->level ? 1.0 : x < s->n ? s->value[x] : 0.0;
        put(z, first + (s->level ? s->slot[s->level[x]] : 0), value);
    }
    put(z, b->r->m - 1, obs->outcome[row]);
}

static void add_products(struct building *b)
{
    struct regression *r = b->r;
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

int regression_build(struct regression *out, const struct regret_log *log, size_t agent,
                     size_t other)
{
    struct regression r = {.m = 2};
    struct building b = {.log = log, .agent = agent, .other = other, .r = &r};
    int rc;
    TRY_CLEANUP(add_groups(&b));
    r.m++;
    TRY_CLEANUP(REGRET_NEW(&r.gram, r.m * r.m));
    add_products(&b);
    *out = r;
    r.gram = NULL;
cleanup:
    regret_free(r.gram);
    for (size_t g = 0; g < REGRESSION_MAX_COLUMNS + 2; g++) {
        regret_free(b.source[g].slot);
        regret_free(b.source[g].value);
    }
    return rc;
}

void regression_free(struct regression *r)
{
    regret_free(r->gram);
    *r = (struct regression){0};
}
