#include "report/recommend/answer.h"

#include "base/core/try.h"
#include "report/recommend/answer_who.h"
#include "report/recommend/filters.h"
#include "report/recommend/for_page.h"
#include "report/recommend/writers.h"

static void answer_free(struct answer *a)
{
    tags_agents_free(&a->tags);
    picked_words_free(&a->words);
    cautions_free(&a->cautions);
}

static int answer_make(struct answer *a)
{
    const struct recommend *s = a->s;
    TRY(filters_check(a));
    TRY(contest_make(&a->rules, s));
    size_t named = a->rules.item[a->rules.first].named;
    a->source = a->rules.first != REGRET_ADVICE_NONE ? recommend_find(s, named) : s->n_families;
    TRY(agents_single(&a->single, s));
    if (a->source != s->n_families) {
        TRY(agents_by_tag(&a->tags, s, named));
    }
    TRY(picked_words_make(&a->words, s, &a->rules));
    return cautions_make(&a->cautions, s->r, CAUTIONS_ALL);
}

static void tell(struct regret_recommendation *out, const struct answer *a)
{
    enum regret_advice rule = a->rules.answer;
    const struct regret_run_grid *g = a->s->grid;
    *out = (struct regret_recommendation){.rule = rule};
    if (rule != REGRET_ADVICE_NONE) {
        out->subject = a->s->r->subjects[a->rules.item[rule].named].name;
    }
    if (rule == REGRET_ADVICE_ONE_AGENT) {
        out->agent = g->agents[a->single.agent];
    }
}

static void write_answer(struct regret_buffer *out, const struct answer *a)
{
    if (a->options->format == REGRET_RECOMMEND_CSV) {
        answer_csv(out, a);
    } else if (a->options->format == REGRET_RECOMMEND_JSON) {
        answer_json(out, a);
    } else {
        answer_leaf(out, a,
                    a->options->format == REGRET_RECOMMEND_MARKDOWN ? LEAF_MARKDOWN : LEAF_TEXT);
    }
}

int regret_recommend(struct regret_buffer *out, struct regret_recommendation *answer,
                     const struct regret_results *results,
                     const struct regret_recommend_options *options)
{
    static const struct regret_recommend_options plain = {.format = REGRET_RECOMMEND_TEXT};
    struct table_data d = {0};
    struct recommend s = {0};
    struct answer a = {.s = &s, .options = options != NULL ? options : &plain};
    int rc;
    TRY_CLEANUP(table_data_make(&d, results, 1));
    TRY_CLEANUP(recommend_make(&s, &d, a.options->one_cell ? a.options->cell : REGRET_NO_ROW));
    TRY_CLEANUP(answer_make(&a));
    write_answer(out, &a);
    if (answer != NULL) {
        tell(answer, &a);
    }
    rc = regret_buffer_status(out);
cleanup:
    answer_free(&a);
    recommend_free(&s);
    table_data_free(&d);
    return rc;
}

int recommend_for_page(struct page_advice *out, const struct regret_results *results,
                       const struct regret_pool *pool)
{
    static const struct regret_recommend_options plain = {.format = REGRET_RECOMMEND_TEXT};
    struct table_data d = {0};
    struct recommend s = {0};
    struct answer a = {.s = &s, .options = &plain};
    struct leaf contexts = {.out = &out->contexts, .form = LEAF_HTML};
    int rc;
    TRY_CLEANUP(table_data_make(&d, results, 1));
    TRY_CLEANUP(recommend_make(&s, &d, REGRET_NO_ROW));
    TRY_CLEANUP(answer_make(&a));
    answer_page(&out->answer, &a);
    answer_contexts(&contexts, &a);
    leaf_end(&contexts);
    TRY_CLEANUP(pool != NULL ? requests_html(&out->requests, &a, pool) : REGRET_OK);
    TRY_CLEANUP(regret_buffer_status(&out->answer));
    rc = regret_buffer_status(&out->contexts);
cleanup:
    answer_free(&a);
    recommend_free(&s);
    table_data_free(&d);
    return rc;
}

void page_advice_free(struct page_advice *advice)
{
    regret_buffer_free(&advice->answer);
    regret_buffer_free(&advice->contexts);
    regret_buffer_free(&advice->requests);
}
