#include "report/internal.h"

#include <math.h>

#include "report/answer.h"
#include "report/cautions.h"
#include "report/records.h"
#include "stats/multiplicity.h"
#include "stats/resampling.h"

/* Who is chosen: the single agent, by tag, and on each context. */

enum { MOST_TAGS = 10, LEAST_TAGS = 3, MOST_LINES = 24, MOST_AGENTS = 3 };

int answer_is_on_scale(const struct answer *a, double half)
{
    return isfinite(half) && half <= a->rules.high - a->rules.low;
}

void answer_half(struct regret_buffer *t, const struct answer *a, double mean, double half)
{
    if (answer_is_on_scale(a, half)) {
        regret_buffer_printf(t, "%+.4f ± %.4f", mean, half);
    } else {
        regret_buffer_append(t, isfinite(mean) ? "cannot tell" : "-");
    }
}

void answer_number(struct leaf *w, const struct leaf_column *columns, double x)
{
    struct regret_buffer t = REGRET_BUFFER_INIT;
    regret_buffer_printf(&t, isfinite(x) ? "%.4f" : "-", x);
    leaf_take(w, columns, &t);
}

static const char *agent_name(const struct answer *a, size_t agent, const char *none)
{
    return agent != REGRET_NO_ROW ? a->s->grid->agents[agent] : none;
}

const char *answer_value_name(const struct answer *a)
{
    return has_strengths(a->s->r) ? "won" : "value";
}

void answer_table(struct leaf *w, const struct answer *a, const struct leaf_column *columns,
                  size_t n)
{
    enum { MOST_COLUMNS = 8 };
    struct leaf_column named[MOST_COLUMNS];
    for (size_t i = 0; i < n; i++) {
        named[i] = columns[i];
        named[i].head = columns[i].head != NULL ? columns[i].head : answer_value_name(a);
    }
    leaf_table(w, named, n);
}

/* ---------------------------------------------------------------- the single agent */

void answer_single(struct leaf *w, const struct answer *a)
{
    const struct agent_pair *p = &a->single;
    struct regret_buffer t = REGRET_BUFFER_INIT;
    if (p->agent == REGRET_NO_ROW) {
        return;
    }
    leaf_name(w, &t, a->s->grid->agents[p->agent]);
    regret_buffer_printf(&t, " is the best single agent (%s) in %.0f %% of the replicates",
                         a->s->r->subjects[a->s->reference[OVER_SINGLE]].name, 100.0 * p->share);
    if (p->other != REGRET_NO_ROW && isfinite(p->gain)) {
        regret_buffer_append(&t, has_strengths(a->s->r) ? "; by all votes its value less that of "
                                 : holes_are_there(a->s->r)
                                     ? "; compared on the same requests its value less that of "
                                     : "; over all contexts its value less that of ");
        leaf_name(w, &t, a->s->grid->agents[p->other]);
        regret_buffer_append(&t, ", the best of the others, is ");
        regret_buffer_printf(&t, "%+.4f", p->gain);
        if (answer_is_on_scale(a, 0.5 * (p->high - p->low))) {
            regret_buffer_printf(&t, " [%+.4f, %+.4f]: %s", p->low, p->high,
                                 p->told && a->rules.trouble == RULES_NOT_TOLD
                                     ? "at 95 % these two are told apart; of rules 98 % together "
                                       "is asked, on held-out contexts"
                                 : p->told ? "they are told apart"
                                 : p->high < 0.0
                                     ? "by these it is the worse, and best where it was asked"
                                     : "they are not told apart");
        }
    }
    regret_buffer_append(&t, ".");
    leaf_heading(w, "The single agent");
    leaf_item(w, &t);
}

/* ---------------------------------------------------------------- by tag */

static const struct leaf_column tag_columns[] = {{"tag", 12},  {"n", 4},     {"agent", 16},
                                                 {"share", 5}, {"next", 11}, {"gain", 25}};
enum { TAG_COLUMNS = sizeof tag_columns / sizeof *tag_columns, TAG_AGENT = 2, TAG_NEXT = 4 };

static const char *tag_name(const struct tag_agents *tag)
{
    return tag->tag != NULL ? tag->tag : "(no tag)";
}

/* Names that a column would cut, as those of models that differ in their middle, are written out in items. */
static int tag_names_fit(const struct answer *a)
{
    int fit = 1;
    for (size_t i = 0; i < a->tags.n; i++) {
        const struct agent_pair *p = &a->tags.items[i].pair;
        fit &= regret_text_columns(agent_name(a, p->agent, "")) <= tag_columns[TAG_AGENT].width;
        fit &= regret_text_columns(agent_name(a, p->other, "")) <= tag_columns[TAG_NEXT].width;
    }
    return fit;
}

static void put_tag_gain(struct regret_buffer *t, const struct answer *a,
                         const struct agent_pair *p)
{
    if (answer_is_on_scale(a, 0.5 * (p->high - p->low))) {
        regret_buffer_printf(t, "%+.3f [%+.3f, %+.3f]", p->gain, p->low, p->high);
    } else {
        regret_buffer_append(t, isfinite(p->gain) ? "cannot tell" : "-");
    }
    regret_buffer_append(t, p->told ? " *" : "");
}

static void put_tag_row(struct leaf *w, const struct answer *a, const struct tag_agents *tag)
{
    const struct agent_pair *p = &tag->pair;
    struct regret_buffer t = REGRET_BUFFER_INIT;
    leaf_cell(w, tag_columns, tag_name(tag));
    regret_buffer_printf(&t, "%zu", tag->contexts);
    leaf_take(w, tag_columns, &t);
    leaf_cell(w, tag_columns, agent_name(a, p->agent, "-"));
    regret_buffer_printf(&t, isfinite(p->share) ? "%.0f %%" : "-", 100.0 * p->share);
    leaf_take(w, tag_columns, &t);
    leaf_cell(w, tag_columns, agent_name(a, p->other, "none"));
    put_tag_gain(&t, a, p);
    leaf_take(w, tag_columns, &t);
    leaf_end_row(w);
}

/* "chat (150): gpt (100 %), +0.259 [+0.182, +0.334] * over llama" */
static void put_tag_item(struct leaf *w, const struct answer *a, const struct tag_agents *tag)
{
    const struct agent_pair *p = &tag->pair;
    struct regret_buffer t = REGRET_BUFFER_INIT;
    leaf_name(w, &t, tag_name(tag));
    regret_buffer_printf(&t, " (%zu): ", tag->contexts);
    leaf_name(w, &t, agent_name(a, p->agent, "-"));
    if (isfinite(p->share)) {
        regret_buffer_printf(&t, " (%.0f %%)", 100.0 * p->share);
    }
    if (p->other != REGRET_NO_ROW) {
        regret_buffer_append(&t, ", ");
        put_tag_gain(&t, a, p);
        regret_buffer_append(&t, " over ");
        leaf_name(w, &t, a->s->grid->agents[p->other]);
    }
    leaf_item(w, &t);
}

/* "chat (150): gpt (61 %), llama (30 %), 3 others" */
static void put_choices(struct leaf *w, const struct answer *a, const struct tag_agents *tag)
{
    struct regret_buffer t = REGRET_BUFFER_INIT;
    size_t n = a->s->grid->n_agents, told = 0, chosen = 0;
    for (size_t i = 0; i < n; i++) {
        chosen += tag->count[i] > 0.0;
    }
    leaf_name(w, &t, tag->tag != NULL ? tag->tag : a->tags.n > 1 ? "(no tag)" : "all");
    regret_buffer_printf(&t, " (%zu):", tag->contexts);
    for (; told < chosen && told < MOST_AGENTS; told++) {
        size_t most = 0;
        for (size_t i = 1; i < n; i++) {
            most = tag->count[i] > tag->count[most] ? i : most;
        }
        regret_buffer_append(&t, told > 0 ? ", " : " ");
        leaf_name(w, &t, a->s->grid->agents[most]);
        regret_buffer_printf(&t, " (%.0f %%)", 100.0 * tag->count[most] / tag->counted);
        tag->count[most] = 0.0;
    }
    if (told < chosen) {
        regret_buffer_printf(&t, ", %zu other%s", chosen - told, chosen - told == 1 ? "" : "s");
    }
    leaf_item(w, &t);
}

/* By tag or, of what is chosen by request, in a summary. */
static void put_tag(struct leaf *w, const struct answer *a, const struct tag_agents *tag,
                    int in_rows)
{
    if (a->rules.answer != REGRET_ADVICE_BY_TAG) {
        put_choices(w, a, tag);
    } else if (in_rows) {
        put_tag_row(w, a, tag);
    } else {
        put_tag_item(w, a, tag);
    }
}

/* The tag of most contexts behind `last` (NULL: of all), of equals the first; NULL behind the last of all. */
static const struct tag_agents *next_tag(const struct answer *a, const struct tag_agents *last)
{
    const struct tag_agents *next = NULL;
    for (const struct tag_agents *t = a->tags.items; t < a->tags.items + a->tags.n; t++) {
        int is_behind = last == NULL || t->contexts < last->contexts ||
                        (t->contexts == last->contexts && t > last);
        if (is_behind && (next == NULL || t->contexts > next->contexts)) {
            next = t;
        }
    }
    return next;
}

/* As many as have room in so many lines. */
static void answer_who_put_tags(struct leaf *w, const struct answer *a, size_t lines, int in_rows)
{
    struct regret_buffer t = REGRET_BUFFER_INIT;
    size_t listed = 0, used = 0;
    for (const struct tag_agents *tag = next_tag(a, NULL); tag != NULL; tag = next_tag(a, tag)) {
        struct leaf one = *w;
        one.out = &t;
        put_tag(&one, a, tag, in_rows);
        used += leaf_lines(&one);
        int is_full = listed >= MOST_TAGS || (w->form == LEAF_TEXT && used > lines);
        if (w->form != LEAF_MARKDOWN && listed >= LEAST_TAGS && is_full) {
            break;
        }
        regret_buffer_append(w->out, regret_buffer_get(&t));
        regret_buffer_clear(&t);
        w->open = one.open;
        listed++;
    }
    regret_buffer_clear(&t);
    if (listed < a->tags.n) {
        size_t more = a->tags.n - listed;
        regret_buffer_printf(&t, "%zu more tag%s: %s", more, more == 1 ? "" : "s",
                             w->form == LEAF_HTML ? "the table means has all" : "--format json");
        leaf_item(w, &t);
    }
    regret_buffer_free_into(w->out, &t);
}

/* Of so few contexts nobody is told apart, whoever is chosen. */
static void put_few(struct leaf *w, const struct answer *a)
{
    struct regret_buffer t = REGRET_BUFFER_INIT;
    size_t few = 0;
    for (size_t i = 0; i < a->tags.n; i++) {
        few += a->tags.items[i].contexts < FEW_CONTEXTS;
    }
    if (few > 0) {
        regret_buffer_printf(&t, "%zu tag%s fewer than %d contexts, too few to tell.", few,
                             few == 1 ? " has" : "s have", (int)FEW_CONTEXTS);
        leaf_item(w, &t);
    }
}

void answer_tags(struct leaf *w, const struct answer *a, size_t lines)
{
    int by_tag = a->rules.answer == REGRET_ADVICE_BY_TAG;
    int in_rows = by_tag && (w->form != LEAF_TEXT || tag_names_fit(a));
    leaf_heading(w, by_tag ? "By tag (gain over the next agent; *: told apart)"
                           : "What would be chosen, by tag");
    if (in_rows) {
        answer_table(w, a, tag_columns, TAG_COLUMNS);
    }
    answer_who_put_tags(w, a, lines, in_rows);
    put_few(w, a);
}

/* ---------------------------------------------------------------- contexts */

static const struct leaf_column context_columns[] = {{"context", 18}, {"tag", 10}, {"agent", 15},
                                                     {"share", 5},    {NULL, 7},   {"gain", 13}};
enum { CONTEXT_COLUMNS = sizeof context_columns / sizeof *context_columns, CONTEXT_AGENT = 2 };

/* Of all agents that may be listed, as with tags. */
static int context_names_fit(const struct answer *a)
{
    int fit = 1;
    for (size_t i = 0; i < a->s->grid->n_agents; i++) {
        fit &= regret_text_columns(a->s->grid->agents[i]) <= context_columns[CONTEXT_AGENT].width;
    }
    return fit;
}

/* "p3 (code): gpt (100 %), value 0.5750, gain +0.0050" */
static void put_context_item(struct leaf *w, const struct answer *a, size_t x)
{
    const struct recommended *item = recommend_item(a->s, a->source, x);
    struct regret_buffer t = REGRET_BUFFER_INIT;
    const char *tag = recommend_tag(a->s, x);
    leaf_name(w, &t, a->s->grid->contexts[x]);
    regret_buffer_append(&t, tag != NULL ? " (" : "");
    leaf_name(w, &t, tag != NULL ? tag : "");
    regret_buffer_append(&t, tag != NULL ? "): " : ": ");
    leaf_name(w, &t, a->s->grid->agents[item->agent]);
    regret_buffer_printf(&t, " (%.0f %%), %s %.4f", 100.0 * item->share, answer_value_name(a),
                         item->value.mean);
    if (isfinite(item->margin[OVER_SINGLE].mean)) {
        regret_buffer_printf(&t, ", gain %+.4f", item->margin[OVER_SINGLE].mean);
    }
    leaf_item(w, &t);
}

static void put_context_row(struct leaf *w, const struct answer *a, size_t x)
{
    const struct recommend *s = a->s;
    const struct recommended *item = recommend_item(s, a->source, x);
    struct regret_buffer t = REGRET_BUFFER_INIT;
    const char *tag = recommend_tag(s, x);
    leaf_cell(w, context_columns, s->grid->contexts[x]);
    leaf_cell(w, context_columns, tag != NULL ? tag : "-");
    leaf_cell(w, context_columns, s->grid->agents[item->agent]);
    regret_buffer_printf(&t, "%.0f %%", 100.0 * item->share);
    leaf_take(w, context_columns, &t);
    answer_number(w, context_columns, item->value.mean);
    regret_buffer_printf(&t, isfinite(item->margin[OVER_SINGLE].mean) ? "%+.4f" : "-",
                         item->margin[OVER_SINGLE].mean);
    leaf_take(w, context_columns, &t);
    leaf_end_row(w);
}

void answer_contexts(struct leaf *w, const struct answer *a)
{
    struct regret_buffer t = REGRET_BUFFER_INIT;
    size_t listed = 0;
    int in_rows = w->form != LEAF_TEXT || context_names_fit(a);
    const size_t most = in_rows ? MOST_LINES : MOST_LINES / 2; /* an item takes two */
    regret_buffer_append(&t, "Contexts, by ");
    leaf_name(w, &t, recommend_source(a->s, a->source));
    leaf_heading(w, regret_buffer_get(&t));
    if (in_rows) {
        answer_table(w, a, context_columns, CONTEXT_COLUMNS);
    }
    regret_buffer_free_into(w->out, &t);
    for (size_t x = 0; x < a->s->grid->n_contexts; x++) {
        if (answer_shows(a, a->source, x)) {
            listed++;
            if (listed <= most || w->form != LEAF_TEXT) {
                (in_rows ? put_context_row : put_context_item)(w, a, x);
            }
        }
    }
    if (listed == 0 || (listed > most && w->form == LEAF_TEXT)) {
        regret_buffer_printf(&t, listed == 0 ? "none" : "%zu more: --format csv", listed - most);
        leaf_item(w, &t);
    }
}

/* What becomes of the variance with so many times the contexts and the seeds. */
struct enlarged {
    double contexts, seeds;
};

/* Of V (stats/resampling.h) what is of seeds, V_seeds − V_both, goes down with seeds, what is of contexts with contexts,
 * and the rest with both; and the fewer of either are the degrees of freedom. */
static double detectable_of(const struct contest *rules, const struct regret_two_way *w,
                            struct enlarged by)
{
    double seeds = fmax(w->v_seeds - w->v_both, 0.0),
           contexts = fmax(w->v_contexts - w->v_both, 0.0);
    double rest = fmax(w->se * w->se - seeds - contexts, 0.0);
    double v = seeds / by.seeds + contexts / by.contexts + rest / (by.seeds * by.contexts);
    double fewer = fmin(by.seeds * (double)w->n_seeds, by.contexts * (double)w->n_contexts);
    return regret_detectable_difference(sqrt(v), fewer - 1.0, rules->alone, RULES_POWER);
}

/* More than these nobody has, and advice to get them is none; ten times what there is may always be wanted. */
enum { MOST_CONTEXTS = 20000, MOST_SEEDS = 500, MOST_ROWS = 1000000, LEAST_TIMES = 10 };

static double most_times(double most, size_t n)
{
    return fmax(most / (double)n, LEAST_TIMES);
}

/* The least factor, to a thousandth, by which `more` must be raised, 1 standing for what is enlarged; 0 where it would be
 * beyond what anybody has. */
static double times_needed(const struct contest *rules, const struct regret_two_way *w,
                           struct enlarged more)
{
    double contexts = more.contexts > 0.0 ? most_times(MOST_CONTEXTS, w->n_contexts) : INFINITY,
           seeds = more.seeds > 0.0 ? most_times(MOST_SEEDS, w->n_seeds) : INFINITY;
    double low = 1.0, high = fmin(contexts, seeds);
    const struct enlarged most = {more.contexts > 0.0 ? high : 1.0, more.seeds > 0.0 ? high : 1.0};
    const struct enlarged none = {1.0, 1.0};
    if (detectable_of(rules, w, none) <= w->mean) {
        return 1.0;
    }
    if (detectable_of(rules, w, most) > w->mean) {
        return 0.0;
    }
    while (high - low > 1e-3 * low) {
        double middle = 0.5 * (low + high);
        struct enlarged by = {more.contexts > 0.0 ? middle : 1.0, more.seeds > 0.0 ? middle : 1.0};
        if (detectable_of(rules, w, by) <= w->mean) {
            high = middle;
        } else {
            low = middle;
        }
    }
    return high;
}

struct more_data more_data(const struct contest *rules, const struct rule_gain *c)
{
    static const struct enlarged contexts = {1.0, 0.0}, seeds = {0.0, 1.0}, both = {1.0, 1.0};
    const struct regret_two_way *w = &c->w;
    struct more_data out = {.seen = w->mean, .least = NAN};
    if (isfinite(w->se)) {
        const struct enlarged none = {1.0, 1.0};
        out.least = detectable_of(rules, w, none);
    }
    if (isfinite(w->se) && w->mean > 0.0) {
        out.contexts = times_needed(rules, w, contexts) * (double)w->n_contexts;
        out.seeds = times_needed(rules, w, seeds) * (double)w->n_seeds;
        out.both = times_needed(rules, w, both);
    }
    return out;
}

/* ---------------------------------------------------------------- in words */

/* The deviation, over contexts, of what the single agent is worth. */
static double deviation_of_values(const struct answer *a)
{
    const struct recommend *s = a->s;
    size_t source = recommend_find(s, s->reference[OVER_SINGLE]), n = 0;
    double sum = 0.0, squares = 0.0;
    for (size_t x = 0; x < s->grid->n_contexts && source < s->n_sources; x++) {
        double value = recommend_item(s, source, x)->value.mean;
        if (isfinite(value)) {
            n++;
            double d = value - sum;
            sum += d / (double)n; /* the mean so far (Welford) */
            squares += d * (value - sum);
        }
    }
    return n > 1 ? sqrt(squares / (double)(n - 1)) : NAN;
}

enum {
    DEFAULT_SEEDS = 30, /* of a configuration (regret/experiment.h) */
    LEAST_CONTEXTS = 5 * FEW_CONTEXTS
};

/* To two digits: more would be a promise. */
static double roughly(double n)
{
    double unit = n > 99.0 ? pow(10.0, floor(log10(n)) - 1.0) : 1.0;
    return unit * ceil(n / unit);
}

/* Rows of EXP, dealt evenly to all agents, whose means tell the best single agent from the next. */
static void say_rows(struct regret_buffer *out, const struct answer *a)
{
    double deviation = sqrt(2.0) * deviation_of_values(a);
    size_t agents = a->s->grid->n_agents;
    if (!(a->single.gain > 0.0) || !isfinite(deviation)) {
        return;
    }
    size_t rows = agents * regret_observations_needed(deviation, a->single.gain, DETECTABLE_SIZE,
                                                      RULES_POWER, MOST_ROWS / agents);
    if (rows > 0) {
        regret_buffer_printf(out,
                             " To tell the best single agent from the next one by EXP alone, about "
                             "%.0f EXP rows, if outcomes scatter as values of contexts do.",
                             roughly((double)rows));
    } else {
        regret_buffer_printf(out,
                             " The best single agent is so near the next one that not even %d EXP "
                             "rows would tell them apart.",
                             (int)MOST_ROWS);
    }
}

/* Where no number of seeds would do: of more contexts, which more seeds may hold out, nothing is known. */
static void say_seeds(struct regret_buffer *out, const struct answer *a,
                      const struct regret_two_way *w)
{
    if (w->n_contexts >= a->s->grid->n_contexts) {
        regret_buffer_append(out, "; more seeds of these contexts alone would not");
        return;
    }
    regret_buffer_printf(out, "; more seeds hold out more of the contexts (here %zu of %zu)",
                         w->n_contexts, a->s->grid->n_contexts);
    if (w->n_seeds < DEFAULT_SEEDS) {
        regret_buffer_printf(out, ": try the default of %d first", (int)DEFAULT_SEEDS);
    }
}

static void say_needed(struct regret_buffer *out, const struct answer *a,
                       const struct more_data *more, const struct regret_two_way *w)
{
    const char *joint = more->both > 0.0 ? ";" : "it would take";
    if (!(w->mean > 0.0)) {
        return;
    }
    regret_buffer_append(out, " Were that the true gain, ");
    if (more->both > 0.0) {
        regret_buffer_printf(
            out, "it would take about %.0f contexts held out by %.0f seeds (here %zu by %zu)",
            roughly(more->both * (double)w->n_contexts), roughly(more->both * (double)w->n_seeds),
            w->n_contexts, w->n_seeds);
    }
    if (more->contexts > 0.0) {
        regret_buffer_printf(out, "%s with these seeds %.0f contexts", joint,
                             roughly(more->contexts));
        joint = ",";
    }
    if (more->seeds > 0.0) {
        regret_buffer_printf(out, "%s with these contexts %.0f seeds", joint, roughly(more->seeds));
    } else if (more->both > 0.0 || more->contexts > 0.0) {
        say_seeds(out, a, w);
    } else {
        regret_buffer_append(out, "it would be more than a table of this kind can tell");
    }
    regret_buffer_append_char(out, '.');
}

void say_untold(struct regret_buffer *out, const struct answer *a)
{
    static const char *const names[] = {"", "", "By tag", "By request"};
    const struct rule_gain *most = NULL;
    size_t which = 0;
    for (size_t i = a->rules.first + 1; i < REGRET_N_ADVICE; i++) {
        const struct rule_gain *c = &a->rules.item[i].over_simpler;
        if (a->rules.item[i].known && c->told == 0 && c->w.mean > 0.0 && isfinite(c->w.se) &&
            (most == NULL || c->w.mean > most->w.mean)) {
            most = c;
            which = i;
        }
    }
    if (a->rules.answer != REGRET_ADVICE_NONE && most != NULL) {
        struct more_data more = more_data(&a->rules, most);
        regret_buffer_printf(out, "%s gains %+.4f over that, which is not told from none.",
                             names[which], most->w.mean);
        say_needed(out, a, &more, &most->w);
    }
}

/* The rule whose gain over chance, which must be told before there is an answer, needs least: a table of contexts by seeds
 * *times as large; INFINITY where none such would do. */
static size_t needs_least(double *times, const struct contest *rules)
{
    size_t least = rules->first;
    *times = INFINITY;
    for (size_t i = REGRET_ADVICE_ONE_AGENT; i < REGRET_N_ADVICE; i++) {
        double both = more_data(rules, &rules->item[i].over_random).both;
        if (rules->item[i].known && both > 0.0 && both < *times) {
            *times = both;
            least = i;
        }
    }
    return least;
}

static void say_least(struct regret_buffer *out, const struct answer *a)
{
    static const char *const by[] = {"", "one agent", "by tag", "by request"};
    double times;
    const size_t rule = needs_least(&times, &a->rules);
    const struct rule_gain *gain = &a->rules.item[rule].over_random;
    const struct more_data more = more_data(&a->rules, gain);
    if (!isfinite(more.least)) {
        return;
    }
    if (!answer_is_on_scale(a, more.least)) {
        regret_buffer_printf(out,
                             "%zu seeds of %zu contexts are so few that no gain, however large, "
                             "would be told from none: take at least %d contexts and %d seeds.",
                             gain->w.n_seeds, gain->w.n_contexts, (int)LEAST_CONTEXTS,
                             (int)FEW_SEEDS);
        return;
    }
    regret_buffer_printf(
        out,
        "A run of this size tells a gain over chance of %.4f from none in 80 %% of "
        "cases; seen is %+.4f, %s%s.",
        more.least, more.seen, by[rule],
        isfinite(times) && a->rules.n_known > 1 ? ", the rule that needs least" : "");
    say_needed(out, a, &more, &gain->w);
    say_rows(out, a);
}

void say_more_data(struct regret_buffer *out, const struct answer *a)
{
    if (a->rules.trouble == RULES_NO_INTERVALS) {
        regret_buffer_printf(out,
                             "How much data would do cannot be worked out without an interval: "
                             "take at least %d contexts and %d seeds.",
                             (int)LEAST_CONTEXTS, (int)FEW_SEEDS);
        return;
    }
    if (a->rules.trouble == RULES_HOLES) {
        regret_buffer_append(out,
                             "Have every agent answer every request, or a part of them that is "
                             "drawn at random.");
        return;
    }
    if (a->rules.trouble == RULES_APART) {
        regret_buffer_append(out, "Have them voted on against one another, or import the agents "
                                  "of one part alone: regret import … --agent PATTERN.");
        return;
    }
    if (a->rules.trouble == RULES_POSITION) {
        regret_buffer_append(out, "Show every two agents in both orders alike often, or vote again "
                                  "in the other order.");
        return;
    }
    if (a->rules.trouble == RULES_NOT_TOLD) {
        say_least(out, a);
    }
}
