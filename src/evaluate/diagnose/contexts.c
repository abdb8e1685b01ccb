/* Are the requests of the trial like those of the log? */
#include <math.h>

#include "base/core/try.h"
#include "evaluate/clusters/joint.h"
#include "evaluate/clusters/shares.h"
#include "evaluate/diagnose/findings.h"
#include "regret/alloc.h"

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
