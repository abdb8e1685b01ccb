/* UTF-8 text to case-folded UTF-8. */
#ifndef REGRET_TEXT_FOLD_H
#define REGRET_TEXT_FOLD_H

#include <stddef.h>
#include <stdint.h>

/* Zero bytes kept behind every folded text, so that it may be read in blocks. */
enum { FOLD_PADDING = 64 };

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

#endif
