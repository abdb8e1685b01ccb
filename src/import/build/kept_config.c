#include "import/build/kept_config.h"

#include <string.h>

#include "base/core/try.h"
#include "base/text/escape.h"
#include "regret/alloc.h"
#include "regret/file.h"

enum { MOST_BYTES = 16 << 20 };

static int read_text(struct regret_buffer *out, const char *folder, const char *name)
{
    char *path = NULL, *text = NULL;
    size_t length = 0;
    int rc;
    TRY_CLEANUP(regret_path_join(&path, folder, name));
    TRY_CLEANUP(regret_file_read(&text, &length, path, MOST_BYTES));
    regret_buffer_append_n(out, text, length);
    rc = regret_buffer_status(out);
cleanup:
    regret_free(path);
    regret_free(text);
    return rc;
}

int kept_config_differs(int *differs, const char *folder, const char *name,
                        const struct regret_buffer *text)
{
    struct regret_buffer there = REGRET_BUFFER_INIT;
    char *path = NULL;
    int rc;
    *differs = 0;
    TRY_CLEANUP(regret_path_join(&path, folder, name));
    if (regret_file_exists(path)) {
        TRY_CLEANUP(read_text(&there, folder, name));
        *differs = there.length != text->length ||
                   memcmp(regret_buffer_get(&there), regret_buffer_get(text), text->length) != 0;
    }
    rc = regret_buffer_status(text);
cleanup:
    regret_free(path);
    regret_buffer_free(&there);
    return rc;
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
    struct regret_buffer text = REGRET_BUFFER_INIT, other = REGRET_BUFFER_INIT;
    int rc;
    if (!is_edited) {
        return regret_file_write_text(partial, name, fresh);
    }
    put_new_name(&other, name);
    TRY_CLEANUP(regret_buffer_status(&other));
    TRY_CLEANUP(read_text(&text, folder, name));
    TRY_CLEANUP(regret_file_write_text(partial, name, &text));
    rc = regret_file_write_text(partial, regret_buffer_get(&other), fresh);
cleanup:
    regret_buffer_free(&text);
    regret_buffer_free(&other);
    return rc;
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
