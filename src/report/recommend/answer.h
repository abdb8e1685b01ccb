/* What a run recommends, as its writers take it. */
#ifndef REGRET_REPORT_RECOMMEND_ANSWER_H
#define REGRET_REPORT_RECOMMEND_ANSWER_H

#include "report/cautions/cautions.h"
#include "report/recommend/agents.h"
#include "report/recommend/contest.h"
#include "report/recommend/picked_words.h"

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
        apart; /* RULES_APART: whom of those chosen votes do not order; RULES_POSITION: what that did; in words */
    struct picked_words words;
    struct cautions cautions;
};

#endif
