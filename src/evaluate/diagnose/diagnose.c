#include "regret/diagnose.h"

#include "base/core/try.h"
#include "evaluate/diagnose/findings.h"
#include "evaluate/diagnose/gap_table.h"

const char *regret_diagnostic_verdict_name(enum regret_diagnostic_verdict verdict)
{
    static const char *const names[REGRET_DIAGNOSTIC_VERDICTS] = {"fine", "caution", "no"};
    return names[verdict];
}

/* In the order in which entries of equal verdicts are told. */
static question *const questions[] = {
    ask_scales, ask_same_rows, ask_gaps,   ask_support,     ask_shares,   ask_balance,
    ask_drift,  ask_contexts,  ask_copies, ask_confounding, ask_outcomes,
};

int regret_diagnose(struct regret_diagnostics **out, const struct regret_log *log,
                    const struct regret_diagnose_options *options)
{
    FREED_BY(findings_free) struct findings findings = {0};
    FREED_BY(cluster_order_free) struct cluster_order order = {0};
    struct asked asked = {.log = log,
                          .order = &order,
                          .options = options,
                          .threads = options->threads > 0 ? options->threads : 1};
    TRY(diagnose_check(log, options));
    for (size_t s = 0; s < REGRET_LOG_SOURCES; s++) {
        asked.has[s] = log->rows[s].n > 0;
    }
    TRY(cluster_order_build(&order, log));
    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++) {
        TRY(questions[i](&findings, &asked));
    }
    return findings_conclude(out, &findings);
}
