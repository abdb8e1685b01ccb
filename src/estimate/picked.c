/* Words on which an agent is better. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/random.h"
#include "base/status.h"
#include "estimate/mixed.h"
#include "regret/design.h"
#include "regret/status.h"

/* How likely a word may be picked where agents differ by none. */
static const double LEVEL = 0.01;

/* Entries of both samples, ordered by context. Entries of an agent in one sample and one tag are a group, groups of an agent
 * stand together; what is left of outcomes has the mean 0 in each. */
struct picker {
    const struct regret_problem *problem;
    size_t *first;   /* [n_contexts + 1] entries of x are [first[x], first[x+1]) */
    uint32_t *group; /* [n] */
    double *left;    /* [n] of the outcome */
    double *total;   /* [n_groups] entries, … */
    double *held;    /* … those of contexts that hold the word at hand, … */
    double *sum;     /* … and what is left of these, added up */
    size_t n, n_groups, of_agent;
};

/* What agents make of a word: least squares slopes on whether a context holds it, within groups. */
struct slopes {
    double *sum,
        *square; /* [n_agents] Σ z r and Σ z², z being centred by group; the slope is their ratio */
    double height; /* of the statistic, on the scale of a normal variable; -INFINITY: none */
    double tail;   /* how likely it is to be as high where the agents' slopes are one */
};

FREED_FIELDS(slopes, of->sum, of->square)

static void picker_free(struct picker *k)
{
    regret_free(k->first);
    regret_free(k->group);
    regret_free(k->left);
    regret_free(k->total);
    regret_free(k->held);
    regret_free(k->sum);
}

static void place(struct picker *k, const struct regret_sample *s, int is_obs)
{
    const struct regret_problem *p = k->problem;
    for (size_t e = 0; e < s->entries; e++) {
        size_t pair = s->pair[e], x = p->context[pair], i = k->first[x]++;
        size_t tag = k->of_agent > 2 ? p->tag[x] : 0;
        k->group[i] = (uint32_t)(p->agent[pair] * k->of_agent + 2 * tag + (size_t)is_obs);
        k->left[i] = s->sum[e] / s->count[e];
        k->total[k->group[i]] += 1.0;
        k->sum[k->group[i]] += k->left[i];
    }
}

static int picker_make(struct picker *k, const struct regret_session *session)
{
    const struct regret_problem *p = session->problem;
    const struct regret_sample *samples[] = {session->exp, session->obs};
    size_t tags = p->tag != NULL && p->n_tags > 1 ? p->n_tags : 1;
    *k = (struct picker){.problem = p,
                         .n = session->obs->entries + session->exp->entries,
                         .n_groups = 2 * tags * p->n_agents,
                         .of_agent = 2 * tags};
    TRY(REGRET_NEW(&k->first, p->n_contexts + 2));
    TRY(REGRET_NEW(&k->group, k->n + 1));
    TRY(REGRET_NEW(&k->left, k->n + 1));
    TRY(REGRET_NEW(&k->total, k->n_groups));
    TRY(REGRET_NEW(&k->held, k->n_groups));
    TRY(REGRET_NEW(&k->sum, k->n_groups));
    for (size_t s = 0; s < 2; s++) {
        for (size_t e = 0; e < samples[s]->entries; e++) {
            k->first[p->context[samples[s]->pair[e]] + 2]++;
        }
    }
    for (size_t x = 0; x < p->n_contexts; x++) {
        k->first[x + 2] += k->first[x + 1];
    }
    k->first++; /* placing moves each to the next one's place */
    place(k, session->obs, 1);
    place(k, session->exp, 0);
    k->first--;
    for (size_t i = 0; i < k->n; i++) {
        k->left[i] -= k->sum[k->group[i]] / k->total[k->group[i]];
    }
    return REGRET_OK;
}

/* The variance of what is left, by the degrees of freedom that the means of groups leave. */
static double noise(const struct picker *k)
{
    double square = 0.0, groups = 0.0;
    for (size_t i = 0; i < k->n; i++) {
        square += k->left[i] * k->left[i];
    }
    for (size_t g = 0; g < k->n_groups; g++) {
        groups += k->total[g] > 0.0;
    }
    return (double)k->n > groups ? square / ((double)k->n - groups) : 0.0;
}

/* Entries of the contexts that hold a word, by group. */
static void gather(struct picker *k, size_t word)
{
    const struct regret_csr *words = k->problem->common_words;
    memset(k->held, 0, k->n_groups * sizeof *k->held);
    memset(k->sum, 0, k->n_groups * sizeof *k->sum);
    for (size_t j = words->row_start[word]; j < words->row_start[word + 1]; j++) {
        uint32_t x = words->column[j];
        for (size_t i = k->first[x]; i < k->first[x + 1]; i++) {
            k->held[k->group[i]] += 1.0;
            k->sum[k->group[i]] += k->left[i];
        }
    }
}

/* Σ_a (Σ z r)²/Σ z² less the same of one slope for all, over the noise: χ² with one degree of freedom less than agents have a
 * slope. Wilson and Hilferty's cube root (PNAS 17, 1931) puts different degrees on one scale. */
static void compare_slopes(struct slopes *out, const struct picker *k, double variance)
{
    double chi = 0.0, sum = 0.0, square = 0.0, df = -1.0;
    for (size_t a = 0; a < k->problem->n_agents; a++) {
        out->sum[a] = out->square[a] = 0.0;
        for (size_t g = a * k->of_agent; g < (a + 1) * k->of_agent; g++) {
            out->sum[a] += k->sum[g];
            out->square[a] +=
                k->total[g] > 0.0 ? k->held[g] - k->held[g] * k->held[g] / k->total[g] : 0.0;
        }
        if (out->square[a] > 0.0) {
            chi += out->sum[a] * out->sum[a] / out->square[a];
            sum += out->sum[a];
            square += out->square[a];
            df += 1.0;
        }
    }
    out->height = -INFINITY;
    if (df > 0.0) {
        double ninth = 2.0 / (9.0 * df);
        chi = fmax(chi - sum * sum / square, 0.0) / variance;
        out->height = (cbrt(chi / df) - (1.0 - ninth)) / sqrt(ninth);
        out->tail = 1.0 - chi_square_cdf(chi, df);
    }
}

/* Takes what agents make of the word at hand out of what is left. */
static void take_out(struct picker *k, size_t word, const struct slopes *s)
{
    const struct regret_csr *words = k->problem->common_words;
    for (size_t i = 0; i < k->n; i++) {
        size_t g = k->group[i], a = g / k->of_agent;
        k->left[i] +=
            s->square[a] > 0.0 ? s->sum[a] / s->square[a] * k->held[g] / k->total[g] : 0.0;
    }
    for (size_t j = words->row_start[word]; j < words->row_start[word + 1]; j++) {
        uint32_t x = words->column[j];
        for (size_t i = k->first[x]; i < k->first[x + 1]; i++) {
            size_t a = k->group[i] / k->of_agent;
            k->left[i] -= s->square[a] > 0.0 ? s->sum[a] / s->square[a] : 0.0;
        }
    }
}

/* The word whose statistic is highest, the first of equals. */
static size_t highest(struct picker *k, struct slopes *s)
{
    size_t best = 0;
    double height = -INFINITY, variance = noise(k);
    for (size_t j = 0; variance > 0.0 && j < k->problem->common_words->rows; j++) {
        gather(k, j);
        compare_slopes(s, k, variance);
        if (s->height > height) {
            height = s->height;
            best = j;
        }
    }
    s->tail = 1.0;
    if (height > -INFINITY) {
        gather(k, best);
        compare_slopes(s, k, variance);
    }
    return best;
}

int mixed_pick(uint32_t *picked, size_t *n_picked, const struct regret_session *session,
               size_t most)
{
    const struct regret_problem *p = session->problem;
    FREED_BY(picker_free) struct picker k = {0};
    FREED_BY(slopes_fields) struct slopes s = {0};
    *n_picked = 0;
    if (p->common_words == NULL || p->common_words->rows == 0 || p->context == NULL || most == 0) {
        return REGRET_OK;
    }
    TRY(picker_make(&k, session));
    TRY(REGRET_NEW(&s.sum, p->n_agents));
    TRY(REGRET_NEW(&s.square, p->n_agents));
    while (*n_picked < most) {
        size_t word = highest(&k, &s);
        if (s.tail * (double)p->common_words->rows >= LEVEL) {
            break;
        }
        take_out(&k, word, &s);
        picked[(*n_picked)++] = (uint32_t)word;
    }
    return REGRET_OK;
}

int mixed_hold(double **held, const struct regret_problem *p, const uint32_t *picked, size_t n)
{
    TRY(REGRET_NEW(held, n * p->n_contexts + 1));
    for (size_t j = 0; j < n; j++) {
        const struct regret_csr *words = p->common_words;
        size_t begin = words->row_start[picked[j]], end = words->row_start[picked[j] + 1];
        double *column = *held + j * p->n_contexts;
        for (size_t i = begin; i < end; i++) {
            column[words->column[i]] = 1.0;
        }
        for (size_t x = 0; x < p->n_contexts; x++) {
            column[x] -= (double)(end - begin) / (double)p->n_contexts;
        }
    }
    return REGRET_OK;
}
