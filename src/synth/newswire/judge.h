/* What a finished summary is given: the scores of the judge, and labels that know no fact. */
#ifndef REGRET_SYNTH_NEWSWIRE_JUDGE_H
#define REGRET_SYNTH_NEWSWIRE_JUDGE_H

#include "synth/newswire/summary.h"

/* The rubric, integers 0..5, and the count of unsupported claims. */
struct newswire_scores {
    int faithfulness, coverage, clarity, conciseness;
    int unsupported_claims;
};
struct newswire_scores newswire_judge(const struct newswire_summary *summary,
                                      const struct newswire_article *article);

/* The auxiliary labels T: what can be computed from the two texts without knowing a fact. */
enum { NEWSWIRE_LABELS = 10 };
extern const char *const newswire_label_names[NEWSWIRE_LABELS];
void newswire_label(double labels[NEWSWIRE_LABELS], const struct newswire_article *article,
                    const char *output);

#endif
