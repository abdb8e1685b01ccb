#define _GNU_SOURCE /* realpath */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/core/try.h"
#include "base/text/path.h"
#include "log/guess/guess.h"
#include "regret/alloc.h"
#include "regret/log.h"

static int has_column(const struct regret_log *log, const char *name)
{
    size_t k = 0;
    while (k < log->n_columns && strcmp(log->column[k].name, name) != 0) {
        k++;
    }
    return k < log->n_columns;
}

/* Covariates and tags that reading left out are none. */
static void drop_left_out(struct log_guess_table *t, const struct regret_log *log)
{
    size_t kept = 0;
    for (size_t i = 0; i < t->n_covariates; i++) {
        t->covariate[kept] = t->covariate[i];
        kept += (size_t)has_column(log, t->profile.column[t->covariate[i]].name);
    }
    t->n_covariates = kept;
    t->at[LOG_TAG] = log->tag != NULL ? t->at[LOG_TAG] : LOG_NO_COLUMN;
}

int log_guess_try(struct log_guess *g, const char *config)
{
    regret_log_free(g->log);
    g->log = NULL;
    TRY(regret_log_read(&g->log, config));
    for (int i = 0; i < LOG_INPUTS; i++) {
        drop_left_out(&g->table[i], g->log);
    }
    return REGRET_OK;
}

/* The folder of a path that may not be there yet, as the system has it; *from is freed with free(). */
static int find_folder(char **from, const char *path)
{
    FREED char *folder = NULL;
    TRY(path_beside(&folder, path, "."));
    *from = realpath(folder, NULL);
    return *from != NULL
               ? REGRET_OK
               : regret_fail(REGRET_E_INPUT, "the folder of %s %s", path,
                             errno == ENOENT ? "is not there; make it first" : strerror(errno));
}

/* The bytes of the folders that two whole paths share, each with its slash; of none the first. */
static size_t common_folders(const char *folder, const char *file)
{
    size_t n = 1, i = 0;
    while (folder[i] != '\0' && folder[i] == file[i]) {
        i++;
        n = file[i] == '/' && (folder[i] == '\0' || folder[i] == '/') ? i + 1 : n;
    }
    return n;
}

int log_guess_file(char **out, const char *file, const char *config)
{
    struct regret_buffer path = REGRET_BUFFER_INIT;
    char *folder = NULL, *whole = NULL;
    int rc;
    if (file[0] == '/') {
        return regret_strdup(out, file);
    }
    TRY_CLEANUP(find_folder(&folder, config));
    whole = realpath(file, NULL);
    TRY_CLEANUP(whole != NULL
                    ? REGRET_OK
                    : regret_fail(REGRET_E_INPUT, "cannot open %s: %s", file, strerror(errno)));
    size_t common = common_folders(folder, whole), length = strlen(folder);
    for (size_t i = common; i < length; i++) {
        regret_buffer_append(&path, i == common || folder[i - 1] == '/' ? "../" : "");
    }
    regret_buffer_append(&path, whole + common);
    TRY_CLEANUP(regret_buffer_status(&path));
    rc = regret_strdup(out, regret_buffer_get(&path));
cleanup:
    regret_buffer_free(&path);
    free(folder);
    free(whole);
    return rc;
}
