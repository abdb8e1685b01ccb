#define _GNU_SOURCE /* realpath */

#include "log/roles.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "base/text.h"
#include "import/column_names.h"
#include "import/profile.h"
#include "log/cells.h"
#include "log/config.h"
#include "regret/buffer.h"
#include "regret/evaluate.h"
#include "regret/status.h"

/* What is known of a request before it is answered: what follows from the request or, where each is asked once, what a name
 * says of it. What came with the answer (its length, its seconds) would hide what the agents did. */

static const char BEFORE[] =
    " feature features covariate user prompt request query country region language lang locale "
    "device "
    "platform browser os plan tier age gender segment difficulty source channel hour weekday "
    "position domain topic category ";
static const char AFTER[] =
    " latency seconds duration elapsed answer response output completion reply "
    "judge finish score rating feedback error errors ";

int log_guess_is_after(const char *name)
{
    return column_count_words(name, AFTER) > 0;
}

int log_guess_is_before(const char *name)
{
    return column_count_words(name, BEFORE) > 0;
}

/* The request of a row: its id or its text. */
static size_t request_of(const struct log_guess_table *t)
{
    return t->at[LOG_CONTEXT] != LOG_NO_COLUMN ? t->at[LOG_CONTEXT] : t->at[LOG_TEXT];
}

/* Whether column k is known before the answer; *follows: because requests come again and it does not change. */
static int is_known_before(int *known, const struct log_guess_table *t, size_t k)
{
    const struct table_profile *p = &t->profile;
    const struct profile_column *c = &p->column[k];
    size_t request = request_of(t);
    int follows = 0, is_text = c->numbers < c->filled;
    *known = 0;
    if (t->taken[k] || !column_fits_map(c->name) || c->distinct < 2 ||
        (is_text && (c->mean_bytes > 60 || 2 * c->distinct > p->rows)) ||
        column_count_words(c->name, " id ids uuid hash key ") > 0 || log_guess_is_after(c->name)) {
        return REGRET_OK;
    }
    if (request != LOG_NO_COLUMN && 10 * p->column[request].distinct <= 8 * p->rows) {
        TRY(table_profile_follows(&follows, p, k, request));
    }
    *known = follows || log_guess_is_before(c->name);
    return REGRET_OK;
}

static int has_column(const struct log_guess_table *t, const char *name)
{
    int found = t->path == NULL;
    for (size_t k = 0; k < t->profile.n_columns && !found; k++) {
        found = strcmp(t->profile.column[k].name, name) == 0 && !t->taken[k];
    }
    return found;
}

/* Columns of one table that are known before the answer, and that the others have, too. */
static int find_covariates(struct log_guess *g, struct log_guess_table *t)
{
    for (size_t k = 0; k < t->profile.n_columns && t->n_covariates < REGRET_LOG_MAX_COLUMNS; k++) {
        int known = 0;
        TRY(is_known_before(&known, t, k));
        for (int i = 0; i < LOG_INPUTS; i++) {
            known &= &g->table[i] == t || has_column(&g->table[i], t->profile.column[k].name);
        }
        /* of numbers that come by the dozen, such as affinities to each agent, none is chosen */
        if (known && column_count_words(t->profile.column[k].name, " affinity affinities ") == 0) {
            t->covariate[t->n_covariates++] = k;
        }
    }
    return REGRET_OK;
}

/* The same columns, by their places in another table. */
static void copy_covariates(struct log_guess_table *to, const struct log_guess_table *from)
{
    for (size_t i = 0; i < from->n_covariates; i++) {
        const char *name = from->profile.column[from->covariate[i]].name;
        size_t k = 0;
        while (strcmp(to->profile.column[k].name, name) != 0) {
            k++;
        }
        to->covariate[to->n_covariates++] = k;
    }
}

/* Internal to the room: the covariates of all tables, once their roles are known. */
static int log_guess_covariates(struct log_guess *g)
{
    struct log_guess_table *first = g->table;
    while (first->path == NULL) {
        first++;
    }
    TRY(find_covariates(g, first));
    for (struct log_guess_table *t = first + 1; t < g->table + LOG_INPUTS; t++) {
        if (t->path != NULL) {
            copy_covariates(t, first);
        }
    }
    return REGRET_OK;
}

/* Which column serves which role. Names speak first: of what a column of numbers is to a log its numbers tell little. */

enum { MOST_TAGS = 200, LONG_TEXT = 20 };

/* What speaks for a role: words, words that speak less for it, and those that say nothing beside them. */
static const struct rule {
    const char *words, *others, *beside;
} RULES[LOG_COVARIATES] = {
    [LOG_CONTEXT] = {" context prompt request query question instruction task case ticket instance "
                     "example document doc article issue ",
                     " id uuid ", " ids uid hash key number "},
    [LOG_AGENT] = {" agent model llm bot arm treatment policy system engine ",
                   " item video song movie product ad variant action candidate method generator "
                   "assigned chosen ",
                   " id name label the "},
    [LOG_OUTPUT] = {" output response answer completion generation reply prediction summary ", " ",
                    " text the "},
    [LOG_TEXT] = {" prompt request query question instruction text message ",
                  " input source ticket ", " the user "},
    [LOG_TAG] = {" tag category kind topic domain segment section type ",
                 " task language lang position slot placement ", " name id "},
    [LOG_OUTCOME] =
        {" outcome reward rating ratings score scores stars thumbs feedback click clicked "
         "conversion converted success satisfaction satisfied ",
         " count counts clicks views purchases orders plays label grade verdict quality resolved "
         "passed correct win like liked y ",
         " user is the "},
    [LOG_PROPENSITY] = {" propensity propensities pscore ", " probability prob p pi ",
                        " score of assignment assign assigned chosen logging action "},
    [LOG_SLATE] = {" slate offered ", " options choices candidates available arms ",
                   " agents models "},
    [LOG_CLUSTER] =
        {" user users customer session account member visitor household patient student "
         "participant cluster userid username sessionid ",
         " person group uid rater annotator ", " id ids key name uuid hash "},
    [LOG_TIME] = {" time timestamp ts datetime ", " date at when day ",
                  " created logged utc ms event "},
    [LOG_COST] = {" cost price usd dollars cents ", " ", " in total "},
};

/* What a name says for a role: 2 for each word, 1 for each of the others, half off for each that is neither. */
static double rate_name(const char *name, enum log_field field)
{
    const struct rule *rule = &RULES[field];
    int strong = column_count_words(name, rule->words),
        weak = column_count_words(name, rule->others);
    int all = column_count_words(name, NULL), beside = column_count_words(name, rule->beside);
    int strange = all - strong - weak - beside;
    return strong + weak == 0 ? 0.0 : 2.0 * strong + weak - 0.5 * (strange > 0 ? strange : 0);
}

static int is_mostly(size_t n, const struct profile_column *c)
{
    return c->filled > 0 && 10 * n >= 9 * c->filled;
}

/* Numbers and words for good and bad. Where a column is words of another kind the first of them is looked at. */
static int may_be_outcome(const struct profile_column *c)
{
    double x = 0.0;
    int is_word = 0;
    return c->filled > 0 &&
           (2 * c->numbers >= c->filled ||
            (c->other.text[0] != '\0' && log_outcome_parse(&x, &is_word, c->other.text)));
}

static int may_be_time(const struct profile_column *c)
{
    double x = 0.0;
    return is_mostly(c->numbers, c) ||
           (c->other.text[0] != '\0' && log_time_parse(&x, c->other.text));
}

/* Whether what stands in column k can be of the role, whatever its name. */
static int may_be(const struct log_guess_table *t, size_t k, enum log_field field)
{
    const struct profile_column *c = &t->profile.column[k];
    size_t rows = t->profile.rows;
    int is_text = c->filled > 0 && c->numbers < c->filled;
    switch (field) {
    case LOG_CONTEXT:
        return 10 * c->filled >= 9 * rows && c->distinct >= 2 &&
               c->longest <= REGRET_TABLE_MAX_FIELD;
    case LOG_AGENT:
        return 2 * c->filled >= rows && c->distinct <= REGRET_LOG_MAX_AGENTS && c->longest <= 200;
    case LOG_OUTPUT:
    case LOG_TEXT:
        return is_text && c->distinct >= 2;
    case LOG_TAG:
        return c->distinct >= 2 && c->distinct <= MOST_TAGS && 2 * c->distinct <= rows &&
               (is_text || c->whole == c->numbers);
    case LOG_OUTCOME:
        return may_be_outcome(c);
    case LOG_PROPENSITY:
    case LOG_COST:
        return is_mostly(c->numbers, c);
    case LOG_TIME:
        return may_be_time(c);
    default:
        return c->filled > 0 && c->distinct >= 2;
    }
}

/* A text that is long is read for one whatever its name; an id or a cluster needs a name without strange words. */
static double rate(const struct log_guess_table *t, size_t k, enum log_field field)
{
    const struct profile_column *c = &t->profile.column[k];
    double rating = rate_name(c->name, field);
    int strange = column_count_words(c->name, NULL) -
                  column_count_words(c->name, RULES[field].words) -
                  column_count_words(c->name, RULES[field].others) -
                  column_count_words(c->name, RULES[field].beside);
    if (field == LOG_TEXT && rating <= 0.0 && c->mean_bytes >= LONG_TEXT &&
        strchr(c->other.text, ' ') != NULL && rate_name(c->name, LOG_OUTPUT) <= 0.0) {
        return 0.25;
    }
    int is_id = column_count_words(c->name, " id uuid ids uid hash key number ") > 0;
    if (field == LOG_TEXT && is_id) {
        return 0.0; /* "request_id" is no request */
    }
    if (field == LOG_TEXT && c->mean_bytes < LONG_TEXT && strchr(c->other.text, ' ') == NULL) {
        return 0.5 * rating; /* one word, as ids are: after every column of texts */
    }
    if (field == LOG_CONTEXT && c->mean_bytes >= LONG_TEXT && !is_id) {
        return 0.0; /* a text */
    }
    return (field == LOG_CLUSTER || field == LOG_CONTEXT) && strange > 0 ? 0.0 : rating;
}

static size_t find_name(const struct log_guess_table *t, const char *name)
{
    size_t k = 0;
    while (k < t->profile.n_columns && strcmp(t->profile.column[k].name, name) != 0) {
        k++;
    }
    return k < t->profile.n_columns ? k : LOG_NO_COLUMN;
}

/* The column of the role: as was said; else that of the same name as in a table before; else the best. */
static void find_role(struct log_guess *g, struct log_guess_table *t, enum log_field field)
{
    const char *said = field == LOG_CONTEXT   ? g->known.context
                       : field == LOG_AGENT   ? g->known.agent
                       : field == LOG_OUTCOME ? g->known.outcome
                                              : NULL;
    double best = 0.0;
    size_t found = said != NULL ? find_name(t, said) : LOG_NO_COLUMN;
    for (struct log_guess_table *other = g->table; other < t && found == LOG_NO_COLUMN; other++) {
        const char *name = log_guess_column(other, field);
        size_t k = name != NULL ? find_name(t, name) : LOG_NO_COLUMN;
        found = k != LOG_NO_COLUMN && !t->taken[k] && may_be(t, k, field) ? k : found;
    }
    for (size_t k = 0; k < t->profile.n_columns && (found == LOG_NO_COLUMN || best > 0.0); k++) {
        double rating =
            t->taken[k] || !column_fits_map(t->profile.column[k].name) || !may_be(t, k, field)
                ? 0.0
                : rate(t, k, field);
        if (rating > best) {
            best = rating;
            found = k;
        }
    }
    for (size_t k = 0; k < t->profile.n_columns && found == LOG_NO_COLUMN; k++) {
        const struct profile_column *c = &t->profile.column[k];
        if (!t->taken[k] && (c->other.text[0] != '\0' || field == LOG_CLUSTER) &&
            rate_name(c->name, field) >= 2.0) {
            t->unfit[field] = k;
        }
    }
    t->at[field] = found;
    if (found != LOG_NO_COLUMN) {
        t->taken[found] = 1;
    }
}

/* An id of rows is none of requests where the same texts come again under others of them. */
static void drop_row_ids(struct log_guess_table *t, const struct log_known *known)
{
    size_t id = t->at[LOG_CONTEXT], text = t->at[LOG_TEXT];
    if (known->context == NULL && id != LOG_NO_COLUMN && text != LOG_NO_COLUMN &&
        t->profile.column[id].distinct == t->profile.rows &&
        t->profile.column[text].distinct < t->profile.rows) {
        t->taken[id] = 0;
        t->at[LOG_CONTEXT] = LOG_NO_COLUMN;
    }
}

/* Where texts tell the requests of one table apart they do so in all that have texts: ids and texts cannot be matched. */
static void match_ids(struct log_guess *g)
{
    int by_text = 0, all_texts = 1;
    for (int i = 0; i < LOG_INPUTS; i++) {
        const struct log_guess_table *t = &g->table[i];
        by_text |= t->path != NULL && t->at[LOG_CONTEXT] == LOG_NO_COLUMN &&
                   t->at[LOG_TEXT] != LOG_NO_COLUMN;
        all_texts &= t->path == NULL || t->at[LOG_TEXT] != LOG_NO_COLUMN;
    }
    for (int i = 0; i < LOG_INPUTS && by_text && all_texts && g->known.context == NULL; i++) {
        g->table[i].at[LOG_CONTEXT] = LOG_NO_COLUMN;
    }
}

static int refuse(const struct log_guess_table *t, const char *what, const char *option,
                  const char *words)
{
    FREED_BY(regret_buffer_free) struct regret_buffer names = REGRET_BUFFER_INIT;
    size_t unfit = strcmp(option, "--outcome") == 0 ? t->unfit[LOG_OUTCOME] : LOG_NO_COLUMN;
    if (unfit != LOG_NO_COLUMN) {
        const struct profile_column *c = &t->profile.column[unfit];
        return regret_fail(REGRET_E_INPUT,
                           "%s:%zu: column \"%.40s\" holds \"%s\", neither a number nor a word for "
                           "good or bad: write numbers alone, without signs, or say which column "
                           "is %s, %s COLUMN",
                           t->path, c->other.at, c->name, c->other.text, what, option);
    }
    for (size_t k = 0; k < t->profile.n_columns && k < 12; k++) {
        regret_buffer_append(&names, k > 0 ? ", " : "");
        regret_buffer_append_safe(&names, t->profile.column[k].name, 30);
    }
    regret_buffer_append(&names, t->profile.n_columns > 12 ? ", …" : "");
    TRY(regret_buffer_status(&names));
    return regret_fail(REGRET_E_INPUT,
                       "%s: no column looks like %s (%s); its columns are %s: say which, %s COLUMN",
                       t->path, what, words, regret_buffer_get(&names), option);
}

/* No range is guessed by an outcome far beyond all others, nor of agents on two scales; thumbs down beside 0 and 1 are outcomes. */
static int check_outcomes(struct log_guess_table *t, int is_given)
{
    struct profile_column *c = &t->profile.column[t->at[LOG_OUTCOME]];
    if (c->is_next || is_given) {
        c->least = c->is_next ? fmin(c->least, c->slip) : c->least;
        c->slips = 0;
    }
    TRY(c->slips == 0 ? REGRET_OK
                      : profile_column_fail_slip(t->path, c, "init --range WORST:BEST takes it"));
    TRY(is_given ? REGRET_OK : profile_column_check_direction(c, t->path));
    return is_given ? REGRET_OK
                    : table_profile_check_units(&t->profile, t->at[LOG_OUTCOME], t->at[LOG_AGENT],
                                                t->path);
}

static int find_roles(struct log_guess *g, enum log_input_of which)
{
    /* propensity_score is no score, clicked_at is a time, user_rating is an outcome */
    static const enum log_field order[] = {LOG_PROPENSITY, LOG_TIME,   LOG_OUTCOME, LOG_AGENT,
                                           LOG_COST,       LOG_SLATE,  LOG_CLUSTER, LOG_TEXT,
                                           LOG_CONTEXT,    LOG_OUTPUT, LOG_TAG};
    struct log_guess_table *t = &g->table[which];
    TRY(which == LOG_INPUT_OUTPUTS ? log_guess_wide(g) : REGRET_OK);
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        if (which != LOG_INPUT_OUTPUTS || order[i] <= LOG_TAG) {
            find_role(g, t, order[i]);
        }
    }
    drop_row_ids(t, &g->known);
    if (which == LOG_INPUT_OUTPUTS) {
        int has_both = t->pattern == NULL && t->at[LOG_AGENT] != LOG_NO_COLUMN &&
                       t->at[LOG_OUTPUT] != LOG_NO_COLUMN;
        t->at[LOG_AGENT] = has_both ? t->at[LOG_AGENT] : LOG_NO_COLUMN;
        t->at[LOG_OUTPUT] = has_both ? t->at[LOG_OUTPUT] : LOG_NO_COLUMN;
        return t->at[LOG_CONTEXT] != LOG_NO_COLUMN || t->at[LOG_TEXT] != LOG_NO_COLUMN
                   ? REGRET_OK
                   : refuse(t, "the request", "--context", "an id or a text of it");
    }
    if (t->at[LOG_AGENT] == LOG_NO_COLUMN) {
        return refuse(t, "who answered", "--agent",
                      "a name such as model or agent, at most 4096 different");
    }
    return t->at[LOG_OUTCOME] != LOG_NO_COLUMN ? check_outcomes(t, g->known.range != NULL)
                                               : refuse(t, "how good the answer was", "--outcome",
                                                        "a name such as rating, reward or click, "
                                                        "and numbers, or words for good and bad");
}

static int check_known(const struct log_guess *g)
{
    const char *names[] = {g->known.context, g->known.agent, g->known.outcome};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        int found = names[i] == NULL;
        for (int k = 0; k < LOG_INPUTS && !found; k++) {
            found = g->table[k].path != NULL && find_name(&g->table[k], names[i]) != LOG_NO_COLUMN;
        }
        if (!found) {
            return regret_fail(REGRET_E_INPUT,
                               "no table has a column \"%.60s\"; give its name as "
                               "it stands in the header",
                               names[i]);
        }
    }
    return REGRET_OK;
}

static int read_profile(struct log_guess_table *t, const char *path, char separator)
{
    struct regret_jsonl *reader = NULL;
    char first = '\0';
    t->path = path;
    for (int f = 0; f < LOG_COVARIATES; f++) {
        t->at[f] = t->unfit[f] = LOG_NO_COLUMN;
    }
    if (separator == '\0') {
        TRY(regret_jsonl_open(&reader, path));
        first = regret_jsonl_peek(reader);
        regret_jsonl_close(reader);
    }
    if (first == '{' || first == '[') {
        TRY(table_profile_read_json(&t->profile, path));
    } else {
        TRY(separator == '\0' ? table_profile_separator(&separator, path) : REGRET_OK);
        TRY(table_profile_read(&t->profile, path, separator));
    }
    return REGRET_NEW(&t->taken, t->profile.n_columns);
}

int log_guess_make(struct log_guess *out, const char *const path[LOG_INPUTS],
                   const struct log_known *known)
{
    *out = (struct log_guess){.known = *known};
    for (int i = 0; i < LOG_INPUTS; i++) {
        TRY(path[i] != NULL ? read_profile(&out->table[i], path[i], known->separator) : REGRET_OK);
    }
    TRY(check_known(out));
    for (int i = 0; i < LOG_INPUTS; i++) {
        TRY(path[i] != NULL ? find_roles(out, (enum log_input_of)i) : REGRET_OK);
    }
    match_ids(out);
    TRY(log_guess_unit(out));
    return log_guess_covariates(out);
}

const char *log_guess_column(const struct log_guess_table *t, enum log_field field)
{
    return field == LOG_OUTPUT && t->pattern != NULL          ? t->pattern
           : t->path != NULL && t->at[field] != LOG_NO_COLUMN ? t->profile.column[t->at[field]].name
                                                              : NULL;
}

void log_guess_free(struct log_guess *g)
{
    for (int i = 0; i < LOG_INPUTS; i++) {
        table_profile_free(&g->table[i].profile);
        regret_free(g->table[i].taken);
        regret_free(g->table[i].pattern);
        regret_free(g->table[i].agents);
    }
    regret_log_free(g->log);
    *g = (struct log_guess){0};
}

static int try_has_column(const struct regret_log *log, const char *name)
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
        kept += (size_t)try_has_column(log, t->profile.column[t->covariate[i]].name);
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
