#include <string.h>

#include "base/core/try.h"
#include "report/render/table.h"

/* Every format: its word and its renderer, in the order of enum regret_format. */
static void (*const renderers[REGRET_N_FORMATS])(struct regret_buffer *, const struct table *) = {
    [REGRET_FORMAT_MARKDOWN] = render_markdown, [REGRET_FORMAT_CSV] = render_csv,
    [REGRET_FORMAT_LATEX] = render_latex,       [REGRET_FORMAT_HTML] = render_html,
    [REGRET_FORMAT_JSON] = render_json,         [REGRET_FORMAT_TEXT] = render_text,
};
static const char *const words[REGRET_N_FORMATS] = {
    [REGRET_FORMAT_MARKDOWN] = "md", [REGRET_FORMAT_CSV] = "csv",   [REGRET_FORMAT_LATEX] = "tex",
    [REGRET_FORMAT_HTML] = "html",   [REGRET_FORMAT_JSON] = "json", [REGRET_FORMAT_TEXT] = "text",
};

int render(struct regret_buffer *out, const struct table *t, enum regret_format format)
{
    TRY(table_check(t));
    renderers[format](out, t);
    return regret_buffer_status(out);
}

int render_made(struct regret_buffer *out, struct table *t, int made, enum regret_format format)
{
    int rc;
    TRY_CLEANUP(made);
    rc = render(out, t, format);
cleanup:
    table_free(t);
    return rc;
}

const char *regret_format_word(enum regret_format format)
{
    return words[format];
}

int regret_format_parse(enum regret_format *out, const char *word)
{
    for (size_t i = 0; i < REGRET_N_FORMATS; i++) {
        if (strcmp(word, words[i]) == 0) {
            *out = (enum regret_format)i;
            return REGRET_OK;
        }
    }
    return regret_fail(REGRET_E_INPUT,
                       "unknown format \"%s\"; there are text, md, csv, tex, html and json", word);
}
