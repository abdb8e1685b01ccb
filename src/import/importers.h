/* The importers there are: the one list that `regret import`, its help and its completions are made of. */
#ifndef REGRET_IMPORT_IMPORTERS_H
#define REGRET_IMPORT_IMPORTERS_H

#include "import/build/importer.h"

/* In the order of help. Another one is a folder with a `const struct importer importer_NAME` and its name here. */
#define IMPORTERS(X)                                                                               \
    X(csv)                                                                                         \
    X(jsonl)                                                                                       \
    X(summeval)                                                                                    \
    X(alpacaeval)                                                                                  \
    X(swebench)                                                                                    \
    X(predictions)                                                                                 \
    X(lm_eval)                                                                                     \
    X(arenahard)                                                                                   \
    X(batch)                                                                                       \
    X(mt_metrics)                                                                                  \
    X(inspect)                                                                                     \
    X(helm)                                                                                        \
    X(promptfoo)                                                                                   \
    X(coat)                                                                                        \
    X(r3)

extern const struct importer *const importers[]; /* ended by NULL */

#endif
