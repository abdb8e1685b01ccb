/* Ratings: Coat and Yahoo! R3. */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/json.h"
#include "base/status.h"
#include "base/text.h"
#include "import/importer.h"
#include "regret/buffer.h"
#include "regret/status.h"

/* Internal to the importers of ratings. */

/* A text that is read line by line; of each line, whole numbers between blanks. */
struct ratings_text {
    const char *path; /* borrowed */
    char *text, *at;  /* the whole, and what is left of it; owned */
    size_t line;      /* of the line at hand, from 1 */
    char *row;        /* the line at hand, ended by a zero */
};

/* What is written: the rows of the log and of the trial as CSV with a header, and evaluate.json. */
struct ratings_log {
    struct regret_buffer obs, exp, config;
    size_t n_obs, n_exp;
};

enum { MOST_BYTES = 256 << 20, SHOWN = 20 };
static const char BLANKS[] = " \t\r";

/* A file of at most 256 MiB. */
static int ratings_text_open(struct ratings_text *out, const char *path)
{
    size_t length = 0;
    *out = (struct ratings_text){.path = path};
    TRY(regret_file_read(&out->text, &length, path, MOST_BYTES));
    out->at = out->text;
    return strlen(out->text) == length
               ? REGRET_OK
               : regret_fail(REGRET_E_INPUT, "%s holds a zero byte; give the text as published",
                             path);
}

static void ratings_text_close(struct ratings_text *t)
{
    regret_free(t->text);
    *t = (struct ratings_text){0};
}

/* The next line that is not blank, 0 at the end. */
static int ratings_text_next(struct ratings_text *t)
{
    while (*t->at != '\0') {
        t->row = t->at;
        char *end = strchr(t->at, '\n');
        t->at = end != NULL ? end + 1 : t->at + strlen(t->at);
        if (end != NULL) {
            *end = '\0';
        }
        t->line++;
        if (t->row[strspn(t->row, BLANKS)] != '\0') {
            return 1;
        }
    }
    return 0;
}

/* The next whole number of the line at hand, in [least, most]; *more is 0 where the line is over. REGRET_E_INPUT names file,
 * line and what stands there. */
static int ratings_text_number(int *out, int *more, struct ratings_text *t, int least, int most)
{
    char *end = NULL;
    t->row += strspn(t->row, BLANKS);
    *more = *t->row != '\0';
    if (!*more) {
        return REGRET_OK;
    }
    size_t n = strcspn(t->row, BLANKS);
    errno = 0;
    long x = strtol(t->row, &end, 10);
    if (end != t->row + n || errno != 0 || x < least || x > most) {
        return regret_json_error((struct regret_place){t->path, t->line},
                                 "\"%.*s\" is no whole number from %d to %d",
                                 (int)(n < SHOWN ? n : SHOWN), t->row, least, most);
    }
    t->row = end;
    *out = (int)x;
    return REGRET_OK;
}

static void ratings_log_free(struct ratings_log *log)
{
    regret_buffer_free(&log->obs);
    regret_buffer_free(&log->exp);
    regret_buffer_free(&log->config);
}

/* Writes obs.csv, exp.csv and evaluate.json into a folder that appears whole, and reports. */
static int ratings_log_write(const struct ratings_log *log, const struct importer_call *call)
{
    struct regret_staging staging = REGRET_STAGING_INIT;
    int rc, edited = 0;
    if (log->n_obs == 0 || log->n_exp == 0) {
        return regret_fail(REGRET_E_INPUT, "%s has no %s; give the folder as published", call->from,
                           log->n_obs == 0 ? "ratings that were chosen" : "random ratings");
    }
    TRY_CLEANUP(
        regret_staging_begin(&staging, call->to, call->replace, "evaluate.json obs.csv exp.csv"));
    TRY_CLEANUP(regret_file_write_text(staging.partial, "obs.csv", &log->obs));
    TRY_CLEANUP(regret_file_write_text(staging.partial, "exp.csv", &log->exp));
    TRY_CLEANUP(kept_config_differs(&edited, call->to, "evaluate.json", &log->config));
    TRY_CLEANUP(
        kept_config_write(staging.partial, "evaluate.json", &log->config, call->to, edited));
    TRY_CLEANUP(regret_staging_commit(&staging));
    regret_buffer_printf(call->report,
                         "%s holds obs.csv, %zu ratings that were chosen, exp.csv, %zu drawn at "
                         "random, and evaluate.json; regret evaluate ",
                         call->to, log->n_obs, log->n_exp);
    struct regret_buffer path = REGRET_BUFFER_INIT;
    regret_buffer_printf(&path, "%s/evaluate.json", call->to);
    shell_word(call->report, regret_buffer_get(&path));
    regret_buffer_free_into(call->report, &path);
    regret_buffer_append(call->report, " -o evaluated\n");
    if (edited) {
        kept_config_say(call->report, call->to, "evaluate.json");
    }
    rc = regret_buffer_status(call->report);
cleanup:
    regret_staging_abandon(&staging);
    return rc;
}

/* Coat (Schnabel, Swaminathan, Singh, Chandak and Joachims, "Recommendations as treatments", ICML 2016, arXiv:1602.05352):
 * train.ascii and test.ascii, matrices of users by coats with ratings from 1 to 5 and 0 for none, user_features.ascii and
 * item_features.ascii, matrices of 0 and 1 whose columns NAME_features_map.txt names "gender:men". */

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

/* Yahoo! R3 ("ydata-ymusic-rating-study-v1_0"; Marlin and Zemel, "Collaborative prediction and ranking with non-random
 * missing data", RecSys 2009): two files of lines "user, song, rating from 1 to 5" between blanks, of songs that users
 * chose to rate and of ten drawn at random for each of some. */

enum { MOST_SONGS = 4096, R3_MOST_USERS = 10000000 };

/* Appends a row of CSV for each rating. */
static int put_ratings(struct regret_buffer *out, size_t *rows, const char *folder,
                       const char *name)
{
    FREED_BY(ratings_text_close) struct ratings_text text = {0};
    FREED char *path = NULL;
    int of[3] = {0}, more = 0;
    static const int most[] = {R3_MOST_USERS, MOST_SONGS, 5};
    regret_buffer_append(out, "user,song,rating\n");
    TRY(regret_path_join(&path, folder, name));
    TRY(ratings_text_open(&text, path));
    while (ratings_text_next(&text)) {
        int is_whole = 1, rest = 0;
        for (size_t i = 0; i < 3; i++) {
            TRY(ratings_text_number(&of[i], &more, &text, i < 2 ? 0 : 1, most[i]));
            is_whole &= more;
        }
        TRY(ratings_text_number(&rest, &more, &text, 0, 0));
        if (!is_whole || more) {
            TRY(regret_json_error((struct regret_place){path, text.line},
                                  "must be three numbers: user, song and rating"));
        }
        regret_buffer_printf(out, "u%d,song%d,%d\n", of[0], of[1], of[2]);
        ++*rows;
    }
    return regret_buffer_status(out);
}

static int r3_run(const struct importer_call *call)
{
    static const char config[] =
        "{\n  \"obs\": {\"file\": \"obs.csv\", \"context\": \"user\", \"agent\": \"song\", "
        "\"outcome\": "
        "\"rating\"},\n  \"exp\": {\"file\": \"exp.csv\", \"context\": \"user\", \"agent\": "
        "\"song\", "
        "\"outcome\": \"rating\"},\n  \"outcome\": {\"low\": 1, \"high\": 5},\n  \"seed\": 1\n}\n";
    FREED_BY(ratings_log_free)
    struct ratings_log log = {REGRET_BUFFER_INIT, REGRET_BUFFER_INIT, REGRET_BUFFER_INIT, 0, 0};
    TRY(put_ratings(&log.obs, &log.n_obs, call->from, "ydata-ymusic-rating-study-v1_0-train.txt"));
    TRY(put_ratings(&log.exp, &log.n_exp, call->from, "ydata-ymusic-rating-study-v1_0-test.txt"));
    regret_buffer_append(&log.config, config);
    TRY(regret_buffer_status(&log.config));
    return ratings_log_write(&log, call);
}

static const char r3_defaults = 0;
static const struct importer_option r3_options[] = {IMPORTER_FORCE_OPTION};

const struct importer importer_r3 = {
    .name = "import r3",
    .synopsis = "DIR -o DIR [--force]",
    .summary = "Yahoo! R3: ratings that users chose to give, and of songs drawn at random",
    .detail =
        "Makes a log of ydata-ymusic-rating-study-v1_0-train.txt, a trial of -test.txt, whose\n"
        "songs were drawn uniformly, and evaluate.json of both. Agents are songs.",
    .examples =
        "regret import r3 yahoo -o r3-log\nregret evaluate r3-log/evaluate.json -o evaluated",
    .run = r3_run,
    .makes_log = 1,
    .options = r3_options,
    .n_options = 1,
    .defaults = &r3_defaults,
    .size = sizeof r3_defaults,
};
