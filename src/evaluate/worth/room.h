/* What agents and policies are worth, with intervals for new requests (protocol §13).
 *
 * Offers: evaluation_fill() (values.h), difference_set_interval(), tails_of() (worth.h).
 * Way: values.c has a log laid out and fitted → worth.c values an agent or a policy by clusters, direct.c knows what DM misses,
 * simultaneous.c how wide intervals for all agents are → policy_values.c values policies and tags, margins.c groups requests and
 * advises, losses.c compares families.
 * Uses: base/core, base/text, evaluate/estimate, evaluate/material, log/core, stats, value.
 */
#ifndef REGRET_EVALUATE_WORTH_ROOM_H
#define REGRET_EVALUATE_WORTH_ROOM_H

#include "evaluate/worth/values.h"
#include "evaluate/worth/worth.h"

#endif
