/* News of known facts: the corpus, and an article that is drawn from it.
 *
 * Offers: struct newswire_corpus, newswire_article_make(), templates, tokens, the two difficulties, how far apart scores lie.
 * Way: corpus.c reads data/synth/newswire → values.c draws names, places and numbers → grammar.c fills templates →
 * article.c tells the facts → tokens.c splits it into words for those that count them.
 * Uses: base/core, base/json, base/text, pool/spread, synth/data.
 */
#ifndef REGRET_SYNTH_NEWSWIRE_ARTICLE_ROOM_H
#define REGRET_SYNTH_NEWSWIRE_ARTICLE_ROOM_H

#include "synth/newswire/article/article.h"

#endif
