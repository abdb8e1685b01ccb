/* Every figure of the report. A new one is an entry here. */
#include "report/figures/figure.h"

#include <math.h>
#include <string.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "regret/estimate.h"
#include "regret/families.h"
#include "report/rows/regime.h"

static const char over_regret[] = "mean held-out regret";

static const struct line_figure beta_lines = {
    .name = "regret-beta",
    .title = "Regret by confounding strength β",
    .key = "beta",
    .key_symbol = "β",
    .value_name = over_regret,
    .caption =
        "Lower is better. β moves only the router of OBS: 0 takes the latent user out of it. "
        "Grey: recommending one agent for all, chosen by the means of EXP or of OBS, or "
        "anyone at random. Means over the other cells and the seeds.",
    .measures = {REGRET_MEASURE_REGRET},
    .y_scale = CHART_SPREAD,
    .by_map = 1};

static const struct line_figure exp_lines = {
    .name = "regret-n-exp",
    .title = "Regret by the size of the experiment",
    .key = "n_exp",
    .key_symbol = "n_exp (rows of EXP)",
    .value_name = over_regret,
    .caption = "Lower is better. Means over the other cells and the seeds; both axes may be "
               "logarithmic.",
    .measures = {REGRET_MEASURE_REGRET},
    .x_scale = CHART_LOG,
    .y_scale = CHART_SPREAD,
    .by_map = 1};

static const struct line_figure obs_lines = {
    .name = "regret-n-obs",
    .title = "Regret by the size of the log",
    .key = "n_obs",
    .key_symbol = "n_obs (rows of OBS)",
    .value_name = over_regret,
    .caption = "Lower is better. Means over the other cells and the seeds; both axes may be "
               "logarithmic.",
    .measures = {REGRET_MEASURE_REGRET},
    .x_scale = CHART_LOG,
    .y_scale = CHART_SPREAD,
    .by_map = 1};

/* F3 of the paper */
static const struct line_figure alignment_lines = {
    .name = "alignment",
    .title = "What explains the target as success counts for more",
    .key = "reward.lambda_fix",
    .value_name = "out-of-sample R² of the target",
    .caption = "Held-out R² of a linear fit of the target on the proxy, on the raw components, on "
               "success alone and on the statistics of the patches, along the weight of success "
               "in the utility.",
    .measures = {REGRET_MEASURE_R2},
    .of = FIGURE_OF_FITS,
    .x_scale = CHART_ORDINAL,
    .at_key = "reward.omega",
    .at_value = "0"};

/* F4 */
static const struct line_figure fix_lines = {
    .name = "crossover-lambda-fix",
    .title = "Where one method overtakes another along λ_fix",
    .key = "reward.lambda_fix",
    .value_name = over_regret,
    .caption = "Lower is better; λ_fix is the weight of success in the utility.",
    .measures = {REGRET_MEASURE_REGRET},
    .x_scale = CHART_ORDINAL,
    .y_scale = CHART_SPREAD,
    .at_key = "reward.omega",
    .at_value = "0"};

static const struct line_figure omega_lines = {
    .name = "crossover-omega",
    .title = "Where one method overtakes another along ω",
    .key = "reward.omega",
    .value_name = over_regret,
    .caption = "Lower is better; ω is the weight of the worst quality in what the utility makes of "
               "the qualities, the rest being their mean by the user's weights.",
    .measures = {REGRET_MEASURE_REGRET},
    .x_scale = CHART_ORDINAL,
    .y_scale = CHART_SPREAD,
    .at_key = "reward.lambda_fix",
    .at_value = "0"};

/* F5 */
static const struct line_figure value_lines = {
    .name = "value-error",
    .title = "Error of the agents' values as the experiment grows",
    .key = "n_exp",
    .key_symbol = "n_exp (rows of EXP)",
    .value_name = "RMSE over agents",
    .caption =
        "Root mean square error over agents of the estimated value, a panel for each family. "
        "DM: the direct method; DR: doubly robust, corrected by EXP; SNDR: self-normalised "
        "DR.",
    .measures = {REGRET_MEASURE_DM_RMSE, REGRET_MEASURE_DR_RMSE, REGRET_MEASURE_SNDR_RMSE},
    .measure_names = {"DM", "DR", "SNDR"},
    .of = FIGURE_OF_MEASURES,
    .x_scale = CHART_LOG,
    .y_scale = CHART_SPREAD};

static const struct line_figure lambda_lines = {
    .name = "chosen-lambda",
    .title = "The weight λ of OBS that cross-validation chose",
    .key = "beta",
    .key_symbol = "β",
    .value_name = "mean chosen λ",
    .caption = "1: the log counts as much as the experiment; 0: it is not used.",
    .measures = {REGRET_MEASURE_LAMBDA},
    .from_zero = 1};

static const struct line_figure alpha_lines = {
    .name = "chosen-alpha",
    .title = "The size α of the correction that cross-validation chose",
    .key = "beta",
    .key_symbol = "β",
    .value_name = "mean chosen α",
    .caption = "1: the whole correction learned from EXP; 0: none.",
    .measures = {REGRET_MEASURE_ALPHA},
    .from_zero = 1};

static const struct line_figure rho_lines = {
    .name = "chosen-rho",
    .title = "The ridge penalty ρ that cross-validation chose",
    .key = "beta",
    .key_symbol = "β",
    .value_name = "mean chosen ρ",
    .caption = "Means of penalties are drawn to the large ones; the table tuning has their shares.",
    .measures = {REGRET_MEASURE_RHO},
    .y_scale = CHART_SPREAD};

struct figure_spec {
    figure_part *make;               /* or */
    const struct line_figure *lines; /* figure_lines() with it */
};

/* In the order of the report. */
static const struct figure_spec specs[] = {
    {figure_overall, NULL},   {figure_ranks, NULL},    {figure_best_agent, NULL},
    {NULL, &beta_lines},      {NULL, &exp_lines},      {NULL, &obs_lines},
    {figure_winners, NULL},   {figure_variants, NULL}, {figure_seeds, NULL},
    {NULL, &alignment_lines}, {NULL, &fix_lines},      {NULL, &omega_lines},
    {NULL, &value_lines},     {figure_agents, NULL},   {figure_coverage, NULL},
    {figure_shares, NULL},    {figure_contexts, NULL}, {NULL, &lambda_lines},
    {NULL, &alpha_lines},     {NULL, &rho_lines},
};
enum { N_SPECS = sizeof specs / sizeof *specs };

/* ---------------------------------------------------------------- parts */

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

int baseline_style(const char *name)
{
    return strcmp(name, "best-exp") == 0   ? CHART_STYLE_REFERENCE
           : strcmp(name, "best-obs") == 0 ? CHART_STYLE_REFERENCE_2
                                           : CHART_STYLE_REFERENCE_3;
}

void figure_facts(struct chart *c, const struct table_data *d, const char *interval)
{
    const struct regret_results *r = d->r;
    chart_facts(c, "%s (%s), %zu cell%s, %zu seed%s; %s", r->run.pool_name,
                r->run.synthetic ? "SYNTHETIC data" : "real task", r->n_cells,
                r->n_cells == 1 ? "" : "s", r->n_seeds, r->n_seeds == 1 ? "" : "s", interval);
}

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

/* ---------------------------------------------------------------- making them */

static int make_one(struct figures *out, const struct figure_spec *spec, const struct table_data *d)
{
    struct chart c = {0};
    int rc = spec->make != NULL ? spec->make(&c, d) : figure_lines(&c, d, spec->lines);
    TRY_CLEANUP(rc);
    TRY_CLEANUP(c.status);
    if (chart_has_points(&c)) {
        TRY_CLEANUP(figures_add(out, &c));
    }
cleanup:
    chart_free(&c);
    return rc;
}

int figures_make(struct figures *out, const struct regret_results *r)
{
    struct figures made = {NULL, 0};
    struct table_data d = {0};
    int rc;
    TRY_CLEANUP(table_data_make(&d, r, 1));
    for (size_t i = 0; i < N_SPECS; i++) {
        TRY_CLEANUP(make_one(&made, &specs[i], &d));
    }
    *out = made;
    made = (struct figures){NULL, 0};
cleanup:
    table_data_free(&d);
    figures_free(&made);
    return rc;
}
