/* UTF-8 text to case-folded code points. */
#ifndef REGRET_TEXT_FOLD_H
#define REGRET_TEXT_FOLD_H

#include <stddef.h>
#include <stdint.h>

struct folded_text {
    int32_t *point;  /* code points in NFKC_Casefold; owned */
    size_t n;        /* in use */
    size_t capacity; /* allocated */
};

/* Folds one text into f, whose memory is reused. REGRET_E_INPUT when it is not UTF-8. */
int fold_text(struct folded_text *f, const char *text);
void fold_free(struct folded_text *f);

#endif
