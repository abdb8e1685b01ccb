/* What models charge for tokens. */
#ifndef REGRET_IMPORT_PRICES_H
#define REGRET_IMPORT_PRICES_H

#include <stddef.h>

#include "base/core/names.h"

struct price {
    double input, output; /* of a million tokens */
};

/* {0} is one that nobody gave. */
struct prices {
    const char *path; /* borrowed; NULL: none was given, and the cost of an answer is its tokens */
    struct names models;
    struct price *price; /* by their numbers; owned */
    size_t capacity;
};

/* The option for it, of an importer whose options have the path as `field` of the structure `type`. */
#define PRICES_OPTION(type, field)                                                                 \
    {                                                                                              \
        "prices", 0, IMPORTER_STRING, offsetof(type, field), "CSV",                                \
            "a table of the columns model, input and output: prices of a million tokens", 0, 0,    \
            NULL, NULL                                                                             \
    }

/* Reads CSV or JSONL with the fields model, input and output; path NULL: nothing. Free `out` in any case. */
int prices_read(struct prices *out, const char *path);
void prices_free(struct prices *prices);

/* What an answer of a model cost that took so many tokens; NAN where these are. REGRET_E_INPUT: there are prices, and
 * none of the model. */
int prices_cost(double *out, const struct prices *prices, const char *model, double input,
                double output);

#endif
