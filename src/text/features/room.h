/* From tokens to the numbers that estimators use: hashed features φ(x, m), statistics of outputs, TF-IDF and the
 * embedding of contexts.
 *
 * Offers: regret_features_build() and regret_feature_blocks(), features_build_parts(), regret_text_statistics(),
 * regret_tfidf_*, regret_embed_texts(), own_columns_make().
 * Way: feature_blocks.c lays out the columns of φ, features.c puts keys of words and patches, agents, tags and
 * covariates of contexts into them, statistics.c measures the outputs →
 * tfidf.c weighs term counts by a sample → embedding.c takes the leading singular vectors of these, own_columns.c those of covariates.
 * Uses: base/core, linalg/dense, linalg/sparse, linalg/spectrum, text/patch, text/words.
 */
#ifndef REGRET_TEXT_FEATURES_ROOM_H
#define REGRET_TEXT_FEATURES_ROOM_H

#include "regret/tfidf.h"
#include "text/features/features.h"
#include "text/features/own_columns.h"

#endif
