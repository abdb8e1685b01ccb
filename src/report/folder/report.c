#include <stdio.h>
#include <string.h>

#include <cJSON.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "regret/csv.h"
#include "regret/file.h"
#include "report/figures/figure.h"
#include "report/folder/report.h"
#include "report/folder/wide.h"
#include "report/tables/spec.h"

/* CSV, by the end of its name, is guarded where that is asked for. */
static int write_file(const struct report *r, const char *name, const struct regret_buffer *text)
{
    struct regret_buffer guarded = REGRET_BUFFER_INIT;
    if (!r->options->safe_csv || strcmp(strrchr(name, '.'), ".csv") != 0) {
        return regret_file_write_text(r->folder, name, text);
    }
    regret_csv_guard(&guarded, regret_buffer_get(text), text->length);
    int rc = regret_file_write_text(r->folder, name, &guarded);
    regret_buffer_free(&guarded);
    return rc;
}

static int write_table(const struct report *r, const struct table *t, int is_wide)
{
    FREED_BY(regret_buffer_free) struct regret_buffer text = REGRET_BUFFER_INIT;
    char file[64];
    snprintf(file, sizeof file, "tables/%s%s.csv", is_wide ? "wide/" : "", t->name);
    TRY(is_wide ? wide_csv(&text, t, r->results) : render(&text, t, REGRET_FORMAT_CSV));
    return write_file(r, file, &text);
}

static int write_plain(const struct report *r)
{
    struct regret_buffer text = REGRET_BUFFER_INIT;
    char *config = NULL;
    int rc;
    TRY_CLEANUP(regret_results_csv(&text, r->results));
    TRY_CLEANUP(write_file(r, "results.csv", &text));
    regret_buffer_clear(&text);
    config = cJSON_Print(r->results->run.config);
    if (config == NULL) {
        rc = regret_fail(REGRET_E_NOMEM, "out of memory: the configuration");
        goto cleanup;
    }
    regret_buffer_printf(&text, "%s\n", config);
    rc = regret_file_write_text(r->folder, "config.json", &text);
cleanup:
    cJSON_free(config);
    regret_buffer_free(&text);
    return rc;
}

static int create_folder(const char *folder, const char *name)
{
    FREED char *path = NULL;
    TRY(regret_path_join(&path, folder, name));
    return regret_folder_create(path);
}

static int write_figures(const struct report *r)
{
    FREED char *path = NULL;
    TRY(regret_path_join(&path, r->folder, "figures"));
    TRY(regret_folder_create(path));
    return figures_save(path, &r->figures, r->options->safe_csv);
}

static int make_tables(struct report *r)
{
    const char *const *names = NULL;
    size_t n = regret_report_tables(&names);
    TRY(REGRET_NEW(&r->tables, n));
    while (r->n_tables < n) {
        const char *name = names[r->n_tables];
        TRY(table_make(&r->tables[r->n_tables++], r->results, name));
    }
    return REGRET_OK;
}

static int write_tables(const struct report *r)
{
    TRY(create_folder(r->folder, "tables"));
    TRY(create_folder(r->folder, "tables/wide"));
    for (size_t i = 0; i < r->n_tables; i++) {
        TRY(write_table(r, &r->tables[i], 0));
        TRY(write_table(r, &r->tables[i], 1));
    }
    return REGRET_OK;
}

/* report.md or report.html. */
static int write_page(const struct report *r, const char *file,
                      int (*make)(struct regret_buffer *, const struct report *))
{
    FREED_BY(regret_buffer_free) struct regret_buffer text = REGRET_BUFFER_INIT;
    TRY(make(&text, r));
    return regret_file_write_text(r->folder, file, &text);
}

/* The pool of the run, where it lies where it lay and is the same; else NULL: what lies there is another, or no pool. A
 * generated one has no texts that anyone wants to read. */
static int find_pool(struct regret_pool **out, const struct regret_results *results)
{
    const cJSON *path = cJSON_GetObjectItem(results->run.config, "pool");
    if (!cJSON_IsString(path) || strncmp(path->valuestring, "synth:", 6) == 0) {
        return REGRET_OK;
    }
    int rc = regret_pool_read(out, path->valuestring);
    if (rc == REGRET_E_INPUT) {
        return REGRET_OK;
    }
    TRY(rc);
    if (results->run.pool_digest == NULL || strcmp((*out)->digest, results->run.pool_digest) != 0) {
        regret_pool_free(*out);
        *out = NULL;
    }
    return REGRET_OK;
}

/* Runs whose rows hold no lists, or whose cells differ in their contexts, recommend nothing in particular. */
static int make_advice(struct report *r)
{
    struct regret_pool *pool = NULL;
    if (r->results->n_grids != 1) {
        return REGRET_OK;
    }
    TRY(find_pool(&pool, r->results));
    int rc = recommend_for_page(&r->advice, r->results, pool);
    regret_pool_free(pool);
    if (rc == REGRET_E_INPUT) {
        page_advice_free(&r->advice);
        r->advice = (struct page_advice){0};
        rc = REGRET_OK;
    }
    return rc;
}

static int write_all(struct report *r)
{
    TRY(make_advice(r));
    TRY(headline_make(&r->headline, r->results, regret_buffer_get(&r->advice.words)));
    TRY(figures_make(&r->figures, r->results));
    TRY(make_tables(r));
    TRY(write_tables(r));
    TRY(write_figures(r));
    TRY(write_plain(r));
    TRY(write_page(r, "report.md", run_markdown));
    TRY(run_has_requests(r) ? write_page(r, REQUESTS_PAGE, run_requests_page) : REGRET_OK);
    return write_page(r, "report.html", run_page);
}

static void report_free(struct report *r)
{
    for (size_t i = 0; i < r->n_tables; i++) {
        table_free(&r->tables[i]);
    }
    regret_free(r->tables);
    headline_free(&r->headline);
    page_advice_free(&r->advice);
    figures_free(&r->figures);
}

/* What of a folder is a report's, for regret_staging_begin(): tables of all kinds, whichever this one has, and two that reports had. */
static void list_own(struct regret_buffer *out)
{
    const char *const *tables = NULL;
    size_t n = regret_report_tables(&tables);
    regret_buffer_append(out, "report.md report.html requests.html config.json results.csv "
                              "figures/*.svg figures/*.csv tables/against.* tables/wide/against.* "
                              "tables/claims.* tables/wide/claims.* tables/*? tables/wide/*?");
    for (size_t i = 0; i < n; i++) {
        regret_buffer_printf(out, " tables/%s.* tables/wide/%s.*", tables[i], tables[i]);
    }
}

int regret_report_write(const char *run_folder, const char *out_folder,
                        const struct regret_report_options *options)
{
    struct regret_results *results = NULL;
    const struct regret_report_options plain = {0};
    struct report r = {.options = options != NULL ? options : &plain};
    char *own = NULL;
    struct regret_staging staging = REGRET_STAGING_INIT;
    FREED_BY(regret_buffer_free) struct regret_buffer names = REGRET_BUFFER_INIT;
    int rc;
    list_own(&names);
    TRY_CLEANUP(regret_buffer_status(&names));
    TRY_CLEANUP(regret_results_read(&results, run_folder));
    if (out_folder == NULL) {
        TRY_CLEANUP(regret_path_join(&own, run_folder, "report"));
        out_folder = own;
    }
    TRY_CLEANUP(regret_staging_begin(&staging, out_folder, 1, regret_buffer_get(&names)));
    r.results = results;
    r.folder = staging.partial;
    TRY_CLEANUP(write_all(&r));
    rc = regret_staging_commit(&staging);
cleanup:
    regret_staging_abandon(&staging);
    report_free(&r);
    regret_free(own);
    regret_results_free(results);
    return rc;
}
