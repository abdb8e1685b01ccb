#include "report/answer.h"

#include <math.h>
#include <string.h>

#include "base/status.h"
#include "base/text.h"
#include "regret/pool.h"
#include "report/advice.h"
#include "report/cautions.h"
#include "report/contest.h"
#include "report/internal.h"
#include "report/records.h"

/* The answer first, then what it rests on, then what is to be borne in mind. */

enum { SCREEN_LINES = 40, MOST_SAID = 4 };

/* "+0.1234 [+0.1000, +0.1468]"; an interval wider than the scale says nothing and is not shown. */
static void put_gain(struct regret_buffer *t, const struct answer *a, const struct rule_gain *c)
{
    if (answer_is_on_scale(a, c->high - c->w.mean)) {
        /* a zero has no sign */
        regret_buffer_printf(t, "%+.4f [%+.4f, %+.4f]", c->w.mean + 0.0, c->low + 0.0,
                             c->high + 0.0);
    } else {
        regret_buffer_append(t, "cannot tell");
    }
}

static const char *subject_name(const struct answer *a, size_t subject)
{
    return a->s->r->subjects[subject].name;
}

/* ---------------------------------------------------------------- the answer */

static void say_trouble(const struct leaf *w, struct regret_buffer *t, const struct answer *a)
{
    static const char *const words[] = {
        [RULES_FINE] = "",
        [RULES_NOT_TOLD] = "no rule is better for certain than an agent at random.",
        [RULES_NO_CHOICE] = "there is one agent alone, and nothing to choose.",
        [RULES_ALL_EQUAL] = "every agent is worth the same on every context that was held out.",
        [RULES_NO_INTERVALS] = "there is no interval for new requests; that wants two seeds and "
                               "ten held-out contexts in every cell.",
        [RULES_APART] = "",
        [RULES_POSITION] = "",
        [RULES_HOLES] = "",
        [RULES_INVENTED] = "most pairs of context and agent have no output and count as 0, so that "
                           "who is best is who has outputs."};
    regret_buffer_printf(t, "CANNOT TELL: %s", words[a->rules.trouble]);
    leaf_words(w, t, regret_buffer_get(&a->why));
}

/* "BY TAG: chat to gpt, code to llama"; of more tags than go into a sentence the table below has them all. */
static void say_tags(const struct leaf *w, struct regret_buffer *t, const struct answer *a,
                     const struct tags_agents *tags)
{
    regret_buffer_append(t, "BY TAG: ");
    if (tags->n > MOST_SAID) {
        regret_buffer_append(t, "send each request to the agent of its tag");
        return;
    }
    for (size_t i = 0; i < tags->n; i++) {
        const struct tag_agents *tag = &tags->items[i];
        if (tag->pair.agent != REGRET_NO_ROW) {
            leaf_name(w, t, tag->tag != NULL ? tag->tag : "(no tag)");
            regret_buffer_append(t, " to ");
            leaf_name(w, t, a->s->grid->agents[tag->pair.agent]);
            regret_buffer_append(t, i + 1 < tags->n ? ", " : "");
        }
    }
}

static void say_rule(const struct leaf *w, struct regret_buffer *t, const struct answer *a)
{
    const char *name = subject_name(a, a->rules.item[a->rules.first].named);
    if (a->rules.answer == REGRET_ADVICE_ONE_AGENT) {
        regret_buffer_append(t, "ONE AGENT: send everything to ");
        leaf_name(w, t, a->s->grid->agents[a->agent]);
        if (a->rules.first != REGRET_ADVICE_ONE_AGENT) {
            regret_buffer_printf(t, ", to whom %s comes for every %s", name,
                                 a->rules.first == REGRET_ADVICE_BY_TAG ? "tag" : "request");
        }
        regret_buffer_append(t, ".");
    } else if (a->rules.answer == REGRET_ADVICE_BY_TAG) {
        say_tags(w, t, a, &a->tags);
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
    const struct ruling *rule = &a->rules.item[a->rules.first];
    const struct rule_gain *gain = &rule->over[over];
    if (a->s->reference[over] == REGRET_NO_ROW || a->s->reference[over] == rule->named) {
        return;
    }
    if (gain->w.mean == 0.0 && gain->w.se == 0.0) {
        regret_buffer_append(t, "as much as");
    } else {
        put_gain(t, a, gain);
        regret_buffer_append(t, " over");
    }
    regret_buffer_append(t, words);
}

/* " (4.083 on 1 to 5)": in the unit of the pool's scores. */
static void say_own_scale(struct regret_buffer *t, const struct answer *a, double value)
{
    const double *scale = a->s->r->run.scale;
    if (fabs(scale[1] - scale[0]) > 0.0) {
        regret_buffer_printf(t, " (%.4g on %g to %g%s)", scale[0] + value * (scale[1] - scale[0]),
                             scale[0], scale[1], scale[0] > scale[1] ? ", the best" : "");
    }
}

/* The value of an agent is against all others; what rules differ in is who wins of the two voted on. */
static void say_votes(struct regret_buffer *t, const struct answer *a, const struct ruling *rule)
{
    double value = a->rules.answer == REGRET_ADVICE_ONE_AGENT ? agents_mean(a->s, a->agent) : NAN;
    if (isfinite(value)) {
        regret_buffer_printf(t,
                             " Its value is %.4f, the chance to be preferred to another agent, "
                             "whichever.",
                             value);
    }
    regret_buffer_printf(
        t, " Of the two answers of each vote, the one so named won %.4f: ", rule->value.w.mean);
}

/* Of one agent that has not answered every request. */
static void say_within(struct regret_buffer *t, const struct answer *a)
{
    double half = NAN, gain = holes_gain(&half, agents_means(a->s), a->agent);
    double value = agents_mean(a->s, a->agent);
    regret_buffer_printf(t, " It is worth %.4f a request", value);
    say_own_scale(t, a, value);
    regret_buffer_printf(t,
                         ", with what it would have scored on the others told from who answered "
                         "them: %+.4f ± %.4f over an agent at random, on the same requests.",
                         gain, half);
}

/* In short the gain over one agent or, of one agent, over chance. */
static void say_worth(struct regret_buffer *t, const struct answer *a, int is_short)
{
    const struct ruling *rule = &a->rules.item[a->rules.first];
    int holes = holes_are_there(a->s->r);
    if (holes && a->rules.answer == REGRET_ADVICE_ONE_AGENT) {
        say_within(t, a);
        return;
    }
    if (has_strengths(a->s->r)) {
        say_votes(t, a, rule);
    } else {
        regret_buffer_printf(t, " It is worth %.4f a request", rule->value.w.mean);
        say_own_scale(t, a, rule->value.w.mean);
        regret_buffer_append(t, holes ? ", by who was observed on it: " : ": ");
    }
    if (is_short && a->rules.first != REGRET_ADVICE_ONE_AGENT &&
        a->s->reference[OVER_SINGLE] != REGRET_NO_ROW) {
        say_gain_over(t, a, OVER_SINGLE, " the best single agent.");
        return;
    }
    if (!is_short) {
        say_gain_over(t, a, OVER_BEST_OBS, " the best single agent by log (best-obs), ");
        say_gain_over(t, a, OVER_BEST_EXP, " the best single agent by experiment (best-exp), ");
    }
    put_gain(t, a, &rule->over_random);
    regret_buffer_append(t, " over an agent at random.");
}

/* What by request wants, and which of the simpler rules is left to who has no outputs: of no family are choices known that
 * were learnt without them. */
static void say_outputs(const struct leaf *w, struct regret_buffer *t, const struct answer *a,
                        int is_short)
{
    if (!a->reads_outputs) {
        return;
    }
    regret_buffer_printf(t,
                         " It reads outputs: all %zu agents must have answered a request before "
                         "one can be chosen. Without outputs, of one agent and rules by tag: ",
                         a->s->grid->n_agents);
    if (a->without == REGRET_ADVICE_BY_TAG) {
        say_tags(w, t, a, &a->tags_without);
    } else if (a->without == REGRET_ADVICE_ONE_AGENT) {
        regret_buffer_append(t, "ONE AGENT: send everything to ");
        leaf_name(w, t, a->s->grid->agents[a->single.agent]);
    } else {
        regret_buffer_append(t, "CANNOT TELL");
    }
    regret_buffer_append(t, is_short ? "; by request was not tried."
                                     : "; by request without them was not tried (import the table "
                                       "without its outputs); recommend --new goes by prompts, "
                                       "tags and own columns alone.");
}

/* Who seems best where nothing is told, and what that risks; a rule that seems to gain more than half a standard error on it. */
static void say_guess(const struct leaf *w, struct regret_buffer *t, const struct answer *a)
{
    const struct agent_pair *one = &a->single;
    enum regret_advice best = REGRET_ADVICE_ONE_AGENT;
    if ((a->rules.trouble != RULES_NOT_TOLD && a->rules.trouble != RULES_NO_INTERVALS) ||
        one->agent == REGRET_NO_ROW) {
        return;
    }
    regret_buffer_append(t, " Best guess: ");
    leaf_name(w, t, a->s->grid->agents[one->agent]);
    if (one->other != REGRET_NO_ROW && isfinite(one->gain)) {
        regret_buffer_printf(t, ", which leads ");
        leaf_name(w, t, a->s->grid->agents[one->other]);
        regret_buffer_printf(t, " by %+.4f", one->gain + 0.0);
        if (isfinite(one->low)) {
            regret_buffer_printf(t, " [%+.4f, %+.4f] and may lose %.4f to it", one->low, one->high,
                                 fmax(0.0, -one->low));
        }
    }
    for (size_t i = REGRET_ADVICE_BY_TAG; i < REGRET_N_ADVICE; i++) {
        const struct rule_gain *gain = &a->rules.item[i].over[OVER_SINGLE];
        double so_far =
            best == REGRET_ADVICE_ONE_AGENT ? 0.0 : a->rules.item[best].over[OVER_SINGLE].w.mean;
        if (a->rules.item[i].known && gain->w.mean > 0.5 * gain->w.se && gain->w.mean > so_far) {
            best = (enum regret_advice)i;
        }
    }
    if (best != REGRET_ADVICE_ONE_AGENT) {
        regret_buffer_printf(t, "; by %s seems better than one agent by ",
                             best == REGRET_ADVICE_BY_TAG ? "tag" : "request");
        put_gain(t, a, &a->rules.item[best].over[OVER_SINGLE]);
    }
    regret_buffer_append_char(t, '.');
}

static void say_answer(const struct leaf *w, struct regret_buffer *t, const struct answer *a,
                       int is_short)
{
    leaf_begin_strong(w, t);
    if (a->rules.answer == REGRET_ADVICE_NONE) {
        say_trouble(w, t, a);
    } else {
        say_rule(w, t, a);
    }
    leaf_end_strong(w, t);
    if (a->rules.answer == REGRET_ADVICE_NONE) {
        say_guess(w, t, a);
    } else {
        say_worth(t, a, is_short);
        say_outputs(w, t, a, is_short);
    }
}

void answer_words(struct regret_buffer *out, const struct answer *a)
{
    const struct leaf plain = {.out = out, .form = LEAF_TEXT, .whole_names = 1};
    struct regret_buffer more = REGRET_BUFFER_INIT;
    say_answer(&plain, out, a, 1);
    say_more_data(&more, a);
    regret_buffer_append(out, more.length > 0 ? " " : "");
    regret_buffer_append(out, regret_buffer_get(&more));
    regret_buffer_free_into(out, &more);
}

static void put_answer(struct leaf *w, const struct answer *a)
{
    struct regret_buffer t = REGRET_BUFFER_INIT;
    say_answer(w, &t, a, 0);
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
    {"rule", 10}, {"by", 15}, {NULL, 7}, {"gain over one agent", 27}, {"verdict", 10}};
enum { RULE_COLUMNS = sizeof rule_columns / sizeof *rule_columns };

static const char *const verdicts[] = {"worse", "not told", "better"};

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
    answer_number(w, rule_columns, one->value.w.mean - c->w.mean);
    put_gain(&t, a, &turned);
    leaf_take(w, rule_columns, &t);
    leaf_cell(w, rule_columns, verdicts[turned.told + 1]);
    leaf_end_row(w);
}

static void put_rule(struct leaf *w, const struct answer *a, enum regret_advice i)
{
    static const char *const names[] = {"", "one agent", "by tag", "by request"};
    const struct ruling *rule = &a->rules.item[i];
    struct regret_buffer t = REGRET_BUFFER_INIT;
    leaf_cell(w, rule_columns, names[i]);
    leaf_cell(w, rule_columns, subject_name(a, rule->named));
    answer_number(w, rule_columns, rule->value.w.mean);
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
    answer_table(w, a, rule_columns, RULE_COLUMNS);
    put_random(w, a);
    for (size_t i = 1; i < REGRET_N_ADVICE; i++) {
        if (a->rules.item[i].known) {
            put_rule(w, a, (enum regret_advice)i);
        }
    }
    const struct ruling *request = &a->rules.item[REGRET_ADVICE_BY_REQUEST];
    if (a->rules.simpler == REGRET_ADVICE_BY_TAG) {
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

/* ---------------------------------------------------------------- all sources, in Markdown */

static const struct leaf_column source_columns[] = {
    {"by", 15}, {"votes", 5},           {"most often", 15},     {"share", 5},
    {NULL, 7},  {"over one agent", 16}, {"on new contexts", 18}};
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
    answer_number(w, source_columns, item->value.mean);
    answer_half(&t, a, item->margin[OVER_SINGLE].mean, item->margin[OVER_SINGLE].half);
    leaf_take(w, source_columns, &t);
    if (answer_is_on_scale(a, new->high - new->mean)) {
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
    answer_table(w, a, source_columns, SOURCE_COLUMNS);
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

static int is_filtered(const struct answer *a)
{
    const struct regret_recommend_options *o = a->options;
    return o->tag != NULL || o->context != NULL || o->agent != NULL;
}

/* By what requests are told apart. */
static void put_words(struct leaf *w, const struct answer *a)
{
    enum { SHOWN = 8 };
    struct regret_buffer t = REGRET_BUFFER_INIT;
    if (a->words.n == 0) {
        return;
    }
    leaf_heading(w, "Words of requests by which agents differ, as mixed picked them");
    for (size_t i = 0; i < a->words.n && i < SHOWN; i++) {
        regret_buffer_append(&t, i > 0 ? ", " : "");
        leaf_name(w, &t, a->words.items[i].word);
        regret_buffer_printf(&t, " (%.0f %%%s)", 100.0 * a->words.items[i].share,
                             i == 0 ? " of the replicates" : "");
    }
    if (a->words.n > SHOWN) {
        regret_buffer_printf(&t, "; %zu more: --format json", a->words.n - SHOWN);
    }
    leaf_item(w, &t);
}

/* By which own columns they are, told of their agents. */
static void put_columns(struct leaf *w, const struct answer *a)
{
    struct regret_buffer cuts = REGRET_BUFFER_INIT, t = REGRET_BUFFER_INIT;
    if (a->rules.answer == REGRET_ADVICE_BY_REQUEST) {
        regret_buffer_fail(&cuts, picked_columns(&cuts, a->s, a->source, deciding_say));
    }
    if (cuts.length > 0) {
        leaf_heading(w, "Own columns of requests that decide which agent is chosen");
        leaf_words(w, &t, regret_buffer_get(&cuts));
        leaf_item(w, &t);
    }
    regret_buffer_free_into(w->out, &cuts);
}

/* What follows the tags. */
static void put_rest(struct leaf *w, const struct answer *a)
{
    put_words(w, a);
    put_columns(w, a);
    if (w->form == LEAF_MARKDOWN) {
        put_sources(w, a);
    }
    if (is_filtered(a) || w->form == LEAF_MARKDOWN) {
        answer_contexts(w, a);
    }
    put_cautions(w, a);
    if (w->form == LEAF_TEXT) {
        regret_buffer_append(w->out, "\nFull lists: --format csv, json or md; some of them: "
                                     "--tag, --context, --agent.\n");
    }
}

void answer_leaf(struct regret_buffer *out, const struct answer *a, enum leaf_form form)
{
    enum { OF_TAGS = 4 }; /* lines about those that are listed */
    int markdown = form == LEAF_MARKDOWN;
    struct regret_buffer rest = REGRET_BUFFER_INIT;
    struct leaf w = {.out = out, .form = form}, behind = {.out = &rest, .form = form};
    put_rest(&behind, a);
    put_head(&w, a);
    put_answer(&w, a);
    if (!is_filtered(a) || markdown) {
        put_rules(&w, a);
        answer_single(&w, a);
    }
    if ((!is_filtered(a) || markdown) && a->rules.answer > REGRET_ADVICE_ONE_AGENT) {
        size_t taken = leaf_lines(&w) + leaf_lines(&behind) + OF_TAGS;
        answer_tags(&w, a, taken < SCREEN_LINES ? SCREEN_LINES - taken : 0);
    }
    regret_buffer_append(out, regret_buffer_get(&rest));
    regret_buffer_free_into(out, &rest);
}

/* Who comes before how it was found. */
void answer_page(struct regret_buffer *out, const struct answer *a)
{
    struct leaf w = {.out = out, .form = LEAF_HTML};
    put_answer(&w, a);
    put_head(&w, a);
    if (a->rules.answer > REGRET_ADVICE_ONE_AGENT) {
        answer_tags(&w, a, 0);
    }
    put_columns(&w, a);
    put_rules(&w, a);
    answer_single(&w, a);
    put_cautions(&w, a);
    leaf_end(&w);
}

int answer_shows(const struct answer *a, size_t source, size_t x)
{
    const struct regret_recommend_options *o = a->options;
    const struct recommend *s = a->s;
    const struct recommended *item = recommend_item(s, source, x);
    int all = x == s->grid->n_contexts;
    if (item->replicates == 0) {
        return 0;
    }
    if (all) {
        return o->tag == NULL && o->context == NULL && o->agent == NULL;
    }
    const char *tag = recommend_tag(s, x);
    return (o->tag == NULL || (tag != NULL && strcmp(tag, o->tag) == 0)) &&
           (o->context == NULL || strcmp(s->grid->contexts[x], o->context) == 0) &&
           (o->agent == NULL || strcmp(s->grid->agents[item->agent], o->agent) == 0);
}

/* *wanted, if any, becomes the name that it is by name_find(), of *place. */
static int find_name(const char **wanted, size_t *place, const char *what, const char *const *names,
                     size_t n)
{
    if (*wanted == NULL) {
        return REGRET_OK;
    }
    *place = name_find(names, n, *wanted);
    if (*place >= n) {
        return regret_fail(REGRET_E_INPUT,
                           "the run has no %s \"%s\"; --format csv lists those it has", what,
                           *wanted);
    }
    *wanted = names[*place];
    return REGRET_OK;
}

/* Of a context that no seed has held out nothing is known: it was learnt from alone. */
static int check_held_out(const struct recommend *s, size_t x)
{
    size_t held = 0;
    for (size_t i = 0; i < s->n_sources; i++) {
        held += recommend_item(s, i, x)->replicates > 0;
    }
    return held > 0 ? REGRET_OK
                    : regret_fail(
                          REGRET_E_INPUT,
                          "context \"%s\" was never held out in the seeds of this run, so that it "
                          "has no answer of its own; run with more --seeds, or ask for its text "
                          "as for a new request, with --new FILE",
                          s->grid->contexts[x]);
}

int filters_find(struct regret_recommend_options *o, const struct recommend *s)
{
    const struct regret_run_grid *g = s->grid;
    size_t x = 0, place = 0;
    TRY(find_name(&o->context, &x, "context", g->contexts, g->n_contexts));
    TRY(o->context != NULL ? check_held_out(s, x) : REGRET_OK);
    TRY(find_name(&o->agent, &place, "agent", g->agents, g->n_agents));
    return find_name(&o->tag, &place, "tag", g->tags, g->tags != NULL ? g->n_contexts : 0);
}
