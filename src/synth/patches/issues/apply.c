/* Application of a diff, from its text alone. */
#include <stdio.h>
#include <string.h>

#include "base/core/try.h"
#include "regret/patch.h"
#include "synth/patches/issues/diff.h"

FREED_POINTER(struct regret_patch, regret_patch_free)

/* The lines of the hunk that belong to the old ('-') or to the new ('+') file. */
static void one_side(struct regret_buffer *out, const struct regret_patch *patch,
                     const struct regret_patch_hunk *hunk, char sign)
{
    for (size_t i = 0; i < hunk->n_lines; i++) {
        const struct regret_patch_line *line = &patch->lines[hunk->first_line + i];
        if (line->sign != ' ' && line->sign != sign) {
            continue;
        }
        regret_buffer_append_n(out, line->text.text, line->text.length);
        regret_buffer_append_char(out, '\n');
    }
}

/* Line numbers of the header are those of the old file; `shift` is what earlier hunks have added.
 */
static int apply_hunk(struct patches_file *file, const struct regret_patch *patch,
                      const struct regret_patch_hunk *hunk, size_t shift)
{
    struct regret_buffer from = REGRET_BUFFER_INIT, to = REGRET_BUFFER_INIT;
    size_t first = hunk->old_start + shift - (hunk->old_lines > 0);
    int rc;
    one_side(&from, patch, hunk, '-');
    one_side(&to, patch, hunk, '+');
    TRY_CLEANUP(regret_buffer_status(&from));
    TRY_CLEANUP(regret_buffer_status(&to));
    struct patches_line at = patches_line_at(file, first);
    if (first > patches_line_count(file) ||
        strncmp(at.start, regret_buffer_get(&from), from.length) != 0) {
        rc =
            regret_fail(REGRET_E_INPUT, "%s: the hunk at line %zu does not fit; make the diff anew",
                        file->path, hunk->old_start);
        goto cleanup;
    }
    rc = patches_replace(file, first, hunk->old_lines, regret_buffer_get(&to));
cleanup:
    regret_buffer_free(&from);
    regret_buffer_free(&to);
    return rc;
}

static int apply_file(struct patches_repository *repository, const struct regret_patch *patch,
                      const struct regret_patch_file *changed)
{
    char path[PATCHES_PATH_BYTES];
    size_t shift = 0;
    if (changed->path.length >= sizeof path) {
        return regret_fail(REGRET_E_INPUT, "patches: a path of the diff is too long");
    }
    snprintf(path, sizeof path, "%.*s", (int)changed->path.length, changed->path.text);
    struct patches_file *file = patches_find_file(repository, path);
    if ((file == NULL) != (changed->change == REGRET_PATCH_ADDED)) {
        return regret_fail(REGRET_E_INPUT, "%s: the diff %s", path,
                           file == NULL ? "changes a file that is not there"
                                        : "makes a file that is there already");
    }
    if (file == NULL) {
        TRY(patches_add_file(repository, path, ""));
        file = patches_find_file(repository, path);
    }
    for (size_t i = 0; i < changed->n_hunks; i++) {
        const struct regret_patch_hunk *hunk = &patch->hunks[changed->first_hunk + i];
        TRY(apply_hunk(file, patch, hunk, shift));
        shift += hunk->new_lines - hunk->old_lines;
    }
    return REGRET_OK;
}

int patches_apply(struct patches_repository *repository, const char *diff)
{
    FREED_BY(regret_patch_free_at) struct regret_patch *patch = NULL;
    TRY(regret_patch_parse(&patch, diff, strlen(diff)));
    if (patch->defects > 0) {
        return regret_fail(REGRET_E_INPUT, "patches: the diff is broken; make it anew");
    }
    for (size_t i = 0; i < patch->n_files; i++) {
        TRY(apply_file(repository, patch, &patch->files[i]));
    }
    return REGRET_OK;
}
