#include "report/cautions/caution_note.h"
#include "base/text/take.h"

void caution_note(struct table *t, const char *whose, enum caution kind,
                  const struct regret_results *r)
{
    struct regret_buffer text = REGRET_BUFFER_INIT;
    caution_say(&text, kind, r);
    if (text.length > 0) {
        table_note(t, "%s: %s", whose, regret_buffer_get(&text));
    }
    text_free_into(&t->status, &text);
}
