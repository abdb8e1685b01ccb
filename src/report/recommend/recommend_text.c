/* Recommendations as Markdown for people, CSV for spreadsheets and JSON for programs. */
#include <math.h>
#include <string.h>

#include "base/core/try.h"
#include "base/text/escape.h"
#include "report/leaks/leak_caution.h"
#include "report/recommend/recommend.h"

static const struct recommended *item_of(const struct recommend *s, size_t source, size_t x)
{
    return &s->item[source * (s->grid->n_contexts + 1) + x];
}

/* ---------------------------------------------------------------- Markdown */

/* | `0.7012 ± 0.0100` */
static void put_estimate(struct regret_buffer *t, const struct seeds_mean *m)
{
    if (!isfinite(m->mean)) {
        regret_buffer_append(t, " | –");
    } else if (isfinite(m->half)) {
        regret_buffer_printf(t, " | %.4f ± %.4f", m->mean, m->half);
    } else {
        regret_buffer_printf(t, " | %.4f", m->mean);
    }
}

static void put_interval(struct regret_buffer *t, const struct regret_two_way *w)
{
    if (isfinite(w->se)) {
        regret_buffer_printf(t, " | %.4f to %.4f", w->low, w->high);
    } else {
        regret_buffer_append(t, " | –");
    }
}

/* Of the margin, whose interval over seeds is Student's here; without one there is none on new contexts either. */
static const char *margin_verdict(const struct recommended *item)
{
    const struct seeds_mean *m = &item->margin;
    struct paired seeds = {.low = m->mean - m->half, .high = m->mean + m->half, .n = 2};
    return new_contexts_verdict(&seeds, &item->new_margin);
}

static void put_agent(struct regret_buffer *t, const struct recommend *s,
                      const struct recommended *item)
{
    regret_buffer_append(t, " | ");
    if (item->replicates > 0) {
        markdown_escape(t, s->grid->agents[item->agent]);
        regret_buffer_printf(t, " (%.0f %%)", 100.0 * item->share);
    } else {
        regret_buffer_append(t, "–");
    }
}

static void put_facts(struct regret_buffer *t, const struct recommend *s)
{
    const struct regret_results *r = s->r;
    struct regret_buffer caution = REGRET_BUFFER_INIT;
    regret_buffer_append(t, "# Recommendations\n\nPool: ");
    markdown_escape(t, r->run.pool_name);
    regret_buffer_printf(t, " (%s); cells: %zu; seeds: %zu; ±: half of a 95 %% interval%s.\n\n",
                         r->run.synthetic ? "SYNTHETIC data" : "real task", s->cells.n_cells,
                         r->n_seeds,
                         r->n_seeds > 1 ? " (Student's t over seeds)" : ", which wants two seeds");
    if (r->gaps != NULL) {
        markdown_escape(t, r->gaps);
        regret_buffer_append(t, "\n\n");
    }
    if (r->unmade != NULL) {
        markdown_escape(t, r->unmade);
        regret_buffer_append(t, "\n\n");
    }
    leak_caution(&caution, r);
    if (caution.length > 0) {
        markdown_escape(t, regret_buffer_get(&caution));
        regret_buffer_append(t, "\n\n");
    }
    regret_buffer_free_into(t, &caution);
    regret_buffer_append(
        t, "The vote is of the families that are not separable from the one of lowest regret. "
           "Value: the mean reward of what was recommended. Margin: that less the value of "
           "recommending to every context the one agent of the best mean in EXP (best-exp).\n\n");
}

static void put_overall(struct regret_buffer *t, const struct recommend *s)
{
    int known = 0;
    regret_buffer_append(
        t, "## All contexts\n\n| by | votes | most often | value | margin | value, new "
           "contexts | margin, new contexts | on new contexts |\n"
           "|---|---|---|---|---|---|---|---|\n");
    for (size_t i = 0; i < s->n_sources; i++) {
        const struct recommended *item = item_of(s, i, s->grid->n_contexts);
        regret_buffer_append(t, "| ");
        markdown_escape(t, recommend_source(s, i));
        regret_buffer_append(t, i >= s->n_families ? " | "
                                : i == s->best     ? " | yes, lowest regret"
                                : s->votes[i]      ? " | yes"
                                                   : " | no");
        put_agent(t, s, item);
        put_estimate(t, &item->value);
        put_estimate(t, &item->margin);
        put_interval(t, &item->new_value);
        put_interval(t, &item->new_margin);
        regret_buffer_printf(t, " | %s |\n", i <= s->n_families ? margin_verdict(item) : "–");
        known |= isfinite(item->new_value.se) != 0;
    }
    regret_buffer_printf(t, "\n%s\n", new_contexts_words(known));
}

static void put_contexts(struct regret_buffer *t, const struct recommend *s)
{
    size_t columns = s->n_families + 1;
    regret_buffer_append(t, "\n## By context\n\n| context | replicates | vote | value | margin |");
    for (size_t i = 0; i < s->n_families; i++) {
        regret_buffer_append_char(t, ' ');
        markdown_escape(t, recommend_source(s, i));
        regret_buffer_append(t, " |");
    }
    regret_buffer_append(t, "\n|---|---|---|---|");
    for (size_t i = 0; i < columns; i++) {
        regret_buffer_append(t, "---|");
    }
    regret_buffer_append_char(t, '\n');
    for (size_t x = 0; x < s->grid->n_contexts; x++) {
        const struct recommended *vote = item_of(s, s->n_families, x);
        if (vote->replicates == 0) {
            continue;
        }
        regret_buffer_append(t, "| ");
        markdown_escape(t, s->grid->contexts[x]);
        regret_buffer_printf(t, " | %zu", vote->replicates);
        put_agent(t, s, vote);
        put_estimate(t, &vote->value);
        put_estimate(t, &vote->margin);
        for (size_t i = 0; i < s->n_families; i++) {
            put_agent(t, s, item_of(s, i, x));
        }
        regret_buffer_append(t, " |\n");
    }
}

/* ---------------------------------------------------------------- records */

/* What a record says in numbers, CSV and JSON alike. */
enum { N_NUMBERS = 12 };
static const char *const number_names[N_NUMBERS] = {
    "share",         "replicates",     "value",          "value_low",
    "value_high",    "margin",         "margin_low",     "margin_high",
    "value_new_low", "value_new_high", "margin_new_low", "margin_new_high"};

static void numbers_of(double out[N_NUMBERS], const struct recommended *item)
{
    const struct seeds_mean *v = &item->value, *m = &item->margin;
    const double numbers[N_NUMBERS] = {
        item->share,          (double)item->replicates, v->mean,
        v->mean - v->half,    v->mean + v->half,        m->mean,
        m->mean - m->half,    m->mean + m->half,        item->new_value.low,
        item->new_value.high, item->new_margin.low,     item->new_margin.high};
    memcpy(out, numbers, sizeof numbers);
}

typedef void put_record(struct regret_buffer *t, const struct recommend *s, size_t source,
                        size_t x);

/* Every source over all contexts, then on each that was held out. */
static void each_record(struct regret_buffer *t, const struct recommend *s, put_record *put)
{
    size_t n = s->grid->n_contexts;
    for (size_t k = 0; k <= n; k++) {
        size_t x = k == 0 ? n : k - 1;
        for (size_t i = 0; i < s->n_sources; i++) {
            if (item_of(s, i, x)->replicates > 0) {
                put(t, s, i, x);
            }
        }
    }
}

static void csv_record(struct regret_buffer *t, const struct recommend *s, size_t source, size_t x)
{
    const struct recommended *item = item_of(s, source, x);
    double numbers[N_NUMBERS];
    csv_field(t, x < s->grid->n_contexts ? s->grid->contexts[x] : "");
    regret_buffer_append_char(t, ',');
    csv_field(t, recommend_source(s, source));
    regret_buffer_printf(t, ",%d,", source < s->n_families && s->votes[source]);
    csv_field(t, s->grid->agents[item->agent]);
    numbers_of(numbers, item);
    for (size_t i = 0; i < N_NUMBERS; i++) {
        regret_buffer_append_char(t, ',');
        csv_number(t, numbers[i]);
    }
    regret_buffer_append_char(t, '\n');
}

static void put_csv(struct regret_buffer *t, const struct recommend *s)
{
    regret_buffer_append(t, "context,by,votes,agent");
    for (size_t i = 0; i < N_NUMBERS; i++) {
        regret_buffer_printf(t, ",%s", number_names[i]);
    }
    regret_buffer_append_char(t, '\n');
    each_record(t, s, csv_record);
}

static void json_record(struct regret_buffer *t, const struct recommend *s, size_t source, size_t x)
{
    const struct recommended *item = item_of(s, source, x);
    double numbers[N_NUMBERS];
    int first = source == 0 && x == s->grid->n_contexts;
    regret_buffer_append(t, first ? "\n{\"context\":" : ",\n{\"context\":");
    if (x < s->grid->n_contexts) {
        regret_buffer_json_string(t, s->grid->contexts[x]);
    } else {
        regret_buffer_append(t, "null");
    }
    regret_buffer_append(t, ",\"by\":");
    regret_buffer_json_string(t, recommend_source(s, source));
    regret_buffer_printf(t, ",\"votes\":%s,\"agent\":",
                         source < s->n_families && s->votes[source] ? "true" : "false");
    regret_buffer_json_string(t, s->grid->agents[item->agent]);
    numbers_of(numbers, item);
    for (size_t i = 0; i < N_NUMBERS; i++) {
        regret_buffer_printf(t, ",\"%s\":", number_names[i]);
        regret_buffer_json_number(t, numbers[i]);
    }
    regret_buffer_append_char(t, '}');
}

static void put_json(struct regret_buffer *t, const struct recommend *s)
{
    regret_buffer_append(t, "{\"format\":\"regret-recommend-1\",\"pool\":");
    regret_buffer_json_string(t, s->r->run.pool_name);
    regret_buffer_printf(t, ",\"synthetic\":%s,\"cells\":%zu,\"seeds\":%zu,\"recommendations\":[",
                         s->r->run.synthetic ? "true" : "false", s->cells.n_cells, s->r->n_seeds);
    each_record(t, s, json_record);
    regret_buffer_append(t, "]}\n");
}

int regret_recommend(struct regret_buffer *out, const struct regret_results *results, size_t cell,
                     enum regret_recommend_format format)
{
    struct table_data d = {0};
    struct recommend s = {0};
    int rc;
    TRY_CLEANUP(table_data_make(&d, results, 1));
    TRY_CLEANUP(recommend_make(&s, &d, cell));
    if (format == REGRET_RECOMMEND_CSV) {
        put_csv(out, &s);
    } else if (format == REGRET_RECOMMEND_JSON) {
        put_json(out, &s);
    } else {
        put_facts(out, &s);
        put_overall(out, &s);
        put_contexts(out, &s);
    }
    rc = regret_buffer_status(out);
cleanup:
    recommend_free(&s);
    table_data_free(&d);
    return rc;
}
