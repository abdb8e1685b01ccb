/* Winners that were planted are found, and nothing is found where nothing was; intervals hold what they say. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "model/planted.h"

enum { TRAIN = 300, NEW = 400, AGENTS = 6 };

#if defined(REGRET_FEW_REPLICATES)
enum { TABLES = 10 };
#else
enum { TABLES = 100 };
#endif

static void answer_new(struct regret_answer *answers, const struct regret_model *m,
                       const struct planted *p)
{
    struct regret_request requests[NEW];
    for (size_t i = 0; i < NEW; i++) {
        requests[i] = (struct regret_request){.text = p->text[TRAIN + i],
                                              .tag = p->tag[TRAIN + i],
                                              .columns = p->covariate[TRAIN + i]};
    }
    cr_assert_eq(regret_model_answer(answers, m, requests, NEW), 0);
}

/* The share of new requests that get the planted agent. */
static double hits(enum planted_kind kind, enum regret_model_rule rule, uint64_t seed)
{
    struct planted p;
    struct regret_answer answers[NEW];
    size_t right = 0;
    planted_make(&p, kind, TRAIN + NEW, AGENTS, 0.0, seed);
    struct regret_model *m = planted_fit(&p, TRAIN, 1);
    cr_expect_eq(regret_model_facts(m).contrasts, rule, "seed %d", (int)seed);
    answer_new(answers, m, &p);
    for (size_t i = 0; i < NEW; i++) {
        right += answers[i].agent == p.best[TRAIN + i];
    }
    regret_model_free(m);
    planted_free(&p);
    return (double)right / NEW;
}

Test(model_planted, winners_by_tag_are_named)
{
    for (uint64_t seed = 0; seed < 5; seed++) {
        double share = hits(PLANTED_TAG, REGRET_MODEL_TAG, seed);
        cr_expect_geq(share, 0.95, "seed %d: %.3f", (int)seed, share);
    }
}

/* Of a number that is blank in every tenth context, where nobody can tell. */
Test(model_planted, winners_by_a_column_are_named)
{
    for (uint64_t seed = 0; seed < 5; seed++) {
        double share = hits(PLANTED_COLUMN, REGRET_MODEL_COLUMNS, seed);
        cr_expect_geq(share, 0.9, "seed %d: %.3f", (int)seed, share);
    }
}

Test(model_planted, winners_by_wording_are_named)
{
    for (uint64_t seed = 0; seed < 5; seed++) {
        double share = hits(PLANTED_WORD, REGRET_MODEL_WORDS, seed);
        cr_expect_geq(share, 0.95, "seed %d: %.3f", (int)seed, share);
    }
}

Test(model_planted, one_winner_is_one)
{
    cr_expect_eq(hits(PLANTED_ONE, REGRET_MODEL_SINGLE, 1), 1.0);
}

/* With nothing planted, all requests go to one agent and no margin is claimed in 95 of 100 tables at least. */
Test(model_planted, nothing_planted_is_nothing_found)
{
    size_t single = 0;
    for (uint64_t seed = 0; seed < TABLES; seed++) {
        struct planted p;
        planted_make(&p, PLANTED_NONE, 100, 4, 0.0, 1000 + seed);
        struct regret_model *m = planted_fit(&p, 100, 1);
        single += regret_model_facts(m).contrasts == REGRET_MODEL_SINGLE;
        regret_model_free(m);
        planted_free(&p);
    }
    cr_expect_geq(single * 100, (size_t)TABLES * 95, "%zu of %d", single, (int)TABLES);
}

#ifndef REGRET_FEW_REPLICATES /* statistics */
/* Intervals of the recommended agent's value on new requests, over tables. */
static void check_coverage(enum planted_kind kind, size_t tables)
{
    size_t held = 0, n = 0;
    for (uint64_t seed = 0; seed < tables; seed++) {
        struct planted p;
        struct regret_answer answers[NEW];
        planted_make(&p, kind, TRAIN + NEW, AGENTS, 0.0, 50 + seed);
        struct regret_model *m = planted_fit(&p, TRAIN, 1);
        answer_new(answers, m, &p);
        for (size_t i = 0; i < NEW; i++) {
            double mu = p.target[(TRAIN + i) * AGENTS + answers[i].agent];
            held += answers[i].low <= mu && mu <= answers[i].high;
            n++;
        }
        regret_model_free(m);
        planted_free(&p);
    }
    double share = (double)held / (double)n;
    cr_expect(share >= 0.93 && share <= 0.97, "kind %d: %.4f", (int)kind, share);
}

Test(model_planted, intervals_hold_what_they_say)
{
    check_coverage(PLANTED_TAG, 8);
    check_coverage(PLANTED_WORD, 8);
    check_coverage(PLANTED_NONE, 8);
}
#endif
