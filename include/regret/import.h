/* Importers: public data sets become task pools. */
#ifndef REGRET_IMPORT_H
#define REGRET_IMPORT_H

#include <stddef.h>

#include "regret/status.h"

struct regret_import_options {
    const char *name;  /* of the pool; NULL: the importer's own */
    int drop_unscored; /* 1: records without all their scores are left out and counted; 0: they are
                          errors */
};
#define REGRET_IMPORT_OPTIONS_INIT                                                                 \
    {                                                                                              \
        NULL, 0                                                                                    \
    }

/* What an import made. */
struct regret_import_report {
    size_t contexts, agents, outputs;
    size_t dropped; /* records left out by drop_unscored */
};

/* SummEval's expert judgements (Fabbri, Kryściński, McCann, Xiong, Socher and Radev, TACL 2021,
 * doi:10.1162/tacl_a_00373) in the layout of G-Eval (Liu et al., EMNLP 2023,
 * doi:10.18653/v1/2023.emnlp-main.153): one JSON array of records {doc_id, system_id, source,
 * reference, system_output, scores{coherence, consistency, fluency, relevance}}, scores being means
 * of experts on 1 to 5. Other keys are passed over. Writes a pool (regret_pool_write()):
 *
 * contexts      one a doc_id in order of first appearance; the text is the source
 * agents        one a system_id in natural order (M2 before M10); cost = mean tokens of its outputs
 * components    all from 1 to 5, so that q = (score − 1)/4:
 *   faithfulness = consistency      coverage = relevance     clarity = (coherence + fluency)/2
 *   conciseness  = 1 + 4·L·(1 − ρ), made by formula, not judged [C], to four decimals:
 *                  L = clip((3 − n/r)/2, 0, 1) for n tokens where the reference has r (a source's
 *                  tokens / 8 where there is no reference): 1 up to the reference's length, 0 from
 *                  three times that; 0 for an output without tokens. ρ is the share of repeated
 *                  trigrams, 1 − distinct trigrams / trigrams.
 * counts        unsupported_claims = round(5 − consistency)
 * aux           the columns of regret_text_statistics()
 *
 * `options` may be NULL; `report` may be NULL. With `replace` a pool at `pool_path` is replaced.
 * REGRET_E_INPUT names the record by its index in the array (from 0) and the field; a (doc_id,
 * system_id) given twice and a doc_id with two sources are errors. */
REGRET_API int regret_import_summeval(struct regret_import_report *report, const char *json_path,
                                      const char *pool_path,
                                      const struct regret_import_options *options, int replace);

#endif
