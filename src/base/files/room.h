/* Files and folders: bounded reads of regular files, pipes and standard input; writes that appear whole or not at
 * all; output folders that are built out of sight and put into place in one step.
 *
 * Offers: regret_file_read() and regret_file_write(), input_open(), unpack_open(), output_open(), struct regret_staging,
 * folder_list_read(), regret_digest_file(), text_store_add(), memory_left().
 * Way: input.c opens what is read, unpack.c unpacks what is compressed (gunzip.c: by gzip), output.c opens what is written → file.c reads and writes whole files over both →
 * staging.c puts whole folders into place.
 * Uses: base/core, base/text.
 */
#ifndef REGRET_BASE_FILES_ROOM_H
#define REGRET_BASE_FILES_ROOM_H

#include "base/files/folder_list.h"
#include "base/files/input.h"
#include "base/files/memory_left.h"
#include "base/files/output.h"
#include "base/files/text_store.h"
#include "base/files/unpack.h"
#include "regret/file.h"

#endif
