#include <stdio.h>
#include <string.h>

#include "base/try.h"
#include "regret/alloc.h"
#include "regret/file.h"
#include "report/head.h"
#include "report/table.h"

/* One table in every format; its Markdown and HTML go into the two reports too. */
static int write_table(struct regret_text *report, struct regret_text *page, const char *folder,
                       const struct regret_results *r, const char *name)
{
    int rc = REGRET_OK;
    for (int f = 0; rc == REGRET_OK && f < REGRET_N_FORMATS; f++) {
        enum regret_format format = (enum regret_format)f;
        struct regret_text text = REGRET_TEXT_INIT;
        char file[64];
        snprintf(file, sizeof file, "tables/%s.%s", name, regret_format_word(format));
        rc = regret_report_table(&text, r, name, format);
        if (rc == REGRET_OK) {
            rc = regret_file_write_text(folder, file, &text);
        }
        if (rc == REGRET_OK && format == REGRET_FORMAT_MARKDOWN) {
            regret_text_append_char(report, '\n');
            regret_text_append_n(report, regret_text_get(&text), text.length);
        } else if (rc == REGRET_OK && format == REGRET_FORMAT_HTML) {
            regret_text_append_n(page, regret_text_get(&text), text.length);
        }
        regret_text_free(&text);
    }
    return rc;
}

static int write_plain(const char *folder, const struct regret_results *r)
{
    struct regret_text text = REGRET_TEXT_INIT;
    int rc = regret_results_csv(&text, r);
    if (rc == REGRET_OK) {
        rc = regret_file_write_text(folder, "results.csv", &text);
    }
    regret_text_clear(&text);
    if (rc == REGRET_OK) {
        regret_text_printf(&text, "%s\n", r->run.config);
        rc = regret_file_write_text(folder, "config.json", &text);
    }
    regret_text_free(&text);
    return rc;
}

static int write_all(const char *folder, const struct regret_results *r)
{
    const char *const *names = NULL;
    size_t n = regret_report_tables(&names);
    struct regret_text report = REGRET_TEXT_INIT, page = REGRET_TEXT_INIT;
    char *tables = NULL;
    int rc = regret_path_join(&tables, folder, "tables");
    if (rc == REGRET_OK) {
        rc = regret_folder_create(tables);
    }
    head_markdown(&report, r);
    head_html(&page, r, names, n);
    for (size_t i = 0; rc == REGRET_OK && i < n; i++) {
        rc = write_table(&report, &page, folder, r, names[i]);
    }
    if (rc == REGRET_OK) {
        rc = write_plain(folder, r);
    }
    if (rc == REGRET_OK) {
        rc = regret_file_write_text(folder, "report.md", &report);
    }
    regret_text_append(&page, "</main>\n</body>\n</html>\n");
    if (rc == REGRET_OK) {
        rc = regret_file_write_text(folder, "report.html", &page);
    }
    regret_free(tables);
    regret_text_free(&report);
    regret_text_free(&page);
    return rc;
}

int regret_report_write(const char *run_folder, const char *out_folder)
{
    struct regret_results *r = NULL;
    char *own = NULL;
    struct regret_staging staging = REGRET_STAGING_INIT;
    int rc;
    TRY_CLEANUP(regret_results_read(&r, run_folder));
    if (out_folder == NULL) {
        TRY_CLEANUP(regret_path_join(&own, run_folder, "report"));
        out_folder = own;
    }
    TRY_CLEANUP(regret_staging_begin(&staging, out_folder, 1, "report.md"));
    TRY_CLEANUP(write_all(staging.partial, r));
    rc = regret_staging_commit(&staging);
cleanup:
    regret_staging_abandon(&staging);
    regret_free(own);
    regret_results_free(r);
    return rc;
}
