#include "report/standing.h"

#include <math.h>
#include <string.h>

#include "base/try.h"
#include "regret/alloc.h"
#include "report/table_data.h"

/* 1 for a baseline that recommends one agent for every context by what the data say. */
static int is_single_agent(const struct regret_subject *s)
{
    return s->kind == REGRET_ROW_BASELINE && strncmp(s->name, "best-", strlen("best-")) == 0;
}

/* The subject of lowest mean regret, ranked families or single agents; equals keep the run's order. */
static size_t lowest(struct estimate *regret, const struct slice *s, int single_agents)
{
    size_t best = REGRET_NO_ROW;
    *regret = (struct estimate){NAN, NAN};
    for (size_t i = 0; i < s->r->n_subjects; i++) {
        const struct regret_subject *subject = &s->r->subjects[i];
        int meant = single_agents ? is_single_agent(subject)
                                  : subject->kind == REGRET_ROW_FAMILY && family_is_ranked(s->r, i);
        struct estimate e =
            meant ? slice_estimate(s, REGRET_MEASURE_REGRET, i) : (struct estimate){NAN, NAN};
        if (isfinite(e.mean) && !(e.mean >= regret->mean)) {
            *regret = e;
            best = i;
        }
    }
    return best;
}

static int compare_rivals(struct standing *out, const struct slice *s)
{
    const enum regret_measure regret = REGRET_MEASURE_REGRET;
    for (size_t f = 0; f < s->r->n_families; f++) {
        struct paired p;
        if (f == out->best || !family_is_ranked(s->r, f) ||
            !isfinite(slice_estimate(s, regret, f).mean)) {
            continue;
        }
        TRY(slice_paired(&p, s, regret, f, regret, out->best));
        out->n_rivals++;
        if (!(p.low > 0.0)) {
            out->tied[out->n_tied++] = f;
        }
    }
    return REGRET_OK;
}

int standing_read(struct standing *out, const struct slice *s)
{
    const enum regret_measure regret = REGRET_MEASURE_REGRET;
    struct standing st = {.lead = {NAN, NAN, NAN, NAN, 0}};
    int rc;
    TRY_CLEANUP(REGRET_NEW(&st.tied, s->r->n_families));
    st.best = lowest(&st.regret, s, 0);
    st.agent = lowest(&st.agent_regret, s, 1);
    if (st.best != REGRET_NO_ROW) {
        TRY_CLEANUP(compare_rivals(&st, s));
    }
    if (st.best != REGRET_NO_ROW && st.agent != REGRET_NO_ROW) {
        TRY_CLEANUP(slice_paired(&st.lead, s, regret, st.agent, regret, st.best));
    }
    *out = st;
    st = (struct standing){0};
cleanup:
    standing_free(&st);
    return rc;
}

void standing_free(struct standing *s)
{
    regret_free(s->tied);
    *s = (struct standing){0};
}
