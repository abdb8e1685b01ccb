#include "text/metrics.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "base/status.h"
#include "base/text.h"
#include "regret/status.h"
#include "text/units.h"

/* What two texts share. */

struct overlap {
    double output, reference,
        common; /* n-grams of each, and those in both, each as often as in both */
};

static int ascending(const void *left, const void *right)
{
    const uint64_t *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

/* The hashes of n-grams, sorted; `out` is owned. */
static int list_ngrams(struct units *out, const struct units *text, size_t n)
{
    out->n = text->n >= n ? text->n - n + 1 : 0;
    TRY(REGRET_NEW(&out->unit, out->n));
    for (size_t i = 0; i < out->n; i++) {
        out->unit[i] = regret_hash64(text->unit + i, n * sizeof *text->unit);
    }
    qsort(out->unit, out->n, sizeof *out->unit, ascending);
    return REGRET_OK;
}

/* Makes `all` the union of two sorted lists, each unit as often as in the one that has it more often. */
static int unite(struct units *all, const struct units *other)
{
    struct units both = {0};
    TRY(REGRET_NEW(&both.unit, all->n + other->n));
    for (size_t i = 0, j = 0; i < all->n || j < other->n;) {
        int order = i == all->n     ? 1
                    : j == other->n ? -1
                                    : ascending(&all->unit[i], &other->unit[j]);
        both.unit[both.n++] = order <= 0 ? all->unit[i] : other->unit[j];
        i += order <= 0;
        j += order >= 0;
    }
    units_free(all);
    *all = both;
    return REGRET_OK;
}

/* Of several references an n-gram counts as often as in the one that has it most often. */
static int overlap_any(struct overlap *out, const struct units *output,
                       const struct units *references, size_t n_references, size_t n)
{
    FREED_BY(units_free) struct units a = {0};
    FREED_BY(units_free) struct units b = {0};
    FREED_BY(units_free) struct units next = {0};
    TRY(list_ngrams(&a, output, n));
    TRY(list_ngrams(&b, references, n));
    for (size_t k = 1; k < n_references; k++) {
        TRY(list_ngrams(&next, &references[k], n));
        TRY(unite(&b, &next));
        units_free(&next);
    }
    *out = (struct overlap){(double)a.n, (double)b.n, 0.0};
    for (size_t i = 0, j = 0; i < a.n && j < b.n;) {
        int order = ascending(&a.unit[i], &b.unit[j]);
        out->common += order == 0;
        i += order <= 0;
        j += order >= 0;
    }
    return REGRET_OK;
}

/* Of n-grams, n >= 1. O(k log k) of k units. */
static int overlap_ngrams(struct overlap *out, const struct units *output,
                          const struct units *reference, size_t n)
{
    return overlap_any(out, output, reference, 1, n);
}

/* A unit and where it stands. */
struct place {
    uint64_t unit;
    size_t at;
};

static int by_unit(const void *left, const void *right)
{
    return ascending(&((const struct place *)left)->unit, &((const struct place *)right)->unit);
}

/* Takes one unit of the other text, found at the places from `first` on, into the row of bits: Hyyrö, "Bit-parallel
 * LCS-length computation revisited", 2004, after Crochemore and others, 2001; zeros are the length so far. */
static void take(uint64_t *row, uint64_t *match, size_t words, const struct place *first, size_t n)
{
    uint64_t carry = 0;
    for (size_t i = 0; i < n; i++) {
        match[first[i].at / 64] |= (uint64_t)1 << first[i].at % 64;
    }
    for (size_t w = 0; w < words; w++) {
        uint64_t old = row[w], both = old & match[w], sum = old + both, all = sum + carry;
        carry = (uint64_t)(sum < old) | (uint64_t)(all < sum);
        row[w] = all | (old & ~match[w]);
    }
    for (size_t i = 0; i < n; i++) {
        match[first[i].at / 64] = 0;
    }
}

/* The first of the n sorted places that has this unit or a greater one. */
static size_t lower_bound(const struct place *place, size_t n, uint64_t unit)
{
    size_t low = 0;
    while (low < n) {
        size_t middle = low + (n - low) / 2;
        if (place[middle].unit < unit) {
            low = middle + 1;
        } else {
            n = middle;
        }
    }
    return low;
}

/* Of units, `common` being the length of their longest common subsequence. O(k l / 64) of k and l units. */
static int overlap_sequence(struct overlap *out, const struct units *output,
                            const struct units *reference)
{
    size_t n = output->n, words = n / 64 + 1;
    FREED struct place *place = NULL;
    FREED uint64_t *row = NULL, *match = NULL;
    TRY(REGRET_NEW(&place, n));
    TRY(REGRET_NEW(&row, words));
    TRY(REGRET_NEW(&match, words));
    for (size_t i = 0; i < n; i++) {
        place[i] = (struct place){output->unit[i], i};
    }
    qsort(place, n, sizeof *place, by_unit);
    for (size_t w = 0; w < words; w++) {
        row[w] = UINT64_MAX;
    }
    for (size_t j = 0; j < reference->n; j++) {
        uint64_t unit = reference->unit[j];
        size_t first = lower_bound(place, n, unit), end = first;
        while (end < n && place[end].unit == unit) {
            end++;
        }
        if (end > first) {
            take(row, match, words, place + first, end - first);
        }
    }
    *out = (struct overlap){(double)n, (double)reference->n, 0.0};
    for (size_t i = 0; i < n; i++) {
        out->common += (row[i / 64] >> i % 64 & 1) == 0;
    }
    return REGRET_OK;
}

struct texts {
    const char *output, *reference;
    const char *const *references; /* all of them, for who takes them together */
    size_t n_references;
};

struct metric {
    const char *name;
    int (*score)(double *out, const struct texts *texts, const struct metric *metric);
    enum units_way way;
    size_t order;  /* of n-grams; of words beside characters */
    int takes_all; /* 1: of the references together; 0: of each, and the best counts */
};

enum { CHRF_ORDER = 6, BLEU_ORDER = 4 };
static const double CHRF_BETA = 2.0;

/* Both texts as units. */
struct cut {
    struct units output, reference; /* owned */
};

static void cut_free(struct cut *c)
{
    units_free(&c->output);
    units_free(&c->reference);
}

static int cut(struct cut *c, const struct texts *texts, enum units_way way)
{
    TRY(units_cut(&c->output, texts->output, way));
    return units_cut(&c->reference, texts->reference, way);
}

static double share(double part, double whole)
{
    return whole > 0.0 ? part / whole : 0.0;
}

/* The F-score of precision and recall, recall weighing β times as much. */
static double f_score(double precision, double recall, double beta)
{
    return share((1.0 + beta * beta) * precision * recall, beta * beta * precision + recall);
}

static double f1(const struct overlap *o)
{
    return f_score(share(o->common, o->output), share(o->common, o->reference), 1.0);
}

static int score_exact(double *out, const struct texts *texts, const struct metric *metric)
{
    (void)metric;
    *out = strcmp(texts->output, texts->reference) == 0;
    return REGRET_OK;
}

static int score_answer(double *out, const struct texts *texts, const struct metric *metric)
{
    FREED_BY(cut_free) struct cut c = {0};
    TRY(cut(&c, texts, metric->way));
    *out = c.output.n == c.reference.n &&
           memcmp(c.output.unit, c.reference.unit, c.output.n * sizeof *c.output.unit) == 0;
    return REGRET_OK;
}

/* F1 of n-grams; of answers without words, whether both are. */
static int score_ngrams(double *out, const struct texts *texts, const struct metric *metric)
{
    FREED_BY(cut_free) struct cut c = {0};
    struct overlap o = {0.0, 0.0, 0.0};
    TRY(cut(&c, texts, metric->way));
    TRY(overlap_ngrams(&o, &c.output, &c.reference, metric->order));
    *out = metric->way == UNITS_ANSWER && c.output.n + c.reference.n == 0 ? 1.0 : f1(&o);
    return REGRET_OK;
}

static int score_sequence(double *out, const struct texts *texts, const struct metric *metric)
{
    FREED_BY(cut_free) struct cut c = {0};
    struct overlap o = {0.0, 0.0, 0.0};
    TRY(cut(&c, texts, metric->way));
    TRY(overlap_sequence(&o, &c.output, &c.reference));
    *out = f1(&o);
    return REGRET_OK;
}

/* Adds precision and recall of the orders that both texts are long enough for. */
static int add_orders(double sum[3], const struct texts *texts, enum units_way way, size_t orders)
{
    FREED_BY(cut_free) struct cut c = {0};
    struct overlap o = {0.0, 0.0, 0.0};
    TRY(cut(&c, texts, way));
    for (size_t n = 1; n <= orders && n <= c.output.n && n <= c.reference.n; n++) {
        TRY(overlap_ngrams(&o, &c.output, &c.reference, n));
        sum[0] += o.common / o.output;
        sum[1] += o.common / o.reference;
        sum[2] += 1.0;
    }
    return REGRET_OK;
}

static int score_chrf(double *out, const struct texts *texts, const struct metric *metric)
{
    double sum[3] = {0.0, 0.0, 0.0};
    TRY(add_orders(sum, texts, UNITS_CHARACTERS, CHRF_ORDER));
    TRY(add_orders(sum, texts, UNITS_CHRF, metric->order));
    *out = f_score(share(sum[0], sum[2]), share(sum[1], sum[2]), CHRF_BETA);
    return REGRET_OK;
}

/* The length that is nearest to the output's, of two the shorter. */
static double nearest_length(const struct units *output, const struct units *references, size_t n)
{
    double wanted = (double)output->n, best = INFINITY;
    for (size_t k = 0; k < n; k++) {
        double length = (double)references[k].n, gap = fabs(length - wanted) - fabs(best - wanted);
        best = gap < 0.0 || (gap <= 0.0 && length < best) ? length : best;
    }
    return best;
}

/* `all`: the output, then the references, as tokens. */
static int bleu_of(double *out, const struct units *all, size_t n_references)
{
    struct overlap o = {0.0, 0.0, 0.0};
    double logs = 0.0, smoothed = 1.0, common = 0.0, order = 0.0;
    for (size_t n = 1; n <= BLEU_ORDER && n <= all->n; n++, order++) {
        TRY(overlap_any(&o, all, all + 1, n_references, n));
        smoothed *= o.common > 0.0 ? 1.0 : 0.5;
        logs += log((o.common > 0.0 ? o.common : smoothed) / o.output);
        common += o.common;
    }
    double ratio = share(nearest_length(all, all + 1, n_references), (double)all->n);
    *out = common > 0.0 ? exp(fmin(0.0, 1.0 - ratio) + logs / order) : 0.0;
    return REGRET_OK;
}

static int score_bleu(double *out, const struct texts *texts, const struct metric *metric)
{
    size_t n = texts->n_references;
    struct units *all = NULL;
    int rc;
    TRY_CLEANUP(REGRET_NEW(&all, n + 1));
    TRY_CLEANUP(units_cut(&all[0], texts->output, metric->way));
    for (size_t k = 0; k < n; k++) {
        TRY_CLEANUP(units_cut(&all[k + 1], texts->references[k], metric->way));
    }
    rc = bleu_of(out, all, n);
cleanup:
    for (size_t k = 0; all != NULL && k <= n; k++) {
        units_free(&all[k]);
    }
    regret_free(all);
    return rc;
}

static const struct metric METRICS[] = {
    {"exact", score_exact, UNITS_CHARACTERS, 0, 0},
    {"exact-squad", score_answer, UNITS_ANSWER, 0, 0},
    {"f1", score_ngrams, UNITS_ANSWER, 1, 0},
    {"rouge-1", score_ngrams, UNITS_ROUGE, 1, 0},
    {"rouge-2", score_ngrams, UNITS_ROUGE, 2, 0},
    {"rouge-l", score_sequence, UNITS_ROUGE, 0, 0},
    {"rouge-1-stem", score_ngrams, UNITS_STEMS, 1, 0},
    {"rouge-2-stem", score_ngrams, UNITS_STEMS, 2, 0},
    {"rouge-l-stem", score_sequence, UNITS_STEMS, 0, 0},
    {"chrf", score_chrf, UNITS_CHARACTERS, 0, 0},
    {"chrf++", score_chrf, UNITS_CHARACTERS, 2, 0},
    {"bleu", score_bleu, UNITS_MTEVAL, 0, 1},
};
enum { N_METRICS = sizeof METRICS / sizeof *METRICS };

const char *regret_metric_name(size_t i)
{
    return i < N_METRICS ? METRICS[i].name : NULL;
}

int regret_metric_score(double *out, const char *name, const char *output, const char *reference)
{
    return regret_metric_score_any(out, name, output, &reference, 1);
}

static int score_best(double *out, const struct metric *metric, struct texts texts)
{
    *out = 0.0;
    for (size_t k = 0; k < (metric->takes_all ? 1 : texts.n_references); k++) {
        double score = 0.0;
        texts.reference = texts.references[k];
        TRY(metric->score(&score, &texts, metric));
        *out = fmax(*out, score);
    }
    return REGRET_OK;
}

int regret_metric_score_any(double *out, const char *name, const char *output,
                            const char *const *references, size_t n)
{
    const struct texts texts = {output, NULL, references, n};
    const char *known[N_METRICS];
    for (size_t i = 0; i < N_METRICS; i++) {
        known[i] = METRICS[i].name;
        if (strcmp(name, known[i]) == 0) {
            return score_best(out, &METRICS[i], texts);
        }
    }
    return name_unknown("metric", name, known, N_METRICS);
}

double regret_pass_at_k(size_t n, size_t right, size_t k)
{
    double none = 1.0; /* of the k is right */
    if (k < 1 || k > n || right > n) {
        return NAN;
    }
    for (size_t i = 0; i < k; i++) {
        none *= n - i > right ? (double)(n - i - right) / (double)(n - i) : 0.0;
    }
    return 1.0 - none;
}

/* Replaces every `from`, found from left to right, by `to`, which is not longer. */
static void replace(char *text, const char *from, const char *to)
{
    size_t n = strlen(from), k = strlen(to);
    char *at = text, *found = NULL;
    const char *rest = text;
    while ((found = strstr(rest, from)) != NULL) {
        size_t kept = (size_t)(found - rest);
        memmove(at, rest, kept);
        memcpy(at + kept, to, k);
        at += kept + k;
        rest = found + n;
    }
    memmove(at, rest, strlen(rest) + 1);
}

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static int is_no_digit(char c)
{
    return !is_digit(c);
}

static int is_point(char c)
{
    return c == '.' || c == ',';
}

static int is_dash(char c)
{
    return c == '-';
}

/* ASCII punctuation and symbols but for ' , - and the point. */
static int is_sign(char c)
{
    return c > ' ' && c < 0x7f && !is_digit(c) && memchr("',-.", c, 4) == NULL &&
           ((unsigned char)((c | 0x20) - 'a')) >= 26;
}

/* One of the three rules for two neighbours, none of them looked at again: a blank on either side of the second, or of the
 * first. `out` has room for twice the n bytes. */
static size_t part(char *out, const char *in, size_t n, int (*first)(char), int (*second)(char),
                   int around_second)
{
    size_t to = 0;
    for (size_t i = 0; i < n; i++) {
        if (i + 1 == n || !first(in[i]) || !second(in[i + 1])) {
            out[to++] = in[i];
            continue;
        }
        const char both[] = {in[i], ' ', in[i + 1], ' '}, other[] = {' ', in[i], ' ', in[i + 1]};
        memcpy(out + to, around_second ? both : other, 4);
        to += 4;
        i++;
    }
    return to;
}

int mteval_space(char **out, const char *text)
{
    size_t length = strlen(text), n = 0;
    FREED char *line = NULL, *spare = NULL;
    *out = NULL;
    while (length > 0 && memchr(" \t\n\v\f\r", text[length - 1], 6) != NULL) {
        length--;
    }
    /* Of a byte a sign makes three, a point five, a dash behind a digit three. */
    TRY(REGRET_NEW(&line, 8 * length + 16));
    TRY(REGRET_NEW(&spare, 8 * length + 16));
    memcpy(spare, text, length);
    spare[length] = '\0';
    replace(spare, "<skipped>", "");
    replace(spare, "-\n", "");
    replace(spare, "\n", " ");
    replace(spare, "&quot;", "\"");
    replace(spare, "&amp;", "&");
    replace(spare, "&lt;", "<");
    replace(spare, "&gt;", ">");
    line[n++] = ' ';
    for (const char *c = spare; *c != '\0'; c++) {
        const char apart[] = {' ', *c, ' '};
        int is_apart = is_sign(*c);
        memcpy(line + n, is_apart ? apart : c, is_apart ? 3 : 1);
        n += is_apart ? 3 : 1;
    }
    line[n++] = ' ';
    n = part(spare, line, n, is_no_digit, is_point, 1);
    n = part(line, spare, n, is_point, is_no_digit, 0);
    n = part(spare, line, n, is_digit, is_dash, 1);
    spare[n] = '\0';
    *out = spare;
    spare = NULL;
    return REGRET_OK;
}
