#include <string.h>

#include "base/core/try.h"
#include "base/text/escape.h"
#include "report/folder/report.h"
#include "report/rows/head.h"

static void put_navigation(struct regret_buffer *out, const struct report *r)
{
    page_contents(out);
    page_link(out, "headline", "Headline");
    page_figure_links(out, &r->figures);
    for (size_t i = 0; i < r->n_tables; i++) {
        if (!r->tables[i].idle) {
            page_link(out, r->tables[i].name, r->tables[i].name);
        }
    }
    page_link(out, "facts", "the run");
    page_main(out);
}

static void put_data(struct regret_buffer *out, const struct regret_results *r)
{
    if (r->run.synthetic) {
        regret_buffer_printf(out, "<p class=\"data synthetic\"><strong>%s</strong> %s</p>\n",
                             head_synthetic, head_not_real);
    } else {
        regret_buffer_printf(out, "<p class=\"data\">%s</p>\n", head_real);
    }
}

/* An element of words, in which an estimate and its error stay on one line. */
static void put_sentence(struct regret_buffer *out, const char *element,
                         const struct regret_buffer *words)
{
    static const char between[] = " ± ";
    struct regret_buffer escaped = REGRET_BUFFER_INIT;
    html_element(&escaped, element, regret_buffer_get(words));
    const char *text = regret_buffer_get(&escaped), *at = NULL;
    while ((at = strstr(text, between)) != NULL) {
        regret_buffer_append_n(out, text, (size_t)(at - text));
        regret_buffer_append(out, "&nbsp;±&nbsp;");
        text = at + strlen(between);
    }
    regret_buffer_append(out, text);
    regret_buffer_free_into(out, &escaped);
}

static int put_headline(struct regret_buffer *out, const struct report *r)
{
    const struct headline *h = &r->headline;
    page_section(out, "headline", "Headline");
    if (r->results->gaps != NULL) {
        html_element(out, "p class=\"gaps\"", r->results->gaps);
    }
    if (r->results->unmade != NULL) {
        html_element(out, "p class=\"gaps\"", r->results->unmade);
    }
    put_sentence(out, "p class=\"verdict\"", &h->sentences[0]);
    regret_buffer_append(out, "<ul class=\"sentences\">\n");
    for (size_t i = 1; i < h->n; i++) {
        put_sentence(out, "li", &h->sentences[i]);
    }
    regret_buffer_append(out, "</ul>\n");
    if (!h->regimes.idle) {
        html_element(out, "h3", h->regimes.title);
        html_table(out, &h->regimes);
        TRY(page_table_download(out, &h->regimes, r->options->safe_csv));
    }
    regret_buffer_append(out, "</section>\n");
    return REGRET_OK;
}

static void put_run(struct regret_buffer *out, const struct regret_results *r)
{
    page_section(out, "facts", "The run");
    regret_buffer_append(out,
                         "<details>\n<summary>Pool, digest, seeds, versions, and how to repeat it"
                         "</summary>\n");
    head_facts_html(out, r);
    regret_buffer_printf(out,
                         "<p>To repeat the run, with the config.json beside this page: "
                         "<code>%s</code></p>\n</details>\n</section>\n",
                         head_command(&r->run));
}

int run_page(struct regret_buffer *out, const struct report *r)
{
    page_begin(out, head_title(&r->results->run));
    put_data(out, r->results);
    put_navigation(out, r);
    TRY(put_headline(out, r));
    TRY(page_figures(out, &r->figures, r->options->safe_csv));
    for (size_t i = 0; i < r->n_tables; i++) {
        if (!r->tables[i].idle) {
            TRY(page_table(out, &r->tables[i], r->options->safe_csv));
        }
    }
    put_run(out, r->results);
    page_end(out);
    return regret_buffer_status(out);
}
