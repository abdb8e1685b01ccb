/* Statistics of a pool in words. */
#include <math.h>
#include <string.h>

#include "base/buffer.h"
#include "base/text.h"
#include "pool/grid.h"
#include "pool/statistics.h"

enum {
    LINE = 78,            /* columns of a line of running text */
    CELL = 24,            /* columns of a name in a table */
    HEAD = 7,             /* columns of a name above its numbers */
    ABREAST = 7,          /* numbers of that width beside a name */
    WIDE = 10,            /* of numbers of any size, to four digits */
    OVERVIEW_AGENTS = 12, /* rows of the agents' table on the one screen */
    OVERVIEW_OUTPUTS = 3, /* outputs of the example shown there */
    EXCERPT_LINES = 4,    /* lines of the example context */
    NAMED_TAGS = 24,      /* of the contexts */
    NAMED_STEPS = 6       /* of the history */
};

/* A name in a table cell, at most so many columns of it. A bar would end the cell. */
static void append_cell(struct regret_buffer *t, const char *name, size_t columns)
{
    size_t begin = t->length;
    regret_buffer_append_safe(t, name, columns);
    for (size_t i = begin; i < t->length; i++) {
        if (t->data[i] == '|') {
            t->data[i] = '/';
        }
    }
}

/* The same of at most and at least `width` columns. */
static void padded_cell(struct regret_buffer *t, const char *name, size_t width)
{
    size_t begin = t->length;
    append_cell(t, name, width);
    size_t columns = 0; /* code points, which is near enough for padding */
    for (size_t i = begin; i < t->length; i++) {
        columns += (t->data[i] & 0xC0) != 0x80;
    }
    for (; columns < width; columns++) {
        regret_buffer_append_char(t, ' ');
    }
}

/* The first cell of a row. */
static void begin_row(struct regret_buffer *t, const char *name)
{
    regret_buffer_append(t, "| ");
    padded_cell(t, name, CELL);
    regret_buffer_append(t, " |");
}

/* The first cell of an agent's row: its label, and its title where that says more and there is room for it. */
static void agent_cell(struct regret_buffer *t, const struct regret_agent *agent, const char *label)
{
    struct regret_buffer name = REGRET_BUFFER_INIT;
    regret_buffer_append(&name, label);
    if (agent->title != NULL && strcmp(agent->title, regret_agent_name(agent)) != 0 &&
        strlen(agent->id) + 1 + strlen(agent->title) <= CELL) {
        regret_buffer_append(&name, " ");
        regret_buffer_append(&name, agent->title);
    }
    begin_row(t, regret_buffer_get(&name));
    regret_buffer_free_into(t, &name);
}

/* Below heads of n numbers. */
static void rule(struct regret_buffer *t, size_t n, const int *width)
{
    regret_buffer_append(t, "|--------------------------|");
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k <= (size_t)(width != NULL ? width[i] : HEAD); k++) {
            regret_buffer_append_char(t, '-');
        }
        regret_buffer_append(t, ":|");
    }
    regret_buffer_append(t, "\n");
}

/* The head of a table of numbers of so many columns each; NULL: of HEAD. */
static void heads(struct regret_buffer *t, const char *first, const char *const *numbers, size_t n,
                  const int *width)
{
    begin_row(t, first);
    for (size_t i = 0; i < n; i++) {
        regret_buffer_printf(t, " %*s |", width != NULL ? width[i] : HEAD, numbers[i]);
    }
    regret_buffer_append(t, "\n");
    rule(t, n, width);
}

/* Text of unknown origin as an indented paragraph of at most about `lines` lines, broken between
 * words. */
static void paragraph(struct regret_buffer *t, const char *text, size_t lines)
{
    struct regret_buffer safe = REGRET_BUFFER_INIT;
    regret_buffer_append_safe(&safe, text, lines * (LINE - 2));
    const char *word = regret_buffer_get(&safe);
    size_t used = 0;
    while (*word != '\0') {
        size_t length = strcspn(word, " "), columns = 0;
        for (size_t i = 0; i < length; i++) {
            columns += (word[i] & 0xC0) != 0x80;
        }
        if (used > 0 && used + 1 + columns > LINE) {
            regret_buffer_append(t, "\n");
            used = 0;
        }
        regret_buffer_append(t, used == 0 ? "  " : " ");
        regret_buffer_append_n(t, word, length);
        used += (used == 0 ? 2 : 1) + columns;
        word += length + (word[length] == ' ');
    }
    regret_buffer_append(t, "\n");
    regret_buffer_free_into(t, &safe);
}

/* An untrusted text of at most `columns` as plain words of Markdown, and the end of its line. */
static void put_words(struct regret_buffer *t, const char *text, size_t columns)
{
    struct regret_buffer safe = REGRET_BUFFER_INIT;
    regret_buffer_append_safe(&safe, text, columns);
    markdown_escape(t, regret_buffer_get(&safe));
    regret_buffer_append(t, "\n");
    regret_buffer_free_into(t, &safe);
}

static void fact(struct regret_buffer *t, const char *label, const char *value)
{
    regret_buffer_printf(t, "%-10s", label);
    put_words(t, value == NULL || value[0] == '\0' ? "(not stated)" : value, LINE - 10);
}

/* The last steps by which the pool came to be: "2026-11-25 pool: what (program), from name of 2026-11-24 digest, …". */
static void write_history(struct regret_buffer *t, const struct regret_pool *pool)
{
    size_t first = pool->n_history > NAMED_STEPS ? pool->n_history - NAMED_STEPS : 0;
    if (first > 0) {
        regret_buffer_printf(t, "history   of %zu steps, the last\n", pool->n_history);
    }
    for (size_t i = first; i < pool->n_history; i++) {
        const struct regret_pool_step *step = &pool->history[i];
        struct regret_buffer line = REGRET_BUFFER_INIT;
        regret_buffer_printf(&line, "%s%s%s: %s (%s)", step->date != NULL ? step->date : "",
                             step->date != NULL ? " " : "", step->pool, step->what, step->program);
        for (size_t k = 0; k < step->n_from; k++) {
            const struct regret_pool_source *source = &step->from[k];
            regret_buffer_printf(&line, "%s%s%s%s %s", k > 0 ? ", " : ", from ", source->name,
                                 source->date[0] != '\0' ? " of " : "", source->date,
                                 source->digest);
        }
        regret_buffer_append(t, i == 0 ? "history\n" : "");
        paragraph(t, regret_buffer_get(&line), EXCERPT_LINES);
        regret_buffer_free_into(t, &line);
    }
}

static void write_identity(struct regret_buffer *t, const struct regret_pool *pool)
{
    regret_buffer_append(t, "# ");
    put_words(t, pool->title == NULL || pool->title[0] == '\0' ? pool->name : pool->title,
              LINE - 2);
    regret_buffer_append(t, "\n");
    fact(t, "name", pool->name);
    fact(t, "version", pool->version);
    fact(t, "licence", pool->licence);
    fact(t, "source", pool->source);
    fact(t, "digest", pool->digest[0] != '\0' ? pool->digest : "(not read from a folder)");
    if (pool->synthetic) {
        regret_buffer_append(t,
                             "SYNTHETIC texts or scores were made by a program, not by people\n");
    }
    write_history(t, pool);
}

/* How many contexts have which tag, the first few named. */
static void write_tags(struct regret_buffer *t, const struct regret_pool_stats *s)
{
    struct regret_buffer line = REGRET_BUFFER_INIT;
    for (size_t i = 0; i < s->n_tags && i < NAMED_TAGS; i++) {
        regret_buffer_printf(&line, "%s%s %zu", i > 0 ? ", " : "",
                             s->tags[i].name != NULL ? s->tags[i].name : "(none)",
                             s->tags[i].contexts);
    }
    if (s->n_tags > 0) {
        regret_buffer_printf(t, "contexts by tag, of %zu%s\n", s->n_tags,
                             s->n_tags > NAMED_TAGS ? ", the first" : "");
        paragraph(t, regret_buffer_get(&line), (size_t)2 * EXCERPT_LINES);
    }
    regret_buffer_free_into(t, &line);
}

/* What else is known of contexts. */
static void write_columns(struct regret_buffer *t, const struct regret_pool *pool,
                          const struct regret_pool_stats *s)
{
    for (size_t j = 0; j < pool->n_columns; j++) {
        const struct regret_column_stats *column = &s->columns[j];
        regret_buffer_append(t, j == 0 ? "columns of contexts: " : ", ");
        regret_buffer_append_safe(t, pool->columns[j].name, CELL);
        if (pool->columns[j].kind == REGRET_COLUMN_WORD) {
            regret_buffer_printf(t, " (%zu words)", column->words);
        } else {
            regret_buffer_printf(t, " (%.6g to %.6g, mean %.6g", column->number.low,
                                 column->number.high, column->number.mean);
            if (column->blank > 0) {
                regret_buffer_printf(t, ", blank in %zu", column->blank);
            }
            regret_buffer_append_char(t, ')');
        }
    }
    regret_buffer_append(t, pool->n_columns > 0 ? "\n" : "");
}

static void write_sizes(struct regret_buffer *t, const struct regret_pool *pool,
                        const struct regret_pool_stats *s)
{
    regret_buffer_printf(t, "\n%zu contexts, %zu agents, %zu outputs; %zu of %zu pairs missing; ",
                         pool->n_contexts, pool->n_agents, pool->n_outputs, s->missing_pairs,
                         s->pairs);
    if (s->least_draws == s->most_draws) {
        regret_buffer_printf(t, "%zu draw%s a pair\n", s->least_draws,
                             s->least_draws == 1 ? "" : "s");
    } else {
        regret_buffer_printf(t, "%zu to %zu draws a pair\n", s->least_draws, s->most_draws);
    }
    regret_buffer_printf(t, "contexts of %.0f words on average, outputs of %.0f (%.0f to %.0f)",
                         s->context_words.mean, s->output_words.mean, s->output_words.low,
                         s->output_words.high);
    if (s->empty_outputs > 0) {
        regret_buffer_printf(t, "; %zu outputs are empty", s->empty_outputs);
    }
    regret_buffer_append(t, "\n");
    write_tags(t, s);
    write_columns(t, pool, s);
}

static void write_names(struct regret_buffer *t, const char *label, char *const *names, size_t n)
{
    struct regret_buffer line = REGRET_BUFFER_INIT;
    for (size_t i = 0; i < n; i++) {
        regret_buffer_append(&line, i > 0 ? ", " : "");
        regret_buffer_append(&line, names[i]);
    }
    regret_buffer_append(t, label);
    regret_buffer_append(t, n == 0 ? " (none)\n" : "\n");
    if (n > 0) {
        paragraph(t, regret_buffer_get(&line), EXCERPT_LINES);
    }
    regret_buffer_free_into(t, &line);
}

/* Whoever does not read the question is worth a look, and so is who scores it. */
static void write_constant(struct regret_buffer *t, const struct regret_pool *pool,
                           const struct regret_pool_stats *s, char *const *labels)
{
    const struct text_margins margins = {LINE, 0, 2};
    struct regret_buffer line = REGRET_BUFFER_INIT;
    size_t n = 0;
    for (size_t a = 0; a < pool->n_agents; a++) {
        if (s->agents[a].constant && n++ < OVERVIEW_AGENTS) {
            regret_buffer_append(&line, n == 1 ? "one text for every context: " : ", ");
            regret_buffer_append_safe(&line, labels[a], CELL);
        }
    }
    if (n > OVERVIEW_AGENTS) {
        regret_buffer_printf(&line, " and %zu more", n - OVERVIEW_AGENTS);
    }
    text_wrap(t, regret_buffer_get(&line), &margins);
    regret_buffer_free_into(t, &line);
}

/* Contexts on which an agent is the best, in parts where others are as good. */
static void put_best(struct regret_buffer *t, double best, int of_grid)
{
    if (of_grid) {
        regret_buffer_printf(t, " %7.*f |", fabs(best - round(best)) < 1e-6 ? 0 : 2, best);
    }
    regret_buffer_append_char(t, '\n');
}

/* One row an agent, at most `limit`. */
static void write_agents(struct regret_buffer *t, const struct regret_pool *pool,
                         const struct regret_pool_stats *s, char *const *labels, size_t limit)
{
    static const char *const HEADS[] = {"cost", "outputs", "quality", "sd", "words", "best on"};
    int of_grid = s->grid_contexts > 0;
    size_t shown = pool->n_agents < limit ? pool->n_agents : limit;
    struct aligned costs = {0, 0};
    for (size_t a = 0; a < shown; a++) {
        aligned_fit(&costs, pool->agents[a].cost);
    }
    costs.left = costs.left + costs.right < HEAD ? HEAD - costs.right : costs.left;
    regret_buffer_append(t, "\n");
    const int width[] = {(int)(costs.left + costs.right), HEAD, HEAD, HEAD, HEAD, HEAD};
    heads(t, "agent", HEADS, sizeof HEADS / sizeof *HEADS - (of_grid ? 0 : 1), width);
    for (size_t a = 0; a < shown; a++) {
        const struct regret_agent_stats *agent = &s->agents[a];
        agent_cell(t, &pool->agents[a], labels[a]);
        regret_buffer_append_char(t, ' ');
        aligned_put(t, &costs, pool->agents[a].cost);
        regret_buffer_printf(t, " | %7zu | %7.3f | %7.3f | %7.1f |", agent->outputs,
                             agent->quality.mean, agent->quality.sd, agent->words.mean);
        put_best(t, agent->best, of_grid);
    }
    if (shown < pool->n_agents) {
        regret_buffer_printf(t, "and %zu more agents\n", pool->n_agents - shown);
    }
    if (of_grid) {
        regret_buffer_printf(
            t,
            "\nquality: mean component on 0 to 1; sd: over contexts; best on: wins in %zu "
            "shared\ncontexts, of equals a part each\n",
            s->grid_contexts);
    } else {
        regret_buffer_append(t, "\nquality: the share of its votes that the agent has won, against "
                                "whom it has met;\nsd: over votes. regret pool votes says what "
                                "agents are worth against each other.\n");
    }
    write_constant(t, pool, s, labels);
}

static void write_values(struct regret_buffer *t, const struct regret_pool *pool,
                         const struct regret_pool_stats *s)
{
    static const char *const HEADS[] = {"mean", "sd", "low", "high"};
    static const int WIDTH[] = {WIDE, WIDE, WIDE, WIDE};
    regret_buffer_append(t, "\n## Scores, counts and aux labels over outputs\n\n");
    heads(t, "", HEADS, sizeof HEADS / sizeof *HEADS, WIDTH);
    for (size_t k = 0; k < pool->n_components + pool->n_counts + pool->n_aux; k++) {
        const struct regret_spread *v = &s->values[k];
        begin_row(t, regret_pool_value_name(pool, k));
        regret_buffer_printf(t, " %10.4g | %10.4g | %10.4g | %10.4g |\n", v->mean, v->sd, v->low,
                             v->high);
    }
}

static void write_histograms(struct regret_buffer *t, const struct regret_pool *pool,
                             const struct regret_pool_stats *s)
{
    static const char *const HEADS[REGRET_POOL_BINS] = {"0.0", "0.1", "0.2", "0.3", "0.4",
                                                        "0.5", "0.6", "0.7", "0.8", "0.9"};
    static const int WIDTH[REGRET_POOL_BINS] = {4, 4, 4, 4, 4, 4, 4, 4, 4, 4};
    regret_buffer_append(t, "\n## Normalised components: % of outputs by tenths of the range\n\n");
    heads(t, "", HEADS, REGRET_POOL_BINS, WIDTH);
    for (size_t k = 0; k < pool->n_components; k++) {
        const size_t *bins = &s->histogram[k * REGRET_POOL_BINS];
        begin_row(t, pool->components[k].name);
        for (size_t b = 0; b < REGRET_POOL_BINS; b++) {
            regret_buffer_printf(t, " %4.3g |", 100.0 * (double)bins[b] / (double)pool->n_outputs);
        }
        regret_buffer_append(t, "\n");
    }
}

/* A row of component names as column heads, cut to the width of a number. */
static void component_heads(struct regret_buffer *t, const struct regret_pool *pool, size_t first,
                            size_t end)
{
    begin_row(t, "");
    for (size_t k = first; k < end; k++) {
        regret_buffer_append(t, " ");
        padded_cell(t, pool->components[k].name, HEAD);
        regret_buffer_append(t, " |");
    }
    regret_buffer_append(t, "\n");
    rule(t, end - first, NULL);
}

/* rows x n_components numbers, column-major, as many columns at a time as a line holds; without labels, rows are components. */
static void component_table(struct regret_buffer *t, const struct regret_pool *pool,
                            const double *matrix, size_t rows, char *const *labels)
{
    for (size_t first = 0; first < pool->n_components; first += ABREAST) {
        size_t left = pool->n_components - first, end = first + (left < ABREAST ? left : ABREAST);
        regret_buffer_append(t, first > 0 ? "\n" : "");
        component_heads(t, pool, first, end);
        for (size_t i = 0; i < rows; i++) {
            begin_row(t, labels != NULL ? labels[i] : pool->components[i].name);
            for (size_t k = first; k < end; k++) {
                regret_buffer_printf(t, " %7.3f |", matrix[k * rows + i]);
            }
            regret_buffer_append(t, "\n");
        }
    }
}

static void write_decomposition(struct regret_buffer *t, const struct regret_pool_stats *s)
{
    if (s->grid_contexts == 0) {
        return;
    }
    regret_buffer_printf(t,
                         "\n## The largest complete sub-grid: %zu contexts x %zu agents\n\n"
                         "difficulty  mean %.3f, sd %.3f, low %.3f, quartiles %.3f %.3f %.3f, high "
                         "%.3f\n",
                         s->grid_contexts, s->grid_agents, s->difficulty.mean, s->difficulty.sd,
                         s->difficulty.low, s->difficulty_quartile[0], s->difficulty_quartile[1],
                         s->difficulty_quartile[2], s->difficulty.high);
    regret_buffer_printf(
        t,
        "variance    of quality %.5f: %.1f %% agent, %.1f %% context, %.1f %% agent "
        "x context\n",
        s->quality_variance, 100.0 * s->agent_share, 100.0 * s->context_share,
        100.0 * s->interaction_share);
}

static void write_extremes(struct regret_buffer *t, const struct regret_pool *pool,
                           const struct regret_pool_stats *s, char *const *labels)
{
    regret_buffer_printf(t,
                         "\n## Extreme outputs: beyond the quartiles by more than %d times their "
                         "distance\n\n",
                         REGRET_POOL_FAR);
    const struct text_margins margins = {LINE, 0, 2};
    if (s->n_extremes == 0) {
        regret_buffer_append(t, "none\n");
        return;
    }
    for (size_t i = 0; i < s->n_extremes; i++) {
        const struct regret_pool_extreme *e = &s->extremes[i];
        const struct regret_output *o = &pool->outputs[e->output];
        struct regret_buffer item = REGRET_BUFFER_INIT;
        regret_buffer_append(&item, "* ");
        regret_buffer_append_safe(&item, regret_pool_quantity_name(pool, e->quantity), LINE);
        regret_buffer_printf(&item,
                             ": %zu output%s on %zu context%s, beyond quartiles of %.4g and %.4g; "
                             "the farthest, %.4g, by ",
                             e->outputs, e->outputs == 1 ? "" : "s", e->contexts,
                             e->contexts == 1 ? "" : "s", e->quartile[0], e->quartile[1], e->value);
        regret_buffer_append_safe(&item, labels[o->agent], CELL);
        regret_buffer_append(&item, " on ");
        regret_buffer_append_safe(&item, regret_context_name(&pool->contexts[o->context]), LINE);
        text_wrap(t, regret_buffer_get(&item), &margins);
        regret_buffer_free_into(t, &item);
    }
}

/* What the pool is and how large; then `rest`, which is given labels of the agents. */
static void write_pool(struct regret_buffer *t, const struct regret_pool *pool,
                       const struct regret_pool_stats *s,
                       void (*rest)(struct regret_buffer *, const struct regret_pool *,
                                    const struct regret_pool_stats *, char *const *))
{
    char **labels = NULL;
    int rc = agent_labels_make(&labels, pool, CELL);
    if (rc != REGRET_OK) {
        regret_buffer_fail(t, rc);
        return;
    }
    write_identity(t, pool);
    write_sizes(t, pool, s);
    rest(t, pool, s, labels);
    agent_labels_free(labels, pool);
}

static void write_stats(struct regret_buffer *t, const struct regret_pool *pool,
                        const struct regret_pool_stats *s, char *const *labels)
{
    regret_buffer_append(t, "\n## Agents\n");
    write_agents(t, pool, s, labels, pool->n_agents);
    regret_buffer_append(t, "\n## Mean normalised components by agent\n\n");
    component_table(t, pool, s->agent_components, pool->n_agents, labels);
    write_values(t, pool, s);
    write_histograms(t, pool, s);
    regret_buffer_append(t, "\n## Correlation of the components over outputs\n\n");
    component_table(t, pool, s->correlation, pool->n_components, NULL);
    write_decomposition(t, s);
    write_extremes(t, pool, s, labels);
}

void regret_pool_stats_text(struct regret_buffer *t, const struct regret_pool *pool,
                            const struct regret_pool_stats *s)
{
    write_pool(t, pool, s, write_stats);
}

/* The first outputs of context 0 with their scores; at most EXCERPT_LINES lines of its text. */
static void write_example(struct regret_buffer *t, const struct regret_pool *pool,
                          char *const *labels)
{
    const struct regret_context *context = &pool->contexts[pool->outputs[0].context];
    regret_buffer_append(t, "\nExample: context ");
    regret_buffer_append_safe(t, regret_context_name(context), LINE - 17);
    regret_buffer_append(t, "\n");
    paragraph(t, context->text, EXCERPT_LINES);
    for (size_t i = 0; i < pool->n_outputs && i < OVERVIEW_OUTPUTS; i++) {
        const struct regret_output *o = &pool->outputs[i];
        if (o->context != pool->outputs[0].context) {
            break;
        }
        regret_buffer_append(t, "by ");
        regret_buffer_append_safe(t, labels[o->agent], CELL);
        regret_buffer_append(t, ":");
        for (size_t k = 0; k < pool->n_components && k < 6; k++) {
            regret_buffer_append(t, k > 0 ? ", " : " ");
            regret_buffer_append_safe(t, pool->components[k].name, CELL);
            regret_buffer_printf(t, " %.4g", o->values[k]);
        }
        regret_buffer_append(t, "\n");
        paragraph(t, o->text, 2);
    }
}

static void write_overview(struct regret_buffer *t, const struct regret_pool *pool,
                           const struct regret_pool_stats *s, char *const *labels)
{
    write_names(t, "counts", pool->counts, pool->n_counts);
    write_names(t, "aux", pool->aux, pool->n_aux);
    regret_buffer_append(t, "components");
    for (size_t k = 0; k < pool->n_components && k < 8; k++) {
        regret_buffer_append(t, k > 0 ? ", " : " ");
        regret_buffer_append_safe(t, pool->components[k].name, CELL);
        regret_buffer_printf(t, " (%.4g to %.4g)", pool->components[k].low,
                             pool->components[k].high);
    }
    regret_buffer_append(t, "\n");
    write_agents(t, pool, s, labels, OVERVIEW_AGENTS);
    write_example(t, pool, labels);
}

void regret_pool_overview_text(struct regret_buffer *t, const struct regret_pool *pool,
                               const struct regret_pool_stats *s)
{
    write_pool(t, pool, s, write_overview);
}
