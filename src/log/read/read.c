#include <stdlib.h>
#include <string.h>

#include "base/core/try.h"
#include "log/overlap/overlap.h"
#include "log/read/doubts.h"
#include "log/read/reading.h"
#include "regret/alloc.h"
#include "regret/rng.h"

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

int log_draw(struct log_reading *r)
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
