/* A log that is being read: its rows, and which of them are drawn. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "base/status.h"
#include "import/importer.h"
#include "log/config.h"
#include "log/internal.h"
#include "regret/evaluate.h"
#include "regret/status.h"
#include "regret/task.h"
#include "table/words.h"

int log_names_rank(char ***out, uint32_t **rank, struct names *names)
{
    FREED char **sorted = NULL;
    size_t n = names->n;
    *rank = NULL;
    TRY(REGRET_NEW(&sorted, n));
    TRY(REGRET_NEW(rank, n));
    for (size_t i = 0; i < n; i++) {
        sorted[i] = names->name[i];
    }
    qsort(sorted, n, sizeof *sorted, natural_order);
    for (size_t i = 0; i < n; i++) {
        (*rank)[names_find(names, sorted[i])] = (uint32_t)i;
    }
    names->n = 0; /* they are handed over */
    names_free(names);
    *out = sorted;
    sorted = NULL;
    return REGRET_OK;
}

/* The slot of a hash, or the free one where it belongs. */
static uint32_t *slot_of(const struct log_keys *keys, uint32_t *slot, size_t n_slots, uint64_t hash)
{
    size_t i = (size_t)hash & (n_slots - 1);
    while (slot[i] != 0 && keys->hash[slot[i] - 1] != hash) {
        i = (i + 1) & (n_slots - 1);
    }
    return &slot[i];
}

/* A table of the first keys->n hashes. */
static int build_slots(struct log_keys *keys, size_t n_slots)
{
    uint32_t *slot = NULL;
    TRY(REGRET_NEW(&slot, n_slots));
    for (size_t i = 0; i < keys->n; i++) {
        *slot_of(keys, slot, n_slots, keys->hash[i]) = (uint32_t)i + 1;
    }
    regret_free(keys->slot);
    keys->slot = slot;
    keys->n_slots = n_slots;
    return REGRET_OK;
}

/* Room for one more, at a load of at most three quarters. */
static int grow_slots(struct log_keys *keys)
{
    enum { LEAST = 16 };
    return 4 * (keys->n + 1) <= 3 * keys->n_slots
               ? REGRET_OK
               : build_slots(keys, keys->n_slots > 0 ? 2 * keys->n_slots : LEAST);
}

int log_keys_put(uint32_t *out, struct log_keys *keys, uint64_t hash)
{
    TRY(grow_slots(keys));
    uint32_t *slot = slot_of(keys, keys->slot, keys->n_slots, hash);
    if (*slot == 0) {
        if (keys->n >= UINT32_MAX - 1) {
            return regret_fail(REGRET_E_INPUT, "more than 4 billion contexts; give a part");
        }
        TRY(regret_grow((void **)&keys->hash, &keys->capacity, keys->n, sizeof *keys->hash,
                        "contexts"));
        keys->hash[keys->n++] = hash;
        *slot = (uint32_t)keys->n;
    }
    *out = *slot - 1;
    return REGRET_OK;
}

uint32_t log_keys_find(const struct log_keys *keys, uint64_t hash)
{
    return keys->n > 0 ? *slot_of(keys, keys->slot, keys->n_slots, hash) - 1 : UINT32_MAX;
}

/* Gives the table back and keeps the hashes: no more can be put. */
static void log_keys_forget(struct log_keys *keys)
{
    regret_free(keys->slot);
    keys->slot = NULL;
    keys->n_slots = 0;
}

void log_keys_free(struct log_keys *keys)
{
    regret_free(keys->hash);
    regret_free(keys->slot);
    *keys = (struct log_keys){0};
}

/* ---------------------------------------------------------------- the draw */

struct drawn {
    uint64_t key;
    uint32_t row;
};

static int by_key(const void *x, const void *y)
{
    const struct drawn *a = x, *b = y;
    return a->key != b->key ? (a->key > b->key) - (a->key < b->key)
                            : (a->row > b->row) - (a->row < b->row);
}

static int compare_rows(const void *x, const void *y)
{
    uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    return (a > b) - (a < b);
}

/* The `most` rows with the least keys, a random number of each line's own: which of them are drawn depends on the seed and
 * the lines alone, and a larger draw holds a smaller one. Keys are kept up to one below which next to surely so many lie. */
static int draw_rows(uint32_t *out, const struct regret_log_rows *rows, size_t most, uint64_t seed)
{
    FREED struct drawn *drawn = NULL;
    size_t n = 0, capacity = 0;
    for (double below = (double)most + 8.0 * sqrt((double)most); n < most; below *= 2.0) {
        double share = below / (double)rows->n;
        uint64_t limit = share < 1.0 ? (uint64_t)(share * 0x1p64) : UINT64_MAX;
        n = 0;
        for (size_t i = 0; i < rows->n; i++) {
            struct regret_rng rng = regret_rng_at(seed, REGRET_RNG_LOG_DRAW, rows->line[i]);
            struct drawn one = {regret_rng_u64(&rng), (uint32_t)i};
            if (one.key <= limit) {
                TRY(regret_grow((void **)&drawn, &capacity, n, sizeof *drawn, "drawn rows"));
                drawn[n++] = one;
            }
        }
    }
    if (most > 0) {
        qsort(drawn, n, sizeof *drawn, by_key);
    }
    for (size_t i = 0; i < most; i++) {
        out[i] = drawn[i].row;
    }
    qsort(out, most, sizeof *out, compare_rows);
    return REGRET_OK;
}

/* The new number of each context: those of outputs and EXP, the first `fixed`, keep theirs, then come those of drawn rows,
 * then the others. */
static int renumber(uint32_t **out, struct log_reading *r, size_t fixed)
{
    struct regret_log *log = r->log;
    size_t n = r->contexts.n, kept = fixed;
    uint32_t *number = NULL;
    TRY(REGRET_NEW(&number, n));
    for (size_t i = 0; i < log->n_drawn; i++) {
        number[log->rows[REGRET_LOG_OBS].context[log->drawn[i]]] = 1;
    }
    for (size_t c = fixed; c < n; c++) {
        kept += number[c];
    }
    log->n_kept = kept;
    size_t next = fixed, other = kept;
    for (size_t c = 0; c < n; c++) {
        number[c] = (uint32_t)(c < fixed ? c : number[c] != 0 ? next++ : other++);
    }
    *out = number;
    return REGRET_OK;
}

static int apply(struct log_reading *r, const uint32_t *number)
{
    struct regret_log *log = r->log;
    struct regret_log_rows *rows = &log->rows[REGRET_LOG_OBS];
    uint32_t *tag = NULL;
    for (size_t i = 0; i < rows->n; i++) {
        rows->context[i] = number[rows->context[i]];
    }
    if (log->tag == NULL) {
        return REGRET_OK;
    }
    TRY(REGRET_NEW(&tag, r->contexts.n));
    for (size_t c = 0; c < r->contexts.n; c++) {
        tag[number[c]] = log->tag[c];
    }
    regret_free(log->tag);
    log->tag = tag;
    return REGRET_OK;
}

/* Which OBS rows have texts: contexts are renumbered so that those which are kept come first. */
static int log_draw(struct log_reading *r)
{
    struct regret_log *log = r->log;
    const struct regret_log_rows *rows = &log->rows[REGRET_LOG_OBS];
    size_t n = r->contexts.n, of_outputs = r->pass[LOG_INPUT_OUTPUTS].n_contexts,
           of_exp = r->pass[LOG_INPUT_EXP].n_contexts;
    FREED uint32_t *number = NULL;
    log->n_contexts = n;
    log->n_drawn = rows->n < r->config.obs_rows ? rows->n : r->config.obs_rows;
    TRY(REGRET_NEW(&log->drawn, log->n_drawn));
    TRY(draw_rows(log->drawn, rows, log->n_drawn, r->config.seed));
    TRY(renumber(&number, r, of_exp > of_outputs ? of_exp : of_outputs));
    TRY(apply(r, number));
    TRY(REGRET_NEW(&r->kept, log->n_kept));
    for (size_t c = 0; c < n; c++) {
        if (number[c] < log->n_kept) {
            r->kept[number[c]] = r->contexts.hash[c];
        }
    }
    return REGRET_OK;
}

/* ---------------------------------------------------------------- all of it */

/* What rows are sampled by. */
static int settle_clusters(struct log_reading *r)
{
    struct regret_log *log = r->log;
    const char *obs = r->config.input[LOG_INPUT_OBS].field[LOG_CLUSTER],
               *exp = r->config.input[LOG_INPUT_EXP].field[LOG_CLUSTER];
    log->n_clusters = r->has_clusters ? r->clusters.n : log->n_contexts;
    for (int s = 0; s < REGRET_LOG_SOURCES && !r->has_clusters; s++) {
        log->rows[s].cluster =
            log->rows[s].context; /* one array, once contexts have their last numbers */
    }
    return regret_strdup(&log->cluster_name, exp != NULL ? exp : obs != NULL ? obs : "context");
}

static void reading_free(struct log_reading *r)
{
    for (int i = 0; i < LOG_INPUTS; i++) {
        regret_free(r->pass[i].agents);
    }
    log_config_free(&r->config);
    log_keys_free(&r->contexts);
    log_keys_free(&r->clusters);
    log_keys_free(&r->slates);
    log_keys_free(&r->offers);
    regret_free(r->member);
    log_keys_free(&r->requests);
    names_free(&r->agents);
    names_free(&r->tags);
    regret_free(r->tag);
    regret_free(r->cost);
    regret_free(r->costs);
    regret_free(r->rank);
    regret_free(r->kept);
    regret_log_free(r->log);
}

/* The first way through the tables. Of a row 48 bytes are kept at most, of a context 16 to 24 while this lasts. */

/* The arrays of rows, each of which may not be there. */
struct row_array {
    void **at;
    size_t size;
};
enum { ROW_ARRAYS = 9 };

static void list_arrays(struct row_array out[ROW_ARRAYS], struct regret_log_rows *rows)
{
    const struct row_array all[ROW_ARRAYS] = {
        {(void **)&rows->context, sizeof *rows->context},
        {(void **)&rows->agent, sizeof *rows->agent},
        {(void **)&rows->outcome, sizeof *rows->outcome},
        {(void **)&rows->line, sizeof *rows->line},
        {(void **)&rows->propensity, sizeof *rows->propensity},
        {(void **)&rows->cluster, sizeof *rows->cluster},
        {(void **)&rows->time, sizeof *rows->time},
        {(void **)&rows->offer, sizeof *rows->offer},
        {(void **)&rows->slate, sizeof *rows->slate}};
    memcpy(out, all, sizeof all);
}

/* Room for n rows in the arrays that are there. */
static int resize_rows(struct regret_log_rows *rows, size_t n)
{
    struct row_array array[ROW_ARRAYS];
    list_arrays(array, rows);
    for (size_t i = 0; i < ROW_ARRAYS; i++) {
        TRY(*array[i].at == NULL
                ? REGRET_OK
                : regret_realloc(array[i].at, n, array[i].size, "the rows of a log"));
    }
    return REGRET_OK;
}

/* Makes the arrays that a table's rows want, with room for the first. */
static int begin_rows(struct log_reading *r, enum log_input_of which)
{
    enum { LEAST = 1024 };
    const struct log_input *input = &r->config.input[which];
    int has_slate = input->field[LOG_SLATE] != NULL, is_trial = which == LOG_INPUT_EXP;
    const int wanted[ROW_ARRAYS] = {1,
                                    1,
                                    1,
                                    1,
                                    is_trial || has_slate || input->field[LOG_PROPENSITY] != NULL,
                                    r->has_clusters,
                                    input->field[LOG_TIME] != NULL,
                                    has_slate,
                                    has_slate && is_trial};
    struct row_array array[ROW_ARRAYS];
    list_arrays(array, &r->log->rows[which]);
    for (size_t i = 0; i < ROW_ARRAYS; i++) {
        TRY(wanted[i] ? regret_realloc(array[i].at, LEAST, array[i].size, "the rows of a log")
                      : REGRET_OK);
    }
    r->pass[which].capacity = LEAST;
    return REGRET_OK;
}

void log_rows_move(struct regret_log_rows *rows, size_t to, size_t from)
{
    struct row_array array[ROW_ARRAYS];
    list_arrays(array, rows);
    for (size_t i = 0; i < ROW_ARRAYS && to != from; i++) {
        char *of = *array[i].at;
        if (of != NULL) {
            memcpy(of + to * array[i].size, of + from * array[i].size, array[i].size);
        }
    }
}

static int enter_agent(uint32_t *out, struct log_reading *r, const char *name,
                       const struct log_table *t)
{
    TRY(names_enter(out, &r->agents, name));
    return *out < REGRET_LOG_MAX_AGENTS
               ? REGRET_OK
               : regret_fail(REGRET_E_INPUT,
                             "%s:%llu: more than %d agents; is column \"%s\" who answered?",
                             t->input->path, (unsigned long long)t->line, REGRET_LOG_MAX_AGENTS,
                             t->input->field[LOG_AGENT]);
}

/* Gives a context the tag of the record at hand; the first that is not blank counts. */
static int enter_tag(struct log_reading *r, struct log_table *t, uint32_t context)
{
    const char *text = log_table_text(t, LOG_TAG);
    uint32_t tag = 0;
    while (context >= r->tag_capacity) {
        size_t before = r->tag_capacity;
        TRY(regret_grow((void **)&r->tag, &r->tag_capacity, before, sizeof *r->tag, "tags"));
        memset(r->tag + before, 0, (r->tag_capacity - before) * sizeof *r->tag);
    }
    if (text == NULL || *text == '\0') {
        return REGRET_OK;
    }
    TRY(names_enter(&tag, &r->tags, text));
    if (tag >= REGRET_LOG_MAX_TAGS - 1) {
        return regret_fail(REGRET_E_INPUT,
                           "%s:%llu: more than %d tags; a tag is one of a few kinds of requests: "
                           "make column \"%s\" a covariate, or leave it out",
                           t->input->path, (unsigned long long)t->line, REGRET_LOG_MAX_TAGS - 1,
                           t->input->field[LOG_TAG]);
    }
    r->tag_conflicts += r->tag[context] != 0 && r->tag[context] != tag + 1;
    r->tag[context] = r->tag[context] != 0 ? r->tag[context] : tag + 1;
    return REGRET_OK;
}

/* A row without a cluster is in that of its context. */
static int enter_cluster(uint32_t *out, struct log_reading *r, struct log_table *t,
                         struct log_pass *pass, uint64_t context)
{
    const char *text = log_table_text(t, LOG_CLUSTER);
    int is_named = text != NULL && *text != '\0';
    pass->without_cluster += !is_named;
    /* of one context and one user of the same id the hashes differ */
    return log_keys_put(out, &r->clusters, is_named ? ~regret_hash64(text, strlen(text)) : context);
}

static double read_time(struct log_table *t, struct log_pass *pass, double before)
{
    const char *text = log_table_text(t, LOG_TIME);
    double time = NAN;
    if (text == NULL || (!log_is_none(text) && !log_time_parse(&time, text))) {
        if (pass->bad_times++ == 0) {
            pass->bad_time_line = t->line;
            snprintf(pass->bad_time, sizeof pass->bad_time, "%.40s", text != NULL ? text : "");
        }
    }
    if (time < before && pass->backwards++ == 0) {
        pass->backwards_line = t->line;
    }
    return time;
}

static void read_cost(struct log_reading *r, struct log_table *t, struct log_pass *pass,
                      uint32_t agent)
{
    const char *text = log_table_text(t, LOG_COST);
    double cost = 0.0;
    if (text != NULL && log_number_parse(&cost, t->input, text)) {
        r->cost[agent] += cost;
        r->costs[agent]++;
    } else {
        pass->bad_costs += text == NULL || *text != '\0';
    }
}

static void note_outcome(struct log_pass *pass, const struct log_row *row, uint64_t line)
{
    int is_other = row->outcome != 0.0 && row->outcome != 1.0;
    pass->least = fmin(pass->least, row->outcome);
    pass->most = fmax(pass->most, row->outcome);
    pass->word_line = row->is_word && !pass->has_words ? line : pass->word_line;
    pass->other_line = is_other && !pass->has_others ? line : pass->other_line;
    pass->has_words |= row->is_word;
    pass->has_others |= is_other;
}

static int add_row(struct log_reading *r, struct log_table *t, const struct log_row *row)
{
    struct regret_log_rows *rows = &r->log->rows[t->which];
    struct log_pass *pass = &r->pass[t->which];
    size_t i = rows->n;
    int is_blank = rows->offer != NULL && t->slate.n == 0; /* everybody, as without the column */
    double chance = isnan(row->chance) && rows->slate != NULL && !is_blank
                        ? 1.0 / (double)t->slate.n
                        : row->chance;
    if (i == pass->capacity) {
        pass->capacity *= 2;
        TRY(resize_rows(rows, pass->capacity));
    }
    if (t->line >= UINT32_MAX) {
        return regret_fail(REGRET_E_INPUT, "%s: more than 4 billion lines; give a part of the log",
                           t->input->path);
    }
    TRY(enter_agent(&rows->agent[i], r, row->agent, t));
    TRY(log_keys_put(&rows->context[i], &r->contexts, row->context));
    TRY(t->input->field[LOG_TAG] != NULL ? enter_tag(r, t, rows->context[i]) : REGRET_OK);
    TRY(r->has_clusters ? enter_cluster(&rows->cluster[i], r, t, pass, row->context) : REGRET_OK);
    TRY(rows->offer != NULL ? log_offer_enter(&rows->offer[i], r, &t->slate) : REGRET_OK);
    TRY(rows->slate != NULL ? log_keys_put(&rows->slate[i], &r->slates, t->slate.key) : REGRET_OK);
    if (rows->time != NULL) {
        rows->time[i] = read_time(t, pass, i > 0 ? rows->time[i - 1] : NAN);
    }
    if (t->input->field[LOG_COST] != NULL) {
        read_cost(r, t, pass, rows->agent[i]);
    }
    if (rows->propensity != NULL) {
        rows->propensity[i] = chance;
    }
    rows->outcome[i] = row->outcome;
    rows->line[i] = (uint32_t)t->line;
    rows->n++;
    pass->slate_line = is_blank && pass->without_slate == 0 ? t->line : pass->slate_line;
    pass->without_slate += (size_t)is_blank;
    pass->without_chance += isnan(chance) != 0;
    pass->stated_chances += !isnan(row->chance);
    pass->agents[rows->agent[i]] = 1;
    note_outcome(pass, row, t->line);
    numbers_see(&r->seen, row->outcome);
    return REGRET_OK;
}

/* A row of outputs is a request; its agent and its answer are for later. */
static int take_request(struct log_reading *r, struct log_table *t)
{
    enum log_loss why = LOG_LOSS_NONE;
    const char *id = log_table_context(t, &why);
    struct log_pass *pass = &r->pass[t->which];
    uint32_t context = 0;
    if (id == NULL) {
        log_lose(pass->tally, why, t->line,
                 why == LOG_LOSS_MALFORMED ? regret_error_message() : NULL);
        return REGRET_OK;
    }
    TRY(log_keys_put(&context, &r->contexts, regret_hash64(id, strlen(id))));
    TRY(log_keys_put(&context, &r->requests, regret_hash64(id, strlen(id))));
    return t->input->field[LOG_TAG] != NULL ? enter_tag(r, t, context) : REGRET_OK;
}

static int take_row(struct log_reading *r, struct log_table *t)
{
    struct log_row row;
    const char *example = NULL;
    enum log_loss why = log_row_read(&row, &example, t);
    if (why != LOG_LOSS_NONE) {
        log_lose(r->pass[t->which].tally, why, t->line, example);
        return REGRET_OK;
    }
    return add_row(r, t, &row);
}

static int take_record(struct log_reading *r, struct log_table *t)
{
    if (!t->is_record) {
        log_lose(r->pass[t->which].tally, LOG_LOSS_MALFORMED, t->line, regret_error_message());
        return REGRET_OK;
    }
    return t->which == LOG_INPUT_OUTPUTS ? take_request(r, t) : take_row(r, t);
}

static int read_table(struct log_reading *r, enum log_input_of which)
{
    FREED_BY(log_table_close) struct log_table t = {0};
    struct log_pass *pass = &r->pass[which];
    int more = 1;
    pass->least = INFINITY;
    pass->most = -INFINITY;
    if (r->config.input[which].path == NULL) {
        return REGRET_OK;
    }
    if (which != LOG_INPUT_OUTPUTS) {
        TRY(log_table_find_commas(&r->config, which));
    }
    if (r->config.input[which].decimal_comma) {
        TRY(log_note(r->log, "numbers of %s have decimal commas: 3,5 is 3.5",
                     r->config.input[which].path));
    }
    TRY(log_table_open(&t, &r->config, which));
    TRY(REGRET_NEW(&pass->agents, REGRET_LOG_MAX_AGENTS + 1));
    TRY(which != LOG_INPUT_OUTPUTS ? begin_rows(r, which) : REGRET_OK);
    while (more) {
        TRY(log_table_next(&t, &more));
        TRY(more ? take_record(r, &t) : REGRET_OK);
    }
    pass->n_contexts = r->contexts.n;
    TRY(log_losses_check(&r->config, which, pass->tally, t.ordinal - log_losses(pass->tally)));
    return which != LOG_INPUT_OUTPUTS ? resize_rows(&r->log->rows[which], r->log->rows[which].n)
                                      : REGRET_OK;
}

/* Goes through outputs, EXP and OBS, in this order: contexts of the first two are numbered first. */
static int log_rows_read(struct log_reading *r)
{
    r->has_clusters = r->config.input[LOG_INPUT_OBS].field[LOG_CLUSTER] != NULL ||
                      r->config.input[LOG_INPUT_EXP].field[LOG_CLUSTER] != NULL;
    if (r->config.input[LOG_INPUT_OBS].field[LOG_COST] != NULL ||
        r->config.input[LOG_INPUT_EXP].field[LOG_COST] != NULL) {
        TRY(REGRET_NEW(&r->cost, REGRET_LOG_MAX_AGENTS + 1));
        TRY(REGRET_NEW(&r->costs, REGRET_LOG_MAX_AGENTS + 1));
    }
    TRY(read_table(r, LOG_INPUT_OUTPUTS));
    TRY(read_table(r, LOG_INPUT_EXP));
    TRY(read_table(r, LOG_INPUT_OBS));
    log_keys_forget(&r->contexts);
    log_keys_forget(&r->clusters);
    r->log->n_slates = r->slates.n;
    return REGRET_OK;
}

int regret_log_read(struct regret_log **out, const char *path)
{
    FREED_BY(reading_free) struct log_reading r = {.seen = NUMBERS_NONE};
    TRY(log_config_read(&r.config, path));
    TRY(log_check_files(&r.config));
    TRY(REGRET_NEW(&r.log, 1));
    TRY(log_rows_read(&r));
    TRY(log_settle(&r));
    TRY(log_draw(&r));
    TRY(settle_clusters(&r));
    TRY(log_texts_read(&r));
    const char *tag = r.config.input[LOG_INPUT_OBS].field[LOG_TAG];
    TRY(log_find_overlap(r.log, tag != NULL ? tag : "tag"));
    *out = r.log;
    r.log = NULL;
    return REGRET_OK;
}
