#include "import/importer.h"

#include <cJSON.h>
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/buffer.h"
#include "base/files.h"
#include "base/input.h"
#include "base/names.h"
#include "base/status.h"
#include "base/text.h"
#include "import/builder.h"
#include "pool/statistics.h"
#include "regret/buffer.h"
#include "regret/pool.h"
#include "regret/status.h"
#include "text/metrics.h"

void importer_remember(char *list, size_t size, const char *name)
{
    size_t n = strlen(list), length = strlen(name);
    const char *at = list;
    while (length > 0 && (at = strstr(at, name)) != NULL) {
        if ((at == list || at[-1] == ' ') && (at[length] == ',' || at[length] == '\0')) {
            return;
        }
        at += length;
    }
    if (length > 0 && length < 80 && n + length + 3 < size) {
        snprintf(list + n, size - n, "%s%s", n > 0 ? ", " : "", name);
    }
}

void importer_report_counts(struct regret_buffer *report, const struct importer_count *counts,
                            size_t n, const void *values)
{
    for (size_t i = 0; i < n; i++) {
        size_t count = *(const size_t *)((const char *)values + counts[i].offset);
        if (count > 0) {
            regret_buffer_printf(report, "  %8zu %s\n", count, counts[i].what);
        }
    }
}

void importer_report_missing(struct regret_buffer *report, size_t contexts, size_t agents,
                             size_t pairs)
{
    regret_buffer_printf(report, "  %8zu of %zu pairs of context and agent are missing\n",
                         contexts * agents - pairs, contexts * agents);
}

/* ---- What an import shows of its pool. ---- */

enum { NAME = 60, PREVIEW_ROWS = 10, PREVIEW_TEXT = 50, PREVIEW_VALUES = 12 };

/* A row of the pool: "CONTEXT [TAG] · AGENT (cost C)", its numbers, and how its text begins. */
static void show_row(struct regret_buffer *out, const struct regret_pool *pool,
                     const struct regret_output *o)
{
    const struct regret_context *context = &pool->contexts[o->context];
    size_t n = pool->n_components + pool->n_counts + pool->n_aux;
    regret_buffer_append(out, "  ");
    regret_buffer_append_safe(out, regret_context_name(context), NAME);
    if (context->tag != NULL) {
        regret_buffer_append(out, " [");
        regret_buffer_append_safe(out, context->tag, NAME);
        regret_buffer_append(out, "]");
    }
    regret_buffer_append(out, " by ");
    regret_buffer_append_safe(out, regret_agent_name(&pool->agents[o->agent]), NAME);
    int has_costs = 0; /* without any all cost 1 */
    for (size_t a = 0; a < pool->n_agents; a++) {
        has_costs |= pool->agents[a].cost != 1.0;
    }
    if (has_costs) {
        regret_buffer_printf(out, " (cost %.6g)", pool->agents[o->agent].cost);
    }
    for (size_t k = 0; k < n && k < PREVIEW_VALUES; k++) {
        regret_buffer_append(out, k == 0 ? ": " : ", ");
        regret_buffer_append_safe(out, regret_pool_value_name(pool, k), NAME);
        regret_buffer_printf(out, " %.6g", o->values[k]);
    }
    if (n > PREVIEW_VALUES) {
        regret_buffer_printf(out, " and %zu more", n - PREVIEW_VALUES);
    }
    regret_buffer_append(out, "\n      ");
    regret_buffer_append_safe(out, o->text[0] != '\0' ? o->text : "(empty)", PREVIEW_TEXT);
    regret_buffer_append(out, "\n");
}

int importer_preview(struct regret_buffer *out, const struct regret_pool *pool)
{
    size_t n = pool->n_outputs < PREVIEW_ROWS ? pool->n_outputs : PREVIEW_ROWS;
    regret_buffer_printf(out, "The first %zu outputs of %zu:\n", n, pool->n_outputs);
    for (size_t i = 0; i < n; i++) {
        show_row(out, pool, &pool->outputs[i]);
    }
    return regret_buffer_status(out);
}

/* Says which two agents look like one. */
static int report_twins(struct regret_buffer *report, const struct regret_pool *pool)
{
    const char *twin[2];
    FREED const char **name = NULL;
    TRY(REGRET_NEW(&name, pool->n_agents));
    for (size_t a = 0; a < pool->n_agents; a++) {
        name[a] = regret_agent_name(&pool->agents[a]);
    }
    TRY(name_twins(twin, name, pool->n_agents));
    for (size_t i = 0; i < 2 && twin[0] != NULL; i++) {
        regret_buffer_append(report, i == 0 ? "  agents \"" : "\" and \"");
        regret_buffer_append_safe(report, twin[i], NAME);
    }
    if (twin[0] != NULL) {
        regret_buffer_printf(report, "\" %s\n", NAME_TWINS);
    }
    return REGRET_OK;
}

int importer_report_doubts(struct regret_buffer *report, const struct regret_pool *pool)
{
    struct regret_pool_extreme *e = NULL;
    size_t n = 0;
    int rc;
    TRY_CLEANUP(report_twins(report, pool));
    TRY_CLEANUP(regret_pool_extremes(&e, &n, pool));
    for (size_t i = 0; i < n; i++) {
        const struct regret_output *o = &pool->outputs[e[i].output];
        regret_buffer_printf(report, "  %8zu outputs of %zu contexts are extreme in ", e[i].outputs,
                             e[i].contexts);
        regret_buffer_append_safe(report, regret_pool_quantity_name(pool, e[i].quantity), NAME);
        regret_buffer_printf(report, ", as far as %.6g (quartiles %.6g to %.6g) by ", e[i].value,
                             e[i].quartile[0], e[i].quartile[1]);
        regret_buffer_append_safe(report, regret_agent_name(&pool->agents[o->agent]), NAME);
        regret_buffer_append(report, " on ");
        regret_buffer_append_safe(report, regret_context_name(&pool->contexts[o->context]), NAME);
        regret_buffer_append(report, "\n");
    }
    rc = regret_buffer_status(report);
cleanup:
    regret_free(e);
    if (rc == REGRET_E_NOMEM) { /* the pool stands all the same */
        regret_buffer_append(report, "  there was no memory to look for extreme outputs\n");
        rc = REGRET_OK;
    }
    return rc;
}

#define DECLARE(name) extern const struct importer importer_##name;
IMPORTERS(DECLARE)

#define ENTER(name) &importer_##name,
const struct importer *const importers[] = {IMPORTERS(ENTER) NULL};

enum { MOST_BYTES = 16 << 20 };

static int read_text(struct regret_buffer *out, const char *folder, const char *name)
{
    FREED char *path = NULL, *text = NULL;
    size_t length = 0;
    TRY(regret_path_join(&path, folder, name));
    TRY(regret_file_read(&text, &length, path, MOST_BYTES));
    regret_buffer_append_n(out, text, length);
    return regret_buffer_status(out);
}

int kept_config_differs(int *differs, const char *folder, const char *name,
                        const struct regret_buffer *text)
{
    FREED_BY(regret_buffer_free) struct regret_buffer there = REGRET_BUFFER_INIT;
    FREED char *path = NULL;
    *differs = 0;
    TRY(regret_path_join(&path, folder, name));
    if (!input_is_absent(path)) {
        TRY(read_text(&there, folder, name));
        *differs = there.length != text->length ||
                   memcmp(regret_buffer_get(&there), regret_buffer_get(text), text->length) != 0;
    }
    return regret_buffer_status(text);
}

/* "config.json" as "config.new.json". */
static void put_new_name(struct regret_buffer *out, const char *name)
{
    size_t stem = strcspn(name, ".");
    regret_buffer_append_n(out, name, stem);
    regret_buffer_append(out, ".new");
    regret_buffer_append(out, name + stem);
}

int kept_config_write(const char *partial, const char *name, const struct regret_buffer *fresh,
                      const char *folder, int is_edited)
{
    FREED_BY(regret_buffer_free) struct regret_buffer text = REGRET_BUFFER_INIT;
    FREED_BY(regret_buffer_free) struct regret_buffer other = REGRET_BUFFER_INIT;
    if (!is_edited) {
        return regret_file_write_text(partial, name, fresh);
    }
    put_new_name(&other, name);
    TRY(regret_buffer_status(&other));
    TRY(read_text(&text, folder, name));
    TRY(regret_file_write_text(partial, name, &text));
    return regret_file_write_text(partial, regret_buffer_get(&other), fresh);
}

void kept_config_say(struct regret_buffer *out, const char *folder, const char *name)
{
    shell_path(out, "\nKept ", folder, "/");
    regret_buffer_append(out, name);
    regret_buffer_append(out, ", which somebody has edited; beside it is what would have been "
                              "written, ");
    put_new_name(out, name);
    regret_buffer_append(out, ".\n");
}

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

int natural_order(const void *left, const void *right)
{
    const char *a = *(const char *const *)left, *b = *(const char *const *)right;
    const char *p = a, *q = b;
    while (*p != '\0' && *q != '\0') {
        if (is_digit(*p) && is_digit(*q)) {
            p += strspn(p, "0");
            q += strspn(q, "0");
            size_t m = strspn(p, "0123456789"), n = strspn(q, "0123456789");
            int c = m != n ? (m > n) - (m < n) : strncmp(p, q, n);
            if (c != 0) {
                return c;
            }
            p += m;
            q += n;
        } else if (*p != *q) {
            return (unsigned char)*p < (unsigned char)*q ? -1 : 1;
        } else {
            p++;
            q++;
        }
    }
    int c = (*p != '\0') - (*q != '\0');
    return c != 0 ? c : strcmp(a, b); /* "M02" and "M2" differ, too */
}

enum { SLATE = 5 };

/* The largest round budget that is not above `wanted`. */
static size_t round_budget(double wanted)
{
    static const size_t ROUND[] = {50, 100, 200, 500, 1000, 2000, 5000};
    size_t best = 20;
    for (size_t i = 0; i < sizeof ROUND / sizeof *ROUND; i++) {
        best = (double)ROUND[i] <= wanted ? ROUND[i] : best;
    }
    return best;
}

/* A log of about two rows a pair, and experiments of a twentieth and a fifth of it. */
static void budgets_of(size_t *n_obs, size_t n_exp[2], size_t pairs)
{
    *n_obs = round_budget(2.0 * (double)pairs);
    n_exp[0] = round_budget((double)*n_obs / 20.0);
    n_exp[1] = round_budget((double)*n_obs / 5.0);
    if (n_exp[1] == n_exp[0]) {
        n_exp[1] = 2 * n_exp[0];
    }
}

/* Features that can say who is good at what: columns of agents, of agents by tag, of agents by words of the request, so much
 * wider than those of words that a mean of an agent is hardly shrunk; penalties up to where little but these is left, chosen by
 * requests left out; and the families that are made for practice. */
static void put_features(struct regret_buffer *out, const struct practice *p)
{
    regret_buffer_append(
        out, "  \"families\": [\"exp-only\", \"obs-only\", \"representation-exp\", "
             "\"grounded\", \"cvci\", \"cvci-residual\", \"mixed\", \"stack\"],\n"
             "  \"exp_only.rho\": [1, 10, 100, 1000], \"obs_only.rho\": [1, 10, 100, 1000], "
             "\"cv.leave_out\": \"contexts\",\n"
             "  \"features.agent\": 10");
    regret_buffer_append(out, p->has_tags ? ", \"features.agent_tag\": 10" : "");
    regret_buffer_append(out, p->has_texts ? ", \"features.agent_words\": 3" : "");
    regret_buffer_append(
        out, p->has_columns ? ", \"features.columns\": 1, \"features.agent_columns\": 2" : "");
    regret_buffer_append(out, ",\n");
}

void practice_config(struct regret_buffer *out, const struct practice *p)
{
    size_t n_obs = 0, n_exp[2];
    budgets_of(&n_obs, n_exp, p->pairs);
    regret_buffer_append(out, "{\"pool\": ");
    regret_buffer_json_string(out, p->pool);
    regret_buffer_printf(out, ", \"seeds\": 30, \"contexts.hard\": 0, \"n_obs\": %zu,\n", n_obs);
    if (p->agents < SLATE) {
        regret_buffer_printf(out, "  \"router.slate\": %zu,\n", p->agents);
    }
    regret_buffer_append(out, p->has_holes ? "  \"grid.policy\": \"observed\",\n" : "");
    put_features(out, p);
    regret_buffer_append(out, p->has_costs ? "  \"costs.enabled\": true,\n" : "");
    regret_buffer_append(out, "  \"sweep\": {");
    regret_buffer_append(out, p->has_rewards ? "\"beta\": [0, 0.5, 1], " : "");
    regret_buffer_printf(out, "\"n_exp\": [%zu, %zu]}}\n", n_exp[0], n_exp[1]);
}

struct practice practice_of(const struct regret_pool *pool, const char *path)
{
    struct practice p = {.pool = path,
                         .agents = pool->n_agents,
                         .has_texts = 1,
                         .has_columns = pool->n_columns > 0,
                         .has_rewards = pool->n_components > 1};
    for (size_t i = 0; i < pool->n_outputs; i++) {
        p.pairs += pool->outputs[i].draw == 0;
    }
    for (size_t i = 0; i < pool->n_contexts; i++) {
        p.has_tags |= pool->contexts[i].tag != NULL;
    }
    for (size_t i = 1; i < pool->n_agents; i++) {
        p.has_costs |= pool->agents[i].cost != pool->agents[0].cost;
    }
    p.has_holes = p.pairs < pool->n_contexts * pool->n_agents;
    return p;
}

int import_note_file(struct import_builder *b, const char *path)
{
    struct stat info;
    if (stat(path, &info) != 0) { /* "-", or a part of an archive */
        return errno == ENOENT || errno == ENOTDIR ? REGRET_OK : io_error("look at", path);
    }
    if (!S_ISREG(info.st_mode)) {
        return REGRET_OK;
    }
    for (size_t i = 0; i < b->n_files; i++) {
        if (strcmp(b->files[i], path) == 0) {
            return REGRET_OK;
        }
    }
    TRY(regret_grow((void **)&b->files, &b->files_capacity, b->n_files, sizeof *b->files, "files"));
    TRY(regret_strdup(&b->files[b->n_files], path));
    b->n_files++;
    return REGRET_OK;
}

/* The file and, where it is asked for, the folder before it. */
static const char *tail_of(const char *path, int with_folder)
{
    const char *name = path_last(path);
    name -= with_folder && name > path;
    while (with_folder && name > path && name[-1] != '/') {
        name--;
    }
    return name;
}

/* A text of a history is a line. */
static int name_file(char **out, const char *path, int with_folder)
{
    FREED_BY(regret_buffer_free) struct regret_buffer line = REGRET_BUFFER_INIT;
    regret_buffer_append_safe(&line, tail_of(path, with_folder), REGRET_POOL_MAX_ID);
    TRY(regret_buffer_status(&line));
    return regret_strdup(out, regret_buffer_get(&line));
}

/* When the file was last changed, no later than the import: under SOURCE_DATE_EPOCH a copy of it has the same date. */
static int date_file(char out[24], const char *path, const char *latest)
{
    struct stat info;
    struct tm day;
    if (stat(path, &info) != 0) {
        return io_error("look at", path);
    }
    if (latest != NULL && gmtime_r(&info.st_mtime, &day) != NULL &&
        strftime(out, 24, "%Y-%m-%dT%H:%M:%SZ", &day) > 0 && strcmp(out, latest) > 0) {
        snprintf(out, 24, "%s", latest);
    }
    return REGRET_OK;
}

int import_record(struct import_builder *b, const char *name, const char *date, int with_folder)
{
    struct regret_buffer what = REGRET_BUFFER_INIT;
    struct regret_pool_source *from = NULL;
    size_t n = b->n_files < REGRET_POOL_MAX_HISTORY ? b->n_files : REGRET_POOL_MAX_HISTORY;
    int rc;
    TRY_CLEANUP(REGRET_NEW(&from, n));
    for (size_t i = 0; i < n; i++) {
        TRY_CLEANUP(name_file(&from[i].name, b->files[i], with_folder));
        TRY_CLEANUP(date_file(from[i].date, b->files[i], date));
        TRY_CLEANUP(regret_digest_file(from[i].digest, b->files[i]));
    }
    regret_buffer_printf(&what, "import %s", name);
    if (b->n_files > n) {
        regret_buffer_printf(&what, " (%zu files, the first %zu below)", b->n_files, n);
    }
    TRY_CLEANUP(regret_buffer_status(&what));
    rc = regret_pool_record(b->pool, regret_buffer_get(&what), date, from, n);
cleanup:
    for (size_t i = 0; from != NULL && i < n; i++) {
        regret_free(from[i].name);
    }
    regret_free(from);
    regret_buffer_free(&what);
    return rc;
}

#define APART "\xFF"

void references_append(struct regret_buffer *references, const char *text)
{
    regret_buffer_append(references, references->length > 0 ? APART : "");
    regret_buffer_append(references, text);
}

void references_append_json(struct regret_buffer *references, const cJSON *value)
{
    const cJSON *text = cJSON_IsArray(value) ? value->child : value;
    for (; text != NULL; text = cJSON_IsArray(value) ? text->next : NULL) {
        if (cJSON_IsString(text)) {
            references_append(references, text->valuestring);
        }
    }
}

const char *references_get(const struct regret_buffer *references)
{
    return references->length > 0 ? regret_buffer_get(references) : NULL;
}

size_t references_first(const char *references)
{
    return strcspn(references, APART);
}

int references_score(double *out, const char *metric, const char *output, const char *references)
{
    FREED char *copy = NULL;
    FREED const char **each = NULL;
    size_t n = 1;
    for (const char *at = references; (at = strchr(at, APART[0])) != NULL; at++) {
        n++;
    }
    TRY(regret_strdup(&copy, references));
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers is meant */
    TRY(REGRET_NEW(&each, n));
    each[0] = copy;
    for (size_t i = 1; i < n; i++) {
        char *end = strchr(each[i - 1], APART[0]);
        *end = '\0';
        each[i] = end + 1;
    }
    return regret_metric_score_any(out, metric, output, each, n);
}

/* "low" and "high" may be left out. */
static int check_range(const cJSON *component, struct regret_place at)
{
    double low = 0.0, high = 1.0;
    TRY(regret_json_optional_number(&low, component, "low", at));
    TRY(regret_json_optional_number(&high, component, "high", at));
    return low == 0.0 && high == 1.0
               ? REGRET_OK
               : regret_json_error(at, "a metric and pass@k go from 0 to 1; \"low\" and "
                                       "\"high\" must say so, or be left out");
}

int made_score_read(struct made_score *out, int *is_made, const cJSON *component,
                    struct regret_place at)
{
    long long k = 0;
    double ignored = 0.0;
    out->metric = NULL;
    TRY(regret_json_optional_string(&out->metric, component, "metric", at));
    TRY(regret_json_optional_integer(&k, component, "pass_at", 1, 1000000, at));
    out->k = (size_t)k;
    *is_made = out->metric != NULL || k > 0;
    if (out->metric != NULL &&
        (k > 0 || cJSON_GetObjectItemCaseSensitive(component, "from") != NULL)) {
        return regret_json_error(at, "a component with a \"metric\" is made of the output and "
                                     "its reference; leave \"from\" and \"pass_at\" out");
    }
    if (out->metric != NULL) {
        int rc = regret_metric_score(&ignored, out->metric, "", "");
        TRY(rc != REGRET_OK ? regret_fail_prefix(rc, "%s", at.file) : REGRET_OK);
    }
    return *is_made ? check_range(component, at) : REGRET_OK;
}

static int score(struct import_builder *b, struct import_row *row, const struct made_score *made)
{
    const struct import_entry *context = &b->contexts.entry[row->context];
    if (context->reference == NULL) {
        return regret_fail(REGRET_E_INPUT,
                           "context \"%.60s\" has no reference, which the metric %s needs; give "
                           "it one, or take its rows out",
                           context->given, made->metric);
    }
    return references_score(&row->values[made->value], made->metric, row->text, context->reference);
}

/* The kept rows of a pair, which stand together; *end is behind them. */
static int pass(struct import_builder *b, size_t first, size_t *end, const struct made_score *made)
{
    const struct import_row *pair = &b->rows[first];
    size_t n = 0, right = 0, i = first;
    for (; i < b->n_rows && b->rows[i].context == pair->context && b->rows[i].agent == pair->agent;
         i++) {
        double x = b->rows[i].values[made->value];
        if (b->rows[i].kept && x != 0.0 && x != 1.0) {
            return regret_fail(REGRET_E_INPUT,
                               "%s %zu: a value is %g; pass@k is made of 1, right, and 0, wrong",
                               b->contexts.row, b->rows[i].number, x);
        }
        n += b->rows[i].kept;
        right += b->rows[i].kept && x == 1.0;
    }
    *end = i;
    if (n > 0 && n < made->k) {
        return regret_fail(REGRET_E_INPUT,
                           "agent \"%.60s\" has %zu outputs for context \"%.60s\", fewer than "
                           "pass@%zu needs; import them with --repeats draws, or ask for less",
                           b->agents.entry[pair->agent].given, n,
                           b->contexts.entry[pair->context].given, made->k);
    }
    for (i = first; i < *end; i++) {
        b->rows[i].values[made->value] = n > 0 ? regret_pass_at_k(n, right, made->k) : 0.0;
    }
    return REGRET_OK;
}

int made_scores_derive(struct import_builder *b, const struct made_score *made, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        for (size_t i = 0; i < b->n_rows && made[k].metric != NULL; i++) {
            TRY(b->rows[i].kept ? score(b, &b->rows[i], &made[k]) : REGRET_OK);
        }
        for (size_t i = 0; i < b->n_rows && made[k].metric == NULL;) {
            TRY(pass(b, i, &i, &made[k]));
        }
    }
    return REGRET_OK;
}
