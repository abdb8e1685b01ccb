#include "import/batch/batch.h"

#include "base/core/try.h"
#include "regret/buffer.h"

static const char CARD[] = "Answers from the output files of a batch service; the scores are from "
                           "a file of the user's own.\n"
                           "An agent's cost is what its answers took on average, in tokens, or in "
                           "the currency of --prices.\n";

static int read_all(struct batch *b, const char *path)
{
    const struct batch_options *o = b->options;
    TRY(batch_template_check(o->ids));
    TRY(prices_read(&b->prices, o->prices));
    TRY(batch_requests_read(&b->requests, b->h, o->requests));
    TRY(batch_scores_read(&b->scores, b->h, o->scores));
    TRY(batch_outputs_read(b, path));
    TRY(harness_left_out(b->h, "rows of scores that are of no answer",
                         batch_scores_unused(&b->scores)));
    TRY(harness_left_out(b->h, "columns of scores that hold no numbers", b->scores.texts));
    return harness_left_out(b->h, "outputs of the judge without a score", b->scores.silent);
}

static int run(const struct importer_call *call)
{
    struct batch b = {.options = call->options};
    int rc;
    TRY_CLEANUP(harness_begin(&b.h, &b.options->harness));
    TRY_CLEANUP(read_all(&b, call->from));
    batch_requests_free(&b.requests); /* the harness has the prompts of answers */
    rc = harness_finish(b.h, call, "batch", "Outputs of a batch service", CARD);
cleanup:
    batch_requests_free(&b.requests);
    batch_scores_free(&b.scores);
    prices_free(&b.prices);
    batch_id_free(&b.id);
    regret_buffer_free(&b.text);
    regret_buffer_free(&b.model);
    harness_free(b.h);
    return rc;
}

static const struct batch_options defaults = {.ids = "{id}"};
#define FIELD(name) offsetof(struct batch_options, name)
static const struct importer_option options[] = {
    {"scores", 's', IMPORTER_STRING, FIELD(scores), "FILE",
     "custom_id, model where it is needed, and scores, CSV or JSONL; or a judge's batch output", 0,
     0, NULL, "say where the scores are: --scores FILE (CSV or JSONL with custom_id and a number)"},
    {"requests", 'r', IMPORTER_STRING, FIELD(requests), "FILE",
     "the input file of the batch, for the prompts (a folder or an archive, too)", 0, 0, NULL,
     NULL},
    {"ids", 0, IMPORTER_STRING, FIELD(ids), "TEMPLATE",
     "how custom_id is made, of {id}, {model}, {task} and {repeat} (default: {id})", 0, 0, NULL,
     NULL},
    {"by-file", 0, IMPORTER_FLAG, FIELD(by_file), NULL,
     "the name of an output file is that of its model", 0, 0, NULL, NULL},
    PRICES_OPTION(struct batch_options, prices),
    HARNESS_OPTIONS};

const struct importer importer_batch = {
    .name = "import batch",
    .synopsis = "OUTPUTS --scores FILE -o POOL [options]",
    .summary =
        "outputs of OpenAI's Batch API, vLLM's run_batch and their like, with scores from a file",
    .detail =
        "OUTPUTS is a file, a folder or an archive of JSONL with custom_id and response. Requests "
        "are\n"
        "told apart by custom_id; where that names the model, too, say how: --ids '{id}@{model}'.\n"
        "finish_reason length is an answer cut short, status 400 and above one that failed. The\n"
        "cost is the tokens used, or their price (--prices). docs/guide.md has the rest.",
    .examples =
        "regret import batch outputs/ --requests batch.jsonl --scores scores.csv -o pool\n"
        "regret import batch outputs/ --ids '{task}/{id}@{model}' --scores judge.jsonl -o pool",
    .run = run,
    .can_dry_run = 1,
    IMPORTER_OPTIONS(options, defaults),
};
