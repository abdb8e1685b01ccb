#include "report/headline.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "base/names.h"
#include "base/status.h"
#include "base/text.h"
#include "regret/evaluate.h"
#include "regret/results.h"
#include "regret/status.h"
#include "report/answer.h"
#include "report/cautions.h"
#include "report/internal.h"
#include "report/slice.h"
#include "report/table.h"
#include "results/run_file.h"

enum { DECIMALS = 4 };

/* What the sentences are made from. */
struct subject_matter {
    const struct regret_results *r;
    struct table_data data;
    struct contenders all;
};

static const struct contender *best_of(const struct contenders *s)
{
    return s->n_families > 0 ? &s->items[0] : NULL;
}

/* 1 of a family beside the best that cannot be told from it. */
static int is_tied(const struct contenders *s, size_t i)
{
    return i > 0 && i < s->n_families && s->items[i].verdict != CONTENDER_WORSE;
}

static const char *name_of(const struct regret_results *r, size_t subject)
{
    return r->subjects[subject].name;
}

/* ---------------------------------------------------------------- sentences */

typedef void say(struct regret_buffer *out, const struct subject_matter *m);

static void say_families(struct regret_buffer *out, const struct subject_matter *m)
{
    contenders_sentence(out, &m->all);
}

static void say_scale(struct regret_buffer *out, const struct subject_matter *m)
{
    size_t random = regret_results_subject(m->r, REGRET_ROW_BASELINE, "random");
    double mean = random != REGRET_NO_ROW
                      ? slice_estimate(&m->data.all, REGRET_MEASURE_REGRET, random).mean
                      : NAN;
    const struct contender *best = best_of(&m->all);
    regret_buffer_append(out,
                         "Regret is what a recommendation loses against the best agent for each "
                         "context; 0 is perfect");
    if (isfinite(mean)) {
        regret_buffer_printf(out, ", and recommending at random loses %.*f here%s", DECIMALS, mean,
                             best != NULL && best->mean >= mean ? ", no more than the best family"
                                                                : "");
    }
    regret_buffer_append(out, ".");
}

/* The rules that want no estimator. */
static void say_rules(struct regret_buffer *out, const struct subject_matter *m)
{
    const struct contender *agent = contenders_single_agent(&m->all);
    const struct contender *by_tag = contenders_by_tag(&m->all);
    if (agent == NULL) {
        return;
    }
    regret_buffer_printf(out,
                         "Recommending one agent for everything, always that of the best mean in "
                         "%s (%s), has a mean regret of %.4f",
                         m->r->subjects[agent->subject].source, name_of(m->r, agent->subject),
                         agent->mean);
    if (by_tag != NULL) {
        regret_buffer_printf(out, ", one agent for each tag (%s) %.4f",
                             name_of(m->r, by_tag->subject), by_tag->mean);
    }
    regret_buffer_append_char(out, '.');
}

static void say_sureness(struct regret_buffer *out, const struct subject_matter *m)
{
    const struct ranking ranking = {m->r, m->data.ranked, m->data.n_ranked};
    struct family_pair *pairs = NULL;
    size_t n = 0;
    regret_buffer_printf(out, "%zu seed%s of the same contexts", m->r->n_seeds,
                         m->r->n_seeds == 1 ? "" : "s");
    regret_buffer_fail(out, family_pairs(&pairs, &n, &m->data.all, &ranking));
    double least = n > 0 ? detectable_with(pair_deviation(&pairs[0]), pairs[0].moments.n) : NAN;
    if (isfinite(least)) {
        regret_buffer_printf(
            out,
            ": if the best family and the second truly differ by less than %.4f, a "
            "run of this size will often show them as tied",
            least);
    }
    regret_buffer_append(out, ".");
    if (m->r->n_seeds > 1 && m->r->n_seeds < FEW_SEEDS) {
        regret_buffer_append(out, " Intervals over so few seeds are too narrow.");
    }
    regret_free(pairs);
}

static int is_swept(const struct regret_results *r, size_t key)
{
    return r->keys[key].n_values > 1;
}

/* Whether the best family is the best wherever one looks. */
static void say_regimes(struct regret_buffer *out, const struct subject_matter *m,
                        const struct table *regimes)
{
    size_t same = 0, n = 0;
    const struct contender *best = best_of(&m->all);
    if (best == NULL || regimes->idle || regimes->status != REGRET_OK) {
        return;
    }
    const struct table_block *b = &regimes->blocks[0];
    for (size_t i = 1; i < b->n_rows; i++) {
        n++;
        same += strcmp(b->rows[i].cells[0].text, name_of(m->r, best->subject)) == 0;
    }
    if (same == n) {
        regret_buffer_printf(out,
                             "It is %s that has the lowest regret at each of the %zu values of "
                             "the swept keys.",
                             name_of(m->r, best->subject), n);
    } else {
        regret_buffer_printf(
            out,
            "Which family has the lowest regret depends on the regime: %s at %zu of "
            "the %zu values of the swept keys; the table says which at the "
            "others.",
            name_of(m->r, best->subject), same, n);
    }
}

/* ---------------------------------------------------------------- regimes */

static void put_standing(struct table *t, const struct contenders *s)
{
    static const struct contender none = {.mean = NAN,
                                          .se = NAN,
                                          .to_best = {.mean = NAN, .low = NAN, .high = NAN},
                                          .on_new = {.se = NAN, .low = NAN, .high = NAN}};
    const struct contender *best = best_of(s), *agent = contenders_single_agent(s);
    const struct paired *lead = agent != NULL ? &agent->to_best : &none.to_best;
    struct regret_buffer tied = REGRET_BUFFER_INIT;
    contenders_list(&tied, s, is_tied);
    table_text(t, "%s", name_of(s->r, best->subject));
    table_estimate(t, best->mean, best->se, DECIMALS);
    table_text(t, "%s",
               lead->n < 2 && s->r->n_seeds < 2 ? "not testable"
               : tied.length == 0               ? "–"
                                                : regret_buffer_get(&tied));
    table_text(t, "%s", agent != NULL ? name_of(s->r, agent->subject) : "–");
    agent = agent != NULL ? agent : &none;
    table_estimate(t, agent->mean, agent->se, DECIMALS);
    table_signed(t, lead->mean, DECIMALS);
    table_signed(t, lead->low, DECIMALS);
    table_signed(t, lead->high, DECIMALS);
    table_signed(t, agent->on_new.low, DECIMALS);
    table_signed(t, agent->on_new.high, DECIMALS);
    table_text(t, "%s", agent != &none ? new_contexts_verdict(lead, &agent->on_new) : "–");
    text_free_into(&t->status, &tied);
}

static int put_regime(struct table *t, const struct slice *all, size_t key, size_t value)
{
    const struct regret_key *k = &all->r->keys[key];
    FREED_BY(slice_free) struct slice part = {0};
    FREED_BY(contenders_free) struct contenders s = {0};
    TRY(slice_where(&part, all, key, value));
    TRY(contenders_make(&s, &part));
    if (s.n_families > 0) {
        table_row(t, "%s = %s", key == REGRET_KEY_BETA ? "β" : k->name, k->values[value]);
        put_standing(t, &s);
    }
    return REGRET_OK;
}

static int put_regimes_of(struct table *t, const struct subject_matter *m)
{
    const char *note = NULL;
    table_begin(t, "regimes", "Which family for which regime");
    t->idle = 1;
    for (size_t k = 0; k < m->r->n_keys; k++) {
        t->idle &= !is_swept(m->r, k);
    }
    t->idle |= m->all.n_families == 0;
    table_block(t, "%s", "");
    TABLE_HEADS(t, "Where", "Best family", "Mean regret ± SE", "Tied with it", "Best single agent",
                "Its regret ± SE", "Lead over it", "95 % low", "95 % high", NEW_CONTEXTS_HEADS);
    if (t->idle) {
        return REGRET_OK;
    }
    table_row(t, "all cells");
    put_standing(t, &m->all);
    for (size_t k = 0; k < m->r->n_keys; k++) {
        for (size_t v = 0; is_swept(m->r, k) && v < m->r->keys[k].n_values; v++) {
            TRY(put_regime(t, &m->data.all, k, v));
        }
    }
    table_note(t,
               "Each row is over all cells of that value, so averaged over the other swept keys; "
               "the table winners has every cell. Tied: the 95 %% bootstrap interval of the "
               "paired difference over seeds holds 0. Lead: the single agent's regret less the "
               "best family's, paired over seeds with its interval; above 0 the family "
               "recommends better. Families and agents were chosen by the same seeds, and the "
               "intervals are not corrected for the number of rows.");
    TRY(new_contexts_note(&note, &m->data.all));
    table_note(t, "%s", note);
    return REGRET_OK;
}

/* ---------------------------------------------------------------- all of it */

/* Takes the sentence's memory unless it is empty. */
static int add_sentence(struct headline *h, struct regret_buffer *sentence)
{
    if (regret_buffer_status(sentence) != REGRET_OK || sentence->length == 0) {
        int rc = regret_buffer_status(sentence);
        regret_buffer_free(sentence);
        return rc;
    }
    h->sentences[h->n++] = *sentence;
    *sentence = (struct regret_buffer)REGRET_BUFFER_INIT;
    return REGRET_OK;
}

static int fill(struct headline *h, const struct subject_matter *m, const char *answer,
                int is_asked)
{
    static say *const sentences[] = {say_families, say_rules, say_scale, say_sureness};
    struct regret_buffer text = REGRET_BUFFER_INIT;
    TRY(put_regimes_of(&h->regimes, m));
    TRY(table_check(&h->regimes));
    for (size_t i = 0; i < sizeof sentences / sizeof *sentences; i++) {
        if (i == (is_asked ? 0 : 1)) {
            regret_buffer_append(&text, answer);
            TRY(add_sentence(h, &text));
        }
        sentences[i](&text, m);
        TRY(add_sentence(h, &text));
    }
    say_regimes(&text, m, &h->regimes);
    TRY(add_sentence(h, &text));
    for (size_t kind = 0; kind < N_CAUTIONS; kind++) {
        if ((CAUTIONS_COMMON & CAUTION_BIT(kind)) != 0) {
            caution_say(&text, (enum caution)kind, m->r);
            TRY(add_sentence(h, &text));
        }
    }
    return REGRET_OK;
}

void headline_rests(struct regret_buffer *out, const struct regret_results *r)
{
    regret_buffer_printf(out, "It rests on pool %s (%s): %zu cell%s, %zu seed%s", r->run.pool_name,
                         r->run.synthetic ? "SYNTHETIC data" : "real task", r->n_cells,
                         r->n_cells == 1 ? "" : "s", r->n_seeds, r->n_seeds == 1 ? "" : "s");
    if (r->n_grids > 0) {
        regret_buffer_printf(out, ", %zu contexts and %zu agents", r->grids[0].n_contexts,
                             r->grids[0].n_agents);
    }
    regret_buffer_append_char(out, '.');
}

int headline_answer(struct regret_buffer *out, const struct regret_results *r)
{
    int rc = r->n_grids == 1 ? recommend_words(out, r) : REGRET_OK;
    return rc == REGRET_E_INPUT ? REGRET_OK : rc;
}

int headline_asks_who(const struct regret_results *r)
{
    return r->n_means > 0 && !r->run.synthetic;
}

int headline_make(struct headline *out, const struct regret_results *r, const char *answer)
{
    struct subject_matter m = {.r = r};
    struct headline h = {0};
    int rc;
    TRY_CLEANUP(table_data_make(&m.data, r, 0));
    TRY_CLEANUP(contenders_make(&m.all, &m.data.all));
    TRY_CLEANUP(fill(&h, &m, answer, headline_asks_who(r)));
    *out = h;
    h = (struct headline){0};
cleanup:
    headline_free(&h);
    contenders_free(&m.all);
    table_data_free(&m.data);
    return rc;
}

void headline_free(struct headline *h)
{
    for (size_t i = 0; i < h->n; i++) {
        regret_buffer_free(&h->sentences[i]);
    }
    table_free(&h->regimes);
    *h = (struct headline){0};
}

/* Wide CSV by RFC 4180: what a data frame wants to be read from. Every column has one type, and a number is a number
 * with all its digits. */

/* A head of the file, of one or several blocks, and which columns it wants. */
struct wide_head {
    const char *name;
    size_t length; /* of the name, without " ± SE" */
    size_t nth;    /* of those of that name in a block, from 0 */
    int keyed;     /* 1: of columns that stand for values of keys: value, se and text */
    int number, se, text;
};

struct wide {
    const struct table *table;
    struct wide_head *heads; /* room for every column of every block */
    size_t n_heads;
    size_t *head_of; /* of the columns of all blocks, one block after the other */
    const char **keys;
    size_t n_keys;
};

FREED_FIELDS(wide, of->heads, of->head_of, of->keys)

static int has_keys(const struct table_block *b, size_t column)
{
    size_t i = 0;
    while (i < b->n_keys && b->keys[i].column != column) {
        i++;
    }
    return i < b->n_keys;
}

/* The cells of a row begin with column 1, or with 0 where it has no label. */
static const struct table_cell *cell_at(const struct table_row *row, size_t column)
{
    size_t first = row->label != NULL;
    return column >= first ? &row->cells[column - first] : NULL;
}

static size_t name_length(const char *name)
{
    static const char error[] = " ± SE";
    size_t n = strlen(name), tail = sizeof error - 1;
    return n > tail && strcmp(name + n - tail, error) == 0 ? n - tail : n;
}

/* How many columns of the block before this one have its name. */
static size_t count_before(const struct table_block *b, size_t column)
{
    size_t n = 0;
    for (size_t j = 0; j < column; j++) {
        n += !has_keys(b, j) && strcmp(b->columns[j], b->columns[column]) == 0;
    }
    return n;
}

static struct wide_head *find_head(struct wide *w, const struct table_block *b, size_t column)
{
    int keyed = has_keys(b, column);
    const char *name = keyed ? "" : b->columns[column];
    size_t length = name_length(name), nth = keyed ? 0 : count_before(b, column), i = 0;
    while (i < w->n_heads &&
           (w->heads[i].keyed != keyed || w->heads[i].length != length || w->heads[i].nth != nth ||
            memcmp(w->heads[i].name, name, length) != 0)) {
        i++;
    }
    if (i == w->n_heads) {
        w->heads[w->n_heads++] =
            (struct wide_head){.name = name, .length = length, .nth = nth, .keyed = keyed};
    }
    return &w->heads[i];
}

static void note_cells(struct wide_head *head, const struct table_block *b, size_t column)
{
    for (size_t i = 0; i < b->n_rows; i++) {
        const struct table_cell *cell = cell_at(&b->rows[i], column);
        if (cell != NULL) {
            head->number |= (cell->flags & TABLE_NUMBER) != 0;
            head->se |= (cell->flags & TABLE_SE) != 0;
            head->text |= cell->text != NULL;
        }
    }
}

static void note_key(struct wide *w, const char *name)
{
    size_t i = texts_find(w->keys, w->n_keys, name);
    w->keys[i] = name;
    w->n_keys += i == w->n_keys;
}

static int is_label(const struct table_block *b, size_t column)
{
    return column == 0 && (b->n_rows == 0 || b->rows[0].label != NULL);
}

static int collect(struct wide *w, const struct regret_results *r)
{
    size_t columns = 0, keys = 0, at = 0;
    for (size_t i = 0; i < w->table->n_blocks; i++) {
        columns += w->table->blocks[i].n_columns;
        keys += w->table->blocks[i].n_keys;
    }
    TRY(REGRET_NEW(&w->heads, columns));
    TRY(REGRET_NEW(&w->head_of, columns));
    TRY(REGRET_NEW(&w->keys, r->n_keys + keys + 1));
    for (size_t k = 0; k < r->n_keys; k++) {
        note_key(w, r->keys[k].name);
    }
    for (size_t i = 0; i < w->table->n_blocks; i++) {
        const struct table_block *b = &w->table->blocks[i];
        for (size_t k = 0; k < b->n_keys; k++) {
            note_key(w, b->keys[k].name);
        }
        for (size_t j = 0; j < b->n_columns; j++, at++) {
            if (!is_label(b, j) && b->readers != TABLE_FOR_PEOPLE) {
                struct wide_head *head = find_head(w, b, j);
                w->head_of[at] = (size_t)(head - w->heads);
                note_cells(head, b, j);
            }
        }
    }
    return REGRET_OK;
}

static void put_head(struct regret_buffer *out, const struct wide_head *head, const char *what)
{
    char name[256];
    int bare = head->keyed;
    int n = snprintf(name, sizeof name, "%.*s", (int)(head->length < 200 ? head->length : 200),
                     head->name);
    if (head->nth > 0) {
        n += snprintf(name + n, sizeof name - (size_t)n, " %zu", head->nth + 1);
    }
    snprintf(name + n, sizeof name - (size_t)n, "%s%s", bare || what[0] == '\0' ? "" : " ", what);
    regret_buffer_append_char(out, ',');
    csv_field(out, bare && what[0] == '\0' ? "value" : name);
}

static void put_heads(struct regret_buffer *out, const struct wide *w)
{
    regret_buffer_append(out, "block");
    for (size_t k = 0; k < w->n_keys; k++) {
        regret_buffer_append_char(out, ',');
        csv_field(out, w->keys[k]);
    }
    regret_buffer_append(out, ",row");
    for (size_t i = 0; i < w->n_heads; i++) {
        const struct wide_head *head = &w->heads[i];
        if (head->number) {
            put_head(out, head, "");
        }
        if (head->se) {
            put_head(out, head, "se");
        }
        if (head->text) {
            put_head(out, head, head->number ? "text" : "");
        }
    }
    regret_buffer_append(out, RUN_FACTS_CSV);
}

/* The key's value for a row and a column (TABLE_EACH: for those without keys), or "". */
static const char *key_value(const struct table_block *b, const char *name, size_t row,
                             size_t column)
{
    for (size_t i = 0; i < b->n_keys; i++) {
        const struct table_key *key = &b->keys[i];
        if ((key->row == TABLE_EACH || key->row == row) &&
            (key->column == TABLE_EACH || key->column == column) && strcmp(key->name, name) == 0) {
            return key->value;
        }
    }
    return "";
}

static void put_cell(struct regret_buffer *out, const struct wide_head *head,
                     const struct table_cell *cell)
{
    static const struct table_cell none = {0};
    cell = cell != NULL ? cell : &none;
    if (head->number) {
        regret_buffer_append_char(out, ',');
        csv_number(out, cell->flags & TABLE_NUMBER ? cell->value : (double)NAN);
    }
    if (head->se) {
        regret_buffer_append_char(out, ',');
        csv_number(out, cell->flags & TABLE_SE ? cell->se : (double)NAN);
    }
    if (head->text) {
        regret_buffer_append_char(out, ',');
        csv_field(out, cell->text != NULL ? cell->text : "");
    }
}

/* A place in the table that records are made of. */
struct wide_row {
    const struct table_block *block;
    const size_t *head_of; /* of the block's columns */
    size_t row;
};

/* The cells that stand under no key (column TABLE_EACH), or the one of a column that does. */
static void put_record(struct regret_buffer *out, const struct wide *w, const struct wide_row *at,
                       size_t column, const struct regret_results *r)
{
    const struct table_block *b = at->block;
    const struct table_row *row = &b->rows[at->row];
    csv_field(out, b->heading);
    for (size_t k = 0; k < w->n_keys; k++) {
        regret_buffer_append_char(out, ',');
        csv_field(out, key_value(b, w->keys[k], at->row, column));
    }
    regret_buffer_append_char(out, ',');
    csv_field(out, row->label != NULL ? row->label : "");
    for (size_t i = 0; i < w->n_heads; i++) {
        const struct table_cell *cell = NULL;
        for (size_t j = 0; cell == NULL && j < b->n_columns; j++) {
            int mine = column == TABLE_EACH ? !w->heads[at->head_of[j]].keyed : j == column;
            cell = mine && !is_label(b, j) && at->head_of[j] == i ? cell_at(row, j) : NULL;
        }
        put_cell(out, &w->heads[i], cell);
    }
    run_facts_csv(out, &r->run);
}

static void put_row(struct regret_buffer *out, const struct wide *w, const struct wide_row *at,
                    const struct regret_results *r)
{
    const struct table_block *b = at->block;
    int plain = 0;
    for (size_t j = 0; j < b->n_columns; j++) {
        plain |= !is_label(b, j) && !w->heads[at->head_of[j]].keyed;
    }
    if (plain) {
        put_record(out, w, at, TABLE_EACH, r);
    }
    for (size_t j = 0; j < b->n_columns; j++) {
        if (!is_label(b, j) && w->heads[at->head_of[j]].keyed) {
            put_record(out, w, at, j, r);
        }
    }
}

int wide_csv(struct regret_buffer *out, const struct table *t, const struct regret_results *r)
{
    FREED_BY(wide_fields) struct wide w = {.table = t};
    size_t first = 0;
    TRY(table_check(t));
    TRY(collect(&w, r));
    put_heads(out, &w);
    for (size_t i = 0; i < t->n_blocks; i++) {
        size_t rows = t->blocks[i].readers != TABLE_FOR_PEOPLE ? t->blocks[i].n_rows : 0;
        for (size_t j = 0; j < rows; j++) {
            put_row(out, &w, &(struct wide_row){&t->blocks[i], &w.head_of[first], j}, r);
        }
        first += t->blocks[i].n_columns;
    }
    return regret_buffer_status(out);
}
