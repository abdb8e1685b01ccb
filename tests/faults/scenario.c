#define _GNU_SOURCE
#include "faults/faults.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "faults/shim.h"

static const char config[] =
    "{\"pool\": \"pool\", \"contexts.hard\": 0, \"seeds\": 2, \"n_obs\": 40, \"n_exp\": 30,\n"
    " \"features.buckets\": 256, \"proxy.dim\": 4, \"sweep\": {\"beta\": [0, 1]},\n"
    " \"families\": [\"exp-only\", \"representation-exp\", \"cvci\"]}\n";

static const char table[] = "doc_id,article,model,summary,judge_1\n"
                            "a,The first text of all.,m1,A summary of it.,1\n"
                            "a,The first text of all.,m2,\"Another, with a comma.\",2\n"
                            "b,The second text.,m1,It is second.,3\n"
                            "b,The second text.,m2,Second it is.,5\n";

static const char map[] =
    "{\"name\": \"mine\", \"synthetic\": false,\n"
    " \"columns\": {\"context\": \"doc_id\", \"text\": \"article\", \"agent\": \"model\",\n"
    "             \"output\": \"summary\"},\n"
    " \"components\": [{\"name\": \"faithful\", \"from\": \"judge_1\", \"low\": 1, \"high\": "
    "5}]}\n";

static const char wide[] =
    "prompt,m1,m2,m3,m1|output,m2|output,m3|output\n"
    "The first question of all.,1,2,3,An answer to it.,Another answer.,A third answer.\n"
    "The second question.,3,4,5,It is the second.,Second it is.,Is it the second?\n"
    "The third question.,2,5,1,No answer at all.,\"One, with a comma.\",The last.\n";

/* A log of each model in a folder of its own: every one of them is read, or the import fails. */
static const char logged[] =
    "{\"version\": 2, \"status\": \"success\", \"eval\": {\"run_id\": \"%s\", \"task\": \"t\",\n"
    " \"task_version\": 0, \"model\": \"%s\", \"dataset\": {}}, \"samples\": [{\"id\": 1, "
    "\"epoch\": 1,\n"
    " \"input\": \"one?\", \"target\": \"x\", \"output\": {\"completion\": \"yes\"},\n"
    " \"scores\": {\"match\": {\"value\": \"C\"}}}]}\n";

static char *path_in(const char *folder, const char *name)
{
    static char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void put(const char *folder, const char *name, const char *text)
{
    FILE *file = fopen(path_in(folder, name), "wb");
    if (file == NULL || fputs(text, file) < 0 || fclose(file) != 0) {
        tree_die("write", name);
    }
}

static void put_logs(const char *folder)
{
    static const char *const MODELS[] = {"a", "b", "c"};
    for (size_t i = 0; i < sizeof MODELS / sizeof *MODELS; i++) {
        char model[20], name[40], text[sizeof logged + 10];
        snprintf(model, sizeof model, "logs/%s", MODELS[i]);
        snprintf(name, sizeof name, "%s/log.json", model);
        snprintf(text, sizeof text, logged, MODELS[i], MODELS[i]);
        if ((i == 0 && mkdir(path_in(folder, "logs"), 0777) != 0) ||
            mkdir(path_in(folder, model), 0777) != 0) {
            tree_die("create", "logs");
        }
        put(folder, name, text);
    }
}

static void add(const char *folder, const char *name, const char *text)
{
    FILE *file = fopen(path_in(folder, name), "ab");
    if (file == NULL || fputs(text, file) < 0 || fclose(file) != 0) {
        tree_die("write", name);
    }
}

/* A run killed in the middle of a row: the second replicate is not whole. */
static void interrupt_run(const char *folder)
{
    const struct tree_entry *rows;
    struct tree tree = TREE_INIT;
    tree_read(&tree, folder);
    rows = tree_find(&tree, "out/results-1-of-1.jsonl");
    if (rows == NULL ||
        truncate(path_in(folder, "out/results-1-of-1.jsonl"), (off_t)(rows->size / 2 - 40)) != 0) {
        tree_die("truncate", "the rows");
    }
    tree_free(&tree);
}

static void age_report(const char *folder)
{
    add(folder, "out/report/report.md", "An older report.\n");
    add(folder, "out/report/results.csv", "older\n");
    put(folder, "out/report/tables/against.md", "A table that this report has not.\n");
}

static void age_figures(const char *folder)
{
    add(folder, "figures/effects.svg", "<!-- older -->\n");
    add(folder, "figures/shift-1.svg", "<!-- older -->\n");
}

static void age_pool(const char *folder)
{
    add(folder, "made/README.md", "An older card.\n");
}

#define POOL "pool synth newswire --articles 5 -o pool"
#define RUN "run config.json -o out --threads 1 --quiet"
#define SMALL "--set families=[\"exp-only\"] --set features.buckets=64 --set n_obs=20"
#define SHARD(k) "run config.json -o s" k " --shard " k "/2 --quiet --threads 1"
#define IMPORT "import csv table.csv --map map.json -o made"

const struct scenario scenarios[] = {
    {.name = "run", .line = RUN, .resume = RUN " --resume", .prepare = {POOL}},
    {.name = "run-standard-input",
     .line = "run - -o out --threads 1 --quiet --no-report <config.json " SMALL,
     .resume = "run - -o out --threads 1 --quiet --no-report --resume <config.json " SMALL,
     .prepare = {POOL}},
    {.name = "run-2-threads",
     .line = "run config.json -o out --threads 2 --quiet",
     .resume = "run config.json -o out --threads 2 --quiet --resume",
     .prepare = {POOL}},
    {.name = "resume",
     .line = RUN " --resume",
     .prepare = {POOL, RUN " --no-report"},
     .age = interrupt_run},
    {.name = "run-force",
     .line = RUN " --force",
     .resume = RUN " --resume",
     .output = "out",
     .replaces = REPLACES_LATER,
     .prepare = {POOL, RUN " --set seeds=1"}},
    {.name = "report",
     .line = "report out",
     .output = "out/report",
     .replaces = REPLACES_FOLDER,
     .prepare = {POOL, RUN},
     .age = age_report},
    {.name = "merge", .line = "merge s1 s2 -o out", .prepare = {POOL, SHARD("1"), SHARD("2")}},
    {.name = "merge-force",
     .line = "merge s1 s2 -o out --force",
     .output = "out",
     .replaces = REPLACES_FOLDER,
     .prepare = {POOL, SHARD("1"), SHARD("2"), RUN " --set seeds=1"}},
    {.name = "import-csv", .line = IMPORT},
    {.name = "import-force",
     .line = IMPORT " --force",
     .output = "made",
     .replaces = REPLACES_FOLDER,
     .prepare = {IMPORT},
     .age = age_pool},
    {.name = "import-folder", .line = "import inspect logs -o made"},
    {.name = "init", .line = "init table.csv --score judge_1 -o made"},
    {.name = "init-wide", .line = "init wide.csv -o made"},
    {.name = "import-wide",
     .line = "import csv wide.csv --map made/map.json -o pool2",
     .prepare = {"init wide.csv -o made"}},
    {.name = "synth", .line = "pool synth newswire --articles 3 -o made"},
    {.name = "pack", .line = "pool pack pool -o made", .prepare = {POOL}},
    {.name = "pack-force",
     .line = "pool pack pool -o made --force",
     .output = "made",
     .replaces = REPLACES_FOLDER,
     .prepare = {POOL, "pool synth newswire --articles 3 -o made"}},
    {.name = "cell",
     .line = "cell config.json --cell 1 --seed 1 --export made " SMALL,
     .prepare = {POOL}},
    {.name = "cell-force",
     .line = "cell config.json --cell 1 --seed 1 --export made --force " SMALL,
     .output = "made",
     .replaces = REPLACES_FOLDER,
     .prepare = {POOL, "cell config.json --cell 0 --seed 0 --export made " SMALL}},
    {.name = "figures",
     .line = "rate estimate " REGRET_SOURCE_FOLDER "/data/rate/rough.jsonl --figures figures",
     .output = "figures",
     .replaces = REPLACES_FILES,
     .prepare = {"rate estimate " REGRET_SOURCE_FOLDER "/data/rate/rough.jsonl --figures figures"},
     .age = age_figures},
};
const size_t n_scenarios = sizeof scenarios / sizeof *scenarios;

static void start(struct outcome *out, const char *folder, const char *work, const char *line,
                  const char *log)
{
    char beside[512];
    snprintf(beside, sizeof beside, "%s/beside", folder);
    launch(out, &(struct launch){.folder = work, .beside = beside, .line = line, .log = log});
    if (out->code != 0) {
        fprintf(stderr, "faults: undisturbed, \"regret %s\" exits with %d: %s\n", line, out->code,
                out->said);
        exit(3);
    }
}

static void read_counts(struct rehearsal *out, const char *log)
{
    FILE *file = fopen(log, "rb");
    char name[32];
    size_t count = 0;
    for (size_t i = 0; i < SHIM_N_CALLS; i++) {
        if (file == NULL || fscanf(file, "%31s %zu", name, &count) != 2) {
            tree_die("read the counts of", log);
        }
        out->counts[i] = count;
        *(i < SHIM_FIRST_ALLOCATION ? &out->io : &out->memory) += count;
    }
    fclose(file);
    if (out->io == 0 || out->memory == 0) {
        errno = 0;
        tree_die("count calls: is the shim loaded?", log);
    }
}

static void prepare(struct tree *before, const struct scenario *s, const char *folder,
                    const char *work)
{
    const struct tree nothing = TREE_INIT;
    struct outcome outcome;
    char beside[512];
    snprintf(beside, sizeof beside, "%s/beside", folder);
    tree_write(&nothing, folder);
    tree_write(&nothing, beside);
    tree_write(&nothing, work);
    put(work, "config.json", config);
    put(work, "table.csv", table);
    put(work, "map.json", map);
    put(work, "wide.csv", wide);
    put_logs(work);
    for (size_t i = 0; s->prepare[i] != NULL; i++) {
        start(&outcome, folder, work, s->prepare[i], NULL);
        outcome_free(&outcome);
    }
    if (s->age != NULL) {
        s->age(work);
    }
    tree_read(before, work);
}

void scenario_rehearse(struct rehearsal *out, const struct scenario *s, const char *folder)
{
    char work[512], log[512], words[512];
    struct outcome first, second;
    struct tree again = TREE_INIT;
    *out = (struct rehearsal){.before = TREE_INIT, .after = TREE_INIT};
    snprintf(work, sizeof work, "%s/work", folder);
    snprintf(log, sizeof log, "%s/beside/counts", folder);
    prepare(&out->before, s, folder, work);
    start(&first, folder, work, s->line, NULL);
    tree_read(&out->after, work);
    tree_write(&out->before, work);
    start(&second, folder, work, s->line, log);
    tree_read(&again, work);
    read_counts(out, log);
    if (!tree_same(words, sizeof words, &again, &out->after, "") ||
        strcmp(first.wrote, second.wrote) != 0) {
        fprintf(stderr, "faults: two starts of \"regret %s\" differ: %s\n", s->line, words);
        exit(3);
    }
    if (tree_same(words, sizeof words, &out->before, &out->after, "")) {
        fprintf(stderr, "faults: \"regret %s\" changes nothing\n", s->line);
        exit(3);
    }
    out->wrote = first.wrote;
    out->wrote_size = first.wrote_size;
    outcome_free(&second);
    tree_free(&again);
}

void scenario_forget(struct rehearsal *r)
{
    tree_free(&r->before);
    tree_free(&r->after);
    free(r->wrote);
    r->wrote = NULL;
}
