/* What articles are made of, read from data/synth/newswire: words, stock phrases, and the domains of
 * events, each with slots (who, where, how many …) and facts that are worded from them. */
#ifndef REGRET_SYNTH_NEWSWIRE_ARTICLE_CORPUS_H
#define REGRET_SYNTH_NEWSWIRE_ARTICLE_CORPUS_H

#include <stddef.h>
#include <stdint.h>

#include "synth/data/data.h"

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

#endif
