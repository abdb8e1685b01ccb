/* The tokeniser by 64 bytes at once against the one by one character. */
#include "naive_tokens.h"
#include "regret/task.h"
#include "text/classes.h"

/* Characters of every kind, and those that fold, compose, join or close. */
static const int32_t special[] = {
    '\'',   '.',    ',',    '!',     '?',     '"',     ')',     ']',     '}',    '\n',
    ' ',    '\t',   0x7f,   0x85,    0xa0,    0xa8,    0xad,    0xb4,    0xbb,   0xbc,
    0xdf,   0xe9,   0x130,  0x2bc,   0x300,   0x301,   0x308,   0x327,   0x345,  0x3a3,
    0x3c2,  0x660,  0x669,  0x5d0,   0x5b0,   0x915,   0x93c,   0x94d,   0xe01,  0x1100,
    0x1161, 0x11a8, 0xac00, 0x1e9e,  0x2002,  0x200b,  0x200d,  0x2018,  0x2019, 0x201c,
    0x201d, 0x2026, 0x2028, 0x203a,  0x20ac,  0x2153,  0x216b,  0x3000,  0x3001, 0x3002,
    0x3042, 0x30ab, 0x3099, 0x4e00,  0x9fff,  0xfb01,  0xfdfa,  0xfeff,  0xff11, 0xff21,
    0xff61, 0xff9e, 0xff76, 0x10400, 0x1d7d8, 0x1f600, 0x20000, 0xe0001, 0xe000, 0x378};

static int32_t draw_character(struct regret_rng *r, int wild)
{
    size_t kind = regret_rng_below(r, 100);
    if (kind < 50 || wild == 0) {
        const char *plain = "abcdefghijklmnopqrstuvwxyzABCXYZ0123456789   ''..,,!?\n\n\")]}-_$";
        return plain[regret_rng_below(r, strlen(plain))];
    }
    if (kind < 60) {
        return (int32_t)(1 + regret_rng_below(r, 127));
    }
    if (kind < 95 || wild == 1) {
        return special[regret_rng_below(r, sizeof special / sizeof *special)];
    }
    int32_t c = (int32_t)(1 + regret_rng_below(r, 0x10ffff));
    return c >= 0xd800 && c < 0xe000 ? 'q' : c;
}

/* A text of about `length` bytes that begins at any place of a buffer, in memory of just its size. */
static void check_random(uint64_t index, size_t length, int wild)
{
    struct regret_rng r = regret_rng_at(71, REGRET_RNG_TEST, index);
    size_t offset = regret_rng_below(&r, 64), n = offset;
    char *buffer = malloc(offset + length + 5);
    while (n < offset + length) {
        n += (size_t)utf8proc_encode_char(draw_character(&r, wild), (utf8proc_uint8_t *)buffer + n);
    }
    buffer[n] = '\0';
    buffer = realloc(buffer, n + 1);
    check_against_naive(buffer + offset);
    free(buffer);
}

Test(tokens_naive, agree_at_every_length)
{
    for (size_t length = 0; length <= 200; length++) {
        for (uint64_t turn = 0; turn < 60; turn++) {
            check_random(1000 * length + turn, length, (int)(turn % 3));
        }
    }
}

Test(tokens_naive, agree_on_long_texts)
{
    for (uint64_t turn = 0; turn < 60; turn++) {
        check_random(1000000 + turn, 20000, (int)(turn % 3));
    }
}

/* Every pair of special characters, at the end of a block and within it. */
Test(tokens_naive, agree_on_all_neighbours)
{
    enum { N = sizeof special / sizeof *special };
    for (size_t a = 0; a < N; a++) {
        for (size_t b = 0; b < N; b++) {
            for (size_t before = 58; before < 66; before++) {
                char text[128];
                memset(text, 'a', sizeof text);
                text[3] = before % 2 ? '5' : ' ';
                size_t n = before;
                n += (size_t)utf8proc_encode_char(special[a], (utf8proc_uint8_t *)text + n);
                n += (size_t)utf8proc_encode_char(special[b], (utf8proc_uint8_t *)text + n);
                n += (a + b) % 2;
                text[n] = '\0';
                check_against_naive(text);
            }
        }
    }
}

Test(tokens_naive, refuse_the_same_bytes)
{
    for (uint64_t turn = 0; turn < 3000; turn++) {
        struct regret_rng r = regret_rng_at(72, REGRET_RNG_TEST, turn);
        char text[90];
        size_t n = regret_rng_below(&r, sizeof text);
        for (size_t i = 0; i < n; i++) {
            size_t c = regret_rng_below(&r, 8) > 0 ? 'a' : 0xc0 + regret_rng_below(&r, 64);
            text[i] = (char)(regret_rng_below(&r, 8) > 0 ? c : 1 + regret_rng_below(&r, 255));
        }
        text[n] = '\0';
        check_against_naive(text);
    }
}

/* A thousand points in a row cost what they should: each is asked once what follows the last. */
Test(tokens_naive, agree_on_runs_of_closing_signs)
{
    char text[6001];
    for (size_t i = 0; i < 6000; i++) {
        text[i] = ".!?\"')]}"[i * i % 7];
    }
    text[6000] = '\0';
    memcpy(text, "word", 4);
    check_against_naive(text);
    text[5999] = ' ';
    check_against_naive(text);
    text[5999] = 'a';
    check_against_naive(text);
}

Test(tokens_naive, vectors_and_words_give_the_same_classes)
{
    for (uint64_t turn = 0; turn < 4096; turn++) {
        struct regret_rng r = regret_rng_at(73, REGRET_RNG_TEST, turn);
        char bytes[64];
        for (size_t i = 0; i < sizeof bytes; i++) {
            bytes[i] = (char)(turn < 4 ? 64 * turn + i : regret_rng_below(&r, 256));
        }
        struct class_block vectors, words;
        classes_of_bytes(&vectors, bytes);
        classes_of_bytes_by_words(&words, bytes);
        cr_assert_arr_eq(&vectors, &words, sizeof vectors, "turn %zu", (size_t)turn);
    }
}
