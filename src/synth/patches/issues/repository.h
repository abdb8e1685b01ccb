/* A small repository of text files, changed line by line. */
#ifndef REGRET_SYNTH_PATCHES_ISSUES_REPOSITORY_H
#define REGRET_SYNTH_PATCHES_ISSUES_REPOSITORY_H

#include <stddef.h>

#include "regret/buffer.h"
#include "synth/mini/mini.h"

enum { PATCHES_MAX_FILES = 12, PATCHES_PATH_BYTES = 64, PATCHES_LINE_BYTES = 200 };

struct patches_file {
    char path[PATCHES_PATH_BYTES];
    struct regret_buffer text; /* every line ends in a line break */
};

struct patches_repository {
    struct patches_file files[PATCHES_MAX_FILES];
    size_t n;
};

/* A line of a file, without its break. */
struct patches_line {
    const char *start;
    size_t length;
};

/* Adds a file; REGRET_E_INPUT when there are too many or the path is too long. */
int patches_add_file(struct patches_repository *repository, const char *path, const char *text);
/* Makes `out` (zeroed, or a repository to be replaced) a copy. */
int patches_copy(struct patches_repository *out, const struct patches_repository *from);
void patches_clear(struct patches_repository *repository);

struct patches_file *patches_find_file(struct patches_repository *repository, const char *path);
size_t patches_line_count(const struct patches_file *file);
/* Line i from 0; an empty one past the end. */
struct patches_line patches_line_at(const struct patches_file *file, size_t i);
/* Copies line i, cut at PATCHES_LINE_BYTES - 1. */
void patches_line_copy(char out[PATCHES_LINE_BYTES], const struct patches_file *file, size_t i);
size_t patches_indent(struct patches_line line);
/* Makes `text` the file's, which takes it over; frees it when it has failed. */
int patches_set_text(struct patches_file *file, struct regret_buffer *text);
/* Replaces `count` lines from line `first` by `with` (whole lines, or ""). */
int patches_replace(struct patches_file *file, size_t first, size_t count, const char *with);

/* The lines of function `name`: *first is that of `def`; the end is the line after the last with
 * code. Returns 0 when there is none. */
int patches_function_lines(size_t *first, size_t *end, const struct patches_file *file,
                           const char *name);
/* The name of the function that line i belongs to, or "". */
void patches_function_of(char out[PATCHES_LINE_BYTES], const struct patches_file *file, size_t i);

/* "shop/cart.py" → "shop.cart" */
void patches_module_name(char out[PATCHES_PATH_BYTES], const char *path);
/* The program that the *.py files are. Status of mini_parse(). */
int patches_program(struct mini_program **out, const struct patches_repository *repository);

#endif
