#include "report/rows/regime.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cJSON.h>

#include "regret/families.h"

/* A number, or the ends of a list of candidates, which ascends. */
static struct range range_of(const cJSON *value)
{
    const cJSON *last = cJSON_GetArrayItem(value, cJSON_GetArraySize(value) - 1);
    if (cJSON_IsArray(value) && cJSON_IsNumber(value->child) && cJSON_IsNumber(last)) {
        return (struct range){value->child->valuedouble, last->valuedouble};
    }
    return cJSON_IsNumber(value) ? (struct range){value->valuedouble, value->valuedouble}
                                 : (struct range){NAN, NAN};
}

static struct range read_range(const struct slice *s, const cJSON *config, const char *name)
{
    size_t key = regret_results_find_key(s->r, name);
    const cJSON *fixed = cJSON_GetObjectItemCaseSensitive(config, name);
    struct range range = {NAN, NAN};
    if (key == REGRET_NO_ROW) {
        return range_of(fixed);
    }
    for (size_t i = 0; i < s->n_cells; i++) {
        cJSON *value = cJSON_Parse(regret_results_key_text(s->r, s->cells[i], key));
        struct range cell = range_of(value);
        range.low = fmin(range.low, cell.low); /* fmin and fmax pass over NaN */
        range.high = fmax(range.high, cell.high);
        cJSON_Delete(value);
    }
    return range;
}

static int reads_none(const struct slice *s, const cJSON *config, const char *name)
{
    size_t key = regret_results_find_key(s->r, name);
    const cJSON *fixed = cJSON_GetObjectItemCaseSensitive(config, name);
    const char *law = cJSON_IsString(fixed) ? fixed->valuestring : "";
    int none = key != REGRET_NO_ROW || strcmp(law, "none") == 0;
    for (size_t i = 0; key != REGRET_NO_ROW && i < s->n_cells; i++) {
        none = none && strcmp(regret_results_key_text(s->r, s->cells[i], key), "none") == 0;
    }
    return none;
}

/* Its "task" is "world". */
static int is_controlled(const struct regret_results *r)
{
    const cJSON *task = cJSON_GetObjectItemCaseSensitive(r->run.config, "task");
    return cJSON_IsString(task) && strcmp(task->valuestring, "world") == 0;
}

/* The family's hyper-parameter that is the one ridge penalty it is fitted with, or NULL. */
static const struct regret_hyper *fixed_penalty(const struct regret_family *family)
{
    for (size_t i = 0; family->roles & REGRET_ROLE_PAPER && i < family->n_hypers; i++) {
        const struct regret_hyper *h = &family->hypers[i];
        int plain = h->kind == REGRET_HYPER_NUMBER || h->underfits; /* not one of a grounding */
        if (plain && h->column != NULL && strcmp(h->column, "rho") == 0) {
            return h;
        }
    }
    return NULL;
}

struct regime regime_read(const struct slice *s)
{
    const cJSON *config = s->r->run.config;
    int world = is_controlled(s->r);
    struct regime g = {.beta = read_range(s, config, "beta"),
                       .n_obs = read_range(s, config, "n_obs"),
                       .precision =
                           read_range(s, config, world ? "world.precision" : "outcome.precision"),
                       .noiseless = !world && reads_none(s, config, "outcome.law")};
    for (size_t i = 0; i < regret_family_count() && g.n_penalties < REGRET_MAX_HYPERS; i++) {
        const struct regret_hyper *h = fixed_penalty(regret_family_at(i));
        if (h != NULL) {
            g.penalty[g.n_penalties++] = (struct penalty){h, read_range(s, config, h->key)};
        }
    }
    return g;
}

/* F5's regime: strong selection, low noise and a deliberate underfit, against the protocol's
 * defaults: beta at least 0.8, outcomes more precise than 25, a penalty above 1. */
static int regime_is_stressed(const struct regime *g)
{
    int underfit = 0;
    for (size_t i = 0; i < g->n_penalties; i++) {
        underfit |= g->penalty[i].hyper->underfits && g->penalty[i].range.low > 1.0;
    }
    return g->beta.low >= 0.8 && (g->noiseless || g->precision.low > 25.0) && underfit;
}

static void describe(struct regret_buffer *out, const char *before, const char *label,
                     struct range range)
{
    regret_buffer_printf(out, "%s%s", before, label);
    if (!isfinite(range.low)) {
        regret_buffer_append(out, " not given");
    } else if (range.low < range.high) {
        regret_buffer_printf(out, " %.10g to %.10g", range.low, range.high);
    } else {
        regret_buffer_printf(out, " %.10g", range.low);
    }
}

void regime_describe(struct regret_buffer *out, const struct regime *g)
{
    describe(out, "Regime: ", "β", g->beta);
    describe(out, ", ", "n_obs", g->n_obs);
    if (g->noiseless) {
        regret_buffer_append(out, ", outcomes without noise");
    } else {
        describe(out, ", ", "outcome precision", g->precision);
    }
    for (size_t i = 0; i < g->n_penalties; i++) {
        describe(out, i == 0 ? ", penalties " : ", ", g->penalty[i].hyper->key,
                 g->penalty[i].range);
    }
    regret_buffer_append(out, regime_is_stressed(g)
                                  ? ": strong selection, low noise and a deliberate underfit."
                                  : ": not the one of the paper's F5, which has strong selection, "
                                    "low noise and a deliberate underfit.");
}
