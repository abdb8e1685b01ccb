/* The files built in, and how errors in them are told. */
#include <cJSON.h>
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "regret/buffer.h"
#include "regret/status.h"
#include "synth/corpora.h"

static size_t compare_files(const struct data_file *files)
{
    size_t n = 0;
    for (const struct data_file *file = files; file->name != NULL; file++, n++) {
        char *path = NULL, *text = NULL;
        size_t length = 0;
        cr_assert_eq(regret_path_join(&path, REGRET_SOURCE_FOLDER, file->name), 0);
        cr_assert_eq(regret_file_read(&text, &length, path, 1 << 24), 0, "%s",
                     regret_error_message());
        cr_assert(strlen(file->text) == length && memcmp(file->text, text, length) == 0, "%s",
                  path);
        cr_assert_eq(text[length - 1], '\n', "%s", path);
        cr_assert(n == 0 || strcmp(file[-1].name, file->name) < 0);
        cr_assert_eq(data_text(files, file->name), file->text);
        regret_free(path);
        regret_free(text);
    }
    cr_assert_null(data_text(files, "data/synth/nothing"));
    return n;
}

Test(synth_data, what_is_built_in_is_what_lies_in_the_folder)
{
    cr_assert_geq(compare_files(newswire_files), 10);
}

Test(synth_data, places_are_the_lines_where_objects_begin)
{
    const struct data_file *file = newswire_files;
    while (strstr(file->name, "/domains/") == NULL) {
        file++;
    }
    struct data data = {.built_in = newswire_files};
    const cJSON *root = NULL, *slot = NULL;
    size_t n = 0;
    cr_assert_eq(data_read(&root, &data, file->name), 0, "%s", regret_error_message());
    cJSON_ArrayForEach(slot, cJSON_GetObjectItemCaseSensitive(root, "slots"))
    {
        const char *line = file->text, *last = NULL;
        struct regret_place at = data_place(file->name, slot);
        for (size_t i = 1; i < at.line; i++) {
            line = strchr(line, '\n') + 1;
        }
        last = strstr(line, cJSON_GetObjectItemCaseSensitive(slot, "name")->valuestring);
        cr_assert(last != NULL && last < strchr(line, '\n'), "line %zu", at.line);
        n++;
    }
    cr_assert_gt(n, 5);
    data_free(&data);
}

Test(synth_data, mistakes_are_told_with_their_place)
{
    struct data data = {.built_in = newswire_files};
    struct data_strings strings;
    const cJSON *root = NULL;
    static const char *const words[] = {"lead", "core"};
    static const struct regret_place at = {"f.json", 7};
    size_t word = 0;
    cJSON *object = cJSON_Parse("{\"a\": [\"x\", 1], \"b\": [], \"c\": \"laed\", \"d\": \"core\"}");
    cr_assert_eq(data_read(&root, &data, DATA_FOLDER "none.json"), REGRET_E_INPUT);
    cr_assert_not_null(strstr(regret_error_message(), DATA_FOLDER "none.json: "));
    cr_assert_eq(data_strings(&strings, &data, object, "a", at), REGRET_E_INPUT);
    cr_assert_str_eq(regret_error_message(), "f.json:7: \"a\" must be a list of strings");
    cr_assert_eq(data_strings(&strings, &data, object, "b", at), REGRET_E_INPUT);
    cr_assert_str_eq(regret_error_message(), "f.json:7: \"b\" must not be empty");
    cr_assert_eq(data_word(&word, words, 2, object, "c", at), REGRET_E_INPUT);
    cr_assert_str_eq(regret_error_message(), "f.json:7: \"c\" cannot be \"laed\"; use lead");
    cr_assert_eq(data_word(&word, words, 2, object, "d", at), 0);
    cr_assert_eq(word, 1);
    cJSON_Delete(object);
    data_free(&data);
}
