/* Which columns of a table are scores, which way they go and how far. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "import/init.h"
#include "import/scales.h"
#include "regret/pool.h"
#include "regret/status.h"

enum { SHOWN = 3 };

/* ---------------------------------------------------------------- scores */

int init_fail_cell(const struct init_table *t, int k)
{
    const struct init_column *c = &t->column[k];
    return regret_fail(REGRET_E_INPUT,
                       "%s:%zu: \"%.40s\" holds \"%s\": write all scores as numbers with a decimal "
                       "point, as letter grades, or as yes and no, pass and fail; or leave cells "
                       "blank",
                       t->path, c->other_line > 0 ? c->other_line : 2, c->name,
                       c->other_line > 0 ? c->other : c->example);
}

/* Two scales in one column, marks of what is missing, slips. */
static int check_scale(struct init_table *t, int k)
{
    const struct init_column *c = &t->column[k];
    double few = 0.05 * (double)c->numbers;
    if (c->percent_line > 0) {
        return regret_fail(REGRET_E_INPUT,
                           "%s:%zu: \"%.40s\" holds a percent sign, which is not read, for 45%% "
                           "would be 45 here and .45 there: write all scores as the one or the "
                           "other",
                           t->path, c->percent_line, c->name);
    }
    if (c->truths > 0 && c->numbers > 0 && (c->least < 0.0 || c->most > 1.0)) {
        return regret_fail(
            REGRET_E_INPUT,
            "%s: \"%.40s\" holds words such as yes and no, and numbers from %g to %g: "
            "write all of them as numbers, or none",
            t->path, c->name, c->least, c->most);
    }
    if (!c->is_numeric || t->known->range != NULL) {
        return REGRET_OK;
    }
    if ((double)c->shares > few && (double)c->tens > few && c->least >= 0.0) {
        init_offer(t, "they are one scale", "--range", "0:100", NULL);
        return init_question(t, "\"%.40s\" holds shares of 1 and numbers up to %g: two scales?",
                             c->name, c->most);
    }
    const struct numbers seen = {.least = c->least,
                                 .most = c->most,
                                 .next_least = c->next_least,
                                 .next_most = c->next_most,
                                 .n = c->numbers,
                                 .at_most = c->at_most};
    double odd, ends[2], range[2];
    if (!numbers_find_odd(&odd, ends, &seen)) {
        return REGRET_OK;
    }
    char all[64], others[64];
    scale_of(range, ends[0], ends[1]);
    snprintf(others, sizeof others, "%.10g:%.10g", range[0], range[1]);
    snprintf(all, sizeof all, "%.10g:%.10g", c->least, c->most);
    init_offer(t, "it is none: such rows are left out", "--range", others, NULL);
    init_offer(t, "it is a score", "--range", all, NULL);
    double line = 0.0;
    TRY(init_ask_numbers(&line, 1, t, "SELECT min(line) FROM n WHERE v%d = %!.17g", k, odd));
    return init_question(t,
                         "\"%.40s\" holds %g (%s %.0f), and all others go from %g to %g: is it a "
                         "score?",
                         c->name, odd, t->is_json ? "record" : "line", line, ends[0], ends[1]);
}

static int ask_direction(struct init_table *t, int k, const char *name)
{
    init_offer(t, "more is better", "--better", name, NULL);
    init_offer(t, "less is better", "--worse", name, NULL);
    return init_question(t, "is more of \"%.40s\", %g to %g, better or worse?", name,
                         t->column[k].least, t->column[k].most);
}

static int find_direction(int *out, struct init_table *t, int k, const char *name)
{
    const struct init_known *known = t->known;
    *out = init_has_name(&known->worse, name)    ? -1
           : init_has_name(&known->better, name) ? 1
           : known->range != NULL                ? (known->range[0] > known->range[1] ? -1 : 1)
                                                 : init_name_direction(&t->words, init_name(t, k));
    return *out != 0 ? REGRET_OK : ask_direction(t, k, name);
}

/* Where a score goes from and to. */
static void set_range(const struct init_table *t, struct init_score *s, int are_ranks)
{
    double range[2] = {s->least, s->most};
    if ((!are_ranks && !init_name_has(s->pattern, " rank ranks ranking place ")) ||
        s->least >= s->most) {
        scale_of(range, s->least, s->most);
    }
    if (t->known->range != NULL) {
        memcpy(range, t->known->range, sizeof range);
    }
    if (s->is_grade) {
        range[0] = GRADES_LOW;
        range[1] = GRADES_HIGH;
    }
    s->low = fmin(range[0], range[1]);
    s->high = fmax(range[0], range[1]);
}

/* 1 where the numbers of every context are 1, 2, 3 …: ranks, and nobody says which is the best. */
static int are_ranks(int *out, const struct init_table *t, const struct init_score *s,
                     const int *column, size_t n)
{
    FREED_BY(regret_buffer_free) struct regret_buffer sum = REGRET_BUFFER_INIT;
    size_t agents = t->is.layout == INIT_WIDE ? n : t->column[t->is.agent[0]].distinct;
    char key[INIT_KEY];
    double others = 1.0;
    *out = 0;
    int has_key = t->is.layout == INIT_WIDE || t->is.context[0] != INIT_NONE;
    if (agents < 3 || !has_key || s->least != 1.0 || s->most != (double)agents) {
        return REGRET_OK;
    }
    init_key(key, t->is.context, 2);
    for (size_t i = 0; i < n; i++) {
        regret_buffer_printf(&sum, "%sv%d", i > 0 ? " + " : "", column[i]);
    }
    TRY(regret_buffer_status(&sum));
    TRY(init_ask_numbers(
        &others, 1, t,
        "SELECT count(*) FROM (SELECT sum(%s) AS s FROM t JOIN n ON n.rowid = t.rowid GROUP BY %s) "
        "WHERE s <> %d",
        regret_buffer_get(&sum), t->is.layout == INIT_WIDE ? "t.rowid" : key,
        (int)(agents * (agents + 1) / 2)));
    *out = others == 0.0;
    return REGRET_OK;
}

int init_add_score(struct init_table *t, const int *columns, size_t n, const char *pattern)
{
    struct init_score s = {.column = columns[0], .least = INFINITY, .most = -INFINITY};
    size_t grades = 0, others = 0;
    int ranks = 0;
    if (t->is.n_scores == REGRET_POOL_MAX_COMPONENTS) {
        return init_question(t, "more than %d columns are scores: which count? --score a,b",
                             REGRET_POOL_MAX_COMPONENTS);
    }
    for (size_t i = 0; i < n; i++) {
        struct init_column *c = &t->column[columns[i]];
        c->is_used = 1;
        s.least = fmin(s.least, c->least);
        s.most = fmax(s.most, c->most);
        grades += c->grades;
        others += c->numbers + c->truths;
        TRY(check_scale(t, columns[i]));
    }
    snprintf(s.pattern, sizeof s.pattern, "%s", pattern);
    s.is_grade = grades > others;
    TRY(find_direction(&s.direction, t, columns[0], pattern));
    int is_said =
        t->known->range != NULL || s.direction < 0 || init_has_name(&t->known->better, pattern);
    TRY(are_ranks(&ranks, t, &s, columns, n));
    if (ranks && !is_said) {
        return ask_direction(t, columns[0], pattern);
    }
    set_range(t, &s, ranks);
    t->is.score[t->is.n_scores++] = s;
    return REGRET_OK;
}

/* Scores by name: numbers or verdicts that differ between the answers to a context. */
static int find_scores(unsigned char *is_score, size_t *n, struct init_table *t)
{
    size_t parts = 0;
    *n = 0;
    for (int k = 0; k < (int)t->n_columns; k++) {
        const struct init_column *c = &t->column[k];
        double varies = 0.0;
        int is_named = init_has_role(t, k, INIT_ANY_SCORE) &&
                       !init_has_role(t, k, INIT_RATER | INIT_REFERENCE | INIT_LEFT);
        is_named |=
            init_has_name(&t->known->worse, c->name) || init_has_name(&t->known->better, c->name);
        is_named = t->known->score.n > 0 ? init_has_name(&t->known->score, c->name) : is_named;
        if (!init_is_free(t, k) || !is_named || (!c->is_scorable && t->known->score.n == 0)) {
            continue;
        }
        TRY(init_varies(&varies, t, k, t->is.context, 2));
        is_score[k] = varies > 0.0 || t->known->score.n > 0;
        *n += is_score[k];
        parts += is_score[k] && (init_name_any(&t->words, c->name) & INIT_SUMMARY) == 0;
    }
    for (int k = 0; k < (int)t->n_columns && parts > 0 && t->known->score.n == 0; k++) {
        int is_whole =
            is_score[k] && (init_name_any(&t->words, init_name(t, k)) & INIT_SUMMARY) != 0;
        *n -= (size_t)is_whole; /* made of the parts */
        is_score[k] = is_score[k] && !is_whole;
        t->column[k].is_left |= is_whole;
    }
    return REGRET_OK;
}

/* 1 where a number without a name of one may be a score. */
static int may_be_score(int *out, struct init_table *t, int k)
{
    const struct init_column *c = &t->column[k];
    double by_context = 0.0, by_agent = 0.0;
    *out = 0;
    int is_plain = (c->said.roles & ~(unsigned)INIT_RATER) == 0 ||
                   (c->said.roles == INIT_OUTPUT && c->whole < c->numbers);
    if (!init_is_free(t, k) || !is_plain || c->said.is_id || !c->is_scorable ||
        10 * c->distinct >= 9 * t->rows + 50) {
        return REGRET_OK;
    }
    TRY(init_varies(&by_context, t, k, t->is.context, 2));
    TRY(init_varies(&by_agent, t, k, t->is.agent, 2));
    *out = by_context > 0.2 && by_agent > 0.2;
    return REGRET_OK;
}

/* Where there is no score, but what a good answer is: outputs could be held against that. */
static int offer_reference(struct init_table *t)
{
    double varies = 1.0;
    for (int k = 0; k < (int)t->n_columns; k++) {
        if (init_is_free(t, k) && init_has_role(t, k, INIT_REFERENCE) && !t->column[k].is_numeric) {
            TRY(init_varies(&varies, t, k, t->is.context, 2));
            if (varies == 0.0) {
                init_offer(t, "outputs are held against it, by characters", "--reference",
                           init_name(t, k), NULL);
            }
        }
    }
    return REGRET_OK;
}

static int ask_for_scores(struct init_table *t)
{
    int may_be = 0;
    const char *all[INIT_NAMES];
    size_t n = 0;
    for (int k = 0; k < (int)t->n_columns && n < INIT_NAMES; k++) {
        TRY(may_be_score(&may_be, t, k));
        if (may_be) {
            all[n++] = init_name(t, k);
        }
    }
    for (int k = 0; k < (int)t->n_columns && n == 0; k++) {
        const struct init_column *c = &t->column[k];
        if (init_is_free(t, k) && init_has_role(t, k, INIT_SCORE) && !c->is_scored &&
            !init_has_role(t, k, INIT_RATER | INIT_LEFT) && c->other_line > 0 && c->longest < 20) {
            return init_fail_cell(t, k);
        }
    }
    for (size_t i = 0; i < n && n <= SHOWN; i++) {
        init_offer(t, "it says how good an answer is", "--score", all[i], NULL);
    }
    if (n == 1) {
        init_offer(t, "it says how bad one is", "--worse", all[0], NULL);
    } else if (n > 1) {
        init_offer_list(t, "all of them do", "--score", all, n);
    }
    TRY(offer_reference(t));
    return init_question(t, "which column says how good an answer is? None that is named so "
                            "differs between the answers to a context");
}

/* A number of the same range that no word speaks for. */
static int check_like(struct init_table *t, const unsigned char *is_score)
{
    double low = INFINITY, high = -INFINITY;
    int like = INIT_NONE;
    for (size_t k = 0; k < t->n_columns; k++) {
        const struct init_column *c = &t->column[k];
        low = is_score[k] && c->least < low ? c->least : low;
        high = is_score[k] && c->most > high ? c->most : high;
    }
    for (int k = 0; k < (int)t->n_columns && like == INIT_NONE; k++) {
        const struct init_column *c = &t->column[k];
        int may_be = 0;
        if (!is_score[k] && c->is_numeric && c->least >= low && c->most <= high &&
            c->most >= low + 0.5 * (high - low)) {
            TRY(may_be_score(&may_be, t, k));
        }
        like = may_be ? k : like;
    }
    if (like == INIT_NONE) {
        return REGRET_OK;
    }
    init_offer(t, "it is none", "--leave", init_name(t, like), NULL);
    init_offer(t, "it is one, and less is better", "--worse", init_name(t, like), NULL);
    init_offer(t, "it is one, and more is better", "--better", init_name(t, like), NULL);
    return init_question(t, "\"%.40s\" holds numbers as scores do: is it one?", init_name(t, like));
}

/* Scores on several ranges are no parts of one judgement: which is the main one? */
static int check_main(struct init_table *t)
{
    const struct init_decision *is = &t->is;
    const char *all[INIT_SCORES];
    int differ = 0;
    for (size_t i = 0; i < is->n_scores; i++) {
        differ |= is->score[i].low != is->score[0].low || is->score[i].high != is->score[0].high;
        all[i] = is->score[i].pattern;
    }
    if (!differ || t->known->score.n > 0 || t->known->range != NULL) {
        return REGRET_OK;
    }
    init_offer_list(t, "all count alike", "--score", all, is->n_scores);
    for (size_t i = 0; i < is->n_scores && i < SHOWN; i++) {
        init_offer(t, "it is the main one", "--score", all[i], NULL);
    }
    return init_question(t, "\"%.40s\" and \"%.40s\" are scores of several kinds: which counts?",
                         all[0], all[1]);
}

int init_take_scores(struct init_table *t)
{
    FREED unsigned char *is_score = NULL;
    size_t n = 0;
    TRY(REGRET_NEW(&is_score, t->n_columns));
    TRY(find_scores(is_score, &n, t));
    if (n == 0) {
        return t->is.reference != INIT_NONE ? REGRET_OK : ask_for_scores(t);
    }
    TRY(t->known->score.n == 0 ? check_like(t, is_score) : REGRET_OK);
    for (int k = 0; k < (int)t->n_columns; k++) {
        TRY(is_score[k] ? init_add_score(t, &k, 1, init_name(t, k)) : REGRET_OK);
    }
    return check_main(t);
}
