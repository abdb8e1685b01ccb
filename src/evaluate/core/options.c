#include "regret/evaluate.h"
#include "regret/families.h"

void regret_evaluate_options_default(struct regret_evaluate_options *options)
{
    const struct regret_feature_options features = REGRET_FEATURE_OPTIONS_INIT;
    *options = (struct regret_evaluate_options){
        .folds = 5,
        .level = 0.95,
        .seed = 1,
        .resamples = 2000,
        .rows = {[REGRET_LOG_OBS] = 5000, [REGRET_LOG_EXP] = 20000},
        .features = features,
        .embedding_rank = 8,
        .cv_folds = 5,
        .diagnose = 1,
        .threads = 1,
    };
    /* What `init` chooses for a table: who answers, and on what, weighs more than single words (protocol §13). */
    options->features.agent = options->features.agent_tag = 10.0;
    options->features.agent_words = 3.0;
    options->features.tag = 3.0;
    options->features.columns = options->features.agent_columns = 1.0;
    regret_estimate_options_default(&options->estimate);
    options->estimate.cross_fit = 0;
    regret_hyper_of(&options->estimate, "exp_only.rho")->grid =
        (struct regret_grid_values){1, {10.0}};
    regret_hyper_of(&options->estimate, "obs_only.rho")->grid =
        (struct regret_grid_values){1, {10.0}};
}

const char *regret_policy_name(enum regret_policy_kind policy)
{
    static const char *const names[REGRET_POLICIES] = {"single", "by-tag", "by-request"};
    return names[policy];
}

const char *regret_verdict_name(enum regret_verdict verdict)
{
    static const char *const names[REGRET_VERDICTS] = {"cannot tell", "one agent", "by tag",
                                                       "by request"};
    return names[verdict];
}
