/* The map that a guess writes. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "import/column_names.h"
#include "import/guess.h"
#include "import/importer.h"
#include "import/table_source.h"
#include "regret/pool.h"

/* ---------------------------------------------------------------- the map */

static const char *name_at(const struct table_guess *g, size_t k)
{
    return g->profile.column[k].name;
}

enum { NAME = 64, NUMBERED = NAME + 24 };

/* A pool's name for a column: letters, digits and what ids may hold. */
static void make_name(char name[NAME], const char *column)
{
    size_t n = 0;
    for (size_t i = 0; column[i] != '\0' && n + 1 < NAME; i++) {
        unsigned char c = (unsigned char)column[i];
        int plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                    c == '_' || c == '.' || c == '-';
        name[n++] = (char)(plain ? c : '_');
    }
    name[n] = '\0';
    if (n == 0) {
        snprintf(name, NAME, "column");
    }
}

/* Of a column whose rows are elements of a list, without the path to that; of one of raters without the "*". */
static void make_plain_name(char out[NAME], const char *column, int is_nested)
{
    char name[NAME] = "";
    const char *nest = is_nested ? strstr(column, TABLE_NEST) : NULL;
    size_t n = 0;
    for (const char *p = nest != NULL ? nest + sizeof TABLE_NEST - 1 : column;
         *p != '\0' && n + 1 < sizeof name; p++) {
        int is_step = p[0] == '*' && p[1] == '.' && (n == 0 || name[n - 1] == '.');
        if (!is_step) {
            name[n++] = *p;
        }
        p += is_step;
    }
    name[n] = '\0';
    make_name(out, name);
}

/* Of a pattern, which names the columns of a wide table: it without its mark and what ties it to that. */
static void make_pattern_name(char out[NAME], const char *pattern)
{
    const char *mark = strstr(pattern, TABLE_AGENT_MARK);
    char name[NAME] = "";
    const char *rest = mark == pattern ? mark + sizeof TABLE_AGENT_MARK - 1 : pattern;
    rest += strspn(rest, COLUMN_NAME_BREAKS);
    snprintf(name, sizeof name, "%.*s", (int)(mark > rest ? mark - rest : NAME - 1), rest);
    size_t n = strlen(name);
    while (n > 0 && strchr(COLUMN_NAME_BREAKS, name[n - 1]) != NULL) {
        name[--n] = '\0';
    }
    make_name(out, n > 0 ? name : "score");
}

/* What the pool calls what stands in place i of guess_field_at(). */
static void make_value_name(char out[NAME], const struct table_guess *g, size_t i)
{
    enum guess_role role = GUESS_NONE;
    const struct profile_column *c = guess_field_at(g, i, &role);
    const struct guess_raters *raters = g->is_wide ? NULL : guess_raters_at(g, i);
    if (raters != NULL) {
        make_name(out, raters->name);
    } else if (g->is_wide && strstr(c->name, TABLE_AGENT_MARK) != NULL) {
        make_pattern_name(out, c->name);
    } else {
        make_plain_name(out, c->name, g->profile.is_nested);
    }
}

/* Appends a name; of one that has come before, with its number behind it: quality, quality_2. */
static void put_name(struct regret_buffer *out, const char *name, size_t before)
{
    char numbered[NUMBERED];
    if (before > 0) {
        snprintf(numbered, sizeof numbered, "%.50s_%zu", name, before + 1);
        name = numbered;
    }
    regret_buffer_json_string(out, name);
}

/* A score's or a label's; several columns may come to one name. */
static void put_value_name(struct regret_buffer *out, const struct table_guess *g, size_t i)
{
    char name[NAME], other[NAME];
    enum guess_role role = GUESS_NONE;
    size_t before = 0;
    make_value_name(name, g, i);
    for (size_t j = 0; j < i; j++) {
        guess_field_at(g, j, &role);
        if ((role == GUESS_COMPONENT || role == GUESS_AUX) &&
            (g->is_wide || !guess_is_other_rater(g, j))) {
            make_value_name(other, g, j);
            before += strcmp(name, other) == 0;
        }
    }
    put_name(out, name, before);
}

static void put_covariate_name(struct regret_buffer *out, const struct table_guess *g, size_t k)
{
    char name[NAME], other[NAME];
    size_t before = 0;
    make_plain_name(name, name_at(g, k), g->profile.is_nested);
    for (size_t j = 0; j < k; j++) {
        make_plain_name(other, name_at(g, j), g->profile.is_nested);
        before += g->role[j] == GUESS_COVARIATE && strcmp(name, other) == 0;
    }
    put_name(out, name, before);
}

/* The field, or those of raters. */
static void put_from(struct regret_buffer *out, const struct table_guess *g, size_t i,
                     const struct profile_column *c)
{
    const char *before = ", \"from\": [";
    if (g->is_wide || guess_raters_at(g, i) == NULL) {
        regret_buffer_append(out, ", \"from\": ");
        regret_buffer_json_string(out, c->name);
        return;
    }
    for (size_t k = i; k < g->profile.n_columns; k++) {
        if (g->relations.rater_of[k] == g->relations.rater_of[i]) {
            regret_buffer_append(out, before);
            regret_buffer_json_string(out, name_at(g, k));
            before = ", ";
        }
    }
    regret_buffer_append(out, "]");
}

void guess_range(double out[2], const struct table_guess *g, const struct profile_column *c)
{
    double range[2] = {c->least, c->most};
    if (column_count_words(c->name, " rank ranks ranking place ") == 0 || c->least >= c->most) {
        scale_of(range, c->least, c->most);
    }
    int is_turned = column_direction(c->name) == COLUMN_IS_BAD;
    out[0] = g->range != NULL ? g->range[0] : range[is_turned];
    out[1] = g->range != NULL ? g->range[1] : range[!is_turned];
}

static void put_range(struct regret_buffer *out, const struct table_guess *g,
                      const struct profile_column *c)
{
    double range[2];
    if (c->grades > 0) {
        regret_buffer_printf(
            out, ", \"low\": %.15g, \"high\": %.15g,\n     \"words\": ", GRADES_LOW, GRADES_HIGH);
        grades_put(out);
        return;
    }
    guess_range(range, g, c);
    regret_buffer_printf(out, ", \"low\": %.15g, \"high\": %.15g%s", fmin(range[0], range[1]),
                         fmax(range[0], range[1]),
                         range[0] > range[1] ? ", \"smaller_is_better\": true" : "");
}

/* What stands in place i. */
static void put_value(struct regret_buffer *out, const struct table_guess *g, size_t i,
                      enum guess_role role, const char *between)
{
    const struct profile_column *c = guess_field_at(g, i, &role);
    regret_buffer_printf(out, "%s\n    {\"name\": ", between);
    put_value_name(out, g, i);
    put_from(out, g, i, c);
    if (role == GUESS_COMPONENT) {
        put_range(out, g, c);
    }
    regret_buffer_append(out, "}");
}

static void put_values(struct regret_buffer *out, const struct table_guess *g,
                       enum guess_role wanted)
{
    enum guess_role role;
    const char *between = "";
    for (size_t i = 0; guess_field_at(g, i, &role) != NULL; i++) {
        if (role == wanted && (g->is_wide || !guess_is_other_rater(g, i))) {
            put_value(out, g, i, role, between);
            between = ",";
        }
    }
}

/* The agents of a wide table, and the columns that are theirs beside the scores. */
static void put_agents(struct regret_buffer *out, const struct guess_wide *w)
{
    for (size_t i = 0; i < w->n_fields; i++) {
        enum guess_role role = w->field[i].role;
        if (role == GUESS_OUTPUT || role == GUESS_COST) {
            regret_buffer_printf(out, ", \"%s\": ", role == GUESS_COST ? "cost" : "output");
            regret_buffer_json_string(out, w->field[i].over.name);
        }
    }
    regret_buffer_append(out, "},\n  \"agents\": [");
    for (size_t a = 0; a < w->n_agents; a++) {
        regret_buffer_append(out, a > 0 ? ", " : "");
        regret_buffer_json_string(out, w->agent[a]);
    }
}

/* What the columns of numbers are to the pool. */
static void put_scores(struct regret_buffer *out, const struct table_guess *g)
{
    if (g->success != GUESS_NO_COLUMN) {
        regret_buffer_append(out, "  \"coding\": {\"success\": ");
        regret_buffer_json_string(out, name_at(g, g->success));
        regret_buffer_append(out, "}");
        return;
    }
    regret_buffer_append(out, "  \"components\": [");
    put_values(out, g, GUESS_COMPONENT);
    regret_buffer_append(out, g->at[GUESS_REFERENCE] != GUESS_NO_COLUMN
                                  ? "\n    {\"name\": \"chrf\", \"metric\": \"chrf\"}]"
                                  : "]");
    if (g->n_aux > 0) {
        regret_buffer_append(out, ",\n  \"aux\": [");
        put_values(out, g, GUESS_AUX);
        regret_buffer_append(out, "]");
    }
}

/* Of a list of references, of which a profile knows the elements, all. */
static void put_column_name(struct regret_buffer *out, const struct table_guess *g, size_t k,
                            enum guess_role role)
{
    struct regret_buffer name = REGRET_BUFFER_INIT;
    const char *whole = name_at(g, k);
    size_t n = strlen(whole);
    int is_element =
        role == GUESS_REFERENCE && g->is_json && n > 2 && strcmp(whole + n - 2, ".0") == 0;
    regret_buffer_printf(&name, "%.*s", (int)(is_element ? n - 2 : n), whole);
    regret_buffer_json_string(out, regret_buffer_get(&name));
    regret_buffer_free_into(out, &name);
}

/* The columns; where none has a role, another may stand in for it. Of a wide table the last three are its agents'. */
static void put_columns(struct regret_buffer *out, const struct table_guess *g)
{
    static const struct {
        const char *key;
        enum guess_role role, instead;
    } COLUMNS[] = {{"context", GUESS_CONTEXT, GUESS_CONTEXT},
                   {"text", GUESS_TEXT, GUESS_CONTEXT},
                   {"tag", GUESS_TAG, GUESS_TAG},
                   {"agent", GUESS_AGENT, GUESS_AGENT},
                   {"output", GUESS_OUTPUT, GUESS_AGENT},
                   {"cost", GUESS_COST, GUESS_COST},
                   {"rater", GUESS_RATER, GUESS_RATER},
                   {"reference", GUESS_REFERENCE, GUESS_REFERENCE}};
    for (size_t i = 0; i < sizeof COLUMNS / sizeof *COLUMNS; i++) {
        size_t k = g->at[COLUMNS[i].role];
        k = k != GUESS_NO_COLUMN ? k : g->at[COLUMNS[i].instead];
        if (k != GUESS_NO_COLUMN) {
            regret_buffer_printf(out, "%s\"%s\": ", i > 0 ? ", " : "", COLUMNS[i].key);
            put_column_name(out, g, k, COLUMNS[i].role);
        }
    }
}

static void put_covariates(struct regret_buffer *out, const struct table_guess *g)
{
    const char *between = ",\n  \"covariates\": [";
    for (size_t k = 0; k < g->profile.n_columns; k++) {
        const struct profile_column *c = &g->profile.column[k];
        if (g->role[k] == GUESS_COVARIATE) {
            regret_buffer_printf(out, "%s\n    {\"name\": ", between);
            put_covariate_name(out, g, k);
            regret_buffer_printf(out, ", \"kind\": \"%s\", \"from\": ",
                                 guess_covariate_is_number(c) ? "number" : "word");
            regret_buffer_json_string(out, c->name);
            regret_buffer_append(out, "}");
            between = ",";
        }
    }
    regret_buffer_append(out, g->n_covariates > 0 ? "]" : "");
}

void table_guess_map(struct regret_buffer *out, const struct table_guess *g, const char *name)
{
    char pool[NAME];
    make_name(pool, name);
    regret_buffer_append(out, "{\"name\": ");
    put_name(out, pool, 0);
    regret_buffer_append(out, ", \"synthetic\": false,\n");
    regret_buffer_append(out, g->profile.decimal_comma ? "  \"decimal_comma\": true,\n" : "");
    regret_buffer_append(out, "  \"columns\": {");
    if (g->votes.is_found) {
        guess_votes_map(out, g);
        regret_buffer_append(out, "}\n");
        return;
    }
    put_columns(out, g);
    if (g->is_wide) {
        put_agents(out, &g->wide);
    }
    regret_buffer_append(out, g->is_wide ? "],\n" : "},\n");
    put_scores(out, g);
    put_covariates(out, g);
    regret_buffer_append(out, "}\n");
}

/* ---------------------------------------------------------------- the configuration */

/* Answers that do not all cost the same: agents will not, either. */
static int has_costs(const struct table_guess *g)
{
    enum guess_role role = GUESS_NONE;
    const struct profile_column *c = NULL;
    for (size_t i = 0; (c = guess_field_at(g, i, &role)) != NULL; i++) {
        if (role == GUESS_COST) {
            return c->least < c->most;
        }
    }
    return 0;
}

int guess_has_holes(const struct table_guess *g)
{
    return g->pairs < g->contexts * g->agents;
}

static int has_role(const struct table_guess *g, enum guess_role role)
{
    return g->at[role] != GUESS_NO_COLUMN;
}

void table_guess_config(struct regret_buffer *out, const struct table_guess *g)
{
    practice_config(out, &(struct practice){.pool = "pool",
                                            .pairs = g->pairs,
                                            .agents = g->agents,
                                            .has_holes = guess_has_holes(g),
                                            .has_tags = has_role(g, GUESS_TAG),
                                            .has_texts = has_role(g, GUESS_TEXT),
                                            .has_columns = g->n_covariates > 0,
                                            .has_costs = has_costs(g),
                                            .has_rewards = g->n_components > 1 ||
                                                           g->success != GUESS_NO_COLUMN});
}
