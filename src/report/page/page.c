#include "report/page/page.h"

#include <stdio.h>
#include <string.h>

#include "base/core/try.h"
#include "base/text/escape.h"
#include "regret/csv.h"

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

void page_contents(struct regret_buffer *out)
{
    regret_buffer_append(out, "</header>\n<nav aria-label=\"Contents\">\n<ul>\n");
}

void page_main(struct regret_buffer *out)
{
    regret_buffer_append(out, "</ul>\n</nav>\n<main id=\"main\" tabindex=\"-1\">\n");
}

void page_end(struct regret_buffer *out)
{
    regret_buffer_printf(out, "</main>\n<script>%s</script>\n</body>\n</html>\n",
                         file_called("data/report/page.js")->text);
}

void page_section(struct regret_buffer *out, enum page_level level, const char *id,
                  const char *title)
{
    regret_buffer_printf(out, "<section id=\"%s\">\n<h%d>", id, (int)level);
    html_escape(out, title);
    regret_buffer_printf(out,
                         " <a class=\"anchor\" href=\"#%s\" "
                         "aria-label=\"Link to this section\">#</a></h%d>\n",
                         id, (int)level);
}

void page_part(struct regret_buffer *out, const char *id, const char *title, const char *what)
{
    regret_buffer_printf(out, "<details class=\"part\" id=\"%s\">\n<summary>", id);
    regret_buffer_append(out, "<h2>");
    html_escape(out, title);
    regret_buffer_append(out, "</h2> <span>");
    html_escape(out, what);
    regret_buffer_append(out, "</span></summary>\n");
}

void page_part_end(struct regret_buffer *out)
{
    regret_buffer_append(out, "</details>\n");
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

/* The same of NAME.csv, guarded where it is to be safe. */
static int put_download_csv(struct regret_buffer *out, const char *name,
                            const struct regret_buffer *csv, int safe)
{
    FREED_BY(regret_buffer_free) struct regret_buffer guarded = REGRET_BUFFER_INIT;
    FREED_BY(regret_buffer_free) struct regret_buffer file = REGRET_BUFFER_INIT;
    if (safe) {
        regret_csv_guard(&guarded, regret_buffer_get(csv), csv->length);
    }
    regret_buffer_printf(&file, "%s.csv", name);
    page_download(out, regret_buffer_get(&file), "text/csv", safe ? &guarded : csv);
    return regret_buffer_status(&file);
}

int page_table_download(struct regret_buffer *out, const struct table *t, int safe)
{
    FREED_BY(regret_buffer_free) struct regret_buffer csv = REGRET_BUFFER_INIT;
    TRY(render(&csv, t, REGRET_FORMAT_CSV));
    regret_buffer_append(out, "<p class=\"downloads\">All digits: ");
    TRY(put_download_csv(out, t->name, &csv, safe));
    regret_buffer_append(out, "</p>\n");
    return REGRET_OK;
}

/* ---------------------------------------------------------------- tables */

void page_link(struct regret_buffer *out, const char *id, const char *title)
{
    regret_buffer_printf(out, "<li><a href=\"#%s\">", id);
    html_escape(out, title);
    regret_buffer_append(out, "</a></li>\n");
}

int page_table(struct regret_buffer *out, enum page_level level, const struct table *t, int safe)
{
    page_section(out, level, t->name, t->title);
    html_table(out, t);
    TRY(page_table_download(out, t, safe));
    regret_buffer_append(out, "</section>\n");
    return REGRET_OK;
}

/* ---------------------------------------------------------------- figures */

/* "figure-" and the name: the names of figures are not those of tables. */
static int figure_id(struct regret_buffer *out, const struct figure *f)
{
    regret_buffer_clear(out);
    regret_buffer_printf(out, "figure-%s", f->name);
    return regret_buffer_status(out);
}

void page_figure_links(struct regret_buffer *out, const struct figures *figures)
{
    struct regret_buffer id = REGRET_BUFFER_INIT;
    regret_buffer_append(out, figures->n > 0 ? "<li><a href=\"#figures\">Figures</a>\n<ul>\n" : "");
    for (size_t i = 0; i < figures->n; i++) {
        regret_buffer_fail(out, figure_id(&id, &figures->items[i]));
        page_link(out, regret_buffer_get(&id), figures->items[i].name);
    }
    regret_buffer_append(out, figures->n > 0 ? "</ul>\n</li>\n" : "");
    regret_buffer_free_into(out, &id);
}

static int put_downloads(struct regret_buffer *out, const struct figure *f, const char *id,
                         int safe)
{
    FREED_BY(regret_buffer_free) struct regret_buffer file = REGRET_BUFFER_INIT;
    regret_buffer_append(out, "<p class=\"downloads\">Save: ");
    regret_buffer_printf(&file, "%s.svg", id);
    TRY(regret_buffer_status(&file));
    page_download(out, regret_buffer_get(&file), "image/svg+xml", &f->svg);
    TRY(put_download_csv(out, id, &f->csv, safe));
    regret_buffer_printf(out, "<a href=\"#%s\">Link to this figure</a></p>\n", id);
    return REGRET_OK;
}

/* Its narrow twin is for phones: the style shows one of the two. */
static void put_picture(struct regret_buffer *out, const struct figure *f, const char *of,
                        const struct regret_buffer *svg)
{
    regret_buffer_printf(out, "<div class=\"plot%s\" role=\"region\" tabindex=\"0\" aria-label=\"",
                         of);
    html_escape(out, f->title);
    regret_buffer_append(out, "\">\n");
    regret_buffer_append_n(out, regret_buffer_get(svg), svg->length);
    regret_buffer_append(out, "</div>\n");
}

/* How often a picture is taller than wide. */
static double height_of(const struct regret_buffer *svg)
{
    const char *box = strstr(regret_buffer_get(svg), " viewBox=\"0 0 ");
    double width = 1.0, height = 1.0;
    return box != NULL && sscanf(box, " viewBox=\"0 0 %lf %lf", &width, &height) == 2
               ? height / width
               : 1.0;
}

/* Which picture stands on paper, where text of 14 is to be 7 pt at least (page.css): the narrow one in a column of 180 pt
 * unless it takes half a page, or is the answer's and takes a whole one; then the wide one across, of 430 pt at least; none
 * where that is higher than a page. */
static const char *paper_class(const struct figure *f)
{
    double narrow = 180.0 * height_of(&f->narrow), wide = 430.0 * height_of(&f->svg);
    return narrow <= 380.0   ? ""
           : wide > 735.0    ? " class=\"tall\""
           : narrow <= 625.0 ? " class=\"across\""
                             : " class=\"across long\"";
}

/* The picture says its title and what it is of; the heading is for who jumps from one to the next. */
static int put_figure(struct regret_buffer *out, const struct figure *f, const char *id, int safe)
{
    regret_buffer_printf(out, "<figure id=\"%s\"%s>\n", id, paper_class(f));
    html_element(out, "h3 class=\"same\"", f->title);
    put_picture(out, f, "", &f->svg);
    put_picture(out, f, " narrow", &f->narrow);
    html_element(out, "figcaption", f->caption);
    TRY(put_downloads(out, f, id, safe));
    regret_buffer_append(out, "</figure>\n");
    return REGRET_OK;
}

int page_figure(struct regret_buffer *out, const struct figure *f, int safe)
{
    FREED_BY(regret_buffer_free) struct regret_buffer id = REGRET_BUFFER_INIT;
    TRY(figure_id(&id, f));
    return put_figure(out, f, regret_buffer_get(&id), safe);
}

int page_figures(struct regret_buffer *out, const struct figures *figures, int safe)
{
    if (figures->n == 0) {
        return REGRET_OK;
    }
    page_section(out, PAGE_TOP, "figures", "Figures");
    regret_buffer_append(out, "<div class=\"figures\">\n");
    for (size_t i = 0; i < figures->n; i++) {
        TRY(page_figure(out, &figures->items[i], safe));
    }
    regret_buffer_append(out, "</div>\n</section>\n");
    return regret_buffer_status(out);
}
