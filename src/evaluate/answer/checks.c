/* What the evaluation asks of itself, beside what was asked of the log. */
#include <math.h>
#include <string.h>

#include "base/core/try.h"
#include "evaluate/answer/answer.h"
#include "regret/alloc.h"

int answer_trial_is_void(const struct regret_evaluation *e)
{
    static const char *const about[] = {"same.rows", "repeated.exp", "balance", "shares"};
    for (size_t i = 0; e->diagnostics != NULL && i < e->diagnostics->n; i++) {
        const struct regret_diagnostic *d = &e->diagnostics->entry[i];
        for (size_t j = 0; j < sizeof about / sizeof *about; j++) {
            if (d->verdict == REGRET_DIAGNOSTIC_NO &&
                strncmp(d->name, about[j], strlen(about[j])) == 0) {
                return 1;
            }
        }
    }
    return 0;
}

/* Puts an entry behind those that are as grave or graver. */
static int insert(struct regret_evaluation *e, const struct regret_diagnostic *entry,
                  const struct regret_buffer *sentence)
{
    struct regret_diagnostics *d = e->diagnostics;
    size_t at = 0;
    if (d == NULL) {
        TRY(REGRET_NEW(&d, 1));
        e->diagnostics = d;
    }
    struct regret_diagnostic own = *entry;
    TRY(regret_buffer_status(sentence));
    TRY(regret_realloc((void **)&d->entry, d->n + 1, sizeof *d->entry, "diagnostics"));
    TRY(regret_strdup(&own.sentence, regret_buffer_get(sentence)));
    while (at < d->n && d->entry[at].verdict >= own.verdict) {
        at++;
    }
    memmove(d->entry + at + 1, d->entry + at, (d->n - at) * sizeof *d->entry);
    d->entry[at] = own;
    d->n++;
    return REGRET_OK;
}

/* A slope of 1: differences between agents are as f says. Of 0: f knows none. */
static int add_calibration(struct regret_evaluation *e)
{
    const struct regret_valued *c = &e->calibration;
    struct regret_buffer text = REGRET_BUFFER_INIT;
    struct regret_diagnostic entry = {.name = "calibration",
                                      .what = "slope of outcomes on predicted differences",
                                      .value = c->value,
                                      .low = c->low,
                                      .high = c->high,
                                      .p = NAN};
    int rc;
    if (isnan(c->value) || isnan(c->error)) {
        return REGRET_OK;
    }
    entry.verdict =
        c->high < 1.0 || c->low > 1.0 ? REGRET_DIAGNOSTIC_CAUTION : REGRET_DIAGNOSTIC_FINE;
    regret_buffer_printf(
        &text,
        "on rows that the fit did not see, a predicted difference of 1 between agents "
        "was %.2f (%.2f to %.2f): ",
        c->value, c->low, c->high);
    regret_buffer_append(
        &text, c->high < 1.0 && c->low <= 0.0 ? "predictions by request say nothing; go by "
                                                "the values of agents"
               : c->high < 1.0 ? "predictions by request exaggerate; go by intervals, not "
                                 "by margins"
               : c->low > 1.0  ? "predictions by request are too timid; margins are larger "
                                 "than they say"
                               : "predictions are about right");
    rc = insert(e, &entry, &text);
    regret_buffer_free(&text);
    return rc;
}

/* Do the families, which read the log in different ways, name the same single agent? */
static int add_families(struct regret_evaluation *e, const struct regret_log *log)
{
    size_t same = 0, other = e->n_families;
    struct regret_buffer text = REGRET_BUFFER_INIT;
    for (size_t i = 0; i < e->n_families; i++) {
        same += e->family[i].single == e->family[e->used].single;
        other = e->family[i].single != e->family[e->used].single ? i : other;
    }
    double share = (double)same / (double)e->n_families;
    struct regret_diagnostic entry = {.name = "families",
                                      .what = "share of families that name the same best agent",
                                      .value = share,
                                      .low = NAN,
                                      .high = NAN,
                                      .p = NAN};
    int rc;
    if (e->n_families < 2) {
        return REGRET_OK;
    }
    entry.verdict = other < e->n_families ? REGRET_DIAGNOSTIC_CAUTION : REGRET_DIAGNOSTIC_FINE;
    regret_buffer_printf(&text, "%zu of %zu families name ", same, e->n_families);
    regret_buffer_append_safe(&text, log->agent[e->family[e->used].single], 40);
    regret_buffer_append(&text, " the best single agent");
    if (other < e->n_families) {
        regret_buffer_printf(&text, "; %s names ", e->family[other].name);
        regret_buffer_append_safe(&text, log->agent[e->family[other].single], 40);
        regret_buffer_append(&text, ": go by the intervals, which are corrected by the trial");
    }
    rc = insert(e, &entry, &text);
    regret_buffer_free(&text);
    return rc;
}

int answer_add_seed(struct regret_evaluation *e, const struct regret_evaluation *again,
                    const struct regret_log *log)
{
    enum { COLUMNS = 40 };
    struct regret_buffer text = REGRET_BUFFER_INIT;
    struct regret_diagnostic entry = {.name = "seed",
                                      .what = "change of the best agent's value, in its errors",
                                      .low = NAN,
                                      .high = NAN,
                                      .p = NAN};
    int rc;
    if (e->single == e->n_agents || again->single == again->n_agents) {
        return REGRET_OK;
    }
    const struct regret_valued *v = &e->agent[e->single].value[REGRET_VALUE_SNDR];
    const struct regret_valued *w = &again->agent[e->single].value[REGRET_VALUE_SNDR];
    entry.value = v->error > 0.0 ? (w->value - v->value) / v->error : 0.0;
    int is_same = e->single == again->single;
    entry.verdict =
        is_same && fabs(entry.value) < 1.0 ? REGRET_DIAGNOSTIC_FINE : REGRET_DIAGNOSTIC_CAUTION;
    regret_buffer_append(&text, "with other folds and the surface of mixed ");
    regret_buffer_append_safe(&text, log->agent[again->single], COLUMNS);
    regret_buffer_printf(
        &text,
        " is the best single agent%s; the value of the one named here changes by %+.2f "
        "of its standard errors%s",
        is_same ? ", too" : "", entry.value,
        entry.verdict == REGRET_DIAGNOSTIC_FINE
            ? ""
            : ": what chance deals into folds matters; go by intervals");
    rc = insert(e, &entry, &text);
    regret_buffer_free(&text);
    return rc;
}

int answer_add_checks(struct regret_evaluation *e, const struct regret_log *log)
{
    TRY(add_calibration(e));
    return add_families(e, log);
}
