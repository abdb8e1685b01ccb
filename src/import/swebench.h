/* SWE-bench: results and statuses. */
#ifndef IMPORT_SWEBENCH_H
#define IMPORT_SWEBENCH_H

#include <stddef.h>
#include <stdint.h>

#include "base/csv.h"
#include "import/builder.h"
#include "text/patch.h"

/* Of a row. */
enum swebench_flag {
    SWEBENCH_SUCCESS = 1,     /* it is resolved */
    SWEBENCH_CONTRADICTS = 2, /* its tests_status says other than `resolved` */
    SWEBENCH_UNREAD_TESTS = 4 /* its tests_status cannot be read */
};

struct swebench {
    const struct regret_swebench_options *options; /* borrowed */
    const char *path;                              /* of the CSV or of the folder; borrowed */
    struct regret_swebench_report report;
    struct import_bad_rows bad;
    struct import_builder b; /* contexts are the issues, agents the runs until they are grouped */
    struct import_register runs; /* from then on */
    int too_many_runs;           /* the error is not one of a row */
    /* For messages when nothing is left: the first few benchmarks, the first few agents that no
     * pattern asked for, the first issue that is not in the issues file. */
    char benchmarks[120], other_agents[200], missing_issue[80];
};

/* A source of patches. Both are called once, in this order; the selection stands between them. */
struct swebench_source {
    int (*read_rows)(struct swebench *s);    /* the rows that are asked for and fit for use */
    int (*read_outputs)(struct swebench *s); /* the patches and values of the rows kept */
    const char *layout; /* "…, with patches and outcomes in the layout of LAYOUT" */
    const char *name;   /* of the import */
};

/* The import from `from`; the arguments as those of regret_import_swebench(). */
int swebench_import(const struct swebench_source *source, struct regret_swebench_report *report,
                    const char *from, const char *issues_path, const char *pool_path,
                    const struct regret_swebench_options *options, int replace);

/* What every issue says, read when its first patch asks: one pointer a context. */
int swebench_issues_new(struct regret_patch_issue ***words, const struct swebench *s);
void swebench_issues_free(struct regret_patch_issue **words, const struct swebench *s);

/* Fills the text and the values of a row that is kept; what is not UTF-8 is replaced. Counts. */
int swebench_fill_row(struct swebench *s, struct regret_patch_issue **words, struct import_row *row,
                      const char *patch, size_t length);

/* 1: the run is asked for. */
int swebench_is_wanted(const struct regret_swebench_options *o, const char *run);
/* 1: the issue is there, and *out its context; else the row is counted. */
int swebench_find_issue(uint32_t *out, struct swebench *s, const char *id);

/* The columns the importer knows. */
enum swebench_column {
    SWEBENCH_INSTANCE,
    SWEBENCH_AGENT,
    SWEBENCH_PATCH,
    SWEBENCH_RESOLVED,
    SWEBENCH_TESTS,
    SWEBENCH_BENCHMARK,
    SWEBENCH_COLUMNS
};

/* A CSV whose header is read. */
struct swebench_table {
    struct regret_csv *csv; /* owned */
    size_t n_columns;
    size_t column[SWEBENCH_COLUMNS]; /* SIZE_MAX where there is none */
};

int swebench_table_open(struct swebench_table *out, const char *path);
void swebench_table_close(struct swebench_table *table);
/* Field k of the record at hand, borrowed; "" where there is no such column. */
const char *swebench_field(const struct swebench_table *table, enum swebench_column k,
                           size_t *length);

/* First reading: the rows that are asked for and fit for use, without their patches. */
int swebench_read_rows(struct swebench *s);

/* Refuses options that cannot be followed. */
int swebench_check_options(const struct regret_swebench_options *options);

/* Duplicates, groups, coverage: marks the rows kept and gives them agents and draws. */
int swebench_select(struct swebench *s);

/* Second reading: patches and values of the rows kept, and costs of their agents. */
int swebench_read_outputs(struct swebench *s);

/* What a tests_status says: 1 resolved, 0 not, -1 it does not say. REGRET_E_INPUT when it is
 * neither JSON nor a Python literal. */
int swebench_verdict(int *verdict, const char *text, size_t length);

#endif
