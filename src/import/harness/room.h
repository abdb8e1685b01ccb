/* The common ground of evaluation harnesses' importers: what is one request, what a failed answer, two runs, two versions, which metric
 * counts which way; said once, in docs/guide.md, and held by all.
 *
 * Offers: struct harness: harness_begin(), harness_metric(), harness_add(), harness_tell(), harness_finish(); HARNESS_OPTIONS; harness_lines().
 * Way: a reader adds answers → files.c keeps which files there are and what is left out, answers.c finds requests, agents and runs and keeps answers → choices.c refuses patterns that match nothing → metrics.c chooses the
 * metrics and their ranges → settle.c leaves out, settles runs and fills the builder → report.c says so, in the card, too; lines.c reads files of samples on all threads.
 * Uses: base/archive, base/core, base/files, base/json, base/text, import/build, import/profile, pool/files, text/metrics.
 */
#ifndef REGRET_IMPORT_HARNESS_ROOM_H
#define REGRET_IMPORT_HARNESS_ROOM_H

#include "import/harness/harness.h"
#include "import/harness/lines.h"

#endif
