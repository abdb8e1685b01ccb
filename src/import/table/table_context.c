/* The contexts of a table's rows, entered into the builder. */
#include <math.h>
#include <string.h>

#include "base/core/try.h"
#include "base/files/text_store.h"
#include "import/build/importer.h"
#include "import/build/references.h"
#include "import/table/table.h"
#include "import/table/table_cell.h"
#include "import/table/table_turns.h"
#include "pool/files/columns.h"
#include "regret/alloc.h"
#include "regret/hash.h"

int table_fail_at(int rc, struct regret_place at)
{
    return at.line > 0 ? regret_fail_prefix(rc, "%s:%zu", at.file, at.line)
                       : regret_fail_prefix(rc, "%s", at.file);
}

static int other_one(const struct import_entry *entry, const char *what,
                     const struct table_source *source)
{
    const char *unit = table_source_unit(source);
    return regret_json_error(table_source_place(source),
                             "the %s of \"%.60s\" is another one than %s %s %zu; give "
                             "different ones different ids",
                             what, entry->given, strcmp(unit, "line") == 0 ? "on" : "in", unit,
                             entry->number);
}

/* The text of an entry, which must not change. */
static int keep_text(struct table_import *t, struct import_entry *entry, const char *what,
                     const struct table_source *source, const char *text)
{
    if (entry->text == NULL) {
        return import_text(&entry->text, &t->b, text);
    }
    text_store_pass(t->b.pool->texts, entry->text);
    return strcmp(entry->text, text) == 0 ? REGRET_OK : other_one(entry, what, source);
}

int table_entry_text(struct table_import *t, struct import_entry *entry, const char *what,
                     struct table_source *source, enum table_field field)
{
    const char *text = NULL;
    if (source->field[field] == NULL) {
        return REGRET_OK;
    }
    TRY(table_source_text(&text, source, field, 0));
    return keep_text(t, entry, what, source, text);
}

/* A text of the context at hand: of votes it may be a conversation, whose questions count. */
static int read_text(const char **out, struct table_import *t, struct table_source *source,
                     enum table_field field)
{
    return t->map.votes.wanted ? table_turns_text(out, &t->turns, source, field, TURNS_OF_USER)
                               : table_source_text(out, source, field, 0);
}

static int set_text(struct import_entry *context, struct table_import *t,
                    struct table_source *source)
{
    const char *text = NULL;
    if (source->field[TABLE_TEXT] == NULL) {
        return REGRET_OK;
    }
    TRY(read_text(&text, t, source, TABLE_TEXT));
    return keep_text(t, context, "text", source, text);
}

static int set_tag(struct import_entry *context, struct table_source *source)
{
    const char *tag = NULL;
    int differs = 0;
    if (source->field[TABLE_TAG] == NULL) {
        return REGRET_OK;
    }
    TRY(table_source_text(&tag, source, TABLE_TAG, 1));
    TRY(import_set_tag(&differs, context, tag, table_source_place(source)));
    return differs ? other_one(context, "tag", source) : REGRET_OK;
}

/* Sets the references of a context, which some of its rows may lack. */
static int set_references(struct import_entry *context, struct table_import *t,
                          struct table_source *source)
{
    regret_buffer_clear(&t->references);
    for (size_t i = 0; i < 2; i++) {
        enum table_field field = i == 0 ? TABLE_REFERENCE : TABLE_OTHER_REFERENCE;
        TRY(source->field[field] != NULL ? table_source_references(&t->references, source, field)
                                         : REGRET_OK);
    }
    const char *text = references_get(&t->references);
    if (text == NULL || context->reference == NULL) {
        return text != NULL ? import_text(&context->reference, &t->b, text) : REGRET_OK;
    }
    return strcmp(context->reference, text) == 0
               ? REGRET_OK
               : regret_json_error(table_source_place(source),
                                   "the reference of \"%.60s\" is another one than before; give "
                                   "one to all its rows",
                                   context->given);
}

/* One covariate: a number that is not there is not known, a word that is not is the empty one. */
static int read_covariate(struct regret_covariate *out, enum regret_column_kind kind,
                          struct table_source *source, size_t field)
{
    const char *word = NULL;
    if (kind == REGRET_COLUMN_WORD) {
        TRY(table_source_text(&word, source, field, 1));
        return regret_strdup(&out->word, word);
    }
    out->number = NAN;
    if (table_source_is_blank(source, field)) {
        return REGRET_OK;
    }
    int rc = table_source_number(&out->number, source, field);
    return rc == REGRET_E_INPUT
               ? regret_fail_suffix(rc, "; correct it, leave it blank, or take the column out of "
                                        "the map's \"covariates\"")
               : rc;
}

/* Sets the covariates of a context, whose fields begin at `first` and must not change. */
static int set_covariates(struct import_entry *context, const struct table_import *t,
                          struct table_source *source, size_t first)
{
    const struct regret_pool *pool = t->b.pool;
    struct regret_covariate *read = NULL;
    int rc;
    if (pool->n_columns == 0 || source->field[first] == NULL) {
        return REGRET_OK;
    }
    TRY(REGRET_NEW(&read, pool->n_columns));
    for (size_t j = 0; j < pool->n_columns; j++) {
        TRY_CLEANUP(read_covariate(&read[j], pool->columns[j].kind, source, first + j));
    }
    rc = pool_check_covariates(pool, read);
    if (rc != REGRET_OK) {
        rc = table_fail_at(rc, table_source_place(source));
        goto cleanup;
    }
    if (context->columns == NULL) {
        context->columns = read;
        context->n_columns = pool->n_columns;
        read = NULL;
    } else if (!pool_same_covariates(pool, context->columns, read)) {
        rc = other_one(context, "covariates", source);
    }
cleanup:
    pool_free_covariates(read, pool->n_columns);
    return rc;
}

/* Contexts without an id of their own: the column of their texts says which one it is. */
static int is_told_by_text(const struct table_source *source)
{
    const char *text = source->field[TABLE_TEXT];
    return text != NULL && strcmp(text, source->field[TABLE_CONTEXT]) == 0;
}

int table_context_read(uint32_t *out, struct table_import *t, struct table_source *source,
                       size_t covariates)
{
    struct import_register *contexts = &t->b.contexts;
    const char *id = NULL;
    char digest[33];
    TRY(is_told_by_text(source) ? read_text(&id, t, source, TABLE_CONTEXT)
                                : table_source_text(&id, source, TABLE_CONTEXT, 0));
    if (is_told_by_text(source) && strlen(id) > REGRET_POOL_MAX_ID) {
        regret_digest(digest, id, strlen(id));
        id = digest;
    }
    TRY(import_enter(out, contexts, id, source->number, table_source_place(source)));
    TRY(set_text(&contexts->entry[*out], t, source));
    TRY(set_references(&contexts->entry[*out], t, source));
    TRY(set_covariates(&contexts->entry[*out], t, source, covariates));
    return set_tag(&contexts->entry[*out], source);
}
