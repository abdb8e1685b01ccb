#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/status.h"
#include "base/text.h"
#include "recommend/internal.h"
#include "regret/buffer.h"
#include "regret/status.h"
#include "report/page.h"
#include "report/table.h"

/* Agents of a list that is written out; of the table on a screen where more are worse than others. */
enum { NAMED = 3, SHOWN = 15 };

/* ---------------------------------------------------------------- numbers */

static double range(const struct answer *a)
{
    return fabs(a->s->one - a->s->zero);
}

static double shown(const struct answer *a, double x)
{
    return a->s->zero + x * (a->s->one - a->s->zero);
}

/* Two digits of the range, one more where an interval is narrower than that. */
static int decimals(const struct answer *a, const struct interval *x)
{
    int digits = 2 - (int)floor(log10(range(a)) + 1e-9);
    digits += 0.5 * (x->high - x->low) < 0.01;
    return digits > 0 ? digits : 0;
}

static void put_value(struct regret_buffer *out, const struct answer *a, const struct interval *x)
{
    int d = decimals(a, x);
    double low = shown(a, x->low), high = shown(a, x->high);
    regret_buffer_printf(out, "%.*f (%.*f to %.*f)", d, shown(a, x->value), d, fmin(low, high), d,
                         fmax(low, high));
}

/* "0.02 to 0.08", or "0.01 worse to 0.04 better". */
static void put_range(struct regret_buffer *out, const struct answer *a, const struct interval *x,
                      const char *below, const char *above)
{
    int d = decimals(a, x);
    double low = x->low * range(a), high = x->high * range(a);
    if (low < 0.0) {
        regret_buffer_printf(out, "%.*f %s to %.*f %s", d, -low, high < 0.0 ? "" : below, d,
                             fabs(high), high < 0.0 ? below : above);
    } else {
        regret_buffer_printf(out, "%.*f to %.*f", d, low, d, high);
    }
}

static void put_gain(struct regret_buffer *out, const struct answer *a, const struct gain_answer *g)
{
    int d = decimals(a, &g->gain);
    regret_buffer_printf(out, "%.*f (", d, g->gain.value * range(a));
    regret_buffer_printf(out, "%.*f to %.*f)", d, g->gain.low * range(a), d,
                         g->gain.high * range(a));
}

static void put_amount(struct regret_buffer *out, const struct answer *a, double x)
{
    const struct interval none = {x, 0.0, x};
    regret_buffer_printf(out, "%.*f", decimals(a, &none), x * range(a));
}

/* ---------------------------------------------------------------- names */

static const char *agent(const struct answer *a, size_t k)
{
    return a->agent[k];
}

/* Those of the set but one: "X", "X and Y", "X, Y and Z", "5 others". */
static void put_set(struct regret_buffer *out, const struct answer *a, const struct group_answer *g,
                    size_t but, const char *word)
{
    size_t n = g->set - (but < a->s->m && g->agent[but].may_be_best), said = 0;
    if (n > NAMED) {
        regret_buffer_printf(out, "%zu others", n);
        return;
    }
    for (size_t b = 0; b < a->s->m; b++) {
        if (g->agent[b].may_be_best && b != but) {
            const char *before = said == 0 ? "" : said + 1 < n ? ", " : word;
            regret_buffer_printf(out, "%s%s", before, agent(a, b));
            said++;
        }
    }
}

static size_t ranked(const struct answer *a)
{
    size_t n = 0;
    for (size_t b = 0; b < a->s->m; b++) {
        n += a->all.agent[b].is_ranked != 0;
    }
    return n;
}

/* ---------------------------------------------------------------- sentences */

/* Whom a tag goes to: clear, or with those who may be as good. */
static void put_tags(struct regret_buffer *out, const struct answer *a, int clear)
{
    size_t said = 0;
    for (size_t g = 0; g < a->s->n_tags; g++) {
        const struct group_answer *t = &a->tag[g];
        int is_clear = t->set == 1 && t->agent[t->chosen].may_be_best;
        if (is_clear == clear) {
            regret_buffer_printf(out, "%s%s → %s",
                                 said++ > 0 ? ", "
                                 : clear    ? " Clear: "
                                            : " Likely: ",
                                 a->tag_name[g], agent(a, t->chosen));
            if (t->set > 1 && t->set < a->s->m) {
                regret_buffer_append(out, " (or ");
                put_set(out, a, t, t->chosen, " or ");
                regret_buffer_append_char(out, ')');
            }
        }
    }
    regret_buffer_append(out, said > 0 ? ".\n" : "");
}

static const char *what(const struct answer *a)
{
    return a->s->votes != NULL ? "vote" : "request";
}

void answer_headline(struct regret_buffer *out, const struct answer *a)
{
    size_t best = a->all.best;
    switch (a->verdict) {
    case VERDICT_BY_REQUEST:
        regret_buffer_append(out, "Choose for each request: gain ");
        put_gain(out, a, &a->request_over_one);
        regret_buffer_printf(out, " over %s for everything.", agent(a, best));
        break;
    case VERDICT_BY_TAG:
        regret_buffer_append(out, "Choose by category: ");
        if (a->s->votes != NULL) {
            regret_buffer_printf(out, "%s is not the best of each.", agent(a, best));
        } else {
            regret_buffer_append(out, "gain ");
            put_gain(out, a, &a->tag_over_one);
            regret_buffer_printf(out, " over %s for everything.", agent(a, best));
        }
        break;
    case VERDICT_SET:
        regret_buffer_printf(out, "Use %s", agent(a, best));
        if (a->all.set > 1) {
            regret_buffer_append(out, "; ");
            put_set(out, a, &a->all, best, " and ");
            regret_buffer_append(out, " may be as good");
        } else {
            regret_buffer_append(out, " for everything");
        }
        regret_buffer_append_char(out, '.');
        break;
    case VERDICT_NOTHING:
        regret_buffer_printf(out, "Not enough data to tell: all %zu agents may be the best.",
                             ranked(a));
        break;
    case VERDICT_TOO_FEW:
        if (a->comparable < a->s->n) {
            regret_buffer_printf(
                out, "%zu of %zu requests have the scores of two agents: too few to say.",
                a->comparable, a->s->n);
        } else {
            regret_buffer_printf(out, "%zu %s%s too few to say.", a->s->n, what(a),
                                 a->s->n == 1 ? " is" : "s are");
        }
        break;
    }
}

/* Who comes next: of those that may be as good, else of those that are worse. */
static size_t next_best(const struct answer *a)
{
    size_t next = REGRET_NO_AGENT;
    for (size_t b = 0; b < a->s->m; b++) {
        const struct agent_answer *x = &a->all.agent[b];
        if (b != a->all.best && x->is_ranked &&
            (next == REGRET_NO_AGENT || x->behind < a->all.agent[next].behind)) {
            next = b;
        }
    }
    return next;
}

static void say_worse(struct regret_buffer *out, const struct answer *a)
{
    size_t n = 0, only = 0;
    double least = INFINITY;
    for (size_t b = 0; b < a->s->m; b++) {
        const struct agent_answer *x = &a->all.agent[b];
        if (x->is_worse) {
            n++;
            only = b;
            least = fmin(least, x->least);
        }
    }
    if (n > 0) {
        if (n == 1) {
            regret_buffer_printf(out, "%s is worse", agent(a, only));
        } else {
            regret_buffer_printf(out,
                                 n + a->all.set == ranked(a) ? "The other %zu are worse%s"
                                                             : "%zu others are worse%s",
                                 n, least > 0.0 ? ", each" : "");
        }
        regret_buffer_append(out, least > 0.0 ? " by at least " : "");
        if (least > 0.0) {
            put_amount(out, a, least);
        }
        regret_buffer_append(out, ".\n");
    }
}

static void say_next(struct regret_buffer *out, const struct answer *a)
{
    size_t next = next_best(a), best = a->all.best;
    if (next == REGRET_NO_AGENT) {
        return;
    }
    const struct agent_answer *x = &a->all.agent[next];
    if (a->all.worse + 1 == ranked(a)) {
        regret_buffer_printf(out, "Every other agent is worse; the nearest, %s, by ",
                             agent(a, next));
        put_range(out, a, &x->lead, "less", "more");
        regret_buffer_append(out, ".\n");
    } else if (a->verdict == VERDICT_SET) {
        regret_buffer_printf(out, "%s is ", agent(a, best));
        put_amount(out, a, x->lead.value);
        regret_buffer_printf(out, " better than %s%s (", agent(a, next),
                             a->s->votes != NULL ? "" : " on the same requests");
        put_range(out, a, &x->lead, "worse", "better");
        regret_buffer_append(out, ").\n");
        say_worse(out, a);
    } else {
        regret_buffer_printf(out, "The best guess is %s; it may be up to ", agent(a, best));
        put_amount(out, a, a->all.agent[best].behind);
        regret_buffer_append(out, " worse than the best.\n");
        if (!isnan(a->all.wanted)) {
            double step = pow(10.0, floor(log10(a->all.wanted)) - 1.0);
            regret_buffer_printf(out,
                                 "About %.0f requests would tell a lead as large as that over %s, ",
                                 ceil(a->all.wanted / step) * step, agent(a, next));
            put_amount(out, a, x->lead.value);
            regret_buffer_append(out, ".\n");
        }
    }
}

static void say_value(struct regret_buffer *out, const struct answer *a)
{
    enum rule rule = a->verdict == VERDICT_BY_TAG       ? RULE_TAG
                     : a->verdict == VERDICT_BY_REQUEST ? RULE_REQUEST
                                                        : RULE_ONE;
    if (isnan(a->value[rule].value)) {
        return;
    }
    regret_buffer_append(out, a->s->votes != NULL ? "Of votes against the others it should win "
                                                  : "On new requests it should score ");
    put_value(out, a, &a->value[rule]);
    regret_buffer_append(out, ".\n");
}

/* What a richer rule may gain that is not told. */
static void say_likely(struct regret_buffer *out, const struct answer *a)
{
    const struct gain_answer *g =
        a->likely == RULE_REQUEST ? &a->request_over_one : &a->tag_over_one;
    if (a->verdict != VERDICT_SET && a->verdict != VERDICT_NOTHING) {
        return;
    }
    if (a->likely != RULE_ONE) {
        regret_buffer_printf(out, "Choosing %s may gain ",
                             a->likely == RULE_TAG ? "by category" : "for each request");
        put_range(out, a, &g->gain, "less", "more");
        regret_buffer_append(out, "; that is not certain yet.\n");
        if (a->likely == RULE_TAG) {
            put_tags(out, a, 1);
            put_tags(out, a, 0);
        }
    }
}

static void say_incumbent(struct regret_buffer *out, const struct answer *a)
{
    size_t c = a->incumbent_agent, best = a->all.best;
    if (a->incumbent == NULL || best == REGRET_NO_AGENT) {
        return;
    }
    const struct interval *over = &a->incumbent[best].over;
    const struct agent_answer *x = &a->all.agent[c];
    if (!x->is_ranked) {
        regret_buffer_printf(out, "%s cannot be compared with the others.\n", agent(a, c));
    } else if (best != c && over->low > 0.0) {
        regret_buffer_printf(out, "Switch from %s to %s: it is better by ", agent(a, c),
                             agent(a, best));
        put_range(out, a, over, "less", "more");
        regret_buffer_append(out, ".\n");
    } else if (x->may_be_best) {
        regret_buffer_printf(
            out, a->all.set == 1 ? "Stay with %s.\n" : "You may stay with %s: it is at most ",
            agent(a, c));
        if (a->all.set > 1) {
            put_amount(out, a, x->behind);
            regret_buffer_append(out, " worse than the best.\n");
        }
    } else {
        regret_buffer_printf(
            out, "Something is better than %s, and it is not told which: ", agent(a, c));
        put_set(out, a, &a->all, REGRET_NO_AGENT, " or ");
        regret_buffer_append(out, ".\n");
    }
}

static void say_cheaper(struct regret_buffer *out, const struct answer *a)
{
    const size_t cheap[2] = {a->cheapest_of_set, a->cheaper};
    for (int k = 0; k < 2; k++) {
        if (cheap[k] != REGRET_NO_AGENT && (k == 0 || cheap[1] != cheap[0])) {
            regret_buffer_printf(out, "%s costs %.3g where %s costs %.3g, and is at most ",
                                 agent(a, cheap[k]), a->s->cost[cheap[k]], agent(a, a->all.best),
                                 a->s->cost[a->all.best]);
            put_amount(out, a, a->all.agent[cheap[k]].behind);
            regret_buffer_append(out, " worse.\n");
        }
    }
}

void answer_sentences(struct regret_buffer *out, const struct answer *a)
{
    if (a->verdict == VERDICT_TOO_FEW || a->all.best == REGRET_NO_AGENT) {
        regret_buffer_printf(out, "%d %ss are the least.\n", LEAST_REQUESTS, what(a));
        regret_buffer_append(
            out, a->comparable == 0
                     ? "Where one agent was drawn for each request it is a trial: regret "
                       "init --exp FILE -o evaluate.json.\n"
                     : "");
        return;
    }
    if (a->verdict == VERDICT_BY_TAG) {
        put_tags(out, a, 1);
        put_tags(out, a, 0);
    } else if (a->verdict == VERDICT_BY_REQUEST) {
        if (a->request_over_tag.is_known && !a->request_over_tag.is_same && a->s->n_tags > 0) {
            regret_buffer_append(out, "Over choosing by category it gains ");
            put_gain(out, a, &a->request_over_tag);
            regret_buffer_append(out, ".\n");
        }
        regret_buffer_append(out, "`regret recommend DATA --new FILE` names the agents.\n");
    } else {
        say_next(out, a);
    }
    say_value(out, a);
    say_likely(out, a);
    say_incumbent(out, a);
    say_cheaper(out, a);
}

static void put_rests(struct regret_buffer *out, const struct answer *a)
{
    const struct score_table *s = a->s;
    regret_buffer_printf(out, "%s%zu %ss, %zu agents", s->synthetic ? "Synthetic data: " : "", s->n,
                         what(a), s->m);
    if (a->unknown > 0) {
        regret_buffer_printf(out, "; %zu of %zu scores are missing", a->unknown, s->n * s->m);
    }
    if (s->votes != NULL) {
        regret_buffer_append(out, ". A score is the share of votes won, every other agent met as "
                                  "often (Bradley and Terry).");
        return;
    }
    regret_buffer_printf(out, ". %s%s%g is the worst score and %g the best.", s->measure,
                         s->measure[0] != '\0' ? ": " : "", s->zero, s->one);
    if (a->verdict != VERDICT_TOO_FEW) {
        regret_buffer_append(out, " Gains and the score on new requests are of requests that the "
                                  "choice was not learnt on.");
    }
}

/* ---------------------------------------------------------------- the table */

static void put_group(struct table *t, const struct answer *a, const struct group_answer *g,
                      size_t k)
{
    const struct agent_answer *x = &g->agent[k];
    double low = shown(a, x->level.low), high = shown(a, x->level.high);
    if (x->known == 0 || (!x->is_ranked && g == &a->all)) {
        table_text(t, "–");
        return;
    }
    table_limits(t, shown(a, x->level.value), fmin(low, high), fmax(low, high),
                 decimals(a, &x->level), x->may_be_best ? TABLE_BEST : 0);
}

/* Agents by their effects, those that are not ranked last. */
static int order_agents(size_t **out, const struct answer *a)
{
    TRY(REGRET_NEW(out, a->s->m));
    for (size_t n = 0; n < a->s->m; n++) {
        const struct agent_answer *x = &a->all.agent[n];
        double key = x->is_ranked ? x->level.value : -1.0;
        size_t at = n;
        for (; at > 0; at--) {
            const struct agent_answer *other = &a->all.agent[(*out)[at - 1]];
            if ((other->is_ranked ? other->level.value : -1.0) >= key) {
                break;
            }
            (*out)[at] = (*out)[at - 1];
        }
        (*out)[at] = n;
    }
    return REGRET_OK;
}

static int may_be_best_somewhere(const struct answer *a, size_t k)
{
    int may = a->all.agent[k].may_be_best;
    for (size_t g = 0; g < a->s->n_tags; g++) {
        may |= a->tag[g].agent[k].may_be_best;
    }
    return may;
}

/* Of all agents alike: none where all are whole, else three digits of the largest. */
static int cost_digits(const struct score_table *s)
{
    double most = 0.0;
    int are_whole = 1;
    for (size_t a = 0; a < s->m; a++) {
        most = fmax(most, s->cost[a]);
        are_whole &= !(floor(s->cost[a]) < s->cost[a]);
    }
    double digits = 2.0 - floor(log10(most));
    return are_whole || digits < 0.0 ? 0 : (int)fmin(digits, 12.0);
}

static void put_columns(struct table *t, const struct answer *a)
{
    table_block(t, "%s", "");
    table_column(t, "agent");
    table_column(t, "all %zu", a->s->n);
    for (size_t g = 0; g < a->s->n_tags; g++) {
        table_column(t, "%s %zu", a->tag_name[g], a->tag[g].requests);
    }
    if (a->s->cost != NULL) {
        table_column(t, "cost");
    }
}

static int table_of_agents(struct table *t, const struct answer *a, size_t most)
{
    FREED size_t *order = NULL;
    size_t left = 0;
    TRY(order_agents(&order, a));
    table_begin(t, "agents", "%s and its 95 %% interval",
                a->s->votes != NULL ? "Share of votes won" : "Mean score");
    put_columns(t, a);
    for (size_t i = 0; i < a->s->m; i++) {
        size_t k = order[i];
        if (i >= most && !may_be_best_somewhere(a, k)) {
            left++;
            continue;
        }
        table_row(t, "%s", agent(a, k));
        put_group(t, a, &a->all, k);
        for (size_t g = 0; g < a->s->n_tags; g++) {
            put_group(t, a, &a->tag[g], k);
        }
        if (a->s->cost != NULL) {
            table_number(t, a->s->cost[k], cost_digits(a->s));
        }
    }
    if (left > 0) {
        table_note(t,
                   left == 1 ? "%zu more agent is worse everywhere."
                             : "%zu more agents are worse everywhere.",
                   left);
    }
    if (a->all.set > 0) {
        table_note(t,
                   "Stressed: may be the best of its column, for it is significantly worse than no "
                   "other agent (95 %% for all agents, and for all categories).");
    }
    return table_check(t);
}

/* ---------------------------------------------------------------- the forms */

static void put_wrapped(struct regret_buffer *out, const char *lines, size_t columns,
                        const char *before)
{
    const struct text_margins margins = {columns, 0, strlen(before)};
    for (const char *p = lines; *p != '\0';) {
        size_t length = strcspn(p, "\n");
        struct regret_buffer line = REGRET_BUFFER_INIT;
        regret_buffer_printf(&line, "%s%.*s", before, (int)length, p);
        text_wrap(out, regret_buffer_get(&line), &margins);
        regret_buffer_free_into(out, &line);
        p += length + (p[length] == '\n');
    }
}

int answer_text(struct regret_buffer *out, const struct answer *a, size_t columns)
{
    FREED_BY(regret_buffer_free) struct regret_buffer words = REGRET_BUFFER_INIT;
    FREED_BY(table_free) struct table t = {0};
    answer_headline(&words, a);
    put_wrapped(out, regret_buffer_get(&words), columns, "");
    regret_buffer_clear(&words);
    answer_sentences(&words, a);
    regret_buffer_append_char(out, '\n');
    put_wrapped(out, regret_buffer_get(&words), columns, "");
    regret_buffer_append_char(out, '\n');
    TRY(table_of_agents(&t, a, SHOWN));
    render_text(out, &t);
    regret_buffer_clear(&words);
    put_rests(&words, a);
    regret_buffer_append_char(out, '\n');
    put_wrapped(out, regret_buffer_get(&words), columns, "");
    if (a->caution.length > 0) {
        regret_buffer_append(out, "\nBeware:\n");
        put_wrapped(out, regret_buffer_get(&a->caution), columns, "- ");
    }
    TRY(regret_buffer_status(&words));
    return regret_buffer_status(out);
}

/* Every line an element. */
static void put_elements(struct regret_buffer *out, const char *element, const char *lines)
{
    for (const char *p = lines; *p != '\0';) {
        size_t length = strcspn(p, "\n");
        html_say(out, element, "%.*s", (int)length, p);
        p += length + (p[length] == '\n');
    }
}

int answer_page(struct regret_buffer *out, const struct answer *a)
{
    FREED_BY(regret_buffer_free) struct regret_buffer words = REGRET_BUFFER_INIT;
    FREED_BY(table_free) struct table t = {0};
    TRY(table_of_agents(&t, a, a->s->m));
    answer_headline(&words, a);
    page_begin(out, regret_buffer_get(&words));
    html_say(out, "p", "%s%s", a->s->synthetic ? "Synthetic data: " : "", a->s->name);
    regret_buffer_append(out, "</header>\n<main id=\"main\" tabindex=\"-1\">\n");
    regret_buffer_clear(&words);
    answer_sentences(&words, a);
    put_elements(out, "p", regret_buffer_get(&words));
    html_table(out, &t);
    regret_buffer_clear(&words);
    put_rests(&words, a);
    put_elements(out, "p", regret_buffer_get(&words));
    regret_buffer_append(out, a->caution.length > 0 ? "<h2>Cautions</h2>\n<ol>\n" : "");
    put_elements(out, "li", regret_buffer_get(&a->caution));
    regret_buffer_append(out, a->caution.length > 0 ? "</ol>\n" : "");
    page_end(out);
    TRY(regret_buffer_status(&words));
    return regret_buffer_status(out);
}
