/* The figures of report.html: each as it lies in figures/, with what it says of itself and links that save it. */
#include "base/core/try.h"
#include "base/text/escape.h"
#include "report/page/page.h"

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
    struct regret_buffer file = REGRET_BUFFER_INIT;
    int rc;
    regret_buffer_append(out, "<p class=\"downloads\">Save: ");
    regret_buffer_printf(&file, "%s.svg", id);
    TRY_CLEANUP(regret_buffer_status(&file));
    page_download(out, regret_buffer_get(&file), "image/svg+xml", &f->svg);
    TRY_CLEANUP(page_download_csv(out, id, &f->csv, safe));
    regret_buffer_printf(out, "<a href=\"#%s\">Link to this figure</a></p>\n", id);
cleanup:
    regret_buffer_free(&file);
    return rc;
}

/* The picture says its title and what it is of; the heading is for who jumps from one to the next. */
static int put_figure(struct regret_buffer *out, const struct figure *f, const char *id, int safe)
{
    regret_buffer_printf(out, "<figure id=\"%s\">\n", id);
    html_element(out, "h3 class=\"same\"", f->title);
    regret_buffer_append(out, "<div class=\"plot\" role=\"region\" tabindex=\"0\" aria-label=\"");
    html_escape(out, f->title);
    regret_buffer_append(out, "\">\n");
    regret_buffer_append_n(out, regret_buffer_get(&f->svg), f->svg.length);
    regret_buffer_append(out, "</div>\n");
    html_element(out, "figcaption", f->caption);
    TRY(put_downloads(out, f, id, safe));
    regret_buffer_append(out, "</figure>\n");
    return REGRET_OK;
}

int page_figures(struct regret_buffer *out, const struct figures *figures, int safe)
{
    struct regret_buffer id = REGRET_BUFFER_INIT;
    int rc;
    if (figures->n == 0) {
        return REGRET_OK;
    }
    page_section(out, "figures", "Figures");
    regret_buffer_append(out, "<div class=\"figures\">\n");
    for (size_t i = 0; i < figures->n; i++) {
        const struct figure *f = &figures->items[i];
        TRY_CLEANUP(figure_id(&id, f));
        TRY_CLEANUP(put_figure(out, f, regret_buffer_get(&id), safe));
    }
    regret_buffer_append(out, "</div>\n</section>\n");
    rc = regret_buffer_status(out);
cleanup:
    regret_buffer_free(&id);
    return rc;
}
