/* Text in memory: built piece by piece, checked to be UTF-8, made safe for a terminal or fit for Markdown, HTML,
 * LaTeX, CSV and shells, wrapped; names, and the known one that a wrong one is nearest to.
 *
 * Offers: struct regret_buffer, regret_utf8_valid(), markdown_escape() and the like, name_nearest(), name_unknown(), name_twins(),
 * path_last(), path_beside(), text_wrap(), text_take(), json_list(), spans.
 * Way: buffer.c gathers the bytes → escape.c, safe_text.c and utf8.c append what they make of a text to it.
 * Uses: base/core.
 */
#ifndef REGRET_BASE_TEXT_ROOM_H
#define REGRET_BASE_TEXT_ROOM_H

#include "base/text/escape.h"
#include "base/text/json_list.h"
#include "base/text/name.h"
#include "base/text/path.h"
#include "base/text/spans.h"
#include "base/text/take.h"
#include "base/text/wrap.h"
#include "regret/buffer.h"
#include "regret/span.h"

#endif
