#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cJSON.h>

#include "regret/buffer.h"
#include "regret/estimate.h"
#include "regret/status.h"
#include "report/csv_records.h"
#include "report/made_up.h"

static char folder[64];

static void setup(void)
{
    made_folder(folder);
}

static void teardown(void)
{
    cr_assert_eq(regret_folder_remove(folder), 0);
}

TestSuite(results, .init = setup, .fini = teardown);

static struct regret_results *read_run(void)
{
    struct regret_results *r = NULL;
    cr_assert_eq(regret_results_read(&r, folder), 0, "%s", regret_error_message());
    return r;
}

/* Writes `text` as the whole of a file. */
static void put_file(const char *name, const char *text)
{
    cr_assert_eq(regret_file_write(made_path(folder, name), text, strlen(text)), 0);
}

/* Replaces the first `from` of a file by `to`. */
static void edit(const char *name, const char *from, const char *to)
{
    char *text = NULL;
    char path[512];
    strcpy(path, made_path(folder, name));
    cr_assert_eq(regret_file_read(&text, NULL, path, 1 << 24), 0);
    char *at = strstr(text, from);
    cr_assert_not_null(at, "%s is not in %s", from, name);
    struct regret_buffer out = REGRET_BUFFER_INIT;
    regret_buffer_append_n(&out, text, (size_t)(at - text));
    regret_buffer_append(&out, to);
    regret_buffer_append(&out, at + strlen(from));
    cr_assert_eq(regret_file_write(path, out.data, out.length), 0);
    regret_buffer_free(&out);
    regret_free(text);
}

Test(results, every_number_is_where_it_belongs)
{
    struct made_up m = made_up_default();
    m.agent_key = 1;
    m.n_shards = 3;
    made_up_write(&m, folder);
    struct regret_results *r = read_run();
    cr_assert_eq(r->n_cells, made_cells(&m));
    cr_assert_eq(r->n_seeds, m.n_seeds);
    cr_assert_eq(r->n_families, m.n_families);
    cr_assert_eq(r->n_rows, made_cells(&m) * m.n_seeds * (m.n_families + 4 + 2));
    cr_assert_eq(r->n_complete, made_cells(&m) * m.n_seeds);
    cr_assert_null(r->gaps);
    cr_assert_eq(r->run.synthetic, 1);
    cr_assert_str_eq(r->run.pool_licence, "MIT");
    for (size_t f = 0; f < m.n_families; f++) {
        for (size_t c = 0; c < r->n_cells; c++) {
            for (size_t s = 0; s < r->n_seeds; s++) {
                cr_assert_eq(regret_results_value(r, REGRET_MEASURE_REGRET, f, c, s),
                             made_regret(&m, f, c, s));
                cr_assert_eq(regret_results_value(r, REGRET_MEASURE_SNDR_RMSE, f, c, s),
                             made_number(REGRET_MEASURE_SNDR_RMSE, f, c, s));
                cr_assert(isnan(regret_results_value(r, REGRET_MEASURE_R2, f, c, s)));
            }
        }
    }
    regret_results_free(r);
}

Test(results, keys_are_in_order_whatever_order_the_cells_have)
{
    struct made_up m = made_up_default();
    m.agent_key = 1;
    m.n_betas = 6;
    m.n_seeds = 1;
    made_up_write(&m, folder);
    struct regret_results *r = read_run();
    cr_assert_eq(r->n_keys, 5);
    cr_assert_str_eq(r->keys[4].name, "features.agent");
    cr_assert_str_eq(r->keys[4].values[0], "false");
    cr_assert_str_eq(r->keys[4].values[1], "true");
    cr_assert_str_eq(r->keys[REGRET_KEY_BETA].values[1], "0.2");
    cr_assert_str_eq(r->keys[REGRET_KEY_BETA].values[5], "1");
    for (size_t c = 0; c < r->n_cells; c++) {
        struct made_cell k = made_cell(&m, c);
        cr_assert_eq(r->cell_value[c + r->n_cells * REGRET_KEY_MAP], k.map);
        cr_assert_eq(r->cell_value[c + r->n_cells * REGRET_KEY_BETA], k.beta);
        cr_assert_eq(r->cell_value[c + r->n_cells * 4], k.agent);
    }
    regret_results_free(r);
}

static int skip_first_cell(const char *family, size_t cell, size_t seed)
{
    (void)family;
    (void)seed;
    return cell == 0;
}

/* Cells that are no product, one of which has no rows and only its swept key in run.json. */
Test(results, cells_need_not_be_a_product)
{
    struct made_up m = made_up_default();
    m.n_maps = m.n_betas = 1;
    m.skip = skip_first_cell;
    made_up_write(&m, folder);
    edit("run.json", "{\"reward.map\":\"smooth\",\"beta\":0,\"n_obs\":2000,\"n_exp\":200}",
         "{\"n_exp\":800}");
    struct regret_results *r = read_run();
    cr_expect_str_eq(r->keys[REGRET_KEY_MAP].values[0], "smooth");
    cr_expect_eq(r->keys[REGRET_KEY_MAP].n_values, 1);
    cr_expect_eq(r->keys[REGRET_KEY_BETA].n_values, 1);
    regret_results_free(r);
}

/* A key whose values are lists of candidates. */
Test(results, lists_are_values_too)
{
    struct made_up m = made_up_default();
    m.n_maps = m.n_betas = m.n_obs = m.n_exp = 1;
    m.n_seeds = 1;
    m.n_families = 1;
    made_up_write(&m, folder);
    put_file("results-1-of-1.jsonl",
             "{\"cell\":0,\"seed\":0,\"key\":{\"reward.map\":\"smooth\",\"beta\":0,\"n_obs\":2000,"
             "\"n_exp\":200,\"cvci.lambda\":[0,0.5]},\"kind\":\"family\",\"family\":\"exp-only\","
             "\"regret\":0.5}\n");
    struct regret_results *r = read_run();
    cr_assert_eq(r->n_keys, 5);
    cr_expect_str_eq(r->keys[4].values[0], "[0,0.5]");
    regret_results_free(r);
}

Test(results, run_json_may_name_only_the_swept_keys)
{
    struct made_up m = made_up_default();
    m.n_maps = m.n_obs = m.n_exp = 1;
    m.n_betas = 2;
    made_up_write(&m, folder);
    edit("run.json", "{\"reward.map\":\"smooth\",\"beta\":0,\"n_obs\":2000,\"n_exp\":200}",
         "{\"beta\":0}");
    struct regret_results *r = read_run();
    cr_assert_eq(r->keys[REGRET_KEY_N_OBS].n_values, 1);
    cr_assert_str_eq(r->keys[REGRET_KEY_N_OBS].values[0], "2000");
    regret_results_free(r);
}

Test(results, csv_reads_back_exactly)
{
    struct made_up m = made_up_default();
    m.n_shards = 2;
    made_up_write(&m, folder);
    struct regret_results *r = read_run();
    struct regret_buffer text = REGRET_BUFFER_INIT;
    cr_assert_eq(regret_results_csv(&text, r), 0);
    struct csv_records c = csv_parse(regret_buffer_get(&text));
    cr_assert_eq(c.n, r->n_rows + 1);
    cr_assert_str_eq(c.fields[0][4], "reward.map");
    cr_assert_str_eq(c.fields[0][8], "regret");
    for (size_t i = 1; i < c.n; i++) {
        char **f = c.fields[i];
        cr_assert_eq(c.widths[i], 4 + 4 + REGRET_N_MEASURES - 3 + 2 + 3);
        if (strcmp(f[2], "family") != 0) {
            continue;
        }
        size_t subject = regret_results_subject(r, REGRET_ROW_FAMILY, f[3]);
        size_t cell = (size_t)atoi(f[0]), seed = (size_t)atoi(f[1]);
        cr_assert_eq(strtod(f[8], NULL), made_regret(&m, subject, cell, seed));
        cr_assert_str_eq(f[4], made_map(made_cell(&m, cell).map));
        cr_assert_eq(strtod(f[5], NULL), made_beta(made_cell(&m, cell).beta));
    }
    csv_free(&c);
    regret_buffer_free(&text);
    regret_results_free(r);
}

Test(results, shards_give_the_same_bytes_as_one_file)
{
    struct made_up m = made_up_default();
    struct regret_buffer one = REGRET_BUFFER_INIT, many = REGRET_BUFFER_INIT;
    made_up_write(&m, folder);
    struct regret_results *r = read_run();
    cr_assert_eq(regret_results_csv(&one, r), 0);
    regret_results_free(r);
    cr_assert_eq(unlink(made_path(folder, "results-1-of-1.jsonl")), 0);
    m.n_shards = 5;
    made_up_write(&m, folder);
    r = read_run();
    cr_assert_eq(regret_results_csv(&many, r), 0);
    regret_results_free(r);
    cr_assert_str_eq(regret_buffer_get(&one), regret_buffer_get(&many));
    regret_buffer_free(&one);
    regret_buffer_free(&many);
}

static int skip_two(const char *family, size_t cell, size_t seed)
{
    return (cell == 3 && seed == 1) || (cell == 5 && seed == 2 && strcmp(family, "cvci") == 0);
}

Test(results, missing_rows_are_named)
{
    struct made_up m = made_up_default();
    m.skip = skip_two;
    made_up_write(&m, folder);
    struct regret_results *r = read_run();
    cr_assert_eq(r->n_complete, made_cells(&m) * m.n_seeds - 2);
    cr_assert_not_null(strstr(r->gaps, "INCOMPLETE: 142 of 144 replicates"), "%s", r->gaps);
    cr_assert_not_null(strstr(r->gaps, "cell 3 seed 1, cell 5 seed 2 (cvci)"), "%s", r->gaps);
    cr_assert(isnan(regret_results_value(r, REGRET_MEASURE_REGRET, 0, 3, 1)));
    regret_results_free(r);
}

Test(results, a_missing_shard_is_named)
{
    struct made_up m = made_up_default();
    m.n_shards = 4;
    made_up_write(&m, folder);
    cr_assert_eq(unlink(made_path(folder, "results-3-of-4.jsonl")), 0);
    struct regret_results *r = read_run();
    cr_assert_not_null(strstr(r->gaps, "INCOMPLETE: 108 of 144 replicates; missing shards of the "
                                       "run: 3;"),
                       "%s", r->gaps);
    regret_results_free(r);
}

Test(results, seeds_without_rows_are_counted)
{
    struct made_up m = made_up_default();
    made_up_write(&m, folder);
    edit("run.json", "\"seeds\":6", "\"seeds\":8");
    struct regret_results *r = read_run();
    cr_assert_not_null(strstr(r->gaps, "2 of 8 seeds have no rows at all"), "%s", r->gaps);
    regret_results_free(r);
}

/* Rows of programs before the measures of agreement lack them, and are read all the same. */
Test(results, measures_that_an_older_program_did_not_write_are_missing_numbers)
{
    struct made_up m = made_up_default();
    m.n_seeds = 1;
    made_up_write(&m, folder);
    char *text = NULL, *from = NULL;
    size_t length = 0;
    cr_assert_eq(
        regret_file_read(&text, &length, made_path(folder, "results-1-of-1.jsonl"), 1 << 24), 0);
    while ((from = strstr(text, ",\"kendall\":")) != NULL) {
        const char *to = strstr(from, ",\"dm_rmse\":");
        memmove(from, to, strlen(to) + 1);
    }
    put_file("results-1-of-1.jsonl", text);
    regret_free(text);
    struct regret_results *r = read_run();
    for (size_t c = 0; c < r->n_cells; c++) {
        cr_assert(isnan(regret_results_value(r, REGRET_MEASURE_KENDALL, 0, c, 0)));
        cr_assert(isnan(regret_results_value(r, REGRET_MEASURE_HIT1, 0, c, 0)));
        cr_assert(isfinite(regret_results_value(r, REGRET_MEASURE_SPEARMAN, 0, c, 0)));
    }
    regret_results_free(r);
}

/* Of a vote the outcome is as if the other had been drawn uniformly, and may be beyond 1. */
Test(results, values_of_policies_are_rewards_without_bounds)
{
    struct made_up m = made_up_default();
    made_up_write(&m, folder);
    edit("results-1-of-1.jsonl", "\"regret\":0.", "\"policy_ips\":1.25,\"regret\":0.");
    regret_results_free(read_run());
}

/* What run.json says of its families goes before what this program knows; it may know none of them. */
Test(results, families_are_what_the_run_says)
{
    struct made_up m = made_up_default();
    m.n_seeds = 1;
    m.n_families = 3;
    made_up_write(&m, folder);
    struct regret_results *r = read_run();
    cr_assert_eq(r->subjects[0].roles, REGRET_ROLE_PAPER, "of an older program: by its name");
    cr_assert_eq(r->subjects[1].roles, REGRET_ROLE_PAPER | REGRET_ROLE_OBS_BASED);
    cr_assert_null(r->subjects[1].variant_of);
    regret_results_free(r);
    edit("run.json", "\"cells\":",
         "\"family_facts\":[{\"family\":\"exp-only\",\"roles\":[\"obs-based\",\"a later role\"]},"
         "{\"family\":\"obs-only\",\"roles\":[]},{\"family\":\"representation-exp\","
         "\"roles\":[],\"variant_of\":\"exp-only\"}],\"cells\":");
    r = read_run();
    cr_assert_eq(r->subjects[0].roles, REGRET_ROLE_OBS_BASED);
    cr_assert_eq(r->subjects[1].roles, 0);
    cr_assert_null(r->subjects[1].variant_of);
    cr_assert_str_eq(r->subjects[2].variant_of, "exp-only");
    regret_results_free(r);
}

Test(results, null_numbers_are_missing_numbers)
{
    struct made_up m = made_up_default();
    made_up_write(&m, folder);
    edit("results-1-of-1.jsonl", "\"regret\":0.", "\"regret\":null,\"rmse\":0.1}\n#");
    char *text = NULL;
    cr_assert_eq(regret_file_read(&text, NULL, made_path(folder, "results-1-of-1.jsonl"), 1 << 24),
                 0);
    char *hash = strchr(text, '#'); /* the rest of the first line */
    memset(hash, ' ', strcspn(hash, "\n"));
    put_file("results-1-of-1.jsonl", text);
    regret_free(text);
    struct regret_results *r = read_run();
    cr_assert(isnan(regret_results_value(r, REGRET_MEASURE_REGRET, 0, 0, 0)));
    cr_assert(isnan(regret_results_value(r, REGRET_MEASURE_DM_RMSE, 0, 0, 0)));
    cr_assert_not_null(r->gaps);
    cr_assert_not_null(
        strstr(r->gaps, "INCOMPLETE: 143 of 144 replicates; missing: cell 0 seed 0 (exp-only)."),
        "%s", r->gaps);
    struct regret_buffer table = REGRET_BUFFER_INIT;
    cr_assert_eq(regret_report_table(&table, r, "summary", REGRET_FORMAT_MARKDOWN), 0);
    cr_assert_not_null(
        strstr(regret_buffer_get(&table), "1 row has no finite regret and counts as missing"));
    regret_buffer_free(&table);
    regret_results_free(r);
}

/* A line of a column that few runs have, which this run has not: tests/outside/check_results.py makes such runs. */
static int is_of_few(const char *line)
{
    const char *end = strchr(line, '\n'), *only = strstr(line, "; only ");
    return only != NULL && (end == NULL || only < end);
}

/* The names in backticks of the first cell of every line of a table in docs/formats.md. */
static void documented_columns(struct regret_buffer *out, const char *heading)
{
    char *text = NULL;
    cr_assert_eq(regret_file_read(&text, NULL, REGRET_SOURCE_FOLDER "/docs/formats.md", 1 << 20),
                 0);
    const char *line = strstr(text, heading);
    cr_assert_not_null(line);
    line = strstr(line, "\n|---|");
    while (line != NULL && (line = strchr(line + 1, '\n')) != NULL && line[1] == '|') {
        const char *end = strchr(line + 2, '|');
        for (const char *p = strchr(line, '`'); !is_of_few(line + 1) && p != NULL && p < end;
             p = strchr(p + 1, '`')) {
            const char *stop = strchr(p + 1, '`');
            regret_buffer_append(out, out->length > 0 ? "," : "");
            regret_buffer_append_n(out, p + 1, (size_t)(stop - p - 1));
            p = stop;
        }
    }
    regret_free(text);
}

/* docs/formats.md names every column of results.csv, in order, and no other but of few runs. */
Test(results, every_column_is_documented)
{
    struct made_up m = made_up_default();
    struct regret_buffer csv = REGRET_BUFFER_INIT, documented = REGRET_BUFFER_INIT;
    made_up_write(&m, folder);
    struct regret_results *r = read_run();
    cr_assert_eq(regret_results_csv(&csv, r), 0);
    *strchr(csv.data, '\n') = '\0';
    documented_columns(&documented, "# results.csv\n");
    cr_assert_str_eq(regret_buffer_get(&documented), csv.data);
    regret_buffer_free(&csv);
    regret_buffer_free(&documented);
    regret_results_free(r);
}
