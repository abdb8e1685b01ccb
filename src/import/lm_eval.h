/* lm-evaluation-harness. */
#ifndef IMPORT_LM_EVAL_H
#define IMPORT_LM_EVAL_H

#include <stddef.h>

#include "import/harness.h"

struct lm_eval_options {
    struct harness_options harness; /* first */
    struct importer_list filters;   /* shell patterns; none: the first of each file */
};

#endif
