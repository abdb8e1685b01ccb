/* What is wrong with a log as a whole, and what its reader should know. Internal to the room. */
#ifndef REGRET_LOG_READ_DOUBTS_H
#define REGRET_LOG_READ_DOUBTS_H

#include "log/read/reading.h"

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
