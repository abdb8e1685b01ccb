/* Questions and answers by their names. */
#include <cJSON.h>

#include "base/core/try.h"
#include "base/json/json_pick.h"
#include "import/arenahard/arenahard.h"
#include "regret/alloc.h"
#include "regret/buffer.h"

int arenahard_id(const char **out, char scratch[JSON_SCRATCH], const cJSON *line,
                 struct regret_place at)
{
    const char *id = json_text(scratch, json_member(line, "question_id"));
    *out = id != NULL ? id : json_text(scratch, json_member(line, "uid"));
    return *out != NULL ? REGRET_OK
                        : regret_json_error(
                              at, "has neither \"question_id\" nor \"uid\", a text or a number");
}

int arenahard_question_of(uint32_t *out, const struct arenahard *a, const cJSON *line,
                          struct regret_place at)
{
    char scratch[JSON_SCRATCH];
    const char *id = NULL;
    TRY(arenahard_id(&id, scratch, line, at));
    size_t i = names_find(&a->questions, id);
    *out = i != SIZE_MAX ? (uint32_t)i : NAMES_NONE;
    return REGRET_OK;
}

int arenahard_answer_of(uint32_t *out, struct arenahard *a, uint32_t question, const char *model,
                        int enter)
{
    size_t n = a->judged.n;
    regret_buffer_clear(&a->key);
    regret_buffer_printf(&a->key, "%u/", (unsigned)question);
    regret_buffer_append(&a->key, model);
    TRY(regret_buffer_status(&a->key));
    size_t i = id_table_find(&a->judged.table, regret_buffer_get(&a->key));
    *out = i != SIZE_MAX ? (uint32_t)i : NAMES_NONE;
    if (i != SIZE_MAX || !enter) {
        return REGRET_OK;
    }
    TRY(regret_grow((void **)&a->judgment, &a->judgment_capacity, n, sizeof *a->judgment,
                    "judgments"));
    TRY(names_enter(out, &a->judged, regret_buffer_get(&a->key)));
    a->judgment[n] = (struct arenahard_judgment){0};
    return REGRET_OK;
}
