/* Internal to the importer of WMT metrics data. The format: "File organization and naming convention" of README.md and data.py of
 * google-research/mt-metrics-eval at 10fe5f9, data of version 2. */
#ifndef REGRET_IMPORT_MT_METRICS_H
#define REGRET_IMPORT_MT_METRICS_H

#include "base/core/names.h"
#include "import/harness/harness.h"

struct source;

enum mt_tag { MT_TAG_DOMAIN, MT_TAG_DOCUMENT };

struct mt_options {
    struct harness_options harness; /* first */
    const char *pair;               /* NULL: the one there is */
    unsigned tag;                   /* enum mt_tag */
    int references;                 /* 1: people's translations are systems, too */
};

/* The kinds of members, by their folders. */
enum mt_kind {
    MT_SOURCES,
    MT_DOCUMENTS,
    MT_REFERENCES,
    MT_SYSTEMS,
    MT_RATINGS,
    MT_METRICS,
    MT_KINDS
};

/* The lines of a member. */
struct mt_text {
    char *name,
        *where; /* of the system or the reference, and for messages; owned, as are the next two */
    char *text;
    char **line; /* each ended by a zero */
    size_t n;
};

/* The scores of a system by one rating, a segment each; NAN where it has none. */
struct mt_scores {
    uint32_t rating, system; /* of `ratings` and `systems` */
    double *value;           /* owned */
    size_t n, capacity;
};

struct mt_data {
    const struct mt_options *options; /* borrowed */
    struct harness *h;
    struct names pairs;
    const char *pair; /* borrowed */
    char *folder;     /* of the test set, within what was opened; owned */
    struct mt_text source, documents, reference;
    struct names references;
    struct mt_text *system; /* owned */
    size_t n_systems, system_capacity;
    struct names ratings, systems; /* of which there are scores */
    struct names rating_files;     /* by number of `ratings` */
    struct mt_scores *scores;      /* one for each rating and system; owned */
    size_t n_scores, scores_capacity;
};

/* Of a member: its kind, MT_KINDS for another; *rest: what follows the folder. */
enum mt_kind mt_kind_of(const char **place, const char **rest, const char *name);
/* Read a member of the pair: source_member. */
int mt_read_member(void *context, struct source *source, const char *name);
/* The whole member at hand as lines of UTF-8. */
int mt_read_lines(struct mt_text *out, struct source *source, const char *name, size_t length);
void mt_text_free(struct mt_text *text);

/* Reads "SYSTEM SCORE" lines of a rating into data->scores, and cuts them apart. */
int mt_read_scores(struct mt_data *data, struct mt_text *text);

#endif
