/* A simulated rewriter and simulated reward models, for the example set and the typo experiment:
 * simple programs on texts, so that everything can be rerun without a language model. SYNTHETIC. */
#ifndef REGRET_RATE_SIMULATED_H
#define REGRET_RATE_SIMULATED_H

#include "rate/rows/intern.h"
#include "regret/buffer.h"
#include "regret/rng.h"

/* The words it knows: what it repairs typos with, and what its reward models call well spelt. */
struct known_words {
    struct intern words; /* folded */
};

int known_words_learn(struct known_words *known, const char *text);
/* The words with which a rewrite for SIMULATED_VOWEL begins. */
int known_words_learn_openers(struct known_words *known);
void known_words_free(struct known_words *known);

enum simulated_attribute { SIMULATED_VOWEL, SIMULATED_SENTIMENT, SIMULATED_LENGTH };

/* Appends `text` rewritten so that the attribute is `w`. Imperfect in the way of language
 * models: whatever the direction, it repairs most words that are one swap away from a known one, and
 * opens some texts with a courtesy (after taking away an earlier one). For SIMULATED_VOWEL it repairs
 * them all and puts an opener before every text, in place of an earlier one: given the text, the
 * reward of a rewrite to W = 1 and of one to W = 0 have the same distribution (where the openers'
 * words are known). Sets sticky errors of `out`. */
void simulated_rewrite(struct regret_buffer *out, const struct known_words *known, const char *text,
                       enum simulated_attribute attribute, int w, struct regret_rng *rng);

enum { SIMULATED_MODELS = 2 };
extern const char *const simulated_model_names[SIMULATED_MODELS];
/* The reward of a text; a pure function of the text and the words known. */
double simulated_reward(const struct known_words *known, int model, const char *text);
/* What two texts have between them by a contrastive judge: not a difference of rewards. */
double simulated_contrast(const struct known_words *known, const char *one, const char *zero);

/* The material it shares with the corpus: words by sentiment, and sentences that add length. */
enum { SENTIMENT_PAIRS = 16, FILLERS = 8 };
extern const char *const sentiment_words[SENTIMENT_PAIRS][2]; /* [0] negative, [1] positive */
extern const char *const fillers[FILLERS];

#endif
