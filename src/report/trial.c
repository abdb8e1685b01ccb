/* The table of a trial. */
#include <math.h>
#include <stdio.h>

#include "regret/report.h"
#include "report/table.h"

enum { DECIMALS = 4, PERCENT_DECIMALS = 1 };

/* A plan on the scale of the outcomes as they were given. */
struct shown {
    const struct regret_trial_plan *plan;
    const struct regret_log *log;
    double scale;
};

static const char *agent_name(const struct shown *s, size_t a)
{
    return s->log->agent[s->plan->agent[a].agent];
}

static void put_agents(struct table *t, const struct shown *s)
{
    const struct regret_trial_plan *p = s->plan;
    table_block(t, "Agents, and their shares of %zu rows in %%", p->n);
    TABLE_HEADS(t, "Agent", "Pilot rows", "Mean ± SE", "Drawn to the others", "Deviation",
                "to be safe", "from");
    for (size_t k = 0; k < REGRET_TRIAL_ALLOCATIONS; k++) {
        table_column(t, "%s", regret_trial_allocation_name(k));
    }
    for (size_t a = 0; a < p->n_agents; a++) {
        const struct regret_trial_agent *agent = &p->agent[a];
        table_row(t, "%s%s", agent_name(s, a), a == p->incumbent ? " (incumbent)" : "");
        table_number(t, (double)agent->rows, 0);
        table_estimate(t, s->log->low + s->scale * agent->mean, s->scale * agent->se, DECIMALS);
        table_number(t, s->log->low + s->scale * agent->posterior_mean, DECIMALS);
        table_number(t, s->scale * agent->deviation, DECIMALS);
        table_number(t, s->scale * agent->safe, DECIMALS);
        table_text(t, "%s", regret_trial_basis_name(agent->basis));
        for (size_t k = 0; k < REGRET_TRIAL_ALLOCATIONS; k++) {
            table_number(t, 100.0 * p->share[k][a], PERCENT_DECIMALS);
        }
    }
}

/* All of an allocation, for programs. */
static void put_widths(struct table *t, const struct shown *s, size_t which)
{
    const struct regret_trial_plan *p = s->plan;
    table_block(t, "By rows, %s", regret_trial_allocation_name(which));
    table_block_readers(t, TABLE_FOR_DATA);
    TABLE_HEADS(t, "Rows", "Value ±", "Difference ±", "all together ±", "to be safe ±",
                "Detectable (80 %)");
    for (size_t i = 0; i < p->n_grid; i++) {
        const struct regret_trial_width *w = &p->width[which][i];
        const double numbers[] = {w->value, w->difference, w->simultaneous, w->safe, w->detectable};
        table_row(t, "%zu", w->n);
        for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
            table_number(t, s->scale * numbers[k], DECIMALS);
        }
    }
}

/* What people are to see of them. */
static void put_rows(struct table *t, const struct shown *s)
{
    const struct regret_trial_plan *p = s->plan;
    table_block(t, "By rows; uniform where nothing else is said");
    table_block_readers(t, TABLE_FOR_PEOPLE);
    TABLE_HEADS(t, "Rows", "Value ±", "Difference ±", "All differences ±", "the same, Neyman ±",
                "Neyman, to be safe ±", "Neyman, detectable (80 %)");
    for (size_t i = 0; i < p->n_grid; i++) {
        const struct regret_trial_width *u = &p->width[REGRET_TRIAL_UNIFORM][i];
        const struct regret_trial_width *n = &p->width[REGRET_TRIAL_NEYMAN_DIFFERENCES][i];
        const double numbers[] = {u->value,        u->difference, u->simultaneous,
                                  n->simultaneous, n->safe,       n->detectable};
        table_row(t, u->n == p->n ? "%zu (planned)" : "%zu", u->n);
        for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
            table_number(t, s->scale * numbers[k], DECIMALS);
        }
    }
}

/* One line of needs: rows by allocation. */
static void put_need(struct table *t, const char *what, const size_t *needed)
{
    table_row(t, "%s", what);
    for (size_t k = 0; k < REGRET_TRIAL_ALLOCATIONS; k++) {
        table_number(t, needed[k] > 0 ? (double)needed[k] : NAN, 0);
    }
}

static void put_needs(struct table *t, const struct shown *s)
{
    const struct regret_trial_plan *p = s->plan;
    char what[160];
    table_block(t, "Rows that are needed");
    table_column(t, "For");
    for (size_t k = 0; k < REGRET_TRIAL_ALLOCATIONS; k++) {
        table_column(t, "%s", regret_trial_allocation_name(k));
    }
    if (!isnan(p->half_width)) {
        snprintf(what, sizeof what, "all differences ± %g", s->scale * p->half_width);
        put_need(t, what, p->for_width);
        put_need(t, "the same, to be safe", p->for_width_safe);
    }
    snprintf(what, sizeof what, "finding %.40s against %.40s (80 %%)", agent_name(s, p->best),
             agent_name(s, p->incumbent));
    put_need(t, what, p->for_best);
    put_need(t, "the same, to be safe", p->for_best_safe);
}

static void note_pilot(struct table *t, const struct shown *s)
{
    const struct regret_trial_plan *p = s->plan;
    if (p->pilot_rows > 0 && s->log->rows[REGRET_LOG_EXP].offer != NULL) {
        table_note(t,
                   "Not every agent is on every slate: a mean is that of %s and the difference to "
                   "it where both were on offer. `recommend` has each agent's on its own rows.",
                   agent_name(s, p->incumbent));
    }
    if (p->pilot_rows > 0) {
        table_note(
            t,
            "The pilot: %zu rows in %zu clusters. \"To be safe\": deviations at the upper end of "
            "their one-sided 80 %% interval.",
            p->pilot_rows, p->pilot_clusters);
    } else if (p->agent[0].basis == REGRET_TRIAL_FROM_LOG) {
        table_note(
            t, "No pilot: deviations, and how much agents may differ, are those of the log; who "
               "is better is not taken from it.");
    } else {
        table_note(
            t, "No pilot and no log: the worst deviation that outcomes of this scale can have.");
    }
}

static void note_withdrawn(struct table *t, const struct shown *s)
{
    for (size_t a = 0; s->log->withdrawn != NULL && a < s->log->n_agents; a++) {
        if (s->log->withdrawn[a]) {
            table_note(t, "%s is on no slate any more: it takes part where --agent names it alone.",
                       s->log->agent[a]);
        }
    }
}

static void note_meaning(struct table *t, const struct shown *s)
{
    const double heavy = 5.0;
    const struct regret_trial_plan *p = s->plan;
    table_note(
        t,
        "Half-widths at %g %%, of the widest agent or difference to %s, of the trial without the "
        "pilot, means within tags alone; a model that explains outcomes makes them narrower. All "
        "together: Bonferroni. Detectable: power 80 %% of the test that `recommend` makes, of all "
        "differences together. Look once, when all rows are in.%s",
        100.0 * p->level, agent_name(s, p->incumbent),
        p->tail > heavy
            ? " Outcomes of the pilot have a long tail: their deviation is known by few rows, so "
              "that more rows may be needed (\"to be safe\")."
            : "");
}

static void put_plan(struct table *t, const struct shown *s, const char *config)
{
    table_begin(t, "trial", "What a trial can show (%s)", config);
    put_agents(t, s);
    put_rows(t, s);
    for (size_t k = 0; k < REGRET_TRIAL_ALLOCATIONS; k++) {
        put_widths(t, s, k);
    }
    put_needs(t, s);
    note_withdrawn(t, s);
    note_pilot(t, s);
    note_meaning(t, s);
}

int regret_report_trial_plan(struct regret_buffer *out, const struct regret_trial_plan *plan,
                             const struct regret_log *log, const char *config,
                             enum regret_format format)
{
    const struct shown s = {plan, log, log->high - log->low};
    struct table t = {0};
    put_plan(&t, &s, config);
    return render_made(out, &t, REGRET_OK, format);
}
