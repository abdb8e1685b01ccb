#include <stdio.h>
#include <string.h>

#include "regret/alloc.h"
#include "regret/file.h"
#include "report/table.h"

/* "* label: text" when there is a text. */
static void put_fact(struct regret_text *out, const char *label, const char *text)
{
    if (text != NULL && text[0] != '\0') {
        regret_text_printf(out, "* %s: ", label);
        markdown_escape(out, text);
        regret_text_append_char(out, '\n');
    }
}

static void put_grid(struct regret_text *out, const struct regret_run_facts *run)
{
    if (run->contexts >= 0 && run->agents >= 0) {
        regret_text_printf(out, "* Grid: %lld contexts × %lld agents", run->contexts, run->agents);
        if (run->draws > 1) {
            regret_text_printf(out, " × %lld draws", run->draws);
        }
        regret_text_append_char(out, '\n');
    }
}

static void put_head(struct regret_text *out, const struct regret_results *r)
{
    const struct regret_run_facts *run = &r->run;
    regret_text_append(out, "# ");
    markdown_escape(out, run->title != NULL        ? run->title
                         : run->pool_title != NULL ? run->pool_title
                                                   : run->pool_name);
    regret_text_append(out, run->synthetic
                                ? "\n\n**SYNTHETIC data.** The pool was generated; nothing here "
                                  "says anything about a real task.\n\n"
                                : "\n\nA real task: the outputs and their scores were collected; "
                                  "OBS and EXP are resampled from them.\n\n");
    if (r->gaps != NULL) {
        regret_text_append(out, "**");
        markdown_escape(out, r->gaps);
        regret_text_append(out, "**\n\n");
    }
    put_fact(out, "Pool", run->pool_name);
    put_fact(out, "Pool title", run->pool_title);
    put_fact(out, "Pool version", run->pool_version);
    put_fact(out, "Pool digest", run->pool_digest);
    put_fact(out, "Licence", run->pool_licence);
    put_grid(out, run);
    regret_text_printf(out, "* Cells: %zu, seeds: %zu, replicates: %zu of %zu\n", r->n_cells,
                       r->seeds_planned, r->n_complete, r->n_cells * r->seeds_planned);
    regret_text_append(out, "* Families: ");
    for (size_t f = 0; f < r->n_families; f++) {
        regret_text_append(out, f > 0 ? ", " : "");
        markdown_escape(out, r->subjects[f].name);
    }
    regret_text_append_char(out, '\n');
    put_fact(out, "Version of regret", run->version);
    put_fact(out, "BLAS", run->blas_build);
    put_fact(out, "BLAS kernel", run->blas_kernel);
    regret_text_append(out, "\nTo repeat the run, with the config.json beside this file:\n\n"
                            "    regret run config.json --set pool=FOLDER -o RUN\n");
    regret_text_append(out, "\nAll rows are in results.csv, every table by itself in tables/.\n");
}

/* Writes `text` to folder/name, unless building it failed. */
static int write_text(const char *folder, const char *name, const struct regret_text *text)
{
    char *path = NULL;
    int rc = regret_text_status(text);
    if (rc == REGRET_OK) {
        rc = regret_path_join(&path, folder, name);
    }
    if (rc == REGRET_OK) {
        rc = regret_file_write(path, regret_text_get(text), text->length);
    }
    regret_free(path);
    return rc;
}

/* One table in every format; its Markdown goes into the report too. */
static int write_table(struct regret_text *report, const char *folder,
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
            rc = write_text(folder, file, &text);
        }
        if (rc == REGRET_OK && format == REGRET_FORMAT_MARKDOWN) {
            regret_text_append_char(report, '\n');
            regret_text_append_n(report, regret_text_get(&text), text.length);
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
        rc = write_text(folder, "results.csv", &text);
    }
    regret_text_clear(&text);
    if (rc == REGRET_OK) {
        regret_text_printf(&text, "%s\n", r->run.config);
        rc = write_text(folder, "config.json", &text);
    }
    regret_text_free(&text);
    return rc;
}

static int write_all(const char *folder, const struct regret_results *r)
{
    const char *const *names = NULL;
    size_t n = regret_report_tables(&names);
    struct regret_text report = REGRET_TEXT_INIT;
    char *tables = NULL;
    int rc = regret_path_join(&tables, folder, "tables");
    if (rc == REGRET_OK) {
        rc = regret_folder_create(tables);
    }
    put_head(&report, r);
    for (size_t i = 0; rc == REGRET_OK && i < n; i++) {
        rc = write_table(&report, folder, r, names[i]);
    }
    if (rc == REGRET_OK) {
        rc = write_plain(folder, r);
    }
    if (rc == REGRET_OK) {
        rc = write_text(folder, "report.md", &report);
    }
    regret_free(tables);
    regret_text_free(&report);
    return rc;
}

int regret_report_write(const char *run_folder, const char *out_folder)
{
    struct regret_results *r = NULL;
    char *own = NULL;
    struct regret_staging staging = {NULL, NULL};
    int rc = regret_results_read(&r, run_folder);
    if (rc == REGRET_OK && out_folder == NULL) {
        rc = regret_path_join(&own, run_folder, "report");
        out_folder = own;
    }
    if (rc == REGRET_OK) {
        rc = regret_staging_begin(&staging, out_folder, 1, "report.md");
    }
    if (rc == REGRET_OK) {
        rc = write_all(staging.partial, r);
        if (rc == REGRET_OK) {
            rc = regret_staging_commit(&staging);
        }
        regret_staging_abandon(&staging);
    }
    regret_free(own);
    regret_results_free(r);
    return rc;
}
