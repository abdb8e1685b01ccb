/* How an abstractive agent goes about an article. */
#ifndef REGRET_SYNTH_NEWSWIRE_PROFILE_H
#define REGRET_SYNTH_NEWSWIRE_PROFILE_H

#include "synth/newswire/article/article.h"

struct newswire_profile {
    unsigned base;                          /* facts told in any case … */
    unsigned majors;                        /* … and per thousand of the major ones … */
    unsigned minors;                        /* … and of the others */
    int full;                               /* talkative wording, otherwise terse */
    int bullets, round;                     /* one bullet a fact; numbers rounded */
    int number_tilt, quote_tilt;            /* added to the priority of such facts */
    unsigned distort;                       /* per thousand facts told */
    unsigned invent;                        /* per thousand, tried three times a summary */
    unsigned repeat, filler, garble, vague; /* per thousand facts told */
    unsigned prefix; /* per thousand: a hedge, an intensive … before the sentence */
    enum newswire_list prefixes;
    int hedging;           /* the prefixes are hedges */
    unsigned false_quotes; /* quotations to make up */
    unsigned window;       /* sentences read with attention; 0 for all */
    unsigned noise;        /* spread of the priorities */
};

/* The profile of an agent on an article: its style, its size, how the article suits it, and how well
 * it has grasped this one (a draw of the stream newswire_stream_grasp, the same in all redraws). */
struct newswire_profile newswire_profile_of(const struct newswire_article *article, uint64_t seed,
                                            size_t index, size_t agent);

#endif
