#include "base/core/texts.h"
#include "regret/alloc.h"
#include "regret/diagnose.h"
#include "regret/evaluate.h"

void regret_evaluation_free(struct regret_evaluation *e)
{
    if (e == NULL) {
        return;
    }
    texts_free(e->note, e->n_notes);
    for (size_t p = 0; p < REGRET_POLICIES; p++) {
        regret_free(e->choice[p]);
    }
    regret_diagnostics_free(e->diagnostics);
    regret_free(e->agent);
    regret_free(e->tag);
    regret_free(e->advice);
    regret_free(e->group);
    regret_free(e->family);
    regret_free(e->lambda_says);
    regret_free(e->sentence);
    regret_free(e->guess_sentence);
    regret_free(e->row);
    regret_free(e->fold);
    regret_free(e->surface);
    regret_free(e->surface_of);
    regret_free(e->propensity);
    regret_free(e->margin_group);
    regret_free(e);
}
