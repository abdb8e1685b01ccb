#include "starve/starved_commands.h"

#include <string.h>

#include "regret/buffer.h"
#include "regret/status.h"

#define RUN "run config.json --threads 1 --quiet "
/* The smallest sizes that go through every family: cost is what limits a sweep. */
#define SMALL "--set n_obs=20 --set n_exp=12 --set cv.folds=2 --set values.folds=2"
#define ONE "--set seeds=1 --set sweep.beta=[1] "

const char *const starved_preparations[] = {
    "pool synth newswire --articles 3 -o pool",
    RUN "-o done --no-report",
    RUN "-o values --no-report --set beta=0 --set sweep.n_exp=[12,14]",
    RUN "-o part-1 --shard 1/2 --no-report",
    RUN "-o part-2 --shard 2/2 --no-report",
    "pool select pool --agent small* -o part",
    "pool select pool --agent l* -o other",
    NULL,
};

const struct starved_command starved_commands[] = {
    {"run", RUN "-o out --no-report " SMALL, "out", "results-1-of-1.jsonl", STARVED_RUN},
    {"run --resume", RUN "-o out --resume --no-report " SMALL, "out", "results-1-of-1.jsonl",
     STARVED_GOES_ON},
    {"run of a world",
     RUN "-o out --no-report --set task=world --set proxy.kind=predicted-labels --set seeds=1 "
         "--set sweep.beta=[1] --set world.context_rank=2 --set world.shortlist=2 "
         "--set world.mediator_tilt=1 " SMALL,
     "out", "results-1-of-1.jsonl", STARVED_RUN},
    {"run of folds",
     RUN "-o out --no-report --set families=[\"grounded-anchored\",\"grounded-linear\"] --set "
         "grounded_linear.tuning=holdout --set contexts.folds=3 " ONE SMALL,
     "out", "results-1-of-1.jsonl", STARVED_RUN},
    {"merge", "merge part-1 part-2 -o out --no-report", "out", "results-1-of-1.jsonl",
     STARVED_NOTHING},
    {"report", "report done -o out", "out", "report.md", STARVED_NOTHING},
    {"report --table", "report done --table winners --table summary --format tex", NULL, NULL,
     STARVED_NOTHING},
    {"compare", "compare done done", NULL, NULL, STARVED_NOTHING},
    {"init", "init table.csv -o out", "out", "map.json", STARVED_FILES},
    {"evaluate", "recommend evaluate.json -o out --threads 1", "out", "result.json", STARVED_FILES},
    {"recommend", "recommend scores.csv --incumbent m0 -o out --threads 1", "out", "result.json",
     STARVED_FILES},
    {"plan of a trial", "plan evaluate.json --rows 500", NULL, NULL, STARVED_NOTHING},
    {"cell", "cell config.json --cell 1 --seed 0 -o out " SMALL, "out", "values.csv",
     STARVED_NOTHING},
    {"config", "config config.json", NULL, NULL, STARVED_NOTHING},
    {"pool validate", "pool validate pool", NULL, NULL, STARVED_NOTHING},
    {"pool stats", "pool stats pool", NULL, NULL, STARVED_NOTHING},
    {"pool pack", "pool pack pool -o out", "out", "pool.json", STARVED_NOTHING},
    {"pool merge", "pool merge pool pool --draws -o out", "out", "pool.json", STARVED_NOTHING},
    {"pool extend", "pool extend part other --costs mean -o out", "out", "pool.json",
     STARVED_NOTHING},
    {"pool select", "pool select pool --agent small* --sample 2 -o out", "out", "pool.json",
     STARVED_NOTHING},
    {"pool synth newswire", "pool synth newswire --articles 2 -o out", "out", "pool.json",
     STARVED_NOTHING},
    {"import csv", "import csv table.csv --map map.json -o out", "out", "pool.json",
     STARVED_NOTHING},
    {"import jsonl", "import jsonl table.jsonl --map map.json -o out", "out", "pool.json",
     STARVED_NOTHING},
    {"import summeval", "import summeval summeval.json -o out", "out", "pool.json", STARVED_FILES},
    {"import swebench", "import swebench patches.csv --issues issues.jsonl -o out", "out",
     "pool.json", STARVED_FILES},
    {"import inspect", "import inspect log.json -o out --prices prices.csv -m j/a -m match", "out",
     "pool.json", STARVED_FILES},
    {"import helm", "import helm . -o out", "out", "pool.json", STARVED_FILES},
    {"import promptfoo", "import promptfoo results.json -o out", "out", "pool.json", STARVED_FILES},
    {"import arena-hard", "import arena-hard arena -o out --judge j", "out", "pool.json",
     STARVED_FILES},
    {"import batch",
     "import batch batch.jsonl -o out --requests asked.jsonl --scores scored.csv --prices "
     "prices.csv "
     "--ids {id}@{model} --failed worst",
     "out", "pool.json", STARVED_FILES},
    {"import batch, judged", "import batch batch.jsonl -o out --scores judged.jsonl", "out",
     "pool.json", STARVED_FILES},
    {"import mt-metrics", "import mt-metrics wmt -o out --pair en-de --tag document", "out",
     "pool.json", STARVED_FILES},
    {"rate estimate", "rate estimate rows.jsonl --bootstrap 20 --threads 1 --figures out", "out",
     "effects.svg", STARVED_FILES},
    {"rate estimate, labels missing", "rate estimate unlabelled.jsonl --predict-w text --threads 1",
     NULL, NULL, STARVED_NOTHING},
    {"rate check", "rate check rows.jsonl --classifier score:sim-base:0 --off-target sim-base",
     NULL, NULL, STARVED_NOTHING},
    {"rate contrast, rewriters", "rate contrast rewriters.csv --between rewriters", NULL, NULL,
     STARVED_NOTHING},
    {"rate contrast", "rate contrast rows.jsonl --between treated,naive --figures out", "out",
     "contrasts.svg", STARVED_FILES},
    {"rate samples", "rate samples rows.jsonl", NULL, NULL, STARVED_NOTHING},
    {"rate human", "rate human rows.jsonl --human sim-base", NULL, NULL, STARVED_NOTHING},
    {"rate shift", "rate shift rows.jsonl --format csv", NULL, NULL, STARVED_NOTHING},
    {"rate typos", "rate typos texts.jsonl --export 20", NULL, NULL, STARVED_NOTHING},
    {"rate world", "rate world --rows 40 --replicates 3 --threads 1 --format json", NULL, NULL,
     STARVED_NOTHING},
    {NULL, NULL, NULL, NULL, STARVED_NOTHING},
};

static const char CONFIG[] =
    "{\"pool\": \"pool\", \"contexts.hard\": 0, \"seeds\": 2, \"n_obs\": 40, \"n_exp\": 30,\n"
    " \"router.slate\": 3, \"router.rank\": 3, \"features.buckets\": 64, \"proxy.dim\": 4,\n"
    " \"sweep\": {\"beta\": [0, 1]}}\n";

static const char MAP[] =
    "{\"name\": \"mine\", \"synthetic\": true, \"columns\": {\"context\": \"doc\",\n"
    " \"agent\": \"model\", \"output\": \"out\", \"text\": \"article\", \"cost\": \"price\"},\n"
    " \"components\": [{\"name\": \"good\", \"from\": \"score\", \"low\": 1, \"high\": 5}],\n"
    " \"counts\": [\"claims\"]}\n";

static const char TABLE_CSV[] = "doc,article,model,price,out,score,claims\r\n"
                                "a,\"two\nlines\",m1,3,\"said \"\"so\"\"\",5,0\r\n"
                                "a,\"two\nlines\",m2,2.5,nothing,1.5,1\r\n"
                                "b,one,m1,3,x,2,2\r\n"
                                "b,one,m2,2.5,y,3,1\r\n";

static const char TABLE_JSONL[] =
    "{\"doc\": \"a\", \"article\": \"one\", \"model\": \"m1\", \"price\": 3, \"out\": \"x\", "
    "\"score\": 5, \"claims\": 0}\n"
    "{\"doc\": \"a\", \"article\": \"one\", \"model\": \"m2\", \"price\": 1, \"out\": \"y\", "
    "\"score\": 1, \"claims\": 3}\n";

#define RECORD(doc, system)                                                                        \
    "{\"doc_id\": \"" doc "\", \"system_id\": \"" system "\", \"source\": \"The " doc              \
    " cat sat on the mat.\", \"reference\": \"A cat sat.\", \"system_output\": \"a cat sat\", "    \
    "\"scores\": {\"coherence\": 2, \"consistency\": 3.5, \"fluency\": 4, \"relevance\": 1, "      \
    "\"overall\": 9}}"

static const char SUMMEVAL[] = "[" RECORD("b", "M10") ",\n" RECORD("a", "M2") ",\n" RECORD(
    "b", "M2") ",\n" RECORD("a", "M10") "]";

#define DIFF(file) "--- a/" file "\n+++ b/" file "\n@@ -1 +1 @@\n-old\n+new\n"

static const char PATCHES[] =
    "instance_id,agent,patch,resolved,tests_status,benchmark\r\n"
    "p__p-1,one,\"" DIFF("a.py") "\",True,,lite\r\n"
                                 "p__p-1,two,,False,,lite\r\n"
                                 "p__p-2,one,\"" DIFF("b.py") "\",False,,lite\r\n"
                                                              "p__p-2,two,\"" DIFF(
                                                                  "c.py") "\",True,,lite\r\n";

static const char ISSUES[] =
    "{\"instance_id\": \"p__p-1\", \"repo\": \"p/p\", \"problem_statement\": \"old a.py\"}\n"
    "{\"instance_id\": \"p__p-2\", \"repo\": \"p/p\", \"problem_statement\": \"new b.py\"}\n";

static const char LOG[] =
    "{\"eval\": {\"task\": \"t\", \"model\": \"m\", \"task_args\": {\"a\": [1]}}, \"samples\": ["
    "{\"id\": 1, \"input\": [{\"role\": \"user\", \"content\": \"one\"}], \"target\": \"x\", "
    "\"output\": "
    "{\"completion\": \"x\", \"usage\": {\"input_tokens\": 1}}, \"scores\": {\"match\": "
    "{\"value\": "
    "\"C\"}, \"j\": {\"value\": {\"a\": 1}}}}]}";
static const char PRICES[] = "model,input,output\nm,1,2\n";
static const char STATE[] =
    "{\"adapter_spec\": {\"model\": \"m\"}, \"request_states\": [{\"instance\": {\"id\": \"i\", "
    "\"input\": {\"text\": \"q\"}}, \"result\": {\"completions\": [{\"text\": \"x\"}]}}]}";
static const char STATS[] =
    "[{\"instance_id\": \"i\", \"stats\": [{\"name\": {\"name\": \"good\"}, \"mean\": 1}]}]";
#define ANSWER(prompt)                                                                             \
    "{\"prompt\": {\"raw\": \"say 1\", \"label\": \"" prompt                                       \
    "\"}, \"provider\": {\"id\": \"p\"}, "                                                         \
    "\"vars\": {\"x\": 1}, \"response\": {\"output\": {\"y\": 1}}, \"score\": 1}"
static const char RESULTS[] = "{\"results\": [" ANSWER("say") ", " ANSWER("do") "]}";

static const char QUESTION[] =
    "{\"uid\": \"q\", \"category\": \"c\", \"turns\": [\"one\", \"two\"], \"reference\": [\"r\"]}";
static const char JUDGMENT[] = "{\"uid\": \"q\", \"model\": \"m\", \"judge\": \"j\", \"baseline\": "
                               "\"b\", \"games\": [{\"score\": \"A>B\"}, {\"score\": \"A=B\"}]}\n"
                               "{\"uid\": \"q\", \"model\": \"m\", \"judge\": \"k\", \"score\": 1}";
static const char TURNS[] =
    "{\"uid\": \"q\", \"model\": \"m\", \"choices\": [{\"turns\": [\"a\", \"b\"]}]}\n"
    "{\"uid\": \"q\", \"model\": \"b\", \"messages\": [{\"content\": {\"answer\": \"c\"}}]}";
static const char BATCH[] =
    "{\"custom_id\": \"1@m\", \"response\": {\"body\": {\"model\": \"m\", \"choices\": "
    "[{\"message\": "
    "{\"content\": \"a\"}}], \"usage\": {\"prompt_tokens\": 1, \"completion_tokens\": 2}}}}\n"
    "{\"custom_id\": \"2@m\", \"response\": null, \"error\": {\"code\": \"x\"}}";
static const char ASKED[] =
    "{\"custom_id\": \"1@m\", \"body\": {\"model\": \"m\", \"messages\": [{\"role\": \"user\", "
    "\"content\": \"one\"}]}}\n{\"custom_id\": \"2@m\", \"body\": {\"model\": \"m\", \"input\": "
    "\"two\"}}";
static const char SCORED[] = "custom_id,model,note,score\n1@m,m,x,1\n";
static const char JUDGED[] = "{\"custom_id\": \"1@m\", \"response\": {\"body\": {\"model\": \"j\", "
                             "\"choices\": [{\"text\": \"{\\\"score\\\": 1}\"}]}}}";

static const char REWRITERS[] =
    "id,w,rewriter,repeat,scores.m.original,scores.m.rewrite,scores.m.rewrite_of_rewrite\n"
    "1,1,a,1,3,1,2.5\n1,1,a,2,3,2,3\n1,1,b,1,3,0.5,2\n2,0,a,1,1,2,1\n2,0,b,1,1,3,0.5\n2,0,b,2,1,2."
    "5,1\n"
    "3,1,a,1,2,1,2.5\n3,1,b,1,2,0.5,2\n";

static const char EVALUATE[] =
    "{\"obs\": {\"file\": \"log.csv\", \"context\": \"id\", \"text\": \"prompt\", \"agent\": "
    "\"model\",\n"
    " \"outcome\": \"good\", \"tag\": \"kind\", \"time\": \"time\", \"cluster\": \"user\"},\n"
    " \"exp\": {\"file\": \"trial.csv\", \"context\": \"id\", \"text\": \"prompt\", \"agent\": "
    "\"model\",\n"
    " \"outcome\": \"good\", \"tag\": \"kind\", \"time\": \"time\", \"cluster\": \"user\"},\n"
    " \"folds\": 2, \"resamples\": 100, \"families\": [\"exp-only\", \"cvci\"]}\n";

/* Answers of three agents to requests of two tags, users and days. */
static int write_log(const char *name, char letter, int rows)
{
    struct regret_buffer t = REGRET_BUFFER_INIT;
    regret_buffer_append(&t, "id,prompt,model,good,kind,time,user\n");
    for (int i = 0; i < rows; i++) {
        regret_buffer_printf(&t, "%c%d,request number %d,%c,%d,%s,2025-01-%02d,u%d\n", letter, i,
                             i % 7, "abc"[i * i % 5 % 3], (i * 7 + i % 3 * 3) % 5 > 2,
                             i % 4 < 2 ? "chat" : "code", 1 + i % 28, i / 2);
    }
    int rc = regret_buffer_status(&t);
    rc = rc ? rc : regret_file_write(name, regret_buffer_get(&t), t.length);
    regret_buffer_free(&t);
    return rc;
}

/* Scores of three agents on 36 requests of two tags, some unknown; a word says who is better. */
static int write_scores(const char *name)
{
    struct regret_buffer t = REGRET_BUFFER_INIT;
    regret_buffer_append(&t, "id,prompt,tag,model,score\n");
    for (int i = 0; i < 108; i++) {
        int request = i / 3, agent = i % 3, good = request / 2 % 2 == agent;
        regret_buffer_printf(&t, "r%d,%s number %d,%s,m%d,", request,
                             request / 2 % 2 ? "poem" : "proof", request,
                             request % 2 ? "code" : "chat", agent);
        regret_buffer_printf(&t, i % 11 == 5 ? "\n" : "%.2f\n", 0.6 * good + i * 7 % 5 * 0.1);
    }
    int rc = regret_buffer_status(&t);
    rc = rc ? rc : regret_file_write(name, regret_buffer_get(&t), t.length);
    regret_buffer_free(&t);
    return rc;
}

/* The first `lines` lines of a file of data/rate, into the current folder. */
static int copy_lines(const char *source, const char *name, size_t lines)
{
    char *folder = NULL, *path = NULL, *text = NULL;
    int rc = regret_path_join(&folder, source, "data/rate");
    rc = rc ? rc : regret_path_join(&path, folder, name);
    rc = rc ? rc : regret_file_read(&text, NULL, path, (size_t)1 << 24);
    if (rc == 0) {
        char *end = text;
        for (size_t i = 0; i < lines && strchr(end, '\n') != NULL; i++) {
            end = strchr(end, '\n') + 1;
        }
        rc = regret_file_write(name, text, (size_t)(end - text));
    }
    regret_free(text);
    regret_free(path);
    regret_free(folder);
    return rc;
}

int starved_files(const char *source)
{
    static const struct {
        const char *name, *text;
    } files[] = {{"config.json", CONFIG},
                 {"map.json", MAP},
                 {"table.csv", TABLE_CSV},
                 {"table.jsonl", TABLE_JSONL},
                 {"summeval.json", SUMMEVAL},
                 {"patches.csv", PATCHES},
                 {"issues.jsonl", ISSUES},
                 {"log.json", LOG},
                 {"prices.csv", PRICES},
                 {"scenario_state.json", STATE},
                 {"results.json", RESULTS},
                 {"per_instance_stats.json", STATS},
                 {"arena/question.jsonl", QUESTION},
                 {"arena/model_judgment/j.jsonl", JUDGMENT},
                 {"arena/model_answer/m.jsonl", TURNS},
                 {"batch.jsonl", BATCH},
                 {"asked.jsonl", ASKED},
                 {"scored.csv", SCORED},
                 {"judged.jsonl", JUDGED},
                 {"rewriters.csv", REWRITERS},
                 {"evaluate.json", EVALUATE},
                 {"wmt/sources/en-de.txt", "one\ntwo\n"},
                 {"wmt/documents/en-de.docs", "news a\nnews b\n"},
                 {"wmt/references/en-de.r.txt", "eins\nzwei\n"},
                 {"wmt/system-outputs/en-de/s.txt", "ein\nzwo\n"},
                 {"wmt/human-scores/en-de.mqm.seg.score", "s -1\ns None\n"}};
    static const char *const FOLDERS[] = {
        "arena/model_judgment", "arena/model_answer",       "wmt/sources",     "wmt/documents",
        "wmt/references",       "wmt/system-outputs/en-de", "wmt/human-scores"};
    for (size_t i = 0; i < sizeof FOLDERS / sizeof *FOLDERS; i++) {
        int rc = regret_folder_create(FOLDERS[i]);
        if (rc != 0) {
            return rc;
        }
    }
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        int rc = regret_file_write(files[i].name, files[i].text, strlen(files[i].text));
        if (rc != 0) {
            return rc;
        }
    }
    int rc = copy_lines(source, "rows.jsonl", 24);
    rc = rc ? rc : copy_lines(source, "texts.jsonl", 12);
    rc = rc ? rc : copy_lines(source, "unlabelled.jsonl", 24);
    rc = rc ? rc : write_scores("scores.csv");
    rc = rc ? rc : write_log("log.csv", 'o', 30);
    return rc ? rc : write_log("trial.csv", 't', 24);
}
