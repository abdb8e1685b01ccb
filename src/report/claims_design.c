/* What the paper says of the reward design in coding (its F3, F4, T14 and section 5.4). */
#include <math.h>
#include <stdio.h>

#include "regret/alloc.h"
#include "report/claims.h"

static size_t key_of(const struct scene *x, const struct claim *c)
{
    return find_axis(x->r, c->needs & NEED_OMEGA ? "reward.omega" : "reward.lambda_fix");
}

/* The best of the claim's other families by the mean over all seeds, for what is said. */
static size_t best_named(const struct claim *c, const struct slice *s)
{
    size_t best = REGRET_NO_ROW;
    double lowest = INFINITY;
    for (size_t i = 1; i < CLAIM_FAMILIES && c->families[i] != NULL; i++) {
        size_t family = family_named(s->r, c->families[i]);
        double mean = slice_estimate(s, REGRET_MEASURE_REGRET, family).mean;
        if (mean < lowest) {
            lowest = mean;
            best = family;
        }
    }
    return best;
}

/* d += weight · (the first family − the best of the others, chosen on the other seeds). */
static int add_named_gap(struct finding *f, double weight, const struct claim *c,
                         const struct scene *x, const struct slice *s)
{
    size_t rivals[CLAIM_FAMILIES];
    return add_gap(f, weight, s, family_named(x->r, c->families[0]), rivals,
                   rivals_of(rivals, c, x));
}

static void say_named_gap(struct finding *f, const struct claim *c, const struct slice *s)
{
    size_t best = best_named(c, s);
    say_mean(f, s, REGRET_MEASURE_REGRET, family_named(s->r, c->families[0]));
    if (best != REGRET_NO_ROW) {
        say_mean(f, s, REGRET_MEASURE_REGRET, best);
    }
}

/* A part: the first family is worse (sign +1) or better than the best of the others. */
static int compare_best(struct finding *f, int sign, const struct claim *c, const struct scene *x,
                        const struct slice *s)
{
    say_named_gap(f, c, s);
    int rc = add_named_gap(f, sign, c, x, s);
    return rc == REGRET_OK ? end_part(f) : rc;
}

static int gap_has_sign(struct finding *f, const struct claim *c, const struct scene *x)
{
    return compare_best(f, c->sign, c, x, &x->cells);
}

/* That difference falls (sign −1) or rises along the key. */
static int gap_moves(struct finding *f, const struct claim *c, const struct scene *x)
{
    struct groups g = {0};
    double *w = NULL;
    size_t key = key_of(x, c);
    int rc = slope_weights(&g, &w, &x->cells, key);
    for (size_t i = 0; rc == REGRET_OK && i < g.n; i++) {
        const struct slice *s = &g.items[i].slice;
        size_t best = best_named(c, s);
        if ((i == 0 || i + 1 == g.n) && best != REGRET_NO_ROW) {
            char label[128];
            snprintf(label, sizeof label, "%s %s:", x->r->keys[key].name, value_text(s, key));
            say_signed(
                f, label,
                slice_estimate(s, REGRET_MEASURE_REGRET, family_named(x->r, c->families[0])).mean -
                    slice_estimate(s, REGRET_MEASURE_REGRET, best).mean,
                REGRET_DECIMALS);
        }
        rc = add_named_gap(f, c->sign * w[i], c, x, s);
    }
    groups_free(&g);
    regret_free(w);
    return rc == REGRET_OK ? end_part(f) : rc;
}

/* The R² of the target on a fit falls (sign −1) or rises along λ_fix. */
static int fit_moves(struct finding *f, const struct claim *c, const struct scene *x)
{
    struct groups g = {0};
    size_t key = key_of(x, c);
    size_t fit = fit_named(x->r, c->needs & NEED_PROXY_FIT ? "proxy" : "success");
    int rc = groups_split(&g, &x->cells, &key, 1);
    for (size_t i = 0; rc == REGRET_OK && i < g.n; i++) {
        if (i == 0 || i + 1 == g.n) {
            char label[128];
            const struct slice *s = &g.items[i].slice;
            snprintf(label, sizeof label, "%s %s:", x->r->keys[key].name, value_text(s, key));
            say_number(f, label, slice_estimate(s, REGRET_MEASURE_R2, fit).mean, R2_DECIMALS);
        }
    }
    groups_free(&g);
    if (rc == REGRET_OK) {
        rc = add_slope(f, c->sign, &x->cells, key, REGRET_MEASURE_R2, fit);
    }
    return rc == REGRET_OK ? end_part(f) : rc;
}

/* The cells in which the proxy explains more of the target than success alone (or not more). */
static int aligned_cells(struct slice *out, const struct scene *x, int aligned)
{
    struct slice s = {x->r, NULL, 0};
    size_t proxy = fit_named(x->r, "proxy"), success = fit_named(x->r, "success");
    int rc = REGRET_NEW(&s.cells, x->cells.n_cells);
    for (size_t i = 0; rc == REGRET_OK && i < x->cells.n_cells; i++) {
        size_t cell = x->cells.cells[i];
        double by_proxy = cell_mean(x->r, REGRET_MEASURE_R2, proxy, cell);
        double by_success = cell_mean(x->r, REGRET_MEASURE_R2, success, cell);
        if (aligned ? by_proxy > by_success : by_proxy <= by_success) {
            s.cells[s.n_cells++] = cell;
        }
    }
    if (rc == REGRET_OK) {
        *out = s;
    }
    return rc;
}

/* The first family is better where the proxy is the better fit, and worse elsewhere. */
static int follows_alignment(struct finding *f, const struct claim *c, const struct scene *x)
{
    int rc = REGRET_OK;
    for (int aligned = 1; rc == REGRET_OK && aligned >= 0; aligned--) {
        struct slice s = {0};
        rc = aligned_cells(&s, x, aligned);
        if (rc == REGRET_OK && s.n_cells == 0) {
            regret_text_append(&f->lacking, aligned ? "cells in which the proxy is the better fit"
                                                    : "cells in which success is the better fit");
        } else if (rc == REGRET_OK) {
            say_words(f, aligned ? "proxy fits better:" : "; success does:");
            rc = compare_best(f, aligned ? -1 : 1, c, x, &s);
        }
        slice_free(&s);
        if (f->lacking.length > 0) {
            break;
        }
    }
    return rc;
}

#define REPRESENTATION_AGAINST_OBS                                                                 \
    {                                                                                              \
        "representation-exp", "obs-only", "cvci"                                                   \
    }

static const struct claim claims[] = {
    {.name = "representation-wins-low",
     .sentence = "at the least λ_fix (least ω) representation-exp is below the better of obs-only "
                 "and cvci",
     .paper = "5.4; T14: by 0.0039",
     .families = REPRESENTATION_AGAINST_OBS,
     .needs = NEED_LAMBDA_FIX,
     .at = AT_FIRST_LAMBDA_FIX | AT_FIRST_OMEGA,
     .evaluate = gap_has_sign,
     .sign = -1},
    {.name = "obs-wins-high",
     .sentence = "at the greatest λ_fix (least ω) the better of obs-only and cvci is below "
                 "representation-exp",
     .paper = "5.4, F4: OBS-based methods overtake",
     .families = REPRESENTATION_AGAINST_OBS,
     .needs = NEED_LAMBDA_FIX,
     .at = AT_LAST_LAMBDA_FIX | AT_FIRST_OMEGA,
     .evaluate = gap_has_sign,
     .sign = 1},
    {.name = "crossover",
     .sentence = "representation-exp loses to the better of obs-only and cvci as λ_fix grows",
     .paper = "5.4, F4 (left)",
     .families = REPRESENTATION_AGAINST_OBS,
     .needs = NEED_LAMBDA_FIX,
     .evaluate = gap_moves,
     .sign = 1},
    {.name = "proxy-fit-falls",
     .sentence = "the R² of the target on the proxy falls as λ_fix grows",
     .paper = "5.4, F3",
     .needs = NEED_LAMBDA_FIX | NEED_PROXY_FIT,
     .at = AT_FIRST_OMEGA,
     .evaluate = fit_moves,
     .sign = -1},
    {.name = "success-fit-rises",
     .sentence = "the R² of the target on success alone rises as λ_fix grows",
     .paper = "5.4, F3: from about 0",
     .needs = NEED_LAMBDA_FIX | NEED_SUCCESS_FIT,
     .at = AT_FIRST_OMEGA,
     .evaluate = fit_moves,
     .sign = 1},
    {.name = "regret-follows-fit",
     .sentence = "representation-exp beats the better of obs-only and cvci where the proxy fits "
                 "the target better than success does, and loses elsewhere",
     .paper = "5.4, F3 with F4",
     .families = REPRESENTATION_AGAINST_OBS,
     .needs = NEED_LAMBDA_FIX | NEED_PROXY_FIT | NEED_SUCCESS_FIT,
     .evaluate = follows_alignment},
    {.name = "omega-narrows-grounded",
     .sentence = "at the least λ_fix the regret of grounded less that of obs-only shrinks as ω "
                 "grows",
     .paper = "5.4, F4 (right)",
     .families = {"grounded", "obs-only"},
     .needs = NEED_OMEGA,
     .at = AT_FIRST_LAMBDA_FIX,
     .evaluate = gap_moves,
     .sign = -1},
    {.name = "grounded-stays-behind",
     .sentence = "grounded is above the best of obs-only, cvci and cvci-residual over the design",
     .paper = "5.4: throughout",
     .families = {"grounded", "obs-only", "cvci", "cvci-residual"},
     .needs = NEED_LAMBDA_FIX | NEED_OMEGA,
     .evaluate = gap_has_sign,
     .sign = 1},
};

const struct claim_set claims_of_design = {"reward design", claims, sizeof claims / sizeof *claims};
