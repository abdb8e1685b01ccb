/* The reader of rows against the naive one: the same rows, the same messages. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fixture.h"
#include "naive_row.h"
#include "rate/row.h"
#include "regret/buffer.h"
#include "regret/task.h"

static struct regret_rng rng;

static uint32_t below(uint32_t n)
{
    return regret_rng_below(&rng, n);
}

static int same_span(struct regret_span a, struct regret_span b)
{
    return (a.text == NULL) == (b.text == NULL) &&
           (a.text == NULL || (a.length == b.length && memcmp(a.text, b.text, a.length) == 0));
}

/* An id that is a number is its text, of which the naive reader has but the value. */
static int same_name(struct regret_span a, struct regret_span b)
{
    char one[80] = "", other[80] = "", *end = one;
    if (same_span(a, b) || a.text == NULL || b.text == NULL || a.length > 79 || b.length > 79) {
        return same_span(a, b);
    }
    memcpy(one, a.text, a.length);
    memcpy(other, b.text, b.length);
    return strtod(one, &end) == strtod(other, NULL) && end == one + a.length;
}

static void check_same_row(const struct regret_rate_row *a, const struct regret_rate_row *b,
                           const char *line)
{
    cr_assert(same_name(a->id, b->id) && same_span(a->dataset, b->dataset) &&
                  same_span(a->attribute, b->attribute) && same_name(a->rewriter, b->rewriter) &&
                  same_name(a->repeat, b->repeat),
              "names: %s", line);
    cr_assert(same_span(a->prompt, b->prompt) && same_span(a->completion[0], b->completion[0]) &&
                  same_span(a->completion[1], b->completion[1]) &&
                  same_span(a->completion[2], b->completion[2]),
              "texts: %s", line);
    cr_assert_eq(a->w, b->w, "W: %s", line);
    cr_assert_eq(a->z, b->z, "Z: %s", line);
    cr_assert_eq(a->n_scores, b->n_scores, "models: %s", line);
    for (size_t k = 0; k < a->n_scores; k++) {
        const struct regret_rate_scores *s = &a->scores[k], *t = &b->scores[k];
        cr_assert(same_span(s->model, t->model) && s->contrastive == t->contrastive &&
                      s->bad == t->bad && s->doubtful == t->doubtful,
                  "model %zu: %s", k, line);
        for (int side = 0; side < 3; side++) {
            cr_assert(memcmp(&s->value[side], &t->value[side], sizeof(double)) == 0 ||
                          (isnan(s->value[side]) && isnan(t->value[side])),
                      "score %d of model %zu: %s", side, k, line);
        }
    }
}

static struct row_reader reader = {.z_field = {"z", 1}, .with_texts = 1};
static struct naive_row naive = {.z_field = "z"};

/* 1 when the line is a row: the same one for both readers, which else say the same. */
static int check_line(const char *line, size_t length)
{
    const struct regret_place at = {"test", 1};
    char message[1024];
    /* A block of the exact size: a read past its end is seen by the address sanitizer. */
    char *copy = malloc(length > 0 ? length : 1);
    memcpy(copy, line, length);
    int rc = row_read(&reader, copy, length, at);
    snprintf(message, sizeof message, "%s", rc == 0 ? "" : regret_error_message());
    cr_assert_eq(naive_row_read(&naive, copy, length, at), rc, "%s: %s | %s", line, message,
                 regret_error_message());
    if (rc == 0) {
        check_same_row(&reader.row, &naive.row, line);
    } else {
        cr_assert_str_eq(message, regret_error_message(), "%s", line);
    }
    free(copy);
    return rc == 0;
}

static void free_readers(void)
{
    row_reader_free(&reader);
    naive_row_free(&naive);
}

TestSuite(row, .fini = free_readers);

static void append_string(struct regret_buffer *t)
{
    static const char *const pieces[] = {"a",
                                         "word ",
                                         "\\n",
                                         "\\\"",
                                         "\\\\",
                                         "\\u00e9",
                                         "é",
                                         "日本",
                                         "\\t",
                                         "original",
                                         "\\ud83d\\ude00",
                                         "0123456789abcdef",
                                         "\\u0000",
                                         "\\ud83d",
                                         "{",
                                         "}",
                                         ":"};
    regret_buffer_append(t, "\"");
    for (uint32_t k = below(12); k > 0; k--) {
        regret_buffer_append(t, pieces[below(sizeof pieces / sizeof *pieces)]);
    }
    regret_buffer_append(t, "\"");
}

static void append_value(struct regret_buffer *t)
{
    static const char *const others[] = {"null", "true", "\"x\"", "[1, 2]",   "{}",
                                         "-0",   "1e5",  "NaN",   "-Infinity"};
    if (below(8) == 0) {
        regret_buffer_append(t, others[below(9)]);
    } else {
        regret_buffer_printf(t, below(2) ? "%.17g" : "%.5f", regret_rng_normal(&rng));
    }
}

static void append_models(struct regret_buffer *t, int contrastive)
{
    static const char *const sides[2][3] = {{"original", "rewrite", "rewrite_of_rewrite"},
                                            {"single", "double", "extra"}};
    uint32_t n = below(4);
    regret_buffer_append(t, "{");
    for (uint32_t m = 0; m < n; m++) {
        if (below(6) == 0) {
            regret_buffer_printf(t, "%s\"absent/%u\": null", m ? ", " : "", m);
            continue;
        }
        regret_buffer_printf(t, "%s\"model/%u\": {", m ? ", " : "", below(20) ? m : 0);
        for (int side = 0; side < 3; side++) {
            regret_buffer_printf(t, "%s\"%s\":", side ? "," : "",
                                 side == 2 && !contrastive && below(3) == 0
                                     ? "rewritten rewrite"
                                     : sides[contrastive][side]);
            append_value(t);
        }
        regret_buffer_append(t, "}");
    }
    regret_buffer_append(t, "}");
}

static void random_row(struct regret_buffer *t)
{
    static const char *const labels[] = {"true",      "false", "null", "1",  "\"true\"",
                                         "\"FALSE\"", "0.0",   "NaN",  "-1", "\"yes\""};
    int authors = below(3) == 0;
    regret_buffer_clear(t);
    regret_buffer_printf(t, "{\"%s\": %s", authors ? "w_original" : "w",
                         labels[below(10) ? below(2) : below(10)]);
    if (below(2)) {
        regret_buffer_append(t, ", \"id\": ");
        if (below(4)) {
            append_string(t);
        } else {
            regret_buffer_printf(t, "%u", below(1000));
        }
    }
    if (below(2)) {
        regret_buffer_append(t, ", \"dataset\" : \"IMDB\",\"attribute\":\"sentiment\"");
    }
    if (below(4) == 0) {
        regret_buffer_printf(t, ", \"repeat\": %u, \"rewriter\": ", below(4));
        append_string(t);
    }
    if (below(3) == 0) {
        regret_buffer_printf(t, ", \"z\": %s", labels[below(10)]);
    }
    if (below(2)) {
        regret_buffer_append(t, ", \"completions\": {\"original\": ");
        append_string(t);
        regret_buffer_append(t, ", \"rewrite\": ");
        append_string(t);
        regret_buffer_append(t, "}, \"prompt\": ");
        append_string(t);
    }
    if (authors) {
        regret_buffer_append(t, ", \"org/model\": {\"original\": 1.5, \"rewritten rewrite\": ");
        append_value(t);
        regret_buffer_append(
            t, "}, \"stray\": {\"x\": 1}, \"ids\": {\"original\": \"i\"}, \"n\": null");
    } else {
        regret_buffer_append(t, ", \"scores\": ");
        append_models(t, 0);
        if (below(3) == 0) {
            regret_buffer_append(t, ", \"contrasts\": ");
            append_models(t, 1);
        }
    }
    regret_buffer_append(t, below(5) ? "}" : "} \r");
}

Test(row, mutated_rows_are_those_of_the_naive_reader)
{
    struct regret_buffer t = REGRET_BUFFER_INIT;
    int taken = 0, n = (int)repeats(100000);
    rng = regret_rng_at(4, REGRET_RNG_TEST, 0);
    for (int i = 0; i < n; i++) {
        random_row(&t);
        for (uint32_t k = 1 + below(3); k > 0; k--) {
            static const char spice[] = "\"\\{}[]:,0123456789eE+-. \t\n\x01\x80\xff\xc3ntfuNI";
            size_t at = below((uint32_t)t.length);
            char c = spice[below(sizeof spice - 1)];
            if (below(3) == 0) {
                memmove(t.data + at, t.data + at + 1, t.length - at);
                t.length--;
            } else {
                t.data[at] = below(4) == 0 ? t.data[below((uint32_t)t.length)] : c;
            }
        }
        taken += check_line(t.data, t.length);
    }
    cr_assert_gt(taken, n / 100, "%d", taken);
    regret_buffer_free(&t);
}
