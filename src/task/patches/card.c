/* The card of the pool. */
#include <inttypes.h>

#include "regret/alloc.h"
#include "regret/patches.h"
#include "regret/text_buffer.h"
#include "task/patches/agents.h"

static const char what[] =
    "# patches\n"
    "\n"
    "**SYNTHETIC.** Every project, issue and patch of this pool was made by a program. No agent in "
    "it\n"
    "is real, and no language model wrote or judged any of it. Use it to develop and test\n"
    "estimators; do not use it to rank real coding agents.\n"
    "\n"
    "## What is in it\n"
    "\n"
    "* Contexts: issues. Each tells in a user's words of one fault seeded in a small project of\n"
    "  several modules: the symptom, one call that goes wrong and one that does not (with the\n"
    "  results that the programs really give), and then, or not, the function, the file, a guess\n"
    "  at the cause. The projects (a shop, a ledger, a lending library, a text kit, grids, a "
    "rota,\n"
    "  a league, trips, sensors, job queues) are written in a subset of Python.\n"
    "* Faults: off by one, comparison, operator, constant, wrong or swapped names, condition,\n"
    "  missing check, missing step. About one in eight is not in the function that the user calls\n"
    "  but in one that this calls.\n"
    "* Outputs: unified diffs, or nothing. Every diff applies to the faulty project.\n"
    "* `success`: 1 when the patched project passes all 24 hidden tests, else 0. A test is a call "
    "and\n"
    "  what the right program returns; the program made by applying the text of the diff is run "
    "by\n"
    "  an interpreter with limits of steps, depth and memory. The right program passes all tests, "
    "the\n"
    "  faulty one fails at least one. Tests that a patch adds or changes do not count.\n"
    "* `size`, `locality`, `focus`: computed from the diff (and the issue), 1 the best; formulas "
    "in\n"
    "  include/regret/patch.h. All 0 for an empty patch.\n"
    "* Aux labels T: the statistics of the diff.\n"
    "* Segments: the user types of the coding task.\n"
    "\n";

static const char manners[] =
    "\n"
    "An agent makes up to so many attempts. An attempt is at the place of the fault or elsewhere "
    "(in\n"
    "the same function, in the same file, or in another), with chances that depend on the agent, "
    "on\n"
    "how much the issue gives away and on whether the fault is where the user thinks; at the place "
    "it\n"
    "makes the right change or another one, with chances that depend on the agent and on the kind "
    "of\n"
    "the fault. Some agents run the example of the issue and try again when it still fails, hand "
    "in\n"
    "nothing, or answer the example alone. Each agent also grasps some issues well and others "
    "badly;\n"
    "this is the same in all redraws. Then come the manners: comments, guards, restyled files, "
    "renamed\n"
    "variables, helper functions, docstrings, tests, scripts, change notes, debug output. An agent "
    "has\n"
    "an idea of how good its change is: it distrusts about four in five of the wrong ones and few "
    "of\n"
    "the right ones, and what it writes shows it (hedging comments and debug output, or a test). "
    "The\n"
    "outcome does not: success is what the hidden tests say of the text.\n"
    "\n";

static void agents_table(struct regret_text *t)
{
    regret_text_append(t, "## Agents\n\n| id | what it is | cost |\n|---|---|---|\n");
    for (size_t i = 0; i < PATCHES_AGENTS; i++) {
        regret_text_printf(t, "| `%s` | %s | %.2f |\n", patches_agents[i].id,
                           patches_agents[i].title, patches_agents[i].cost);
    }
}

int regret_patches_card(char **out, const struct regret_patches_options *options)
{
    const struct regret_patches_options defaults = REGRET_PATCHES_OPTIONS_INIT;
    const struct regret_patches_options *o = options != NULL ? options : &defaults;
    struct regret_text t = REGRET_TEXT_INIT;
    regret_text_append(&t, what);
    agents_table(&t);
    regret_text_append(&t, manners);
    regret_text_printf(
        &t,
        "## Making it again\n"
        "\n"
        "    regret pool synth patches --seed %" PRIu64 " --issues %zu --draws %zu -o patches\n"
        "\n"
        "The same seed gives the same bytes on every machine; issue i and draw k do\n"
        "not depend on how many are made. The generator can redraw any (issue,\n"
        "agent): it is the SIM of this pool.\n"
        "\n"
        "Licence: Apache-2.0, texts included.\n",
        o->seed, o->issues, o->draws);
    int status = regret_text_status(&t);
    if (status == REGRET_OK) {
        status = regret_strndup(out, regret_text_get(&t), t.length);
    }
    regret_text_free(&t);
    return status;
}
