/* What the paper says of the reward's shape (its T6). */
#include <string.h>

#include "report/claims.h"

static int map_cells(struct slice *out, const struct scene *x, const char *map)
{
    const struct regret_key *key = &x->r->keys[REGRET_KEY_MAP];
    size_t v = 0;
    while (v + 1 < key->n_values && strcmp(key->values[v], map) != 0) {
        v++;
    }
    return slice_where(out, &x->cells, REGRET_KEY_MAP, v);
}

/* A part: the number is higher (sign +1) or lower under the sharpened reward. */
static int compare_maps(struct finding *f, const struct scene *x, enum regret_measure m,
                        size_t subject, int sign)
{
    struct slice smooth = {0}, sharpened = {0};
    int rc = map_cells(&smooth, x, "smooth");
    if (rc == REGRET_OK) {
        rc = map_cells(&sharpened, x, "sharpened");
    }
    if (rc == REGRET_OK) {
        say_mean(f, &smooth, m, subject);
        say_words(f, " to");
        say_number(f, NULL, slice_estimate(&sharpened, m, subject).mean, decimals_of(m));
        add_mean(f, sign, &sharpened, m, subject);
        add_mean(f, -sign, &smooth, m, subject);
        rc = end_part(f);
    }
    slice_free(&smooth);
    slice_free(&sharpened);
    return rc;
}

static int all_regret_more(struct finding *f, const struct claim *c, const struct scene *x)
{
    int rc = REGRET_OK;
    for (size_t i = 0; rc == REGRET_OK && i < x->n_ranked; i++) {
        rc = compare_maps(f, x, REGRET_MEASURE_REGRET, x->ranked[i], c->sign);
    }
    return rc;
}

static int components_fit(struct finding *f, const struct claim *c, const struct scene *x)
{
    return compare_maps(f, x, REGRET_MEASURE_R2, fit_named(x->r, "components"), c->sign);
}

static int proxy_fits_less(struct finding *f, const struct claim *c, const struct scene *x)
{
    size_t proxy = fit_named(x->r, "proxy"), components = fit_named(x->r, "components");
    (void)c;
    say_mean(f, &x->cells, REGRET_MEASURE_R2, proxy);
    say_mean(f, &x->cells, REGRET_MEASURE_R2, components);
    add_mean(f, 1.0, &x->cells, REGRET_MEASURE_R2, components);
    add_mean(f, -1.0, &x->cells, REGRET_MEASURE_R2, proxy);
    return end_part(f);
}

static const struct claim claims[] = {
    {.name = "sharpened-is-harder",
     .sentence = "every family regrets more under the sharpened reward than under the smooth one",
     .paper = "T6: 0.0125 to 0.0267 against 0.0376 to 0.0773",
     .needs = NEED_BOTH_MAPS,
     .evaluate = all_regret_more,
     .sign = 1},
    {.name = "components-fit-falls",
     .sentence = "the R² of the target on the raw components falls under the sharpened reward",
     .paper = "T6: 1.000 to 0.779",
     .needs = NEED_BOTH_MAPS | NEED_COMPONENTS_FIT,
     .evaluate = components_fit,
     .sign = -1},
    {.name = "proxy-fits-less",
     .sentence = "the proxy explains less of the target than the raw components do",
     .paper = "T6: 0.161 and 0.171 against 1.000 and 0.779",
     .needs = NEED_PROXY_FIT | NEED_COMPONENTS_FIT,
     .evaluate = proxy_fits_less},
    {.name = "smooth-favours-obs",
     .sentence = "under the smooth reward obs-only is below exp-only",
     .paper = "T6: 0.0125 against 0.0147",
     .families = {"obs-only", "exp-only"},
     .at = AT_SMOOTH,
     .evaluate = claim_beats,
     .measure = REGRET_MEASURE_REGRET,
     .sign = -1},
    {.name = "sharpened-favours-exp",
     .sentence = "under the sharpened reward exp-only is below obs-only and cvci",
     .paper = "T6: 0.0376 against 0.0477 and 0.0423",
     .families = {"exp-only", "obs-only", "cvci"},
     .at = AT_SHARPENED,
     .evaluate = claim_beats,
     .measure = REGRET_MEASURE_REGRET,
     .sign = -1},
};

const struct claim_set claims_of_reward = {"reward shape", claims, sizeof claims / sizeof *claims};
