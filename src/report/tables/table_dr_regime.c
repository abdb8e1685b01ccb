/* The regime that each block of F5 is in. */
#include "base/core/try.h"
#include "report/rows/regime.h"
#include "report/tables/spec.h"

int put_regimes(struct table *t, const struct table_data *d)
{
    for (size_t i = 0; i < d->groups.n; i++) {
        const struct group *group = &d->groups.items[i];
        struct regime regime = regime_read(&group->slice);
        struct regret_buffer text = REGRET_BUFFER_INIT;
        regime_describe(&text, &regime);
        table_note(t, "%s%s%s", group->heading, group->heading[0] != '\0' ? ": " : "",
                   regret_buffer_get(&text));
        int rc = regret_buffer_status(&text);
        regret_buffer_free(&text);
        TRY(rc);
    }
    return REGRET_OK;
}
