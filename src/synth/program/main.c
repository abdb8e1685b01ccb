/* regret-synth: makes coding pools. It is no part of `regret`, which reads what it makes. */
#define _GNU_SOURCE /* getopt_long */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "synth/patches/patches.h"

FREED_POINTER(struct regret_pool, regret_pool_free)

static const char HELP[] =
    "Usage: regret-synth patches -o POOL [--seed S] [--issues N] [--draws K] [--force]\n\n"
    "generate a coding pool: issues of small projects, the diffs of twelve coding agents, hidden\n"
    "tests\n\n"
    "Every byte depends on seed, issue, agent and draw alone. The card that goes with the pool\n"
    "states the rules of the generator and of the scores. News articles are made by\n"
    "'regret pool synth'.\n\n"
    "Options:\n"
    "  -o, --output POOL          the folder to write (required)\n"
    "      --seed S               of everything random (default: 1)\n"
    "      --issues N             issues to write (default: 96)\n"
    "      --draws K              outputs of each issue and agent (default: 1)\n"
    "  -f, --force                replace a pool that is there already\n"
    "  -h, --help                 show this text\n\n"
    "Examples:\n"
    "  regret-synth patches -o data/pools/patches --force\n"
    "  regret-synth patches --seed 7 --issues 200 --draws 2 -o my-patches\n";

struct asked {
    uint64_t seed, issues, draws;
    const char *output;
    int force, help;
};

static int write_pool(const struct asked *asked)
{
    const struct regret_synth_options options = {asked->seed, asked->issues, asked->draws};
    const struct regret_generator *g = &patches_generator;
    FREED_BY(regret_pool_free_at) struct regret_pool *pool = NULL;
    FREED char *card = NULL;
    TRY(regret_synth_pool(&pool, g, &options));
    TRY(regret_synth_card(&card, g, &options));
    TRY(regret_pool_write(pool, asked->output, card, asked->force));
    fprintf(stderr, "regret-synth: %s holds %zu %s, %zu agents, %zu outputs\n", asked->output,
            pool->n_contexts, g->contexts, pool->n_agents, pool->n_outputs);
    return REGRET_OK;
}

/* A whole number that --NAME is given; the generator knows the range of sizes. */
static int read_number(uint64_t *out, const char *name, const char *text)
{
    char *end = NULL;
    errno = 0;
    unsigned long long n = strtoull(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || errno != 0) {
        return regret_fail(REGRET_E_INPUT, "--%s wants a whole number, not \"%s\"", name, text);
    }
    *out = n;
    return REGRET_OK;
}

static int read_options(struct asked *out, int argc, char **argv)
{
    static const struct option words[] = {{"output", required_argument, NULL, 'o'},
                                          {"seed", required_argument, NULL, 's'},
                                          {"issues", required_argument, NULL, 'i'},
                                          {"draws", required_argument, NULL, 'd'},
                                          {"force", no_argument, NULL, 'f'},
                                          {"help", no_argument, NULL, 'h'},
                                          {0}};
    int which = 0;
    while ((which = getopt_long(argc, argv, ":o:fh", words, NULL)) != -1) {
        switch (which) {
        case 'o':
            out->output = optarg;
            break;
        case 's':
            TRY(read_number(&out->seed, "seed", optarg));
            break;
        case 'i':
            TRY(read_number(&out->issues, "issues", optarg));
            break;
        case 'd':
            TRY(read_number(&out->draws, "draws", optarg));
            break;
        case 'f':
            out->force = 1;
            break;
        case 'h':
            out->help = 1;
            return REGRET_OK;
        default:
            return regret_fail(REGRET_E_INPUT, "what is %s? see 'regret-synth --help'",
                               argv[optind - 1]);
        }
    }
    if (optind + 1 != argc || strcmp(argv[optind], patches_generator.name) != 0 ||
        out->output == NULL) {
        return regret_fail(REGRET_E_INPUT, "usage: regret-synth patches -o POOL [options]; see "
                                           "'regret-synth --help'");
    }
    return REGRET_OK;
}

static int run(int argc, char **argv)
{
    struct asked asked = {.seed = 1, .issues = patches_generator.default_contexts, .draws = 1};
    TRY(read_options(&asked, argc, argv));
    if (asked.help) {
        fputs(HELP, stdout);
        return REGRET_OK;
    }
    return write_pool(&asked);
}

int main(int argc, char **argv)
{
    int rc = run(argc, argv);
    if (rc != REGRET_OK) {
        fprintf(stderr, "regret-synth: %s\n", regret_error_message());
        return rc == REGRET_E_INPUT ? 2 : 1;
    }
    return fflush(stdout) != 0;
}
