/* Records of AlpacaEval. */
#include <cJSON.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/jsonl.h"
#include "base/names.h"
#include "base/status.h"
#include "base/text.h"
#include "import/importer.h"
#include "import/internal.h"
#include "regret/status.h"

FREED_FIELDS(alpacaeval_model, of->generator)

/* What a judge's number may lie outside the range by rounding. */
static const double ROUNDING = 1e-9;

typedef int record_reader(struct alpacaeval *s, struct alpacaeval_model *m, const cJSON *record,
                          struct regret_place at);

/* r / (r + n) for n characters where the reference has r; ½ where both are empty. */
static double brevity(double n, double r)
{
    return n + r > 0.0 ? r / (n + r) : 0.5;
}

/* The id of an instruction: 16 digits of its hash, for texts have no place in ids. */
static void context_id(char id[17], const char *instruction)
{
    snprintf(id, 17, "%016llx",
             (unsigned long long)regret_hash64(instruction, strlen(instruction)));
}

static int is_other_text(const struct import_entry *context, const char *id, struct regret_place at)
{
    return regret_json_error(at, "two instructions have the id %s; leave out one of \"%.40s…\"", id,
                             context->text);
}

static int enter_context(uint32_t *out, struct alpacaeval *s, const struct alpacaeval_model *m,
                         const cJSON *record, struct regret_place at)
{
    struct import_register *contexts = &s->b.contexts;
    const char *instruction = NULL, *dataset = "";
    char id[17];
    int differs = 0;
    TRY(regret_json_get_string(&instruction, record, "instruction", at));
    TRY(regret_json_optional_string(&dataset, record, "dataset", at));
    context_id(id, instruction);
    size_t known = contexts->n;
    TRY(regret_grow((void **)&s->last, &s->last_capacity, known, sizeof *s->last, "instructions"));
    TRY(import_enter(out, contexts, id, m->seen, at));
    struct import_entry *context = &contexts->entry[*out];
    if (contexts->n > known) {
        s->last[known] = (struct alpacaeval_last){0, 0};
        TRY(import_text(&context->text, &s->b, instruction));
    } else if (strcmp(context->text, instruction) != 0) {
        return is_other_text(context, id, at);
    }
    TRY(import_set_tag(&differs, context, dataset, at));
    s->report.other_datasets += differs != 0;
    return REGRET_OK;
}

/* The preference of a record as a number from 0 to 1; *given is 0 where it has none. */
static int read_preference(double *out, int *given, struct alpacaeval *s, const cJSON *record,
                           struct regret_place at)
{
    const cJSON *v = cJSON_GetObjectItemCaseSensitive(record, "preference");
    *given = v != NULL && !cJSON_IsNull(v);
    if (!*given) {
        return REGRET_OK;
    }
    TRY(regret_json_get_number(out, record, "preference", at));
    if (*out == 0.0) {
        s->report.draws++;
        *out = 0.5;
        return REGRET_OK;
    }
    if (!(*out >= 1.0 - ROUNDING && *out <= 2.0 + ROUNDING)) {
        return regret_json_error(
            at,
            "\"preference\" is %.15g; it is from 1, the reference is better, to "
            "2, the model is, or 0, a draw",
            *out);
    }
    *out = fmin(fmax(*out - 1.0, 0.0), 1.0);
    return REGRET_OK;
}

static int note_generator(struct alpacaeval *s, struct alpacaeval_model *m, const cJSON *record,
                          struct regret_place at)
{
    const char *generator = NULL;
    TRY(regret_json_optional_string(&generator, record, "generator_2", at));
    if (generator != NULL && m->generator == NULL) {
        return regret_strdup(&m->generator, generator);
    }
    s->report.other_generators += generator != NULL && strcmp(generator, m->generator) != 0;
    return REGRET_OK;
}

/* The texts of a record; that of the model may stand apart. */
static int read_texts(struct alpacaeval *s, struct import_row *row, const cJSON *record,
                      struct regret_place at)
{
    const char *reference = NULL, *output = NULL;
    TRY(regret_json_get_string(&reference, record, "output_1", at));
    TRY(regret_json_optional_string(&output, record, "output_2", at));
    row->values[ALPACAEVAL_BREVITY] = (double)count_characters(reference); /* until finish_rows() */
    return output != NULL ? import_text(&row->text, &s->b, output) : REGRET_OK;
}

static int read_judgement(struct alpacaeval *s, struct alpacaeval_model *m, const cJSON *record,
                          struct regret_place at)
{
    struct import_row row = {.number = m->seen - 1, .agent = m->agent};
    int given = 0, rc;
    TRY_CLEANUP(REGRET_NEW(&row.values, ALPACAEVAL_VALUES));
    TRY_CLEANUP(read_preference(&row.values[ALPACAEVAL_PREFERENCE], &given, s, record, at));
    if (!given) {
        s->report.unscored++;
        goto cleanup;
    }
    TRY_CLEANUP(read_texts(s, &row, record, at));
    TRY_CLEANUP(note_generator(s, m, record, at));
    TRY_CLEANUP(enter_context(&row.context, s, m, record, at));
    if (s->b.n_rows >= REGRET_POOL_MAX_OUTPUTS) {
        rc = regret_json_error(at, "more than %d records", REGRET_POOL_MAX_OUTPUTS);
        goto cleanup;
    }
    s->last[row.context] = (struct alpacaeval_last){m->number, s->b.n_rows};
    return import_add_row(&s->b, &row);
cleanup:
    import_row_clear(&row);
    return rc;
}

/* An output of model_outputs.json is that of the judgement about its instruction, where this has
 * none itself. */
static int read_output(struct alpacaeval *s, struct alpacaeval_model *m, const cJSON *record,
                       struct regret_place at)
{
    const char *instruction = NULL, *output = NULL;
    char id[17];
    TRY(regret_json_get_string(&instruction, record, "instruction", at));
    TRY(regret_json_get_string(&output, record, "output", at));
    context_id(id, instruction);
    size_t x = id_table_find(&s->b.contexts.ids, id);
    if (x == SIZE_MAX || s->last[x].model != m->number) {
        s->report.unjudged++;
        return REGRET_OK;
    }
    struct import_row *row = &s->b.rows[s->last[x].row];
    if (row->text == NULL) {
        return import_text(&row->text, &s->b, output);
    }
    s->report.other_outputs += strcmp(row->text, output) != 0;
    return REGRET_OK;
}

/* Reads the records of a file of the model, which must be a file of its folder itself. */
static int read_file(struct alpacaeval *s, struct alpacaeval_model *m, const char *path,
                     size_t *count, record_reader *read)
{
    FREED_BY(json_records_close) struct json_records records = {0};
    const cJSON *record = NULL;
    enum folder_entry kind = FOLDER_ENTRY_NONE;
    m->seen = 0;
    TRY(folder_entry_of(&kind, path));
    if (kind != FOLDER_ENTRY_FILE) {
        return regret_fail(
            REGRET_E_INPUT,
            "%s is not a regular file; put the file itself there, or leave the model "
            "out with --exclude",
            path);
    }
    TRY(json_records_open(&records, path, JSON_RECORDS_OF_SET));
    TRY(import_note_file(&s->b, path));
    TRY(json_records_next(&records, &record));
    while (record != NULL) {
        m->seen++;
        *count += 1;
        TRY(import_skip_row(&s->bad, read(s, m, record, records.at)));
        TRY(json_records_next(&records, &record));
    }
    return REGRET_OK;
}

static int read_outputs(struct alpacaeval *s, struct alpacaeval_model *m, const char *name)
{
    FREED char *path = NULL;
    enum folder_entry kind = FOLDER_ENTRY_NONE;
    TRY(alpacaeval_path(&path, s->path, name, "model_outputs.json"));
    TRY(folder_entry_of(&kind, path));
    size_t bad = s->bad.n, records = 0;
    int rc = kind == FOLDER_ENTRY_NONE ? REGRET_OK : read_file(s, m, path, &records, read_output);
    s->report.bad_outputs += s->bad.n - bad;
    s->bad.n = bad;
    return rc;
}

/* The rows of the model that have an output, with their brevity; the others are counted. */
static void finish_rows(struct alpacaeval *s, const struct alpacaeval_model *m)
{
    size_t kept = m->begin;
    for (size_t i = m->begin; i < s->b.n_rows; i++) {
        struct import_row *row = &s->b.rows[i];
        if (row->text == NULL) {
            s->report.no_output++;
            import_row_clear(row);
            continue;
        }
        double *value = &row->values[ALPACAEVAL_BREVITY];
        *value = brevity((double)count_characters(row->text), *value);
        s->b.rows[kept++] = *row;
    }
    s->b.n_rows = kept;
}

/* People know a model by its folder; what its records call it is said beside that. */
static int set_title(struct alpacaeval *s, const struct alpacaeval_model *m, const char *name)
{
    struct import_entry *agent = &s->b.agents.entry[m->agent];
    FREED_BY(regret_buffer_free) struct regret_buffer title = REGRET_BUFFER_INIT;
    if (m->generator == NULL || strcmp(m->generator, name) == 0) {
        return REGRET_OK;
    }
    s->report.renamed++;
    importer_remember(s->report.renamed_are, sizeof s->report.renamed_are, name);
    regret_buffer_printf(&title, "%s (", name);
    regret_buffer_append_safe(&title, m->generator, 100);
    regret_buffer_append_char(&title, ')');
    TRY(regret_buffer_status(&title));
    return import_text(&agent->text, &s->b, regret_buffer_get(&title));
}

static int read_rows(struct alpacaeval *s, struct alpacaeval_model *m, const char *name,
                     const char *path)
{
    TRY(import_enter(&m->agent, &s->b.agents, name, m->number, (struct regret_place){s->path, 0}));
    TRY(read_file(s, m, path, &s->report.records, read_judgement));
    TRY(read_outputs(s, m, name));
    finish_rows(s, m);
    return set_title(s, m, name);
}

int alpacaeval_read_model(struct alpacaeval *s, const char *name, uint32_t number)
{
    FREED_BY(alpacaeval_model_fields)
    struct alpacaeval_model m = {.number = number, .begin = s->b.n_rows};
    FREED char *folder = NULL, *judge = NULL, *path = NULL;
    enum folder_entry judged = FOLDER_ENTRY_NONE, file = FOLDER_ENTRY_NONE;
    TRY(alpacaeval_path(&folder, s->path, name, NULL));
    TRY(alpacaeval_path(&judge, folder, s->annotator, NULL));
    TRY(alpacaeval_path(&path, judge, "annotations.json", NULL));
    TRY(folder_entry_of(&judged, judge));
    TRY(folder_entry_of(&file, path));
    if (judged == FOLDER_ENTRY_FOLDER && file != FOLDER_ENTRY_NONE) {
        return read_rows(s, &m, name, path);
    }
    s->report.unjudged_models++;
    importer_remember(s->report.unjudged_models_are, sizeof s->report.unjudged_models_are, name);
    return REGRET_OK;
}
