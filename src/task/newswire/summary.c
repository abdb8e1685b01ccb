#include "task/newswire/summary.h"

const struct newswire_agent newswire_agents[NEWSWIRE_AGENTS] = {
    {"small-brief", "Simulated small model: brief", 1.0, NEWSWIRE_BRIEF, 1},
    {"small-detailed", "Simulated small model: detailed", 1.6, NEWSWIRE_DETAILED, 1},
    {"small-bullets", "Simulated small model: bullet points", 1.1, NEWSWIRE_BULLETS, 1},
    {"small-plain", "Simulated small model: plain language", 1.2, NEWSWIRE_PLAIN, 1},
    {"small-numbers", "Simulated small model: figures first", 1.1, NEWSWIRE_NUMBERS, 1},
    {"small-quotes", "Simulated small model: led by quotations", 1.2, NEWSWIRE_QUOTES, 1},
    {"small-cautious", "Simulated small model: cautious", 1.3, NEWSWIRE_CAUTIOUS, 1},
    {"small-vivid", "Simulated small model: vivid", 1.3, NEWSWIRE_VIVID, 1},
    {"large-brief", "Simulated large model: brief", 5.0, NEWSWIRE_BRIEF, 0},
    {"large-detailed", "Simulated large model: detailed", 8.0, NEWSWIRE_DETAILED, 0},
    {"large-bullets", "Simulated large model: bullet points", 5.5, NEWSWIRE_BULLETS, 0},
    {"large-plain", "Simulated large model: plain language", 6.0, NEWSWIRE_PLAIN, 0},
    {"large-numbers", "Simulated large model: figures first", 5.5, NEWSWIRE_NUMBERS, 0},
    {"large-quotes", "Simulated large model: led by quotations", 6.0, NEWSWIRE_QUOTES, 0},
    {"large-cautious", "Simulated large model: cautious", 6.5, NEWSWIRE_CAUTIOUS, 0},
    {"large-vivid", "Simulated large model: vivid", 6.5, NEWSWIRE_VIVID, 0},
    {"lead-3", "First three sentences", 0.0, NEWSWIRE_STYLES, 0},
    {"textrank", "TextRank, four sentences", 0.05, NEWSWIRE_STYLES, 0},
    {"lexrank", "Continuous LexRank, three sentences", 0.05, NEWSWIRE_STYLES, 0},
    {"sumbasic", "SumBasic, up to a hundred words", 0.05, NEWSWIRE_STYLES, 0},
};

void newswire_summary_clear(struct newswire_summary *s)
{
    regret_text_clear(&s->text);
    s->n_assertions = 0;
    s->garbles = s->dangling = s->vague = s->hedges = s->fragments = s->jumps = 0;
}

void newswire_summary_free(struct newswire_summary *s)
{
    regret_text_free(&s->text);
}

struct newswire_assertion *newswire_assert(struct newswire_summary *s, int fact,
                                           enum newswire_status status, unsigned words)
{
    /* The longest summaries have about thirty sentences; the last record takes what exceeds. */
    if (s->n_assertions == NEWSWIRE_MAX_ASSERTIONS) {
        s->n_assertions--;
    }
    struct newswire_assertion *a = &s->assertions[s->n_assertions++];
    *a = (struct newswire_assertion){.fact = fact, .status = status, .words = words};
    return a;
}

int newswire_summarize(struct newswire_summary *s, const struct newswire_article *article,
                       uint64_t seed, size_t index, size_t agent, uint32_t draw)
{
    newswire_summary_clear(s);
    if (agent < NEWSWIRE_LEAD3) {
        return newswire_abstract(s, article, seed, index, agent, draw);
    }
    return newswire_extract(s, article, agent);
}
