/* What a run recommends, in words, and as elements for its page. */
#ifndef REGRET_REPORT_RECOMMEND_FOR_PAGE_H
#define REGRET_REPORT_RECOMMEND_FOR_PAGE_H

#include "regret/pool.h"
#include "report/recommend/answer.h"

struct page_advice {
    struct regret_buffer words;    /* recommend_words() */
    struct regret_buffer answer;   /* with what it rests on and cautions */
    struct regret_buffer contexts; /* a row for each that was held out */
    struct regret_buffer requests; /* their texts, outputs and scores; empty without a pool */
};
/* `pool` is that of the run, or NULL. REGRET_E_INPUT where rows hold no lists or cells differ in their contexts. */
int recommend_for_page(struct page_advice *out, const struct regret_results *r,
                       const struct regret_pool *pool);
void page_advice_free(struct page_advice *advice);

/* The answer in plain words, one line that is not wrapped; errors as above. */
int recommend_words(struct regret_buffer *out, const struct regret_results *r);

/* The last of these. */
int requests_html(struct regret_buffer *out, const struct answer *a,
                  const struct regret_pool *pool);

#endif
