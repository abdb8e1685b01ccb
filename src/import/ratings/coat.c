/* Coat (Schnabel, Swaminathan, Singh, Chandak and Joachims, "Recommendations as treatments", ICML 2016, arXiv:1602.05352):
 * train.ascii and test.ascii, matrices of users by coats with ratings from 1 to 5 and 0 for none, user_features.ascii and
 * item_features.ascii, matrices of 0 and 1 whose columns NAME_features_map.txt names "gender:men". */
#include <stdint.h>
#include <string.h>

#include "base/core/try.h"
#include "base/text/escape.h"
#include "base/text/name.h"
#include "import/ratings/ratings.h"
#include "regret/alloc.h"
#include "regret/file.h"
#include "regret/json.h"

enum { MOST_USERS = 100000, MOST_COATS = 4096, MOST_FEATURES = 1000, MOST_GROUPS = 32 };

struct coat_options {
    const char *agents; /* "item", or a group of their features */
};

struct matrix {
    size_t rows, columns;
    unsigned char *cell; /* [rows * columns]; owned */
};

/* What is known of users or coats: the columns of the matrix by groups, "gender:men" being "men" of "gender". */
struct features {
    struct matrix is;
    char *names; /* the file, cut at its colons and ends of lines; owned */
    const char *group[MOST_FEATURES], *value[MOST_FEATURES]; /* of each column; in `names` */
    const char *groups[MOST_GROUPS];                         /* each once */
    size_t n_groups;
};

struct coat {
    struct matrix train, test;
    struct features user, item;
    size_t *items; /* [coats] how many coats are of the same agent; owned */
};

static int read_row(struct matrix *m, size_t *capacity, struct ratings_text *t, size_t most_columns,
                    int most)
{
    size_t n = 0;
    int x = 0, more = 1;
    for (;; n++) {
        TRY(ratings_text_number(&x, &more, t, 0, most));
        if (!more) {
            break;
        }
        size_t at = m->rows * m->columns + n;
        if (n >= (m->rows > 0 ? m->columns : most_columns)) {
            n++;
            break;
        }
        TRY(regret_grow((void **)&m->cell, capacity, at, 1, "a matrix"));
        m->cell[at] = (unsigned char)x;
    }
    m->columns = m->rows == 0 ? n : m->columns;
    m->rows++;
    return n == m->columns && n <= most_columns
               ? REGRET_OK
               : regret_json_error((struct regret_place){t->path, t->line},
                                   "more or fewer numbers than the %zu of the first line, or more "
                                   "than %zu; give the matrix as published",
                                   m->columns, most_columns);
}

/* DIR/NAME, of at most that many rows and columns, with whole numbers from 0 to `most`. */
static int read_matrix(struct matrix *out, const char *folder, const char *name, size_t rows,
                       size_t columns, int most)
{
    FREED_BY(ratings_text_close) struct ratings_text text = {0};
    FREED char *path = NULL;
    size_t capacity = 0;
    TRY(regret_path_join(&path, folder, name));
    TRY(ratings_text_open(&text, path));
    while (ratings_text_next(&text) && out->rows < rows) {
        TRY(read_row(out, &capacity, &text, columns, most));
    }
    return out->rows > 0 && ratings_text_next(&text) == 0
               ? REGRET_OK
               : regret_fail(REGRET_E_INPUT,
                             "%s has no line, or more than %zu; give the matrix as published", path,
                             rows);
}

/* Enters a group once; REGRET_E_INPUT where there are too many. */
static int enter_group(struct features *f, const char *group, const char *path)
{
    for (size_t g = 0; g < f->n_groups; g++) {
        if (strcmp(f->groups[g], group) == 0) {
            return REGRET_OK;
        }
    }
    if (f->n_groups == MOST_GROUPS) {
        return regret_fail(REGRET_E_INPUT, "%s names more than %d groups of features", path,
                           MOST_GROUPS);
    }
    f->groups[f->n_groups++] = group;
    return REGRET_OK;
}

/* "gender:men" names column k. */
static int split_name(struct features *f, size_t k, const struct ratings_text *text)
{
    char *colon = strchr(text->row, ':');
    if (colon == NULL || colon == text->row) {
        return regret_json_error((struct regret_place){text->path, text->line},
                                 "must be like \"gender:men\"");
    }
    *colon = '\0';
    f->group[k] = text->row;
    f->value[k] = colon + 1;
    colon[1 + strcspn(colon + 1, "\r")] = '\0';
    return enter_group(f, f->group[k], text->path);
}

/* A line a column. The text stays, cut into pieces. */
static int read_names(struct features *f, const char *path)
{
    struct ratings_text text = {0};
    size_t k = 0;
    int rc = ratings_text_open(&text, path);
    f->names = text.text;
    TRY(rc);
    for (; k < f->is.columns && ratings_text_next(&text); k++) {
        TRY(split_name(f, k, &text));
    }
    return k == f->is.columns && !ratings_text_next(&text)
               ? REGRET_OK
               : regret_fail(REGRET_E_INPUT,
                             "%s must have a line for each of %zu columns of features", path,
                             f->is.columns);
}

static int read_features(struct features *f, const char *folder, const char *matrix,
                         const char *names, size_t rows)
{
    FREED char *path = NULL;
    TRY(read_matrix(&f->is, folder, matrix, rows, MOST_FEATURES, 1));
    if (f->is.rows != rows) {
        return regret_fail(REGRET_E_INPUT, "%s/%s has %zu lines; the ratings are of %zu", folder,
                           matrix, f->is.rows, rows);
    }
    TRY(regret_path_join(&path, folder, names));
    return read_names(f, path);
}

/* What row i has of a group; "" where it has none. */
static const char *value_of(const struct features *f, size_t i, const char *group)
{
    for (size_t k = 0; k < f->is.columns; k++) {
        if (f->is.cell[i * f->is.columns + k] != 0 && strcmp(f->group[k], group) == 0) {
            return f->value[k];
        }
    }
    return "";
}

/* The agent that a coat is, and the share of coats that are: what a coat drawn at random is of it with. */
static void put_agent(struct regret_buffer *out, const struct coat *c, const char *group,
                      size_t item)
{
    const char *value = group != NULL ? value_of(&c->item, item, group) : "";
    if (group == NULL) {
        regret_buffer_printf(out, "coat%zu", item + 1);
    } else {
        csv_field(out, value[0] != '\0' ? value : "none");
    }
}

static int count_items(struct coat *c, const char *group)
{
    size_t n = c->train.columns;
    TRY(REGRET_NEW(&c->items, n));
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            c->items[i] += group == NULL ? i == j
                                         : strcmp(value_of(&c->item, i, group),
                                                  value_of(&c->item, j, group)) == 0;
        }
    }
    return REGRET_OK;
}

static size_t put_rows(struct regret_buffer *out, const struct coat *c,
                       const struct matrix *ratings, const char *group, int is_random)
{
    size_t n = 0;
    regret_buffer_append(out, is_random ? "user,coat,agent,rating,p" : "user,coat,agent,rating");
    for (size_t g = 0; g < c->user.n_groups; g++) {
        regret_buffer_append_char(out, ',');
        csv_field(out, c->user.groups[g]);
    }
    regret_buffer_append_char(out, '\n');
    for (size_t cell = 0; cell < ratings->rows * ratings->columns; cell++) {
        size_t user = cell / ratings->columns, item = cell % ratings->columns;
        if (ratings->cell[cell] == 0) {
            continue;
        }
        regret_buffer_printf(out, "u%zu,%zu,", user + 1, item + 1);
        put_agent(out, c, group, item);
        regret_buffer_printf(out, ",%d", ratings->cell[cell]);
        if (is_random) {
            regret_buffer_append_char(out, ',');
            csv_number(out, (double)c->items[item] / (double)ratings->columns);
        }
        for (size_t g = 0; g < c->user.n_groups; g++) {
            regret_buffer_append_char(out, ',');
            csv_field(out, value_of(&c->user, user, c->user.groups[g]));
        }
        regret_buffer_append_char(out, '\n');
        n++;
    }
    return n;
}

static void put_table(struct regret_buffer *out, const struct coat *c, const char *name,
                      const char *more)
{
    regret_buffer_printf(out,
                         "  \"%s\": {\"file\": \"%s.csv\", \"context\": \"user\", \"agent\": "
                         "\"agent\", \"outcome\": \"rating\"%s,\n    \"covariates\": [",
                         name, name, more);
    for (size_t g = 0; g < c->user.n_groups; g++) {
        regret_buffer_append(out, g > 0 ? ", " : "");
        regret_buffer_json_string(out, c->user.groups[g]);
    }
    regret_buffer_append(out, "]},\n");
}

/* The group that makes agents of coats; NULL: each coat is one. */
static int find_group(const char **out, const struct coat *c, const char *agents)
{
    const char *known[MOST_GROUPS + 1] = {"item"};
    memcpy(known + 1, c->item.groups, c->item.n_groups * sizeof *known);
    for (size_t k = 0; k <= c->item.n_groups; k++) {
        if (strcmp(known[k], agents) == 0) {
            *out = k > 0 ? known[k] : NULL;
            return REGRET_OK;
        }
    }
    return name_unknown("--agents", agents, known, c->item.n_groups + 1);
}

static int make_log(struct ratings_log *log, struct coat *c, const char *agents)
{
    const char *group = NULL;
    TRY(find_group(&group, c, agents));
    TRY(count_items(c, group));
    log->n_obs = put_rows(&log->obs, c, &c->train, group, 0);
    log->n_exp = put_rows(&log->exp, c, &c->test, group, 1);
    regret_buffer_append(&log->config, "{\n");
    put_table(&log->config, c, "obs", "");
    put_table(&log->config, c, "exp", ", \"propensity\": \"p\"");
    regret_buffer_append(&log->config,
                         "  \"outcome\": {\"low\": 1, \"high\": 5},\n  \"seed\": 1\n}\n");
    TRY(regret_buffer_status(&log->obs));
    TRY(regret_buffer_status(&log->exp));
    return regret_buffer_status(&log->config);
}

static int read_coat(struct coat *c, const char *folder)
{
    TRY(read_matrix(&c->train, folder, "train.ascii", MOST_USERS, MOST_COATS, 5));
    TRY(read_matrix(&c->test, folder, "test.ascii", MOST_USERS, MOST_COATS, 5));
    if (c->train.rows != c->test.rows || c->train.columns != c->test.columns) {
        return regret_fail(REGRET_E_INPUT,
                           "%s: train.ascii is %zu x %zu and test.ascii %zu x %zu; both are users "
                           "by coats",
                           folder, c->train.rows, c->train.columns, c->test.rows, c->test.columns);
    }
    TRY(read_features(&c->user, folder, "user_features.ascii", "user_features_map.txt",
                      c->train.rows));
    return read_features(&c->item, folder, "item_features.ascii", "item_features_map.txt",
                         c->train.columns);
}

static void features_free(struct features *f)
{
    regret_free(f->is.cell);
    regret_free(f->names);
}

static int run(const struct importer_call *call)
{
    const struct coat_options *o = call->options;
    struct ratings_log log = {REGRET_BUFFER_INIT, REGRET_BUFFER_INIT, REGRET_BUFFER_INIT, 0, 0};
    struct coat *c = NULL;
    int rc;
    TRY(REGRET_NEW(&c, 1));
    TRY_CLEANUP(read_coat(c, call->from));
    TRY_CLEANUP(make_log(&log, c, o->agents));
    rc = ratings_log_write(&log, call);
cleanup:
    ratings_log_free(&log);
    regret_free(c->train.cell);
    regret_free(c->test.cell);
    regret_free(c->items);
    features_free(&c->user);
    features_free(&c->item);
    regret_free(c);
    return rc;
}

static const struct coat_options defaults = {"jackettype"};
static const struct importer_option options[] = {
    IMPORTER_FORCE_OPTION,
    {"agents", 0, IMPORTER_STRING, offsetof(struct coat_options, agents), "GROUP",
     "what agents are: a group of the coats' features (default: jackettype), or item", 0, 0, NULL,
     NULL}};

const struct importer importer_coat = {
    .name = "import coat",
    .synopsis = "DIR -o DIR [options]",
    .summary = "Coat: ratings that users chose to give, and of coats drawn at random",
    .detail =
        "Makes a log of train.ascii, a trial of test.ascii and evaluate.json of both. An agent\n"
        "is a kind of coat, and its probability in the trial the share of coats of the kind:\n"
        "300 coats as agents (--agents item) have 15 random ratings each.",
    .examples =
        "regret import coat coat -o coat-log\nregret evaluate coat-log/evaluate.json -o evaluated",
    .run = run,
    .makes_log = 1,
    IMPORTER_OPTIONS(options, defaults),
};
