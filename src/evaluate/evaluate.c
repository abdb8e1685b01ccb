#include "regret/evaluate.h"

#include "base/core/try.h"
#include "evaluate/answer/answer.h"
#include "evaluate/worth/values.h"
#include "regret/alloc.h"
#include "regret/blas.h"
#include "regret/diagnose.h"
#include "regret/families.h"
#include "regret/parallel.h"

FREED_POINTER(struct regret_evaluation, regret_evaluation_free)

static int diagnose(struct regret_evaluation *e, const struct regret_log *log,
                    const struct regret_evaluate_options *options)
{
    const struct regret_diagnose_options how = {options->level, options->seed, options->resamples,
                                                options->threads};
    evaluate_tell(options, "asking whether log and trial can be trusted");
    return regret_diagnose(&e->diagnostics, log, &how);
}

/* Once more with other folds and draws, and with mixed for the surface, which is quick: what should not matter. */
static int check_seed(struct regret_evaluation *e, const struct regret_log *log,
                      const struct regret_evaluate_options *options)
{
    const struct regret_family *mixed = regret_family_find("mixed");
    struct regret_evaluate_options other = *options;
    struct regret_evaluation *again = NULL;
    int rc;
    other.family = &mixed;
    other.n_families = 1;
    other.seed++;
    other.resamples = 100;
    evaluate_tell(options, "fitting once more, with other folds");
    TRY(REGRET_NEW(&again, 1));
    rc = evaluation_fill(again, log, &other);
    if (rc == REGRET_E_INPUT || rc == REGRET_E_NUMERIC) { /* what mixed cannot fit is not asked */
        rc = REGRET_OK;
        goto cleanup;
    }
    TRY_CLEANUP(rc);
    rc = answer_add_seed(e, again, log);
cleanup:
    regret_evaluation_free(again);
    return rc;
}

static int fill(struct regret_evaluation *e, const struct regret_log *log,
                const struct regret_evaluate_options *options)
{
    evaluate_tell(options, "fitting the surfaces");
    TRY(evaluation_fill(e, log, options));
    TRY(options->diagnose ? diagnose(e, log, options) : REGRET_OK);
    TRY(answer_add_checks(e, log));
    TRY(options->diagnose ? check_seed(e, log, options) : REGRET_OK);
    return answer_decide(e, log);
}

int regret_evaluate(struct regret_evaluation **out, const struct regret_log *log,
                    const struct regret_evaluate_options *options)
{
    FREED_BY(regret_evaluation_free_at) struct regret_evaluation *e = NULL;
    TRY(regret_blas_check_threads(options->threads));
    TRY(REGRET_NEW(&e, 1));
    FREED_BY(regret_threads_restore) size_t before = regret_threads_allow(options->threads);
    int rc = fill(e, log, options);
    if (rc == REGRET_E_NOMEM) {
        return regret_fail_suffix(rc,
                                  "; less is taken by fewer \"obs.rows\" (of %zu) or "
                                  "\"families\": [\"mixed\"] in evaluate.json",
                                  options->rows[REGRET_LOG_OBS]);
    }
    TRY(rc);
    *out = e;
    e = NULL;
    return REGRET_OK;
}
