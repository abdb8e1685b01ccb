/* What the tests of importers of harnesses' logs share. */
#ifndef REGRET_TESTS_LOG_CHECKS_H
#define REGRET_TESTS_LOG_CHECKS_H

#include "import/build/importer.h"

/* Writes a text to sample_folder()/name, in folders that it makes. */
void log_put(const char *name, const char *text);

/* A member of an archive. */
struct log_member {
    const char *name, *text;
};
/* Writes an archive of them to sample_folder()/name: deflated zip. */
void log_zip(const char *name, const struct log_member *member, size_t n);

/* The pool that an importer makes of sample_folder()/from; to be freed. `options` NULL: its defaults. The report is in
 * log_report(), until the next import. */
struct regret_pool *log_pool(const struct importer *importer, const void *options,
                             const char *from);
const char *log_report(void);
/* That it refuses it with a message that has this in it. */
void log_refused(const struct importer *importer, const void *options, const char *from,
                 const char *message);

/* The first value of the output of the named context and agent, NAN where there is none; its text in *text (NULL: not wanted). */
double log_value(const struct regret_pool *pool, const char *context, const char *agent,
                 size_t draw, const char **text);
const struct regret_context *log_context(const struct regret_pool *pool, const char *id);
const struct regret_agent *log_agent(const struct regret_pool *pool, const char *id);

#endif
