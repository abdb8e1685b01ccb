/* Tables that are bad: what cannot be used is counted, what has no meaning is refused, and each says where and what to do. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/scratch.h"
#include "log/told.h"
#include "regret/alloc.h"
#include "regret/buffer.h"
#include "regret/log.h"

TestSuite(log_bad, .init = scratch_enter, .fini = scratch_leave);

#define OBS(more)                                                                                  \
    "{\"obs\": {\"file\": \"o.csv\", \"context\": \"q\", \"agent\": \"m\", \"outcome\": "          \
    "\"y\"" more "}"
#define EXP(more)                                                                                  \
    ", \"exp\": {\"file\": \"e.csv\", \"context\": \"q\", \"agent\": \"m\", \"outcome\": "         \
    "\"y\"" more "}"

static int read_log(struct regret_log **log, const char *config)
{
    scratch_put("evaluate.json", config);
    return regret_log_read(log, "evaluate.json");
}

/* n rows whose outcomes are by turns one and the other. */
static void put_turns(const char *file, size_t n, const char *one, const char *other)
{
    struct regret_buffer text = REGRET_BUFFER_INIT;
    regret_buffer_append(&text, "q,m,y\n");
    for (size_t i = 0; i < n; i++) {
        regret_buffer_printf(&text, "%c%zu,m%zu,%s\n", file[0], i, 1 + i / 2 % 2,
                             i % 2 ? other : one);
    }
    scratch_put(file, regret_buffer_get(&text));
    regret_buffer_free(&text);
}

/* The configuration with the tables that are there must be refused with these words. */
static void refused(const char *config, const char *words)
{
    struct regret_log *log = NULL;
    cr_expect_eq(read_log(&log, config), REGRET_E_INPUT, "%s", config);
    cr_expect(strstr(regret_error_message(), words) != NULL, "%s\nnot: %s", regret_error_message(),
              words);
    cr_expect_null(log);
}

/* Of OBS rows that are good, three, and this one in line 3, one is left out for that reason. */
static void loses(const char *more_columns, const char *good, const char *row, const char *config,
                  const char *words)
{
    struct regret_buffer text = REGRET_BUFFER_INIT;
    struct regret_log *log = NULL;
    regret_buffer_printf(&text, "q,m,y%s\na,m1,1%s\n%s\nb,m2,2%s\nc,m1,1%s\n", more_columns, good,
                         row, good, good);
    scratch_put("o.csv", regret_buffer_get(&text));
    cr_assert_eq(read_log(&log, config), 0, "%s: %s", row, regret_error_message());
    const struct regret_log_loss *loss = told_loss(log, words);
    cr_assert_not_null(loss, "%s: %s, not %s", row,
                       log->n_losses > 0 ? log->loss[0].reason : "none", words);
    cr_expect(log->n_losses == 1 && loss->n == 1 && loss->line == 3 &&
              loss->source == REGRET_LOG_OBS);
    cr_expect_eq(log->rows[REGRET_LOG_OBS].n, 3);
    cr_expect_eq(log->rows[REGRET_LOG_OBS].line[1], 4);
    regret_log_free(log);
    regret_buffer_free(&text);
}

Test(log_bad, rows_that_cannot_be_used)
{
    const char *plain = OBS("") "}", *scale = OBS("") ", \"outcome\": {\"low\": 1, \"high\": 2}}";
    loses("", "", ",m1,1", plain, "no context");
    loses("", "", "x,,1", plain, "no agent");
    loses("", "", "x, ,1", plain, "no agent");
    loses("", "", "x,m1,", plain, "no outcome");
    loses("", "", "x,m1,NA", plain, "no outcome");
    loses("", "", "x,m1,good one", plain, "an outcome that is no number (\"good one\")");
    loses("", "", "x,m1,inf", plain, "an outcome that is no number");
    loses("", "", "x,m1,3", scale, "an outcome outside of 1 to 2 (\"3\")");
    loses("", "", "x,m1,yes", scale, "an outcome that is a word on a scale of numbers (\"yes\")");
    loses("", "", "x,m1,1.5", OBS("") ", \"outcome\": {\"scale\": \"counts\"}}",
          "an outcome that is no count");
    loses("", "", "x,m1,-1", OBS("") ", \"outcome\": {\"scale\": \"counts\", \"high\": 9}}",
          "an outcome that is no count");
    loses("", "", "x,m1", plain, "a row that cannot be read: 2 fields where the header has 3");
    loses("", "", "x,m\xff,1", plain, "a row that cannot be read: column \"m\" is not UTF-8");
    loses("", "", "x,m1,0", OBS("") ", \"outcome\": {\"low\": 1}}", "beyond 1, the worst");
}

Test(log_bad, probabilities_and_slates)
{
    const char *chance = OBS(", \"propensity\": \"p\"") "}", *slate = OBS(", \"slate\": \"p\"") "}";
    loses(",p", ",0.5", "x,m1,1,0", chance, "a probability that is not above zero (\"0\")");
    loses(",p", ",0.5", "x,m1,1,-0.5", chance, "not above zero");
    loses(",p", ",0.5", "x,m1,1,5e-324", chance, "of 1e-100 at least"); /* one over it overflows */
    loses(",p", ",0.5", "x,m1,1,50", chance, "a probability above one (\"50\")");
    loses(",p", ",0.5", "x,m1,1,", chance, "no probability");
    loses(",p", ",0.5", "x,m1,1,half", chance, "a probability that is no number");
    loses(",p", ",m1|m2", "x,m3,1,m1|m2", slate, "an agent that was not on offer (\"m3\")");
    loses(",p", ",m1|m2", "x,m1,1,\"[\"\"m1\"\",\"", slate, "a slate that cannot be read");
    loses(",p", ",\"{\"\"m1\"\": 0.5, \"\"m2\"\": 0.5}\"",
          "x,m1,1,\"{\"\"m1\"\": 0.5, \"\"m2\"\": 0.9}\"", slate,
          "a slate whose probabilities do not sum to one");
    loses(",p", ",\"{\"\"m1\"\": 0.5, \"\"m2\"\": 0.5}\"",
          "x,m1,1,\"{\"\"m1\"\": 0, \"\"m2\"\": 1}\"", slate, "not above zero");
    scratch_put("o.csv", "q,m,y,p\nx,m1,1,m1|m2\nz,m2,0,\nw,m3,0,m1|m2|m3\nv,m1,0,NA\n");
    refused(slate, "o.csv:3: no slate, as in 2 of 4 rows");
}

Test(log_bad, probabilities_of_one_context)
{
    struct regret_log *log = NULL;
    const char *config = "{\"exp\": {\"file\": \"e.csv\", \"context\": \"q\", \"agent\": \"m\", "
                         "\"outcome\": \"y\", \"propensity\": \"p\"}}";
    scratch_put("e.csv", "q,m,y,p\na,m1,1,0.5\na,m2,0,0.5\nb,m1,0,0.7\nb,m2,0,0.7\nc,m1,1,0.7\n"
                         "d,m1,1,0.4\nd,m2,1,0.4\ne,m1,1,0.5\nf,m2,0,0.333\n");
    cr_assert_eq(read_log(&log, config), 0, "%s", regret_error_message());
    const struct regret_log_loss *loss = told_loss(log, "of one context that do not sum to one");
    cr_assert(loss != NULL && loss->n == 4 && loss->line == 4 && loss->source == REGRET_LOG_EXP);
    cr_assert_eq(log->rows[REGRET_LOG_EXP].n, 5);
    cr_assert_eq(log->n_evaluation, 4, "a context without a row left is none");
    for (size_t i = 0; i < log->rows[REGRET_LOG_EXP].n; i++) {
        cr_assert_not_null(log->context[log->rows[REGRET_LOG_EXP].context[i]]);
    }
    regret_log_free(log);
    /* two days of one pair: a lower probability on one of them makes the sum possible */
    scratch_put("e.csv", "q,m,y,p\na,m1,1,0.9\na,m2,0,0.9\na,m1,1,0.1\n");
    log = NULL;
    cr_assert_eq(read_log(&log, config), 0, "%s", regret_error_message());
    cr_assert_eq(log->rows[REGRET_LOG_EXP].n, 3);
    regret_log_free(log);
}

Test(log_bad, what_has_no_meaning)
{
    const char *both = OBS("") EXP("") "}";
    scratch_put("o.csv", "q,m,y\na,m1,1\nb,m2,0\n");
    scratch_put("e.csv", "q,m,y\na,m1,1\nb,m1,0\n");
    refused(both, "e.csv: the only agent is \"m1\" (column \"m\"): nothing was randomized");
    scratch_put("e.csv", "q,m,y\na,M1,1\nb,M2,0\n");
    refused(both, "no agent is in both tables: o.csv has m1, m2; e.csv has M1, M2");
    scratch_put("e.csv", "q,m,y\n");
    refused(both, "e.csv has no rows");
    scratch_put("e.csv", "");
    refused(both, "e.csv is empty");
    scratch_put("e.csv", "q,m,z\na,m1,1\n");
    refused(both, "e.csv:1: there is no column \"y\"");
    scratch_put("e.csv", "q,m,y\na,m1,great\nb,m2,poor\nc,m2,1\n");
    refused(both,
            "e.csv:2: an outcome that is no number (\"great\"); 2 of 3 rows of \"exp\" cannot "
            "be used, 2 of them for this");
    scratch_put("e.csv", "q,m,y\na,m1,1\nb,m2,0\n");
    scratch_put("o.csv", "q,m,y\na,m1,1\nb,m1,0\n");
    refused(OBS("") "}",
            "o.csv: the only agent is \"m1\" (column \"m\"): there is nothing to compare");
    scratch_put("o.csv", "q,m,y\na,m1,2\nb,m2,2\n");
    refused(OBS("") "}", "every outcome is 2: nothing can be compared");
    scratch_put("o.csv", "q,m,y\na,m1,1\nb,m2,0\n");
    refused(both, "evaluate.json: \"obs\" and \"exp\" are the same rows (o.csv, e.csv)");
    scratch_put("o.csv", "q,m,y\na,m1,1\nb,m2,0\n\"c,m2,0\nd,m1,1\n");
    refused(OBS("") "}", "o.csv:4: a quote is opened and never closed");
    scratch_put("o.csv", "q,m,y\na,m1,yes\nb,m2,7\n");
    refused(OBS("") "}", "outcomes are words at o.csv:2 and numbers other than 0 and 1 at o.csv:3");
}

Test(log_bad, outcomes_that_are_too_far_apart)
{
    scratch_put("o.csv", "q,m,y\na,m1,-1e308\nb,m2,1e308\n");
    refused(OBS("") "}", "too far apart");
    refused(OBS("") ", \"outcome\": {\"low\": -1e308, \"high\": 1e308}}", "too far apart");
}

/* A guessed range goes by no outcome far beyond all others; one that is given may hold it. */
Test(log_bad, an_outcome_far_beyond_all_others)
{
    static const char *const far[] = {"-99", "1e30"};
    struct regret_log *log = NULL;
    for (size_t k = 0; k < 2; k++) {
        struct regret_buffer text = REGRET_BUFFER_INIT;
        regret_buffer_append(&text, "q,m,y\n");
        for (size_t i = 0; i < 60; i++) {
            regret_buffer_printf(&text, "q%zu,m%zu,%s%zu\n", i, i % 2, i == 30 ? far[k] : "0.",
                                 i == 30 ? 0 : i % 7);
        }
        scratch_put("o.csv", regret_buffer_get(&text));
        refused(OBS("") "}", "o.csv:32: the outcome is ");
        refused(OBS("") ", \"outcome\": {\"high\": 1e301}}",
                "where all but 1 of 60 go from 0 to 0.6: correct it, or leave it blank; if it is "
                "right, say");
        cr_assert_eq(read_log(&log, OBS("") ", \"outcome\": {\"low\": -9990, \"high\": 1e301}}"), 0,
                     "%s", regret_error_message());
        cr_expect_eq(log->rows[REGRET_LOG_OBS].n, 60);
        regret_log_free(log);
        regret_buffer_free(&text);
    }
}

/* 210 rows, of which every seventh has another outcome; the others are by turns of these. */
static void put_codes(const char *code, const char *const *others, size_t n_others)
{
    struct regret_buffer text = REGRET_BUFFER_INIT;
    regret_buffer_append(&text, "q,m,y\n");
    for (size_t i = 0; i < 210; i++) {
        regret_buffer_printf(&text, "q%zu,m%zu,%s\n", i, i % 2,
                             i % 7 == 3 ? code : others[i % n_others]);
    }
    scratch_put("o.csv", regret_buffer_get(&text));
    regret_buffer_free(&text);
}

/* -1 or 99, by which people say that nobody has answered, is no outcome where others are plainly of another kind; where it may be
 * one it is named. */
Test(log_bad, codes_for_no_outcome)
{
    static const char *const shares[] = {"0.1", "0", "0.35", "0.7", "1"},
                             *const stars[] = {"1", "2", "3", "4", "5"},
                             *const votes[] = {"0", "1"};
    struct regret_log *log = NULL;
    put_codes("-1", shares, 5);
    refused(OBS("") "}", "o.csv:5: the outcome is -1, where all but 30 of 210 go from 0 to 1: ");
    put_codes("-1", stars, 5);
    refused(OBS("") "}", "is -1, where all but 30 of 210 go from 1 to 5");
    put_codes("99", stars, 5);
    refused(OBS("") "}", "is 99, where all but 30 of 210 go from 1 to 5");
    cr_assert_eq(read_log(&log, OBS("") ", \"outcome\": {\"low\": 1, \"high\": 5}}"), 0);
    cr_expect_eq(log->rows[REGRET_LOG_OBS].n, 180);
    regret_log_free(log);
    put_codes("-1", votes, 2);
    cr_assert_eq(read_log(&log, OBS("") "}"), 0, "%s", regret_error_message());
    cr_expect(log->low == -1.0 && log->rows[REGRET_LOG_OBS].n == 210);
    cr_expect(told_note(log, "30 outcomes are -1, which is taken as worse than 0: where it says "
                             "that there is none, leave it blank"));
    regret_log_free(log);
}

/* Rows of their own requests: y, a covariate that is made of it as `how` says, one that is not, and a tag. */
static void put_made(const char *how)
{
    struct regret_buffer text = REGRET_BUFFER_INIT;
    regret_buffer_append(&text, "q,m,y,made,own,kind\n");
    for (size_t i = 0; i < 120; i++) {
        size_t u = i * 7919 % 113, y = strcmp(how, "copy") == 0 || how[0] == 'w' ? u % 2 : u;
        regret_buffer_printf(&text, "q%zu,m%zu,%zu,", i, i * 31 % 17 % 2, y);
        if (how[0] == 'w') {
            regret_buffer_append(&text, y > 0 ? "glad" : "sad");
        } else {
            regret_buffer_printf(&text, "%.6g",
                                 strcmp(how, "percent") == 0 ? (double)(y / 2)
                                 : strcmp(how, "less") == 0  ? 1.0 - (double)y
                                                             : (double)y);
        }
        regret_buffer_printf(&text, ",%zu,%s\n", i * 131 % 89, how[1] == 'T' && y > 0 ? "t" : "s");
    }
    scratch_put("o.csv", regret_buffer_get(&text));
    regret_buffer_free(&text);
}

/* A covariate or a tag that the outcome decides is named and left out; what only goes with it stays. */
Test(log_bad, what_follows_from_the_outcome_is_no_covariate)
{
    static const char *const how[] = {"copy", "less", "percent", "words", "wT"};
    for (size_t i = 0; i < sizeof how / sizeof *how; i++) {
        struct regret_log *log = NULL;
        put_made(how[i]);
        cr_assert_eq(read_log(&log, OBS(", \"covariates\": [\"made\", \"own\"], \"tag\": "
                                        "\"kind\"") "}"),
                     0, "%s", regret_error_message());
        cr_assert(log->n_columns == 1 && strcmp(log->column[0].name, "own") == 0, "%s", how[i]);
        cr_expect(told_note(log, "covariate \"made\" follows from the outcome"), "%s", how[i]);
        cr_expect_eq(log->tag == NULL, how[i][1] == 'T', "%s", how[i]);
        regret_log_free(log);
    }
}

/* Every allocation of a reading that has all there is to have fails once: that is said, and nothing is lost. */
Test(log_bad, memory_that_cannot_be_had)
{
    long n = 0;
    int rc = REGRET_E_NOMEM;
    scratch_put("o.csv", "q,text,m,y,p,u,t,k,n,w,out,c\nx,sing,a,1,0.5,v,2026-03-01,s,1,z,la,2\n"
                         "z,sum,b,3,0.5,,1,,2,,2,\nz,sum,,3,0.5,,1,,2,,2,\n");
    scratch_put("e.jsonl",
                "{\"q\": \"x\", \"m\": \"a\", \"y\": 1, \"s\": {\"a\": 0.5, \"b\": 0.5}}\n"
                "{\"q\": \"n\", \"m\": \"b\", \"y\": 2, \"s\": {\"a\": 0.5, \"b\": 0.5}}\n");
    scratch_put("r.csv", "q,m,out\nx,a,la\nnew,b,2\n");
    scratch_put(
        "evaluate.json",
        "{\"obs\": {\"file\": \"o.csv\", \"context\": \"q\", \"text\": \"text\", \"agent\": \"m\", "
        "\"outcome\": \"y\", \"propensity\": \"p\", \"cluster\": \"u\", \"time\": \"t\", \"tag\": "
        "\"k\", \"covariates\": [\"n\", \"w\"], \"output\": \"out\", \"cost\": \"c\"}, \"exp\": "
        "{\"file\": \"e.jsonl\", \"context\": \"q\", \"agent\": \"m\", \"outcome\": \"y\", "
        "\"slate\": \"s\"}, \"outputs\": {\"file\": \"r.csv\", \"context\": \"q\", \"agent\": "
        "\"m\", \"output\": \"out\"}, \"obs.rows\": 1, \"incumbent\": \"a\"}");
    for (; rc != REGRET_OK && n < 10000; n++) {
        struct regret_log *log = NULL;
        regret_alloc_fail_after(n);
        rc = regret_log_read(&log, "evaluate.json");
        regret_alloc_fail_after(-1);
        cr_assert(rc == REGRET_OK ? log != NULL : rc == REGRET_E_NOMEM && log == NULL, "%ld: %s", n,
                  regret_error_message());
        regret_log_free(log);
    }
    cr_assert(rc == REGRET_OK && n > 100, "%ld", n);
}

Test(log_bad, configurations)
{
    scratch_put("o.csv", "q,m,y\na,m1,1\nb,m2,0\n");
    refused("[]", "evaluate.json: must be an object");
    refused("{\"obs\": 1}", "(in \"obs\")");
    refused("{}", "neither \"obs\" nor \"exp\" is given");
    refused("{\"pool\": \"p\", \"cells\": []}", "is a key of `regret run`");
    refused(OBS("") ", \"obs.row\": 5}", "there is no key \"obs.row\"; did you mean \"obs.rows\"?");
    refused(OBS("") ", \"feature.agent\": 5}", "did you mean \"features.");
    refused(OBS("") ", \"obs.rows\": 0}", "\"obs.rows\"");
    refused(OBS(", \"outcom\": \"y\"") "}", "did you mean \"outcome\"? (in \"obs\")");
    refused(OBS("") ", \"incumbent\": \"m3\"}",
            "the incumbent \"m3\" has no row; did you mean \"m1\"?");
    refused(OBS("") ", \"outcome\": {\"low\": 1, \"high\": 1}}", "must differ (in \"outcome\")");
    refused(OBS("") ", \"outcome\": {\"scale\": \"bin\"}}", "unknown \"scale\" \"bin\"");
    refused(OBS("") ", \"outcome\": {\"scale\": \"binary\", \"low\": 0}}", "leave out");
    refused(OBS(", \"covariates\": \"x\"") "}", "must be a list of columns");
    refused(OBS(", \"covariates\": [\"x\", \"x\"]") "}", "\"x\" is given twice");
    refused(OBS(", \"separator\": \"||\"") "}", "must be one character");
    refused("{\"obs\": {\"file\": \"o.csv\", \"outcome\": \"y\"}}", "\"agent\" is missing");
    refused("{\"obs\": {\"file\": \"o.csv\", \"agent\": \"m\"}}", "\"outcome\" is missing");
    refused("{\"obs\": {\"file\": \"none.csv\", \"agent\": \"m\", \"outcome\": \"y\"}}",
            "none.csv");
    refused(OBS("") ", \"outputs\": {\"file\": \"o.csv\", \"context\": \"q\", \"agent\": \"m\"}}",
            "\"agent\" and \"output\"; or");
    refused(OBS("") ", \"outputs\": {\"file\": \"o.csv\", \"context\": \"q\", \"outcome\": \"y\"}}",
            "outputs have no \"outcome\"");
}

Test(log_bad, hundreds_of_bad_rows_are_a_few_lines)
{
    struct regret_buffer text = REGRET_BUFFER_INIT;
    struct regret_log *log = NULL;
    regret_buffer_append(&text, "q,m,y\n");
    for (int i = 0; i < 1000; i++) {
        regret_buffer_printf(&text, "a%d,m%d,%d\n", i, i % 2, i % 3 == 0);
        regret_buffer_printf(&text, i % 2 ? "b%d,m1,x%d\n" : "b%d,,%d\n", i, i);
    }
    scratch_put("o.csv", regret_buffer_get(&text));
    cr_assert_eq(read_log(&log, OBS("") "}"), 0, "%s", regret_error_message());
    cr_assert_eq(log->n_losses, 2);
    cr_assert(log->loss[0].n == 500 && log->loss[0].line == 3);
    cr_assert(log->loss[1].n == 500 && log->loss[1].line == 5);
    regret_log_free(log);
    regret_buffer_free(&text);
}

Test(log_bad, what_a_reader_should_know)
{
    struct regret_log *log = NULL;
    scratch_put("o.csv", "q,m,y,t,tag,u,c\na,m1,1,2026-01-02,x,u1,1\nb,m2,3,2026-01-01,x,,2\n"
                         "a,m3,2,yesterday,z,u1,cheap\n");
    scratch_put("e.csv", "q,m,y\na,m1,1\nb,m2,2\nc,m4,2\n");
    cr_assert_eq(read_log(&log, OBS(", \"time\": \"t\", \"tag\": \"tag\", \"cluster\": \"u\", "
                                    "\"cost\": \"c\"") EXP("") "}"),
                 0, "%s", regret_error_message());
    cr_expect(told_note(log, "times go backwards in o.csv at 1 row, the first at line 3"));
    cr_expect(
        told_note(log, "1 time of o.csv cannot be read, the first at line 4 (\"yesterday\")"));
    cr_expect(told_note(log, "2 contexts are in both OBS and EXP"));
    cr_expect(told_note(log, "1 agent is in OBS only (m3)"));
    cr_expect(told_note(log, "1 agent is in EXP only (m4)"));
    cr_expect(told_note(log, "1 row has another tag"));
    cr_expect(told_note(log, "1 of 3 rows of o.csv have no cluster"));
    cr_expect(told_note(log, "1 cost of o.csv cannot be read"));
    cr_expect(told_note(log, "the range of outcomes, 1 to 3, is that of the data"));
    cr_expect(isnan(log->rows[REGRET_LOG_OBS].time[2]));
    cr_expect(isnan(log->cost[2]) && log->cost[0] == 1.0, "m3 has no cost that can be read");
    regret_log_free(log);
}

Test(log_bad, agents_that_look_like_one)
{
    struct regret_log *log = NULL;
    scratch_put("o.csv", "q,m,y\na,gpt 4,1\nb,Gpt 4 ,0\nc,other,1\n");
    cr_assert_eq(read_log(&log, OBS("") "}"), 0, "%s", regret_error_message());
    cr_expect(told_note(log, "agents \"Gpt 4\" and \"gpt 4\" differ in blanks, dashes, "));
    regret_log_free(log);
}

/* No request is in both, and two would be but for zeros that lead; where they share one nothing is said. */
Test(log_bad, requests_that_look_like_one)
{
    struct regret_log *log = NULL;
    scratch_put("o.csv", "q,m,y\n0012,a,1\n13,b,0\n14,a,1\n");
    scratch_put("e.csv", "q,m,y\n11,b,1\n12,b,1\n12,a,0\n");
    cr_assert_eq(read_log(&log, OBS("") EXP("") "}"), 0, "%s", regret_error_message());
    cr_expect(told_note(log, "requests \"12\" of EXP and \"0012\" of OBS differ in blanks"));
    regret_log_free(log);
    scratch_put("o.csv", "q,m,y\n11,a,1\n0012,b,0\n14,a,1\n");
    cr_assert_eq(read_log(&log, OBS("") EXP("") "}"), 0, "%s", regret_error_message());
    cr_expect_not(told_note(log, "requests \""));
    regret_log_free(log);
}

/* Decimal commas are what they are in a table of one's own: numbers, where no cell has a point; else the remedy names them. */
Test(log_bad, decimal_commas)
{
    struct regret_log *log = NULL;
    const char *config = "{\"obs\": {\"file\": \"o.csv\", \"agent\": \"m\", \"outcome\": \"y\", "
                         "\"propensity\": \"p\", \"covariates\": [\"x\"]}}";
    scratch_put("o.csv", "m;y;p;x\na;1,25;0,5;1,5\nb;2;0,25;2\na;3,0;0,5;7,25\n");
    cr_assert_eq(read_log(&log, config), 0, "%s", regret_error_message());
    cr_expect(log->low == 1.25 && log->high == 3.0 && log->n_losses == 0);
    cr_expect(log->rows[REGRET_LOG_OBS].propensity[1] == 0.25 && !log->column[0].is_word &&
              log->column[0].value[2] == 7.25);
    cr_expect(told_note(log, "numbers of o.csv have decimal commas"));
    regret_log_free(log);
    const char *remedy = "write decimal points, or decimal commas alone, and thousands";
    scratch_put("o.csv", "q;m;y\na;a;1.25\nb;b;2,5\nc;a;3,5\n");
    refused(OBS("") "}", remedy);
    scratch_put("o.csv", "q;m;y\na;a;1,200\nb;b;2,500\nc;a;3\n"); /* thousands? */
    refused(OBS("") "}", remedy);
    scratch_put("o.csv", "q;m;y\na;a;no\nb;b;yes\nc;a;3\n");
    refused(OBS("") ", \"outcome\": {\"low\": 1, \"high\": 5}}",
            "write numbers: a word is 1 or 0; 2 of 3 rows");
}

/* No mean is taken of outcomes that are certainly of two scales; what is said of a range changes nothing. */
Test(log_bad, two_scales)
{
    struct regret_log *log = NULL;
    const char *both = OBS("") EXP("") "}",
               *ranged = OBS("") EXP("") ", \"outcome\": {\"low\": 0, \"high\": 10}}";
    put_turns("o.csv", 20, "0.3", "0.7");
    put_turns("e.csv", 20, "\U0001F44E", "\U0001F44D");
    refused(both, "outcomes of e.csv are words (line 2), those of o.csv numbers (line 2): they are "
                  "on two scales");
    refused(OBS("") EXP("") ", \"outcome\": {\"low\": 0, \"high\": 1}}", "on two scales");
    put_turns("e.csv", 20, "1", "5");
    refused(ranged,
            "outcomes of o.csv are 0.3 to 0.7, those of e.csv 1 to 5: they are on two scales");
    put_turns("e.csv", 19, "1", "5"); /* so few may be chance */
    cr_assert_eq(read_log(&log, ranged), 0, "%s", regret_error_message());
    regret_log_free(log);
    log = NULL;
    put_turns("o.csv", 20, "0", "1");
    put_turns("e.csv", 20, "yes", "no");
    cr_assert_eq(read_log(&log, both), 0, "%s", regret_error_message());
    regret_log_free(log);
}
