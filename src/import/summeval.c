/* SummEval. */
#include <cJSON.h>
#include <math.h>
#include <stddef.h>

#include "base/input.h"
#include "base/jsonl.h"
#include "base/status.h"
#include "import/importer.h"
#include "import/internal.h"

static const char CARD[] =
    "# SummEval: expert judgements of 16 summarisers\n\n"
    "Summaries of CNN/DailyMail articles by published systems, each judged by experts for\n"
    "coherence, consistency, fluency and relevance on 1 to 5; the scores are the experts' "
    "means.\n\n"
    "* faithfulness = consistency, coverage = relevance, clarity = (coherence + fluency)/2\n"
    "* conciseness is made by formula from the length beside the reference's and from repeated\n"
    "  trigrams; nobody judged it\n"
    "* unsupported_claims = round(5 - consistency), a stand-in for a count\n"
    "* aux labels are text statistics computed by the importer\n"
    "* an agent's cost is the mean number of tokens of its summaries\n\n"
    "Judgements: Fabbri et al., \"SummEval: Re-evaluating Summarization Evaluation\", TACL 2021,\n"
    "doi:10.1162/tacl_a_00373, MIT licence. The articles belong to their publishers and are not\n"
    "covered by it: keep this pool to yourself unless you have their leave.\n";

/* The systems of SummEval that were judged, as its authors list them. */
static const char *const TITLES[][2] = {{"M0", "LEAD-3"},
                                        {"M1", "NEUSUM"},
                                        {"M2", "BanditSum"},
                                        {"M5", "RNES"},
                                        {"M8", "Pointer-generator"},
                                        {"M9", "Fast-abs-rl"},
                                        {"M10", "Bottom-up"},
                                        {"M11", "Improve-abs"},
                                        {"M12", "Unified-ext-abs"},
                                        {"M13", "ROUGESal"},
                                        {"M14", "Multi-task (entailment and questions)"},
                                        {"M15", "Closed-book decoder"},
                                        {"M17", "T5"},
                                        {"M20", "GPT-2 from human preferences"},
                                        {"M22", "BART"},
                                        {"M23", "PEGASUS"}};

/* The values that are read, in the order of the map. */
enum { FAITHFULNESS, COVERAGE, CLARITY, CONCISENESS, UNSUPPORTED_CLAIMS };

/* The map of a layout: its name, and its fields of ids, texts and, before their names, scores. */
#define MAP(layout, context, agent, output, text, scores)                                          \
    "{\"name\": \"summeval\", \"synthetic\": false, \"version\": \"1\",\n"                         \
    " \"title\": \"SummEval: expert judgements of summaries of news articles\",\n"                 \
    " \"licence\": \"MIT (judgements); articles: rights of their publishers\",\n"                  \
    " \"source\": \"SummEval, TACL 2021, doi:10.1162/tacl_a_00373, in the layout of " layout       \
    "\",\n"                                                                                        \
    " \"columns\": {\"context\": \"" context "\", \"agent\": \"" agent "\", \"output\": \"" output \
    "\",\n"                                                                                        \
    "             \"text\": \"" text "\", \"reference\": [\"reference\", \"references\"]},\n"      \
    " \"components\": [\n"                                                                         \
    "   {\"name\": \"faithfulness\", \"from\": \"" scores                                          \
    ".consistency\", \"low\": 1, \"high\": 5},\n"                                                  \
    "   {\"name\": \"coverage\", \"from\": \"" scores ".relevance\", \"low\": 1, \"high\": 5},\n"  \
    "   {\"name\": \"clarity\", \"from\": [\"" scores ".coherence\", \"" scores                    \
    ".fluency\"], \"low\": 1, \"high\": 5}],\n"                                                    \
    " \"counts\": [{\"name\": \"unsupported_claims\", \"from\": \"" scores ".consistency\"}],\n"   \
    " \"derive\": [\"conciseness\", \"statistics\"]}\n"

static const char OF_G_EVAL[] =
    MAP("G-Eval", "doc_id", "system_id", "system_output", "source", "scores");
static const char OF_AUTHORS[] =
    MAP("its authors", "id", "model_id", "decoded", "text", "expert_annotations.*");

static int look_at_first(const char **map, const char *path)
{
    FREED_BY(json_records_close) struct json_records records = {.kind = JSON_RECORDS_OF_SET};
    const cJSON *first = NULL;
    TRY(json_records_open(&records, path, JSON_RECORDS_OF_SET));
    TRY(json_records_next(&records, &first));
    *map = cJSON_HasObjectItem(first, "expert_annotations") ? OF_AUTHORS : OF_G_EVAL;
    if (*map == OF_AUTHORS && !cJSON_HasObjectItem(first, "text")) {
        return regret_json_error(records.at, "the record has no \"text\": pair the file with the "
                                             "articles as its authors say, or take it without them "
                                             "by regret init");
    }
    return REGRET_OK;
}

/* The map of a file, by its first record; of what can be read but once, that of G-Eval. */
static int choose_map(const char **out, const char *path)
{
    int rc = input_check_regular(path);
    *out = OF_G_EVAL;
    if (rc == REGRET_E_INPUT) {
        return REGRET_OK;
    }
    TRY(rc);
    return look_at_first(out, path);
}

/* A stand-in for a count, of a score that runs up to 5. */
static void complete(double *values)
{
    values[UNSUPPORTED_CLAIMS] = round(5.0 - values[FAITHFULNESS]);
}

int regret_import_summeval(struct regret_import_report *report, const char *json_path,
                           const char *pool_path, const struct regret_import_options *options,
                           int replace)
{
    const struct regret_import_options defaults = REGRET_IMPORT_OPTIONS_INIT,
                                       *o = options != NULL ? options : &defaults;
    const char *map = NULL;
    TRY(choose_map(&map, json_path));
    const struct table_recipe recipe = {
        map, o->name, CARD, complete, TITLES, sizeof TITLES / sizeof *TITLES, "summeval"};
    const struct regret_table_options table = {.layout = REGRET_TABLE_LAYOUT_SET,
                                               .drop_unscored = o->drop_unscored,
                                               .into = o->into,
                                               .date = o->date};
    struct regret_table_report r;
    TRY(table_import(&r, &recipe, json_path, "the map of SummEval", pool_path, &table, replace));
    if (report != NULL) {
        *report = (struct regret_import_report){r.contexts, r.agents, r.outputs, r.unscored};
    }
    return REGRET_OK;
}

static int run(const struct importer_call *call)
{
    struct regret_import_options o = *(const struct regret_import_options *)call->options;
    struct regret_import_report r;
    o.into = call->into;
    o.date = call->date;
    TRY(regret_import_summeval(&r, call->from, call->to, &o, call->replace));
    regret_buffer_printf(call->report,
                         "%s holds %zu contexts, %zu agents, %zu outputs; %zu records left out\n",
                         call->name, r.contexts, r.agents, r.outputs, r.dropped);
    return regret_buffer_status(call->report);
}

static const struct regret_import_options defaults = REGRET_IMPORT_OPTIONS_INIT;

#define FIELD(name) offsetof(struct regret_import_options, name)
static const struct importer_option options[] = {
    IMPORTER_FORCE_OPTION,
    {"name", 0, IMPORTER_STRING, FIELD(name), "NAME", "name of the pool (default: summeval)", 0, 0,
     NULL, NULL},
    {"drop-unscored", 0, IMPORTER_FLAG, FIELD(drop_unscored), NULL,
     "leave out records without all scores instead of refusing them", 0, 0, NULL, NULL}};

const struct importer importer_summeval = {
    .name = "import summeval",
    .synopsis = "FILE -o POOL [--force]",
    .summary = "SummEval's expert judgements, JSON or JSONL of its authors or G-Eval",
    .detail = "consistency becomes faithfulness, relevance coverage, (coherence + fluency)/2\n"
              "clarity; conciseness, the count unsupported_claims and the aux labels are made\n"
              "by formulas that the pool's README.md states.",
    .examples = "regret import summeval summeval.json -o summeval\nregret pool show summeval",
    .run = run,
    .can_dry_run = 1,
    IMPORTER_OPTIONS(options, defaults),
};
