/* The prompts that were sent. */
#include <fnmatch.h>
#include <string.h>

#include <cJSON.h>

#include "base/archive/each.h"
#include "base/core/try.h"
#include "base/json/json_pick.h"
#include "import/batch/batch.h"
#include "import/table/table_turns.h"
#include "regret/alloc.h"
#include "regret/buffer.h"

/* The user's turns of a body, of any of the endpoints; all turns where there are none. */
static void append_prompt(struct regret_buffer *text, const cJSON *body)
{
    static const char *const FIELDS[] = {"messages", "input", "prompt"};
    for (size_t i = 0; i < 3 && text->length == 0; i++) {
        table_turns_append(text, json_member(body, FIELDS[i]), TURNS_OF_USER);
    }
}

/* The same request to another model, which is then of none. */
static int check_again(struct batch_requests *r, uint32_t i, struct batch_request again,
                       struct regret_place at)
{
    struct batch_request *q = &r->request[i];
    q->model = q->model == again.model ? q->model : NAMES_NONE;
    return q->prompt == again.prompt
               ? REGRET_OK
               : regret_json_error(at,
                                   "custom_id \"%.80s\" had another prompt before; give the "
                                   "requests of one of the two",
                                   r->ids.name[i]);
}

static int read_line(void *context, const cJSON *line, struct regret_place at)
{
    struct batch_requests *r = context;
    const cJSON *body = json_member(line, "body");
    const char *id = NULL, *model = json_string(body, "model");
    struct batch_request given = {NAMES_NONE, NAMES_NONE};
    size_t n = r->ids.n;
    uint32_t i = 0;
    if (body == NULL) {
        return REGRET_OK;
    }
    TRY(regret_json_get_string(&id, line, "custom_id", at));
    regret_buffer_clear(&r->text);
    append_prompt(&r->text, body);
    TRY(regret_buffer_status(&r->text));
    if (r->text.length == 0) {
        return regret_json_error(at,
                                 "request \"%.80s\" has no text in \"messages\", \"input\" or "
                                 "\"prompt\"",
                                 id);
    }
    TRY(regret_grow((void **)&r->request, &r->capacity, n, sizeof *r->request, "requests"));
    TRY(names_enter(&given.prompt, &r->prompts, regret_buffer_get(&r->text)));
    TRY(names_enter(&given.model, &r->models, model));
    TRY(names_enter(&i, &r->ids, id));
    if (i < n) {
        return check_again(r, i, given, at);
    }
    r->request[i] = given;
    return REGRET_OK;
}

struct lines {
    struct harness *h;
    const char *path;
    jsonl_line *line;
    void *context;
};

int batch_is_own(int *is_own, struct harness *h, const struct source *source, const char *name,
                 const char *path)
{
    static const char *const ENDS[] = {"*.jsonl", "*.json", "*.ndjson"};
    *is_own =
        strcmp(source_where(source), path) == 0; /* what is given is read, whatever its name */
    for (size_t i = 0; i < sizeof ENDS / sizeof *ENDS; i++) {
        *is_own |= fnmatch(ENDS[i], name, 0) == 0;
    }
    return *is_own ? harness_own(h, source) : REGRET_OK;
}

static int read_member(void *context, struct source *source, const char *name)
{
    const struct lines *lines = context;
    int is_own = 0;
    TRY(batch_is_own(&is_own, lines->h, source, name, lines->path));
    return !is_own ? REGRET_OK : harness_lines(lines->h, source, lines->line, lines->context);
}

int batch_read_lines(struct harness *h, const char *path, jsonl_line *line, void *context)
{
    struct lines lines = {h, path, line, context};
    return harness_each(h, path, NULL, 0, read_member, &lines);
}

int batch_requests_read(struct batch_requests *out, struct harness *h, const char *path)
{
    out->path = path;
    TRY(path != NULL ? batch_read_lines(h, path, read_line, out) : REGRET_OK);
    return path == NULL || out->ids.n > 0
               ? REGRET_OK
               : regret_fail(REGRET_E_INPUT,
                             "%s: no requests there, lines with \"custom_id\" and \"body\"", path);
}

const char *batch_request_find(const char **model, const struct batch_requests *r,
                               const char *custom_id)
{
    size_t i = names_find(&r->ids, custom_id);
    uint32_t m = i != SIZE_MAX ? r->request[i].model : NAMES_NONE;
    *model = m != NAMES_NONE ? r->models.name[m] : NULL;
    return i != SIZE_MAX ? r->prompts.name[r->request[i].prompt] : NULL;
}

void batch_requests_free(struct batch_requests *r)
{
    names_free(&r->ids);
    names_free(&r->prompts);
    names_free(&r->models);
    regret_free(r->request);
    r->request = NULL;
    r->capacity = 0;
    regret_buffer_free(&r->text);
}
