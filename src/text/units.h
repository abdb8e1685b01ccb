/* Stems and units that metrics count. */
#ifndef TEXT_UNITS_H
#define TEXT_UNITS_H

#include <stddef.h>
#include <stdint.h>

/* Porter's stemmer. */

/* Cuts a word of n characters a-z and 0-9 where it stands; returns its new length, at most n. M. F. Porter, "An
 * algorithm for suffix stripping", Program 14, 1980, with the departures of NLTK 3.8 (nltk/stem/porter.py,
 * NLTK_EXTENSIONS). */
size_t stem_word(char *word, size_t n);

/* A text as the units that a metric counts. */

enum units_way {
    UNITS_ANSWER,     /* SQuAD's words */
    UNITS_ROUGE,      /* runs of a-z and 0-9 */
    UNITS_STEMS,      /* the same by their stems */
    UNITS_CHARACTERS, /* all but white space */
    UNITS_CHRF,       /* words between white space, ASCII punctuation at their ends apart */
    UNITS_MTEVAL      /* tokens of mteval-v13a */
};

struct units {
    uint64_t *unit; /* hashes: the same for the same letters; owned */
    size_t n;
};

/* Cuts a text, into empty units; to be freed even on failure. O(n). */
int units_cut(struct units *out, const char *text, enum units_way way);
void units_free(struct units *units);

/* The bytes of a text as mteval-v13a spaces them, blanks between tokens; owned. What the tokenizer "13a" of sacrebleu does
 * before it splits at white space (sacrebleu 2, tokenizers/tokenizer_13a.py and tokenizer_re.py). */
int mteval_space(char **out, const char *text);

#endif
