#include <string.h>

#include "base/core/try.h"
#include "base/text/escape.h"
#include "report/folder/report.h"
#include "report/rows/head.h"

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

static void put_headline(struct regret_buffer *out, const struct headline *h)
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

int run_markdown(struct regret_buffer *out, const struct report *r)
{
    put_data(out, r->results);
    put_headline(out, &r->headline);
    TRY(put_first_tables(out, r));
    put_list(out, r);
    put_figures(out, &r->figures);
    regret_buffer_append(out, "\n## The run\n\n");
    head_facts_markdown(out, r->results);
    regret_buffer_printf(out, "\nTo repeat it, with the config.json beside this file:\n\n    %s\n",
                         head_command(&r->results->run));
    return regret_buffer_status(out);
}
