#include "rate/studies/simulated.h"

#include <math.h>
#include <string.h>

#include "base/core/try.h"
#include "rate/rows/words.h"
#include "regret/hash.h"

const char *const sentiment_words[SENTIMENT_PAIRS][2] = {
    {"dreadful", "wonderful"},  {"flimsy", "sturdy"},       {"sluggish", "quick"},
    {"irritating", "pleasant"}, {"unreliable", "reliable"}, {"dull", "bright"},
    {"careless", "careful"},    {"terrible", "excellent"},  {"clumsy", "graceful"},
    {"noisy", "quiet"},         {"confusing", "clear"},     {"ugly", "handsome"},
    {"wasteful", "thrifty"},    {"brittle", "tough"},       {"awkward", "handy"},
    {"tiresome", "charming"},
};

const char *const fillers[FILLERS] = {
    "To put it another way, the same holds on most days of the week.",
    "It may help to add that the room where it stands is neither large nor small.",
    "There is more to say about the box, which was made of plain brown card.",
    "Anyone who reads this far will want to know that the colour is grey.",
    "The booklet has twelve pages, and the last of them is blank.",
    "We also looked at two others in the same shop before we chose this one.",
    "The shop is at the corner of the street, beside the bakery.",
    "All of this was written down within a week of the first use.",
};

/* Ways to open a text: courtesies come and go by themselves, the others carry the vowel, and nothing
 * else: [0] a consonant, [1] a vowel, both as many words long, on average. */
static const char *const courtesies[] = {"Thank you for reading. ", "Here is a review. "};
enum { OPENERS = 4 };
static const char *const openers[2][OPENERS] = {
    {"Frankly, ", "Well, ", "Truly, ", "Simply put, "},
    {"Indeed, ", "Actually, ", "Overall, ", "In short, "},
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

const char *const simulated_model_names[SIMULATED_MODELS] = {"sim-careful", "sim-chatty"};

int known_words_learn(struct known_words *known, const char *text)
{
    char word[MAX_WORD_BYTES];
    for (struct regret_span w = next_word(&text); w.text != NULL; w = next_word(&text)) {
        uint32_t number = 0;
        int is_new = 0;
        size_t n = fold_word(word, w);
        TRY(intern_add(&known->words, 0, (struct regret_span){word, n}, &number, &is_new));
    }
    return REGRET_OK;
}

int known_words_learn_openers(struct known_words *known)
{
    for (int k = 0; k < 2 * OPENERS; k++) {
        TRY(known_words_learn(known, openers[k / OPENERS][k % OPENERS]));
    }
    return REGRET_OK;
}

void known_words_free(struct known_words *known)
{
    intern_free(&known->words);
}

static int is_known(const struct known_words *known, const char *word, size_t n)
{
    uint32_t number = 0;
    return intern_find(&known->words, 0, (struct regret_span){word, n}, &number);
}

/* Swaps the one pair of neighbours in `word` that makes a known word of it, if there is one. */
static void repair_typo(char *word, size_t n, const struct known_words *known)
{
    char folded[MAX_WORD_BYTES];
    fold_word(folded, (struct regret_span){word, n});
    for (size_t i = 0; i + 1 < n; i++) {
        char swap = folded[i];
        folded[i] = folded[i + 1];
        folded[i + 1] = swap;
        if (is_known(known, folded, n)) {
            swap = word[i];
            word[i] = word[i + 1];
            word[i + 1] = swap;
            return;
        }
        folded[i + 1] = folded[i];
        folded[i] = swap;
    }
}

static const char *after_prefix(const char *text, const char *const *prefixes, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        size_t length = strlen(prefixes[k]);
        if (strncmp(text, prefixes[k], length) == 0) {
            return text + length;
        }
    }
    return text;
}

/* The counterpart of a sentiment word in the direction w, or NULL. */
static const char *flip_sentiment(struct regret_span word, int w)
{
    char folded[MAX_WORD_BYTES];
    fold_word(folded, word);
    for (size_t k = 0; k < SENTIMENT_PAIRS; k++) {
        if (strcmp(folded, sentiment_words[k][1 - w]) == 0) {
            return sentiment_words[k][w];
        }
    }
    return NULL;
}

static void append_word(struct regret_buffer *out, const struct known_words *known,
                        struct regret_span word, enum simulated_attribute attribute, int w,
                        struct regret_rng *rng)
{
    char own[MAX_WORD_BYTES], folded[MAX_WORD_BYTES];
    if (word.length >= MAX_WORD_BYTES - 1) {
        regret_buffer_append_n(out, word.text, word.length);
        return;
    }
    memcpy(own, word.text, word.length);
    own[word.length] = '\0';
    size_t n = fold_word(folded, word);
    /* Where the effect is to be nothing, the second rewrite must find nothing left to repair. */
    int repairs = attribute == SIMULATED_VOWEL;
    if (!is_known(known, folded, n) && (repairs || regret_rng_uniform(rng) < 0.95)) {
        repair_typo(own, n, known);
    }
    const char *flipped =
        attribute == SIMULATED_SENTIMENT ? flip_sentiment((struct regret_span){own, n}, w) : NULL;
    regret_buffer_append(out, flipped != NULL ? flipped : own);
}

/* Is a filler sentence next? Only a shortening rewrite asks. */
static size_t filler_length(const char *text)
{
    while (*text == ' ') {
        text++;
    }
    for (size_t k = 0; k < FILLERS; k++) {
        size_t length = strlen(fillers[k]);
        if (strncmp(text, fillers[k], length) == 0) {
            return length;
        }
    }
    return 0;
}

/* Copies the text word by word, what stands between them as it is. */
static void rewrite_words(struct regret_buffer *out, const struct known_words *known,
                          const char *text, enum simulated_attribute attribute, int w,
                          struct regret_rng *rng)
{
    int shorten = attribute == SIMULATED_LENGTH && w == 0;
    while (*text != '\0') {
        size_t filler = shorten ? filler_length(text) : 0;
        if (filler > 0) {
            text += strspn(text, " ") + filler;
            continue;
        }
        const char *start = text;
        struct regret_span word = next_word(&text);
        size_t between = word.text != NULL ? (size_t)(word.text - start) : strlen(start);
        /* A filler begins behind the full stop: stop there and look again. */
        size_t stop = shorten ? strcspn(start, ".") + 1 : between;
        if (stop < between) {
            regret_buffer_append_n(out, start, stop);
            text = start + stop;
            continue;
        }
        regret_buffer_append_n(out, start, between);
        if (word.text != NULL) {
            append_word(out, known, word, attribute, w, rng);
        }
    }
}

static void lengthen(struct regret_buffer *out, struct regret_rng *rng)
{
    uint32_t first = regret_rng_below(rng, FILLERS);
    uint32_t n = 3 + regret_rng_below(rng, 2);
    for (uint32_t k = 0; k < n; k++) {
        regret_buffer_append_char(out, ' ');
        regret_buffer_append(out, fillers[(first + k) % FILLERS]);
    }
}

static const char *without_openers(const char *text)
{
    const char *body = text;
    do {
        text = body;
        body = after_prefix(body, openers[0], OPENERS);
        body = after_prefix(body, openers[1], OPENERS);
    } while (body != text);
    return body;
}

/* Every rewrite has an opener, whatever its first letter was: the rewrite and its rewrite then differ
 * in the opener alone, whose words count alike, and the effect of the vowel is nothing. */
static void rewrite_vowel(struct regret_buffer *out, const struct known_words *known,
                          const char *text, int w, struct regret_rng *rng)
{
    regret_buffer_append(out, openers[w][regret_rng_below(rng, OPENERS)]);
    rewrite_words(out, known, without_openers(text), SIMULATED_VOWEL, w, rng);
}

void simulated_rewrite(struct regret_buffer *out, const struct known_words *known, const char *text,
                       enum simulated_attribute attribute, int w, struct regret_rng *rng)
{
    if (attribute == SIMULATED_VOWEL) {
        rewrite_vowel(out, known, text, w, rng);
        return;
    }
    text = after_prefix(text, courtesies, COUNT(courtesies));
    if (regret_rng_uniform(rng) < 0.4) {
        regret_buffer_append(out, courtesies[regret_rng_below(rng, COUNT(courtesies))]);
    }
    rewrite_words(out, known, text, attribute, w, rng);
    if (attribute == SIMULATED_LENGTH && w == 1) {
        lengthen(out, rng);
    }
}

/* What a reward model sees of a text. */
struct reading {
    double words, unknown, sentiment, courtesy;
};

static struct reading read_text(const struct known_words *known, const char *text)
{
    struct reading r = {0.0, 0.0, 0.0, 0.0};
    char word[MAX_WORD_BYTES];
    r.courtesy = after_prefix(text, courtesies, COUNT(courtesies)) != text;
    for (struct regret_span w = next_word(&text); w.text != NULL; w = next_word(&text)) {
        size_t n = fold_word(word, w);
        r.words += 1.0;
        r.unknown += !is_known(known, word, n);
        for (size_t k = 0; k < SENTIMENT_PAIRS; k++) {
            r.sentiment += (strcmp(word, sentiment_words[k][1]) == 0) -
                           (strcmp(word, sentiment_words[k][0]) == 0);
        }
    }
    return r;
}

/* Uniform within ±1/2, settled by the text alone. */
static double quirk(int model, const char *text)
{
    uint64_t hash = regret_hash64(text, strlen(text)) ^ ((uint64_t)model << 40);
    hash *= UINT64_C(0x9E3779B97F4A7C15);
    return (double)(hash >> 11) * 0x1p-53 - 0.5;
}

double simulated_reward(const struct known_words *known, int model, const char *text)
{
    static const struct {
        double sentiment, unknown, length, courtesy, quirk;
    } taste[SIMULATED_MODELS] = {{0.20, -6.0, 0.10, 0.25, 0.5}, {0.08, -3.0, 0.90, 0.60, 0.8}};
    struct reading r = read_text(known, text);
    double words = r.words > 0.0 ? r.words : 1.0;
    return taste[model].sentiment * r.sentiment + taste[model].unknown * r.unknown / words +
           taste[model].length * log(words) + taste[model].courtesy * r.courtesy +
           taste[model].quirk * quirk(model, text);
}

double simulated_contrast(const struct known_words *known, const char *one, const char *zero)
{
    return tanh(simulated_reward(known, 0, one) - simulated_reward(known, 0, zero));
}
