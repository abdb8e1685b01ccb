/* Which parts of the paper a run has the shape of. claims.h says the rules in words. */
#include "report/claims/claims.h"
#include "report/paper/published.h"
#include "report/rows/regime.h"

enum { RULE_KEYS = 4 };

struct view_rule {
    const char *name;
    enum paper_task task;
    const char *swept[RULE_KEYS], *fixed[RULE_KEYS];
    int families, values, variant, stressed;
};

/* In the order of enum claim_view. */
static const struct view_rule rules[N_VIEWS] = {
    {.name = "main",
     .task = PAPER_SUMMARIES,
     .swept = {"reward.map", "beta", "n_obs", "n_exp"},
     .families = 1},
    {.name = "values",
     .task = PAPER_SUMMARIES,
     .swept = {"n_exp"},
     .fixed = {"reward.map", "n_obs"},
     .families = 1,
     .values = 1},
    {.name = "grounded", .task = PAPER_SUMMARIES, .variant = 1},
    {.name = "map24",
     .task = PAPER_SUMMARIES,
     .swept = {"beta", "n_obs", "n_exp"},
     .fixed = {"reward.map"},
     .families = 1},
    {.name = "world", .task = PAPER_WORLD, .swept = {"beta", "n_obs", "n_exp"}, .families = 1},
    {.name = "world-dr", .task = PAPER_WORLD, .swept = {"n_exp"}, .values = 1, .stressed = 1},
    {.name = "world-grounded", .task = PAPER_WORLD, .variant = 1},
    {.name = "coding", .task = PAPER_CODING, .swept = {"reward.lambda_fix"}, .families = 1},
};

static size_t values_of(const struct regret_results *r, const char *name)
{
    size_t key = regret_results_find_key(r, name);
    return key != REGRET_NO_ROW ? r->keys[key].n_values : 1;
}

static int has_values(const struct regret_results *r)
{
    int has = 0;
    for (size_t f = 0; f < r->n_families; f++) {
        has |= has_measure(r, REGRET_MEASURE_DM_RMSE, f);
    }
    return has;
}

static int fits(const struct view_rule *rule, const struct slice *all)
{
    const struct regret_results *r = all->r;
    int fit = rule->task == paper_task_of(r);
    for (size_t i = 0; i < RULE_KEYS; i++) {
        fit &= rule->swept[i] == NULL || values_of(r, rule->swept[i]) > 1;
        fit &= rule->fixed[i] == NULL || values_of(r, rule->fixed[i]) == 1;
    }
    fit = fit && (!rule->families || ranks_families(r)) && (!rule->values || has_values(r));
    fit = fit && (!rule->variant || has_variant_of(r, "grounded"));
    if (fit && rule->stressed) {
        struct regime regime = regime_read(all);
        return regime_is_stressed(&regime);
    }
    return fit;
}

unsigned claim_views_of(const struct slice *all)
{
    unsigned views = 0;
    for (size_t i = 0; i < N_VIEWS; i++) {
        views |= fits(&rules[i], all) ? 1U << i : 0U;
    }
    return views;
}

void claim_views_append(struct regret_buffer *out, unsigned views)
{
    const char *joint = "";
    for (size_t i = 0; i < N_VIEWS; i++) {
        if (views & 1U << i) {
            regret_buffer_printf(out, "%s%s", joint, rules[i].name);
            joint = ", ";
        }
    }
}
