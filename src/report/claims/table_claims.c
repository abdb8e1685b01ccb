/* The claims of the paper, held against this run: one line each (claims.h). */
#include "base/core/try.h"
#include "report/claims/claims_answers.h"

/* Which views the run has the shape of, and how many findings are about others. */
static int note_views(struct table *t, const struct table_data *d)
{
    unsigned views = claim_views_of(&d->all);
    struct regret_buffer names = REGRET_BUFFER_INIT;
    claim_views_append(&names, views);
    int rc = regret_buffer_status(&names);
    if (views != 0) {
        table_note(t,
                   "View of the paper that this run has the shape of: %s. Not asked here: %zu "
                   "findings about other views. `regret claims RUN...` asks several runs together.",
                   regret_buffer_get(&names), claims_about_others(views));
    } else {
        table_note(
            t,
            "This run has the shape of no view of the paper: it would have to sweep what one "
            "does (docs/claims.md). Not asked here: all %zu findings.",
            claims_about_others(0));
    }
    regret_buffer_free(&names);
    return rc;
}

int put_claims(struct table *t, const struct table_data *d)
{
    struct claim_answers answers = {0};
    int rc;
    TRY(note_views(t, d));
    for (size_t i = 0; i < d->groups.n && claim_views_of(&d->all) != 0; i++) {
        const struct group *group = &d->groups.items[i];
        answers_free(&answers);
        TRY_CLEANUP(answers_ask(&answers, d, group, ""));
        TRY_CLEANUP(answers_correct(&answers));
        put_tallies(t, &answers, group, 0);
        put_answers(t, &answers, group, 0);
    }
    if (claim_views_of(&d->all) != 0) {
        note_claims(t);
    }
    rc = REGRET_OK;
cleanup:
    answers_free(&answers);
    return rc;
}
