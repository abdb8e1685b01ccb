/* Words by which agents differ: against sums over all pairs of entries, and where there is one and where there is none. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "estimate/mixed.h"
#include "estimate/practice_world.h"
#include "regret/design.h"
#include "regret/status.h"
#include "regret/task.h"
#include "regret/text.h"

static const struct world_shape SHAPE = {40, 5, 40, 6, 3, 300, 120, 0.2, 1.0};

/* ---- A naive reference: least squares of each agent on dummies, by its definition ----------------- */

struct entry {
    size_t agent, context, group;
    double left, z;
};

static int holds(const struct regret_csr *words, size_t word, size_t x)
{
    int held = 0;
    for (size_t i = words->row_start[word]; i < words->row_start[word + 1]; i++) {
        held |= words->column[i] == x;
    }
    return held;
}

static size_t entries_of(struct entry *e, const struct regret_problem *p)
{
    const struct regret_rows *samples[] = {p->obs, p->exp};
    size_t n = 0, tags = p->n_tags > 1 ? p->n_tags : 1;
    for (size_t s = 0; s < 2; s++) {
        for (size_t pair = 0; pair < p->pairs; pair++) {
            double sum = 0.0, rows = 0.0;
            for (size_t i = 0; i < samples[s]->n; i++) {
                sum += samples[s]->pair[i] == pair ? samples[s]->y[i] : 0.0;
                rows += samples[s]->pair[i] == pair;
            }
            if (rows > 0.0) {
                size_t x = p->context[pair], tag = tags > 1 ? p->tag[x] : 0;
                e[n++] = (struct entry){p->agent[pair], x, (p->agent[pair] * tags + tag) * 2 + s,
                                        sum / rows, 0.0};
            }
        }
    }
    return n;
}

/* Less the mean of their group: what is left, or z. */
static void centre(struct entry *e, size_t n, int z)
{
    double *mean = calloc(n, sizeof *mean);
    for (size_t i = 0; i < n; i++) {
        double sum = 0.0, count = 0.0;
        for (size_t j = 0; j < n; j++) {
            sum += e[j].group == e[i].group ? (z ? e[j].z : e[j].left) : 0.0;
            count += e[j].group == e[i].group;
        }
        mean[i] = sum / count;
    }
    for (size_t i = 0; i < n; i++) {
        *(z ? &e[i].z : &e[i].left) -= mean[i];
    }
    free(mean);
}

static void put_word(struct entry *e, size_t n, const struct regret_csr *words, size_t word)
{
    for (size_t i = 0; i < n; i++) {
        e[i].z = holds(words, word, e[i].context);
    }
    centre(e, n, 1);
}

static double slope(const struct entry *e, size_t n, size_t agent, double *square)
{
    double sum = 0.0;
    *square = 0.0;
    for (size_t i = 0; i < n; i++) {
        sum += e[i].agent == agent ? e[i].z * e[i].left : 0.0;
        *square += e[i].agent == agent ? e[i].z * e[i].z : 0.0;
    }
    return *square > 1e-9 ? sum / *square : 0.0;
}

static double chi_square_of(const struct entry *e, size_t n, size_t agents, double variance)
{
    double square, top = 0.0, bottom = 0.0, chi = 0.0;
    for (size_t a = 0; a < agents; a++) {
        double b = slope(e, n, a, &square);
        top += b * square;
        bottom += square;
    }
    for (size_t a = 0; a < agents; a++) {
        double b = slope(e, n, a, &square);
        chi += square * (b - top / bottom) * (b - top / bottom) / variance;
    }
    return chi;
}

/* Every agent has a slope in these worlds: degrees of freedom are one and the same, and χ² ranks. */
static size_t pick_reference(uint32_t *picked, const struct regret_problem *p, size_t most)
{
    struct entry *e = calloc(2 * p->pairs, sizeof *e);
    size_t n = entries_of(e, p), n_picked = 0, groups = 0;
    centre(e, n, 0);
    for (size_t g = 0; g < 2 * p->n_agents * (p->n_tags + 1); g++) {
        int used = 0;
        for (size_t i = 0; i < n; i++) {
            used |= e[i].group == g;
        }
        groups += (size_t)used;
    }
    while (n_picked < most) {
        double variance = 0.0, best = -1.0, square;
        size_t word = 0;
        for (size_t i = 0; i < n; i++) {
            variance += e[i].left * e[i].left / (double)(n - groups);
        }
        for (size_t j = 0; j < p->common_words->rows; j++) {
            put_word(e, n, p->common_words, j);
            double chi = chi_square_of(e, n, p->n_agents, variance);
            if (chi > best) {
                best = chi;
                word = j;
            }
        }
        double tail = 1.0 - chi_square_cdf(best, (double)p->n_agents - 1.0);
        if (tail * (double)p->common_words->rows >= 0.01) {
            break;
        }
        put_word(e, n, p->common_words, word);
        for (size_t a = 0; a < p->n_agents; a++) {
            double b = slope(e, n, a, &square);
            for (size_t i = 0; i < n; i++) {
                e[i].left -= e[i].agent == a ? b * e[i].z : 0.0;
            }
        }
        picked[n_picked++] = (uint32_t)word;
    }
    free(e);
    return n_picked;
}

Test(picked, is_what_least_squares_of_all_entries_say)
{
    size_t found = 0;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        struct practice_world *w = practice_draw(&SHAPE, seed, seed % 2 ? 3 : 0, 2);
        struct regret_estimate *e = practice_fit(w, "mixed");
        uint32_t reference[REGRET_MOST_PICKED];
        size_t n = pick_reference(reference, &w->world->problem, REGRET_MOST_PICKED);
        cr_assert_eq(e->n_picked, n, "seed %d: %zu, not %zu", (int)seed, e->n_picked, n);
        cr_expect_eq(memcmp(e->picked, reference, n * sizeof *reference), 0);
        found += n > 0 && e->picked[0] == PRACTICE_PLANTED;
        regret_estimate_free(e);
        practice_free(w);
    }
    cr_expect_eq(found, 6, "the planted word comes first");
}

/* Words that say nothing are picked in one of a hundred worlds. */
Test(picked, nothing_is_picked_where_nothing_is_planted)
{
    size_t found = 0;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        struct practice_world *w = practice_draw(&SHAPE, seed, 0, 1);
        struct regret_rows *rows[] = {&w->world->obs, &w->world->exp};
        for (size_t s = 0; s < 2; s++) { /* outcomes without their contexts */
            for (size_t i = 0; i < rows[s]->n; i++) {
                struct regret_rng r = regret_rng_at(seed, REGRET_RNG_TEST, 1000 * s + i);
                rows[s]->y[i] =
                    0.1 * (double)w->world->agent[rows[s]->pair[i]] + 0.2 * regret_rng_uniform(&r);
            }
        }
        struct regret_estimate *e = practice_fit(w, "mixed");
        found += e->n_picked > 0;
        regret_estimate_free(e);
        practice_free(w);
    }
    cr_expect_leq(found, 3, "%zu of 60", found);
}

/* Few texts have no word in common, and of none there is nothing to pick. */
Test(picked, without_words_there_is_none)
{
    struct practice_world *w = practice_draw(&SHAPE, 3, 0, 2);
    const char *none[] = {"", ""};
    struct regret_csr *words = NULL;
    cr_assert_eq(regret_common_words(&words, NULL, none, 2), 0);
    w->world->problem.common_words = words;
    struct regret_estimate *e = practice_fit(w, "mixed");
    cr_expect_eq(e->n_picked, 0);
    regret_estimate_free(e);
    regret_csr_free(words);
    practice_free(w);
}

Test(picked, common_words_are_those_that_tell_texts_apart)
{
    const char *texts[20];
    struct regret_csr *words = NULL;
    char **names = NULL;
    for (size_t i = 0; i < 20;
         i++) { /* "every" in all, "python" in 8, "rare" in 4, "nearly" in 16 */
        texts[i] = i < 4    ? "every python rare python nearly"
                   : i < 8  ? "Every Python, the nearly"
                   : i < 16 ? "every nearly"
                            : "every";
    }
    cr_assert_eq(regret_common_words(&words, &names, texts, 20), 0);
    cr_expect_str_eq(names[0], "python");
    regret_free(names[0]);
    regret_free(names);
    cr_assert_eq(words->rows, 1, "%zu", words->rows);
    cr_assert_eq(words->cols, 20);
    cr_assert_eq(regret_csr_entries(words), 8);
    for (size_t i = 0; i < 8; i++) {
        cr_expect_eq(words->column[i], i);
        cr_expect_eq(words->value[i], 1.0);
    }
    regret_csr_free(words);
    const char *none[] = {"", ""};
    cr_assert_eq(regret_common_words(&words, NULL, none, 2), 0);
    cr_expect_eq(words->rows, 0);
    regret_csr_free(words);
}
