/* W where rows lack it: predicted by a classifier.
 *
 * Offers: regret_rate_predict_w() (regret/rate.h); the classifiers (classifier.h, label_ridge.h) for checks.
 * Way: classifier.c reads the name of a classifier → predict.c labels the rows by a threshold, or by label_ridge.c fitted
 * on their group's texts.
 * Uses: base/core, base/text, linalg/dense, rate/estimate, rate/rows, text/words.
 */
#ifndef REGRET_RATE_LABELS_ROOM_H
#define REGRET_RATE_LABELS_ROOM_H

#include "rate/labels/classifier.h"
#include "rate/labels/label_ridge.h"

#endif
