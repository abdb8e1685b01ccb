/* SWE-bench: rows, and which of them count. */
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "base/input.h"
#include "base/status.h"
#include "base/text.h"
#include "import/importer.h"
#include "import/swebench.h"
#include "pool/check.h"
#include "regret/status.h"

/* The first reading of the CSV: which rows there are, and which of them are asked for. */

static const char *const COLUMN_NAMES[SWEBENCH_COLUMNS] = {
    "instance_id", "agent", "patch", "resolved", "tests_status", "benchmark"};

static int find_columns(struct swebench_table *t, const char *path)
{
    for (size_t k = 0; k < SWEBENCH_COLUMNS; k++) {
        t->column[k] = SIZE_MAX;
    }
    for (size_t i = 0; i < t->n_columns; i++) {
        const char *name = regret_csv_field(NULL, t->csv, i);
        for (size_t k = 0; k < SWEBENCH_COLUMNS; k++) {
            if (strcmp(name, COLUMN_NAMES[k]) == 0 && t->column[k] != SIZE_MAX) {
                return regret_fail(REGRET_E_INPUT,
                                   "%s:%zu: column \"%s\" is given twice; rename one", path,
                                   regret_csv_line(t->csv), name);
            }
            if (strcmp(name, COLUMN_NAMES[k]) == 0) {
                t->column[k] = i;
            }
        }
    }
    for (size_t k = 0; k <= SWEBENCH_RESOLVED; k++) {
        if (t->column[k] == SIZE_MAX) {
            return regret_fail(REGRET_E_INPUT,
                               "%s:%zu: there is no column \"%s\"; the header must name "
                               "instance_id, agent, patch and resolved",
                               path, regret_csv_line(t->csv), COLUMN_NAMES[k]);
        }
    }
    return REGRET_OK;
}

static int open_table(struct swebench_table *t, const char *path)
{
    TRY(input_check_regular(path)); /* it is read twice, which a pipe cannot be */
    TRY(regret_csv_open(&t->csv, path, NULL));
    TRY(regret_csv_next(t->csv, &t->n_columns));
    return t->n_columns > 0
               ? find_columns(t, path)
               : regret_fail(REGRET_E_INPUT, "%s is empty; give a CSV with a header", path);
}

int swebench_table_open(struct swebench_table *out, const char *path)
{
    *out = (struct swebench_table){NULL, 0, {0}};
    int rc = open_table(out, path);
    if (rc != REGRET_OK) {
        swebench_table_close(out);
    }
    return rc;
}

void swebench_table_close(struct swebench_table *table)
{
    regret_csv_close(table->csv);
    table->csv = NULL;
}

const char *swebench_field(const struct swebench_table *t, enum swebench_column k, size_t *length)
{
    if (t->column[k] == SIZE_MAX) {
        *length = 0;
        return "";
    }
    return regret_csv_field(length, t->csv, t->column[k]);
}

/* Lower case without the blanks around it; "" when longer than any verdict. */
static void plain_word(char out[8], const char *text, size_t length)
{
    size_t n = 0;
    while (length > 0 && memchr(" \t\r\n", text[length - 1], 4) != NULL) {
        length--;
    }
    for (; length > 0 && memchr(" \t\r\n", *text, 4) != NULL; text++) {
        length--;
    }
    for (; length < 8 && n < length; n++) {
        out[n] = text[n] >= 'A' && text[n] <= 'Z' ? (char)(text[n] - 'A' + 'a') : text[n];
    }
    out[n] = '\0';
}

/* `resolved` as 0 or 1, -1 where it is empty, or what pandas and others write for that. */
static int read_resolved(int *out, const char *text, size_t length)
{
    static const char *const NO[] = {"false", "0", "0.0", "no"};
    static const char *const YES[] = {"true", "1", "1.0", "yes"};
    static const char *const NONE[] = {"nan", "none", "null", "<na>", "na"};
    char word[8];
    plain_word(word, text, length);
    *out = -1;
    for (size_t i = 0; i < sizeof NO / sizeof *NO; i++) {
        *out = strcmp(word, NO[i]) == 0 ? 0 : strcmp(word, YES[i]) == 0 ? 1 : *out;
    }
    int given = *out < 0 && strspn(text, " \t\r\n") < length;
    for (size_t i = 0; i < sizeof NONE / sizeof *NONE; i++) {
        given = given && strcmp(word, NONE[i]) != 0;
    }
    if (given) {
        return regret_fail(REGRET_E_INPUT, "resolved is \"%.40s\"; it must be True or False", text);
    }
    return REGRET_OK;
}

static int read_verdict(struct import_row *row, const struct swebench_table *t)
{
    int resolved = -1, verdict = -1;
    size_t length = 0;
    const char *text = swebench_field(t, SWEBENCH_RESOLVED, &length);
    TRY(read_resolved(&resolved, text, length));
    text = swebench_field(t, SWEBENCH_TESTS, &length);
    int rc = swebench_verdict(&verdict, text, length);
    int unread = rc == REGRET_E_INPUT && resolved >= 0;
    if (rc != REGRET_OK && !unread) {
        return regret_fail_prefix(rc, "tests_status is neither JSON nor a Python literal");
    }
    if (resolved < 0 && verdict < 0) {
        return regret_fail(REGRET_E_INPUT, "resolved is empty and tests_status gives no verdict; "
                                           "fill one in");
    }
    int contradicts = !unread && resolved >= 0 && verdict >= 0 && resolved != verdict;
    int success = resolved >= 0 ? resolved : verdict;
    row->flags = (unsigned char)((success ? SWEBENCH_SUCCESS : 0) |
                                 (contradicts ? SWEBENCH_CONTRADICTS : 0) |
                                 (unread ? SWEBENCH_UNREAD_TESTS : 0));
    return REGRET_OK;
}

int swebench_is_wanted(const struct regret_swebench_options *o, const char *run)
{
    return o->n_agents == 0 || name_matches(o->agents, o->n_agents, run);
}

int swebench_find_issue(uint32_t *out, struct swebench *s, const char *id)
{
    size_t issue = id_table_find(&s->b.contexts.ids, id);
    if (issue == SIZE_MAX) {
        s->report.no_issue++;
        if (s->missing_issue[0] == '\0') {
            importer_remember(s->missing_issue, sizeof s->missing_issue, id);
        }
        return 0;
    }
    *out = (uint32_t)issue;
    return 1;
}

/* Finds out whether the record at hand is asked for; *wanted is 0 if not, which is counted. */
static int ask_for(struct swebench *s, struct import_row *row, const struct swebench_table *t,
                   int *wanted)
{
    size_t length = 0, id_length = 0, agent_length = 0;
    const char *benchmark = swebench_field(t, SWEBENCH_BENCHMARK, &length);
    const char *id = swebench_field(t, SWEBENCH_INSTANCE, &id_length);
    const char *agent = swebench_field(t, SWEBENCH_AGENT, &agent_length);
    *wanted = 0;
    importer_remember(s->benchmarks, sizeof s->benchmarks, benchmark);
    if (s->options->benchmark != NULL && strcmp(s->options->benchmark, benchmark) != 0) {
        s->report.other_benchmark++;
        return REGRET_OK;
    }
    if (strlen(id) != id_length || strlen(agent) != agent_length) {
        return regret_fail(REGRET_E_INPUT, "instance_id or agent holds a zero byte; remove it");
    }
    TRY(pool_check_id("instance_id", id));
    TRY(pool_check_id("agent", agent));
    if (!swebench_is_wanted(s->options, agent)) {
        s->report.other_agent++;
        importer_remember(s->other_agents, sizeof s->other_agents, agent);
        return REGRET_OK;
    }
    *wanted = swebench_find_issue(&row->context, s, id);
    return REGRET_OK;
}

/* All of a row but its run; *wanted as ask_for() has it. Messages do not say where. */
static int judge(struct swebench *s, struct import_row *row, const struct swebench_table *t,
                 size_t n_fields, int *wanted)
{
    size_t length = 0;
    if (n_fields != t->n_columns) {
        return regret_fail(REGRET_E_INPUT, "has %zu fields where the header has %zu", n_fields,
                           t->n_columns);
    }
    TRY(ask_for(s, row, t, wanted));
    if (*wanted) {
        TRY(read_verdict(row, t));
        swebench_field(t, SWEBENCH_PATCH, &length);
        row->weak = length == 0;
    }
    return REGRET_OK;
}

static int read_row(struct swebench *s, const struct swebench_table *t, size_t n_fields)
{
    struct import_register *runs = &s->b.agents;
    struct regret_place at = {s->path, regret_csv_line(t->csv)};
    struct import_row row = {.number = at.line};
    size_t length = 0;
    int wanted = 0;
    int rc = judge(s, &row, t, n_fields, &wanted);
    if (rc != REGRET_OK) {
        return regret_fail_prefix(rc, "%s:%zu", at.file, at.line);
    }
    if (!wanted) {
        return REGRET_OK;
    }
    const char *run = swebench_field(t, SWEBENCH_AGENT, &length);
    s->too_many_runs = runs->n == runs->most && id_table_find(&runs->ids, run) == SIZE_MAX;
    TRY(import_enter(&row.agent, runs, run, at.line, at));
    return import_add_row(&s->b, &row);
}

/* The next row, *more = 0 at the end; a bad one may be skipped. */
static int next_row(struct swebench *s, const struct swebench_table *t, int *more)
{
    size_t n = 0;
    int rc = regret_csv_next(t->csv, &n);
    *more = rc != REGRET_OK || n > 0;
    if (!*more) {
        return REGRET_OK;
    }
    s->report.rows++;
    if (rc != REGRET_OK && regret_csv_is_over(t->csv)) {
        return rc;
    }
    rc = rc != REGRET_OK ? rc : read_row(s, t, n);
    return s->too_many_runs ? rc : import_skip_row(&s->bad, rc);
}

int swebench_read_rows(struct swebench *s)
{
    struct swebench_table t;
    int more = 1, rc = REGRET_OK;
    TRY(swebench_table_open(&t, s->path));
    while (more) {
        TRY_CLEANUP(next_row(s, &t, &more));
    }
cleanup:
    s->report.bad = s->bad.n;
    swebench_table_close(&t);
    return rc;
}

/* Which of the rows become outputs: duplicates, groups, coverage. */

/* Splits "AGENT=PATTERN"; the pattern is what follows the first equals sign. */
static int split_group(const char *group, char id[REGRET_POOL_MAX_ID + 1], const char **pattern)
{
    const char *equals = strchr(group, '=');
    if (equals == NULL || equals == group || equals[1] == '\0' ||
        equals - group > REGRET_POOL_MAX_ID) {
        return regret_fail(REGRET_E_INPUT, "group \"%.60s\": write AGENT=PATTERN", group);
    }
    *pattern = equals + 1;
    memcpy(id, group, (size_t)(equals - group));
    id[equals - group] = '\0';
    return pool_check_id("group", id);
}

int swebench_check_options(const struct regret_swebench_options *o)
{
    if (!(o->agent_coverage >= 0.0 && o->agent_coverage <= 1.0) ||
        !(o->issue_coverage >= 0.0 && o->issue_coverage <= 1.0)) {
        return regret_fail(REGRET_E_INPUT, "a least coverage is a share from 0 to 1");
    }
    if (o->max_patch == 0) {
        return regret_fail(REGRET_E_INPUT, "max_patch must be at least 1 byte");
    }
    for (size_t g = 0; g < o->n_groups; g++) {
        char id[REGRET_POOL_MAX_ID + 1];
        const char *pattern = NULL;
        TRY(split_group(o->groups[g], id, &pattern));
    }
    return REGRET_OK;
}

static int refuse_duplicate(const struct import_repeat *repeat, const char *path)
{
    (void)path; /* the caller puts it before every message */
    return regret_fail(REGRET_E_INPUT,
                       "line %zu: agent \"%s\" has a row for issue \"%s\" before, on line %zu; "
                       "remove one or choose the first or the last",
                       repeat->second, repeat->agent, repeat->context, repeat->first);
}

/* Of the rows of a run for an issue one counts. Runs come in natural order, so that draws follow it. */
static int drop_duplicates(struct swebench *s)
{
    static const enum regret_repeats RULES[] = {[REGRET_DUPLICATES_FIRST] = REGRET_REPEATS_FIRST,
                                                [REGRET_DUPLICATES_LAST] = REGRET_REPEATS_LAST,
                                                [REGRET_DUPLICATES_REFUSE] = REGRET_REPEATS_REFUSE};
    TRY(import_rank_agents(&s->b));
    TRY(import_settle_repeats(&s->b, RULES[s->options->duplicates], refuse_duplicate, NULL));
    for (size_t i = 0; i < s->b.n_rows; i++) {
        s->report.duplicates += !s->b.rows[i].kept;
    }
    return REGRET_OK;
}

/* A group that no run matches is a slip of the pen: its runs would go on as agents of their own. */
static int check_group(const struct swebench *s, const char *group)
{
    const char *pattern = strchr(group, '=') + 1; /* swebench_check_options() saw to it */
    char names[200] = "";
    size_t used = 0;
    for (size_t r = 0; r < s->runs.n; r++) {
        const char *run = s->runs.entry[r].id;
        if (fnmatch(pattern, run, 0) == 0) {
            return REGRET_OK;
        }
        if (used + strlen(run) + 3 < sizeof names) {
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%s",
                                     used > 0 ? ", " : "", run);
        }
    }
    return s->runs.n == 0
               ? REGRET_OK
               : regret_fail(REGRET_E_INPUT, "group \"%.120s\" matches no run; there are: %s",
                             group, names);
}

/* The agent of a run: that of the first group whose pattern it matches, or one of its own. */
static int enter_agent(uint32_t *agent, struct swebench *s, const struct import_entry *run)
{
    const char *name = run->id;
    char id[REGRET_POOL_MAX_ID + 1];
    for (size_t g = 0; g < s->options->n_groups && name == run->id; g++) {
        const char *pattern = NULL;
        TRY(split_group(s->options->groups[g], id, &pattern));
        name = fnmatch(pattern, run->id, 0) == 0 ? id : name;
    }
    return import_enter(agent, &s->b.agents, name, run->number,
                        (struct regret_place){s->path, run->number});
}

/* What was read as agents are runs; groups of them become the agents. */
static int group_runs(struct swebench *s)
{
    FREED uint32_t *agent = NULL; /* of each run */
    s->runs = s->b.agents;
    s->b.agents.entry = NULL;
    s->b.agents.n = s->b.agents.capacity = 0;
    s->b.agents.ids = (struct id_table){NULL, 0, 0};
    for (size_t g = 0; g < s->options->n_groups; g++) {
        TRY(check_group(s, s->options->groups[g]));
    }
    TRY(REGRET_NEW(&agent, s->runs.n));
    for (size_t r = 0; r < s->runs.n; r++) {
        TRY(enter_agent(&agent[r], s, &s->runs.entry[r]));
    }
    for (size_t i = 0; i < s->b.n_rows; i++) {
        struct import_row *row = &s->b.rows[i];
        row->run = row->agent;
        row->agent = agent[row->run];
    }
    return REGRET_OK;
}

/* Issues of each agent and agents of each issue among the rows kept. */
struct coverage {
    size_t *issues, *agents;   /* of each agent, of each issue; owned */
    uint32_t *last;            /* issue + 1 an agent was last met with; owned */
    size_t n_issues, n_agents; /* with any row */
};

FREED_FIELDS(coverage, of->issues, of->agents, of->last)

static void measure_coverage(struct coverage *c, const struct import_builder *b)
{
    memset(c->issues, 0, b->agents.n * sizeof *c->issues);
    memset(c->agents, 0, b->contexts.n * sizeof *c->agents);
    memset(c->last, 0, b->agents.n * sizeof *c->last);
    c->n_issues = c->n_agents = 0;
    for (size_t i = 0; i < b->n_rows; i++) {
        const struct import_row *row = &b->rows[i];
        if (row->kept && c->last[row->agent] != row->context + 1) {
            c->last[row->agent] = row->context + 1;
            c->n_issues += c->agents[row->context]++ == 0;
            c->n_agents += c->issues[row->agent]++ == 0;
        }
    }
}

static void drop_thin_agents(struct swebench *s, struct coverage *c)
{
    measure_coverage(c, &s->b);
    double least = s->options->agent_coverage * (double)c->n_issues;
    for (size_t a = 0; a < s->b.agents.n; a++) {
        s->report.thin_agents += (double)c->issues[a] < least;
    }
    for (size_t i = 0; i < s->b.n_rows; i++) {
        struct import_row *row = &s->b.rows[i];
        if (row->kept && (double)c->issues[row->agent] < least) {
            row->kept = 0;
            s->report.thin++;
        }
    }
}

static void drop_thin_issues(struct swebench *s, struct coverage *c)
{
    measure_coverage(c, &s->b);
    double least = s->options->issue_coverage * (double)c->n_agents;
    for (size_t x = 0; x < s->b.contexts.n; x++) {
        s->report.thin_issues += c->agents[x] > 0 && (double)c->agents[x] < least;
    }
    for (size_t i = 0; i < s->b.n_rows; i++) {
        struct import_row *row = &s->b.rows[i];
        if (row->kept && (double)c->agents[row->context] < least) {
            row->kept = 0;
            s->report.thin++;
        }
    }
}

static int apply_coverage(struct swebench *s)
{
    FREED_BY(coverage_fields) struct coverage c = {NULL, NULL, NULL, 0, 0};
    TRY(REGRET_NEW(&c.issues, s->b.agents.n));
    TRY(REGRET_NEW(&c.agents, s->b.contexts.n));
    TRY(REGRET_NEW(&c.last, s->b.agents.n));
    drop_thin_agents(s, &c);
    drop_thin_issues(s, &c);
    return REGRET_OK;
}

/* The outputs there will be, and the runs they are of. */
static int count_outputs(struct swebench *s)
{
    unsigned char *has_row = NULL;
    TRY(REGRET_NEW(&has_row, s->runs.n));
    for (size_t i = 0; i < s->b.n_rows; i++) {
        const struct import_row *row = &s->b.rows[i];
        if (row->kept) {
            s->report.outputs++;
            s->report.runs += !has_row[row->run];
            has_row[row->run] = 1;
        }
    }
    regret_free(has_row);
    return REGRET_OK;
}

/* Why no row is left, where there is one reason, with the way out. */
static int nothing_left(const struct swebench *s)
{
    const struct regret_swebench_report *r = &s->report;
    size_t left = r->rows - r->bad;
    if (r->rows == 0) {
        return regret_fail(REGRET_E_INPUT, "has a header and no rows; give the whole table");
    }
    if (left == 0) {
        return regret_fail(REGRET_E_INPUT,
                           "all %zu rows are bad; without --skip-bad the first says why", r->rows);
    }
    if (r->other_benchmark == left) {
        return s->benchmarks[0] != '\0'
                   ? regret_fail(REGRET_E_INPUT, "no row is of benchmark \"%.40s\"; there are: %s",
                                 s->options->benchmark, s->benchmarks)
                   : regret_fail(REGRET_E_INPUT,
                                 "no row says which benchmark it is of; leave --benchmark out");
    }
    if (r->other_benchmark + r->other_agent == left) {
        return regret_fail(REGRET_E_INPUT, "no run matches an agent pattern; there are: %s",
                           s->other_agents);
    }
    if (r->other_benchmark + r->other_agent + r->no_issue == left) {
        return regret_fail(REGRET_E_INPUT,
                           "no row's issue is in the issues file, among them \"%s\"; give the "
                           "issues of the same benchmark",
                           s->missing_issue);
    }
    return regret_fail(REGRET_E_INPUT,
                       "of %zu rows none is left: %zu bad, %zu of other benchmarks, %zu of other "
                       "agents, %zu without their issue, %zu below the least coverage; ask for "
                       "less coverage",
                       r->rows, r->bad, r->other_benchmark, r->other_agent, r->no_issue, r->thin);
}

int swebench_select(struct swebench *s)
{
    TRY(drop_duplicates(s));
    TRY(group_runs(s));
    TRY(apply_coverage(s));
    TRY(import_number_draws(&s->b));
    TRY(count_outputs(s));
    return s->report.outputs > 0 ? REGRET_OK : nothing_left(s);
}
