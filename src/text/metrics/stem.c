#include "text/metrics/stem.h"

#include <string.h>

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

static size_t put(char *word, size_t n, const char *letters)
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
    return is_met(rule->demand, word, stem) ? put(word, stem, rule->instead) : n;
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
        return put(word, stem, "e");
    }
    if (stem >= 2 && last == word[stem - 2] && is_consonant(word, stem - 1)) {
        return last == 'l' || last == 's' || last == 'z' ? stem : stem - 1;
    }
    return measure(word, stem) == 1 && ends_short(word, stem) ? put(word, stem, "e") : stem;
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
            return put(word, 0, KNOWN[i][1]);
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
