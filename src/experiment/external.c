#define _GNU_SOURCE /* mkdtemp and realpath */

#include "experiment/external.h"

#include <cJSON.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/files.h"
#include "base/names.h"
#include "base/status.h"
#include "experiment/features.h"
#include "experiment/internal.h"
#include "external/prediction_file.h"
#include "external/worker.h"
#include "linalg/design.h"
#include "regret/buffer.h"
#include "regret/experiment.h"
#include "regret/status.h"

FREED_POINTER(struct regret_csr, regret_csr_free)

static const char *const phi_files[] = {"phi_indptr.npy", "phi_indices.npy", "phi_data.npy"};
enum { PHI_FILES = sizeof phi_files / sizeof *phi_files };

_Static_assert(sizeof(size_t) == 8, "offsets are written as they are");

static int write_csr(const char *folder, const struct regret_csr *phi)
{
    size_t n = regret_csr_entries(phi);
    const struct npy_array arrays[PHI_FILES] = {{NPY_I64, phi->rows + 1, 0, phi->row_start},
                                                {NPY_I32, n, 0, phi->column},
                                                {NPY_F64, n, 0, phi->value}};
    for (size_t i = 0; i < PHI_FILES; i++) {
        TRY(npy_write(folder, phi_files[i], &arrays[i]));
    }
    return REGRET_OK;
}

/* phi_indptr.npy, phi_indices.npy and phi_data.npy. */
static int external_write_phi(const char *folder, const struct feature_set *f)
{
    const struct regret_design phi = regret_design_sparse(f->phi, f->phi_context, f->context);
    FREED_BY(regret_csr_free_at) struct regret_csr *joined = NULL;
    FREED unsigned char *all = NULL;
    if (!f->sparse) {
        return write_csr(folder, f->phi);
    }
    TRY(REGRET_NEW(&all, f->pairs));
    memset(all, 1, f->pairs);
    TRY(design_join(&joined, &phi, all));
    return write_csr(folder, joined);
}

int external_link_phi(const char *folder, const char *phi)
{
    for (size_t i = 0; i < PHI_FILES; i++) {
        char *from = NULL, *to = NULL;
        int rc;
        TRY_CLEANUP(regret_path_join(&from, phi, phi_files[i]));
        TRY_CLEANUP(regret_path_join(&to, folder, phi_files[i]));
        if (link(from, to) != 0) {
            rc = regret_fail(REGRET_E_IO, "cannot link %s to %s: %s", from, to, strerror(errno));
        }
    cleanup:
        regret_free(from);
        regret_free(to);
        TRY(rc);
    }
    return REGRET_OK;
}

#define EXTERNAL_FAILURES                                                                          \
    "start, crash, time-out, protocol, failed, format, shape, not-finite, range or missing"

/* One family of one's own. */
struct source {
    const struct regret_external_family *family;
    cJSON *words;      /* of the command; owned */
    const char **argv; /* into them, ended by NULL; owned */
    struct prediction_file *predictions;
    char digest[33];
    struct external_worker *idle; /* guarded by the lock */
};

struct written_features {
    size_t number; /* of the feature set */
    char *folder;  /* owned */
};

FREED_FIELDS(written_features, of->folder)

struct external {
    struct regret_family_list list;
    struct source source[REGRET_MAX_EXTERNAL];
    const struct regret_command_options *options;
    char *folder;         /* owned; NULL where there are no commands */
    pthread_mutex_t lock; /* guards what follows, and the idle workers */
    size_t workers;       /* that there have been */
    double waited;        /* seconds for their answers, over all threads */
    struct written_features *written;
    size_t n_written;
};

int external_check_allowed(const struct regret_run_plan *plan,
                           const struct regret_command_options *options, const char *path)
{
    struct regret_config first;
    regret_run_plan_cell(&first, plan, 0);
    for (size_t i = 0; i < first.families.n_external; i++) {
        const struct regret_external_family *f = &first.families.external[i];
        if (f->is_command && (options == NULL || !options->allow)) {
            return regret_fail(
                REGRET_E_INPUT,
                "%s starts a program for the family \"%s\": %.300s; if you trust it, "
                "add --allow-commands",
                path, f->name, f->source);
        }
    }
    return REGRET_OK;
}

/* ---------------------------------------------------------------- opening */

/* Adds a file that a word of the command names, as it is found from the folder, to the digest. */
static int digest_word(struct source *s, const char *word, int is_program)
{
    char both[65] = "";
    FREED char *path = NULL;
    struct stat info;
    if (word[0] == '/' || word[0] == '\0' || (is_program && strchr(word, '/') == NULL)) {
        return REGRET_OK;
    }
    TRY(regret_path_join(&path, s->family->folder, word));
    int is_there = stat(path, &info) == 0;
    if (!is_there && errno != ENOENT && errno != ENOTDIR && errno != ENAMETOOLONG) {
        return io_error("look at", path);
    }
    if (is_there && S_ISREG(info.st_mode)) {
        memcpy(both, s->digest, 32);
        TRY(regret_digest_file(both + 32, path));
        regret_digest(s->digest, both, sizeof both - 1);
    }
    return REGRET_OK;
}

static int open_command(struct source *s)
{
    const char *text = s->family->source;
    const struct regret_place at = {"command", 0};
    size_t n = 0;
    TRY(regret_json_parse(&s->words, text, strlen(text), at));
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers is meant */
    TRY(REGRET_NEW(&s->argv, (size_t)cJSON_GetArraySize(s->words) + 1));
    for (const cJSON *w = s->words->child; w != NULL; w = w->next) {
        s->argv[n++] = w->valuestring;
    }
    TRY(worker_check(s->argv, s->family->folder));
    for (size_t i = 0; i < n; i++) {
        TRY(digest_word(s, s->argv[i], i == 0));
    }
    return REGRET_OK;
}

static int open_source(struct source *s, const struct regret_external_family *family,
                       const struct regret_pool *pool)
{
    s->family = family;
    if (family->is_command) {
        return open_command(s);
    }
    TRY(prediction_file_read(&s->predictions, family->source, pool));
    memcpy(s->digest, prediction_file_digest(s->predictions), sizeof s->digest);
    return REGRET_OK;
}

/* A folder of this process alone below TMPDIR, by its whole path: workers run elsewhere. */
static int make_folder(char **out)
{
    const char *tmp = getenv("TMPDIR");
    char *real = realpath(tmp != NULL && tmp[0] != '\0' ? tmp : "/tmp", NULL), *path = NULL;
    int rc;
    if (real == NULL || strchr(real, '\n') != NULL) {
        free(real);
        return regret_fail(REGRET_E_IO, "no folder for temporary files (%s): %s; set TMPDIR",
                           tmp != NULL ? tmp : "/tmp", strerror(errno));
    }
    TRY_CLEANUP(regret_path_join(&path, real, "regret-own-XXXXXX"));
    if (mkdtemp(path) == NULL) {
        rc = regret_fail(REGRET_E_IO, "cannot make the folder %s: %s; set TMPDIR", path,
                         strerror(errno));
        goto cleanup;
    }
    *out = path;
    path = NULL;
cleanup:
    free(real);
    regret_free(path);
    return rc;
}

int external_open(struct external **out, const struct regret_run_plan *plan,
                  const struct regret_pool *pool, const struct regret_command_options *options)
{
    struct external *e = NULL;
    struct regret_config first;
    int rc;
    regret_run_plan_cell(&first, plan, 0);
    *out = NULL;
    if (first.families.n_external == 0) {
        return REGRET_OK;
    }
    TRY(REGRET_NEW(&e, 1));
    e->list = first.families;
    e->options = options;
    pthread_mutex_init(&e->lock, NULL);
    for (size_t i = 0; i < e->list.n_external; i++) {
        rc = open_source(&e->source[i], &e->list.external[i], pool);
        if (rc != REGRET_OK) {
            rc = regret_fail_prefix(rc, "family \"%s\"", e->list.external[i].name);
            goto cleanup;
        }
    }
    TRY_CLEANUP(family_list_has_commands(&e->list) ? make_folder(&e->folder) : REGRET_OK);
    *out = e;
    e = NULL;
cleanup:
    external_close(e);
    return rc;
}

static void free_worker(struct external_worker *w)
{
    if (w != NULL) {
        worker_end(w->process);
        regret_free(w->folder);
        regret_free(w);
    }
}

static void close_source(struct source *s)
{
    while (s->idle != NULL) {
        struct external_worker *next = s->idle->next;
        free_worker(s->idle);
        s->idle = next;
    }
    cJSON_Delete(s->words);
    regret_free(s->argv);
    prediction_file_free(s->predictions);
}

void external_close(struct external *e)
{
    if (e == NULL) {
        return;
    }
    for (size_t i = 0; i < e->list.n_external; i++) {
        close_source(&e->source[i]);
    }
    for (size_t i = 0; i < e->n_written; i++) {
        regret_free(e->written[i].folder);
    }
    if (e->folder != NULL) {
        regret_folder_remove(
            e->folder); /* what a worker may have locked away is the system's to clear */
    }
    regret_free(e->written);
    regret_free(e->folder);
    pthread_mutex_destroy(&e->lock);
    regret_free(e);
}

const char *external_digest(const struct external *e, size_t i)
{
    return e->source[i].digest;
}

const struct prediction_file *external_predictions(const struct external *e, size_t i)
{
    return e->source[i].predictions;
}

/* ---------------------------------------------------------------- workers */

static int start(struct external_worker **out, struct external_failure *failure,
                 const struct external *e, const struct source *s, size_t number)
{
    char name[32];
    struct external_worker *w = NULL;
    int rc;
    snprintf(name, sizeof name, "worker-%zu", number);
    TRY(REGRET_NEW(&w, 1));
    TRY_CLEANUP(regret_path_join(&w->folder, e->folder, name));
    TRY_CLEANUP(regret_folder_create(w->folder));
    rc = worker_start(&w->process, s->argv, s->family->folder);
    if (rc == REGRET_E_IO) {
        failure->word = "start";
        snprintf(failure->detail, sizeof failure->detail, "%s", regret_error_message());
        rc = REGRET_OK;
        goto cleanup;
    }
    TRY_CLEANUP(rc);
    *out = w;
    w = NULL;
cleanup:
    free_worker(w);
    return rc;
}

int external_borrow(struct external_worker **out, struct external_failure *failure,
                    struct external *e, size_t i)
{
    struct source *s = &e->source[i];
    pthread_mutex_lock(&e->lock);
    struct external_worker *w = s->idle;
    size_t number = w == NULL ? e->workers++ : 0;
    s->idle = w != NULL ? w->next : NULL;
    pthread_mutex_unlock(&e->lock);
    *out = w;
    return w != NULL ? REGRET_OK : start(out, failure, e, s, number);
}

int external_return(struct external *e, size_t i, struct external_worker *w, int spent)
{
    if (spent) {
        worker_kill(w->process);
        w->process = NULL;
    }
    /* What a worker has locked away from us is its own failure: the next one gets another folder. */
    if (regret_folder_remove(w->folder) != REGRET_OK || spent) {
        free_worker(w);
        return REGRET_OK;
    }
    int rc = regret_folder_create(w->folder);
    pthread_mutex_lock(&e->lock);
    w->next = e->source[i].idle;
    e->source[i].idle = w;
    pthread_mutex_unlock(&e->lock);
    return rc;
}

enum worker_answer external_ask(char *line, size_t size, struct external *e, size_t i,
                                const struct external_worker *w, const char *question)
{
    const struct worker_patience patience = {e->source[i].family->time_limit, e->options->cancelled,
                                             e->options->context};
    double start = clock_seconds();
    enum worker_answer answer = worker_ask(line, size, w->process, question, &patience);
    pthread_mutex_lock(&e->lock);
    e->waited += clock_seconds() - start;
    pthread_mutex_unlock(&e->lock);
    return answer;
}

double external_waited(struct external *e)
{
    double waited = 0.0;
    if (e != NULL) {
        pthread_mutex_lock(&e->lock);
        waited = e->waited;
        pthread_mutex_unlock(&e->lock);
    }
    return waited;
}

int external_has_commands(const struct external *e)
{
    return e != NULL && family_list_has_commands(&e->list);
}

/* ---------------------------------------------------------------- features */

static int write_features(struct external *e, size_t number, const struct feature_set *features)
{
    FREED_BY(written_features_fields) struct written_features made = {.number = number};
    char name[32];
    snprintf(name, sizeof name, "features-%zu", number);
    TRY(regret_realloc((void **)&e->written, e->n_written + 1, sizeof *e->written, "features"));
    TRY(regret_path_join(&made.folder, e->folder, name));
    TRY(regret_folder_create(made.folder));
    TRY(external_write_phi(made.folder, features));
    e->written[e->n_written++] = made;
    made.folder = NULL;
    return REGRET_OK;
}

int external_features(const char **folder, struct external *e, size_t number,
                      const struct feature_set *features)
{
    size_t i = 0;
    int rc;
    pthread_mutex_lock(&e->lock);
    while (i < e->n_written && e->written[i].number != number) {
        i++;
    }
    TRY_CLEANUP(i == e->n_written ? write_features(e, number, features) : REGRET_OK);
    *folder = e->written[i].folder; /* which stays where it is when the list grows */
cleanup:
    pthread_mutex_unlock(&e->lock);
    return rc;
}
