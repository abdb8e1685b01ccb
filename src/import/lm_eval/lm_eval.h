/* What the files of this room share. The format is that of lm-evaluation-harness 0.4.3 to 0.4.10 (github.com/EleutherAI/
 * lm-evaluation-harness, lm_eval/loggers/evaluation_tracker.py and lm_eval/evaluator.py, read as of 0.4.9.1). */
#ifndef REGRET_IMPORT_LM_EVAL_H
#define REGRET_IMPORT_LM_EVAL_H

#include <stddef.h>

#include "import/harness/harness.h"
#include "regret/buffer.h"
#include "regret/json.h"

struct cJSON;
struct source;

enum { LM_EVAL_MOST_METRICS = 256 }; /* of a row */

struct lm_eval_options {
    struct harness_options harness; /* first */
    struct importer_list filters;   /* shell patterns; none: the first of each file */
};

/* What a results file says; a run is a folder and a date. */
struct lm_eval_results {
    struct results_run {
        char *folder, *date, *model;             /* owned; the last is "" where nothing names it */
        struct cJSON *versions, *shots, *better; /* by task; NULL where absent; owned */
    } * run;
    size_t n, capacity;
};

int results_read(struct lm_eval_results *out, struct harness *h, const char *path);
void results_free(struct lm_eval_results *results);
/* The one of a folder and date; of another date of that folder where there is none; or NULL. */
const struct results_run *results_find(const struct lm_eval_results *results, const char *folder,
                                       const char *date);

/* "FOLDER/samples_TASK_DATE.jsonl" taken apart: owned, "" what is not there. */
struct lm_eval_name {
    char *folder, *task, *date;
};
int lm_eval_name_read(struct lm_eval_name *out, const char *path, const char *prefix);
void lm_eval_name_free(struct lm_eval_name *name);

/* A file of samples being read. */
struct samples {
    struct harness *h;
    const struct lm_eval_options *options;
    const struct cJSON *better; /* of its task: metric → whether more is better; NULL */
    const char *task, *agent, *run;
    char version[80]; /* "" where not said */
    char *filter;     /* the first one; owned */
    size_t other_filters, more_responses;
    struct regret_buffer id, prompt, output, reference,
        metric[LM_EVAL_MOST_METRICS]; /* of the row at hand */
};

/* A row: jsonl_line. */
int samples_line(void *context, const struct cJSON *row, struct regret_place at);
void samples_free(struct samples *s);

#endif
