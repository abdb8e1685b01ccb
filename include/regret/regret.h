/* The whole library. Programs that need one part of it include that part's header alone. */
#ifndef REGRET_H
#define REGRET_H

#include "regret/buffer.h"
#include "regret/design.h"
#include "regret/estimate.h"
#include "regret/evaluate.h"
#include "regret/experiment.h"
#include "regret/pool.h"
#include "regret/rate.h"
#include "regret/report.h"
#include "regret/results.h"
#include "regret/status.h"
#include "regret/synth.h"
#include "regret/task.h"
#include "regret/text.h"

#endif
