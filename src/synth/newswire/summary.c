#include "synth/newswire/summary.h"

void newswire_summary_clear(struct newswire_summary *s)
{
    regret_buffer_clear(&s->text);
    s->n_assertions = 0;
    s->garbles = s->dangling = s->vague = s->hedges = s->fragments = s->jumps = 0;
}

void newswire_summary_free(struct newswire_summary *s)
{
    regret_buffer_free(&s->text);
}

struct newswire_assertion *newswire_assert(struct newswire_summary *s, int fact,
                                           enum newswire_status status, unsigned words)
{
    /* The longest summaries have about thirty sentences; the last record takes what exceeds. */
    if (s->n_assertions == NEWSWIRE_MAX_ASSERTIONS) {
        s->n_assertions--;
    }
    struct newswire_assertion *a = &s->assertions[s->n_assertions++];
    *a = (struct newswire_assertion){.fact = fact, .status = status, .words = words};
    return a;
}
