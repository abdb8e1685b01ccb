#include "report/rows/standing.h"

#include <math.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "report/rows/contenders.h"

static struct estimate regret_of(const struct slice *s, size_t subject)
{
    return slice_estimate(s, REGRET_MEASURE_REGRET, subject);
}

int standing_read(struct standing *out, const struct slice *s)
{
    struct standing st = {.best = REGRET_NO_ROW,
                          .regret = {NAN, NAN, 0},
                          .agent = REGRET_NO_ROW,
                          .agent_regret = {NAN, NAN, 0},
                          .lead = {NAN, NAN, NAN, NAN, 0}};
    struct contenders c = {0};
    int rc;
    TRY_CLEANUP(REGRET_NEW(&st.tied, s->r->n_families));
    TRY_CLEANUP(contenders_make(&c, s));
    const struct contender *agent = contenders_single_agent(&c);
    for (size_t i = 1; i < c.n_families; i++, st.n_rivals++) {
        if (c.items[i].verdict != CONTENDER_WORSE) {
            st.tied[st.n_tied++] = c.items[i].subject;
        }
    }
    if (c.n_families > 0) {
        st.best = c.items[0].subject;
        st.regret = regret_of(s, st.best);
    }
    if (agent != NULL) {
        st.agent = agent->subject;
        st.agent_regret = regret_of(s, agent->subject);
        st.lead = c.n_families > 0 ? agent->to_best : st.lead;
    }
    *out = st;
    st = (struct standing){0};
cleanup:
    contenders_free(&c);
    standing_free(&st);
    return rc;
}

void standing_free(struct standing *s)
{
    regret_free(s->tied);
    *s = (struct standing){0};
}
