/* Most of the time of an import is that of parsing: a batch of lines is read, parsed on all threads, and handed over
 * by one. */
#include "import/harness/lines.h"

#include <string.h>

#include <cJSON.h>

#include "base/archive/source.h"
#include "base/core/try.h"
#include "regret/alloc.h"
#include "regret/buffer.h"
#include "regret/parallel.h"

enum { BATCH_BYTES = 4 << 20, BATCH_LINES = 4096, MOST_THREADS = 8, JOB = 16 };

struct batch {
    struct regret_buffer text; /* of the lines, one after the other */
    struct {
        size_t begin, length, number;
        cJSON *value; /* owned */
    } line[BATCH_LINES];
    size_t n;
    const char *file; /* borrowed */
};

static int parse_some(void *context, size_t index, size_t worker)
{
    struct batch *b = context;
    size_t end = (index + 1) * JOB < b->n ? (index + 1) * JOB : b->n;
    (void)worker;
    for (size_t i = index * JOB; i < end; i++) {
        const struct regret_place at = {b->file, b->line[i].number};
        TRY(regret_json_parse_mode(&b->line[i].value,
                                   regret_buffer_get(&b->text) + b->line[i].begin,
                                   b->line[i].length, at, REGRET_JSON_IMPORT));
        TRY(regret_jsonl_check_object(b->line[i].value, at));
    }
    return REGRET_OK;
}

static int free_some(void *context, size_t index, size_t worker)
{
    struct batch *b = context;
    size_t end = (index + 1) * JOB < b->n ? (index + 1) * JOB : b->n;
    (void)worker;
    for (size_t i = index * JOB; i < end; i++) {
        cJSON_Delete(b->line[i].value);
        b->line[i].value = NULL;
    }
    return REGRET_OK;
}

static int for_all(struct batch *b, size_t threads, regret_job *job)
{
    size_t jobs = (b->n + JOB - 1) / JOB;
    threads = threads < jobs ? threads : jobs;
    return regret_parallel_for(jobs, threads > 0 ? threads : 1, job, b);
}

/* As many lines as fit; none at the end of the file. */
static int read_batch(struct batch *b, struct regret_jsonl *lines)
{
    const char *text = "";
    struct regret_place at = {NULL, 0};
    size_t length = 0;
    regret_buffer_clear(&b->text);
    b->n = 0;
    while (b->n < BATCH_LINES && b->text.length < BATCH_BYTES) {
        TRY(regret_jsonl_next_line(lines, &text, &length, &at));
        if (text == NULL) {
            return REGRET_OK;
        }
        b->file = at.file;
        b->line[b->n].begin = b->text.length;
        b->line[b->n].length = length;
        b->line[b->n].number = at.line;
        b->line[b->n++].value = NULL;
        regret_buffer_append_n(&b->text, text, length);
        TRY(regret_buffer_status(&b->text));
    }
    return REGRET_OK;
}

int harness_lines(struct source *source, harness_line *line, void *context)
{
    struct regret_jsonl *lines = NULL;
    struct batch *b = NULL;
    size_t threads = regret_processor_count();
    int rc;
    threads = threads < MOST_THREADS ? threads : MOST_THREADS;
    TRY(REGRET_NEW(&b, 1));
    TRY_CLEANUP(source_jsonl(source, &lines));
    do {
        TRY_CLEANUP(read_batch(b, lines));
        TRY_CLEANUP(for_all(b, threads, parse_some));
        for (size_t i = 0; i < b->n; i++) {
            TRY_CLEANUP(
                line(context, b->line[i].value, (struct regret_place){b->file, b->line[i].number}));
        }
        TRY_CLEANUP(for_all(b, threads, free_some));
    } while (b->n > 0);
cleanup:
    for (size_t i = 0; i < b->n; i++) {
        cJSON_Delete(b->line[i].value);
    }
    regret_buffer_free(&b->text);
    regret_free(b);
    return rc;
}
