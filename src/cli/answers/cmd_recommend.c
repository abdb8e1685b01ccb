#include "base/core/try.h"
#include "cli/answers/new_requests.h"
#include "cli/terminal/cli.h"
#include "regret/report.h"

/* The parser takes no other words. */
static enum regret_recommend_format format_of(const char *word)
{
    return word[0] == 'c'   ? REGRET_RECOMMEND_CSV
           : word[0] == 'j' ? REGRET_RECOMMEND_JSON
           : word[0] == 'm' ? REGRET_RECOMMEND_MARKDOWN
                            : REGRET_RECOMMEND_TEXT;
}

/* Lists are what they are, whatever can be told; an answer that is none is a failure to a script. */
static int exit_code(int printed, const struct regret_recommendation *answer,
                     enum regret_recommend_format format)
{
    int is_answer = format == REGRET_RECOMMEND_TEXT || format == REGRET_RECOMMEND_MARKDOWN;
    return printed == CLI_OK && is_answer && answer->rule == REGRET_ADVICE_NONE ? CLI_CANNOT_TELL
                                                                                : printed;
}

static int run_recommend(const struct cli_command *self, int argc, char **argv)
{
    const char *word = NULL;
    size_t cell = REGRET_NO_ROW;
    int safe_csv = 0, json = 0;
    struct regret_recommend_options o = {0};
    struct new_requests new_requests = {0};
    const struct cli_option options[] = {
        {"format", 'f', CLI_STRING, &word, "text|md|csv|json", "what is printed (default text)", 0,
         0},
        CLI_JSON(json),
        {"tag", 0, CLI_STRING, &o.tag, "TAG", "list the contexts with this tag", 0, 0},
        {"context", 0, CLI_STRING, &o.context, "ID", "list this context", 0, 0},
        {"agent", 0, CLI_STRING, &o.agent, "ID", "list the contexts this agent is for", 0, 0},
        {"cell", 0, CLI_SIZE, &cell, "N", "of this cell alone (default: all together)", 0, 1e6},
        CLI_SAFE_CSV(safe_csv),
        CLI_NEW_REQUESTS(new_requests),
        {0}};
    struct cli_arguments rest;
    struct regret_recommendation answer = {0};
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
    if (word != NULL || json) {
        word = cli_format(word, json);
        if (word == NULL) {
            return CLI_USAGE;
        }
        o.format = format_of(word);
    }
    o.one_cell = cell != REGRET_NO_ROW;
    o.cell = cell;
    int rc;
    TRY_CLEANUP(regret_results_read(&run, rest.items[0]));
    rc = regret_recommend(&text, &answer, run, &o);
cleanup:
    regret_results_free(run);
    code = cli_print_csv(&text, rc, safe_csv && o.format == REGRET_RECOMMEND_CSV);
    return exit_code(code, &answer, o.format);
}

const struct cli_command cmd_recommend = {
    .name = "recommend",
    .synopsis = "RUN [--tag TAG] [--context ID] [--agent ID] [--cell N]\n"
                "[--format text|md|csv|json] [--safe-csv] [--new FILE] [--model PATH]",
    .summary = "which agent to use for what, as far as a run can tell",
    .detail =
        "Which of three rules the run supports: everything to one agent; one agent by tag; or\n"
        "by request, the choice of a family. Of those that beat an agent at random for certain\n"
        "the answer is the simplest that no richer one beats, by the gain on held-out contexts\n"
        "with intervals by seeds and contexts both (what new requests of this kind may show),\n"
        "and what it gains over the best single agent by\n"
        "log (best-obs) and by experiment (best-exp). With it come all cautions of the run.\n"
        "Where no rule is better for certain than an agent at random it says that it cannot\n"
        "tell, about how much data would, and exits with 3 (text and md; csv and json: 0).\n"
        "csv, json and md list every context that was held out: the agent that each family\n"
        "recommends most often, the baselines, and the vote of the families that are not\n"
        "separable from the one of lowest regret, with values, and margins over the best\n"
        "single agents.\n"
        "Cells of different contexts or agents are not taken together: --cell N chooses one.\n"
        "The rewards are those of the pool, which knows them for every context and agent.\n"
        "--new FILE recommends for requests that no agent has answered (columns text or prompt;\n"
        "id, tag and own columns of the run's table where there are), a line each: agent, value\n"
        "and its 95 % interval, margin over the best single agent. A model of tag, words and\n"
        "own columns is made of the pool at first use and kept in RUN; with --model PATH neither\n"
        "run nor pool is needed. Where it is not separably better than the best single agent,\n"
        "that one is recommended.",
    .examples =
        "regret recommend runs/mine\n"
        "regret recommend runs/mine --tag code\n"
        "regret recommend runs/mine --cell 0 --format csv > recommended.csv\n"
        "regret recommend runs/mine --json\n"
        "regret recommend runs/mine --new prompts.csv > who.csv\n"
        "regret recommend --model runs/mine/model.regret --new - --format json < prompts.csv",
    .run = run_recommend,
};
