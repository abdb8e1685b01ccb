#include <stdio.h>
#include <string.h>

#include <cJSON.h>

#include "base/try.h"
#include "regret/alloc.h"
#include "regret/csv.h"
#include "regret/file.h"
#include "report/against.h"
#include "report/head.h"
#include "report/table.h"

/* What the files of a report are made of, and the two that grow table by table. */
struct report {
    const struct regret_results *results;
    const struct regret_report_options *options;
    const char *folder;
    struct regret_text markdown, page;
};

static int write_csv(const struct report *r, const char *name, const struct regret_text *text)
{
    struct regret_text guarded = REGRET_TEXT_INIT;
    if (!r->options->safe_csv) {
        return regret_file_write_text(r->folder, name, text);
    }
    regret_csv_guard(&guarded, regret_text_get(text), text->length);
    int rc = regret_file_write_text(r->folder, name, &guarded);
    regret_text_free(&guarded);
    return rc;
}

static int write_table(struct report *r, const char *name, enum regret_format format)
{
    struct regret_text text = REGRET_TEXT_INIT;
    char file[64];
    int rc;
    snprintf(file, sizeof file, "tables/%s.%s", name, regret_format_word(format));
    rc = strcmp(name, REGRET_AGAINST) == 0
             ? regret_report_against(&text, r->results, r->options->against, format)
             : regret_report_table(&text, r->results, name, format);
    TRY_CLEANUP(rc);
    rc = format == REGRET_FORMAT_CSV ? write_csv(r, file, &text)
                                     : regret_file_write_text(r->folder, file, &text);
    if (format == REGRET_FORMAT_MARKDOWN) {
        regret_text_append_char(&r->markdown, '\n');
        regret_text_append_n(&r->markdown, regret_text_get(&text), text.length);
    } else if (format == REGRET_FORMAT_HTML) {
        regret_text_append_n(&r->page, regret_text_get(&text), text.length);
    }
cleanup:
    regret_text_free(&text);
    return rc;
}

static int write_plain(const struct report *r)
{
    struct regret_text text = REGRET_TEXT_INIT;
    char *config = NULL;
    int rc;
    TRY_CLEANUP(regret_results_csv(&text, r->results));
    TRY_CLEANUP(write_csv(r, "results.csv", &text));
    regret_text_clear(&text);
    config = cJSON_Print(r->results->run.config);
    if (config == NULL) {
        rc = regret_fail(REGRET_E_NOMEM, "out of memory: the configuration");
        goto cleanup;
    }
    regret_text_printf(&text, "%s\n", config);
    rc = regret_file_write_text(r->folder, "config.json", &text);
cleanup:
    cJSON_free(config);
    regret_text_free(&text);
    return rc;
}

static int create_tables_folder(const char *folder)
{
    char *tables = NULL;
    TRY(regret_path_join(&tables, folder, "tables"));
    int rc = regret_folder_create(tables);
    regret_free(tables);
    return rc;
}

/* The tables of every report and, where it is asked for, the one that holds the run against others. */
static int list_tables(const char ***out, size_t *n, const struct regret_report_options *options)
{
    const char *const *names = NULL;
    *n = regret_report_tables(&names);
    TRY(REGRET_NEW(out, *n + 1));
    memcpy(*out, names, *n * sizeof *names);
    if (options->against != NULL) {
        (*out)[(*n)++] = REGRET_AGAINST;
    }
    return REGRET_OK;
}

static int write_tables(struct report *r, const char *const *names, size_t n)
{
    head_html(&r->page, r->results, names, n);
    for (size_t i = 0; i < n; i++) {
        for (int f = 0; f < REGRET_N_FORMATS; f++) {
            TRY(write_table(r, names[i], (enum regret_format)f));
        }
    }
    return REGRET_OK;
}

static int write_all(struct report *r)
{
    const char **names = NULL;
    size_t n = 0;
    TRY(create_tables_folder(r->folder));
    TRY(list_tables(&names, &n, r->options));
    head_markdown(&r->markdown, r->results);
    int rc = write_tables(r, names, n);
    regret_free(names);
    TRY(rc);
    TRY(write_plain(r));
    TRY(regret_file_write_text(r->folder, "report.md", &r->markdown));
    regret_text_append(&r->page, "</main>\n</body>\n</html>\n");
    return regret_file_write_text(r->folder, "report.html", &r->page);
}

/* What the run is held against where the call does not say: what its configuration names. */
static int resolve(struct regret_report_options *out, char **configured,
                   const struct regret_results *results, const struct regret_report_options *given)
{
    *out = given != NULL ? *given : (struct regret_report_options){0};
    if (out->against == NULL) {
        TRY(against_configured(configured, results));
        out->against = *configured;
    } else if (strcmp(out->against, REGRET_AGAINST_NOTHING) == 0) {
        out->against = NULL;
    }
    return REGRET_OK;
}

int regret_report_write(const char *run_folder, const char *out_folder,
                        const struct regret_report_options *options)
{
    struct regret_results *results = NULL;
    struct regret_report_options resolved = {0};
    struct report r = {
        .options = &resolved, .markdown = REGRET_TEXT_INIT, .page = REGRET_TEXT_INIT};
    char *own = NULL, *configured = NULL;
    struct regret_staging staging = REGRET_STAGING_INIT;
    int rc;
    TRY_CLEANUP(regret_results_read(&results, run_folder));
    TRY_CLEANUP(resolve(&resolved, &configured, results, options));
    if (out_folder == NULL) {
        TRY_CLEANUP(regret_path_join(&own, run_folder, "report"));
        out_folder = own;
    }
    TRY_CLEANUP(regret_staging_begin(&staging, out_folder, 1, "report.md"));
    r.results = results;
    r.folder = staging.partial;
    TRY_CLEANUP(write_all(&r));
    rc = regret_staging_commit(&staging);
cleanup:
    regret_staging_abandon(&staging);
    regret_text_free(&r.markdown);
    regret_text_free(&r.page);
    regret_free(own);
    regret_free(configured);
    regret_results_free(results);
    return rc;
}
