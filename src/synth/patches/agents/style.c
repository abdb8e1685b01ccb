#include "synth/patches/agents/style.h"

#include <stdio.h>
#include <string.h>

#include "base/core/try.h"

int patches_parameter(char out[PATCHES_LINE_BYTES], const struct patches_file *file, size_t first,
                      size_t i)
{
    char line[PATCHES_LINE_BYTES];
    patches_line_copy(line, file, first);
    const char *at = strchr(line, '(');
    if (at == NULL) {
        return 0;
    }
    for (at++; i > 0 && *at != ')' && *at != '\0'; i--) {
        at += strcspn(at, ",)");
        at += *at == ',' ? 2 : 0;
    }
    size_t length = strcspn(at, ",)");
    snprintf(out, PATCHES_LINE_BYTES, "%.*s", (int)length, at);
    return length > 0;
}

/* x += y → x = x + y, with brackets around a y of several words. */
static void expand(struct regret_buffer *out, const char *line)
{
    const char *sign = strstr(line, "= ");
    const char *name = line + strspn(line, " ");
    if (sign == NULL || sign == line || strchr("+-*", sign[-1]) == NULL) {
        regret_buffer_append(out, line);
        return;
    }
    int several = strchr(sign + 2, ' ') != NULL;
    regret_buffer_append_n(out, line, (size_t)(sign - 1 - line));
    regret_buffer_append(out, "= ");
    regret_buffer_append_n(out, name, (size_t)(sign - 1 - name));
    regret_buffer_printf(out, "%c %s%s%s", sign[-1], several ? "(" : "", sign + 2,
                         several ? ")" : "");
}

static void double_quotes(char *line)
{
    if (strchr(line, '"') != NULL || strchr(line, '#') != NULL) {
        return;
    }
    for (char *at = line; *at != '\0'; at++) {
        *at = *at == '\'' ? '"' : *at;
    }
}

int patches_restyle(struct patches_file *file, size_t *line)
{
    struct regret_buffer made = REGRET_BUFFER_INIT;
    size_t n = patches_line_count(file), added = 0, before = 0;
    for (size_t i = 0; i < n; i++) {
        char text[PATCHES_LINE_BYTES];
        patches_line_copy(text, file, i);
        size_t indent = strspn(text, " ");
        if (indent == 4 && before > 4 && strncmp(text + 4, "return", 6) == 0) {
            regret_buffer_append_char(&made, '\n');
            added += i <= *line;
        }
        double_quotes(text);
        if (text[indent] == '#') {
            regret_buffer_append(&made, text);
        } else {
            expand(&made, text);
        }
        regret_buffer_append_char(&made, '\n');
        before = text[0] == '\0' ? 0 : indent;
    }
    TRY(patches_set_text(file, &made));
    *line += added;
    return REGRET_OK;
}

static int is_word_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* The next place at or after `at` where `word` stands by itself; `at` is no middle of a word. */
static const char *find_word(const char *at, const char *end, const char *word)
{
    size_t n = strlen(word);
    char before = ' ';
    for (; at + n <= end; before = *at++) {
        if (strncmp(at, word, n) == 0 && !is_word_byte(at[n]) && !is_word_byte(before)) {
            return at;
        }
    }
    return NULL;
}

static int replace_word(struct patches_file *file, size_t first, size_t end, const char *from,
                        const char *to)
{
    FREED_BY(regret_buffer_free) struct regret_buffer made = REGRET_BUFFER_INIT;
    const char *at = patches_line_at(file, first).start, *stop = patches_line_at(file, end).start;
    for (const char *hit; (hit = find_word(at, stop, from)) != NULL; at = hit + strlen(from)) {
        regret_buffer_append_n(&made, at, (size_t)(hit - at));
        regret_buffer_append(&made, to);
    }
    regret_buffer_append_n(&made, at, (size_t)(stop - at));
    TRY(regret_buffer_status(&made));
    return patches_replace(file, first, end - first, regret_buffer_get(&made));
}

int patches_rename(struct patches_file *file, size_t first, size_t end, struct regret_rng *rng)
{
    static const char *const names[][2] = {
        {"total", "running_total"}, {"count", "counter"},     {"out", "result"},
        {"best", "best_index"},     {"found", "matches"},     {"i", "index"},
        {"clock", "elapsed"},       {"balance", "current"},   {"fee", "charge"},
        {"low", "lower"},           {"high", "upper_bound"},  {"word", "token"},
        {"row", "line_of_cells"},   {"streak", "in_a_row"},   {"days", "day_count"},
        {"boxes", "box_count"},     {"ordered", "ascending"}, {"left", "first_index"},
    };
    size_t n = sizeof names / sizeof names[0], done = 0, from = regret_rng_below(rng, (uint32_t)n);
    for (size_t k = 0; k < n && done < 2; k++) {
        const char *const *pair = names[(from + k) % n];
        const char *head = patches_line_at(file, first).start,
                   *body = patches_line_at(file, first + 1).start,
                   *close = patches_line_at(file, end).start;
        const char *all = regret_buffer_get(&file->text), *stop = all + file->text.length;
        /* Not parameters, whose names callers may know, and not names taken. */
        if (find_word(head, body, pair[0]) != NULL || find_word(body, close, pair[0]) == NULL ||
            find_word(all, stop, pair[1]) != NULL) {
            continue;
        }
        TRY(replace_word(file, first, end, pair[0], pair[1]));
        done++;
    }
    return REGRET_OK;
}
