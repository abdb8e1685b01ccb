/* Values of agents, differences, policies and tags. */
#include <math.h>
#include <string.h>
#include <time.h>

#include "base/status.h"
#include "evaluate/internal.h"
#include "log/log.h"
#include "regret/status.h"
#include "stats/multiplicity.h"

/* ---------------------------------------------------------------- what rows say of agents */

static void describe_rows(struct regret_evaluation *e, const struct regret_log *log)
{
    for (size_t s = 0; s < REGRET_LOG_SOURCES; s++) {
        for (size_t a = 0; a < e->n_agents; a++) {
            e->agent[a].mean[s] = 0.0;
        }
        for (size_t i = 0; i < log->rows[s].n; i++) {
            struct regret_agent_value *of = &e->agent[log->rows[s].agent[i]];
            of->rows[s]++;
            of->mean[s] += log->rows[s].outcome[i];
        }
        for (size_t a = 0; a < e->n_agents; a++) {
            e->agent[a].mean[s] /= (double)e->agent[a].rows[s]; /* NaN without rows */
        }
    }
    for (size_t a = 0; a < e->n_agents; a++) {
        e->agent[a].is_withdrawn = is_withdrawn(log, a);
        e->agent[a].cost = log->cost != NULL ? log->cost[a] : NAN;
    }
}

/* By values where they are of the same rows, else by differences to the incumbent. */
static size_t best_single(const struct regret_evaluation *e, int is_by_value)
{
    size_t best = e->n_agents;
    double most = -INFINITY;
    for (size_t a = 0; a < e->n_agents; a++) {
        const struct regret_valued *value = &e->agent[a].value[REGRET_VALUE_SNDR];
        const struct regret_valued *x = is_by_value ? value : &e->agent[a].difference;
        if (!isnan(value->error) && !isnan(x->error) && x->value > most) {
            most = x->value;
            best = a;
        }
    }
    return best;
}

/* ---------------------------------------------------------------- values and differences */

/* Of a log alone in which agents are missing from kinds of requests: sets what is said of x, on the rows of a part, to nothing unless
 * x, and y if there is one, is on offer in all of them. */
static void forget_unknown(struct regret_valued *value, const struct valuing *v,
                           const struct chooser *x, const struct chooser *y,
                           const struct part *part)
{
    const struct basis *b = &v->basis;
    int is_known = 1;
    for (size_t i = 0; i < b->n && is_known && v->m->log->n_holes > 0; i++) {
        if (part == NULL || part->group[i] == part->value) {
            is_known =
                basis_offers(b, i, x->choice != NULL ? x->choice[i] : x->agent) &&
                (y == NULL || basis_offers(b, i, y->choice != NULL ? y->choice[i] : y->agent));
        }
    }
    if (!is_known) {
        *value = (struct regret_valued){NAN, NAN, NAN, NAN, NAN, value->rows};
    }
}

static int value_each(struct valuing *v)
{
    struct regret_evaluation *e = v->e;
    FREED struct worth_parts *parts = NULL;
    FREED struct regret_valued *direct = NULL;
    double share = 0.0;
    TRY(REGRET_NEW(&parts, e->n_agents));
    TRY(REGRET_NEW(&direct, e->n_agents));
    for (uint32_t a = 0; a < e->n_agents; a++) {
        const struct chooser x = {NULL, a};
        TRY(worth_of(e->agent[a].value, &parts[a], &v->basis, &x, NULL));
        e->agent[a].clusters = parts[a].own;
        direct[a] = e->agent[a].value[REGRET_VALUE_DM];
    }
    TRY(own_share(&share, &v->basis, e->fold, e->folds, v->list->of[v->list->used].level));
    direct_intervals(direct, parts, e->n_agents, share, e->level);
    for (uint32_t a = 0; a < e->n_agents; a++) {
        const struct chooser x = {NULL, a};
        e->agent[a].value[REGRET_VALUE_DM] = direct[a];
        for (size_t k = 0; k < REGRET_N_VALUES; k++) {
            forget_unknown(&e->agent[a].value[k], v, &x, NULL, NULL);
        }
    }
    return REGRET_OK;
}

static int difference_each(struct valuing *v)
{
    struct regret_evaluation *e = v->e;
    const struct chooser incumbent = {NULL, (uint32_t)e->incumbent};
    double each = e->level;
    FREED double *influence = NULL;
    FREED struct gap *gap = NULL;
    size_t n = v->basis.n_clusters;
    TRY(REGRET_NEW(&gap, e->n_agents));
    TRY(REGRET_NEW(&influence, e->n_agents * n));
    for (uint32_t a = 0; a < e->n_agents; a++) {
        const struct chooser x = {NULL, a};
        struct regret_valued *d = &e->agent[a].difference;
        TRY(worth_difference(d, &gap[a], influence + a * n, &v->basis, &x, &incumbent, NULL));
        if (isnan(d->error)) {
            memset(influence + a * n, 0, n * sizeof *influence);
        }
    }
    TRY(simultaneous_level(&each, &e->critical, influence, e->n_agents, n, e->level,
                           v->options->resamples, e->seed, v->options->threads));
    for (size_t a = 0; a < e->n_agents; a++) {
        struct regret_valued wide = e->agent[a].difference;
        difference_set_interval(&wide, &gap[a], tails_of(each));
        e->agent[a].simultaneous_low = wide.low;
        e->agent[a].simultaneous_high = wide.high;
    }
    return REGRET_OK;
}

static int value_agents(struct valuing *v)
{
    struct regret_evaluation *e = v->e;
    TRY(value_each(v));
    e->incumbent = v->list->incumbent;
    e->incumbent_is_named = v->m->log->incumbent < e->n_agents;
    TRY(difference_each(v));
    e->single = best_single(e, !some_were_absent(v->m->log));
    return REGRET_OK;
}

/* ---------------------------------------------------------------- notes */

static int add_note(struct regret_evaluation *e, struct regret_buffer *text)
{
    TRY(regret_buffer_status(text));
    TRY(regret_realloc((void **)&e->note, e->n_notes + 1, sizeof *e->note, "notes"));
    TRY(regret_strdup(&e->note[e->n_notes], regret_buffer_get(text)));
    e->n_notes++;
    regret_buffer_clear(text);
    return REGRET_OK;
}

static int has_value(const struct regret_evaluation *e, size_t agent)
{
    return e->agent[agent].clusters >= 2;
}

/* Agents that nothing can be told of, for chance never asked them, or once. */
static int note_agents(const struct valuing *v, struct regret_buffer *text)
{
    enum { COLUMNS = 30 };
    size_t n = 0, first = 0;
    for (size_t a = v->e->n_agents; a-- > 0;) {
        first = has_value(v->e, a) ? first : a;
        n += !has_value(v->e, a);
    }
    if (n == 0) {
        return REGRET_OK;
    }
    regret_buffer_printf(text, "%zu agent%s of fewer than two clusters of %s cannot be valued: ", n,
                         n == 1 ? "" : "s", regret_log_source_name(v->e->basis));
    regret_buffer_append_safe(text, v->m->log->agent[first], COLUMNS);
    regret_buffer_append(text, n > 1 ? " and others" : "");
    return add_note(v->e, text);
}

/* Agents that had rows when the incumbent could not be chosen, and none when it could. */
static int note_apart(const struct valuing *v, struct regret_buffer *text)
{
    enum { COLUMNS = 30 };
    const struct regret_evaluation *e = v->e;
    size_t n = 0, first = 0;
    for (size_t a = e->n_agents; a-- > 0;) {
        int is_apart = has_value(e, a) && e->agent[a].difference.rows == 0;
        first = is_apart ? a : first;
        n += is_apart;
    }
    if (n == 0) {
        return REGRET_OK;
    }
    regret_buffer_append_safe(text, v->m->log->agent[first], COLUMNS);
    regret_buffer_append(text, v->m->log->n_holes > 0
                                   ? " was never seen on the same kinds of requests as "
                                   : " was never on offer together with ");
    regret_buffer_append_safe(text, v->m->log->agent[e->incumbent], COLUMNS);
    regret_buffer_append(text, ": how they differ cannot be told");
    regret_buffer_append(text, n > 1 ? " (nor of others)" : "");
    return add_note(v->e, text);
}

/* The first agent that is gone, or the best single one where that is; and how many are. */
static size_t find_gone(size_t *n, const struct regret_evaluation *e, const struct log_gone *gone)
{
    size_t first = 0;
    for (size_t a = e->n_agents; a-- > 0;) {
        if (has_value(e, a) && gone->is_gone[a]) {
            first = *n > 0 && first == e->single ? first : a;
            (*n)++;
        }
    }
    return first;
}

/* The agent that is answered with is worth nothing to those who can no longer ask it. */
static int note_gone(const struct valuing *v, struct regret_buffer *text)
{
    enum { DATE = 32, COLUMNS = 30 };
    const struct regret_log *log = v->m->log;
    FREED_BY(log_gone_fields) struct log_gone gone = {0};
    size_t n = 0;
    char date[DATE] = "";
    struct tm day;
    TRY(log_gone_find(&gone, log));
    size_t first = find_gone(&n, v->e, &gone);
    time_t seconds = n > 0 ? (time_t)gone.last[first] : 0;
    if (n == 0 || gmtime_r(&seconds, &day) == NULL || strftime(date, DATE, "%Y-%m-%d", &day) == 0) {
        return REGRET_OK;
    }
    regret_buffer_append_safe(text, log->agent[first], COLUMNS);
    regret_buffer_printf(text, " was %s last on %s, and %zu of %zu rows of %s are later%s: %s",
                         is_withdrawn(log, first) ? "on offer" : "chosen", date, gone.later[first],
                         log->rows[v->e->basis].n, regret_log_source_name(v->e->basis),
                         n > 1 ? " (others are gone, too)" : "",
                         is_withdrawn(log, first)
                             ? "no request is sent to it"
                             : "see whether it is still on offer before it is chosen");
    return add_note(v->e, text);
}

/* What became of outputs. */
static int note_outputs(const struct valuing *v, struct regret_buffer *text)
{
    const struct material *m = v->m;
    if (m->n_outputs == 0) {
        return REGRET_OK;
    }
    if (m->n_outputs == m->pairs) {
        regret_buffer_append(text, "outputs are features; model.regret, whose requests have none, "
                                   "is fitted without them");
    } else {
        regret_buffer_printf(
            text,
            "outputs are left out: %zu of %zu pairs of a request and an agent have "
            "one; give those of all agents by \"outputs\"",
            m->n_outputs, m->pairs);
    }
    return add_note(v->e, text);
}

/* What was drawn, and for what. */
static int note_drawn(const struct valuing *v, struct regret_buffer *text)
{
    const struct drawn *d = &v->m->drawn;
    for (size_t s = 0; s < REGRET_LOG_SOURCES; s++) {
        enum regret_log_source source = (enum regret_log_source)s;
        size_t all = v->m->log->rows[s].n, n = source == d->basis ? d->n_fitted : d->n[s];
        if (n < all) {
            regret_buffer_printf(text, "%zu of %zu rows of %s were drawn to fit surfaces", n, all,
                                 regret_log_source_name(source));
            if (source == d->basis) {
                regret_buffer_printf(text,
                                     d->n[s] < all ? "; values are of %zu rows, drawn, too "
                                                     "(\"obs.rows\")"
                                                   : "; values are of all %zu",
                                     d->n[s]);
            }
            TRY(add_note(v->e, text));
        }
    }
    if (d->n_known < d->n[d->basis]) {
        regret_buffer_printf(text,
                             "%zu of %zu rows of %s have predictions of their own: by request and "
                             "margins are valued on these; of the others f is that of their tag",
                             d->n_known, d->n[d->basis], regret_log_source_name(d->basis));
        TRY(add_note(v->e, text));
    }
    return REGRET_OK;
}

static int note_all(const struct valuing *v)
{
    FREED_BY(regret_buffer_free) struct regret_buffer text = REGRET_BUFFER_INIT;
    TRY(note_apart(v, &text));
    TRY(note_gone(v, &text));
    TRY(note_agents(v, &text));
    TRY(note_outputs(v, &text));
    TRY(note_drawn(v, &text));
    if (v->m->n_advised < v->m->log->n_evaluation) {
        regret_buffer_printf(
            &text, "recommendations are for %zu of %zu contexts; model.regret answers others",
            v->m->n_advised, v->m->log->n_evaluation);
        TRY(add_note(v->e, &text));
    }
    for (size_t i = 0; i < v->list->n; i++) {
        if (v->list->of[i].status != REGRET_OK) {
            regret_buffer_printf(&text, "%s was not fitted: %s", v->list->of[i].family->name,
                                 v->list->of[i].reason);
            TRY(add_note(v->e, &text));
        }
    }
    return REGRET_OK;
}

/* ---------------------------------------------------------------- the whole */

static int keep_rows(struct valuing *v)
{
    struct regret_evaluation *e = v->e;
    const struct drawn *d = &v->m->drawn;
    TRY(REGRET_NEW(&e->row, e->rows));
    TRY(REGRET_NEW(&e->fold, e->rows));
    TRY(REGRET_NEW(&e->propensity, e->rows));
    size_t surfaces = count_surfaces(v->m) * e->n_agents;
    TRY(REGRET_NEW(&e->surface, surfaces));
    TRY(REGRET_NEW(&e->surface_of, e->rows));
    TRY(propensities_make(e->propensity, v->m));
    memcpy(e->row, d->row[d->basis], e->rows * sizeof *e->row);
    memcpy(e->fold, d->fold, e->rows * sizeof *e->fold);
    memcpy(e->surface, v->list->of[v->list->used].out_of_fold, surfaces * sizeof *e->surface);
    for (size_t i = 0; i < e->rows; i++) {
        e->surface_of[i] = (uint32_t)surface_at(v->m, i);
    }
    return REGRET_OK;
}

static int set_basis(struct valuing *v, uint32_t *agent, double *y)
{
    for (size_t i = 0; i < v->e->rows; i++) {
        agent[i] = drawn_agent(&v->m->drawn, v->e->basis, i);
        y[i] = drawn_outcome(&v->m->drawn, v->e->basis, i);
    }
    v->basis = (struct basis){.n = v->e->rows,
                              .n_agents = v->e->n_agents,
                              .n_clusters = v->m->drawn.n_clusters,
                              .agent = agent,
                              .cluster = v->m->drawn.cluster,
                              .y = y,
                              .propensity = v->e->propensity,
                              .surface = v->e->surface,
                              .surface_of = v->e->surface_of,
                              .level = v->e->level,
                              .drawn = &v->m->drawn,
                              .range_of_data = v->m->log->range_of_data};
    TRY(basis_noise(&v->basis.noise, &v->basis));
    v->e->noise = v->basis.noise;
    return REGRET_OK;
}

/* What each policy, learned of the folds before that of a row, takes on it. */
static int choose(struct valuing *v)
{
    const struct material *m = v->m;
    const struct surfaces *used = &v->list->of[v->list->used];
    struct regret_evaluation *e = v->e;
    for (size_t p = 0; p < REGRET_POLICIES; p++) {
        e->policy[p].is_there = p != REGRET_POLICY_BY_TAG || m->tag != NULL;
        if (e->policy[p].is_there) {
            TRY(REGRET_NEW(&e->choice[p], e->rows));
        }
    }
    for (size_t i = 0; i < e->rows; i++) {
        const struct learned *l = &used->learned[e->fold[i]];
        int is_late = e->fold[i] >= v->list->first_late;
        int is_known = is_late && i < e->n_known;
        const double *f = used->early + (is_known ? i : 0) * e->n_agents;
        e->choice[REGRET_POLICY_SINGLE][i] = is_late ? l->single : NO_CHOICE;
        e->choice[REGRET_POLICY_REQUEST][i] =
            is_known ? policy_by_request(m, f, v->eligible, i) : NO_CHOICE;
        if (m->tag != NULL) {
            e->choice[REGRET_POLICY_BY_TAG][i] =
                is_late ? l->by_tag[drawn_tag(&m->drawn, i)] : NO_CHOICE;
        }
    }
    return REGRET_OK;
}

static void describe_policy(struct regret_policy_worth *worth, const struct valuing *v,
                            const uint32_t *choice)
{
    const struct regret_evaluation *e = v->e;
    double rows = 0.0;
    worth->cost = 0.0;
    for (size_t i = 0; i < e->rows; i++) {
        if (choice[i] != NO_CHOICE && basis_offers(&v->basis, i, choice[i])) {
            worth->share += choice[i] != e->choice[REGRET_POLICY_SINGLE][i];
            worth->cost += e->agent[choice[i]].cost;
            rows += 1.0;
        }
    }
    worth->share /= rows;
    worth->cost /= rows;
}

/* gap gets what the gain over the single agent comes from. */
static int value_policy(struct valuing *v, struct gap *gap, size_t p)
{
    struct regret_evaluation *e = v->e;
    struct regret_policy_worth *worth = &e->policy[p];
    struct regret_valued value[REGRET_N_VALUES];
    const struct chooser x = {e->choice[p], 0}, single = {e->choice[REGRET_POLICY_SINGLE], 0};
    const struct chooser incumbent = {NULL, (uint32_t)e->incumbent};
    const struct part *late = p == REGRET_POLICY_REQUEST ? &v->late_known : &v->late;
    TRY(worth_of(value, NULL, &v->basis, &x, late));
    worth->value = value[REGRET_VALUE_SNDR];
    describe_policy(worth, v, e->choice[p]);
    TRY(worth_difference(&worth->over_incumbent, NULL, NULL, &v->basis, &x, &incumbent, late));
    worth->over_single_least = NAN;
    TRY(worth_difference(&worth->over_single, gap, NULL, &v->basis, &x, &single, late));
    forget_unknown(&worth->value, v, &x, NULL, late);
    forget_unknown(&worth->over_incumbent, v, &x, &incumbent, late);
    forget_unknown(&worth->over_single, v, &x, &single, late);
    return REGRET_OK;
}

/* Policies that could be better than a single agent: each is asked at a level that holds for all of them (Bonferroni). */
static void set_least_gains(struct regret_evaluation *e, const struct gap *gap)
{
    double n = 0.0;
    for (size_t p = REGRET_POLICY_BY_TAG; p < REGRET_POLICIES; p++) {
        n += e->policy[p].is_there && e->policy[p].share > 0.0;
    }
    for (size_t p = REGRET_POLICY_BY_TAG; p < REGRET_POLICIES; p++) {
        struct regret_valued wide = e->policy[p].over_single;
        difference_set_interval(&wide, &gap[p], tails_of(1.0 - (1.0 - e->level) / fmax(1.0, n)));
        e->policy[p].over_single_least = wide.low;
    }
}

static void count_tag_rows(struct regret_evaluation *e, const struct regret_log *log)
{
    for (size_t s = 0; s < REGRET_LOG_SOURCES; s++) {
        for (size_t i = 0; i < log->rows[s].n; i++) {
            e->tag[log->tag[log->rows[s].context[i]]].rows[s]++;
        }
    }
}

/* How many agents, the incumbent apart, could have been chosen for a tag of so many rows: the one that was, and all that are not clearly
 * worse. Those are whose shortfall is above √ln n errors, which grows, but slower than a true shortfall does (generalized moment
 * selection: Andrews and Soares, Econometrica 78, 2010, 119-157). */
static int count_rivals(size_t *out, const struct valuing *v, const struct part *part,
                        const struct chooser *chosen, double rows)
{
    const struct regret_evaluation *e = v->e;
    struct regret_valued lead;
    *out = 1;
    for (uint32_t a = 0; a < e->n_agents; a++) {
        const struct chooser other = {NULL, a};
        if (v->eligible[a] && a != chosen->agent && a != e->incumbent) {
            TRY(worth_difference(&lead, NULL, NULL, &v->basis, chosen, &other, part));
            *out += !(lead.value > sqrt(log(rows)) * lead.error);
        }
    }
    return REGRET_OK;
}

/* The agent of a tag is learned of all rows and valued on them: whichever of those it could have been, its interval holds. */
static int value_tag(struct valuing *v, const struct part *part, size_t eligible)
{
    struct regret_evaluation *e = v->e;
    struct regret_tag_value *to = &e->tag[part->value];
    const struct chooser x = {NULL, (uint32_t)to->agent},
                         incumbent = {NULL, (uint32_t)e->incumbent};
    struct regret_valued value[REGRET_N_VALUES];
    struct worth_parts parts;
    struct gap gap;
    double rows = 0.0;
    size_t rivals = 1;
    TRY(worth_of(value, &parts, &v->basis, &x, part));
    to->value = value[REGRET_VALUE_SNDR];
    value_set_interval(&to->value, &parts.sndr, tails_of_chosen(e->level, eligible));
    TRY(worth_difference(&to->over_incumbent, &gap, NULL, &v->basis, &x, &incumbent, part));
    for (size_t i = 0; i < e->rows; i++) {
        rows += part->group[i] == part->value;
    }
    if (to->agent != e->incumbent) {
        TRY(count_rivals(&rivals, v, part, &x, rows));
    }
    difference_set_interval(&to->over_incumbent, &gap, tails_of_chosen(e->level, rivals));
    forget_unknown(&to->value, v, &x, NULL, part);
    forget_unknown(&to->over_incumbent, v, &x, &incumbent, part);
    return REGRET_OK;
}

static int value_tags(struct valuing *v)
{
    struct regret_evaluation *e = v->e;
    const struct learned *whole = &v->list->of[v->list->used].learned[v->list->folds];
    FREED uint32_t *tag = NULL;
    size_t eligible = 0;
    TRY(REGRET_NEW(&e->tag, e->n_tags));
    TRY(REGRET_NEW(&tag, e->rows));
    count_tag_rows(e, v->m->log);
    for (size_t i = 0; i < e->rows; i++) {
        tag[i] = (uint32_t)drawn_tag(&v->m->drawn, i);
    }
    for (size_t a = 0; a < e->n_agents; a++) {
        eligible += v->eligible[a];
    }
    for (uint32_t t = 0; t < e->n_tags; t++) {
        e->tag[t].agent = whole->by_tag[t];
        const struct part part = {tag, t};
        TRY(value_tag(v, &part, eligible));
    }
    return REGRET_OK;
}

static int value_policies(struct valuing *v)
{
    struct gap gap[REGRET_POLICIES] = {0};
    TRY(choose(v));
    for (size_t p = 0; p < REGRET_POLICIES; p++) {
        if (v->e->policy[p].is_there) {
            TRY(value_policy(v, &gap[p], p));
        }
    }
    set_least_gains(v->e, gap);
    return v->m->tag != NULL ? value_tags(v) : REGRET_OK;
}

static int value_all(struct valuing *v)
{
    struct regret_evaluation *e = v->e;
    FREED uint32_t *agent = NULL;
    FREED double *y = NULL;
    TRY(keep_rows(v));
    TRY(REGRET_NEW(&agent, e->rows));
    TRY(REGRET_NEW(&y, e->rows));
    TRY(set_basis(v, agent, y));
    TRY(REGRET_NEW(&v->eligible, e->n_agents));
    TRY(eligible_agents(v->eligible, v->m));
    TRY(REGRET_NEW(&v->is_late, e->rows));
    TRY(REGRET_NEW(&v->is_late_known, e->rows));
    for (size_t i = 0; i < e->rows; i++) {
        v->is_late[i] = e->fold[i] >= v->list->first_late;
        v->is_late_known[i] = v->is_late[i] && i < e->n_known;
    }
    v->late = (struct part){v->is_late, 1};
    v->late_known = (struct part){v->is_late_known, 1};
    TRY(REGRET_NEW(&e->agent, e->n_agents));
    describe_rows(e, v->m->log);
    TRY(value_agents(v));
    TRY(value_policies(v));
    TRY(value_margins(v));
    TRY(compare_families(v));
    return note_all(v);
}

FREED_FIELDS(valuing, of->eligible, of->is_late, of->is_late_known)

int evaluation_fill(struct regret_evaluation *e, const struct regret_log *log,
                    const struct regret_evaluate_options *options)
{
    FREED_BY(material_clear) struct material m = {0};
    FREED_BY(surfaces_clear) struct surface_list list = {0};
    TRY(material_make(&m, log, options));
    TRY(surfaces_make(&list, &m, options));
    e->basis = m.drawn.basis;
    e->level = options->level;
    e->seed = options->seed;
    e->n_agents = log->n_agents;
    e->n_tags = m.n_tags;
    e->rows = m.drawn.n[e->basis];
    e->n_known = m.drawn.n_known;
    e->n_fitted = m.drawn.n_fitted;
    e->clusters = m.drawn.n_clusters;
    e->folds = m.drawn.n_folds;
    FREED_BY(valuing_fields)
    struct valuing v = {.m = &m, .list = &list, .options = options, .e = e};
    return value_all(&v);
}
