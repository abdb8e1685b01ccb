#include "report/rows/contenders.h"

#include <math.h>
#include <string.h>

#include "base/core/try.h"
#include "regret/alloc.h"

/* Mean regret and, of the whole, its interval, that of the seeds that have every cell. */
static int read_contender(struct contender *out, const struct slice *cells, size_t subject,
                          int whole)
{
    struct estimate e = slice_estimate(cells, REGRET_MEASURE_REGRET, subject);
    struct paired p;
    double *means = NULL;
    int rc;
    *out =
        (struct contender){.subject = subject, .mean = e.mean, .se = e.se, .low = NAN, .high = NAN};
    if (!whole) {
        return REGRET_OK;
    }
    TRY_CLEANUP(REGRET_NEW(&means, cells->r->n_seeds));
    for (size_t seed = 0; seed < cells->r->n_seeds; seed++) {
        means[seed] = seed_mean(cells, REGRET_MEASURE_REGRET, subject, seed);
    }
    TRY_CLEANUP(paired_from(&p, means, keep_finite(means, cells->r->n_seeds)));
    out->low = p.low;
    out->high = p.high;
cleanup:
    regret_free(means);
    return rc;
}

/* One more, in its place among those from `first` on; a subject without data is left out. */
static int insert(struct contenders *s, size_t first, const struct slice *cells, size_t subject,
                  int whole)
{
    struct contender x;
    TRY(read_contender(&x, cells, subject, whole));
    if (!isfinite(x.mean)) {
        return REGRET_OK;
    }
    size_t j = s->n++;
    for (; j > first && x.mean < s->items[j - 1].mean; j--) {
        s->items[j] = s->items[j - 1];
    }
    s->items[j] = x;
    return REGRET_OK;
}

static int compare_to_best(struct contenders *s, const struct slice *cells, int whole)
{
    for (size_t i = 0; i < s->n; i++) {
        struct contender *x = &s->items[i];
        if (s->n_families == 0) {
            x->verdict = CONTENDER_UNKNOWN;
        } else if (i > 0) {
            TRY(slice_paired(&x->to_best, cells, REGRET_MEASURE_REGRET, x->subject,
                             REGRET_MEASURE_REGRET, s->items[0].subject));
            TRY(whole ? slice_two_way(&x->on_new, cells, x->subject, s->items[0].subject)
                      : REGRET_OK);
            x->verdict = x->to_best.n < 2        ? CONTENDER_UNKNOWN
                         : x->to_best.low > 0.0  ? CONTENDER_WORSE
                         : x->to_best.high < 0.0 ? CONTENDER_BETTER
                                                 : CONTENDER_TIED;
        }
    }
    return REGRET_OK;
}

static int make(struct contenders *out, const struct slice *cells, int whole)
{
    const struct regret_results *r = cells->r;
    struct contenders s = {.r = r};
    int rc;
    TRY_CLEANUP(REGRET_NEW(&s.items, r->n_subjects));
    for (size_t i = 0; i < r->n_families; i++) {
        if (family_is_ranked(r, i)) {
            TRY_CLEANUP(insert(&s, 0, cells, i, whole));
        }
    }
    s.n_families = s.n;
    for (size_t i = r->n_families; i < r->n_subjects; i++) {
        if (is_shown_baseline(r, i)) {
            TRY_CLEANUP(insert(&s, s.n_families, cells, i, whole));
        }
    }
    TRY_CLEANUP(compare_to_best(&s, cells, whole));
    *out = s;
    s = (struct contenders){0};
cleanup:
    contenders_free(&s);
    return rc;
}

int contenders_make(struct contenders *out, const struct slice *cells)
{
    return make(out, cells, 1);
}

int contenders_compare(struct contenders *out, const struct slice *cells)
{
    return make(out, cells, 0);
}

void contenders_free(struct contenders *s)
{
    regret_free(s->items);
    *s = (struct contenders){0};
}

/* They stand by mean regret. */
static const struct contender *lowest_of(const struct contenders *s, enum regret_rule rule)
{
    for (size_t i = s->n_families; i < s->n; i++) {
        if (s->r->subjects[s->items[i].subject].rule == rule) {
            return &s->items[i];
        }
    }
    return NULL;
}

const struct contender *contenders_single_agent(const struct contenders *s)
{
    return lowest_of(s, REGRET_RULE_SINGLE);
}

const struct contender *contenders_by_tag(const struct contenders *s)
{
    return lowest_of(s, REGRET_RULE_BY_TAG);
}

/* ---------------------------------------------------------------- the sentence */

enum { NAME_COLUMNS = 30 };

static void put_name(struct regret_buffer *out, const struct contenders *s,
                     const struct contender *x)
{
    regret_buffer_append_safe(out, s->r->subjects[x->subject].name, NAME_COLUMNS);
}

static void put_ties(struct regret_buffer *out, const struct contenders *s)
{
    size_t tied = 0, unknown = 0, told = 0;
    for (size_t i = 1; i < s->n_families; i++) {
        tied += s->items[i].verdict == CONTENDER_TIED;
        unknown += s->items[i].verdict == CONTENDER_UNKNOWN;
    }
    if (s->n_families < 2 || unknown > 0) {
        return;
    }
    if (tied == 0 || tied + 1 == s->n_families) {
        regret_buffer_printf(out, ", %s every other family", tied == 0 ? "ahead of" : "tied with");
        return;
    }
    regret_buffer_append(out, ", tied with ");
    for (size_t i = 1; i < s->n_families; i++) {
        if (s->items[i].verdict == CONTENDER_TIED) {
            put_name(out, s, &s->items[i]);
            told++;
            regret_buffer_append(out, told + 1 < tied ? ", " : told < tied ? " and " : "");
        }
    }
}

static void put_baseline(struct regret_buffer *out, const struct contenders *s,
                         const struct contender *agent, const char *what)
{
    static const char *const words[] = {[CONTENDER_TIED] = "is not separable from",
                                        [CONTENDER_WORSE] = "beats",
                                        [CONTENDER_BETTER] = "loses to"};
    const struct paired *d = &agent->to_best;
    int known = agent->verdict != CONTENDER_UNKNOWN;
    regret_buffer_printf(out, ", and %s %s (",
                         known                            ? words[agent->verdict]
                         : agent->mean < s->items[0].mean ? "is above"
                                                          : "is below",
                         what);
    put_name(out, s, agent);
    regret_buffer_printf(out, ", %.4f)", agent->mean);
    if (known) {
        int loses = agent->verdict == CONTENDER_BETTER;
        regret_buffer_printf(out, " %s %.4f [%.4f, %.4f]",
                             agent->verdict == CONTENDER_TIED ? "with a difference of" : "by",
                             loses ? -d->mean : d->mean, loses ? -d->high : d->low,
                             loses ? -d->low : d->high);
    }
}

static void put_trivial_rules(struct regret_buffer *out, const struct contenders *s)
{
    const struct contender *agent = contenders_single_agent(s), *by_tag = contenders_by_tag(s);
    if (agent != NULL) {
        put_baseline(out, s, agent, "the best single agent");
    }
    if (by_tag != NULL && (agent == NULL || by_tag->mean < agent->mean)) {
        put_baseline(out, s, by_tag, "the best agent by tag");
    }
}

void contenders_sentence(struct regret_buffer *out, const struct contenders *s)
{
    regret_buffer_append(out, s->r->run.synthetic ? "SYNTHETIC data: " : "Real data: ");
    if (s->n_families == 0) {
        regret_buffer_append(out, "no family has a regret yet.");
        return;
    }
    put_name(out, s, &s->items[0]);
    regret_buffer_printf(out, " recommends best (mean regret %.4f)", s->items[0].mean);
    put_ties(out, s);
    put_trivial_rules(out, s);
    if (s->r->n_seeds < FEW_SEEDS) {
        regret_buffer_printf(out, "; %zu seed%s too few to trust that (%d are the least)",
                             s->r->n_seeds, s->r->n_seeds == 1 ? " is" : "s are", (int)FEW_SEEDS);
    }
    regret_buffer_append_char(out, '.');
}
