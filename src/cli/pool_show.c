/* `pool show` and `pool stats`. */
#include <math.h>
#include <string.h>

#include "base/buffer.h"
#include "base/status.h"
#include "base/text.h"
#include "cli/internal.h"
#include "pool/statistics.h"
#include "regret/pool.h"
#include "regret/status.h"
#include "report/table.h"

FREED_POINTER(struct regret_pool, regret_pool_free)
FREED_POINTER(struct regret_pool_stats, regret_pool_stats_free)

/* What one screen shows. */
enum {
    LINE = 78,
    NAME = 24,         /* columns of a name in a sentence */
    SHOWN_AGENTS = 12, /* rows of the agents' table */
    SHOWN_OUTPUTS = 3, /* of the example */
    SHOWN_LINES = 4,   /* of its context, and of a list */
    SHOWN_SCORES = 8,
    SHOWN_TAGS = 24,
    SHOWN_STEPS = 6
};

/* ---- for programs, and the tables for all ---- */

static void text(struct table *t, const char *value)
{
    table_text(t, "%s", value != NULL ? value : "");
}

static void count(struct table *t, size_t value)
{
    table_number(t, (double)value, 0);
}

/* Of any size, to so many digits. */
static void put_digits(struct table *t, int digits, const double *values, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        table_cell(t, NULL, values[i], 0.0, digits, TABLE_NUMBER | TABLE_SIGNIFICANT);
    }
}
#define DIGITS(t, digits, ...)                                                                     \
    put_digits(t, digits, (const double[]){__VA_ARGS__},                                           \
               sizeof((const double[]){__VA_ARGS__}) / sizeof(double))

static const char *title_of(const struct regret_pool *p)
{
    return p->title != NULL && p->title[0] != '\0' ? p->title : p->name;
}

static void put_pool(struct table *t, const struct regret_pool *p,
                     const struct regret_pool_stats *s)
{
    table_block(t, "pool");
    TABLE_HEADS(t, "name", "title", "version", "licence", "source", "digest", "origin", "contexts",
                "agents", "outputs", "pairs", "missing pairs", "least draws", "most draws",
                "empty outputs", "words a context", "words an output");
    table_row(t, "%s", p->name);
    text(t, p->title);
    text(t, p->version);
    text(t, p->licence);
    text(t, p->source);
    text(t, p->digest);
    text(t, p->synthetic ? "SYNTHETIC" : "collected");
    const size_t counts[] = {p->n_contexts,    p->n_agents,    p->n_outputs,  s->pairs,
                             s->missing_pairs, s->least_draws, s->most_draws, s->empty_outputs};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        count(t, counts[i]);
    }
    table_number(t, s->context_words.mean, 1);
    table_number(t, s->output_words.mean, 1);
}

static void put_tags(struct table *t, const struct regret_pool_stats *s)
{
    table_block(t, "contexts by tag");
    TABLE_HEADS(t, "tag", "contexts");
    for (size_t i = 0; i < s->n_tags; i++) {
        table_row(t, "%s", s->tags[i].name != NULL ? s->tags[i].name : "");
        count(t, s->tags[i].contexts);
    }
}

/* Only where there are any. */
static void put_columns(struct table *t, const struct regret_pool *p,
                        const struct regret_pool_stats *s)
{
    if (p->n_columns == 0) {
        return;
    }
    table_block(t, "columns of contexts");
    TABLE_HEADS(t, "column", "kind", "different words", "blank", "mean", "sd", "low", "high");
    for (size_t j = 0; j < p->n_columns; j++) {
        int is_word = p->columns[j].kind == REGRET_COLUMN_WORD;
        const struct regret_spread *n = &s->columns[j].number;
        const double numbers[] = {n->mean, n->sd, n->low, n->high},
                     unknown[] = {NAN, NAN, NAN, NAN};
        table_row(t, "%s", p->columns[j].name);
        text(t, regret_column_kind_name(p->columns[j].kind));
        table_number(t, is_word ? (double)s->columns[j].words : NAN, 0);
        table_number(t, is_word ? NAN : (double)s->columns[j].blank, 0);
        put_digits(t, 4, is_word ? unknown : numbers, 4);
    }
}

/* A row a source of a step; one without sources has a row of its own. */
static void put_history(struct table *t, const struct regret_pool *p)
{
    if (p->n_history == 0) {
        return;
    }
    table_block(t, "history");
    TABLE_HEADS(t, "step", "pool", "what", "program", "date", "from", "from date", "digest");
    for (size_t i = 0; i < p->n_history; i++) {
        const struct regret_pool_step *step = &p->history[i];
        for (size_t k = 0; k < step->n_from || k == 0; k++) {
            table_row(t, "%zu", i + 1);
            text(t, step->pool);
            text(t, step->what);
            text(t, step->program);
            text(t, step->date);
            text(t, k < step->n_from ? step->from[k].name : NULL);
            text(t, k < step->n_from ? step->from[k].date : NULL);
            text(t, k < step->n_from ? step->from[k].digest : NULL);
        }
    }
}

/* One row an agent, at most `limit`; for people without titles and what they have not answered. */
static void put_agents(struct table *t, const struct regret_pool *p,
                       const struct regret_pool_stats *s, size_t limit, int for_people)
{
    static const char *const HEADS[] = {"agent",
                                        "title",
                                        "cost",
                                        "outputs",
                                        "missing contexts",
                                        "quality",
                                        "sd over contexts",
                                        "best on",
                                        "words",
                                        "one text for every context"};
    table_block(t, "agents");
    for (size_t k = 0; k < sizeof HEADS / sizeof *HEADS; k++) {
        if (!(for_people && (k == 1 || k == 4))) {
            table_column(t, "%s", HEADS[k]);
        }
    }
    for (size_t a = 0; a < p->n_agents && a < limit; a++) {
        const struct regret_agent_stats *agent = &s->agents[a];
        table_row(t, "%s", regret_agent_name(&p->agents[a]));
        if (!for_people) {
            text(t, p->agents[a].title);
        }
        DIGITS(t, 7, p->agents[a].cost);
        count(t, agent->outputs);
        if (!for_people) {
            count(t, agent->missing);
        }
        table_number(t, agent->quality.mean, 3);
        table_number(t, agent->quality.sd, 3);
        table_number(t, s->grid_contexts > 0 ? agent->best : (double)NAN, 2);
        table_number(t, agent->words.mean, 1);
        text(t, agent->constant ? "yes" : "no");
    }
}

/* rows x n_components numbers, column-major; without agents, rows are components. */
static void put_matrix(struct table *t, const char *heading, const struct regret_pool *p,
                       const double *matrix, int by_agent)
{
    size_t rows = by_agent ? p->n_agents : p->n_components;
    table_block(t, "%s", heading);
    table_column(t, "%s", by_agent ? "agent" : "component");
    for (size_t k = 0; k < p->n_components; k++) {
        table_column(t, "%s", p->components[k].name);
    }
    for (size_t i = 0; i < rows; i++) {
        table_row(t, "%s", by_agent ? regret_agent_name(&p->agents[i]) : p->components[i].name);
        for (size_t k = 0; k < p->n_components; k++) {
            table_number(t, matrix[k * rows + i], 3);
        }
    }
}

static void put_values(struct table *t, const struct regret_pool *p,
                       const struct regret_pool_stats *s)
{
    table_block(t, "values over outputs");
    TABLE_HEADS(t, "value", "kind", "outputs", "mean", "sd", "low", "high");
    for (size_t i = 0; i < p->n_components + p->n_counts + p->n_aux; i++) {
        const struct regret_spread *v = &s->values[i];
        table_row(t, "%s", regret_pool_value_name(p, i));
        text(t, i < p->n_components                 ? "component"
                : i < p->n_components + p->n_counts ? "count"
                                                    : "aux");
        count(t, v->n);
        DIGITS(t, 4, v->mean, v->sd, v->low, v->high);
    }
}

static void put_histograms(struct table *t, const struct regret_pool *p,
                           const struct regret_pool_stats *s)
{
    table_block(t, "outputs by tenths of the normalised component");
    table_column(t, "component");
    for (int b = 0; b < REGRET_POOL_BINS; b++) {
        table_column(t, "0.%d", b);
    }
    for (size_t k = 0; k < p->n_components; k++) {
        table_row(t, "%s", p->components[k].name);
        for (size_t b = 0; b < REGRET_POOL_BINS; b++) {
            count(t, s->histogram[k * REGRET_POOL_BINS + b]);
        }
    }
}

/* One row, which JSON tells without a label. */
static void put_grid(struct table *t, const struct regret_pool_stats *s, int is_labelled)
{
    table_block(t, "the largest complete sub-grid");
    if (is_labelled) {
        table_column(t, "policy");
    }
    TABLE_HEADS(t, "contexts", "agents", "difficulty", "sd", "low", "quartile 1", "median",
                "quartile 3", "high", "variance of quality", "share of agents", "share of contexts",
                "share of agents x contexts");
    if (is_labelled) {
        table_row(t, "complete");
    } else {
        table_row_of_cells(t);
    }
    DIGITS(t, 4, (double)s->grid_contexts, (double)s->grid_agents, s->difficulty.mean,
           s->difficulty.sd, s->difficulty.low, s->difficulty_quartile[0],
           s->difficulty_quartile[1], s->difficulty_quartile[2], s->difficulty.high,
           s->quality_variance, s->agent_share, s->context_share, s->interaction_share);
}

static void put_extremes(struct table *t, const struct regret_pool *p,
                         const struct regret_pool_stats *s)
{
    table_block(t, "extreme outputs");
    TABLE_HEADS(t, "quantity", "outputs", "contexts", "quartile 1", "quartile 3", "extreme",
                "by agent", "on context");
    for (size_t i = 0; i < s->n_extremes; i++) {
        const struct regret_pool_extreme *e = &s->extremes[i];
        table_row(t, "%s", regret_pool_quantity_name(p, e->quantity));
        count(t, e->outputs);
        count(t, e->contexts);
        DIGITS(t, 4, e->quartile[0], e->quartile[1], e->value);
        text(t, regret_agent_name(&p->agents[p->outputs[e->output].agent]));
        text(t, regret_context_name(&p->contexts[p->outputs[e->output].context]));
    }
}

/* ---- for people ---- */

/* Text of unknown origin as an indented paragraph of at most about `lines` lines. */
static void paragraph(struct regret_buffer *t, const char *words, size_t lines)
{
    const struct text_margins margins = {LINE, 2, 2};
    struct regret_buffer safe = REGRET_BUFFER_INIT;
    regret_buffer_append_safe(&safe, words, lines * (LINE - 2));
    text_wrap(t, regret_buffer_get(&safe), &margins);
    regret_buffer_free_into(t, &safe);
}

/* A label and an untrusted text as plain words of Markdown, on one line. */
static void fact(struct regret_buffer *t, const char *label, const char *value)
{
    struct regret_buffer safe = REGRET_BUFFER_INIT;
    regret_buffer_append_safe(&safe, value != NULL && value[0] != '\0' ? value : "(not stated)",
                              LINE - strlen(label));
    regret_buffer_append(t, label);
    markdown_escape(t, regret_buffer_get(&safe));
    regret_buffer_append_char(t, '\n');
    regret_buffer_free_into(t, &safe);
}

/* "2026-11-25 pool: what (program), from name of 2026-11-24 digest, …" of the last steps. */
static void tell_history(struct regret_buffer *t, const struct regret_pool *p)
{
    size_t first = p->n_history > SHOWN_STEPS ? p->n_history - SHOWN_STEPS : 0;
    if (first > 0) {
        regret_buffer_printf(t, "history   of %zu steps, the last\n", p->n_history);
    }
    for (size_t i = first; i < p->n_history; i++) {
        const struct regret_pool_step *step = &p->history[i];
        struct regret_buffer line = REGRET_BUFFER_INIT;
        regret_buffer_printf(&line, "%s%s%s: %s (%s)", step->date != NULL ? step->date : "",
                             step->date != NULL ? " " : "", step->pool, step->what, step->program);
        for (size_t k = 0; k < step->n_from; k++) {
            const struct regret_pool_source *from = &step->from[k];
            regret_buffer_printf(&line, "%s%s%s%s %s", k > 0 ? ", " : ", from ", from->name,
                                 from->date[0] != '\0' ? " of " : "", from->date, from->digest);
        }
        regret_buffer_append(t, i == 0 ? "history\n" : "");
        paragraph(t, regret_buffer_get(&line), SHOWN_LINES);
        regret_buffer_free_into(t, &line);
    }
}

static void tell_sizes(struct regret_buffer *t, const struct regret_pool *p,
                       const struct regret_pool_stats *s)
{
    regret_buffer_printf(t, "\n%zu contexts, %zu agents, %zu outputs; %zu of %zu pairs missing; ",
                         p->n_contexts, p->n_agents, p->n_outputs, s->missing_pairs, s->pairs);
    if (s->least_draws == s->most_draws) {
        regret_buffer_printf(t, "%zu draw%s a pair\n", s->least_draws, plural(s->least_draws));
    } else {
        regret_buffer_printf(t, "%zu to %zu draws a pair\n", s->least_draws, s->most_draws);
    }
    regret_buffer_printf(t, "contexts of %.0f words on average, outputs of %.0f (%.0f to %.0f)",
                         s->context_words.mean, s->output_words.mean, s->output_words.low,
                         s->output_words.high);
    if (s->empty_outputs > 0) {
        regret_buffer_printf(t, "; %zu outputs are empty", s->empty_outputs);
    }
    regret_buffer_append_char(t, '\n');
}

static void tell_tags(struct regret_buffer *t, const struct regret_pool_stats *s)
{
    struct regret_buffer line = REGRET_BUFFER_INIT;
    for (size_t i = 0; i < s->n_tags && i < SHOWN_TAGS; i++) {
        regret_buffer_printf(&line, "%s%s %zu", i > 0 ? ", " : "",
                             s->tags[i].name != NULL ? s->tags[i].name : "(none)",
                             s->tags[i].contexts);
    }
    if (s->n_tags > 0) {
        regret_buffer_printf(t, "contexts by tag, of %zu%s\n", s->n_tags,
                             s->n_tags > SHOWN_TAGS ? ", the first" : "");
        paragraph(t, regret_buffer_get(&line), (size_t)2 * SHOWN_LINES);
    }
    regret_buffer_free_into(t, &line);
}

static void tell_names(struct regret_buffer *t, const char *label, char *const *names, size_t n)
{
    struct regret_buffer line = REGRET_BUFFER_INIT;
    for (size_t i = 0; i < n; i++) {
        regret_buffer_printf(&line, "%s%s", i > 0 ? ", " : "", names[i]);
    }
    regret_buffer_printf(t, "%s%s\n", label, n == 0 ? " (none)" : "");
    paragraph(t, regret_buffer_get(&line), SHOWN_LINES);
    regret_buffer_free_into(t, &line);
}

static void tell_components(struct regret_buffer *t, const struct regret_pool *p)
{
    regret_buffer_append(t, "components");
    for (size_t k = 0; k < p->n_components && k < SHOWN_SCORES; k++) {
        regret_buffer_append(t, k > 0 ? ", " : " ");
        regret_buffer_append_safe(t, p->components[k].name, NAME);
        regret_buffer_printf(t, " (%.4g to %.4g)", p->components[k].low, p->components[k].high);
    }
    regret_buffer_append_char(t, '\n');
}

static void tell_pool(struct regret_buffer *t, const struct regret_pool *p,
                      const struct regret_pool_stats *s)
{
    fact(t, "# ", title_of(p));
    regret_buffer_append_char(t, '\n');
    fact(t, "name      ", p->name);
    fact(t, "version   ", p->version);
    fact(t, "licence   ", p->licence);
    fact(t, "source    ", p->source);
    fact(t, "digest    ", p->digest);
    if (p->synthetic) {
        regret_buffer_append(t,
                             "SYNTHETIC texts or scores were made by a program, not by people\n");
    }
    tell_history(t, p);
    tell_sizes(t, p, s);
    tell_tags(t, s);
}

/* The first outputs of the first context, with their scores. */
static void tell_example(struct regret_buffer *t, const struct regret_pool *p)
{
    const struct regret_output *first = p->outputs;
    const struct regret_context *context = &p->contexts[first->context];
    regret_buffer_append(t, "\nExample: context ");
    regret_buffer_append_safe(t, regret_context_name(context), LINE - 17);
    regret_buffer_append_char(t, '\n');
    paragraph(t, context->text, SHOWN_LINES);
    for (size_t i = 0; i < p->n_outputs && i < SHOWN_OUTPUTS && first[i].context == first->context;
         i++) {
        regret_buffer_append(t, "by ");
        regret_buffer_append_safe(t, regret_agent_name(&p->agents[first[i].agent]), NAME);
        for (size_t k = 0; k < p->n_components && k < SHOWN_SCORES; k++) {
            regret_buffer_append(t, k > 0 ? ", " : ": ");
            regret_buffer_append_safe(t, p->components[k].name, NAME);
            regret_buffer_printf(t, " %.4g", first[i].values[k]);
        }
        regret_buffer_append_char(t, '\n');
        paragraph(t, first[i].text, 2);
    }
}

/* ---- the commands ---- */

static void put_note(struct table *t, const struct regret_pool *p,
                     const struct regret_pool_stats *s, size_t limit)
{
    if (p->n_agents > limit) {
        table_note(t, "and %zu more agents", p->n_agents - limit);
    }
    if (s->grid_contexts > 0) {
        table_note(
            t,
            "quality: mean component on 0 to 1; sd: over contexts; best on: wins in %zu shared "
            "contexts, of equals a part each",
            s->grid_contexts);
    } else {
        table_note(t, "quality: the share of its votes that the agent has won, against whom it has "
                      "met; sd: over votes. regret pool votes says what agents are worth against "
                      "each other.");
    }
}

static void put_scores(struct table *t, const struct regret_pool *p,
                       const struct regret_pool_stats *s, enum regret_format format)
{
    put_matrix(t, "mean normalised components by agent", p, s->agent_components, 1);
    put_values(t, p, s);
    put_histograms(t, p, s);
    put_matrix(t, "correlation of the components over outputs", p, s->correlation, 0);
    if (s->grid_contexts > 0) {
        put_grid(t, s, format != REGRET_FORMAT_JSON);
    }
    put_extremes(t, p, s);
}

/* For people a screen of words and tables; for programs the same as tables (docs/formats.md). */
static int show(struct regret_buffer *out, const struct pool_view *view, const char *path)
{
    int is_stats = *(const int *)view->options;
    FREED_BY(regret_pool_free_at) struct regret_pool *p = NULL;
    FREED_BY(regret_pool_stats_free_at) struct regret_pool_stats *s = NULL;
    FREED_BY(table_free) struct table t = {0};
    int for_people = view->format == REGRET_FORMAT_TEXT || view->format == REGRET_FORMAT_MARKDOWN;
    size_t limit = is_stats ? SIZE_MAX : SHOWN_AGENTS;
    TRY(regret_pool_read(&p, path));
    TRY(regret_pool_stats_make(&s, p));
    table_begin(&t, is_stats ? "pool-stats" : "pool", "%s", for_people ? "" : title_of(p));
    if (for_people) {
        tell_pool(out, p, s);
        put_columns(&t, p, s);
        put_agents(&t, p, s, limit, 1);
        put_note(&t, p, s, limit);
    } else {
        put_pool(&t, p, s);
        put_tags(&t, s);
        put_columns(&t, p, s);
        put_agents(&t, p, s, SIZE_MAX, 0);
        put_history(&t, p);
    }
    if (is_stats) {
        put_scores(&t, p, s, view->format);
    } else if (for_people) {
        tell_names(out, "counts", p->counts, p->n_counts);
        tell_names(out, "aux", p->aux, p->n_aux);
        tell_components(out, p);
    }
    TRY(table_check(&t));
    TRY(render(out, &t, view->format));
    if (for_people && !is_stats) {
        tell_example(out, p);
    }
    return REGRET_OK;
}

int cmd_pool_show(const struct cli_command *self, int argc, char **argv)
{
    int is_stats = strcmp(self->name, "pool stats") == 0;
    struct pool_view view = {.make = show, .options = &is_stats};
    const struct cli_option options[] = {POOL_VIEW_OPTIONS(view), {0}};
    return pool_view_print(&view, self, options, 1, argc, argv);
}
