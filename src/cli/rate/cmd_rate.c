/* `regret rate`: its sub-commands. */
#include "cli/rate/cmd_rate.h"

static const struct cli_command subcommands[] = {
    {.name = "rate estimate",
     .synopsis = "FILE... [options]",
     .summary = "effects of attributes on reward models, from scored rewrites",
     .detail =
         "Naive, single-rewrite and double-rewrite estimates by the Rewrite-based Attribute\n"
         "Treatment Estimators (rewrite-based RATE; not the rank-weighted ATE), for every reward\n"
         "model and attribute in the files. A row of JSONL is one response:\n"
         "  {\"id\": …, \"dataset\": …, \"attribute\": …, \"w\": true, \"scores\": {\"MODEL\":\n"
         "   {\"original\": 0.1, \"rewrite\": 0.3, \"rewrite_of_rewrite\": 0.2}}}\n"
         "The layout of the paper's public code is read, too, and so is a JSON array of rows or "
         "an\n"
         "object of rows by id; .csv and .tsv have a column for each member (id, w,\n"
         "scores.MODEL.original, …); - is standard input. Reward models may come in files of "
         "their own\n"
         "that share ids. Rows with issues are named by line. The exit code is 1 where nothing "
         "could be\nestimated. --figures also writes report.html: what the estimates "
         "say, the\nfigures, every effect, and some texts beside their rewrites.",
     .examples = "regret rate estimate data/rate/rows.jsonl --figures figures\n"
                 "regret rate estimate data/rate/unlabelled.jsonl --predict-w text\n"
                 "regret rate estimate scored.jsonl --se unpaired --format csv\n"
                 "regret rate estimate scored.jsonl --bootstrap 2000 --predict-w length:970\n"
                 "regret rate estimate armorm.jsonl fsfairx.jsonl --without-ids pair\n"
                 "regret rate estimate - --skip-bad < scored.jsonl\n"
                 "regret rate estimate data/rate/rows.jsonl --edit tuned=sim-policy,sim-base",
     .run = run_rate_estimate},
    {.name = "rate contrast",
     .synopsis = "FILE... [options]",
     .summary = "differences of effects: models, rewriters, attributes, datasets, estimators",
     .detail =
         "Model against model, attribute against attribute, dataset against dataset, RATE against\n"
         "the naive and the single-rate estimate, ATT against ATU; each with the error that "
         "rows\n"
         "and prompts in common leave, an interval of its own, one that holds for all contrasts\n"
         "together, and Holm's p. FILE is that of 'regret rate estimate'.",
     .examples = "regret rate contrast data/rate/rows.jsonl --figures figures\n"
                 "regret rate contrast scored.jsonl --between models --effect RATE_ATT\n"
                 "regret rate contrast scored.jsonl --between naive,single -f csv",
     .run = run_rate_contrast},
    {.name = "rate human",
     .synopsis = "FILE... [--human MODEL] [options]",
     .summary = "reward models against people: agreement, calibration, skew towards W = 1",
     .detail =
         "People's labels stand among the scores: ratings of the three texts, as of a reward\n"
         "model \"human\", or choices of the text with W = 1 (positive), of the other (negative) "
         "or\n"
         "of neither (0), as \"contrasts\": {\"human\": {\"single\": …, \"double\": …}}.",
     .examples = "regret rate human rated.jsonl\n"
                 "regret rate human scored.jsonl ratings.csv --human crowd -f json",
     .run = run_rate_human},
    {.name = "rate samples",
     .synopsis = "FILE... [options]",
     .summary = "a few rows with their texts and rewards beside one another",
     .detail =
         "The first rows of each dataset and attribute that have W and all three texts; Markdown\n"
         "cuts texts to 240 columns, CSV and JSON have all of them.",
     .examples = "regret rate samples data/rate/rows.jsonl\n"
                 "regret rate samples scored.jsonl --rows 20 -f csv > samples.csv",
     .run = run_rate_samples},
    {.name = "rate shift",
     .synopsis = "FILE... [options] | --sizes A1Z1,A0Z1,A1Z0,A0Z0",
     .summary = "the same estimates while W is made to go with another attribute Z",
     .detail = "Samples eleven levels, P(Z=1 | W=1) from .50 to 1.00, of the same total, without\n"
               "replacement, from rows with a boolean \"z\"; an estimate that is causal stays\n"
               "level. --sizes prints the numbers of rows alone (paper, Tables 3 and 4).",
     .examples = "regret rate shift data/rate/rows.jsonl --figures figures\n"
                 "regret rate shift ratings.csv --w-field helpfulness --w-above 2 --z-field "
                 "verbosity --z-above 2\n"
                 "regret rate shift --sizes 4574,4574,4574,4574 --format csv",
     .run = run_rate_shift},
    {.name = "rate check",
     .synopsis = "FILE... [options]",
     .summary = "what the data say about the assumptions: lengths, other attributes, flips, wins",
     .detail =
         "How far rewriting moved the length, the words and any attribute that a score measures\n"
         "(--off-target), by direction, with a test that rewrites to W = 1 and to W = 0 are alike\n"
         "in it; how often W flipped and came back, by a classifier (--classifier); how often\n"
         "the text with W = 1 wins. Tests and intervals count prompts where they repeat.",
     .examples = "regret rate check data/rate/rows.jsonl --classifier text\n"
                 "regret rate check scored.jsonl --off-target formality --classifier "
                 "score:tone:0.5",
     .run = run_rate_check},
    {.name = "rate typos",
     .synopsis = "FILE... [options] | FILE --export PERCENT",
     .summary = "typos in texts that start with a vowel: an effect known to be about nothing",
     .detail =
         "--export writes the texts of FILE (.tsv, .csv, see --column, or JSONL) with typos, for\n"
         "a rewriter and reward models of your own. Their rows of several rates, with\n"
         "\"typo_percent\" as it was, come back as FILE...",
     .examples = "regret rate typos data/rate/texts.jsonl --export 30 > typos30.jsonl\n"
                 "regret rate typos reviews.tsv --column Text --export 0 > typos0.jsonl\n"
                 "regret rate typos scored0.jsonl scored30.jsonl --figures figures",
     .run = run_rate_typos},
    {.name = "rate world",
     .synopsis = "[options]",
     .summary = "bias and coverage of every estimator where the truth is known",
     .detail =
         "Three worlds: one where the assumptions of rewrite-based RATE hold, one where what\n"
         "rewriting changes depends on its direction, one where the reward is not additive.\n"
         "Beside each bias stands the one that theory predicts.",
     .examples = "regret rate world --replicates 2000\n"
                 "regret rate world --world valid --export > rows.jsonl",
     .run = run_rate_world},
    {0},
};

static int run_rate(const struct cli_command *self, int argc, char **argv)
{
    return cli_dispatch(self, subcommands, argc, argv);
}

const struct cli_command cmd_rate = {
    .name = "rate",
    .synopsis = "estimate|contrast|human|samples|shift|check|typos|world …",
    .summary = "effects of text attributes on reward models (rewrite-based RATE)",
    .run = run_rate,
};
