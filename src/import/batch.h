/* Batches of requests and outputs. */
#ifndef IMPORT_BATCH_H
#define IMPORT_BATCH_H

#include <stddef.h>
#include <stdint.h>

#include "base/names.h"
#include "import/harness.h"
#include "import/metrics.h"

struct cJSON;

struct batch_options {
    struct harness_options harness; /* first */
    const char *requests, *scores, *prices;
    const char *ids; /* how custom_id is read */
    int by_file;     /* 1: the file's name is the model's */
};

enum batch_part { BATCH_ID, BATCH_MODEL, BATCH_TASK, BATCH_REPEAT, BATCH_PARTS };

/* The parts that a template such as "{task}/{id}@{model}" finds in a custom_id; "" of those it lacks. */
struct batch_id {
    struct regret_buffer part[BATCH_PARTS];
};

/* REGRET_E_INPUT: unknown parts, one twice, two with nothing between, none that is {id}. */
int batch_template_check(const char *template);
/* Each part is the shortest text up to what follows it. REGRET_E_INPUT: the custom_id is not made so. */
int batch_id_read(struct batch_id *out, const char *custom_id, const char *template,
                  struct regret_place at);
/* Its text, NULL of "". */
const char *batch_id_part(const struct batch_id *id, enum batch_part part);
void batch_id_free(struct batch_id *id);

/* Gives the lines of a file, a folder or an archive. */
int batch_read_lines(struct harness *h, const char *path, jsonl_line *line, void *context);

struct batch_request {
    uint32_t prompt, model; /* of `prompts` and `models`; NAMES_NONE: several models, or none */
};

struct batch_requests {
    const char *path;                  /* NULL: none was given */
    struct names ids, prompts, models; /* a prompt that goes to many models is there once */
    struct batch_request *request;     /* by number; owned */
    size_t capacity;
    struct regret_buffer text;
};

struct batch_score_row {
    size_t first, n; /* of `score` */
    uint32_t used;   /* of `users`: the model that it was taken for; NAMES_NONE: none yet */
    int is_of_any;   /* 1: it names no model */
};

struct batch_scores {
    struct names keys; /* custom_id, or that, a line end and a model */
    struct batch_score_row *row;
    struct harness_score *score; /* metrics are of `metrics` */
    size_t n, row_capacity, capacity;
    struct names metrics, users;
    struct regret_buffer text;
    size_t texts, silent; /* columns without numbers; outputs of judges without a score */
};

/* Reads a table of the columns custom_id, model or agent (it may lack) and scores, in CSV, or JSONL, a line of which may also be
 * a judge's batch output. */
int batch_scores_read(struct batch_scores *out, struct harness *h, const char *path);
/* The scores of a model's answer; *n is 0 where there are none. REGRET_E_INPUT: two models answered, and the scores do not say
 * which of them they are of. */
int batch_scores_find(const struct harness_score **out, size_t *n, struct batch_scores *s,
                      const char *custom_id, const char *model, struct regret_place at);
/* The rows that were taken for no answer. */
size_t batch_scores_unused(const struct batch_scores *s);
void batch_scores_free(struct batch_scores *s);

/* What the body of a response says; texts are borrowed from it, or in `text`. */
struct batch_body {
    const char *model, *output; /* NULL: none */
    enum harness_state state;
    double input, tokens; /* used; NAN: not said */
    size_t more;          /* choices beside the first */
};

/* Of a line's "response" and "error". */
int batch_body_read(struct batch_body *out, struct regret_buffer *text, const struct cJSON *line,
                    struct regret_place at);

struct batch {
    const struct batch_options *options; /* borrowed */
    struct harness *h;
    const char *path; /* of the outputs */
    size_t n_files;   /* read of them */
    struct batch_requests requests;
    struct batch_scores scores;
    struct prices prices;
    struct batch_id id;
    struct regret_buffer text,
        model; /* of the answer at hand; the last model of the file, or its name */
};

#endif
