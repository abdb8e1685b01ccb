#include "log/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "base/status.h"
#include "log/log.h"
#include "regret/buffer.h"
#include "regret/evaluate.h"
#include "regret/status.h"
#include "regret/text.h"

/* What is recorded of the rows of OBS, as levels. */

struct feature {
    const char *name;    /* borrowed */
    char *const *levels; /* [n_levels] of words; NULL of a number; borrowed */
    int is_word;         /* 1: of the text: level 1 has it */
    size_t n_levels;
    uint32_t *level; /* [rows] */
    uint32_t *order; /* [rows] of a number: rows by level */
    double *value;   /* [n_levels] of a number; the last is NaN where one is missing */
};

struct features {
    size_t n_rows;
    size_t n;
    struct feature *at; /* owned */
    char **words;       /* [n_words] names of words; owned */
    size_t n_words;
};

FREED_POINTER(struct regret_csr, regret_csr_free)

static uint32_t context_of(const struct regret_log *log, size_t i)
{
    return log->rows[REGRET_LOG_OBS].context[kept_row(log, REGRET_LOG_OBS, i)];
}

static int add(struct feature **out, struct features *f, const char *name, size_t n_levels)
{
    TRY(regret_realloc((void **)&f->at, f->n + 1, sizeof *f->at, "what is recorded of requests"));
    struct feature *to = *out = &f->at[f->n];
    *to = (struct feature){.name = name, .n_levels = n_levels};
    f->n++;
    return REGRET_NEW(&to->level, f->n_rows);
}

/* Words of contexts; their names are borrowed. */
static int add_levels(struct features *f, const struct regret_log *log, const char *name,
                      const uint32_t *of_context, char *const *levels, size_t n)
{
    struct feature *to;
    TRY(add(&to, f, name, n));
    to->levels = levels;
    for (size_t i = 0; i < f->n_rows; i++) {
        to->level[i] = of_context[context_of(log, i)];
    }
    return REGRET_OK;
}

struct numbered {
    double x;
    uint32_t row;
};

/* Missing ones last. */
static int compare(const void *a, const void *b)
{
    const struct numbered *x = a, *y = b;
    int missing = (isnan(x->x) != 0) - (isnan(y->x) != 0);
    return missing != 0                 ? missing
           : x->x < y->x || x->x > y->x ? (x->x > y->x) - (x->x < y->x)
                                        : (x->row > y->row) - (x->row < y->row);
}

/* Levels are the different numbers, in their order. */
static int add_numbers(struct features *f, const char *name, const double *x)
{
    FREED struct numbered *sorted = NULL;
    struct feature *to;
    TRY(add(&to, f, name, 0));
    TRY(REGRET_NEW(&to->order, f->n_rows));
    TRY(REGRET_NEW(&to->value, f->n_rows));
    TRY(REGRET_NEW(&sorted, f->n_rows));
    for (size_t i = 0; i < f->n_rows; i++) {
        sorted[i] = (struct numbered){x[i], (uint32_t)i};
    }
    qsort(sorted, f->n_rows, sizeof *sorted, compare);
    for (size_t i = 0; i < f->n_rows; i++) {
        if (i == 0 || sorted[i].x > sorted[i - 1].x ||
            isnan(sorted[i].x) != isnan(sorted[i - 1].x)) {
            to->value[to->n_levels++] = sorted[i].x;
        }
        to->order[i] = sorted[i].row;
        to->level[sorted[i].row] = (uint32_t)to->n_levels - 1;
    }
    return REGRET_OK;
}

static int add_columns(struct features *f, const struct regret_log *log)
{
    FREED double *x = NULL;
    TRY(REGRET_NEW(&x, f->n_rows));
    for (size_t j = 0; j < log->n_columns; j++) {
        const struct regret_log_column *column = &log->column[j];
        for (size_t i = 0; i < f->n_rows && !column->is_word; i++) {
            x[i] = column->value[context_of(log, i)];
        }
        TRY(column->is_word
                ? add_levels(f, log, column->name, column->word, column->words, column->n_words)
                : add_numbers(f, column->name, x));
    }
    return REGRET_OK;
}

/* The length of the text, and which of its common words it has. */
static int add_texts(struct features *f, const struct regret_log *log)
{
    FREED_BY(regret_csr_free_at) struct regret_csr *has = NULL;
    FREED const char **text = NULL;
    FREED double *length = NULL;
    struct feature *to;
    size_t n = 0;
    TRY(REGRET_NEW(&text, f->n_rows));
    TRY(REGRET_NEW(&length, f->n_rows));
    for (size_t i = 0; i < f->n_rows; i++) {
        text[i] = log->text[context_of(log, i)];
        n += text[i] != NULL && text[i][0] != '\0';
        length[i] = text[i] != NULL ? (double)strlen(text[i]) : NAN;
    }
    if (n == 0) {
        return REGRET_OK;
    }
    TRY(add_numbers(f, "the length of the text", length));
    TRY(regret_common_words(&has, &f->words, text, f->n_rows));
    f->n_words = has != NULL ? has->rows : 0;
    for (size_t w = 0; w < f->n_words; w++) {
        TRY(add(&to, f, f->words[w], 2));
        to->is_word = 1;
        for (size_t e = has->row_start[w]; e < has->row_start[w + 1]; e++) {
            to->level[has->column[e]] = 1;
        }
    }
    return REGRET_OK;
}

static int features_make_of(struct features *f, const struct regret_log *log, const char *tag)
{
    f->n_rows = kept_rows(log, REGRET_LOG_OBS);
    TRY(log->tag != NULL && log->n_tags > 1
            ? add_levels(f, log, tag, log->tag, log->tags, log->n_tags)
            : REGRET_OK);
    TRY(add_columns(f, log));
    return log->text != NULL ? add_texts(f, log) : REGRET_OK;
}

static void features_clear(struct features *f)
{
    for (size_t i = 0; i < f->n; i++) {
        regret_free(f->at[i].level);
        regret_free(f->at[i].order);
        regret_free(f->at[i].value);
    }
    regret_free(f->at);
    texts_free(f->words, f->n_words);
}

/* "kind = easy"; of levels from `first` to `last`, "length from 200 on". */
static void feature_say(struct regret_buffer *out, const struct feature *f, size_t first,
                        size_t last)
{
    enum { COLUMNS = 30 };
    if (f->is_word) {
        regret_buffer_append(out, first == 1 ? "the text has \"" : "the text has no \"");
        regret_buffer_append_safe(out, f->name, COLUMNS);
        regret_buffer_append(out, "\"");
        return;
    }
    regret_buffer_append_safe(out, f->name, COLUMNS);
    if (f->levels != NULL) {
        regret_buffer_append(out, " = ");
        regret_buffer_append_safe(out, f->levels[first], COLUMNS);
    } else if (isnan(f->value[first])) {
        regret_buffer_append(out, " is missing");
    } else if (first == 0) {
        regret_buffer_printf(out, " <= %g", f->value[last]);
    } else if (last + 1 == f->n_levels || isnan(f->value[last + 1])) {
        regret_buffer_printf(out, " >= %g", f->value[first]);
    } else {
        regret_buffer_printf(out, " from %g to %g", f->value[first], f->value[last]);
    }
}

/* Rows that chance would give; the share of them, and of a part, that an agent is to be beyond; of all rows, that a part has [C]. */
static const double SURELY = 20.0, HARDLY = 0.05, LEAST = 0.01, SMALL = 0.01;
/* Features that are looked at by twos, those on which choice depends most; parts of each; rows of a part. */
enum { MOST_FEATURES = 12, MOST_LEVELS = 32, CUTS = 8, LEAST_ROWS = 40, MOST_FOUND = 16 };

/* A part of the rows by a feature: levels first..last. */
struct part {
    const struct feature *feature; /* NULL: all */
    size_t first, last;
};

/* Of an agent; numbers of rows. */
struct seen_agent {
    double share;          /* of all rows */
    double count;          /* in what is looked at */
    double so_far;         /* up to a level */
    size_t last;           /* where the next part without it begins */
    size_t prefix, suffix; /* where it is next to never there from either end */
};

struct search {
    struct regret_log *log;
    struct features features;
    size_t n, n_agents;
    uint32_t *agent;       /* [n]; owned, as the others */
    uint64_t *hole;        /* [n × words] a bit an agent */
    struct seen_agent *of; /* [n_agents] */
    unsigned char *in;     /* [n] of the part that is looked at … */
    double n_in;           /* … and how many these are */
    uint32_t *list;        /* [n] rows in order */
    struct part within;
    int is_trying; /* 1: nothing is marked, but parts are kept: */
    struct part found[MOST_FOUND];
    size_t n_found;
};

static void search_clear(struct search *s)
{
    features_clear(&s->features);
    regret_free(s->agent);
    regret_free(s->hole);
    regret_free(s->of);
    regret_free(s->in);
    regret_free(s->list);
}

static int is_in(const struct part *part, size_t i)
{
    return part->feature == NULL ||
           (part->feature->level[i] >= part->first && part->feature->level[i] <= part->last);
}

/* Whether an agent of which n rows in a part are, k of them its own, and which has the share `share` around it, is missing there. */
static int is_missing(double n, double k, double share)
{
    return n * share >= SURELY && k <= HARDLY * n * share && k <= LEAST * n;
}

static void look_at(struct search *s, struct part within)
{
    for (size_t a = 0; a < s->n_agents; a++) {
        s->of[a].count = 0.0;
    }
    s->within = within;
    s->n_in = 0.0;
    for (size_t i = 0; i < s->n; i++) {
        s->in[i] = (unsigned char)is_in(&within, i);
        s->n_in += s->in[i];
        s->of[s->agent[i]].count += s->in[i];
    }
}

/* ---------------------------------------------------------------- what is found */

/* Notes that an agent is missing from `rows` rows that were not known for it. */
static int note(struct search *s, size_t agent, const struct part *part, size_t rows, size_t own)
{
    struct regret_log *log = s->log;
    FREED_BY(regret_buffer_free) struct regret_buffer text = REGRET_BUFFER_INIT;
    if (s->within.feature != NULL) {
        feature_say(&text, s->within.feature, s->within.first, s->within.last);
        regret_buffer_append(&text, " and ");
    }
    feature_say(&text, part->feature, part->first, part->last);
    TRY(regret_buffer_status(&text));
    TRY(regret_realloc((void **)&log->hole, log->n_holes + 1, sizeof *log->hole, "holes"));
    struct regret_log_hole *to = &log->hole[log->n_holes];
    *to = (struct regret_log_hole){(uint32_t)agent, rows, own, NULL};
    TRY(regret_strdup(&to->where, regret_buffer_get(&text)));
    log->n_holes++;
    return REGRET_OK;
}

/* The part of what is looked at, less holes that are known: whether the agent is missing there, against its share around it and, within a
 * part by another feature, against that of all rows alike in this one; by `is_sure` it is. Small parts are left alone. */
static int mark(struct search *s, size_t agent, const struct part *part, int is_sure)
{
    size_t words = offer_words(s->log);
    uint64_t bit = (uint64_t)1 << agent % 64;
    double rows = 0.0, own = 0.0, alike = 0.0, alike_own = 0.0;
    for (size_t i = 0; i < s->n; i++) {
        int is_own = s->agent[i] == agent, is_here = is_in(part, i);
        int is_new = is_here && s->in[i] && !(s->hole[i * words + agent / 64] & bit);
        rows += is_new;
        own += is_new && is_own;
        alike += is_here;
        alike_own += is_here && is_own;
    }
    double share = s->of[agent].count / s->n_in;
    share = s->within.feature != NULL ? fmin(share, alike_own / alike) : share;
    if (rows < SMALL * (double)s->n || (!is_sure && !is_missing(rows, own, share))) {
        return REGRET_OK;
    }
    if (s->is_trying) {
        s->n_found += s->n_found < MOST_FOUND;
        s->found[s->n_found - 1] = *part;
        return REGRET_OK;
    }
    for (size_t i = 0; i < s->n; i++) {
        s->hole[i * words + agent / 64] |= s->in[i] && is_in(part, i) ? bit : 0;
    }
    return note(s, agent, part, (size_t)rows, (size_t)own);
}

/* ---------------------------------------------------------------- one feature */

/* Levels of words, each; and of agents, all those together that have none of them. */
static int scan_levels(struct search *s, const struct feature *f)
{
    const double some = 3.0, beyond = 5.0;
    size_t n = s->n_agents;
    FREED double *own = NULL, *rows = NULL;
    TRY(REGRET_NEW(&own, f->n_levels * n));
    TRY(REGRET_NEW(&rows, f->n_levels));
    for (size_t i = 0; i < s->n; i++) {
        own[f->level[i] * n + s->agent[i]] += s->in[i];
        rows[f->level[i]] += s->in[i];
    }
    for (size_t a = 0; a < n; a++) {
        double share = s->of[a].count / s->n_in, lost = 0.0, chance = 0.0;
        for (size_t l = 0; l < f->n_levels && s->of[a].count > 0.0; l++) {
            double expected = rows[l] * share;
            lost += expected >= some && own[l * n + a] == 0.0 ? expected : 0.0;
            chance += expected >= some ? expected * exp(-expected) : 0.0;
        }
        int together = lost >= SURELY + beyond * chance;
        for (size_t l = 0; l < f->n_levels && s->of[a].count > 0.0; l++) {
            const struct part part = {f, l, l};
            if (is_missing(rows[l], own[l * n + a], share)) {
                TRY(mark(s, a, &part, 0));
            } else if (together && own[l * n + a] == 0.0 && rows[l] * share >= some) {
                TRY(mark(s, a, &part, 1));
            }
        }
    }
    return REGRET_OK;
}

/* Marks for an agent the rows of list[from..to) of n, which are whole levels; from an end of them it is the end of all. */
static int mark_range(struct search *s, const struct feature *f, size_t a, size_t from, size_t to,
                      size_t n)
{
    if (from >= to) {
        return REGRET_OK;
    }
    size_t last = f->level[s->list[to - 1]], most = f->n_levels - 1;
    most -= most > last && isnan(f->value[most]);
    const struct part part = {f, from == 0 ? 0 : f->level[s->list[from]], to == n ? most : last};
    return mark(s, a, &part, 0);
}

/* The levels between two that an agent has; and from either end as far as it is next to never there. */
static int scan_numbers(struct search *s, const struct feature *f)
{
    size_t n = 0;
    for (size_t i = 0; i < s->n; i++) {
        s->list[n] = f->order[i];
        n += s->in[f->order[i]];
    }
    for (size_t a = 0; a < s->n_agents; a++) {
        s->of[a].last = s->of[a].prefix = 0;
        s->of[a].suffix = n;
        s->of[a].so_far = 0.0;
    }
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i; end < n && f->level[s->list[end]] == f->level[s->list[i]]; end++) {
        }
        for (size_t k = i; k < end; k++) {
            size_t a = s->agent[s->list[k]];
            double share = s->of[a].count / s->n_in;
            if (s->of[a].last <= i) { /* its first row of this level */
                if ((double)(i - s->of[a].last) * share >= SURELY) {
                    TRY(mark_range(s, f, a, s->of[a].last, i, n));
                }
                s->of[a].prefix =
                    is_missing((double)i, s->of[a].so_far, share) ? i : s->of[a].prefix;
            }
            s->of[a].last = end;
            s->of[a].so_far += 1.0;
        }
        for (size_t k = i; k < end; k++) {
            size_t a = s->agent[s->list[k]];
            double share = s->of[a].count / s->n_in;
            if (s->of[a].suffix == n &&
                is_missing((double)(n - end), s->of[a].count - s->of[a].so_far, share)) {
                s->of[a].suffix = end;
            }
        }
    }
    for (size_t a = 0; a < s->n_agents; a++) {
        double share = s->of[a].count / s->n_in;
        if ((double)(n - s->of[a].last) * share >= SURELY) {
            TRY(mark_range(s, f, a, s->of[a].last, n, n));
        }
        TRY(mark_range(s, f, a, 0, s->of[a].prefix, n));
        TRY(mark_range(s, f, a, s->of[a].suffix, n, n));
    }
    return REGRET_OK;
}

/* Of so many words that an agent has few rows of each nothing can be told. */
static int is_too_fine(const struct search *s, const struct feature *f)
{
    enum { MOST_CELLS = 1 << 22 };
    return f->value == NULL && f->n_levels * s->n_agents > MOST_CELLS;
}

static int scan(struct search *s, const struct feature *f)
{
    if (is_too_fine(s, f)) {
        return REGRET_OK;
    }
    return f->value != NULL ? scan_numbers(s, f) : scan_levels(s, f);
}

/* ---------------------------------------------------------------- two features */

/* The cut of a number below which j eighths of the rows are: its last level. */
static size_t cut_of(const struct search *s, const struct feature *f, size_t j)
{
    return f->level[f->order[j * s->n / CUTS]];
}

/* How much choice depends on a feature: χ² less its degrees of freedom, numbers in eighths. */
static int dependence(double *out, const struct search *s, const struct feature *f)
{
    size_t groups = f->value != NULL ? CUTS : is_too_fine(s, f) ? 0 : f->n_levels;
    FREED double *own = NULL, *rows = NULL;
    TRY(REGRET_NEW(&own, groups * s->n_agents));
    TRY(REGRET_NEW(&rows, groups));
    for (size_t i = 0; i < s->n && groups > 0; i++) {
        size_t row = f->value != NULL ? f->order[i] : i;
        size_t g = f->value != NULL ? i * CUTS / s->n : f->level[i];
        own[g * s->n_agents + s->agent[row]] += 1.0;
        rows[g] += 1.0;
    }
    *out = 0.0;
    for (size_t k = 0; k < groups * s->n_agents; k++) {
        double expected = rows[k / s->n_agents] * s->of[k % s->n_agents].share;
        *out += expected > 0.0 ? (own[k] - expected) * (own[k] - expected) / expected - 1.0 : 0.0;
    }
    return REGRET_OK;
}

struct strength {
    double x;
    size_t feature;
};

static int descending(const void *a, const void *b)
{
    const struct strength *x = a, *y = b;
    return x->x != y->x ? (x->x < y->x) - (x->x > y->x)
                        : (x->feature > y->feature) - (x->feature < y->feature);
}

/* Where a hole is within a part of a number, the number's own hole is within that of the other feature: to the row, not to an eighth. */
static int refine(struct search *s, struct part part, const struct feature *f)
{
    s->is_trying = 1;
    s->n_found = 0;
    TRY(scan(s, f));
    s->is_trying = 0;
    for (size_t k = 0; k < s->n_found; k++) {
        look_at(s, s->found[k]);
        TRY(scan(s, part.feature));
    }
    if (s->n_found > 0) {
        look_at(s, part);
        TRY(scan(s, f));
    }
    return REGRET_OK;
}

/* Within a part by one feature all others. */
static int look_within(struct search *s, struct part part, const struct strength *order, size_t n)
{
    for (size_t j = 0; j < n; j++) {
        const struct feature *f = &s->features.at[order[j].feature];
        if (f == part.feature) {
            continue;
        }
        look_at(s, part);
        if (s->n_in < LEAST_ROWS) {
            return REGRET_OK;
        }
        TRY(part.feature->value != NULL ? refine(s, part, f) : scan(s, f));
    }
    return REGRET_OK;
}

static int look_by_twos(struct search *s)
{
    size_t n = s->features.n, most = n < MOST_FEATURES ? n : MOST_FEATURES;
    FREED struct strength *order = NULL;
    TRY(REGRET_NEW(&order, n));
    for (size_t j = 0; j < n; j++) {
        order[j].feature = j;
        TRY(dependence(&order[j].x, s, &s->features.at[j]));
    }
    qsort(order, n, sizeof *order, descending);
    for (size_t j = 0; j < most; j++) {
        const struct feature *f = &s->features.at[order[j].feature];
        for (size_t l = 0; l < f->n_levels && l < MOST_LEVELS && f->value == NULL; l++) {
            TRY(look_within(s, (struct part){f, l, l}, order, most));
        }
        for (size_t k = 1; k < CUTS && f->value != NULL; k++) {
            size_t cut = cut_of(s, f, k);
            TRY(look_within(s, (struct part){f, 0, cut}, order, most));
            TRY(cut + 1 < f->n_levels
                    ? look_within(s, (struct part){f, cut + 1, f->n_levels - 1}, order, most)
                    : REGRET_OK);
        }
    }
    return REGRET_OK;
}

/* ---------------------------------------------------------------- who is on offer */

static int compare_holes(const void *a, const void *b)
{
    const struct regret_log_hole *x = a, *y = b;
    return x->rows != y->rows ? (x->rows < y->rows) - (x->rows > y->rows)
                              : (x->agent > y->agent) - (x->agent < y->agent);
}

/* The number of an offer among those found so far, which start behind the `first`; a new one where it is new. */
static int enter_offer(uint32_t *out, struct regret_log *log, const uint64_t *bits, size_t first)
{
    size_t words = offer_words(log), o = first;
    while (o < log->n_offers &&
           memcmp(log->on_offer + o * words, bits, words * sizeof *bits) != 0) {
        o++;
    }
    if (o == log->n_offers) {
        TRY(regret_realloc((void **)&log->on_offer, (o + 1) * words, sizeof *bits, "offers"));
        memcpy(log->on_offer + o * words, bits, words * sizeof *bits);
        log->n_offers++;
    }
    *out = (uint32_t)o;
    return REGRET_OK;
}

/* Rows that were not drawn keep their offers, or get that of everybody. */
static int set_offers(struct search *s)
{
    struct regret_log *log = s->log;
    struct regret_log_rows *obs = &log->rows[REGRET_LOG_OBS];
    size_t words = offer_words(log), before = log->n_offers, at;
    FREED uint64_t *bits = NULL;
    FREED uint32_t *offer = NULL;
    uint32_t all = 0;
    TRY(REGRET_NEW(&bits, words));
    TRY(REGRET_NEW(&offer, obs->n));
    memset(bits, 0xff, words * sizeof *bits);
    TRY(enter_offer(&all, log, bits, before));
    for (size_t i = 0; i < obs->n; i++) {
        offer[i] = obs->offer != NULL ? obs->offer[i] : all;
    }
    for (size_t i = 0; i < s->n; i++) {
        at = kept_row(log, REGRET_LOG_OBS, i);
        for (size_t w = 0; w < words; w++) {
            bits[w] = log->on_offer[offer[at] * words + w] & ~s->hole[i * words + w];
        }
        TRY(enter_offer(&offer[at], log, bits, before));
    }
    regret_free(obs->offer);
    obs->offer = offer;
    offer = NULL;
    return REGRET_OK;
}

static int begin(struct search *s, const char *tag)
{
    struct regret_log *log = s->log;
    TRY(features_make_of(&s->features, log, tag));
    s->n = s->features.n_rows;
    s->n_agents = log->n_agents;
    TRY(REGRET_NEW(&s->agent, s->n));
    TRY(REGRET_NEW(&s->hole, s->n * offer_words(log)));
    TRY(REGRET_NEW(&s->of, s->n_agents));
    TRY(REGRET_NEW(&s->in, s->n));
    TRY(REGRET_NEW(&s->list, s->n));
    for (size_t i = 0; i < s->n; i++) {
        s->agent[i] = log->rows[REGRET_LOG_OBS].agent[kept_row(log, REGRET_LOG_OBS, i)];
        s->of[s->agent[i]].share += 1.0 / (double)s->n;
    }
    return REGRET_OK;
}

int log_find_overlap(struct regret_log *log, const char *tag)
{
    FREED_BY(search_clear) struct search s = {.log = log};
    if (log->rows[REGRET_LOG_EXP].n > 0 || log->rows[REGRET_LOG_OBS].n == 0) {
        return REGRET_OK;
    }
    TRY(begin(&s, tag));
    for (size_t j = 0; j < s.features.n; j++) {
        look_at(&s, (struct part){NULL, 0, 0});
        TRY(scan(&s, &s.features.at[j]));
    }
    TRY(look_by_twos(&s));
    if (log->n_holes == 0) {
        return REGRET_OK;
    }
    qsort(log->hole, log->n_holes, sizeof *log->hole, compare_holes);
    return set_offers(&s);
}
