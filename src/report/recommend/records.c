/* Recommendations as CSV for spreadsheets and JSON for programs. */
#include <math.h>
#include <string.h>

#include "base/text/escape.h"
#include "report/recommend/answer_who.h"
#include "report/recommend/filters.h"
#include "report/recommend/more_data.h"
#include "report/recommend/writers.h"

/* What a record says in numbers, CSV and JSON alike. */
enum { N_NUMBERS = 22 };
#define NUMBER_NAMES(value)                                                                        \
    "share,replicates," value "," value "_low," value "_high,margin,margin_low,margin_high," value \
    "_new_low," value "_new_high,margin_new_low,margin_new_high,margin_best_exp,"                  \
    "margin_best_exp_low,margin_best_exp_high,margin_best_exp_new_low,margin_best_exp_new_high,"   \
    "margin_best_obs,margin_best_obs_low,margin_best_obs_high,margin_best_obs_new_low,"            \
    "margin_best_obs_new_high"

static const char *number_names(const struct answer *a)
{
    return has_strengths(a->s->r) ? NUMBER_NAMES("won") : NUMBER_NAMES("value");
}

static void numbers_of(double out[N_NUMBERS], const struct recommended *item)
{
    const struct seeds_mean *v = &item->value, *m = item->margin;
    const struct regret_two_way *w = item->new_margin;
    enum { S = OVER_SINGLE, E = OVER_BEST_EXP, O = OVER_BEST_OBS };
    const double numbers[N_NUMBERS] = {item->share,
                                       (double)item->replicates,
                                       v->mean,
                                       v->mean - v->half,
                                       v->mean + v->half,
                                       m[S].mean,
                                       m[S].mean - m[S].half,
                                       m[S].mean + m[S].half,
                                       item->new_value.low,
                                       item->new_value.high,
                                       w[S].low,
                                       w[S].high,
                                       m[E].mean,
                                       m[E].mean - m[E].half,
                                       m[E].mean + m[E].half,
                                       w[E].low,
                                       w[E].high,
                                       m[O].mean,
                                       m[O].mean - m[O].half,
                                       m[O].mean + m[O].half,
                                       w[O].low,
                                       w[O].high};
    memcpy(out, numbers, sizeof numbers);
}

/* What is said of a source besides what is said of the run: the vote leaks where one of its families does. */
static enum leaking source_leaks(const struct recommend *s, size_t source)
{
    enum leaking most = LEAKS_NOT;
    for (size_t i = 0; i < s->n_families; i++) {
        int counts = source == i || (source == s->n_families && s->votes[i]);
        most = counts && s->leaks[i] > most ? s->leaks[i] : most;
    }
    return most;
}

typedef void put_word(struct regret_buffer *t, const char *word, int first);

/* The cautions that concern a record: those of the run, but of leaks only its source's own. */
static void each_caution(struct regret_buffer *t, const struct answer *a, size_t source,
                         put_word *put)
{
    enum leaking leaks = source_leaks(a->s, source);
    int first = 1;
    for (size_t i = 0; i < a->cautions.n; i++) {
        const char *word = caution_name(a->cautions.kind[i]);
        if (a->cautions.kind[i] == CAUTION_LEAKS) {
            word = leaks == LEAKS_LIKELY ? word : leaks == LEAKS_UNKNOWN ? "unexamined" : NULL;
        }
        if (word != NULL) {
            put(t, word, first);
            first = 0;
        }
    }
}

typedef void put_record(struct regret_buffer *t, const struct answer *a, size_t source, size_t x,
                        int first);

/* Every source over all contexts, where no filter is set, then on each that was held out. */
static void each_record(struct regret_buffer *t, const struct answer *a, put_record *put)
{
    size_t n = a->s->grid->n_contexts;
    int first = 1;
    for (size_t k = 0; k <= n; k++) {
        size_t x = k == 0 ? n : k - 1;
        for (size_t i = 0; i < a->s->n_sources; i++) {
            if (answer_shows(a, i, x)) {
                put(t, a, i, x, first);
                first = 0;
            }
        }
    }
}

static int votes(const struct recommend *s, size_t source)
{
    return source < s->n_families && s->votes[source];
}

static void csv_word(struct regret_buffer *t, const char *word, int first)
{
    regret_buffer_printf(t, "%s%s", first ? "" : " ", word);
}

static void csv_record(struct regret_buffer *t, const struct answer *a, size_t source, size_t x,
                       int first)
{
    const struct recommend *s = a->s;
    const struct recommended *item = recommend_item(s, source, x);
    int all = x == s->grid->n_contexts;
    const char *tag = all ? NULL : recommend_tag(s, x);
    double numbers[N_NUMBERS];
    (void)first;
    csv_field(t, all ? "" : s->grid->contexts[x]);
    regret_buffer_append_char(t, ',');
    csv_field(t, tag != NULL ? tag : "");
    regret_buffer_append_char(t, ',');
    csv_field(t, recommend_source(s, source));
    regret_buffer_printf(t, ",%d,", votes(s, source));
    csv_field(t, s->grid->agents[item->agent]);
    numbers_of(numbers, item);
    for (size_t i = 0; i < N_NUMBERS; i++) {
        regret_buffer_append_char(t, ',');
        csv_number(t, numbers[i]);
    }
    regret_buffer_append_char(t, ',');
    each_caution(t, a, source, csv_word);
    regret_buffer_append_char(t, '\n');
}

void answer_csv(struct regret_buffer *out, const struct answer *a)
{
    regret_buffer_printf(out, "context,tag,by,votes,agent,%s,cautions\n", number_names(a));
    each_record(out, a, csv_record);
}

/* ---------------------------------------------------------------- JSON */

static const char *rule_name(enum regret_advice rule)
{
    static const char *const names[REGRET_N_ADVICE] = {"none", "one-agent", "by-tag", "by-request"};
    return names[rule];
}

static void json_word(struct regret_buffer *t, const char *name, const char *word)
{
    regret_buffer_printf(t, "\"%s\":", name);
    regret_buffer_json_string(t, word);
    regret_buffer_append_char(t, ',');
}

/* n members of those names, which commas part. */
static void json_numbers(struct regret_buffer *t, const char *names, const double *x, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        size_t length = strcspn(names, ",");
        regret_buffer_printf(t, "%s\"%.*s\":", i > 0 ? "," : "", (int)length, names);
        regret_buffer_json_number(t, x[i]);
        names += length + (names[length] == ',');
    }
}

static void json_element(struct regret_buffer *t, const char *word, int first)
{
    regret_buffer_append(t, first ? "" : ",");
    regret_buffer_json_string(t, word);
}

static void json_record(struct regret_buffer *t, const struct answer *a, size_t source, size_t x,
                        int first)
{
    const struct recommend *s = a->s;
    const struct recommended *item = recommend_item(s, source, x);
    int all = x == s->grid->n_contexts;
    double numbers[N_NUMBERS];
    regret_buffer_append(t, first ? "\n{" : ",\n{");
    json_word(t, "context", all ? NULL : s->grid->contexts[x]);
    json_word(t, "tag", all ? NULL : recommend_tag(s, x));
    json_word(t, "by", recommend_source(s, source));
    regret_buffer_printf(t, "\"votes\":%s,\"agent\":", votes(s, source) ? "true" : "false");
    regret_buffer_json_string(t, s->grid->agents[item->agent]);
    numbers_of(numbers, item);
    regret_buffer_append_char(t, ',');
    json_numbers(t, number_names(a), numbers, N_NUMBERS);
    regret_buffer_append(t, ",\"cautions\":[");
    each_caution(t, a, source, json_element);
    regret_buffer_append(t, "]}");
}

static void json_comparison(struct regret_buffer *t, const char *name, const struct rule_gain *c)
{
    const double numbers[] = {c->w.mean, c->low, c->high};
    regret_buffer_printf(t, "\"%s\":{", name);
    json_numbers(t, "gain,low,high", numbers, 3);
    regret_buffer_printf(t, ",\"told\":%s}", c->told != 0 ? "true" : "false");
}

/* What would tell the gain over chance; null: no such number. */
static void json_needed(struct regret_buffer *t, const struct answer *a, const struct ruling *rule)
{
    struct more_data more = more_data(&a->rules, &rule->over_random);
    const double numbers[] = {more.least, more.contexts > 0.0 ? more.contexts : (double)NAN,
                              more.seeds > 0.0 ? more.seeds : (double)NAN};
    regret_buffer_append(t, ",\"needed\":{");
    json_numbers(t, "detectable,contexts,seeds", numbers, 3);
    regret_buffer_append_char(t, '}');
}

static void json_rules(struct regret_buffer *t, const struct answer *a)
{
    const char *joint = "";
    regret_buffer_append(t, "\"rules\":[");
    for (size_t i = 0; i < REGRET_N_ADVICE; i++) {
        const struct ruling *rule = &a->rules.item[i];
        if (!rule->known) {
            continue;
        }
        regret_buffer_printf(t, "%s\n{", joint);
        json_word(t, "rule", rule_name((enum regret_advice)i));
        json_word(t, "by", a->s->r->subjects[rule->named].name);
        json_numbers(t, answer_value_name(a), &rule->value.w.mean, 1);
        regret_buffer_append_char(t, ',');
        json_comparison(t, "over_random", &rule->over_random);
        regret_buffer_append_char(t, ',');
        json_comparison(t, "over_single", &rule->over[OVER_SINGLE]);
        regret_buffer_append_char(t, ',');
        json_comparison(t, "over_best_exp", &rule->over[OVER_BEST_EXP]);
        regret_buffer_append_char(t, ',');
        json_comparison(t, "over_best_obs", &rule->over[OVER_BEST_OBS]);
        json_needed(t, a, rule);
        regret_buffer_append_char(t, '}');
        joint = ",";
    }
    regret_buffer_append(t, "],");
}

/* An agent of a pair, or null. */
static const char *agent_name(const struct answer *a, size_t agent)
{
    return agent != REGRET_NO_ROW ? a->s->grid->agents[agent] : NULL;
}

static void json_tags(struct regret_buffer *t, const struct answer *a)
{
    regret_buffer_append(t, "\"tags\":[");
    for (size_t i = 0; i < a->tags.n; i++) {
        const struct tag_agents *tag = &a->tags.items[i];
        regret_buffer_append(t, i > 0 ? ",\n{" : "\n{");
        json_word(t, "tag", tag->tag);
        json_word(t, "agent", agent_name(a, tag->pair.agent));
        json_word(t, "runner_up", agent_name(a, tag->pair.other));
        regret_buffer_printf(t, "\"contexts\":%zu,", tag->contexts);
        json_numbers(
            t, "share,gain,gain_low,gain_high",
            (const double[]){tag->pair.share, tag->pair.gain, tag->pair.low, tag->pair.high}, 4);
        regret_buffer_printf(t, ",\"told\":%s", tag->pair.told ? "true" : "false");
        regret_buffer_append_char(t, '}');
    }
    regret_buffer_append(t, "],");
}

static void json_words(struct regret_buffer *t, const struct answer *a)
{
    regret_buffer_append(t, "\"words\":[");
    for (size_t i = 0; i < a->words.n; i++) {
        regret_buffer_append(t, i > 0 ? ",\n{" : "\n{");
        json_word(t, "word", a->words.items[i].word);
        json_numbers(t, "share", &a->words.items[i].share, 1);
        regret_buffer_append_char(t, '}');
    }
    regret_buffer_append(t, "],");
}

static void json_columns(struct regret_buffer *t, const struct answer *a)
{
    regret_buffer_append(t, "\"columns\":");
    if (a->rules.answer == REGRET_ADVICE_BY_REQUEST) {
        regret_buffer_fail(t, picked_columns(t, a->s, a->source, deciding_json));
    } else {
        regret_buffer_append(t, "[]");
    }
    regret_buffer_append(t, ",");
}

static void json_cautions(struct regret_buffer *t, const struct answer *a)
{
    regret_buffer_append(t, "\"cautions\":[");
    for (size_t i = 0; i < a->cautions.n; i++) {
        regret_buffer_append(t, i > 0 ? ",\n{" : "\n{");
        json_word(t, "kind", caution_name(a->cautions.kind[i]));
        regret_buffer_append(t, "\"sentence\":");
        regret_buffer_json_string(t, regret_buffer_get(&a->cautions.sentences[i]));
        regret_buffer_append_char(t, '}');
    }
    regret_buffer_append(t, "],");
}

/* What 0 and 1 of values are in the pool's scores; null where these are from 0 to 1, or of several ranges. */
static void json_scale(struct regret_buffer *t, const double scale[2])
{
    regret_buffer_append(t, "\"scale\":");
    if (fabs(scale[1] - scale[0]) > 0.0) {
        regret_buffer_printf(t, "[%.17g,%.17g],", scale[0], scale[1]);
    } else {
        regret_buffer_append(t, "null,");
    }
}

void answer_json(struct regret_buffer *out, const struct answer *a)
{
    const struct recommend *s = a->s;
    enum regret_advice rule = a->rules.answer;
    size_t agent = rule == REGRET_ADVICE_ONE_AGENT ? a->agent : REGRET_NO_ROW;
    regret_buffer_append(out, "{\"format\":\"regret-recommend-3\",\"pool\":");
    regret_buffer_json_string(out, s->r->run.pool_name);
    regret_buffer_printf(out, ",\"synthetic\":%s,\"cells\":%zu,\"seeds\":%zu,",
                         s->r->run.synthetic ? "true" : "false", s->cells.n_cells, s->r->n_seeds);
    json_scale(out, s->r->run.scale);
    json_word(out, "rule", rule != REGRET_ADVICE_NONE ? rule_name(rule) : NULL);
    json_word(out, "by",
              rule != REGRET_ADVICE_NONE ? s->r->subjects[a->rules.item[a->rules.first].named].name
                                         : NULL);
    json_word(out, "agent", agent_name(a, agent));
    if (has_strengths(s->r)) {
        double value = agents_mean(s, agent);
        json_numbers(out, "value", &value, 1);
        regret_buffer_append_char(out, ',');
    }
    regret_buffer_printf(out, "\"reads_outputs\":%s,", a->reads_outputs ? "true" : "false");
    json_word(out, "without_outputs",
              a->without != REGRET_ADVICE_NONE ? rule_name(a->without) : NULL);
    json_rules(out, a);
    json_tags(out, a);
    json_words(out, a);
    json_columns(out, a);
    json_cautions(out, a);
    regret_buffer_append(out, "\"recommendations\":[");
    each_record(out, a, json_record);
    regret_buffer_append(out, "]}\n");
}
