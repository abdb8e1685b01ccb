/* Findings, gaps and mixes. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/status.h"
#include "evaluate/diagnose.h"
#include "log/log.h"
#include "regret/buffer.h"
#include "regret/evaluate.h"
#include "regret/status.h"
#include "stats/distributions.h"
#include "stats/multiplicity.h"

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
    log_say(text, log, "@", &agent);
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

static int check(const struct regret_log *log, const struct regret_diagnose_options *options)
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
    TRY(check(log, options));
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
enum { MAX_CELLS = 1 << 16 };

/* The gap that stands out the most against chance; n where there is none. */
static size_t clearest(const struct differences *d)
{
    size_t found = d->n;
    double most = -1.0;
    for (size_t k = 0; k < d->n; k++) {
        double t = fabs(d->at[k].value) / d->at[k].error;
        found = t > most ? k : found;
        most = t > most ? t : most;
    }
    return found;
}

/* The largest difference that is not chance's at the simultaneous level, or 0. */
static double largest(const struct differences *d)
{
    double most = 0.0;
    for (size_t k = 0; k < d->n; k++) {
        double value = fabs(d->at[k].value);
        most = d->at[k].p <= 0.05 && value > most ? value : most;
    }
    return most;
}

static size_t best(const struct differences *d, enum regret_log_source source)
{
    size_t top = d->n;
    for (size_t a = 0; a < d->n; a++) {
        double mean = d->at[a].mean[source];
        if (!isnan(mean) && (top == d->n || mean > d->at[top].mean[source])) {
            top = a;
        }
    }
    return top;
}

/* Which agent each source puts first. */
static void say_first(struct regret_buffer *text, const struct regret_log *log,
                      const struct differences *d)
{
    size_t obs = best(d, REGRET_LOG_OBS), exp = best(d, REGRET_LOG_EXP);
    if (obs == exp || (obs < d->n && exp < d->n)) {
        log_say(text, log,
                obs == exp ? " Both put @ first." : " The log puts @ first, the trial @.",
                (const size_t[]){obs, exp});
    }
}

/* Kinds of differences in words: where the verdict is fine and where it is not what stands before and behind the clearest, of one adjusted with
 * what it is adjusted for between. */
static const struct {
    const char *name, *what;
    const char *before[2], *adjusted[2], *behind[2], *advice;
} gaps[] = {
    [DIFFERENCES_OF_AGENTS] = {"gap",
                               "difference of an agent's means, OBS - EXP, the clearest",
                               {"The log's means of agents are those of the trial as far as can be "
                                "seen; the clearest gap is of ",
                                "The log's means of agents are not those of the trial. "},
                               {"", ""},
                               {", within chance.", "."},
                               " Do not rank agents by means of the log."},
    [DIFFERENCES_ADJUSTED] =
        {"gap.adjusted",
         "the same difference after adjusting for tags and propensities",
         {"After adjusting for ", "Adjusting for "},
         {" no gap is left that chance would not make; the clearest is of ",
          " does not bring OBS and EXP together: "},
         {"", ""},
         " Something that is not recorded moves both choice and outcome, or the two sources "
         "differ: let the trial decide, and have the log only help (families that correct it)."},
    [DIFFERENCES_OF_TAGS] = {"gap.tag",
                             "difference of an agent's means on a tag, OBS - EXP, the clearest",
                             {"By tag, too, the log's means are those of the trial as far as can "
                              "be seen; the clearest gap is of ",
                              "Within tags the log's means are not those of the trial. "},
                             {"", ""},
                             {", within chance.", "."},
                             " A choice by tag that rests on the log is wrong there."}};

static void say_gap(struct regret_buffer *text, const struct regret_log *log,
                    const struct finding *as, const struct differences *d, size_t k,
                    enum differences_kind kind)
{
    const struct difference *gap = &d->at[k];
    size_t tags = kind == DIFFERENCES_OF_TAGS ? log->n_tags : 1;
    say_agent(text, log, k / tags);
    if (kind == DIFFERENCES_ADJUSTED) {
        regret_buffer_printf(text, ", %+.3f (%+.3f to %+.3f) on %.0f %% of its trial.", as->value,
                             as->low, as->high, 100.0 * gap->covered);
        return;
    }
    if (kind == DIFFERENCES_OF_TAGS) {
        regret_buffer_append(text, " on ");
        say_tag(text, log, k % tags);
    }
    regret_buffer_printf(text, ": %.3f in OBS, %.3f in EXP, off by %+.3f (%+.3f to %+.3f)",
                         as_given(log, gap->mean[REGRET_LOG_OBS]),
                         as_given(log, gap->mean[REGRET_LOG_EXP]), as->value, as->low, as->high);
}

static int ask_gap(struct findings *f, const struct asked *a, enum differences_kind kind)
{
    const struct regret_log *log = a->log;
    const char *by = !log->tag                              ? "the log's propensities"
                     : log->rows[REGRET_LOG_OBS].propensity ? "tags and the log's propensities"
                                                            : "tags";
    FREED_BY(differences_free) struct differences d = {0};
    TRY(differences_make(&d, log, a->order, kind, a->options));
    size_t k = clearest(&d);
    if (k == d.n) {
        return REGRET_OK;
    }
    struct finding *found = findings_add(f, gaps[kind].name, gaps[kind].what);
    double half =
        difference_half(&d.at[k], kind == DIFFERENCES_ADJUSTED ? 1.0 - a->options->level
                                                               : normal_two_sided(d.critical));
    set_gap(found, log, d.at[k].value, d.at[k].value - half, d.at[k].value + half);
    found->p = d.p;
    found->most = largest(&d) < material ? REGRET_DIAGNOSTIC_CAUTION : found->most;
    struct regret_buffer *text[] = {&found->fine, &found->found};
    for (size_t i = 0; i < 2; i++) {
        regret_buffer_append(text[i], gaps[kind].before[i]);
        regret_buffer_append(text[i], kind == DIFFERENCES_ADJUSTED ? by : "");
        regret_buffer_append(text[i], gaps[kind].adjusted[i]);
        say_gap(text[i], log, found, &d, k, kind);
        regret_buffer_append(text[i], gaps[kind].behind[i]);
    }
    if (kind == DIFFERENCES_OF_AGENTS) {
        say_first(&found->found, log, &d);
    }
    regret_buffer_append(&found->found, gaps[kind].advice);
    return REGRET_OK;
}

int ask_gaps(struct findings *f, const struct asked *a)
{
    const struct regret_log *log = a->log;
    int has_tags = log->tag && log->n_tags > 0 && log->n_agents * log->n_tags <= MAX_CELLS;
    if (!a->has[REGRET_LOG_OBS] || !a->has[REGRET_LOG_EXP] ||
        findings_have(f, "scale")) { /* of means on two scales nothing follows */
        return REGRET_OK;
    }
    TRY(ask_gap(f, a, DIFFERENCES_OF_AGENTS));
    TRY(has_tags || log->rows[REGRET_LOG_OBS].propensity ? ask_gap(f, a, DIFFERENCES_ADJUSTED)
                                                         : REGRET_OK);
    return has_tags ? ask_gap(f, a, DIFFERENCES_OF_TAGS) : REGRET_OK;
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
    return (double)s->at[k].count / (double)s->rows;
}

/* z of the difference of the tag's shares; NaN where the pooled share gives either source too few. */
static double compare(double *difference, double *error, const struct shares *obs,
                      const struct shares *exp, size_t k)
{
    double n_obs = (double)obs->rows, n_exp = (double)exp->rows;
    double pooled = (double)(obs->at[k].count + exp->at[k].count) / (n_obs + n_exp);
    double even = pooled * (1.0 - pooled); /* no variance is below that of independent rows */
    *difference = part_of(obs, k) - part_of(exp, k);
    *error = sqrt(fmax(obs->at[k].variance / (n_obs * n_obs), even / n_obs) +
                  fmax(exp->at[k].variance / (n_exp * n_exp), even / n_exp));
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

static void free_both(struct shares (*s)[REGRET_LOG_SOURCES])
{
    shares_free(&(*s)[REGRET_LOG_OBS]);
    shares_free(&(*s)[REGRET_LOG_EXP]);
}

int ask_contexts(struct findings *f, const struct asked *a)
{
    const struct regret_log *log = a->log;
    struct mix mix = {.log = log};
    FREED_BY(free_both) struct shares s[REGRET_LOG_SOURCES] = {{0}};
    struct joint_answer answer;
    FREED double *z = NULL;
    double difference, error;
    if (!log->tag || !a->has[REGRET_LOG_OBS] || !a->has[REGRET_LOG_EXP]) {
        return REGRET_OK;
    }
    for (size_t i = 0; i < REGRET_LOG_SOURCES; i++) {
        mix.source = (enum regret_log_source)i;
        TRY(shares_gather(&s[i], log->n_tags, a->order, mix.source, tag_of, &mix));
    }
    TRY(REGRET_NEW(&z, log->n_tags));
    for (size_t k = 0; k < log->n_tags; k++) {
        z[k] = compare(&difference, &error, &s[REGRET_LOG_OBS], &s[REGRET_LOG_EXP], k);
    }
    TRY(joint_test(&answer, NULL,
                   &(struct joint){.z = z, .n = log->n_tags, .level = a->options->level}));
    if (answer.largest < log->n_tags) {
        tell(f, log, &s[REGRET_LOG_OBS], &s[REGRET_LOG_EXP], &answer);
    }
    return REGRET_OK;
}
