/* The rows of a table, and their contexts. */
#include <math.h>
#include <string.h>

#include "base/core/try.h"
#include "base/text/path.h"
#include "import/build/importer.h"
#include "import/table/table.h"
#include "import/table/table_cell.h"
#include "pool/files/check.h"
#include "pool/files/coding_pool.h"
#include "pool/files/columns.h"
#include "regret/alloc.h"

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
        TRY(table_source_text(&id, source, TABLE_AGENT, 0));
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
    if (source->field[TABLE_OUTPUT] == NULL) { /* of a wide table */
        text = table_source_agent(source);
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
    } else if (table_source_text(&agent, source, TABLE_AGENT, 0) != REGRET_OK) {
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
