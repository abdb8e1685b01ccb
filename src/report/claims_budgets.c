/* What more labels buy, by the paper's T5 and its sections 5.2 and 5.3.2. */
#include <math.h>
#include <stdio.h>

#include "regret/alloc.h"
#include "regret/estimate.h"
#include "report/claims.h"

/* The change in a family's regret from the least to the greatest value of a budget is added to the
 * evidence and said. */
static int add_change(struct finding *f, double weight, const struct scene *x, size_t key,
                      size_t family)
{
    struct slice ends[2] = {{0}, {0}};
    char label[160];
    int rc = cells_at(&ends[FIRST], &x->cells, key, FIRST);
    if (rc == REGRET_OK) {
        rc = cells_at(&ends[LAST], &x->cells, key, LAST);
    }
    if (rc == REGRET_OK) {
        double change = slice_estimate(&ends[LAST], REGRET_MEASURE_REGRET, family).mean -
                        slice_estimate(&ends[FIRST], REGRET_MEASURE_REGRET, family).mean;
        snprintf(label, sizeof label, "%s %s to %s:", x->r->keys[key].name,
                 value_text(&ends[FIRST], key), value_text(&ends[LAST], key));
        say_signed(f, label, change, REGRET_DECIMALS);
        add_mean(f, weight, &ends[LAST], REGRET_MEASURE_REGRET, family);
        add_mean(f, -weight, &ends[FIRST], REGRET_MEASURE_REGRET, family);
    }
    slice_free(&ends[FIRST]);
    slice_free(&ends[LAST]);
    return rc;
}

/* More EXP lowers the family's regret by more than more OBS does. */
static int exp_buys_more(struct finding *f, const struct claim *c, const struct scene *x)
{
    size_t family = family_named(x->r, c->families[0]);
    int rc = add_change(f, -1.0, x, REGRET_KEY_N_EXP, family);
    if (rc == REGRET_OK) {
        rc = add_change(f, 1.0, x, REGRET_KEY_N_OBS, family);
    }
    return rc == REGRET_OK ? end_part(f) : rc;
}

/* The family's regret does not change along the key by more than 5 % of it. */
static int is_flat(struct finding *f, const struct claim *c, const struct scene *x)
{
    size_t family = family_named(x->r, c->families[0]);
    double margin = 0.05 * slice_estimate(&x->cells, REGRET_MEASURE_REGRET, family).mean;
    int rc = add_change(f, 1.0, x, c->key, family);
    say_number(f, "flat within ±", margin, REGRET_DECIMALS);
    return rc == REGRET_OK ? end_flat_part(f, margin) : rc;
}

static int add_obs_gap(struct finding *f, double weight, const struct slice *s, size_t family)
{
    size_t *obs_based = NULL;
    int rc = REGRET_NEW(&obs_based, s->r->n_families);
    if (rc == REGRET_OK) {
        size_t n = families_with_role(obs_based, s->r, REGRET_ROLE_OBS_BASED);
        rc = add_gap(f, weight, s, family, obs_based, n);
    }
    regret_free(obs_based);
    return rc;
}

static void say_gap(struct finding *f, const struct slice *s, size_t family)
{
    size_t best = best_obs_based(s);
    say_mean(f, s, REGRET_MEASURE_REGRET, family);
    if (best != REGRET_NO_ROW) {
        say_mean(f, s, REGRET_MEASURE_REGRET, best);
    }
}

/* The family is worse (sign +1) or better than the best OBS-based method. */
static int gap_to_obs_based(struct finding *f, const struct claim *c, const struct scene *x)
{
    size_t family = family_named(x->r, c->families[0]);
    say_gap(f, &x->cells, family);
    int rc = add_obs_gap(f, c->sign, &x->cells, family);
    return rc == REGRET_OK ? end_part(f) : rc;
}

/* That gap shrinks from the least n_exp to the greatest. */
static int gap_closes(struct finding *f, const struct claim *c, const struct scene *x)
{
    size_t family = family_named(x->r, c->families[0]);
    struct slice first = {0}, last = {0};
    int rc = cells_at(&first, &x->cells, REGRET_KEY_N_EXP, FIRST);
    if (rc == REGRET_OK) {
        rc = cells_at(&last, &x->cells, REGRET_KEY_N_EXP, LAST);
    }
    if (rc == REGRET_OK) {
        say_gap(f, &first, family);
        say_words(f, "; then");
        say_gap(f, &last, family);
        rc = add_obs_gap(f, 1.0, &first, family);
    }
    if (rc == REGRET_OK) {
        rc = add_obs_gap(f, -1.0, &last, family);
    }
    slice_free(&first);
    slice_free(&last);
    return rc == REGRET_OK ? end_part(f) : rc;
}

#define BUDGETS (NEED_N_OBS | NEED_N_EXP)

static const struct claim claims[] = {
    {.name = "exp-buys-more-exp-only",
     .sentence = "more EXP lowers the regret of exp-only more than more OBS does (smooth reward)",
     .paper = "T5: 0.0170 to 0.0121 by EXP, to 0.0140 by OBS",
     .families = {"exp-only"},
     .needs = BUDGETS,
     .at = AT_SMOOTH,
     .evaluate = exp_buys_more},
    {.name = "exp-buys-more-representation",
     .sentence = "more EXP lowers the regret of representation-exp more than more OBS does "
                 "(smooth reward)",
     .paper = "T5: 0.0330 to 0.0184 by EXP, to 0.0365 by OBS",
     .families = {"representation-exp"},
     .needs = BUDGETS,
     .at = AT_SMOOTH,
     .evaluate = exp_buys_more},
    {.name = "obs-only-flat",
     .sentence = "obs-only is flat in n_exp",
     .paper = "T5, A.9: equal in both columns",
     .families = {"obs-only"},
     .needs = NEED_N_EXP,
     .evaluate = is_flat,
     .key = REGRET_KEY_N_EXP},
    {.name = "exp-only-flat",
     .sentence = "exp-only is flat in n_obs",
     .paper = "A.9: equal in both rows",
     .families = {"exp-only"},
     .needs = NEED_N_OBS,
     .evaluate = is_flat,
     .key = REGRET_KEY_N_OBS},
    {.name = "scarce-exp-needs-obs",
     .sentence = "at the least n_exp the best OBS-based method is below exp-only",
     .paper = "5.2; T5: 0.0128 against 0.0170, 0.0120 against 0.0140",
     .families = {"exp-only", "obs-only"},
     .needs = NEED_N_EXP,
     .at = AT_FIRST_N_EXP,
     .evaluate = gap_to_obs_based,
     .sign = 1},
    {.name = "exp-only-catches-up",
     .sentence = "more EXP brings exp-only nearer to the best OBS-based method",
     .paper = "5.2, 5.3.2; T5: from +0.0042 and +0.0020 to −0.0007 and −0.0002",
     .families = {"exp-only", "obs-only"},
     .needs = NEED_N_EXP,
     .evaluate = gap_closes},
    {.name = "obs-only-early",
     .sentence = "at the least budgets obs-only is below exp-only, grounded and "
                 "representation-exp (smooth reward)",
     .paper = "T5: 0.0128 against 0.0170, 0.0200, 0.0330",
     .families = {"obs-only", "exp-only", "grounded", "representation-exp"},
     .needs = NEED_N_EXP,
     .at = AT_SMOOTH | AT_FIRST_N_OBS | AT_FIRST_N_EXP,
     .evaluate = claim_beats,
     .measure = REGRET_MEASURE_REGRET,
     .sign = -1},
};

const struct claim_set claims_of_budgets = {"budgets", claims, sizeof claims / sizeof *claims};
