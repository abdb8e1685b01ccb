/* What stands where in a table of somebody's own, guessed from its names and contents, and the map and the
 * configuration that follow. */
#ifndef REGRET_IMPORT_GUESS_H
#define REGRET_IMPORT_GUESS_H

#include "import/profile.h"
#include "regret/text_buffer.h"

enum guess_role {
    GUESS_NONE,
    GUESS_CONTEXT,
    GUESS_AGENT,
    GUESS_OUTPUT,
    GUESS_TEXT,
    GUESS_TAG,
    GUESS_COST,
    GUESS_COMPONENT,
    GUESS_AUX,
    GUESS_ROLES
};

struct table_guess {
    struct table_profile profile;
    char separator;
    enum guess_role *role;  /* of each column */
    size_t at[GUESS_ROLES]; /* the column of a role that one column has; GUESS_NO_COLUMN: none */
    size_t n_components, n_aux;
    size_t success; /* the outputs are patches, and this column says whether one is good; or none */
    size_t contexts, agents, pairs;
    size_t unscored; /* rows without a number in some component, at least */
};
#define GUESS_NO_COLUMN ((size_t)-1)

/* Looks at a CSV file. `separator` 0: guessed, too. REGRET_E_INPUT where no two columns can be contexts and agents, or
 * none a score; the message says what was looked for. */
int table_guess_make(struct table_guess *out, const char *path, char separator);
void table_guess_free(struct table_guess *guess);

/* Append MAP.json and a configuration with budgets for a table of this size; and what was assumed, for people. */
void table_guess_map(struct regret_text *out, const struct table_guess *guess, const char *name);
void table_guess_config(struct regret_text *out, const struct table_guess *guess);
void table_guess_say(struct regret_text *out, const struct table_guess *guess);

#endif
