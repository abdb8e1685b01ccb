/* What the sources of this folder share. */
#ifndef LOG_INTERNAL_H
#define LOG_INTERNAL_H

#include <stddef.h>
#include <stdint.h>

#include "base/names.h"
#include "import/scales.h"
#include "log/config.h"
#include "log/log.h"
#include "regret/buffer.h"
#include "regret/evaluate.h"

struct log_reading;

/* ---- doubts.c: what is doubtful or lost. ---- */

/* What could not be used: every kind of it counted, however many rows there are. */

enum log_loss {
    LOG_LOSS_NONE,
    LOG_LOSS_MALFORMED, /* no record, or bytes that are no text */
    LOG_LOSS_CONTEXT,
    LOG_LOSS_AGENT,
    LOG_LOSS_AGENT_LONG,
    LOG_LOSS_OUTCOME_BLANK,
    LOG_LOSS_OUTCOME_TEXT,
    LOG_LOSS_OUTCOME_WORD, /* on a scale of numbers */
    LOG_LOSS_OUTCOME_RANGE,
    LOG_LOSS_OUTCOME_COUNT,
    LOG_LOSS_CHANCE_BLANK,
    LOG_LOSS_CHANCE_TEXT,
    LOG_LOSS_CHANCE_ZERO, /* or below */
    LOG_LOSS_CHANCE_ABOVE,
    LOG_LOSS_SLATE,
    LOG_LOSS_SLATE_AGENT,
    LOG_LOSS_SLATE_SUM,
    LOG_LOSS_CONTEXT_SUM,
    LOG_LOSSES
};

struct log_tally {
    size_t n;
    uint64_t line;     /* the first, */
    char example[256]; /* and what stands there; of LOG_LOSS_MALFORMED the message */
};

/* Counts one more; `example` may be NULL. */
void log_lose(struct log_tally tally[LOG_LOSSES], enum log_loss why, uint64_t line,
              const char *example);
size_t log_losses(const struct log_tally tally[LOG_LOSSES]);

/* Writes those of a source behind log->loss. */
int log_losses_tell(struct regret_log *log, const struct log_config *config,
                    enum regret_log_source source, const struct log_tally tally[LOG_LOSSES]);
/* REGRET_E_INPUT where more than half of the rows of a table are lost, or none is left: what is left of it then says little
 * about what it holds. The message has the most frequent reason, its first line and what to do. */
int log_losses_check(const struct log_config *config, enum log_input_of input,
                     const struct log_tally tally[LOG_LOSSES], size_t used);

/* Appends to log->note. */
int log_note(struct regret_log *log, const char *format, ...) REGRET_PRINTF(2, 3);

/* REGRET_E_INPUT: one table is given as both OBS and EXP. */
int log_check_files(const struct log_config *config);
/* REGRET_E_INPUT: there is one agent only, a trial has one only, or OBS and EXP have none in common. */
int log_check_agents(struct log_reading *r);
/* Leaves out the EXP rows of contexts whose probabilities cannot be: those of different agents sum to more than one, or
 * those of all agents to less. */
int log_check_sums(struct log_reading *r);
/* Appends what should be known to log->note. */
int log_tell_doubts(struct log_reading *r);

/* ---- cells.c: what rows of tables say. ---- */

/* The least probability: rows weigh by one over it and its square. */
#define LOG_LEAST_CHANCE 1e-100

struct log_slate {
    size_t n;      /* agents on offer */
    double chance; /* of the agent asked about; NaN: the slate has no probabilities */
    uint64_t
        key; /* the same of slates with the same agents and probabilities, in whatever order … */
    uint64_t offer;                       /* … and with the same agents */
    uint64_t name[REGRET_LOG_MAX_AGENTS]; /* [n] hashes of their names */
};

enum { LOG_AGENT_BYTES = 200, LOG_ID = 64 /* bytes of an id that is made, not given */ };

struct fields;

/* A table of a log, and what one row of it says. */
struct log_table {
    const struct log_config *config; /* borrowed */
    enum log_input_of which;
    const struct log_input *input;
    struct fields *fields; /* owned */
    int rc;         /* other than REGRET_OK after want of memory, which log_table_next() hands on */
    size_t ordinal; /* records so far, those that cannot be read among them */
    uint64_t line;  /* of the record at hand */
    int is_record;  /* 0: what stands there is none, and the thread's message says why */
    char id[LOG_ID];
    struct log_slate slate; /* of the row at hand, where one is named */
};

/* Close it even on failure. */
int log_table_open(struct log_table *t, const struct log_config *config, enum log_input_of which);
void log_table_close(struct log_table *t);
/* The next record, good or bad; *more is 0 at the end. */
int log_table_next(struct log_table *t, int *more);
/* Sets decimal_comma of the input: outcomes of the first records have commas for points, none has a point, and not all may
 * be thousands (1,200). */
int log_table_find_commas(struct log_config *config, enum log_input_of which);

/* A field as text, borrowed until the next call; "" where it is not named, absent or null, and NULL where it cannot be read: then the
 * thread's message says why. The request and the answer may be conversations. */
const char *log_table_text(struct log_table *t, size_t field);
/* The id of the context of the record at hand: as given; of a table without ids 16 figures that its text has; of one
 * without texts "obs:7", for then each row is of its own. NULL where there is none. Borrowed until the next call. */
const char *log_table_context(struct log_table *t, enum log_loss *why);

/* Blank, or what says that there is none. */
int log_is_none(const char *text);
/* table_source_parse(), or with the input's decimal_comma a number with one. */
int log_number_parse(double *out, const struct log_input *input, const char *text);
/* Seconds since 1970 (UTC): ISO 8601 ("2026-03-01T12:30:05.25+01:00", a blank for the T, a date alone; without a zone
 * UTC), or a number of seconds, from 1e11 on of milliseconds, from 1e14 on of microseconds, from 1e17 on of nanoseconds.
 * 0 where the text is none. */
int log_time_parse(double *out, const char *text);

/* What a row of OBS or EXP says beside its texts. */
struct log_row {
    uint64_t context; /* hash of its id */
    char agent[LOG_AGENT_BYTES + 1];
    double outcome; /* as given */
    int is_word;
    double chance; /* NaN: not said */
};
/* Reads it; LOG_LOSS_NONE where it can be used, else *example, NULL or what stands there, borrowed until the next call. */
enum log_loss log_row_read(struct log_row *out, const char **example, struct log_table *t);

/* ---- overlap.c: where agents were seen. ---- */

/* Sets log->hole and takes agents off the offers of OBS there; of a log with a trial nothing, for its values rest on that. A part of
 * the rows is a hole of an agent where its share of all rows would give it 20, and it has no more than a twentieth of that, and of the part a
 * hundredth [C] (overlap: Crump, Hotz, Imbens and Mitnik, Biometrika 96, 2009, 187-199). Parts are levels of a tag, of a covariate of
 * words or of a word of the text, and ranges of a number or of the text's length, alone and within halves and levels of another. `tag` is
 * what tags are called. */
int log_find_overlap(struct regret_log *log, const char *tag);

/* ---- guess_rows.c: what rows tell a guess. ---- */

struct log_guess;
/* Takes for the cluster what the rows of the trial show to be assigned as one. */
int log_guess_unit(struct log_guess *guess);
/* Takes the columns of outputs that are called by agents of OBS or EXP. */
int log_guess_wide(struct log_guess *guess);

/* ---- read.c: rows of a log. ---- */

/* What a log names: agents, tags and words of covariates (struct names), put into their order, and ids of contexts and clusters, of which
 * only a hash is kept (struct log_keys). */

/* Hands the texts over in natural order, [n] at *out, to be freed each; *rank, to be freed, has the place of each number in
 * it. The names are empty then. */
int log_names_rank(char ***out, uint32_t **rank, struct names *names);

/* Row `from` is row `to` then. */
void log_rows_move(struct regret_log_rows *rows, size_t to, size_t from);

/* A log that is being read, step by step. */

/* What one table came to when it was first gone through. */
struct log_pass {
    size_t capacity; /* of the rows */
    struct log_tally tally[LOG_LOSSES];
    size_t without_chance; /* rows whose probability is not known, … */
    size_t stated_chances; /* … and those of which the table tells it */
    size_t without_cluster, bad_times, bad_costs, without_slate;
    uint64_t slate_line;                    /* the first without one */
    uint64_t bad_time_line, backwards_line; /* the first; 0: none */
    size_t backwards;                       /* rows before the one before them */
    char bad_time[48];
    double least, most;        /* of the outcomes; from infinity down where there is none */
    int has_words, has_others; /* outcomes that are words, and numbers other than 0 and 1 … */
    uint64_t word_line, other_line; /* … and the first of them */
    unsigned char *agents;          /* [REGRET_LOG_MAX_AGENTS] 1: it is here; owned */
    size_t n_contexts;              /* of the log when the table was read */
};

/* An agent on an offer. */
struct log_member {
    uint64_t name; /* a hash */
    uint32_t offer;
};

struct log_reading {
    struct log_config config;
    struct regret_log *log; /* owned until it is handed out */
    struct log_pass pass[LOG_INPUTS];
    struct numbers seen; /* outcomes of both tables */
    struct log_keys contexts, clusters, slates, offers,
        requests;              /* the last: contexts of outputs */
    struct log_member *member; /* of all offers; owned */
    size_t n_members, member_capacity;
    size_t everybody; /* the offer of rows whose slate is blank, and one; 0: there are none */
    int has_clusters; /* 1: a table names them; 0: they are the contexts, and `clusters` is empty */
    struct names agents, tags;
    uint32_t *
        tag; /* of each context, the number of its tag + 1; 0, or behind tag_capacity: none so far; owned */
    size_t tag_capacity;
    size_t tag_conflicts;
    double *cost;   /* [REGRET_LOG_MAX_AGENTS] sums, and … */
    size_t *costs;  /* … numbers of rows; owned; NULL: no column of costs */
    uint32_t *rank; /* of agents by number, the index in the log; owned; set by log_settle() */
    uint64_t *kept; /* [log->n_kept] hashes of the ids of contexts; owned; set by log_draw() */
};
/* Outcomes become shares of their range, agents are ordered; what has no meaning as a whole is refused, what a reader
 * should know is noted. */
int log_settle(struct log_reading *r);
/* The number of what a slate offers, a new one where it is new. */
int log_offer_enter(uint32_t *out, struct log_reading *r, const struct log_slate *slate);
/* Goes through the tables again, for the ids, texts and covariates of contexts that are kept and the outputs. */
int log_texts_read(struct log_reading *r);

#endif
