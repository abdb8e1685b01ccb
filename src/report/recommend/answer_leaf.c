/* The answer first, then what it rests on, then what is to be borne in mind. */
#include <math.h>

#include "report/recommend/filters.h"
#include "report/recommend/leaf.h"
#include "report/recommend/more_data.h"
#include "report/recommend/writers.h"

enum { MOST_TAGS = 10, MOST_LISTED = 24, MOST_AGENTS = 3, MOST_SAID = 4 };

static int is_on_scale(const struct answer *a, double half)
{
    return isfinite(half) && half <= a->rules.high - a->rules.low;
}

/* "+0.1234 [+0.1000, +0.1468]"; an interval wider than the scale says nothing and is not shown. */
static void put_gain(struct regret_buffer *t, const struct answer *a, const struct rule_gain *c)
{
    if (is_on_scale(a, c->high - c->w.mean)) {
        regret_buffer_printf(t, "%+.4f [%+.4f, %+.4f]", c->w.mean, c->low, c->high);
    } else {
        regret_buffer_append(t, "cannot tell");
    }
}

static void put_half(struct regret_buffer *t, const struct answer *a, double mean, double half)
{
    if (is_on_scale(a, half)) {
        regret_buffer_printf(t, "%+.4f ± %.4f", mean, half);
    } else {
        regret_buffer_append(t, isfinite(mean) ? "cannot tell" : "-");
    }
}

static const char *subject_name(const struct answer *a, size_t subject)
{
    return a->s->r->subjects[subject].name;
}

/* ---------------------------------------------------------------- the answer */

static void say_trouble(struct regret_buffer *t, const struct answer *a)
{
    static const char *const words[] = {
        [RULES_FINE] = "",
        [RULES_NOT_TOLD] = "no rule is better for certain than an agent at random.",
        [RULES_NO_INTERVALS] = "there is no interval for new requests; that wants two seeds and "
                               "ten held-out contexts.",
        [RULES_INVENTED] = "most pairs of context and agent have no output and count as 0, so that "
                           "who is best is who has outputs."};
    regret_buffer_printf(t, "CANNOT TELL: %s", words[a->rules.trouble]);
}

/* "BY TAG: chat to gpt, code to llama"; of more tags than go into a sentence the table below has them all. */
static void say_tags(const struct leaf *w, struct regret_buffer *t, const struct answer *a)
{
    regret_buffer_append(t, "BY TAG: ");
    if (a->tags.n > MOST_SAID) {
        regret_buffer_append(t, "send each request to the agent of its tag");
        return;
    }
    for (size_t i = 0; i < a->tags.n; i++) {
        const struct tag_agents *tag = &a->tags.items[i];
        if (tag->pair.agent != REGRET_NO_ROW) {
            leaf_name(w, t, tag->tag != NULL ? tag->tag : "(no tag)");
            regret_buffer_append(t, " to ");
            leaf_name(w, t, a->s->grid->agents[tag->pair.agent]);
            regret_buffer_append(t, i + 1 < a->tags.n ? ", " : "");
        }
    }
}

static void say_rule(const struct leaf *w, struct regret_buffer *t, const struct answer *a)
{
    const char *name = subject_name(a, a->rules.item[a->rules.first].named);
    if (a->rules.answer == REGRET_ADVICE_ONE_AGENT) {
        regret_buffer_append(t, "ONE AGENT: send everything to ");
        leaf_name(w, t, a->s->grid->agents[a->single.agent]);
        regret_buffer_append(t, ".");
    } else if (a->rules.answer == REGRET_ADVICE_BY_TAG) {
        say_tags(w, t, a);
        regret_buffer_printf(t, " (by %s).", name);
    } else {
        regret_buffer_append(t, "BY REQUEST: send each request to the agent that ");
        leaf_name(w, t, name);
        regret_buffer_append(t, " chooses for it.");
    }
}

/* Of two single agents the one that the rule is has no gain over itself. */
static void say_gain_over(struct regret_buffer *t, const struct answer *a, enum reference over,
                          const char *words)
{
    const struct ruling *rule = &a->rules.item[a->rules.answer];
    if (a->s->reference[over] != REGRET_NO_ROW && a->s->reference[over] != rule->named) {
        put_gain(t, a, &rule->over[over]);
        regret_buffer_append(t, words);
    }
}

static void say_worth(struct regret_buffer *t, const struct answer *a)
{
    const struct ruling *rule = &a->rules.item[a->rules.answer];
    regret_buffer_printf(t, " It is worth %.4f a request: ", rule->value.w.mean);
    say_gain_over(t, a, OVER_BEST_OBS, " over the best single agent by log (best-obs), ");
    say_gain_over(t, a, OVER_BEST_EXP, " over the best single agent by experiment (best-exp), ");
    put_gain(t, a, &rule->over_random);
    regret_buffer_append(t, " over an agent at random.");
}

static void put_answer(struct leaf *w, const struct answer *a)
{
    struct regret_buffer t = REGRET_BUFFER_INIT;
    leaf_begin_strong(w, &t);
    if (a->rules.answer == REGRET_ADVICE_NONE) {
        say_trouble(&t, a);
    } else {
        say_rule(w, &t, a);
    }
    leaf_end_strong(w, &t);
    if (a->rules.answer != REGRET_ADVICE_NONE) {
        say_worth(&t, a);
    }
    leaf_paragraph(w, &t);
    say_more_data(&t, a);
    if (t.length > 0) {
        leaf_gap(w);
        leaf_paragraph(w, &t);
    }
    regret_buffer_free_into(w->out, &t);
}

/* ---------------------------------------------------------------- the rules */

static const struct leaf_column rule_columns[] = {
    {"rule", 10}, {"by", 15}, {"value", 7}, {"gain over one agent", 27}, {"verdict", 10}};
enum { RULE_COLUMNS = sizeof rule_columns / sizeof *rule_columns };

static void put_number(struct leaf *w, const struct leaf_column *columns, double x)
{
    struct regret_buffer t = REGRET_BUFFER_INIT;
    regret_buffer_printf(&t, isfinite(x) ? "%.4f" : "-", x);
    leaf_take(w, columns, &t);
}

static void put_random(struct leaf *w, const struct answer *a)
{
    const struct ruling *one = &a->rules.item[REGRET_ADVICE_ONE_AGENT];
    const struct rule_gain *c = &one->over_random;
    const struct rule_gain turned = {
        .w = {.mean = -c->w.mean}, .low = -c->high, .high = -c->low, .told = -c->told};
    struct regret_buffer t = REGRET_BUFFER_INIT;
    if (!one->known || !isfinite(c->w.mean)) {
        return;
    }
    leaf_cell(w, rule_columns, "at random");
    leaf_cell(w, rule_columns, "random");
    put_number(w, rule_columns, one->value.w.mean - c->w.mean);
    put_gain(&t, a, &turned);
    leaf_take(w, rule_columns, &t);
    leaf_cell(w, rule_columns, turned.told < 0 ? "worse" : "not told");
    leaf_end_row(w);
}

static void put_rule(struct leaf *w, const struct answer *a, enum regret_advice i)
{
    static const char *const names[] = {"", "one agent", "by tag", "by request"};
    static const char *const verdicts[] = {"worse", "not told", "better"};
    const struct ruling *rule = &a->rules.item[i];
    struct regret_buffer t = REGRET_BUFFER_INIT;
    leaf_cell(w, rule_columns, names[i]);
    leaf_cell(w, rule_columns, subject_name(a, rule->named));
    put_number(w, rule_columns, rule->value.w.mean);
    if (i == REGRET_ADVICE_ONE_AGENT) {
        leaf_cell(w, rule_columns, "-");
        leaf_cell(w, rule_columns, "");
    } else {
        put_gain(&t, a, &rule->over[OVER_SINGLE]);
        leaf_take(w, rule_columns, &t);
        leaf_cell(w, rule_columns, verdicts[rule->over[OVER_SINGLE].told + 1]);
    }
    leaf_end_row(w);
}

static void put_rules(struct leaf *w, const struct answer *a)
{
    struct regret_buffer t = REGRET_BUFFER_INIT;
    leaf_heading(w, "Rules, the simplest first (intervals: 98 % together, on new requests)");
    leaf_table(w, rule_columns, RULE_COLUMNS);
    put_random(w, a);
    for (size_t i = 1; i < REGRET_N_ADVICE; i++) {
        if (a->rules.item[i].known) {
            put_rule(w, a, (enum regret_advice)i);
        }
    }
    const struct ruling *tag = &a->rules.item[REGRET_ADVICE_BY_TAG],
                        *request = &a->rules.item[REGRET_ADVICE_BY_REQUEST];
    if (tag->known && tag->over_simpler.told > 0 && request->known) {
        regret_buffer_append(&t, "By request over by tag: ");
        put_gain(&t, a, &request->over_simpler);
        regret_buffer_append(&t, ". ");
    }
    say_untold(&t, a);
    if (t.length > 0) {
        regret_buffer_append(w->out, w->form == LEAF_MARKDOWN ? "\n" : "");
        leaf_item(w, &t);
    }
    regret_buffer_free_into(w->out, &t);
}

/* ---------------------------------------------------------------- who */

static void put_single(struct leaf *w, const struct answer *a)
{
    const struct agent_pair *p = &a->single;
    struct regret_buffer t = REGRET_BUFFER_INIT;
    if (p->agent == REGRET_NO_ROW) {
        return;
    }
    leaf_name(w, &t, a->s->grid->agents[p->agent]);
    regret_buffer_printf(&t, " is the best single agent (%s) in %.0f %% of the replicates",
                         subject_name(a, a->s->reference[OVER_SINGLE]), 100.0 * p->share);
    if (p->other != REGRET_NO_ROW && isfinite(p->gain)) {
        regret_buffer_append(&t, "; over all contexts its value less that of ");
        leaf_name(w, &t, a->s->grid->agents[p->other]);
        regret_buffer_append(&t, ", the best of the others, is ");
        regret_buffer_printf(&t, "%+.4f", p->gain);
        if (is_on_scale(a, p->half)) {
            regret_buffer_printf(&t, " ± %.4f: %s", p->half,
                                 p->told ? "they are told apart" : "they are not told apart");
        }
    }
    regret_buffer_append(&t, ".");
    leaf_heading(w, "The single agent");
    leaf_item(w, &t);
}

static void put_tag_name(struct regret_buffer *t, const struct tag_agents *tag)
{
    regret_buffer_printf(t, "%s", tag->tag != NULL ? tag->tag : "(no tag)");
}

static const struct leaf_column tag_columns[] = {{"tag", 12},  {"n", 4},     {"agent", 16},
                                                 {"share", 5}, {"next", 11}, {"gain", 18}};
enum { TAG_COLUMNS = sizeof tag_columns / sizeof *tag_columns };

static void put_tag(struct leaf *w, const struct answer *a, const struct tag_agents *tag)
{
    const struct agent_pair *p = &tag->pair;
    struct regret_buffer t = REGRET_BUFFER_INIT;
    put_tag_name(&t, tag);
    leaf_take(w, tag_columns, &t);
    regret_buffer_printf(&t, "%zu", tag->contexts);
    leaf_take(w, tag_columns, &t);
    leaf_cell(w, tag_columns, p->agent != REGRET_NO_ROW ? a->s->grid->agents[p->agent] : "-");
    regret_buffer_printf(&t, isfinite(p->share) ? "%.0f %%" : "-", 100.0 * p->share);
    leaf_take(w, tag_columns, &t);
    leaf_cell(w, tag_columns, p->other != REGRET_NO_ROW ? a->s->grid->agents[p->other] : "none");
    put_half(&t, a, p->gain, p->half);
    regret_buffer_append(&t, p->told ? " *" : "");
    leaf_take(w, tag_columns, &t);
    leaf_end_row(w);
}

/* "chat (150): gpt (61 %), llama (30 %), 3 others" */
static void put_choices(struct leaf *w, const struct answer *a, struct tag_agents *tag)
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
static void put_tags(struct leaf *w, const struct answer *a)
{
    int by_tag = a->rules.answer == REGRET_ADVICE_BY_TAG;
    struct regret_buffer t = REGRET_BUFFER_INIT;
    if (by_tag) {
        leaf_heading(w, "By tag (gain over the next agent; *: told apart)");
        leaf_table(w, tag_columns, TAG_COLUMNS);
    } else {
        leaf_heading(w, "What would be chosen, by tag");
    }
    for (size_t i = 0; i < a->tags.n && (i < MOST_TAGS || w->form == LEAF_MARKDOWN); i++) {
        if (by_tag) {
            put_tag(w, a, &a->tags.items[i]);
        } else {
            put_choices(w, a, &a->tags.items[i]);
        }
    }
    if (a->tags.n > MOST_TAGS && w->form != LEAF_MARKDOWN) {
        regret_buffer_printf(&t, "%zu more tags: %s", a->tags.n - MOST_TAGS,
                             w->form == LEAF_HTML ? "the table means has all" : "--format json");
        leaf_item(w, &t);
    }
}

/* ---------------------------------------------------------------- contexts */

static const struct leaf_column context_columns[] = {{"context", 18}, {"tag", 10},  {"agent", 15},
                                                     {"share", 5},    {"value", 7}, {"gain", 13}};
enum { CONTEXT_COLUMNS = sizeof context_columns / sizeof *context_columns };

static void put_context(struct leaf *w, const struct answer *a, size_t x)
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
    put_number(w, context_columns, item->value.mean);
    regret_buffer_printf(&t, isfinite(item->margin[OVER_SINGLE].mean) ? "%+.4f" : "-",
                         item->margin[OVER_SINGLE].mean);
    leaf_take(w, context_columns, &t);
    leaf_end_row(w);
}

static void put_contexts(struct leaf *w, const struct answer *a)
{
    struct regret_buffer t = REGRET_BUFFER_INIT;
    size_t listed = 0;
    regret_buffer_append(&t, "Contexts, by ");
    leaf_name(w, &t, recommend_source(a->s, a->source));
    leaf_heading(w, regret_buffer_get(&t));
    leaf_table(w, context_columns, CONTEXT_COLUMNS);
    regret_buffer_free_into(w->out, &t);
    for (size_t x = 0; x < a->s->grid->n_contexts; x++) {
        if (answer_shows(a, a->source, x)) {
            listed++;
            if (listed <= MOST_LISTED || w->form != LEAF_TEXT) {
                put_context(w, a, x);
            }
        }
    }
    if (listed == 0 || (listed > MOST_LISTED && w->form == LEAF_TEXT)) {
        regret_buffer_printf(&t, listed == 0 ? "none" : "%zu more: --format csv",
                             listed - MOST_LISTED);
        leaf_item(w, &t);
    }
}

/* ---------------------------------------------------------------- all sources, in Markdown */

static const struct leaf_column source_columns[] = {
    {"by", 15},   {"votes", 5},           {"most often", 15},     {"share", 5},
    {"value", 7}, {"over one agent", 16}, {"on new contexts", 18}};
enum { SOURCE_COLUMNS = sizeof source_columns / sizeof *source_columns };

static void put_source(struct leaf *w, const struct answer *a, size_t source)
{
    const struct recommend *s = a->s;
    const struct recommended *item = recommend_item(s, source, s->grid->n_contexts);
    const struct regret_two_way *new = &item->new_margin[OVER_SINGLE];
    struct regret_buffer t = REGRET_BUFFER_INIT;
    if (item->replicates == 0) {
        return;
    }
    leaf_cell(w, source_columns, recommend_source(s, source));
    leaf_cell(w, source_columns,
              source >= s->n_families ? ""
              : source == s->best     ? "yes, lowest regret"
              : s->votes[source]      ? "yes"
                                      : "no");
    leaf_cell(w, source_columns, s->grid->agents[item->agent]);
    regret_buffer_printf(&t, "%.0f %%", 100.0 * item->share);
    leaf_take(w, source_columns, &t);
    put_number(w, source_columns, item->value.mean);
    put_half(&t, a, item->margin[OVER_SINGLE].mean, item->margin[OVER_SINGLE].half);
    leaf_take(w, source_columns, &t);
    if (is_on_scale(a, new->high - new->mean)) {
        regret_buffer_printf(&t, "%+.4f to %+.4f", new->low, new->high);
    } else {
        regret_buffer_append(&t, "-");
    }
    leaf_take(w, source_columns, &t);
    leaf_end_row(w);
}

static void put_sources(struct leaf *w, const struct answer *a)
{
    leaf_heading(w, "All contexts, by family, vote and baseline");
    leaf_table(w, source_columns, SOURCE_COLUMNS);
    for (size_t i = 0; i < a->s->n_sources; i++) {
        put_source(w, a, i);
    }
}

/* ---------------------------------------------------------------- the whole */

static void put_head(struct leaf *w, const struct answer *a)
{
    const struct recommend *s = a->s;
    struct regret_buffer t = REGRET_BUFFER_INIT;
    regret_buffer_append(&t, w->form == LEAF_HTML ? "It rests on pool " : "Recommendation, pool ");
    leaf_name(w, &t, s->r->run.pool_name);
    regret_buffer_printf(&t, " (%s; %zu cell%s, %zu seed%s, %zu of %zu contexts held out)",
                         s->r->run.synthetic ? "SYNTHETIC data" : "real task", s->cells.n_cells,
                         s->cells.n_cells == 1 ? "" : "s", s->r->n_seeds,
                         s->r->n_seeds == 1 ? "" : "s", a->rules.n_contexts, s->grid->n_contexts);
    leaf_title(w, regret_buffer_get(&t));
    leaf_gap(w);
    regret_buffer_free_into(w->out, &t);
}

static void put_cautions(struct leaf *w, const struct answer *a)
{
    for (size_t i = 0; i < a->cautions.n; i++) {
        struct regret_buffer t = REGRET_BUFFER_INIT;
        if (i == 0) {
            leaf_heading(w, "Bear in mind");
        }
        leaf_words(w, &t, regret_buffer_get(&a->cautions.sentences[i]));
        leaf_item(w, &t);
    }
}

/* All there is to say in Markdown; a terminal's screen and the first of a page hold what a reader asks for. */
void answer_leaf(struct regret_buffer *out, const struct answer *a, enum leaf_form form)
{
    const struct regret_recommend_options *o = a->options;
    struct leaf w = {.out = out, .form = form};
    int filtered = o->tag != NULL || o->context != NULL || o->agent != NULL;
    int is_whole = form == LEAF_MARKDOWN, is_page = form == LEAF_HTML;
    int has_tags = (!filtered || is_whole) && a->rules.answer > REGRET_ADVICE_ONE_AGENT;
    (is_page ? put_answer : put_head)(&w, a);
    (is_page ? put_head : put_answer)(&w, a);
    if (has_tags && is_page) { /* who comes before how it was found */
        put_tags(&w, a);
    }
    if (!filtered || is_whole) {
        put_rules(&w, a);
        put_single(&w, a);
    }
    if (has_tags && !is_page) {
        put_tags(&w, a);
    }
    if (is_whole) {
        put_sources(&w, a);
    }
    if (filtered || is_whole) {
        put_contexts(&w, a);
    }
    put_cautions(&w, a);
    leaf_end(&w);
    if (form == LEAF_TEXT) {
        regret_buffer_append(out, "\nFull lists: --format csv, json or md; some of them: "
                                  "--tag, --context, --agent.\n");
    }
}

void answer_contexts(struct regret_buffer *out, const struct answer *a)
{
    struct leaf w = {.out = out, .form = LEAF_HTML};
    put_contexts(&w, a);
    leaf_end(&w);
}
