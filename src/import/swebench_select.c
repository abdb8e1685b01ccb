/* Which of the rows become outputs: duplicates, groups, coverage. */
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pool/check.h"
#include "import/import_swebench.h"
#include "import/natural_order.h"
#include "regret/alloc.h"

static int by_issue_and_run(const void *left, const void *right)
{
    const struct swebench_row *a = left, *b = right;
    if (a->issue != b->issue) {
        return a->issue < b->issue ? -1 : 1;
    }
    if (a->run != b->run) {
        return a->run < b->run ? -1 : 1;
    }
    return (a->line > b->line) - (a->line < b->line);
}

static int by_line(const void *left, const void *right)
{
    const struct swebench_row *a = left, *b = right;
    return (a->line > b->line) - (a->line < b->line);
}

/* Runs get numbers in natural order of their names, so that draws follow it. */
static int sort_runs(struct swebench *s)
{
    const char **sorted = NULL;
    struct id_table ranks = {NULL, 0};
    int rc = REGRET_NEW(&sorted, s->n_runs);
    if (rc == REGRET_OK) {
        rc = id_table_init(&ranks, s->n_runs);
    }
    if (rc == REGRET_OK && s->n_runs > 0) {
        for (size_t r = 0; r < s->n_runs; r++) {
            sorted[r] = s->runs[r];
        }
        qsort(sorted, s->n_runs, sizeof *sorted, natural_order);
        for (size_t r = 0; r < s->n_runs; r++) {
            id_table_put(&ranks, sorted[r], r);
        }
        for (size_t i = 0; i < s->n_rows; i++) {
            s->rows[i].run = (uint32_t)id_table_find(&ranks, s->runs[s->rows[i].run]);
        }
        memcpy(s->runs, sorted, s->n_runs * sizeof *sorted);
    }
    regret_free(sorted);
    id_table_free(&ranks);
    return rc;
}

/* Keeps one of the rows [from, to) of the same issue and run, which are in the order of lines. */
static int keep_one(struct swebench *s, size_t from, size_t to)
{
    int last = s->options->duplicates == REGRET_DUPLICATES_LAST;
    if (to - from > 1 && s->options->duplicates == REGRET_DUPLICATES_REFUSE) {
        return regret_fail(REGRET_E_INPUT,
                           "line %zu: agent \"%s\" has a row for issue \"%s\" before, on line %zu; "
                           "remove one or choose the first or the last",
                           s->rows[from + 1].line, s->runs[s->rows[from].run],
                           s->issues[s->rows[from].issue].id, s->rows[from].line);
    }
    size_t best = last ? to - 1 : from;
    for (size_t k = 0; k < to - from && !s->rows[best].has_patch; k++) {
        size_t i = last ? to - 1 - k : from + k;
        best = s->rows[i].has_patch ? i : best;
    }
    s->rows[best].kept = 1;
    s->report.duplicates += to - from - 1;
    return REGRET_OK;
}

static int drop_duplicates(struct swebench *s)
{
    int rc = REGRET_OK;
    if (s->n_rows > 0) {
        qsort(s->rows, s->n_rows, sizeof *s->rows, by_issue_and_run);
    }
    for (size_t i = 0, next; rc == REGRET_OK && i < s->n_rows; i = next) {
        for (next = i + 1; next < s->n_rows && s->rows[next].issue == s->rows[i].issue &&
                           s->rows[next].run == s->rows[i].run;) {
            next++;
        }
        rc = keep_one(s, i, next);
    }
    return rc;
}

/* Splits "AGENT=PATTERN"; the pattern is what follows the first equals sign. */
static int split_group(const char *group, struct regret_slice *id, const char **pattern)
{
    const char *equals = strchr(group, '=');
    char copy[REGRET_POOL_MAX_ID + 1];
    if (equals == NULL || equals == group || equals[1] == '\0' ||
        equals - group > REGRET_POOL_MAX_ID) {
        return regret_fail(REGRET_E_INPUT, "group \"%.60s\": write AGENT=PATTERN", group);
    }
    *id = (struct regret_slice){group, (size_t)(equals - group)};
    *pattern = equals + 1;
    memcpy(copy, group, id->length);
    copy[id->length] = '\0';
    return pool_check_id("group", copy);
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
    int rc = REGRET_OK;
    for (size_t g = 0; rc == REGRET_OK && g < o->n_groups; g++) {
        struct regret_slice id;
        const char *pattern = NULL;
        rc = split_group(o->groups[g], &id, &pattern);
    }
    return rc;
}

/* The agent called so, a new one if there is none. */
static uint32_t agent_named(struct swebench *s, struct regret_slice id)
{
    size_t a = 0;
    while (a < s->n_agents && (s->agents[a].id.length != id.length ||
                               memcmp(s->agents[a].id.text, id.text, id.length) != 0)) {
        a++;
    }
    if (a == s->n_agents) {
        s->agents[s->n_agents++] = (struct swebench_agent){.id = id, .kept = 1};
    }
    return (uint32_t)a;
}

/* A group that no run matches is a slip of the pen: its runs would go on as agents of their own. */
static int check_group(const struct swebench *s, const char *group)
{
    struct regret_slice id;
    const char *pattern = NULL;
    char names[200] = "";
    size_t used = 0;
    int rc = split_group(group, &id, &pattern);
    for (size_t r = 0; rc == REGRET_OK && r < s->n_runs; r++) {
        if (fnmatch(pattern, s->runs[r], 0) == 0) {
            return REGRET_OK;
        }
        if (used + strlen(s->runs[r]) + 3 < sizeof names) {
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%s",
                                     used > 0 ? ", " : "", s->runs[r]);
        }
    }
    return rc != REGRET_OK || s->n_runs == 0
               ? rc
               : regret_fail(REGRET_E_INPUT, "group \"%.120s\" matches no run; there are: %s",
                             group, names);
}

/* The name a run goes under: that of the first group whose pattern it matches, or its own. */
static int name_of_run(struct regret_slice *out, const struct swebench *s, size_t run)
{
    struct regret_slice id = {s->runs[run], strlen(s->runs[run])}, group = id;
    int rc = REGRET_OK, found = 0;
    for (size_t g = 0; rc == REGRET_OK && !found && g < s->options->n_groups; g++) {
        const char *pattern = NULL;
        rc = split_group(s->options->groups[g], &group, &pattern);
        found = rc == REGRET_OK && fnmatch(pattern, s->runs[run], 0) == 0;
    }
    *out = found ? group : id;
    return rc;
}

static int group_runs(struct swebench *s)
{
    struct regret_slice id = {NULL, 0};
    int rc = REGRET_NEW(&s->agents, s->n_runs);
    if (rc == REGRET_OK) {
        rc = REGRET_NEW(&s->run_agent, s->n_runs);
    }
    for (size_t g = 0; rc == REGRET_OK && g < s->options->n_groups; g++) {
        rc = check_group(s, s->options->groups[g]);
    }
    for (size_t r = 0; rc == REGRET_OK && r < s->n_runs; r++) {
        rc = name_of_run(&id, s, r);
        s->run_agent[r] = rc == REGRET_OK ? agent_named(s, id) : 0;
    }
    for (size_t i = 0; rc == REGRET_OK && i < s->n_rows; i++) {
        s->rows[i].agent = s->run_agent[s->rows[i].run];
    }
    return rc;
}

/* Issues of each agent and agents of each issue among the rows kept. */
struct coverage {
    size_t *agents;     /* of each issue; owned */
    uint32_t *last;     /* issue + 1 an agent was last met with; owned */
    size_t issues;      /* with any row */
    size_t kept_agents; /* with any row */
};

static void measure_coverage(struct coverage *c, struct swebench *s)
{
    memset(c->agents, 0, s->n_issues * sizeof *c->agents);
    memset(c->last, 0, s->n_agents * sizeof *c->last);
    c->issues = c->kept_agents = 0;
    for (size_t a = 0; a < s->n_agents; a++) {
        s->agents[a].issues = 0;
    }
    for (size_t i = 0; i < s->n_rows; i++) {
        const struct swebench_row *row = &s->rows[i];
        if (!row->kept || c->last[row->agent] == row->issue + 1) {
            continue;
        }
        c->last[row->agent] = row->issue + 1;
        c->issues += c->agents[row->issue]++ == 0;
        c->kept_agents += s->agents[row->agent].issues++ == 0;
    }
}

static void drop_thin_agents(struct swebench *s, const struct coverage *c)
{
    double least = s->options->agent_coverage * (double)c->issues;
    for (size_t a = 0; a < s->n_agents; a++) {
        s->agents[a].kept = (double)s->agents[a].issues >= least;
        s->report.thin_agents += !s->agents[a].kept;
    }
    for (size_t i = 0; i < s->n_rows; i++) {
        if (s->rows[i].kept && !s->agents[s->rows[i].agent].kept) {
            s->rows[i].kept = 0;
            s->report.thin++;
        }
    }
}

static void drop_thin_issues(struct swebench *s, const struct coverage *c)
{
    double least = s->options->issue_coverage * (double)c->kept_agents;
    for (size_t x = 0; x < s->n_issues; x++) {
        s->report.thin_issues += c->agents[x] > 0 && (double)c->agents[x] < least;
    }
    for (size_t i = 0; i < s->n_rows; i++) {
        if (s->rows[i].kept && (double)c->agents[s->rows[i].issue] < least) {
            s->rows[i].kept = 0;
            s->report.thin++;
        }
    }
}

static int apply_coverage(struct swebench *s)
{
    struct coverage c = {NULL, NULL, 0, 0};
    int rc = REGRET_NEW(&c.agents, s->n_issues);
    if (rc == REGRET_OK) {
        rc = REGRET_NEW(&c.last, s->n_agents);
    }
    if (rc == REGRET_OK) {
        measure_coverage(&c, s);
        drop_thin_agents(s, &c);
        measure_coverage(&c, s);
        drop_thin_issues(s, &c);
        measure_coverage(&c, s);
        for (size_t a = 0; a < s->n_agents; a++) {
            s->agents[a].kept = s->agents[a].issues > 0;
            s->report.pairs += s->agents[a].issues;
        }
        s->report.contexts = c.issues;
        s->report.agents = c.kept_agents;
    }
    regret_free(c.agents);
    regret_free(c.last);
    return rc;
}

/* Draws of a pair in the order of its runs, and the runs that are left. Rows are sorted by issue
 * and run; `next` holds each agent's next draw of the issue at hand. */
static int number_draws(struct swebench *s)
{
    uint32_t *next = NULL;
    unsigned char *has_row = NULL;
    int rc = REGRET_NEW(&next, s->n_agents);
    if (rc == REGRET_OK) {
        rc = REGRET_NEW(&has_row, s->n_runs);
    }
    for (size_t i = 0; rc == REGRET_OK && i < s->n_rows; i++) {
        struct swebench_row *row = &s->rows[i];
        if (i > 0 && row->issue != row[-1].issue) {
            memset(next, 0, s->n_agents * sizeof *next);
        }
        if (row->kept) {
            row->draw = next[row->agent]++;
            s->report.runs += !has_row[row->run];
            has_row[row->run] = 1;
            s->report.outputs++;
        }
    }
    regret_free(next);
    regret_free(has_row);
    return rc;
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
    int rc = sort_runs(s);
    if (rc == REGRET_OK) {
        rc = drop_duplicates(s);
    }
    if (rc == REGRET_OK) {
        rc = group_runs(s);
    }
    if (rc == REGRET_OK) {
        rc = apply_coverage(s);
    }
    if (rc == REGRET_OK) {
        rc = number_draws(s);
    }
    if (rc == REGRET_OK && s->report.outputs == 0) {
        rc = nothing_left(s);
    }
    if (rc == REGRET_OK) {
        qsort(s->rows, s->n_rows, sizeof *s->rows, by_line);
    }
    return rc;
}
