/* Where rows come from: tables, standard input, several files without ids, files with bad rows; and
 * what is said about scores that tell nothing. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fixture.h"
#include "regret/alloc.h"
#include "regret/buffer.h"
#include "regret/rate.h"
#include "regret/rate_report.h"

TestSuite(sources, .fini = scratch_remove);

static const char *keep(char out[512], const char *name, const char *text)
{
    snprintf(out, 512, "%s", scratch_file(name, text));
    return out;
}

/* The finished rows, or NULL where they are refused with the words. */
static struct regret_rate_rows *read_paths(const char *const *paths, size_t n,
                                           struct regret_rate_read_options how, const char *refusal)
{
    struct regret_rate_rows *rows = NULL;
    int rc = regret_rate_read(&rows, paths, n, &how);
    if (refusal != NULL) {
        cr_assert_eq(rc, REGRET_E_INPUT, "taken");
        cr_assert_null(rows);
        cr_assert_not_null(strstr(regret_error_message(), refusal), "%s lacks \"%s\"",
                           regret_error_message(), refusal);
        return NULL;
    }
    cr_assert_eq(rc, 0, "%s", regret_error_message());
    cr_assert_eq(regret_rate_rows_finish(rows), 0);
    return rows;
}

static size_t count(const struct regret_rate_rows *rows, enum regret_rate_issue_kind issue)
{
    return rows->issues[issue].count;
}

static void same_tables(const struct regret_rate_rows *a, const struct regret_rate_rows *b)
{
    cr_assert_eq(a->n_rows, b->n_rows);
    cr_assert_eq(a->n_models, b->n_models);
    for (size_t i = 0; i < a->n_rows; i++) {
        cr_assert(a->w[i] == b->w[i] && a->z[i] == b->z[i] && a->group[i] == b->group[i]);
        for (size_t m = 0; m < a->n_models; m++) {
            for (int side = 0; side < REGRET_N_SIDES; side++) {
                double x = a->models[m].score[side][i], y = b->models[m].score[side][i];
                cr_assert(x == y || (isnan(x) && isnan(y)), "row %zu: %g %g", i, x, y);
            }
        }
    }
}

/* ---- Rows without ids ---- */

#define ROW(w, model, o) "{\"w_original\": " w ", \"" model "\": {\"original\": " o "}}\n"
static const char one_model[] = ROW("true", "A", "1") ROW("false", "A", "2") ROW("true", "A", "3");
static const char other_model[] =
    ROW("true", "B", "10") ROW("false", "B", "20") ROW("true", "B", "30");

Test(sources, rows_without_ids_never_count_twice_in_silence)
{
    char one[512], two[512];
    const char *paths[2] = {keep(one, "one.jsonl", one_model), keep(two, "two.jsonl", other_model)};
    struct regret_rate_read_options how = {0};
    read_paths(paths, 2, how, "--without-ids pair");
    how.without_ids = REGRET_RATE_IDS_PAIR;
    struct regret_rate_rows *rows = read_paths(paths, 2, how, NULL);
    struct regret_rate_rows *both =
        rows_of("{\"w\": 1, \"scores\": {\"A\": {\"original\": 1}, \"B\": {\"original\": 10}}}\n"
                "{\"w\": 0, \"scores\": {\"A\": {\"original\": 2}, \"B\": {\"original\": 20}}}\n"
                "{\"w\": 1, \"scores\": {\"A\": {\"original\": 3}, \"B\": {\"original\": 30}}}\n");
    same_tables(rows, both);
    cr_assert_eq(count(rows, REGRET_RATE_ISSUE_DUPLICATE), 0);
    regret_rate_rows_free(rows);
    regret_rate_rows_free(both);
    how.without_ids = REGRET_RATE_IDS_SEPARATE;
    rows = read_paths(paths, 2, how, NULL);
    cr_assert_eq(rows->n_rows, 6);
    regret_rate_rows_free(rows);
    /* The same file twice. */
    const char *again[2] = {paths[0], paths[0]};
    how.without_ids = REGRET_RATE_IDS_WANTED;
    read_paths(again, 2, how, "might count twice");
    how.without_ids = REGRET_RATE_IDS_PAIR;
    rows = read_paths(again, 2, how, NULL);
    cr_assert_eq(count(rows, REGRET_RATE_ISSUE_DUPLICATE), 3);
    size_t n = 0;
    struct regret_rate_estimate *e = estimates_of(rows, &n, REGRET_SE_PAIRED);
    cr_assert(n == 1 && e->n_used == 3);
    regret_free(e);
    regret_rate_rows_free(rows);
}

Test(sources, rows_are_paired_only_where_they_may_be_the_same)
{
    char one[512], two[512];
    struct regret_rate_read_options how = {.without_ids = REGRET_RATE_IDS_PAIR};
    /* Another W, another text: duplicates, which do not count. */
    const char *paths[2] = {
        keep(one, "one.jsonl",
             "{\"w\": 1, \"completions\": {\"original\": \"a\"}, \"scores\": {\"A\": "
             "{\"original\": 1}}}\n" ROW("true", "A", "2")),
        keep(two, "two.jsonl",
             "{\"w\": 1, \"completions\": {\"original\": \"b\"}, \"scores\": {\"B\": "
             "{\"original\": 1}}}\n" ROW("false", "B", "2"))};
    struct regret_rate_rows *rows = read_paths(paths, 2, how, NULL);
    cr_assert_eq(count(rows, REGRET_RATE_ISSUE_DUPLICATE), 2);
    regret_rate_rows_free(rows);
    /* Rows with ids and rows without. */
    paths[0] =
        keep(one, "one.jsonl", "{\"id\": 1, \"w\": 1, \"scores\": {\"A\": {\"original\": 1}}}\n");
    read_paths(paths, 2, how, "cannot be paired");
    how.without_ids = REGRET_RATE_IDS_WANTED;
    read_paths(paths, 2, how, "without ids");
    /* Another dataset is another response. */
    how.dataset = NULL;
    paths[0] = keep(one, "one.jsonl",
                    "{\"dataset\": \"D\", \"w\": 1, \"scores\": {\"A\": {\"original\": 1}}}\n");
    rows = read_paths(paths, 2, how, NULL);
    cr_assert_eq(rows->n_rows, 3);
    regret_rate_rows_free(rows);
}

/* ---- Bad rows ---- */

Test(sources, bad_rows_are_left_out_on_request_and_counted)
{
    static const char lines[] =
        ROW("true", "A", "1") "{\"w\": tru}\n" ROW("false", "A", "2") "[]\n{\"id\": 1.5}\n";
    static const char array[] =
        "[{\"w\": 1, \"scores\": {\"A\": {\"original\": 1}}}, 7, {\"w\": 0, "
        "\"scores\": {\"A\": {\"original\": 2}}}, {\"id\": 1.5}, []]";
    static const char table[] = "w,scores.A.original\n1,1\n1,2,3\n0,2\n1,\"a\"b\n1,\xff\n";
    static const char *const names[] = {"bad.jsonl", "bad.json", "bad.csv"};
    static const char *const texts[] = {lines, array, table};
    static const size_t places[3][3] = {{2, 4, 5}, {2, 4, 5}, {3, 5, 6}};
    for (int k = 0; k < 3; k++) {
        const char *path = scratch_file(names[k], texts[k]);
        struct regret_rate_read_options how = {0};
        read_paths(&path, 1, how, k == 1 ? "row 2" : k == 0 ? "bad.jsonl:2" : "bad.csv:3");
        how.skip_bad = 1;
        struct regret_rate_rows *rows = read_paths(&path, 1, how, NULL);
        cr_assert_eq(rows->n_rows, 2);
        cr_assert(rows->models[0].score[0][0] == 1.0 && rows->models[0].score[0][1] == 2.0);
        cr_assert_eq(count(rows, REGRET_RATE_ISSUE_ROW_MALFORMED), 3);
        for (int j = 0; j < 3; j++) {
            cr_assert_eq(rows->issues[REGRET_RATE_ISSUE_ROW_MALFORMED].examples[j].line,
                         places[k][j], "%s, %d", names[k], j);
            cr_assert_neq(rows->issues[REGRET_RATE_ISSUE_ROW_MALFORMED].examples[j].detail[0],
                          '\0');
        }
        regret_rate_rows_free(rows);
    }
    /* A file of nothing else is refused still. */
    const char *path = scratch_file("bad.jsonl", "{\"w\": tru}\n");
    const struct regret_rate_read_options how = {.skip_bad = 1};
    read_paths(&path, 1, how, "no rows");
}

Test(sources, a_bad_row_keeps_its_number)
{
    char one[512], two[512];
    const struct regret_rate_read_options how = {.without_ids = REGRET_RATE_IDS_PAIR,
                                                 .skip_bad = 1};
    const char *paths[2] = {keep(one, "one.jsonl", "{\n" ROW("false", "A", "2")),
                            keep(two, "two.jsonl", ROW("true", "B", "10") ROW("false", "B", "20"))};
    struct regret_rate_rows *rows = read_paths(paths, 2, how, NULL);
    cr_assert_eq(rows->n_rows, 2);
    cr_assert(rows->models[0].score[0][0] == 2.0 && rows->models[1].score[0][0] == 20.0);
    regret_rate_rows_free(rows);
}

/* ---- Scores ---- */

Test(sources, unknown_keys_of_scores_are_named)
{
    struct regret_rate_rows *rows =
        rows_of("{\"w\": 1, \"scores\": {\"m\": {\"orig\": 1, \"rewrite\": 2}}}\n"
                "{\"w\": 1, \"scores\": {\"m\": {\"original\": 1, \"rewrite\": 2}}, \"contrasts\": "
                "{\"c\": {\"single\": 1, \"tripl\\u0065\": 2}}}\n");
    const struct regret_rate_issue *issue = &rows->issues[REGRET_RATE_ISSUE_SCORE_KEY_UNKNOWN];
    cr_assert_eq(issue->count, 2);
    cr_assert(issue->examples[0].line == 1 && issue->examples[1].line == 2);
    cr_assert_str_eq(issue->examples[0].detail, "orig");
    cr_assert_str_eq(issue->examples[1].detail, "triple");
    struct regret_buffer t = REGRET_BUFFER_INIT;
    regret_rate_write_issues(&t, rows);
    cr_assert_not_null(strstr(regret_buffer_get(&t), "rows.jsonl:1 (m: orig)"), "%s", t.data);
    regret_buffer_free(&t);
    regret_rate_rows_free(rows);
    /* A key of any length is cut between characters. */
    regret_buffer_append(&t, "{\"w\": 1, \"scores\": {\"m\": {\"original\": 1, \"x");
    for (int k = 0; k < 100; k++) {
        regret_buffer_append(&t, "ä");
    }
    regret_buffer_append(&t, "\": 1}}}\n");
    rows = rows_of(regret_buffer_get(&t));
    const char *detail = rows->issues[REGRET_RATE_ISSUE_SCORE_KEY_UNKNOWN].examples[0].detail;
    cr_assert(strlen(detail) == 63 && regret_utf8_valid(detail, 63, NULL));
    regret_rate_rows_free(rows);
    regret_buffer_free(&t);
}

Test(sources, a_model_with_bad_scores_is_not_absent)
{
    struct regret_rate_rows *rows = rows_of(
        "{\"id\": 1, \"w\": 1, \"scores\": {\"m\": {\"original\": 1, \"rewrite\": 2}}}\n"
        "{\"id\": 2, \"w\": 1, \"scores\": {\"m\": {\"original\": NaN, \"rewrite\": NaN}}}\n"
        "{\"id\": 3, \"w\": 1, \"scores\": {\"m\": {\"original\": \"high\"}}}\n"
        "{\"id\": 4, \"w\": 1, \"scores\": {\"k\": {\"original\": 1}}}\n"
        "{\"id\": 4, \"w\": 1, \"scores\": {\"m\": {\"original\": \"x\"}, \"j\": "
        "{\"original\": 3}}}\n");
    cr_assert_eq(count(rows, REGRET_RATE_ISSUE_SCORE_NOT_NUMBER), 3);
    cr_assert_eq(count(rows, REGRET_RATE_ISSUE_SCORE_MISSING), 3);
    /* k in three rows, j in three. */
    cr_assert_eq(count(rows, REGRET_RATE_ISSUE_MODEL_ABSENT), 6);
    regret_rate_rows_free(rows);
}

Test(sources, scores_that_are_all_equal_are_remarked)
{
    struct regret_rate_rows *rows = rows_of(
        "{\"w\": 1, \"scores\": {\"m\": {\"original\": 1, \"rewrite\": 1}, \"k\": {\"original\": "
        "1, "
        "\"rewrite\": 1}}}\n"
        "{\"w\": 0, \"scores\": {\"m\": {\"original\": 1, \"rewrite\": 1}, \"k\": {\"original\": "
        "1, "
        "\"rewrite\": 2}}}\n"
        "{\"w\": 0, \"dataset\": \"D\", \"scores\": {\"m\": {\"original\": 1, \"rewrite\": 2}}}\n"
        "{\"w\": 0, \"dataset\": \"D\", \"scores\": {\"m\": {\"original\": 1, \"rewrite\": 1}}}\n");
    const struct regret_rate_issue *issue = &rows->issues[REGRET_RATE_ISSUE_SCORES_EQUAL];
    cr_assert_eq(issue->count, 1);
    cr_assert(issue->examples[0].line == 1 && issue->examples[0].model == 0);
    regret_rate_rows_free(rows);
}

/* ---- Tables ---- */

Test(sources, a_table_is_its_rows)
{
    char *jsonl = random_jsonl(200, 11);
    struct regret_rate_rows *rows = rows_of(jsonl);
    struct regret_buffer t[2] = {REGRET_BUFFER_INIT, REGRET_BUFFER_INIT};
    static const char *const names[] = {"rows.csv", "rows.TSV"};
    for (int k = 0; k < 2; k++) {
        char sep = k == 0 ? ',' : '\t';
        /* In another order, with a column of its own, and labels in all words. */
        const char *const header[] = {"scores.m1.original",
                                      "note",
                                      "w",
                                      "scores.m0.original",
                                      "scores.m0.rewrite",
                                      "dataset",
                                      "scores.m1.rewrite_of_rewrite",
                                      "attribute",
                                      "scores.m1.rewrite",
                                      "m0.rewritten rewrite",
                                      "id"};
        for (size_t c = 0; c < 11; c++) {
            regret_buffer_printf(&t[k], "%s%c", header[c], c < 10 ? sep : '\n');
        }
        for (size_t i = 0; i < rows->n_rows; i++) {
            static const char *const words[2][3] = {{"False", "0", "0.0"}, {"TRUE", "1", "1.0"}};
            const struct regret_rate_model *m = rows->models;
            regret_buffer_printf(&t[k], "%.17g%c\"x%cy\"%c%s%c%.17g%c%.17g%cD%c%.17g%ca%c%.17g%c",
                                 m[1].score[0][i], sep, sep, sep, words[rows->w[i]][i % 3], sep,
                                 m[0].score[0][i], sep, m[0].score[1][i], sep, sep,
                                 m[1].score[2][i], sep, sep, m[1].score[1][i], sep);
            regret_buffer_printf(&t[k], "%.17g%cr%zu\r\n", m[0].score[2][i], sep, i);
        }
        const char *path = scratch_file(names[k], regret_buffer_get(&t[k]));
        const struct regret_rate_read_options how = {.need_scores = 1};
        struct regret_rate_rows *table = read_paths(&path, 1, how, NULL);
        cr_assert_str_eq(table->models[0].name, "m1");
        struct regret_rate_model swapped = table->models[0];
        table->models[0] = table->models[1];
        table->models[1] = swapped;
        same_tables(rows, table);
        cr_assert_eq(table->line[0], 2);
        for (int issue = 0; issue < REGRET_RATE_N_ISSUES; issue++) {
            cr_assert_eq(table->issues[issue].count, 0, "issue %d", issue);
        }
        regret_rate_rows_free(table);
        regret_buffer_free(&t[k]);
    }
    regret_rate_rows_free(rows);
    regret_free(jsonl);
}

Test(sources, fields_of_a_table_mean_what_members_of_a_row_mean)
{
    const char *path = scratch_file(
        "odd.csv", "w,z,prompt,completions.original,scores.a.b.original,scores.a.b.rewrite,"
                   "contrasts.c.double,scores.a.b.orig\n"
                   "true,,\"p, q\",o,1,2,0.5,\n"
                   ",1,,,,,,\n"
                   "maybe,2,,,1e2,inf,0x1,\n");
    const struct regret_rate_read_options how = {.keep_texts = 1};
    struct regret_rate_rows *rows = read_paths(&path, 1, how, NULL);
    cr_assert_eq(rows->n_rows, 3);
    cr_assert_eq(rows->n_models, 2);
    cr_assert_str_eq(rows->models[0].name, "a.b");
    cr_assert(rows->models[1].contrastive && rows->models[1].score[1][0] == 0.5);
    cr_assert_str_eq(rows->texts[0].prompt, "p, q");
    cr_assert_str_eq(rows->texts[0].completion[0], "o");
    cr_assert_null(rows->texts[1].prompt);
    cr_assert(rows->w[1] == REGRET_LABEL_MISSING && rows->z[1] == REGRET_LABEL_1);
    cr_assert(rows->w[2] == REGRET_LABEL_NOT_BOOLEAN && rows->z[2] == REGRET_LABEL_NOT_BOOLEAN);
    cr_assert(rows->models[0].score[0][2] == 100.0 && isnan(rows->models[0].score[1][2]));
    cr_assert_eq(count(rows, REGRET_RATE_ISSUE_SCORE_NOT_NUMBER), 2);
    cr_assert_eq(count(rows, REGRET_RATE_ISSUE_SCORE_KEY_UNKNOWN), 1);
    cr_assert_str_eq(rows->issues[REGRET_RATE_ISSUE_SCORE_KEY_UNKNOWN].examples[0].detail,
                     "scores.a.b.orig");
    regret_rate_rows_free(rows);
    static const char *const bad[][2] = {
        {"", "empty"},
        {"w,w\n1,1\n", "mean the same"},
        {"w,w_original\n1,1\n", "mean the same"},
        {"w,m.rewrite_of_rewrite,m.rewritten rewrite\n1,1,2\n", "mean the same"},
        {"w,m.original\n1\n", "bad.csv:2: a record of 1 fields"},
        {"w,m.original\n", "no rows"},
        {"w,score\n1,2\n", "no row has a reward model"}};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        path = scratch_file("bad.csv", bad[k][0]);
        const struct regret_rate_read_options wanted = {.need_scores = 1};
        read_paths(&path, 1, wanted, bad[k][1]);
    }
    struct regret_buffer t = REGRET_BUFFER_INIT;
    regret_buffer_append(&t, "w");
    for (int m = 0; m < REGRET_RATE_MAX_MODELS + 1; m++) {
        regret_buffer_printf(&t, ",m%d.original", m);
    }
    regret_buffer_append(&t, "\n");
    path = scratch_file("bad.csv", regret_buffer_get(&t));
    read_paths(&path, 1, how, "reward models");
    regret_buffer_free(&t);
}

/* Prompts that repeat, and any other key, are clusters in a table as they are in rows of JSON. */
Test(sources, clusters_of_a_table_are_those_of_its_rows)
{
    static const char *const keys[] = {NULL, "prompt", "site", "none"};
    char csv[2048] = "id,w,prompt,site,scores.m.original\n", jsonl[4096] = "", line[256];
    for (int i = 0; i < 12; i++) {
        snprintf(line, sizeof line, "r%d,%d,p%d,s%d,%d\n", i, i % 2, i / 3, i % 5, i);
        strcat(csv, line);
        snprintf(line, sizeof line,
                 "{\"id\": \"r%d\", \"w\": %d, \"prompt\": \"p%d\", \"site\": \"s%d\", "
                 "\"scores\": {\"m\": {\"original\": %d}}}\n",
                 i, i % 2, i / 3, i % 5, i);
        strcat(jsonl, line);
    }
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
        const struct regret_rate_read_options how = {.cluster_key = keys[k]};
        struct regret_rate_rows *table = NULL, *lines = NULL;
        const char *path = scratch_file("c.csv", csv);
        cr_assert_eq(regret_rate_read(&table, &path, 1, &how), 0, "%s", regret_error_message());
        path = scratch_file("c.jsonl", jsonl);
        cr_assert_eq(regret_rate_read(&lines, &path, 1, &how), 0, "%s", regret_error_message());
        cr_assert_eq(lines->n_clusters, k < 2 ? 4 : k == 2 ? 5 : 0);
        cr_assert_eq(table->n_clusters, lines->n_clusters, "%zu clusters", table->n_clusters);
        for (size_t i = 0; i < lines->n_rows; i++) {
            cr_assert_eq(table->cluster[i], lines->cluster[i]);
        }
        regret_rate_rows_free(table);
        regret_rate_rows_free(lines);
    }
}

/* ---- Ratings, and long texts ---- */

Test(sources, labels_from_ratings)
{
    static const char *const texts[] = {
        "{\"w\": true, \"helpful\": 3, \"verbose\": 1.5, \"scores\": {\"m\": {\"original\": 1}}}\n"
        "{\"helpful\": 2, \"verbose\": 0, \"scores\": {\"m\": {\"original\": 1}}}\n"
        "{\"helpful\": null, \"verbose\": \"x\", \"scores\": {\"m\": {\"original\": 1}}}\n"
        "{\"w_original\": true, \"helpful\": true, \"m\": {\"original\": 1}}\n",
        "w,helpful,verbose,m.original\ntrue,3,1.5,1\n,2,0,1\n,,x,1\ntrue,true,,1\n"};
    static const char *const names[] = {"rated.jsonl", "rated.csv"};
    const double two = 2.0, one = 1.0;
    for (int k = 0; k < 2; k++) {
        const char *path = scratch_file(names[k], texts[k]);
        const struct regret_rate_read_options how = {
            .w_field = "helpful", .z_field = "verbose", .w_above = &two, .z_above = &one};
        struct regret_rate_rows *rows = read_paths(&path, 1, how, NULL);
        cr_assert(rows->w[0] == 1 && rows->w[1] == 0 && rows->w[3] == 1);
        cr_assert_eq(rows->w[2], REGRET_LABEL_MISSING);
        cr_assert(rows->z[0] == 1 && rows->z[1] == 0 && rows->z[2] == REGRET_LABEL_NOT_BOOLEAN);
        regret_rate_rows_free(rows);
        /* Another key, without ratings. */
        const struct regret_rate_read_options plain = {.w_field = "helpful"};
        rows = read_paths(&path, 1, plain, NULL);
        cr_assert(rows->w[0] == REGRET_LABEL_NOT_BOOLEAN && rows->w[3] == 1);
        regret_rate_rows_free(rows);
    }
    /* Ratings under the usual key. */
    const char *path = scratch_file("rated.csv", "w,m.original\n3,1\n2,2\n");
    const struct regret_rate_read_options how = {.w_field = "w", .w_above = &two};
    struct regret_rate_rows *rows = read_paths(&path, 1, how, NULL);
    cr_assert(rows->w[0] == 1 && rows->w[1] == 0);
    regret_rate_rows_free(rows);
}

Test(sources, long_texts_are_left_out_on_request)
{
    struct regret_rate_rows *rows = NULL;
    const char *path = scratch_file(
        "long.jsonl",
        "{\"w\": 1, \"completions\": {\"original\": \"a b\", \"rewrite\": \"a b c\"}}\n"
        "{\"w\": 1, \"completions\": {\"original\": \"a  b \", \"rewrite\": \"ab\"}}\n"
        "{\"w\": 0}\n");
    struct regret_rate_read_options how = {.keep_texts = 1};
    cr_assert_eq(regret_rate_read(&rows, &path, 1, &how), 0);
    cr_assert_eq(regret_rate_drop_long(rows, 2), 0);
    cr_assert(rows->w[0] == REGRET_LABEL_EXCLUDED && rows->w[1] == 1 && rows->w[2] == 0);
    cr_assert_eq(count(rows, REGRET_RATE_ISSUE_TOO_LONG), 1);
    regret_rate_rows_free(rows);
    how.keep_texts = 0;
    cr_assert_eq(regret_rate_read(&rows, &path, 1, &how), 0);
    cr_assert_eq(regret_rate_drop_long(rows, 2), REGRET_E_INPUT);
    regret_rate_rows_free(rows);
}

/* ---- The program ---- */

Test(sources, standard_input)
{
    static const char rows[] = "rate estimate - -f csv";
    check_run(rows, "2>&1 < data/rate/authors-layout.jsonl", 0, ",RATE_ATE,");
    int code = 0;
    char *piped = run_program(&code, rows, "2>&1 < data/rate/authors-layout.jsonl");
    char *file = run_program(&code, "rate estimate data/rate/authors-layout.jsonl -f csv", "2>&1");
    cr_assert_str_eq(piped, file);
    regret_free(piped);
    /* A pipe. */
    struct regret_buffer t = REGRET_BUFFER_INIT;
    regret_buffer_printf(&t, "2>&1 <<'END'\n%sEND\n", one_model);
    check_run("rate estimate -", regret_buffer_get(&t), 1, "nothing could be estimated");
    regret_buffer_free(&t);
    regret_free(file);
    check_run("rate estimate - -", "2>&1 < /dev/null", 2, "once");
}

Test(sources, the_exit_code_says_whether_anything_was_estimated)
{
    char one[512], arguments[1200];
    keep(one, "one.jsonl", ROW("true", "A", "1"));
    snprintf(arguments, sizeof arguments, "rate estimate %s", one);
    check_run(arguments, "2>&1", 1, "nothing could be estimated");
    check_run(arguments, "2>/dev/null", 1, "fewer than two usable rows");
    check_run("rate estimate data/rate/rough.jsonl", "2>&1", 0, "single_ATT");
    snprintf(arguments, sizeof arguments, "rate estimate %s %s --without-ids both", one, one);
    check_run(arguments, "2>&1", 2, "it is one of pair|separate");
    snprintf(arguments, sizeof arguments, "rate estimate %s %s", one, one);
    check_run(arguments, "2>&1", 2, "might count twice");
    keep(one, "one.jsonl", "{\"w\": true, \"z\": 1, \"scores\": {\"A\": {\"original\": 1}}}\nx\n");
    snprintf(arguments, sizeof arguments, "rate shift %s --skip-bad", one);
    check_run(arguments, "2>&1", 1, "row-malformed");
}
