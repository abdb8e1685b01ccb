#include "report/figures.h"

#include <math.h>
#include <string.h>

#include "base/status.h"
#include "chart/figure.h"
#include "chart/svg.h"
#include "regret/estimate.h"
#include "regret/evaluate.h"
#include "regret/status.h"
#include "report/internal.h"
#include "report/ranks.h"
#include "report/slice.h"

/* Every figure of the report, in its order. A new one is an entry here. */

static const char over_regret[] = "mean held-out regret",
                  over_difference[] = "difference of mean regret",
                  bands[] = "bands: 95 % intervals of the mean (Student's t over seeds)",
                  paired_whiskers[] =
                      "whiskers: 95 % bootstrap intervals of the paired difference over seeds",
                  one_a_tag[] = "best-by-tag-exp and best-by-tag-obs: one agent for every tag of "
                                "contexts, likewise.";

static const struct figure_spec specs[] = {
    {.name = "means",
     .part = PART_TAGS,
     .title = "Mean reward of the agents by tag",
     .kind = CHART_INTERVALS,
     .fill = figure_means,
     .facts = "whiskers: 95 % intervals of the mean over contexts (Student's t)",
     .caption =
         "Higher is better. The pool's scores by the run's reward, over training and held-out "
         "contexts together: nothing here was estimated. The best is marked where a paired t "
         "test over contexts, adjusted by Holm, tells it from the second.",
     .x_name = "mean reward"},

    {.name = "regret",
     .part = PART_FAMILIES,
     .title = "Regret of every family less that of the best",
     .kind = CHART_INTERVALS,
     .fill = figure_less_best,
     .intervals = "whiskers: 95 % bootstrap intervals of the paired difference over seeds",
     .caption =
         "Left is better. Regret is the value lost, per held-out context, against the best agent "
         "for that context; the best family stands at 0. Hollow marks cannot be told from it "
         "(their interval holds 0); triangles point to what lies beyond the axis. best-exp and "
         "best-obs recommend one agent for every context, by its mean in EXP or OBS; random "
         "picks any.",
     .by_tag = one_a_tag,
     .x_name = "regret less that of the best family",
     .from_zero = 1},

    {.name = "ranks",
     .part = PART_FAMILIES,
     .title = "Mean ranks of the families",
     .kind = CHART_RANKS,
     .fill = figure_ranks,
     .seeds = 2,
     .facts = "bars join families whose ranks cannot be told apart (t tests with the standard "
              "error over resamples of the seeds, Holm, 5 %)",
     .caption = "Rank 1 recommends best. Ranks of the mean regret over seeds within each cell, "
                "mean over cells: the average rank of the table summary. Seeds, not cells, are "
                "the replicates of the tests.",
     .x_name = "average rank"},

    {.name = "best-agent",
     .part = PART_FAMILIES,
     .title = "Against recommending one agent for all",
     .kind = CHART_INTERVALS,
     .fill = figure_best_agent,
     .seeds = 2,
     .facts = paired_whiskers,
     .caption = "Regret of the family less that of recommending to every context the agent of "
                "the best mean in EXP (best-exp) or in OBS (best-obs). Left of 0 the family "
                "is worth its while; an interval that holds 0 decides nothing.",
     .by_tag = one_a_tag,
     .x_name = over_difference,
     .from_zero = 1},

    {.name = "regret-beta",
     .part = PART_SWEEP,
     .title = "Regret by confounding strength β",
     .key = "beta",
     .x_name = "β",
     .y_name = over_regret,
     .caption =
         "Lower is better. β moves only the router of OBS: 0 takes the latent user out of it. "
         "Grey: recommending one agent for all, chosen by the means of EXP or of OBS, or "
         "anyone at random. Means over the other cells and the seeds.",
     .by_tag = one_a_tag,
     .measures = {REGRET_MEASURE_REGRET},
     .y_scale = CHART_SPREAD,
     .by_map = 1},

    {.name = "regret-n-exp",
     .part = PART_SWEEP,
     .title = "Regret by the size of the experiment",
     .key = "n_exp",
     .x_name = "n_exp (rows of EXP)",
     .y_name = over_regret,
     .caption = "Lower is better. Means over the other cells and the seeds.",
     .by_tag = one_a_tag,
     .measures = {REGRET_MEASURE_REGRET},
     .x_scale = CHART_LOG,
     .y_scale = CHART_SPREAD,
     .by_map = 1},

    {.name = "regret-n-obs",
     .part = PART_SWEEP,
     .title = "Regret by the size of the log",
     .key = "n_obs",
     .x_name = "n_obs (rows of OBS)",
     .y_name = over_regret,
     .caption = "Lower is better. Means over the other cells and the seeds.",
     .by_tag = one_a_tag,
     .measures = {REGRET_MEASURE_REGRET},
     .x_scale = CHART_LOG,
     .y_scale = CHART_SPREAD,
     .by_map = 1},

    {.name = "winners",
     .part = PART_SWEEP,
     .title = "Which family recommends best where",
     .kind = CHART_WINNERS,
     .fill = figure_winners,
     .facts = "≈ and dashed: the 95 % bootstrap interval of the lead over seeds holds 0",
     .caption = "Each tile is the family of lowest mean regret and its lead over the second. Of "
                "twenty tiles without a difference about one is clear by chance; the table "
                "winners has the corrected counts."},

    {.name = "phase",
     .part = PART_SWEEP,
     .title = "What recommends best as scores are spread otherwise",
     .kind = CHART_WINNERS,
     .fill = figure_phase,
     .facts = "≈ and dashed: the 95 % bootstrap interval of the lead over seeds holds 0",
     .caption = "Each tile is the family of lowest mean regret, or recommending one agent for all "
                "(best-exp, best-obs: exp and obs in a tile) where that regrets less, on a pool "
                "whose scores were changed "
                "when it was read (spread.*). Of twenty tiles without a difference about one is "
                "clear by chance; leads are in the numbers beside the figure.",
     .by_tag = one_a_tag},

    {.name = "variants",
     .part = PART_FAMILIES,
     .title = "Variants against the family they are of",
     .kind = CHART_INTERVALS,
     .fill = figure_variants,
     .seeds = 2,
     .facts = paired_whiskers,
     .caption = "Regret of the variant less that of its family. Left of 0 the variant "
                "recommends better; an interval that holds 0 decides nothing.",
     .x_name = over_difference,
     .from_zero = 1},

    {.name = "seeds",
     .part = PART_FAMILIES,
     .title = "How much the seeds differ",
     .kind = CHART_STRIPS,
     .fill = figure_seeds,
     .seeds = 2,
     .facts = "a point: a seed; box: quartiles; whiskers: 5th and 95th percentile",
     .caption = "Regret of each seed, mean over all cells. A seed draws the held-out contexts "
                "and the rows of OBS and EXP.",
     .x_name = "regret of a seed, mean over cells",
     .from_zero = 1},

    /* F3 of the paper */
    {.name = "alignment",
     .part = PART_SWEEP,
     .title = "What explains the target as success counts for more",
     .key = "reward.lambda_fix",
     .y_name = "out-of-sample R² of the target",
     .caption = "Held-out R² of a linear fit of the target on the proxy, on the raw components, on "
                "success alone and on the statistics of the patches, along the weight of success "
                "in the utility.",
     .measures = {REGRET_MEASURE_R2},
     .of = FIGURE_OF_FITS,
     .x_scale = CHART_ORDINAL,
     .at_key = "reward.omega",
     .at_value = "0"},

    /* F4 */
    {.name = "crossover-lambda-fix",
     .part = PART_SWEEP,
     .title = "Where one method overtakes another along λ_fix",
     .key = "reward.lambda_fix",
     .y_name = over_regret,
     .caption = "Lower is better; λ_fix is the weight of success in the utility.",
     .measures = {REGRET_MEASURE_REGRET},
     .x_scale = CHART_ORDINAL,
     .y_scale = CHART_SPREAD,
     .at_key = "reward.omega",
     .at_value = "0"},

    {.name = "crossover-omega",
     .part = PART_SWEEP,
     .title = "Where one method overtakes another along ω",
     .key = "reward.omega",
     .y_name = over_regret,
     .caption =
         "Lower is better; ω is the weight of the worst quality in what the utility makes of "
         "the qualities, the rest being their mean by the user's weights.",
     .measures = {REGRET_MEASURE_REGRET},
     .x_scale = CHART_ORDINAL,
     .y_scale = CHART_SPREAD,
     .at_key = "reward.lambda_fix",
     .at_value = "0"},

    /* F5 */
    {.name = "value-error",
     .part = PART_VALUES,
     .title = "Error of the agents' values as the experiment grows",
     .key = "n_exp",
     .x_name = "n_exp (rows of EXP)",
     .y_name = "RMSE over agents",
     .caption =
         "Root mean square error over agents of the estimated value, a panel for each family. "
         "DM: the direct method; DR: doubly robust, corrected by EXP; SNDR: self-normalised "
         "DR.",
     .measures = {REGRET_MEASURE_DM_RMSE, REGRET_MEASURE_DR_RMSE, REGRET_MEASURE_SNDR_RMSE},
     .measure_names = {"DM", "DR", "SNDR"},
     .of = FIGURE_OF_MEASURES,
     .x_scale = CHART_LOG,
     .y_scale = CHART_SPREAD},

    {.name = "agent-values",
     .part = PART_VALUES,
     .title = "Values of the agents against the truth",
     .kind = CHART_INTERVALS,
     .fill = figure_agents,
     .seeds = 2,
     .facts = "whiskers: 95 % intervals of the mean error (Student's t over seeds), drawn about "
              "the mean estimate",
     .caption = "Value of recommending one agent to all reference contexts: the truth, and what "
                "the direct method (DM), doubly robust (DR) and self-normalised DR (SNDR) make "
                "of it; means over cells and seeds, agents in the order of their true value. "
                "Where the mark of the truth lies outside a whisker, the estimate is biased for "
                "that agent.",
     .x_name = "value of the agent"},

    {.name = "coverage",
     .part = PART_VALUES,
     .title = "Coverage of the intervals of values",
     .kind = CHART_INTERVALS,
     .fill = figure_coverage,
     .seeds = 2,
     .facts = "whiskers: 95 % intervals of the share (Student's t over seeds), cut at 0 and 1",
     .caption = "Of the nominal 95 % intervals of the agents' values, the share that holds the "
                "agent's true mean over all contexts of the grid. They allow for the sampling of "
                "contexts and of EXP rows, not for the fit. Left of 0.95: the estimate is off, "
                "or surer of itself than it may be; right of it: more careful than it need be, "
                "since the held-out contexts are themselves part of the grid.",
     .x_name = "share of the intervals that hold the truth"},

    {.name = "shares",
     .part = PART_DIAGNOSTICS,
     .title = "Recommendation shares of the agents",
     .kind = CHART_SHARES,
     .fill = figure_shares,
     .facts = "shares of all recommendations, without intervals",
     .caption = "How often an agent is recommended to a held-out context, each replicate "
                "counting the same. The oracle recommends the best agent of each context "
                "(equals: the first of the pool); agents stand in its order. A family that "
                "leans to agents the oracle leaves out follows something else than value.",
     .x_name = "share of the held-out contexts"},

    {.name = "costs",
     .part = PART_VALUES,
     .title = "Value against cost",
     .kind = CHART_LINES,
     .fill = figure_costs,
     .facts = "means over cells and seeds, without intervals",
     .caption = "Each family recommends the agent of the greatest predicted value less price times "
                "cost: on the right of its curve the price is 0, on the left the cheapest agent "
                "takes all. With names: one agent for everybody; dashed: what drawing among "
                "those agents gives for a cost. A curve above it is worth its while there. The "
                "table costs has the areas and their errors.",
     .x_name = "mean cost of a recommendation, in the pool's unit",
     .y_name = "mean value",
     .x_scale = CHART_EVEN},

    {.name = "contexts",
     .part = PART_DIAGNOSTICS,
     .title = "Distribution of regret over contexts",
     .kind = CHART_STRIPS,
     .fill = figure_contexts,
     .caption = "Regret of each context, mean over the cells and seeds that held it out. A "
                "long whisker means that a family is right for most contexts and badly wrong "
                "for a few.",
     .x_name = "regret of a context, mean over replicates",
     .from_zero = 1},

    {.name = "chosen-lambda",
     .part = PART_DIAGNOSTICS,
     .title = "The weight λ of OBS that cross-validation chose",
     .key = "beta",
     .x_name = "β",
     .y_name = "mean chosen λ",
     .caption = "1: the log counts as much as the experiment; 0: it is not used.",
     .measures = {REGRET_MEASURE_LAMBDA},
     .from_zero = 1},

    {.name = "chosen-alpha",
     .part = PART_DIAGNOSTICS,
     .title = "The size α of the correction that cross-validation chose",
     .key = "beta",
     .x_name = "β",
     .y_name = "mean chosen α",
     .caption = "1: the whole correction learned from EXP; 0: none.",
     .measures = {REGRET_MEASURE_ALPHA},
     .from_zero = 1},

    {.name = "chosen-rho",
     .part = PART_DIAGNOSTICS,
     .title = "The ridge penalty ρ that cross-validation chose",
     .key = "beta",
     .x_name = "β",
     .y_name = "mean chosen ρ",
     .caption =
         "Means of penalties are drawn to the large ones; the table tuning has their shares.",
     .measures = {REGRET_MEASURE_RHO},
     .y_scale = CHART_SPREAD},
};

static int fill(struct chart *c, const struct table_data *d, const struct figure_spec *spec)
{
    const char *intervals = spec->key != NULL ? bands : spec->intervals;
    chart_begin(c, spec->kind, spec->name, "%s", spec->title);
    c->x_scale = spec->x_scale;
    c->y_scale = spec->y_scale;
    c->from_zero = spec->from_zero;
    figure_facts(c, d,
                 intervals == NULL   ? spec->facts
                 : d->r->n_seeds > 1 ? intervals
                                     : "one seed only, so no intervals");
    int by_tag = spec->by_tag != NULL && has_rule_by_tag(d->r);
    chart_caption(c, "%s%s%s%s", spec->caption, by_tag ? " " : "", by_tag ? spec->by_tag : "",
                  spec->by_tag != NULL && has_strengths(d->r)
                      ? " best-bt and best-by-tag-bt: by strengths in votes."
                      : "");
    chart_axes(c, spec->x_name != NULL ? spec->x_name : "",
               spec->y_name != NULL ? spec->y_name : "");
    TRY((spec->key != NULL ? figure_lines : spec->fill)(c, d, spec));
    return c->status;
}

static int make_one(struct figures *out, const struct figure_spec *spec, const struct table_data *d)
{
    FREED_BY(chart_free) struct chart c = {0};
    TRY(fill(&c, d, spec));
    if (chart_has_points(&c)) {
        TRY(figures_add(out, &c));
    }
    return REGRET_OK;
}

enum report_part figure_part_of(const char *name)
{
    size_t i = 0;
    while (i + 1 < sizeof specs / sizeof *specs && strcmp(specs[i].name, name) != 0) {
        i++;
    }
    return part_or_default(specs[i].part);
}

int figures_make(struct figures *out, const struct regret_results *r)
{
    FREED_BY(figures_free) struct figures made = {NULL, 0};
    FREED_BY(table_data_free) struct table_data d = {0};
    TRY(table_data_make(&d, r, 1));
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        if (r->n_seeds >= specs[i].seeds) {
            TRY(make_one(&made, &specs[i], &d));
        }
    }
    *out = made;
    made = (struct figures){NULL, 0};
    return REGRET_OK;
}

/* What figures share: colours, words, rows, panels and points. */

/* More panels than these are no picture any more; the tables have them all. */
enum { MOST_PANELS = 8 };

/* The place of the name among the program's families; their number where it is none of them. */
static size_t registered(const char *name)
{
    size_t k = 0;
    while (k < regret_family_count() && strcmp(regret_family_at(k)->name, name) != 0) {
        k++;
    }
    return k;
}

int family_style(const struct regret_results *r, size_t family)
{
    size_t known = regret_family_count(), style = registered(r->subjects[family].name);
    for (size_t f = 0, own = style; own == known && f < family; f++) {
        style += registered(r->subjects[f].name) == known;
    }
    return (int)(style % CHART_N_SERIES_STYLES);
}

int baseline_style(const struct regret_subject *baseline)
{
    const char *source = baseline->source != NULL ? baseline->source : "";
    int by_exp = strcmp(source, "EXP") == 0, by_obs = strcmp(source, "OBS") == 0;
    switch (baseline->rule) {
    case REGRET_RULE_SINGLE:
        return by_exp   ? CHART_STYLE_REFERENCE
               : by_obs ? CHART_STYLE_REFERENCE_2
                        : CHART_STYLE_REFERENCE_6;
    case REGRET_RULE_BY_TAG:
        return by_exp   ? CHART_STYLE_REFERENCE_4
               : by_obs ? CHART_STYLE_REFERENCE_5
                        : CHART_STYLE_REFERENCE_7;
    default:
        return CHART_STYLE_REFERENCE_3;
    }
}

void figure_facts(struct chart *c, const struct table_data *d, const char *interval)
{
    const struct regret_results *r = d->r;
    chart_facts(c, "%s (%s), %zu cell%s, %zu seed%s; %s", r->run.pool_name,
                r->run.synthetic ? "SYNTHETIC data" : "real task", r->n_cells,
                r->n_cells == 1 ? "" : "s", r->n_seeds, r->n_seeds == 1 ? "" : "s", interval);
}

struct range {
    double low, high;
};

/* What the measure can be; an interval is not drawn beyond. */
static struct range measure_range(enum regret_measure m)
{
    switch (m) {
    case REGRET_MEASURE_R2:
    case REGRET_MEASURE_R2_CLIPPED:
        return (struct range){-INFINITY, 1.0};
    case REGRET_MEASURE_SPEARMAN:
    case REGRET_MEASURE_KENDALL:
        return (struct range){-1.0, 1.0};
    case REGRET_MEASURE_LAMBDA:
    case REGRET_MEASURE_ALPHA:
        return (struct range){0.0, 1.0};
    default:
        return (struct range){0.0, INFINITY};
    }
}

struct chart_point estimate_point(const struct slice *s, enum regret_measure m, size_t subject)
{
    struct estimate e = slice_estimate(s, m, subject);
    double half = half_width(e.se, e.n);
    struct range range = measure_range(m);
    return (struct chart_point){.value = e.mean,
                                .low = half >= 0.0 ? fmax(e.mean - half, range.low) : NAN,
                                .high = half >= 0.0 ? fmin(e.mean + half, range.high) : NAN};
}

struct chart_point plain_point(size_t series, size_t row, double value)
{
    return (struct chart_point){
        .series = series, .row = row, .value = value, .low = NAN, .high = NAN};
}

struct chart_point paired_point(size_t series, size_t row, const struct paired *p)
{
    return (struct chart_point){
        .series = series, .row = row, .value = p->mean, .low = p->low, .high = p->high};
}

/* ---------------------------------------------------------------- rows and panels */

static void show(struct chart *c, struct shown *s, const struct regret_results *r, size_t subject,
                 int style)
{
    s->subjects[s->n++] = subject;
    chart_row(c, "%s", r->subjects[subject].name);
    chart_series(c, style, "%s", r->subjects[subject].name);
}

int show_families(struct chart *c, struct shown *s, const struct table_data *d)
{
    const struct regret_results *r = d->r;
    *s = (struct shown){NULL, 0};
    TRY(REGRET_NEW(&s->subjects, r->n_subjects));
    for (size_t i = 0; i < d->n_ranked; i++) {
        show(c, s, r, d->ranked[i], family_style(r, d->ranked[i]));
    }
    for (size_t i = r->n_families; i < r->n_subjects; i++) {
        if (is_shown_baseline(r, i)) {
            show(c, s, r, i, baseline_style(&r->subjects[i]));
        }
    }
    return REGRET_OK;
}

/* Whether a key makes panels of the figure along `key`; parameters of the reward may be averaged over. */
static int makes_panels(const struct regret_results *r, size_t candidate, size_t key)
{
    const struct regret_reward_parameter *p = reward_parameter(r->keys[candidate].name);
    return candidate != key && r->keys[candidate].n_values > 1 && !(p != NULL && p->averaged);
}

/* The keys that make them; `keys` has room for 2·(n_keys + 1). */
static size_t panel_keys(size_t *keys, const struct table_data *d, size_t key, int by_map)
{
    size_t n = 0, panels = 1, *candidates = keys + d->r->n_keys + 1;
    size_t n_candidates = 1 + extra_keys(candidates + 1, d->r);
    candidates[0] = REGRET_KEY_MAP;
    for (size_t i = by_map ? 0 : 1; i < n_candidates; i++) {
        size_t values = d->r->keys[candidates[i]].n_values;
        if (makes_panels(d->r, candidates[i], key) && panels * values <= MOST_PANELS) {
            panels *= values;
            keys[n++] = candidates[i];
        }
    }
    return n;
}

int split_panels(struct groups *out, const struct slice *cells, const struct table_data *d,
                 size_t key, int by_map)
{
    FREED size_t *keys = NULL;
    TRY(REGRET_NEW(&keys, 2 * (d->r->n_keys + 1)));
    return groups_split(out, cells, keys, panel_keys(keys, d, key, by_map));
}
