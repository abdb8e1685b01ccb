/* Agents, judges and labels of newswire. */
#ifndef SYNTH_AGENTS_H
#define SYNTH_AGENTS_H

#include <stddef.h>
#include <stdint.h>

#include "synth/article.h"

/* A summary as its writer knows it: the text, what each sentence asserts, and its blemishes. The
 * judge reads these records; nothing about a score is decided here. */

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

/* The agents: eight prompt styles in two sizes, then four extractive systems. */

/* Agent s is the small model in style s, agent NEWSWIRE_STYLES + s the large one. */
enum newswire_style {
    NEWSWIRE_BRIEF,
    NEWSWIRE_DETAILED,
    NEWSWIRE_BULLETS,
    NEWSWIRE_PLAIN,
    NEWSWIRE_NUMBERS,
    NEWSWIRE_QUOTES,
    NEWSWIRE_CAUTIOUS,
    NEWSWIRE_VIVID,
    NEWSWIRE_STYLES
};

enum newswire_system {
    NEWSWIRE_LEAD3 = 2 * NEWSWIRE_STYLES,
    NEWSWIRE_TEXTRANK,
    NEWSWIRE_LEXRANK,
    NEWSWIRE_SUMBASIC,
    NEWSWIRE_AGENTS
};

/* summaries.c: adds the summary of an agent < NEWSWIRE_LEAD3 on `article`, which is number `index` of
 * the world `seed`, to an empty summary. */
int newswire_abstract(struct newswire_summary *summary, const struct newswire_article *article,
                      uint64_t seed, size_t index, size_t agent, uint32_t draw);
/* summaries.c: the same of the other agents. */
int newswire_extract(struct newswire_summary *summary, const struct newswire_article *article,
                     size_t agent);
/* Copies the chosen sentences (bit per sentence) in their order. */
void newswire_copy_sentences(struct newswire_summary *summary,
                             const struct newswire_article *article, uint64_t chosen);

/* What a finished summary is given: the scores of the judge, and labels that know no fact. */

/* The rubric, integers 0..5, and the count of unsupported claims. */
struct newswire_scores {
    int faithfulness, coverage, clarity, conciseness;
    int unsupported_claims;
};
struct newswire_scores newswire_judge(const struct newswire_summary *summary,
                                      const struct newswire_article *article);

/* The auxiliary labels T: what can be computed from the two texts without knowing a fact. */
enum { NEWSWIRE_LABELS = 10 };
extern const char *const newswire_label_names[NEWSWIRE_LABELS];
void newswire_label(double labels[NEWSWIRE_LABELS], const struct newswire_article *article,
                    const char *output);

/* How an abstractive agent goes about an article. */

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
