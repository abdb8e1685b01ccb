#include "report/report.h"

#include <cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/csv.h"
#include "base/files.h"
#include "base/status.h"
#include "base/text.h"
#include "chart/figure.h"
#include "regret/buffer.h"
#include "regret/report.h"
#include "regret/status.h"
#include "report/headline.h"
#include "report/internal.h"
#include "report/lists.h"
#include "report/page.h"

/* The sentences of the first screen. */

/* Takes the sentence's memory unless it is empty. */
static int add_sentence(struct headline *h, struct regret_buffer *sentence)
{
    if (regret_buffer_status(sentence) != REGRET_OK || sentence->length == 0) {
        int rc = regret_buffer_status(sentence);
        regret_buffer_free(sentence);
        return rc;
    }
    h->sentences[h->n++] = *sentence;
    *sentence = (struct regret_buffer)REGRET_BUFFER_INIT;
    return REGRET_OK;
}

/* Of data/report/headline.sql, and what is to be borne in mind. */
static int fill(struct headline *h, struct run_sql *run)
{
    FREED_BY(table_free) struct table said = {0};
    struct regret_buffer text = REGRET_BUFFER_INIT;
    TRY(table_part(&h->regimes, run, "regimes"));
    TRY(table_part(&said, run, "headline"));
    for (size_t i = 0; i < said.n_notes; i++) {
        regret_buffer_append(&text, said.notes[i]);
        TRY(add_sentence(h, &text));
    }
    for (size_t kind = 0; kind < N_CAUTIONS; kind++) {
        if ((CAUTIONS_COMMON & CAUTION_BIT(kind)) != 0) {
            caution_say(&text, (enum caution)kind, run->r);
            TRY(add_sentence(h, &text));
        }
    }
    return REGRET_OK;
}

int headline_families(struct regret_buffer *out, const struct regret_results *r)
{
    FREED_BY(run_sql_close_at) struct run_sql *run = NULL;
    FREED_BY(table_free) struct table said = {0};
    TRY(run_sql_open(&run, r));
    TRY(table_part(&said, run, "headline"));
    regret_buffer_append(out, said.n_notes > 0 ? said.notes[0] : "");
    return regret_buffer_status(out);
}

void headline_rests(struct regret_buffer *out, const struct regret_results *r)
{
    regret_buffer_printf(out, "It rests on pool %s (%s): %zu cell%s, %zu seed%s", r->run.pool_name,
                         r->run.synthetic ? "SYNTHETIC data" : "real task", r->n_cells,
                         r->n_cells == 1 ? "" : "s", r->n_seeds, r->n_seeds == 1 ? "" : "s");
    if (r->n_grids > 0) {
        regret_buffer_printf(out, ", %zu contexts and %zu agents", r->grids[0].n_contexts,
                             r->grids[0].n_agents);
    }
    regret_buffer_append_char(out, '.');
}

int headline_make(struct headline *out, struct run_sql *run)
{
    FREED_BY(headline_free) struct headline h = {0};
    TRY(fill(&h, run));
    *out = h;
    h = (struct headline){0};
    return REGRET_OK;
}

void headline_free(struct headline *h)
{
    for (size_t i = 0; i < h->n; i++) {
        regret_buffer_free(&h->sentences[i]);
    }
    table_free(&h->regimes);
    *h = (struct headline){0};
}

/* How a run ends on a terminal or in a file: in a few lines. */

enum { LEAST_COLUMNS = 60, MOST_COLUMNS = 100, INDENT = 2 };

/* Words, names among them, that leave room for others on a line. */
static void put_short(struct regret_buffer *out, const char *text)
{
    enum { WORD = 40 };
    struct regret_buffer word = REGRET_BUFFER_INIT;
    while (*text != '\0') {
        size_t n = strcspn(text, " ");
        regret_buffer_clear(&word);
        regret_buffer_append_n(&word, text, n);
        safe_middle(out, regret_buffer_get(&word), WORD);
        regret_buffer_append(out, text[n] == ' ' ? " " : "");
        text += n + (text[n] == ' ');
    }
    regret_buffer_free_into(out, &word);
}

/* Lines of whole words, `most` of them; what is cut off ends in dots, and the other places have it whole. Frees the sentence,
 * in which names are other people's. */
static void put_lines(struct regret_buffer *out, struct regret_buffer *sentence, size_t columns,
                      size_t most)
{
    const struct text_margins margins = {columns - 2, INDENT,
                                         (size_t)2 * INDENT}; /* and room for dots */
    struct regret_buffer safe = REGRET_BUFFER_INIT, cut = REGRET_BUFFER_INIT,
                         lines = REGRET_BUFFER_INIT;
    regret_buffer_append_safe(&safe, regret_buffer_get(sentence), (size_t)-1);
    put_short(&cut, regret_buffer_get(&safe));
    text_wrap(&lines, regret_buffer_get(&cut), &margins);
    const char *end = regret_buffer_get(&lines);
    for (size_t i = 0; i < most && *end != '\0'; i++) {
        end += strcspn(end, "\n");
        end += *end == '\n';
    }
    size_t length = (size_t)(end - regret_buffer_get(&lines));
    int is_cut = length > 0 && length < lines.length;
    regret_buffer_append_n(out, regret_buffer_get(&lines), is_cut ? length - 1 : length);
    regret_buffer_append(out, is_cut ? " …\n" : "");
    regret_buffer_free_into(out, &lines);
    regret_buffer_free_into(out, &safe);
    regret_buffer_free_into(out, &cut);
    regret_buffer_free_into(out, sentence);
}

/* "Bear in mind: holes in the table; few seeds." */
static int put_cautions(struct regret_buffer *out, const struct regret_results *r, size_t columns)
{
    static const char *const words[N_CAUTIONS] = {
        [CAUTION_GAPS] = "the run is not finished",
        [CAUTION_UNMADE] = "fits of families are missing",
        [CAUTION_GRID] = "holes in the table",
        [CAUTION_APART] = "agents that votes put in no order",
        [CAUTION_LEAKS] = "families that seem to know what was held out",
        [CAUTION_CONSTANT] = "agents with one text for every context",
        [CAUTION_CONTEXTS] = "few contexts held out",
        [CAUTION_SEEDS] = "few seeds",
        [CAUTION_SPREAD] = "scores that were changed"};
    struct regret_buffer line = REGRET_BUFFER_INIT;
    struct cautions c;
    TRY(cautions_make(&c, r, CAUTIONS_ALL & ~CAUTION_BIT(CAUTION_SYNTHETIC)));
    for (size_t i = 0; i < c.n; i++) {
        regret_buffer_printf(&line, "%s%s", i == 0 ? "Bear in mind: " : "; ", words[c.kind[i]]);
    }
    regret_buffer_append(&line, c.n > 0 ? "." : "");
    put_lines(out, &line, columns, 2);
    cautions_free(&c);
    return REGRET_OK;
}

/* What it rests on, and where the page is. */
static int put_rest(struct regret_buffer *out, const struct regret_results *r, const char *folder,
                    size_t columns)
{
    struct regret_buffer line = REGRET_BUFFER_INIT;
    headline_rests(&line, r);
    put_lines(out, &line, columns, 2);
    TRY(put_cautions(out, r, columns));
    shell_path(out, "  Page: ", folder, "/report.html");
    regret_buffer_append_char(out, '\n');
    return regret_buffer_status(out);
}

int regret_report_ending(struct regret_buffer *out, const struct regret_results *results,
                         const char *folder, size_t columns)
{
    FREED_BY(regret_buffer_free) struct regret_buffer families = REGRET_BUFFER_INIT;
    FREED_BY(regret_buffer_free) struct regret_buffer rest = REGRET_BUFFER_INIT;
    columns = columns < LEAST_COLUMNS  ? LEAST_COLUMNS
              : columns > MOST_COLUMNS ? MOST_COLUMNS
                                       : columns;
    TRY(put_rest(&rest, results, folder, columns));
    TRY(headline_families(&families, results));
    put_lines(out, &families, columns, REGRET_ENDING_LINES - text_count_lines(&rest));
    regret_buffer_append(out, regret_buffer_get(&rest));
    return regret_buffer_status(out);
}

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

static int write_table(const struct report *r, const struct table *t)
{
    FREED_BY(regret_buffer_free) struct regret_buffer text = REGRET_BUFFER_INIT;
    char file[64];
    snprintf(file, sizeof file, "tables/%s.csv", t->name);
    TRY(render(&text, t, REGRET_FORMAT_CSV));
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
        TRY(table_make(&r->tables[r->n_tables++], r->run, name));
    }
    return REGRET_OK;
}

static int write_tables(const struct report *r)
{
    TRY(create_folder(r->folder, "tables"));
    for (size_t i = 0; i < r->n_tables; i++) {
        TRY(write_table(r, &r->tables[i]));
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

static void put_data(struct regret_buffer *out, const struct regret_results *r)
{
    regret_buffer_append(out, "# ");
    markdown_escape(out, head_title(&r->run));
    if (r->run.synthetic) {
        regret_buffer_printf(out, "\n\n**%s** %s\n\n", head_synthetic, head_not_real);
    } else {
        regret_buffer_printf(out, "\n\n%s\n\n", head_real);
    }
    if (r->gaps != NULL) {
        regret_buffer_append(out, "**");
        markdown_escape(out, r->gaps);
        regret_buffer_append(out, "**\n\n");
    }
    if (r->unmade != NULL) {
        markdown_escape(out, r->unmade);
        regret_buffer_append(out, "\n\n");
    }
}

static void run_markdown_put_headline(struct regret_buffer *out, const struct headline *h)
{
    regret_buffer_append(out, "**");
    markdown_escape(out, regret_buffer_get(&h->sentences[0]));
    regret_buffer_append(out, "**\n\n");
    for (size_t i = 1; i < h->n; i++) {
        regret_buffer_append(out, "* ");
        markdown_escape(out, regret_buffer_get(&h->sentences[i]));
        regret_buffer_append_char(out, '\n');
    }
    regret_buffer_append_char(out, '\n');
}

static int put_table(struct regret_buffer *out, const struct table *t)
{
    TRY(t->idle ? REGRET_OK : render(out, t, REGRET_FORMAT_MARKDOWN));
    regret_buffer_append(out, t->idle ? "" : "\n");
    return REGRET_OK;
}

/* What the pool itself says, where the run keeps it, then the regimes and the ranking of the families. */
static int put_first_tables(struct regret_buffer *out, const struct report *r)
{
    for (size_t i = 0; i < r->n_tables; i++) {
        TRY(strcmp(r->tables[i].name, "means") == 0 ? put_table(out, &r->tables[i]) : REGRET_OK);
    }
    TRY(put_table(out, &r->headline.regimes));
    for (size_t i = 0; i < r->n_tables; i++) {
        TRY(strcmp(r->tables[i].name, "summary") == 0
                ? render(out, &r->tables[i], REGRET_FORMAT_MARKDOWN)
                : REGRET_OK);
    }
    return REGRET_OK;
}

/* Beside this file in tables/, those that say something of the run. */
static void put_list(struct regret_buffer *out, const struct report *r)
{
    regret_buffer_append(
        out,
        "\n## More\n\nreport.html is the whole report for a browser, results.csv has "
        "every row. Tables, each in tables/ as CSV (`regret report RUN --table NAME --format md`, "
        "or `tex` or `html`, prints one):\n\n");
    for (size_t i = 0; i < r->n_tables; i++) {
        if (!r->tables[i].idle) {
            regret_buffer_printf(out, "* [%s](tables/%s.csv): ", r->tables[i].name,
                                 r->tables[i].name);
            markdown_escape(out, r->tables[i].title);
            regret_buffer_append_char(out, '\n');
        }
    }
}

static void put_figures(struct regret_buffer *out, const struct figures *figures)
{
    regret_buffer_append(out,
                         figures->n > 0 ? "\nFigures, each in figures/ as .svg and .csv:\n\n" : "");
    for (size_t i = 0; i < figures->n; i++) {
        const struct figure *f = &figures->items[i];
        regret_buffer_printf(out, "* [%s](figures/%s.svg): ", f->name, f->name);
        markdown_escape(out, f->title);
        regret_buffer_append_char(out, '\n');
    }
}

/* The headline, the first table, where the others and the figures are, and the facts. */
static int run_markdown(struct regret_buffer *out, const struct report *r)
{
    put_data(out, r->results);
    run_markdown_put_headline(out, &r->headline);
    TRY(put_first_tables(out, r));
    put_list(out, r);
    put_figures(out, &r->figures);
    regret_buffer_append(out, "\n## The run\n\n");
    head_facts_markdown(out, r->results);
    regret_buffer_printf(out, "\nTo repeat it, with the config.json beside this file:\n\n    %s\n",
                         head_command(&r->results->run));
    return regret_buffer_status(out);
}

static int write_all(struct report *r)
{
    TRY(run_sql_open(&r->run, r->results));
    TRY(headline_make(&r->headline, r->run));
    TRY(figures_make(&r->figures, r->run));
    TRY(make_tables(r));
    TRY(write_tables(r));
    TRY(write_figures(r));
    TRY(write_plain(r));
    TRY(write_page(r, "report.md", run_markdown));
    return write_page(r, "report.html", run_page);
}

static void report_free(struct report *r)
{
    for (size_t i = 0; i < r->n_tables; i++) {
        table_free(&r->tables[i]);
    }
    regret_free(r->tables);
    run_sql_close(r->run);
    headline_free(&r->headline);
    figures_free(&r->figures);
}

/* What of a folder is a report's, for regret_staging_begin(): tables of all kinds, whichever this one has, and what earlier reports had. */
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

/* The families in each cell of a sweep, of which the page's script shows the one that is chosen. */

/* A third of a kilobyte each: of more the page would not stay small. */
enum { MOST_ROWS = 2500 };

int run_has_cells(const struct regret_results *r)
{
    return r->n_cells > 1 && r->n_cells * r->n_subjects <= MOST_ROWS;
}

/* A key that varies is a <span>: the script makes a choice of its values. */
static void put_keys(struct regret_buffer *out, const struct regret_results *r, size_t cell)
{
    const char *between = "";
    for (size_t k = 0; k < r->n_keys; k++) {
        const char *name = k == REGRET_KEY_BETA ? "β" : r->keys[k].name;
        if (r->keys[k].n_values > 1) {
            regret_buffer_printf(out, "%s<span data-key=\"", between);
            html_escape(out, name);
            regret_buffer_append(out, "\">");
            html_escape(out, name);
            regret_buffer_append_char(out, ' ');
            html_escape(out, regret_results_key_text(r, cell, k));
            regret_buffer_append(out, "</span>");
            between = ", ";
        }
    }
}

int run_cells(struct regret_buffer *out, struct run_sql *run)
{
    static char none[] = "";
    FREED_BY(table_free) struct table t = {0};
    TRY(table_part(&t, run, "cells"));
    page_section(out, PAGE_IN_PART, "cells", t.title);
    regret_buffer_append(out,
                         "<p>Δ to best: paired difference of regret over seeds to the family of "
                         "the lowest mean in the cell, with its 95 % bootstrap interval; not "
                         "separable: the interval holds 0.</p>\n<div class=\"cells\">\n");
    for (size_t i = 0; i < t.n_blocks; i++) {
        struct table_block block = t.blocks[i];
        const struct table one = {
            .name = t.name, .title = t.title, .blocks = &block, .n_blocks = 1};
        size_t cell = (size_t)strtoul(block.heading, NULL, 10);
        block.heading = none;
        regret_buffer_printf(out, "<details class=\"cell\" id=\"cell-%zu\">\n<summary>", cell + 1);
        put_keys(out, run->r, cell);
        regret_buffer_append(out, "</summary>\n");
        html_table(out, &one);
        regret_buffer_append(out, "</details>\n");
    }
    regret_buffer_append(out, "</div>\n</section>\n");
    return REGRET_OK;
}

/* What a report says, for programs: docs/formats.md. */

static int put_file(struct regret_buffer *out, const char *folder, const char *name, size_t *n)
{
    char *path = NULL;
    TRY(regret_path_join(&path, folder, name));
    if (!regret_is_folder(path)) {
        regret_buffer_append(out, (*n)++ > 0 ? "," : "");
        table_json_string(out, name);
    }
    regret_free(path);
    return REGRET_OK;
}

/* The files of folder/sub, by name. */
static int put_files(struct regret_buffer *out, const char *folder, const char *sub, size_t *n)
{
    FREED_BY(folder_list_free) struct folder_list files = {NULL, 0};
    FREED char *path = NULL, *name = NULL;
    TRY(regret_path_join(&path, folder, sub));
    TRY(folder_list_read(&files, path));
    for (size_t i = 0; i < files.n; i++) {
        TRY(regret_path_join(&name, sub, files.name[i]));
        TRY(put_file(out, folder, sub[0] == '.' ? files.name[i] : name, n));
        regret_free(name);
        name = NULL;
    }
    return REGRET_OK;
}

static int put_headline(struct regret_buffer *out, struct run_sql *run)
{
    FREED_BY(headline_free) struct headline h = {0};
    TRY(headline_make(&h, run));
    regret_buffer_append(out, ",\n\"headline\":[");
    for (size_t i = 0; i < h.n; i++) {
        regret_buffer_append(out, i > 0 ? ",\n " : "\n ");
        table_json_string(out, regret_buffer_get(&h.sentences[i]));
    }
    regret_buffer_append_char(out, ']');
    return REGRET_OK;
}

int regret_report_json(struct regret_buffer *out, const struct regret_results *results,
                       const char *folder)
{
    static const char *const subs[] = {".", "figures", "tables"};
    FREED_BY(run_sql_close_at) struct run_sql *run = NULL;
    FREED_BY(regret_buffer_free) struct regret_buffer ranking = REGRET_BUFFER_INIT;
    struct table summary = {0};
    size_t n = 0;
    TRY(run_sql_open(&run, results));
    TRY(render_made(&ranking, &summary, table_make(&summary, run, "summary"), REGRET_FORMAT_JSON));
    regret_buffer_append(out, "{\"format\":\"regret-report-1\"");
    TRY(put_headline(out, run));
    regret_buffer_append(out, ",\n\"folder\":");
    table_json_string(out, folder);
    regret_buffer_append(out, ",\"files\":[");
    for (size_t i = 0; i < sizeof subs / sizeof *subs; i++) {
        TRY(put_files(out, folder, subs[i], &n));
    }
    regret_buffer_append(out, "],\n\"pool\":");
    table_json_string(out, results->run.pool_name);
    regret_buffer_printf(out, ",\"synthetic\":%s,\"cells\":%zu,\"seeds\":%zu,\"gaps\":",
                         results->run.synthetic ? "true" : "false", results->n_cells,
                         results->n_seeds);
    table_json_string(out, results->gaps);
    regret_buffer_append(out, ",\n\"ranking\":");
    regret_buffer_append(out, regret_buffer_get(&ranking));
    regret_buffer_append(out, "}\n");
    return regret_buffer_status(out);
}
