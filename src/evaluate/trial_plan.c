/* The size and the shares of the next trial. */
#include <math.h>

#include "base/status.h"
#include "evaluate/internal.h"
#include "log/log.h"
#include "regret/evaluate.h"
#include "regret/status.h"
#include "stats/distributions.h"
#include "stats/multiplicity.h"

/* Intervals and needs of a trial whose agents get given shares of its rows. */

/* What decides the widths of an allocation, whatever n is: the agents whose intervals are the widest. */
struct widths {
    const struct pilot *pilot;
    const double *share; /* [n_agents] */
    const double *safe;  /* [n_agents] factors of variances */
    size_t reference;
    double level;
    /* n times the variances, and whose they are. */
    double value, difference, difference_safe;
    size_t value_agent, difference_agent;
};

/* The half-width of a trial of n rows. */
typedef double width_of_rows(const void *context, size_t n);

/* The least difference of agent a and the reference that n rows find with power .8. */
struct widths_pair {
    const struct widths *w;
    size_t agent;
    const double *safe; /* factors, or NULL */
};

static const double POWER = 0.8;

static struct widths widths_make(const struct pilot *p, const double *share, const double *safe,
                                 size_t reference, double level)
{
    struct widths w = {p, share, safe, reference, level, .value = -1.0, .difference = -1.0};
    for (size_t a = 0; a < p->n_agents; a++) {
        double value = pilot_value_variance(p, share, NULL, a);
        double difference = pilot_difference_variance(p, share, NULL, a, reference);
        double at_safe_side = pilot_difference_variance(p, share, safe, a, reference);
        w.difference_safe = fmax(w.difference_safe, at_safe_side);
        if (value > w.value) {
            w.value = value;
            w.value_agent = a;
        }
        if (a != reference && difference > w.difference) {
            w.difference = difference;
            w.difference_agent = a;
        }
    }
    return w;
}

/* Clusters in which the agent has rows, less one: rows of one agent in a cluster are few as long as there are clusters enough. */
static double own_freedom(const struct pilot *p, const double *share, size_t a, double n)
{
    double rows = n * share[a], clusters = n;
    if (p->n_rows > 0) {
        clusters *= (double)p->n_clusters / (double)p->n_rows;
    }
    return fmax(1.0, fmin(rows, clusters) - 1.0);
}

/* Of an agent's rows or those of two: clusters less one, by Welch (1947). */
static double widths_freedom(const struct pilot *p, const double *share, size_t a, size_t b,
                             size_t n)
{
    double of_a = own_freedom(p, share, a, (double)n), of_b = own_freedom(p, share, b, (double)n);
    double v = pilot_value_variance(p, share, NULL, a), w = pilot_value_variance(p, share, NULL, b);
    if (a == b || !(v + w > 0.0)) {
        return fmin(of_a, of_b);
    }
    return (v + w) * (v + w) / (v * v / of_a + w * w / of_b);
}

/* Of all differences together by Bonferroni's inequality. */
static double bonferroni_level(const struct widths *w)
{
    size_t differences = w->pilot->n_agents - 1;
    return 1.0 - (1.0 - w->level) / (double)differences;
}

static double half_width(double variance, double level, double df, size_t n)
{
    return regret_student_quantile(0.5 + 0.5 * level, df) * sqrt(variance / (double)n);
}

static double simultaneous(const struct widths *w, double variance, size_t n)
{
    double df = widths_freedom(w->pilot, w->share, w->difference_agent, w->reference, n);
    return half_width(variance, bonferroni_level(w), df, n);
}

static double widths_simultaneous(const void *context, size_t n)
{
    const struct widths *w = context;
    return simultaneous(w, w->difference, n);
}

static double widths_simultaneous_safe(const void *context, size_t n)
{
    const struct widths *w = context;
    return simultaneous(w, w->difference_safe, n);
}

static double widths_detectable(const void *context, size_t n)
{
    const struct widths_pair *p = context;
    const struct widths *w = p->w;
    double v = pilot_difference_variance(w->pilot, w->share, p->safe, p->agent, w->reference);
    double df = widths_freedom(w->pilot, w->share, p->agent, w->reference, n);
    return regret_detectable_difference(sqrt(v / (double)n), df, 1.0 - bonferroni_level(w), POWER);
}

static struct regret_trial_width widths_at(const struct widths *w, size_t n)
{
    const struct widths_pair widest = {w, w->difference_agent, NULL};
    double df = widths_freedom(w->pilot, w->share, w->value_agent, w->value_agent, n);
    double pair = widths_freedom(w->pilot, w->share, w->difference_agent, w->reference, n);
    return (struct regret_trial_width){.n = n,
                                       .value = half_width(w->value, w->level, df, n),
                                       .difference = half_width(w->difference, w->level, pair, n),
                                       .simultaneous = widths_simultaneous(w, n),
                                       .safe = widths_simultaneous_safe(w, n),
                                       .detectable = widths_detectable(&widest, n)};
}

struct needed {
    width_of_rows *width;
    const void *context;
    double target;
};

static int is_narrow(const void *context, size_t n)
{
    const struct needed *w = context;
    return w->width(w->context, n) <= w->target;
}

/* The least n for which `width` is not above `target`, as far as 2^40; 0 where none is or nothing is wanted. */
static size_t widths_needed(width_of_rows *width, const void *context, double target)
{
    const struct needed w = {width, context, target};
    return target > 0.0 ? least_enough(is_narrow, &w, (size_t)1 << 40) : 0;
}

FREED_POINTER(struct regret_trial_plan, regret_trial_plan_free)

static const double CONFIDENCE = 0.8; /* of the safe side */

const char *regret_trial_allocation_name(enum regret_trial_allocation allocation)
{
    static const char *const names[] = {"uniform", "neyman-differences", "neyman-values"};
    return names[allocation];
}

const char *regret_trial_basis_name(enum regret_trial_basis basis)
{
    static const char *const names[] = {"pilot", "other agents", "log", "worst case"};
    return names[basis];
}

/* What a plan is made with; nothing of it stays. */
struct planner {
    const struct regret_log *log;
    const struct regret_trial_plan_options *options;
    uint32_t *place; /* [agents of the log] among those that take part; n_agents: does not */
    struct pilot pilot;
    double *safe; /* [n_agents] factors of variances */
};

/* ---------------------------------------------------------------- who takes part */

static int check_options(const struct regret_trial_plan_options *o)
{
    if (!(o->level > 0.0 && o->level < 1.0)) {
        return regret_fail(REGRET_E_INPUT, "a plan wants a level between 0 and 1, not %g",
                           o->level);
    }
    if (o->n < 2 || o->n > (size_t)1 << 40) {
        return regret_fail(REGRET_E_INPUT, "a trial wants 2 rows or more (at most 2^40), not %zu",
                           o->n);
    }
    for (size_t i = 0; i < o->n_grid; i++) {
        if (o->n_grid > REGRET_TRIAL_MAX_GRID || o->grid[i] < 2 || o->grid[i] > (size_t)1 << 40) {
            return regret_fail(REGRET_E_INPUT,
                               "numbers of rows to tell of are 2 to 2^40, at most %d of them",
                               REGRET_TRIAL_MAX_GRID);
        }
    }
    return REGRET_OK;
}

static int place_agents(struct planner *w, struct regret_trial_plan *plan)
{
    const struct regret_trial_plan_options *o = w->options;
    size_t all = w->log->n_agents, most = o->agent != NULL ? o->n_agents : all;
    TRY(REGRET_NEW(&w->place, all));
    TRY(REGRET_NEW(&plan->agent, most));
    for (size_t i = 0; i < all; i++) {
        w->place[i] = (uint32_t)most;
    }
    for (size_t a = 0; a < most; a++) {
        uint32_t i = o->agent != NULL ? o->agent[a] : (uint32_t)a;
        if (i >= all || w->place[i] < most) {
            return regret_fail(REGRET_E_INPUT, "agent %u %s", i,
                               i >= all ? "is not in the log" : "is named twice");
        }
        if (o->agent != NULL || !is_withdrawn(w->log, i)) {
            w->place[i] = (uint32_t)plan->n_agents;
            plan->agent[plan->n_agents++].agent = i;
        }
    }
    return plan->n_agents < 2
               ? regret_fail(REGRET_E_INPUT,
                             "a trial compares two agents or more, and %zu take%s part",
                             plan->n_agents, plan->n_agents == 1 ? "s" : "")
               : REGRET_OK;
}

static int choose_incumbent(struct planner *w, struct regret_trial_plan *plan)
{
    size_t wanted = w->options->incumbent;
    unsigned char *takes_part = NULL;
    if (wanted == (size_t)-1) {
        TRY(REGRET_NEW(&takes_part, w->log->n_agents));
        for (size_t a = 0; a < plan->n_agents; a++) {
            takes_part[plan->agent[a].agent] = 1;
        }
        int rc = log_incumbent(&wanted, w->log, takes_part);
        regret_free(takes_part);
        TRY(rc);
    }
    if (wanted >= w->log->n_agents) {
        return regret_fail(REGRET_E_INPUT, "the incumbent is not in the log");
    }
    plan->incumbent = w->place[wanted];
    return plan->incumbent < plan->n_agents
               ? REGRET_OK
               : regret_fail(REGRET_E_INPUT,
                             "the incumbent \"%s\" takes no part in the trial; name it among "
                             "the agents, or another incumbent",
                             w->log->agent[wanted]);
}

/* ---------------------------------------------------------------- what is believed */

static double safe_factor(const struct pilot *p, size_t a)
{
    size_t own = p->agent[a].clusters, clusters = own > 1 ? own : p->n_clusters;
    double freedom = fmax(1.0, ((double)clusters - 1.0) / p->tail);
    double factor = regret_deviation_bound(1.0, freedom, CONFIDENCE);
    return p->agent[a].basis == REGRET_TRIAL_WORST || isnan(factor) ? 1.0 : factor * factor;
}

/* Means of a log are no values: only how much they scatter is taken from it. */
static void believe_agents(struct planner *w, struct regret_trial_plan *plan)
{
    const struct pilot *p = &w->pilot;
    struct prior prior = prior_fit(p->mean, p->se2, p->n_agents);
    double t2 = prior.deviation * prior.deviation;
    plan->best = plan->incumbent == 0 ? 1 : 0;
    for (size_t a = 0; a < p->n_agents; a++) {
        struct regret_trial_agent *out = &plan->agent[a];
        int is_seen = p->is_trial && isfinite(p->se2[a]);
        double deviation = sqrt(p->agent[a].within), factor = safe_factor(p, a);
        w->safe[a] = factor;
        out->rows = p->is_trial ? p->agent[a].rows : 0;
        out->mean = p->is_trial ? p->mean[a] : NAN;
        out->se = is_seen ? sqrt(p->se2[a]) : NAN;
        out->deviation = deviation;
        out->safe = fmax(deviation, fmin(0.5, deviation * sqrt(factor)));
        out->posterior_mean = prior.centre;
        if (is_seen && t2 > 0.0) {
            out->posterior_mean += t2 / (t2 + p->se2[a]) * (p->mean[a] - prior.centre);
        }
        out->basis = p->agent[a].basis;
    }
    for (size_t a = 0; a < p->n_agents; a++) {
        if (a != plan->incumbent &&
            plan->agent[a].posterior_mean > plan->agent[plan->best].posterior_mean) {
            plan->best = a;
        }
    }
}

/* ---------------------------------------------------------------- allocations */

static int allocate_rows(struct planner *w, struct regret_trial_plan *plan)
{
    const struct pilot *p = &w->pilot;
    double **share = plan->share;
    for (size_t i = 0; i < REGRET_TRIAL_ALLOCATIONS; i++) {
        TRY(REGRET_NEW(&share[i], p->n_agents));
    }
    shares_uniform(share[REGRET_TRIAL_UNIFORM], p);
    shares_neyman(share[REGRET_TRIAL_NEYMAN_DIFFERENCES], p, plan->incumbent,
                  (double)(p->n_agents - 1));
    shares_neyman(share[REGRET_TRIAL_NEYMAN_VALUES], p, plan->incumbent, 1.0);
    return REGRET_OK;
}

/* ---------------------------------------------------------------- what they leave */

static void tell_allocation(struct planner *w, struct regret_trial_plan *plan, size_t which)
{
    const struct widths widths =
        widths_make(&w->pilot, plan->share[which], w->safe, plan->incumbent, plan->level);
    const struct widths_pair pair = {&widths, plan->best, NULL},
                             safe = {&widths, plan->best, w->safe};
    double seems =
        plan->agent[plan->best].posterior_mean - plan->agent[plan->incumbent].posterior_mean;
    for (size_t k = 0; k < plan->n_grid; k++) {
        plan->width[which][k] = widths_at(&widths, plan->width[which][k].n);
    }
    plan->for_width[which] = widths_needed(widths_simultaneous, &widths, plan->half_width);
    plan->for_width_safe[which] =
        widths_needed(widths_simultaneous_safe, &widths, plan->half_width);
    plan->for_best[which] = widths_needed(widths_detectable, &pair, fabs(seems));
    plan->for_best_safe[which] = widths_needed(widths_detectable, &safe, fabs(seems));
}

/* The numbers of rows that are told of, ascending, each once, the plan's own among them. */
static int make_grid(struct regret_trial_plan *plan, const struct regret_trial_plan_options *o)
{
    static const size_t usual[] = {100, 200, 400, 800, 1600, 3200, 6400, 12800};
    size_t grid[REGRET_TRIAL_MAX_GRID + 1], n = 0;
    size_t given = o->grid != NULL ? o->n_grid : sizeof usual / sizeof *usual;
    const size_t *from = o->grid != NULL ? o->grid : usual;
    for (size_t i = 0; i <= given; i++) {
        size_t rows = i < given ? from[i] : o->n, k = n;
        while (k > 0 && grid[k - 1] > rows) {
            k--;
        }
        if (k > 0 && grid[k - 1] == rows) {
            continue;
        }
        for (size_t j = n++; j > k; j--) {
            grid[j] = grid[j - 1];
        }
        grid[k] = rows;
    }
    plan->n_grid = n;
    for (size_t i = 0; i < REGRET_TRIAL_ALLOCATIONS; i++) {
        TRY(REGRET_NEW(&plan->width[i], n));
        for (size_t k = 0; k < n; k++) {
            plan->width[i][k].n = grid[k];
        }
    }
    return REGRET_OK;
}

/* ---------------------------------------------------------------- all of it */

static void planner_clear(struct planner *w)
{
    pilot_clear(&w->pilot);
    regret_free(w->place);
    regret_free(w->safe);
}

/* The pilot is read twice where the incumbent is told by it: differences are to the incumbent. */
static int read_pilot(struct planner *w, struct regret_trial_plan *plan)
{
    TRY(pilot_make(&w->pilot, w->log, w->place, plan->n_agents, 0));
    TRY(choose_incumbent(w, plan));
    pilot_clear(&w->pilot);
    TRY(pilot_make(&w->pilot, w->log, w->place, plan->n_agents, plan->incumbent));
    plan->pilot_rows = w->pilot.is_trial ? w->pilot.n_rows : 0;
    plan->tail = w->pilot.tail;
    plan->pilot_clusters = w->pilot.is_trial ? w->pilot.n_clusters : 0;
    return REGRET_OK;
}

static int fill(struct regret_trial_plan *plan, struct planner *w)
{
    TRY(check_options(w->options));
    plan->level = w->options->level;
    plan->n = w->options->n;
    plan->half_width = w->options->half_width;
    TRY(place_agents(w, plan));
    TRY(read_pilot(w, plan));
    TRY(REGRET_NEW(&w->safe, plan->n_agents));
    believe_agents(w, plan);
    TRY(make_grid(plan, w->options));
    TRY(allocate_rows(w, plan));
    for (size_t i = 0; i < REGRET_TRIAL_ALLOCATIONS; i++) {
        tell_allocation(w, plan, i);
    }
    return REGRET_OK;
}

int regret_trial_plan(struct regret_trial_plan **out, const struct regret_log *log,
                      const struct regret_trial_plan_options *options)
{
    FREED_BY(planner_clear) struct planner w = {.log = log, .options = options};
    FREED_BY(regret_trial_plan_free_at) struct regret_trial_plan *plan = NULL;
    *out = NULL;
    TRY(REGRET_NEW(&plan, 1));
    TRY(fill(plan, &w));
    *out = plan;
    plan = NULL;
    return REGRET_OK;
}

void regret_trial_plan_free(struct regret_trial_plan *plan)
{
    if (plan == NULL) {
        return;
    }
    for (size_t i = 0; i < REGRET_TRIAL_ALLOCATIONS; i++) {
        regret_free(plan->share[i]);
        regret_free(plan->width[i]);
    }
    regret_free(plan->agent);
    regret_free(plan);
}
