/* The public face: pool, simulator. */
#include "regret/patches.h"

#include "pool/coding_pool.h"
#include "regret/alloc.h"
#include "task/generator.h"
#include "task/patches/agents.h"

_Static_assert((int)PATCHES_AGENTS == (int)REGRET_PATCHES_AGENTS, "agents of the table");
_Static_assert((int)CODING_COMPONENTS == (int)REGRET_PATCHES_COMPONENTS, "components");

struct regret_patches {
    uint64_t seed;
};

struct desk {
    struct patches_issue issue;
    struct regret_patch_issue *words; /* of the issue, for the components */
    struct regret_text diff;
};

static void clear(void *on)
{
    struct desk *desk = on;
    patches_issue_clear(&desk->issue);
    regret_patch_issue_free(desk->words);
    regret_text_free(&desk->diff);
}

static int lay_out(void *on, uint64_t seed, size_t index)
{
    struct desk *desk = on;
    regret_patch_issue_free(desk->words);
    desk->words = NULL;
    int status = patches_issue_make(&desk->issue, seed, index);
    if (status == REGRET_OK) {
        status = regret_patch_issue_read(&desk->words, regret_text_get(&desk->issue.text),
                                         desk->issue.text.length);
    }
    return status;
}

static const struct regret_text *issue_text(const void *on)
{
    const struct desk *desk = on;
    return &desk->issue.text;
}

/* Answers, judges and labels. */
static int make_output(char **out, double **out_values, void *on, size_t agent, uint32_t draw)
{
    struct desk *desk = on;
    char *text = NULL;
    double *values = NULL;
    int success = 0;
    regret_text_clear(&desk->diff);
    int status = patches_answer(&desk->diff, &desk->issue, agent, draw);
    const char *diff = regret_text_get(&desk->diff);
    if (status == REGRET_OK) {
        status = patches_judge_diff(&success, &desk->issue, diff);
    }
    if (status == REGRET_E_INPUT) {
        status = regret_fail_prefix(REGRET_E_INTERNAL, "patches: a diff of %s on issue %zu",
                                    patches_agents[agent].id, (size_t)desk->issue.index);
    }
    if (status == REGRET_OK) {
        status = regret_strndup(&text, diff, desk->diff.length);
    }
    if (status == REGRET_OK) {
        status = REGRET_NEW(&values, CODING_VALUES);
    }
    if (status == REGRET_OK) {
        status = coding_values(values, NULL, NULL, success, text, desk->diff.length, desk->words);
    }
    if (status != REGRET_OK) {
        regret_free(text);
        regret_free(values);
        return status;
    }
    *out = text;
    *out_values = values;
    return REGRET_OK;
}

static struct generator_agent agent_of_table(size_t agent)
{
    const struct patches_agent *from = &patches_agents[agent];
    return (struct generator_agent){from->id, from->title, from->cost};
}

static const struct generator patches = {
    .name = "patches",
    .title = "Patches: synthetic issues and twelve coding agents",
    .source =
        "Made by the patches generator of regret (regret pool synth patches); no project, issue or "
        "agent in it is real",
    .context = "issue",
    .n_agents = REGRET_PATCHES_AGENTS,
    .agent = agent_of_table,
    .describe = coding_pool_describe,
    .desk_size = sizeof(struct desk),
    .lay_out = lay_out,
    .text = issue_text,
    .output = make_output,
    .clear = clear,
};

int regret_patches_generate(struct regret_pool **out, const struct regret_patches_options *options)
{
    const struct regret_patches_options defaults = REGRET_PATCHES_OPTIONS_INIT;
    const struct regret_patches_options *o = options != NULL ? options : &defaults;
    return generator_pool(out, &patches, o->seed, o->issues, o->draws);
}

int regret_patches_open(struct regret_patches **out, uint64_t seed)
{
    struct regret_patches *sim = NULL;
    int status = REGRET_NEW(&sim, 1);
    if (status != REGRET_OK) {
        return status;
    }
    sim->seed = seed;
    *out = sim;
    return REGRET_OK;
}

void regret_patches_close(struct regret_patches *sim)
{
    regret_free(sim);
}

int regret_patches_issue(const struct regret_patches *sim, size_t index,
                         struct regret_context *context)
{
    return generator_context(context, &patches, sim->seed, index);
}

int regret_patches_redraw(const struct regret_patches *sim, size_t issue, size_t agent,
                          uint32_t draw, struct regret_output *output)
{
    return generator_redraw(output, &patches, sim->seed, issue, agent, draw);
}
