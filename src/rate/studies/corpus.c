#include "rate/studies/corpus.h"

#include "rate/studies/simulated.h"

static const char *const products[] = {"kettle", "lamp",   "ladder",  "toaster", "radio",
                                       "chair",  "drill",  "blanket", "clock",   "umbrella",
                                       "iron",   "scales", "vacuum",  "fan",     "oven"};
static const char *const parts[] = {"handle", "switch", "base", "cord",  "lid",
                                    "button", "frame",  "seam", "hinge", "cover"};
static const char *const openings[] = {
    "It came on a Tuesday with the morning post.",
    "A neighbour had told me about this @.",
    "Our old @ had given up after many years.",
    "After two weeks I can say something about this @.",
    "Every kitchen needs a @ of some kind.",
    "The @ stands on the shelf beside the door.",
    "My sister gave me this @ for the new flat.",
    "This @ replaces one that was lost in the move.",
    "We bought the @ before the winter.",
    "Last month the @ was unpacked and put to use.",
    "For some weeks the @ has been in daily use.",
    "When the @ was delivered, the rain had just stopped.",
};
static const char *const judgements[] = {
    "The # is ~, and that was plain from the first day.",
    "I find the whole thing ~ in the hand.",
    "Its # feels ~ every time.",
    "Cleaning the # turned out to be a ~ affair.",
    "The # and the # are both ~.",
    "Even the sound it makes is ~.",
    "My family calls it ~, and so do I.",
    "Of all its sides the ~ # stays in mind.",
};
static const char *const neutrals[] = {
    "The # can be taken off with a small screwdriver.",
    "It weighs about as much as a loaf of bread.",
    "The @ is used twice a day.",
    "There is a number on the # that nobody has explained.",
};

#define COUNT(array) ((uint32_t)(sizeof(array) / sizeof *(array)))

static const char *pick(const char *const *words, uint32_t n, struct regret_rng *rng)
{
    return words[regret_rng_below(rng, n)];
}

/* One in eight judgements goes against the tenor, as they do. */
static const char *judge(int positive, struct regret_rng *rng)
{
    int agrees = regret_rng_below(rng, 8) != 0;
    return sentiment_words[regret_rng_below(rng, SENTIMENT_PAIRS)][agrees ? positive : !positive];
}

/* @ is the product, # a part of it, ~ a judgement. */
static void append_sentence(struct regret_buffer *out, const char *pattern, const char *product,
                            int positive, struct regret_rng *rng)
{
    if (out->length > 0) {
        regret_buffer_append_char(out, ' ');
    }
    for (; *pattern != '\0'; pattern++) {
        switch (*pattern) {
        case '@':
            regret_buffer_append(out, product);
            break;
        case '#':
            regret_buffer_append(out, pick(parts, COUNT(parts), rng));
            break;
        case '~':
            regret_buffer_append(out, judge(positive, rng));
            break;
        default:
            regret_buffer_append_char(out, *pattern);
        }
    }
}

void corpus_review(struct regret_buffer *out, int positive, int is_long, struct regret_rng *rng)
{
    const char *product = pick(products, COUNT(products), rng);
    append_sentence(out, pick(openings, COUNT(openings), rng), product, positive, rng);
    uint32_t n = 2 + regret_rng_below(rng, 3);
    for (uint32_t k = 0; k < n; k++) {
        append_sentence(out, pick(judgements, COUNT(judgements), rng), product, positive, rng);
    }
    append_sentence(out, pick(neutrals, COUNT(neutrals), rng), product, positive, rng);
    uint32_t first = regret_rng_below(rng, FILLERS);
    for (uint32_t k = 0; is_long && k < 3; k++) {
        append_sentence(out, fillers[(first + k) % FILLERS], product, positive, rng);
    }
}
