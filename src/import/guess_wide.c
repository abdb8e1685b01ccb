/* A column an agent. */
#include <stdio.h>
#include <string.h>

#include "base/names.h"
#include "base/status.h"
#include "import/guess.h"
#include "import/importer.h"
#include "import/table_wide.h"
#include "regret/pool.h"
#include "regret/status.h"

FREED_FIELDS(guess_plain, of->column)

enum { MOST_BREAKS = 8 };

struct search {
    const struct table_guess *g;
    struct id_table names;
    struct guess_wide best;
    size_t explained; /* columns that are an agent's by the best */
    size_t models;    /* agents of it that are called as models are */
};

void guess_wide_free(struct guess_wide *w)
{
    for (size_t i = 0; i < w->n_fields; i++) {
        regret_free(w->field[i].over.name);
    }
    for (size_t a = 0; a < w->n_agents; a++) {
        regret_free(w->agent[a]);
    }
    regret_free(w->agent);
    *w = (struct guess_wide){0};
}

const struct profile_column *guess_field_at(const struct table_guess *g, size_t i,
                                            enum guess_role *role)
{
    if (i >= (g->is_wide ? g->wide.n_fields : g->profile.n_columns)) {
        return NULL;
    }
    *role = g->is_wide ? g->wide.field[i].role : g->role[i];
    return g->is_wide ? &g->wide.field[i].over : &g->profile.column[i];
}

static const char *name_at(const struct table_guess *g, size_t k)
{
    return g->profile.column[k].name;
}

/* ---------------------------------------------------------------- fields of a family */

/* The column of agent `a` for what stands before and after its name; SIZE_MAX: none. */
static size_t column_of(const struct search *s, const char *before, const char *agent,
                        const char *after)
{
    char name[REGRET_TABLE_MAX_FIELD + 1];
    int n = snprintf(name, sizeof name, "%s%s%s", before, agent, after);
    return n < (int)sizeof name ? id_table_find(&s->names, name) : SIZE_MAX;
}

/* Adds what one of n agents' columns holds to what all do. */
static void add_column(struct profile_column *out, const struct profile_column *c, size_t n)
{
    if (c->numbers > 0) {
        out->least = out->numbers == 0 || c->least < out->least ? c->least : out->least;
        out->most = out->numbers == 0 || c->most > out->most ? c->most : out->most;
    }
    out->mean_bytes += c->mean_bytes / (double)n;
    out->filled += c->filled;
    out->numbers += c->numbers;
    out->whole += c->whole;
    out->nearly += c->nearly;
    out->percents += c->percents;
    out->words += c->words;
    out->grades += c->grades;
    out->clear_grades += c->clear_grades;
    out->others += c->others;
}

int guess_wide_is_column(const char *column, const char *pattern, const char *agent)
{
    size_t before = (size_t)(strstr(pattern, TABLE_AGENT_MARK) - pattern), n = strlen(agent);
    return strncmp(column, pattern, before) == 0 && strncmp(column + before, agent, n) == 0 &&
           strcmp(column + before + n, pattern + before + sizeof TABLE_AGENT_MARK - 1) == 0;
}

/* What all agents' columns of a field hold together. 0: one has none. */
static int merge(struct profile_column *out, const struct search *s, const struct guess_wide *w,
                 const char *before, const char *after)
{
    *out = (struct profile_column){.least = 0.0};
    for (size_t a = 0; a < w->n_agents; a++) {
        size_t k = column_of(s, before, w->agent[a], after);
        if (k == SIZE_MAX) {
            return 0;
        }
        add_column(out, &s->g->profile.column[k], w->n_agents);
    }
    return 1;
}

static enum guess_role role_of(const struct profile_column *c, const char *word)
{
    int is_score = column_words(word, GUESS_COMPONENT) > 0;
    if (c->filled == 0) {
        return GUESS_NONE;
    }
    if (column_words(word, GUESS_COST) > 0) {
        return c->numbers == c->filled && c->least >= 0.0 ? GUESS_COST : GUESS_NONE;
    }
    return (is_score || word[0] == '\0') && profile_column_is_scores(c, is_score) ? GUESS_COMPONENT
           : c->numbers == c->filled                                              ? GUESS_AUX
                                                                                  : GUESS_OUTPUT;
}

static int add_field(struct search *s, struct guess_wide *w, const char *before, const char *after)
{
    struct profile_column over;
    char name[REGRET_TABLE_MAX_FIELD + 1];
    int n = snprintf(name, sizeof name, "%s%s%s", before, TABLE_AGENT_MARK, after);
    if ((size_t)n >= sizeof name || w->n_fields == GUESS_WIDE_FIELDS ||
        !merge(&over, s, w, before, after)) {
        return REGRET_OK;
    }
    TRY(regret_strdup(&over.name, name));
    w->field[w->n_fields++] =
        (struct guess_field){role_of(&over, before[0] != '\0' ? before : after), over};
    return REGRET_OK;
}

/* One field is the output, the longest text, and one the cost, in all; where no name speaks for a score, numbers on a narrow
 * range are scores. Cells of the others must be there where those of the scores are. */
static void settle_fields(struct guess_wide *w)
{
    size_t scored = 0, output = GUESS_WIDE_FIELDS, cost = GUESS_WIDE_FIELDS;
    int named = 0;
    for (size_t i = 0; i < w->n_fields; i++) {
        named |= w->field[i].role == GUESS_COMPONENT;
    }
    for (size_t i = 0; i < w->n_fields; i++) {
        struct guess_field *f = &w->field[i];
        if (!named && f->role == GUESS_AUX && f->over.least >= -1.0 && f->over.most <= 100.0 &&
            column_words(f->over.name, COLUMN_INCIDENTAL) == 0) {
            f->role = GUESS_COMPONENT;
        }
        if (f->role == GUESS_COMPONENT && f->over.grades + f->over.percents == 0 &&
            !(f->over.least < f->over.most)) {
            f->role = GUESS_NONE;
        }
        if (f->role == GUESS_COMPONENT) {
            scored = f->over.filled > scored ? f->over.filled : scored;
        }
    }
    for (size_t i = 0; i < w->n_fields; i++) {
        struct guess_field *f = &w->field[i];
        size_t *one = f->role == GUESS_OUTPUT ? &output : &cost;
        if (f->role == GUESS_OUTPUT || (f->role == GUESS_COST && f->over.filled == scored)) {
            if (*one == GUESS_WIDE_FIELDS) {
                *one = i;
            } else if (f->role == GUESS_OUTPUT
                           ? f->over.mean_bytes > w->field[output].over.mean_bytes
                           : column_is_total_cost(f->over.name)) {
                w->field[*one].role = GUESS_NONE;
                *one = i;
            } else {
                f->role = GUESS_NONE;
            }
        } else if (f->role != GUESS_COMPONENT && f->over.filled != scored) {
            f->role = GUESS_NONE;
        }
    }
    w->scored = scored;
}

/* score, cost and latency are kinds of numbers, whichever end of a column's name they stand at. */
static size_t count_names(const struct guess_wide *w, int (*is)(const char *name))
{
    size_t n = 0;
    for (size_t a = 0; a < w->n_agents; a++) {
        n += is(w->agent[a]) != 0;
    }
    return n;
}

static int are_measures(const struct guess_wide *w)
{
    size_t named = 0; /* "metrics.politeness" */
    for (size_t i = 0; i < w->n_fields; i++) {
        named += column_count_words(w->field[i].over.name,
                                    " metrics measures criteria aspects dimensions qualities ") > 0;
    }
    return named > 0 || 2 * count_names(w, column_is_measure) >= w->n_agents;
}

/* One is called as one of the others is, or by a part of its name: "m0" and "lab/m0". */
static int share_agents(const struct guess_wide *w, const struct guess_wide *other)
{
    for (size_t a = 0; a < w->n_agents; a++) {
        for (size_t b = 0; b < other->n_agents; b++) {
            if (strstr(w->agent[a], other->agent[b]) != NULL ||
                strstr(other->agent[b], w->agent[a]) != NULL) {
                return 1;
            }
        }
    }
    return 0;
}

/* Keeps the family if it explains more columns than the best, and has a score. Of as many: whose agents are called as models are; where
 * neither end says so, nobody knows which are the agents. */
static void compare(struct search *s, struct guess_wide *w)
{
    size_t explained = w->n_agents * w->n_fields, models = count_names(w, column_is_model);
    settle_fields(w);
    int is_known = w->scored > 0 && (s->g->layout == GUESS_WIDE || !are_measures(w));
    int is_better = explained > s->explained || (explained == s->explained && models > s->models);
    if (is_known && is_better) {
        struct guess_wide other = s->best;
        s->best = *w;
        s->explained = explained;
        s->models = models;
        *w = other;
    } else if (is_known && explained == s->explained && models == s->models &&
               !share_agents(w, &s->best)) {
        snprintf(s->best.other, sizeof s->best.other, "%s", w->agent[0]);
    }
    guess_wide_free(w);
}

/* ---------------------------------------------------------------- names in common */

static int is_break(char c)
{
    return c != '\0' && strchr(COLUMN_NAME_BREAKS, c) != NULL;
}

/* Whether column k has the part at its end, or its beginning, and more. */
static int has_part(const struct table_guess *g, size_t k, const char *part, size_t length,
                    int at_end)
{
    const char *name = name_at(g, k);
    size_t n = strlen(name);
    return n > length && column_fits_map(name) &&
           strncmp(at_end ? name + n - length : name, part, length) == 0;
}

/* The agents are what columns with a part in common have besides. */
static int find_agents(struct guess_wide *w, const struct search *s, const char *part,
                       size_t length, int at_end)
{
    size_t columns = s->g->profile.n_columns;
    TRY(REGRET_NEW(&w->agent, columns));
    for (size_t k = 0; k < columns; k++) {
        const char *name = name_at(s->g, k);
        if (has_part(s->g, k, part, length, at_end)) {
            TRY(regret_strndup(&w->agent[w->n_agents], at_end ? name : name + length,
                               strlen(name) - length));
            w->n_agents++;
        }
    }
    return REGRET_OK;
}

/* One field whose part speaks of nothing that could be measured, gpt-3.5 and gpt-4: it belongs to the agents' names. */
static int keep_names(struct guess_wide *w)
{
    static const unsigned kinds[] = {GUESS_COMPONENT, GUESS_OUTPUT, COLUMN_SMALLER, COLUMN_MEASURE,
                                     COLUMN_SUMMARY};
    int words = 0;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        words += w->n_fields == 1 ? column_words(w->field[0].over.name, kinds[i]) : 1;
    }
    for (size_t a = 0; a < w->n_agents && words == 0; a++) {
        const char *pattern = w->field[0].over.name, *mark = strstr(pattern, TABLE_AGENT_MARK);
        char name[REGRET_TABLE_MAX_FIELD + 1];
        snprintf(name, sizeof name, "%.*s%s%s", (int)(mark - pattern), pattern, w->agent[a],
                 mark + sizeof TABLE_AGENT_MARK - 1);
        regret_free(w->agent[a]);
        TRY(regret_strdup(&w->agent[a], name));
    }
    if (words == 0) {
        memcpy(w->field[0].over.name, TABLE_AGENT_MARK, sizeof TABLE_AGENT_MARK);
    }
    return REGRET_OK;
}

/* The family of a part: every other column of its first agent may be a field. */
static int try_part(struct search *s, const char *part, size_t length, int at_end)
{
    struct guess_wide w = {.rival = GUESS_NO_COLUMN};
    int rc;
    TRY_CLEANUP(find_agents(&w, s, part, length, at_end));
    for (size_t k = 0; w.n_agents >= 2 && k < s->g->profile.n_columns; k++) {
        const char *name = name_at(s->g, k);
        size_t n = strlen(name), own = strlen(w.agent[0]);
        char rest[REGRET_TABLE_MAX_FIELD + 1];
        if (n < own || !column_fits_map(name) ||
            strncmp(at_end ? name : name + n - own, w.agent[0], own) != 0) {
            continue;
        }
        snprintf(rest, sizeof rest, "%.*s", (int)(n - own), at_end ? name + own : name);
        TRY_CLEANUP(add_field(s, &w, at_end ? "" : rest, at_end ? rest : ""));
    }
    TRY_CLEANUP(keep_names(&w));
    compare(s, &w);
    return REGRET_OK;
cleanup:
    guess_wide_free(&w);
    return rc;
}

/* 1 where no column before k has the part: it has not been tried. */
static int is_first(const struct table_guess *g, size_t k, const char *part, size_t length,
                    int at_end)
{
    for (size_t j = 0; j < k; j++) {
        if (has_part(g, j, part, length, at_end)) {
            return 0;
        }
    }
    return 1;
}

static int try_parts_of(struct search *s, size_t k)
{
    const char *name = name_at(s->g, k);
    size_t n = strlen(name);
    int left = column_fits_map(name) ? MOST_BREAKS : 0;
    for (size_t i = 1, end; i + 1 < n && left > 0; i = end) {
        for (end = i; is_break(name[end]); end++) { /* one break may be several characters: ": " */
        }
        if (end == i || end == n) {
            end = i + 1;
            continue;
        }
        left--;
        if (is_first(s->g, k, name + i, n - i, 1)) {
            TRY(try_part(s, name + i, n - i, 1));
        }
        if (is_first(s->g, k, name, end, 0)) {
            TRY(try_part(s, name, end, 0));
        }
    }
    return REGRET_OK;
}

/* ---------------------------------------------------------------- plain columns of numbers */

/* Those that measure the same, if there are any. */
static int try_plain(struct search *s)
{
    FREED_BY(guess_plain_fields) struct guess_plain plain = {0};
    FREED_BY(guess_wide_free) struct guess_wide w = {0};
    TRY(guess_plain_find(&plain, s->g));
    if (plain.n == 0) {
        return REGRET_OK;
    }
    TRY(REGRET_NEW(&w.agent, plain.n));
    for (size_t i = 0; i < plain.n; i++) {
        TRY(regret_strdup(&w.agent[w.n_agents], name_at(s->g, plain.column[i])));
        w.n_agents++;
    }
    w.rival = plain.rival;
    TRY(add_field(s, &w, "", ""));
    compare(s, &w);
    return REGRET_OK;
}

void guess_wide_drop(struct table_guess *g, size_t a)
{
    struct guess_wide *w = &g->wide;
    w->scored = 0;
    regret_free(w->agent[a]);
    memmove(&w->agent[a], &w->agent[a + 1], (w->n_agents - a - 1) * sizeof *w->agent);
    w->n_agents--;
    for (size_t i = 0; i < w->n_fields; i++) {
        struct guess_field *f = &w->field[i];
        struct profile_column over = {.name = f->over.name};
        for (size_t b = 0; b < w->n_agents; b++) {
            for (size_t k = 0; k < g->profile.n_columns; k++) {
                if (guess_wide_is_column(name_at(g, k), f->over.name, w->agent[b])) {
                    add_column(&over, &g->profile.column[k], w->n_agents);
                }
            }
        }
        f->over = over;
        w->scored = f->role == GUESS_COMPONENT && over.filled > w->scored ? over.filled : w->scored;
    }
}

int guess_wide_find(struct guess_wide *out, const struct table_guess *g)
{
    struct search s = {.g = g};
    size_t columns = g->profile.n_columns;
    int rc;
    TRY_CLEANUP(id_table_reserve(&s.names, columns));
    for (size_t k = 0; k < columns; k++) {
        id_table_put(&s.names, name_at(g, k), k);
    }
    for (size_t k = 0; k < columns; k++) {
        TRY_CLEANUP(try_parts_of(&s, k));
    }
    TRY_CLEANUP(try_plain(&s));
    *out = s.best;
    s.best = (struct guess_wide){0};
cleanup:
    guess_wide_free(&s.best);
    id_table_free(&s.names);
    return rc;
}

/* ---------------------------------------------------------------- what is not an agent's */

/* The field that column k is an agent's of; NULL: none. */
static const struct guess_field *field_of(const struct table_guess *g, size_t k)
{
    for (size_t i = 0; i < g->wide.n_fields; i++) {
        for (size_t a = 0; a < g->wide.n_agents; a++) {
            if (guess_wide_is_column(name_at(g, k), g->wide.field[i].over.name, g->wide.agent[a])) {
                return &g->wide.field[i];
            }
        }
    }
    return NULL;
}

/* Marks the columns of the agents as theirs. */
static void mark_columns(struct table_guess *g)
{
    for (size_t k = 0; k < g->profile.n_columns; k++) {
        g->role[k] = field_of(g, k) != NULL ? GUESS_OWN : g->role[k];
    }
}

int guess_is_of_field(const struct table_guess *g, size_t k, size_t field)
{
    return g->is_wide ? field_of(g, k) == &g->wide.field[field] : k == field;
}

void guess_wide_mark_scores(struct table_guess *g)
{
    for (size_t k = 0; k < g->profile.n_columns; k++) {
        const struct guess_field *f = field_of(g, k);
        g->is_score[k] = f != NULL && f->role == GUESS_COMPONENT;
    }
}

/* The column that tells the contexts apart: the most values, then a name that speaks for it, then short. */
int guess_wide_context(struct table_guess *g)
{
    const struct table_profile *p = &g->profile;
    double best = 0.0;
    mark_columns(g);
    for (size_t k = 0; k < p->n_columns; k++) {
        const struct profile_column *c = &p->column[k];
        int is_named = c->distinct >= 2 && column_words(c->name, GUESS_CONTEXT) > 0;
        double rating = 4.0 * (double)c->distinct +
                        2.0 * (column_words(c->name, GUESS_CONTEXT) > 0) +
                        (c->longest <= REGRET_POOL_MAX_ID);
        int is_asked =
            g->context == GUESS_NO_COLUMN ? !column_is_no_context(c->name) : k == g->context;
        if (is_asked && g->role[k] == GUESS_NONE && column_fits_map(c->name) &&
            c->filled == p->rows && (2 * c->distinct > p->rows || is_named) && rating > best) {
            best = rating;
            g->at[GUESS_CONTEXT] = k;
        }
    }
    return best > 0.0;
}
