/* The formats of tables. */
#ifndef REGRET_FORMAT_H
#define REGRET_FORMAT_H

#include "regret/status.h"

enum regret_format {
    REGRET_FORMAT_MARKDOWN,
    REGRET_FORMAT_CSV,
    REGRET_FORMAT_LATEX,
    REGRET_FORMAT_HTML,
    REGRET_FORMAT_JSON, /* for other programs; no file of a report has it */
    REGRET_FORMAT_TEXT, /* for a terminal of a hundred columns; neither */
    REGRET_N_FORMATS
};

/* "text", "md", "csv", "tex", "html" or "json" (REGRET_E_INPUT otherwise). */
REGRET_API int regret_format_parse(enum regret_format *out, const char *word);

/* The word of a format, which is its file extension too. Static. */
REGRET_API const char *regret_format_word(enum regret_format format);

#endif
