#include "regret/trial_plan.h"

#include "base/core/try.h"
#include "evaluate/plan/information.h"
#include "evaluate/plan/looks.h"
#include "evaluate/plan/pilot.h"
#include "evaluate/plan/shares.h"
#include "evaluate/plan/widths.h"
#include "log/core/gone.h"
#include "log/core/incumbent.h"
#include "regret/alloc.h"
#include "regret/power.h"

FREED_POINTER(struct regret_trial_plan, regret_trial_plan_free)

static const double CONFIDENCE = 0.8; /* of the safe side */

const char *regret_trial_allocation_name(enum regret_trial_allocation allocation)
{
    static const char *const names[] = {"uniform", "neyman-differences", "neyman-values",
                                        "information", "information-by-tag"};
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
    double *safe;                    /* [n_agents] factors of variances */
    double *mean, *variance, *noise; /* [cells] what is believed by tag */
    double *of_agent[3], *common,
        *nothing; /* [n_agents], [cells]: the same of agents over all tags; 0 */
    double *scratch, *next, *slope;
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
    if (o->looks > REGRET_TRIAL_MAX_LOOKS || o->looks > o->n) {
        return regret_fail(REGRET_E_INPUT, "%zu looks at %zu rows; at most one a row, and %d",
                           o->looks, o->n, REGRET_TRIAL_MAX_LOOKS);
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

/* The posterior of n numbers under the prior fitted to them. Means of a log are no values: only how much they scatter is
 * taken from it. */
static struct information_prior believe(double *mean, double *variance, const double *seen,
                                        const double *se2, size_t n, int is_trial)
{
    struct information_prior prior = information_fit(seen, se2, n);
    double t2 = prior.deviation * prior.deviation;
    for (size_t a = 0; a < n; a++) {
        double weight = is_trial && isfinite(se2[a]) ? t2 / (t2 + se2[a]) : 0.0;
        mean[a] = prior.centre + (weight > 0.0 ? weight * (seen[a] - prior.centre) : 0.0);
        variance[a] = t2 * (1.0 - weight);
    }
    return prior;
}

static void believe_tags(struct planner *w)
{
    const struct pilot *p = &w->pilot;
    double *se2 = w->next;
    for (size_t k = 0; k < p->n_tags * p->n_agents; k++) {
        se2[k] = p->rows[k] > 0 ? p->variance[k] / (double)p->rows[k] +
                                      p->excess[k % p->n_agents] / (double)p->n_rows
                                : INFINITY;
        w->noise[k] = p->variance[k];
    }
    for (size_t g = 0; g < p->n_tags; g++) {
        size_t first = g * p->n_agents;
        believe(w->mean + first, w->variance + first, p->mean + first, se2 + first, p->n_agents,
                p->is_trial);
    }
}

static double safe_factor(const struct pilot *p, size_t a)
{
    size_t own = p->agent_clusters[a], clusters = own > 1 ? own : p->n_clusters;
    double freedom = fmax(1.0, ((double)clusters - 1.0) / p->tail);
    double factor = regret_deviation_bound(1.0, freedom, CONFIDENCE);
    return p->basis[a] == REGRET_TRIAL_WORST || isnan(factor) ? 1.0 : factor * factor;
}

static void believe_agents(struct planner *w, struct regret_trial_plan *plan)
{
    const struct pilot *p = &w->pilot;
    struct information_prior prior =
        believe(w->of_agent[0], w->of_agent[1], p->agent_mean, p->se2, p->n_agents, p->is_trial);
    plan->prior_deviation = prior.deviation;
    plan->best = plan->incumbent == 0 ? 1 : 0;
    for (size_t a = 0; a < p->n_agents; a++) {
        struct regret_trial_agent *out = &plan->agent[a];
        double spread = p->is_trial && isfinite(p->se2[a]) ? sqrt(p->se2[a]) : NAN;
        double deviation = sqrt(p->within[a]), factor = safe_factor(p, a);
        w->safe[a] = factor;
        w->common[a] = p->excess[a] + p->between[a];
        out->rows = p->is_trial ? p->agent_rows[a] : 0;
        out->mean = p->is_trial ? p->agent_mean[a] : NAN;
        out->se = spread;
        out->deviation = deviation;
        out->safe = fmax(deviation, fmin(0.5, deviation * sqrt(factor)));
        out->posterior_mean = w->of_agent[0][a];
        out->posterior_deviation = sqrt(w->of_agent[1][a]);
        out->basis = p->basis[a];
        if (a != plan->incumbent && w->of_agent[0][a] > w->of_agent[0][plan->best]) {
            plan->best = a;
        }
    }
}

/* n times the error of each agent's mean, for one row a cell share: what a row of the agent tells, its tags as shares have them. */
static void noise_of_agents(struct planner *w)
{
    const struct pilot *p = &w->pilot;
    for (size_t a = 0; a < p->n_agents; a++) {
        double sum = 0.0;
        for (size_t g = 0; g < p->n_tags; g++) {
            sum += p->tag_share[g] * p->variance[g * p->n_agents + a];
        }
        w->of_agent[2][a] = sum;
    }
}

/* ---------------------------------------------------------------- allocations */

static const double WHOLE = 1.0;

static struct information for_one_agent(const struct planner *w)
{
    return (struct information){
        w->pilot.n_agents, 1,         &WHOLE,    w->of_agent[0], w->of_agent[1],
        w->of_agent[2],    w->common, w->scratch};
}

static struct information by_tag(const struct planner *w)
{
    return (struct information){w->pilot.n_agents, w->pilot.n_tags, w->pilot.tag_share, w->mean,
                                w->variance,       w->noise,        w->nothing,         w->scratch};
}

/* Shares of agents, whatever the tag. */
static void agents_of_cells(double *out, const double *share, const struct pilot *p)
{
    for (size_t a = 0; a < p->n_agents; a++) {
        out[a] = 0.0;
        for (size_t g = 0; g < p->n_tags; g++) {
            out[a] += share[g * p->n_agents + a];
        }
    }
}

static int allocate_rows(struct planner *w, struct regret_trial_plan *plan)
{
    const struct pilot *p = &w->pilot;
    size_t n = p->n_agents, cells = n * p->n_tags;
    int choose = w->options->choose_tags;
    double *uniform = NULL, **share = plan->share;
    for (size_t i = 0; i < REGRET_TRIAL_ALLOCATIONS; i++) {
        TRY(REGRET_NEW(&share[i], cells));
    }
    TRY(REGRET_NEW(&uniform, n));
    shares_uniform(share[REGRET_TRIAL_UNIFORM], p);
    shares_neyman(share[REGRET_TRIAL_NEYMAN_DIFFERENCES], p, plan->incumbent, (double)(n - 1),
                  choose);
    shares_neyman(share[REGRET_TRIAL_NEYMAN_VALUES], p, plan->incumbent, 1.0, choose);
    double *one = share[REGRET_TRIAL_INFORMATION], *tags = share[REGRET_TRIAL_INFORMATION_TAGS];
    const struct information single = for_one_agent(w), each = by_tag(w);
    agents_of_cells(uniform, share[REGRET_TRIAL_UNIFORM], p);
    agents_of_cells(one, share[REGRET_TRIAL_NEYMAN_VALUES], p);
    information_allocate(one, &single, uniform, (double)plan->n, 0, w->next, w->slope);
    for (size_t k = cells; k-- > 0;) {
        tags[k] = share[REGRET_TRIAL_NEYMAN_VALUES][k];
        one[k] = p->tag_share[k / n] * one[k % n];
    }
    information_allocate(tags, &each, share[REGRET_TRIAL_UNIFORM], (double)plan->n, !choose,
                         w->next, w->slope);
    regret_free(uniform);
    return REGRET_OK;
}

/* ---------------------------------------------------------------- what they leave */

struct regret_by_rows {
    const struct planner *w;
    const struct information *i;
    const double *share;
};

static double regret_after(const void *context, size_t n)
{
    const struct regret_by_rows *r = context;
    return information_regret(r->i, r->share, (double)n);
}

static int tell_allocation(struct planner *w, struct regret_trial_plan *plan, size_t which)
{
    const struct pilot *p = &w->pilot;
    const double *share = plan->share[which];
    int tags = which == REGRET_TRIAL_INFORMATION_TAGS;
    const struct information i = tags ? by_tag(w) : for_one_agent(w);
    const struct widths widths =
        widths_make(p, share, w->safe, plan->incumbent, plan->level, 0.5 * (double)plan->n);
    const struct widths_pair pair = {&widths, plan->best, NULL},
                             safe = {&widths, plan->best, w->safe};
    double *agents = NULL;
    double seems =
        plan->agent[plan->best].posterior_mean - plan->agent[plan->incumbent].posterior_mean;
    TRY(REGRET_NEW(&agents, p->n_agents));
    agents_of_cells(agents, share, p);
    const struct regret_by_rows after = {w, &i, tags ? share : agents};
    for (size_t k = 0; k < plan->n_grid; k++) {
        size_t n = plan->width[which][k].n;
        plan->width[which][k] = widths_at(&widths, n);
        plan->width[which][k].regret = regret_after(&after, n);
    }
    plan->for_width[which] = widths_needed(widths_simultaneous, &widths, w->options->half_width);
    plan->for_width_safe[which] =
        widths_needed(widths_simultaneous_safe, &widths, w->options->half_width);
    plan->for_regret[which] = widths_needed(regret_after, &after, w->options->regret);
    if ((tags ? plan->regret_now_tags : plan->regret_now) <= w->options->regret) {
        plan->for_regret[which] = REGRET_TRIAL_NONE_NEEDED;
    }
    plan->for_best[which] = widths_needed(widths_detectable, &pair, fabs(seems));
    plan->for_best_safe[which] = widths_needed(widths_detectable, &safe, fabs(seems));
    regret_free(agents);
    return REGRET_OK;
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

static int tell_looks(struct planner *w, struct regret_trial_plan *plan)
{
    const struct pilot *p = &w->pilot;
    const double *share = plan->share[REGRET_TRIAL_NEYMAN_DIFFERENCES];
    double variance = pilot_difference_variance(p, share, NULL, plan->best, plan->incumbent);
    double seems =
        plan->agent[plan->best].posterior_mean - plan->agent[plan->incumbent].posterior_mean;
    double df = widths_freedom(p, share, plan->best, plan->incumbent, plan->n);
    plan->n_looks = w->options->looks;
    TRY(REGRET_NEW(&plan->look, plan->n_looks));
    return looks_make(plan->look, plan->n_looks, plan->n, variance, seems, plan->level,
                      (df + 1.0) / (double)plan->n);
}

/* ---------------------------------------------------------------- all of it */

static int make_room(struct planner *w)
{
    size_t n = w->pilot.n_agents, cells = n * w->pilot.n_tags;
    double **of_cells[] = {&w->mean, &w->variance, &w->noise, &w->nothing, &w->next, &w->slope};
    double **of_agents[] = {&w->safe, &w->of_agent[0], &w->of_agent[1], &w->of_agent[2],
                            &w->common};
    for (size_t i = 0; i < sizeof of_cells / sizeof *of_cells; i++) {
        TRY(REGRET_NEW(of_cells[i], cells));
    }
    for (size_t i = 0; i < sizeof of_agents / sizeof *of_agents; i++) {
        TRY(REGRET_NEW(of_agents[i], n));
    }
    return REGRET_NEW(&w->scratch, information_scratch(n));
}

static void planner_clear(struct planner *w)
{
    double *owned[] = {w->safe,        w->mean,        w->variance,    w->noise,
                       w->of_agent[0], w->of_agent[1], w->of_agent[2], w->common,
                       w->nothing,     w->scratch,     w->next,        w->slope};
    pilot_clear(&w->pilot);
    regret_free(w->place);
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++) {
        regret_free(owned[i]);
    }
}

/* The pilot is read twice where the incumbent is told by it: differences are to the incumbent. */
static int read_pilot(struct planner *w, struct regret_trial_plan *plan)
{
    TRY(pilot_make(&w->pilot, w->log, w->place, plan->n_agents, 0));
    TRY(choose_incumbent(w, plan));
    pilot_clear(&w->pilot);
    TRY(pilot_make(&w->pilot, w->log, w->place, plan->n_agents, plan->incumbent));
    plan->n_tags = w->pilot.n_tags;
    plan->pilot_rows = w->pilot.is_trial ? w->pilot.n_rows : 0;
    plan->tail = w->pilot.tail;
    plan->pilot_clusters = w->pilot.is_trial ? w->pilot.n_clusters : 0;
    TRY(REGRET_NEW(&plan->tag_share, plan->n_tags));
    for (size_t g = 0; g < plan->n_tags; g++) {
        plan->tag_share[g] = w->pilot.tag_share[g];
    }
    return REGRET_OK;
}

static int fill(struct regret_trial_plan *plan, struct planner *w)
{
    TRY(check_options(w->options));
    plan->level = w->options->level;
    plan->n = w->options->n;
    plan->wanted = (struct regret_trial_wanted){w->options->half_width, w->options->regret};
    TRY(place_agents(w, plan));
    TRY(read_pilot(w, plan));
    TRY(make_room(w));
    believe_tags(w);
    believe_agents(w, plan);
    noise_of_agents(w);
    const struct information one = for_one_agent(w), tags = by_tag(w);
    plan->regret_now = information_regret_now(&one);
    plan->regret_now_tags = information_regret_now(&tags);
    TRY(make_grid(plan, w->options));
    TRY(allocate_rows(w, plan));
    for (size_t i = 0; i < REGRET_TRIAL_ALLOCATIONS; i++) {
        TRY(tell_allocation(w, plan, i));
    }
    return tell_looks(w, plan);
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
    regret_free(plan->tag_share);
    regret_free(plan->look);
    regret_free(plan);
}
