#include "report/internal.h"

#include <cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "base/text.h"
#include "regret/estimate.h"
#include "regret/status.h"
#include "report/lists.h"
#include "report/slice.h"
#include "report/table.h"

/* One more, in its place among those from `first` on; a subject without data is left out. */
static void insert(struct contenders *s, size_t first, const struct slice *cells, size_t subject)
{
    struct estimate e = slice_estimate(cells, REGRET_MEASURE_REGRET, subject);
    if (!isfinite(e.mean)) {
        return;
    }
    size_t j = s->n++;
    for (; j > first && e.mean < s->items[j - 1].mean; j--) {
        s->items[j] = s->items[j - 1];
    }
    s->items[j] = (struct contender){.subject = subject, .mean = e.mean, .se = e.se};
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
    FREED_BY(contenders_free) struct contenders s = {.r = r};
    TRY(REGRET_NEW(&s.items, r->n_subjects));
    for (size_t i = 0; i < r->n_families; i++) {
        if (family_is_ranked(r, i)) {
            insert(&s, 0, cells, i);
        }
    }
    s.n_families = s.n;
    for (size_t i = r->n_families; i < r->n_subjects; i++) {
        if (is_shown_baseline(r, i)) {
            insert(&s, s.n_families, cells, i);
        }
    }
    TRY(compare_to_best(&s, cells, whole));
    *out = s;
    s = (struct contenders){0};
    return REGRET_OK;
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

enum { MOST_NAMED = 4 };

/* Whether the family is behind the best on new contexts for certain, all pairs of families together. */
static int is_behind(const struct contenders *s, size_t i)
{
    double pairs = (double)s->n_families * (double)(s->n_families - 1) / 2.0;
    const struct regret_two_way *w = &s->items[i].on_new;
    return i > 0 && w->mean > two_way_half(w, TOLD_LEVEL / pairs);
}

void contenders_list(struct regret_buffer *out, const struct contenders *s,
                     int (*is_in)(const struct contenders *, size_t))
{
    size_t n = 0, k = 0;
    for (size_t i = 0; i < s->n_families; i++) {
        n += (size_t)is_in(s, i);
    }
    size_t named = n <= MOST_NAMED + 1 ? n : MOST_NAMED;
    for (size_t i = 0; i < s->n_families && k < named; i++) {
        if (is_in(s, i)) {
            const char *before = k == 0 ? "" : k + 1 == n ? " and " : ", ";
            regret_buffer_printf(out, "%s%s", before, s->r->subjects[s->items[i].subject].name);
            k++;
        }
    }
    if (named < n) {
        regret_buffer_printf(out, " and %zu more", n - named);
    }
}

static void say_others(struct regret_buffer *out, const struct contenders *s)
{
    size_t behind = 0;
    for (size_t i = 0; i < s->n_families; i++) {
        behind += (size_t)is_behind(s, i);
    }
    regret_buffer_append(out, " On new requests of this kind ");
    if (behind == 0) {
        regret_buffer_append(out, "no other family can be told from it");
    } else if (behind + 1 == s->n_families) {
        regret_buffer_printf(out, "%s would be behind it",
                             behind == 1 ? "the other family" : "every other family");
    } else {
        contenders_list(out, s, is_behind);
        regret_buffer_append(out, " would be behind it, the others cannot be told from it");
    }
    regret_buffer_append(out, " (98 % intervals over seeds and held-out contexts, all pairs "
                              "together).");
}

void contenders_sentence(struct regret_buffer *out, const struct contenders *s)
{
    if (s->n_families == 0) {
        regret_buffer_append(out, "No family of this run has a regret, so there is no best one.");
        return;
    }
    const struct contender *best = &s->items[0];
    regret_buffer_printf(out, "%s has the lowest mean regret over %s%zu cell%s, %.4f",
                         s->r->subjects[best->subject].name, s->r->n_cells > 1 ? "all " : "",
                         s->r->n_cells, s->r->n_cells > 1 ? "s" : "", best->mean);
    if (isfinite(best->se)) {
        regret_buffer_printf(out, " ± %.4f", best->se);
    }
    regret_buffer_append_char(out, '.');
    if (s->n_families == 1) {
        regret_buffer_append(out, " It is the only family of this run.");
    } else if (!isfinite(s->items[1].on_new.se)) {
        regret_buffer_append(out, " Of new requests this run says nothing: that wants two seeds, "
                                  "ten held-out contexts, and rows with lists of them.");
    } else {
        say_others(out, s);
    }
}
