/* By which of the requests' own columns, and tags, an answer by request goes. */
#include <math.h>

#include "base/core/try.h"
#include "evaluate/answer/answer.h"
#include "regret/alloc.h"

/* A column, and room for what the advised requests have of it. */
struct cells {
    struct deciding_column
        *column; /* [n_columns + 1] the tag last; owned, with what it points to */
    double **number;
    uint32_t **word, *choice;
    size_t n_columns;
};

static void cells_free(struct cells *c)
{
    for (size_t j = 0; c->word != NULL && j <= c->n_columns; j++) {
        regret_free(c->number[j]);
        regret_free(c->word[j]);
    }
    regret_free(c->number);
    regret_free(c->word);
    regret_free(c->column);
    regret_free(c->choice);
}

static int take_column(struct cells *c, size_t j, const struct regret_evaluation *e,
                       const struct regret_log *log)
{
    const struct regret_log_column *of = &log->column[j];
    TRY(of->is_word ? REGRET_NEW(&c->word[j], e->n_advice)
                    : REGRET_NEW(&c->number[j], e->n_advice));
    for (size_t i = 0; i < e->n_advice; i++) {
        uint32_t x = e->advice[i].context;
        if (of->is_word) {
            c->word[j][i] = of->word[x];
        } else {
            c->number[j][i] = of->n_known == 0 || x < of->n_known ? of->value[x] : NAN;
        }
    }
    c->column[j] = (struct deciding_column){of->name, c->number[j], c->word[j], of->n_words,
                                            (const char *const *)of->words};
    return REGRET_OK;
}

static int take_all(struct cells *c, const struct regret_evaluation *e,
                    const struct regret_log *log)
{
    size_t k = c->n_columns;
    TRY(REGRET_NEW(&c->column, k + 1));
    TRY(REGRET_NEW(&c->number, k + 1));
    TRY(REGRET_NEW(&c->word, k + 1));
    TRY(REGRET_NEW(&c->choice, e->n_advice));
    for (size_t j = 0; j < k; j++) {
        TRY(take_column(c, j, e, log));
    }
    TRY(REGRET_NEW(&c->word[k], e->n_advice));
    for (size_t i = 0; i < e->n_advice; i++) {
        c->choice[i] = e->advice[i].by_request;
        c->word[k][i] = log->tag != NULL ? log->tag[e->advice[i].context] : 0;
    }
    c->column[k] = (struct deciding_column){"tag", NULL, c->word[k], log->n_tags,
                                            (const char *const *)log->tags};
    return REGRET_OK;
}

int answer_deciding(struct regret_buffer *out, const struct regret_evaluation *e,
                    const struct regret_log *log, deciding_writer *write)
{
    FREED_BY(cells_free) struct cells c = {.n_columns = log->n_columns};
    struct deciding d = {0};
    if (e->verdict == REGRET_VERDICT_BY_REQUEST) {
        TRY(take_all(&c, e, log));
        TRY(deciding_find(&d, c.choice, e->n_advice, e->n_agents, c.column, log->n_columns + 1));
    }
    write(out, &d, c.column, (const char *const *)log->agent);
    return REGRET_OK;
}
