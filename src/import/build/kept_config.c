#include "import/build/kept_config.h"

#include <string.h>

#include "base/core/try.h"
#include "base/files/input.h"
#include "base/text/escape.h"
#include "regret/alloc.h"
#include "regret/file.h"

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
