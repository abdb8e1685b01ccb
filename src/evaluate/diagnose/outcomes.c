/* Do outcomes say anything, and how many rows are missing? */
#include <math.h>

#include "base/core/try.h"
#include "evaluate/diagnose/findings.h"
#include "log/core/given.h"

static const double at_an_end = 0.98, some_lost = 0.05, many_lost = 0.2;

static const char *source_title(enum regret_log_source source)
{
    return source == REGRET_LOG_OBS ? "OBS" : "EXP";
}

static void ask_source(struct findings *f, const struct asked *a, enum regret_log_source source)
{
    const struct regret_log_rows *rows = &a->log->rows[source];
    size_t low = 0, high = 0;
    for (size_t i = 0; i < rows->n; i++) {
        low += rows->outcome[i] <= 0.0;
        high += rows->outcome[i] >= 1.0;
    }
    size_t most = low > high ? low : high;
    double share = (double)most / (double)rows->n, end = low > high ? a->log->low : a->log->high;
    struct finding *found =
        findings_add(f, source == REGRET_LOG_OBS ? "outcome.obs" : "outcome.exp",
                     "share of outcomes at one end of the range");
    found->value = share;
    if (outcomes_are_alike(rows)) {
        found->verdict = REGRET_DIAGNOSTIC_NO;
        regret_buffer_printf(&found->fine,
                             "All %zu outcomes of %s are the same, %g. No agent can be told from "
                             "another: look at the column "
                             "and the range that are named.",
                             rows->n, source_title(source), as_given(a->log, rows->outcome[0]));
        return;
    }
    found->verdict = share > at_an_end ? REGRET_DIAGNOSTIC_CAUTION : REGRET_DIAGNOSTIC_FINE;
    regret_buffer_printf(
        &found->fine, "%.1f %% of the outcomes of %s are at %g, the %s end of the range.%s",
        100.0 * share, source_title(source), end, low > high ? "low" : "high",
        share > at_an_end ? " Agents differ in few rows: a finer outcome would tell more." : "");
}

static void ask_losses(struct findings *f, const struct asked *a)
{
    const struct regret_log *log = a->log;
    size_t n = 0, kept = log->rows[REGRET_LOG_OBS].n + log->rows[REGRET_LOG_EXP].n;
    const struct regret_log_loss *most = NULL;
    for (size_t i = 0; i < log->n_losses; i++) {
        n += log->loss[i].n;
        most = !most || log->loss[i].n > most->n ? &log->loss[i] : most;
    }
    if (n == 0) {
        return;
    }
    struct finding *found = findings_add(f, "left.out", "share of rows that could not be used");
    double share = (double)n / (double)(n + kept);
    found->value = share;
    found->verdict = share > many_lost   ? REGRET_DIAGNOSTIC_NO
                     : share > some_lost ? REGRET_DIAGNOSTIC_CAUTION
                                         : REGRET_DIAGNOSTIC_FINE;
    regret_buffer_printf(
        &found->fine,
        "%zu of %zu rows (%.1f %%) could not be used; most of them, %zu of %s, for: ", n, n + kept,
        100.0 * share, most->n, source_title(most->source));
    regret_buffer_append_safe(&found->fine, most->reason, 200);
    regret_buffer_printf(&found->fine, " (first in line %llu).", (unsigned long long)most->line);
    regret_buffer_append(&found->fine, share > some_lost
                                           ? " If they were lost for a reason that has to do with "
                                             "agent or outcome, what is left is no "
                                             "sample of all: repair them."
                                           : "");
}

int ask_outcomes(struct findings *f, const struct asked *a)
{
    for (size_t s = 0; s < REGRET_LOG_SOURCES; s++) {
        if (a->has[s]) {
            ask_source(f, a, (enum regret_log_source)s);
        }
    }
    ask_losses(f, a);
    return REGRET_OK;
}
