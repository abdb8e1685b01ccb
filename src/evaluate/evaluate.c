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
