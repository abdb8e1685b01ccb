#include "report/recommend/answer.h"

#include <math.h>
#include <string.h>

#include "base/core/try.h"
#include "base/text/name.h"
#include "regret/power.h"

const char *rule_name(enum regret_advice rule)
{
    static const char *const names[REGRET_N_ADVICE] = {"none", "one-agent", "by-tag", "by-request"};
    return names[rule];
}

/* ---------------------------------------------------------------- filters */

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

/* A name that is none of n is refused; NULL is no wish, and none of `names` is it. */
static int check_name(const char *what, const char *wanted, const char *const *names, size_t n)
{
    size_t i = 0;
    while (i < n && (wanted == NULL || names[i] == NULL || strcmp(names[i], wanted) != 0)) {
        i++;
    }
    return wanted == NULL || i < n
               ? REGRET_OK
               : regret_fail(REGRET_E_INPUT,
                             "the run has no %s \"%s\"; --format csv lists those it has", what,
                             wanted);
}

static int check_filters(const struct answer *a)
{
    const struct regret_run_grid *g = a->s->grid;
    TRY(check_name("context", a->options->context, g->contexts, g->n_contexts));
    TRY(check_name("agent", a->options->agent, g->agents, g->n_agents));
    return check_name("tag", a->options->tag, g->tags, g->tags != NULL ? g->n_contexts : 0);
}

/* ---------------------------------------------------------------- how much data */

enum { MOST_ROWS = 100000000 };

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

/* Rows of EXP, dealt evenly to all agents, whose means tell the best single agent from the next. */
static size_t rows_that_tell(const struct answer *a)
{
    double deviation = sqrt(2.0) * deviation_of_values(a);
    return a->s->grid->n_agents * regret_observations_needed(deviation, a->single.gain, RULES_LEVEL,
                                                             RULES_POWER, MOST_ROWS);
}

/* To two digits: more would be a promise. */
static double roughly(size_t n)
{
    double unit = n > 99 ? pow(10.0, floor(log10((double)n)) - 1.0) : 1.0;
    return unit * ceil((double)n / unit);
}

static void say_rows(struct regret_buffer *out, const struct answer *a)
{
    size_t rows = a->single.gain > 0.0 ? rows_that_tell(a) : 0;
    if (rows > 0) {
        regret_buffer_printf(out,
                             " To tell the best single agent from the next one by EXP alone, about "
                             "%.0f EXP rows, if outcomes scatter as values of contexts do.",
                             roughly(rows));
    }
}

void say_more_data(struct regret_buffer *out, const struct answer *a)
{
    const struct rule *rule = &a->rules.item[a->rules.first];
    const struct gained *c = &rule->over_random;
    struct more_data more = more_data(&a->rules, c);
    if (a->rules.trouble == RULES_NO_INTERVALS) {
        regret_buffer_printf(out,
                             "How much data would do cannot be worked out without an interval: "
                             "take at least %d contexts and %d seeds.",
                             (int)FEW_CONTEXTS * 5, (int)FEW_SEEDS);
        return;
    }
    if (a->rules.trouble != RULES_NOT_TOLD || !isfinite(more.least)) {
        return;
    }
    regret_buffer_printf(out,
                         "A run of this size tells a gain over chance of %.4f from none in 80 %% "
                         "of cases; seen is %+.4f.",
                         more.least, more.seen);
    if (more.contexts > 0) {
        regret_buffer_printf(out,
                             " Were that the true gain, about %.0f contexts would do (here %zu), "
                             "all else as it is",
                             roughly(more.contexts), a->rules.n_contexts);
        if (more.seeds > 0) {
            regret_buffer_printf(out, ", or about %.0f seeds of these contexts",
                                 roughly(more.seeds));
        } else {
            regret_buffer_append(out, "; more seeds of these contexts would not");
        }
        regret_buffer_append_char(out, '.');
    }
    say_rows(out, a);
}

/* ---------------------------------------------------------------- all of it */

static void answer_free(struct answer *a)
{
    tags_agents_free(&a->tags);
    cautions_free(&a->cautions);
}

static int answer_make(struct answer *a)
{
    const struct recommend *s = a->s;
    TRY(check_filters(a));
    TRY(rules_make(&a->rules, s));
    size_t named = a->rules.item[a->rules.first].named;
    a->source = a->rules.first != REGRET_ADVICE_NONE ? recommend_find(s, named) : s->n_families;
    TRY(agents_single(&a->single, s));
    if (a->source != s->n_families) {
        TRY(agents_by_tag(&a->tags, s, named));
    }
    return cautions_make(&a->cautions, s->r, CAUTIONS_ALL);
}

static void tell(struct regret_recommendation *out, const struct answer *a)
{
    enum regret_advice rule = a->rules.answer;
    const struct regret_run_grid *g = a->s->grid;
    *out = (struct regret_recommendation){.rule = rule};
    if (rule != REGRET_ADVICE_NONE) {
        out->subject = a->s->r->subjects[a->rules.item[rule].named].name;
    }
    if (rule == REGRET_ADVICE_ONE_AGENT) {
        out->agent = g->agents[a->single.agent];
    }
}

static void write_answer(struct regret_buffer *out, const struct answer *a)
{
    if (a->options->format == REGRET_RECOMMEND_CSV) {
        answer_csv(out, a);
    } else if (a->options->format == REGRET_RECOMMEND_JSON) {
        answer_json(out, a);
    } else {
        answer_leaf(out, a);
    }
}

int regret_recommend(struct regret_buffer *out, struct regret_recommendation *answer,
                     const struct regret_results *results,
                     const struct regret_recommend_options *options)
{
    static const struct regret_recommend_options plain = {.format = REGRET_RECOMMEND_TEXT};
    struct table_data d = {0};
    struct recommend s = {0};
    struct answer a = {.s = &s, .options = options != NULL ? options : &plain};
    int rc;
    TRY_CLEANUP(table_data_make(&d, results, 1));
    TRY_CLEANUP(recommend_make(&s, &d, a.options->one_cell ? a.options->cell : REGRET_NO_ROW));
    TRY_CLEANUP(answer_make(&a));
    write_answer(out, &a);
    if (answer != NULL) {
        tell(answer, &a);
    }
    rc = regret_buffer_status(out);
cleanup:
    answer_free(&a);
    recommend_free(&s);
    table_data_free(&d);
    return rc;
}
