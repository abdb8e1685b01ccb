/* Classes and folds of characters, and stop words. */
#ifndef TEXT_CLASSES_H
#define TEXT_CLASSES_H

#include <stddef.h>
#include <stdint.h>

/* UTF-8 text to case-folded UTF-8. */

struct folded_text {
    char *byte;      /* the text in NFKC_Casefold, U+2019 written as an apostrophe; owned */
    size_t n;        /* bytes in use, without the padding */
    int is_ascii;    /* no byte of it is above 127 */
    size_t capacity; /* bytes allocated */
    int32_t *point;  /* room for the code points of a piece; owned */
    size_t n_points; /* allocated */
};

/* Folds one text into f, whose memory is reused. REGRET_E_INPUT when it is not UTF-8. Linear. */
int fold_text(struct folded_text *f, const char *text);
void fold_free(struct folded_text *f);

/* What each character of a folded text is, as bits: 64 bytes of text make one block. */

/* Bit i is of byte i. A character of several bytes has its class on all of them, but `punctuation`,
 * `ender` and the other signs on its first alone. */
struct class_block {
    uint64_t first;       /* of a character; no byte past the text's end */
    uint64_t letter;      /* general categories L (without ideographs) and M */
    uint64_t number;      /* N */
    uint64_t decimal;     /* Nd, of them */
    uint64_t ideograph;   /* Han and hiragana */
    uint64_t space;       /* ASCII up to the blank, U+0085, Z */
    uint64_t punctuation; /* P and S */
    uint64_t apostrophe;  /* ' */
    uint64_t point;       /* . or , */
    uint64_t ender;       /* . ! ? or the ideographic full stop */
    uint64_t newline;     /* \n */
    uint64_t above;       /* bytes above 127 */
};

/* Blocks of a text of n bytes: the place just past its end is always in one. */
static inline size_t class_blocks(size_t n)
{
    return n / 64 + 1;
}

/* The classes of a folded text into class_blocks(f->n) blocks. */
void classes_find(struct class_block *block, const struct folded_text *f);

/* What is ASCII of 64 bytes, and `above`, with the processor's vectors where it has them, and by words of
 * eight bytes anywhere; both give the same. `first` is every byte that does not go on a character. */
void classes_of_bytes(struct class_block *block, const char *bytes);
void classes_of_bytes_by_words(struct class_block *block, const char *bytes);

/* Tokens as they are written: the index of a text has their hashes alone. */

/* The first token of the text with this hash, folded; NULL where there is none. Owned. */
int token_spell(char **out, const char *text, uint64_t hash);

/* The English function words that TF-IDF leaves out. */

/* Their token hashes in ascending order, a fresh array for the caller. */
int stop_word_hashes(uint64_t **out, size_t *n);

#endif
