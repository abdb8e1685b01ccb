#include "synth/data/data.h"

#include <cJSON.h>
#include <string.h>

#include "base/core/try.h"
#include "base/text/name.h"
#include "regret/alloc.h"

enum { DATA_BYTES = 1 << 24 };

const char *data_text(const struct data_file *files, const char *name)
{
    for (const struct data_file *file = files; file->name != NULL; file++) {
        if (strcmp(file->name, name) == 0) {
            return file->text;
        }
    }
    return NULL;
}

int data_take(void **out, struct data *data, size_t count, size_t size)
{
    data->arena.limit = DATA_BYTES;
    *out = arena_take(&data->arena, count * size);
    return *out != NULL ? REGRET_OK
                        : regret_fail(REGRET_E_NOMEM, "out of memory: the data of a generator");
}

/* Moves on to the next '{' that is not in a string, counting lines. */
static const char *next_object(const char *at, int *line)
{
    for (int in_string = 0; *at != '\0'; at++) {
        *line += *at == '\n';
        if (in_string && *at == '\\') {
            at++;
        } else if (*at == '"') {
            in_string = !in_string;
        } else if (*at == '{' && !in_string) {
            return at + 1;
        }
    }
    return at;
}

/* cJSON has no use for the number of an object: from here on it is the line where that begins. The
 * objects of the tree stand in the order of the text. */
static const char *number_lines(cJSON *value, const char *at, int *line)
{
    if (cJSON_IsObject(value)) {
        at = next_object(at, line);
        value->valueint = *line;
    }
    for (cJSON *child = value->child; child != NULL; child = child->next) {
        at = number_lines(child, at, line);
    }
    return at;
}

int data_read(const cJSON **out, struct data *data, const char *name)
{
    const char *text = data_text(data->built_in, name);
    cJSON *root = NULL;
    int line = 1;
    if (text == NULL) {
        return regret_fail(REGRET_E_INPUT, "%s: no such file was built in; add it and build again",
                           name);
    }
    if (data->files == NULL && (data->files = cJSON_CreateArray()) == NULL) {
        return regret_fail(REGRET_E_NOMEM, "out of memory: %s", name);
    }
    TRY(regret_json_parse(&root, text, strlen(text), (struct regret_place){name, 0}));
    number_lines(root, text, &line);
    cJSON_AddItemToArray(data->files, root);
    *out = root;
    return REGRET_OK;
}

struct regret_place data_place(const char *name, const cJSON *object)
{
    return (struct regret_place){name, cJSON_IsObject(object) ? (size_t)object->valueint : 0};
}

int data_strings(struct data_strings *out, struct data *data, const cJSON *object,
                 const char *field, struct regret_place at)
{
    const cJSON *array = NULL, *item = NULL;
    const char **items = NULL;
    size_t n = 0;
    TRY(regret_json_get_array(&array, object, field, at));
    TRY(DATA_NEW(&items, data, (size_t)cJSON_GetArraySize(array)));
    cJSON_ArrayForEach(item, array)
    {
        if (!cJSON_IsString(item)) {
            return regret_json_error(at, "\"%s\" must be a list of strings", field);
        }
        items[n++] = item->valuestring;
    }
    if (n == 0) {
        return regret_json_error(at, "\"%s\" must not be empty", field);
    }
    *out = (struct data_strings){items, n};
    return REGRET_OK;
}

int data_word(size_t *out, const char *const *words, size_t n, const cJSON *object,
              const char *field, struct regret_place at)
{
    const char *word = NULL;
    TRY(regret_json_get_string(&word, object, field, at));
    for (size_t i = 0; i < n; i++) {
        if (strcmp(word, words[i]) == 0) {
            *out = i;
            return REGRET_OK;
        }
    }
    const char *near = name_nearest(word, words, n);
    return regret_json_error(at, "\"%s\" cannot be \"%s\"; use %s", field, word,
                             near != NULL ? near : words[0]);
}

void data_free(struct data *data)
{
    cJSON_Delete(data->files);
    arena_free(&data->arena);
    *data = (struct data){0};
}
