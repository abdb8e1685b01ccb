/* New requests answered: who is to answer each, and with what value. */
#include "model/internal.h"

#include <string.h>

#include "base/buffer.h"
#include "base/csv.h"
#include "base/status.h"
#include "model/model.h"
#include "regret/buffer.h"
#include "regret/status.h"

FREED_POINTER(struct request_table, request_table_close)

/* A block is read by one thread, and answered in jobs by all. */
enum { BLOCK = 4096, JOB = 64, BLOCK_BYTES = 16 << 20 };

struct answering {
    const struct regret_model *model;
    const struct regret_requests_options *options;
    struct request_block block;
    struct regret_buffer line[BLOCK / JOB]; /* what a job has to say */
    struct regret_requests_told told[BLOCK / JOB];
};

static const struct {
    unsigned note;
    const char *word;
} notes[] = {{REQUEST_UNKNOWN_TAG, "unknown-tag"},
             {REQUEST_UNKNOWN_WORDS, "unknown-words"},
             {REQUEST_UNSEEN_AGENT, "unseen-agent"},
             {REQUEST_UNKNOWN_COLUMN, "unknown-column"},
             {REQUEST_FAR_COLUMN, "far-column"}};

static void put_notes(struct regret_buffer *out, unsigned which, const char *between)
{
    size_t n = 0;
    for (size_t i = 0; i < sizeof notes / sizeof *notes; i++) {
        if (which & notes[i].note) {
            regret_buffer_append(out, n++ > 0 ? between : "");
            regret_buffer_append(out, notes[i].word);
        }
    }
}

static void put_csv(struct regret_buffer *out, const char *id, const char *agent,
                    const struct regret_answer *a)
{
    csv_field(out, id);
    regret_buffer_append_char(out, ',');
    csv_field(out, agent);
    regret_buffer_printf(out, ",%.4f,%.4f,%.4f,%.4f,", a->value, a->low, a->high, a->margin);
    put_notes(out, a->notes, ";");
    regret_buffer_append_char(out, '\n');
}

static void put_json(struct regret_buffer *out, const char *id, const char *agent,
                     const struct regret_answer *a, int told)
{
    regret_buffer_append(out, "{\"id\":");
    regret_buffer_json_string(out, id);
    regret_buffer_append(out, ",\"agent\":");
    regret_buffer_json_string(out, agent);
    regret_buffer_printf(out, ",\"value\":%.4f,\"low\":%.4f,\"high\":%.4f", a->value, a->low,
                         a->high);
    regret_buffer_printf(out, ",\"margin\":%.4f", a->margin);
    regret_buffer_printf(out, ",\"told\":%s", told ? "true" : "false");
    regret_buffer_append(out, a->notes ? ",\"notes\":[\"" : "");
    put_notes(out, a->notes, "\",\"");
    regret_buffer_append(out, a->notes ? "\"]}\n" : "}\n");
}

/* Of a request its own columns, which are counted where the model does not know them, or only nearer ones. */
static void fill_columns(struct regret_covariate *out, struct regret_requests_told *told,
                         const struct answering *w, size_t i)
{
    const struct request_block *b = &w->block;
    for (size_t j = 0; j < b->n_columns; j++) {
        const struct request_value *from = &b->value[i * b->n_columns + j];
        out[j].number = from->number;
        out[j].word = from->word != SIZE_MAX ? b->bytes.data + from->word : NULL;
        told->unknown[j] += !own_column_knows(&w->model->map.own[j], &out[j]);
        told->far[j] += own_column_is_far(&w->model->map.own[j], &out[j]) != 0;
    }
}

static int answer_job(void *context, size_t index, size_t worker)
{
    struct answering *w = context;
    const struct request_block *b = &w->block;
    struct regret_buffer *out = &w->line[index];
    struct regret_request requests[JOB];
    struct regret_answer answers[JOB];
    FREED struct regret_covariate *columns = NULL;
    size_t first = index * JOB, n = b->n - first < JOB ? b->n - first : JOB;
    (void)worker;
    struct regret_requests_told *told = &w->told[index];
    *told = (struct regret_requests_told){.n = n};
    TRY(REGRET_NEW(&columns, n * b->n_columns));
    for (size_t i = 0; i < n; i++) {
        const struct request_place *p = &b->place[first + i];
        requests[i].text = b->bytes.data + p->text;
        requests[i].tag = b->bytes.data + p->tag;
        requests[i].columns = columns + i * b->n_columns;
        fill_columns(columns + i * b->n_columns, told, w, first + i);
    }
    regret_buffer_clear(out);
    TRY(regret_model_answer(answers, w->model, requests, n));
    for (size_t i = 0; i < n; i++) {
        told->unknown_tag += (answers[i].notes & REQUEST_UNKNOWN_TAG) != 0;
        told->unseen_agent += (answers[i].notes & REQUEST_UNSEEN_AGENT) != 0;
        const char *id = b->bytes.data + b->place[first + i].id;
        const char *agent = w->model->agent[answers[i].agent];
        if (w->options->json_out) {
            put_json(out, id, agent, &answers[i], w->model->told);
        } else {
            put_csv(out, id, agent, &answers[i]);
        }
    }
    return regret_buffer_status(out);
}

static int hand_out(const struct answering *w, const struct regret_buffer *text,
                    regret_requests_sink *sink, void *context)
{
    FREED_BY(regret_buffer_free) struct regret_buffer guarded = REGRET_BUFFER_INIT;
    if (w->options->json_out || !w->options->safe_csv) {
        return sink(context, regret_buffer_get(text), text->length);
    }
    regret_csv_guard(&guarded, regret_buffer_get(text), text->length);
    TRY(regret_buffer_status(&guarded));
    return sink(context, regret_buffer_get(&guarded), guarded.length);
}

static int answer_block(struct regret_requests_told *told, struct answering *w,
                        regret_requests_sink *sink, void *context)
{
    size_t jobs = (w->block.n + JOB - 1) / JOB;
    TRY(regret_parallel_for(jobs, w->options->threads, answer_job, w));
    for (size_t j = 0; j < jobs; j++) {
        TRY(hand_out(w, &w->line[j], sink, context));
        told->n += w->told[j].n;
        told->unknown_tag += w->told[j].unknown_tag;
        told->unseen_agent += w->told[j].unseen_agent;
        for (size_t k = 0; k < w->block.n_columns; k++) {
            told->unknown[k] += w->told[j].unknown[k];
            told->far[k] += w->told[j].far[k];
        }
    }
    return REGRET_OK;
}

static void answering_free(struct answering *w)
{
    for (size_t j = 0; w != NULL && j < BLOCK / JOB; j++) {
        regret_buffer_free(&w->line[j]);
    }
    if (w != NULL) {
        request_block_free(&w->block);
    }
    regret_free(w);
}

FREED_POINTER(struct answering, answering_free)

int regret_requests_answer(struct regret_requests_told *told, const struct regret_model *model,
                           const struct regret_requests_options *options,
                           regret_requests_sink *sink, void *context)
{
    static const char header[] = "id,agent,value,low,high,margin,note\n";
    FREED_BY(request_table_close_at) struct request_table *table = NULL;
    FREED_BY(answering_free_at) struct answering *w = NULL;
    struct regret_requests_told all = {0};
    TRY(REGRET_NEW(&w, 1));
    w->model = model;
    w->options = options;
    TRY(request_table_open(&table, options, model));
    TRY(options->json_out ? REGRET_OK : sink(context, header, sizeof header - 1));
    do {
        TRY(request_table_read(&w->block, table, BLOCK, BLOCK_BYTES));
        TRY(answer_block(&all, w, sink, context));
    } while (w->block.n > 0);
    if (told != NULL) {
        *told = all;
    }
    return REGRET_OK;
}
