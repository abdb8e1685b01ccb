/* Internal to the importer of Inspect's logs. The format: EvalLog and EvalSample of src/inspect_ai/log/_log.py, the members
 * of an archive in src/inspect_ai/log/_recorders/eval.py, Score in scorer/_metric.py, ModelOutput and ModelUsage in
 * model/_model_output.py, as in Inspect 0.3.232 and before; logs of version 1 to 3, the last of
 * which (log/_pool.py) keeps the messages of events apart. */
#ifndef REGRET_IMPORT_INSPECT_H
#define REGRET_IMPORT_INSPECT_H

#include "base/archive/each.h"
#include "import/harness/harness.h"
#include "import/prices/prices.h"

struct cJSON;
struct json_array;

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

struct inspect_logs {
    const char *path;        /* where they are; borrowed */
    struct inspect_log *log; /* owned */
    size_t n, capacity;
    size_t last; /* the one found last */
};

/* What a member of a source is, by its name: */
enum inspect_part {
    INSPECT_HEADER,   /* of an archive: what it says of itself */
    INSPECT_SAMPLE,   /* of an archive */
    INSPECT_DOCUMENT, /* JSON that may be a whole log */
    INSPECT_OTHER
};
/* Of a member of `path`. *prefix: the bytes before what an archive calls it; of a document all of it. */
enum inspect_part inspect_part_of(const char *name, const char *path, size_t *prefix);

/* Names of their members. */
extern const char *const INSPECT_FILES[1];

/* Reads the beginnings of all logs. REGRET_E_INPUT: none there, one of another version. */
int inspect_read_logs(struct inspect_logs *out, struct harness *h, const char *path);
void inspect_free_logs(struct inspect_logs *logs);
/* The log that a member with this prefix is of; NULL: none. */
struct inspect_log *inspect_find_log(struct inspect_logs *logs, const char *name, size_t prefix);

/* A document of which the samples are read one at a time; *found 0: it is no log, or has none. `before` as
 * json_array_seek() has it, with the fields that a log says of itself. */
int inspect_open_document(struct json_array *array, int *found, struct cJSON **before,
                          struct source *source);

/* All of a sample that is read. */
extern const char *const INSPECT_SAMPLE_FIELDS[];
extern const size_t INSPECT_N_SAMPLE_FIELDS;

/* Hands a sample over. */
int inspect_add_sample(struct harness *h, struct inspect_log *log, const struct cJSON *sample,
                       const struct prices *prices, const struct inspect_options *options,
                       struct regret_place at);

#endif
