/* `init`: what the columns of a table are, where names and structure agree; else a question. */
#ifndef IMPORT_INIT_H
#define IMPORT_INIT_H

#include <stddef.h>
#include <stdint.h>

#include "base/names.h"
#include "import/importer.h"
#include "regret/buffer.h"

/* ---- init_roles.c: what names say, by data/import/roles.json. ---- */

/* What a column may be to a pool; bits, since a word may speak for several. The lists of roles.json, in this order, and lists that are
 * no roles. */
enum init_role {
    INIT_AGENT = 1 << 0,
    INIT_NOT_AGENT = 1 << 1,
    INIT_CONTEXT = 1 << 2,
    INIT_TEXT = 1 << 3,
    INIT_TAG = 1 << 4,
    INIT_OUTPUT = 1 << 5,
    INIT_REFERENCE = 1 << 6,
    INIT_SCORE = 1 << 7,
    INIT_BAD = 1 << 8,  /* a score of which less is better */
    INIT_OPEN = 1 << 9, /* of which nobody knows */
    INIT_COST = 1 << 10,
    INIT_RATER = 1 << 11,
    INIT_DRAW = 1 << 12,
    INIT_USER = 1 << 13,
    INIT_LEFT = 1 << 14, /* of a run or a text, good or bad for nothing */
    INIT_SUMMARY = 1 << 15,
    INIT_WINNER = 1 << 16,
    INIT_MEASURE = 1 << 17,
    INIT_KNOWN = 1 << 18, /* of a request, before it is answered */
    INIT_TAIL = 1 << 19,  /* from here on lists, not roles */
    INIT_NEGATION = 1 << 20,
    INIT_FAMILY = 1 << 21,
    INIT_NO_ID = 1 << 22,
    /* Of logs alone. */
    INIT_ITEM = 1 << 23, /* who was chosen, where no other name speaks of an agent */
    INIT_TIME = 1 << 24,
    INIT_CHANCE = 1 << 25,
    INIT_SLATE = 1 << 26,
    INIT_AFTER = 1 << 27, /* measured of an answer, or with it */
    INIT_COUNT = 1 << 28
};
enum { INIT_ANY_SCORE = INIT_SCORE | INIT_BAD | INIT_OPEN };

/* roles.json, embedded. */
struct import_file {
    const char *name, *text;
};
extern const struct import_file import_files[];

struct init_words {
    struct names phrases;
    unsigned *roles; /* of each; owned */
};
/* `is_log`: with the words of logs. */
int init_words_read(struct init_words *out, int is_log);
void init_words_free(struct init_words *words);

/* Words of a name: split at what is no letter, before capitals and behind figures. */
/* What ties an agent's name to the rest of a column's. */
#define INIT_NAME_BREAKS "|:_./ -#@"
enum { INIT_NAME_WORDS = 24, INIT_WORD = 40, INIT_REST = 200 };
struct init_name {
    size_t n;
    struct init_word {
        size_t start, end; /* bytes of the name */
        char text[INIT_WORD];
    } word[INIT_NAME_WORDS];
};
void init_name_split(struct init_name *out, const char *name);
/* What the lists say of one word. */
unsigned init_word_roles(const struct init_words *words, const char *word);
/* Of any, or of all words of a name, ORed. */
unsigned init_name_any(const struct init_words *words, const char *name);
/* 1 where a word of the name is in a list, " rank place ". */
int init_name_has(const char *name, const char *list);

/* Of the longest phrase that the name ends with or, of measures, begins with. */
struct init_said {
    unsigned roles;
    int is_id;            /* "doc_id" */
    char rest[INIT_REST]; /* what else the name says: "gpt-4o" of "score_gpt-4o" */
};
void init_name_role(struct init_said *out, const struct init_words *words, const char *name);
/* 1: more is better, -1: less; 0: it must be asked. */
int init_name_direction(const struct init_words *words, const char *name);
/* 1 where it looks like a model's: "gpt-4o", "lab/m1", "mistral_7b", "m1". */
int init_name_is_family(const struct init_words *words, const char *name);

/* ---- init_table.c: a table in SQLite, and its profile. ---- */

enum {
    INIT_COLUMNS = 1900,
    INIT_CELLS = 16 << 20,    /* looked at of a table, and … */
    INIT_LOG_CELLS = 4 << 20, /* … of a log's, whose rows are of a kind */
    INIT_EXAMPLE = 24,
    INIT_SCORES = 64,
    INIT_NAMES = INIT_COLUMNS, /* that an option says */
    INIT_KEYS = 6,
    INIT_KEY = 200
};

struct init_column {
    char *name; /* owned */
    struct init_said said;
    size_t filled, distinct, numbers, whole, truths, grades, lists, patches, commas, clear_commas,
        points;
    size_t last_row;          /* looked at */
    double varies[INIT_KEYS]; /* share of groups, by key of the table */
    double least, most, next_least, next_most;
    size_t at_most,
        summary_line;    /* cells that hold the greatest; of an agent's column the first "Oracle" */
    size_t shares, tens; /* between 0 and 1; above 10 */
    uint64_t *slot;      /* of hashes, to count distinct ones; owned */
    size_t n_slots, longest;
    size_t other_row, other_line,
        percent_line; /* of the first cell that is no number; that has a percent sign; 0: none */
    char other[INIT_EXAMPLE], example[INIT_EXAMPLE];
    int is_numeric, is_scored, is_scorable, is_list, leaks; /* leaks: it is made of the scores */
    size_t
        named_lists; /* of `lists`, whose elements are called by name, or numbers that a name of scores has */
    int is_side, keeps_text; /* "model_a"; table t has its texts */
    int is_used, is_left;    /* it has a role; somebody said that it has none */
};

/* Names that options give. */
struct init_names {
    const char *item[INIT_NAMES];
    size_t n;
    int is_too_long; /* there are more */
};

/* What is known of a table before looking; zero: nothing. Texts are borrowed. */
struct init_known {
    char separator;
    int is_long, is_wide; /* --layout */
    struct init_names context, agent, agents, score, worse, better, leave, covariate;
    const char *tag, *draw, *rater, *winner, *output, *reference, *repeats;
    const double *range; /* of scores, the worse end first */
    int is_log;          /* a table of a log: names that it lacks are another one's */
};

enum init_layout { INIT_LONG, INIT_WIDE, INIT_VOTES };
enum { INIT_NONE = -1, INIT_SINGLE = 8 };

/* A score: of a wide table a pattern of columns. */
struct init_score {
    int column;    /* of a wide table the first agent's */
    int direction; /* 1 or -1 */
    int is_grade;  /* letters */
    double low, high, least, most;
    char pattern[INIT_REST + 8];
};

/* What was decided. Columns are numbers, INIT_NONE: there is none. */
struct init_decision {
    enum init_layout layout;
    int context[2], agent[2]; /* the second is there where only both tell them apart */
    int text, tag, output, cost, rater, reference, draw, success;
    int repeats; /* 1: rows of a pair are draws */
    struct init_score score[INIT_SCORES];
    size_t n_scores;
    int *covariate, *aux; /* columns; owned */
    size_t n_covariates, n_aux;
    char **agents; /* of a wide table; owned */
    size_t n_agents;
    char output_pattern[INIT_REST + 8], cost_pattern[INIT_REST + 8]; /* "": none */
    int model[2], answer[2], winner[4];                              /* of votes */
    size_t n_winners;
    int is_share; /* one winner is a flag of the first */
};

struct sql;
struct sqlite3_stmt;

struct init_table {
    struct sql *sql;
    struct sqlite3_stmt *insert[2]; /* while it is read; NULL: columns have come */
    char key[INIT_KEYS][INIT_KEY]; /* of which struct init_column has `varies`, the next to go, … */
    size_t next_key;
    /* In sql: t(line, c0, c1 ...), the hashes of cells, of few columns their texts, nothing where they say nothing; n(line, v0, v1 ...),
     * their numbers, or what words count. */
    const char *path; /* borrowed, as is the next */
    const struct init_known *known;
    struct init_known given; /* what is known, its lists split at commas: then `known` is this */
    char **piece;            /* of them; owned */
    size_t n_pieces, piece_capacity;
    struct init_words words;
    struct init_column *column; /* owned */
    size_t n_columns, capacity, rows;
    struct names names; /* of the columns */
    int is_json, is_cut, decimal_comma;
    char separator;
    char *
        nest; /* of JSON whose rows are the elements of a list of each record: the path to it; owned */
    struct init_decision is;
    int is_asked;                /* what failed is a question, with … */
    struct regret_buffer offers; /* … "--OPTION\tits words\twhat they say\n" for every answer */
    struct regret_table_options import;
    struct regret_table_report imported;
    size_t costless; /* agents without a cost, where others have some: costs are left out then */
    char *refused;   /* the first row that import refuses; owned; NULL: none */
};

/* Reads a table: JSON where its first character is a brace or a bracket, else CSV. REGRET_E_INPUT: it is none, with its line. */
int init_table_read(struct init_table *out, const char *path, const struct init_known *known);
void init_table_free(struct init_table *t);
/* Of its readers: a column more; then, before cells are put, the statements that take them; the cell of the row at hand in column k,
 * `range` that of a list of numbers or NULL; and the row's end, *full: no more are looked at. */
int init_add_column(struct init_table *t, const char *name);
int init_prepare_insert(struct init_table *t);
int init_put_cell(struct init_table *t, size_t k, const char *text, size_t line,
                  const double *range);
int init_end_row(struct init_table *t, size_t line, int *full);
int init_read_json(struct init_table *t); /* init_json.c */

/* The first row of a query whose texts and numbers are put in by sqlite3_mprintf(): n numbers of it; NaN of NULL. */
int init_ask_numbers(double *out, int n, const struct init_table *t, const char *query, ...);
/* "c1, c2": the columns of a key, INIT_NONE ones passed over. */
void init_key(char out[INIT_KEY], const int *columns, size_t n);
/* Share of the groups by n columns of which one has several values. */
int init_varies(double *out, struct init_table *t, int column, const int *by, size_t n);

static inline const char *init_name(const struct init_table *t, int column)
{
    return t->column[column].name;
}

static inline int init_has_role(const struct init_table *t, int column, unsigned roles)
{
    return !t->column[column].is_left && (t->column[column].said.roles & roles) != 0;
}

/* Not taken yet, not said to be nothing, and to be named in a map. */
int init_is_free(const struct init_table *t, int column);

/* ---- init_decide.c, init_context.c, init_scores.c, init_wide.c, init_votes.c: rules. ---- */

/* The columns that options name, into t->is. */
int init_take_options(struct init_table *t);
/* Cells that no column may have. */
int init_check_cells(struct init_table *t);
/* What the table is, in t->is. REGRET_E_INPUT: a question, with t->offers, or a fault of the file. */
int init_decide(struct init_table *t);
int init_wide(struct init_table *t);
/* *found: 1 where it is one of votes. */
/* 1 of "model_a", "response2". */
int init_has_side(const char *name);
int init_votes(int *found, struct init_table *t);
/* *repeats: rows of a context (and an agent) come several times. */
int init_find_context(int *repeats, struct init_table *t);
int init_find_repeats(struct init_table *t);
/* Of a long table, into t->is.score. */
int init_take_scores(struct init_table *t);
/* Fails for the first cell of a column of scores that is none. */
int init_fail_cell(const struct init_table *t, int k);
/* A score in these columns, one or of every agent one, which the pattern names. */
int init_add_score(struct init_table *t, const int *columns, size_t n, const char *pattern);
/* Texts, tags, outputs, costs, covariates and labels: what is left once contexts, agents and scores are known. */
int init_take_rest(struct init_table *t);
int init_has_name(const struct init_names *names, const char *name);
/* -1: there is none. */
int init_column_at(const struct init_table *t, const char *name);

/* ---- init_ask.c: questions. ---- */

/* An option that settles the question that comes next, of one value, two (NULL: there is no second) or more, and what it says. */
void init_offer(struct init_table *t, const char *what, const char *option, const char *first,
                const char *second);
void init_offer_list(struct init_table *t, const char *what, const char *option,
                     const char *const *items, size_t n);
/* --agents of the columns that might be agents'; how many, at least two or none. */
size_t init_offer_agents(struct init_table *t);
/* --agent of columns that might name them. */
void init_offer_agent(struct init_table *t);
int init_question(struct init_table *t, const char *format, ...) REGRET_PRINTF(2, 3);
/* Appends " --NAME a,b", quoted for a shell; of a name with a comma an option each. */
void init_option(struct regret_buffer *out, const char *name, const char *const *items, size_t n);
/* Appends the command as it was given, without an option that is to be given anew. */
typedef void init_command(struct regret_buffer *out, void *context, const char *without);
/* The columns, what each could be, and the commands that settle it. */
void init_question_print(struct regret_buffer *out, const struct init_table *t,
                         init_command *command, void *context);

/* ---- init_write.c: the map. ---- */

void init_map(struct regret_buffer *out, const struct init_table *t, const char *name);
void init_config(struct regret_buffer *out, const struct init_table *t);
/* Imports by that map into memory (where t->import.into is set, that gets the pool), adding the options without which import would refuse it: --drop-unscored, then --skip-bad. */
int init_try(struct init_table *t, const char *map_path);
/* Begins a folder of files that join others; without `force` those of somebody who has repaired a map are kept. */
int init_begin(struct regret_staging *staging, const char *folder, int force);
/* Writes map.json and config.json of a table that is decided, once its import by the map was tried. */
int init_write(struct init_table *t, const char *folder, int force);
void init_options(struct regret_buffer *out, const struct init_table *t);
/* What the columns were taken for and what is left out; of a map that was written what it means, too. */
void init_explain(struct regret_buffer *out, const struct init_table *t, int is_written);

#endif
