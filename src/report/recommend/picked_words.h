/* The words by which agents differ, as family mixed picked them in the replicates (protocol §5). */
#ifndef REGRET_REPORT_RECOMMEND_PICKED_WORDS_H
#define REGRET_REPORT_RECOMMEND_PICKED_WORDS_H

#include "report/recommend/contest.h"

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

#endif
