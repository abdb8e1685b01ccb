#include "rate/typos.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv.h"
#include "base/status.h"
#include "rate/intern.h"
#include "regret/buffer.h"
#include "regret/rate.h"
#include "regret/status.h"
#include "regret/task.h"
#include "table/fields.h"

/* Texts from delimited files and from JSONL. */

FREED_POINTER(struct fields, fields_close)

static int add_text(struct regret_rate_texts *texts, size_t *capacity, const char *text)
{
    TRY(regret_grow((void **)&texts->text, capacity, texts->n, sizeof *texts->text, "texts"));
    TRY(regret_strdup(&texts->text[texts->n], text));
    texts->n++;
    return REGRET_OK;
}

static int read_texts(struct regret_rate_texts *texts, const char *path, const char *column)
{
    FREED_BY(fields_close_at) struct fields *f = NULL;
    const char *text = NULL;
    char separator = csv_separator_of(path);
    size_t capacity = 0;
    int more = 0;
    TRY(fields_open(&f, path, separator != '\0' ? FIELDS_CSV : FIELDS_LINES, separator, NULL));
    TRY(fields_pick(f, &column, 1));
    TRY(fields_next(f, &more));
    while (more) {
        TRY(fields_text(&text, f, 0, fields_is_json(f) ? 0 : 1, "a string"));
        TRY(add_text(texts, &capacity, text));
        TRY(fields_next(f, &more));
    }
    return REGRET_OK;
}

int regret_rate_texts_read(struct regret_rate_texts *out, const char *path, const char *column)
{
    FREED_BY(regret_rate_texts_free) struct regret_rate_texts texts = {NULL, 0};
    TRY(regret_is_folder(path) ? regret_fail(REGRET_E_INPUT, "%s is a folder; name a file", path)
                               : read_texts(&texts, path, column));
    if (texts.n == 0) {
        return regret_fail(REGRET_E_INPUT, "%s: there are no texts", path);
    }
    *out = texts;
    texts = (struct regret_rate_texts){NULL, 0};
    return REGRET_OK;
}

void regret_rate_texts_free(struct regret_rate_texts *texts)
{
    for (size_t i = 0; i < texts->n; i++) {
        regret_free(texts->text[i]);
    }
    regret_free(texts->text);
    *texts = (struct regret_rate_texts){NULL, 0};
}

/* Bytes of the character at `p`. */
static size_t character_bytes(const char *p, size_t left)
{
    size_t n = 1;
    while (n < left && ((unsigned char)p[n] & 0xC0) == 0x80) {
        n++;
    }
    return n;
}

/* ASCII letters, and every character beyond ASCII: these are letters far more often than not. */
static int is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (unsigned char)c >= 0x80;
}

/* Appends the word with one random pair of neighbouring characters swapped, if both are letters. */
static void append_spoilt(struct regret_buffer *out, struct regret_span word,
                          struct regret_rng *rng)
{
    size_t characters = 0;
    for (size_t i = 0; i < word.length; i += character_bytes(word.text + i, word.length - i)) {
        characters++;
    }
    size_t at = 0, first = 0, second = 0;
    if (characters > 2) {
        for (uint32_t k = regret_rng_below(rng, (uint32_t)characters - 1); k > 0; k--) {
            at += character_bytes(word.text + at, word.length - at);
        }
        first = character_bytes(word.text + at, word.length - at);
        second = character_bytes(word.text + at + first, word.length - at - first);
    }
    if (second == 0 || !is_letter(word.text[at]) || !is_letter(word.text[at + first])) {
        regret_buffer_append_n(out, word.text, word.length);
        return;
    }
    regret_buffer_append_n(out, word.text, at);
    regret_buffer_append_n(out, word.text + at + first, second);
    regret_buffer_append_n(out, word.text + at, first);
    regret_buffer_append_n(out, word.text + at + first + second, word.length - at - first - second);
}

void regret_rate_add_typos(struct regret_buffer *out, const char *text, size_t percent,
                           struct regret_rng *rng)
{
    size_t words = count_tokens(text, SIZE_MAX), wanted = words * percent / 100;
    const char *at = text;
    if (wanted == 0) {
        regret_buffer_append(out, text);
        return;
    }
    /* Selection sampling (Knuth, The Art of Computer Programming 2, 3.4.2, algorithm S). */
    for (size_t k = 0; k < words; k++) {
        struct regret_span word = next_token(&at);
        if (k > 0) {
            regret_buffer_append_char(out, ' ');
        }
        if (regret_rng_below(rng, (uint32_t)(words - k)) < wanted) {
            wanted--;
            append_spoilt(out, word, rng);
        } else {
            regret_buffer_append_n(out, word.text, word.length);
        }
    }
}

static void write_row(struct regret_buffer *out, const char *text, size_t number, size_t percent,
                      uint64_t seed, const char *dataset)
{
    struct regret_rng rng = regret_rng_at(
        seed, REGRET_RNG_RATE, stream_index(STREAM_TYPO, (uint32_t)percent, (uint32_t)number));
    struct regret_buffer original = REGRET_BUFFER_INIT;
    int w = starts_with_vowel(text);
    regret_rate_add_typos(&original, text, w ? percent : 0, &rng);
    regret_buffer_printf(out, "{\"id\": \"%zu\", \"dataset\": ", number + 1);
    regret_buffer_json_string(out, dataset);
    regret_buffer_printf(out,
                         ", \"attribute\": \"starts_with_vowel\", \"w\": %s, \"typo_percent\": "
                         "%zu, \"completions\": {\"original\": ",
                         w ? "true" : "false", percent);
    regret_buffer_json_string(out, regret_buffer_get(&original));
    regret_buffer_append(out, "}}\n");
    regret_buffer_free_into(out, &original);
}

int regret_rate_write_typo_texts(struct regret_buffer *out, const struct regret_rate_texts *texts,
                                 size_t percent, uint64_t seed, const char *dataset)
{
    if (percent > 100) {
        return regret_fail(REGRET_E_INPUT, "typos in %zu %% of the words; give 0 to 100", percent);
    }
    for (size_t i = 0; i < texts->n; i++) {
        write_row(out, texts->text[i], i, percent, seed, dataset);
    }
    return regret_buffer_status(out);
}

/* Fig. 3 from rows that somebody's own rewriter and reward models made. */

static int compare_rates(const void *a, const void *b)
{
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

/* The percent that the dataset of a group is. */
static int rate_of(size_t *percent, const struct regret_rate_group *g)
{
    char *end = NULL;
    unsigned long value = strtoul(g->dataset, &end, 10);
    if (g->dataset[0] < '0' || g->dataset[0] > '9' || *end != '\0' || value > 100) {
        return regret_fail(REGRET_E_INPUT,
                           "\"%s\" is no percent of words with typos; every row needs a "
                           "\"typo_percent\" from 0 to 100, as the exported ones have it",
                           g->dataset);
    }
    *percent = value;
    return REGRET_OK;
}

/* The rates of all groups, in order. */
static int find_rates(struct regret_rate_typo_rates *rates, const struct regret_rate_rows *rows)
{
    if (rows->n_groups > REGRET_RATE_TYPO_MAX) {
        return regret_fail(REGRET_E_INPUT, "more than %d rates of typos", REGRET_RATE_TYPO_MAX);
    }
    for (size_t g = 0; g < rows->n_groups; g++) {
        if (strcmp(rows->groups[g].attribute, rows->groups[0].attribute) != 0) {
            return regret_fail(REGRET_E_INPUT,
                               "the rows have attributes \"%s\" and \"%s\"; give "
                               "those of one",
                               rows->groups[0].attribute, rows->groups[g].attribute);
        }
        TRY(rate_of(&rates->percents[g], &rows->groups[g]));
    }
    rates->n = rows->n_groups;
    qsort(rates->percents, rows->n_groups, sizeof *rates->percents, compare_rates);
    for (size_t k = 1; k < rates->n; k++) {
        if (rates->percents[k] == rates->percents[k - 1]) {
            return regret_fail(REGRET_E_INPUT, "two spellings of %zu %% typos; write it one way",
                               rates->percents[k]);
        }
    }
    return REGRET_OK;
}

/* Puts the estimates in their places; a model that a rate lacks is refused. */
static int place_estimates(struct regret_rate_typos *typos,
                           const struct regret_rate_typo_rates *rates,
                           const struct regret_rate_rows *rows,
                           const struct regret_rate_estimate *e, size_t n)
{
    if (n != rows->n_groups * rows->n_models) {
        return regret_fail(REGRET_E_INPUT,
                           "a reward model has not scored the texts of every rate; score them, or "
                           "give the files of one model");
    }
    for (size_t k = 0; k < n; k++) {
        size_t percent = 0, at = 0;
        TRY(rate_of(&percent, &rows->groups[e[k].group]));
        while (rates->percents[at] != percent) {
            at++;
        }
        typos[e[k].model].rates[at] = e[k];
    }
    return REGRET_OK;
}

int regret_rate_scored_typos(struct regret_rate_typos **out, size_t *n,
                             struct regret_rate_typo_rates *rates,
                             const struct regret_rate_rows *rows,
                             const struct regret_rate_options *estimate)
{
    struct regret_rate_typos *typos = NULL;
    struct regret_rate_estimate *e = NULL;
    size_t found = 0;
    int rc;
    TRY(find_rates(rates, rows));
    TRY_CLEANUP(REGRET_NEW(&typos, rows->n_models));
    for (size_t m = 0; m < rows->n_models; m++) {
        TRY_CLEANUP(regret_strdup(&typos[m].model, rows->models[m].name));
    }
    TRY_CLEANUP(regret_rate_estimate(&e, &found, rows, estimate));
    TRY_CLEANUP(place_estimates(typos, rates, rows, e, found));
    *out = typos;
    *n = rows->n_models;
    typos = NULL;
cleanup:
    regret_free(e);
    if (typos != NULL) {
        regret_rate_typos_free(typos, rows->n_models);
    }
    return rc;
}

void regret_rate_typos_free(struct regret_rate_typos *typos, size_t n)
{
    for (size_t m = 0; m < n; m++) {
        regret_free(typos[m].model);
    }
    regret_free(typos);
}
