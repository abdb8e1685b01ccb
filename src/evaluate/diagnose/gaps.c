#include <math.h>

#include "base/core/try.h"
#include "evaluate/clusters/clusters.h"
#include "evaluate/clusters/differences.h"
#include "evaluate/clusters/joint.h"
#include "evaluate/diagnose/gap_table.h"
#include "regret/alloc.h"
#include "regret/student.h"

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

int gap_table(struct regret_log_gaps **out, const struct regret_log *log,
              const struct cluster_order *order, const struct regret_diagnose_options *options)
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

int diagnose_check(const struct regret_log *log, const struct regret_diagnose_options *options)
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

int regret_log_gaps(struct regret_log_gaps **out, const struct regret_log *log,
                    const struct regret_diagnose_options *options)
{
    FREED_BY(cluster_order_free) struct cluster_order order = {0};
    TRY(diagnose_check(log, options));
    TRY(cluster_order_build(&order, log));
    return gap_table(out, log, &order, options);
}
