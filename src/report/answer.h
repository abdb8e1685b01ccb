/* The answer for one kind of cell. */
#ifndef REPORT_ANSWER_H
#define REPORT_ANSWER_H

#include <stddef.h>

#include "regret/pool.h"
#include "report/advice.h"
#include "report/cautions.h"
#include "report/contest.h"
#include "report/records.h"

/* What a run recommends, as its writers take it. */

struct answer {
    const struct recommend *s; /* borrowed */
    const struct regret_recommend_options *options;
    struct contest rules;
    size_t source; /* whose choices are told: of the answer, or of what would be */
    struct agent_pair single;
    struct tags_agents tags; /* of that source */
    int reads_outputs; /* by request: nothing can be chosen before all agents have answered … */
    enum regret_advice without;      /* … and what would be the answer without, */
    struct tags_agents tags_without; /* of which by tag these are the agents */
    size_t agent;                    /* who is for everything, where the answer is one agent */
    struct regret_buffer
        why; /* RULES_APART: whom of those chosen votes do not order; RULES_POSITION: what that did; RULES_HOLES: why; in words */
    struct picked_words words;
    struct cautions cautions;
};

/* What a run recommends, in words, and as elements for its page. */

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

/* The forms in which an answer is written. */

/* Text or Markdown; and elements of HTML, for the first screen of a page. */
void answer_leaf(struct regret_buffer *out, const struct answer *a, enum leaf_form form);
void answer_page(struct regret_buffer *out, const struct answer *a);
/* The answer alone, as text, in one line. */
void answer_words(struct regret_buffer *out, const struct answer *a);
void answer_csv(struct regret_buffer *out, const struct answer *a);
void answer_json(struct regret_buffer *out, const struct answer *a);

/* Which contexts are listed. */

/* Filters become the run's names, and may be typed as these are shown: without outer blanks, ends of lines as blanks.
 * REGRET_E_INPUT where one is none, or a context was never held out. */
int filters_find(struct regret_recommend_options *o, const struct recommend *s);
/* 1 where they let the context, which was held out, through by what the source says of it. */
int answer_shows(const struct answer *a, size_t source, size_t x);

#endif
