#include "evaluate/internal.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/status.h"
#include "evaluate/clusters.h"
#include "evaluate/differences.h"
#include "log/log.h"
#include "regret/buffer.h"
#include "regret/evaluate.h"
#include "regret/status.h"
#include "stats/distributions.h"
#include "value/bootstrap.h"

FREED_POINTER(struct regret_diagnostics, regret_diagnostics_free)

/* Adjusted probabilities of a test that say no, and caution. Whole sets are held against them, by Holm. */
static const double says_no = 0.01, says_caution = 0.05;

struct finding *findings_add(struct findings *f, const char *name, const char *what)
{
    struct finding *new = &f->at[f->n++];
    *new = (struct finding){.name = name,
                            .what = what,
                            .value = NAN,
                            .low = NAN,
                            .high = NAN,
                            .p = NAN,
                            .most = REGRET_DIAGNOSTIC_NO};
    return new;
}

int findings_have(const struct findings *f, const char *name)
{
    size_t i = 0;
    while (i < f->n && strcmp(f->at[i].name, name) != 0) {
        i++;
    }
    return i < f->n;
}

static void findings_free(struct findings *f)
{
    for (size_t i = 0; i < f->n; i++) {
        regret_buffer_free(&f->at[i].fine);
        regret_buffer_free(&f->at[i].found);
    }
}

static enum regret_diagnostic_verdict decide(const struct finding *f, double adjusted)
{
    enum regret_diagnostic_verdict verdict = adjusted <= says_no        ? REGRET_DIAGNOSTIC_NO
                                             : adjusted <= says_caution ? REGRET_DIAGNOSTIC_CAUTION
                                                                        : REGRET_DIAGNOSTIC_FINE;
    return isnan(f->p) ? f->verdict : verdict < f->most ? verdict : f->most;
}

static int take(struct regret_diagnostic *out, const struct finding *f, double adjusted)
{
    *out = (struct regret_diagnostic){.name = f->name,
                                      .what = f->what,
                                      .verdict = decide(f, adjusted),
                                      .value = f->value,
                                      .low = f->low,
                                      .high = f->high,
                                      .p = adjusted};
    TRY(regret_buffer_status(&f->fine));
    TRY(regret_buffer_status(&f->found));
    int is_found = out->verdict != REGRET_DIAGNOSTIC_FINE && f->found.length > 0;
    return regret_strdup(&out->sentence, regret_buffer_get(is_found ? &f->found : &f->fine));
}

/* The gravest first, otherwise as they were asked. */
static void order(struct regret_diagnostics *d)
{
    for (size_t i = 1; i < d->n; i++) {
        struct regret_diagnostic one = d->entry[i];
        size_t at = i;
        for (; at > 0 && d->entry[at - 1].verdict < one.verdict; at--) {
            d->entry[at] = d->entry[at - 1];
        }
        d->entry[at] = one;
    }
}

/* Adjusts, decides, orders, and takes the sentences. */
static int findings_conclude(struct regret_diagnostics **out, struct findings *f)
{
    FREED_BY(regret_diagnostics_free_at) struct regret_diagnostics *d = NULL;
    double p[MAX_FINDINGS];
    for (size_t i = 0; i < f->n; i++) {
        p[i] = f->at[i].p;
    }
    TRY(regret_holm(p, p, f->n));
    TRY(REGRET_NEW(&d, 1));
    TRY(REGRET_NEW(&d->entry, f->n));
    for (; d->n < f->n; d->n++) {
        TRY(take(&d->entry[d->n], &f->at[d->n], p[d->n]));
    }
    order(d);
    *out = d;
    d = NULL;
    return REGRET_OK;
}

void regret_diagnostics_free(struct regret_diagnostics *d)
{
    if (!d) {
        return;
    }
    for (size_t i = 0; i < d->n; i++) {
        regret_free(d->entry[i].sentence);
    }
    regret_free(d->entry);
    regret_free(d);
}

enum { NAME_COLUMNS = 40 };

void say_agent(struct regret_buffer *text, const struct regret_log *log, size_t agent)
{
    regret_buffer_append_safe(text, log->agent[agent], NAME_COLUMNS);
}

void say_tag(struct regret_buffer *text, const struct regret_log *log, size_t tag)
{
    regret_buffer_append_char(text, '"');
    regret_buffer_append_safe(text, log->tags[tag], NAME_COLUMNS);
    regret_buffer_append_char(text, '"');
}

const char *say_plural(size_t n)
{
    return n == 1 ? "" : "s";
}

void set_gap(struct finding *f, const struct regret_log *log, double value, double low, double high)
{
    f->value = gap_as_given(log, value);
    f->low = low;
    f->high = high;
    bounds_of_gap(log, &f->low, &f->high);
}

const char *regret_diagnostic_verdict_name(enum regret_diagnostic_verdict verdict)
{
    static const char *const names[REGRET_DIAGNOSTIC_VERDICTS] = {"fine", "caution", "no"};
    return names[verdict];
}

/* In the order in which entries of equal verdicts are told. */
static question *const questions[] = {
    ask_scales, ask_same_rows, ask_gaps,   ask_support,     ask_shares,   ask_balance,
    ask_drift,  ask_contexts,  ask_copies, ask_confounding, ask_outcomes,
};

/* What both functions of the interface refuse. */
static int diagnose_check(const struct regret_log *log,
                          const struct regret_diagnose_options *options)
{
    if (!(options->level > 0.0 && options->level < 1.0)) {
        return regret_fail(REGRET_E_INPUT, "a level of %g; give one in (0,1), say .95",
                           options->level);
    }
    if (options->resamples < 100 || options->resamples > 1000000) {
        return regret_fail(REGRET_E_INPUT, "%zu resamples; give 100 to 1,000,000, say 2,000",
                           options->resamples);
    }
    if (log->rows[REGRET_LOG_OBS].n + log->rows[REGRET_LOG_EXP].n == 0) {
        return regret_fail(REGRET_E_INPUT, "a log without rows in OBS and EXP: nothing to ask");
    }
    return REGRET_OK;
}

int regret_diagnose(struct regret_diagnostics **out, const struct regret_log *log,
                    const struct regret_diagnose_options *options)
{
    FREED_BY(findings_free) struct findings findings = {0};
    FREED_BY(cluster_order_free) struct cluster_order order = {0};
    struct asked asked = {.log = log,
                          .order = &order,
                          .options = options,
                          .threads = options->threads > 0 ? options->threads : 1};
    TRY(diagnose_check(log, options));
    for (size_t s = 0; s < REGRET_LOG_SOURCES; s++) {
        asked.has[s] = log->rows[s].n > 0;
    }
    TRY(cluster_order_build(&order, log));
    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++) {
        TRY(questions[i](&findings, &asked));
    }
    return findings_conclude(out, &findings);
}

/* How much the log lies, in words. */

/* Below this part of the outcome's range a gap is told, but is no "no": with millions of rows everything is significant. */
static const double material = 0.01;

/* The gap that stands out the most against chance, among gap[from..to), as it is or adjusted. */
static const struct regret_log_gap *clearest(const struct regret_log_gaps *g, size_t from,
                                             size_t to, int is_adjusted)
{
    const struct regret_log_gap *found = NULL;
    double most = -1.0;
    for (size_t i = from; i < to; i++) {
        const struct regret_log_gap *gap = &g->gap[i];
        double t = is_adjusted ? fabs(gap->adjusted) / gap->adjusted_error
                               : fabs(gap->difference) / gap->error;
        if (t > most) {
            most = t;
            found = gap;
        }
    }
    return found;
}

/* The largest difference that is not chance's at the simultaneous level, or 0. */
static double largest(const struct regret_log_gaps *g, size_t from, size_t to, int is_adjusted)
{
    double most = 0.0;
    for (size_t i = from; i < to; i++) {
        double d = fabs(is_adjusted ? g->gap[i].adjusted : g->gap[i].difference);
        double p = is_adjusted ? g->gap[i].adjusted_p : g->gap[i].p;
        most = p <= 0.05 && d > most ? d : most;
    }
    return most;
}

static size_t best(const struct regret_log_gaps *g, size_t n_agents, enum regret_log_source source)
{
    size_t top = n_agents;
    for (size_t a = 0; a < n_agents; a++) {
        double mean = g->gap[a].mean[source];
        if (!isnan(mean) && (top == n_agents || mean > g->gap[top].mean[source])) {
            top = a;
        }
    }
    return top;
}

static void say_gap(struct regret_buffer *text, const struct regret_log *log,
                    const struct regret_log_gap *gap, const struct finding *as)
{
    say_agent(text, log, gap->agent);
    if (gap->tag < log->n_tags) {
        regret_buffer_append(text, " on ");
        say_tag(text, log, gap->tag);
    }
    regret_buffer_printf(text, ": %.3f in OBS, %.3f in EXP, off by %+.3f (%+.3f to %+.3f)",
                         as_given(log, gap->mean[REGRET_LOG_OBS]),
                         as_given(log, gap->mean[REGRET_LOG_EXP]), as->value, as->low, as->high);
}

/* Which agent each source puts first. */
static void say_first(struct regret_buffer *text, const struct regret_log *log,
                      const struct regret_log_gaps *g)
{
    size_t obs = best(g, log->n_agents, REGRET_LOG_OBS),
           exp = best(g, log->n_agents, REGRET_LOG_EXP);
    if (obs == exp) {
        regret_buffer_append(text, " Both put ");
        say_agent(text, log, obs);
        regret_buffer_append(text, " first.");
    } else if (obs < log->n_agents && exp < log->n_agents) {
        regret_buffer_append(text, " The log puts ");
        say_agent(text, log, obs);
        regret_buffer_append(text, " first, the trial ");
        say_agent(text, log, exp);
        regret_buffer_append_char(text, '.');
    }
}

static struct finding *begin(struct findings *f, const struct regret_log *log, const char *name,
                             const char *what, const struct regret_log_gap *gap, double p)
{
    struct finding *found = findings_add(f, name, what);
    set_gap(found, log, gap->difference, gap->simultaneous_low, gap->simultaneous_high);
    found->p = p;
    return found;
}

static void tell_agents(struct findings *f, const struct regret_log *log,
                        const struct regret_log_gaps *g)
{
    const struct regret_log_gap *gap = clearest(g, 0, log->n_agents, 0);
    if (!gap) {
        return;
    }
    struct finding *found =
        begin(f, log, "gap", "difference of an agent's means, OBS - EXP, the clearest", gap, g->p);
    if (largest(g, 0, log->n_agents, 0) < material) {
        found->most = REGRET_DIAGNOSTIC_CAUTION;
    }
    regret_buffer_append(&found->fine, "The log's means of agents are those of the trial as far as "
                                       "can be seen; the clearest gap is of ");
    say_gap(&found->fine, log, gap, found);
    regret_buffer_append(&found->fine, ", within chance.");
    regret_buffer_append(&found->found, "The log's means of agents are not those of the trial. ");
    say_gap(&found->found, log, gap, found);
    regret_buffer_append(&found->found, ".");
    say_first(&found->found, log, g);
    regret_buffer_append(&found->found, " Do not rank agents by means of the log.");
}

static void tell_adjusted(struct findings *f, const struct regret_log *log,
                          const struct regret_log_gaps *g)
{
    const struct regret_log_gap *gap = clearest(g, 0, log->n_agents, 1);
    const char *by = !log->tag                              ? "the log's propensities"
                     : log->rows[REGRET_LOG_OBS].propensity ? "tags and the log's propensities"
                                                            : "tags";
    if (!gap) {
        return;
    }
    struct finding *found = findings_add(
        f, "gap.adjusted", "the same difference after adjusting for tags and propensities");
    set_gap(found, log, gap->adjusted, gap->adjusted_low, gap->adjusted_high);
    found->p = g->adjusted_p;
    if (largest(g, 0, log->n_agents, 1) < material) {
        found->most = REGRET_DIAGNOSTIC_CAUTION;
    }
    regret_buffer_printf(
        &found->fine,
        "After adjusting for %s no gap is left that chance would not make; the clearest is of ",
        by);
    regret_buffer_printf(&found->found,
                         "Adjusting for %s does not bring OBS and EXP together: ", by);
    struct regret_buffer *both[] = {&found->fine, &found->found};
    for (size_t i = 0; i < 2; i++) {
        say_agent(both[i], log, gap->agent);
        regret_buffer_printf(both[i], ", %+.3f (%+.3f to %+.3f) on %.0f %% of its trial.",
                             found->value, found->low, found->high, 100.0 * gap->covered);
    }
    regret_buffer_append(&found->found,
                         " Something that is not recorded moves both choice and outcome, or the "
                         "two sources differ: let the "
                         "trial decide, and have the log only help (families that correct it).");
}

static void tell_tags(struct findings *f, const struct regret_log *log,
                      const struct regret_log_gaps *g)
{
    const struct regret_log_gap *gap = clearest(g, log->n_agents, g->n, 0);
    if (!gap) {
        return;
    }
    struct finding *found =
        begin(f, log, "gap.tag", "difference of an agent's means on a tag, OBS - EXP, the clearest",
              gap, g->tag_p);
    if (largest(g, log->n_agents, g->n, 0) < material) {
        found->most = REGRET_DIAGNOSTIC_CAUTION;
    }
    regret_buffer_append(&found->fine, "By tag, too, the log's means are those of the trial as far "
                                       "as can be seen; the clearest gap is of ");
    say_gap(&found->fine, log, gap, found);
    regret_buffer_append(&found->fine, ", within chance.");
    regret_buffer_append(&found->found, "Within tags the log's means are not those of the trial. ");
    say_gap(&found->found, log, gap, found);
    regret_buffer_append(&found->found, ". A choice by tag that rests on the log is wrong there.");
}

FREED_POINTER(struct regret_log_gaps, regret_log_gaps_free)

enum { MAX_CELLS = 1 << 16 };
enum stream { STREAM_AGENTS = 0, STREAM_ADJUSTED = 1, STREAM_TAGS = 2 };

void regret_log_gaps_free(struct regret_log_gaps *gaps)
{
    if (gaps) {
        regret_free(gaps->gap);
        regret_free(gaps);
    }
}

static double half_width(const struct difference *d, double two_sided)
{
    return regret_student_quantile(1.0 - 0.5 * two_sided, d->df) * d->error;
}

/* What is known of a plain difference but its p. */
static void fill(struct regret_log_gap *gap, const struct difference *d, double level,
                 double critical)
{
    double half = half_width(d, 1.0 - level), joint = half_width(d, normal_two_sided(critical));
    for (size_t s = 0; s < REGRET_LOG_SOURCES; s++) {
        gap->rows[s] = d->rows[s];
        gap->clusters[s] = d->clusters[s];
        gap->mean[s] = d->mean[s];
    }
    gap->difference = d->value;
    gap->error = d->error;
    gap->df = d->df;
    gap->low = d->value - half;
    gap->high = d->value + half;
    gap->simultaneous_low = d->value - joint;
    gap->simultaneous_high = d->value + joint;
    gap->adjusted = gap->adjusted_error = gap->adjusted_low = gap->adjusted_high = NAN;
    gap->adjusted_p = gap->covered = NAN;
}

static int test(struct joint_answer *out, double *p, const struct differences *d,
                const struct regret_diagnose_options *options, enum stream stream)
{
    return joint_test(out, p,
                      &(struct joint){.z = d->z,
                                      .covariance = d->covariance,
                                      .n = d->n,
                                      .draws = options->resamples,
                                      .seed = options->seed,
                                      .stream = stream,
                                      .level = options->level});
}

/* The plain differences of agents, or of agents and tags, into gap[0..). */
static int fill_plain(struct regret_log_gap *gap, double *p_all, const struct regret_log *log,
                      const struct cluster_order *order,
                      const struct regret_diagnose_options *options, int by_tag)
{
    FREED_BY(differences_free) struct differences d = {0};
    struct joint_answer answer;
    FREED double *p = NULL;
    TRY(differences_plain(&d, log, order, by_tag));
    TRY(REGRET_NEW(&p, d.n));
    TRY(test(&answer, p, &d, options, by_tag ? STREAM_TAGS : STREAM_AGENTS));
    for (size_t k = 0; k < d.n; k++) {
        fill(&gap[k], &d.at[k], options->level, answer.critical);
        gap[k].agent = by_tag ? k / log->n_tags : k;
        gap[k].tag = by_tag ? k % log->n_tags : log->n_tags;
        gap[k].p = p[k];
    }
    *p_all = answer.p;
    return REGRET_OK;
}

static int fill_adjusted(struct regret_log_gap *gap, double *p_all, const struct regret_log *log,
                         const struct cluster_order *order,
                         const struct regret_diagnose_options *options)
{
    FREED_BY(differences_free) struct differences d = {0};
    struct joint_answer answer;
    FREED double *p = NULL;
    TRY(differences_adjusted(&d, log, order));
    TRY(REGRET_NEW(&p, d.n));
    TRY(test(&answer, p, &d, options, STREAM_ADJUSTED));
    for (size_t k = 0; k < d.n; k++) {
        double half = half_width(&d.at[k], 1.0 - options->level);
        gap[k].adjusted = d.at[k].value;
        gap[k].adjusted_error = d.at[k].error;
        gap[k].adjusted_low = d.at[k].value - half;
        gap[k].adjusted_high = d.at[k].value + half;
        gap[k].adjusted_p = p[k];
        gap[k].covered = d.at[k].covered;
    }
    *p_all = answer.p;
    return REGRET_OK;
}

static int gap_table(struct regret_log_gaps **out, const struct regret_log *log,
                     const struct cluster_order *order,
                     const struct regret_diagnose_options *options)
{
    FREED_BY(regret_log_gaps_free_at) struct regret_log_gaps *gaps = NULL;
    int has_tags = log->tag && log->n_tags > 0 && log->n_agents * log->n_tags <= MAX_CELLS;
    int can_adjust = (log->tag && has_tags) || log->rows[REGRET_LOG_OBS].propensity;
    TRY(REGRET_NEW(&gaps, 1));
    gaps->p = gaps->adjusted_p = gaps->tag_p = NAN;
    size_t n = log->n_agents * (1 + (has_tags ? log->n_tags : 0));
    int has_both = log->rows[REGRET_LOG_OBS].n > 0 && log->rows[REGRET_LOG_EXP].n > 0;
    TRY(REGRET_NEW(&gaps->gap, has_both ? n : 0));
    if (has_both) {
        gaps->n = n;
        TRY(fill_plain(gaps->gap, &gaps->p, log, order, options, 0));
        if (can_adjust) {
            TRY(fill_adjusted(gaps->gap, &gaps->adjusted_p, log, order, options));
        }
        if (has_tags) {
            TRY(fill_plain(gaps->gap + log->n_agents, &gaps->tag_p, log, order, options, 1));
        }
    }
    *out = gaps;
    gaps = NULL;
    return REGRET_OK;
}

int ask_gaps(struct findings *f, const struct asked *a)
{
    struct regret_log_gaps *g = NULL;
    if (findings_have(f, "scale")) { /* of means on two scales nothing follows */
        return REGRET_OK;
    }
    TRY(gap_table(&g, a->log, a->order, a->options));
    if (g->n > 0) {
        tell_agents(f, a->log, g);
        tell_adjusted(f, a->log, g);
        tell_tags(f, a->log, g);
    }
    regret_log_gaps_free(g);
    return REGRET_OK;
}

int regret_log_gaps(struct regret_log_gaps **out, const struct regret_log *log,
                    const struct regret_diagnose_options *options)
{
    FREED_BY(cluster_order_free) struct cluster_order order = {0};
    TRY(diagnose_check(log, options));
    TRY(cluster_order_build(&order, log));
    return gap_table(out, log, &order, options);
}

/* Are the requests of the trial like those of the log? */

static const double least_expected =
    10.0; /* rows of a tag, in either source, that a normal approximation wants */

struct mix {
    const struct regret_log *log;
    enum regret_log_source source;
};

static struct share_row tag_of(const void *context, size_t row)
{
    const struct mix *m = context;
    return (struct share_row){m->log->tag[m->log->rows[m->source].context[row]], 1.0};
}

static double part_of(const struct shares *s, size_t k)
{
    return (double)s->count[k] / (double)s->rows;
}

/* z of the difference of the tag's shares; NaN where the pooled share gives either source too few. */
static double compare(double *difference, double *error, const struct shares *obs,
                      const struct shares *exp, size_t k)
{
    double n_obs = (double)obs->rows, n_exp = (double)exp->rows;
    double pooled = (double)(obs->count[k] + exp->count[k]) / (n_obs + n_exp);
    double even = pooled * (1.0 - pooled); /* no variance is below that of independent rows */
    *difference = part_of(obs, k) - part_of(exp, k);
    *error = sqrt(fmax(obs->variance[k] / (n_obs * n_obs), even / n_obs) +
                  fmax(exp->variance[k] / (n_exp * n_exp), even / n_exp));
    double fewer = fmin(n_obs, n_exp) * fmin(pooled, 1.0 - pooled);
    return fewer >= least_expected ? *difference / *error : NAN;
}

static void tell(struct findings *f, const struct regret_log *log, const struct shares *obs,
                 const struct shares *exp, const struct joint_answer *answer)
{
    size_t k = answer->largest;
    double difference, error;
    compare(&difference, &error, obs, exp, k);
    struct finding *found =
        findings_add(f, "contexts", "share of a tag in OBS less that in EXP, the clearest");
    found->value = difference;
    found->low = difference - answer->critical * error;
    found->high = difference + answer->critical * error;
    found->p = answer->p;
    found->most = REGRET_DIAGNOSTIC_CAUTION; /* a trial may be run where it is wanted */
    regret_buffer_append(
        &found->fine,
        "OBS and EXP have the tags in the same shares as far as can be seen; the clearest: ");
    regret_buffer_append(&found->found, "The requests of OBS and EXP are not alike: ");
    struct regret_buffer *both[] = {&found->fine, &found->found};
    for (size_t i = 0; i < 2; i++) {
        say_tag(both[i], log, k);
        regret_buffer_printf(both[i], ", %.1f %% in OBS, %.1f %% in EXP.", 100.0 * part_of(obs, k),
                             100.0 * part_of(exp, k));
    }
    regret_buffer_append(&found->found, " Values are of EXP's requests: if the log's are what "
                                        "matters, weigh tags, or run the trial on them.");
}

int ask_contexts(struct findings *f, const struct asked *a)
{
    const struct regret_log *log = a->log;
    struct mix mix = {.log = log};
    struct shares s[REGRET_LOG_SOURCES] = {{0}};
    struct joint_answer answer;
    double *z = NULL, difference, error;
    int rc;
    if (!log->tag || !a->has[REGRET_LOG_OBS] || !a->has[REGRET_LOG_EXP]) {
        return REGRET_OK;
    }
    for (size_t i = 0; i < REGRET_LOG_SOURCES; i++) {
        mix.source = (enum regret_log_source)i;
        TRY_CLEANUP(shares_gather(&s[i], log->n_tags, a->order, mix.source, tag_of, &mix));
    }
    TRY_CLEANUP(REGRET_NEW(&z, log->n_tags));
    for (size_t k = 0; k < log->n_tags; k++) {
        z[k] = compare(&difference, &error, &s[REGRET_LOG_OBS], &s[REGRET_LOG_EXP], k);
    }
    TRY_CLEANUP(joint_test(&answer, NULL,
                           &(struct joint){.z = z, .n = log->n_tags, .level = a->options->level}));
    if (answer.largest < log->n_tags) {
        tell(f, log, &s[REGRET_LOG_OBS], &s[REGRET_LOG_EXP], &answer);
    }
cleanup:
    shares_free(&s[REGRET_LOG_OBS]);
    shares_free(&s[REGRET_LOG_EXP]);
    regret_free(z);
    return rc;
}
