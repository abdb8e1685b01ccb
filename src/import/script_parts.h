/* What is in a script. */
#ifndef IMPORT_SCRIPT_PARTS_H
#define IMPORT_SCRIPT_PARTS_H

#include <stddef.h>

#include "import/harness.h"
#include "import/importer.h"
#include "table/sql.h"

enum { SCRIPT_MOST_OPTIONS = 8, SCRIPT_MOST_EVERY = 8 };

struct script_source {
    char *name, *patterns, *lists, *fields, *without; /* as struct sql_source; owned */
    char *option, *beside; /* what names its file, and the file of data beside the script; owned */
    int is_option, is_mended;
    enum sql_source_kind kind;
};

struct script_option {
    char *name, *value, *help; /* owned */
    int is_list;
};

/* A source of which each record becomes an answer or is noted. */
struct script_every {
    char *name, *where; /* owned; NULL: all records */
};

union script_value {
    const char *string;
    int flag;
    struct importer_list list;
};

/* What users say; harness_options stand first. */
struct script_values {
    struct harness_options harness;
    union script_value own[SCRIPT_MOST_OPTIONS];
};

struct script {
    char *file, *text, *name; /* owned, as all texts are */
    char *title, *card, *docs, *licence, *origin, *examples, *detect;
    struct script_source *source; /* owned */
    size_t n_sources, source_capacity;
    struct script_option option[SCRIPT_MOST_OPTIONS];
    size_t n_options;
    struct script_every every[SCRIPT_MOST_EVERY];
    size_t n_every;
    int is_own;    /* a user's, from a file */
    int makes_log; /* it makes a log and a trial, not a pool */
    char *command, *detail;
    struct importer_option *options; /* owned */
    struct script_values defaults;
    struct importer importer;
};

/* Of script_functions.c: what scripts have of texts, their features and their patches, and wanted(), by the options. */
int script_add_functions(sqlite3 *db, struct harness_options *options);

/* Of script_run.c: runs it; call->options are struct script_values. */
int script_run(const struct importer_call *call);

#endif
