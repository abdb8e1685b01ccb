/* The proxy z of every pair: labels, text statistics and TF-IDF components, or labels that are predicted.
 *
 * Offers: regret_proxy_fit(), regret_proxy_rescale() and their options (regret/proxy.h).
 * Way: proxy_scale.c puts labels on one scale by the OBS rows → proxy.c reduces them with the texts by PCA, or
 * predicts them from φ.
 * Uses: base/core, linalg/dense, linalg/ridge, linalg/spectrum, text/features.
 */
#ifndef REGRET_ESTIMATE_PROXY_ROOM_H
#define REGRET_ESTIMATE_PROXY_ROOM_H

#include "regret/proxy.h"

#endif
