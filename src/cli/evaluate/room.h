/* The commands about a real log and a real trial.
 *
 * Offers: cmd_evaluate.
 * Way: evaluate.json → regret_log_read() → regret_evaluate() → a screen or result.json, and a folder.
 * Uses: base/core, base/files, cli/terminal, evaluate, evaluate/answer, evaluate/core, linalg/dense, log/core,
 * log/read.
 */
#ifndef REGRET_CLI_EVALUATE_ROOM_H
#define REGRET_CLI_EVALUATE_ROOM_H

#endif
