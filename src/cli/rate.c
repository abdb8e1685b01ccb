#include "cli/internal.h"

#include <math.h>
#include <string.h>

#include "base/status.h"
#include "rate/report.h"
#include "regret/rate.h"
#include "regret/status.h"

FREED_POINTER(struct regret_rate_rows, regret_rate_rows_free)

/* The words themselves are checked by the parser of options, here and elsewhere in this room. */
static int check_inference(const struct rate_arguments *a)
{
    int unpaired = strcmp(a->se, "unpaired") == 0;
    if (unpaired && a->interval != NULL && a->interval[0] == 's') {
        return regret_fail(REGRET_E_INPUT, "--se unpaired is the authors' code's, which has normal "
                                           "intervals; leave --interval student or it out");
    }
    if (unpaired && a->cluster != NULL && strcmp(a->cluster, "none") != 0) {
        return regret_fail(REGRET_E_INPUT,
                           "--se unpaired is the authors' code's, which takes rows as "
                           "independent; leave --cluster or it out");
    }
    return REGRET_OK;
}

static int settle(struct rate_arguments *a)
{
    TRY(regret_format_parse(&a->table_format, a->format));
    TRY(check_inference(a));
    a->options = (struct regret_rate_options){
        .se = a->se[0] == 'u' ? REGRET_SE_UNPAIRED : REGRET_SE_PAIRED,
        .clusters = a->cluster == NULL                ? REGRET_CLUSTERS_OF_GROUP
                    : strcmp(a->cluster, "none") == 0 ? REGRET_CLUSTERS_NONE
                                                      : REGRET_CLUSTERS_ALWAYS,
        .interval = a->interval != NULL && a->interval[0] == 'n' ? REGRET_INTERVAL_NORMAL
                                                                 : REGRET_INTERVAL_STUDENT,
        .bootstrap = a->bootstrap,
        .seed = a->seed,
        .threads = a->threads,
    };
    return REGRET_OK;
}

int rate_parse(struct rate_arguments *a, const struct cli_command *self,
               const struct cli_option *options, size_t least, int argc, char **argv)
{
    if (cli_parse(&a->files, &a->code, self, options, least, 256, argc, argv)) {
        return 1;
    }
    a->code = cli_report(settle(a));
    return a->code != CLI_OK;
}

/* In CSV there is no room for the issues beside the table: says them on stderr. */
static int print_issues(const struct regret_rate_rows *rows, const struct rate_arguments *a)
{
    FREED_BY(regret_buffer_free) struct regret_buffer issues = REGRET_BUFFER_INIT;
    if (a->table_format == REGRET_FORMAT_CSV && !a->without_issues) {
        regret_rate_write_issues(&issues, rows);
        TRY(regret_buffer_status(&issues));
        fputs(regret_buffer_get(&issues), stderr);
    }
    return REGRET_OK;
}

/* "NAME=EDITED,BASE" */
static int add_edit(struct regret_rate_rows *rows, const char *text)
{
    char *copy = NULL;
    TRY(regret_strdup(&copy, text));
    char *equals = strchr(copy, '=');
    char *comma = equals != NULL ? strchr(equals, ',') : NULL;
    int rc;
    if (comma == NULL || equals == copy) {
        rc = regret_fail(REGRET_E_INPUT,
                         "--edit wants NAME=EDITED,BASE (two columns of log-likelihoods), not "
                         "\"%s\"",
                         text);
    } else {
        *equals = *comma = '\0';
        rc = regret_rate_add_edit(rows, copy, equals + 1, comma + 1);
    }
    regret_free(copy);
    return rc;
}

/* Reads, derives and finishes the rows of the files. */
static int load(struct regret_rate_rows **out, const struct rate_arguments *a)
{
    FREED_BY(regret_rate_rows_free_at) struct regret_rate_rows *rows = NULL;
    struct regret_rate_read_options how = {
        .dataset = a->dataset,
        .attribute = a->attribute,
        .z_field = a->z_field,
        .cluster_key = a->cluster,
        .dataset_field = a->dataset_field,
        .w_field = a->w_field,
        .w_above = isnan(a->w_above) ? NULL : &a->w_above,
        .z_above = isnan(a->z_above) ? NULL : &a->z_above,
        .need_scores = 1,
        .without_ids = a->without_ids == NULL     ? REGRET_RATE_IDS_WANTED
                       : a->without_ids[0] == 'p' ? REGRET_RATE_IDS_PAIR
                                                  : REGRET_RATE_IDS_SEPARATE,
        .skip_bad = a->skip_bad,
        .keep_texts = a->keep_texts || a->max_words > 0 ||
                      (a->predict != NULL && strncmp(a->predict, "score:", 6) != 0),
    };
    TRY(regret_rate_read(&rows, a->files.items, a->files.count, &how));
    if (a->options.clusters == REGRET_CLUSTERS_ALWAYS && rows->n_clusters == 0) {
        return regret_fail(
            REGRET_E_INPUT,
            "no row has a \"%s\" to tell clusters by; name another key by --cluster, or "
            "leave it out",
            a->cluster);
    }
    TRY(regret_rate_average_rewrites(rows));
    for (size_t k = 0; k < a->edits.count; k++) {
        TRY(add_edit(rows, a->edits.items[k]));
    }
    if (a->max_words > 0) {
        TRY(regret_rate_drop_long(rows, a->max_words));
    }
    if (a->predict != NULL) {
        TRY(regret_rate_predict_w(rows, a->predict));
    }
    if (a->combine) {
        TRY(regret_rate_combine_datasets(rows));
    }
    TRY(regret_rate_rows_finish(rows));
    *out = rows;
    rows = NULL;
    return REGRET_OK;
}

int rate_run(rate_study *study, const void *options, const struct rate_arguments *a)
{
    struct regret_rate_rows *rows = NULL;
    struct regret_buffer document = REGRET_BUFFER_INIT;
    int rc, estimated = 1;
    TRY_CLEANUP(load(&rows, a));
    TRY_CLEANUP(study(&document, &estimated, rows, a, options));
    rc = print_issues(rows, a);
cleanup:
    regret_rate_rows_free(rows);
    int code = cli_print_csv(&document, rc, a->safe_csv && a->table_format == REGRET_FORMAT_CSV);
    if (code == CLI_OK && !estimated) {
        cli_say("nothing could be estimated; the table says why");
        return CLI_FAILED;
    }
    return code;
}

/* `regret rate`: its sub-commands. */

/* `regret rate samples`. */

static int samples(struct regret_buffer *document, int *estimated, struct regret_rate_rows *rows,
                   const struct rate_arguments *a, const void *per_group)
{
    size_t shown = 0;
    (void)estimated;
    TRY(regret_rate_write_samples(document, a->table_format, rows, *(const size_t *)per_group,
                                  &shown));
    return shown > 0 ? REGRET_OK
                     : regret_fail(REGRET_E_INPUT, "no row has W and all three texts; give them as "
                                                   "\"completions\"");
}

static int run_rate_samples(const struct cli_command *self, int argc, char **argv)
{
    struct rate_arguments a = RATE_ARGUMENTS;
    size_t per_group = 2;
    a.keep_texts = a.without_issues = 1;
    const struct cli_option options[] = {{"rows", 'n', CLI_SIZE, &per_group, "N",
                                          "of each dataset and attribute (default 2)", 1, 1e6},
                                         RATE_FORMAT_OPTIONS(a),
                                         RATE_ROWS_OPTIONS(a),
                                         {0}};
    return rate_parse(&a, self, options, 1, argc, argv) ? a.code
                                                        : rate_run(samples, &per_group, &a);
}

/* `regret rate human`. */

static int calibrate(struct regret_buffer *document, int *estimated, struct regret_rate_rows *rows,
                     const struct rate_arguments *a, const void *human)
{
    FREED_BY(regret_rate_calibration_free) struct regret_rate_calibration calibration = {0};
    TRY(regret_rate_calibrate(&calibration, rows, human, &a->options));
    *estimated = calibration.n_choices > 0;
    regret_rate_write_calibration(document, a->table_format, rows, &calibration);
    return REGRET_OK;
}

static int run_rate_human(const struct cli_command *self, int argc, char **argv)
{
    const char *human = "human";
    struct rate_arguments a = RATE_ARGUMENTS;
    const struct cli_option options[] = {
        CLI_OPTION("human", 0, CLI_STRING, &human, "MODEL",
                   "the \"reward model\" whose scores are people's labels (default human)"),
        RATE_CLUSTER_OPTION(a),
        RATE_FORMAT_OPTIONS(a),
        RATE_ROWS_OPTIONS(a),
        {0}};
    return rate_parse(&a, self, options, 1, argc, argv) ? a.code : rate_run(calibrate, human, &a);
}

/* `regret rate check`. */

static int check(struct regret_buffer *document, int *estimated, struct regret_rate_rows *rows,
                 const struct rate_arguments *a, const void *options)
{
    FREED_BY(regret_rate_check_free) struct regret_rate_check check = {0};
    TRY(regret_rate_check(&check, rows, options));
    regret_rate_write_check(document, a->table_format, rows, &check);
    *estimated = check.n_movements + check.n_wins + check.n_flips > 0;
    return REGRET_OK;
}

static int run_rate_check(const struct cli_command *self, int argc, char **argv)
{
    struct rate_arguments a = RATE_ARGUMENTS;
    struct cli_list off_target = {.count = 0};
    const char *classifier = NULL;
    const struct cli_option options[] = {
        RATE_FORMAT_OPTIONS(a),
        CLI_OPTION("off-target", 0, CLI_LIST, &off_target, "MODEL",
                   "a \"reward model\" whose score is an off-target attribute"),
        CLI_OPTION("classifier", 0, CLI_STRING, &classifier, "HOW",
                   "of W, for flips: length:T, score:MODEL:T or text"),
        RATE_CLUSTER_OPTION(a),
        RATE_SOURCE_OPTIONS(a),
        {0}};
    if (rate_parse(&a, self, options, 1, argc, argv)) {
        return a.code;
    }
    a.keep_texts = 1;
    const struct regret_rate_check_options how = {off_target.items, off_target.count, classifier,
                                                  a.options.clusters};
    return rate_run(check, &how, &a);
}

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
