#include "base/core/try.h"
#include "chart/chart.h"
#include "regret/file.h"

static int save(const char *folder, const char *name, const char *end,
                const struct regret_buffer *text)
{
    struct regret_buffer file = REGRET_BUFFER_INIT;
    int rc;
    regret_buffer_printf(&file, "%s.%s", name, end);
    TRY_CLEANUP(regret_buffer_status(&file));
    rc = regret_file_write_text(folder, regret_buffer_get(&file), text);
cleanup:
    regret_buffer_free(&file);
    return rc;
}

int chart_save(const char *folder, const struct chart *c)
{
    static int (*const renderers[])(struct regret_buffer *,
                                    const struct chart *) = {chart_svg, chart_csv, chart_tex};
    static const char *const ends[] = {"svg", "csv", "tex"};
    struct regret_buffer text = REGRET_BUFFER_INIT;
    int rc;
    TRY_CLEANUP(chart_check(c));
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        regret_buffer_clear(&text);
        TRY_CLEANUP(renderers[i](&text, c));
        TRY_CLEANUP(save(folder, c->name, ends[i], &text));
    }
cleanup:
    regret_buffer_free(&text);
    return rc;
}
