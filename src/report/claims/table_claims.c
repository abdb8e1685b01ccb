/* The claims of the paper, held against this run: one line each (answers.h). */
#include "base/core/try.h"
#include "report/claims/answers.h"

/* Which views the run has the shape of, and how many findings are about others. */
static int note_views(struct table *t, const struct claims *c, unsigned views)
{
    struct regret_buffer names = REGRET_BUFFER_INIT;
    claim_views_append(&names, c, views);
    int rc = regret_buffer_status(&names);
    if (views != 0) {
        table_note(t,
                   "View of the paper that this run has the shape of: %s. Not asked here: %zu "
                   "findings about other views. `regret claims RUN...` asks several runs together.",
                   regret_buffer_get(&names), claims_about_others(c, views));
    } else {
        table_note(
            t,
            "This run has the shape of no view of the paper: it would have to sweep what one "
            "does (data/paper/views.csv). Not asked here: all %zu findings.",
            claims_about_others(c, 0));
    }
    regret_buffer_free(&names);
    return rc;
}

int put_claims(struct table *t, const struct table_data *d)
{
    FREED_BY(claims_free) struct claims claims = {0};
    FREED_BY(answers_free) struct claim_answers answers = {.claims = &claims};
    FREED_BY(groups_free) struct groups groups = {0};
    TRY(claims_read(&claims));
    unsigned views = claim_views_of(&claims, &d->all);
    TRY(note_views(t, &claims, views));
    TRY(claim_groups(&groups, &claims, d));
    for (size_t i = 0; i < groups.n && views != 0; i++) {
        const struct group *group = &groups.items[i];
        answers_free(&answers);
        TRY(answers_ask(&answers, d, group, ""));
        TRY(answers_correct(&answers));
        put_tallies(t, &answers, group, 0);
        put_answers(t, &answers, group, 0);
    }
    if (views != 0) {
        note_claims(t);
    }
    return REGRET_OK;
}
