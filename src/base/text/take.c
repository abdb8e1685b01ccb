#include "base/text/take.h"

#include "base/core/try.h"
#include "regret/alloc.h"

int text_take(char **out, struct regret_buffer *text)
{
    int rc;
    TRY_CLEANUP(regret_buffer_status(text));
    TRY_CLEANUP(text->data == NULL ? regret_strdup(out, "") : REGRET_OK);
    if (text->data != NULL) {
        *out = text->data;
        *text = (struct regret_buffer)REGRET_BUFFER_INIT;
    }
cleanup:
    regret_buffer_free(text);
    return rc;
}

void text_free_into(int *status, struct regret_buffer *text)
{
    if (*status == REGRET_OK) {
        *status = regret_buffer_status(text);
    }
    regret_buffer_free(text);
}
