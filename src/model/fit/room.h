/* Fitting a model of new requests to the scores of a grid, and judging it on contexts left out.
 *
 * Offers: regret_model_fit().
 * Way: design.c makes z(x) of tags, own columns and words → smooth.c is the ridge of some contexts at every penalty, with what each
 * would be without itself → contrast.c fits what is the agents' own, and what they share, to a grid with or without
 * holes → rules.c leaves contexts out and decides what the contrasts go by → widths.c measures how far the answers
 * miss → fit.c writes it all down as rows.
 * Uses: base/core, base/text, linalg/dense, linalg/sparse, linalg/spectrum, model/core, stats, task/draw, task/reward, value/strength.
 */
#ifndef REGRET_MODEL_FIT_ROOM_H
#define REGRET_MODEL_FIT_ROOM_H

#endif
