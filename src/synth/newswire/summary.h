/* A summary as its writer knows it: the text, what each sentence asserts, and its blemishes. The
 * judge reads these records; nothing about a score is decided here. */
#ifndef REGRET_SYNTH_NEWSWIRE_SUMMARY_H
#define REGRET_SYNTH_NEWSWIRE_SUMMARY_H

#include "synth/newswire/article/article.h"

enum { NEWSWIRE_MAX_ASSERTIONS = 64 };

enum newswire_status {
    NEWSWIRE_SUPPORTED, /* the article states it */
    NEWSWIRE_DISTORTED, /* the article states it otherwise */
    NEWSWIRE_INVENTED,  /* the article knows nothing of it */
    NEWSWIRE_REPEATED,  /* the summary has said it before */
    NEWSWIRE_EMPTY      /* says nothing about the event: filler, or a scene of the article */
};

struct newswire_assertion {
    int fact; /* of the domain, for supported, distorted and repeated; else -1 */
    enum newswire_status status;
    int key;             /* an invention that changes the event itself */
    unsigned words;      /* of the sentence */
    unsigned idle_words; /* of them, words of hedging or emphasis */
};

struct newswire_summary {
    struct regret_buffer text;
    struct newswire_assertion assertions[NEWSWIRE_MAX_ASSERTIONS];
    size_t n_assertions;
    unsigned garbles;   /* doubled words, sentences that break off */
    unsigned dangling;  /* references to somebody or something not introduced */
    unsigned vague;     /* persons called "the official" */
    unsigned hedges;    /* hedged sentences */
    unsigned fragments; /* bullets */
    unsigned jumps;     /* breaks in the order of the telling */
};

/* Empties a summary, keeping its memory. Records one sentence. */
void newswire_summary_clear(struct newswire_summary *summary);
struct newswire_assertion *newswire_assert(struct newswire_summary *summary, int fact,
                                           enum newswire_status status, unsigned words);
void newswire_summary_free(struct newswire_summary *summary);

#endif
