/* What the sources of this folder share. */
#ifndef RATE_INTERNAL_H
#define RATE_INTERNAL_H

#include <stddef.h>
#include <stdint.h>

#include "rate/intern.h"
#include "rate/row.h"
#include "regret/rate.h"
#include "stats/limits.h"

/* ---- read.c: rows of RATE from JSON. ---- */

#endif
