/* Charts as pictures: the kind of a chart chooses who draws it; its files. */
#include "chart/figure.h"

#include "base/core/sticky.h"
#include "base/core/try.h"
#include "chart/svg.h"
#include "regret/alloc.h"
#include "regret/csv.h"
#include "regret/file.h"

int chart_svg(struct regret_buffer *out, const struct chart *c)
{
    static int (*const draw[CHART_N_KINDS])(struct regret_buffer *, const struct chart *) = {
        [CHART_LINES] = svg_draw_lines,   [CHART_INTERVALS] = svg_draw_intervals,
        [CHART_STRIPS] = svg_draw_strips, [CHART_WINNERS] = svg_draw_grid,
        [CHART_SHARES] = svg_draw_grid,   [CHART_RANKS] = svg_draw_ranks,
    };
    TRY(draw[c->kind](out, c));
    return regret_buffer_status(out);
}

int figures_add(struct figures *f, struct chart *c)
{
    int rc = chart_check(c);
    struct figure *new = sticky_append(&rc, (void **)&f->items, &f->n, sizeof *new);
    if (new == NULL) {
        return rc;
    }
    TRY(chart_svg(&new->svg, c));
    c->width = CHART_NARROW;
    TRY(chart_svg(&new->narrow, c));
    c->width = 0.0;
    TRY(chart_csv(&new->csv, c));
    new->name = c->name;
    new->title = c->title;
    new->facts = c->facts;
    new->caption = c->caption;
    c->name = c->title = c->facts = c->caption = NULL;
    return REGRET_OK;
}

static int save_file(const char *folder, const char *name, const char *end,
                     const struct regret_buffer *text, int guard)
{
    FREED_BY(regret_buffer_free) struct regret_buffer file = REGRET_BUFFER_INIT;
    FREED_BY(regret_buffer_free) struct regret_buffer guarded = REGRET_BUFFER_INIT;
    if (guard) {
        regret_csv_guard(&guarded, regret_buffer_get(text), text->length);
    }
    regret_buffer_printf(&file, "%s.%s", name, end);
    TRY(regret_buffer_status(&file));
    return regret_file_write_text(folder, regret_buffer_get(&file), guard ? &guarded : text);
}

int figures_save(const char *folder, const struct figures *f, int safe_csv)
{
    for (size_t i = 0; i < f->n; i++) {
        const struct figure *one = &f->items[i];
        TRY(save_file(folder, one->name, "svg", &one->svg, 0));
        TRY(save_file(folder, one->name, "csv", &one->csv, safe_csv));
    }
    return REGRET_OK;
}

int chart_save(const char *folder, struct chart *c)
{
    struct figures one = {NULL, 0};
    int rc;
    TRY_CLEANUP(figures_add(&one, c));
    TRY_CLEANUP(regret_folder_create(folder));
    rc = figures_save(folder, &one, 0);
cleanup:
    figures_free(&one);
    chart_free(c);
    return rc;
}

void figures_free(struct figures *f)
{
    for (size_t i = 0; i < f->n; i++) {
        struct figure *one = &f->items[i];
        regret_free(one->name);
        regret_free(one->title);
        regret_free(one->facts);
        regret_free(one->caption);
        regret_buffer_free(&one->svg);
        regret_buffer_free(&one->narrow);
        regret_buffer_free(&one->csv);
    }
    regret_free(f->items);
    *f = (struct figures){NULL, 0};
}
