/* The map and the configuration that init writes, and what was assumed. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/status.h"
#include "base/text.h"
#include "import/init.h"
#include "import/scales.h"
#include "regret/pool.h"
#include "regret/status.h"
#include "table/fields.h"

FREED_POINTER(struct regret_pool, regret_pool_free)

enum { SHOWN_AGENTS = 12, SHOWN_LEFT = 12, FEW_CONTEXTS = 20, LONGEST_REFUSAL = 400 };

/* ---------------------------------------------------------------- the map */

enum { NAME = 64 };

/* A pool's name for a column: letters, digits and what ids may hold; of a pattern what is beside the agent, of elements of lists
 * what is in them. */
static void make_name(char out[NAME], const struct init_table *t, const char *column)
{
    char plain[2 * INIT_REST] = "";
    const char *mark = strstr(column, FIELDS_AGENT),
               *nest = t->nest != NULL ? strstr(column, FIELDS_NEST) : NULL;
    const char *from = nest != NULL ? nest + sizeof FIELDS_NEST - 1 : column;
    if (mark != NULL) {
        const char *rest = mark == column ? mark + strlen(FIELDS_AGENT) : column;
        snprintf(plain, sizeof plain, "%.*s",
                 (int)(mark > rest ? mark - rest : (long)sizeof plain - 1), rest);
    } else {
        snprintf(plain, sizeof plain, "%s", from);
    }
    size_t n = 0, first = mark != NULL ? strspn(plain, INIT_NAME_BREAKS) : 0;
    for (const char *p = plain + first; *p != '\0' && n + 1 < NAME; p++) {
        if (p[0] == '*' && p[1] == '.') {
            p++;
            continue;
        }
        int is_plain = (*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') ||
                       (*p >= '0' && *p <= '9') || strchr("_.-", *p) != NULL;
        out[n++] = (char)(is_plain ? *p : '_');
    }
    while (mark != NULL && n > 0 && strchr(INIT_NAME_BREAKS, out[n - 1]) != NULL) {
        n--;
    }
    out[n] = '\0';
    if (n == 0) {
        snprintf(out, NAME, mark != NULL ? "score" : "column");
    }
}

/* Names that have been given out. */
struct given {
    struct regret_buffer all; /* "\nname\n…" */
};

/* Appends a name; of one that has come before, with its number behind it: quality, quality_2. */
static void put_name(struct regret_buffer *out, struct given *given, const struct init_table *t,
                     const char *column)
{
    char name[NAME], line[NAME + 32];
    size_t before = 0;
    make_name(name, t, column);
    snprintf(line, sizeof line, "\n%s\n", name);
    for (const char *at = regret_buffer_get(&given->all); (at = strstr(at, line)) != NULL; at++) {
        before++;
    }
    regret_buffer_append(&given->all, line);
    if (before > 0) {
        snprintf(line, sizeof line, "%.50s_%zu", name, before + 1);
    }
    regret_buffer_json_string(out, before > 0 ? line : name);
}

static void put_score(struct regret_buffer *out, struct given *given, const struct init_table *t,
                      const struct init_score *s)
{
    regret_buffer_append(out, "\n    {\"name\": ");
    put_name(out, given, t, s->pattern);
    regret_buffer_append(out, ", \"from\": ");
    regret_buffer_json_string(out, s->pattern);
    regret_buffer_printf(out, ", \"low\": %.15g, \"high\": %.15g%s", s->low, s->high,
                         s->direction < 0 ? ", \"smaller_is_better\": true" : "");
    if (s->is_grade) {
        regret_buffer_append(out, ",\n     \"words\": ");
        grades_put(out);
    }
    regret_buffer_append(out, "}");
}

static void put_scores(struct regret_buffer *out, struct given *given, const struct init_table *t)
{
    const struct init_decision *is = &t->is;
    if (is->success != INIT_NONE) {
        regret_buffer_append(out, "  \"coding\": {\"success\": ");
        regret_buffer_json_string(out, t->column[is->success].name);
        regret_buffer_append(out, "}");
        return;
    }
    regret_buffer_append(out, "  \"components\": [");
    for (size_t i = 0; i < is->n_scores; i++) {
        regret_buffer_append(out, i > 0 ? "," : "");
        put_score(out, given, t, &is->score[i]);
    }
    regret_buffer_append(
        out, is->n_scores == 0 ? "\n    {\"name\": \"chrf\", \"metric\": \"chrf\"}]" : "]");
    for (size_t i = 0; i < is->n_aux; i++) {
        const char *name = t->column[is->aux[i]].name;
        regret_buffer_append(out,
                             i > 0 ? ",\n    {\"name\": " : ",\n  \"aux\": [\n    {\"name\": ");
        put_name(out, given, t, name);
        regret_buffer_append(out, ", \"from\": ");
        regret_buffer_json_string(out, name);
        regret_buffer_append(out, "}");
    }
    regret_buffer_append(out, is->n_aux > 0 ? "]" : "");
}

static void put_covariates(struct regret_buffer *out, const struct init_table *t)
{
    struct given given = {REGRET_BUFFER_INIT};
    for (size_t i = 0; i < t->is.n_covariates; i++) {
        const struct init_column *c = &t->column[t->is.covariate[i]];
        regret_buffer_append(out, i > 0 ? ",\n    {\"name\": "
                                        : ",\n  \"covariates\": [\n    {\"name\": ");
        put_name(out, &given, t, c->name);
        regret_buffer_printf(
            out, ", \"kind\": \"%s\", \"from\": ", c->numbers == c->filled ? "number" : "word");
        regret_buffer_json_string(out, c->name);
        regret_buffer_append(out, "}");
    }
    regret_buffer_append(out, t->is.n_covariates > 0 ? "]" : "");
    regret_buffer_free_into(out, &given.all);
}

/* "context": "id", or of two that only together tell: ["dataset", "id"]. */
static void put_key(struct regret_buffer *out, const struct init_table *t, const char *key,
                    const int column[2])
{
    regret_buffer_printf(out, "\"%s\": %s", key, column[1] != INIT_NONE ? "[" : "");
    regret_buffer_json_string(out, t->column[column[0]].name);
    if (column[1] != INIT_NONE) {
        regret_buffer_append(out, ", ");
        regret_buffer_json_string(out, t->column[column[1]].name);
        regret_buffer_append(out, "]");
    }
}

static void put_field(struct regret_buffer *out, const struct init_table *t, const char *key, int k)
{
    if (k != INIT_NONE) {
        regret_buffer_printf(out, ", \"%s\": ", key);
        regret_buffer_json_string(out, t->column[k].name);
    }
}

static void put_pattern(struct regret_buffer *out, const char *key, const char *pattern)
{
    if (pattern[0] != '\0') {
        regret_buffer_printf(out, ", \"%s\": ", key);
        regret_buffer_json_string(out, pattern);
    }
}

static void put_votes(struct regret_buffer *out, const struct init_table *t)
{
    const struct init_decision *is = &t->is;
    int is_list = is->n_winners > 1 || is->is_share;
    regret_buffer_append(out, "},\n  \"votes\": {\"model_a\": ");
    regret_buffer_json_string(out, t->column[is->model[0]].name);
    put_field(out, t, "model_b", is->model[1]);
    regret_buffer_append(out, is_list ? ", \"winner\": [" : ", \"winner\": ");
    for (size_t i = 0; i < is->n_winners; i++) {
        regret_buffer_append(out, i > 0 ? ", " : "");
        regret_buffer_json_string(out, t->column[is->winner[i]].name);
    }
    regret_buffer_append(out, is_list ? "]" : "");
    put_field(out, t, "text_a", is->answer[0]);
    put_field(out, t, "text_b", is->answer[1]);
    regret_buffer_append(out, ", \"both_bad\": \"tie\", \"shown_first\": \"model_a\"}}\n");
}

static void put_agents(struct regret_buffer *out, const struct init_table *t)
{
    put_pattern(out, "output", t->is.output_pattern);
    put_pattern(out, "cost", t->is.cost_pattern);
    regret_buffer_append(out, "},\n  \"agents\": [");
    for (size_t a = 0; a < t->is.n_agents; a++) {
        regret_buffer_append(out, a > 0 ? ", " : "");
        regret_buffer_json_string(out, t->is.agents[a]);
    }
    regret_buffer_append(out, "],\n");
}

void init_map(struct regret_buffer *out, const struct init_table *t, const char *name)
{
    const struct init_decision *is = &t->is;
    struct given given = {REGRET_BUFFER_INIT};
    char pool[NAME];
    int told = is->context[is->context[1] != INIT_NONE];
    make_name(pool, t, name);
    regret_buffer_append(out, "{\"name\": ");
    regret_buffer_json_string(out, pool);
    regret_buffer_append(out, ", \"synthetic\": false,\n");
    regret_buffer_append(out, t->decimal_comma ? "  \"decimal_comma\": true,\n" : "");
    regret_buffer_append(out, "  \"columns\": {");
    put_key(out, t, "context", is->context);
    put_field(out, t, "text", is->text != INIT_NONE ? is->text : told);
    put_field(out, t, "tag", is->tag);
    if (is->layout == INIT_VOTES) {
        put_votes(out, t);
        return;
    }
    if (is->layout == INIT_LONG) {
        regret_buffer_append(out, ", ");
        put_key(out, t, "agent", is->agent);
        put_field(out, t, "output",
                  is->output != INIT_NONE || is->agent[1] != INIT_NONE ? is->output : is->agent[0]);
        put_field(out, t, "cost", is->cost);
        put_field(out, t, "rater", is->rater);
        put_field(out, t, "reference", is->reference);
        regret_buffer_append(out, "},\n");
    } else {
        put_agents(out, t);
    }
    put_scores(out, &given, t);
    put_covariates(out, t);
    regret_buffer_append(out, "}\n");
    regret_buffer_free_into(out, &given.all);
}

/* Answers that do not all cost the same: agents will not, either. */
static int has_costs(const struct init_table *t)
{
    const struct init_column *c = t->is.cost != INIT_NONE ? &t->column[t->is.cost] : NULL;
    return t->is.cost_pattern[0] != '\0' || (c != NULL && c->least < c->most);
}

static size_t count_pairs(const struct init_table *t)
{
    const struct regret_table_report *r = &t->imported;
    return r->is_of_votes ? r->outputs : r->pairs;
}

void init_config(struct regret_buffer *out, const struct init_table *t)
{
    const struct regret_table_report *r = &t->imported;
    practice_config(
        out, &(struct practice){.pool = "pool",
                                .pairs = count_pairs(t),
                                .agents = r->agents,
                                .has_holes = count_pairs(t) < r->contexts * r->agents,
                                .has_tags = t->is.tag != INIT_NONE,
                                .has_texts = t->is.text != INIT_NONE,
                                .has_columns = t->is.n_covariates > 0,
                                .has_costs = has_costs(t),
                                .has_rewards = t->is.n_scores > 1 || t->is.success != INIT_NONE});
}

/* ---------------------------------------------------------------- the trial */

struct first_note {
    char *text; /* owned */
    int failed;
};

static void take_note(void *context, const char *message)
{
    struct first_note *first = context;
    if (first->text == NULL) {
        first->failed |= regret_strdup(&first->text, message) != REGRET_OK;
    }
}

static int import_once(struct init_table *t, const char *map_path)
{
    struct regret_table_options options = t->import;
    FREED_BY(regret_pool_free_at) struct regret_pool *pool = NULL;
    struct first_note first = {NULL, 0};
    options.into = &pool;
    options.note = take_note;
    options.note_context = &first;
    int rc = regret_import_table(&t->imported, t->path, map_path, NULL, &options, 0);
    regret_free(t->refused);
    t->refused = first.text;
    TRY(rc);
    if (t->import.into != NULL) {
        regret_pool_free(*t->import.into);
        *t->import.into = pool;
        pool = NULL;
    }
    return first.failed ? regret_fail(REGRET_E_NOMEM, "out of memory: a note") : REGRET_OK;
}

int init_try(struct init_table *t, const char *map_path)
{
    int *const more[] = {&t->import.drop_unscored, &t->import.skip_bad};
    const char *repeats = t->known->repeats;
    size_t agents = t->is.layout == INIT_WIDE ? t->is.n_agents
                    : t->is.layout == INIT_VOTES || t->is.agent[1] != INIT_NONE
                        ? 0
                        : t->column[t->is.agent[0]].distinct;
    t->import.layout = t->is_json ? REGRET_TABLE_LAYOUT_JSONL : REGRET_TABLE_LAYOUT_CSV;
    t->import.separator = t->is_json ? ',' : t->separator;
    t->import.repeats = !t->is.repeats || t->is.layout == INIT_VOTES       ? REGRET_REPEATS_REFUSE
                        : repeats != NULL && strcmp(repeats, "first") == 0 ? REGRET_REPEATS_FIRST
                        : repeats != NULL && strcmp(repeats, "last") == 0  ? REGRET_REPEATS_LAST
                                                                           : REGRET_REPEATS_DRAWS;
    int rc = import_once(t, map_path);
    for (size_t i = 0; i < 2 && rc == REGRET_E_INPUT; i++) {
        *more[i] = 1;
        rc = import_once(t, map_path);
    }
    TRY(rc == REGRET_E_INPUT ? regret_fail_prefix(rc, "import refuses the table") : rc);
    t->import.drop_unscored = t->imported.unscored > 0; /* not where it drops nothing */
    if (t->imported.agents < 2) {
        return regret_fail(REGRET_E_INPUT, "%s: one agent is left: there is nothing to choose",
                           t->path);
    }
    return t->imported.bad > 0 && t->imported.agents < agents
               ? regret_fail(REGRET_E_INPUT, "%s (%zu rows are bad, and all of %zu agents)",
                             t->refused != NULL ? t->refused : t->path, t->imported.bad,
                             agents - t->imported.agents)
               : REGRET_OK;
}

void init_options(struct regret_buffer *out, const struct init_table *t)
{
    static const char *const RULES[] = {"", " --repeats first", " --repeats last",
                                        " --repeats draws"};
    if (!t->is_json && t->separator != ',') {
        regret_buffer_printf(out, t->separator == '\t' ? " --separator tab" : " --separator '%c'",
                             t->separator);
    }
    regret_buffer_append(out, RULES[t->import.repeats]);
    regret_buffer_append(out, t->import.drop_unscored ? " --drop-unscored" : "");
    regret_buffer_append(out, t->import.skip_bad ? " --skip-bad" : "");
}

/* ---------------------------------------------------------------- in words */

static void say(struct regret_buffer *out, const char *role, const char *name)
{
    regret_buffer_printf(out, "  %-10s ", role);
    regret_buffer_append_safe(out, name[0] != '\0' ? name : "(a column without a name)", 40);
}

static void say_column(struct regret_buffer *out, const struct init_table *t, const char *role,
                       int k, const char *rest)
{
    if (k != INIT_NONE) {
        say(out, role, t->column[k].name);
        regret_buffer_printf(out, "%s\n", rest);
    }
}

static void say_key(struct regret_buffer *out, const struct init_table *t, const char *role,
                    const int column[2])
{
    say_column(out, t, role, column[0], column[1] != INIT_NONE ? ", and" : "");
    say_column(out, t, "", column[1], "");
}

static void say_score(struct regret_buffer *out, const struct init_table *t,
                      const struct init_score *s)
{
    say(out, "component", s->pattern);
    if (s->is_grade) {
        regret_buffer_printf(out, ", letter grades: A+ is %.2g, A 4, A- 3.7 ... F %.2g\n",
                             GRADES_HIGH, GRADES_LOW);
        return;
    }
    regret_buffer_printf(
        out, ", %.6g to %.6g (found: %.6g to %.6g)%s%s\n", s->low, s->high, s->least, s->most,
        t->column[s->column].truths > 0 ? "; yes, pass and true are 1, their opposites 0" : "",
        s->direction < 0 ? "; smaller is better" : "");
}

static void say_columns(struct regret_buffer *out, const struct init_table *t)
{
    const struct init_decision *is = &t->is;
    size_t left = 0;
    say_key(out, t, is->layout == INIT_VOTES ? "prompt" : "context", is->context);
    say_column(out, t, "text", is->text != is->context[0] ? is->text : INIT_NONE, "");
    say_column(out, t, "tag", is->tag, "");
    say_key(out, t, "agent", is->agent);
    for (int i = 0; i < 2; i++) {
        say_column(out, t, i == 0 ? "model_a" : "model_b", is->model[i], "");
        say_column(out, t, i == 0 ? "text_a" : "text_b", is->answer[i], "");
    }
    for (size_t i = 0; i < is->n_winners; i++) {
        say_column(out, t, "winner", is->winner[i], "");
    }
    say_column(out, t, "output", is->output, "");
    say_column(out, t, "draw", is->draw, "");
    say_column(out, t, "rater", is->rater, "");
    say_column(out, t, "cost", is->cost, "");
    for (size_t i = 0; i < is->n_scores; i++) {
        say_score(out, t, &is->score[i]);
    }
    for (size_t i = 0; i < is->n_aux; i++) {
        say_column(out, t, "aux label", is->aux[i], "");
    }
    for (size_t i = 0; i < is->n_covariates; i++) {
        const struct init_column *c = &t->column[is->covariate[i]];
        say_column(out, t, "covariate", is->covariate[i],
                   c->numbers == c->filled ? ", a number" : ", a word");
    }
    say_column(out, t, "reference", is->reference, "");
    for (int k = 0; k < (int)t->n_columns; k++) {
        const struct init_column *c = &t->column[k];
        if (!c->is_used && left++ < SHOWN_LEFT) {
            say_column(out, t, "left out", k,
                       c->leaks         ? ", made of the scores, it seems"
                       : c->filled == 0 ? ", which holds nothing"
                       : (c->said.roles & INIT_COST) != 0 && t->costless > 0
                           ? ", which some agents have in no row: fill it in for costs to count"
                           : "");
        }
    }
    if (left > SHOWN_LEFT) {
        regret_buffer_printf(out, "  %-10s and %zu more\n", "left out", left - SHOWN_LEFT);
    }
}

static void say_wide(struct regret_buffer *out, const struct init_table *t)
{
    regret_buffer_append(out, "A wide table, a row a context. The agents:");
    for (size_t a = 0; a < t->is.n_agents && a < SHOWN_AGENTS; a++) {
        regret_buffer_append(out, a > 0 ? ", " : " ");
        regret_buffer_append_safe(out, t->is.agents[a], 40);
    }
    if (t->is.n_agents > SHOWN_AGENTS) {
        regret_buffer_printf(out, " and %zu more", t->is.n_agents - SHOWN_AGENTS);
    }
    regret_buffer_append(out, "\n");
    if (t->is.output_pattern[0] != '\0') {
        say(out, "output", t->is.output_pattern);
        regret_buffer_append(out, "\n");
    }
    if (t->is.cost_pattern[0] != '\0') {
        say(out, "cost", t->is.cost_pattern);
        regret_buffer_append(out, "\n");
    }
}

/* What import leaves out or takes together. */
static void say_rows(struct regret_buffer *out, const struct init_table *t)
{
    const char *what = t->is.layout == INIT_WIDE ? "answers" : "rows";
    const struct regret_table_report *r = &t->imported;
    size_t once = t->is.layout == INIT_WIDE ? r->contexts : r->pairs,
           all = t->is.layout == INIT_WIDE ? t->rows : r->rows - r->bad - r->unscored;
    if (t->import.repeats == REGRET_REPEATS_DRAWS && t->is.rater == INIT_NONE && all > once) {
        regret_buffer_printf(out,
                             "%zu rows are of a %s that has one before: --repeats draws takes them "
                             "for further draws of it, whose mean counts.\n",
                             all - once, t->is.layout == INIT_WIDE ? "context" : "pair");
    }
    if (t->import.drop_unscored) {
        regret_buffer_printf(out,
                             "%zu %s lack a score: --drop-unscored leaves them out. If a blank "
                             "means bad, write the lowest score.\n",
                             r->unscored, what);
    }
    if (r->bad > 0 && t->refused != NULL) {
        regret_buffer_printf(out,
                             "%zu %s are bad: --skip-bad leaves them out, naming them. The "
                             "first: ",
                             r->bad, what);
        regret_buffer_append_safe(out, t->refused, LONGEST_REFUSAL);
        regret_buffer_append(out, "\n");
    }
}

static void say_hints(struct regret_buffer *out, const struct init_table *t)
{
    const struct init_decision *is = &t->is;
    const struct regret_table_report *r = &t->imported;
    if (is->n_scores == 0) {
        regret_buffer_append(
            out, "No column holds a score: the map scores outputs against the references, by "
                 "characters in common (\"metric\": \"chrf\"). Of short answers take f1 or "
                 "exact-squad, of summaries rouge-l: docs/formats.md.\n");
    }
    if (is->output == INIT_NONE && is->output_pattern[0] == '\0') {
        regret_buffer_append(
            out, "No column holds what the agents wrote: their names stand in for it, and all "
                 "that is learnt of an output is whose it is.\n");
    }
    if (is->text == INIT_NONE) {
        regret_buffer_append(out,
                             "No column holds the text of a context: its id stands in for it.\n");
    }
    const struct init_column *agent = is->agent[0] != INIT_NONE ? &t->column[is->agent[0]] : NULL;
    if (agent != NULL && agent->summary_line > 0) {
        regret_buffer_printf(
            out, "%s %zu has \"%s\" for its agent: take it out if it sums up the others.\n",
            t->is_json ? "Record" : "Line", agent->summary_line, agent->other);
    }
    if (t->decimal_comma) {
        regret_buffer_append(out, "Commas in numbers are decimal points: 3,5 is 3.5.\n");
    }
    if (count_pairs(t) < r->contexts * r->agents) {
        regret_buffer_append(out,
                             "The grid has holes: they stay unobserved (grid.policy: observed), "
                             "and regret is taken among what is observed.\n");
    }
    if (is->success != INIT_NONE) {
        regret_buffer_append(out, "The outputs are patches: import computes size, locality and "
                                  "focus of the diffs beside their success.\n");
    } else if (is->n_scores <= 1) {
        regret_buffer_append(
            out, "One score: all types of users rate alike, so that confounding (beta) changes "
                 "nothing and is not swept; a second component, say brevity, lets them differ.\n");
    }
    if (r->contexts < FEW_CONTEXTS) {
        regret_buffer_printf(out,
                             "%zu contexts are few: a fifth of them is held out, and differences "
                             "will be hard to tell (regret plan).\n",
                             r->contexts);
    }
}

void init_explain(struct regret_buffer *out, const struct init_table *t, int is_written)
{
    const struct regret_table_report *r = &t->imported;
    if (t->is.layout == INIT_VOTES) {
        regret_buffer_printf(out, "A table of votes: %zu votes on %zu prompts between %zu models\n",
                             t->rows, r->contexts - r->other_pairs, r->agents);
        say_columns(out, t);
        if (t->is.is_share) {
            regret_buffer_append(out, "By the name of the winner's column 1 says that model_a has "
                                      "won, 0 that model_b has, 0.5 a tie.\n");
        }
        regret_buffer_append(out, "model_a is taken for the one shown first: \"shown_first\" in "
                                  "the map says otherwise.\n");
        say_rows(out, t);
        return;
    }
    regret_buffer_printf(out, "%zu rows: %zu contexts, %zu agents, %zu of %zu pairs\n", t->rows,
                         r->contexts, r->agents, r->pairs, r->contexts * r->agents);
    say_columns(out, t);
    if (t->is.layout == INIT_WIDE) {
        say_wide(out, t);
    }
    if (is_written) {
        say_hints(out, t);
    }
    say_rows(out, t);
    regret_buffer_append(
        out, is_written ? "Ranges are those of common scales: correct them in the map where a "
                          "scale is wider than what was found, or say them (--range "
                          "WORST:BEST). Values are told on 0 to 1, from the low to the high "
                          "end.\n"
                        : "Ranges are those of common scales, or say them (--range WORST:BEST).\n");
}

int init_begin(struct regret_staging *staging, const char *folder, int force)
{
    TRY(regret_staging_begin_files(staging, folder));
    staging->keeps = !force;
    return REGRET_OK;
}

/* Import is tried by the map that is to be written, so that the command which is said is one that works. */
int init_write(struct init_table *t, const char *folder, int force)
{
    FREED_BY(regret_buffer_free) struct regret_buffer map = REGRET_BUFFER_INIT;
    FREED_BY(regret_buffer_free) struct regret_buffer config = REGRET_BUFFER_INIT;
    FREED_BY(regret_staging_abandon) struct regret_staging staging = REGRET_STAGING_INIT;
    FREED char *path = NULL;
    FREED char *name = NULL; /* of the pool: the file's, without its folders and its end */
    const char *file = path_last(t->path);
    TRY(regret_strndup(&name, file, strcspn(file, ".")));
    init_map(&map, t, name);
    TRY(init_begin(&staging, folder, force));
    TRY(regret_file_write_text(staging.partial, "map.json", &map));
    TRY(regret_path_join(&path, staging.partial, "map.json"));
    TRY(init_try(t, path));
    init_config(&config, t);
    TRY(regret_file_write_text(staging.partial, "config.json", &config));
    return regret_staging_commit_files(&staging);
}
