/* What of a log is doubtful or lost. */
#ifndef LOG_DOUBTS_H
#define LOG_DOUBTS_H

#include <stddef.h>
#include <stdint.h>

#include "log/config.h"
#include "regret/evaluate.h"

struct log_reading;

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

/* What is wrong with a log as a whole, and what its reader should know. Internal to the room. */

/* REGRET_E_INPUT: one table is given as both OBS and EXP. */
int log_check_files(const struct log_config *config);
/* REGRET_E_INPUT: there is one agent only, a trial has one only, or OBS and EXP have none in common. */
int log_check_agents(struct log_reading *r);
/* Leaves out the EXP rows of contexts whose probabilities cannot be: those of different agents sum to more than one, or
 * those of all agents to less. */
int log_check_sums(struct log_reading *r);
/* Appends what should be known to log->note. */
int log_tell_doubts(struct log_reading *r);

#endif
