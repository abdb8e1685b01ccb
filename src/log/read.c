
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "base/status.h"
#include "import/importer.h"
#include "import/table_cell.h"
#include "log/cells.h"
#include "log/config.h"
#include "log/doubts.h"
#include "log/internal.h"
#include "regret/evaluate.h"
#include "regret/status.h"
#include "regret/task.h"

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

/* By key, then row: no two are alike. */
static int is_before(struct drawn a, struct drawn b)
{
    return a.key != b.key ? a.key < b.key : a.row < b.row;
}

/* Lets the top of a heap whose largest stands first sink to its place. */
static void sink(struct drawn *heap, size_t n)
{
    size_t i = 0;
    for (size_t child = 1; child < n; child = 2 * i + 1) {
        child += child + 1 < n && is_before(heap[child], heap[child + 1]);
        if (!is_before(heap[i], heap[child])) {
            break;
        }
        struct drawn lower = heap[i];
        heap[i] = heap[child];
        heap[child] = lower;
        i = child;
    }
}

static void rise(struct drawn *heap, size_t i)
{
    for (size_t parent; i > 0 && is_before(heap[parent = (i - 1) / 2], heap[i]); i = parent) {
        struct drawn higher = heap[i];
        heap[i] = heap[parent];
        heap[parent] = higher;
    }
}

static int compare_rows(const void *x, const void *y)
{
    uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    return (a > b) - (a < b);
}

/* The `most` rows with the least keys, a random number of each line's own: which of them are drawn depends on the seed and
 * the lines alone, and a larger draw holds a smaller one. */
static int draw_rows(uint32_t *out, const struct regret_log_rows *rows, size_t most, uint64_t seed)
{
    struct drawn *heap = NULL;
    TRY(REGRET_NEW(&heap, most));
    for (size_t i = 0; i < rows->n; i++) {
        struct regret_rng rng = regret_rng_at(seed, REGRET_RNG_LOG_DRAW, rows->line[i]);
        struct drawn one = {regret_rng_u64(&rng), (uint32_t)i};
        if (i < most) {
            heap[i] = one;
            rise(heap, i);
        } else if (is_before(one, heap[0])) {
            heap[0] = one;
            sink(heap, most);
        }
    }
    for (size_t i = 0; i < most; i++) {
        out[i] = heap[i].row;
    }
    regret_free(heap);
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
    size_t n = r->contexts.n, fixed = r->pass[LOG_INPUT_OUTPUTS].n_contexts;
    FREED uint32_t *number = NULL;
    int all = rows->n <= r->config.obs_rows;
    fixed = r->pass[LOG_INPUT_EXP].n_contexts > fixed ? r->pass[LOG_INPUT_EXP].n_contexts : fixed;
    log->n_contexts = log->n_kept = n;
    log->n_drawn = all ? rows->n : r->config.obs_rows;
    TRY(REGRET_NEW(&log->drawn, log->n_drawn));
    for (size_t i = 0; all && i < log->n_drawn; i++) {
        log->drawn[i] = (uint32_t)i;
    }
    if (!all) {
        TRY(draw_rows(log->drawn, rows, log->n_drawn, r->config.seed));
        TRY(renumber(&number, r, fixed));
        TRY(apply(r, number));
    }
    TRY(REGRET_NEW(&r->kept, log->n_kept));
    for (size_t c = 0; c < n; c++) {
        size_t to = number != NULL ? number[c] : c;
        if (to < log->n_kept) {
            r->kept[to] = r->contexts.hash[c];
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
        regret_free(r->pass[i].usable);
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

static int mark_usable(struct log_pass *pass, size_t record)
{
    enum { LEAST = 4096 };
    if (record / 8 >= pass->usable_bytes) {
        size_t grown = pass->usable_bytes > 0 ? 2 * pass->usable_bytes : LEAST;
        grown = grown > record / 8 ? grown : record / 8 + 1;
        TRY(regret_realloc((void **)&pass->usable, grown, 1, "rows"));
        memset(pass->usable + pass->usable_bytes, 0, grown - pass->usable_bytes);
        pass->usable_bytes = grown;
    }
    pass->usable[record / 8] |= (unsigned char)(1U << record % 8);
    return REGRET_OK;
}

static int grow(void *array, size_t capacity, size_t size)
{
    return regret_realloc((void **)array, capacity, size, "the rows of a log");
}

/* Room for one more row. */
static int reserve_row(struct regret_log_rows *rows, struct log_pass *pass, int has_cluster,
                       int has_time, int has_chance, int has_slate, int is_trial)
{
    enum { LEAST = 1024 };
    size_t more = pass->capacity > 0 ? 2 * pass->capacity : LEAST;
    if (rows->n < pass->capacity) {
        return REGRET_OK;
    }
    TRY(grow(&rows->context, more, sizeof *rows->context));
    TRY(grow(&rows->agent, more, sizeof *rows->agent));
    TRY(grow(&rows->outcome, more, sizeof *rows->outcome));
    TRY(has_chance ? grow(&rows->propensity, more, sizeof *rows->propensity) : REGRET_OK);
    TRY(has_cluster ? grow(&rows->cluster, more, sizeof *rows->cluster) : REGRET_OK);
    TRY(grow(&rows->line, more, sizeof *rows->line));
    TRY(has_time ? grow(&rows->time, more, sizeof *rows->time) : REGRET_OK);
    TRY(has_slate ? grow(&rows->offer, more, sizeof *rows->offer) : REGRET_OK);
    TRY(has_slate && is_trial ? grow(&rows->slate, more, sizeof *rows->slate) : REGRET_OK);
    pass->capacity = more;
    return REGRET_OK;
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
    const char *text = NULL;
    uint32_t tag = 0;
    while (context >= r->tag_capacity) {
        size_t before = r->tag_capacity;
        TRY(regret_grow((void **)&r->tag, &r->tag_capacity, before, sizeof *r->tag, "tags"));
        memset(r->tag + before, 0, (r->tag_capacity - before) * sizeof *r->tag);
    }
    TRY(log_table_text(&text, t, LOG_TAG));
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
    const char *text = NULL;
    TRY(log_table_text(&text, t, LOG_CLUSTER));
    int is_named = text != NULL && *text != '\0';
    pass->without_cluster += !is_named;
    /* of one context and one user of the same id the hashes differ */
    return log_keys_put(out, &r->clusters, is_named ? ~regret_hash64(text, strlen(text)) : context);
}

static int read_time(double *out, struct log_table *t, struct log_pass *pass, double before)
{
    const char *text = NULL;
    TRY(log_table_text(&text, t, LOG_TIME));
    *out = NAN;
    int is_blank = text != NULL && (*text == '\0' || table_source_is_missing(text));
    if (!is_blank && (text == NULL || !log_time_parse(out, text))) {
        if (pass->bad_times++ == 0) {
            pass->bad_time_line = t->line;
            snprintf(pass->bad_time, sizeof pass->bad_time, "%.40s", text != NULL ? text : "");
        }
    }
    if (*out < before && pass->backwards++ == 0) {
        pass->backwards_line = t->line;
    }
    return REGRET_OK;
}

static int read_cost(struct log_reading *r, struct log_table *t, struct log_pass *pass,
                     uint32_t agent)
{
    const char *text = NULL;
    double cost = 0.0;
    TRY(log_table_text(&text, t, LOG_COST));
    if (text != NULL && log_number_parse(&cost, t->input, text)) {
        r->cost[agent] += cost;
        r->costs[agent]++;
    } else {
        pass->bad_costs += text == NULL || *text != '\0';
    }
    return REGRET_OK;
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
    int has_time = t->input->field[LOG_TIME] != NULL;
    int has_chance = t->which == LOG_INPUT_EXP || t->input->field[LOG_PROPENSITY] != NULL ||
                     t->input->field[LOG_SLATE] != NULL;
    int has_slate = t->input->field[LOG_SLATE] != NULL, is_trial = t->which == LOG_INPUT_EXP;
    TRY(reserve_row(rows, pass, r->has_clusters, has_time, has_chance, has_slate, is_trial));
    size_t i = rows->n;
    if (t->line >= UINT32_MAX) {
        return regret_fail(REGRET_E_INPUT, "%s: more than 4 billion lines; give a part of the log",
                           t->input->path);
    }
    TRY(enter_agent(&rows->agent[i], r, row->agent, t));
    TRY(log_keys_put(&rows->context[i], &r->contexts, row->context));
    TRY(t->input->field[LOG_TAG] != NULL ? enter_tag(r, t, rows->context[i]) : REGRET_OK);
    TRY(r->has_clusters ? enter_cluster(&rows->cluster[i], r, t, pass, row->context) : REGRET_OK);
    if (has_time) {
        TRY(read_time(&rows->time[i], t, pass, i > 0 ? rows->time[i - 1] : NAN));
    }
    TRY(t->input->field[LOG_COST] != NULL ? read_cost(r, t, pass, rows->agent[i]) : REGRET_OK);
    rows->outcome[i] = row->outcome;
    int is_blank = has_slate && t->slate.n == 0; /* everybody, as without the column */
    double chance = isnan(row->chance) && has_slate && is_trial && !is_blank
                        ? 1.0 / (double)t->slate.n
                        : row->chance;
    if (has_chance) {
        rows->propensity[i] = chance;
    }
    TRY(has_slate ? log_offer_enter(&rows->offer[i], r, &t->slate) : REGRET_OK);
    TRY(has_slate && is_trial ? log_keys_put(&rows->slate[i], &r->slates, t->slate.key)
                              : REGRET_OK);
    rows->line[i] = (uint32_t)t->line;
    rows->n++;
    pass->slate_line = is_blank && pass->without_slate == 0 ? t->line : pass->slate_line;
    pass->without_slate += (size_t)is_blank;
    pass->without_chance += isnan(chance) != 0;
    pass->stated_chances += !isnan(row->chance);
    pass->agents[rows->agent[i]] = 1;
    note_outcome(pass, row, t->line);
    return mark_usable(pass, t->ordinal - 1);
}

/* A row of outputs is a request; its agent and its answer are for later. */
static int take_request(struct log_reading *r, struct log_table *t)
{
    const char *id = NULL;
    enum log_loss why = LOG_LOSS_NONE;
    struct log_pass *pass = &r->pass[t->which];
    uint32_t context = 0;
    TRY(log_table_context(&id, &why, t));
    if (id == NULL) {
        log_lose(pass->tally, why, t->line,
                 why == LOG_LOSS_MALFORMED ? regret_error_message() : NULL);
        return REGRET_OK;
    }
    TRY(log_keys_put(&context, &r->contexts, regret_hash64(id, strlen(id))));
    TRY(log_keys_put(&context, &r->requests, regret_hash64(id, strlen(id))));
    TRY(t->input->field[LOG_TAG] != NULL ? enter_tag(r, t, context) : REGRET_OK);
    return mark_usable(pass, t->ordinal - 1);
}

static int take_row(struct log_reading *r, struct log_table *t)
{
    struct log_row row;
    enum log_loss why = LOG_LOSS_NONE;
    const char *example = NULL;
    TRY(log_row_read(&row, &why, &example, t));
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

/* What was reserved and is not used goes back. */
static int shrink(struct regret_log_rows *rows)
{
    size_t n = rows->n > 0 ? rows->n : 1;
    TRY(grow(&rows->context, n, sizeof *rows->context));
    TRY(grow(&rows->agent, n, sizeof *rows->agent));
    TRY(grow(&rows->outcome, n, sizeof *rows->outcome));
    TRY(rows->propensity != NULL ? grow(&rows->propensity, n, sizeof *rows->propensity)
                                 : REGRET_OK);
    TRY(rows->cluster != NULL ? grow(&rows->cluster, n, sizeof *rows->cluster) : REGRET_OK);
    TRY(grow(&rows->line, n, sizeof *rows->line));
    TRY(rows->slate != NULL ? grow(&rows->slate, n, sizeof *rows->slate) : REGRET_OK);
    TRY(rows->offer != NULL ? grow(&rows->offer, n, sizeof *rows->offer) : REGRET_OK);
    return rows->time != NULL ? grow(&rows->time, n, sizeof *rows->time) : REGRET_OK;
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
    while (more) {
        TRY(log_table_next(&t, &more));
        TRY(more ? take_record(r, &t) : REGRET_OK);
    }
    pass->records = t.ordinal;
    pass->n_contexts = r->contexts.n;
    if (which != LOG_INPUT_OUTPUTS) {
        TRY(log_losses_check(&r->config, which, pass->tally, r->log->rows[which].n));
        return shrink(&r->log->rows[which]);
    } else {
        return log_losses_check(&r->config, which, pass->tally,
                                pass->records - log_losses(pass->tally));
    }
    return REGRET_OK;
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
    FREED_BY(reading_free) struct log_reading r = {0};
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
