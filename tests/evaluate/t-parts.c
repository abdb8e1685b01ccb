/* What an evaluation says of margins. */
#include <criterion/criterion.h>
#include <math.h>

#include "evaluate/planted.h"
#include "regret/estimate.h"
#include "regret/evaluate.h"

static struct regret_log *planted;
static struct regret_evaluation *e;

static void evaluate_log(const struct planted *p)
{
    static const struct regret_family *family[1];
    struct regret_evaluate_options o;
    regret_evaluate_options_default(&o);
    family[0] = regret_family_find("mixed");
    o.family = family;
    o.n_families = 1;
    o.resamples = 100;
    o.diagnose = 0;
    planted = planted_log(p);
    cr_assert_eq(regret_evaluate(&e, planted, &o), REGRET_OK, "%s", regret_error_message());
}

static void forget(void)
{
    regret_evaluation_free(e);
    regret_log_free(planted);
}

/* Where f knows agents alone all requests of a fold have one margin, or nearly: no group of positive ones is empty or small beside
 * others, and of one that is, as where all early folds stay with the incumbent, nothing is told. */
Test(groups, no_margin_is_told_of_requests_that_there_are_none_of)
{
    size_t empty = 0, several = 0;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        struct planted p = {.n_exp = 300, .agents = 4, .without_text = 1, .seed = seed};
        p.effect[1] = 0.1 * (double)(seed % 3);
        evaluate_log(&p);
        for (size_t g = 1; g < e->n_groups; g++) {
            const struct regret_margin_group *group = &e->group[g];
            cr_expect(e->n_groups == 2 || group->rows >= 50, "seed %zu: %zu rows", (size_t)seed,
                      group->rows);
            cr_expect(group->rows > 0 || (isnan(group->margin.low) && isnan(group->margin.value)));
            empty += group->rows == 0;
        }
        several += e->n_groups > 2;
        forget();
    }
    cr_expect_gt(empty, 0);
    cr_expect_gt(several, 0);
}
