/* Internal to the importers of ratings. */
#ifndef REGRET_IMPORT_RATINGS_H
#define REGRET_IMPORT_RATINGS_H

#include "import/build/importer.h"

/* A text that is read line by line; of each line, whole numbers between blanks. */
struct ratings_text {
    const char *path; /* borrowed */
    char *text, *at;  /* the whole, and what is left of it; owned */
    size_t line;      /* of the line at hand, from 1 */
    char *row;        /* the line at hand, ended by a zero */
};

/* A file of at most 256 MiB. */
int ratings_text_open(struct ratings_text *out, const char *path);
void ratings_text_close(struct ratings_text *text);
/* The next line that is not blank, 0 at the end. */
int ratings_text_next(struct ratings_text *text);
/* The next whole number of the line at hand, in [least, most]; *more is 0 where the line is over. REGRET_E_INPUT names file,
 * line and what stands there. */
int ratings_text_number(int *out, int *more, struct ratings_text *text, int least, int most);

/* What is written: the rows of the log and of the trial as CSV with a header, and evaluate.json. */
struct ratings_log {
    struct regret_buffer obs, exp, config;
    size_t n_obs, n_exp;
};
void ratings_log_free(struct ratings_log *log);
/* Writes obs.csv, exp.csv and evaluate.json into a folder that appears whole, and reports. */
int ratings_log_write(const struct ratings_log *log, const struct importer_call *call);

#endif
