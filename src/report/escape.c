#include "report/escape.h"

void escape_visible(struct regret_text *out, const char *text,
                    void (*escape)(struct regret_text *, const char *))
{
    const unsigned char *p = (const unsigned char *)text;
    while (*p >= ' ' && *p < 0x7F) {
        p++;
    }
    if (*p == '\0') { /* nothing to make visible, as nearly always */
        escape(out, text);
        return;
    }
    struct regret_text visible = REGRET_TEXT_INIT;
    regret_text_append_visible(&visible, text);
    if (regret_text_status(&visible) == REGRET_OK) {
        escape(out, regret_text_get(&visible));
    } else if (out->status == REGRET_OK) {
        out->status = visible.status;
    }
    regret_text_free(&visible);
}
