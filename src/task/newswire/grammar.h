/* The fact grammar: domains of events, each with slots (who, where, how many …) and facts that are
 * worded from them, and the writer that turns a template into text.
 *
 * Template language. Plain text stands for itself, without the full stop and in lower case where it
 * may start a sentence.
 *   [one|two|three]  one of the wordings, by the writer's stream; may nest
 *   {slot}           mentions the slot: in full the first time in a text, short afterwards
 *   {slot^}          the same as the subject of a sentence: may become "he" or "she" when the
 *                    person was the last one mentioned
 *   {slot+}          always in full
 */
#ifndef REGRET_TASK_NEWSWIRE_GRAMMAR_H
#define REGRET_TASK_NEWSWIRE_GRAMMAR_H

#include <stddef.h>
#include <stdint.h>

#include "regret/rng.h"
#include "regret/text_buffer.h"

enum {
    NEWSWIRE_MAX_SLOTS = 24,
    NEWSWIRE_MAX_FACTS = 20,
    NEWSWIRE_FULL_BYTES = 96, /* longest value of a slot, with its zero */
    NEWSWIRE_SHORT_BYTES = 40
};

enum newswire_slot_type {
    NEWSWIRE_PERSON,  /* options: the role before the name ("mayor") */
    NEWSWIRE_PLACE,   /* a town */
    NEWSWIRE_GROUP,   /* options: "the company:Freight|Foods"; a name and one of the words */
    NEWSWIRE_CHOICE,  /* options separated by bars */
    NEWSWIRE_DAY,     /* a day of the week */
    NEWSWIRE_COUNT,   /* low..high, written 1,240; words below ten */
    NEWSWIRE_DOLLARS, /* low..high, written $1,240 */
    NEWSWIRE_MONEY,   /* low..high in tenths of a million dollars */
    NEWSWIRE_PERCENT, /* low..high in tenths of a per cent */
};

struct newswire_slot {
    const char *name;
    enum newswire_slot_type type;
    int low, high;
    const char *options;
};

/* How a fact belongs to an article. Lead, core and extra facts are major points. */
enum newswire_rank {
    NEWSWIRE_LEAD,  /* the event itself, first of its domain */
    NEWSWIRE_CORE,  /* major, always present */
    NEWSWIRE_EXTRA, /* major where present */
    NEWSWIRE_MINOR, /* background detail */
    NEWSWIRE_QUOTE  /* a quotation, minor */
};

struct newswire_fact {
    enum newswire_rank rank;
    const char *article; /* as the article states it */
    const char *brief;   /* as a terse summary states it */
    const char *full;    /* as a talkative summary states it */
};

struct newswire_domain {
    const char *name;
    const struct newswire_slot *slots;
    size_t n_slots;
    const struct newswire_fact *facts;
    size_t n_facts;
    const char *const *colour; /* scene setting: sentences that state no fact of the event */
    size_t n_colour;
    unsigned drama;     /* 0..3: how much the event tempts to embellish */
    unsigned technical; /* 0..3: how hard it is to put in plain words */
};

extern const struct newswire_domain newswire_election, newswire_budget, newswire_court;
extern const struct newswire_domain newswire_earnings, newswire_strike, newswire_launch;
extern const struct newswire_domain newswire_storm, newswire_study, newswire_reserve;
extern const struct newswire_domain newswire_final, newswire_rail, newswire_outbreak,
    newswire_theft;

enum { NEWSWIRE_DOMAINS = 13 };
extern const struct newswire_domain *const newswire_domains[NEWSWIRE_DOMAINS];

/* The value of a slot in one article. */
struct newswire_value {
    char full[NEWSWIRE_FULL_BYTES];     /* first mention */
    char again[NEWSWIRE_SHORT_BYTES];   /* later mentions; "" where the same */
    char rounded[NEWSWIRE_SHORT_BYTES]; /* numbers: two significant digits; "" where not a number */
    uint32_t key;                       /* what the value was drawn as: equal keys, equal values */
    int female;
};

/* Draws a value. */
void newswire_value_draw(struct newswire_value *value, const struct newswire_slot *slot,
                         struct regret_rng *rng);
/* Draws a value that reads differently from `from`; numbers differ by a tenth at least. */
void newswire_value_distort(struct newswire_value *value, const struct newswire_value *from,
                            const struct newswire_slot *slot, struct regret_rng *rng);
int newswire_is_number(const struct newswire_slot *slot);
/* The name of a person or a town that is no slot of any article, into `out`. */
void newswire_stranger(char out[NEWSWIRE_FULL_BYTES], struct regret_rng *rng);

/* Copies option `index` of a bar-separated list (cut to `size`); counts the options. */
size_t newswire_option_count(const char *options);
void newswire_option(char *out, size_t size, const char *options, size_t index);

/* Writes templates into a text and remembers who has been introduced. */
struct newswire_writer {
    struct regret_text *text;
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
struct newswire_writer newswire_writer_at(struct regret_text *text, struct regret_rng *rng,
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
