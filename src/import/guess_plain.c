/* A row an answer. */
#include <math.h>
#include <stdlib.h>

#include "base/status.h"
#include "import/guess.h"
#include "regret/status.h"

/* Columns are of one measure where the narrower range is at least a third of both together; … */
static const double CORE = 3.0;
/* … a column is measured as those are where it makes their range at most so many times as wide, … */
static const double WIDENS = 2.5;
/* … and it is worth a word where it has a quarter of that at most. */
static const double NARROW = 4.0;

enum {
    LEAST_COUNTED = 12 /* rows; fewer scores may count them by chance */
};

/* From where to where the scores of a column go, those written as percentages or letters, too. */
struct span {
    double least, most;
    int whole;
};

static struct span span_of(const struct profile_column *c)
{
    struct span s = {INFINITY, -INFINITY, c->whole == c->numbers && c->grades == 0};
    if (c->numbers > 0) {
        s = (struct span){c->least, c->most, s.whole};
    }
    if (c->percents > 0) {
        s.least = fmin(s.least, c->percent_least);
        s.most = fmax(s.most, c->percent_most);
    }
    if (c->grades > 0) {
        s.least = fmin(s.least, GRADES_LOW);
        s.most = fmax(s.most, GRADES_HIGH);
    }
    return s;
}

static double width(const struct span *s)
{
    return s->most - s->least;
}

static struct span join(const struct span *a, const struct span *b)
{
    return (struct span){fmin(a->least, b->least), fmax(a->most, b->most), a->whole && b->whole};
}

/* Between 0 and 1, where the others go up to 8 and more, or are ratings: of whole numbers, or beside yes and no. */
static int is_other_unit(const struct span *narrow, const struct span *wide)
{
    int is_unit = narrow->least >= 0.0 && narrow->most <= 1.0 && width(narrow) > 0.0;
    return is_unit &&
           (width(wide) >= 8.0 || (width(wide) >= 3.0 && (narrow->whole || wide->whole)));
}

static int are_of_one_measure(const struct span *a, const struct span *b)
{
    struct span both = join(a, b);
    const struct span *narrow = width(a) < width(b) ? a : b, *wide = narrow == a ? b : a;
    if (width(wide) == 0.0) {
        return width(&both) == 0.0 || (both.least >= 0.0 && both.most <= 1.0);
    }
    return width(narrow) > 0.0 && width(&both) <= CORE * width(narrow) &&
           !is_other_unit(narrow, wide);
}

/* One column beside those that are of one measure: an agent may be always good, or never. */
static int fits_into(const struct span *s, const struct span *core)
{
    struct span both = join(s, core);
    return width(&both) <= WIDENS * width(core) && !is_other_unit(s, core) &&
           !is_other_unit(core, s);
}

/* ---------------------------------------------------------------- which columns */

static int words_at(const struct table_guess *g, size_t k, unsigned kind)
{
    return column_words(g->profile.column[k].name, kind);
}

/* Whole numbers that count the rows, or stand first and tell them apart. */
static int is_index(const struct table_guess *g, size_t k)
{
    const struct profile_column *c = &g->profile.column[k];
    size_t rows = g->profile.rows;
    int counts = rows >= LEAST_COUNTED && c->most - c->least == (double)rows - 1.0;
    return c->whole == rows && c->distinct == rows && (k == 0 || counts);
}

static int is_of_scores(const struct table_guess *g, size_t k)
{
    return profile_column_is_scores(&g->profile.column[k], 0) && !is_index(g, k);
}

/* 1 where column k holds scores, whatever its name says. */
static int guess_plain_is_scores(const struct table_guess *g, size_t k)
{
    return column_fits_map(g->profile.column[k].name) && is_of_scores(g, k);
}

/* 1 where the name says that it is something else, unless it is an agent's that says so: "code-model". */
static int is_named_otherwise(const struct table_guess *g, size_t k)
{
    int other = words_at(g, k, GUESS_COMPONENT) + words_at(g, k, GUESS_CONTEXT) +
                words_at(g, k, GUESS_TAG) + words_at(g, k, COLUMN_INCIDENTAL) +
                words_at(g, k, COLUMN_METRIC) + words_at(g, k, GUESS_REFERENCE);
    return words_at(g, k, GUESS_COST) + words_at(g, k, COLUMN_ID) > 0 ||
           (other > 0 && words_at(g, k, GUESS_AGENT) == 0);
}

/* Candidates, and to which group each belongs: the number of its first. */
struct groups {
    size_t *column, *group, *size; /* owned */
    struct span *span;             /* owned */
    size_t n;
};

static void groups_free(struct groups *s)
{
    regret_free(s->column);
    regret_free(s->group);
    regret_free(s->size);
    regret_free(s->span);
}

static int find_candidates(struct groups *s, const struct table_guess *g)
{
    size_t columns = g->profile.n_columns;
    TRY(REGRET_NEW(&s->column, columns));
    TRY(REGRET_NEW(&s->group, columns));
    TRY(REGRET_NEW(&s->size, columns));
    TRY(REGRET_NEW(&s->span, columns));
    for (size_t k = 0; k < columns; k++) {
        if (guess_plain_is_scores(g, k) && !is_named_otherwise(g, k)) {
            s->column[s->n] = k;
            s->span[s->n] = span_of(&g->profile.column[k]);
            s->n++;
        }
    }
    return REGRET_OK;
}

/* Columns of one measure, and those of one measure with these. O(candidates³) at worst, for a thousand columns hardly more
 * than their square. */
static void put_together(struct groups *s)
{
    for (size_t i = 0; i < s->n; i++) {
        s->group[i] = i;
        s->size[i] = 1;
        for (size_t j = 0; j < i; j++) {
            size_t one = s->group[j], other = s->group[i];
            if (one == other || !are_of_one_measure(&s->span[i], &s->span[j])) {
                continue;
            }
            for (size_t l = 0; l <= i; l++) {
                s->group[l] = s->group[l] == other ? one : s->group[l];
            }
            s->size[one] += s->size[other];
            s->size[other] = 0;
        }
    }
}

/* The range of a group. */
static struct span span_of_group(const struct groups *s, size_t group)
{
    struct span all = {INFINITY, -INFINITY, 1};
    for (size_t i = 0; i < s->n; i++) {
        all = s->group[i] == group ? join(&all, &s->span[i]) : all;
    }
    return all;
}

/* Takes into the group what fits its range; from the range as it was, so that no order matters. */
static void fill_up(struct groups *s, size_t group)
{
    struct span core = span_of_group(s, group);
    for (size_t i = 0; i < s->n; i++) {
        if (s->group[i] != group && width(&core) > 0.0 && fits_into(&s->span[i], &core)) {
            s->size[s->group[i]]--;
            s->group[i] = group;
            s->size[group]++;
        }
    }
}

/* The largest group but one, of several the widest, which may be none: SIZE_MAX. */
static size_t find_largest(const struct groups *s, size_t but)
{
    size_t best = SIZE_MAX;
    double widest = 0.0;
    for (size_t i = 0; i < s->n; i++) {
        struct span span = span_of_group(s, i);
        int is_larger = best == SIZE_MAX || s->size[i] > s->size[best] ||
                        (s->size[i] == s->size[best] && width(&span) > widest);
        if (i != but && s->size[i] > 0 && is_larger) {
            best = i;
            widest = width(&span);
        }
    }
    return best;
}

/* 1 where column k is one of the group. */
static int has(const struct groups *s, size_t group, size_t k)
{
    for (size_t i = 0; i < s->n; i++) {
        if (s->column[i] == k) {
            return s->group[i] == group;
        }
    }
    return 0;
}

/* What stands between two agents' columns and has their numbers is an agent's, whatever its name says. */
static int is_between(const struct table_guess *g, const struct groups *s, size_t group, size_t k)
{
    struct span own = span_of(&g->profile.column[k]), core = span_of_group(s, group);
    return k > 0 && has(s, group, k - 1) && has(s, group, k + 1) && guess_plain_is_scores(g, k) &&
           is_named_otherwise(g, k) && words_at(g, k, GUESS_COST) == 0 && fits_into(&own, &core);
}

/* The columns of the group, in their order. */
static int take_group(struct guess_plain *out, const struct table_guess *g, const struct groups *s,
                      size_t group)
{
    TRY(REGRET_NEW(&out->column, g->profile.n_columns));
    for (size_t k = 0, i = 0; k < g->profile.n_columns; k++) {
        int is_candidate = i < s->n && s->column[i] == k;
        if (is_candidate ? s->group[i] == group : is_between(g, s, group, k)) {
            out->column[out->n++] = k;
        }
        i += (size_t)is_candidate;
    }
    return REGRET_OK;
}

int guess_plain_find(struct guess_plain *out, const struct table_guess *g)
{
    FREED_BY(groups_free) struct groups s = {0};
    *out = (struct guess_plain){.rival = GUESS_NO_COLUMN};
    TRY(find_candidates(&s, g));
    put_together(&s);
    size_t best = find_largest(&s, SIZE_MAX);
    if (best == SIZE_MAX) {
        return REGRET_OK;
    }
    fill_up(&s, best);
    size_t rival = find_largest(&s, best);
    if (s.size[best] < 2 || (s.size[best] == 2 && s.n > 3)) { /* two of many may be anything */
        return REGRET_OK;
    }
    if (rival != SIZE_MAX && s.size[rival] == s.size[best]) {
        out->rival = s.column[rival];
    }
    return take_group(out, g, &s, best);
}

/* ---------------------------------------------------------------- doubts */

/* The range of all agents' columns of scores but k. */
static struct span span_of_others(const struct table_guess *g, size_t k)
{
    struct span all = {INFINITY, -INFINITY, 1};
    for (size_t j = 0; j < g->profile.n_columns; j++) {
        if (j != k && g->is_score[j]) {
            struct span s = span_of(&g->profile.column[j]);
            all = join(&all, &s);
        }
    }
    return all;
}

/* How many more columns that are no agents' measure the same. */
static size_t count_alike(const struct table_guess *g, size_t k)
{
    struct span own = span_of(&g->profile.column[k]);
    size_t n = 0;
    for (size_t j = 0; j < g->profile.n_columns; j++) {
        struct span other = span_of(&g->profile.column[j]);
        n += j != k && g->role[j] == GUESS_NONE && guess_plain_is_scores(g, j) &&
             !is_named_otherwise(g, j) && are_of_one_measure(&own, &other);
    }
    return n;
}

static enum guess_doubt doubt_of(const struct table_guess *g, size_t k)
{
    struct span own = span_of(&g->profile.column[k]), others = span_of_others(g, k);
    int fits = fits_into(&own, &others);
    if (!(width(&others) > 0.0)) {
        return GUESS_SURE;
    }
    if (g->is_score[k]) {
        int is_narrow = width(&own) > 0.0 && NARROW * width(&own) <= width(&others);
        return !fits ? GUESS_FAR : is_narrow ? GUESS_NARROW : GUESS_SURE;
    }
    if (g->role[k] != GUESS_NONE || !is_of_scores(g, k)) {
        return GUESS_SURE;
    }
    if (!column_fits_map(g->profile.column[k].name)) {
        return fits ? GUESS_NO_NAME : GUESS_SURE;
    }
    if (!is_named_otherwise(g, k)) {
        return count_alike(g, k) < 2 ? GUESS_OTHER_SCALE : GUESS_OTHER_GROUP;
    }
    return fits && words_at(g, k, COLUMN_INCIDENTAL) == 0 ? GUESS_OTHER_NAME : GUESS_SURE;
}

int guess_plain_doubt(struct table_guess *g)
{
    TRY(REGRET_NEW(&g->doubt, g->profile.n_columns));
    for (size_t k = 0; k < g->profile.n_columns; k++) {
        g->doubt[k] = (unsigned char)doubt_of(g, k);
    }
    return REGRET_OK;
}

/* ---------------------------------------------------------------- words */

static void put_span(struct regret_buffer *out, const struct span *s)
{
    regret_buffer_printf(out, "%.6g to %.6g", s->least, s->most);
}

static void put_doubtful(struct regret_buffer *out, const struct table_guess *g,
                         enum guess_doubt doubt)
{
    const char *before = "";
    for (size_t k = 0; k < g->profile.n_columns; k++) {
        if (g->doubt[k] == doubt) {
            struct span s = span_of(&g->profile.column[k]);
            regret_buffer_append(out, before);
            regret_buffer_append_safe(out, g->profile.column[k].name, 40);
            regret_buffer_append(out, " (");
            put_span(out, &s);
            regret_buffer_append(out, ")");
            before = ", ";
        }
    }
}

void guess_plain_explain(struct regret_buffer *out, const struct table_guess *g)
{
    static const struct {
        const char *before, *after;
    } SAID[GUESS_DOUBTS] = {
        [GUESS_FAR] =
            {"Agents by their names, though their numbers go far beyond the others': ",
             ". All count on one scale: bring them to it, or take what is no agent out of "
             "\"agents\" in the map."},
        [GUESS_NARROW] = {"Agents that have a small part of the scale: ",
                          ". What is no agent is to be taken out of \"agents\" in the map."},
        [GUESS_OTHER_SCALE] = {"Not taken for agents, for their numbers are on another scale: ",
                               ". If they are agents, bring all columns to one scale and run init "
                               "again."},
        [GUESS_OTHER_GROUP] = {"Left out, for they look like agents on another scale: ",
                               ". If they are agents, bring all columns to one scale and run init "
                               "again."},
        [GUESS_NO_NAME] = {"Left out, for no map can name them (without a name, too long, or with "
                           "{agent} in it), though their numbers look like the agents': ",
                           ". Rename what is an agent, and run init again."},
        [GUESS_OTHER_NAME] = {"Not taken for agents by their names, though their numbers look like "
                              "the agents': ",
                              ". What is an agent is to be added to \"agents\" in the map."}};
    size_t n[GUESS_DOUBTS] = {0};
    for (size_t k = 0; g->doubt != NULL && k < g->profile.n_columns; k++) {
        n[g->doubt[k]]++;
    }
    for (enum guess_doubt d = GUESS_FAR; d < GUESS_DOUBTS; d++) {
        if (n[d] > 0) {
            struct span all = span_of_others(g, GUESS_NO_COLUMN);
            regret_buffer_append(out, SAID[d].before);
            put_doubtful(out, g, d);
            regret_buffer_append(out, "; all agents': ");
            put_span(out, &all);
            regret_buffer_append(out, SAID[d].after);
            regret_buffer_append(out, "\n");
        }
    }
}
