/* The card of the pool. The thresholds it states are those of judge.c. */
#include <inttypes.h>

#include "regret/alloc.h"
#include "regret/newswire.h"
#include "regret/text_buffer.h"
#include "task/newswire/summary.h"

static const char what[] =
    "# newswire\n"
    "\n"
    "**SYNTHETIC.** Every article, summary and score of this pool was made by a program. No "
    "person,\n"
    "town, company or event in it is real, and no language model wrote or judged any of it. Use "
    "it\n"
    "to develop and test estimators; do not use it to rank real summarizers.\n"
    "\n"
    "## What is in it\n"
    "\n"
    "* Contexts: news articles of 200 to 600 words. Each is built from known facts (who, what,\n"
    "  when, where, numbers, quotations, qualifiers) of one of thirteen kinds of events: "
    "election,\n"
    "  budget, court ruling, company results, strike, product launch, storm, study, nature\n"
    "  reserve, cup final, railway closure, outbreak, theft. Lead, core and extra facts are the\n"
    "  *major points*; the others are detail. The event comes first, or after scenes and\n"
    "  background, or first with the rest in any order.\n"
    "* Agents: eight prompt styles in two model sizes, and four extractive systems that run on "
    "the\n"
    "  words of the article.\n"
    "* Scores: faithfulness, coverage, clarity, conciseness, integers 0 to 5 with the anchors of\n"
    "  the OBS/EXP/SIM paper's Appendix B, and the count of unsupported claims.\n"
    "* Aux labels T: ten heuristics of the two texts that know no fact.\n"
    "* Segments: one reader per component, weight 0.55 on it and 0.15 on the others.\n"
    "\n";

static const char manners[] =
    "\n"
    "The abstractive agents choose facts by importance and taste, word them tersely or at length,\n"
    "and hedge, pad, repeat, garble, distort or invent at rates that depend on the style, the "
    "size\n"
    "and the article: plain language goes wrong on technical subjects, vivid writing invents on\n"
    "dramatic ones, quotation-led summaries make up quotations where the article has few,\n"
    "figures-first ones make things up where it has few numbers, detailed ones pad short "
    "articles,\n"
    "small models confuse numbers in dense articles and read only the beginning with care. Each\n"
    "agent also has articles that it grasps well or badly; this is the same in all redraws.\n"
    "\n";

static const char judge[] =
    "## The judge\n"
    "\n"
    "The generator records what each sentence asserts: a fact as the article states it, a fact\n"
    "distorted, an invention, a repetition, or nothing. The judge counts these records and the\n"
    "blemishes of the text. No score is drawn at random.\n"
    "\n"
    "* `unsupported_claims`: distorted facts + inventions.\n"
    "* `faithfulness`: weight = 1 for each such claim, 2 if it concerns a major point or changes "
    "the\n"
    "  event. 5: weight 0; 4: 1; 3: 2 to 3; 2: 4 to 7; 1: 8 or more, or more than half of what is\n"
    "  asserted; 0: four fifths of it or more, or an empty text.\n"
    "* `coverage`: major points stated rightly. 5: all; 4: all but one; 3: at least half; 2: at\n"
    "  least a quarter; 1: any; 0: none.\n"
    "* `clarity`: blemishes = 2 for each doubled word, broken-off sentence or reference to "
    "somebody\n"
    "  not introduced; 1 for each person called \"the official\", repetition, break in the order "
    "of\n"
    "  telling, two hedges; 1 for more than three bullets and 1 more for more than six. 5: none;\n"
    "  4: to 2; 3: to 4; 2: to 6; 1: to 9; 0: more, or an empty text.\n"
    "* `conciseness`: 5 less two losses, not below 0. Length, words against ten a major point: "
    "none\n"
    "  from 60 to 150 percent, 1 from 45 to 200, 2 from 33 to 270, 3 from 20 to 350, else 4. Idle\n"
    "  words (filler, scenes, repetition, hedges and emphasis, and half of minor detail): none\n"
    "  below 8 percent, 1 below 18, 2 below 32, 3 below 50, else 4.\n"
    "\n";

static void agents_table(struct regret_text *t)
{
    regret_text_append(t, "## Agents\n\n| id | what it is | cost |\n|---|---|---|\n");
    for (size_t i = 0; i < REGRET_NEWSWIRE_AGENTS; i++) {
        regret_text_printf(t, "| `%s` | %s | %.2f |\n", newswire_agents[i].id,
                           newswire_agents[i].title, newswire_agents[i].cost);
    }
}

int regret_newswire_card(char **out, const struct regret_newswire_options *options)
{
    const struct regret_newswire_options defaults = REGRET_NEWSWIRE_OPTIONS_INIT;
    const struct regret_newswire_options *o = options != NULL ? options : &defaults;
    struct regret_text t = REGRET_TEXT_INIT;
    regret_text_append(&t, what);
    agents_table(&t);
    regret_text_append(&t, manners);
    regret_text_append(&t, judge);
    regret_text_printf(
        &t,
        "## Making it again\n"
        "\n"
        "    regret pool synth newswire --seed %" PRIu64 " --articles %zu --draws %zu -o newswire\n"
        "\n"
        "The same seed gives the same bytes on every machine; article i and draw k do\n"
        "not depend on how many are made. The generator can redraw any (article,\n"
        "agent): it is the SIM of this pool.\n"
        "\n"
        "Licence: Apache-2.0, texts included.\n",
        o->seed, o->articles, o->draws);
    int status = regret_text_status(&t);
    if (status == REGRET_OK) {
        status = regret_strndup(out, regret_text_get(&t), t.length);
    }
    regret_text_free(&t);
    return status;
}
