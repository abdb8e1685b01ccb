/* What commands print for programs. */
#include <cjson/cJSON.h>
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "cli/process.h"
#include "regret/buffer.h"
#include "regret/status.h"

TestSuite(json_output, .init = process_open, .fini = process_close);

static cJSON *printed(const char *arguments)
{
    cJSON *value = NULL;
    cr_assert_eq(process_run(arguments), 0, "%s: %s", arguments, process_stderr);
    cr_assert_eq(regret_json_parse(&value, process_stdout, strlen(process_stdout),
                                   (struct regret_place){arguments, 0}),
                 0, "%s", regret_error_message());
    return value;
}

static const char *string_of(const cJSON *object, const char *name)
{
    const cJSON *member = cJSON_GetObjectItemCaseSensitive(object, name);
    cr_assert(cJSON_IsString(member), "%s", name);
    return member->valuestring;
}

static const cJSON *array_of(const cJSON *object, const char *name)
{
    const cJSON *member = cJSON_GetObjectItemCaseSensitive(object, name);
    cr_assert(cJSON_IsArray(member), "%s", name);
    return member;
}

static int number_or_null(const cJSON *value)
{
    return cJSON_IsNumber(value) || cJSON_IsNull(value);
}

/* A value is what the type of its column says. */
static void check_value(const cJSON *value, const char *type)
{
    if (strcmp(type, "text") == 0) {
        cr_expect(cJSON_IsString(value) || cJSON_IsNull(value));
    } else if (strcmp(type, "number") == 0) {
        cr_expect(number_or_null(value));
    } else {
        int mixed = strcmp(type, "mixed") == 0;
        cr_assert(mixed || strcmp(type, "estimate") == 0, "%s", type);
        cr_expect_eq(cJSON_GetArraySize(value), mixed ? 3 : 2);
        cr_expect(number_or_null(cJSON_GetObjectItemCaseSensitive(value, "value")));
        cr_expect(number_or_null(cJSON_GetObjectItemCaseSensitive(value, "se")));
        cr_expect_eq(mixed, cJSON_HasObjectItem(value, "text"));
    }
}

static void check_table(const cJSON *table)
{
    const cJSON *block = NULL, *row = NULL;
    cr_assert_str_eq(string_of(table, "format"), "regret-table-1");
    cr_assert_str_not_empty(string_of(table, "title"));
    array_of(table, "notes");
    cJSON_ArrayForEach(block, array_of(table, "blocks"))
    {
        const cJSON *columns = array_of(block, "columns");
        string_of(block, "heading");
        cJSON_ArrayForEach(row, array_of(block, "rows"))
        {
            cr_assert_eq(cJSON_GetArraySize(row), cJSON_GetArraySize(columns));
            for (int j = 0; j < cJSON_GetArraySize(row); j++) {
                check_value(cJSON_GetArrayItem(row, j),
                            string_of(cJSON_GetArrayItem(columns, j), "type"));
            }
        }
    }
}

/* The value in the first row of the column of that name, in the block of that number. */
static const cJSON *first(const cJSON *table, int number, const char *name)
{
    const cJSON *block = cJSON_GetArrayItem(array_of(table, "blocks"), number);
    const cJSON *columns = array_of(block, "columns");
    int j = 0;
    while (strcmp(string_of(cJSON_GetArrayItem(columns, j), "name"), name) != 0) {
        cr_assert_lt(++j, cJSON_GetArraySize(columns), "no column %s", name);
    }
    return cJSON_GetArrayItem(cJSON_GetArrayItem(array_of(block, "rows"), 0), j);
}

Test(json_output, of_pools_and_of_the_machine)
{
    cJSON *table = printed("pool show pool --json");
    check_table(table);
    cr_expect_str_eq(string_of(table, "name"), "pool");
    cr_expect_eq(cJSON_GetArraySize(array_of(table, "blocks")), 3);
    cr_expect_str_eq(first(table, 0, "origin")->valuestring, "SYNTHETIC");
    double agents = first(table, 0, "agents")->valuedouble;
    cr_expect_eq(agents, cJSON_GetArraySize(
                             array_of(cJSON_GetArrayItem(array_of(table, "blocks"), 2), "rows")));
    cJSON_Delete(table);
    table = printed("pool stats pool --json");
    check_table(table);
    cr_expect_eq(cJSON_GetArraySize(array_of(table, "blocks")), 9);
    cr_expect_eq(first(table, 0, "agents")->valuedouble, agents);
    cr_expect_eq(first(table, 7, "agents")->valuedouble, agents);
    double share = first(table, 7, "share of agents")->valuedouble +
                   first(table, 7, "share of contexts")->valuedouble +
                   first(table, 7, "share of agents x contexts")->valuedouble;
    cr_expect_lt(fabs(share - 1.0), 1e-12);
    cJSON_Delete(table);
    table = printed("doctor --json --threads 1");
    check_table(table);
    cr_expect_eq(first(table, 0, "threads checked")->valuedouble, 1.0);
    cr_expect_lt(first(table, 0, "largest error")->valuedouble, 1e-10);
    cJSON_Delete(table);
}

Test(json_output, of_runs)
{
    cr_assert_eq(process_run("run config.json -o a -q --no-report"), 0);
    cr_assert_eq(process_run("run config.json -o b -q --no-report --set cv.folds=4"), 0);
    cJSON *value = printed("report a --json -q");
    cr_expect_str_eq(string_of(value, "format"), "regret-report-1");
    cr_expect_str_eq(string_of(value, "folder"), "a/report");
    cr_expect_gt(cJSON_GetArraySize(array_of(value, "headline")), 0);
    const cJSON *file = NULL;
    int n = 0;
    cJSON_ArrayForEach(file, array_of(value, "files"))
    {
        char path[256];
        snprintf(path, sizeof path, "a/report/%s", file->valuestring);
        cr_expect(process_exists(path), "%s", path);
        n += strcmp(file->valuestring, "report.html") == 0 ||
             strcmp(file->valuestring, "tables/summary.csv") == 0;
        cr_expect_null(strstr(file->valuestring, ".json.json"));
    }
    cr_expect_eq(n, 2);
    check_table(cJSON_GetObjectItemCaseSensitive(value, "ranking"));
    cJSON_Delete(value);
    value = printed("report a --json -q -o elsewhere");
    cr_expect_str_eq(string_of(value, "folder"), "elsewhere");
    cJSON_Delete(value);
    value = printed("report a --format json");
    cr_expect_gt(cJSON_GetArraySize(value), 10);
    const cJSON *table = NULL;
    cJSON_ArrayForEach(table, value)
    {
        check_table(table);
    }
    cJSON_Delete(value);
    value = printed("report a --table winners -t summary --json");
    cr_expect_eq(cJSON_GetArraySize(value), 2);
    cr_expect_str_eq(string_of(cJSON_GetArrayItem(value, 1), "name"), "summary");
    cJSON_Delete(value);
    process_refused("report a --json --format csv", "--json is --format json");
    process_refused("compare a b --json -f md", "give one");
}

/* JSON has the numbers of the CSV. */
Test(json_output, of_a_comparison)
{
    cr_assert_eq(process_run("run config.json -o a -q --no-report"), 0);
    cr_assert_eq(process_run("run config.json -o b -q --no-report --set cv.folds=4"), 0);
    cJSON *table = printed("compare a b --json");
    check_table(table);
    const cJSON *row =
        cJSON_GetArrayItem(array_of(cJSON_GetArrayItem(array_of(table, "blocks"), 0), "rows"), 0);
    const cJSON *difference = cJSON_GetArrayItem(row, 3);
    char wanted[160];
    cr_assert_eq(process_run("compare a b --format csv"), 0);
    struct regret_buffer number = REGRET_BUFFER_INIT;
    regret_buffer_json_number(&number,
                              cJSON_GetObjectItemCaseSensitive(difference, "value")->valuedouble);
    snprintf(wanted, sizeof wanted, ",%s,B − A ± SE,%s,", cJSON_GetArrayItem(row, 0)->valuestring,
             regret_buffer_get(&number));
    process_wrote(wanted);
    regret_buffer_free(&number);
    cJSON_Delete(table);
}
