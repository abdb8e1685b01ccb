#include "report/regime.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cJSON.h>

static struct range read_range(const struct slice *s, const cJSON *config, const char *name)
{
    size_t key = regret_results_find_key(s->r, name);
    const cJSON *fixed = cJSON_GetObjectItemCaseSensitive(config, name);
    struct range range = {NAN, NAN};
    if (key == REGRET_NO_ROW && cJSON_IsNumber(fixed)) {
        return (struct range){fixed->valuedouble, fixed->valuedouble};
    }
    for (size_t i = 0; key != REGRET_NO_ROW && i < s->n_cells; i++) {
        double x = strtod(regret_results_key_text(s->r, s->cells[i], key), NULL);
        range.low = fmin(range.low, x); /* fmin and fmax pass over NaN */
        range.high = fmax(range.high, x);
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

int regime_is_controlled(const struct regret_results *r)
{
    const cJSON *task = cJSON_GetObjectItemCaseSensitive(r->run.config, "task");
    return cJSON_IsString(task) && strcmp(task->valuestring, "world") == 0;
}

struct regime regime_read(const struct slice *s)
{
    const cJSON *config = s->r->run.config;
    int world = regime_is_controlled(s->r);
    return (struct regime){read_range(s, config, "beta"),
                           read_range(s, config, "n_obs"),
                           read_range(s, config, world ? "world.precision" : "outcome.precision"),
                           read_range(s, config, "exp_only.rho"),
                           read_range(s, config, "obs_only.rho"),
                           read_range(s, config, "representation_exp.rho"),
                           reads_none(s, config, world ? "world.law" : "outcome.law")};
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
