#include "base/core/try.h"
#include "cli/answers/new_requests.h"
#include "cli/terminal/cli.h"
#include "regret/report.h"

/* The parser takes no other words. */
static enum regret_recommend_format format_of(const char *word)
{
    return word[0] == 'c'   ? REGRET_RECOMMEND_CSV
           : word[0] == 'j' ? REGRET_RECOMMEND_JSON
                            : REGRET_RECOMMEND_MARKDOWN;
}

static int run_recommend(const struct cli_command *self, int argc, char **argv)
{
    const char *word = NULL;
    size_t cell = REGRET_NO_ROW;
    int safe_csv = 0, json = 0;
    struct new_requests new_requests = {0};
    const struct cli_option options[] = {
        {"format", 'f', CLI_STRING, &word, "md|csv|json", "what is printed (default md)", 0, 0},
        CLI_JSON(json),
        {"cell", 0, CLI_SIZE, &cell, "N", "of this cell alone (default: all together)", 0, 1e6},
        CLI_SAFE_CSV(safe_csv),
        CLI_NEW_REQUESTS(new_requests),
        {0}};
    struct cli_arguments rest;
    struct regret_results *run = NULL;
    struct regret_buffer text = REGRET_BUFFER_INIT;
    int code = 0;
    if (cli_parse(&rest, &code, self, options, 0, 1, argc, argv)) {
        return code;
    }
    if (new_requests_are_wanted(&new_requests)) {
        const struct new_requests_output output = {cell, word, json, safe_csv};
        return new_requests_run(&new_requests, rest.count > 0 ? rest.items[0] : NULL, &output);
    }
    if (rest.count == 0) {
        return cli_usage_error("recommend: give a RUN (see regret recommend --help)");
    }
    word = cli_format(word, json);
    if (word == NULL) {
        return CLI_USAGE;
    }
    enum regret_recommend_format format = format_of(word);
    int rc;
    TRY_CLEANUP(regret_results_read(&run, rest.items[0]));
    rc = regret_recommend(&text, run, cell, format);
cleanup:
    regret_results_free(run);
    return cli_print_csv(&text, rc, safe_csv && format == REGRET_RECOMMEND_CSV);
}

const struct cli_command cmd_recommend = {
    .name = "recommend",
    .synopsis = "RUN [--cell N] [--format md|csv|json] [--safe-csv] [--new FILE] [--model PATH]",
    .summary = "the agents that a run recommends, by context and in all",
    .detail =
        "For every context that was held out, and for all together: the agent that each family\n"
        "recommends most often over the replicates, and that of the vote of the families that\n"
        "are not separable from the one of lowest regret (95 % bootstrap interval of the paired\n"
        "difference over seeds). With it the mean reward of what was recommended, its margin\n"
        "over recommending to every context the agent of the best mean in EXP (best-exp), and\n"
        "their 95 % intervals by Student's t over seeds; of all contexts together also by seeds\n"
        "and contexts both, which is what new requests of this kind may show.\n"
        "Cells of different contexts or agents are not taken together: --cell N chooses one.\n"
        "The rewards are those of the pool, which knows them for every context and agent.\n"
        "--new FILE recommends for requests that no agent has answered (columns text or prompt;\n"
        "id and tag where there are), a line each: agent, value and its 95 % interval, margin\n"
        "over the best single agent. A model of tag and words is made of the run's pool at first\n"
        "use and kept in RUN; with --model PATH neither run nor pool is needed. Where it is not\n"
        "separably better than the best single agent, that one is recommended.",
    .examples =
        "regret recommend runs/mine\n"
        "regret recommend runs/mine --cell 0 --format csv > recommended.csv\n"
        "regret recommend runs/mine --json\n"
        "regret recommend runs/mine --new prompts.csv > who.csv\n"
        "regret recommend --model runs/mine/model.regret --new - --format json < prompts.csv",
    .run = run_recommend,
};
