#include "regret/evaluate.h"

#include "base/core/try.h"
#include "evaluate/answer/answer.h"
#include "evaluate/worth/values.h"
#include "regret/alloc.h"
#include "regret/diagnose.h"

static int diagnose(struct regret_evaluation *e, const struct regret_log *log,
                    const struct regret_evaluate_options *options)
{
    const struct regret_diagnose_options how = {options->level, options->seed, options->resamples,
                                                options->threads};
    return options->diagnose ? regret_diagnose(&e->diagnostics, log, &how) : REGRET_OK;
}

int regret_evaluate(struct regret_evaluation **out, const struct regret_log *log,
                    const struct regret_evaluate_options *options)
{
    struct regret_evaluation *e = NULL;
    int rc;
    TRY(REGRET_NEW(&e, 1));
    TRY_CLEANUP(evaluation_fill(e, log, options));
    TRY_CLEANUP(diagnose(e, log, options));
    TRY_CLEANUP(answer_add_checks(e, log));
    TRY_CLEANUP(answer_decide(e, log));
    *out = e;
    e = NULL;
cleanup:
    regret_evaluation_free(e);
    return rc;
}

void regret_evaluation_free(struct regret_evaluation *e)
{
    if (e == NULL) {
        return;
    }
    for (size_t i = 0; e->note != NULL && i < e->n_notes; i++) {
        regret_free(e->note[i]);
    }
    for (size_t p = 0; p < REGRET_POLICIES; p++) {
        regret_free(e->choice[p]);
    }
    regret_diagnostics_free(e->diagnostics);
    regret_free(e->note);
    regret_free(e->agent);
    regret_free(e->tag);
    regret_free(e->advice);
    regret_free(e->group);
    regret_free(e->family);
    regret_free(e->lambda_says);
    regret_free(e->sentence);
    regret_free(e->row);
    regret_free(e->fold);
    regret_free(e->surface);
    regret_free(e->propensity);
    regret_free(e);
}
