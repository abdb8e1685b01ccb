#include "import/guess_checks.h"

#include <criterion/criterion.h>
#include <string.h>

#include "pool/sample.h"

size_t guess_imports(struct regret_table_report *report, const struct table_guess *g,
                     const char *table)
{
    struct regret_buffer map = REGRET_BUFFER_INIT;
    struct regret_table_options options = REGRET_TABLE_OPTIONS_INIT;
    struct regret_pool *pool = NULL;
    options.layout = g->is_json ? REGRET_TABLE_LAYOUT_JSONL : REGRET_TABLE_LAYOUT_CSV;
    options.separator = g->separator;
    table_guess_map(&map, g, "t");
    sample_write("map.json", regret_buffer_get(&map));
    regret_buffer_free(&map);
    cr_assert_eq(regret_import_table(report, sample_path(table), sample_path("map.json"),
                                     sample_path("p"), &options, 1),
                 0, "%s", regret_error_message());
    cr_assert_eq(regret_pool_read(&pool, sample_path("p")), 0, "%s", regret_error_message());
    size_t values = pool->n_components + pool->n_aux;
    cr_assert_eq(strlen(pool->contexts[0].id) <= REGRET_POOL_MAX_ID, 1);
    regret_pool_free(pool);
    return values;
}

void guess_refuses(const char *table, const char *text, const char *words)
{
    struct table_guess g;
    sample_write(table, text);
    cr_assert_eq(table_guess_make(&g, sample_path(table), &(struct guess_known){0}),
                 REGRET_E_INPUT);
    cr_assert_not_null(strstr(regret_error_message(), words), "%s", regret_error_message());
    table_guess_free(&g);
}
