/* What every importer does with the rows of its source: fit ids, repeats as draws, natural order, mean costs, bad
 * rows that are counted and named; scores made of texts by formula; and what `regret import NAME` is made of.
 *
 * Offers: struct import_builder, struct importer, importer_report_counts(), summary_scores_derive(), made_scores_derive(), practice_config(),
 * kept_config_write(), winner_of().
 * Way: rows → builder.c enters contexts and agents, settles repeats, numbers draws → summary_scores.c adds what
 * texts tell, made_scores.c what they and references (references.c) do → import_build() makes struct regret_pool, provenance.c says of which
 * files, import_finish() writes it;
 * practice.c writes a configuration to begin with, kept_config.c spares one that was edited; vote_winner.c knows the words of votes.
 * Uses: base/core, base/files, base/json, base/text, pool/files, text/features, text/metrics, text/words.
 */
#ifndef REGRET_IMPORT_BUILD_ROOM_H
#define REGRET_IMPORT_BUILD_ROOM_H

#include "import/build/builder.h"
#include "import/build/importer.h"
#include "import/build/kept_config.h"
#include "import/build/made_scores.h"
#include "import/build/natural_order.h"
#include "import/build/practice.h"
#include "import/build/provenance.h"
#include "import/build/references.h"
#include "import/build/summary_scores.h"
#include "import/build/vote_winner.h"
#include "regret/import.h"

#endif
