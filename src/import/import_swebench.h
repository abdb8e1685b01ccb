/* Internal to the SWE-bench importer: issues, the index of the CSV's rows, and what is kept. */
#ifndef REGRET_IMPORT_IMPORT_SWEBENCH_H
#define REGRET_IMPORT_IMPORT_SWEBENCH_H

#include <stddef.h>
#include <stdint.h>

#include "base/id_table.h"
#include "regret/csv.h"
#include "regret/import.h"
#include "regret/patch.h"
#include "regret/pool.h"

struct swebench_issue {
    char *id, *text;           /* owned */
    struct regret_issue *read; /* made when the first patch asks for it; owned */
};

/* One row of the CSV that is asked for and fit for use. */
struct swebench_row {
    size_t line;         /* where the record begins: its name */
    uint32_t issue, run; /* indices */
    uint32_t agent;      /* set by swebench_select() */
    uint32_t draw;
    unsigned char resolved, has_patch, contradicts, unread_tests, kept;
};

struct swebench_agent {
    struct regret_slice id; /* borrowed from a run, or from a group of the options */
    size_t issues;          /* distinct ones it has a kept row of */
    unsigned char kept;
    uint32_t index; /* in the pool */
};

struct swebench {
    const struct regret_swebench_options *options; /* borrowed */
    struct regret_swebench_report report;
    struct swebench_issue *issues; /* owned */
    size_t n_issues, issue_capacity;
    struct id_table issue_ids;
    char **runs; /* names; owned */
    size_t n_runs;
    struct id_table run_ids;
    struct swebench_row *rows; /* owned */
    size_t n_rows, row_capacity;
    int too_many_runs; /* the error is not one of a row */
    /* For messages when nothing is left: the first few benchmarks, the first few agents that no
     * pattern asked for, the first issue that is not in the issues file. */
    char benchmarks[120], other_agents[200], missing_issue[80];
    uint32_t *run_agent;           /* [n_runs]; owned */
    struct swebench_agent *agents; /* owned; by swebench_select() */
    size_t n_agents;
};

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

/* Reads the issues file into s->issues. */
int swebench_read_issues(struct swebench *s, const char *path);

/* First reading: the index of the rows. */
int swebench_read_rows(struct swebench *s, const char *path);

/* Refuses options that cannot be followed. */
int swebench_check_options(const struct regret_swebench_options *options);

/* Duplicates, groups, coverage: marks the rows kept, gives them agents and draws, and sorts them by
 * line. */
int swebench_select(struct swebench *s);

/* Second reading: the pool of the rows kept, checked; the caller frees it. */
int swebench_pool(struct regret_pool **out, struct swebench *s, const char *csv_path);

/* What a tests_status says: 1 resolved, 0 not, -1 it does not say. REGRET_E_INPUT when it is
 * neither JSON nor a Python literal. */
int swebench_verdict(int *verdict, const char *text, size_t length);

#endif
