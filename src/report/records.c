#include "report/records.h"

#include <math.h>
#include <string.h>

#include "base/buffer.h"
#include "base/text.h"
#include "regret/buffer.h"
#include "report/answer.h"
#include "report/internal.h"
#include "report/table.h"

enum { LEAF_COLUMNS = 80, LEAF_NAME = 40 };

enum { INDENT = 2 };

void leaf_end(struct leaf *s)
{
    static const char *const ends[] = {[LEAF_NOTHING] = "",
                                       [LEAF_LIST] = "</ul>\n",
                                       [LEAF_TABLE] = "</tbody>\n</table>\n</div>\n"};
    regret_buffer_append(s->out, ends[s->open]);
    s->open = LEAF_NOTHING;
}

void leaf_gap(struct leaf *s)
{
    regret_buffer_append(s->out, s->form == LEAF_HTML ? "" : "\n");
}

/* <ELEMENT>TEXT</NAME>, of a text that is escaped. */
static void put_html(struct leaf *s, const char *begin, const char *text, const char *end)
{
    regret_buffer_append(s->out, begin);
    html_estimates(s->out, text);
    regret_buffer_printf(s->out, "%s\n", end);
}

void leaf_title(struct leaf *s, const char *text)
{
    const struct text_margins margins = {LEAF_COLUMNS, 0, INDENT};
    if (s->form == LEAF_HTML) {
        put_html(s, "<p class=\"rests\">", text, "</p>");
    } else if (s->form == LEAF_MARKDOWN) {
        regret_buffer_printf(s->out, "# %s\n", text);
    } else {
        text_wrap(s->out, text, &margins);
    }
}

void leaf_heading(struct leaf *s, const char *text)
{
    static const struct {
        const char *before, *behind;
    } marks[] = {[LEAF_TEXT] = {"\n", "\n"},
                 [LEAF_MARKDOWN] = {"\n## ", "\n\n"},
                 [LEAF_HTML] = {"<h3>", "</h3>\n"}};
    leaf_end(s);
    s->heading = text;
    regret_buffer_printf(s->out, "%s%s%s", marks[s->form].before, text, marks[s->form].behind);
}

static void leaf_put(struct leaf *s, struct regret_buffer *text, const char *mark,
                     const struct text_margins *margins)
{
    struct regret_buffer marked = REGRET_BUFFER_INIT;
    regret_buffer_printf(&marked, "%s%s", mark, regret_buffer_get(text));
    if (s->form == LEAF_MARKDOWN) {
        regret_buffer_printf(s->out, "%s\n", regret_buffer_get(&marked));
    } else {
        text_wrap(s->out, regret_buffer_get(&marked), margins);
    }
    regret_buffer_free_into(s->out, &marked);
    regret_buffer_free_into(s->out, text);
}

void leaf_paragraph(struct leaf *s, struct regret_buffer *text)
{
    const struct text_margins margins = {LEAF_COLUMNS, 0, 0};
    if (s->form == LEAF_HTML) {
        leaf_end(s);
        put_html(s, s->has_words ? "<p>" : "<p class=\"verdict\">", regret_buffer_get(text),
                 "</p>");
        s->has_words = 1;
        regret_buffer_free_into(s->out, text);
        return;
    }
    leaf_put(s, text, "", &margins);
    if (s->form == LEAF_MARKDOWN) {
        leaf_gap(s);
    }
}

void leaf_item(struct leaf *s, struct regret_buffer *text)
{
    const struct text_margins margins = {LEAF_COLUMNS, INDENT, (size_t)2 * INDENT};
    if (s->form != LEAF_HTML) {
        leaf_put(s, text, "* ", &margins);
        return;
    }
    if (s->open != LEAF_LIST) {
        leaf_end(s);
        regret_buffer_append(s->out, "<ul class=\"sentences\">\n");
        s->open = LEAF_LIST;
    }
    put_html(s, "<li>", regret_buffer_get(text), "</li>");
    regret_buffer_free_into(s->out, text);
}

void leaf_words(const struct leaf *s, struct regret_buffer *text, const char *words)
{
    if (s->form == LEAF_HTML) {
        html_escape(text, words);
    } else if (s->form == LEAF_MARKDOWN) {
        markdown_escape(text, words);
    } else {
        regret_buffer_append_safe(text, words, (size_t)-1);
    }
}

void leaf_name(const struct leaf *s, struct regret_buffer *text, const char *name)
{
    if (s->form == LEAF_TEXT && !s->whole_names) {
        safe_middle(text, name, LEAF_NAME);
    } else {
        leaf_words(s, text, name);
    }
}

static void put_stress(const struct leaf *s, struct regret_buffer *text, const char *html)
{
    regret_buffer_append(text, s->form == LEAF_HTML ? html : s->form == LEAF_MARKDOWN ? "**" : "");
}

void leaf_begin_strong(const struct leaf *s, struct regret_buffer *text)
{
    put_stress(s, text, "<strong>");
}

void leaf_end_strong(const struct leaf *s, struct regret_buffer *text)
{
    put_stress(s, text, "</strong>");
}

/* ---------------------------------------------------------------- tables */

static void begin_html_table(struct leaf *s)
{
    leaf_end(s);
    const char *name = s->heading != NULL ? s->heading : "Table";
    regret_buffer_printf(s->out,
                         "<div class=\"wide\" role=\"region\" tabindex=\"0\" aria-label=\"%s\">\n"
                         "<table>\n<caption class=\"same\">%s</caption>\n<thead>\n",
                         name, name);
    s->open = LEAF_TABLE;
}

void leaf_table(struct leaf *s, const struct leaf_column *columns, size_t n)
{
    if (s->form == LEAF_HTML) {
        begin_html_table(s);
    }
    s->is_head = 1;
    for (size_t i = 0; i < n; i++) {
        leaf_cell(s, columns, columns[i].head);
    }
    leaf_end_row(s);
    s->is_head = 0;
    regret_buffer_append(s->out, s->form == LEAF_HTML ? "</thead>\n<tbody>\n" : "");
    for (size_t i = 0; i < n && s->form == LEAF_MARKDOWN; i++) {
        regret_buffer_append(s->out, i == 0 ? "|---|" : "---|");
    }
    if (s->form == LEAF_MARKDOWN) {
        leaf_gap(s);
    }
}

static void put_html_cell(struct leaf *s, size_t i, const char *text)
{
    const char *element = s->is_head ? "th scope=\"col\"" : i == 0 ? "th scope=\"row\"" : "td";
    regret_buffer_printf(s->out, "%s<%s>", i == 0 ? "<tr>" : "", element);
    html_escape(s->out, text);
    regret_buffer_append(s->out, s->is_head || i == 0 ? "</th>" : "</td>");
}

void leaf_cell(struct leaf *s, const struct leaf_column *columns, const char *text)
{
    size_t i = s->column++;
    if (s->form == LEAF_HTML) {
        put_html_cell(s, i, text);
    } else if (s->form == LEAF_MARKDOWN) {
        regret_buffer_append(s->out, i == 0 ? "| " : " ");
        markdown_escape(s->out, text);
        regret_buffer_append(s->out, " |");
    } else {
        regret_buffer_append(s->out, "  ");
        regret_buffer_append_field(s->out, text, columns[i].width);
    }
}

void leaf_take(struct leaf *s, const struct leaf_column *columns, struct regret_buffer *text)
{
    leaf_cell(s, columns, regret_buffer_get(text));
    regret_buffer_free_into(s->out, text);
}

size_t leaf_lines(const struct leaf *s)
{
    return text_count_lines(s->out);
}

void leaf_end_row(struct leaf *s)
{
    while (s->form == LEAF_TEXT && s->out->length > 0 && s->out->data[s->out->length - 1] == ' ') {
        s->out->data[--s->out->length] = '\0';
    }
    regret_buffer_append(s->out, s->form == LEAF_HTML ? "</tr>\n" : "\n");
    s->column = 0;
}

/* Recommendations as CSV for spreadsheets and JSON for programs. */

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
static void records_json_numbers(struct regret_buffer *t, const char *names, const double *x,
                                 size_t n)
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
    records_json_numbers(t, number_names(a), numbers, N_NUMBERS);
    regret_buffer_append(t, ",\"cautions\":[");
    each_caution(t, a, source, json_element);
    regret_buffer_append(t, "]}");
}

static void json_comparison(struct regret_buffer *t, const char *name, const struct rule_gain *c)
{
    const double numbers[] = {c->w.mean, c->low, c->high};
    regret_buffer_printf(t, "\"%s\":{", name);
    records_json_numbers(t, "gain,low,high", numbers, 3);
    regret_buffer_printf(t, ",\"told\":%s}", c->told != 0 ? "true" : "false");
}

/* What would tell the gain over chance; null: no such number. */
static void json_needed(struct regret_buffer *t, const struct answer *a, const struct ruling *rule)
{
    struct more_data more = more_data(&a->rules, &rule->over_random);
    const double numbers[] = {more.least, more.contexts > 0.0 ? more.contexts : (double)NAN,
                              more.seeds > 0.0 ? more.seeds : (double)NAN};
    regret_buffer_append(t, ",\"needed\":{");
    records_json_numbers(t, "detectable,contexts,seeds", numbers, 3);
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
        records_json_numbers(t, answer_value_name(a), &rule->value.w.mean, 1);
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
        records_json_numbers(
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
        records_json_numbers(t, "share", &a->words.items[i].share, 1);
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
        records_json_numbers(out, "value", &value, 1);
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
