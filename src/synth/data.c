#include "synth/data.h"

#include <cJSON.h>
#include <stdalign.h>
#include <stddef.h>
#include <string.h>

#include "base/json.h"
#include "base/status.h"
#include "base/text.h"
#include "regret/status.h"

enum { BLOCK_BYTES = 16384 };

struct arena_block {
    struct arena_block *next;
    size_t bytes; /* of `data` */
    alignas(max_align_t) char data[];
};

static int add_block(struct arena *arena, size_t bytes)
{
    struct arena_block *block = NULL;
    size_t size = bytes > BLOCK_BYTES ? bytes : BLOCK_BYTES;
    arena->status = regret_calloc((void **)&block, 1, sizeof *block + size, "an arena");
    TRY(arena->status);
    block->bytes = size;
    block->next = arena->blocks;
    arena->blocks = block;
    arena->room = size;
    return REGRET_OK;
}

/* `bytes` zeroed bytes, aligned for any type, or NULL: over the limit, or (see status) no memory.
 */
static void *arena_take(struct arena *arena, size_t bytes)
{
    size_t unit = alignof(max_align_t);
    if (arena->status != REGRET_OK || bytes > arena->limit - arena->taken) {
        return NULL;
    }
    size_t rounded = (bytes + unit - 1) / unit * unit;
    if (arena->blocks == NULL || arena->room < rounded) {
        if (add_block(arena, rounded) != REGRET_OK) {
            return NULL;
        }
    }
    struct arena_block *block = arena->blocks;
    char *out = block->data + (block->bytes - arena->room);
    arena->room -= rounded;
    arena->taken += bytes;
    return out;
}

static void arena_free(struct arena *arena)
{
    struct arena_block *block = arena->blocks;
    while (block != NULL) {
        struct arena_block *next = block->next;
        regret_free(block);
        block = next;
    }
    *arena = (struct arena){.limit = arena->limit};
}

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
