/* Inspect. */
#ifndef IMPORT_INSPECT_H
#define IMPORT_INSPECT_H

#include <stddef.h>

#include "import/harness.h"
#include "import/metrics.h"

struct cJSON;

/* What costs are made of. */
enum inspect_cost {
    INSPECT_COST_TOKENS,  /* tokens, times prices where there are any */
    INSPECT_COST_RECORDED /* what the log says, in dollars */
};

struct inspect_options {
    struct harness_options harness; /* first */
    const char *prices;
    unsigned cost; /* enum inspect_cost */
};

/* What a log says of itself. */
struct inspect_log {
    char
        *name; /* the member that it is, or what its members' names begin with; owned, as all are */
    char *task;     /* with the arguments that it was given */
    char *model;    /* as the log has it, for prices */
    char *settings; /* what else may tell two agents apart; "" for nothing */
    char *agent;    /* the model, with its settings where others of its runs have others */
    char *version;  /* of the task */
    char *main;     /* the first score of its first sample; NULL before that */
    char *status;   /* "success", "error", "cancelled", "started" */
    size_t samples; /* read so far */
    int is_split;   /* its model answered the task with other settings, too */
};

/* All of a sample that is read. */
extern const char *const INSPECT_SAMPLE_FIELDS[];
extern const size_t INSPECT_N_SAMPLE_FIELDS;

/* Hands a sample over. */
int inspect_add_sample(struct harness *h, struct inspect_log *log, const struct cJSON *sample,
                       const struct prices *prices, const struct inspect_options *options,
                       struct regret_place at);

#endif
