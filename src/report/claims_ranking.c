/* The paper's §7: ranking agents well and recommending well are not the same. */
#include <math.h>

#include "regret/alloc.h"
#include "report/claims.h"

/* What a seed's regret is of the family that leads by top-1 on the other seeds. Of several that
 * lead, the one of lowest regret on those seeds: a draw is no disagreement. */
static void follow_ranking(double *out, const double *top1, const double *regret, size_t n,
                           size_t n_seeds)
{
    for (size_t seed = 0; seed < n_seeds; seed++) {
        double best_top1 = -INFINITY, best_regret = INFINITY;
        out[seed] = NAN;
        for (size_t i = 0; i < n; i++) {
            double a = 0.0, b = 0.0;
            size_t others = 0;
            for (size_t k = 0; k < n_seeds; k++) {
                if (k != seed && isfinite(top1[k + n_seeds * i] + regret[k + n_seeds * i])) {
                    a += top1[k + n_seeds * i];
                    b += regret[k + n_seeds * i];
                    others++;
                }
            }
            a /= (double)others;
            b /= (double)others;
            int draw = fabs(a - best_top1) < 1e-12;
            if (others > 0 && ((!draw && a > best_top1) || (draw && b < best_regret))) {
                best_top1 = a;
                best_regret = b;
                out[seed] = regret[seed + n_seeds * i];
            }
        }
    }
}

static void say_leaders(struct finding *f, const struct scene *x)
{
    size_t by_top1 = x->ranked[0], by_regret = x->ranked[0];
    for (size_t i = 1; i < x->n_ranked; i++) {
        size_t family = x->ranked[i];
        if (slice_estimate(&x->cells, REGRET_MEASURE_TOP1, family).mean >
            slice_estimate(&x->cells, REGRET_MEASURE_TOP1, by_top1).mean) {
            by_top1 = family;
        }
        if (slice_estimate(&x->cells, REGRET_MEASURE_REGRET, family).mean <
            slice_estimate(&x->cells, REGRET_MEASURE_REGRET, by_regret).mean) {
            by_regret = family;
        }
    }
    say_words(f, "leader by top-1, its regret:");
    say_mean(f, &x->cells, REGRET_MEASURE_REGRET, by_top1);
    say_words(f, "; by regret:");
    say_mean(f, &x->cells, REGRET_MEASURE_REGRET, by_regret);
}

/* Following the leader by top-1 costs regret against following the leader by regret. */
static int ranking_misleads(struct finding *f, const struct claim *c, const struct scene *x)
{
    size_t n = x->n_ranked, n_seeds = f->n_seeds;
    double *top1 = NULL, *regret = NULL, *chosen = NULL;
    (void)c;
    int rc = REGRET_NEW(&top1, n * n_seeds);
    if (rc == REGRET_OK) {
        rc = REGRET_NEW(&regret, n * n_seeds);
    }
    if (rc == REGRET_OK) {
        rc = REGRET_NEW(&chosen, n_seeds);
    }
    for (size_t i = 0; rc == REGRET_OK && i < n * n_seeds; i++) {
        top1[i] = seed_mean(&x->cells, REGRET_MEASURE_TOP1, x->ranked[i / n_seeds], i % n_seeds);
        regret[i] =
            seed_mean(&x->cells, REGRET_MEASURE_REGRET, x->ranked[i / n_seeds], i % n_seeds);
    }
    if (rc == REGRET_OK) {
        say_leaders(f, x);
        follow_ranking(chosen, top1, regret, n, n_seeds);
        add_numbers(f, 1.0, chosen);
        rc = held_out_best(chosen, &x->cells, REGRET_MEASURE_REGRET, x->ranked, n);
    }
    if (rc == REGRET_OK) {
        add_numbers(f, -1.0, chosen);
        rc = end_part(f);
    }
    regret_free(top1);
    regret_free(regret);
    regret_free(chosen);
    return rc;
}

static const struct claim claims[] = {
    {.name = "grounded-ranks-best",
     .sentence = "grounded has the best top-1 and top-3 agent ranking",
     .paper = "§7, A.10: in all 24 cells",
     .families = {"grounded"},
     .needs = NEED_ALL_FAMILIES,
     .evaluate = claim_ranks_agents},
    {.name = "grounded-regrets-more",
     .sentence = "grounded, for all that, has a higher regret than cvci",
     .paper = "§7, A.10: wins regret in 6 of 24 cells",
     .families = {"grounded", "cvci"},
     .evaluate = claim_beats,
     .measure = REGRET_MEASURE_REGRET,
     .sign = 1},
    {.name = "ranking-misleads",
     .sentence = "choosing the family by top-1 ranking costs regret against choosing it by regret",
     .paper = "§7: ranking diverges from regret",
     .needs = NEED_ALL_FAMILIES,
     .evaluate = ranking_misleads},
};

const struct claim_set claims_of_ranking = {"ranking against regret", claims,
                                            sizeof claims / sizeof *claims};
