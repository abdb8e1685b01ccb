#include "import/table_rows.h"

#include <cJSON.h>
#include <math.h>
#include <string.h>

#include "base/names.h"
#include "base/status.h"
#include "base/text.h"
#include "import/importer.h"
#include "import/internal.h"
#include "import/table_cell.h"
#include "import/table_source.h"
#include "pool/check.h"
#include "pool/memory.h"
#include "regret/buffer.h"
#include "regret/status.h"

static void add_text(struct regret_buffer *room, const char *text)
{
    regret_buffer_append(room, room->length > 0 ? "\n\n" : "");
    regret_buffer_append(room, text);
}

/* A turn without a role is of whoever is asked for. */
static int is_of(const cJSON *turn, enum turns whose)
{
    const cJSON *role = cJSON_GetObjectItemCaseSensitive(turn, "role");
    role = role != NULL ? role : cJSON_GetObjectItemCaseSensitive(turn, "from");
    if (!cJSON_IsString(role)) {
        return 1;
    }
    int is_user = strcmp(role->valuestring, "user") == 0 || strcmp(role->valuestring, "human") == 0;
    int is_system = strcmp(role->valuestring, "system") == 0;
    return whose == TURNS_OF_USER ? is_user : !is_user && !is_system;
}

/* What a turn says: a text, or a list of texts beside pictures and the like. */
static void add_content(struct regret_buffer *room, const cJSON *content)
{
    if (cJSON_IsString(content)) {
        add_text(room, content->valuestring);
        return;
    }
    for (const cJSON *e = cJSON_IsArray(content) ? content->child : NULL; e != NULL; e = e->next) {
        const cJSON *text = cJSON_GetObjectItemCaseSensitive(e, "text");
        if (cJSON_IsString(text)) {
            add_text(room, text->valuestring);
        }
    }
}

/* A round holds the turn of a user beside those of two models, whom its names do not tell. */
static const cJSON *turn_of(const cJSON *e, enum turns whose)
{
    const cJSON *user = cJSON_GetObjectItemCaseSensitive(e, "user");
    return cJSON_IsObject(user) && whose == TURNS_OF_USER ? user : e;
}

void table_turns_append(struct regret_buffer *room, const cJSON *list, enum turns whose)
{
    const cJSON *item = cJSON_IsArray(list) ? list->child : NULL;
    if (cJSON_IsString(list)) {
        add_text(room, list->valuestring);
    }
    for (; item != NULL; item = item->next) {
        const cJSON *e = turn_of(item, whose);
        const cJSON *content = cJSON_GetObjectItemCaseSensitive(e, "content");
        content = content != NULL ? content : cJSON_GetObjectItemCaseSensitive(e, "value");
        content = content != NULL ? content : cJSON_GetObjectItemCaseSensitive(e, "text");
        if (cJSON_IsString(e)) {
            add_text(room, e->valuestring);
        } else if (is_of(e, whose)) {
            add_content(room, content);
        }
    }
}

/* Tables of CSV hold lists as texts. One that is no list of JSON is a text like others. */
static int take_list(int *is_list, struct regret_buffer *room, const char *text, enum turns whose)
{
    cJSON *list = NULL;
    text += strspn(text, " \t\r\n");
    *is_list = 0;
    if (text[0] != '[') {
        return REGRET_OK;
    }
    int rc = regret_json_parse(&list, text, strlen(text), (struct regret_place){"a list", 0});
    *is_list = cJSON_IsArray(list); /* of none it is not */
    if (*is_list) {
        table_turns_append(room, list, whose);
    }
    cJSON_Delete(list);
    return rc == REGRET_E_INPUT ? REGRET_OK : rc;
}

int table_turns_text(const char **out, struct regret_buffer *room, struct table_source *s, size_t i,
                     enum turns whose)
{
    const cJSON *value = table_source_value(s, i);
    const char *text = NULL;
    int is_list = cJSON_IsArray(value);
    regret_buffer_clear(room);
    if (is_list) {
        table_turns_append(room, value, whose);
    } else {
        TRY(table_source_text(&text, s, i, whose == TURNS_OF_AGENT));
        TRY(take_list(&is_list, room, text, whose));
    }
    TRY(regret_buffer_status(room));
    *out = is_list ? regret_buffer_get(room) : text;
    return REGRET_OK;
}

/* The contexts of a table's rows, entered into the builder. */

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

/* An id, or that of two columns: "dataset/7". */
static int read_id(const char **out, struct table_import *t, struct table_source *source,
                   enum table_field first, enum table_field second)
{
    const char *part = NULL;
    TRY(table_source_text(out, source, first, 0));
    if (source->field[second] == NULL || (*out)[0] == '\0') {
        return REGRET_OK;
    }
    regret_buffer_clear(&t->id);
    regret_buffer_append(&t->id, *out);
    TRY(table_source_text(&part, source, second, 0));
    regret_buffer_printf(&t->id, "/%s", part);
    *out = part[0] != '\0' ? regret_buffer_get(&t->id) : part;
    return regret_buffer_status(&t->id);
}

/* Contexts without an id of their own: the column of their texts says which one it is. */
static int is_told_by_text(const struct table_source *source)
{
    const char *text = source->field[TABLE_TEXT];
    return text != NULL && source->field[TABLE_SECOND_CONTEXT] == NULL &&
           strcmp(text, source->field[TABLE_CONTEXT]) == 0;
}

int table_context_read(uint32_t *out, struct table_import *t, struct table_source *source,
                       size_t covariates)
{
    struct import_register *contexts = &t->b.contexts;
    const char *id = NULL;
    char digest[33];
    TRY(is_told_by_text(source) ? read_text(&id, t, source, TABLE_CONTEXT)
                                : read_id(&id, t, source, TABLE_CONTEXT, TABLE_SECOND_CONTEXT));
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

/* The rows of a table, and their contexts. */

/* Sums of costs stay finite. */
static const double MOST_COST = 1e100;

static int add_cost(struct table_import *t, struct import_entry *agent, struct table_source *source)
{
    double cost = 0.0;
    if (source->field[TABLE_COST] == NULL) {
        return REGRET_OK;
    }
    if (table_source_lacks(source, TABLE_COST)) { /* the mean is that of the others */
        t->report.without_cost++;
        return REGRET_OK;
    }
    TRY(table_source_number(&cost, source, TABLE_COST));
    if (cost < 0.0 || cost > MOST_COST) {
        return regret_json_error(table_source_place(source), "\"%s\" is %g; a cost must %s",
                                 source->field[TABLE_COST], cost,
                                 cost < 0.0 ? "not be negative" : "be at most 1e+100");
    }
    agent->cost += cost;
    agent->costs++;
    return REGRET_OK;
}

static int read_agent(uint32_t *out, struct table_import *t, struct table_source *source)
{
    struct import_register *agents = &t->b.agents;
    const char *id = NULL;
    if (source->is_wide) {
        id = table_source_agent(source);
    } else {
        TRY(read_id(&id, t, source, TABLE_AGENT, TABLE_SECOND_AGENT));
    }
    TRY(import_enter(out, agents, id, source->number, table_source_place(source)));
    TRY(table_entry_text(t, &agents->entry[*out], "title", source, TABLE_TITLE));
    return add_cost(t, &agents->entry[*out], source);
}

/* How far beyond its range a mean of raters may lie by rounding, of the width of the range. */
static const double ROUNDING = 1e-9;

/* Number i of the map's; *out is it, within the range where it lies beyond by rounding. */
static int check_number(double *out, const struct table_import *t,
                        const struct table_source *source, size_t i, double x)
{
    const struct regret_pool *pool = t->b.pool;
    const char *field = source->field[TABLE_VALUES + i];
    size_t k = t->map.number[i].value;
    *out = x;
    if (k < pool->n_components) {
        double low = pool->components[k].low, high = pool->components[k].high;
        double within = fmin(fmax(x, low), high);
        *out = fabs(x - within) <= ROUNDING * (high - low) ? within : x;
        if (!(*out >= low && *out <= high)) {
            return regret_json_error(
                table_source_place(source), "\"%s\" is %.15g; %s %g to %g", field, x,
                t->recipe == NULL ? "the map says" : "scores are from", low, high);
        }
    }
    if (t->map.is_coding && x != 0.0 && x != 1.0) {
        return regret_json_error(table_source_place(source),
                                 "\"%s\" is %.15g; the success of a patch is true or false, 1 or 0",
                                 field, x);
    }
    if (k >= pool->n_components && k < pool->n_components + pool->n_counts && x < 0.0) {
        return regret_json_error(table_source_place(source),
                                 "\"%s\" is %.15g; a count must not be negative", field, x);
    }
    return REGRET_OK;
}

/* The mean of the numbers of field i, in a list or one. */
static int read_number(double *out, struct table_import *t, struct table_source *source, size_t i)
{
    const double *numbers = NULL;
    double sum = 0.0, x = 0.0;
    size_t n = 0;
    TRY(table_source_numbers(&numbers, &n, source, TABLE_VALUES + i));
    for (size_t j = 0; j < n; j++) {
        TRY(check_number(&x, t, source, i, numbers[j]));
        sum += x;
    }
    *out = sum / (double)n;
    return REGRET_OK;
}

/* The value that a mean makes: turned round where smaller is better; rounding takes none out of its range. */
static double value_of(const struct table_import *t, const struct table_number *number, double mean)
{
    if (number->value >= t->b.pool->n_components) {
        return mean;
    }
    const struct regret_component *c = &t->b.pool->components[number->value];
    return fmin(fmax(number->is_reversed ? c->low + c->high - mean : mean, c->low), c->high);
}

/* Whether number i is wanted of who has rated the row. */
static int is_asked(const struct table_import *t, size_t i)
{
    const char *rater = t->map.number[i].rater;
    return rater == NULL || strcmp(rater, t->raters.entry[t->rater].given) == 0;
}

/* A value is the mean of its fields; NaN where another rater is asked for it. */
static int read_values(double *values, struct table_import *t, struct table_source *source)
{
    const struct table_map *map = &t->map;
    for (size_t i = 0, n; i < map->n_numbers; i += n) {
        double sum = 0.0, x = 0.0;
        values[map->number[i].value] = NAN;
        for (n = 0; i + n < map->n_numbers && map->number[i + n].value == map->number[i].value;
             n++) {
            TRY(is_asked(t, i) ? read_number(&x, t, source, i + n) : REGRET_OK);
            sum += x;
        }
        if (is_asked(t, i)) {
            values[map->number[i].value] = value_of(t, &map->number[i], sum / (double)n);
        }
    }
    if (map->derive.conciseness) { /* until it is made */
        values[map->derive.conciseness_value] = SUMMARY_LEAST;
    }
    return REGRET_OK;
}

static int lacks_score(const struct table_import *t, struct table_source *source)
{
    int lacks = 0;
    for (size_t i = 0; i < t->map.n_numbers && !lacks; i++) {
        lacks = is_asked(t, i) && table_source_lacks(source, TABLE_VALUES + i);
    }
    return lacks;
}

/* Of an error about values that may be for want of a score. */
static int name_way_out(int rc, const struct table_import *t, struct table_source *source)
{
    return rc == REGRET_E_INPUT && lacks_score(t, source)
               ? regret_fail_suffix(rc, "; --drop-unscored leaves out what lacks a score")
               : rc;
}

static int read_output(struct import_row *row, struct table_import *t, struct table_source *source)
{
    const char *text = NULL;
    TRY(REGRET_NEW(&row->values, t->map.is_coding ? (size_t)CODING_VALUES : t->map.n_values));
    TRY(name_way_out(read_values(row->values, t, source), t, source));
    if (t->recipe != NULL && t->recipe->complete != NULL) {
        t->recipe->complete(row->values);
    }
    int rc = t->map.field[TABLE_RATER] == NULL ? pool_check_values(t->b.pool, row->values)
                                               : REGRET_OK; /* when there are means */
    if (rc != REGRET_OK) {
        return table_fail_at(rc, table_source_place(source));
    }
    if (source->field[TABLE_OUTPUT] == NULL) { /* the agent's name stands in */
        TRY(source->is_wide ? REGRET_OK
                            : read_id(&text, t, source, TABLE_AGENT, TABLE_SECOND_AGENT));
        text = source->is_wide ? table_source_agent(source) : text;
    } else {
        TRY(table_source_text(&text, source, TABLE_OUTPUT, 1));
    }
    return import_text(&row->text, &t->b, text);
}

/* What has no ids is no row of this table: of a row that is bad that is said first, whatever else it lacks. */
static int name_ids_first(int rc, struct table_source *source)
{
    const char *id = NULL;
    if (rc != REGRET_E_INPUT) {
        return rc;
    }
    TRY(table_source_text(&id, source, TABLE_CONTEXT, 0));
    TRY(source->is_wide ? REGRET_OK : table_source_text(&id, source, TABLE_AGENT, 0));
    return rc;
}

/* Values first: a row that is left out must not leave a context or an agent behind. */
static int read_row(struct table_import *t, struct table_source *source)
{
    struct import_row row = {.number = source->number, .run = t->rater};
    int rc;
    TRY_CLEANUP(name_ids_first(read_output(&row, t, source), source));
    TRY_CLEANUP(table_context_read(&row.context, t, source, TABLE_VALUES + t->map.n_numbers));
    TRY_CLEANUP(read_agent(&row.agent, t, source));
    if (t->b.n_rows < REGRET_POOL_MAX_OUTPUTS) {
        return import_add_row(&t->b, &row);
    }
    rc = regret_json_error(table_source_place(source), "more than %d rows",
                           (int)REGRET_POOL_MAX_OUTPUTS);
cleanup:
    regret_free(row.values);
    return rc;
}

/* What a row came to: it may be left out where the importer has the option. */
static int leave_out(struct table_import *t, int rc)
{
    return t->recipe == NULL ? import_skip_row(&t->bad, rc) : rc;
}

/* 1 where patterns ask for other agents than that of the row; one that is empty or cannot be read is none of these. */
static int is_of_other_agent(struct table_import *t, struct table_source *source)
{
    const char *agent = NULL;
    if (t->options->n_agents == 0) {
        return 0;
    }
    if (source->is_wide) {
        agent = table_source_agent(source);
    } else if (read_id(&agent, t, source, TABLE_AGENT, TABLE_SECOND_AGENT) != REGRET_OK) {
        return 0; /* read_row() says so */
    }
    if (agent[0] == '\0' || name_matches(t->options->agents, t->options->n_agents, agent)) {
        return 0;
    }
    importer_remember(t->other_agents, sizeof t->other_agents, agent);
    return 1;
}

static int read_rater(struct table_import *t, struct table_source *source)
{
    const char *rater = NULL;
    TRY(table_source_text(&rater, source, TABLE_RATER, 0));
    return import_enter(&t->rater, &t->raters, rater, source->number, table_source_place(source));
}

/* The record at hand, or of a wide table that of the agent chosen. */
static int take_row(struct table_import *t, struct table_source *source)
{
    if (t->map.votes.wanted) {
        t->report.rows++;
        return leave_out(t, table_vote_read(t, source));
    }
    int is_other = is_of_other_agent(t, source);
    int rc = t->map.field[TABLE_RATER] != NULL && !is_other ? read_rater(t, source) : REGRET_OK;
    if (rc != REGRET_OK) {
        t->report.rows++;
        return leave_out(t, name_ids_first(rc, source));
    }
    int is_dropped = !is_other && t->options->drop_unscored && lacks_score(t, source);
    t->report.rows++;
    t->report.other_agent += is_other;
    t->report.unscored += is_dropped;
    return is_other || is_dropped ? REGRET_OK : leave_out(t, read_row(t, source));
}

/* A row of a wide table is a row of a long one for every agent that has anything in it. */
static int read_wide_row(struct table_import *t, struct table_source *source)
{
    t->report.records++;
    for (size_t a = 0; a < source->wide.n_agents; a++) {
        if (!table_source_choose(source, a)) {
            continue;
        }
        t->wide_rows++;
        TRY(take_row(t, source));
    }
    return REGRET_OK;
}

/* The next row, *more = 0 at the end; a bad one may be skipped. */
static int next_row(struct table_import *t, struct table_source *source, int *more)
{
    int rc = table_source_next(source, more), failed = rc != REGRET_OK;
    if (!failed && !*more) {
        return REGRET_OK;
    }
    if (failed && source->over) {
        return rc;
    }
    *more = 1;
    t->b.contexts.row = t->b.agents.row = table_source_unit(source);
    if (!failed && source->is_wide) {
        return read_wide_row(t, source);
    }
    if (!failed) {
        return take_row(t, source);
    }
    t->report.rows++;
    return leave_out(t, rc);
}

int table_read_rows(struct table_import *t)
{
    FREED_BY(table_source_close) struct table_source source = {0};
    int more = 1;
    TRY(table_source_open(&source, t->path, t->options, t->map.field,
                          TABLE_VALUES + t->map.n_numbers + t->map.n_covariates,
                          t->map.is_wide ? &t->map.agents : NULL));
    source.values = t->map.number;
    source.n_values = t->map.n_numbers;
    source.decimal_comma = t->map.decimal_comma;
    while (more) {
        TRY(next_row(t, &source, &more));
    }
    if (source.is_wide) { /* only now all agents are known */
        t->report.blank = t->report.records * source.wide.n_agents - t->wide_rows;
    }
    return REGRET_OK;
}

int table_fail_in_row(int rc, const char *path, const char *unit, size_t number)
{
    return strcmp(unit, "line") == 0
               ? regret_fail_prefix(rc, "%s:%zu", path, number)
               : regret_fail_prefix(rc, "%s: %s %zu (from 0)", path, unit, number);
}

/* What is wrong with an output: somebody who is asked for has not rated it, or a mean is not what a pool may hold. */
static int check_rated(int *lacks, const struct table_import *t, const struct import_row *row)
{
    for (size_t i = 0; i < t->map.n_numbers; i++) {
        const struct table_number *number = &t->map.number[i];
        if (isnan(row->values[number->value])) {
            *lacks = 1;
            return regret_fail(REGRET_E_INPUT,
                               "\"%.40s\" has not rated the output of agent \"%s\" for context "
                               "\"%s\"; --drop-unscored leaves out what lacks a score",
                               number->rater, t->b.agents.entry[row->agent].id,
                               t->b.contexts.entry[row->context].id);
        }
    }
    return pool_check_values(t->b.pool, row->values);
}

static int settle_rated(int *stays, struct table_import *t, const struct import_row *row)
{
    int lacks = 0, rc = check_rated(&lacks, t, row);
    *stays = 0;
    if (lacks && t->options->drop_unscored) {
        t->report.unscored++;
        return REGRET_OK;
    }
    if (rc != REGRET_OK) {
        return leave_out(t, table_fail_in_row(rc, t->path, t->b.contexts.row, row->number));
    }
    *stays = 1;
    return REGRET_OK;
}

int table_raters_settle(struct table_import *t)
{
    size_t kept = 0;
    import_merge_ratings(&t->report.rated, &t->b, t->map.n_values);
    for (size_t i = 0; i < t->b.n_rows; i++) {
        struct import_row row = t->b.rows[i];
        int stays = 0;
        TRY(settle_rated(&stays, t, &row));
        t->b.rows[i] = (struct import_row){0};
        if (stays) {
            t->b.rows[kept++] = row;
        } else {
            import_row_clear(&row);
        }
    }
    t->b.n_rows = kept;
    return REGRET_OK;
}

int table_read_contexts(struct table_import *t)
{
    FREED_BY(table_source_close) struct table_source source = {0};
    uint32_t index = 0;
    int more = 1;
    if (t->options->contexts_path == NULL) {
        return REGRET_OK;
    }
    TRY(table_source_open(&source, t->options->contexts_path, t->options, t->map.contexts,
                          TABLE_VALUES + t->map.n_covariates, NULL));
    while (more) {
        TRY(table_source_next(&source, &more));
        if (more) {
            TRY(table_context_read(&index, t, &source, TABLE_VALUES));
        }
    }
    t->b.contexts.closed_by = "the file of contexts";
    return REGRET_OK;
}
