#include "evaluate/diagnose/findings.h"

#include <math.h>
#include <string.h>

#include "base/core/try.h"
#include "log/core/given.h"
#include "regret/alloc.h"
#include "regret/multiplicity.h"

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

void findings_free(struct findings *f)
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

int findings_conclude(struct regret_diagnostics **out, struct findings *f)
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
