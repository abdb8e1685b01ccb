/* Stock phrases: general background of articles, and the habits of summarizers. */
#ifndef REGRET_TASK_NEWSWIRE_PHRASES_H
#define REGRET_TASK_NEWSWIRE_PHRASES_H

#include <stddef.h>

struct newswire_phrases {
    const char *const *items;
    size_t count;
};

extern const struct newswire_phrases newswire_background;       /* colour that fits every event */
extern const struct newswire_phrases newswire_inventions_key;   /* made-up events and outcomes */
extern const struct newswire_phrases newswire_inventions_minor; /* made-up detail */
extern const struct newswire_phrases newswire_false_quotes;
extern const struct newswire_phrases newswire_fillers;
extern const struct newswire_phrases newswire_hedges;     /* "reportedly, " */
extern const struct newswire_phrases newswire_intensives; /* "in dramatic scenes, " */
extern const struct newswire_phrases newswire_simplifiers;
extern const struct newswire_phrases newswire_connectives;
extern const struct newswire_phrases newswire_repeats; /* "again, " */
extern const struct newswire_phrases newswire_roughly; /* "nearly ": before numbers got wrong */

#endif
