/* The estimator families that there are, and with them the hyper-parameters. */
#ifndef REGRET_FAMILIES_H
#define REGRET_FAMILIES_H

#include <stddef.h>

#include "regret/estimate.h"
#include "regret/status.h"

/* The table of families, in the order in which they are listed and run. */
REGRET_API size_t regret_family_count(void);
REGRET_API const struct regret_family *regret_family_at(size_t i);
REGRET_API const struct regret_family *regret_family_find(const char *name); /* or NULL */

/* Puts a family of the caller's behind those of the table; it and what it points to must outlive every use of the
 * library. For programs that link it (docs/formats.md): to be called before any configuration is read and
 * before there are threads. REGRET_E_INPUT: after that; a name that is taken or has other than lower-case letters,
 * digits and "-"; no `fit`; a hyper-parameter whose key is taken or does not begin with the name ("-" as "_") and a
 * dot; more families than REGRET_MAX_FAMILIES or hyper-parameters than REGRET_MAX_HYPERS. */
REGRET_API int regret_family_register(const struct regret_family *family);

/* Every hyper-parameter, in the order of the configuration's keys; NULL past the end. */
REGRET_API const struct regret_hyper *regret_hyper_at(size_t i);
REGRET_API const struct regret_hyper *regret_hyper_find(const char *key); /* or NULL */
/* The options of every family as the protocol has them. */
REGRET_API void regret_estimate_options_default(struct regret_estimate_options *options);

#endif
