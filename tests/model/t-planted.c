/* Winners that were planted are found, and nothing is found where nothing was; intervals hold what they say. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/scratch.h"
#include "model/planted.h"
#include "regret/buffer.h"
#include "regret/status.h"

enum { TRAIN = 300, NEW = 400, AGENTS = 6 };

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
static double hits(enum planted_kind kind, enum rule rule, uint64_t seed)
{
    struct planted p;
    struct regret_answer answers[NEW];
    size_t right = 0;
    planted_make(&p, kind, TRAIN + NEW, AGENTS, 0.0, seed);
    struct regret_model *m = planted_fit(&p, TRAIN, rule);
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
        double share = hits(PLANTED_TAG, RULE_TAG, seed);
        cr_expect_geq(share, 0.95, "seed %d: %.3f", (int)seed, share);
    }
}

/* Of a number that is blank in every tenth context, where nobody can tell. */
Test(model_planted, winners_by_a_column_are_named)
{
    for (uint64_t seed = 0; seed < 5; seed++) {
        double share = hits(PLANTED_COLUMN, RULE_REQUEST, seed);
        cr_expect_geq(share, 0.9, "seed %d: %.3f", (int)seed, share);
    }
}

Test(model_planted, winners_by_wording_are_named)
{
    for (uint64_t seed = 0; seed < 5; seed++) {
        double share = hits(PLANTED_WORD, RULE_REQUEST, seed);
        cr_expect_geq(share, 0.95, "seed %d: %.3f", (int)seed, share);
    }
}

Test(model_planted, one_winner_is_one)
{
    cr_expect_eq(hits(PLANTED_ONE, RULE_ONE, 1), 1.0);
}

/* What is written reads back to the bit, and a model of another shape is refused with what is wrong. */
Test(model_planted, files)
{
    static const char *const broken[][2] = {{"\"single\": 0", "\"single\": 9"},
                                            {"\"format\": \"regret", "\"format\": \"egret"},
                                            {"\"surface\": [", "\"surface\": [0,"},
                                            {"\"weight\": [", "\"weight\": [1,"},
                                            {"\"answered\": [\"1", "\"answered\": [\"2"},
                                            {"\"rule\": \"by-", "\"rule\": \"on-"},
                                            {"\"error\": [", "\"error\": [null,"}};
    struct planted p;
    struct regret_answer answers[NEW], again[NEW];
    struct regret_model *back = NULL;
    char *text = NULL;
    scratch_enter();
    planted_make(&p, PLANTED_COLUMN, TRAIN + NEW, AGENTS, 0.1, 3);
    struct regret_model *m = planted_fit(&p, TRAIN, RULE_REQUEST);
    m->single = 0;
    cr_assert_eq(regret_model_write(m, "m.regret"), 0);
    cr_assert_eq(regret_model_read(&back, "m.regret"), 0, "%s", regret_error_message());
    answer_new(answers, m, &p);
    answer_new(again, back, &p);
    cr_expect_eq(memcmp(answers, again, sizeof answers), 0);
    cr_assert_eq(regret_file_read(&text, NULL, "m.regret", 1 << 24), 0);
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        struct regret_buffer other = REGRET_BUFFER_INIT;
        const char *at = strstr(text, broken[i][0]);
        cr_assert_not_null(at, "%s", broken[i][0]);
        regret_buffer_append_n(&other, text, (size_t)(at - text));
        regret_buffer_append(&other, broken[i][1]);
        regret_buffer_append(&other, at + strlen(broken[i][0]));
        scratch_put("broken.regret", regret_buffer_get(&other));
        struct regret_model *none = NULL;
        cr_expect_eq(regret_model_read(&none, "broken.regret"), REGRET_E_INPUT, "%s", broken[i][1]);
        cr_expect_not_null(strstr(regret_error_message(), "make it anew"), "%s",
                           regret_error_message());
        regret_buffer_free(&other);
    }
    regret_free(text);
    regret_model_free(back);
    regret_model_free(m);
    planted_free(&p);
    scratch_leave();
}

#ifndef REGRET_FEW_REPLICATES /* statistics */
/* Intervals of the recommended agent's value on new requests, over tables. */
static void check_coverage(enum planted_kind kind, enum rule rule, size_t tables)
{
    size_t held = 0, n = 0;
    for (uint64_t seed = 0; seed < tables; seed++) {
        struct planted p;
        struct regret_answer answers[NEW];
        planted_make(&p, kind, TRAIN + NEW, AGENTS, 0.0, 50 + seed);
        struct regret_model *m = planted_fit(&p, TRAIN, rule);
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
    check_coverage(PLANTED_TAG, RULE_TAG, 8);
    check_coverage(PLANTED_WORD, RULE_REQUEST, 8);
    check_coverage(PLANTED_NONE, RULE_ONE, 8);
}
#endif
