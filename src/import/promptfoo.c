/* promptfoo. */
#include <cJSON.h>
#include <ctype.h>
#include <fnmatch.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/archive.h"
#include "base/buffer.h"
#include "base/json.h"
#include "base/json_array.h"
#include "base/names.h"
#include "base/status.h"
#include "import/harness.h"
#include "regret/status.h"

/* Internal to the importer of promptfoo's results. The format: EvaluateSummaryV3, EvaluateSummaryV2 (of versions before
 * 0.96) and EvaluateResult of src/types/index.ts, GradingResult there, ProviderResponse of src/types/providers.ts, as in
 * promptfoo 0.118; a file as `promptfoo eval -o results.json` or `promptfoo export` writes it, or results.jsonl, a result
 * a line. */
/* promptfoo's results: going through their files, and the command line. */

struct promptfoo {
    const struct harness_options *options;
    const char *path;
    struct harness *harness;
    int is_second;        /* going through the files for the answers */
    const char *run;      /* the name of the file at hand; borrowed */
    size_t results;       /* of it, so far */
    struct names prompts; /* the labels of prompts, or their templates */
    struct names tests;   /* of results whose prompt has no label: what they ask */
    size_t *asked;        /* in so many such results, by prompt; owned */
    size_t asked_capacity;
    struct names seen; /* "agent test" of the file at hand */
    size_t *times;     /* how often; owned */
    size_t capacity;
};

static const char CARD[] = "# Answers from results of promptfoo\n\n"
                           "Contexts are test cases; agents are providers, with a prompt where "
                           "there are several. score is\n"
                           "promptfoo's: the mean of a test's assertions by their weights; "
                           "success, 1 where all hold, and\n"
                           "named scores can be kept beside it. Repeats are draws. Costs are those "
                           "that the results state.\n";

static const char *const PATTERNS[] = {"*.json", "*.jsonl"};

/* For the prompts the first alone. */
static const char *const RESULT_FIELDS[] = {"prompt",      "vars",         "testCase", "provider",
                                            "response",    "cost",         "score",    "success",
                                            "namedScores", "failureReason"};
enum { N_PROMPT_FIELDS = 3, N_RESULT_FIELDS = sizeof RESULT_FIELDS / sizeof *RESULT_FIELDS };

static const struct importer_option options[] = {HARNESS_OPTIONS};

/* A result as an answer. */

enum { SHORT_LABEL = 40 }; /* characters of the label of a prompt that names it */

/* A text as it is, other values as JSON has them. */
static void append_value(struct regret_buffer *t, const cJSON *v)
{
    char scratch[JSON_SCRATCH];
    const char *whole = json_text(scratch, v);
    char *printed = whole == NULL && v != NULL ? cJSON_PrintUnformatted(v) : NULL;
    if (whole == NULL && v != NULL && printed == NULL) {
        regret_buffer_fail(t, REGRET_E_NOMEM);
        return;
    }
    regret_buffer_append(t, whole != NULL ? whole : printed != NULL ? printed : "");
    cJSON_free(printed);
}

/* ---- Prompts and agents ---- */

static const cJSON *vars_of(const cJSON *result)
{
    const cJSON *vars = json_member(json_member(result, "testCase"), "vars");
    return cJSON_IsObject(vars) ? vars : json_member(result, "vars");
}

static int is_in_word(char a, char b)
{
    return isalnum((unsigned char)a) && isalnum((unsigned char)b);
}

/* Puts "{{name}}" for a value wherever it stands in a text, whole words for whole words. */
static void put_back(struct regret_buffer *out, const char *text, const char *value,
                     const char *name)
{
    size_t n = strlen(value);
    for (const char *p = text; *p != '\0';) {
        int is_here = n > 0 && strncmp(p, value, n) == 0 &&
                      !(p > text && is_in_word(p[-1], p[0])) && !is_in_word(p[n - 1], p[n]);
        if (is_here) {
            regret_buffer_printf(out, "{{%s}}", name);
        } else {
            regret_buffer_append_char(out, *p);
        }
        p += is_here ? n : 1;
    }
}

/* The template of a prompt as it was sent, of which results before 0.96 say no more. */
static void append_template(struct regret_buffer *out, const char *raw, const cJSON *vars)
{
    struct regret_buffer value = REGRET_BUFFER_INIT;
    regret_buffer_append(out, raw);
    for (const cJSON *v = cJSON_IsObject(vars) ? vars->child : NULL; v != NULL; v = v->next) {
        struct regret_buffer next = REGRET_BUFFER_INIT;
        regret_buffer_clear(&value);
        append_value(&value, v);
        put_back(&next, regret_buffer_get(out), regret_buffer_get(&value), v->string);
        regret_buffer_clear(out);
        regret_buffer_append(out, regret_buffer_get(&next));
        regret_buffer_free_into(out, &next);
    }
    regret_buffer_free_into(out, &value);
}

/* What the results of one prompt share: its label, which is its template where nobody gave one. *is_made: there was none. */
static int append_label(struct regret_buffer *out, int *is_made, const cJSON *result,
                        struct regret_place at)
{
    const cJSON *prompt = json_member(result, "prompt");
    const char *raw = json_string(prompt, "raw"), *label = json_string(prompt, "label");
    const char *shown = json_string(prompt, "display");
    label =
        label == NULL && shown != NULL && raw != NULL && strcmp(shown, raw) != 0 ? shown : label;
    *is_made = label == NULL;
    if (label == NULL && raw == NULL) {
        return regret_json_error(at,
                                 "a result without a \"prompt\" that has a \"label\" or \"raw\"");
    }
    if (label != NULL) {
        regret_buffer_append(out, label);
    } else {
        append_template(out, raw, vars_of(result));
    }
    return regret_buffer_status(out);
}

/* The provider, by its label or else its id, and the prompt where there are several: by its label, or by its number where
 * that is long, as it is where nobody gave one and the template stands for it. */
static int append_agent(struct regret_buffer *t, const struct promptfoo *p, const cJSON *result,
                        struct regret_place at)
{
    const cJSON *provider = json_member(result, "provider");
    const char *name =
        cJSON_IsString(provider) ? provider->valuestring : json_string(provider, "label");
    name = name != NULL && name[0] != '\0' ? name : json_string(provider, "id");
    if (name == NULL) {
        return regret_json_error(at, "a result without a \"provider\" that has an \"id\"");
    }
    regret_buffer_append(t, name);
    if (p->prompts.n > 1) {
        FREED_BY(regret_buffer_free) struct regret_buffer all = REGRET_BUFFER_INIT;
        int is_made = 0;
        TRY(append_label(&all, &is_made, result, at));
        const char *label = regret_buffer_get(&all);
        size_t number = names_find(&p->prompts, label);
        if (strlen(label) <= SHORT_LABEL && strpbrk(label, "\r\n") == NULL) {
            regret_buffer_printf(t, " %s", label);
        } else {
            regret_buffer_printf(t, " prompt %zu", number + 1);
        }
    }
    return regret_buffer_status(t);
}

/* ---- Test cases ---- */

static int has_vars(const cJSON *result)
{
    const cJSON *vars = vars_of(result);
    return vars != NULL && vars->child != NULL;
}

/* What was asked: the prompt as it was sent, or of several prompts what they have in common, the variables. */
static void append_prompt(struct regret_buffer *t, const struct promptfoo *p, const cJSON *result)
{
    const cJSON *vars = vars_of(result);
    const char *raw = json_string(json_member(result, "prompt"), "raw");
    const char *description = json_string(json_member(result, "testCase"), "description");
    if (p->prompts.n == 1 && raw != NULL) {
        regret_buffer_append(t, raw);
        return;
    }
    if (!has_vars(result)) {
        regret_buffer_append(t, description != NULL ? description : "(a prompt without variables)");
    }
    for (const cJSON *v = vars != NULL ? vars->child : NULL; v != NULL; v = v->next) {
        if (vars->child->next != NULL) {
            regret_buffer_printf(t, "%s%s: ", v != vars->child ? "\n" : "", v->string);
        }
        append_value(t, v);
    }
}

/* A test is known by its variables, its description and its assertions: its number is another one where tests are filtered. Without
 * variables all tests ask the same of each prompt. */
static int name_test(struct regret_buffer *t, const struct promptfoo *p, const cJSON *result)
{
    const cJSON *test = json_member(result, "testCase");
    const cJSON *parts[] = {vars_of(result), json_member(test, "description"),
                            p->prompts.n == 1 || has_vars(result) ? json_member(test, "assert")
                                                                  : NULL};
    struct regret_buffer all = REGRET_BUFFER_INIT;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        append_value(&all, parts[i]);
        regret_buffer_append_char(&all, '\n');
    }
    regret_buffer_printf(t, "%016llx",
                         (unsigned long long)regret_hash64(regret_buffer_get(&all), all.length));
    regret_buffer_free_into(t, &all);
    return regret_buffer_status(t);
}

/* What an assertion compares the output with. */
static const char *reference_of(const cJSON *result)
{
    static const char *const TYPES[] = {
        "equals", "similar", "factuality", "model-graded-factuality", "rouge-n", "bleu",
        "gleu",   "meteor",  "levenshtein"};
    const cJSON *assertion = NULL;
    cJSON_ArrayForEach(assertion, json_member(json_member(result, "testCase"), "assert"))
    {
        const char *type = json_string(assertion, "type");
        if (type != NULL && texts_have(TYPES, sizeof TYPES / sizeof *TYPES, type) &&
            json_string(assertion, "value") != NULL) {
            return json_string(assertion, "value");
        }
    }
    return NULL;
}

/* How many results of this agent and test the file had before. */
static int count_repeat(size_t *out, struct promptfoo *p, const char *agent, const char *test)
{
    FREED_BY(regret_buffer_free) struct regret_buffer key = REGRET_BUFFER_INIT;
    size_t n = p->seen.n;
    uint32_t i = 0;
    regret_buffer_printf(&key, "%s %s", test, agent);
    TRY(regret_buffer_status(&key));
    TRY(regret_grow((void **)&p->times, &p->capacity, n, sizeof *p->times, "results"));
    TRY(names_enter(&i, &p->seen, regret_buffer_get(&key)));
    p->times[i] = i == n ? 0 : p->times[i];
    *out = p->times[i]++;
    return REGRET_OK;
}

/* ---- Scores and state ---- */

/* Errors of the provider fail, assertions that do not hold are answers: failureReason tells them apart, since 0.96; before
 * that an error without an output is one. */
static enum harness_state state_of(const cJSON *result)
{
    const cJSON *response = json_member(result, "response"),
                *output = json_member(response, "output");
    const cJSON *reason = json_member(result, "failureReason");
    const char *finish = json_string(response, "finishReason");
    int has_output = output != NULL && !cJSON_IsNull(output);
    if ((cJSON_IsNumber(reason) && reason->valuedouble == 2.0) ||
        json_string(response, "error") != NULL || !has_output) {
        return HARNESS_FAILED;
    }
    return finish != NULL && strcmp(finish, "length") == 0 ? HARNESS_TRUNCATED : HARNESS_ANSWERED;
}

struct scores {
    struct harness_score *score; /* owned */
    size_t n, capacity;
};

FREED_FIELDS(scores, of->score)

static int add_score(struct scores *s, struct harness *h, const char *name, const cJSON *v,
                     double high, int is_main)
{
    double value = cJSON_IsNumber(v) ? v->valuedouble
                   : cJSON_IsBool(v) ? (double)cJSON_IsTrue(v)
                                     : NAN;
    TRY(harness_metric(h, name, high - high, high, 0, is_main));
    TRY(regret_grow((void **)&s->score, &s->capacity, s->n, sizeof *s->score, "scores"));
    s->score[s->n++] = (struct harness_score){name, value};
    return REGRET_OK;
}

static int read_scores(struct scores *s, struct harness *h, const cJSON *result)
{
    const cJSON *v = NULL;
    TRY(add_score(s, h, "score", json_member(result, "score"), 1.0, 1));
    TRY(add_score(s, h, "success", json_member(result, "success"), 1.0, 0));
    cJSON_ArrayForEach(v, json_member(result, "namedScores"))
    {
        if (v->string != NULL && strcmp(v->string, "score") != 0 &&
            strcmp(v->string, "success") != 0) {
            TRY(add_score(s, h, v->string, v, NAN, 0));
        }
    }
    return REGRET_OK;
}

static double cost_of(const cJSON *result)
{
    const cJSON *cost = json_member(result, "cost"),
                *response = json_member(json_member(result, "response"), "cost");
    cost = cJSON_IsNumber(cost) ? cost : response;
    return cJSON_IsNumber(cost) ? cost->valuedouble : NAN;
}

/* Variables that are no part of what was asked are in no pool: each is counted by its name. */
static int count_left_out(struct promptfoo *p, const cJSON *result, const char *prompt)
{
    FREED_BY(regret_buffer_free) struct regret_buffer text = REGRET_BUFFER_INIT;
    FREED_BY(regret_buffer_free) struct regret_buffer what = REGRET_BUFFER_INIT;
    const cJSON *vars =
        strchr("[{", prompt[0]) == NULL ? vars_of(result) : NULL; /* JSON has escapes */
    for (const cJSON *v = vars != NULL ? vars->child : NULL; v != NULL; v = v->next) {
        regret_buffer_clear(&text);
        regret_buffer_clear(&what);
        append_value(&text, v);
        regret_buffer_printf(&what, "values of variable \"%s\", which the prompt does not show",
                             v->string);
        TRY(regret_buffer_status(&text));
        TRY(regret_buffer_status(&what));
        TRY(strstr(prompt, regret_buffer_get(&text)) != NULL
                ? REGRET_OK
                : harness_left_out(p->harness, regret_buffer_get(&what), 1));
    }
    return REGRET_OK;
}

/* ---- The answer ---- */

/* Hands a result over, once all prompts are known. */
static int promptfoo_add_result(struct promptfoo *p, const cJSON *result, struct regret_place at)
{
    FREED_BY(regret_buffer_free) struct regret_buffer agent = REGRET_BUFFER_INIT;
    FREED_BY(regret_buffer_free) struct regret_buffer prompt = REGRET_BUFFER_INIT;
    FREED_BY(regret_buffer_free) struct regret_buffer test = REGRET_BUFFER_INIT;
    FREED_BY(regret_buffer_free) struct regret_buffer output = REGRET_BUFFER_INIT;
    FREED_BY(scores_fields) struct scores scores = {0};
    struct harness_answer answer = {.run = p->run, .at = at, .cost = cost_of(result)};
    TRY(append_agent(&agent, p, result, at));
    append_prompt(&prompt, p, result);
    append_value(&output, json_member(json_member(result, "response"), "output"));
    TRY(regret_buffer_status(&prompt));
    TRY(count_left_out(p, result, regret_buffer_get(&prompt)));
    TRY(regret_buffer_status(&output));
    TRY(name_test(&test, p, result));
    TRY(read_scores(&scores, p->harness, result));
    answer.agent = regret_buffer_get(&agent);
    answer.id = regret_buffer_get(&test);
    TRY(count_repeat(&answer.repeat, p, answer.agent, answer.id));
    answer.prompt = answer.content = regret_buffer_get(&prompt);
    answer.output = regret_buffer_get(&output);
    answer.reference = reference_of(result);
    answer.state = state_of(result);
    answer.scores = scores.score;
    answer.n_scores = scores.n;
    return harness_add(p->harness, &answer);
}

/* Remembers the prompt of a result. */
static int promptfoo_add_prompt(struct promptfoo *p, const cJSON *result, struct regret_place at)
{
    FREED_BY(regret_buffer_free) struct regret_buffer label = REGRET_BUFFER_INIT;
    FREED_BY(regret_buffer_free) struct regret_buffer test = REGRET_BUFFER_INIT;
    size_t n = p->prompts.n;
    uint32_t i = 0;
    int is_made = 0;
    TRY(append_label(&label, &is_made, result, at));
    TRY(regret_grow((void **)&p->asked, &p->asked_capacity, n, sizeof *p->asked, "prompts"));
    TRY(names_enter(&i, &p->prompts, regret_buffer_get(&label)));
    p->asked[i] = (i == n ? 0 : p->asked[i]) + (size_t)is_made;
    if (!is_made) {
        return REGRET_OK;
    }
    append_value(&test, vars_of(result));
    TRY(regret_buffer_status(&test));
    return names_enter(&i, &p->tests, regret_buffer_get(&test));
}

static int see(void *context, const cJSON *result, struct regret_place at)
{
    struct promptfoo *p = context;
    p->results++;
    if (!cJSON_IsObject(result)) {
        return regret_json_error(at, "a result must be an object");
    }
    return p->is_second ? promptfoo_add_result(p, result, at) : promptfoo_add_prompt(p, result, at);
}

/* EvaluateSummaryV3's; the file of an export around it counts versions of its own. */
enum { NEWEST = 3 };
static const char *const VERSION[] = {"version"};

static int check_version(const cJSON *before, struct regret_place at)
{
    long long version = NEWEST;
    TRY(regret_json_optional_integer(&version, before, "version", 0, INT32_MAX, at));
    return version <= NEWEST
               ? REGRET_OK
               : regret_json_error(at,
                                   "results of version %lld; up to %d can be read: write them anew "
                                   "with a promptfoo that writes that",
                                   version, NEWEST);
}

static int read_document(struct promptfoo *p, struct json_array *array)
{
    cJSON *before = NULL;
    int found = 0, rc;
    TRY_CLEANUP(json_array_seek(array, &found, &before, "results", VERSION, 1));
    rc = check_version(before, (struct regret_place){array->path, 0});
cleanup:
    cJSON_Delete(before);
    TRY(rc);
    return found ? json_array_each(array, see, p)
                 : regret_json_error((struct regret_place){array->path, 0},
                                     "no results of promptfoo: \"results\" must hold a list of "
                                     "them, as \"promptfoo eval -o results.json\" writes it");
}

/* ---- Repeats ---- */

/* Repeats are counted within a file. */
static void promptfoo_forget_seen(struct promptfoo *p)
{
    names_free(&p->seen);
    regret_free(p->times);
    p->times = NULL;
    p->capacity = 0;
}

static int read_member(void *context, struct source *source, const char *name)
{
    struct promptfoo *p = context;
    struct json_array array = {.path = source_where(source),
                               .fields = RESULT_FIELDS,
                               .n_fields = p->is_second ? N_RESULT_FIELDS : N_PROMPT_FIELDS};
    promptfoo_forget_seen(p);
    p->run = name;
    p->results = 0;
    TRY(harness_file(p->harness, source));
    if (fnmatch("*.jsonl", name, 0) == 0) {
        return harness_lines(p->is_second ? p->harness : NULL, source, see, p);
    }
    TRY(source_jsonl(source, &array.reader));
    TRY(read_document(p, &array));
    return p->is_second && p->results == 0
               ? harness_left_out_at(p->harness, "files without a row", array.path)
               : REGRET_OK;
}

/* The prompts, by their numbers, for the card. */
static int put_card(struct regret_buffer *card, const struct promptfoo *p)
{
    regret_buffer_append(card, CARD);
    for (size_t i = 0; i < p->prompts.n && p->prompts.n > 1; i++) {
        regret_buffer_printf(card, "%s* prompt %zu: ", i == 0 ? "\n" : "", i + 1);
        markdown_escape(card, p->prompts.name[i]);
        regret_buffer_append_char(card, '\n');
    }
    return regret_buffer_status(card);
}

/* REGRET_E_INPUT: prompts without labels of which nobody knows which are one. */
static int promptfoo_check_prompts(const struct promptfoo *p)
{
    for (size_t i = 0; i < p->prompts.n && p->prompts.n > 1; i++) {
        if (p->asked[i] > 0 && 2 * p->asked[i] < p->tests.n) {
            return regret_fail(
                REGRET_E_INPUT,
                "%s: results do not say which prompts are one (\"%.80s\" stands in "
                "%zu of them, of %zu tests): write a \"label\" into the \"prompt\" of "
                "each, or the results anew with promptfoo 0.96 or later",
                p->path, p->prompts.name[i], p->asked[i], p->tests.n);
        }
    }
    return REGRET_OK;
}

static int read_results(struct promptfoo *p)
{
    TRY(harness_each(p->harness, p->path, PATTERNS, 2, read_member, p));
    if (p->prompts.n == 0) {
        return harness_tell(
            p->harness,
            regret_fail(REGRET_E_INPUT,
                        "%s holds no results of promptfoo: a .json or .jsonl that \"promptfoo "
                        "eval -o\" writes",
                        p->path));
    }
    TRY(promptfoo_check_prompts(p));
    p->is_second = 1;
    return harness_each(p->harness, p->path, PATTERNS, 2, read_member, p);
}

static int run(const struct importer_call *call)
{
    struct promptfoo p = {.options = call->options, .path = call->from};
    struct regret_buffer card = REGRET_BUFFER_INIT;
    int rc;
    TRY_CLEANUP(harness_begin(&p.harness, p.options));
    TRY_CLEANUP(read_results(&p));
    TRY_CLEANUP(put_card(&card, &p));
    rc = harness_finish(p.harness, call, "promptfoo", "Answers from results of promptfoo",
                        regret_buffer_get(&card));
cleanup:
    regret_buffer_free(&card);
    harness_free(p.harness);
    promptfoo_forget_seen(&p);
    names_free(&p.prompts);
    names_free(&p.tests);
    regret_free(p.asked);
    return rc;
}

static const struct harness_options defaults = {0};

const struct importer importer_promptfoo = {
    .name = "import promptfoo",
    .synopsis = "FILE|FOLDER -o POOL [options]",
    .summary = "results of promptfoo: results.json or .jsonl, or a folder of them",
    .detail =
        "A test case is a context, a provider an agent, with its prompt where there are several,\n"
        "repeats are draws. Scores are score, the default, success and the named ones. Errors\n"
        "of a provider are failed answers, assertions that do not hold are not.",
    .examples = "regret import promptfoo results.json -o mine --dry-run\n"
                "regret import promptfoo results.json -o mine -m score -m success",
    .run = run,
    .can_dry_run = 1,
    IMPORTER_OPTIONS(options, defaults),
};
