/* Internal to the importer of HELM's runs. The format (HELM 0.5, and 0.2 as far as it differs): RunSpec, the files of a run in
 * src/helm/benchmark/runner.py; ScenarioState and RequestState in src/helm/benchmark/adaptation/; Instance in
 * scenarios/scenario.py; PerInstanceStats and Stat in metrics/metric.py and metrics/statistic.py; RequestResult in
 * src/helm/common/request.py. What is None is left out of the files. */
#ifndef REGRET_IMPORT_HELM_H
#define REGRET_IMPORT_HELM_H

#include "base/archive/each.h"
#include "base/core/names.h"
#include "import/harness/harness.h"
#include "import/prices/prices.h"

struct cJSON;

struct helm_options {
    struct harness_options harness; /* first */
    const char *prices;
};

/* A metric of an instance: its number among helm_stats' names, and its mean over what the instance has of it. */
struct helm_value {
    uint32_t name;
    uint32_t element; /* of the file, from 1 */
    double mean;
};

/* The statistics of an instance that nobody perturbed, in one trial. */
struct helm_instance {
    struct helm_value *value; /* owned */
    size_t n, capacity;
};

/* Of a run. */
struct helm_stats {
    struct names names;             /* of metrics */
    struct names keys;              /* of instances, "0 id12": trial and id */
    struct helm_instance *instance; /* by the numbers of their keys; owned */
    size_t capacity;
    uint32_t elements; /* read so far */
};

struct helm_run {
    char *folder; /* the path of its files before their names; owned */
    char *task;   /* the scenario with its arguments, without the model; owned */
    struct helm_stats stats;
    enum { HELM_NO_STATS, HELM_HAS_STATS, HELM_DONE } state;
};

/* Everything about the statistics of instances. */
int helm_read_stats(struct helm_stats *out, struct source *source);
void helm_free_stats(struct helm_stats *stats);
/* Those of an instance; NULL: none. */
const struct helm_instance *helm_find_instance(const struct helm_stats *stats, const char *id,
                                               long long trial);
/* The mean of a metric; NAN: there is none. */
double helm_value_of(const struct helm_stats *stats, const struct helm_instance *instance,
                     const char *name);

/* "mmlu:subject=anatomy" of "mmlu:subject=anatomy,model=openai_davinci". */
int helm_task(char **out, const char *run);
/* The metric that HELM's tables show of a scenario ("mmlu" of a task), among those of its statistics; NULL: none is known. */
const char *helm_main_metric(const char *task, const struct helm_stats *stats);
/* What is known of a metric; `low` and `high` are NAN where it is not. */
void helm_describe(const char *metric, double *low, double *high, int *lower_is_better);
/* 1 for what HELM counts beside the quality of answers: tokens, seconds, reasons to finish. */
int helm_is_bookkeeping(const char *metric);

/* Hands the requests of a run over. */
int helm_read_states(struct harness *h, const struct helm_run *run, const struct prices *prices,
                     int is_metric_named, struct source *source);

#endif
