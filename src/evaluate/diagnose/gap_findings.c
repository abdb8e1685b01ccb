/* How much the log lies, in words. */
#include <math.h>

#include "base/core/try.h"
#include "evaluate/diagnose/findings.h"
#include "evaluate/diagnose/gap_table.h"
#include "log/core/given.h"

/* Below this part of the outcome's range a gap is told, but is no "no": with millions of rows everything is significant. */
static const double material = 0.01;

/* The gap that stands out the most against chance, among gap[from..to), as it is or adjusted. */
static const struct regret_log_gap *clearest(const struct regret_log_gaps *g, size_t from,
                                             size_t to, int is_adjusted)
{
    const struct regret_log_gap *found = NULL;
    double most = -1.0;
    for (size_t i = from; i < to; i++) {
        const struct regret_log_gap *gap = &g->gap[i];
        double t = is_adjusted ? fabs(gap->adjusted) / gap->adjusted_error
                               : fabs(gap->difference) / gap->error;
        if (t > most) {
            most = t;
            found = gap;
        }
    }
    return found;
}

/* The largest difference that is not chance's at the simultaneous level, or 0. */
static double largest(const struct regret_log_gaps *g, size_t from, size_t to, int is_adjusted)
{
    double most = 0.0;
    for (size_t i = from; i < to; i++) {
        double d = fabs(is_adjusted ? g->gap[i].adjusted : g->gap[i].difference);
        double p = is_adjusted ? g->gap[i].adjusted_p : g->gap[i].p;
        most = p <= 0.05 && d > most ? d : most;
    }
    return most;
}

static size_t best(const struct regret_log_gaps *g, size_t n_agents, enum regret_log_source source)
{
    size_t top = n_agents;
    for (size_t a = 0; a < n_agents; a++) {
        double mean = g->gap[a].mean[source];
        if (!isnan(mean) && (top == n_agents || mean > g->gap[top].mean[source])) {
            top = a;
        }
    }
    return top;
}

static void say_gap(struct regret_buffer *text, const struct regret_log *log,
                    const struct regret_log_gap *gap, const struct finding *as)
{
    say_agent(text, log, gap->agent);
    if (gap->tag < log->n_tags) {
        regret_buffer_append(text, " on ");
        say_tag(text, log, gap->tag);
    }
    regret_buffer_printf(text, ": %.3f in OBS, %.3f in EXP, off by %+.3f (%+.3f to %+.3f)",
                         as_given(log, gap->mean[REGRET_LOG_OBS]),
                         as_given(log, gap->mean[REGRET_LOG_EXP]), as->value, as->low, as->high);
}

/* Which agent each source puts first. */
static void say_first(struct regret_buffer *text, const struct regret_log *log,
                      const struct regret_log_gaps *g)
{
    size_t obs = best(g, log->n_agents, REGRET_LOG_OBS),
           exp = best(g, log->n_agents, REGRET_LOG_EXP);
    if (obs == exp) {
        regret_buffer_append(text, " Both put ");
        say_agent(text, log, obs);
        regret_buffer_append(text, " first.");
    } else if (obs < log->n_agents && exp < log->n_agents) {
        regret_buffer_append(text, " The log puts ");
        say_agent(text, log, obs);
        regret_buffer_append(text, " first, the trial ");
        say_agent(text, log, exp);
        regret_buffer_append_char(text, '.');
    }
}

static struct finding *begin(struct findings *f, const struct regret_log *log, const char *name,
                             const char *what, const struct regret_log_gap *gap, double p)
{
    struct finding *found = findings_add(f, name, what);
    set_gap(found, log, gap->difference, gap->simultaneous_low, gap->simultaneous_high);
    found->p = p;
    return found;
}

static void tell_agents(struct findings *f, const struct regret_log *log,
                        const struct regret_log_gaps *g)
{
    const struct regret_log_gap *gap = clearest(g, 0, log->n_agents, 0);
    if (!gap) {
        return;
    }
    struct finding *found =
        begin(f, log, "gap", "difference of an agent's means, OBS - EXP, the clearest", gap, g->p);
    if (largest(g, 0, log->n_agents, 0) < material) {
        found->most = REGRET_DIAGNOSTIC_CAUTION;
    }
    regret_buffer_append(&found->fine, "The log's means of agents are those of the trial as far as "
                                       "can be seen; the clearest gap is of ");
    say_gap(&found->fine, log, gap, found);
    regret_buffer_append(&found->fine, ", within chance.");
    regret_buffer_append(&found->found, "The log's means of agents are not those of the trial. ");
    say_gap(&found->found, log, gap, found);
    regret_buffer_append(&found->found, ".");
    say_first(&found->found, log, g);
    regret_buffer_append(&found->found, " Do not rank agents by means of the log.");
}

static void tell_adjusted(struct findings *f, const struct regret_log *log,
                          const struct regret_log_gaps *g)
{
    const struct regret_log_gap *gap = clearest(g, 0, log->n_agents, 1);
    const char *by = !log->tag                              ? "the log's propensities"
                     : log->rows[REGRET_LOG_OBS].propensity ? "tags and the log's propensities"
                                                            : "tags";
    if (!gap) {
        return;
    }
    struct finding *found = findings_add(
        f, "gap.adjusted", "the same difference after adjusting for tags and propensities");
    set_gap(found, log, gap->adjusted, gap->adjusted_low, gap->adjusted_high);
    found->p = g->adjusted_p;
    if (largest(g, 0, log->n_agents, 1) < material) {
        found->most = REGRET_DIAGNOSTIC_CAUTION;
    }
    regret_buffer_printf(
        &found->fine,
        "After adjusting for %s no gap is left that chance would not make; the clearest is of ",
        by);
    regret_buffer_printf(&found->found,
                         "Adjusting for %s does not bring OBS and EXP together: ", by);
    struct regret_buffer *both[] = {&found->fine, &found->found};
    for (size_t i = 0; i < 2; i++) {
        say_agent(both[i], log, gap->agent);
        regret_buffer_printf(both[i], ", %+.3f (%+.3f to %+.3f) on %.0f %% of its trial.",
                             found->value, found->low, found->high, 100.0 * gap->covered);
    }
    regret_buffer_append(&found->found,
                         " Something that is not recorded moves both choice and outcome, or the "
                         "two sources differ: let the "
                         "trial decide, and have the log only help (families that correct it).");
}

static void tell_tags(struct findings *f, const struct regret_log *log,
                      const struct regret_log_gaps *g)
{
    const struct regret_log_gap *gap = clearest(g, log->n_agents, g->n, 0);
    if (!gap) {
        return;
    }
    struct finding *found =
        begin(f, log, "gap.tag", "difference of an agent's means on a tag, OBS - EXP, the clearest",
              gap, g->tag_p);
    if (largest(g, log->n_agents, g->n, 0) < material) {
        found->most = REGRET_DIAGNOSTIC_CAUTION;
    }
    regret_buffer_append(&found->fine, "By tag, too, the log's means are those of the trial as far "
                                       "as can be seen; the clearest gap is of ");
    say_gap(&found->fine, log, gap, found);
    regret_buffer_append(&found->fine, ", within chance.");
    regret_buffer_append(&found->found, "Within tags the log's means are not those of the trial. ");
    say_gap(&found->found, log, gap, found);
    regret_buffer_append(&found->found, ". A choice by tag that rests on the log is wrong there.");
}

int ask_gaps(struct findings *f, const struct asked *a)
{
    struct regret_log_gaps *g = NULL;
    if (findings_have(f, "scale")) { /* of means on two scales nothing follows */
        return REGRET_OK;
    }
    TRY(gap_table(&g, a->log, a->order, a->options));
    if (g->n > 0) {
        tell_agents(f, a->log, g);
        tell_adjusted(f, a->log, g);
        tell_tags(f, a->log, g);
    }
    regret_log_gaps_free(g);
    return REGRET_OK;
}
