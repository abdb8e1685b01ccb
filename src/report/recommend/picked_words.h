/* By what requests are told apart: the words by which agents differ, as family mixed picked them in the replicates (protocol §5), and the
 * own columns and tags that part those for whom one agent is chosen from the others. */
#ifndef REGRET_REPORT_RECOMMEND_PICKED_WORDS_H
#define REGRET_REPORT_RECOMMEND_PICKED_WORDS_H

#include "report/recommend/contest.h"
#include "value/deciding/deciding.h"

struct picked_word {
    char *word;   /* owned */
    double share; /* of the fits of mixed that picked it */
};

struct picked_words {
    struct picked_word *items; /* the most frequent first; owned */
    size_t n;
};

/* None but where the recommendation is by request, by mixed or by stack, of which mixed is a member. */
int picked_words_make(struct picked_words *out, const struct recommend *s,
                      const struct contest *rules);
void picked_words_free(struct picked_words *words);

/* Of a source's choices on held-out contexts; nothing of a run whose contexts have no own columns. */
int picked_columns(struct regret_buffer *out, const struct recommend *s, size_t source,
                   deciding_writer *write);

#endif
