/* The evaluate.json that a guess writes. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "base/status.h"
#include "import/column_names.h"
#include "import/profile.h"
#include "log/roles.h"
#include "regret/evaluate.h"
#include "regret/status.h"

/* What was assigned as one, by the rows: within a user, a device, a conversation the agent is the same, or outcomes are alike. */

/* Standard errors, the share of what could be alike that is, and for outcomes the values that a column has at least [C]. */
static const double SURE = 4.0, MOSTLY = 0.5;
enum { MANY = 30 };

/* Names of agents by other names, which have one agent each whatever assigned them. */
static const char OF_AGENT[] = " agent model llm bot arm treatment policy system engine version "
                               "variant provider endpoint deployment config template ";
/* Measures of an answer, which are alike where one agent gave it. */
static const char OF_ANSWER[] = " token tokens ms bytes words chars characters length steps ";

struct unit_row {
    uint64_t value, agent;
    double y; /* less the mean of its agent; NaN of a word */
};

static int compare(const void *x, const void *y)
{
    const struct unit_row *a = x, *b = y;
    return a->value != b->value ? (a->value > b->value) - (a->value < b->value)
                                : (a->agent > b->agent) - (a->agent < b->agent);
}

static int compare_agents(const void *x, const void *y)
{
    const struct unit_row *a = x, *b = y;
    return (a->agent > b->agent) - (a->agent < b->agent);
}

/* Takes the means of agents out of the rows, which are put in their order, and sums squares and cubes of their shares. */
static void centre(struct unit_row *row, size_t n, double *squares, double *cubes, double *variance)
{
    qsort(row, n, sizeof *row, compare_agents);
    *squares = *cubes = *variance = 0.0;
    for (size_t i = 0, end; i < n; i = end) {
        double sum = 0.0, share;
        for (end = i; end < n && row[end].agent == row[i].agent; end++) {
            sum += row[end].y;
        }
        share = (double)(end - i) / (double)n;
        *squares += share * share;
        *cubes += share * share * share;
        for (size_t k = i; k < end; k++) {
            row[k].y -= sum / (double)(end - i);
            *variance += row[k].y * row[k].y / (double)n;
        }
    }
}

/* Pairs of rows of one value, and how far their agents, or their outcomes, are alike beyond chance: share of what there could be, and
 * in standard errors. */
struct likeness {
    double share, sure;
};

static void look(struct likeness *agents, struct likeness *outcomes, struct log_unit *unit,
                 struct unit_row *row, size_t n)
{
    double squares, cubes, variance, pairs = 0.0, triples = 0.0, alike = 0.0, products = 0.0;
    const uint64_t blank = regret_hash64("", 0);
    centre(row, n, &squares, &cubes, &variance);
    qsort(row, n, sizeof *row, compare);
    for (size_t i = 0, end; i < n; i = end) {
        double m, sum = 0.0, own = 0.0, k = 0.0, most = 0.0;
        for (end = i; end < n && row[end].value == row[i].value; end++) {
            k = end > i && row[end].agent == row[end - 1].agent ? k + 1.0 : 1.0;
            alike += row[i].value != blank ? 2.0 * (k - 1.0) : 0.0;
            most = fmax(most, k);
            sum += row[end].y;
            own += row[end].y * row[end].y;
        }
        m = row[i].value != blank ? (double)(end - i) : 0.0;
        unit->values += m > 0.0;
        unit->alike += m > 0.0 && most == m;
        pairs += m * (m - 1.0);
        triples += m * (m - 1.0) * (m - 2.0);
        products += m > 0.0 ? sum * sum - own : 0.0;
    }
    double error = sqrt(2.0 * pairs * (squares - squares * squares) +
                        4.0 * triples * fmax(0.0, cubes - squares * squares));
    *agents = (struct likeness){(alike / pairs - squares) / (1.0 - squares),
                                (alike - pairs * squares) / error};
    *outcomes =
        (struct likeness){products / pairs / variance, products / variance / sqrt(2.0 * pairs)};
}

/* A column that may say what was assigned as one: no role stands in its way, and its name says nothing of what came after. */
static int may_be_unit(const struct log_guess_table *t, size_t k)
{
    static const enum log_field others[] = {LOG_AGENT,      LOG_OUTCOME, LOG_OUTPUT, LOG_TEXT,
                                            LOG_PROPENSITY, LOG_SLATE,   LOG_COST,   LOG_CONTEXT};
    const struct profile_column *c = &t->profile.column[k];
    int is_agent = column_count_words(c->name, OF_AGENT) > 0 &&
                   c->distinct <= MANY * t->profile.column[t->at[LOG_AGENT]].distinct;
    int may = !is_agent && c->distinct >= 2 && 10 * c->distinct <= 9 * t->profile.rows &&
              c->whole == c->numbers && 2 * c->filled > t->profile.rows &&
              column_fits_map(c->name) && column_count_words(c->name, OF_ANSWER) == 0 &&
              !log_guess_is_after(c->name);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        may &= t->at[others[i]] != k;
    }
    return may;
}

/* What is called an id, or words that are no kind of request: of others outcomes are alike because requests are. */
static int is_name(const struct log_guess_table *t, size_t k)
{
    const struct profile_column *c = &t->profile.column[k];
    int is_id = column_count_words(c->name, " id ids uid uuid hash key nr no ") > 0;
    return t->at[LOG_TAG] != k && t->at[LOG_TIME] != k &&
           (is_id || (c->numbers == 0 && !log_guess_is_before(c->name)));
}

/* Whether column k is a unit, and what speaks for it. */
static int try_column(struct log_unit *out, const struct log_guess_table *t, size_t k)
{
    const struct table_profile *p = &t->profile;
    size_t agent = t->at[LOG_AGENT], outcome = t->at[LOG_OUTCOME];
    FREED struct unit_row *row = NULL;
    struct likeness agents, outcomes;
    struct log_unit unit = {.column = k};
    int is_agent = 0;
    TRY(table_profile_follows(&is_agent, p, k, agent));
    if (is_agent) {
        return REGRET_OK; /* the agent's other name */
    }
    TRY(REGRET_NEW(&row, p->rows));
    for (size_t i = 0; i < p->rows; i++) {
        const size_t at = i * p->n_columns;
        row[i] = (struct unit_row){p->cell[at + k], p->cell[at + agent], p->number[at + outcome]};
    }
    look(&agents, &outcomes, &unit, row, p->rows);
    unit.rows = p->rows;
    if (agents.share >= MOSTLY && agents.sure > SURE) {
        unit.why = LOG_UNIT_AGENT;
    } else if (outcomes.sure > SURE && unit.values >= MANY && is_name(t, k)) {
        unit.why = LOG_UNIT_OUTCOME;
    }
    *out = unit.why != LOG_UNIT_NONE ? unit : *out;
    return REGRET_OK;
}

/* Of two the one by agents; of those the one of fewer values, which holds what is assigned within it. */
static int is_better(const struct log_unit *one, const struct log_unit *than)
{
    return than->why == LOG_UNIT_NONE ||
           (one->why != than->why ? one->why == LOG_UNIT_AGENT : one->values < than->values);
}

static void take(struct log_guess *g, struct log_guess_table *t, const struct log_unit *unit)
{
    const char *name = t->profile.column[unit->column].name;
    for (int i = 0; i < REGRET_LOG_SOURCES; i++) {
        struct log_guess_table *to = &g->table[i];
        size_t before = to->at[LOG_CLUSTER];
        if (to->path == NULL) {
            continue;
        }
        if (before != LOG_NO_COLUMN) {
            to->taken[before] = 0;
        }
        to->at[LOG_CLUSTER] = LOG_NO_COLUMN;
        for (size_t k = 0; k < to->profile.n_columns; k++) {
            if (strcmp(to->profile.column[k].name, name) == 0) {
                to->at[LOG_CLUSTER] = k;
                to->taken[k] = 1;
            }
        }
    }
    g->unit = *unit;
}

int log_guess_unit(struct log_guess *g)
{
    struct log_guess_table *t = &g->table[LOG_INPUT_EXP];
    struct log_unit best = {.why = LOG_UNIT_NONE};
    if (t->path == NULL || t->at[LOG_AGENT] == LOG_NO_COLUMN ||
        t->at[LOG_OUTCOME] == LOG_NO_COLUMN) {
        return REGRET_OK;
    }
    for (size_t k = 0; k < t->profile.n_columns; k++) {
        struct log_unit unit = {.why = LOG_UNIT_NONE};
        TRY(may_be_unit(t, k) ? try_column(&unit, t, k) : REGRET_OK);
        int is_named = t->at[LOG_CLUSTER] != LOG_NO_COLUMN && unit.why == LOG_UNIT_OUTCOME;
        if (unit.why != LOG_UNIT_NONE && !is_named && is_better(&unit, &best)) {
            unit.others = best.why == unit.why ? best.others + 1 : 0;
            best = unit;
        } else {
            best.others += unit.why != LOG_UNIT_NONE && unit.why == best.why;
        }
    }
    size_t named = t->at[LOG_CLUSTER];
    int is_coarser = named != LOG_NO_COLUMN && named != best.column &&
                     t->profile.column[named].distinct <= best.values;
    if (best.why != LOG_UNIT_NONE && !is_coarser) { /* users who have several conversations stay */
        take(g, t, &best);
    }
    return REGRET_OK;
}

/* Outputs with a column an agent: whose names are those of the agents of the log and the trial, by the hashes of their cells. */

/* A column that an agent's name stands in, with nothing but separators around it. */
struct part {
    size_t start, length;
};

static int is_agent(const struct log_guess *g, const char *name, size_t length)
{
    uint64_t hash = regret_hash64(name, length);
    const struct profile_pair wanted = {hash, hash};
    int found = 0;
    for (int s = 0; s < REGRET_LOG_SOURCES && !found; s++) {
        const struct log_guess_table *t = &g->table[s];
        found = t->agents != NULL && bsearch(&wanted, t->agents, t->n_agents, sizeof wanted,
                                             profile_pair_compare) != NULL;
    }
    return found;
}

static int is_inner(const char *name, size_t at)
{
    return isalnum((unsigned char)name[at]) && isalnum((unsigned char)name[at - 1]);
}

/* The longest agent's name in a column's. */
static struct part find_part(const struct log_guess *g, const char *name)
{
    size_t n = strlen(name);
    for (size_t length = column_fits_map(name) ? n : 0; length > 0; length--) {
        for (size_t start = 0; start + length <= n; start++) {
            int is_cut = (start > 0 && is_inner(name, start)) ||
                         (start + length < n && is_inner(name, start + length));
            if (!is_cut && is_agent(g, name + start, length)) {
                return (struct part){start, length};
            }
        }
    }
    return (struct part){0, 0};
}

/* Whether two columns differ by their agents' names alone. */
static int are_alike(const char *a, struct part pa, const char *b, struct part pb)
{
    return pa.length > 0 && pb.length > 0 && pa.start == pb.start && strncmp(a, b, pa.start) == 0 &&
           strcmp(a + pa.start + pa.length, b + pb.start + pb.length) == 0;
}

/* Texts that two or more agents have a column of; of several kinds the longest. */
static size_t find_kind(const struct log_guess_table *t, const struct part *part)
{
    size_t best = LOG_NO_COLUMN;
    for (size_t k = 0; k < t->profile.n_columns; k++) {
        const struct profile_column *c = &t->profile.column[k];
        size_t n = 0;
        for (size_t i = 0; i < t->profile.n_columns; i++) {
            n += are_alike(c->name, part[k], t->profile.column[i].name, part[i]);
        }
        if (n >= 2 && c->numbers < c->filled &&
            (best == LOG_NO_COLUMN || c->mean_bytes > t->profile.column[best].mean_bytes)) {
            best = k;
        }
    }
    return best;
}

static int take_kind(struct log_guess_table *t, const struct part *part, size_t kind)
{
    FREED_BY(regret_buffer_free) struct regret_buffer pattern = REGRET_BUFFER_INIT;
    const char *name = t->profile.column[kind].name;
    regret_buffer_append_n(&pattern, name, part[kind].start);
    regret_buffer_append(&pattern, TABLE_AGENT_MARK);
    regret_buffer_append(&pattern, name + part[kind].start + part[kind].length);
    TRY(regret_buffer_status(&pattern));
    TRY(regret_strdup(&t->pattern, regret_buffer_get(&pattern)));
    for (size_t k = 0; k < t->profile.n_columns; k++) {
        t->taken[k] |= are_alike(name, part[kind], t->profile.column[k].name, part[k]);
    }
    return REGRET_OK;
}

int log_guess_wide(struct log_guess *g)
{
    struct log_guess_table *t = &g->table[LOG_INPUT_OUTPUTS];
    FREED struct part *part = NULL;
    for (int s = 0; s < REGRET_LOG_SOURCES; s++) {
        struct log_guess_table *of = &g->table[s];
        TRY(of->path != NULL ? table_profile_distinct(&of->agents, &of->n_agents, &of->profile,
                                                      of->at[LOG_AGENT], of->at[LOG_AGENT])
                             : REGRET_OK);
    }
    TRY(REGRET_NEW(&part, t->profile.n_columns));
    for (size_t k = 0; k < t->profile.n_columns; k++) {
        part[k] = find_part(g, t->profile.column[k].name);
    }
    size_t kind = find_kind(t, part);
    return kind != LOG_NO_COLUMN ? take_kind(t, part, kind) : REGRET_OK;
}

enum { NAME = 40, FEW = 6 };

static const char *const ROLES[LOG_COVARIATES] = {
    [LOG_CONTEXT] = "context", [LOG_AGENT] = "agent",
    [LOG_OUTPUT] = "output",   [LOG_TEXT] = "text",
    [LOG_TAG] = "tag",         [LOG_OUTCOME] = "outcome",
    [LOG_SLATE] = "slate",     [LOG_PROPENSITY] = "propensity",
    [LOG_CLUSTER] = "cluster", [LOG_TIME] = "time",
    [LOG_COST] = "cost"};
/* In the order of evaluate.json and of what is said. */
static const enum log_field ORDER[LOG_COVARIATES] = {
    LOG_CONTEXT, LOG_TEXT, LOG_AGENT, LOG_OUTCOME, LOG_PROPENSITY, LOG_SLATE,
    LOG_CLUSTER, LOG_TIME, LOG_TAG,   LOG_OUTPUT,  LOG_COST};

/* ---------------------------------------------------------------- the scale */

/* The outcomes of all tables together; 0 where there is no number. */
static int gather_outcomes(struct profile_column *all, const struct log_guess *g)
{
    *all = (struct profile_column){.least = INFINITY, .most = -INFINITY};
    for (int i = 0; i < REGRET_LOG_SOURCES; i++) {
        const struct log_guess_table *t = &g->table[i];
        if (t->path == NULL) {
            continue;
        }
        const struct profile_column *c = &t->profile.column[t->at[LOG_OUTCOME]];
        all->least = fmin(all->least, c->numbers > 0 ? c->least : INFINITY);
        all->most = fmax(all->most, c->numbers > 0 ? c->most : -INFINITY);
        all->numbers += c->numbers;
        all->whole += c->whole;
        all->name = c->name;
    }
    return all->numbers > 0;
}

/* How outcomes are meant: from the worst to the best; `kind` is LOG_SCALE_BINARY where they are 0 and 1. */
static void guess_scale(struct log_scale *out, const struct log_guess *g)
{
    struct profile_column all;
    double range[2] = {0.0, 1.0};
    *out = (struct log_scale){LOG_SCALE_BINARY, 1, 0.0, 1.0};
    if (g->known.range != NULL) {
        *out = (struct log_scale){LOG_SCALE_RANGE, 1, g->known.range[0], g->known.range[1]};
        return;
    }
    if (!gather_outcomes(&all, g) ||
        (all.whole == all.numbers && all.least >= 0.0 && all.most <= 1.0)) {
        if (all.name != NULL && column_direction(all.name) == COLUMN_IS_BAD) {
            *out = (struct log_scale){LOG_SCALE_RANGE, 1, 1.0, 0.0};
        }
        return;
    }
    int is_count = all.whole == all.numbers && all.least >= 0.0 &&
                   column_count_words(
                       all.name, " count counts clicks views purchases orders plays number n ") > 0;
    scale_of(range, all.least, all.most);
    out->kind = is_count ? LOG_SCALE_COUNTS : LOG_SCALE_RANGE;
    out->low = is_count ? 0.0 : range[0];
    out->high = is_count ? all.most : range[1];
    if (column_direction(all.name) == COLUMN_IS_BAD) {
        double best = out->low;
        out->low = out->high;
        out->high = best;
    }
}

/* ---------------------------------------------------------------- evaluate.json */

static void put_table(struct regret_buffer *out, const struct log_guess *g, enum log_input_of which,
                      const char *file)
{
    const struct log_guess_table *t = &g->table[which];
    regret_buffer_printf(out, "  \"%s\": {\n    \"file\": ", log_input_name(which));
    regret_buffer_json_string(out, file);
    if (g->known.separator != '\0') {
        const char text[2] = {g->known.separator, '\0'};
        regret_buffer_append(out, ",\n    \"separator\": ");
        regret_buffer_json_string(out, g->known.separator == '\t' ? "tab" : text);
    }
    for (size_t i = 0; i < LOG_COVARIATES; i++) {
        const char *name = log_guess_column(t, ORDER[i]);
        if (name != NULL) {
            regret_buffer_printf(out, ",\n    \"%s\": ", ROLES[ORDER[i]]);
            regret_buffer_json_string(out, name);
        }
    }
    for (size_t i = 0; i < t->n_covariates; i++) {
        regret_buffer_append(out, i == 0 ? ",\n    \"covariates\": [" : ", ");
        regret_buffer_json_string(out, t->profile.column[t->covariate[i]].name);
    }
    regret_buffer_append(out, t->n_covariates > 0 ? "]\n  }" : "\n  }");
}

void log_guess_config(struct regret_buffer *out, const struct log_guess *g,
                      const char *const file[LOG_INPUTS])
{
    struct log_scale scale;
    guess_scale(&scale, g);
    regret_buffer_append(out, "{\n");
    for (int i = 0; i < LOG_INPUTS; i++) {
        if (g->table[i].path != NULL) {
            put_table(out, g, (enum log_input_of)i, file[i]);
            regret_buffer_append(out, ",\n");
        }
    }
    if (scale.kind == LOG_SCALE_BINARY) {
        regret_buffer_append(out, "  \"outcome\": {\"scale\": \"binary\"},\n");
    } else {
        regret_buffer_append(out, scale.kind == LOG_SCALE_COUNTS
                                      ? "  \"outcome\": {\"scale\": \"counts\", \"low\": "
                                      : "  \"outcome\": {\"low\": ");
        regret_buffer_json_number(out, scale.low);
        regret_buffer_append(out, ", \"high\": ");
        regret_buffer_json_number(out, scale.high);
        regret_buffer_append(out, "},\n");
    }
    regret_buffer_append(out, "  \"seed\": 1\n}\n");
}

/* ---------------------------------------------------------------- what is said */

static void say_scale(struct regret_buffer *out, const struct log_guess *g)
{
    struct log_scale scale;
    struct profile_column all;
    guess_scale(&scale, g);
    if (scale.kind == LOG_SCALE_BINARY) {
        regret_buffer_append(out, "Outcomes are 0 and 1, or words for good and bad.\n");
        return;
    }
    gather_outcomes(&all, g);
    regret_buffer_printf(out,
                         "Outcomes are %s from %g, the worst, to %g, the best (found: %g to %g): "
                         "correct \"outcome\" where the scale is wider%s.\n",
                         scale.kind == LOG_SCALE_COUNTS ? "counts" : "numbers", scale.low,
                         scale.high, all.least, all.most,
                         scale.low > scale.high && g->known.range == NULL
                             ? ", or turns the other way, which is a guess by the name of the "
                               "column (--range WORST:BEST says it)"
                             : "");
}

static void say_column(struct regret_buffer *out, const char *role, const struct profile_column *c)
{
    regret_buffer_printf(out, "  %-10s ", role);
    regret_buffer_append_safe(out, c->name, NAME);
}

/* The role's column, and what was seen in it. */
static void say_role(struct regret_buffer *out, const struct log_guess_table *t,
                     enum log_field field)
{
    const struct profile_column *c =
        t->at[field] != LOG_NO_COLUMN ? &t->profile.column[t->at[field]] : NULL;
    if (c == NULL) {
        return;
    }
    say_column(out, ROLES[field], c);
    if (field == LOG_AGENT || field == LOG_CLUSTER || field == LOG_TAG || field == LOG_CONTEXT) {
        regret_buffer_printf(out, ", %zu different", c->distinct);
    } else if (field == LOG_OUTCOME || field == LOG_PROPENSITY || field == LOG_COST) {
        if (c->numbers > 0) {
            regret_buffer_printf(out, ", %g to %g", c->least, c->most);
        }
    }
    if (c->filled < t->profile.rows) {
        regret_buffer_printf(out, ", %zu row%s without", t->profile.rows - c->filled,
                             t->profile.rows - c->filled == 1 ? "" : "s");
    }
    regret_buffer_append_char(out, '\n');
}

/* Why rows go together by that column, and what says otherwise. */
static void say_unit(struct regret_buffer *out, const struct log_guess *g)
{
    const struct log_unit *u = &g->unit;
    if (u->why == LOG_UNIT_NONE) {
        return;
    }
    regret_buffer_append(out, "Rows go together by ");
    regret_buffer_append_safe(out, g->table[LOG_INPUT_EXP].profile.column[u->column].name, NAME);
    if (u->why == LOG_UNIT_AGENT) {
        regret_buffer_printf(
            out,
            ": the agent is the same within %zu of its %zu values (%zu rows), so "
            "it was assigned as one%s",
            u->alike, u->values, u->rows,
            u->others > 0 ? "; of several columns of which that is true it has the fewest values"
                          : "");
    } else {
        regret_buffer_printf(out, ": outcomes are alike within its %zu values (%zu rows)",
                             u->values, u->rows);
    }
    regret_buffer_append(out, ". Name another \"cluster\", or none, where that is wrong.\n");
}

static int is_covariate(const struct log_guess_table *t, size_t k)
{
    int found = 0;
    for (size_t i = 0; i < t->n_covariates; i++) {
        found |= t->covariate[i] == k;
    }
    return found;
}

/* "  role a, b, c and 3 more": the columns that are covariates, or nothing. */
static void say_list(struct regret_buffer *out, const struct log_guess_table *t, int covariates)
{
    size_t n = 0;
    for (size_t k = 0; k < t->profile.n_columns; k++) {
        const struct profile_column *c = &t->profile.column[k];
        if (t->taken[k] || is_covariate(t, k) != covariates || c->name[0] == '\0') {
            continue;
        }
        if (n == 0) {
            say_column(out, covariates ? "covariates" : "left out", c);
        } else if (n < FEW) {
            regret_buffer_append(out, ", ");
            regret_buffer_append_safe(out, c->name, NAME);
        }
        n++;
    }
    if (n > FEW) {
        regret_buffer_printf(out, " and %zu more", n - FEW);
    }
    regret_buffer_append(out, n > 0 ? "\n" : "");
}

/* Columns that are called as a role is, and hold what it cannot be. */
static void say_unfit(struct regret_buffer *out, const struct log_guess_table *t)
{
    static const char *const write[LOG_COVARIATES] = {
        [LOG_PROPENSITY] = "shares, as 0.25",
        [LOG_COST] = "numbers",
        [LOG_TIME] = "2026-03-01T12:30:00Z, or seconds since 1970"};
    if (t->unfit[LOG_CLUSTER] != LOG_NO_COLUMN && !t->taken[t->unfit[LOG_CLUSTER]]) {
        regret_buffer_append(out, "  no cluster: column ");
        regret_buffer_append_safe(out, t->profile.column[t->unfit[LOG_CLUSTER]].name, NAME);
        regret_buffer_append(out, " is the same in all rows\n");
    }
    for (size_t i = 0; i < LOG_COVARIATES; i++) {
        size_t k = t->unfit[i];
        if (write[i] != NULL && k != LOG_NO_COLUMN && !t->taken[k]) {
            regret_buffer_printf(out, "  no %s: column ", ROLES[i]);
            regret_buffer_append_safe(out, t->profile.column[k].name, NAME);
            regret_buffer_append(out, " holds \"");
            regret_buffer_append_safe(out, t->profile.column[k].other.text, NAME);
            regret_buffer_printf(out, "\"; write %s\n", write[i]);
        }
    }
}

static void say_table(struct regret_buffer *out, const struct log_guess *g, enum log_input_of which)
{
    static const char *const titles[LOG_INPUTS] = {"OBS, the log", "EXP, the trial", "The outputs"};
    const struct log_guess_table *t = &g->table[which];
    if (t->path == NULL) {
        return;
    }
    regret_buffer_printf(out, "%s: ", titles[which]);
    regret_buffer_append_safe(out, t->path, 2 * (size_t)NAME);
    regret_buffer_printf(out, ", %s%zu rows\n", t->profile.cut ? "the first " : "",
                         t->profile.rows);
    for (size_t i = 0; i < LOG_COVARIATES; i++) {
        say_role(out, t, ORDER[i]);
    }
    if (t->pattern != NULL) {
        regret_buffer_printf(out, "  %-10s ", ROLES[LOG_OUTPUT]);
        regret_buffer_append_safe(out, t->pattern, NAME);
        regret_buffer_append(out, ", a column of each agent\n");
    }
    say_list(out, t, 1);
    say_list(out, t, 0);
    say_unfit(out, t);
}

/* What follows from what is not there. */
static void say_missing(struct regret_buffer *out, const struct log_guess *g)
{
    const struct log_guess_table *obs = &g->table[LOG_INPUT_OBS], *exp = &g->table[LOG_INPUT_EXP];
    const struct log_guess_table *any = obs->path != NULL ? obs : exp;
    if (any->at[LOG_CONTEXT] == LOG_NO_COLUMN) {
        regret_buffer_append(out,
                             any->at[LOG_TEXT] != LOG_NO_COLUMN
                                 ? "Requests are told apart by their texts.\n"
                                 : "No column names the request: each row is one of its own.\n");
    }
    if (g->log != NULL && g->log->has_seen_shares) {
        regret_buffer_append(out, "No column holds the probability of assignment in EXP: agents' "
                                  "shares of its rows are taken for it; say others by "
                                  "\"exp.shares\".\n");
    } else if (exp->path != NULL && exp->at[LOG_PROPENSITY] == LOG_NO_COLUMN) {
        regret_buffer_printf(
            out,
            "No column holds the probability of assignment in EXP: it is taken to be %sthe same "
            "for every agent%s.\n",
            exp->at[LOG_SLATE] != LOG_NO_COLUMN ? "that of the row's slate, or where that has none "
                                                : "",
            exp->at[LOG_SLATE] != LOG_NO_COLUMN ? " on it" : "");
    }
    if (obs->path != NULL && exp->path == NULL) {
        regret_buffer_append(out, "Without a trial nothing tells whether the log lies.\n");
    }
    say_unit(out, g);
    if (any->at[LOG_CLUSTER] == LOG_NO_COLUMN && g->unit.why == LOG_UNIT_NONE) {
        regret_buffer_append(out,
                             "No column names users: intervals take requests as independent.\n");
    }
    regret_buffer_append(out,
                         "A column that was left out may be a covariate if it was known before the "
                         "agent was chosen.\n");
}

static void say_log(struct regret_buffer *out, const struct regret_log *log)
{
    regret_buffer_printf(out, "\nRead: %zu rows of OBS, %zu of EXP, %zu agents, %zu requests",
                         log->rows[REGRET_LOG_OBS].n, log->rows[REGRET_LOG_EXP].n, log->n_agents,
                         log->n_contexts);
    regret_buffer_printf(
        out, log->n_drawn < log->rows[REGRET_LOG_OBS].n ? "; %zu rows of OBS are drawn\n" : "\n",
        log->n_drawn);
    for (size_t i = 0; i < log->n_losses; i++) {
        regret_buffer_printf(out, "  left out of %s: %zu row%s, the first at line %llu: %s\n",
                             log->loss[i].source == REGRET_LOG_OBS ? "OBS" : "EXP", log->loss[i].n,
                             log->loss[i].n == 1 ? "" : "s", (unsigned long long)log->loss[i].line,
                             log->loss[i].reason);
    }
    for (size_t i = 0; i < log->n_notes; i++) {
        regret_buffer_printf(out, "  %s\n", log->note[i]);
    }
}

void log_guess_explain(struct regret_buffer *out, const struct log_guess *g)
{
    for (int i = 0; i < LOG_INPUTS; i++) {
        say_table(out, g, (enum log_input_of)i);
    }
    say_scale(out, g);
    say_missing(out, g);
    if (g->log != NULL) {
        say_log(out, g->log);
    }
}
