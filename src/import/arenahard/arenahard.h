/* Internal to the importer of Arena-Hard's and MT-bench's folders. The formats: of Arena-Hard-Auto 2.0 gen_answer.py,
 * gen_judgment.py and show_result.py (lmarena/arena-hard-auto at bed1604 and 005ac12), of 0.1 the same files at 01109e9; of MT-bench
 * fastchat/llm_judge/common.py (lm-sys/FastChat at 007ecd0). */
#ifndef REGRET_IMPORT_ARENAHARD_H
#define REGRET_IMPORT_ARENAHARD_H

#include "base/core/names.h"
#include "import/harness/harness.h"
#include "import/harness/lines.h"
#include "import/table/table_cell.h"

struct cJSON;

struct arenahard_options {
    struct harness_options harness; /* first */
    const char *judge, *baseline;   /* NULL: the one there is */
};

struct arenahard_question {
    char *category, *prompt, *reference; /* the first and the last may be NULL; owned */
    uint32_t baseline;                   /* of `baselines`; NAMES_NONE: not judged against any */
};

enum { ARENAHARD_PREFERENCE, ARENAHARD_RATING, ARENAHARD_METRICS };

/* The verdicts on one answer. */
struct arenahard_judgment {
    double sum[ARENAHARD_METRICS];
    size_t n[ARENAHARD_METRICS];
    int is_answered; /* the answer has been met */
};

struct arenahard {
    const struct arenahard_options *options; /* borrowed */
    struct harness *h;
    char *folder;                        /* of the benchmark, within what was opened; owned */
    char *model;                         /* that the file at hand is called by; owned, as is … */
    char *first;                         /* … what its first answer says; NULL: nothing yet */
    const char *part;                    /* the members that are read at present, … */
    jsonl_line *line;                    /* … and who takes their lines */
    struct names questions, baselines;   /* ids and models */
    struct arenahard_question *question; /* by number; owned, as is the next */
    struct arenahard_judgment *judgment; /* by number of `judged` */
    size_t question_capacity, judgment_capacity;
    struct names judged; /* QUESTION/MODEL, a number and a name */
    struct names judges; /* those met */
    int has_strangers;   /* 1: judgments on questions that question.jsonl lacks */
    uint32_t judge;      /* of `judges`; NAMES_NONE: none yet */
    struct regret_buffer text, key;
};

/* What names a question, a text or a number; may be in `scratch`. */
int arenahard_id(const char **out, char scratch[JSON_SCRATCH], const struct cJSON *line,
                 struct regret_place at);
/* The number of the question that a line is about; NAMES_NONE: none of the benchmark's. */
int arenahard_question_of(uint32_t *out, const struct arenahard *a, const struct cJSON *line,
                          struct regret_place at);
/* The number of the answer of a model to a question; `enter` 0: NAMES_NONE where nobody judged it. */
int arenahard_answer_of(uint32_t *out, struct arenahard *a, uint32_t question, const char *model,
                        int enter);

/* Take a line of a file each; `context` is a struct arenahard: jsonl_line. */
int arenahard_read_judgment(void *context, const struct cJSON *line, struct regret_place at);
int arenahard_read_answer(void *context, const struct cJSON *line, struct regret_place at);

#endif
