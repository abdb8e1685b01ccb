/* SWE-bench: patches and predictions. */
#include <cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/files.h"
#include "base/input.h"
#include "base/jsonl.h"
#include "base/status.h"
#include "base/text.h"
#include "import/importer.h"
#include "import/swebench.h"
#include "pool/check.h"
#include "pool/memory.h"
#include "regret/buffer.h"
#include "regret/status.h"

/* Patches in SWE-bench's own files. What becomes of what: include/regret/import.h. */

/* A run: its folder, and what the report says of it. */
struct predictions {
    const char *folder; /* borrowed */
    uint32_t run;
    char *report_path;       /* owned */
    struct cJSON *report;    /* owned */
    struct id_table verdict; /* 1 resolved, 0 not, of the ids it names; borrows from it */
    int is_list;             /* 1: it names those resolved alone */
    size_t n;                /* records read */
};

static void predictions_free(struct predictions *p)
{
    id_table_free(&p->verdict);
    cJSON_Delete(p->report);
    regret_free(p->report_path);
}

/* The first file of `names` in the folder; NULL where there is none. */
static int find_file(char **out, const char *folder, const char *const *names, size_t n)
{
    *out = NULL;
    for (size_t i = 0; i < n; i++) {
        char *path = NULL;
        TRY(regret_path_join(&path, folder, names[i]));
        if (!input_is_absent(path)) {
            *out = path;
            return REGRET_OK;
        }
        regret_free(path);
    }
    return REGRET_OK;
}

static int read_resolved_ids(struct predictions *p, const cJSON *ids)
{
    size_t i = 0;
    TRY(id_table_reserve(&p->verdict, (size_t)cJSON_GetArraySize(ids)));
    for (const cJSON *id = ids->child; id != NULL; id = id->next, i++) {
        if (!cJSON_IsString(id)) {
            return regret_json_error((struct regret_place){p->report_path, 0},
                                     "\"%s\" must be a list of the ids of issues; entry %zu (from "
                                     "0) is not a string",
                                     ids->string, i);
        }
        id_table_put(&p->verdict, id->valuestring, 1);
    }
    p->is_list = 1;
    return REGRET_OK;
}

/* The records {"resolved": true or false} in an object by the ids of issues. */
static int read_cases(struct predictions *p, const cJSON *cases)
{
    TRY(id_table_reserve(&p->verdict, (size_t)cJSON_GetArraySize(cases)));
    for (const cJSON *c = cJSON_IsObject(cases) ? cases->child : NULL; c != NULL; c = c->next) {
        const cJSON *verdict = cJSON_GetObjectItemCaseSensitive(c, "resolved");
        if (cJSON_IsBool(verdict)) {
            id_table_put(&p->verdict, c->string, cJSON_IsTrue(verdict));
        }
    }
    return REGRET_OK;
}

static int read_report(struct predictions *p)
{
    static const char *const NAMES[] = {"report.json", "results.json", "results/report.json",
                                        "results/results.json"};
    TRY(find_file(&p->report_path, p->folder, NAMES, sizeof NAMES / sizeof *NAMES));
    if (p->report_path == NULL) {
        return regret_fail(REGRET_E_INPUT,
                           "%s has no report.json; put the report of SWE-bench's evaluation there, "
                           "or leave the folder out with --agent",
                           p->folder);
    }
    TRY(regret_json_read_file_mode(&p->report, p->report_path, REGRET_JSON_IMPORT));
    const cJSON *ids = cJSON_GetObjectItemCaseSensitive(p->report, "resolved_ids");
    ids = ids != NULL ? ids : cJSON_GetObjectItemCaseSensitive(p->report, "resolved");
    if (cJSON_IsArray(ids)) {
        return read_resolved_ids(p, ids);
    }
    const cJSON *instances = cJSON_GetObjectItemCaseSensitive(p->report, "instances");
    TRY(read_cases(p, cJSON_IsObject(instances) ? instances : p->report));
    return p->verdict.n > 0 ? REGRET_OK
                            : regret_json_error(
                                  (struct regret_place){p->report_path, 0},
                                  "says nothing of what is resolved; it must have a list "
                                  "\"resolved_ids\" or \"resolved\", or a record with \"resolved\" "
                                  "under the id of each issue");
}

static int read_verdict(struct import_row *row, const struct predictions *p, const char *id,
                        struct regret_place at)
{
    size_t verdict = id_table_find(&p->verdict, id);
    if (verdict == SIZE_MAX && !p->is_list) {
        return regret_json_error(at, "%s does not say whether \"%s\" is resolved, true or false",
                                 p->report_path, id);
    }
    row->flags = verdict == 1 ? SWEBENCH_SUCCESS : 0;
    return REGRET_OK;
}

/* One prediction; a row that is not asked for is counted. */
static int read_prediction(struct swebench *s, struct predictions *p, const cJSON *record,
                           struct regret_place at)
{
    struct import_row row = {.number = at.line > 0 ? at.line : p->n, .agent = p->run};
    const char *id = NULL, *patch = "";
    TRY(regret_json_get_string(&id, record, "instance_id", at));
    TRY(regret_json_optional_string(&patch, record, "model_patch", at));
    if (pool_check_id("instance_id", id) != REGRET_OK) {
        return regret_json_error(at, "%s", regret_error_message());
    }
    if (!swebench_find_issue(&row.context, s, id)) {
        return REGRET_OK;
    }
    row.weak = patch[0] == '\0';
    TRY(read_verdict(&row, p, id, at));
    if (s->b.n_rows >= REGRET_POOL_MAX_OUTPUTS) {
        return regret_json_error(at, "more than %d rows", (int)REGRET_POOL_MAX_OUTPUTS);
    }
    TRY(import_text(&row.text, &s->b, patch));
    return import_add_row(&s->b, &row);
}

/* The next record, *more = 0 at the end; a bad one may be skipped. */
static int next_prediction(struct swebench *s, struct predictions *p, struct json_records *records,
                           int *more)
{
    const cJSON *record = NULL;
    int rc = json_records_next(records, &record), failed = rc != REGRET_OK;
    *more = failed || record != NULL;
    if (!*more) {
        return REGRET_OK;
    }
    s->report.rows++;
    p->n++;
    if (failed && json_records_is_over(records)) {
        return rc;
    }
    return import_skip_row(&s->bad, failed ? rc : read_prediction(s, p, record, records->at));
}

static int read_records(struct swebench *s, struct predictions *p)
{
    static const char *const NAMES[] = {"all_preds.jsonl", "all_preds.json", "preds.json"};
    FREED_BY(json_records_close) struct json_records records = {0};
    FREED char *path = NULL;
    int more = 1;
    TRY(find_file(&path, p->folder, NAMES, sizeof NAMES / sizeof *NAMES));
    if (path == NULL) {
        return regret_fail(REGRET_E_INPUT,
                           "%s has no all_preds.jsonl; put its predictions there, or leave the "
                           "folder out with --agent",
                           p->folder);
    }
    TRY(json_records_open(&records, path, JSON_RECORDS_OF_SET));
    TRY(import_note_file(&s->b, p->report_path));
    TRY(import_note_file(&s->b, path));
    while (more) {
        TRY(next_prediction(s, p, &records, &more));
    }
    return REGRET_OK;
}

static int read_system(struct swebench *s, const char *name, size_t number)
{
    FREED_BY(predictions_free) struct predictions p = {0};
    struct regret_place at = {s->path, 0};
    FREED char *folder = NULL;
    int is_folder = 0;
    TRY(regret_path_join(&folder, s->path, name));
    p.folder = folder;
    TRY(folder_is_there(&is_folder, folder));
    if (!is_folder) {
        return REGRET_OK; /* a file beside the systems */
    }
    if (!swebench_is_wanted(s->options, name)) {
        importer_remember(s->other_agents, sizeof s->other_agents, name);
        return REGRET_OK;
    }
    TRY(import_enter(&p.run, &s->b.agents, name, number, at));
    TRY(read_report(&p));
    return read_records(s, &p);
}

static int check_found(const struct swebench *s)
{
    if (s->b.agents.n > 0) {
        return REGRET_OK;
    }
    return s->other_agents[0] != '\0'
               ? regret_fail(REGRET_E_INPUT, "%s: no run matches an agent pattern; there are: %s",
                             s->path, s->other_agents)
               : regret_fail(REGRET_E_INPUT,
                             "%s has no folders; give the folder that holds a folder a system, "
                             "each with all_preds.jsonl and report.json",
                             s->path);
}

static int read_rows(struct swebench *s)
{
    struct folder_list systems;
    int rc = REGRET_OK;
    if (s->options->benchmark != NULL) {
        return regret_fail(REGRET_E_INPUT,
                           "predictions do not say which benchmark they are of; give "
                           "the issues of that benchmark alone");
    }
    TRY(folder_list_read(&systems, s->path));
    for (size_t i = 0; i < systems.n; i++) {
        TRY_CLEANUP(read_system(s, systems.name[i], i + 1));
    }
    rc = check_found(s);
cleanup:
    s->report.bad = s->bad.n;
    folder_list_free(&systems);
    return rc;
}

/* The patch, which was kept whole for its values, may be cut now. */
static int read_outputs(struct swebench *s)
{
    struct regret_patch_issue **words = NULL;
    int rc;
    TRY(swebench_issues_new(&words, s));
    for (size_t i = 0; i < s->b.n_rows; i++) {
        struct import_row *row = &s->b.rows[i];
        TRY_CLEANUP(row->kept ? swebench_fill_row(s, words, row, row->text, strlen(row->text))
                              : REGRET_OK);
    }
    rc = REGRET_OK;
cleanup:
    swebench_issues_free(words, s);
    return rc;
}

int regret_import_predictions(struct regret_swebench_report *report, const char *folder,
                              const char *issues_path, const char *pool_path,
                              const struct regret_swebench_options *options, int replace)
{
    static const struct swebench_source PREDICTIONS = {
        read_rows, read_outputs, "its own all_preds.jsonl and report.json", "predictions"};
    return swebench_import(&PREDICTIONS, report, folder, issues_path, pool_path, options, replace);
}

/* The second reading of the CSV: patches and values of the rows that are kept. */

/* A reading under way. */
struct reading {
    struct swebench *s;
    struct swebench_table table;
    struct regret_patch_issue **words; /* owned */
    size_t next; /* the row that is waited for; rows are in the order of lines */
};

/* The first `most` bytes at most, up to the end of a line where there is one. */
static size_t shortened(const char *text, size_t length, size_t most)
{
    if (length <= most) {
        return length;
    }
    size_t n = most;
    while (n > 0 && text[n - 1] != '\n') {
        n--;
    }
    for (n = n > 0 ? n : most; n > 0 && ((unsigned char)text[n] & 0xc0) == 0x80;) {
        n--; /* not inside a character */
    }
    return n;
}

enum { NAMED = 4 };

/* "ISSUE of RUN", for the first few. */
static void remember_resolved(struct swebench *s, const struct import_row *row)
{
    struct regret_swebench_report *r = &s->report;
    char name[2 * REGRET_POOL_MAX_ID + 8];
    snprintf(name, sizeof name, "%s of %s", s->b.contexts.entry[row->context].id,
             s->runs.entry[row->run].id);
    if (r->resolved_without_diff++ < NAMED) {
        importer_remember(r->resolved_without_diff_are, sizeof r->resolved_without_diff_are, name);
    } else if (r->resolved_without_diff == NAMED + 1) {
        importer_remember(r->resolved_without_diff_are, sizeof r->resolved_without_diff_are, "…");
    }
}

static int fill_row(struct swebench *s, struct regret_patch_issue **words, struct import_row *row,
                    const char *patch, size_t length)
{
    struct import_entry *agent = &s->b.agents.entry[row->agent];
    const char *issue = s->b.contexts.entry[row->context].text;
    size_t changed = 0, files = 0, kept = shortened(patch, length, s->options->max_patch);
    TRY(*words == NULL ? regret_patch_issue_read(words, issue, strlen(issue)) : REGRET_OK);
    TRY(REGRET_NEW(&row->values, CODING_VALUES));
    TRY(row->text != patch || kept < length
            ? text_store_add(&row->text, &s->b.pool->texts, patch, kept)
            : REGRET_OK);
    TRY(coding_values(row->values, &changed, &files, row->flags & SWEBENCH_SUCCESS, patch, length,
                      *words));
    agent->cost += (double)changed;
    agent->costs++;
    s->report.shortened += kept < length;
    s->report.empty += length == 0;
    s->report.without_diff += length > 0 && files == 0;
    if ((row->flags & SWEBENCH_SUCCESS) && files == 0) {
        remember_resolved(s, row);
    }
    s->report.contradictions += (row->flags & SWEBENCH_CONTRADICTS) != 0;
    s->report.unread_tests += (row->flags & SWEBENCH_UNREAD_TESTS) != 0;
    return REGRET_OK;
}

/* Patches of files in Latin-1, or of binary ones, hold bytes that a pool cannot. */
static int fill_repaired(struct swebench *s, struct regret_patch_issue **words,
                         struct import_row *row, const char *patch, size_t length)
{
    struct regret_buffer text = REGRET_BUFFER_INIT;
    int rc;
    regret_utf8_append_repaired(&text, patch, length);
    TRY_CLEANUP(regret_buffer_status(&text));
    rc = fill_row(s, words, row, text.data, text.length);
    s->report.repaired++;
cleanup:
    regret_buffer_free(&text);
    return rc;
}

int swebench_fill_row(struct swebench *s, struct regret_patch_issue **words, struct import_row *row,
                      const char *patch, size_t length)
{
    words += row->context;
    return memchr(patch, '\0', length) == NULL && regret_utf8_valid(patch, length, NULL)
               ? fill_row(s, words, row, patch, length)
               : fill_repaired(s, words, row, patch, length);
}

int swebench_issues_new(struct regret_patch_issue ***words, const struct swebench *s)
{
    return REGRET_NEW(words, s->b.contexts.n);
}

void swebench_issues_free(struct regret_patch_issue **words, const struct swebench *s)
{
    for (size_t x = 0; words != NULL && x < s->b.contexts.n; x++) {
        regret_patch_issue_free(words[x]);
    }
    regret_free(words);
}

static int changed_underway(const char *path)
{
    return regret_fail(REGRET_E_INPUT, "%s changed while it was read; try again", path);
}

/* The record at hand, if it is the row that is waited for. */
static int take_record(struct reading *r)
{
    struct swebench *s = r->s;
    size_t length = 0;
    if (s->b.rows[r->next].number != regret_csv_line(r->table.csv)) {
        return REGRET_OK;
    }
    struct import_row *row = &s->b.rows[r->next++];
    if (strcmp(swebench_field(&r->table, SWEBENCH_INSTANCE, &length),
               s->b.contexts.entry[row->context].id) != 0 ||
        strcmp(swebench_field(&r->table, SWEBENCH_AGENT, &length), s->runs.entry[row->run].id) !=
            0) {
        return changed_underway(s->path);
    }
    const char *patch = swebench_field(&r->table, SWEBENCH_PATCH, &length);
    return swebench_fill_row(s, r->words, row, patch, length);
}

/* Goes on to the next row that is kept; 0 when there is none. */
static int is_waiting(struct reading *r)
{
    const struct import_builder *b = &r->s->b;
    while (r->next < b->n_rows && !b->rows[r->next].kept) {
        r->next++;
    }
    return r->next < b->n_rows;
}

static int read_table(struct reading *r)
{
    size_t n = 0;
    while (is_waiting(r)) {
        int rc = regret_csv_next(r->table.csv, &n);
        if (rc == REGRET_E_INPUT && r->s->bad.skip && !regret_csv_is_over(r->table.csv)) {
            continue; /* counted the first time */
        }
        TRY(rc);
        if (n == 0) {
            return changed_underway(r->s->path);
        }
        TRY(n == r->table.n_columns ? take_record(r) : REGRET_OK);
    }
    return REGRET_OK;
}

static int by_number(const void *left, const void *right)
{
    const struct import_row *a = left, *b = right;
    return (a->number > b->number) - (a->number < b->number);
}

int swebench_read_outputs(struct swebench *s)
{
    struct reading r = {.s = s};
    int rc;
    qsort(s->b.rows, s->b.n_rows, sizeof *s->b.rows, by_number);
    TRY_CLEANUP(swebench_issues_new(&r.words, s));
    TRY_CLEANUP(swebench_table_open(&r.table, s->path));
    rc = read_table(&r);
cleanup:
    swebench_issues_free(r.words, s);
    swebench_table_close(&r.table);
    return rc;
}
