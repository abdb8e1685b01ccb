/* HELM. */
#ifndef IMPORT_HELM_H
#define IMPORT_HELM_H

#include "import/harness.h"
#include "import/metrics.h"

struct helm_options {
    struct harness_options harness; /* first */
    const char *prices;
};

/* "mmlu:subject=anatomy" of "mmlu:subject=anatomy,model=openai_davinci". */
int helm_task(char **out, const char *run);
/* What is known of a metric; `low` and `high` are NAN where it is not. */
void helm_describe(const char *metric, double *low, double *high, int *lower_is_better);
/* 1 for what HELM counts beside the quality of answers: tokens, seconds, reasons to finish. */
int helm_is_bookkeeping(const char *metric);

#endif
