/* Which of the rows become outputs: duplicates, groups, coverage. */
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "base/core/try.h"
#include "import/swebench/swebench.h"
#include "pool/files/check.h"
#include "regret/alloc.h"

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
