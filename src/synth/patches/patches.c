#include "synth/patches/patches.h"

#include "base/core/try.h"
#include "pool/files/coding_pool.h"
#include "regret/alloc.h"
#include "synth/patches/agents/work.h"
#include "synth/patches/issues/diff.h"

struct state {
    struct patches_corpus corpus;
    struct patches_issue issue;
    struct regret_patch_issue *words; /* of the issue, for the components */
    struct regret_buffer diff;
};

static void close_state(void *of)
{
    struct state *state = of;
    patches_issue_clear(&state->issue);
    regret_patch_issue_free(state->words);
    regret_buffer_free(&state->diff);
    patches_corpus_free(&state->corpus);
}

static int open_state(void *of)
{
    struct state *state = of;
    state->issue.corpus = &state->corpus;
    return patches_corpus_read(&state->corpus);
}

static int begin(const struct regret_buffer **text, void *of, uint64_t seed, size_t index)
{
    struct state *state = of;
    regret_patch_issue_free(state->words);
    state->words = NULL;
    *text = &state->issue.text;
    TRY(patches_issue_make(&state->issue, seed, index));
    return regret_patch_issue_read(&state->words, regret_buffer_get(*text), (*text)->length);
}

static int work_on(struct regret_buffer *out, struct patches_work *work)
{
    if (patches_chance(work->rng, work->agent->silent)) {
        return REGRET_OK;
    }
    TRY(patches_attempt(work));
    TRY(patches_follow_habits(work));
    return patches_diff(out, &work->issue->faulty, &work->patched, &work->agent->style);
}

int patches_answer(struct regret_buffer *out, const struct patches_issue *issue, size_t agent,
                   uint32_t draw)
{
    struct regret_rng rng = patches_stream_output(issue->seed, issue->index, agent, draw);
    struct patches_work *work = NULL;
    TRY(REGRET_NEW(&work, 1));
    work->issue = issue;
    work->agent = &patches_agents[agent];
    work->rng = &rng;
    int rc = work_on(out, work);
    patches_clear(&work->patched);
    regret_free(work);
    return rc;
}

/* Answers, judges and labels. */
static int answer(char **out, double **out_values, void *of, size_t agent, uint32_t draw)
{
    struct state *state = of;
    char *text = NULL;
    double *values = NULL;
    int success = 0, rc;
    regret_buffer_clear(&state->diff);
    TRY_CLEANUP(patches_answer(&state->diff, &state->issue, agent, draw));
    const char *diff = regret_buffer_get(&state->diff);
    rc = patches_judge_diff(&success, &state->issue, diff);
    if (rc == REGRET_E_INPUT) {
        rc = regret_fail_prefix(REGRET_E_INTERNAL, "patches: a diff of %s on issue %zu",
                                patches_agents[agent].id, (size_t)state->issue.index);
    }
    TRY_CLEANUP(rc);
    TRY_CLEANUP(regret_strndup(&text, diff, state->diff.length));
    TRY_CLEANUP(REGRET_NEW(&values, CODING_VALUES));
    TRY_CLEANUP(coding_values(values, NULL, NULL, success, text, state->diff.length, state->words));
    *out = text;
    *out_values = values;
    text = NULL;
    values = NULL;
cleanup:
    regret_free(text);
    regret_free(values);
    return rc;
}

static struct regret_synth_agent agent_at(size_t agent)
{
    const struct patches_agent *from = &patches_agents[agent];
    return (struct regret_synth_agent){from->id, from->title, from->cost};
}

static const char *card(void)
{
    return data_text(patches_files, DATA_FOLDER "patches/card.md");
}

const struct regret_generator patches_generator = {
    .name = "patches",
    .title = "Patches: synthetic issues and twelve coding agents",
    .version = "1",
    .licence = "Apache-2.0",
    .source =
        "Made by the patches generator of regret (regret pool synth patches); no project, issue or "
        "agent in it is real",
    .about = "issues of small projects, the diffs of twelve coding agents, hidden tests",
    .context = "issue",
    .contexts = "issues",
    .default_contexts = 96,
    .n_agents = PATCHES_AGENTS,
    .agent = agent_at,
    .card = card,
    .describe = coding_pool_describe,
    .state_size = sizeof(struct state),
    .open = open_state,
    .begin = begin,
    .answer = answer,
    .close = close_state,
};
