#include "synth/patches/issues/repository.h"

#include <stdio.h>
#include <string.h>

#include "base/core/try.h"

int patches_add_file(struct patches_repository *repository, const char *path, const char *text)
{
    if (repository->n == PATCHES_MAX_FILES || strlen(path) >= PATCHES_PATH_BYTES) {
        return regret_fail(REGRET_E_INPUT, "patches: no room for the file %s in a repository",
                           path);
    }
    struct patches_file *file = &repository->files[repository->n];
    snprintf(file->path, sizeof file->path, "%s", path);
    regret_buffer_clear(&file->text);
    regret_buffer_append(&file->text, text);
    repository->n++;
    return regret_buffer_status(&file->text);
}

int patches_copy(struct patches_repository *out, const struct patches_repository *from)
{
    out->n = 0;
    for (size_t i = 0; i < from->n; i++) {
        TRY(patches_add_file(out, from->files[i].path, regret_buffer_get(&from->files[i].text)));
    }
    return REGRET_OK;
}

void patches_clear(struct patches_repository *repository)
{
    for (size_t i = 0; i < PATCHES_MAX_FILES; i++) {
        regret_buffer_free(&repository->files[i].text);
    }
    repository->n = 0;
}

struct patches_file *patches_find_file(struct patches_repository *repository, const char *path)
{
    for (size_t i = 0; i < repository->n; i++) {
        if (strcmp(repository->files[i].path, path) == 0) {
            return &repository->files[i];
        }
    }
    return NULL;
}

size_t patches_line_count(const struct patches_file *file)
{
    size_t n = 0;
    for (size_t i = 0; i < file->text.length; i++) {
        n += file->text.data[i] == '\n';
    }
    return n;
}

struct patches_line patches_line_at(const struct patches_file *file, size_t i)
{
    const char *at = regret_buffer_get(&file->text);
    for (; i > 0 && *at != '\0'; i--) {
        at += strcspn(at, "\n");
        at += *at == '\n';
    }
    return (struct patches_line){at, strcspn(at, "\n")};
}

void patches_line_copy(char out[PATCHES_LINE_BYTES], const struct patches_file *file, size_t i)
{
    struct patches_line line = patches_line_at(file, i);
    snprintf(out, PATCHES_LINE_BYTES, "%.*s", (int)line.length, line.start);
}

size_t patches_indent(struct patches_line line)
{
    size_t n = 0;
    while (n < line.length && line.start[n] == ' ') {
        n++;
    }
    return n;
}

int patches_set_text(struct patches_file *file, struct regret_buffer *text)
{
    int rc = regret_buffer_status(text);
    if (rc != REGRET_OK) {
        regret_buffer_free(text);
        return rc;
    }
    regret_buffer_free(&file->text);
    file->text = *text;
    return REGRET_OK;
}

int patches_replace(struct patches_file *file, size_t first, size_t count, const char *with)
{
    struct regret_buffer made = REGRET_BUFFER_INIT;
    const char *all = regret_buffer_get(&file->text);
    size_t from = (size_t)(patches_line_at(file, first).start - all);
    size_t to = (size_t)(patches_line_at(file, first + count).start - all);
    regret_buffer_append_n(&made, all, from);
    regret_buffer_append(&made, with);
    regret_buffer_append(&made, all + to);
    return patches_set_text(file, &made);
}

/* Does the line begin `def name(`? With an empty name: any function. */
static int is_definition(struct patches_line line, const char *name)
{
    size_t n = strlen(name);
    if (line.length < 5 + n || strncmp(line.start, "def ", 4) != 0) {
        return 0;
    }
    return n == 0 || (strncmp(line.start + 4, name, n) == 0 && line.start[4 + n] == '(');
}

int patches_function_lines(size_t *first, size_t *end, const struct patches_file *file,
                           const char *name)
{
    size_t n = patches_line_count(file), i = 0;
    while (i < n && !is_definition(patches_line_at(file, i), name)) {
        i++;
    }
    if (i == n) {
        return 0;
    }
    *first = i;
    *end = i + 1;
    for (i++; i < n; i++) {
        struct patches_line line = patches_line_at(file, i);
        if (line.length > 0 && patches_indent(line) == 0) {
            break;
        }
        if (line.length > 0) {
            *end = i + 1;
        }
    }
    return 1;
}

void patches_function_of(char out[PATCHES_LINE_BYTES], const struct patches_file *file, size_t i)
{
    out[0] = '\0';
    for (size_t k = i + 1; k-- > 0;) {
        struct patches_line line = patches_line_at(file, k);
        if (is_definition(line, "")) {
            size_t length = 0;
            while (4 + length < line.length && line.start[4 + length] != '(') {
                length++;
            }
            snprintf(out, PATCHES_LINE_BYTES, "%.*s", (int)length, line.start + 4);
            return;
        }
        if (line.length > 0 && patches_indent(line) == 0) {
            return;
        }
    }
}

void patches_module_name(char out[PATCHES_PATH_BYTES], const char *path)
{
    snprintf(out, PATCHES_PATH_BYTES, "%.*s", (int)strlen(path) - 3, path);
    *strchr(out, '/') = '.';
}

int patches_program(struct mini_program **out, const struct patches_repository *repository)
{
    struct mini_source sources[PATCHES_MAX_FILES];
    size_t n = 0;
    for (size_t i = 0; i < repository->n; i++) {
        const struct patches_file *file = &repository->files[i];
        size_t length = strlen(file->path);
        if (length > 3 && strcmp(file->path + length - 3, ".py") == 0) {
            sources[n++] = (struct mini_source){file->path, regret_buffer_get(&file->text)};
        }
    }
    return mini_parse(out, sources, n);
}
