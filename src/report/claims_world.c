/* What confounding does to raw means, and what the paper says of its controlled world (its 5.2,
 * T10, T12, A.10 and F5). */
#include <math.h>

#include "report/claims.h"
#include "report/regime.h"

/* Recommending the agent of the highest raw OBS mean costs more as β grows. */
static int raw_means_mislead(struct finding *f, const struct claim *c, const struct scene *x)
{
    size_t raw = regret_results_subject(x->r, REGRET_ROW_BASELINE, "best-obs");
    for (enum end end = FIRST; end <= LAST; end++) {
        struct slice s = {0};
        int rc = cells_at(&s, &x->cells, REGRET_KEY_BETA, end);
        if (rc != REGRET_OK) {
            return rc;
        }
        say_words(f, end == FIRST ? "β least:" : "; greatest:");
        say_mean(f, &s, REGRET_MEASURE_REGRET, raw);
        slice_free(&s);
    }
    int rc = add_slope(f, c->sign, &x->cells, REGRET_KEY_BETA, REGRET_MEASURE_REGRET, raw);
    return rc == REGRET_OK ? end_part(f) : rc;
}

/* DR has the higher error (sign +1) or the lower in every family named. */
static int all_dr_against_dm(struct finding *f, const struct claim *c, const struct scene *x)
{
    int rc = REGRET_OK;
    for (size_t i = 0; rc == REGRET_OK && i < CLAIM_FAMILIES && c->families[i] != NULL; i++) {
        size_t family = family_named(x->r, c->families[i]);
        say_signed(f, c->families[i],
                   slice_estimate(&x->cells, REGRET_MEASURE_DR_RMSE, family).mean -
                       slice_estimate(&x->cells, REGRET_MEASURE_DM_RMSE, family).mean,
                   RMSE_DECIMALS);
        add_mean(f, c->sign, &x->cells, REGRET_MEASURE_DR_RMSE, family);
        add_mean(f, -c->sign, &x->cells, REGRET_MEASURE_DM_RMSE, family);
        rc = end_part(f);
    }
    return rc;
}

/* The same, in the regime of F5 only. */
static int stressed_dr_against_dm(struct finding *f, const struct claim *c, const struct scene *x)
{
    struct regime regime = regime_read(&x->cells);
    int rc = REGRET_OK;
    if (!regime_is_stressed(&regime)) {
        regret_text_append(&f->lacking, "F5's regime: beta of 0.8 or more, outcome.precision or "
                                        "world.precision above 25 (or no noise), exp_only.rho or "
                                        "obs_only.rho above 1");
        return regret_text_status(&f->lacking);
    }
    return rc == REGRET_OK ? all_dr_against_dm(f, c, x) : rc;
}

/* exp-only and obs-only are each below grounded and cvci-residual. */
static int next_tier(struct finding *f, const struct claim *c, const struct scene *x)
{
    struct claim part = {.families = {c->families[0], c->families[2], c->families[3]},
                         .measure = REGRET_MEASURE_REGRET,
                         .sign = -1};
    int rc = claim_beats(f, &part, x);
    part.families[0] = c->families[1];
    return rc == REGRET_OK ? claim_beats(f, &part, x) : rc;
}

static const struct claim claims[] = {
    {.name = "raw-means-mislead",
     .sentence = "the agent of the highest raw OBS mean costs more regret as β grows",
     .paper = "1, A.1: raw comparisons are biased",
     .needs = NEED_BETA | NEED_RAW_BASELINE,
     .evaluate = raw_means_mislead,
     .sign = 1},
    {.name = "world-dm-wins",
     .sentence = "in the controlled world DM has a lower error than DR for exp-only, obs-only, "
                 "cvci and representation-exp",
     .paper = "T10: by 0.0128 to 0.0187",
     .families = {"exp-only", "obs-only", "cvci", "representation-exp"},
     .needs = NEED_WORLD | NEED_VALUES,
     .evaluate = all_dr_against_dm,
     .sign = 1},
    {.name = "world-next-tier",
     .sentence = "in the controlled world exp-only and obs-only are below grounded and "
                 "cvci-residual",
     .paper = "A.10: the next tier after cvci",
     .families = {"exp-only", "obs-only", "grounded", "cvci-residual"},
     .needs = NEED_WORLD,
     .evaluate = next_tier},
    {.name = "stressed-dr-wins",
     .sentence =
         "with strong selection, underfit and low noise DR has a lower error than DM at the "
         "greatest n_exp for exp-only and obs-only",
     .paper = "F5",
     .families = {"exp-only", "obs-only"},
     .needs = NEED_VALUES | NEED_N_EXP,
     .at = AT_LAST_N_EXP,
     .evaluate = stressed_dr_against_dm,
     .sign = -1},
};

const struct claim_set claims_of_world = {"confounding and the controlled world", claims,
                                          sizeof claims / sizeof *claims};
