/* WMT metrics. */
#ifndef IMPORT_MT_METRICS_H
#define IMPORT_MT_METRICS_H

#include "import/harness.h"

struct mt_options {
    struct harness_options harness; /* first */
    const char *pair;               /* NULL: the one there is */
    unsigned tag;                   /* enum mt_tag */
    int references;                 /* 1: people's translations are systems, too */
};

#endif
