/* Articles. */
#ifndef SYNTH_ARTICLE_H
#define SYNTH_ARTICLE_H

#include <stddef.h>
#include <stdint.h>

#include "synth/data.h"
#include "synth/grammar.h"

/* What articles are made of, read from data/synth/newswire: words, stock phrases, and the domains of
 * events, each with slots (who, where, how many …) and facts that are worded from them. */

/* data/synth/newswire, and the cards of both pools. */
extern const struct data_file newswire_files[];

enum {
    NEWSWIRE_MAX_DOMAINS = 64,
    NEWSWIRE_MAX_SLOTS = 24,
    NEWSWIRE_MAX_FACTS = 20,
    NEWSWIRE_LEAST_SCENES = 15, /* what an article may want of a domain's and of the background */
    NEWSWIRE_MAX_SCENES = 40
};

enum newswire_slot_type {
    NEWSWIRE_PERSON,
    NEWSWIRE_PLACE, /* a town */
    NEWSWIRE_GROUP, /* a name and one of the options: "Halvern Freight" */
    NEWSWIRE_CHOICE,
    NEWSWIRE_DAY,     /* a day of the week */
    NEWSWIRE_COUNT,   /* low..high, written 1,240; words below ten */
    NEWSWIRE_DOLLARS, /* low..high, written $1,240 */
    NEWSWIRE_MONEY,   /* low..high in tenths of a million dollars */
    NEWSWIRE_PERCENT, /* low..high in tenths of a per cent */
    NEWSWIRE_SLOT_TYPES
};

struct newswire_slot {
    const char *name;
    enum newswire_slot_type type;
    int low, high;               /* of numbers */
    const char *role;            /* of a person, before the name: "mayor" */
    const char *again;           /* of a group, at later mentions: "the company" */
    struct data_strings options; /* of a group or a choice */
};

/* How a fact belongs to an article. Lead, core and extra facts are major points. */
enum newswire_rank {
    NEWSWIRE_LEAD,  /* the event itself, first of its domain */
    NEWSWIRE_CORE,  /* major, always present */
    NEWSWIRE_EXTRA, /* major where present */
    NEWSWIRE_MINOR, /* background detail */
    NEWSWIRE_QUOTE, /* a quotation, minor */
    NEWSWIRE_RANKS
};

/* Its wordings are templates (grammar.h). */
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
    struct data_strings scenes; /* sentences that state no fact of the event */
    unsigned drama;             /* 0..3: how much the event tempts to embellish */
    unsigned technical;         /* 0..3: how hard it is to put in plain words */
};

/* Lists of words.json, then of phrases.json. */
enum newswire_list {
    NEWSWIRE_FEMALE_NAMES,
    NEWSWIRE_MALE_NAMES,
    NEWSWIRE_LAST_NAMES,
    NEWSWIRE_TOWN_HEADS,
    NEWSWIRE_TOWN_TAILS,
    NEWSWIRE_GROUP_NAMES,
    NEWSWIRE_STOP_WORDS,       /* too common to mean anything */
    NEWSWIRE_BACKGROUND,       /* scenes that fit every event */
    NEWSWIRE_INVENTIONS_KEY,   /* made-up events and outcomes; %s is a name */
    NEWSWIRE_INVENTIONS_MINOR, /* made-up detail */
    NEWSWIRE_FALSE_QUOTES,
    NEWSWIRE_FILLERS,
    NEWSWIRE_HEDGES,     /* "reportedly, " */
    NEWSWIRE_INTENSIVES, /* "in dramatic scenes, " */
    NEWSWIRE_SIMPLIFIERS,
    NEWSWIRE_CONNECTIVES,
    NEWSWIRE_REPEATS, /* "again, " */
    NEWSWIRE_ROUGHLY, /* "nearly ": before numbers got wrong */
    NEWSWIRE_LISTS
};

struct newswire_corpus {
    struct data data; /* what the rest points into */
    struct data_strings lists[NEWSWIRE_LISTS];
    const struct newswire_domain *domains;
    size_t n_domains;
};

/* Into a corpus that is all zeros. REGRET_E_INPUT names file and line of what is wrong; the corpus
 * must then be freed, too. */
int newswire_corpus_read(struct newswire_corpus *corpus);
void newswire_corpus_free(struct newswire_corpus *corpus);

/* The slot named by `length` bytes; -1 where the domain has none. */
int newswire_slot_find(const struct newswire_domain *domain, const char *name, size_t length);

/* One article: an event drawn from a domain, and its text with what every sentence states. */

enum { NEWSWIRE_MAX_SENTENCES = 64 };

struct newswire_sentence {
    size_t start, end;     /* bytes [start, end) of the text */
    int fact;              /* of the domain; -1 for a scene */
    uint32_t gives, needs; /* slots introduced here, and those taken as known */
};

enum newswire_shape {
    NEWSWIRE_PYRAMID,  /* the event first, then by importance */
    NEWSWIRE_DELAYED,  /* scenes and background first, the event later */
    NEWSWIRE_SCATTERED /* the event first, the rest in any order */
};

struct newswire_article {
    const struct newswire_corpus *corpus;         /* what it is made of */
    const struct newswire_difficulty *difficulty; /* for those who summarize it */
    const struct newswire_domain *domain;
    struct newswire_value values[NEWSWIRE_MAX_SLOTS];
    enum newswire_shape shape;
    struct regret_buffer text;
    struct newswire_sentence sentences[NEWSWIRE_MAX_SENTENCES];
    size_t n_sentences;
    uint32_t present;                     /* bit per fact of the domain */
    int position[NEWSWIRE_MAX_FACTS];     /* sentence that states the fact, or -1 */
    size_t n_majors, n_quotes, n_numbers; /* among the facts present */
    struct newswire_tokens tokens;
};

int newswire_is_major(const struct newswire_fact *fact);

/* Writes article `index` of the world `seed` into *article, whose corpus and difficulty are set and whose text
 * buffer must be valid (empty or of an earlier article; its memory is reused). */
int newswire_article_write(struct newswire_article *article, uint64_t seed, size_t index);
void newswire_article_free(struct newswire_article *article);

/* Streams of the purpose REGRET_RNG_NEWSWIRE, which never collide with those of articles. */
uint64_t newswire_stream_grasp(size_t article, size_t agent);
uint64_t newswire_stream_draw(size_t article, size_t agent, uint32_t draw);

#endif
