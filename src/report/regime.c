#include "report/regime.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cJSON.h>

#include "base/try.h"

static size_t find_key(const struct regret_results *r, const char *name)
{
    size_t k = 0;
    while (k < r->n_keys && strcmp(r->keys[k].name, name) != 0) {
        k++;
    }
    return k < r->n_keys ? k : REGRET_NO_ROW;
}

static struct range read_range(const struct slice *s, const cJSON *config, const char *name)
{
    size_t key = find_key(s->r, name);
    const cJSON *fixed = cJSON_GetObjectItemCaseSensitive(config, name);
    struct range range = {NAN, NAN};
    if (key == REGRET_NO_ROW && cJSON_IsNumber(fixed)) {
        return (struct range){fixed->valuedouble, fixed->valuedouble};
    }
    for (size_t i = 0; key != REGRET_NO_ROW && i < s->n_cells; i++) {
        double x = strtod(s->r->keys[key].values[slice_value_at(s, i, key)], NULL);
        range.low = fmin(range.low, x); /* fmin and fmax pass over NaN */
        range.high = fmax(range.high, x);
    }
    return range;
}

static int reads_none(const struct slice *s, const cJSON *config, const char *name)
{
    size_t key = find_key(s->r, name);
    const cJSON *fixed = cJSON_GetObjectItemCaseSensitive(config, name);
    const char *law = cJSON_IsString(fixed) ? fixed->valuestring : "";
    int none = key != REGRET_NO_ROW || strcmp(law, "none") == 0;
    for (size_t i = 0; key != REGRET_NO_ROW && i < s->n_cells; i++) {
        none = none && strcmp(s->r->keys[key].values[slice_value_at(s, i, key)], "none") == 0;
    }
    return none;
}

/* NULL where run.json has none. It was parsed before, so that only memory can be lacking. */
static int parse_config(cJSON **out, const struct regret_results *r)
{
    cJSON *config = r->run.config != NULL ? cJSON_Parse(r->run.config) : NULL;
    if (r->run.config != NULL && config == NULL) {
        return regret_fail(REGRET_E_NOMEM, "out of memory: the run's configuration");
    }
    *out = config;
    return REGRET_OK;
}

static int is_controlled(const cJSON *config)
{
    const cJSON *task = cJSON_GetObjectItemCaseSensitive(config, "task");
    return cJSON_IsString(task) && strcmp(task->valuestring, "world") == 0;
}

int regime_is_controlled(int *out, const struct regret_results *r)
{
    cJSON *config = NULL;
    TRY(parse_config(&config, r));
    *out = is_controlled(config);
    cJSON_Delete(config);
    return REGRET_OK;
}

int regime_read(struct regime *out, const struct slice *s)
{
    cJSON *config = NULL;
    TRY(parse_config(&config, s->r));
    int world = is_controlled(config);
    *out = (struct regime){read_range(s, config, "beta"),
                           read_range(s, config, "n_obs"),
                           read_range(s, config, world ? "world.precision" : "outcome.precision"),
                           read_range(s, config, "exp_only.rho"),
                           read_range(s, config, "obs_only.rho"),
                           read_range(s, config, "representation_exp.rho"),
                           reads_none(s, config, world ? "world.law" : "outcome.law")};
    cJSON_Delete(config);
    return REGRET_OK;
}

int regime_is_stressed(const struct regime *g)
{
    return g->beta.low >= 0.8 && (g->noiseless || g->precision.low > 25.0) &&
           (g->rho_obs.low > 1.0 || g->rho_exp.low > 1.0);
}

static void describe(struct regret_text *out, const char *label, struct range range)
{
    regret_text_append(out, label);
    if (!isfinite(range.low)) {
        regret_text_append(out, " not given");
    } else if (range.low < range.high) {
        regret_text_printf(out, " %.10g to %.10g", range.low, range.high);
    } else {
        regret_text_printf(out, " %.10g", range.low);
    }
}

void regime_describe(struct regret_text *out, const struct regime *g)
{
    describe(out, "Regime: β", g->beta);
    describe(out, ", n_obs", g->n_obs);
    if (g->noiseless) {
        regret_text_append(out, ", outcomes without noise");
    } else {
        describe(out, ", outcome precision", g->precision);
    }
    describe(out, ", penalties exp_only.rho", g->rho_exp);
    describe(out, ", obs_only.rho", g->rho_obs);
    describe(out, ", representation_exp.rho", g->rho_representation);
    regret_text_append(out, regime_is_stressed(g)
                                ? ": strong selection, low noise and a deliberate underfit."
                                : ": not the one of the paper's F5, which has strong selection, "
                                  "low noise and a deliberate underfit.");
}
