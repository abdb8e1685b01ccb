/* W where rows lack it: predicted by a classifier, and effects that rest on it corrected by the labelled rows.
 *
 * Offers: regret_rate_predict_w(), regret_rate_correct_w() (regret/rate.h); the classifiers (classifier.h,
 * label_ridge.h) and one corrected effect (corrected.h) for checks and studies.
 * Way: classifier.c reads the name of a classifier → predict.c labels the rows by a threshold, or by label_ridge.c fitted
 * on their group's texts → after estimation corrected_rows.c gathers labelled and predicted rows → corrected.c weighs
 * them by prediction-powered inference.
 * Uses: base/core, base/text, linalg/dense, rate/estimate, rate/rows, stats, text/words.
 */
#ifndef REGRET_RATE_LABELS_ROOM_H
#define REGRET_RATE_LABELS_ROOM_H

#include "rate/labels/classifier.h"
#include "rate/labels/corrected.h"
#include "rate/labels/label_ridge.h"

#endif
