/* The commands that make pools and tell of them.
 *
 * Offers: cmd_pool, cmd_import, cmd_init.
 * Way: a table of one's own → cmd_init.c guesses its map (init_log.c: of a log and a trial, evaluate.json) → cmd_import.c makes a pool → cmd_pool.c lists, checks and
 * shows it (pool_json.c: for programs; cmd_pool_votes.c: strengths by votes; cmd_pool_agreement.c: raters; cmd_pool_join.c: joined and cut; step_date.c: when); cmd_pool_synth.c has one generated.
 * Uses: base/core, base/files, base/text, cli/terminal, import, import/build, import/guess, log/guess, pool/agreement, pool/files, pool/join,
 * pool/statistics, pool/votes, report/render, task/generator, value/strength.
 */
#ifndef REGRET_CLI_POOLS_ROOM_H
#define REGRET_CLI_POOLS_ROOM_H

#endif
