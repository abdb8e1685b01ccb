/* Most of the time is that of parsing: while the threads parse a batch of lines, and take those that are rows, one of them reads
 * the next; other lines one hands over then. */
#include "base/json/jsonl_each.h"

#include <stdio.h>

#include <cJSON.h>

#include "base/core/try.h"
#include "base/json/jsonl_bytes.h"
#include "regret/alloc.h"
#include "regret/buffer.h"
#include "regret/parallel.h"

FREED_POINTER(cJSON, cJSON_Delete)

enum { BATCH_BYTES = 2 << 20, BATCH_LINES = 4096, JOB = 16 };

struct batch {
    struct regret_buffer text; /* of the lines, one after the other */
    struct {
        size_t begin, length, number;
        cJSON *value; /* owned; NULL: not parsed, or it is no JSON */
    } line[BATCH_LINES];
    size_t n;
    const char *file; /* borrowed */
};

struct reading {
    struct regret_jsonl *lines;
    enum regret_json_mode mode;
    const struct jsonl_taker *taker;
    size_t first; /* the batch's first row */
    struct batch batch[2], *now,
        *next; /* the one that is parsed, and the one that is read meanwhile */
    int failed; /* what reading ended with, and its message: told when the lines before were handed over */
    char said[1024];
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

static void read_next(struct reading *r)
{
    r->next->n = 0;
    if (r->failed == REGRET_OK && (r->failed = read_batch(r->next, r->lines)) != REGRET_OK) {
        snprintf(r->said, sizeof r->said, "%s", regret_error_message());
    }
}

static int parse(struct batch *b, size_t i, enum regret_json_mode mode)
{
    const struct regret_place at = {b->file, b->line[i].number};
    return jsonl_parse(&b->line[i].value, regret_buffer_get(&b->text) + b->line[i].begin,
                       b->line[i].length, at, mode);
}

static size_t end_of(const struct batch *b, size_t job)
{
    return (job + 1) * JOB < b->n ? (job + 1) * JOB : b->n;
}

static int take(const struct jsonl_taker *taker, size_t row, const cJSON *value,
                struct regret_place at)
{
    TRY(regret_jsonl_check_object(value, at));
    return taker->row != NULL ? taker->row(taker->context, row, value, at)
                              : taker->line(taker->context, value, at);
}

/* Line i of the batch at hand. */
static int take_line(struct reading *r, size_t i)
{
    struct batch *b = r->now;
    const struct regret_place at = {b->file, b->line[i].number};
    TRY(b->line[i].value == NULL ? parse(b, i, r->mode) : REGRET_OK);
    return take(r->taker, r->first + i, b->line[i].value, at);
}

/* Job 0 reads the next batch; the others parse this one. */
static int read_or_parse(void *context, size_t index, size_t worker)
{
    struct reading *r = context;
    (void)worker;
    if (index == 0) {
        read_next(r);
        return REGRET_OK;
    }
    for (size_t i = (index - 1) * JOB; i < end_of(r->now, index - 1); i++) {
        if (r->taker->row == NULL) {
            (void)parse(r->now, i, r->mode); /* told where it is handed over */
            continue;
        }
        TRY(take_line(r, i));
        free_values(r->now, i, i + 1);
    }
    return REGRET_OK;
}

static int free_some(void *context, size_t index, size_t worker)
{
    struct reading *r = context;
    (void)worker;
    free_values(r->now, index * JOB, end_of(r->now, index));
    return REGRET_OK;
}

static int hand_over(struct reading *r, size_t jobs, size_t threads)
{
    for (size_t i = 0; i < r->now->n; i++) {
        TRY(take_line(r, i));
    }
    return regret_parallel_for(jobs, threads, free_some, r);
}

static int read_all(struct reading *r, size_t *n, size_t threads)
{
    const struct jsonl_taker *taker = r->taker;
    read_next(r);
    while (r->next->n > 0) {
        struct batch *now = r->next;
        size_t jobs = (now->n + JOB - 1) / JOB;
        r->next = r->now;
        r->now = now;
        r->first = *n;
        *n += now->n;
        TRY(taker->row != NULL ? taker->reserve(taker->context, *n) : REGRET_OK);
        TRY(regret_parallel_for(jobs + 1, threads, read_or_parse, r));
        TRY(taker->row == NULL ? hand_over(r, jobs, threads) : REGRET_OK);
    }
    return r->failed == REGRET_OK ? REGRET_OK : regret_fail(r->failed, "%s", r->said);
}

/* A line at a time, whose tree is still in a near cache when it is freed. */
static int read_alone(struct regret_jsonl *lines, size_t *n, enum regret_json_mode mode,
                      const struct jsonl_taker *taker)
{
    FREED_BY(cJSON_Delete_at) cJSON *value = NULL;
    const char *text = NULL;
    size_t length = 0;
    struct regret_place at;
    for (;; ++*n) {
        TRY(regret_jsonl_next_line(lines, &text, &length, &at));
        if (text == NULL) {
            return REGRET_OK;
        }
        TRY(jsonl_parse(&value, text, length, at, mode));
        TRY(taker->row != NULL ? taker->reserve(taker->context, *n + 1) : REGRET_OK);
        TRY(take(taker, *n, value, at));
        cJSON_Delete(value);
        value = NULL;
    }
}

int jsonl_each(size_t *n, struct regret_jsonl *lines, enum regret_json_mode mode, size_t threads,
               const struct jsonl_taker *taker)
{
    struct reading *r = NULL;
    *n = 0;
    if (threads == 1) {
        return read_alone(lines, n, mode, taker);
    }
    TRY(REGRET_NEW(&r, 1));
    *r = (struct reading){
        .lines = lines, .mode = mode, .taker = taker, .now = &r->batch[0], .next = &r->batch[1]};
    int rc = read_all(r, n, threads);
    for (size_t i = 0; i < 2; i++) {
        free_values(&r->batch[i], 0, r->batch[i].n);
        regret_buffer_free(&r->batch[i].text);
    }
    regret_free(r);
    return rc;
}
