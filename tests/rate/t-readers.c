/* What both readers take kindly: labels in other words, nulls, and what Python writes. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fixture.h"
#include "regret/rate.h"

TestSuite(readers, .fini = scratch_remove);

static struct regret_rate_rows *read_by(const char *jsonl, int texts)
{
    struct regret_rate_rows *rows = NULL;
    const char *path = scratch_file("kind.jsonl", jsonl);
    const struct regret_rate_read_options how = {.keep_texts = texts};
    cr_assert_eq(regret_rate_read(&rows, &path, 1, &how), 0, "%s", regret_error_message());
    cr_assert_eq(regret_rate_rows_finish(rows), 0);
    return rows;
}

static void check_count(const struct regret_rate_rows *rows, enum regret_rate_issue_kind issue,
                        size_t count)
{
    cr_assert_eq(rows->issues[issue].count, count, "%s: %zu", regret_rate_issue_name(issue),
                 rows->issues[issue].count);
}

Test(readers, labels_in_other_words)
{
    static const struct {
        const char *word;
        enum regret_rate_label label;
    } words[] = {{"true", REGRET_LABEL_1},
                 {"1", REGRET_LABEL_1},
                 {"1.0", REGRET_LABEL_1},
                 {"\"True\"", REGRET_LABEL_1},
                 {"\"TRUE\"", REGRET_LABEL_1},
                 {"\"tru\\u0065\"", REGRET_LABEL_1},
                 {"false", REGRET_LABEL_0},
                 {"0", REGRET_LABEL_0},
                 {"-0.0", REGRET_LABEL_0},
                 {"\"False\"", REGRET_LABEL_0},
                 {"null", REGRET_LABEL_MISSING},
                 {"NaN", REGRET_LABEL_MISSING},
                 {"2", REGRET_LABEL_NOT_BOOLEAN},
                 {"0.5", REGRET_LABEL_NOT_BOOLEAN},
                 {"\"1\"", REGRET_LABEL_NOT_BOOLEAN},
                 {"\"\"", REGRET_LABEL_NOT_BOOLEAN},
                 {"\"truer\"", REGRET_LABEL_NOT_BOOLEAN},
                 {"{\"a\": 1}", REGRET_LABEL_NOT_BOOLEAN},
                 {"Infinity", REGRET_LABEL_MISSING}};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
        for (int texts = 0; texts < 2; texts++) {
            char line[256];
            snprintf(line, sizeof line,
                     "{\"w\": %s, \"z\": %s, \"scores\": {\"m\": {\"original\": 1}}}\n",
                     words[k].word, words[k].word);
            struct regret_rate_rows *rows = read_by(line, texts);
            cr_assert_eq(rows->w[0], words[k].label, "%s: %d", words[k].word, rows->w[0]);
            cr_assert_eq(rows->z[0], words[k].label, "%s: %d", words[k].word, rows->z[0]);
            regret_rate_rows_free(rows);
        }
    }
}

static const char THREE_NULLS[] =
    "{\"id\": \"a\", \"w\": true, \"scores\": {\"A\": {\"original\": 1}, \"B\": {\"original\": "
    "2}}}\n"
    "{\"id\": \"b\", \"w\": true, \"scores\": {\"A\": {\"original\": 3}, \"B\": null}}\n"
    "{\"id\": \"c\", \"w\": false, \"scores\": null, \"contrasts\": null}\n";

Test(readers, null_models_are_absent)
{
    for (int texts = 0; texts < 2; texts++) {
        struct regret_rate_rows *rows = read_by(THREE_NULLS, texts);
        cr_assert_eq(rows->n_rows, 3);
        cr_assert_eq(rows->n_models, 2);
        check_count(rows, REGRET_RATE_ISSUE_MODEL_ABSENT, 3);
        cr_assert_eq(rows->issues[REGRET_RATE_ISSUE_MODEL_ABSENT].examples[0].line, 2);
        regret_rate_rows_free(rows);
        rows = read_by("{\"w_original\": true, \"A\": {\"original\": 1}}\n"
                       "{\"w_original\": true, \"A\": null}\n",
                       texts);
        cr_assert_eq(rows->n_models, 1);
        check_count(rows, REGRET_RATE_ISSUE_MODEL_ABSENT, 1);
        regret_rate_rows_free(rows);
    }
}

Test(readers, python_numbers_are_issues_of_their_row)
{
    for (int texts = 0; texts < 2; texts++) {
        struct regret_rate_rows *rows = read_by(
            "{\"w\": true, \"scores\": {\"m\": {\"original\": 1, \"rewrite\": 2}}}\n"
            "{\"w\": true, \"scores\": {\"m\": {\"original\": NaN, \"rewrite\": 2}}}\n"
            "{\"w\": true, \"scores\": {\"m\": {\"original\": -Infinity, \"rewrite\": 2}}}\n"
            "{\"w\": true, \"id\": NaN, \"dataset\": NaN, \"extra\": [NaN, Infinity], "
            "\"prompt\": \"NaN\", \"scores\": {\"m\": {\"original\": 4, \"rewrite\": 5}}}\n"
            "{\"w\": true, \"scores\": {\"m\": NaN}}\n",
            texts);
        cr_assert_eq(rows->n_rows, 5);
        check_count(rows, REGRET_RATE_ISSUE_SCORE_NOT_NUMBER, 2);
        check_count(rows, REGRET_RATE_ISSUE_SCORE_MISSING, 2);
        check_count(rows, REGRET_RATE_ISSUE_MODEL_ABSENT, 1);
        cr_assert_eq(rows->issues[REGRET_RATE_ISSUE_SCORE_NOT_NUMBER].examples[0].line, 2);
        cr_assert_eq(rows->issues[REGRET_RATE_ISSUE_SCORE_NOT_NUMBER].examples[1].line, 3);
        cr_assert(isnan(rows->models[0].score[0][1]) && rows->models[0].score[0][3] == 4.0);
        regret_rate_rows_free(rows);
    }
}

Test(readers, characters_that_are_none_become_replacements)
{
    static const char line[] =
        "{\"w\": true, \"prompt\": \"a\\u0000b\", \"completions\": {\"original\": "
        "\"\\ud83d\\ude00 \\ud83d \\ude00\\ud83d\", \"rewrite\": \"\\\\u0000 \\ud83d\\u0041\"}, "
        "\"scores\": {\"m\": {\"original\": 1}}}\n";
    struct regret_rate_rows *rows = NULL;
    for (int texts = 0; texts < 2; texts++) {
        rows = read_by(line, texts);
        cr_assert_eq(rows->n_rows, 1);
        regret_rate_rows_free(rows);
    }
    const char *path = scratch_file("kind.jsonl", line);
    const struct regret_rate_read_options how = {.keep_texts = 1};
    cr_assert_eq(regret_rate_read(&rows, &path, 1, &how), 0, "%s", regret_error_message());
    cr_assert_str_eq(rows->texts[0].prompt, "a\xef\xbf\xbd"
                                            "b");
    cr_assert_str_eq(rows->texts[0].completion[0],
                     "\xf0\x9f\x98\x80 \xef\xbf\xbd \xef\xbf\xbd\xef\xbf\xbd");
    cr_assert_str_eq(rows->texts[0].completion[1], "\\u0000 \xef\xbf\xbd"
                                                   "A");
    regret_rate_rows_free(rows);
}

/* In the authors' layout an object with a known key is a reward model only if it holds a number. */
Test(readers, objects_without_numbers_are_no_reward_models)
{
    for (int texts = 0; texts < 2; texts++) {
        struct regret_rate_rows *rows =
            read_by("{\"w_original\": true, \"prompt_ids\": {\"original\": \"id1\"}, \"A\": "
                    "{\"original\": 1}}\n"
                    "{\"w_original\": true, \"prompt_ids\": {\"original\": null}, \"A\": "
                    "{\"original\": 2}}\n"
                    "{\"w_original\": true, \"prompt_ids\": {\"original\": \"id3\"}, \"A\": "
                    "{\"original\": \"x\"}}\n",
                    texts);
        cr_assert_eq(rows->n_models, 1);
        cr_assert_str_eq(rows->models[0].name, "A");
        check_count(rows, REGRET_RATE_ISSUE_SCORE_NOT_NUMBER, 1);
        cr_assert_eq(rows->issues[REGRET_RATE_ISSUE_SCORE_NOT_NUMBER].examples[0].line, 3);
        regret_rate_rows_free(rows);
    }
}
