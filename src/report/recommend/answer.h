/* What a run recommends, as its writers take it. */
#ifndef REGRET_REPORT_RECOMMEND_ANSWER_H
#define REGRET_REPORT_RECOMMEND_ANSWER_H

#include "report/cautions/cautions.h"
#include "report/recommend/agents.h"
#include "report/recommend/rules.h"

struct answer {
    const struct recommend *s; /* borrowed */
    const struct regret_recommend_options *options;
    struct rules rules;
    size_t source;           /* whose choices are told: of the answer, or of what would be */
    struct agent_pair single;
    struct tags_agents tags; /* of that source */
    struct cautions cautions;
};

/* 1 where the filters let the context through by what the source says of it. */
int answer_shows(const struct answer *a, size_t source, size_t x);

/* The words of the rule and of what stands in the way of one. */
const char *rule_name(enum regret_advice rule);
/* How much data would do, in a sentence; nothing where nothing is to be said. */
void say_more_data(struct regret_buffer *out, const struct answer *a);

/* Text and Markdown; CSV; JSON. */
void answer_leaf(struct regret_buffer *out, const struct answer *a);
void answer_csv(struct regret_buffer *out, const struct answer *a);
void answer_json(struct regret_buffer *out, const struct answer *a);

#endif
