/* `regret rate contrast` and `regret rate plan`. */
#include <string.h>

#include "base/core/try.h"
#include "cli/rate/arguments.h"
#include "cli/rate/cmd_rate.h"

#define INFERENCE_OPTIONS(a) RATE_CLUSTER_OPTION(a), RATE_FORMAT_OPTIONS(a), RATE_ROWS_OPTIONS(a)

static int parse_effect(enum regret_rate_effect_kind *out, const char *word)
{
    for (int k = 0; k < REGRET_N_EFFECTS; k++) {
        if (strcmp(word, regret_rate_effect_name((enum regret_rate_effect_kind)k)) == 0) {
            *out = (enum regret_rate_effect_kind)k;
            return REGRET_OK;
        }
    }
    return regret_fail(REGRET_E_INPUT,
                       "\"%s\" is no effect; give naive, single_ATE, single_ATT, single_ATU, "
                       "RATE_ATE, RATE_ATT, RATE_ATU, drift_w1 or drift_w0",
                       word);
}

/* "models,naive": bits of the kinds; NULL: 0. */
static int parse_kinds(unsigned *out, const char *text)
{
    *out = 0;
    while (text != NULL && *text != '\0') {
        size_t length = strcspn(text, ",");
        int k = 0;
        for (; k < REGRET_N_CONTRASTS; k++) {
            const char *name = regret_rate_contrast_name((enum regret_rate_contrast_kind)k);
            if (strlen(name) == length && strncmp(name, text, length) == 0) {
                break;
            }
        }
        if (k == REGRET_N_CONTRASTS) {
            return regret_fail(
                REGRET_E_INPUT,
                "\"%.*s\" is no kind of contrast; give models, rewriters, attributes, datasets, "
                "naive, single or treated, with commas between",
                (int)length, text);
        }
        *out |= 1U << k;
        text += length + (text[length] == ',');
    }
    return REGRET_OK;
}

static int contrast_rows(struct regret_buffer *document, int *estimated,
                         struct regret_rate_rows *rows, const struct rate_arguments *a,
                         const void *options)
{
    FREED_BY(regret_rate_contrasts_free) struct regret_rate_contrasts contrasts = {0};
    (void)estimated;
    TRY(regret_rate_contrast(&contrasts, rows, options));
    if (a->figures != NULL) {
        TRY(regret_rate_draw_contrasts(a->figures, rows, &contrasts));
    }
    regret_rate_write_contrasts(document, a->table_format, rows, &contrasts);
    return REGRET_OK;
}

int run_rate_contrast(const struct cli_command *self, int argc, char **argv)
{
    struct rate_arguments a;
    struct cli_arguments files;
    struct regret_rate_contrast_options contrast = {0};
    int code = 0;
    const char *between = NULL, *effect = "RATE_ATE", *scale = "usual";
    rate_arguments_init(&a);
    const struct cli_option options[] = {
        {"between", 0, CLI_STRING, &between, "LIST",
         "models, rewriters, attributes, datasets, naive, single, treated (default: all)", 0, 0},
        {"effect", 'e', CLI_STRING, &effect, "NAME",
         "between models, attributes and datasets (default RATE_ATE)", 0, 0},
        {"scale", 0, CLI_STRING, &scale, "reward|d|usual",
         "d is Cohen's; usual (default): d between models, else reward", 0, 0},
        RATE_FIGURES_OPTION(a),
        {"seed", 's', CLI_U64, &a.seed, "N", "of the simultaneous intervals (default 1)", 0, 0},
        INFERENCE_OPTIONS(a),
        {0}};
    if (rate_parse(&files, &code, &a, self, options, argc, argv)) {
        return code;
    }
    int rc;
    TRY_CLEANUP(parse_kinds(&contrast.kinds, between));
    TRY_CLEANUP(parse_effect(&contrast.effect, effect));
    contrast.scale = scale[0] == 'd'   ? REGRET_SCALE_D
                     : scale[0] == 'r' ? REGRET_SCALE_REWARD
                                       : REGRET_SCALE_USUAL;
    contrast.clusters = a.options.clusters;
    contrast.seed = a.seed;
    return rate_run(contrast_rows, &contrast, &a, &files);
cleanup:
    return cli_report(rc);
}

static int split_variance(struct regret_buffer *document, int *estimated,
                          struct regret_rate_rows *rows, const struct rate_arguments *a,
                          const void *options)
{
    FREED_BY(regret_rate_splits_free) struct regret_rate_splits splits = {0};
    (void)estimated;
    (void)options;
    TRY(regret_rate_split(&splits, rows, &a->options));
    if (splits.n == 0) {
        return regret_fail(
            REGRET_E_INPUT,
            "no response has several rewrites: give rows of one \"id\" that differ in "
            "\"rewriter\" or \"repeat\"");
    }
    regret_rate_write_splits(document, a->table_format, rows, &splits);
    return REGRET_OK;
}

int run_rate_rewriters(const struct cli_command *self, int argc, char **argv)
{
    struct rate_arguments a;
    struct cli_arguments files;
    int code = 0;
    rate_arguments_init(&a);
    const struct cli_option options[] = {INFERENCE_OPTIONS(a), {0}};
    return rate_parse(&files, &code, &a, self, options, argc, argv)
               ? code
               : rate_run(split_variance, NULL, &a, &files);
}

static int plan_prompts(struct regret_buffer *document, int *estimated,
                        struct regret_rate_rows *rows, const struct rate_arguments *a,
                        const void *options)
{
    FREED_BY(regret_rate_trial_plans_free) struct regret_rate_trial_plans plans = {0};
    (void)estimated;
    TRY(regret_rate_trial_plan(&plans, rows, options));
    regret_rate_write_trial_plans(document, a->table_format, rows, &plans, options);
    return REGRET_OK;
}

int run_rate_plan(const struct cli_command *self, int argc, char **argv)
{
    struct rate_arguments a;
    struct cli_arguments files;
    struct regret_rate_trial_plan_options plan = {.power = 0.8};
    int code = 0;
    const char *effect = "RATE_ATE", *scale = "reward";
    rate_arguments_init(&a);
    const struct cli_option options[] = {
        {"detect", 'd', CLI_DOUBLE, &plan.detect, "X", "the true effect that is to be found",
         1e-300, 1e300},
        {"width", 'w', CLI_DOUBLE, &plan.width, "X",
         "instead: the whole width of the 95 % interval", 1e-300, 1e300},
        {"power", 'p', CLI_DOUBLE, &plan.power, "P", "with which it is found (default 0.8)", 0.01,
         0.9999},
        {"rows-per-prompt", 'm', CLI_DOUBLE, &plan.rows_per_cluster, "M",
         "to be collected (default: the pilot's mean)", 1, 1e6},
        {"effect", 'e', CLI_STRING, &effect, "NAME", "what is planned for (default RATE_ATE)", 0,
         0},
        {"scale", 0, CLI_STRING, &scale, "reward|d", "of X (default reward); d is Cohen's", 0, 0},
        INFERENCE_OPTIONS(a),
        {0}};
    if (rate_parse(&files, &code, &a, self, options, argc, argv)) {
        return code;
    }
    if ((plan.detect > 0.0) == (plan.width > 0.0)) {
        return cli_usage_error("give --detect or --width; see 'regret rate plan --help'");
    }
    int rc;
    TRY_CLEANUP(parse_effect(&plan.effect, effect));
    plan.is_d = scale[0] == 'd';
    plan.clusters = a.options.clusters;
    return rate_run(plan_prompts, &plan, &a, &files);
cleanup:
    return cli_report(rc);
}
