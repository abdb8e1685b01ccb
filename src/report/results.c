#include "report/results.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <cJSON.h>

#include "base/try.h"
#include "regret/alloc.h"
#include "regret/file.h"

enum { MAX_SHARDS = 9999, SHARD_NAME_SIZE = 64 };

/* I and N of "results-I-of-N.jsonl"; 0 when the name is another. */
static int parse_shard_name(unsigned *i, unsigned *n, const char *name)
{
    char canonical[SHARD_NAME_SIZE];
    if (sscanf(name, "results-%4u-of-%4u.jsonl", i, n) != 2) {
        return 0;
    }
    snprintf(canonical, sizeof canonical, "results-%u-of-%u.jsonl", *i, *n);
    return strcmp(canonical, name) == 0 && *i >= 1 && *i <= *n;
}

static int note_shard(struct results_reader *reader, const char *folder, const char *name)
{
    const char *tail = strrchr(name, '.');
    if (strncmp(name, "results-", 8) != 0 || tail == NULL || strcmp(tail, ".jsonl") != 0) {
        return REGRET_OK;
    }
    unsigned i = 0, n = 0;
    if (!parse_shard_name(&i, &n, name)) {
        return regret_fail(REGRET_E_INPUT,
                           "%s/%s: rows are read from results-I-of-N.jsonl; rename or remove it",
                           folder, name);
    }
    if (reader->shard_is == NULL) {
        reader->n_shards = n;
        TRY(REGRET_NEW(&reader->shard_is, n));
    }
    if (reader->n_shards != n) {
        return regret_fail(REGRET_E_INPUT,
                           "%s: has shards of %zu and of %u; keep those of one run only", folder,
                           reader->n_shards, n);
    }
    reader->shard_is[i - 1] = 1;
    return REGRET_OK;
}

static int find_shards(struct results_reader *reader, const char *folder)
{
    DIR *listing = opendir(folder);
    if (listing == NULL) {
        return regret_fail(REGRET_E_IO, "cannot open %s: %s", folder, strerror(errno));
    }
    int rc = REGRET_OK;
    const struct dirent *entry = NULL;
    while ((entry = readdir(listing)) != NULL) {
        TRY_CLEANUP(note_shard(reader, folder, entry->d_name));
    }
    if (reader->n_shards == 0) {
        rc = regret_fail(REGRET_E_INPUT, "%s: no results-I-of-N.jsonl; is the run finished?",
                         folder);
    }
cleanup:
    closedir(listing);
    return rc;
}

/* A line that is no JSON is one that an interrupted run, a full disk or a copy has cut. */
static int name_remedy(int rc, const char *folder)
{
    char reason[1024];
    snprintf(reason, sizeof reason, "%s", regret_error_message());
    return regret_fail(rc,
                       "%s; a run that was cut short is mended by 'regret run CONFIG -o %s "
                       "--resume'",
                       reason, folder);
}

static int read_shard(struct results_reader *reader, const char *folder, size_t shard)
{
    char name[SHARD_NAME_SIZE];
    char *path = NULL;
    struct regret_jsonl *lines = NULL;
    cJSON *row = NULL;
    struct regret_place at = {NULL, 0};
    snprintf(name, sizeof name, "results-%zu-of-%zu.jsonl", shard, reader->n_shards);
    int rc;
    TRY_CLEANUP(regret_path_join(&path, folder, name));
    TRY_CLEANUP(regret_jsonl_open(&lines, path));
    for (;;) {
        rc = regret_jsonl_next(lines, &row, &at);
        if (rc != REGRET_OK || row == NULL) {
            rc = rc == REGRET_E_INPUT ? name_remedy(rc, folder) : rc;
            goto cleanup;
        }
        TRY_CLEANUP(results_add_row(reader, row, shard, at));
        cJSON_Delete(row);
        row = NULL;
    }
cleanup:
    cJSON_Delete(row);
    regret_jsonl_close(lines);
    regret_free(path);
    return rc;
}

static int read_folder(struct results_reader *reader, const char *folder)
{
    TRY(results_read_run(reader, folder));
    TRY(REGRET_NEW(&reader->seen, reader->results->n_cells));
    TRY(find_shards(reader, folder));
    for (size_t i = 0; i < reader->n_shards; i++) {
        if (reader->shard_is[i]) {
            TRY(read_shard(reader, folder, i + 1));
        }
    }
    if (reader->results->n_rows == 0) {
        return regret_fail(REGRET_E_INPUT, "%s: the results files hold no rows", folder);
    }
    TRY(results_index_keys(reader));
    TRY(results_index_rows(reader));
    return results_find_gaps(reader);
}

int regret_results_read(struct regret_results **out, const char *run_folder)
{
    struct results_reader reader = {0};
    int rc;
    TRY_CLEANUP(REGRET_NEW(&reader.results, 1));
    TRY_CLEANUP(read_folder(&reader, run_folder));
    *out = reader.results;
cleanup:
    if (reader.keys != NULL) {
        for (size_t i = 0; i < reader.results->n_cells; i++) {
            cJSON_Delete(reader.keys[i]);
        }
    }
    cJSON_Delete(reader.config);
    regret_free(reader.keys);
    regret_free(reader.seen);
    regret_free(reader.shard_is);
    regret_free(reader.row_number);
    regret_free(reader.row_shard);
    regret_free(reader.row_line);
    if (rc != REGRET_OK) {
        regret_results_free(reader.results);
    }
    return rc;
}

static void free_texts(char **texts, size_t n)
{
    for (size_t i = 0; texts != NULL && i < n; i++) {
        regret_free(texts[i]);
    }
    regret_free(texts);
}

static void free_run(struct regret_run_facts *run)
{
    char *const texts[] = {run->folder,      run->pool_name,    run->pool_title, run->pool_version,
                           run->pool_digest, run->pool_licence, run->version,    run->blas_build,
                           run->blas_kernel, run->config,       run->title};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        regret_free(texts[i]);
    }
}

void regret_results_free(struct regret_results *r)
{
    if (r == NULL) {
        return;
    }
    free_run(&r->run);
    for (size_t i = 0; i < r->n_subjects; i++) {
        regret_free(r->subjects[i].name);
    }
    for (size_t i = 0; i < r->n_keys; i++) {
        regret_free(r->keys[i].name);
        free_texts(r->keys[i].values, r->keys[i].n_values);
    }
    for (size_t i = 0; i < REGRET_N_MEASURES; i++) {
        regret_free(r->measure[i]);
    }
    free_texts(r->words, r->n_words);
    void *const blocks[] = {r->subjects, r->keys,     r->cell_value,  r->seeds,
                            r->row_cell, r->row_seed, r->row_subject, r->row_basis,
                            r->row_cv,   r->at,       r->gaps};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        regret_free(blocks[i]);
    }
    regret_free(r);
}

double regret_results_value(const struct regret_results *r, enum regret_measure measure,
                            size_t subject, size_t cell, size_t seed)
{
    size_t row = r->at[subject + r->n_subjects * (cell + r->n_cells * seed)];
    return row == REGRET_NO_ROW ? NAN : r->measure[measure][row];
}

size_t regret_results_subject(const struct regret_results *r, enum regret_row_kind kind,
                              const char *name)
{
    for (size_t i = 0; i < r->n_subjects; i++) {
        if (r->subjects[i].kind == kind && strcmp(r->subjects[i].name, name) == 0) {
            return i;
        }
    }
    return REGRET_NO_ROW;
}
