/* The grammar of articles. */
#ifndef SYNTH_GRAMMAR_H
#define SYNTH_GRAMMAR_H

#include <stddef.h>
#include <stdint.h>

#include "regret/buffer.h"
#include "regret/pool.h"
#include "regret/task.h"
#include "synth/data.h"

struct newswire_corpus;
struct newswire_domain;
struct newswire_slot;

/* How hard a pool is: every number in which the pools of the newswire generator differ. */

/* An agent's luck on an article is drawn from 0 to 99, and small models have worse. Below `sure` it
 * errs seldom; from the other marks on, each instead of the one before, it tells only a part, garbles,
 * rambles, or confuses the article. Marks ascend; luck never reaches 200. */
struct newswire_luck {
    unsigned sure, partial, garbling, rambling, confused;
    unsigned small; /* added to the luck of small models */
    unsigned large; /* percent: what large models have of theirs */
};

/* What the judge takes points for (agents.c). A score is 5 within the first mark of an array, 4 within
 * the second, and so on. */
struct newswire_marks {
    unsigned claims[4];    /* weight of unsupported claims: 5 to 2 */
    unsigned missing[2];   /* major points not told: 5 and 4 */
    unsigned told[2];      /* percent of the major points told, at least: 3 and 2 */
    unsigned blemishes[5]; /* 5 to 1 */
    unsigned words;        /* a major point may take */
    unsigned shortest[4];  /* percent of these words: no loss, then 1 to 3 points lost … */
    unsigned longest[4];   /* … likewise */
    unsigned idle[4];      /* percent of idle words below which no, 1, 2, 3 points are lost */
};

struct newswire_difficulty {
    unsigned
        slips; /* percent of the rates at which agents distort, invent, repeat, pad, garble … */
    unsigned suits; /* percent of what an article does to a style that it does not suit */
    struct newswire_luck luck;
    struct newswire_marks marks;
};

/* Of the pool newswire: agents err often, and on other articles each; judged by the anchors of the
 * OBS/EXP/SIM paper's Appendix B. */
extern const struct newswire_difficulty newswire_hard;
/* Of newswire-ceiling: agents err seldom, and the judge is lenient. */
extern const struct newswire_difficulty newswire_ceiling;
/* Of newswire-fitted, on the scores of that: fitted by benchmarks/fit_levels.py to levels that the paper prints. */
extern const struct regret_spread_options newswire_fitted;

/* Values of slots, and the writer that turns a template into text.
 *
 * Template language. Plain text stands for itself, without the full stop and in lower case where it
 * may start a sentence.
 *   [one|two|three]  one of the wordings, by the writer's stream; may nest
 *   {slot}           mentions the slot: in full the first time in a text, short afterwards
 *   {slot^}          the same as the subject of a sentence: may become "he" or "she" when the
 *                    person was the last one mentioned
 *   {slot+}          always in full
 */

enum {
    NEWSWIRE_FULL_BYTES = 96, /* longest value of a slot, with its zero */
    NEWSWIRE_SHORT_BYTES = 40
};

/* The value of a slot in one article. */
struct newswire_value {
    char full[NEWSWIRE_FULL_BYTES];     /* first mention */
    char again[NEWSWIRE_SHORT_BYTES];   /* later mentions; "" where the same */
    char rounded[NEWSWIRE_SHORT_BYTES]; /* numbers: two significant digits; "" where not a number */
    uint32_t key;                       /* what the value was drawn as: equal keys, equal values */
    int female;
};

/* Draws a value. */
void newswire_value_draw(struct newswire_value *value, const struct newswire_corpus *corpus,
                         const struct newswire_slot *slot, struct regret_rng *rng);
/* Draws a value that reads differently from `from`; numbers differ by a tenth at least. */
void newswire_value_distort(struct newswire_value *value, const struct newswire_corpus *corpus,
                            const struct newswire_value *from, const struct newswire_slot *slot,
                            struct regret_rng *rng);
int newswire_is_number(const struct newswire_slot *slot);
/* The name of a person without a role, into `out`. */
void newswire_name_draw(char out[NEWSWIRE_FULL_BYTES], const struct newswire_corpus *corpus,
                        struct regret_rng *rng);

/* Writes templates into a text and remembers who has been introduced. */
struct newswire_writer {
    struct regret_buffer *text;
    struct regret_rng *rng;
    const struct newswire_domain *domain;
    const struct newswire_value *values;
    uint32_t introduced; /* bit per slot mentioned in full in this text */
    int subject;         /* the person mentioned last, or -1 */
    int wrong_slot;      /* this slot is written with `wrong` instead of its value, or -1 */
    struct newswire_value wrong;
    const char *before_wrong; /* put before the wrong value of a number: "nearly " */
    int round;                /* write numbers rounded, with "about" before them */
    int vague;                /* write persons as "the official" */
    uint32_t gives, needs;    /* slots this sentence introduced, and those it took as known */
};

/* Starts a writer at the beginning of a text. */
struct newswire_writer newswire_writer_at(struct regret_buffer *text, struct regret_rng *rng,
                                          const struct newswire_domain *domain,
                                          const struct newswire_value *values);
/* Appends one sentence: `prefix`, the template worded, `stop`; its first letter is a capital.
 * Resets `gives` and `needs` first. A sentence needs a space or line break put before it by the
 * caller. */
void newswire_write(struct newswire_writer *w, const char *prefix, const char *template_text,
                    const char *stop);
/* The slots a template can mention. */
uint32_t newswire_slots_of(const struct newswire_domain *domain, const char *template_text);

/* Words of a text, for the extractive systems and the auxiliary labels. */

enum { NEWSWIRE_MAX_TOKENS = 1024, NEWSWIRE_TOKEN_SLOTS = 2048 };

struct newswire_token {
    uint64_t hash;         /* FNV-1a of the lower-case word */
    uint32_t start;        /* byte in the text */
    unsigned char number;  /* starts with a digit */
    unsigned char capital; /* starts with a capital inside a sentence */
    unsigned char stop;    /* a word too common to mean anything */
};

struct newswire_tokens {
    struct newswire_token items[NEWSWIRE_MAX_TOKENS];
    size_t count;
    /* Of every slot of hashes the first place, and of every place the next of its slot; else `count`. */
    uint16_t first[NEWSWIRE_TOKEN_SLOTS], next[NEWSWIRE_MAX_TOKENS];
};

/* ASCII letters and digits make words; "." "," "'" and "-" do between two of them. What exceeds the
 * limit is ignored: generated texts stay far below it. */
void newswire_tokenize(struct newswire_tokens *tokens, const char *text,
                       const struct data_strings *stop_words);

/* The first place of a word, and the next one behind a place that has it; `count` where there is none. */
size_t newswire_first_place(const struct newswire_tokens *tokens, uint64_t hash);
size_t newswire_next_place(const struct newswire_tokens *tokens, size_t place);

/* Words of `length` bytes as people count them: runs without white space. */
size_t newswire_word_count(const char *text, size_t length);

#endif
