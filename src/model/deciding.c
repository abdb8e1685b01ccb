#include "model/deciding.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "base/status.h"
#include "regret/buffer.h"
#include "regret/status.h"

static const double LEAST_GAIN = 0.05, LEVEL = 0.001;

/* What a row has of the column at hand, and who was chosen. */
struct valued_row {
    double value; /* −INFINITY where not known */
    uint32_t choice;
};

struct search {
    const uint32_t *choice;
    const struct deciding_column *column;
    size_t rows, n_agents, n_columns, tried;
    double least;           /* rows that a cut must gain */
    unsigned char *leaf;    /* [rows] from 0; UINT8_MAX: passed over */
    struct valued_row *row; /* [rows] those of a leaf */
    double *count[2];       /* [n_agents] of the sides */
    int within[DECIDING_MOST + 1], on[DECIDING_MOST + 1]; /* what each leaf is a side of */
};

FREED_FIELDS(search, of->leaf, of->row, of->count[0], of->count[1])

/* The best cut so far of the step at hand. */
struct found {
    struct deciding_cut cut;
    double g2, df;
    unsigned char leaf;
};

static int by_value(const void *a, const void *b)
{
    const struct valued_row *x = a, *y = b;
    return (x->value > y->value) - (x->value < y->value);
}

static size_t most_chosen(const double *count, size_t n)
{
    size_t best = 0;
    for (size_t a = 1; a < n; a++) {
        best = count[a] > count[best] ? a : best;
    }
    return best;
}

/* Σ x log x, with which G² is twice a difference of such sums. */
static double entropy_of(double x)
{
    return x > 0.0 ? x * log(x) : 0.0;
}

/* Keeps a cut into the rows counted on either side where it gains enough and tells most. */
static void weigh(struct found *best, struct search *s, const struct deciding_cut *cut,
                  unsigned char leaf)
{
    struct found now = {.cut = *cut, .leaf = leaf, .df = -1.0};
    double n[2] = {0.0, 0.0}, most_of_all = 0.0, right = 0.0;
    for (size_t a = 0; a < s->n_agents; a++) {
        double all = s->count[0][a] + s->count[1][a];
        most_of_all = fmax(most_of_all, all);
        now.df += all > 0.0;
        now.g2 -= entropy_of(all);
        for (size_t k = 0; k < 2; k++) {
            n[k] += s->count[k][a];
            now.g2 += entropy_of(s->count[k][a]);
        }
    }
    for (size_t k = 0; k < 2; k++) {
        size_t agent = most_chosen(s->count[k], s->n_agents);
        now.cut.side[k] =
            (struct deciding_side){(size_t)n[k], (uint32_t)agent, s->count[k][agent] / n[k]};
        right += s->count[k][agent];
        now.g2 -= entropy_of(n[k]);
    }
    now.g2 = 2.0 * (now.g2 + entropy_of(n[0] + n[1]));
    s->tried++;
    *best = right - most_of_all >= s->least && now.g2 > best->g2 ? now : *best;
}

static size_t place_of(const struct deciding_column *c, size_t row)
{
    return c->at != NULL ? c->at[row] : row;
}

/* The rows of a leaf that have the column, and who was chosen on them, all on side 0. */
static size_t take_leaf(struct search *s, unsigned char leaf, const struct deciding_column *c)
{
    size_t n = 0;
    memset(s->count[0], 0, s->n_agents * sizeof **s->count);
    memset(s->count[1], 0, s->n_agents * sizeof **s->count);
    for (size_t i = 0; i < s->rows; i++) {
        if (s->leaf[i] == leaf) {
            size_t at = place_of(c, i);
            double v = c->number != NULL ? c->number[at] : (double)c->word[at];
            s->row[n++] = (struct valued_row){isnan(v) ? -INFINITY : v, s->choice[i]};
            s->count[0][s->choice[i]] += 1.0;
        }
    }
    qsort(s->row, n, sizeof *s->row, by_value);
    return n;
}

/* Rows i … end − 1 have one value. */
static size_t end_of_value(const struct search *s, size_t i, size_t n)
{
    size_t end = i;
    while (end < n && !(s->row[end].value > s->row[i].value)) {
        end++;
    }
    return end;
}

static void move(struct search *s, size_t from, size_t to, size_t first, size_t end)
{
    for (size_t i = first; i < end; i++) {
        s->count[from][s->row[i].choice] -= 1.0;
        s->count[to][s->row[i].choice] += 1.0;
    }
}

/* A number is cut between two values that follow each other; a word from all others. */
static void try_column(struct found *best, struct search *s, unsigned char leaf, size_t j)
{
    const struct deciding_column *c = &s->column[j];
    struct deciding_cut cut = {.column = j, .within = s->within[leaf], .on = s->on[leaf]};
    size_t n = take_leaf(s, leaf, c), end;
    if (c->number != NULL) {
        move(s, 0, 1, 0, n);
    }
    for (size_t i = 0; i < n && (end = end_of_value(s, i, n), end - i < n); i = end) {
        if (c->number == NULL) {
            move(s, 0, 1, i, end);
            cut.word = (uint32_t)s->row[i].value;
            weigh(best, s, &cut, leaf);
            move(s, 1, 0, i, end);
        } else if (end < n) {
            move(s, 1, 0, i, end);
            cut.least = isinf(s->row[i].value) ? s->row[end].value
                                               : 0.5 * (s->row[i].value + s->row[end].value);
            weigh(best, s, &cut, leaf);
        }
    }
}

static int is_on_side(const struct deciding_column *c, const struct deciding_cut *cut, size_t i)
{
    size_t at = place_of(c, i);
    return c->number != NULL ? c->number[at] >= cut->least : c->word[at] == cut->word;
}

/* Side 1 of the cut becomes a leaf of its own. */
static void part(struct search *s, struct deciding *d, const struct found *best)
{
    size_t leaf = d->n + 1;
    for (size_t i = 0; i < s->rows; i++) {
        if (s->leaf[i] == best->leaf && is_on_side(&s->column[best->cut.column], &best->cut, i)) {
            s->leaf[i] = (unsigned char)leaf;
        }
    }
    s->within[leaf] = s->within[best->leaf] = (int)d->n;
    s->on[leaf] = 1;
    s->on[best->leaf] = 0;
    d->cut[d->n++] = best->cut;
}

static void cut_up(struct deciding *d, struct search *s)
{
    while (d->n < DECIDING_MOST) {
        struct found best = {.g2 = 0.0};
        s->tried = 0;
        for (size_t leaf = 0; leaf <= d->n; leaf++) {
            for (size_t j = 0; j < s->n_columns; j++) {
                try_column(&best, s, (unsigned char)leaf, j);
            }
        }
        if (!(best.g2 > 0.0) ||
            (1.0 - chi_square_cdf(best.g2, best.df)) * (double)s->tried > LEVEL) {
            return;
        }
        part(s, d, &best);
    }
}

int deciding_find(struct deciding *out, const uint32_t *choice, size_t rows, size_t n_agents,
                  const struct deciding_column *column, size_t n_columns)
{
    FREED_BY(search_fields)
    struct search s = {.choice = choice,
                       .column = column,
                       .rows = rows,
                       .n_agents = n_agents,
                       .n_columns = n_columns,
                       .within = {-1}};
    *out = (struct deciding){0};
    TRY(REGRET_NEW(&s.leaf, rows));
    TRY(REGRET_NEW(&s.row, rows));
    TRY(REGRET_NEW(&s.count[0], n_agents));
    TRY(REGRET_NEW(&s.count[1], n_agents));
    for (size_t i = 0; i < rows; i++) {
        s.leaf[i] = choice[i] < n_agents ? 0 : UINT8_MAX;
        out->rows += choice[i] < n_agents;
    }
    s.least = LEAST_GAIN * (double)out->rows;
    cut_up(out, &s);
    return REGRET_OK;
}

enum { COLUMNS = 40 };

static void say_side(struct regret_buffer *out, const struct deciding_side *side,
                     const char *const *agent)
{
    regret_buffer_append_safe(out, agent[side->agent], COLUMNS);
    regret_buffer_printf(out, " for %.0f %% of %zu", 100.0 * side->share, side->rows);
}

static void say_cut(struct regret_buffer *out, const struct deciding_cut *cut,
                    const struct deciding_column *c)
{
    regret_buffer_append_safe(out, c->name, COLUMNS);
    if (c->number != NULL) {
        regret_buffer_printf(out, " at least %.4g", cut->least);
    } else {
        regret_buffer_append(out, " is ");
        regret_buffer_append_safe(out, c->words[cut->word], COLUMNS);
    }
}

void deciding_say(struct regret_buffer *out, const struct deciding *d,
                  const struct deciding_column *column, const char *const *agent)
{
    for (size_t k = 0; k < d->n; k++) {
        const struct deciding_cut *cut = &d->cut[k];
        regret_buffer_append(out, k > 0 ? "; " : "");
        if (cut->within >= 0) {
            const struct deciding_cut *of = &d->cut[cut->within];
            regret_buffer_append(out, cut->on ? "where " : "where not ");
            say_cut(out, of, &column[of->column]);
            regret_buffer_append(out, ", ");
        }
        say_cut(out, cut, &column[cut->column]);
        regret_buffer_append(out, ": ");
        say_side(out, &cut->side[1], agent);
        regret_buffer_append(out, k == 0 ? " requests, else " : ", else ");
        say_side(out, &cut->side[0], agent);
    }
}

void deciding_json(struct regret_buffer *out, const struct deciding *d,
                   const struct deciding_column *column, const char *const *agent)
{
    regret_buffer_append_char(out, '[');
    for (size_t k = 0; k < d->n; k++) {
        const struct deciding_cut *cut = &d->cut[k];
        const struct deciding_column *c = &column[cut->column];
        regret_buffer_append(out, k > 0 ? ",\n{\"column\":" : "\n{\"column\":");
        regret_buffer_json_string(out, c->name);
        regret_buffer_append(out, c->number != NULL ? ",\"least\":" : ",\"is\":");
        if (c->number != NULL) {
            regret_buffer_json_number(out, cut->least);
        } else {
            regret_buffer_json_string(out, c->words[cut->word]);
        }
        if (cut->within >= 0) {
            regret_buffer_printf(out, ",\"within\":%d,\"side\":\"%s\"", cut->within,
                                 cut->on ? "then" : "else");
        }
        for (size_t side = 2; side-- > 0;) {
            const struct deciding_side *of = &cut->side[side];
            regret_buffer_printf(out, ",\"%s\":{\"agent\":", side == 1 ? "then" : "else");
            regret_buffer_json_string(out, agent[of->agent]);
            regret_buffer_printf(out, ",\"rows\":%zu,\"share\":", of->rows);
            regret_buffer_json_number(out, of->share);
            regret_buffer_append_char(out, '}');
        }
        regret_buffer_append_char(out, '}');
    }
    regret_buffer_append_char(out, ']');
}
