#include "experiment/features/feature_cache.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <utf8proc.h>

#include "base/core/try.h"
#include "base/files/input.h"
#include "base/files/output.h"
#include "regret/alloc.h"
#include "regret/file.h"
#include "regret/hash.h"
#include "regret/text.h"
#include "regret/tfidf.h"

/* To be counted up with every change of the file or of what features, terms or statistics are: the test
 * feature_cache/version_is_of_these_features says when. */
enum { FORMAT_VERSION = 1 };

enum { PHI, PHI_CONTEXT, COUNTS, N_MATRICES };
enum { DIGESTED = 3 * N_MATRICES + 2, N_PARTS = DIGESTED + 1 };

static const char MAGIC[8] = "regretF";
static const uint64_t ORDER = UINT64_C(0x0102030405060708), LARGEST = (uint64_t)1 << 50;

/* The head of a file. */
struct head {
    char magic[8];
    uint64_t order, version;
    uint64_t key[2];
    struct {
        uint64_t rows, cols, entries; /* of what is absent, all 0 */
    } matrix[N_MATRICES];
    uint64_t n_statistics;
    uint64_t
        digest[2]; /* of the head with zeroes here, and of the digests of the parts behind it */
};

/* What a file holds beside its head; all owned, but where it stands for what a set owns. */
struct packed {
    struct regret_csr *matrix[N_MATRICES]; /* NULL: absent */
    uint64_t *hash;                        /* one a column of COUNTS */
    double *statistics;
};

static void packed_free(struct packed *p)
{
    for (size_t i = 0; i < N_MATRICES; i++) {
        regret_csr_free(p->matrix[i]);
    }
    regret_free(p->hash);
    regret_free(p->statistics);
}

/* ---- the key ---- */

static uint64_t bits(double value)
{
    uint64_t out;
    memcpy(&out, &value, sizeof out);
    return out;
}

static uint64_t hash_word(const char *word)
{
    return regret_hash64(word, strlen(word));
}

/* What this machine's logarithms are, to the last bit: libraries of mathematics differ there, and values are made of
 * logarithms of counts. Machines that share a folder so share its files only where they would have made the same. */
static uint64_t hash_logarithms(void)
{
    enum { COUNTED = 128 };
    double value[3 * COUNTED];
    for (size_t i = 0; i < COUNTED; i++) {
        volatile double count = 1.0 + (double)i; /* or the compiler computes it */
        value[3 * i] = log(count);
        value[3 * i + 1] = log2(count);
        value[3 * i + 2] = log1p(count);
    }
    return regret_hash64(value, sizeof value);
}

enum { MOST_OF_BLOCKS = 16 };

/* What the blocks behind the agents are made of besides the texts, at most MOST_OF_BLOCKS numbers; nothing where all are
 * off, so that files of before there were any are found still. Returns the place behind them. */
static uint64_t *add_blocks(uint64_t *to, const struct feature_set *set)
{
    const struct regret_feature_options *o = &set->config.features;
    const struct regret_grid *g = set->grid;
    const double scale[] = {o->tag, o->agent_tag, o->columns, o->agent_columns, o->agent_words};
    int is_on = 0;
    for (size_t i = 0; i < sizeof scale / sizeof *scale; i++) {
        is_on |= scale[i] > 0.0;
    }
    for (size_t i = 0; is_on && i < sizeof scale / sizeof *scale; i++) {
        *to++ = bits(scale[i]);
    }
    if ((o->tag > 0.0 || o->agent_tag > 0.0) && g->kind != NULL) {
        *to++ = g->n_tags;
        regret_hash128(to, g->kind, g->n_contexts * sizeof *g->kind);
        to += 2;
    }
    if (set->columns != NULL) {
        size_t n = regret_csr_entries(set->columns);
        *to++ = set->columns->cols;
        regret_hash128(to, set->columns->column, n * sizeof *set->columns->column);
        regret_hash128(to + 2, set->columns->value, n * sizeof *set->columns->value);
        to += 4;
    }
    return to;
}

/* Adds three numbers a text at `to`, and returns the place behind them. */
static uint64_t *add_texts(uint64_t *to, const char *const *text, size_t n)
{
    for (size_t i = 0; i < n; i++, to += 3) {
        const char *t = text[i] != NULL ? text[i] : "";
        to[0] = strlen(t);
        regret_hash128(to + 1, t, strlen(t));
    }
    return to;
}

int feature_key_make(struct feature_key *out, const struct feature_set *set,
                     const char *const *outputs, const char *const *contexts, int texts_wanted)
{
    const struct regret_feature_options *o = &set->config.features;
    const struct regret_grid *g = set->grid;
    const uint64_t fixed[] = {FORMAT_VERSION,
                              hash_word(regret_version()),
                              hash_word(utf8proc_unicode_version()),
                              hash_logarithms(),
                              sizeof(size_t),
                              (uint64_t)set->sparse,
                              (uint64_t)texts_wanted,
                              g->n_contexts,
                              g->n_agents,
                              g->n_draws,
                              o->buckets,
                              bits(o->output),
                              bits(o->context),
                              bits(o->overlap),
                              bits(o->shape),
                              bits(o->agent),
                              bits(o->patch),
                              (uint64_t)o->tf,
                              o->seed};
    uint64_t *all = NULL;
    TRY(REGRET_NEW(&all, sizeof fixed / sizeof *fixed + MOST_OF_BLOCKS +
                             3 * (g->n_contexts + set->pairs)));
    memcpy(all, fixed, sizeof fixed);
    uint64_t *end = add_texts(all + sizeof fixed / sizeof *fixed, contexts, g->n_contexts);
    end = add_texts(end, outputs, set->pairs);
    end = add_blocks(end, set);
    size_t length = (size_t)(end - all) * sizeof *all;
    regret_hash128(out->part, all, length);
    regret_digest(out->digits, all, length);
    out->texts = texts_wanted;
    regret_free(all);
    return REGRET_OK;
}

/* ---- the file ---- */

static struct regret_span part_of(const void *data, size_t count, size_t size)
{
    return (struct regret_span){data, count * size};
}

/* The parts of a file in their order; what takes eight bytes a number stands before what takes four, so that every
 * array is aligned. */
static void list_parts(struct regret_span part[N_PARTS], const struct head *head,
                       const struct packed *p)
{
    size_t n = 0;
    part[n++] = part_of(head, 1, sizeof *head);
    for (size_t i = 0; i < N_MATRICES; i++) {
        const struct regret_csr *m = p->matrix[i];
        part[n++] = part_of(m ? m->row_start : NULL, m ? m->rows + 1 : 0, sizeof *m->row_start);
        part[n++] = part_of(m ? m->value : NULL, head->matrix[i].entries, sizeof *m->value);
    }
    part[n++] = part_of(p->hash, head->matrix[COUNTS].cols, sizeof *p->hash);
    part[n++] = part_of(p->statistics, head->n_statistics, sizeof *p->statistics);
    for (size_t i = 0; i < N_MATRICES; i++) {
        const struct regret_csr *m = p->matrix[i];
        part[n++] = part_of(m ? m->column : NULL, head->matrix[i].entries, sizeof *m->column);
    }
}

static void digest_parts(uint64_t out[2], const struct regret_span part[N_PARTS])
{
    uint64_t digest[N_PARTS][2];
    struct head head;
    memcpy(&head, part[0].text, sizeof head);
    memset(head.digest, 0, sizeof head.digest);
    regret_hash128(digest[0], &head, sizeof head);
    for (size_t i = 1; i < N_PARTS; i++) {
        regret_hash128(digest[i], part[i].length > 0 ? part[i].text : "", part[i].length);
    }
    regret_hash128(out, digest, sizeof digest);
}

static void fill_head(struct head *head, const struct feature_key *key, const struct packed *p,
                      size_t n_statistics)
{
    *head = (struct head){.order = ORDER, .version = FORMAT_VERSION};
    memcpy(head->magic, MAGIC, sizeof head->magic);
    memcpy(head->key, key->part, sizeof head->key);
    head->n_statistics = n_statistics;
    for (size_t i = 0; i < N_MATRICES; i++) {
        const struct regret_csr *m = p->matrix[i];
        if (m != NULL) {
            head->matrix[i].rows = m->rows;
            head->matrix[i].cols = m->cols;
            head->matrix[i].entries = regret_csr_entries(m);
        }
    }
}

/* ---- reading ---- */

static int unusable(const char *why)
{
    return regret_fail(REGRET_E_INPUT, "%s", why);
}

/* Do the sizes that the head names fit the set that the file is to be of? */
static int check_shape(const struct head *head, const struct feature_key *key,
                       const struct feature_set *set)
{
    struct regret_feature_block block[REGRET_FEATURE_BLOCKS];
    size_t cols = feature_set_blocks(block, set);
    const size_t rows[N_MATRICES] = {set->pairs, set->grid->n_contexts, set->pairs};
    const int wanted[N_MATRICES] = {1, set->sparse, key->texts};
    int fits = head->n_statistics == (key->texts ? set->pairs * REGRET_STATISTICS : 0);
    for (size_t i = 0; i < N_MATRICES; i++) {
        uint64_t named = head->matrix[i].cols;
        fits = fits && head->matrix[i].rows == (wanted[i] ? rows[i] : 0) &&
               (i == COUNTS ? named <= (wanted[i] ? UINT32_MAX : 0)
                            : named == (wanted[i] ? cols : 0)) &&
               (wanted[i] ? rows[i] > 0 : head->matrix[i].entries == 0);
    }
    return fits ? REGRET_OK : unusable("its sizes are not those of the features");
}

static int check_head(const struct head *head, const struct feature_key *key,
                      const struct feature_set *set)
{
    if (memcmp(head->magic, MAGIC, sizeof head->magic) != 0) {
        return unusable("it is no file of features");
    }
    if (head->order != ORDER || head->version != FORMAT_VERSION) {
        return unusable("it is of another machine or version");
    }
    if (memcmp(head->key, key->part, sizeof head->key) != 0) {
        return unusable("it is of other texts or options");
    }
    return check_shape(head, key, set);
}

/* Whether the parts have the file's size, without a sum that could overflow. */
static int check_size(const struct head *head, uint64_t size)
{
    uint64_t wanted = sizeof *head;
    int fits = size <= LARGEST;
    for (size_t i = 0; i < N_MATRICES; i++) {
        uint64_t rows = head->matrix[i].rows, entries = head->matrix[i].entries;
        fits = fits && rows < size && entries < size;
        wanted += fits ? (rows > 0 ? sizeof(size_t) * (rows + 1) : 0) + 12 * entries : 0;
    }
    fits = fits && head->matrix[COUNTS].cols < size && head->n_statistics < size;
    wanted += fits ? 8 * (head->matrix[COUNTS].cols + head->n_statistics) : 0;
    return fits && wanted == size ? REGRET_OK : unusable("it is cut off, or too long");
}

static int make_room(struct packed *p, const struct head *head)
{
    for (size_t i = 0; i < N_MATRICES; i++) {
        if (head->matrix[i].rows > 0) {
            TRY(regret_csr_new(&p->matrix[i], head->matrix[i].rows, head->matrix[i].cols,
                               head->matrix[i].entries));
        }
    }
    TRY(REGRET_NEW(&p->hash, head->matrix[COUNTS].cols));
    return REGRET_NEW(&p->statistics, head->n_statistics);
}

static int check_finite(const double *value, size_t n)
{
    for (size_t e = 0; e < n; e++) {
        if (!isfinite(value[e])) {
            return unusable("it has a value that is not finite");
        }
    }
    return REGRET_OK;
}

/* Rows that begin where the one before ends, and columns that ascend in them. */
static int check_matrix(const struct regret_csr *m, size_t entries)
{
    int fits = m->row_start[0] == 0 && m->row_start[m->rows] == entries;
    for (size_t i = 0; fits && i < m->rows; i++) {
        size_t begin = m->row_start[i], end = m->row_start[i + 1];
        fits = begin <= end && end <= entries;
        for (size_t e = begin; fits && e < end; e++) {
            fits = m->column[e] < m->cols && (e == begin || m->column[e - 1] < m->column[e]);
        }
    }
    return fits ? check_finite(m->value, entries) : unusable("its rows are not in order");
}

static int read_part(int fd, struct regret_span part, const char *path)
{
    size_t got = 0;
    TRY(part.length > 0 ? input_read(&got, fd, (void *)part.text, part.length, path) : REGRET_OK);
    return got == part.length ? REGRET_OK : unusable("it is cut off, or too long");
}

static int check_packed(const struct packed *p, const struct head *head,
                        const struct regret_span part[N_PARTS])
{
    uint64_t digest[2];
    digest_parts(digest, part);
    if (memcmp(digest, head->digest, sizeof digest) != 0) {
        return unusable("its checksum is wrong");
    }
    for (size_t i = 0; i < N_MATRICES; i++) {
        TRY(p->matrix[i] != NULL ? check_matrix(p->matrix[i], head->matrix[i].entries) : REGRET_OK);
    }
    return check_finite(p->statistics, head->n_statistics);
}

static int read_packed(struct packed *p, int fd, size_t size, const char *path,
                       const struct feature_key *key, const struct feature_set *set)
{
    struct head head;
    struct regret_span part[N_PARTS];
    TRY(read_part(fd, part_of(&head, 1, sizeof head), path));
    TRY(check_head(&head, key, set));
    TRY(check_size(&head, size));
    TRY(make_room(p, &head));
    list_parts(part, &head, p);
    for (size_t i = 1; i < N_PARTS; i++) {
        TRY(read_part(fd, part[i], path));
    }
    return check_packed(p, &head, part);
}

/* Gives the set what was read. */
static int hand_over(struct feature_set *set, struct packed *p)
{
    if (p->matrix[COUNTS] != NULL) {
        TRY(REGRET_NEW(&set->terms, 1));
        set->terms->counts = p->matrix[COUNTS];
        set->terms->hash = p->hash;
        set->statistics = p->statistics;
        p->hash = NULL;
        p->statistics = NULL;
    }
    set->phi = p->matrix[PHI];
    set->phi_context = p->matrix[PHI_CONTEXT];
    memset(p->matrix, 0, sizeof p->matrix);
    return REGRET_OK;
}

/* Says what the last failure means for a file. */
static int say(int rc, const struct feature_cache *cache, const char *path, const char *meaning)
{
    struct regret_buffer text = REGRET_BUFFER_INIT;
    if (rc == REGRET_E_NOMEM || cache->notice == NULL) {
        return rc == REGRET_E_NOMEM ? rc : REGRET_OK;
    }
    regret_buffer_append(&text, "feature cache: ");
    regret_buffer_append_visible(&text, path);
    regret_buffer_printf(&text, " %s: ", meaning);
    regret_buffer_append_visible(&text, regret_error_message());
    TRY_CLEANUP(regret_buffer_status(&text));
    cache->notice(cache->notice_context, regret_buffer_get(&text));
cleanup:
    regret_buffer_free(&text);
    return rc;
}

int feature_cache_take(int *found, struct feature_set *set, const struct feature_cache *cache,
                       const struct feature_key *key)
{
    struct packed p = {0};
    char *path = NULL;
    size_t size = 0;
    int fd = -1, rc;
    *found = 0;
    TRY_CLEANUP(regret_path_join(&path, cache->folder, key->digits));
    if (input_is_absent(path)) {
        goto cleanup;
    }
    TRY_CLEANUP(input_open_regular(&fd, &size, path));
    TRY_CLEANUP(read_packed(&p, fd, size, path, key, set));
    TRY_CLEANUP(hand_over(set, &p));
    *found = 1;
cleanup:
    if (rc != REGRET_OK) {
        rc = path == NULL ? rc : say(rc, cache, path, "is not used, features are computed");
    }
    if (fd >= 0) {
        close(fd);
    }
    packed_free(&p);
    regret_free(path);
    return rc;
}

int feature_cache_keep(struct feature_cache *cache, const struct feature_key *key,
                       const struct feature_set *set)
{
    const struct packed p = {{set->phi, set->phi_context, set->terms ? set->terms->counts : NULL},
                             set->terms ? set->terms->hash : NULL,
                             set->statistics};
    struct regret_span part[N_PARTS];
    struct head head;
    char *path = NULL;
    int rc;
    if (!cache->writes) {
        return REGRET_OK;
    }
    fill_head(&head, key, &p, set->statistics ? set->pairs * REGRET_STATISTICS : 0);
    list_parts(part, &head, &p);
    digest_parts(head.digest, part);
    TRY(regret_path_join(&path, cache->folder, key->digits));
    TRY_CLEANUP(regret_folder_create(cache->folder));
    rc = output_replace(path, part, N_PARTS);
cleanup:
    if (rc != REGRET_OK) {
        cache->writes = 0;
        rc = say(rc, cache, path, "cannot be kept, the run goes on");
    }
    regret_free(path);
    return rc;
}
