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
#ifndef REGRET_SYNTH_NEWSWIRE_ARTICLE_GRAMMAR_H
#define REGRET_SYNTH_NEWSWIRE_ARTICLE_GRAMMAR_H

#include <stddef.h>
#include <stdint.h>

#include "regret/buffer.h"
#include "regret/rng.h"
#include "synth/newswire/article/corpus.h"

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

#endif
