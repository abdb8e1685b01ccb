/* What the paper says of the estimated values of agents (its T7, T11 and A.6). */
#include <math.h>
#include <stdio.h>

#include "report/claims.h"

/* A part: DR has the higher (sign +1) or lower error than DM. */
static int compare_dr(struct finding *f, int sign, const struct slice *s, size_t family)
{
    say_number(f, "DM", slice_estimate(s, REGRET_MEASURE_DM_RMSE, family).mean, RMSE_DECIMALS);
    say_number(f, "DR", slice_estimate(s, REGRET_MEASURE_DR_RMSE, family).mean, RMSE_DECIMALS);
    add_mean(f, sign, s, REGRET_MEASURE_DR_RMSE, family);
    add_mean(f, -sign, s, REGRET_MEASURE_DM_RMSE, family);
    return end_part(f);
}

static int dr_against_dm(struct finding *f, const struct claim *c, const struct scene *x)
{
    return compare_dr(f, c->sign, &x->cells, family_named(x->r, c->families[0]));
}

/* DM is better at the least n_exp and DR at the greatest. */
static int dr_overtakes(struct finding *f, const struct claim *c, const struct scene *x)
{
    size_t family = family_named(x->r, c->families[0]);
    struct slice s = {0};
    int rc = cells_at(&s, &x->cells, REGRET_KEY_N_EXP, FIRST);
    if (rc == REGRET_OK) {
        rc = compare_dr(f, 1, &s, family);
        slice_free(&s);
    }
    if (rc == REGRET_OK) {
        say_words(f, "; then");
        rc = cells_at(&s, &x->cells, REGRET_KEY_N_EXP, LAST);
    }
    if (rc == REGRET_OK) {
        rc = compare_dr(f, -1, &s, family);
        slice_free(&s);
    }
    return rc;
}

static int say_correction(struct finding *f, const struct scene *x, size_t family, enum end end)
{
    struct slice s = {0};
    char label[128];
    int rc = cells_at(&s, &x->cells, REGRET_KEY_N_EXP, end);
    if (rc == REGRET_OK) {
        snprintf(label, sizeof label, "DR less DM at n_exp %s:", value_text(&s, REGRET_KEY_N_EXP));
        say_signed(f, label,
                   slice_estimate(&s, REGRET_MEASURE_DR_RMSE, family).mean -
                       slice_estimate(&s, REGRET_MEASURE_DM_RMSE, family).mean,
                   RMSE_DECIMALS);
        slice_free(&s);
    }
    return rc;
}

/* DR's error less DM's falls along n_exp. */
static int dr_gains(struct finding *f, const struct claim *c, const struct scene *x)
{
    size_t family = family_named(x->r, c->families[0]);
    int rc = say_correction(f, x, family, FIRST);
    if (rc == REGRET_OK) {
        rc = say_correction(f, x, family, LAST);
    }
    if (rc == REGRET_OK) {
        rc = add_slope(f, -1.0, &x->cells, REGRET_KEY_N_EXP, REGRET_MEASURE_DR_RMSE, family);
    }
    if (rc == REGRET_OK) {
        rc = add_slope(f, 1.0, &x->cells, REGRET_KEY_N_EXP, REGRET_MEASURE_DM_RMSE, family);
    }
    return rc == REGRET_OK ? end_part(f) : rc;
}

static const struct claim claims[] = {
    {.name = "dr-helps-obs-only",
     .sentence = "obs-only: DR has a lower error than DM",
     .paper = "T7: 0.0393 against 0.0479",
     .families = {"obs-only"},
     .needs = NEED_VALUES,
     .evaluate = dr_against_dm,
     .sign = -1},
    {.name = "dr-helps-obs-only-more",
     .sentence = "obs-only: DR gains on DM as n_exp grows",
     .paper = "T11: −0.0021 to −0.0169",
     .families = {"obs-only"},
     .needs = NEED_VALUES | NEED_N_EXP,
     .evaluate = dr_gains},
    {.name = "dr-harms-cvci",
     .sentence = "cvci: DM has a lower error than DR over all budgets",
     .paper = "T7: 0.0479 against 0.0540",
     .families = {"cvci"},
     .needs = NEED_VALUES,
     .evaluate = dr_against_dm,
     .sign = 1},
    {.name = "dr-overtakes-cvci",
     .sentence = "cvci: DM is better at the least n_exp, DR at the greatest",
     .paper = "T11: +0.0245 to −0.0154",
     .families = {"cvci"},
     .needs = NEED_VALUES | NEED_N_EXP,
     .evaluate = dr_overtakes},
    {.name = "dr-harms-representation",
     .sentence = "representation-exp: DM has a lower error than DR",
     .paper = "T7: 0.0201 against 0.0560",
     .families = {"representation-exp"},
     .needs = NEED_VALUES,
     .evaluate = dr_against_dm,
     .sign = 1},
    {.name = "dr-harms-exp-only",
     .sentence = "exp-only: DM has a lower error than DR",
     .paper = "T7: 0.0835 against 0.1607",
     .families = {"exp-only"},
     .needs = NEED_VALUES,
     .evaluate = dr_against_dm,
     .sign = 1},
    {.name = "dr-harms-exp-only-less",
     .sentence = "exp-only: DR gains on DM as n_exp grows",
     .paper = "T11: +0.1403 to +0.0194",
     .families = {"exp-only"},
     .needs = NEED_VALUES | NEED_N_EXP,
     .evaluate = dr_gains},
    {.name = "dr-harms-representation-less",
     .sentence = "representation-exp: DR gains on DM as n_exp grows",
     .paper = "T11: +0.0522 to +0.0108",
     .families = {"representation-exp"},
     .needs = NEED_VALUES | NEED_N_EXP,
     .evaluate = dr_gains},
    {.name = "representation-best-dm",
     .sentence = "representation-exp has a lower DM error than obs-only, cvci and exp-only",
     .paper = "T7: 0.0201 against 0.0479, 0.0479, 0.0835",
     .families = {"representation-exp", "obs-only", "cvci", "exp-only"},
     .needs = NEED_VALUES,
     .evaluate = claim_beats,
     .measure = REGRET_MEASURE_DM_RMSE,
     .sign = -1},
};

const struct claim_set claims_of_values = {"values", claims, sizeof claims / sizeof *claims};
