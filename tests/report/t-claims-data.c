/* Claims as data: a claim of one's own with a planted truth, records that make no sense, and the committed files. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "made_run.h"
#include "report/claims/answers.h"

#define HEADER                                                                                     \
    "id,idea,standing,views,subjects,others,measure,against,direction,over,cells,needs,words,"     \
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
        {"a,own (not counted),ours,main,obs-only,exp-only,regret,each,below,,,,,,a\n", -1},
        {"a,own (not counted),ours,main,obs-only,exp-only "
         "cvci,regret,best-other,above,,n_exp=last,,,,a\n",
         1},
        {"a,own (not counted),ours,main,obs-only,,regret,,above,slope "
         "n_exp,reward.map=smooth,,,,a\n",
         1},
        {"a,own (not counted),ours,main,obs-only,exp-only,regret,other,below,change n_exp,,,,,a\n",
         -1},
        {"a,own (not counted),ours,main,obs-only,exp-only,regret,other,above,each beta,,,,,a\n", 1},
        {"a,own (not counted),ours,main,obs-only,,wins,best-ranked,above,,,families,,,a\n", -1},
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
        ask(HEADER "a,own (not counted),ours,main,obs-only,exp-only,regret,each,below,,,,,,a\n"),
        VERDICT_NOT_APPLICABLE);
}

/* What is wrong is said with its file and line, and what there is instead. */
Test(claim_data, records_that_make_no_sense)
{
    static const struct {
        const char *line, *says;
    } wrong[] = {
        {"a,own,mine,main,cvci,,regret,each,below,,,,,,a", "standing \"mine\""},
        {"a,own,ours,main,cvci,,regret,each,below,,,,,,a", "ends in \"(not counted)\""},
        {"a,own (not counted),ours,mian,cvci,,regret,each,below,,,,,,a", "view \"mian\""},
        {"a,own (not counted),ours,,cvci,,regret,each,below,,,,,,a", "names a view"},
        {"a,own (not counted),ours,main,cvcii,,regret,each,below,,,,,,a",
         "no family is called \"cvcii\""},
        {"a,own (not counted),ours,main,cvci,fit:proxy,regret,each,below,,,,,,a",
         "of another kind"},
        {"a,own (not counted),ours,main,,,regret,each,below,,,,,,a", "subjects: it names none"},
        {"a,own (not counted),ours,main,cvci,,regrett,each,below,,,,,,a", "measure \"regrett\""},
        {"a,own (not counted),ours,main,cvci,,,each,below,,,,,,a", "names a measure"},
        {"a,own (not counted),ours,main,cvci,,regret rank,each,below,,,,,,a",
         "two of them are of rows"},
        {"a,own (not counted),ours,main,cvci,,regret,everyone,below,,,,,,a",
         "against \"everyone\""},
        {"a,own (not counted),ours,main,cvci,,regret,other,below,,,,,,a", "names none"},
        {"a,own (not counted),ours,main,cvci,,regret,half,below,,,,,,a", "against half"},
        {"a,own (not counted),ours,main,cvci,obs-only,rank,other,below,,,,,,a",
         "ranks and excesses"},
        {"a,own (not counted),ours,main,cvci,,wins,dm,below,,,,,,a", "wins of one subject"},
        {"a,own (not counted),ours,main,grounded-linear,,rank,each,below,,,,,,a",
         "families that the paper ranks"},
        {"a,own (not counted),ours,main,cvci,grounded-linear,wins,each,below,,,,,,a",
         "families that the paper ranks"},
        {"a,own (not counted),ours,main,cvci,,costliest-tenth,each,below,,,,,,a",
         "taken against half"},
        {"a,own (not counted),ours,main,cvci,,dm_bias2,each,below,,,,,,a", "dm_bias2 and dr_bias2"},
        {"a,own (not counted),ours,main,by-cell,,regret,each,below,,,,,,a", "best-ranked"},
        {"a,own (not counted),ours,main,cvci,,regret,each,under,,,,,,a", "direction \"under\""},
        {"a,own (not counted),ours,main,cvci,,regret,each,near,,,,,,a", "near is said of"},
        {"a,own (not counted),ours,main,cvci,,regret,,below,along n_exp,,,,,a", "over \"along\""},
        {"a,own (not counted),ours,main,cvci,,regret,,below,slope,,,,,a", "goes along 1 to 1 keys"},
        {"a,own (not counted),ours,main,cvci,,regret,,below,slope n_expp,,,,,a",
         "\"n_expp\" is no key"},
        {"a,own (not counted),ours,main,cvci,,regret,,below,rows,,,,,a", "most-wins"},
        {"a,own (not counted),ours,main,cvci obs-only,,regret,each,below,each,,,,,a",
         "is one subject"},
        {"a,own (not counted),ours,main,cvci,,regret,each,below,,n_exp>last,,,,a",
         "\"n_exp>last\" is none of"},
        {"a,own (not counted),ours,main,cvci,,regret,each,below,,n_ex=last,,,,a",
         "\"n_ex\" is no key"},
        {"a,own (not counted),ours,main,cvci,,regret,each,below,,,n_ex,,,a", "\"n_ex\" is no key"},
        {"a,own (not counted),ours,main,cvci,,regret,each,below",
         "9 fields where the header has 15"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct claims claims = {0};
        char text[512];
        snprintf(text, sizeof text,
                 HEADER "first,own (not counted),ours,main,cvci,,regret,each,below,,,,,,a\n%s\n",
                 wrong[i].line);
        cr_expect_eq(claims_parse(&claims, text, "own.csv"), REGRET_E_INPUT, "%s", wrong[i].line);
        cr_expect_eq(strncmp(regret_error_message(), "own.csv:3", 9), 0, "%s",
                     regret_error_message());
        cr_expect_not_null(strstr(regret_error_message(), wrong[i].says), "%s: %s", wrong[i].line,
                           regret_error_message());
        claims_free(&claims);
    }
}

Test(claim_data, heads_and_names_are_there_once)
{
    struct claims claims = {0};
    cr_expect_eq(claims_parse(&claims, "id,idea\na,b\n", "own.csv"), REGRET_E_INPUT);
    cr_expect_not_null(strstr(regret_error_message(), "own.csv:1: no column \"standing\""));
    cr_expect_eq(claims_parse(&claims,
                              HEADER
                              "a,own (not counted),ours,main,cvci,,regret,each,below,,,,,,a\n"
                              "a,own (not counted),ours,main,cvci,,regret,each,above,,,,,,a\n",
                              "own.csv"),
                 REGRET_E_INPUT);
    cr_expect_not_null(strstr(regret_error_message(), "own.csv:3: the claim \"a\" is there twice"));
}

/* Any one field of the committed records replaced by a word that means nothing is refused, but for free text. */
Test(claim_data, every_field_is_checked)
{
    static const char *const checked[] = {"standing", "views",     "subjects", "others", "measure",
                                          "against",  "direction", "over",     "cells",  "needs"};
    struct claims paper = {0}, claims = {0};
    struct sheet sheet = {0};
    cr_assert_eq(claims_read(&paper), 0);
    cr_assert_eq(sheet_of_paper(&sheet, "data/paper/claims.csv"), 0);
    cr_assert_eq(paper.n, sheet.n);
    for (size_t i = 0; i < sheet.n; i++) {
        for (size_t k = 0; k < sizeof checked / sizeof *checked; k++) {
            struct regret_buffer text = REGRET_BUFFER_INIT;
            size_t bad = sheet_column(&sheet, checked[k]);
            regret_buffer_append(&text, HEADER);
            for (size_t j = 0; j < sheet.n_columns; j++) {
                regret_buffer_printf(&text, "%s\"%s\"", j > 0 ? "," : "",
                                     j == bad ? "nothing-known"
                                     : strchr(sheet.records[i].field[j], '"') != NULL
                                         ? ""
                                         : sheet.records[i].field[j]);
            }
            regret_buffer_append(&text, "\n");
            cr_expect_eq(claims_parse(&claims, regret_buffer_get(&text), "own.csv"), REGRET_E_INPUT,
                         "%s %s", sheet.records[i].field[0], checked[k]);
            cr_expect_eq(strncmp(regret_error_message(), "own.csv:2", 9), 0, "%s",
                         regret_error_message());
            claims_free(&claims);
            regret_buffer_free(&text);
        }
    }
    sheet_free(&sheet);
    claims_free(&paper);
}

Test(claim_data, shapes_that_make_no_sense)
{
    static const struct {
        const char *line, *says;
    } wrong[] = {{"v,summary,families", "task \"summary\""},
                 {"v,world,familes", "\"familes\" says nothing of a run's shape"},
                 {"v,world,beta=many", "\"beta=many\" says nothing of a run's shape"},
                 {"v,world,betta>1", "\"betta\" is no key of a configuration"},
                 {"v,world,variant:ground", "no family is called \"ground\""},
                 {"v,world,values values values values values values values values values",
                  "more than 8 words"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[256];
        struct sheet sheet = {0};
        struct shape shape = {0};
        snprintf(text, sizeof text, "view,task,shape\nfirst,world,beta=6 families\n%s\n",
                 wrong[i].line);
        cr_assert_eq(sheet_parse(&sheet, text, "own.csv", SHEET_LONGEST), 0);
        cr_expect_eq(shape_read(&shape, &sheet, 0), 0);
        cr_expect_eq(shape_read(&shape, &sheet, 1), REGRET_E_INPUT, "%s", wrong[i].line);
        cr_expect_eq(strncmp(regret_error_message(), "own.csv:3", 9), 0, "%s",
                     regret_error_message());
        cr_expect_not_null(strstr(regret_error_message(), wrong[i].says), "%s",
                           regret_error_message());
        sheet_free(&sheet);
    }
}
