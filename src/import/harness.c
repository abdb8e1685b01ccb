#include "import/harness.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "base/names.h"
#include "base/status.h"
#include "base/text.h"
#include "import/importer.h"
#include "import/internal.h"
#include "regret/status.h"

/* Answers as they come: their request, agent and run are found, and they are kept. */

FREED_POINTER(struct harness, harness_free)

enum { MOST_ANSWERS = 1 << 28, DIGITS = 24 };

const char *const HARNESS_FAILED_WORDS[] = {"leave-out", "worst", NULL};
const char *const HARNESS_TRUNCATED_WORDS[] = {"keep", "leave-out", "worst", NULL};
const char *const HARNESS_RUNS_WORDS[] = {"refuse", "last", "draws", NULL};
const char *const HARNESS_VERSIONS_WORDS[] = {"refuse", "tag", NULL};

int harness_begin(struct harness **out, const struct harness_options *options)
{
    FREED_BY(harness_free_at) struct harness *h = NULL;
    TRY(REGRET_NEW(&h, 1));
    h->options = options;
    TRY(import_begin(&h->b));
    *out = h;
    h = NULL;
    return REGRET_OK;
}

void harness_free(struct harness *h)
{
    if (h == NULL) {
        return;
    }
    for (size_t i = 0; i < h->n_requests; i++) {
        regret_free(h->requests[i].key);
    }
    for (size_t i = 0; i < harness_values(h); i++) {
        regret_free(h->component[i].name);
    }
    struct names *names[] = {&h->files,   &h->agents,   &h->runs, &h->names, &h->versions,
                             &h->metrics, &h->left_out, &h->read, &h->met,   &h->own};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        names_free(names[i]);
    }
    for (size_t i = 0; i < HARNESS_CHOICES; i++) {
        names_free(&h->choice[i].seen);
    }
    void *arrays[] = {h->tasks, h->requests, h->answers, h->values,   h->metric,
                      h->agent, h->left,     h->segment, h->component};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        regret_free(arrays[i]);
    }
    id_table_free(&h->by_key);
    import_free(&h->b);
    regret_free(h);
}

struct regret_place harness_at(const struct harness *h, struct harness_place at)
{
    return (struct regret_place){h->files.name[at.file], at.line};
}

/* The number of a metric; what is not known of a new one is nothing. */
static int enter_metric(uint32_t *out, struct harness *h, const char *name)
{
    size_t before = h->metrics.n;
    TRY(regret_grow((void **)&h->metric, &h->metric_capacity, before, sizeof *h->metric,
                    "metrics"));
    TRY(names_enter(out, &h->metrics, name));
    if (h->metrics.n > before) {
        h->metric[before] = (struct harness_metric){.low = NAN, .high = NAN};
    }
    return REGRET_OK;
}

int harness_metric(struct harness *h, const char *name, double low, double high,
                   int lower_is_better, int is_main, enum harness_use use)
{
    uint32_t i = 0;
    TRY(enter_metric(&i, h, name));
    if (!h->metric[i].is_declared) {
        struct harness_metric *m = &h->metric[i];
        m->low = low;
        m->high = high;
        m->is_lower = lower_is_better;
        m->is_main = is_main;
        m->use = use;
        m->is_declared = 1;
    }
    return REGRET_OK;
}

int harness_label(struct harness *h, const char *name, const char *label, const char *where)
{
    uint32_t i = 0;
    TRY(enter_metric(&i, h, name));
    if (h->metric[i].labels++ == 0) {
        snprintf(h->metric[i].label, sizeof h->metric[i].label, "%s", label);
        snprintf(h->metric[i].labelled_at, sizeof h->metric[i].labelled_at, "%s", where);
    }
    return harness_left_out_at(h, "scores that are no numbers", where);
}

static int enter_agent(uint32_t *out, struct harness *h, const char *agent)
{
    size_t before = h->agents.n;
    TRY(regret_grow((void **)&h->agent, &h->agent_capacity, before, sizeof *h->agent, "agents"));
    TRY(names_enter(out, &h->agents, agent));
    if (h->agents.n > before) {
        h->agent[before] = (struct harness_agent){.own = NAN};
    }
    return REGRET_OK;
}

int harness_agent(struct harness *h, const char *name, const char *title, double cost)
{
    uint32_t i = 0;
    TRY(enter_agent(&i, h, name));
    h->agent[i].own = cost;
    return title != NULL ? import_text(&h->agent[i].title, &h->b, title) : REGRET_OK;
}

int harness_segment(struct harness *h, const char *name, const char *metric, double weight)
{
    struct harness_segment s = {.weight = weight};
    TRY(names_enter(&s.name, &h->names, name));
    TRY(enter_metric(&s.metric, h, metric));
    TRY(regret_grow((void **)&h->segment, &h->segment_capacity, h->n_segments, sizeof *h->segment,
                    "segments"));
    h->segment[h->n_segments++] = s;
    return REGRET_OK;
}

/* ---------------------------------------------------------------- tasks and requests */

static int refuse_version(const struct harness *h, const struct harness_task *t,
                          const struct harness_answer *a, struct harness_place at)
{
    const struct regret_place first = harness_at(h, t->at);
    return regret_json_error(
        harness_at(h, at),
        "task \"%.80s\" has version \"%.40s\" here and \"%.40s\" in %s:%zu; read one of them, or "
        "make two tasks of them: --versions tag",
        a->task != NULL ? a->task : "", a->version, h->versions.name[t->version], first.file,
        first.line);
}

/* There are few tasks beside the answers; the last one is the next one's. */
static int find_task(uint32_t *out, struct harness *h, const struct harness_answer *a,
                     struct harness_place at)
{
    uint32_t name = 0, version = 0;
    TRY(names_enter(&name, &h->names, a->task));
    TRY(names_enter(&version, &h->versions, a->version));
    for (size_t i = h->n_tasks; i-- > 0;) {
        struct harness_task *t = &h->tasks[i];
        if (t->name == name && (t->version == version || version == NAMES_NONE ||
                                t->version == NAMES_NONE)) { /* what is not said may be any */
            t->version = t->version != NAMES_NONE ? t->version : version;
            *out = (uint32_t)i;
            return REGRET_OK;
        }
        if (t->name == name && h->options->versions == HARNESS_VERSIONS_REFUSE) {
            return refuse_version(h, t, a, at);
        }
    }
    TRY(regret_grow((void **)&h->tasks, &h->task_capacity, h->n_tasks, sizeof *h->tasks, "tasks"));
    *out = (uint32_t)h->n_tasks;
    h->tasks[h->n_tasks++] = (struct harness_task){.name = name, .version = version, .at = at};
    return REGRET_OK;
}

static int refuse_content(const struct harness *h, const struct harness_request *r,
                          const struct harness_answer *a, struct harness_place at)
{
    const struct regret_place first = harness_at(h, r->at);
    if (r->at.file == at.file) {
        return regret_json_error(harness_at(h, at),
                                 "id \"%.80s\" of task \"%.80s\" stands in line %zu of this file, "
                                 "too, with another request; give each its own id",
                                 r->id, a->task != NULL ? a->task : "", first.line);
    }
    return regret_json_error(
        harness_at(h, at),
        "request \"%.80s\" of task \"%.80s\" is another one in %s:%zu: two versions of the task; "
        "read one of them, or make two tasks of them: --versions tag",
        r->id, a->task != NULL ? a->task : "", first.file, first.line);
}

static int add_request(struct harness *h, struct harness_request *r, const char *key,
                       const struct harness_answer *a)
{
    char *text = NULL, *reference = NULL;
    FREED char *copy = NULL;
    TRY(regret_grow((void **)&h->requests, &h->request_capacity, h->n_requests, sizeof *h->requests,
                    "requests"));
    TRY(id_table_reserve(&h->by_key, h->n_requests + 1));
    TRY(regret_strdup(&copy, key));
    TRY(import_text(&text, &h->b, a->prompt));
    TRY(a->reference != NULL ? import_text(&reference, &h->b, a->reference) : REGRET_OK);
    r->key = copy;
    r->id = strchr(copy, '/') + 1;
    r->text = text;
    r->reference = reference;
    r->next = NAMES_NONE;
    h->requests[h->n_requests] = *r;
    id_table_put(&h->by_key, copy, h->n_requests++);
    copy = NULL;
    return REGRET_OK;
}

/* Finds the request of a key; of those that have it, the one with this content. */
static int find_request(uint32_t *out, struct harness *h, const char *key,
                        struct harness_request *wanted, const struct harness_answer *a)
{
    size_t first = id_table_find(&h->by_key, key);
    uint32_t i = first == SIZE_MAX ? NAMES_NONE : (uint32_t)first, last = NAMES_NONE;
    while (i != NAMES_NONE) {
        struct harness_request *r = &h->requests[i];
        if (r->content == wanted->content || r->content == 0 || wanted->content == 0) {
            h->other_prompts += r->prompt != wanted->prompt;
            h->other_tags += r->tag != wanted->tag;
            r->content = r->content != 0 ? r->content : wanted->content;
            *out = i;
            return REGRET_OK;
        }
        if (h->options->versions == HARNESS_VERSIONS_REFUSE) {
            return refuse_content(h, r, a, wanted->at);
        }
        wanted->version = r->version + 1;
        last = i;
        i = r->next;
    }
    *out = (uint32_t)h->n_requests;
    TRY(add_request(h, wanted, key, a));
    if (last != NAMES_NONE) {
        h->requests[last].next = *out;
    }
    return REGRET_OK;
}

static int enter_request(uint32_t *out, struct harness *h, const struct harness_answer *a,
                         struct harness_place at)
{
    FREED_BY(regret_buffer_free) struct regret_buffer key = REGRET_BUFFER_INIT;
    struct harness_request wanted = {
        .content = a->content != NULL ? regret_hash64(a->content, strlen(a->content)) : 0,
        .prompt = regret_hash64(a->prompt, strlen(a->prompt)),
        .at = at};
    TRY(find_task(&wanted.task, h, a, at));
    TRY(names_enter(&wanted.tag, &h->names, a->tag));
    regret_buffer_printf(&key, "%u/", (unsigned)wanted.task);
    if (a->id != NULL) {
        regret_buffer_append(&key, a->id);
    } else {
        regret_buffer_printf(&key, "%016llx", (unsigned long long)wanted.prompt);
    }
    TRY(regret_buffer_status(&key));
    return find_request(out, h, regret_buffer_get(&key), &wanted, a);
}

/* ---------------------------------------------------------------- answers */

static int add_scores(struct harness *h, const struct harness_answer *a, struct harness_place at)
{
    for (size_t i = 0; i < a->n_scores; i++) {
        struct harness_value value = {.value = a->scores[i].value};
        if (isnan(value.value)) {
            h->no_number_at = h->no_numbers++ == 0 ? at : h->no_number_at;
            continue;
        }
        if (isinf(value.value)) {
            return regret_json_error(a->at, "the score \"%.80s\" is infinite", a->scores[i].metric);
        }
        TRY(enter_metric(&value.metric, h, a->scores[i].metric));
        TRY(regret_grow((void **)&h->values, &h->value_capacity, h->n_values, sizeof *h->values,
                        "scores"));
        h->values[h->n_values++] = value;
        h->metric[value.metric].n++;
    }
    return REGRET_OK;
}

static int add_answer(struct harness *h, const struct harness_answer *a)
{
    struct harness_kept k = {.state = (unsigned char)a->state,
                             .repeat = (uint32_t)a->repeat,
                             .scores = h->n_values,
                             .at.line = a->at.line};
    TRY(names_enter(&k.at.file, &h->files, a->at.file));
    TRY(enter_request(&k.request, h, a, k.at));
    TRY(enter_agent(&k.agent, h, a->agent));
    TRY(names_enter(&k.run, &h->runs, a->run != NULL ? a->run : a->at.file));
    TRY(add_scores(h, a, k.at));
    k.n_scores = (uint32_t)(h->n_values - k.scores);
    TRY(regret_grow((void **)&h->answers, &h->answer_capacity, h->n_answers, sizeof *h->answers,
                    "answers"));
    TRY(a->output != NULL ? import_text(&k.output, &h->b, a->output) : REGRET_OK);
    h->answers[h->n_answers++] = k;
    if (!isnan(a->cost)) {
        h->agent[k.agent].sum += a->cost;
        h->agent[k.agent].n++;
    }
    return REGRET_OK;
}

/* Whether users want this one (NULL: "", none); without patterns all are. Of those that were seen none may match a pattern:
 * harness_finish() refuses it, and names them. */
static int see(int *is_wanted, struct harness *h, enum harness_choice which,
               const struct importer_list *patterns, const char *name)
{
    uint32_t i = 0;
    const char *seen = name != NULL ? name : "";
    h->choice[which].patterns = patterns;
    *is_wanted = patterns->n == 0 || name_matches(patterns->items, patterns->n, seen);
    return patterns->n > 0 ? names_enter(&i, &h->choice[which].seen, seen) : REGRET_OK;
}

int harness_add(struct harness *h, const struct harness_answer *a)
{
    int is_agent = 0, is_task = 0;
    TRY(see(&is_agent, h, HARNESS_AGENTS, &h->options->agents, a->agent));
    TRY(see(&is_task, h, HARNESS_TASKS, &h->options->tasks, a->task));
    if (!is_agent) {
        h->other_agents++;
        importer_remember(h->other_agents_are, sizeof h->other_agents_are, a->agent);
        return REGRET_OK;
    }
    if (!is_task) {
        h->other_tasks++;
        importer_remember(h->other_tasks_are, sizeof h->other_tasks_are,
                          a->task != NULL ? a->task : "none");
        return REGRET_OK;
    }
    if (a->prompt == NULL || a->agent == NULL || a->agent[0] == '\0') {
        return regret_json_error(a->at, "an answer without %s",
                                 a->prompt == NULL ? "its prompt" : "the name of a model");
    }
    if (a->cost < 0.0 || isinf(a->cost)) {
        return regret_json_error(a->at, "a cost of %g; costs are 0 or more", a->cost);
    }
    if (h->n_answers == MOST_ANSWERS || a->repeat >= NAMES_NONE || a->n_scores >= MOST_ANSWERS) {
        return regret_json_error(a->at, "more than %d answers", MOST_ANSWERS);
    }
    return add_answer(h, a);
}

/* What users chose that is not there: refused, with what there is. */

enum { LISTED = 400 }; /* bytes, after which no further name is begun */

/* "a", "b" and 3 more; quoted, for they may hold commas; of metrics those with scores. */
static void put_names(struct regret_buffer *out, const struct names *names,
                      const struct harness_metric *metric)
{
    size_t begin = out->length, n = 0, shown = 0;
    for (size_t i = 0; i < names->n; i++) {
        if (metric != NULL && metric[i].n == 0) {
            continue;
        }
        n++;
        if (out->length - begin < LISTED) {
            regret_buffer_append(out, shown++ > 0 ? ", \"" : "\"");
            regret_buffer_append_safe(out, names->name[i], 80);
            regret_buffer_append_char(out, '"');
        }
    }
    if (n > shown) {
        regret_buffer_printf(out, " and %zu more", n - shown);
    }
    regret_buffer_append(out, n == 0 ? "none" : "");
}

int harness_refuse(const char *why, const struct names *names, const struct harness_metric *metric)
{
    FREED_BY(regret_buffer_free) struct regret_buffer list = REGRET_BUFFER_INIT;
    put_names(&list, names, metric);
    TRY(regret_buffer_status(&list));
    return regret_fail(REGRET_E_INPUT, "%s; there are: %s", why, regret_buffer_get(&list));
}

static int refuse_pattern(const char *option, const char *pattern, const struct names *seen)
{
    char why[128];
    snprintf(why, sizeof why, "%s \"%.80s\" matches nothing", option, pattern);
    return harness_refuse(why, seen, NULL);
}

int harness_check_choices(const struct harness *h)
{
    static const char *const OPTIONS[HARNESS_CHOICES] = {"--task", "--agent"};
    for (size_t k = 0; k < HARNESS_CHOICES; k++) {
        const struct importer_list *patterns = h->choice[k].patterns;
        const struct names *seen = &h->choice[k].seen;
        for (size_t p = 0; patterns != NULL && p < patterns->n; p++) {
            size_t i = 0;
            while (i < seen->n && !name_matches(&patterns->items[p], 1, seen->name[i])) {
                i++;
            }
            TRY(i < seen->n ? REGRET_OK : refuse_pattern(OPTIONS[k], patterns->items[p], seen));
        }
    }
    return REGRET_OK;
}

size_t harness_others(char *list, size_t size, const struct harness *h)
{
    size_t n = 0;
    list[0] = '\0';
    for (size_t i = 0; i < h->met.n; i++) {
        if (names_find(&h->own, h->met.name[i]) == SIZE_MAX) {
            importer_remember(list, size, path_last(h->met.name[i]));
            n++;
        }
    }
    return n;
}

int harness_tell(const struct harness *h, int code)
{
    size_t failed = 0;
    for (size_t i = 0; i < h->n_answers; i++) {
        failed += h->answers[i].state == HARNESS_FAILED;
    }
    if (h->n_answers > 0) {
        regret_fail_suffix(code, ": %zu answers, %zu of them failed", h->n_answers, failed);
    }
    if (h->no_numbers > 0) {
        regret_fail_suffix(code, "; %zu scores that are no numbers: %s:%zu", h->no_numbers,
                           h->files.name[h->no_number_at.file], h->no_number_at.line);
    }
    for (size_t i = 0; i < h->left_out.n; i++) {
        const struct harness_left *left = &h->left[i];
        regret_fail_suffix(code, "; %zu %s%s%s", left->n, h->left_out.name[i],
                           left->first[0] != '\0' ? ": " : "", left->first);
    }
    char others[300];
    size_t n = harness_others(others, sizeof others, h);
    return n == 0
               ? code
               : regret_fail_suffix(code,
                                    "; %zu files passed over, which this import does not read: %s",
                                    n, others);
}

/* Which files there are: read, passed over, of the import's own; and what is left out, counted by its reason. */

static int leave_out(struct harness *h, const char *what, size_t n, const char *where)
{
    uint32_t i = 0;
    size_t before = h->left_out.n;
    if (n == 0) {
        return REGRET_OK;
    }
    TRY(regret_grow((void **)&h->left, &h->left_capacity, before, sizeof *h->left, "counts"));
    TRY(names_enter(&i, &h->left_out, what));
    if (i == before) {
        h->left[i].n = 0;
        snprintf(h->left[i].first, sizeof h->left[i].first, "%s", where);
    }
    h->left[i].n += n;
    return REGRET_OK;
}

int harness_left_out(struct harness *h, const char *what, size_t n)
{
    return leave_out(h, what, n, "");
}

int harness_left_out_at(struct harness *h, const char *what, const char *where)
{
    return leave_out(h, what, 1, where);
}
