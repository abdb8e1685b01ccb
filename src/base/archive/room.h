/* Folders, archives and compressed files as a sequence of named members, none of them trusted.
 *
 * Offers: struct source: source_open(), source_next(), source_text(), source_json(), source_jsonl(); source_listen(), source_each(), source_part(), source_one_folder().
 * Way: walk.c goes through folders and says which file comes next → source.c opens it through libarchive, checks the members'
 * names and kinds and hands out their bytes, of which base/json makes lines and documents.
 * Uses: base/core, base/files, base/json, base/text.
 */
#ifndef REGRET_BASE_ARCHIVE_ROOM_H
#define REGRET_BASE_ARCHIVE_ROOM_H

#include "base/archive/each.h"
#include "base/archive/source.h"

#endif
