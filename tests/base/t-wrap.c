/* Paragraphs in lines of whole words. */
#include <criterion/criterion.h>
#include <string.h>

#include "base/text.h"
#include "regret/task.h"

/* Words of one to nine letters, some of two bytes, with blanks between. */
static void invent(struct regret_buffer *t, struct regret_rng *rng)
{
    size_t words = regret_rng_below(rng, 40);
    for (size_t i = 0; i < words; i++) {
        size_t letters = 1 + regret_rng_below(rng, 9);
        for (size_t k = 0; k < letters; k++) {
            regret_buffer_append(t, regret_rng_below(rng, 4) > 0 ? "a" : "é");
        }
        regret_buffer_append(t, regret_rng_below(rng, 2) > 0 ? " " : "   ");
    }
}

/* Both without blanks and ends of lines. */
static int same_words(const char *a, const char *b)
{
    for (;;) {
        a += strspn(a, " \n");
        b += strspn(b, " \n");
        size_t n = strcspn(a, " \n");
        if (n != strcspn(b, " \n") || strncmp(a, b, n) != 0) {
            return 0;
        }
        if (n == 0) {
            return 1;
        }
        a += n;
        b += n;
    }
}

/* Every line is indented, no wider than it may be, and holds all that fits: the next line's first word would not. */
static void expect_lines(const char *wrapped, const struct text_margins *m)
{
    size_t before = 0, lines = 0;
    for (const char *p = wrapped; *p != '\0'; lines++) {
        char line[256];
        size_t n = strcspn(p, "\n"), indent = lines == 0 ? m->first : m->rest;
        cr_assert_lt(n, sizeof line);
        cr_assert_eq(p[n], '\n', "the last line ends, too");
        memcpy(line, p, n);
        line[n] = '\0';
        cr_expect_eq(strspn(line, " "), indent);
        cr_expect_leq(regret_text_columns(line + indent) + indent, m->columns, "%s", line);
        char word[64] = "";
        memcpy(word, line + indent, strcspn(line + indent, " "));
        cr_expect(lines == 0 || before + 1 + regret_text_columns(word) > m->columns, "%s", line);
        before = indent + regret_text_columns(line + indent);
        p += n + 1;
    }
}

Test(wrap, lines_hold_the_words_and_as_many_as_fit)
{
    struct regret_rng rng = regret_rng_at(5, REGRET_RNG_TEST, 0);
    for (size_t i = 0; i < 300; i++) {
        struct regret_buffer text = REGRET_BUFFER_INIT, wrapped = REGRET_BUFFER_INIT;
        const struct text_margins m = {16 + regret_rng_below(&rng, 60), regret_rng_below(&rng, 4),
                                       regret_rng_below(&rng, 6)};
        invent(&text, &rng);
        text_wrap(&wrapped, regret_buffer_get(&text), &m);
        cr_assert(same_words(regret_buffer_get(&text), regret_buffer_get(&wrapped)), "%s",
                  regret_buffer_get(&wrapped));
        expect_lines(regret_buffer_get(&wrapped), &m);
        regret_buffer_free(&text);
        regret_buffer_free(&wrapped);
    }
}

Test(wrap, a_longer_word_stands_alone_and_nothing_is_nothing)
{
    const struct text_margins m = {8, 0, 2};
    struct regret_buffer wrapped = REGRET_BUFFER_INIT;
    text_wrap(&wrapped, "  ", &m);
    cr_expect_eq(wrapped.length, 0);
    text_wrap(&wrapped, "an extraordinary word", &m);
    cr_expect_str_eq(regret_buffer_get(&wrapped), "an\n  extraordinary\n  word\n");
    regret_buffer_free(&wrapped);
}

Test(wrap, of_many_lines_only_the_wide_ones)
{
    struct regret_buffer wrapped = REGRET_BUFFER_INIT;
    text_wrap_wide(&wrapped, "a   b\n\n  one two three\nend", 8);
    cr_expect_str_eq(regret_buffer_get(&wrapped), "a   b\n\n  one\n    two\n    three\nend\n");
    regret_buffer_free(&wrapped);
}
