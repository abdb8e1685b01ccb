/* The ranking of a run's families drawn for a terminal. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/core/try.h"
#include "base/text/wrap.h"
#include "regret/alloc.h"
#include "report/cautions/cautions.h"
#include "report/rows/contenders.h"
#include "report/tables/means.h"

enum {
    LEAST_COLUMNS = 40,
    MOST_COLUMNS = 200, /* wider bars say no more */
    INDENT = 2,
    GAP = 2,
    NAME_MOST = 24,
    NUMBER = 6,    /* "0.0330" */
    INTERVAL = 16, /* "[0.0275, 0.0385]" */
    VERDICT = 6,
    LEAST_BARS = 10
};

/* What a bar is made of. */
struct glyphs {
    const char *sure;      /* up to the lower end of the interval */
    const char *low;       /* from there to the mean */
    const char *high;      /* on to the upper end */
    const char *reference; /* a baseline's mean, in the families' rows */
    const char *mean;      /* the same in its own */
    const char *beyond;    /* off the scale */
    const char *times;
};
static const struct glyphs ascii = {"#", "=", "-", ":", "|", ">", "x"};
static const struct glyphs unicode = {"█", "▓", "░", "┊", "┃", "▶", "×"};

struct drawing {
    struct regret_buffer *out;
    const struct contenders *s;
    const struct regret_terminal *terminal;
    const struct glyphs *glyphs;
    size_t columns, name, bars; /* widths; no bars: 0 */
    int intervals;              /* the column of numbers is there */
    double end;                 /* of the bars' scale, which begins at 0 */
};

static const char *sgr(const struct drawing *d, const char *code)
{
    return d->terminal->colour ? code : "";
}

/* Without Unicode what is not ASCII, of a stranger's name, becomes '~'. */
static void put_plain(const struct drawing *d, const char *text)
{
    for (const char *p = text; *p != '\0'; p++) {
        unsigned char c = (unsigned char)*p;
        if (d->terminal->unicode || c < 0x80) {
            regret_buffer_append_char(d->out, *p);
        } else if (c >= 0xC0) {
            regret_buffer_append_char(d->out, '~');
        }
    }
}

static void put_field(const struct drawing *d, const char *text, size_t columns)
{
    struct regret_buffer field = REGRET_BUFFER_INIT;
    regret_buffer_append_field(&field, text, columns);
    regret_buffer_fail(d->out, regret_buffer_status(&field));
    put_plain(d, regret_buffer_get(&field));
    regret_buffer_free(&field);
}

/* Lines of whole words, indented. */
static void put_wrapped(const struct drawing *d, const struct regret_buffer *line)
{
    const struct text_margins margins = {d->columns, INDENT, INDENT};
    struct regret_buffer lines = REGRET_BUFFER_INIT;
    text_wrap(&lines, regret_buffer_get(line), &margins);
    put_plain(d, regret_buffer_get(&lines));
    regret_buffer_fail(d->out, regret_buffer_status(line));
    regret_buffer_free_into(d->out, &lines);
}

/* ---------------------------------------------------------------- the lay-out */

static size_t name_columns(const struct contenders *s)
{
    size_t most = strlen("family");
    for (size_t i = 0; i < s->n; i++) {
        size_t n = regret_text_columns(s->r->subjects[s->items[i].subject].name);
        most = n > most ? n : most;
    }
    return most < NAME_MOST ? most : NAME_MOST;
}

static double highest(const struct contenders *s, int with_random)
{
    double end = 0.0;
    for (size_t i = 0; i < s->n; i++) {
        const struct contender *x = &s->items[i];
        double high = x->high > x->mean ? x->high : x->mean;
        int is_random = s->r->subjects[x->subject].rule == REGRET_RULE_RANDOM;
        end = (with_random || !is_random) && high > end ? high : end;
    }
    return end;
}

/* The scale holds every family and the best single agents; random may lie beyond. */
static double scale_end(const struct contenders *s)
{
    double end = highest(s, 0);
    return end > 0.0 ? end : highest(s, 1);
}

static void choose_columns(struct drawing *d)
{
    size_t wanted = d->terminal->columns;
    d->columns = wanted < LEAST_COLUMNS  ? LEAST_COLUMNS
                 : wanted > MOST_COLUMNS ? MOST_COLUMNS
                                         : wanted;
    d->end = scale_end(d->s);
    size_t fixed = INDENT + GAP + NUMBER + GAP + VERDICT, name = name_columns(d->s);
    d->name = name < d->columns - fixed ? name : d->columns - fixed;
    fixed += d->name;
    d->intervals = d->columns >= fixed + GAP + INTERVAL;
    fixed += d->intervals ? GAP + INTERVAL : 0;
    d->bars = d->columns >= fixed + GAP + LEAST_BARS ? d->columns - fixed - GAP : 0;
}

/* ---------------------------------------------------------------- bars */

/* The column of the bars that holds the value; d->bars where it is off the scale. */
static size_t column_of(const struct drawing *d, double value)
{
    if (!(value <= d->end) || d->end <= 0.0) {
        return value > d->end ? d->bars : 0;
    }
    size_t column = (size_t)(value / d->end * (double)d->bars);
    return column < d->bars ? column : d->bars - 1;
}

static int is_reference(const struct drawing *d, size_t column)
{
    for (size_t i = d->s->n_families; i < d->s->n; i++) {
        if (column_of(d, d->s->items[i].mean) == column) {
            return 1;
        }
    }
    return 0;
}

/* A column stands for the value in its middle. */
static const char *family_glyph(const struct drawing *d, const struct contender *x, size_t column)
{
    double middle = ((double)column + 0.5) / (double)d->bars * d->end;
    double low = isfinite(x->low) ? x->low : x->mean;
    return middle <= low             ? d->glyphs->sure
           : middle <= x->mean       ? d->glyphs->low
           : middle <= x->high       ? d->glyphs->high
           : is_reference(d, column) ? d->glyphs->reference
                                     : " ";
}

static const char *baseline_glyph(const struct drawing *d, const struct contender *x, size_t column)
{
    double middle = ((double)column + 0.5) / (double)d->bars * d->end;
    size_t mean = column_of(d, x->mean);
    return mean == column                             ? d->glyphs->mean
           : mean == d->bars && column == d->bars - 1 ? d->glyphs->beyond
           : middle >= x->low && middle <= x->high    ? d->glyphs->high
                                                      : " ";
}

static void put_bar(const struct drawing *d, size_t i)
{
    const struct contender *x = &d->s->items[i];
    regret_buffer_printf(d->out, "%*s", d->bars > 0 ? GAP : 0, "");
    for (size_t column = 0; column < d->bars; column++) {
        regret_buffer_append(d->out, i < d->s->n_families ? family_glyph(d, x, column)
                                                          : baseline_glyph(d, x, column));
    }
}

/* ---------------------------------------------------------------- lines */

static void put_row(const struct drawing *d, size_t i)
{
    static const char *const words[] = {[CONTENDER_BEST] = "best",
                                        [CONTENDER_TIED] = "tied",
                                        [CONTENDER_WORSE] = "worse",
                                        [CONTENDER_BETTER] = "better",
                                        [CONTENDER_UNKNOWN] = "?"};
    const struct contender *x = &d->s->items[i];
    char interval[32] = "";
    if (isfinite(x->low)) {
        snprintf(interval, sizeof interval, "[%.4f, %.4f]", x->low, x->high);
    }
    int leads = x->verdict == CONTENDER_BEST || x->verdict == CONTENDER_TIED;
    regret_buffer_printf(d->out, "%*s%s", INDENT, "",
                         sgr(d, i >= d->s->n_families ? "\033[2m"
                                : leads               ? "\033[36m"
                                                      : ""));
    put_field(d, d->s->r->subjects[x->subject].name, d->name);
    regret_buffer_printf(d->out, "%*s%.4f", GAP, "", x->mean);
    if (d->intervals) {
        regret_buffer_printf(d->out, "%*s%-*s", GAP, "", INTERVAL, interval);
    }
    put_bar(d, i);
    regret_buffer_printf(d->out, "%*s%s%s\n", GAP, "", words[x->verdict], sgr(d, "\033[0m"));
}

static void put_heads(const struct drawing *d)
{
    char end[16];
    regret_buffer_printf(d->out, "%*s%-*s%*s%-*s", INDENT, "", (int)d->name, "family", GAP, "",
                         NUMBER, "regret");
    if (d->intervals) {
        regret_buffer_printf(d->out, "%*s%-*s", GAP, "", INTERVAL, "95 % interval");
    }
    if (d->bars > 0) {
        snprintf(end, sizeof end, "%.4f", d->end);
        regret_buffer_printf(d->out, "%*s0%*s", GAP, "", (int)d->bars - 1, end);
    }
    regret_buffer_append_char(d->out, '\n');
}

static void put_title(const struct drawing *d)
{
    const struct regret_results *r = d->s->r;
    struct regret_buffer line = REGRET_BUFFER_INIT;
    regret_buffer_append(&line, "Mean regret, ");
    if (r->gaps != NULL) {
        regret_buffer_printf(&line, "%zu of %zu replicates", r->n_complete,
                             r->n_cells * r->seeds_planned);
    } else {
        regret_buffer_printf(&line, "%zu cell%s %s %zu seed%s", r->n_cells,
                             r->n_cells == 1 ? "" : "s", d->glyphs->times, r->n_seeds,
                             r->n_seeds == 1 ? "" : "s");
    }
    regret_buffer_append(&line, ", 95 % intervals over seeds; lower is better");
    put_wrapped(d, &line);
    regret_buffer_free(&line);
}

static void put_legend(const struct drawing *d)
{
    struct regret_buffer line = REGRET_BUFFER_INIT;
    regret_buffer_printf(
        &line,
        "%s to the lower end of the interval, %s to the mean, %s to the upper end; "
        "%s means of baselines",
        d->glyphs->sure, d->glyphs->low, d->glyphs->high, d->glyphs->reference);
    put_wrapped(d, &line);
    regret_buffer_free(&line);
}

static void put_sentence(const struct drawing *d)
{
    struct regret_buffer sentence = REGRET_BUFFER_INIT;
    contenders_sentence(&sentence, d->s);
    for (size_t kind = 0; kind < N_CAUTIONS; kind++) {
        regret_buffer_append(&sentence, " "); /* one at the end is not shown */
        if ((CAUTIONS_COMMON & CAUTION_BIT(kind)) != 0) {
            caution_say(&sentence, (enum caution)kind, d->s->r);
        }
    }
    put_wrapped(d, &sentence);
    regret_buffer_free(&sentence);
}

/* ---------------------------------------------------------------- the pool by tag */

/* More tags are in the table. */
enum { MOST_TAGS = 8, WIDE = 72, MARK = 1 };

/* A line of them: tag, best, its mean and, where there is room, the second and its mean. */
struct tag_columns {
    size_t name; /* of each of the names */
    int with_second;
};

static struct tag_columns tag_columns(const struct drawing *d)
{
    int with_second = d->columns >= WIDE;
    size_t names = with_second ? 3 : 2;
    size_t fixed = INDENT + GAP * (2 * names - 2) + NUMBER * (names - 1) + GAP + MARK;
    size_t room = (d->columns - fixed) / names;
    return (struct tag_columns){room < NAME_MOST ? room : NAME_MOST, with_second};
}

/* "  NAME  0.7440", blank where there is none. */
static void put_agent(const struct drawing *d, const struct regret_run_means *m,
                      const struct slice *cells, size_t group, size_t agent, size_t columns)
{
    int known = agent != REGRET_NO_ROW;
    regret_buffer_printf(d->out, "%*s", GAP, "");
    put_field(d, known ? means_grid(cells)->agents[agent] : "", columns);
    if (known) {
        regret_buffer_printf(d->out, "%*s%.4f", GAP, "", means_of(m, group, agent));
    } else {
        regret_buffer_printf(d->out, "%*s", GAP + NUMBER, "");
    }
}

static void put_tag_heads(const struct drawing *d, const struct tag_columns *c)
{
    regret_buffer_printf(d->out, "%*s%-*s%*s%-*s%*s%-*s", INDENT, "", (int)c->name, "tag", GAP, "",
                         (int)c->name, "best", GAP, "", NUMBER, "mean");
    if (c->with_second) {
        regret_buffer_printf(d->out, "%*s%-*s%*smean", GAP, "", (int)c->name, "second", GAP, "");
    }
    regret_buffer_append_char(d->out, '\n');
}

static void put_tag_line(const struct drawing *d, const struct tag_columns *c,
                         const struct regret_run_means *m, const struct slice *cells, size_t group,
                         const struct means_best *best)
{
    regret_buffer_printf(d->out, "%*s", INDENT, "");
    put_field(d, means_group_name(m, group), c->name);
    put_agent(d, m, cells, group, best->first, c->name);
    if (c->with_second) {
        put_agent(d, m, cells, group, best->second, c->name);
    }
    regret_buffer_printf(d->out, "%*s%s\n", best->separable ? GAP : 0, "",
                         best->separable ? "*" : "");
}

static void put_means_title(const struct drawing *d, const struct regret_results *r)
{
    const struct regret_run_means *m = &r->means[0];
    struct regret_buffer line = REGRET_BUFFER_INIT;
    size_t shown = m->n_tags < MOST_TAGS ? m->n_tags : MOST_TAGS;
    regret_buffer_printf(&line, "%s, %.0f contexts; *: separable from the second",
                         has_strengths(r)
                             ? "Value in the votes, the chance to be preferred to another agent"
                             : "Mean reward in the pool",
                         m->contexts[0]);
    if (r->run.scale[0] < r->run.scale[1]) {
        regret_buffer_printf(&line, "; 0 to 1 is %g to %g of the pool's scores", r->run.scale[0],
                             r->run.scale[1]);
    }
    if (shown < m->n_tags) {
        regret_buffer_printf(&line, "; the %zu largest of %zu tags, the table means has all", shown,
                             m->n_tags);
    }
    if (r->n_means > 1) {
        regret_buffer_printf(&line, "; by the first of %zu rewards", r->n_means);
    }
    put_wrapped(d, &line);
    regret_buffer_free(&line);
}

/* Who is best for which tag, of a run that keeps it; then a blank line. */
static int put_means(const struct drawing *d, const struct regret_results *r)
{
    struct slice cells = {0};
    struct means_best *best = NULL;
    size_t *groups = NULL;
    const struct tag_columns columns = tag_columns(d);
    int rc = REGRET_OK;
    if (r->n_means == 0) {
        return rc;
    }
    const struct regret_run_means *m = &r->means[0];
    TRY_CLEANUP(means_cells(&cells, r, 0));
    TRY_CLEANUP(means_best(&best, r, m));
    TRY_CLEANUP(means_order_groups(&groups, m));
    put_means_title(d, r);
    put_tag_heads(d, &columns);
    for (size_t i = 0; i <= m->n_tags && i <= MOST_TAGS; i++) {
        put_tag_line(d, &columns, m, &cells, groups[i], &best[groups[i]]);
    }
    regret_buffer_append_char(d->out, '\n');
cleanup:
    slice_free(&cells);
    regret_free(best);
    regret_free(groups);
    return rc;
}

int regret_report_ranking(struct regret_buffer *out, const struct regret_results *results,
                          const struct regret_terminal *terminal)
{
    struct contenders s = {0};
    struct slice all = {0};
    int rc;
    TRY_CLEANUP(slice_all(&all, results));
    TRY_CLEANUP(contenders_make(&s, &all));
    struct drawing d = {
        .out = out, .s = &s, .terminal = terminal, .glyphs = terminal->unicode ? &unicode : &ascii};
    choose_columns(&d);
    TRY_CLEANUP(put_means(&d, results));
    if (s.n > 0) {
        put_title(&d);
        put_heads(&d);
    }
    for (size_t i = 0; i < s.n; i++) {
        put_row(&d, i);
    }
    if (s.n > 0 && d.bars > 0) {
        put_legend(&d);
    }
    put_sentence(&d);
    rc = regret_buffer_status(out);
cleanup:
    contenders_free(&s);
    slice_free(&all);
    return rc;
}
