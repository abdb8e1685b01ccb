/* Wide tables. */
#ifndef IMPORT_TABLE_WIDE_H
#define IMPORT_TABLE_WIDE_H

#include <stddef.h>

#include "base/json.h"
#include "base/names.h"

struct cJSON;

#define TABLE_AGENT_MARK "{agent}"

/* Who the agents are, as the map has it: a list, or those that the columns of a pattern name. */
struct table_agents {
    const char *pattern; /* borrowed; NULL: the list */
    const char **name;   /* owned, the strings borrowed */
    size_t n_names;
};

struct table_wide {
    const struct table_agents *asked; /* borrowed, as is the next */
    const char *const *field;         /* patterns and plain names; NULL: not wanted */
    size_t n_fields;
    char **agent; /* owned, and what it holds */
    size_t n_agents, capacity;
    char **name; /* [n_agents * n_fields] the fields of each agent, NULL as in `field`; owned */
    size_t name_capacity;
    struct id_table ids;
    char seen[200]; /* names that are no agent's, for a message */
};

/* How many marks a name has. */
size_t table_agent_marks(const char *field);

/* Begins with the agents of the list, if it is one. Free it even on failure. REGRET_E_INPUT at `at`: too many. */
int table_wide_begin(struct table_wide *w, const struct table_agents *asked,
                     const char *const *field, size_t n_fields, struct regret_place at);
void table_wide_free(struct table_wide *w);

/* Enters the agent that a column names by the pattern, once. A column that the map names itself, or that is one of a
 * pattern that says more, names none. O(fields). */
int table_wide_column(struct table_wide *w, const char *column, struct regret_place at);

/* The same for the members of a JSON record where the pattern leads. */
int table_wide_record(struct table_wide *w, const struct cJSON *record, struct regret_place at);

/* An error where there is no agent; it names the columns that may have been meant. `known` is the header, where there
 * is one. */
int table_wide_check(const struct table_wide *w, const char *const *known, size_t n,
                     struct regret_place at);

/* The member that a path with dots leads to, NULL where there is none: names may hold dots themselves. */
const struct cJSON *table_follow(const struct cJSON *from, const char *path);

#endif
