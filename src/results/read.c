/* Rows of results read. */
#include <cJSON.h>
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/files.h"
#include "base/status.h"
#include "regret/status.h"
#include "results/results.h"
#include "results/row.h"
#include "results/run_file.h"

/* Only families of one's own fail. */
static size_t words_of(const struct regret_results *r)
{
    size_t external = 0;
    for (size_t i = 0; i < r->n_families; i++) {
        external += r->subjects[i].external != NULL;
    }
    return external > 0 ? ROW_FAILURE + 1 : ROW_FAILURE;
}

/* A measure that few runs have is no column of the others. */
static int has_measure(const struct regret_results *r, enum regret_measure m)
{
    int known = !row_measure_is_rare(m);
    for (size_t i = 0; !known && i < r->n_rows; i++) {
        known = !isnan(r->measure[m][i]);
    }
    return known;
}

static void put_row(struct regret_buffer *out, const struct regret_results *r, size_t row,
                    const int *has)
{
    const struct regret_subject *subject = &r->subjects[r->row_subject[row]];
    size_t cell = r->row_cell[row];
    regret_buffer_printf(out, "%zu,%lld,%s,", cell, r->seeds[r->row_seed[row]],
                         row_kind_name(subject->kind));
    csv_field(out, subject->name);
    for (size_t k = 0; k < r->n_keys; k++) {
        regret_buffer_append_char(out, ',');
        csv_field(out, regret_results_key_text(r, cell, k));
    }
    for (size_t m = 0; m < REGRET_N_MEASURES; m++) {
        if (has[m]) {
            regret_buffer_append_char(out, ',');
            csv_number(out, r->measure[m][row]);
        }
    }
    const size_t words[ROW_WORDS] = {[ROW_BASIS] = r->row_basis[row],
                                     [ROW_CV] = r->row_cv[row],
                                     [ROW_FAILURE] = r->row_failure[row]};
    for (size_t i = 0; i < words_of(r); i++) {
        regret_buffer_append_char(out, ',');
        csv_field(out, words[i] == REGRET_NO_ROW ? "" : r->words[words[i]]);
    }
    run_facts_csv(out, &r->run);
}

int regret_results_csv(struct regret_buffer *out, const struct regret_results *r)
{
    int has[REGRET_N_MEASURES];
    regret_buffer_append(out, "cell,seed,kind,family");
    for (size_t k = 0; k < r->n_keys; k++) {
        regret_buffer_append_char(out, ',');
        csv_field(out, r->keys[k].name);
    }
    for (size_t m = 0; m < REGRET_N_MEASURES; m++) {
        has[m] = has_measure(r, (enum regret_measure)m);
        if (has[m]) {
            regret_buffer_printf(out, ",%s", row_measure_name((enum regret_measure)m));
        }
    }
    for (size_t w = 0; w < words_of(r); w++) {
        regret_buffer_printf(out, ",%s", row_word_name((enum row_word)w));
    }
    regret_buffer_append(out, RUN_FACTS_CSV);
    for (size_t i = 0; i < r->n_subjects * r->n_cells * r->n_seeds; i++) {
        if (r->at[i] != REGRET_NO_ROW) {
            put_row(out, r, r->at[i], has);
        }
    }
    return regret_buffer_status(out);
}

static const char *const main_keys[REGRET_N_MAIN_KEYS] = {"reward.map", "beta", "n_obs", "n_exp"};

/* Shown for a key that a cell does not have. */
static const char absent[] = "(none)";

enum { MAX_KEYS = 64, MAX_VALUES = 4096, MAX_CUBE = 1 << 28 };

static int add_key(struct regret_results *r, const char *name)
{
    if (regret_results_find_key(r, name) != REGRET_NO_ROW) {
        return REGRET_OK;
    }
    if (r->n_keys == MAX_KEYS) {
        return regret_fail(REGRET_E_INPUT, "%s: more than %d different keys in the cells",
                           r->run.folder, MAX_KEYS);
    }
    memset(&r->keys[r->n_keys], 0, sizeof *r->keys);
    TRY(regret_strdup(&r->keys[r->n_keys].name, name));
    r->n_keys++;
    return REGRET_OK;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct regret_key *)a)->name, ((const struct regret_key *)b)->name);
}

/* The keys that a cell names: in its rows, or else in run.json. */
static const cJSON *cell_key(const struct results_reader *reader, size_t cell)
{
    return reader->keys[cell] != NULL ? reader->keys[cell] : reader->run.key[cell];
}

/* A cell without rows may lack the keys that are not swept: the configuration has them. */
static const cJSON *cell_value(const struct results_reader *reader, size_t cell, const char *name)
{
    const cJSON *value = cJSON_GetObjectItemCaseSensitive(cell_key(reader, cell), name);
    return value == NULL && reader->keys[cell] == NULL
               ? cJSON_GetObjectItemCaseSensitive(reader->results->run.config, name)
               : value;
}

static int collect_keys(struct results_reader *reader)
{
    struct regret_results *r = reader->results;
    TRY(REGRET_NEW(&r->keys, MAX_KEYS));
    for (size_t k = 0; k < REGRET_N_MAIN_KEYS; k++) {
        TRY(add_key(r, main_keys[k]));
    }
    for (size_t c = 0; c < r->n_cells; c++) {
        for (const cJSON *v = cell_key(reader, c)->child; v != NULL; v = v->next) {
            TRY(add_key(r, v->string));
        }
    }
    qsort(r->keys + REGRET_N_MAIN_KEYS, r->n_keys - REGRET_N_MAIN_KEYS, sizeof *r->keys, by_name);
    return REGRET_OK;
}

/* One value of a key while the values are being put in order. */
struct key_value {
    const cJSON *value; /* NULL: the cell has no such key */
    size_t cell;
};

static int value_rank(const cJSON *v)
{
    return v == NULL ? 3 : cJSON_IsNumber(v) ? 0 : cJSON_IsBool(v) ? 1 : 2;
}

static int same_value(const cJSON *a, const cJSON *b)
{
    return a == NULL || b == NULL ? a == b : cJSON_Compare(a, b, 1);
}

/* Numbers ascending, false, true, texts and lists by first cell, and last the absent. */
static int by_value(const void *left, const void *right)
{
    const struct key_value *a = left, *b = right;
    int ra = value_rank(a->value), rb = value_rank(b->value);
    if (ra != rb) {
        return ra < rb ? -1 : 1;
    }
    if (ra == 0 && a->value->valuedouble != b->value->valuedouble) {
        return a->value->valuedouble < b->value->valuedouble ? -1 : 1;
    }
    if (ra == 1 && cJSON_IsTrue(a->value) != cJSON_IsTrue(b->value)) {
        return cJSON_IsTrue(a->value) ? 1 : -1;
    }
    return a->cell < b->cell ? -1 : a->cell > b->cell;
}

static int value_text(char **out, const cJSON *v)
{
    if (v == NULL || cJSON_IsBool(v)) {
        return regret_strdup(out, v == NULL ? absent : cJSON_IsTrue(v) ? "true" : "false");
    }
    if (cJSON_IsString(v)) {
        return regret_strdup(out, v->valuestring);
    }
    if (cJSON_IsArray(v)) {
        char *list = cJSON_PrintUnformatted(v);
        int printed = list == NULL ? regret_fail(REGRET_E_NOMEM, "out of memory: a list")
                                   : regret_strdup(out, list);
        cJSON_free(list);
        return printed;
    }
    FREED_BY(regret_buffer_free) struct regret_buffer number = REGRET_BUFFER_INIT;
    regret_buffer_json_number(&number, v->valuedouble);
    TRY(regret_buffer_status(&number));
    return regret_strdup(out, regret_buffer_get(&number));
}

static int index_key(struct results_reader *reader, size_t k, struct key_value *distinct)
{
    struct regret_results *r = reader->results;
    struct regret_key *key = &r->keys[k];
    size_t n = 0;
    for (size_t c = 0; c < r->n_cells; c++) {
        const cJSON *v = cell_value(reader, c, key->name);
        size_t i = 0;
        while (i < n && !same_value(distinct[i].value, v)) {
            i++;
        }
        if (i == MAX_VALUES) {
            return regret_fail(REGRET_E_INPUT, "%s: more than %d values of \"%s\"", r->run.folder,
                               MAX_VALUES, key->name);
        }
        if (i == n) {
            distinct[n++] = (struct key_value){v, c};
        }
    }
    qsort(distinct, n, sizeof *distinct, by_value);
    TRY(REGRET_NEW(&key->values, n));
    while (key->n_values < n) {
        TRY(value_text(&key->values[key->n_values], distinct[key->n_values].value));
        key->n_values++;
    }
    for (size_t c = 0; c < r->n_cells; c++) {
        const cJSON *v = cell_value(reader, c, key->name);
        size_t i = 0;
        while (!same_value(distinct[i].value, v)) {
            i++;
        }
        r->cell_value[c + r->n_cells * k] = i;
    }
    return REGRET_OK;
}

/* After all rows: keys and cell_value, seeds and row_seed, `at`
 * (refusing rows given twice), lists of one length in a replicate, gaps, lacks. */
static int results_index_keys(struct results_reader *reader)
{
    struct regret_results *r = reader->results;
    FREED struct key_value *distinct = NULL;
    TRY(collect_keys(reader));
    TRY(REGRET_NEW(&r->cell_value, r->n_cells * r->n_keys));
    TRY(REGRET_NEW(&distinct, r->n_cells));
    for (size_t k = 0; k < r->n_keys; k++) {
        TRY(index_key(reader, k, distinct));
    }
    return REGRET_OK;
}

static int by_number(const void *a, const void *b)
{
    long long x = *(const long long *)a, y = *(const long long *)b;
    return x < y ? -1 : x > y;
}

static int index_seeds(struct results_reader *reader)
{
    struct regret_results *r = reader->results;
    TRY(REGRET_NEW(&r->seeds, r->n_rows));
    memcpy(r->seeds, reader->row_number, r->n_rows * sizeof *r->seeds);
    qsort(r->seeds, r->n_rows, sizeof *r->seeds, by_number);
    for (size_t i = 0; i < r->n_rows; i++) {
        if (r->n_seeds == 0 || r->seeds[i] != r->seeds[r->n_seeds - 1]) {
            r->seeds[r->n_seeds++] = r->seeds[i];
        }
    }
    for (size_t i = 0; i < r->n_rows; i++) {
        const long long *at =
            bsearch(&reader->row_number[i], r->seeds, r->n_seeds, sizeof *r->seeds, by_number);
        r->row_seed[i] = (size_t)(at - r->seeds);
    }
    if (r->n_seeds > r->seeds_planned) {
        return regret_fail(REGRET_E_INPUT,
                           "%s: the rows have %zu seeds, run.json says %zu; are they of one run?",
                           r->run.folder, r->n_seeds, r->seeds_planned);
    }
    return REGRET_OK;
}

static int row_given_twice(const struct results_reader *reader, size_t row, size_t before)
{
    const struct regret_results *r = reader->results;
    char file[ROW_FILE_NAME], other[ROW_FILE_NAME];
    row_file_name(file, ROW_FILE_RESULTS, reader->row_shard[row], reader->n_shards);
    row_file_name(other, ROW_FILE_RESULTS, reader->row_shard[before], reader->n_shards);
    return regret_fail(
        REGRET_E_INPUT,
        "%s/%s:%zu: cell %zu, seed %lld, %s stands already in %s:%zu; shards must not "
        "overlap",
        r->run.folder, file, reader->row_line[row], r->row_cell[row], reader->row_number[row],
        r->subjects[r->row_subject[row]].name, other, reader->row_line[before]);
}

static int results_index_rows(struct results_reader *reader)
{
    struct regret_results *r = reader->results;
    TRY(index_seeds(reader));
    if (r->n_cells > MAX_CUBE / r->n_seeds / r->n_subjects) {
        return regret_fail(REGRET_E_INPUT, "%s: %zu cells × %zu seeds are more than a report holds",
                           r->run.folder, r->n_cells, r->n_seeds);
    }
    size_t cube = r->n_subjects * r->n_cells * r->n_seeds;
    TRY(REGRET_NEW(&r->at, cube));
    for (size_t i = 0; i < cube; i++) {
        r->at[i] = REGRET_NO_ROW;
    }
    for (size_t row = 0; row < r->n_rows; row++) {
        size_t *at = &r->at[r->row_subject[row] +
                            r->n_subjects * (r->row_cell[row] + r->n_cells * r->row_seed[row])];
        if (*at != REGRET_NO_ROW) {
            return row_given_twice(reader, row, *at);
        }
        *at = row;
    }
    return REGRET_OK;
}

static void describe_shards(struct regret_buffer *t, const struct results_reader *reader)
{
    size_t missing = 0;
    for (size_t i = 0; i < reader->n_shards; i++) {
        if (!reader->shard_is[i] && ++missing <= 10) {
            regret_buffer_printf(t, "%s%zu", missing == 1 ? "; missing shards of the run: " : ", ",
                                 i + 1);
        }
    }
    if (missing > 10) {
        regret_buffer_printf(t, " and %zu more", missing - 10);
    }
}

/* Has a family of the user's own said why it has no fit in a replicate? */
static int has_failed(const struct regret_results *r, size_t family, size_t cell, size_t seed)
{
    size_t row = r->at[family + r->n_subjects * (cell + r->n_cells * seed)];
    return row != REGRET_NO_ROW && r->row_failure[row] != REGRET_NO_ROW;
}

/* 1: the subject has its row in a replicate and, if it is a family, a regret there. */
static int has_row(const struct regret_results *r, size_t subject, size_t cell, size_t seed)
{
    return subject < r->n_families
               ? isfinite(regret_results_value(r, REGRET_MEASURE_REGRET, subject, cell, seed)) ||
                     has_failed(r, subject, cell, seed)
               : r->at[subject + r->n_subjects * (cell + r->n_cells * seed)] != REGRET_NO_ROW;
}

/* Names the rows that a replicate lacks of `wanted`, or that have no regret; 1 when it lacks none. */
static int describe_replicate(struct regret_buffer *t, const struct regret_results *r,
                              size_t wanted, size_t cell, size_t seed, size_t *named)
{
    enum { MOST = 10 };
    size_t lacking = 0, first = 0;
    for (size_t f = wanted; f-- > 0;) {
        if (!has_row(r, f, cell, seed)) {
            lacking++;
            first = f;
        }
    }
    if (lacking > 0 && ++*named <= MOST) {
        regret_buffer_printf(t, "%scell %zu seed %lld", *named == 1 ? "; missing: " : ", ", cell,
                             r->seeds[seed]);
        if (lacking < wanted) {
            regret_buffer_printf(t, " (%s%s)", r->subjects[first].name,
                                 lacking > 1 ? " and others" : "");
        }
    }
    return lacking == 0;
}

static int results_find_gaps(struct results_reader *reader)
{
    struct regret_results *r = reader->results;
    FREED_BY(regret_buffer_free) struct regret_buffer missing = REGRET_BUFFER_INIT;
    FREED_BY(regret_buffer_free) struct regret_buffer all = REGRET_BUFFER_INIT;
    size_t named = 0, planned = r->n_cells * r->seeds_planned;
    for (size_t s = 0; s < r->n_seeds; s++) {
        for (size_t c = 0; c < r->n_cells; c++) {
            r->n_complete +=
                (size_t)describe_replicate(&missing, r, reader->run.lines, c, s, &named);
        }
    }
    if (named > 10) {
        regret_buffer_printf(&missing, " and %zu more", named - 10);
    }
    if (r->n_complete < planned) {
        regret_buffer_printf(&all, "INCOMPLETE: %zu of %zu replicates", r->n_complete, planned);
        describe_shards(&all, reader);
        regret_buffer_append(&all, regret_buffer_get(&missing));
        if (r->n_seeds < r->seeds_planned) {
            regret_buffer_printf(&all, "; %zu of %zu seeds have no rows at all",
                                 r->seeds_planned - r->n_seeds, r->seeds_planned);
        }
        regret_buffer_append_char(&all, '.');
        TRY(regret_buffer_status(&missing));
        TRY(regret_buffer_status(&all));
        return regret_strdup(&r->gaps, regret_buffer_get(&all));
    }
    return REGRET_OK;
}

/* The rows of a replicate are about the same held-out contexts. */
static int check_replicate(const struct results_reader *reader, size_t cell, size_t seed)
{
    const struct regret_results *r = reader->results;
    size_t before = 0;
    for (size_t i = 0; i < r->n_subjects; i++) {
        size_t row = r->at[i + r->n_subjects * (cell + r->n_cells * seed)];
        size_t n = row != REGRET_NO_ROW ? row_lists_contexts(r->lists, row) : 0;
        if (n > 0 && before > 0 && n != before) {
            char *path = NULL;
            TRY(row_file_path(&path, r->run.folder, ROW_FILE_RESULTS, reader->row_shard[row],
                              reader->n_shards));
            int rc =
                row_lists_differ(n, before, (struct regret_place){path, reader->row_line[row]});
            regret_free(path);
            return rc;
        }
        before = n > 0 ? n : before;
    }
    return REGRET_OK;
}

static int results_check_lists(const struct results_reader *reader)
{
    for (size_t s = 0; s < reader->results->n_seeds; s++) {
        for (size_t c = 0; c < reader->results->n_cells; c++) {
            TRY(check_replicate(reader, c, s));
        }
    }
    return REGRET_OK;
}

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

/* The rows that every replicate has: what run.json says or, where it does not, those of families. */
static int count_lines(struct results_reader *reader)
{
    const struct regret_results *r = reader->results;
    long long lines = (long long)r->n_families;
    TRY(regret_json_optional_integer(&lines, r->run.json, "rows", 1, (long long)r->n_subjects,
                                     (struct regret_place){r->run.folder, 0}));
    reader->run.lines = (size_t)lines;
    return REGRET_OK;
}

static int read_folder(struct results_reader *reader, const char *folder)
{
    TRY(run_file_read(&reader->run, folder));
    take_run(reader->results, &reader->run);
    TRY(count_lines(reader));
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
