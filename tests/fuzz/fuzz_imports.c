/* Importers of harnesses, C or SQL, by their names: with failed answers and all runs kept a pool is no smaller, where nothing is refused
 * another rule for runs and versions changes nothing, and rows without an order of their own may come in any. And the scanner of
 * JSON in front of them, against the parser of documents. FUZZ_TARGET names the one that a program is. */
#include <cJSON.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "import/harness.h"
#include "import/importer.h"
#include "import/script.h"
#include "import/script_parts.h"
#include "regret/pool.h"
#include "support.h"
#include "table/internal.h"
#include "table/sql.h"

static const uint8_t *data;
static size_t size;
static struct fuzz_part parts[FUZZ_MAX_PARTS];

/* ---- the scanner ---- */

/* What is read as null by the parser is told by the scanner: NaN as a text, infinities as numbers. */
static int same_value(const cJSON *a, const cJSON *b)
{
    if (cJSON_IsNull(a)) {
        return cJSON_IsNull(b) || (cJSON_IsString(b) && strcmp(b->valuestring, "NaN") == 0) ||
               (cJSON_IsNumber(b) && isinf(b->valuedouble));
    }
    if ((a->type & 0xFF) != (b->type & 0xFF) ||
        (a->string != NULL && b->string != NULL && strcmp(a->string, b->string) != 0)) {
        return 0;
    }
    if (cJSON_IsNumber(a)) {
        return fuzz_same_number(a->valuedouble, b->valuedouble);
    }
    if (cJSON_IsString(a)) {
        return strcmp(a->valuestring, b->valuestring) == 0;
    }
    const cJSON *x = a->child, *y = b->child;
    while (x != NULL && y != NULL && same_value(x, y)) {
        x = x->next;
        y = y->next;
    }
    return x == NULL && y == NULL;
}

/* The first and the last field of an object, picked from its text, are what they are in the whole; a name that must be escaped is found
 * by nobody. */
static void check_picked(const cJSON *whole)
{
    struct scan_fields fields = {0};
    struct scan_part part[2] = {{0, 0}, {0, 0}};
    struct regret_buffer plain = REGRET_BUFFER_INIT;
    uint32_t number[2] = {0, 0};
    if (!cJSON_IsObject(whole) || whole->child == NULL) {
        return;
    }
    const cJSON *ends[] = {whole->child, whole->child->prev};
    for (size_t i = 0; i < 2; i++) {
        REQUIRE(names_enter(&number[i], &fields.kept, ends[i]->string) == 0);
    }
    REQUIRE(scan_record(&plain, part, parts[0].text, parts[0].length, (struct regret_place){"a", 1},
                        1, &fields) == 0);
    for (size_t i = 0; i < 2; i++) {
        size_t n = part[number[i]].length;
        cJSON *v = n > 0 ? cJSON_ParseWithLength(plain.data + part[number[i]].begin, n) : NULL;
        REQUIRE(v != NULL ? same_value(ends[i], v)
                          : memchr(parts[0].text, '\\', parts[0].length) != NULL);
        cJSON_Delete(v);
    }
    names_free(&fields.kept);
    regret_buffer_free(&plain);
}

static void fuzz_scan(void)
{
    static const struct scan_fields ALL = {0};
    const struct regret_place at = {"a", 1};
    struct regret_buffer plain = REGRET_BUFFER_INIT;
    cJSON *tree = NULL, *again = NULL;
    int scanned = fuzz_taken(scan_json(&plain, parts[0].text, parts[0].length, at, 1, &ALL));
    int parsed = fuzz_taken(
        json_parse_from(&tree, parts[0].text, parts[0].length, at, 1, REGRET_JSON_IMPORT));
    REQUIRE(scanned == parsed);
    cJSON *strict = NULL; /* what the seeds' names tell of */
    fuzz_accepted = fuzz_taken(regret_json_parse(&strict, parts[0].text, parts[0].length, at));
    cJSON_Delete(strict);
    if (scanned) {
        again = cJSON_ParseWithLength(plain.data, plain.length);
        REQUIRE(again != NULL && same_value(tree, again));
        check_picked(tree);
        struct sql *sql = NULL;
        double valid = 0.0;
        REQUIRE(!fuzz_turn(data, size, 8) ||
                (sql_open(&sql) == 0 &&
                 sql_number(&valid, sql, "SELECT json_valid(%Q)", plain.data) == 0 &&
                 valid == 1.0));
        sql_close(sql);
    }
    cJSON_Delete(tree);
    cJSON_Delete(again);
    regret_buffer_free(&plain);
}

/* ---- importers ---- */

/* Where the parts of an input are put, and what reads them; an option of the importer has the path of a file. */
struct layout {
    const char *target, *importer;
    const char *file[FUZZ_MAX_PARTS];
    const char *option[2], *path[2];
};

static const struct layout LAYOUTS[] = {
    {"lm_eval",
     "lm-eval",
     {"a/samples_t_2025-01-01T00.jsonl", "b/samples_t_2025-01-01T00.jsonl",
      "a/results_2025-01-01T00.json"},
     {NULL},
     {NULL}},
    {"logs", "promptfoo", {"r.json"}, {NULL}, {NULL}},
    {"logs", "promptfoo", {"r.jsonl"}, {NULL}, {NULL}},
    {"logs", "inspect", {"r.json"}, {NULL}, {NULL}},
    {"logs",
     "helm",
     {"mmlu:model=m/scenario_state.json", "mmlu:model=m/per_instance_stats.json"},
     {NULL},
     {NULL}},
    {"logs", "inspect", {NULL, "l/header.json", "l/samples/1_epoch_1.json"}, {NULL}, {NULL}},
    {"flat",
     "arena-hard",
     {"question.jsonl", "model_judgment/j.jsonl", "model_answer/m.jsonl"},
     {NULL},
     {NULL}},
    {"flat", "batch", {"o.jsonl", "../scores.csv"}, {"scores"}, {"scores.csv"}},
    {"flat",
     "batch",
     {"o.jsonl", "../scores.jsonl", "../requests.jsonl"},
     {"scores", "requests"},
     {"scores.jsonl", "requests.jsonl"}},
    {"flat",
     "mt-metrics",
     {"sources/en-de.txt", "human-scores/en-de.mqm.seg.score", "system-outputs/en-de/s.txt"},
     {NULL},
     {NULL}},
    {"summeval", "summeval", {"in.json"}, {NULL}, {NULL}},
    {"alpacaeval",
     "alpacaeval",
     {"a/judge/annotations.json", "b/judge/annotations.json", "a/model_outputs.json"},
     {NULL},
     {NULL}},
    {"swebench", "swebench", {"in.csv", "../issues.jsonl"}, {"issues"}, {"issues.jsonl"}},
};

static const struct importer *find_importer(const char *name)
{
    static struct script_set scripts;
    if (scripts.script == NULL) {
        REQUIRE(script_set_read(&scripts) == 0);
    }
    for (size_t i = 0; importers[i] != NULL; i++) {
        if (strcmp(importers[i]->name + strlen("import "), name) == 0) {
            return importers[i];
        }
    }
    for (size_t i = 0; i < scripts.n; i++) {
        const struct importer *m = script_importer(scripts.script[i]);
        if (strcmp(m->name + strlen("import "), name) == 0) {
            return m;
        }
    }
    REQUIRE(!"an importer of this name");
    return NULL;
}

/* Puts the parts into a folder of their own, which has those of no other layout. */
static const char *put_layout(const struct layout *l, size_t number)
{
    static char folder[sizeof LAYOUTS / sizeof *LAYOUTS][8];
    snprintf(folder[number], sizeof folder[number], "i%zu", number);
    for (size_t i = 0; i < FUZZ_MAX_PARTS; i++) {
        char name[120];
        if (l->file[i] == NULL) {
            continue;
        }
        int is_beside = strncmp(l->file[i], "../", 3) == 0; /* the folder */
        snprintf(name, sizeof name, "%s%s%s", is_beside ? "" : folder[number], is_beside ? "" : "/",
                 l->file[i] + (is_beside ? 3 : 0));
        for (char *slash = name; (slash = strchr(slash, '/')) != NULL; slash++) {
            *slash = '\0';
            fuzz_folder(name);
            *slash = '/';
        }
        if (i > 0 && parts[i].length == 0) {
            fuzz_put(name, "{}",
                     strstr(name, ".json") != NULL && strstr(name, ".jsonl") == NULL ? 2 : 0);
        } else {
            fuzz_put_part(name, parts[i]);
        }
    }
    return fuzz_path(folder[number]);
}

static void set_option(const struct importer *m, void *values, const char *name, const char *value)
{
    for (size_t i = 0; i < m->n_options; i++) {
        if (strcmp(m->options[i].name, name) == 0) {
            *(const char **)((char *)values + m->options[i].offset) = value;
        }
    }
}

static struct regret_pool *import(const struct importer *m, const char *from, const void *values)
{
    struct regret_pool *pool = NULL;
    struct regret_buffer report = REGRET_BUFFER_INIT;
    const struct importer_call call = {.importer = m,
                                       .from = from,
                                       .paths = &from,
                                       .n_paths = 1,
                                       .name = "pool",
                                       .into = &pool,
                                       .options = (void *)values,
                                       .report = &report};
    int taken = fuzz_taken(m->run(&call));
    REQUIRE(taken == (pool != NULL) && taken == (report.length > 0));
    REQUIRE(!taken || strstr(report.data, " pairs of context and agent are missing\n") != NULL);
    regret_buffer_free(&report);
    return pool;
}

static int same_pools(const struct regret_pool *a, const struct regret_pool *b)
{
    size_t n = a->n_components + a->n_counts + a->n_aux;
    int same = b != NULL && a->n_outputs == b->n_outputs && a->n_contexts == b->n_contexts &&
               a->n_agents == b->n_agents && n == b->n_components + b->n_counts + b->n_aux;
    for (size_t i = 0; same && i < a->n_outputs; i++) {
        const struct regret_output *x = &a->outputs[i], *y = &b->outputs[i];
        same = x->context == y->context && x->agent == y->agent && x->draw == y->draw &&
               strcmp(x->text, y->text) == 0 &&
               memcmp(x->values, y->values, n * sizeof *x->values) == 0;
    }
    return same;
}

static void check_importer(const struct layout *l, size_t number)
{
    const struct importer *m = find_importer(l->importer);
    union {
        struct harness_options harness;
        char room[4096];
    } values;
    const char *from = put_layout(l, number);
    REQUIRE(m->size <= sizeof values);
    memcpy(&values, m->defaults, m->size);
    for (size_t i = 0; i < 2 && l->option[i] != NULL && (i == 0 || parts[i + 1].length > 0); i++) {
        set_option(m, &values, l->option[i], fuzz_path(l->path[i]));
    }
    struct regret_pool *pool = import(m, from, &values);
    if (pool == NULL) {
        return;
    }
    fuzz_accepted = 1;
    REQUIRE(pool->n_outputs >= 1 && pool->n_components >= 1 && regret_pool_check(pool) == 0);
    if (fuzz_turn(data, size, 4)) {
        sql_reverse(1);
        struct regret_pool *other = import(m, from, &values);
        sql_reverse(0);
        REQUIRE(same_pools(pool, other));
        regret_pool_free(other);
    }
    values.harness.runs = HARNESS_RUNS_DRAWS;
    values.harness.versions = HARNESS_VERSIONS_TAG;
    struct regret_pool *loose = import(m, from, &values);
    REQUIRE(same_pools(pool, loose));
    regret_pool_free(loose);
    values.harness.failed = HARNESS_FAILED_WORST;
    struct regret_pool *whole = import(m, from, &values);
    REQUIRE(whole == NULL || whole->n_outputs >= pool->n_outputs);
    regret_pool_free(whole);
    regret_pool_free(pool);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    data = bytes;
    size = n;
    fuzz_accepted = 0;
    fuzz_split(parts, data, size);
    if (strcmp(FUZZ_TARGET, "scan") == 0) {
        fuzz_scan();
    }
    for (size_t i = 0; i < sizeof LAYOUTS / sizeof *LAYOUTS; i++) {
        if (strcmp(LAYOUTS[i].target, FUZZ_TARGET) == 0) {
            check_importer(&LAYOUTS[i], i);
        }
    }
    fuzz_parts_free(parts);
    return 0;
}
