#include <stdint.h>
#include <string.h>

#include "base/core/try.h"
#include "rate/rows/streams.h"
#include "rate/rows/words.h"
#include "rate/studies/simulated.h"
#include "regret/alloc.h"
#include "regret/rate_study.h"
#include "regret/rng.h"

FREED_POINTER(struct regret_rate_rows, regret_rate_rows_free)

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

/* The three texts of one row, in buffers used again and again. */
struct versions {
    struct regret_buffer side[REGRET_N_SIDES];
};

static int make_versions(struct versions *v, const struct known_words *known, const char *text,
                         size_t percent, uint64_t seed, size_t number)
{
    int w = starts_with_vowel(text);
    struct regret_rng typo = regret_rng_at(
        seed, REGRET_RNG_RATE, stream_index(STREAM_TYPO, (uint32_t)percent, (uint32_t)number));
    struct regret_rng rewriter = regret_rng_at(
        seed, REGRET_RNG_RATE, stream_index(STREAM_REWRITE, (uint32_t)percent, (uint32_t)number));
    for (int side = 0; side < REGRET_N_SIDES; side++) {
        regret_buffer_clear(&v->side[side]);
    }
    if (w) {
        regret_rate_add_typos(&v->side[0], text, percent, &typo);
    } else {
        regret_buffer_append(&v->side[0], text);
    }
    simulated_rewrite(&v->side[1], known, regret_buffer_get(&v->side[0]), SIMULATED_VOWEL, !w,
                      &rewriter);
    simulated_rewrite(&v->side[2], known, regret_buffer_get(&v->side[1]), SIMULATED_VOWEL, w,
                      &rewriter);
    TRY(regret_buffer_status(&v->side[0]));
    TRY(regret_buffer_status(&v->side[1]));
    return regret_buffer_status(&v->side[2]);
}

static int add_versions(struct regret_rate_rows *rows, struct regret_rate_row *row,
                        const struct known_words *known, const struct versions *v, const char *text,
                        size_t number)
{
    row->w = starts_with_vowel(text) ? REGRET_LABEL_1 : REGRET_LABEL_0;
    row->z = REGRET_LABEL_MISSING;
    row->line = number + 1;
    row->n_scores = SIMULATED_MODELS;
    for (int m = 0; m < SIMULATED_MODELS; m++) {
        struct regret_rate_scores *s = &row->scores[m];
        s->model = (struct regret_span){simulated_model_names[m], strlen(simulated_model_names[m])};
        for (int side = 0; side < REGRET_N_SIDES; side++) {
            s->value[side] = simulated_reward(known, m, regret_buffer_get(&v->side[side]));
        }
    }
    for (int side = 0; side < REGRET_N_SIDES; side++) {
        row->completion[side] =
            (struct regret_span){regret_buffer_get(&v->side[side]), v->side[side].length};
    }
    return regret_rate_rows_add(rows, row);
}

int regret_rate_typo_rows(struct regret_rate_rows **out, const struct regret_rate_texts *texts,
                          size_t percent, const struct regret_rate_typo_options *options)
{
    struct regret_rate_rows *rows = NULL;
    struct regret_rate_row *row = NULL;
    struct known_words known = {{0}};
    struct versions v = {{REGRET_BUFFER_INIT, REGRET_BUFFER_INIT, REGRET_BUFFER_INIT}};
    if (percent > 100) {
        return regret_fail(REGRET_E_INPUT, "typos in %zu %% of the words; give 0 to 100", percent);
    }
    int rc;
    TRY_CLEANUP(regret_rate_rows_new(&rows, 1));
    TRY_CLEANUP(REGRET_NEW(&row, 1));
    TRY_CLEANUP(known_words_learn_openers(&known));
    for (size_t i = 0; i < texts->n; i++) {
        TRY_CLEANUP(known_words_learn(&known, texts->text[i]));
    }
    row->dataset = (struct regret_span){options->dataset, strlen(options->dataset)};
    row->attribute = (struct regret_span){"starts_with_vowel", 17};
    for (size_t i = 0; i < texts->n; i++) {
        TRY_CLEANUP(make_versions(&v, &known, texts->text[i], percent, options->seed, i));
        TRY_CLEANUP(add_versions(rows, row, &known, &v, texts->text[i], i));
    }
    TRY_CLEANUP(regret_rate_rows_finish(rows));
    *out = rows;
    rows = NULL;
cleanup:
    for (int side = 0; side < REGRET_N_SIDES; side++) {
        regret_buffer_free(&v.side[side]);
    }
    known_words_free(&known);
    regret_free(row);
    regret_rate_rows_free(rows);
    return rc;
}

/* One rate of every model. */
static int estimate_rate(struct regret_rate_typos *typos, size_t rate,
                         const struct regret_rate_texts *texts,
                         const struct regret_rate_typo_options *options,
                         const struct regret_rate_options *how)
{
    FREED_BY(regret_rate_rows_free_at) struct regret_rate_rows *rows = NULL;
    FREED struct regret_rate_estimate *e = NULL;
    size_t n = 0;
    TRY(regret_rate_typo_rows(&rows, texts, options->percents[rate], options));
    TRY(regret_rate_estimate(&e, &n, rows, how));
    if (n != SIMULATED_MODELS) {
        TRY(regret_fail(REGRET_E_INPUT, "there are no texts; give a file with some"));
    }
    for (size_t m = 0; m < SIMULATED_MODELS; m++) {
        typos[m].rates[rate] = e[m];
    }
    return REGRET_OK;
}

int regret_rate_typos(struct regret_rate_typos **out, size_t *n,
                      const struct regret_rate_texts *texts,
                      const struct regret_rate_typo_options *options,
                      const struct regret_rate_options *estimate)
{
    struct regret_rate_typos *typos = NULL;
    if (options->n_rates < 1 || options->n_rates > REGRET_RATE_TYPO_MAX) {
        return regret_fail(REGRET_E_INPUT, "%zu typo rates; give from 1 to %d", options->n_rates,
                           REGRET_RATE_TYPO_MAX);
    }
    int rc;
    TRY(REGRET_NEW(&typos, SIMULATED_MODELS));
    for (size_t m = 0; m < SIMULATED_MODELS; m++) {
        TRY_CLEANUP(regret_strdup(&typos[m].model, simulated_model_names[m]));
    }
    for (size_t r = 0; r < options->n_rates; r++) {
        TRY_CLEANUP(estimate_rate(typos, r, texts, options, estimate));
    }
    *out = typos;
    *n = SIMULATED_MODELS;
    return REGRET_OK;
cleanup:
    regret_rate_typos_free(typos, SIMULATED_MODELS);
    return rc;
}

void regret_rate_typos_free(struct regret_rate_typos *typos, size_t n)
{
    for (size_t m = 0; m < n; m++) {
        regret_free(typos[m].model);
    }
    regret_free(typos);
}
