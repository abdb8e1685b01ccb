#include <math.h>

#include "base/core/try.h"
#include "regret/world.h"

void regret_world_options_default(struct regret_world_options *o)
{
    *o = (struct regret_world_options){
        .hidden = 32,
        .output_sd = 0.8,
        .context_sd = 0.4,
        .latent_effect = 0.8,
        .n_segments = 4,
        .segment_weight = {0.25, 0.25, 0.25, 0.25},
        .outcome = {REGRET_OUTCOME_BETA, 25.0, 0.0},
        .context_sharpness = 1.0,
        .user_sharpness = 1.0,
        .shortlist = 5,
        .labels = 16,
        .label_noise = 0.5,
    };
}

/* One key that counts something. */
struct count_key {
    const char *name;
    size_t value, high;
};

/* One key that measures something: finite, at least 0 or, where `positive`, above it. */
struct real_key {
    const char *name;
    double value;
    enum { ANY_SIGN, NOT_NEGATIVE, POSITIVE } range;
};

static int check_counts(const struct regret_world_options *o)
{
    const struct count_key keys[] = {
        {"world.hidden", o->hidden, REGRET_WORLD_MAX_HIDDEN},
        {"the number of world.segment_weights", o->n_segments, REGRET_POOL_MAX_SEGMENTS},
        {"world.labels", o->labels, REGRET_WORLD_MAX_LABELS},
    };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (keys[i].value < 1 || keys[i].value > keys[i].high) {
            return regret_fail(REGRET_E_INPUT, "%s = %zu is out of range; use 1 to %zu",
                               keys[i].name, keys[i].value, keys[i].high);
        }
    }
    return REGRET_OK;
}

static int check_reals(const struct regret_world_options *o)
{
    static const char *const ranges[] = {"a finite number", "a finite number of at least 0",
                                         "a finite number above 0"};
    const struct real_key keys[] = {
        {"world.intercept", o->intercept, ANY_SIGN},
        {"world.latent_effect", o->latent_effect, ANY_SIGN},
        {"world.output_sd", o->output_sd, POSITIVE},
        {"world.context_sd", o->context_sd, NOT_NEGATIVE},
        {"world.precision", o->outcome.precision, POSITIVE},
        {"world.context_sharpness", o->context_sharpness, NOT_NEGATIVE},
        {"world.user_sharpness", o->user_sharpness, NOT_NEGATIVE},
        {"world.user_context", o->user_context, NOT_NEGATIVE},
        {"world.label_noise", o->label_noise, NOT_NEGATIVE},
        {"world.sim_tilt", o->sim_tilt, NOT_NEGATIVE},
        {"world.mediator_tilt", o->mediator_tilt, NOT_NEGATIVE},
        {"world.direct_effect", o->direct_effect, NOT_NEGATIVE},
        {"world.target_users", o->target_users, ANY_SIGN},
    };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        double v = keys[i].value;
        if (!isfinite(v) || (keys[i].range == NOT_NEGATIVE && v < 0.0) ||
            (keys[i].range == POSITIVE && v <= 0.0)) {
            return regret_fail(REGRET_E_INPUT, "%s = %g is out of range; use %s", keys[i].name, v,
                               ranges[keys[i].range]);
        }
    }
    return REGRET_OK;
}

static int check_weights(const struct regret_world_options *o)
{
    double sum = 0.0;
    for (size_t u = 0; u < o->n_segments; u++) {
        double w = o->segment_weight[u];
        if (!(w >= 0.0 && w <= 1.0)) {
            return regret_fail(REGRET_E_INPUT,
                               "world.segment_weights[%zu] = %g is out of range; use 0 to 1", u, w);
        }
        sum += w;
    }
    if (fabs(sum - 1.0) > 1e-9) {
        return regret_fail(REGRET_E_INPUT,
                           "world.segment_weights sum to %.12g over %zu segments; they must sum "
                           "to 1 (within 1e-9)",
                           sum, o->n_segments);
    }
    return REGRET_OK;
}

int regret_world_options_check(const struct regret_world_options *o, size_t n_agents)
{
    TRY(check_counts(o));
    TRY(check_reals(o));
    TRY(check_weights(o));
    if (o->shortlist == 0) {
        return regret_fail(REGRET_E_INPUT,
                           "world.shortlist = 0 is out of range; use 1 to the number of agents");
    }
    if (n_agents > 0 && o->shortlist > n_agents) {
        return regret_fail(REGRET_E_INPUT,
                           "world.shortlist = %zu is out of range: there are %zu agents; use 1 to "
                           "%zu",
                           o->shortlist, n_agents, n_agents);
    }
    return REGRET_OK;
}
