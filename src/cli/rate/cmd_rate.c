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
    {.name = "rate rewriters",
     .synopsis = "FILE... [options]",
     .summary = "several rewrites of each response: how much they differ, what one more would buy",
     .detail =
         "Rows of one id that differ in \"rewriter\" or \"repeat\" are rewrites of one response.\n"
         "Their mean by response is what 'regret rate estimate' and the others take for the\n"
         "reward model; here its variance is split between responses and their rewrites.\n"
         "'regret rate contrast --between rewriters' holds rewriters against each other.",
     .examples = "regret rate rewriters scored.jsonl\n"
                 "regret rate rewriters gpt.jsonl claude.jsonl --format csv\n"
                 "regret rate contrast gpt.jsonl claude.jsonl --between rewriters",
     .run = run_rate_rewriters},
    {.name = "rate dose",
     .synopsis = "FILE... [--level MODEL] [options]",
     .summary = "attributes with more than two levels: the reward per level",
     .detail =
         "The levels of the three texts stand among the scores, like those of a reward model:\n"
         "  \"scores\": {\"level\": {\"original\": 2, \"rewrite\": 5, \"rewrite_of_rewrite\": 2},\n"
         "             \"MODEL\": {…}}\n"
         "The slope of the reward on the level by rewrites of rewrites, a test that it is a\n"
         "straight line, the naive slope, and the mean rewards of each level.",
     .examples = "regret rate dose rated.jsonl --figures figures\n"
                 "regret rate dose rated.csv --level helpfulness -f csv",
     .run = run_rate_dose},
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
    {.name = "rate plan",
     .synopsis = "FILE... --detect X | --width X [options]",
     .summary = "how many prompts an effect of a given size wants, from a pilot",
     .detail =
         "FILE holds the scores of a pilot, as for 'regret rate estimate'. Responses to one\n"
         "prompt depend on each other: their intra-cluster correlation says what more of them are\n"
         "worth. --rows-per-prompt compares designs.",
     .examples = "regret rate plan pilot.jsonl --detect 0.05\n"
                 "regret rate plan pilot.jsonl --width 0.1 --rows-per-prompt 4\n"
                 "regret rate plan data/rate/rows.jsonl --detect 0.2 --scale d --power 0.9",
     .run = run_rate_plan},
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
     .synopsis = "FILE [options] | FILE... --scored",
     .summary = "typos in texts that start with a vowel: an effect known to be about nothing",
     .detail =
         "FILE holds texts: .tsv, .csv (see --column) or JSONL. The rewriter and the reward\n"
         "models are simulated; --export writes the texts with their typos instead, for a\n"
         "rewriter and reward models of your own; their rows, with \"typo_percent\" as it was,\n"
         "come back by --scored.",
     .examples = "regret rate typos data/rate/texts.jsonl --figures figures\n"
                 "regret rate typos reviews.tsv --column Text --rates 0,10,20\n"
                 "regret rate typos reviews.tsv --column Text --export 30 > typos30.jsonl\n"
                 "regret rate typos scored0.jsonl scored30.jsonl --scored --figures figures",
     .run = run_rate_typos},
    {.name = "rate world",
     .synopsis = "[options]",
     .summary = "bias and coverage of every estimator where the truth is known",
     .detail =
         "Three worlds: one where the assumptions of rewrite-based RATE hold, one where what\n"
         "rewriting changes depends on its direction, one where the reward is not additive.\n"
         "Beside each bias stands the one that theory predicts. --predicted shows what predicted\n"
         "labels do, and every way to correct them.",
     .examples = "regret rate world --replicates 2000\n"
                 "regret rate world --predicted 0.85,0.2\n"
                 "regret rate world --world valid --export > rows.jsonl",
     .run = run_rate_world},
    {.name = "rate example",
     .synopsis = "-o DIR",
     .summary = "write the synthetic example set",
     .detail = "Texts made by this project, a simulated rewriter and simulated reward models, all\n"
               "labelled SYNTHETIC. The bytes are always the same.",
     .examples = "regret rate example -o data/rate",
     .run = run_rate_example},
    {0},
};

static int run_rate(const struct cli_command *self, int argc, char **argv)
{
    return cli_dispatch(self, subcommands, argc, argv);
}

const struct cli_command cmd_rate = {
    .name = "rate",
    .synopsis = "estimate|contrast|plan|shift|check|typos|world|example …",
    .summary = "effects of text attributes on reward models (rewrite-based RATE)",
    .run = run_rate,
};
