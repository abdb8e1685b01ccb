/* Rows of a table: their cells, their contexts, their agents. */
#include <cJSON.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/names.h"
#include "base/status.h"
#include "base/text.h"
#include "import/importer.h"
#include "import/internal.h"
#include "pool/check.h"
#include "pool/memory.h"
#include "regret/buffer.h"
#include "regret/status.h"
#include "table/fields.h"
#include "table/words.h"

FREED_POINTER(struct fields, fields_close)

static const char BLANKS[] = " \t\r\n";

static int fail_at(int rc, struct regret_place at)
{
    return at.line > 0 ? regret_fail_prefix(rc, "%s:%zu", at.file, at.line)
                       : regret_fail_prefix(rc, "%s", at.file);
}

/* Opens a file whose fields are those of the map. */
static int open_fields(struct fields **out, const struct table_import *t, const char *path,
                       const struct map_table *m)
{
    static const enum fields_layout LAYOUTS[] = {FIELDS_CSV, FIELDS_LINES};
    const char *agent = table_map_field(m, MAP_AGENT),
               *nest = agent != NULL ? strstr(agent, FIELDS_NEST) : NULL;
    char rows[FIELDS_MAX_NAME + 1];
    snprintf(rows, sizeof rows, "%.*s", (int)(nest != NULL ? nest - agent : 0),
             nest != NULL ? agent : "");
    TRY(fields_open(out, path, LAYOUTS[t->options->layout], t->options->separator,
                    nest != NULL ? rows : NULL));
    return fields_pick(*out, m->field, m->n);
}

/* ---- Cells ---- */

static int is_blank_text(const char *text)
{
    return text[strspn(text, BLANKS)] == '\0';
}

/* A field, or an element of a list, that holds nothing. */
static int is_blank(const struct fields_cell *c, int is_number)
{
    return c->text == NULL || (is_number && c->kind == FIELDS_LIST && strcmp(c->text, "[]") == 0) ||
           (c->kind == FIELDS_TEXT &&
            (is_blank_text(c->text) || (is_number && table_source_is_missing(c->text))));
}

/* How many of the elements of field i hold nothing, out of *n; what they hold may be wrong all the same. */
static size_t count_blanks(size_t *n, struct fields *f, size_t i, int is_number)
{
    struct fields_walk walk;
    struct fields_cell cell;
    size_t blanks = 0;
    *n = 1;
    if (fields_walk(&walk, f, i) != REGRET_OK) {
        return 0;
    }
    for (*n = 0; fields_walk_next(&cell, &walk); ++*n) {
        blanks += is_blank(&cell, is_number) != 0;
    }
    blanks += *n == 0;
    *n += *n == 0; /* none is one that is blank */
    return blanks;
}

int table_row_lacks(struct fields *f, size_t i, int is_number)
{
    size_t n = 0;
    return count_blanks(&n, f, i, is_number) == n;
}

/* 1 where there is no number in field i: it is absent, null, blank, an empty list, or says that it is missing; or where
 * that is true of an element of a list. */
static int lacks(struct fields *f, size_t i)
{
    size_t n = 0;
    return count_blanks(&n, f, i, 1) > 0;
}

/* What a word counts by the map. */
static int find_word(double *out, const cJSON *words, const char *text)
{
    size_t n = strlen(text);
    while (n > 0 && strchr(BLANKS, text[n - 1]) != NULL) {
        n--;
    }
    for (const cJSON *w = words != NULL ? words->child : NULL; w != NULL; w = w->next) {
        if (strlen(w->string) == n && strncasecmp(w->string, text, n) == 0) {
            *out = w->valuedouble;
            return 1;
        }
    }
    return 0;
}

static int is_cost(const struct table_import *t, size_t i)
{
    const struct map_fields *cost = &t->map.rows.role[MAP_COST];
    return cost->n > 0 && cost->first == i;
}

/* The number that a text of field i is. */
static int parse_number(double *out, const struct table_import *t, struct fields *f, size_t i,
                        const cJSON *words, const char *text)
{
    double x = 0.0;
    const char *name = fields_name(f, i);
    text += strspn(text, BLANKS);
    if (find_word(out, words, text) || table_source_parse(out, text) ||
        (is_cost(t, i) && table_source_parse_money(out, text)) ||
        (t->map.decimal_comma && table_source_parse_comma(out, text))) {
        return REGRET_OK;
    }
    if (*text == '\0') {
        return fields_fail(f, "\"%s\" is empty; it must be a number", name);
    }
    return fields_fail(
        f, "\"%s\" is \"%.40s\"; it must be a finite number%s%s%s", name, text,
        words != NULL ? ", or one of the \"words\" of the map" : "",
        strpbrk(text, "0123456789") == NULL ? ", or yes, pass, true, correct or their opposites"
                                            : "",
        table_source_parse_comma(&x, text)
            ? ": if commas are decimal points here, say \"decimal_comma\": true in the map"
            : "");
}

int table_row_number(double *out, const struct table_import *t, struct fields *f, size_t i,
                     const cJSON *words)
{
    const char *text = NULL;
    TRY(fields_text(&text, f, i, 0, "a number"));
    return parse_number(out, t, f, i, words, text);
}

/* An id, or that of several columns: "dataset/7"; "" where one of them has none. */
static int read_id(const char **out, struct table_import *t, struct fields *f,
                   const struct map_table *m, enum map_role role)
{
    const struct map_fields *of = &m->role[role];
    TRY(fields_text(out, f, of->first, 0, NULL));
    if (of->n < 2) {
        return REGRET_OK;
    }
    regret_buffer_clear(&t->id);
    for (size_t i = 0; i < of->n; i++) {
        TRY(fields_text(out, f, of->first + i, 0, NULL));
        if (**out == '\0') {
            return REGRET_OK;
        }
        regret_buffer_printf(&t->id, "%s%s", i > 0 ? "/" : "", *out);
    }
    *out = regret_buffer_get(&t->id);
    return regret_buffer_status(&t->id);
}

/* ---- Contexts ---- */

static int other_one(const struct import_entry *entry, const char *what, struct fields *f)
{
    const char *unit = fields_unit(f);
    return fields_fail(
        f, "the %s of \"%.60s\" is another one than %s %s %zu; give different ones different ids",
        what, entry->given, strcmp(unit, "line") == 0 ? "on" : "in", unit, entry->number);
}

/* The text of a context or the title of an agent, which must not change. */
static int keep_text(struct table_import *t, struct import_entry *entry, const char *what,
                     struct fields *f, const char *text)
{
    if (entry->text == NULL) {
        return import_text(&entry->text, &t->b, text);
    }
    text_store_pass(t->b.pool->texts, entry->text);
    return strcmp(entry->text, text) == 0 ? REGRET_OK : other_one(entry, what, f);
}

/* A text of the context at hand: of votes it may be a conversation, whose questions count. */
static int read_text(const char **out, const struct table_import *t, struct fields *f, size_t i)
{
    return t->map.votes.wanted ? fields_turns(out, f, i, 1) : fields_text(out, f, i, 0, NULL);
}

/* The text and the tag of a context, those that the table has. */
static int set_texts(struct import_entry *context, struct table_import *t, struct fields *f,
                     const struct map_table *m)
{
    const char *text = NULL;
    int differs = 0;
    if (m->role[MAP_TEXT].n > 0) {
        TRY(read_text(&text, t, f, m->role[MAP_TEXT].first));
        TRY(keep_text(t, context, "text", f, text));
    }
    if (m->role[MAP_TAG].n > 0) {
        TRY(fields_text(&text, f, m->role[MAP_TAG].first, 1, NULL));
        TRY(import_set_tag(&differs, context, text, fields_place(f)));
    }
    return differs ? other_one(context, "tag", f) : REGRET_OK;
}

/* Sets the references of a context, which some of its rows may lack: texts that are not blank, or lists of such. */
static int set_references(struct import_entry *context, struct table_import *t, struct fields *f,
                          const struct map_table *m)
{
    const struct map_fields *of = &m->role[MAP_REFERENCE];
    struct fields_walk walk;
    struct fields_cell cell;
    regret_buffer_clear(&t->references);
    for (size_t i = of->first; i < of->first + of->n; i++) {
        TRY(fields_walk(&walk, f, i));
        while (fields_walk_next(&cell, &walk)) {
            if (cell.kind > FIELDS_TEXT) {
                return fields_fail(f, "\"%s\" must be a text, or a list of texts",
                                   fields_name(f, i));
            }
            if (cell.text != NULL && !is_blank_text(cell.text)) {
                references_append(&t->references, cell.text);
            }
        }
    }
    TRY(regret_buffer_status(&t->references));
    const char *text = references_get(&t->references);
    if (text == NULL || context->reference == NULL) {
        return text != NULL ? import_text(&context->reference, &t->b, text) : REGRET_OK;
    }
    return strcmp(context->reference, text) == 0
               ? REGRET_OK
               : fields_fail(f,
                             "the reference of \"%.60s\" is another one than before; give one to "
                             "all its rows",
                             context->given);
}

/* One covariate: a number that is not there is not known, a word that is not is the empty one. */
static int read_covariate(struct regret_covariate *out, enum regret_column_kind kind,
                          const struct table_import *t, struct fields *f, size_t i)
{
    const char *word = NULL;
    if (kind == REGRET_COLUMN_WORD) {
        TRY(fields_text(&word, f, i, 1, NULL));
        return regret_strdup(&out->word, word);
    }
    out->number = NAN;
    int rc = table_row_lacks(f, i, 1) ? REGRET_OK : table_row_number(&out->number, t, f, i, NULL);
    return rc == REGRET_E_INPUT
               ? regret_fail_suffix(rc, "; correct it, leave it blank, or take the column out of "
                                        "the map's \"covariates\"")
               : rc;
}

/* Sets the covariates of a context, which must not change. */
static int set_covariates(struct import_entry *context, const struct table_import *t,
                          struct fields *f, const struct map_table *m)
{
    const struct regret_pool *pool = t->b.pool;
    struct regret_covariate *read = NULL;
    int rc;
    if (m->covariates.n == 0) {
        return REGRET_OK;
    }
    TRY(REGRET_NEW(&read, pool->n_columns));
    for (size_t j = 0; j < pool->n_columns; j++) {
        TRY_CLEANUP(read_covariate(&read[j], pool->columns[j].kind, t, f, m->covariates.first + j));
    }
    rc = pool_check_covariates(pool, read);
    if (rc != REGRET_OK) {
        rc = fail_at(rc, fields_place(f));
    } else if (context->columns == NULL) {
        context->columns = read;
        context->n_columns = pool->n_columns;
        read = NULL;
    } else if (!pool_same_covariates(pool, context->columns, read)) {
        rc = other_one(context, "covariates", f);
    }
cleanup:
    pool_free_covariates(read, pool->n_columns);
    return rc;
}

int table_context_read(uint32_t *out, struct table_import *t, struct fields *f,
                       const struct map_table *m)
{
    struct import_register *contexts = &t->b.contexts;
    const char *id = NULL, *text = table_map_field(m, MAP_TEXT);
    char digest[33];
    /* without an id of its own the column of its text says which one it is */
    int is_told_by_text = text != NULL && m->role[MAP_CONTEXT].n == 1 &&
                          strcmp(text, table_map_field(m, MAP_CONTEXT)) == 0;
    TRY(is_told_by_text ? read_text(&id, t, f, m->role[MAP_CONTEXT].first)
                        : read_id(&id, t, f, m, MAP_CONTEXT));
    if (is_told_by_text && strlen(id) > REGRET_POOL_MAX_ID) {
        regret_digest(digest, id, strlen(id));
        id = digest;
    }
    TRY(import_enter(out, contexts, id, fields_number(f), fields_place(f)));
    TRY(set_texts(&contexts->entry[*out], t, f, m));
    TRY(set_references(&contexts->entry[*out], t, f, m));
    return set_covariates(&contexts->entry[*out], t, f, m);
}

int table_read_contexts(struct table_import *t)
{
    FREED_BY(fields_close_at) struct fields *f = NULL;
    uint32_t index = 0;
    int more = 1;
    if (t->options->contexts_path == NULL) {
        return REGRET_OK;
    }
    TRY(open_fields(&f, t, t->options->contexts_path, &t->map.context));
    while (more) {
        TRY(fields_next(f, &more));
        TRY(more ? table_context_read(&index, t, f, &t->map.context) : REGRET_OK);
    }
    t->b.contexts.closed_by = "the file of contexts";
    return REGRET_OK;
}

/* ---- Agents and values ---- */

/* Sums of costs stay finite. */
static const double MOST_COST = 1e100;

static int add_cost(struct table_import *t, struct import_entry *agent, struct fields *f)
{
    const struct map_fields *of = &t->map.rows.role[MAP_COST];
    double cost = 0.0;
    if (of->n == 0) {
        return REGRET_OK;
    }
    if (lacks(f, of->first)) { /* the mean is that of the others */
        t->report.without_cost++;
        return REGRET_OK;
    }
    TRY(table_row_number(&cost, t, f, of->first, NULL));
    if (cost < 0.0 || cost > MOST_COST) {
        return fields_fail(f, "\"%s\" is %g; a cost must %s", fields_name(f, of->first), cost,
                           cost < 0.0 ? "not be negative" : "be at most 1e+100");
    }
    agent->cost += cost;
    agent->costs++;
    return REGRET_OK;
}

/* The name of the row's agent; of a wide table it has been chosen. */
static int read_name(const char **out, struct table_import *t, struct fields *f)
{
    *out = t->map.is_wide ? fields_agent(f) : NULL;
    return t->map.is_wide ? REGRET_OK : read_id(out, t, f, &t->map.rows, MAP_AGENT);
}

static int read_agent(uint32_t *out, struct table_import *t, struct fields *f)
{
    struct import_register *agents = &t->b.agents;
    const struct map_fields *title = &t->map.rows.role[MAP_TITLE];
    const char *text = NULL;
    TRY(read_name(&text, t, f));
    TRY(import_enter(out, agents, text, fields_number(f), fields_place(f)));
    if (title->n > 0) {
        TRY(fields_text(&text, f, title->first, 0, NULL));
        TRY(keep_text(t, &agents->entry[*out], "title", f, text));
    }
    return add_cost(t, &agents->entry[*out], f);
}

/* How far beyond its range a mean of raters may lie by rounding, of the width of the range. */
static const double ROUNDING = 1e-9;

/* A number of value k in field i; *x is set within the range where it lies beyond by rounding. */
static int check_number(double *x, const struct table_import *t, struct fields *f, size_t k,
                        size_t i)
{
    const struct regret_pool *pool = t->b.pool;
    const char *field = fields_name(f, i);
    if (k < pool->n_components) {
        double low = pool->components[k].low, high = pool->components[k].high;
        double within = fmin(fmax(*x, low), high);
        *x = fabs(*x - within) <= ROUNDING * (high - low) ? within : *x;
        if (!(*x >= low && *x <= high)) {
            return fields_fail(f, "\"%s\" is %.15g; the map says %g to %g", field, *x, low, high);
        }
    }
    if (t->map.is_coding && *x != 0.0 && *x != 1.0) {
        return fields_fail(f, "\"%s\" is %.15g; the success of a patch is true or false, 1 or 0",
                           field, *x);
    }
    return k >= pool->n_components && k < pool->n_components + pool->n_counts && *x < 0.0
               ? fields_fail(f, "\"%s\" is %.15g; a count must not be negative", field, *x)
               : REGRET_OK;
}

/* The mean of the numbers of field i, in a list or one. */
static int read_mean(double *out, const struct table_import *t, struct fields *f, size_t k,
                     size_t i)
{
    const cJSON *words = t->map.value[k].words;
    struct fields_walk walk;
    struct fields_cell cell;
    double sum = 0.0, x = 0.0;
    size_t n = 0;
    TRY(fields_walk(&walk, f, i));
    if (!walk.is_list || walk.next == walk.end) {
        TRY(table_row_number(out, t, f, i, words));
        return check_number(out, t, f, k, i);
    }
    for (; fields_walk_next(&cell, &walk); n++) {
        if (cell.text == NULL || cell.kind >= FIELDS_LIST) {
            return fields_fail(f, "\"%s\" holds %s; a list must be of numbers, whose mean is taken",
                               fields_name(f, i),
                               is_blank(&cell, 1) ? "null" : "a list or an object");
        }
        TRY(parse_number(&x, t, f, i, words, cell.text));
        TRY(check_number(&x, t, f, k, i));
        sum += x;
    }
    *out = sum / (double)n;
    return REGRET_OK;
}

/* Whether value k is read, and wanted of who has rated the row. */
static int is_asked(const struct table_import *t, size_t k)
{
    const struct map_value *v = &t->map.value[k];
    return v->from.n > 0 &&
           (v->rater == NULL || strcmp(v->rater, t->raters.entry[t->rater].given) == 0);
}

/* A value is the mean of its fields; NaN where another rater is asked for it. Turned round where smaller is better; rounding takes
 * none out of its range. */
static int read_values(double *values, const struct table_import *t, struct fields *f)
{
    for (size_t k = 0; k < t->map.n_values; k++) {
        const struct map_value *v = &t->map.value[k];
        double sum = 0.0, x = 0.0;
        for (size_t i = 0; i < v->from.n && is_asked(t, k); i++) {
            TRY(read_mean(&x, t, f, k, v->from.first + i));
            sum += x;
        }
        values[k] = v->from.n == 0 ? 0.0 : is_asked(t, k) ? sum / (double)v->from.n : NAN;
        if (k < t->b.pool->n_components && is_asked(t, k)) {
            const struct regret_component *c = &t->b.pool->components[k];
            x = v->is_reversed ? c->low + c->high - values[k] : values[k];
            values[k] = fmin(fmax(x, c->low), c->high);
        }
    }
    if (t->map.derive.conciseness) { /* until it is made */
        values[t->map.derive.conciseness_value] = SUMMARY_LEAST;
    }
    return REGRET_OK;
}

static int lacks_score(const struct table_import *t, struct fields *f)
{
    for (size_t k = 0; k < t->map.n_values; k++) {
        const struct map_fields *from = &t->map.value[k].from;
        for (size_t i = 0; i < from->n && is_asked(t, k); i++) {
            if (lacks(f, from->first + i)) {
                return 1;
            }
        }
    }
    return 0;
}

/* ---- Rows ---- */

static int read_output(struct import_row *row, struct table_import *t, struct fields *f)
{
    const struct map_fields *output = &t->map.rows.role[MAP_OUTPUT];
    const char *text = NULL;
    TRY(REGRET_NEW(&row->values, t->map.is_coding ? (size_t)CODING_VALUES : t->map.n_values));
    int rc = read_values(row->values, t, f);
    TRY(rc == REGRET_E_INPUT && lacks_score(t, f)
            ? regret_fail_suffix(rc, "; --drop-unscored leaves out what lacks a score")
            : rc);
    rc = t->map.rows.role[MAP_RATER].n == 0 ? pool_check_values(t->b.pool, row->values)
                                            : REGRET_OK; /* when there are means */
    TRY(rc != REGRET_OK ? fail_at(rc, fields_place(f)) : REGRET_OK);
    TRY(output->n > 0 ? fields_text(&text, f, output->first, 1, NULL) : read_name(&text, t, f));
    return import_text(&row->text, &t->b, text);
}

/* What has no ids is no row of this table: of a row that is bad that is said first, whatever else it lacks. */
static int name_ids_first(int rc, struct table_import *t, struct fields *f)
{
    const char *id = NULL;
    if (rc != REGRET_E_INPUT) {
        return rc;
    }
    TRY(fields_text(&id, f, t->map.rows.role[MAP_CONTEXT].first, 0, NULL));
    TRY(read_name(&id, t, f));
    return rc;
}

/* Values first: a row that is left out must not leave a context or an agent behind. */
static int read_row(struct table_import *t, struct fields *f)
{
    struct import_row row = {.number = fields_number(f), .run = t->rater};
    int rc;
    TRY_CLEANUP(name_ids_first(read_output(&row, t, f), t, f));
    TRY_CLEANUP(table_context_read(&row.context, t, f, &t->map.rows));
    TRY_CLEANUP(read_agent(&row.agent, t, f));
    if (t->b.n_rows < REGRET_POOL_MAX_OUTPUTS) {
        return import_add_row(&t->b, &row);
    }
    rc = fields_fail(f, "more than %d rows", (int)REGRET_POOL_MAX_OUTPUTS);
cleanup:
    regret_free(row.values);
    return rc;
}

/* 1 where patterns ask for other agents than that of the row; one that is empty or cannot be read is none of these. */
static int is_of_other_agent(struct table_import *t, struct fields *f)
{
    const char *agent = NULL;
    if (t->options->n_agents == 0 || read_name(&agent, t, f) != REGRET_OK || agent[0] == '\0' ||
        name_matches(t->options->agents, t->options->n_agents, agent)) {
        return 0; /* read_row() says what cannot be read */
    }
    importer_remember(t->other_agents, sizeof t->other_agents, agent);
    return 1;
}

static int read_rater(struct table_import *t, struct fields *f)
{
    const struct map_fields *rater = &t->map.rows.role[MAP_RATER];
    const char *text = NULL;
    if (rater->n == 0) {
        return REGRET_OK;
    }
    TRY(fields_text(&text, f, rater->first, 0, NULL));
    return import_enter(&t->rater, &t->raters, text, fields_number(f), fields_place(f));
}

/* The row at hand, or of a wide table that of the agent chosen. */
static int take_row(struct table_import *t, struct fields *f)
{
    t->report.rows++;
    if (t->map.votes.wanted) {
        return import_skip_row(&t->bad, table_vote_read(t, f));
    }
    if (is_of_other_agent(t, f)) {
        t->report.other_agent++;
        return REGRET_OK;
    }
    int rc = read_rater(t, f);
    if (rc != REGRET_OK) {
        return import_skip_row(&t->bad, name_ids_first(rc, t, f));
    }
    if (t->options->drop_unscored && lacks_score(t, f)) {
        t->report.unscored++;
        return REGRET_OK;
    }
    return import_skip_row(&t->bad, read_row(t, f));
}

/* 1 where the agent chosen has anything in a column of its own. */
static int has_any(const struct table_import *t, struct fields *f)
{
    for (size_t i = 0; i < t->map.rows.n; i++) {
        if (fields_is_agents_own(f, i) &&
            !table_row_lacks(f, i, i >= t->map.first_number || is_cost(t, i))) {
            return 1;
        }
    }
    return 0;
}

/* A row of a wide table is a row of a long one for every agent that has anything in it. */
static int take_wide_row(struct table_import *t, struct fields *f, size_t *taken)
{
    t->report.records++;
    for (size_t a = 0; a < fields_agents(f); a++) {
        fields_choose(f, a);
        if (has_any(t, f)) {
            ++*taken;
            TRY(take_row(t, f));
        }
    }
    return REGRET_OK;
}

/* The next row, *more = 0 at the end; a bad one may be skipped. */
static int next_row(struct table_import *t, struct fields *f, size_t *taken, int *more)
{
    int rc = fields_next(f, more);
    if (rc != REGRET_OK && fields_is_over(f)) {
        return rc;
    }
    t->b.contexts.row = t->b.agents.row = fields_unit(f);
    if (rc != REGRET_OK) {
        *more = 1;
        t->report.rows++;
        return import_skip_row(&t->bad, rc);
    }
    return !*more ? REGRET_OK : t->map.is_wide ? take_wide_row(t, f, taken) : take_row(t, f);
}

int table_read_rows(struct table_import *t)
{
    FREED_BY(fields_close_at) struct fields *f = NULL;
    const struct table_map *map = &t->map;
    size_t taken = 0;
    int more = 1;
    TRY(open_fields(&f, t, t->path, &map->rows));
    TRY(map->is_wide
            ? fields_widen(f, map->agent_pattern, map->agent, map->n_agents, REGRET_POOL_MAX_AGENTS)
            : REGRET_OK);
    while (more) {
        TRY(next_row(t, f, &taken, &more));
    }
    if (map->is_wide) { /* only now all agents are known */
        t->report.blank = t->report.records * fields_agents(f) - taken;
    }
    return REGRET_OK;
}

/* ---- Raters ---- */

int table_fail_in_row(int rc, const char *path, const char *unit, size_t number)
{
    return strcmp(unit, "line") == 0
               ? regret_fail_prefix(rc, "%s:%zu", path, number)
               : regret_fail_prefix(rc, "%s: %s %zu (from 0)", path, unit, number);
}

/* What is wrong with an output: somebody who is asked for has not rated it, or a mean is not what a pool may hold. */
static int check_rated(int *is_lacking, const struct table_import *t, const struct import_row *row)
{
    for (size_t k = 0; k < t->map.n_values; k++) {
        if (isnan(row->values[k])) {
            *is_lacking = 1;
            return regret_fail(REGRET_E_INPUT,
                               "\"%.40s\" has not rated the output of agent \"%s\" for context "
                               "\"%s\"; --drop-unscored leaves out what lacks a score",
                               t->map.value[k].rater, t->b.agents.entry[row->agent].id,
                               t->b.contexts.entry[row->context].id);
        }
    }
    return pool_check_values(t->b.pool, row->values);
}

int table_raters_settle(struct table_import *t)
{
    size_t kept = 0;
    import_merge_ratings(&t->report.rated, &t->b, t->map.n_values);
    for (size_t i = 0; i < t->b.n_rows; i++) {
        struct import_row row = t->b.rows[i];
        int is_lacking = 0, rc = check_rated(&is_lacking, t, &row);
        t->b.rows[i] = (struct import_row){0};
        if (rc != REGRET_OK) {
            rc = table_fail_in_row(rc, t->path, t->b.contexts.row, row.number);
            import_row_clear(&row);
            t->report.unscored += is_lacking && t->options->drop_unscored;
            TRY(is_lacking && t->options->drop_unscored ? REGRET_OK : import_skip_row(&t->bad, rc));
            continue;
        }
        t->b.rows[kept++] = row;
    }
    t->b.n_rows = kept;
    return REGRET_OK;
}
