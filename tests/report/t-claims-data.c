/* Claims as data: a claim of one's own with a planted truth. What makes no sense is tests/style/check_paper_data.py's. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "made_run.h"
#include "report/claims/answers.h"

#define HEADER                                                                                     \
    "id,idea,standing,views,subjects,others,measure,against,direction,over,cells,needs,"           \
    "paper,text\n"

static double
    planted; /* obs-only's regret less that of the others; odd and even seeds differ by .04 */

static void setup(void)
{
    made_begin();
    m.n_seeds = 10;
}

TestSuite(claim_data, .init = setup, .fini = made_end);

static double plant(const struct made_up *made, size_t family, size_t cell, size_t seed)
{
    int own = strcmp(made->families[family], "obs-only") == 0;
    int late = made_cell(made, cell).exp > 0;
    return 0.3 + (own ? (late ? 2.0 : 1.0) * (planted + (seed % 2 ? 0.02 : -0.02)) : 0.0);
}

/* The verdict on the one claim of the text in the made-up run. */
static enum verdict ask(const char *text)
{
    struct claims claims = {0};
    struct claim_answers answers = {.claims = &claims};
    struct regret_results *r = NULL;
    struct table_data d = {0};
    made_up_write(&m, folder);
    cr_assert_eq(regret_results_read(&r, folder), 0);
    cr_assert_eq(table_data_make(&d, r, 0), 0);
    cr_assert_eq(claims_parse(&claims, text, "own.csv"), 0, "%s", regret_error_message());
    cr_assert_eq(answers_ask(&answers, &d, &d.groups.items[0], ""), 0);
    cr_assert_eq(answers.n, 1);
    enum verdict verdict = claim_verdict(&answers.items[0].result, NULL);
    answers_free(&answers);
    claims_free(&claims);
    table_data_free(&d);
    regret_results_free(r);
    return verdict;
}

Test(claim_data, a_claim_of_one_s_own_is_a_line)
{
    static const struct {
        const char *line;
        int sign; /* of the truth that makes it hold */
    } claims[] = {
        {"a,own (not counted),ours,main,obs-only,exp-only,regret,each,below,,,,,a\n", -1},
        {"a,own (not counted),ours,main,obs-only,exp-only "
         "cvci,regret,best-other,above,,n_exp=last,,,a\n",
         1},
        {"a,own (not counted),ours,main,obs-only,,regret,,above,slope "
         "n_exp,reward.map=smooth,,,a\n",
         1},
        {"a,own (not counted),ours,main,obs-only,exp-only,regret,other,below,change n_exp,,,,a\n",
         -1},
        {"a,own (not counted),ours,main,obs-only,exp-only,regret,other,above,each beta,,,,a\n", 1},
        {"a,own (not counted),ours,main,obs-only,,wins,best-ranked,above,,,families,,a\n", -1},
    };
    m.regret = plant;
    for (size_t i = 0; i < sizeof claims / sizeof *claims; i++) {
        char text[512];
        snprintf(text, sizeof text, HEADER "%s", claims[i].line);
        planted = 0.05 * claims[i].sign;
        cr_expect_eq(ask(text), VERDICT_HOLDS, "%s", claims[i].line);
        planted = -planted;
        cr_expect_eq(ask(text), VERDICT_FAILS, "%s", claims[i].line);
        planted = 0.0;
        cr_expect_eq(ask(text), VERDICT_OPEN, "%s", claims[i].line);
    }
    m.families[1] = "another";
    cr_expect_eq(
        ask(HEADER "a,own (not counted),ours,main,obs-only,exp-only,regret,each,below,,,,,a\n"),
        VERDICT_NOT_APPLICABLE);
}
