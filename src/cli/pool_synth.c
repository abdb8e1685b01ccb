/* `pool synth`: synthetic pools. */
#include <string.h>

#include "base/status.h"
#include "cli/internal.h"
#include "regret/status.h"
#include "regret/synth.h"

enum { MOST = 16 }; /* generators */

struct asked {
    struct regret_synth_options options;
    size_t contexts[MOST]; /* by the option of generator i (see option_of); 0: not given */
    const char *output;
    int force;
};

static size_t n_generators(void)
{
    size_t n = 0;
    while (n < MOST && regret_generator_at(n) != NULL) {
        n++;
    }
    return n;
}

/* The first generator that calls its contexts as generator i does: they share its option
 * and its default. */
static size_t option_of(size_t i)
{
    size_t first = 0;
    while (strcmp(regret_generator_at(first)->contexts, regret_generator_at(i)->contexts) != 0) {
        first++;
    }
    return first;
}

/* Names with `between` between them, and `last` before the last. */
static void put_names(struct regret_buffer *t, const char *between, const char *last)
{
    for (size_t i = 0; i < n_generators(); i++) {
        regret_buffer_printf(t, "%s%s",
                             i == 0                   ? ""
                             : i + 1 < n_generators() ? between
                                                      : last,
                             regret_generator_at(i)->name);
    }
}

static void put_synopsis(struct regret_buffer *t)
{
    put_names(t, "|", "|");
    regret_buffer_append(t, " -o POOL [--seed S] [");
    for (size_t i = 0; i < n_generators(); i++) {
        if (option_of(i) == i) {
            regret_buffer_printf(t, "%s--%s N", i == 0 ? "" : "|",
                                 regret_generator_at(i)->contexts);
        }
    }
    regret_buffer_append(t, "] [--draws K]");
}

static void put_detail(struct regret_buffer *t)
{
    for (size_t i = 0; i < n_generators(); i++) {
        const struct regret_generator *g = regret_generator_at(i);
        regret_buffer_printf(t, "%s: %s.\n", g->name, g->about);
    }
    regret_buffer_append(
        t,
        "Every byte depends on seed, context, agent and draw alone. The card that goes with the\n"
        "pool states the rules of the generator and of the scores.");
}

static void put_examples(struct regret_buffer *t)
{
    for (size_t i = 0; i < n_generators(); i++) {
        const struct regret_generator *g = regret_generator_at(i);
        regret_buffer_printf(t, "%sregret pool synth %s%s --%s 200%s -o my-%s", i == 0 ? "" : "\n",
                             g->name, i == 0 ? " --seed 7" : "", g->contexts,
                             i == 0 ? " --draws 2" : "", g->name);
    }
}

static int write_pool(const struct regret_generator *g, const struct asked *asked)
{
    struct regret_pool *pool = NULL;
    char *card = NULL;
    int rc;
    TRY_CLEANUP(regret_synth_pool(&pool, g, &asked->options));
    TRY_CLEANUP(regret_synth_card(&card, g, &asked->options));
    TRY_CLEANUP(regret_pool_write(pool, asked->output, card, asked->force));
    fprintf(stderr, "regret: %s holds %zu %s, %zu agents, %zu outputs\n", asked->output,
            pool->n_contexts, g->contexts, pool->n_agents, pool->n_outputs);
cleanup:
    regret_free(card);
    regret_pool_free(pool);
    return cli_report(rc);
}

static int unknown_generator(const char *name)
{
    struct regret_buffer list = REGRET_BUFFER_INIT;
    const char *names[MOST];
    for (size_t i = 0; i < n_generators(); i++) {
        names[i] = regret_generator_at(i)->name;
    }
    regret_buffer_append(&list, "there are ");
    put_names(&list, ", ", " and ");
    const struct cli_unknown as = {"generator", "", regret_buffer_get(&list)};
    int code = cli_unknown(&as, name, names, n_generators());
    regret_buffer_free(&list);
    return code;
}

static int generate(struct asked *asked, const char *name)
{
    const struct regret_generator *g = NULL;
    size_t contexts = 0;
    int other = 0; /* the option of another generator was given */
    for (size_t i = 0; i < n_generators() && g == NULL; i++) {
        if (strcmp(regret_generator_at(i)->name, name) == 0) {
            g = regret_generator_at(i);
            contexts = asked->contexts[option_of(i)];
        }
    }
    if (g == NULL) {
        return unknown_generator(name);
    }
    for (size_t i = 0; i < n_generators(); i++) {
        other |=
            asked->contexts[i] != 0 && strcmp(regret_generator_at(i)->contexts, g->contexts) != 0;
    }
    if (other) {
        return cli_usage_error("%s writes %s: say --%s N", name, g->contexts, g->contexts);
    }
    if (asked->output == NULL) {
        return cli_usage_error("say where to write: -o POOL");
    }
    asked->options.contexts = contexts != 0 ? contexts : g->default_contexts;
    return write_pool(g, asked);
}

static int run(const struct cli_command *self, int argc, char **argv)
{
    struct asked asked = {.options = REGRET_SYNTH_OPTIONS_INIT};
    char help[MOST][128];
    const struct cli_option output = {
        "output", 'o', CLI_STRING, &asked.output, "POOL", "the folder to write (required)", 0, 0};
    const struct cli_option seed = {
        "seed", 0, CLI_U64, &asked.options.seed, "S", "of everything random (default: 1)", 0, 0};
    const struct cli_option draws = {"draws",  0,
                                     CLI_SIZE, &asked.options.draws,
                                     "K",      "outputs of each context and agent (default: 1)",
                                     1,        REGRET_POOL_MAX_OUTPUTS};
    const struct cli_option force = {
        "force", 'f', CLI_FLAG, &asked.force, NULL, "replace a pool that is there already", 0, 0};
    struct cli_option options[MOST + 5] = {output, seed};
    size_t n = 2;
    for (size_t i = 0; i < n_generators(); i++) {
        const struct regret_generator *g = regret_generator_at(i);
        snprintf(help[i], sizeof help[i], "%s to write (default: %zu)", g->contexts,
                 g->default_contexts);
        if (option_of(i) == i) {
            options[n++] =
                (struct cli_option){g->contexts, 0,       CLI_SIZE, &asked.contexts[i],
                                    "N",         help[i], 1,        REGRET_POOL_MAX_CONTEXTS};
        }
    }
    options[n++] = draws;
    options[n++] = force;
    struct cli_arguments rest;
    int code = 0;
    if (cli_parse(&rest, &code, self, options, 1, 1, argc, argv)) {
        return code;
    }
    return generate(&asked, rest.items[0]);
}

int cmd_pool_synth(const struct cli_command *self, int argc, char **argv)
{
    struct regret_buffer synopsis = REGRET_BUFFER_INIT, detail = REGRET_BUFFER_INIT;
    struct regret_buffer examples = REGRET_BUFFER_INIT;
    struct cli_command told = *self;
    put_synopsis(&synopsis);
    put_detail(&detail);
    put_examples(&examples);
    told.synopsis = regret_buffer_get(&synopsis);
    told.detail = regret_buffer_get(&detail);
    told.examples = regret_buffer_get(&examples);
    int rc = REGRET_OK, code = CLI_FAILED;
    TRY_CLEANUP(regret_buffer_status(&synopsis));
    TRY_CLEANUP(regret_buffer_status(&detail));
    TRY_CLEANUP(regret_buffer_status(&examples));
    code = run(&told, argc, argv);
cleanup:
    regret_buffer_free(&synopsis);
    regret_buffer_free(&detail);
    regret_buffer_free(&examples);
    return rc != REGRET_OK ? cli_report(rc) : code;
}
