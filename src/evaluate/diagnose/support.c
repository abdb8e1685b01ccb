/* Does the trial reach every agent, with how many rows in effect? */
#include <math.h>
#include <string.h>

#include "base/core/try.h"
#include "evaluate/clusters/cells.h"
#include "evaluate/diagnose/findings.h"
#include "regret/alloc.h"

/* Rows that a cell is to have by chance before having none of them is no accident (e^-20). */
static const double surely = 20.0;
/* Kish's number of rows over rows, and the weight of one row, that are told. */
static const double few_in_effect = 0.25, heavy_row = 0.2;
enum { FEW_ROWS = 10 };

/* Agents of which `is_named` says so, at most five by name. */
static void say_agents(struct regret_buffer *text, const struct regret_log *log,
                       const struct cells *c, size_t n_missing)
{
    size_t told = 0;
    for (size_t a = 0; a < log->n_agents && told < 5; a++) {
        if (c->at[a].rows[REGRET_LOG_EXP] == 0) {
            regret_buffer_append(text, told++ > 0 ? ", " : "");
            say_agent(text, log, a);
        }
    }
    if (n_missing > told) {
        regret_buffer_printf(text, " and %zu more", n_missing - told);
    }
}

static void tell_agents(struct findings *f, const struct regret_log *log, const struct cells *c)
{
    struct finding *found = findings_add(f, "support", "agents without EXP rows");
    size_t missing = 0, least = SIZE_MAX, fewest = 0;
    for (size_t a = 0; a < log->n_agents; a++) {
        size_t n = c->at[a].rows[REGRET_LOG_EXP];
        missing += n == 0;
        if (n > 0 && n < least) {
            least = n;
            fewest = a;
        }
    }
    found->value = (double)missing;
    found->verdict = log->n_agents - missing < 2 ? REGRET_DIAGNOSTIC_NO
                     : missing > 0               ? REGRET_DIAGNOSTIC_CAUTION
                                                 : REGRET_DIAGNOSTIC_FINE;
    regret_buffer_printf(&found->fine, "All %zu agents have EXP rows, the fewest ", log->n_agents);
    say_agent(&found->fine, log, fewest);
    regret_buffer_printf(&found->fine, ", %zu.", least);
    regret_buffer_printf(&found->found, "%zu of %zu agents have no EXP rows: ", missing,
                         log->n_agents);
    say_agents(&found->found, log, c, missing);
    regret_buffer_append(&found->found, ". What they are worth rests on the log alone: assign them "
                                        "in the trial, or leave them out of the choice.");
}

/* The agent and tag of which the most rows were to be expected among those without any; their number. */
static size_t find_hole(size_t *at, double *expected, const struct cells *by_tag,
                        enum regret_log_source source)
{
    size_t n_tags = by_tag->n_tags, n_agents = by_tag->log->n_agents, holes = 0;
    double n = (double)by_tag->log->rows[source].n;
    *expected = 0.0;
    for (size_t a = 0; a < n_agents; a++) {
        double of_agent = 0.0;
        for (size_t t = 0; t < n_tags; t++) {
            of_agent += (double)by_tag->at[a * n_tags + t].rows[source];
        }
        for (size_t t = 0; t < n_tags; t++) {
            double of_tag = 0.0;
            if (of_agent == 0.0 || by_tag->at[a * n_tags + t].rows[source] > 0) {
                continue;
            }
            for (size_t b = 0; b < n_agents; b++) {
                of_tag += (double)by_tag->at[b * n_tags + t].rows[source];
            }
            double by_chance = of_agent * of_tag / n;
            holes += by_chance >= surely;
            if (by_chance > *expected) {
                *expected = by_chance;
                *at = a * n_tags + t;
            }
        }
    }
    return holes;
}

static void tell_tags(struct findings *f, const struct regret_log *log, const struct cells *by_tag,
                      enum regret_log_source source)
{
    int is_exp = source == REGRET_LOG_EXP;
    const char *name = is_exp ? "EXP" : "OBS";
    size_t at = 0;
    double expected;
    struct finding *found =
        findings_add(f, is_exp ? "support.tag" : "overlap.tag",
                     "agents and tags without rows where chance would give 20 or more");
    size_t holes = find_hole(&at, &expected, by_tag, source);
    found->value = (double)holes;
    found->verdict = holes == 0 ? REGRET_DIAGNOSTIC_FINE
                     : is_exp   ? REGRET_DIAGNOSTIC_NO
                                : REGRET_DIAGNOSTIC_CAUTION;
    regret_buffer_printf(
        &found->fine,
        "No agent is missing from %s on a tag where chance would give it 20 rows or more.", name);
    regret_buffer_printf(&found->found, "%zu agent%s missing from %s on a tag, the clearest ",
                         holes, holes == 1 ? " is" : "s are", name);
    say_agent(&found->found, log, at / by_tag->n_tags);
    regret_buffer_append(&found->found, " on ");
    say_tag(&found->found, log, at % by_tag->n_tags);
    regret_buffer_printf(&found->found,
                         ", where chance would give %.0f rows. Nothing is known of it there: leave "
                         "it out for that tag.",
                         expected);
}

/* 1 for the first of the holes at one place. */
static int is_first_there(const struct regret_log *log, size_t k)
{
    size_t first = 0;
    while (strcmp(log->hole[first].where, log->hole[k].where) != 0) {
        first++;
    }
    return first == k;
}

/* "a, b and 3 more where kind = easy (739 of 1500 requests)": all agents that are missing at the place of a hole. */
static void say_hole(struct regret_buffer *text, const struct regret_log *log, size_t k, size_t n)
{
    enum { FEW = 3 };
    size_t agents = 0;
    for (size_t h = k; h < log->n_holes; h++) {
        if (strcmp(log->hole[h].where, log->hole[k].where) == 0 && agents++ < FEW) {
            regret_buffer_append(text, agents > 1 ? ", " : "");
            say_agent(text, log, log->hole[h].agent);
        }
    }
    regret_buffer_printf(text, agents > FEW ? " and %zu more where " : " where ", agents - FEW);
    regret_buffer_append_safe(text, log->hole[k].where, 80);
    regret_buffer_printf(text, " (%zu of %zu requests", log->hole[k].rows, n);
    regret_buffer_printf(text, log->hole[k].own > 0 ? ", %zu its own)" : ")", log->hole[k].own);
}

/* Where a log alone has agents never: the largest such kinds. */
static void tell_holes(struct findings *f, const struct regret_log *log)
{
    enum { TOLD = 3 };
    size_t n = log->n_drawn > 0 ? log->n_drawn : log->rows[REGRET_LOG_OBS].n, places = 0;
    struct finding *found = findings_add(
        f, "overlap", "kinds of requests on which an agent has no rows, or hardly any");
    found->verdict = REGRET_DIAGNOSTIC_NO;
    regret_buffer_append(&found->fine, "The log never gave agents some kinds of requests, and does "
                                       "not say what they are worth there: ");
    for (size_t k = 0; k < log->n_holes; k++) {
        int is_first = is_first_there(log, k);
        places += (size_t)is_first;
        if (is_first && places <= TOLD) {
            regret_buffer_append(&found->fine, places > 1 ? "; " : "");
            say_hole(&found->fine, log, k, n);
        }
    }
    found->value = (double)places;
    if (places > TOLD) {
        regret_buffer_printf(&found->fine, "; and %zu more", places - TOLD);
    }
    regret_buffer_append(&found->fine, ". No value over all requests is told of them; differences "
                                       "are of kinds that both have had. Assign a few of the "
                                       "others at random.");
}

static void tell_weights(struct findings *f, const struct regret_log *log, const struct cells *c,
                         const double *largest, enum regret_log_source source)
{
    int is_exp = source == REGRET_LOG_EXP;
    size_t worst = log->n_agents, heavy = 0;
    double share = 2.0;
    for (size_t a = 0; a < log->n_agents; a++) {
        double n = (double)c->at[a].rows[source];
        double ratio = n > 0.0 ? cell_effective_rows(&c->at[a], source) / n : 2.0;
        heavy = largest[a] > largest[heavy] ? a : heavy;
        if (ratio < share) {
            share = ratio;
            worst = a;
        }
    }
    if (worst == log->n_agents) {
        return;
    }
    const struct cell *cell = &c->at[worst];
    struct finding *found = findings_add(
        f, is_exp ? "weights" : "overlap",
        "effective share of an agent's rows, the least, after weighting by 1/probability");
    int is_heavy = largest[heavy] > heavy_row && c->at[heavy].rows[source] >= FEW_ROWS;
    found->value = share;
    found->verdict = largest[heavy] > 0.5 && is_heavy    ? REGRET_DIAGNOSTIC_NO
                     : share < few_in_effect || is_heavy ? REGRET_DIAGNOSTIC_CAUTION
                                                         : REGRET_DIAGNOSTIC_FINE;
    say_agent(&found->fine, log, worst);
    regret_buffer_printf(&found->fine,
                         " has %zu %s rows that count as %.1f after weighting by 1/probability "
                         "(%.0f %%), no agent fewer; the "
                         "heaviest row makes %.1f %% of its agent, ",
                         cell->rows[source], is_exp ? "EXP" : "OBS",
                         cell_effective_rows(cell, source), 100.0 * share, 100.0 * largest[heavy]);
    say_agent(&found->fine, log, heavy);
    regret_buffer_append(
        &found->fine,
        found->verdict == REGRET_DIAGNOSTIC_FINE
            ? "."
            : ". Few rows decide: look whether these probabilities are right, and do not assign "
              "with smaller ones.");
}

/* The share of its agent's weight that the heaviest row has. */
static void find_heaviest(double *largest, const struct cells *c, enum regret_log_source source)
{
    for (size_t i = 0; i < c->log->rows[source].n; i++) {
        size_t a = c->log->rows[source].agent[i];
        largest[a] = fmax(largest[a], cell_weight(c, source, i) / c->at[a].weight[source]);
    }
}

static void ask_source(struct findings *f, const struct regret_log *log, const struct cells *c,
                       const struct cells *by_tag, double *largest, enum regret_log_source source)
{
    if (source == REGRET_LOG_EXP) {
        tell_agents(f, log, c);
    }
    if (log->n_holes > 0) {
        tell_holes(f, log);
    } else if (by_tag->n_tags > 1) {
        tell_tags(f, log, by_tag, source);
    }
    if (log->rows[source].propensity) {
        find_heaviest(largest, c, source);
        tell_weights(f, log, c, largest, source);
    }
}

int ask_support(struct findings *f, const struct asked *a)
{
    const struct regret_log *log = a->log;
    enum regret_log_source source = a->has[REGRET_LOG_EXP] ? REGRET_LOG_EXP : REGRET_LOG_OBS;
    int has_tags = log->tag && log->n_tags > 1 && log->n_agents * log->n_tags <= 1 << 20;
    FREED_BY(cells_free) struct cells agents = {0};
    FREED_BY(cells_free) struct cells by_tag = {0};
    FREED double *largest = NULL;
    TRY(cells_build(&agents, log, 0, 1));
    TRY(cells_build(&by_tag, log, has_tags, 1));
    TRY(REGRET_NEW(&largest, log->n_agents));
    ask_source(f, log, &agents, &by_tag, largest, source);
    return REGRET_OK;
}
