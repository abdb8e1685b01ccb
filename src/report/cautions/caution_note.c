#include "report/cautions/caution_note.h"

#include "base/core/try.h"

int caution_notes(struct table *t, const char *whose, const struct regret_results *r)
{
    struct cautions c;
    TRY(cautions_make(&c, r,
                      CAUTION_BIT(CAUTION_GAPS) | CAUTION_BIT(CAUTION_UNMADE) |
                          CAUTION_BIT(CAUTION_GRID)));
    for (size_t i = 0; i < c.n; i++) {
        table_note(t, "%s: %s", whose, regret_buffer_get(&c.sentences[i]));
    }
    cautions_free(&c);
    return REGRET_OK;
}
