/* Which tables a run has. */
#include <pthread.h>
#include <string.h>

#include "base/status.h"
#include "base/text.h"
#include "report/internal.h"

/* ---------------------------------------------------------------- lines (of the mean of the regret
 * unless they say otherwise) */

static const struct line_spec budget_lines[] = {
    {"", .each = LINE_EACH_RANKED, .measure = REGRET_MEASURE_REGRET},
    {"", .each = LINE_EACH_BASELINE, .measure = REGRET_MEASURE_REGRET},
    {"best OBS-based method", .measure = REGRET_MEASURE_REGRET,
     .subject = {SUBJECT_BEST_OBS_BASED, NULL}},
    {"exp-only minus best OBS-based", STATISTIC_MEAN_DIFFERENCE, REGRET_MEASURE_REGRET,
     .subject = {SUBJECT_FAMILY, "exp-only"}, .other = {SUBJECT_BEST_OBS_BASED, NULL}},
    {.label = NULL},
};

static const struct line_spec map_lines[] = {
    {"", .each = LINE_EACH_RANKED, .measure = REGRET_MEASURE_REGRET},
    {"", .each = LINE_EACH_BASELINE, .measure = REGRET_MEASURE_REGRET},
    {"R² of the target on the proxy", .measure = REGRET_MEASURE_R2,
     .subject = {SUBJECT_FIT, "proxy"}},
    {"R² of the target on the proxy, clipped", .measure = REGRET_MEASURE_R2_CLIPPED,
     .subject = {SUBJECT_FIT, "proxy"}},
    {"R² of the target on the raw components", .measure = REGRET_MEASURE_R2,
     .subject = {SUBJECT_FIT, "components"}},
    {"R² of the target on success alone", .measure = REGRET_MEASURE_R2,
     .subject = {SUBJECT_FIT, "success"}},
    {.label = NULL},
};

/* With the held-out R² of the target, so that the sweep of a reward shows what it does to it. */
static const struct line_spec sweep_lines[] = {
    {"", .each = LINE_EACH_RANKED, .measure = REGRET_MEASURE_REGRET},
    {"", .each = LINE_EACH_BASELINE, .measure = REGRET_MEASURE_REGRET},
    {"R² on ", .each = LINE_EACH_FIT, .measure = REGRET_MEASURE_R2},
    {"clipped R² on ", .each = LINE_EACH_FIT, .measure = REGRET_MEASURE_R2_CLIPPED},
    {.label = NULL},
};

static const struct line_spec fit_lines[] = {
    {"", .each = LINE_EACH_FIT, .measure = REGRET_MEASURE_R2},
    {"clipped: ", .each = LINE_EACH_FIT, .measure = REGRET_MEASURE_R2_CLIPPED},
    {.label = NULL},
};

static const struct line_spec fix_crossing_lines[] = {
    {"representation-exp", .measure = REGRET_MEASURE_REGRET},
    {"best OBS-based method", .measure = REGRET_MEASURE_REGRET,
     .subject = {SUBJECT_BEST_OBS_BASED, NULL}},
    {"difference", STATISTIC_PAIRED_DIFFERENCE, REGRET_MEASURE_REGRET,
     .other = {SUBJECT_BEST_OBS_BASED, NULL}},
    {.label = NULL},
};

static const struct line_spec omega_crossing_lines[] = {
    {"grounded", .measure = REGRET_MEASURE_REGRET},
    {"obs-only", .measure = REGRET_MEASURE_REGRET, .subject = {SUBJECT_FAMILY, "obs-only"}},
    {"difference", STATISTIC_PAIRED_DIFFERENCE, REGRET_MEASURE_REGRET,
     .other = {SUBJECT_FAMILY, "obs-only"}},
    {.label = NULL},
};

static const struct line_spec variant_lines[] = {
    {"Wins (cells)", STATISTIC_WINS, .measure = REGRET_MEASURE_REGRET},
    {"Macro regret ± SE", .measure = REGRET_MEASURE_REGRET},
    {"Top-1", STATISTIC_PLAIN_MEAN, .measure = REGRET_MEASURE_TOP1},
    {"Top-3", STATISTIC_PLAIN_MEAN, .measure = REGRET_MEASURE_TOP3},
    {"Hit@1", STATISTIC_PLAIN_MEAN, .measure = REGRET_MEASURE_HIT1},
    {"Hit@3", STATISTIC_PLAIN_MEAN, .measure = REGRET_MEASURE_HIT3},
    {"Beats grounded (% of cells)", STATISTIC_SHARE_BELOW, .other = {SUBJECT_FAMILY, "grounded"}},
    {"Δ to grounded", STATISTIC_PAIRED_MEAN, .other = {SUBJECT_FAMILY, "grounded"}},
    {"95 % low", STATISTIC_PAIRED_LOW, .other = {SUBJECT_FAMILY, "grounded"}},
    {"95 % high", STATISTIC_PAIRED_HIGH, .other = {SUBJECT_FAMILY, "grounded"}},
    {.label = NULL},
};

static const struct line_spec agreement_lines[] = {
    {"Top-1", .measure = REGRET_MEASURE_TOP1},
    {"Top-3", .measure = REGRET_MEASURE_TOP3},
    {"Spearman", .measure = REGRET_MEASURE_SPEARMAN},
    {"Kendall", .measure = REGRET_MEASURE_KENDALL},
    {"Hit@1", .measure = REGRET_MEASURE_HIT1},
    {"Hit@3", .measure = REGRET_MEASURE_HIT3},
    {.label = NULL},
};

static const struct line_spec value_lines[] = {
    {"DM RMSE", .measure = REGRET_MEASURE_DM_RMSE},
    {"DR RMSE", .measure = REGRET_MEASURE_DR_RMSE},
    {"SNDR RMSE", .measure = REGRET_MEASURE_SNDR_RMSE},
    {"DR − DM", STATISTIC_MEAN_DIFFERENCE, REGRET_MEASURE_DR_RMSE,
     .other_measure = REGRET_MEASURE_DM_RMSE},
    {"SNDR − DM", STATISTIC_MEAN_DIFFERENCE, REGRET_MEASURE_SNDR_RMSE,
     .other_measure = REGRET_MEASURE_DM_RMSE},
    {"DR better (% of cells)", STATISTIC_SHARE_BELOW, REGRET_MEASURE_DR_RMSE,
     .other_measure = REGRET_MEASURE_DM_RMSE},
    {.label = NULL},
};

static const struct line_spec regime_lines[] = {
    {"DM RMSE", .measure = REGRET_MEASURE_DM_RMSE},
    {"DR RMSE", .measure = REGRET_MEASURE_DR_RMSE},
    {"SNDR RMSE", .measure = REGRET_MEASURE_SNDR_RMSE},
    {"DR − DM", STATISTIC_PAIRED_DIFFERENCE, REGRET_MEASURE_DR_RMSE,
     .other_measure = REGRET_MEASURE_DM_RMSE},
    {"SNDR − DM", STATISTIC_PAIRED_DIFFERENCE, REGRET_MEASURE_SNDR_RMSE,
     .other_measure = REGRET_MEASURE_DM_RMSE},
    {.label = NULL},
};

/* ---------------------------------------------------------------- tables */

static int remark_single_map(struct table *t, const struct table_data *d)
{
    const struct regret_key *map = &d->r->keys[REGRET_KEY_MAP];
    if (map->n_values == 1) {
        table_note(t, "This run has one reward map only: %s.", map->values[0]);
    }
    return REGRET_OK;
}

/* The regime that each block of F5 is in. */
static int put_regimes(struct table *t, const struct table_data *d)
{
    for (size_t i = 0; i < d->groups.n; i++) {
        const struct group *group = &d->groups.items[i];
        struct regime regime = regime_read(&group->slice);
        struct regret_buffer text = REGRET_BUFFER_INIT;
        regime_describe(&text, &regime);
        table_note(t, "%s%s%s", group->heading, group->heading[0] != '\0' ? ": " : "",
                   regret_buffer_get(&text));
        int rc = regret_buffer_status(&text);
        regret_buffer_free(&text);
        TRY(rc);
    }
    return REGRET_OK;
}

static const char no_values[] =
    "This run has no value estimates: they were switched off in its configuration.";

/* In the order of the report. */
static const struct table_spec tables[] = {
    /* of the pool itself, before anything that is estimated */
    {.name = "means",
     .part = PART_TAGS,
     .title = "Mean reward by agent and tag",
     .title_of_votes = "Values by agent and tag",
     .of_pool = 1,
     .more = put_means},

    /* T4 of the paper */
    {.name = "summary",
     .part = PART_FAMILIES,
     .title = "Ranks and mean regret of the families",
     .more = put_summary,
     .notes = {"A cell is one combination of the swept keys; its regret is the mean over seeds. "
               "Rank 1 is the lowest; equal means share the average of their ranks. Top-3: "
               "cells with rank at most 3. Wins: cells with the lowest mean (a tie counts for "
               "each). Excess: mean over cells of the regret in % over the cell's best family.",
               "Mean regret: over cells and seeds; SE over seeds of the seed's mean over cells. "
               "Δ to best: paired difference over seeds to the family of lowest mean regret, "
               "with its 95 % bootstrap interval (2,000 resamples of seeds); \"tied with best\" "
               "where the interval holds 0. best-exp or best-obs below every family: recommending "
               "one agent for every context did better than any estimator."},
     .remark = remark_detectable},

    /* T5 */
    {.name = "budget",
     .part = PART_FAMILIES,
     .title = "Regret by budget",
     .groups_by = GROUPS_BY_MAP_AND_KEYS,
     .blocks = {{.corner = "Method",
                 .axes = {{"n_obs", "n_obs"}, {"n_exp", "n_exp"}},
                 .lines = budget_lines}},
     .notes = {"Mean held-out regret over the β cells and seeds of a column ± its standard "
               "error over seeds. Best OBS-based: the lowest mean of obs-only, grounded, cvci "
               "and cvci-residual in the column (its SE does not count the choice); the "
               "difference to it is paired over seeds."}},

    /* T6 */
    {.name = "reward-shape",
     .part = PART_FAMILIES,
     .title = "Regret and target fit by reward map",
     .blocks = {{.corner = "Method",
                 .axes = {{"reward.map", ""}},
                 .from = "smooth",
                 .to = "sharpened",
                 .lines = map_lines}},
     .notes = {"Rows of families: mean held-out regret over the budget and β cells and the "
               "seeds ± standard error over seeds. R²: out of sample, of a linear fit of the "
               "cached target on the training contexts, scored on the held-out contexts; mean "
               "over cells and seeds."},
     .remark = remark_single_map},

    {.name = "beta",
     .part = PART_FAMILIES,
     .title = "Regret by confounding strength β",
     .groups_by = GROUPS_BY_MAP_AND_KEYS,
     .blocks = {{.corner = "Family", .axes = {{"beta", "β"}}, .lines = sweep_lines}},
     .notes = {"Mean held-out regret over the budget cells and the seeds ± standard error over "
               "seeds. β moves only the OBS router: 0 takes the latent user out of it. R²: "
               "held-out linear fit of the target."}},

    /* T12, T13 and T14 */
    {.name = "winners",
     .part = PART_SWEEP,
     .title = "Winner and its lead over the second",
     .more = put_winners,
     .notes = {"Each place names the family of lowest mean regret over seeds and by how much "
               "the second is worse. \"a ≈ b\": the 95 % bootstrap interval of the paired "
               "difference over seeds between the two holds 0, so the win of a over b is not "
               "separable. Equal means: the first in the run's order of families.",
               "A block makes one comparison a cell, so that of twenty cells without a difference "
               "about one is separable by chance. Holm, Benjamini–Hochberg: of the wins that are "
               "separable those whose p-value (Student's t of the paired difference over seeds), "
               "adjusted for the cells of the block, is at most .05. The two lowest families were "
               "chosen by the same seeds, which no correction makes up for."}},

    /* F3: how well the proxy, the statistics of patches, and success alone, explain the target along λ_fix */
    {.name = "alignment",
     .part = PART_SWEEP,
     .title = "What explains the target as success counts for more",
     .needs = {{TABLE_NEEDS_SWEEP,
                {"reward.lambda_fix"},
                .otherwise = "This run does not sweep reward.lambda_fix, so there is nothing to "
                             "align."}},
     .blocks = {{.corner = "R² of the target on",
                 .axes = {{"reward.lambda_fix", NULL}},
                 .lines = fit_lines},
                {.corner = "R² of the target on",
                 .heading = "additive scoring, ω = 0",
                 .axes = {{"reward.lambda_fix", NULL}},
                 .at = {"reward.omega", "0"},
                 .lines = fit_lines}},
     .notes =
         {"R²: out of sample, of a linear fit of the cached target on the training contexts, "
          "scored on the held-out contexts; mean over the other cells and the seeds ± "
          "standard error over seeds. Clipped: of predictions moved into [0,1], as families "
          "give them. λ_fix: the weight of success in the utility. Patch-statistics: the labels "
          "that count what a patch does, without the words that the proxy sees. The paper's "
          "figure is of these and of success, under additive scoring."}},

    /* F4: where one way of learning overtakes another along the reward design */
    {.name = "crossover",
     .part = PART_SWEEP,
     .title = "Where one method overtakes another",
     .needs = {{TABLE_NEEDS_SWEEP,
                {"reward.lambda_fix", "reward.omega"},
                .otherwise = "This run sweeps neither reward.lambda_fix nor reward.omega, so "
                             "nothing can cross over."}},
     .blocks = {{.corner = "Mean regret",
                 .heading = "representation-exp minus the best OBS-based method along λ_fix",
                 .axes = {{"reward.lambda_fix", NULL}},
                 .self = "representation-exp",
                 .lines = fix_crossing_lines},
                {.corner = "Mean regret",
                 .heading = "the same of additive scoring, ω = 0",
                 .axes = {{"reward.lambda_fix", NULL}},
                 .at = {"reward.omega", "0"},
                 .self = "representation-exp",
                 .lines = fix_crossing_lines},
                {.corner = "Mean regret",
                 .heading = "grounded minus obs-only along ω",
                 .axes = {{"reward.omega", NULL}},
                 .self = "grounded",
                 .lines = omega_crossing_lines},
                {.corner = "Mean regret",
                 .heading = "the same without weight of success, λ_fix = 0",
                 .axes = {{"reward.omega", NULL}},
                 .at = {"reward.lambda_fix", "0"},
                 .self = "grounded",
                 .lines = omega_crossing_lines}},
     .notes = {"Below 0 the first method recommends better; in bold where the 95 % bootstrap "
               "interval of the paired difference over seeds lies below 0. Means over the other "
               "cells and the seeds ± standard error over seeds; the best OBS-based method is "
               "that of each column, and its choice is not counted in the error."}},

    /* T9 */
    {.name = "grounded",
     .part = PART_FAMILIES,
     .title = "The grounded variants",
     .needs = {{TABLE_NEEDS_VARIANT,
                .otherwise = " among its families, so there is nothing to compare."}},
     .blocks = {{.corner = "Variant",
                 .count_cells = 1,
                 .rows = {"grounded-linear", "grounded", "grounded-anchored"},
                 .variants = 1,
                 .lines = variant_lines}},
     .more = put_chosen_lambdas,
     .notes = {"Wins: cells in which the variant has the lowest mean regret of those shown (a "
               "tie counts for each). Macro regret: mean over cells and seeds ± standard error "
               "over seeds. Top-1 and top-3: mean agent-ranking accuracy; hit@1 and hit@3: of the "
               "true best agent, per context (see the table agreement). Δ to grounded: paired "
               "difference over seeds with its 95 % bootstrap interval; negative is better."}},

    /* T7, T10 and T11 */
    {.name = "values",
     .part = PART_VALUES,
     .title = "Error of the agents' estimated values",
     .needs = {{TABLE_NEEDS_MEASURE, .measure = REGRET_MEASURE_DM_RMSE, .otherwise = no_values}},
     .blocks =
         {{.corner = "Method", .heading = "all budgets", .split = "n_exp", .lines = value_lines}},
     .notes = {"Root mean square error over agents of the estimated value, mean over cells "
               "and seeds ± standard error over seeds; differences are paired over seeds "
               "(negative: the correction helps). DM: the direct method; DR: doubly robust "
               "with cross-fitting; SNDR: self-normalised DR. DR better: cells whose mean "
               "DR error is below the mean DM error."}},

    /* F5: when the correction by EXP pays, as n_exp grows */
    {.name = "dr-regime",
     .part = PART_VALUES,
     .title = "Value estimation as the experiment grows",
     .needs = {{TABLE_NEEDS_SWEEP,
                {"n_exp"},
                .otherwise = "This run does not sweep n_exp, so nothing grows."},
               {TABLE_NEEDS_MEASURE, .measure = REGRET_MEASURE_DR_RMSE, .otherwise = no_values}},
     .blocks = {{.corner = "Error of the values",
                 .axes = {{"n_exp", "n_exp"}},
                 .each_family = 1,
                 .lines = regime_lines}},
     .more = put_regimes,
     .notes = {"Root mean square error over agents of the estimated value, mean over the "
               "other cells and the seeds ± standard error over seeds. Differences are "
               "paired over the seeds that have both numbers in every cell of the column; "
               "in bold where their 95 % bootstrap interval lies below 0, so that the "
               "correction by EXP helps."}},

    /* protocol §7 */
    {.name = "agreement",
     .part = PART_DIAGNOSTICS,
     .title = "Agreement with the true best agents",
     .groups_by = GROUPS_BY_MAP_AND_KEYS,
     .blocks = {{.corner = "Family", .lines = agreement_lines}},
     .notes =
         {"Over all agents' mean values: top-1, whether the best estimated agent is the best; "
          "top-3, the share of the true best three among the estimated best three; Spearman "
          "and Kendall (τ_b), of estimated and true values. Over contexts: hit@k, the share of "
          "held-out contexts with a true best agent among the k predicted best; hit@1 counts "
          "the contexts without regret. Means over cells and seeds ± standard error over "
          "seeds; \"–\": not in this run's rows."}},

    {.name = "tags",
     .part = PART_TAGS,
     .title = "Regret by the kind of context",
     .groups_by = GROUPS_BY_MAP_AND_KEYS,
     .more = put_tags},

    {.name = "costs", .part = PART_VALUES, .title = "Value against cost", .more = put_costs},

    {.name = "sweep",
     .part = PART_SWEEP,
     .title = "Regret by each swept key",
     .needs = {{TABLE_NEEDS_SWEEP, .otherwise = "This run sweeps no key: it has one cell."}},
     .groups_by = GROUPS_NONE_BUT_THE_KEYS,
     .blocks = {{.corner = "Family", .lines = sweep_lines}},
     .notes = {"Mean held-out regret over all cells that have the value (so averaged over "
               "every other swept key) and the seeds ± standard error over seeds. R²: held-out "
               "linear fit of the target; clipped: its predictions moved into [0,1]."}},

    /* protocol §7 */
    {.name = "tuning",
     .part = PART_DIAGNOSTICS,
     .title = "Hyper-parameters chosen, by β",
     .needs = {{TABLE_NEEDS_TUNING,
                .otherwise = "No family of this run chooses hyper-parameters."}},
     .more = put_tuning,
     .notes = {"Over the fits of a column that have the hyper-parameter: its mean, or the share of "
               "fits (in %) that chose the value. λ: the weight of OBS in the pooled loss; α: the "
               "size of the correction; ρ: the ridge penalty; τ: the anchor's strength. CV mode "
               "rows is the fall-back where EXP has fewer agents than folds."}},
};
enum { N_TABLES = sizeof tables / sizeof *tables };

static const char *names[N_TABLES];
static pthread_once_t names_listed = PTHREAD_ONCE_INIT;

static void list_names(void)
{
    for (size_t i = 0; i < N_TABLES; i++) {
        names[i] = tables[i].name;
    }
}

size_t regret_report_tables(const char *const **out)
{
    (void)pthread_once(&names_listed, list_names);
    *out = names;
    return N_TABLES;
}

enum report_part table_part_of(const char *name)
{
    for (size_t i = 0; i < N_TABLES; i++) {
        if (strcmp(tables[i].name, name) == 0) {
            return part_or_default(tables[i].part);
        }
    }
    return PART_FAMILIES;
}

int table_make(struct table *t, const struct regret_results *r, const char *name)
{
    size_t i = 0;
    while (i < N_TABLES && strcmp(tables[i].name, name) != 0) {
        i++;
    }
    if (i < N_TABLES) {
        return table_from_spec(t, &tables[i], r);
    }
    const char *const *known = NULL;
    size_t n = regret_report_tables(&known);
    return name_unknown("table", name, known, n);
}

int regret_report_table(struct regret_buffer *out, const struct regret_results *r, const char *name,
                        enum regret_format format)
{
    struct table t = {0};
    return render_made(out, &t, table_make(&t, r, name), format);
}
