#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "import/swebench/swebench.h"
#include "pool/sample.h"
#include "regret/buffer.h"
#include "regret/file.h"
#include "regret/import.h"
#include "regret/rng.h"

TestSuite(swebench, .fini = sample_cleanup);

#define DIFF(name) "--- a/" name ".py\n+++ b/" name ".py\n@@ -1 +1 @@\n-old\n+\"\"quoted\"\"\n"
#define HEADER "instance_id,agent,patch,resolved,tests_status,benchmark\r\n"

static const char ISSUES[] =
    "{\"instance_id\": \"p__p-2\", \"repo\": \"p/p\", \"problem_statement\": \"quoted old name\"}\n"
    "{\"instance_id\": \"p__p-1\", \"problem_statement\": \"another\\r\\nissue\", \"x\": null}\n"
    "{\"instance_id\": \"p__p-2\", \"problem_statement\": \"quoted old name\"}\n"
    "{\"instance_id\": \"unused\", \"problem_statement\": \"\"}\n";

static const char SMALL[] = HEADER "p__p-1,run_10,\"" DIFF(
    "one") "\",True,,lite\r\n"
           "p__p-1,run_2,,False,\"{'FAIL_TO_PASS': {'success': [], 'failure': ['t']}, "
           "'PASS_TO_PASS': {'success': ['a', \"\"b's\"\"], 'failure': []}}\",lite\r\n"
           "p__p-2,run_10,\"" DIFF(
               "name") "\",True,\"{\"\"FAIL_TO_PASS\"\": {\"\"success\"\": [], "
                       "\"\"failure\"\": [\"\"t\"\"]}, \"\"PASS_TO_PASS\"\": {}}\",lite\r\n"
                       "p__p-2,run_2,# No patch generated,False,,verified\r\n"
                       "p__p-9,run_2,x,True,,lite\r\n";

static int import(struct regret_swebench_report *report, const char *csv,
                  const struct regret_swebench_options *options)
{
    sample_write("issues.jsonl", ISSUES);
    sample_write("in.csv", csv);
    return regret_import_swebench(report, sample_path("in.csv"), sample_path("issues.jsonl"),
                                  sample_path("p"), options, 1);
}

static struct regret_pool *imported(struct regret_swebench_report *report, const char *csv,
                                    const struct regret_swebench_options *options)
{
    struct regret_pool *pool = NULL;
    cr_assert_eq(import(report, csv, options), 0, "%s", regret_error_message());
    cr_assert_eq(regret_pool_read(&pool, sample_path("p")), 0, "%s", regret_error_message());
    return pool;
}

static void adds_up(const struct regret_swebench_report *r)
{
    cr_assert_eq(r->rows, r->bad + r->other_benchmark + r->other_agent + r->no_issue +
                              r->duplicates + r->thin + r->outputs);
}

Test(swebench, a_small_file)
{
    struct regret_swebench_report r;
    struct regret_pool *pool = imported(&r, SMALL, NULL);
    adds_up(&r);
    cr_assert(r.contexts == 2 && r.agents == 2 && r.runs == 2 && r.outputs == 4 && r.pairs == 4);
    cr_assert(r.rows == 5 && r.no_issue == 1 && r.empty == 1 && r.without_diff == 1 &&
              r.contradictions == 1 && r.shortened == 0);
    cr_assert(r.resolved_without_diff == 0 && r.resolved_without_diff_are[0] == '\0');
    cr_assert_str_eq(pool->contexts[0].id, "p__p-2"); /* the order of the issues file */
    cr_assert_str_eq(pool->contexts[1].text, "another\r\nissue");
    cr_assert_str_eq(pool->agents[0].id, "run_2"); /* natural order */
    cr_assert_eq(pool->agents[0].cost, 0.0);
    cr_assert_eq(pool->agents[1].cost, 2.0);
    const struct regret_output *o = &pool->outputs[1]; /* p__p-2 by run_10 */
    cr_assert_str_eq(o->text, "--- a/name.py\n+++ b/name.py\n@@ -1 +1 @@\n-old\n+\"quoted\"\n");
    cr_assert_eq(regret_pool_quality(pool, o, 0), 1.0); /* success */
    cr_assert_float_eq(regret_pool_quality(pool, o, 1), 1.0 - log(3.0) / log(501.0),
                       1e-14);                                       /* 2 lines */
    cr_assert_eq(regret_pool_quality(pool, o, 2), 1.0);              /* locality */
    cr_assert_float_eq(regret_pool_quality(pool, o, 3), 1.0, 1e-12); /* all is said */
    cr_assert_str_eq(pool->components[3].name, "focus");
    cr_assert_str_eq(pool->aux[0], "files");
    cr_assert_eq(o->values[4], 1.0);
    o = &pool->outputs[0]; /* no patch: nothing to praise */
    for (size_t k = 0; k < 4; k++) {
        cr_assert_eq(o->values[k], 0.0);
    }
    cr_assert_eq(pool->n_segments, 4);
    cr_assert_float_eq(pool->segments[1].weights[1], 0.45, 1e-15);
    regret_pool_free(pool);
}

Test(swebench, columns_in_any_order_and_only_those_needed)
{
    struct regret_swebench_report r;
    struct regret_pool *pool =
        imported(&r,
                 ",patch,resolved,extra,agent,instance_id\n0,,TRUE,?,a,p__p-1\n"
                 "1,,0.0,?,b,p__p-1\n",
                 NULL);
    cr_assert(r.outputs == 2 && pool->outputs[0].values[0] == 1.0 &&
              pool->outputs[1].values[0] == 0.0);
    regret_pool_free(pool);
}

Test(swebench, resolved_rows_without_a_diff_are_named)
{
    struct regret_swebench_report r;
    regret_pool_free(imported(&r,
                              HEADER "p__p-1,a,nan,True,,\np__p-2,a,,True,,\n"
                                     "p__p-1,b,# a comment,True,,\np__p-2,b,nan,False,,\n",
                              NULL));
    cr_assert(r.resolved_without_diff == 3 && r.without_diff == 3 && r.empty == 1);
    cr_assert_str_eq(r.resolved_without_diff_are, "p__p-1 of a, p__p-2 of a, p__p-1 of b");
    regret_pool_free(imported(&r,
                              HEADER "p__p-1,a,,1,,\np__p-2,a,,1,,\np__p-1,b,,1,,\n"
                                     "p__p-2,b,,1,,\np__p-1,c,,1,,\np__p-2,c,,1,,\n",
                              NULL));
    cr_assert_eq(r.resolved_without_diff, 6);
    cr_assert_str_eq(r.resolved_without_diff_are,
                     "p__p-1 of a, p__p-2 of a, p__p-1 of b, p__p-2 of b, …");
}

Test(swebench, filters_say_what_they_drop)
{
    static const char *const agents[] = {"nobody", "run_[1-9][0-9]"};
    struct regret_swebench_options o = REGRET_SWEBENCH_OPTIONS_INIT;
    struct regret_swebench_report r;
    o.benchmark = "lite";
    regret_pool_free(imported(&r, SMALL, &o));
    adds_up(&r);
    cr_assert(r.other_benchmark == 1 && r.outputs == 3 && r.pairs == 3);
    o.agents = agents;
    o.n_agents = 2;
    regret_pool_free(imported(&r, SMALL, &o));
    adds_up(&r);
    cr_assert(r.other_agent == 2 && r.outputs == 2 && r.agents == 1);
    o.benchmark = "full";
    cr_assert_eq(import(&r, SMALL, &o), REGRET_E_INPUT);
    cr_assert_not_null(
        strstr(regret_error_message(),
               "in.csv: no row is of benchmark \"full\"; there are: lite, verified"));
    o.benchmark = NULL;
    o.n_agents = 1;
    cr_assert_eq(import(&r, SMALL, &o), REGRET_E_INPUT);
    cr_assert_not_null(strstr(regret_error_message(),
                              "no run matches an agent pattern; there are: run_10, run_2"));
}

/* Agents a, b, c with 3, 2, 1 of three issues. */
Test(swebench, coverage_drops_agents_first_then_issues)
{
    static const char csv[] = HEADER "p__p-1,a,,True,,\nunused,a,,True,,\np__p-2,a,,True,,\n"
                                     "p__p-1,b,,True,,\np__p-2,b,,True,,\n"
                                     "p__p-2,c,,True,,\n";
    struct regret_swebench_options o = REGRET_SWEBENCH_OPTIONS_INIT;
    struct regret_swebench_report r;
    o.agent_coverage = 2.0 / 3.0;
    regret_pool_free(imported(&r, csv, &o));
    adds_up(&r);
    cr_assert(r.thin_agents == 1 && r.thin == 1 && r.agents == 2 && r.contexts == 3);
    o.issue_coverage = 1.0;
    regret_pool_free(imported(&r, csv, &o));
    adds_up(&r);
    cr_assert(r.thin_agents == 1 && r.thin_issues == 1 && r.thin == 2 && r.outputs == 4 &&
              r.contexts == 2);
    o.agent_coverage = 0.0;
    struct regret_pool *pool = imported(&r, csv, &o);
    cr_assert(r.thin_issues == 2 && r.contexts == 1 && r.agents == 3);
    cr_assert_str_eq(pool->contexts[0].id, "p__p-2");
    regret_pool_free(pool);
    o.agent_coverage = 1.5;
    cr_assert_eq(import(&r, csv, &o), REGRET_E_INPUT);
}

Test(swebench, duplicates_are_resolved_by_the_rule)
{
    static const char csv[] = HEADER "p__p-1,a,,False,,\np__p-1,b,x,True,,\np__p-1,a,first,True,,\n"
                                     "p__p-1,a,second,True,,\np__p-1,a,,True,,\n"
                                     "p__p-2,a,,False,,\np__p-2,a,,True,,\n";
    static const char *const texts[] = {"first", "second"};
    struct regret_swebench_options o = REGRET_SWEBENCH_OPTIONS_INIT;
    struct regret_swebench_report r;
    for (int rule = 0; rule < 2; rule++) {
        o.duplicates = (enum regret_duplicates)rule;
        struct regret_pool *pool = imported(&r, csv, &o);
        adds_up(&r);
        cr_assert(r.duplicates == 4 && r.outputs == 3);
        cr_assert_eq(pool->outputs[0].values[0], rule); /* p__p-2: none has a patch */
        cr_assert_str_eq(pool->outputs[1].text, texts[rule]);
        regret_pool_free(pool);
    }
    o.duplicates = REGRET_DUPLICATES_REFUSE;
    cr_assert_eq(import(&r, csv, &o), REGRET_E_INPUT);
    cr_assert_not_null(strstr(regret_error_message(), "agent \"a\" has a row for issue"));
}

Test(swebench, runs_become_draws_of_their_group)
{
    static const char csv[] = HEADER "p__p-1,sys_10,t,True,,\np__p-1,sys_9,n,True,,\n"
                                     "p__p-1,other,o,True,,\np__p-2,sys_10,only,True,,\n";
    static const char *const groups[] = {"sys=sys_*", "late=s*"};
    struct regret_swebench_options o = REGRET_SWEBENCH_OPTIONS_INIT;
    struct regret_swebench_report r;
    o.groups = groups;
    o.n_groups = 2;
    struct regret_pool *pool = imported(&r, csv, &o);
    cr_assert(r.agents == 2 && r.runs == 3 && r.outputs == 4 && r.pairs == 3);
    cr_assert_str_eq(pool->agents[1].id, "sys");
    cr_assert(pool->outputs[0].draw == 0 && pool->outputs[0].context == 0);
    cr_assert_str_eq(pool->outputs[0].text, "only");
    cr_assert_str_eq(pool->outputs[2].text, "n"); /* sys_9 before sys_10 */
    cr_assert(pool->outputs[3].draw == 1 && pool->outputs[3].agent == 1);
    regret_pool_free(pool);
    static const char *const wrong[] = {"no pattern"};
    o.groups = wrong;
    o.n_groups = 1;
    cr_assert_eq(import(&r, csv, &o), REGRET_E_INPUT);
    cr_assert_not_null(strstr(regret_error_message(), "write AGENT=PATTERN"));
    static const char *const misspelt[] = {"sys=sys_*", "rest=sis_*"};
    o.groups = misspelt;
    o.n_groups = 2;
    cr_assert_eq(import(&r, csv, &o), REGRET_E_INPUT);
    cr_assert_not_null(strstr(regret_error_message(),
                              "in.csv: group \"rest=sis_*\" matches no run; there are: "
                              "other, sys_9, sys_10"),
                       "%s", regret_error_message());
}

static char notes[4000];

static void take_note(void *context, const char *message)
{
    size_t n = strlen(notes);
    ++*(size_t *)context;
    snprintf(notes + n, sizeof notes - n, "%s\n", message);
}

/* Each is one row, or the beginning of one, with what is said of it. */
static const struct {
    const char *row, *message;
} BAD[] = {{"p__p-1,a,x\n", ":2: has 3 fields where the header has 6"},
           {"p__p-1,a,x,maybe,,\n", ":2: resolved is \"maybe\"; it must be True or False"},
           {"p__p-1,a,x,,,\n", ":2: resolved is empty and tests_status gives no verdict"},
           {"p__p-1,a,x,,{'a': ,\n", "byte 7: a value is missing"},
           {"p__p-1,a,x,NaN,{'a': [1},\n", ":2: tests_status is neither JSON nor a Python literal: "
                                           "byte 9: a comma or the closing bracket is missing"},
           {"p__p-1,a,x, ,maybe,\n", "byte 1: a value of JSON or Python is missing"},
           {"p__p-1,a b,x,True,,\n", ":2: the agent \"a b\" holds U+0020"},
           {",a,x,True,,\n", ":2: the instance_id"},
           {"p__p-1,a,x\"y,True,,\n", ":2: a quote inside an unquoted field"}};

Test(swebench, bad_rows_are_named_and_fatal_or_counted)
{
    struct regret_swebench_options skip = REGRET_SWEBENCH_OPTIONS_INIT;
    char csv[2000];
    size_t noted = 0;
    skip.skip_bad = 1;
    skip.note = take_note;
    skip.note_context = &noted;
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++) {
        struct regret_swebench_report r;
        snprintf(csv, sizeof csv, "%s%sp__p-2,a,\"\n\n\",True,,\n", HEADER, BAD[i].row);
        cr_assert_eq(import(&r, csv, NULL), REGRET_E_INPUT, "%s", BAD[i].row);
        cr_assert_not_null(strstr(regret_error_message(), BAD[i].message), "%s for %s",
                           regret_error_message(), BAD[i].row);
        cr_assert_not_null(strstr(regret_error_message(), "; --skip-bad leaves bad rows out"), "%s",
                           regret_error_message());
        notes[0] = '\0';
        struct regret_pool *pool = imported(&r, csv, &skip);
        adds_up(&r);
        cr_assert(r.bad == 1 && r.outputs == 1 && noted == i + 1);
        cr_assert_not_null(strstr(notes, BAD[i].message));
        regret_pool_free(pool);
    }
}

Test(swebench, files_that_cannot_be_used)
{
    static const struct {
        const char *csv, *message;
    } cases[] = {{"", "in.csv is empty"},
                 {"instance_id,agent,patch\n", "in.csv:1: there is no column \"resolved\""},
                 {"agent,agent,patch\n", "column \"agent\" is given twice"},
                 {HEADER, "in.csv: has a header and no rows; give the whole table"},
                 {HEADER "none,a,x,True,,\n", "no row's issue is in the issues file, among them "
                                              "\"none\"; give the issues of the same benchmark"},
                 {HEADER "p__p-1,a,\"x,True,,\n", "in.csv:2: a quote is opened and never closed"}};
    struct regret_swebench_report r;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cr_assert_eq(import(&r, cases[i].csv, NULL), REGRET_E_INPUT, "case %zu", i);
        cr_assert_not_null(strstr(regret_error_message(), cases[i].message), "%s",
                           regret_error_message());
        cr_assert_not(regret_file_exists(sample_path("p")));
    }
    struct regret_swebench_options o = REGRET_SWEBENCH_OPTIONS_INIT;
    o.skip_bad = 1;
    cr_assert_eq(import(&r, HEADER "p__p-1,a,x,?,,lite\np__p-2,a,x,?,,\n", &o), REGRET_E_INPUT);
    cr_assert_not_null(strstr(regret_error_message(), "in.csv: all 2 rows are bad"), "%s",
                       regret_error_message());
    o.benchmark = "lite";
    cr_assert_eq(import(&r, HEADER "p__p-1,a,x,True,,\n", &o), REGRET_E_INPUT);
    cr_assert_not_null(strstr(regret_error_message(), "leave --benchmark out"));
    o.benchmark = NULL;
    o.agent_coverage = 0.9;
    cr_assert_eq(import(&r, HEADER "p__p-1,a,x,True,,\np__p-2,b,x,True,,\n", &o), REGRET_E_INPUT);
    cr_assert_not_null(strstr(regret_error_message(), "2 below the least coverage; ask for less"));
}

/* A folder and a pipe in the place of the table. */
Test(swebench, the_table_must_be_a_regular_file)
{
    sample_write("issues.jsonl", ISSUES);
    cr_assert_eq(regret_import_swebench(NULL, sample_folder(), sample_path("issues.jsonl"),
                                        sample_path("p"), NULL, 1),
                 REGRET_E_INPUT);
    cr_assert_not_null(strstr(regret_error_message(), "is not a regular file, but a folder"));
    cr_assert_eq(mkfifo(sample_path("pipe"), 0600), 0);
    cr_assert_eq(regret_import_swebench(NULL, sample_path("pipe"), sample_path("issues.jsonl"),
                                        sample_path("p"), NULL, 1),
                 REGRET_E_INPUT);
    cr_assert_not_null(strstr(regret_error_message(), "is not a regular file, but a folder"));
}

#define ISSUE(id, text) "{\"instance_id\": \"" id "\", \"problem_statement\": " text "}"

Test(swebench, issues_in_every_form)
{
    static const char csv[] = HEADER "a,x,,True,,\nb,x,,False,,\n";
    static const struct {
        const char *issues;
        size_t contexts, without_text, in_conflict;
    } cases[] = {
        {"[" ISSUE("b", "\"B\"") "," ISSUE("a", "\"A\"") "]", 2, 0, 0},
        {"\xef\xbb\xbf \n[\n  {\n  \"instance_id\": \"b\",\n \"problem_statement\":\n "
         "\"B\"\n},\n" ISSUE("a", "\"A\"") "\n]\n",
         2, 0, 0},
        {"{\"data\": [" ISSUE("b", "\"B\"") ", " ISSUE("a", "\"A\"") "]}\n", 2, 0, 0},
        {"{\n\"0\": " ISSUE("b", "\"B\"") ",\n\"1\": " ISSUE("a", "\"A\"") "}\n", 2, 0, 0},
        {ISSUE("b", "\"B\"") "\r\n\n" ISSUE("a", "\"A\"") "\r\n", 2, 0, 0},
        /* copies that say the same, and one that does not */
        {ISSUE("b", "\"B\\nb\"") "\n" ISSUE("b", "\" B\\r\\nb\\r\\n\\n\"") "\n" ISSUE("a", "\"A\""),
         2, 0, 0},
        {ISSUE("b", "\"B\"") "\n" ISSUE("b", "\"B b\"") "\n" ISSUE("a", "\"A\""), 2, 0, 1},
        {ISSUE("b", "\"\"") "\n" ISSUE("b", "\"\\r \"") "\n" ISSUE("a", "\"A\""), 2, 0, 0},
        /* nothing to read */
        {ISSUE("b", "null") "\n" ISSUE("a", "\"A\"") "\n{\"instance_id\": \"c\"}\n", 1, 2, 0},
        {ISSUE("b", "NaN") "\n" ISSUE("a", "\"A\"") "\n", 1, 1, 0},
        /* in fields that nobody reads */
        {"{\"instance_id\": \"b\", \"test_patch\": \"\\u0000\", \"difficulty\": NaN, "
         "\"hints_text\": "
         "\"\\udc00 \\ud800\", \"x\": -Infinity, \"problem_statement\": \"B\"}\n" ISSUE("a",
                                                                                        "\"A\""),
         2, 0, 0}};
    struct regret_swebench_report r;
    sample_write("in.csv", csv);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct regret_pool *pool = NULL;
        sample_write("i.json", cases[i].issues);
        cr_assert_eq(regret_import_swebench(&r, sample_path("in.csv"), sample_path("i.json"),
                                            sample_path("p"), NULL, 1),
                     0, "case %zu: %s", i, regret_error_message());
        cr_expect(r.contexts == cases[i].contexts && r.no_issue == 2 - cases[i].contexts &&
                      r.issues_without_text == cases[i].without_text &&
                      r.issues_in_conflict == cases[i].in_conflict,
                  "case %zu", i);
        cr_assert_eq(regret_pool_read(&pool, sample_path("p")), 0);
        cr_expect(r.contexts == 1 || pool->contexts[0].text[0] != 'A', "case %zu", i);
        regret_pool_free(pool);
    }
}

Test(swebench, issues_that_cannot_be_read)
{
    static const struct {
        const char *issues, *message;
    } cases[] = {{"[]", "i.json has no issue with a problem_statement"},
                 {"\n", "i.json has no issue"},
                 {ISSUE("a", "null") "\n", "i.json has no issue"},
                 {"[" ISSUE("a", "\"A\"") ", 3]",
                  "i.json:1: record 1 (from 0): must be an object in braces"},
                 {"[" ISSUE("a", "\"A\"") ", {}]",
                  "i.json:1: record 1 (from 0): \"instance_id\" must be a string"},
                 {ISSUE("a", "\"A\"") "\n" ISSUE("a b", "\"A\"") "\n",
                  "i.json:2: the instance_id \"a b\" holds"},
                 {ISSUE("a", "\"A\"") "\n{\"instance_id\": 3}\n",
                  "i.json:2: \"instance_id\" must be a string, but is a number; put it in quotes"},
                 {ISSUE("a", "3") "\n", "i.json:1: \"problem_statement\" must be a string"},
                 {"{\"instance_id\": \"a\"\n" ISSUE("b", "\"B\"") "\n",
                  "i.json:1:19: malformed JSON: the line ends too early"},
                 {"instance_id,problem_statement\n", "i.json:1:1: this is not JSON; it begins "
                                                     "\"instance_id,problem_stat\""},
                 {"[" ISSUE("a", "\"A\"") "\n", "the text ends too early: a \"[\" is not closed"}};
    sample_write("in.csv", HEADER "a,x,,True,,\n");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sample_write("i.json", cases[i].issues);
        cr_assert_eq(regret_import_swebench(NULL, sample_path("in.csv"), sample_path("i.json"),
                                            sample_path("p"), NULL, 1),
                     REGRET_E_INPUT, "case %zu", i);
        cr_expect_not_null(strstr(regret_error_message(), cases[i].message), "\"%s\" lacks \"%s\"",
                           regret_error_message(), cases[i].message);
    }
}

Test(swebench, words_for_no_verdict)
{
    static const char *const WORDS[] = {"nan",  "NaN", "None", "null", "NULL",
                                        "<NA>", "na",  "",     "  "};
    char csv[1000];
    for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++) {
        struct regret_swebench_report r;
        snprintf(csv, sizeof csv,
                 "%sp__p-1,a,x,%s,\"{'FAIL_TO_PASS': {'success': ['t'], 'failure': []}, "
                 "'PASS_TO_PASS': {}}\",\n",
                 HEADER, WORDS[i]);
        struct regret_pool *pool = imported(&r, csv, NULL);
        cr_assert_eq(pool->outputs[0].values[0], 1.0, "%s", WORDS[i]);
        regret_pool_free(pool);
        snprintf(csv, sizeof csv, "%sp__p-1,a,x,%s,,\n", HEADER, WORDS[i]);
        cr_assert_eq(import(&r, csv, NULL), REGRET_E_INPUT);
    }
}

Test(swebench, a_tests_status_beside_a_verdict_need_not_be_readable)
{
    struct regret_swebench_report r;
    regret_pool_free(imported(&r,
                              HEADER "p__p-1,a,x,True,\"array([], dtype=object)\",\n"
                                     "p__p-2,a,x,False,{'a': ,\n",
                              NULL));
    adds_up(&r);
    cr_assert(r.unread_tests == 2 && r.contradictions == 0 && r.outputs == 2);
}

Test(swebench, bytes_of_patches_that_are_not_utf8_are_replaced)
{
    static const char csv[] = HEADER "p__p-1,a,caf\xe9 \xc3\xa9\0\xe2\x82,True,,\n"
                                     "p__p-2,a,fine \xef\xbf\xbd,True,,\n";
    struct regret_swebench_report r;
    struct regret_pool *pool = NULL;
    sample_write("issues.jsonl", ISSUES);
    cr_assert_eq(regret_file_write(sample_path("in.csv"), csv, sizeof csv - 1), 0);
    cr_assert_eq(regret_import_swebench(&r, sample_path("in.csv"), sample_path("issues.jsonl"),
                                        sample_path("p"), NULL, 1),
                 0, "%s", regret_error_message());
    adds_up(&r);
    cr_assert(r.repaired == 1 && r.outputs == 2);
    cr_assert_eq(regret_pool_read(&pool, sample_path("p")), 0, "%s", regret_error_message());
    cr_assert_str_eq(pool->outputs[1].text, "caf\xef\xbf\xbd \xc3\xa9\xef\xbf\xbd\xef\xbf\xbd"
                                            "\xef\xbf\xbd");
    regret_pool_free(pool);
}

Test(swebench, long_patches_are_cut_at_a_line_but_judged_whole)
{
    struct regret_swebench_options o = REGRET_SWEBENCH_OPTIONS_INIT;
    struct regret_swebench_report whole, cut;
    struct regret_pool *a = imported(&whole, SMALL, NULL);
    o.max_patch = 20;
    struct regret_pool *b = imported(&cut, SMALL, &o);
    cr_assert(whole.shortened == 0 && cut.shortened == 2);
    cr_assert_str_eq(b->outputs[1].text, "--- a/name.py\n");
    for (size_t i = 0; i < a->n_outputs; i++) {
        size_t values = a->n_components + a->n_aux;
        cr_assert_eq(memcmp(a->outputs[i].values, b->outputs[i].values, values * sizeof(double)),
                     0);
    }
    regret_pool_free(a);
    regret_pool_free(b);
}

Test(swebench, verdicts_of_json_and_of_python)
{
    static const struct {
        const char *text;
        int rc, verdict;
    } cases[] = {
        {"", 0, -1},
        {"  ", 0, -1},
        {"nan", 0, -1},
        {"None", 0, -1},
        {"-1.5e-3", 0, -1},
        {"{}", 0, -1},
        {"[1, 'a', (2,), {3}, b'x', u\"y\\\"\", {'k': None, 4: [],},]", 0, -1},
        {"{'FAIL_TO_PASS': {'success': ['a'], 'failure': []}, "
         "'PASS_TO_PASS': {'success': [], 'failure': []}, 'FAIL_TO_FAIL': {'failure': ['z']}}",
         0, 1},
        {"{\"x\": {\"PASS_TO_PASS\": {\"failure\": [\"q\"]}, \"FAIL_TO_PASS\": {\"success\": "
         "[\"a\"]}}}",
         0, 0},
        {"{'FAIL_TO_PASS': {'success': ['a'], 'failure': []}}", 0, -1},
        {"{'FAIL_TO_PASS': {}, 'PASS_TO_PASS': {}}", 0, -1},
        {"[1, 2", REGRET_E_INPUT, 0},
        {"[1 2]", REGRET_E_INPUT, 0},
        {"'open", REGRET_E_INPUT, 0},
        {"{'a': }", REGRET_E_INPUT, 0},
        {"[] []", REGRET_E_INPUT, 0},
        {"+", REGRET_E_INPUT, 0},
        {"__import__('os')", REGRET_E_INPUT, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int verdict = 7;
        size_t n = strlen(cases[i].text);
        char *exact = malloc(n + 1); /* no zero behind it */
        memcpy(exact, cases[i].text, n);
        exact[n] = '\'';
        cr_assert_eq(swebench_verdict(&verdict, exact, n), cases[i].rc, "%s", cases[i].text);
        cr_assert(cases[i].rc != 0 || verdict == cases[i].verdict, "%s", cases[i].text);
        free(exact);
    }
    char deep[200];
    int verdict = 0;
    memset(deep, '[', sizeof deep);
    cr_assert_eq(swebench_verdict(&verdict, deep, sizeof deep), REGRET_E_INPUT);
}

Test(swebench, fuzz_verdicts_of_any_bytes, .timeout = 120)
{
    static const char *const PARTS[] = {"'FAIL_TO_PASS'",
                                        "\"PASS_TO_PASS\"",
                                        "'success'",
                                        "'failure'",
                                        ": ",
                                        ", ",
                                        "{",
                                        "}",
                                        "[",
                                        "]",
                                        "(",
                                        ")",
                                        "'",
                                        "\\",
                                        "b'",
                                        "True",
                                        "1.5e-3",
                                        "-",
                                        "\n",
                                        "x"};
    struct regret_rng r = regret_rng_at(3, REGRET_RNG_TEST, 0);
    size_t accepted = 0;
    for (int round = 0; round < 30000; round++) {
        struct regret_buffer text = REGRET_BUFFER_INIT;
        int verdict = 0;
        for (uint32_t k = regret_rng_below(&r, round % 2 ? 4 : 16); k > 0; k--) {
            regret_buffer_append(&text, PARTS[regret_rng_below(&r, sizeof PARTS / sizeof *PARTS)]);
        }
        char *exact = malloc(text.length + 1);
        memcpy(exact, regret_buffer_get(&text), text.length);
        exact = realloc(exact, text.length > 0 ? text.length : 1);
        int rc = swebench_verdict(&verdict, exact, text.length);
        cr_assert(rc == REGRET_E_INPUT || (rc == REGRET_OK && verdict >= -1 && verdict <= 1));
        accepted += rc == REGRET_OK;
        free(exact);
        regret_buffer_free(&text);
    }
    cr_assert(accepted > 500 && accepted < 29500, "%zu", accepted);
}

static const char *shared_file(const char *name)
{
    static char path[2][1024];
    static int next;
    const char *folder = getenv("REGRET_SHARED_DATA");
    char *here = path[next++ % 2];
    snprintf(here, sizeof path[0], "%s/swebench/%s",
             folder != NULL ? folder : REGRET_SOURCE_FOLDER "/../shared/data", name);
    return here;
}

Test(swebench, the_real_sample_gives_its_grid, .timeout = 120)
{
    const char *csv = shared_file("all_patches.csv"),
               *issues = shared_file("swebench_issues.jsonl");
    struct regret_swebench_report r;
    struct regret_pool *pool = NULL;
    struct regret_grid *grid = NULL;
    if (!regret_file_exists(csv) || !regret_file_exists(issues)) {
        cr_skip_test("%s is missing", csv);
    }
    cr_assert_eq(regret_import_swebench(&r, csv, issues, sample_path("real"), NULL, 0), 0, "%s",
                 regret_error_message());
    adds_up(&r);
    cr_assert(r.rows == 2120 && r.outputs == 2120 && r.contexts == 679 && r.agents == 9);
    cr_assert(r.empty == 43 && r.without_diff == 34 && r.contradictions == 0 && r.bad == 0);
    cr_assert_eq(regret_pool_read(&pool, sample_path("real")), 0);
    cr_assert_eq(regret_grid_cut(&grid, pool, NULL), 0);
    cr_assert(grid->n_contexts == 287 && grid->n_agents == 5 && grid->n_draws == 1);
    size_t resolved = 0;
    for (size_t i = 0; i < pool->n_outputs; i++) {
        resolved += pool->outputs[i].values[0] == 1.0;
    }
    cr_assert_eq(resolved, 951);
    regret_grid_free(grid);
    regret_pool_free(pool);
}

/* The repository of an issue is its tag, by its own name. */
Test(swebench, repositories_are_tags)
{
    struct regret_swebench_report r;
    struct regret_pool *pool = imported(&r, SMALL, NULL);
    for (size_t x = 0; x < pool->n_contexts; x++) {
        const char *tag = pool->contexts[x].tag;
        if (strcmp(pool->contexts[x].id, "p__p-2") == 0) {
            cr_assert_str_eq(tag, "p/p");
        } else {
            cr_assert_null(tag);
        }
    }
    regret_pool_free(pool);
}
