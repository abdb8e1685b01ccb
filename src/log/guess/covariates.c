/* What is known of a request before it is answered: what follows from the request or, where each is asked once, what a name
 * says of it. What came with the answer (its length, its seconds) would hide what the agents did. */
#include <string.h>

#include "base/core/try.h"
#include "log/guess/guess.h"

static const char BEFORE[] =
    " feature features covariate user prompt request query country region language lang locale "
    "device "
    "platform browser os plan tier age gender segment difficulty source channel hour weekday "
    "position domain topic category ";
static const char AFTER[] =
    " latency seconds duration elapsed answer response output completion reply "
    "judge finish score rating feedback error errors ";

int log_guess_is_after(const char *name)
{
    return column_count_words(name, AFTER) > 0;
}

int log_guess_is_before(const char *name)
{
    return column_count_words(name, BEFORE) > 0;
}

/* The request of a row: its id or its text. */
static size_t request_of(const struct log_guess_table *t)
{
    return t->at[LOG_CONTEXT] != LOG_NO_COLUMN ? t->at[LOG_CONTEXT] : t->at[LOG_TEXT];
}

/* Whether column k is known before the answer; *follows: because requests come again and it does not change. */
static int is_known_before(int *known, const struct log_guess_table *t, size_t k)
{
    const struct table_profile *p = &t->profile;
    const struct profile_column *c = &p->column[k];
    size_t request = request_of(t);
    int follows = 0, is_text = c->numbers < c->filled;
    *known = 0;
    if (t->taken[k] || !column_fits_map(c->name) || c->distinct < 2 ||
        (is_text && (c->mean_bytes > 60 || 2 * c->distinct > p->rows)) ||
        column_count_words(c->name, " id ids uuid hash key ") > 0 || log_guess_is_after(c->name)) {
        return REGRET_OK;
    }
    if (request != LOG_NO_COLUMN && 10 * p->column[request].distinct <= 8 * p->rows) {
        TRY(table_profile_follows(&follows, p, k, request));
    }
    *known = follows || log_guess_is_before(c->name);
    return REGRET_OK;
}

static int has_column(const struct log_guess_table *t, const char *name)
{
    int found = t->path == NULL;
    for (size_t k = 0; k < t->profile.n_columns && !found; k++) {
        found = strcmp(t->profile.column[k].name, name) == 0 && !t->taken[k];
    }
    return found;
}

/* Columns of one table that are known before the answer, and that the others have, too. */
static int find_covariates(struct log_guess *g, struct log_guess_table *t)
{
    for (size_t k = 0; k < t->profile.n_columns && t->n_covariates < REGRET_LOG_MAX_COLUMNS; k++) {
        int known = 0;
        TRY(is_known_before(&known, t, k));
        for (int i = 0; i < LOG_INPUTS; i++) {
            known &= &g->table[i] == t || has_column(&g->table[i], t->profile.column[k].name);
        }
        /* of numbers that come by the dozen, such as affinities to each agent, none is chosen */
        if (known && column_count_words(t->profile.column[k].name, " affinity affinities ") == 0) {
            t->covariate[t->n_covariates++] = k;
        }
    }
    return REGRET_OK;
}

/* The same columns, by their places in another table. */
static void copy_covariates(struct log_guess_table *to, const struct log_guess_table *from)
{
    for (size_t i = 0; i < from->n_covariates; i++) {
        const char *name = from->profile.column[from->covariate[i]].name;
        size_t k = 0;
        while (strcmp(to->profile.column[k].name, name) != 0) {
            k++;
        }
        to->covariate[to->n_covariates++] = k;
    }
}

int log_guess_covariates(struct log_guess *g)
{
    struct log_guess_table *first = g->table;
    while (first->path == NULL) {
        first++;
    }
    TRY(find_covariates(g, first));
    for (struct log_guess_table *t = first + 1; t < g->table + LOG_INPUTS; t++) {
        if (t->path != NULL) {
            copy_covariates(t, first);
        }
    }
    return REGRET_OK;
}
