#include "results/read/reader.h"

#include <dirent.h>
#include <errno.h>
#include <string.h>

#include <cJSON.h>

#include "base/core/try.h"
#include "base/files/output.h"
#include "regret/alloc.h"
#include "results/row/row_file.h"

static int note_shard(struct results_reader *reader, const char *folder, const char *name)
{
    size_t i = 0, n = 0;
    int is_shard = row_file_parse_name(&i, &n, name);
    if (is_shard < 0) {
        return REGRET_OK;
    }
    if (is_shard == 0) {
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
                           "%s: has shards of %zu and of %zu; keep those of one run only", folder,
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
    while (errno = 0, (entry = readdir(listing)) != NULL) {
        TRY_CLEANUP(note_shard(reader, folder, entry->d_name));
    }
    TRY_CLEANUP(errno == 0 ? REGRET_OK : io_error("list", folder));
    if (reader->n_shards == 0) {
        rc = regret_fail(REGRET_E_INPUT, "%s: no results-I-of-N.jsonl; is the run finished?",
                         folder);
    }
cleanup:
    closedir(listing);
    return rc;
}

/* A line that is no JSON is one that an interrupted run, a full disk or a copy has cut. */
static int fail_cut(int rc, const struct results_reader *reader, const char *folder, size_t shard)
{
    const struct run_resume missing = {folder, folder, shard, reader->n_shards};
    struct regret_buffer command = REGRET_BUFFER_INIT;
    run_resume_command(&command, &missing, reader->results->subjects, reader->results->n_families);
    rc = regret_fail_suffix(rc, "; a run that was cut short is mended by: %s",
                            regret_buffer_get(&command));
    regret_buffer_free(&command);
    return rc;
}

static int read_shard(struct results_reader *reader, const char *folder, size_t shard)
{
    char *path = NULL;
    struct regret_jsonl *lines = NULL;
    cJSON *row = NULL;
    struct regret_place at = {NULL, 0};
    int rc;
    TRY_CLEANUP(row_file_path(&path, folder, ROW_FILE_RESULTS, shard, reader->n_shards));
    TRY_CLEANUP(regret_jsonl_open(&lines, path));
    for (;;) {
        rc = regret_jsonl_next(lines, &row, &at);
        if (rc != REGRET_OK || row == NULL) {
            break;
        }
        TRY_CLEANUP(results_add_row(reader, row, shard, at));
        cJSON_Delete(row);
        row = NULL;
    }
    rc = rc == REGRET_E_INPUT ? fail_cut(rc, reader, folder, shard) : rc;
cleanup:
    cJSON_Delete(row);
    regret_jsonl_close(lines);
    regret_free(path);
    return rc;
}

static int read_rows(struct results_reader *reader, const char *folder)
{
    TRY(find_shards(reader, folder));
    for (size_t i = 0; i < reader->n_shards; i++) {
        if (reader->shard_is[i]) {
            TRY(read_shard(reader, folder, i + 1));
        }
    }
    return reader->results->n_rows > 0
               ? REGRET_OK
               : regret_fail(REGRET_E_INPUT, "%s: the results files hold no rows", folder);
}

/* The results get what run.json says; from here on they own it. */
static void take_run(struct regret_results *r, struct run_file *run)
{
    r->run = run->facts;
    r->n_families = run->n_families;
    r->n_subjects = run->n_subjects;
    r->subjects = run->subject;
    r->n_cells = run->n_cells;
    r->seeds_planned = run->n_seeds;
    r->n_grids = run->n_grids;
    r->grids = run->grids;
    r->cell_grid = run->cell_grid;
    r->n_means = run->n_means;
    r->means = run->means;
    r->cell_means = run->cell_means;
    run->facts = (struct regret_run_facts){0};
    run->subject = NULL;
    run->n_grids = 0;
    run->grids = NULL;
    run->cell_grid = NULL;
    run->n_means = 0;
    run->means = NULL;
    run->cell_means = NULL;
}

static int read_folder(struct results_reader *reader, const char *folder)
{
    TRY(run_file_read(&reader->run, folder));
    take_run(reader->results, &reader->run);
    TRY(REGRET_NEW(&reader->keys, reader->run.n_cells));
    TRY(REGRET_NEW(&reader->results->lists, 1));
    TRY(read_rows(reader, folder));
    TRY(results_index_keys(reader));
    TRY(results_index_rows(reader));
    TRY(results_check_lists(reader));
    TRY(results_find_gaps(reader));
    return results_find_unmade(reader);
}

static void close_reader(struct results_reader *reader)
{
    for (size_t i = 0; reader->keys != NULL && i < reader->run.n_cells; i++) {
        cJSON_Delete(reader->keys[i]);
    }
    regret_free(reader->keys);
    run_file_free(&reader->run);
    regret_free(reader->shard_is);
    regret_free(reader->row_number);
    regret_free(reader->row_shard);
    regret_free(reader->row_line);
    regret_results_free(reader->results);
}

int regret_results_read(struct regret_results **out, const char *run_folder)
{
    FREED_BY(close_reader) struct results_reader reader = {0};
    TRY(REGRET_NEW(&reader.results, 1));
    TRY(read_folder(&reader, run_folder));
    *out = reader.results;
    reader.results = NULL;
    return REGRET_OK;
}
