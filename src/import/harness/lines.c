/* Most of the time of an import is that of parsing: while the threads parse a batch of lines, one of them reads the next;
 * then one hands the lines over. */
#include "import/harness/lines.h"

#include <string.h>

#include <cJSON.h>

#include "base/archive/source.h"
#include "base/core/try.h"
#include "import/harness/harness.h"
#include "regret/alloc.h"
#include "regret/buffer.h"
#include "regret/parallel.h"

enum { BATCH_BYTES = 2 << 20, BATCH_LINES = 4096, MOST_THREADS = 8, JOB = 16 };

struct batch {
    struct regret_buffer text; /* of the lines, one after the other */
    struct {
        size_t begin, length, number;
        cJSON *value; /* owned */
    } line[BATCH_LINES];
    size_t n;
    const char *file; /* borrowed */
};

struct reading {
    struct regret_jsonl *lines;
    struct batch batch[2], *now,
        *next; /* the one that is parsed, and the one that is read meanwhile */
};

static void free_values(struct batch *b, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; i++) {
        cJSON_Delete(b->line[i].value);
        b->line[i].value = NULL;
    }
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

static int parse_some(struct batch *b, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; i++) {
        const struct regret_place at = {b->file, b->line[i].number};
        TRY(regret_json_parse_mode(&b->line[i].value,
                                   regret_buffer_get(&b->text) + b->line[i].begin,
                                   b->line[i].length, at, REGRET_JSON_IMPORT));
        TRY(regret_jsonl_check_object(b->line[i].value, at));
    }
    return REGRET_OK;
}

static size_t end_of(const struct batch *b, size_t job)
{
    return (job + 1) * JOB < b->n ? (job + 1) * JOB : b->n;
}

/* Job 0 reads the next batch; the others parse this one. */
static int read_or_parse(void *context, size_t index, size_t worker)
{
    struct reading *r = context;
    (void)worker;
    return index == 0 ? read_batch(r->next, r->lines)
                      : parse_some(r->now, (index - 1) * JOB, end_of(r->now, index - 1));
}

static int free_some(void *context, size_t index, size_t worker)
{
    struct reading *r = context;
    (void)worker;
    free_values(r->now, index * JOB, end_of(r->now, index));
    return REGRET_OK;
}

static int hand_over(const struct batch *b, harness_line *line, void *context)
{
    for (size_t i = 0; i < b->n; i++) {
        TRY(line(context, b->line[i].value, (struct regret_place){b->file, b->line[i].number}));
    }
    return REGRET_OK;
}

static int read_all(struct reading *r, int *is_empty, harness_line *line, void *context)
{
    size_t threads = regret_processor_count();
    threads = threads < MOST_THREADS ? threads : MOST_THREADS;
    TRY(read_batch(r->next, r->lines));
    *is_empty = r->next->n == 0;
    while (r->next->n > 0) {
        struct batch *now = r->next;
        size_t jobs = (now->n + JOB - 1) / JOB;
        r->next = r->now;
        r->now = now;
        TRY(regret_parallel_for(jobs + 1, threads, read_or_parse, r));
        TRY(hand_over(now, line, context));
        TRY(regret_parallel_for(jobs, threads, free_some, r));
    }
    return REGRET_OK;
}

int harness_lines(struct harness *h, struct source *source, harness_line *line, void *context)
{
    struct reading *r = NULL;
    int rc, is_empty = 0;
    TRY(REGRET_NEW(&r, 1));
    r->now = &r->batch[0];
    r->next = &r->batch[1];
    TRY_CLEANUP(source_jsonl(source, &r->lines));
    TRY_CLEANUP(read_all(r, &is_empty, line, context));
    rc = is_empty && h != NULL ? harness_left_out_at(h, "files without a row", source_where(source))
                               : REGRET_OK;
cleanup:
    for (size_t i = 0; i < 2; i++) {
        free_values(&r->batch[i], 0, r->batch[i].n);
        regret_buffer_free(&r->batch[i].text);
    }
    regret_free(r);
    return rc;
}
