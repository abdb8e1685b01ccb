#include "report/cautions/caution_note.h"

void caution_note(struct table *t, const char *whose, enum caution kind,
                  const struct regret_results *r)
{
    struct regret_buffer text = REGRET_BUFFER_INIT;
    caution_say(&text, kind, r);
    if (text.length > 0) {
        table_note(t, "%s: %s", whose, regret_buffer_get(&text));
    }
    if (t->status == REGRET_OK) {
        t->status = regret_buffer_status(&text);
    }
    regret_buffer_free(&text);
}
