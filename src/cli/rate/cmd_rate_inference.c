/* `regret rate contrast`. */
#include <string.h>

#include "base/core/try.h"
#include "cli/rate/arguments.h"
#include "cli/rate/cmd_rate.h"

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
        RATE_CLUSTER_OPTION(a),
        RATE_FORMAT_OPTIONS(a),
        RATE_ROWS_OPTIONS(a),
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
