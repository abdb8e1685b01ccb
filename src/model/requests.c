#include "model/internal.h"

#include <cJSON.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/buffer.h"
#include "base/csv.h"
#include "base/json.h"
#include "base/status.h"
#include "import/column_names.h"
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
} notes[] = {{REGRET_REQUEST_UNKNOWN_TAG, "unknown-tag"},
             {REGRET_REQUEST_UNKNOWN_WORDS, "unknown-words"},
             {REGRET_REQUEST_UNSEEN_AGENT, "unseen-agent"},
             {REGRET_REQUEST_UNKNOWN_COLUMN, "unknown-column"},
             {REGRET_REQUEST_FAR_COLUMN, "far-column"}};

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
    regret_buffer_printf(out, ",%.4f,%.4f,%.4f,%.4f,%.4f,%.4f,", a->value, a->low, a->high,
                         a->margin, a->margin_low, a->margin_high);
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
    regret_buffer_printf(out, ",\"margin\":%.4f,\"margin_low\":%.4f,\"margin_high\":%.4f",
                         a->margin, a->margin_low, a->margin_high);
    regret_buffer_printf(out, ",\"told\":%s", told < 0 ? "null" : told ? "true" : "false");
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
        told->unknown[j] += !model_column_knows(&w->model->columns.item[j], &out[j]);
        told->far[j] += model_column_is_far(&w->model->columns.item[j], &out[j]) != 0;
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
        told->unknown_tag += (answers[i].notes & REGRET_REQUEST_UNKNOWN_TAG) != 0;
        told->unseen_agent += (answers[i].notes & REGRET_REQUEST_UNSEEN_AGENT) != 0;
        const char *id = b->bytes.data + b->place[first + i].id;
        const char *agent = w->model->agent[answers[i].agent];
        if (w->options->json_out) {
            put_json(out, id, agent, &answers[i], regret_model_told(w->model));
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
    static const char header[] = "id,agent,value,low,high,margin,margin_low,margin_high,note\n";
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

/* "id", "prompt_id", "requestId". */
static int ends_in_id(const char *name)
{
    size_t n = strlen(name);
    return n >= 2 && strcasecmp(name + n - 2, "id") == 0 &&
           (n == 2 || !isalpha((unsigned char)name[n - 3]) || name[n - 2] == 'I');
}

/* How surely a name is of a role: 0 not at all. */
static int fits(const char *name, enum request_role role)
{
    switch (role) {
    case REQUEST_TEXT:
        return strcasecmp(name, "text") == 0 || strcasecmp(name, "prompt") == 0 ? 2
               : ends_in_id(name)                                               ? 0
                                  : column_words(name, COLUMN_TEXT) > 0;
    case REQUEST_ID:
        return strcasecmp(name, "id") == 0 ? 2 : ends_in_id(name);
    default:
        return strcasecmp(name, "tag") == 0 ? 2
               : ends_in_id(name)           ? 0
                                            : column_words(name, COLUMN_TAG) > 0;
    }
}

/* What is left of a pool's name behind that of a column or an object; " ": it begins otherwise. */
static const char *rest_of(const char *name, const char *of_pool)
{
    while (*name != '\0' &&
           (*name == *of_pool || (*of_pool == '_' && !isalnum((unsigned char)*name)))) {
        name++;
        of_pool++;
    }
    return *name == '\0' ? of_pool : " ";
}

static int fail_twice(const char *name, const char *other, struct regret_place at)
{
    return regret_json_error(at,
                             "column \"%.40s\" is given twice, as \"%.40s\", too; rename one, or "
                             "take it out",
                             name, other);
}

int request_column_find(size_t *column, const char *const *names, size_t n, const char *of_pool,
                        struct regret_place at)
{
    *column = n;
    for (size_t k = 0; k < n; k++) {
        if (*rest_of(names[k], of_pool) == '\0') {
            TRY(*column == n ? REGRET_OK : fail_twice(names[*column], names[k], at));
            *column = k;
        }
    }
    return REGRET_OK;
}

int request_field_find(const cJSON **field, const cJSON *record, const char *of_pool,
                       struct regret_place at)
{
    const cJSON *f = NULL;
    char place[24];
    size_t i = 0;
    cJSON_ArrayForEach(f, record)
    {
        if (f->string == NULL) { /* in a list */
            snprintf(place, sizeof place, "%zu", i++);
        }
        const char *name = f->string != NULL ? f->string : place, *rest = rest_of(name, of_pool);
        if (*rest == '\0') {
            TRY(*field == NULL ? REGRET_OK : fail_twice(of_pool, name, at));
            *field = f;
        } else if (*rest == '.') {
            TRY(request_field_find(field, f, rest + 1, at));
        }
    }
    return REGRET_OK;
}

static int fail_with_names(const char *const *names, size_t n, struct regret_place at,
                           const char *what, const char *remedy)
{
    FREED_BY(regret_buffer_free) struct regret_buffer list = REGRET_BUFFER_INIT;
    for (size_t i = 0; i < n && i < 12; i++) {
        regret_buffer_append(&list, i > 0 ? ", " : "");
        regret_buffer_append_safe(&list, names[i], 40);
    }
    regret_buffer_append(&list, n > 12 ? ", …" : "");
    return regret_buffer_status(&list) != REGRET_OK
               ? regret_buffer_status(&list)
               : regret_json_error(at, "%s (there are: %s); %s", what, regret_buffer_get(&list),
                                   remedy);
}

static int find_named(size_t *column, const char *const *names, size_t n, const char *wanted,
                      struct regret_place at)
{
    for (size_t i = 0; i < n; i++) {
        if (strcmp(names[i], wanted) == 0) {
            *column = i;
            return REGRET_OK;
        }
    }
    char what[256];
    snprintf(what, sizeof what, "there is no column \"%.200s\"", wanted);
    return fail_with_names(names, n, at, what, "name one that is there");
}

/* The one that fits best; of several that fit alike the first, but of texts none. */
static int guess(size_t *column, const char *const *names, size_t n, enum request_role role,
                 struct regret_place at)
{
    int best = 0;
    size_t alike = 0;
    for (size_t i = 0; i < n; i++) {
        int fit = fits(names[i], role);
        alike = fit > best ? 1 : alike + (fit == best && fit > 0);
        *column = fit > best ? i : *column;
        best = fit > best ? fit : best;
    }
    int is_json = n > 0 && names[0][0] == '{';
    if (role == REQUEST_TEXT && (best == 0 || is_json)) {
        return fail_with_names(
            names, n, at, "no column is called like the text of a request",
            is_json ? "lines of JSON want --new-format jsonl"
                    : "call it \"text\" or \"prompt\" in the first line, or name it with "
                      "--new-text COLUMN");
    }
    return role == REQUEST_TEXT && best < 2 && alike > 1
               ? fail_with_names(names, n, at, "more than one column may be the text of a request",
                                 "say which with --new-text COLUMN")
               : REGRET_OK;
}

int request_columns_find(size_t column[REQUEST_ROLES], const char *const *names, size_t n,
                         const struct regret_requests_options *options, struct regret_place at)
{
    const char *const wanted[REQUEST_ROLES] = {options->text, options->id, options->tag};
    for (int r = 0; r < REQUEST_ROLES; r++) {
        column[r] = REQUEST_NO_COLUMN;
        TRY(wanted[r] != NULL ? find_named(&column[r], names, n, wanted[r], at)
                              : guess(&column[r], names, n, (enum request_role)r, at));
    }
    return REGRET_OK;
}
