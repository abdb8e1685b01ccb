/* Who is chosen: the single agent, by tag, and on each context. */
#include "report/recommend/answer_who.h"

#include <math.h>

#include "base/core/try.h"
#include "report/recommend/filters.h"

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
                                 : a->s->r->run.observed >= 0
                                     ? "; by their observed outputs its value less that of "
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
                                     ? "by these it is the worse, and best where it was seen"
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
static void put_tags(struct leaf *w, const struct answer *a, size_t lines, int in_rows)
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
    put_tags(w, a, lines, in_rows);
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
