#include "text/units.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <utf8proc.h>

#include "base/names.h"
#include "base/status.h"
#include "regret/status.h"

/* What a rule asks of the letters before its suffix. */
enum demand { NOTHING, SOME_MEASURE, SOME_MEASURE_WITH_L, MORE_MEASURE, MORE_MEASURE_S_OR_T };

struct rule {
    const char *suffix, *instead;
    enum demand demand;
};

/* The paper's steps; of each the first rule whose suffix fits is the only one. */
static const struct rule STEP_1A[] = {
    {"sses", "ss", NOTHING}, {"ies", "i", NOTHING}, {"ss", "ss", NOTHING}, {"s", "", NOTHING}, {0}};
static const struct rule STEP_2[] = {{"ational", "ate", SOME_MEASURE},
                                     {"tional", "tion", SOME_MEASURE},
                                     {"enci", "ence", SOME_MEASURE},
                                     {"anci", "ance", SOME_MEASURE},
                                     {"izer", "ize", SOME_MEASURE},
                                     {"bli", "ble", SOME_MEASURE},
                                     {"alli", "al", SOME_MEASURE},
                                     {"entli", "ent", SOME_MEASURE},
                                     {"eli", "e", SOME_MEASURE},
                                     {"ousli", "ous", SOME_MEASURE},
                                     {"ization", "ize", SOME_MEASURE},
                                     {"ation", "ate", SOME_MEASURE},
                                     {"ator", "ate", SOME_MEASURE},
                                     {"alism", "al", SOME_MEASURE},
                                     {"iveness", "ive", SOME_MEASURE},
                                     {"fulness", "ful", SOME_MEASURE},
                                     {"ousness", "ous", SOME_MEASURE},
                                     {"aliti", "al", SOME_MEASURE},
                                     {"iviti", "ive", SOME_MEASURE},
                                     {"biliti", "ble", SOME_MEASURE},
                                     {"fulli", "ful", SOME_MEASURE},
                                     {"logi", "log", SOME_MEASURE_WITH_L},
                                     {0}};
static const struct rule STEP_3[] = {{"icate", "ic", SOME_MEASURE}, {"ative", "", SOME_MEASURE},
                                     {"alize", "al", SOME_MEASURE}, {"iciti", "ic", SOME_MEASURE},
                                     {"ical", "ic", SOME_MEASURE},  {"ful", "", SOME_MEASURE},
                                     {"ness", "", SOME_MEASURE},    {0}};
static const struct rule STEP_4[] = {{"al", "", MORE_MEASURE},    {"ance", "", MORE_MEASURE},
                                     {"ence", "", MORE_MEASURE},  {"er", "", MORE_MEASURE},
                                     {"ic", "", MORE_MEASURE},    {"able", "", MORE_MEASURE},
                                     {"ible", "", MORE_MEASURE},  {"ant", "", MORE_MEASURE},
                                     {"ement", "", MORE_MEASURE}, {"ment", "", MORE_MEASURE},
                                     {"ent", "", MORE_MEASURE},   {"ion", "", MORE_MEASURE_S_OR_T},
                                     {"ou", "", MORE_MEASURE},    {"ism", "", MORE_MEASURE},
                                     {"ate", "", MORE_MEASURE},   {"iti", "", MORE_MEASURE},
                                     {"ous", "", MORE_MEASURE},   {"ive", "", MORE_MEASURE},
                                     {"ize", "", MORE_MEASURE},   {0}};

/* Words that NLTK stems by this list alone. */
static const char *const KNOWN[][2] = {
    {"sky", "sky"},        {"skies", "sky"},       {"dying", "die"},        {"lying", "lie"},
    {"tying", "tie"},      {"news", "news"},       {"innings", "inning"},   {"inning", "inning"},
    {"outings", "outing"}, {"outing", "outing"},   {"cannings", "canning"}, {"canning", "canning"},
    {"howe", "howe"},      {"proceed", "proceed"}, {"exceed", "exceed"},    {"succeed", "succeed"}};

/* Every character but a vowel; y where it begins a word or follows a vowel. */
static int is_consonant(const char *word, size_t i)
{
    int is_one = 1; /* of what stands before the y's that end at i, turned round by each of them */
    size_t first = i;
    while (word[first] == 'y' && first > 0) {
        first--;
    }
    is_one = word[first] == 'y' || memchr("aeiou", word[first], 5) == NULL;
    return (i - first) % 2 == 0 ? is_one : !is_one;
}

/* m of [C](VC)^m[V]. */
static size_t measure(const char *word, size_t n)
{
    size_t m = 0;
    for (size_t i = 1; i < n; i++) {
        m += !is_consonant(word, i - 1) && is_consonant(word, i);
    }
    return m;
}

static int has_vowel(const char *word, size_t n)
{
    size_t i = 0;
    while (i < n && is_consonant(word, i)) {
        i++;
    }
    return i < n;
}

/* Consonant, vowel, consonant that is none of w, x, y; of two letters vowel, consonant. */
static int ends_short(const char *word, size_t n)
{
    if (n == 2) {
        return !is_consonant(word, 0) && is_consonant(word, 1);
    }
    return n > 2 && is_consonant(word, n - 3) && !is_consonant(word, n - 2) &&
           is_consonant(word, n - 1) && memchr("wxy", word[n - 1], 3) == NULL;
}

static int ends_in(const char *word, size_t n, const char *suffix)
{
    size_t k = strlen(suffix);
    return n >= k && memcmp(word + n - k, suffix, k) == 0;
}

static int is_met(enum demand demand, const char *word, size_t n)
{
    switch (demand) {
    case SOME_MEASURE:
        return measure(word, n) > 0;
    case SOME_MEASURE_WITH_L:
        return measure(word, n + 1) > 0;
    case MORE_MEASURE:
        return measure(word, n) > 1;
    case MORE_MEASURE_S_OR_T:
        return measure(word, n) > 1 && (word[n - 1] == 's' || word[n - 1] == 't');
    default:
        return 1;
    }
}

static size_t stem_put(char *word, size_t n, const char *letters)
{
    size_t k = strlen(letters);
    memcpy(word + n, letters, k);
    return n + k;
}

static size_t apply(const struct rule *rule, char *word, size_t n)
{
    while (rule->suffix != NULL && !ends_in(word, n, rule->suffix)) {
        rule++;
    }
    if (rule->suffix == NULL) {
        return n;
    }
    size_t stem = n - strlen(rule->suffix);
    return is_met(rule->demand, word, stem) ? stem_put(word, stem, rule->instead) : n;
}

/* -ed and -ing, and what is put right behind them. */
static size_t step_1b(char *word, size_t n)
{
    if (ends_in(word, n, "ied")) {
        return n == 4 ? n - 1 : n - 2;
    }
    if (ends_in(word, n, "eed")) {
        return measure(word, n - 3) > 0 ? n - 1 : n;
    }
    size_t stem = ends_in(word, n, "ed") ? n - 2 : ends_in(word, n, "ing") ? n - 3 : n;
    if (stem == n || !has_vowel(word, stem)) {
        return n;
    }
    char last = word[stem - 1];
    if (ends_in(word, stem, "at") || ends_in(word, stem, "bl") || ends_in(word, stem, "iz")) {
        return stem_put(word, stem, "e");
    }
    if (stem >= 2 && last == word[stem - 2] && is_consonant(word, stem - 1)) {
        return last == 'l' || last == 's' || last == 'z' ? stem : stem - 1;
    }
    return measure(word, stem) == 1 && ends_short(word, stem) ? stem_put(word, stem, "e") : stem;
}

static size_t step_2(char *word, size_t n)
{
    while (ends_in(word, n, "alli") && measure(word, n - 4) > 0) {
        n -= 2;
    }
    return apply(STEP_2, word, n);
}

static size_t step_5(const char *word, size_t n)
{
    if (word[n - 1] == 'e') {
        size_t m = measure(word, n - 1);
        n -= m > 1 || (m == 1 && !ends_short(word, n - 1));
    }
    return n - (ends_in(word, n, "ll") && measure(word, n - 1) > 1);
}

size_t stem_word(char *word, size_t n)
{
    for (size_t i = 0; i < sizeof KNOWN / sizeof *KNOWN; i++) {
        if (strlen(KNOWN[i][0]) == n && memcmp(KNOWN[i][0], word, n) == 0) {
            return stem_put(word, 0, KNOWN[i][1]);
        }
    }
    if (n <= 2) {
        return n;
    }
    n = n == 4 && ends_in(word, n, "ies") ? n - 1 : apply(STEP_1A, word, n);
    n = step_1b(word, n);
    if (n > 2 && word[n - 1] == 'y' && is_consonant(word, n - 2)) {
        word[n - 1] = 'i';
    }
    return step_5(word, apply(STEP_4, word, apply(STEP_3, word, step_2(word, n))));
}

enum {
    REPLACEMENT = 0xFFFD,
    DOTTED_I = 0x130,
    DOT_ABOVE = 0x307,
    SIGMA = 0x3A3,
    LAST_SIGMA = 0x3C2
};

/* A text as code points. */
struct points {
    int32_t *point; /* owned */
    size_t n;
};

FREED_FIELDS(points, of->point)

/* ---------------------------------------------------------------- characters, as Python's str has them */

/* str.isspace(). */
static int is_space(int32_t c)
{
    return (c >= 0x09 && c <= 0x0D) || (c >= 0x1C && c <= 0x20) || c == 0x85 || c == 0xA0 ||
           c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 ||
           c == 0x202F || c == 0x205F || c == 0x3000;
}

static int is_within(int32_t c, utf8proc_category_t first, utf8proc_category_t last)
{
    utf8proc_category_t category = utf8proc_category(c);
    return category >= first && category <= last;
}

/* str.isalnum(), or "_": \w of regular expressions. */
static int is_word(int32_t c)
{
    return is_within(c, UTF8PROC_CATEGORY_LU, UTF8PROC_CATEGORY_LO) ||
           is_within(c, UTF8PROC_CATEGORY_ND, UTF8PROC_CATEGORY_NO) || c == '_';
}

/* string.punctuation. */
static int is_punctuation(int32_t c)
{
    return c > ' ' && c < 0x7F && !is_word(c - (c == '_'));
}

static int is_plain(int32_t c)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

/* What may stand between a letter and the end of its word. */
static int is_between(int32_t c)
{
    return is_within(c, UTF8PROC_CATEGORY_MN, UTF8PROC_CATEGORY_ME) || c == '\'' || c == '.' ||
           c == ':' || c == 0xAD || c == 0xB7 || c == 0x2019;
}

/* 1 where the sigma at i ends a word: a cased letter before it, none behind it. */
static int is_last(const int32_t *point, size_t n, size_t i)
{
    size_t before = i, behind = i + 1;
    while (before > 0 && is_between(point[before - 1])) {
        before--;
    }
    while (behind < n && is_between(point[behind])) {
        behind++;
    }
    return before > 0 && is_within(point[before - 1], UTF8PROC_CATEGORY_LU, UTF8PROC_CATEGORY_LT) &&
           !(behind < n && is_within(point[behind], UTF8PROC_CATEGORY_LU, UTF8PROC_CATEGORY_LT));
}

/* ---------------------------------------------------------------- texts */

static int decode(struct points *out, const char *text)
{
    size_t length = strlen(text);
    TRY(REGRET_NEW(&out->point, length + 1));
    for (size_t at = 0; at < length;) {
        utf8proc_ssize_t taken =
            utf8proc_iterate((const utf8proc_uint8_t *)text + at, (utf8proc_ssize_t)(length - at),
                             &out->point[out->n]);
        out->point[out->n] = taken > 0 ? out->point[out->n] : REPLACEMENT;
        at += taken > 0 ? (size_t)taken : 1;
        out->n++;
    }
    return REGRET_OK;
}

/* str.lower(). */
static int lower(struct points *p)
{
    int32_t *to = NULL;
    size_t n = 0;
    TRY(REGRET_NEW(&to, 2 * p->n + 1));
    for (size_t i = 0; i < p->n; i++) {
        int32_t c = p->point[i];
        to[n++] = c == DOTTED_I                              ? 'i'
                  : c == SIGMA && is_last(p->point, p->n, i) ? LAST_SIGMA
                                                             : utf8proc_tolower(c);
        if (c == DOTTED_I) {
            to[n++] = DOT_ABOVE;
        }
    }
    regret_free(p->point);
    *p = (struct points){to, n};
    return REGRET_OK;
}

/* What every character of a lower-cased text stands for that ROUGE looks at: itself, or a blank. */
static void keep_plain(struct points *p)
{
    for (size_t i = 0; i < p->n; i++) {
        p->point[i] = is_plain(p->point[i]) ? p->point[i] : ' ';
    }
}

/* The letters of the article at i, 0 where there is none. */
static size_t article_at(const struct points *p, size_t i)
{
    static const char *const ARTICLES[] = {"a", "an", "the"};
    for (size_t k = 0; k < 3 && (i == 0 || !is_word(p->point[i - 1])); k++) {
        size_t n = strlen(ARTICLES[k]), j = 0;
        while (j < n && i + j < p->n && p->point[i + j] == ARTICLES[k][j]) {
            j++;
        }
        if (j == n && (i + n == p->n || !is_word(p->point[i + n]))) {
            return n;
        }
    }
    return 0;
}

/* SQuAD's normalize_answer() of a lower-cased text, but for its blanks. */
static void keep_answer(struct points *p)
{
    size_t n = 0;
    for (size_t i = 0; i < p->n; i++) {
        if (!is_punctuation(p->point[i])) {
            p->point[n++] = p->point[i];
        }
    }
    p->n = n;
    for (size_t i = 0; i < p->n; i++) {
        for (size_t k = article_at(p, i); k > 0; k--) {
            p->point[i + k - 1] = ' ';
        }
    }
}

/* ---------------------------------------------------------------- units */

static void add(struct units *out, const int32_t *point, size_t n)
{
    out->unit[out->n++] = regret_hash64(point, n * sizeof *point);
}

/* The stem of a word of ASCII, in its place, where it has more than three letters. */
static size_t stem(int32_t *point, size_t n, char *scratch)
{
    for (size_t i = 0; i < n; i++) {
        scratch[i] = (char)point[i];
    }
    n = n > 3 ? stem_word(scratch, n) : n;
    for (size_t i = 0; i < n; i++) {
        point[i] = (unsigned char)scratch[i];
    }
    return n;
}

/* A word without white space; `scratch` has room for its letters. */
static void add_word(struct units *out, int32_t *point, size_t n, enum units_way way, char *scratch)
{
    if (way == UNITS_CHARACTERS) {
        for (size_t i = 0; i < n; i++) {
            add(out, point + i, 1);
        }
    } else if (way == UNITS_CHRF && n > 1 && is_punctuation(point[n - 1])) {
        add(out, point, n - 1);
        add(out, point + n - 1, 1);
    } else if (way == UNITS_CHRF && n > 1 && is_punctuation(point[0])) {
        add(out, point, 1);
        add(out, point + 1, n - 1);
    } else {
        add(out, point, way == UNITS_STEMS ? stem(point, n, scratch) : n);
    }
}

static int split(struct units *out, struct points *p, enum units_way way)
{
    char *scratch = NULL;
    size_t i = 0;
    TRY(REGRET_NEW(&out->unit, p->n + 1));
    TRY(REGRET_NEW(&scratch, p->n + 1));
    while (i < p->n) {
        size_t first = i;
        while (i < p->n && !is_space(p->point[i])) {
            i++;
        }
        if (i > first) {
            add_word(out, p->point + first, i - first, way, scratch);
        }
        i++;
    }
    regret_free(scratch);
    return REGRET_OK;
}

int units_cut(struct units *out, const char *text, enum units_way way)
{
    FREED_BY(points_fields) struct points p = {0};
    FREED char *spaced = NULL;
    int is_rouge = way == UNITS_ROUGE || way == UNITS_STEMS;
    TRY(way == UNITS_MTEVAL ? mteval_space(&spaced, text) : REGRET_OK);
    TRY(decode(&p, spaced != NULL ? spaced : text));
    TRY(is_rouge || way == UNITS_ANSWER ? lower(&p) : REGRET_OK);
    if (is_rouge) {
        keep_plain(&p);
    } else if (way == UNITS_ANSWER) {
        keep_answer(&p);
    }
    return split(out, &p, way);
}

void units_free(struct units *units)
{
    regret_free(units->unit);
    *units = (struct units){0};
}
