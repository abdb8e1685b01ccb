/* What the sources of this folder share. */
#ifndef LOG_INTERNAL_H
#define LOG_INTERNAL_H

#include <stddef.h>
#include <stdint.h>

#include "base/names.h"
#include "log/config.h"
#include "log/doubts.h"
#include "regret/evaluate.h"

/* ---- read.c: rows of a log. ---- */

#endif
