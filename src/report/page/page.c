#include "report/page/page.h"

#include <string.h>

#include "base/core/try.h"
#include "base/text/escape.h"
#include "regret/csv.h"
#include "report/rows/head.h"

/* ---------------------------------------------------------------- the frame */

static const struct page_file *file_called(const char *name)
{
    const struct page_file *file = page_files;
    while (file->name != NULL && strcmp(file->name, name) != 0) {
        file++;
    }
    return file;
}

/* What the page may do: show its own style and run its own script, which are told by their hashes; nothing
 * else, and nothing from elsewhere. */
static void put_policy(struct regret_buffer *out)
{
    regret_buffer_printf(
        out,
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
        "style-src 'sha256-%s'; script-src 'sha256-%s'; base-uri 'none'; "
        "form-action 'none'\">\n",
        file_called("data/report/page.css")->sha256, file_called("data/report/page.js")->sha256);
}

void page_begin(struct regret_buffer *out, const char *title)
{
    regret_buffer_append(out,
                         "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    put_policy(out);
    regret_buffer_append(out, "<meta name=\"viewport\" "
                              "content=\"width=device-width, initial-scale=1\">\n"
                              "<meta name=\"color-scheme\" content=\"light dark\">\n");
    html_element(out, "title", title);
    regret_buffer_printf(out,
                         "<style>%s</style>\n</head>\n<body>\n"
                         "<a class=\"skip\" href=\"#main\">To the contents</a>\n<header>\n",
                         file_called("data/report/page.css")->text);
    html_element(out, "h1", title);
}

void page_end(struct regret_buffer *out)
{
    regret_buffer_printf(out, "</main>\n<script>%s</script>\n</body>\n</html>\n",
                         file_called("data/report/page.js")->text);
}

void page_section(struct regret_buffer *out, const char *id, const char *title)
{
    regret_buffer_printf(out, "<section id=\"%s\">\n<h2>", id);
    html_escape(out, title);
    regret_buffer_printf(out,
                         " <a class=\"anchor\" href=\"#%s\" "
                         "aria-label=\"Link to this section\">#</a></h2>\n",
                         id);
}

/* ---------------------------------------------------------------- downloads */

/* Of a data URI in a double-quoted attribute (RFC 3986). */
static void percent_encode(struct regret_buffer *out, const struct regret_buffer *text)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
                                "-_.~,;:/?@!$()*+=";
    const char *bytes = regret_buffer_get(text), *end = bytes + text->length;
    while (bytes < end) {
        size_t n = strspn(bytes, plain);
        regret_buffer_append_n(out, bytes, n);
        bytes += n;
        if (bytes < end) {
            regret_buffer_printf(out, "%%%02X", (unsigned)(unsigned char)*bytes++);
        }
    }
}

void page_download(struct regret_buffer *out, const char *file, const char *type,
                   const struct regret_buffer *text)
{
    regret_buffer_printf(out, "<a download=\"%s\" href=\"data:%s;charset=utf-8,", file, type);
    percent_encode(out, text);
    regret_buffer_printf(out, "\">%s</a>\n", file);
    regret_buffer_fail(out, regret_buffer_status(text));
}

int page_download_csv(struct regret_buffer *out, const char *name, const struct regret_buffer *csv,
                      int safe)
{
    struct regret_buffer guarded = REGRET_BUFFER_INIT, file = REGRET_BUFFER_INIT;
    if (safe) {
        regret_csv_guard(&guarded, regret_buffer_get(csv), csv->length);
    }
    regret_buffer_printf(&file, "%s.csv", name);
    page_download(out, regret_buffer_get(&file), "text/csv", safe ? &guarded : csv);
    int rc = regret_buffer_status(&file);
    regret_buffer_free(&guarded);
    regret_buffer_free(&file);
    return rc;
}

int page_table_download(struct regret_buffer *out, const struct table *t, int safe)
{
    struct regret_buffer csv = REGRET_BUFFER_INIT;
    int rc;
    TRY_CLEANUP(render(&csv, t, REGRET_FORMAT_CSV));
    regret_buffer_append(out, "<p class=\"downloads\">All digits: ");
    TRY_CLEANUP(page_download_csv(out, t->name, &csv, safe));
    regret_buffer_append(out, "</p>\n");
cleanup:
    regret_buffer_free(&csv);
    return rc;
}

/* ---------------------------------------------------------------- sections */

void page_link(struct regret_buffer *out, const char *id, const char *title)
{
    regret_buffer_printf(out, "<li><a href=\"#%s\">", id);
    html_escape(out, title);
    regret_buffer_append(out, "</a></li>\n");
}

static void put_navigation(struct regret_buffer *out, const struct report_parts *parts)
{
    regret_buffer_append(out, "<nav aria-label=\"Contents\">\n<ul>\n");
    page_link(out, "headline", "Headline");
    page_figure_links(out, parts->figures);
    for (size_t i = 0; i < parts->n_tables; i++) {
        if (!parts->tables[i].idle) {
            page_link(out, parts->tables[i].name, parts->tables[i].name);
        }
    }
    page_link(out, "facts", "the run");
    regret_buffer_append(out, "</ul>\n</nav>\n");
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

static int put_headline(struct regret_buffer *out, const struct report_parts *parts)
{
    const struct headline *h = parts->headline;
    page_section(out, "headline", "Headline");
    if (parts->results->gaps != NULL) {
        html_element(out, "p class=\"gaps\"", parts->results->gaps);
    }
    if (parts->results->lacks != NULL) {
        html_element(out, "p class=\"gaps\"", parts->results->lacks);
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
        TRY(page_table_download(out, &h->regimes, parts->safe_csv));
    }
    regret_buffer_append(out, "</section>\n");
    return REGRET_OK;
}

int page_table(struct regret_buffer *out, const struct table *t, int safe)
{
    page_section(out, t->name, t->title);
    html_table(out, t);
    TRY(page_table_download(out, t, safe));
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

int page_html(struct regret_buffer *out, const struct report_parts *parts)
{
    page_begin(out, head_title(&parts->results->run));
    put_data(out, parts->results);
    regret_buffer_append(out, "</header>\n");
    put_navigation(out, parts);
    regret_buffer_append(out, "<main id=\"main\" tabindex=\"-1\">\n");
    TRY(put_headline(out, parts));
    TRY(page_figures(out, parts->figures, parts->safe_csv));
    for (size_t i = 0; i < parts->n_tables; i++) {
        if (!parts->tables[i].idle) {
            TRY(page_table(out, &parts->tables[i], parts->safe_csv));
        }
    }
    put_run(out, parts->results);
    page_end(out);
    return regret_buffer_status(out);
}
