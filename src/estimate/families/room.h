/* The estimators of protocol §5, one file each: name, summary, roles, hyper-parameters with their presets, fit and
 * work.
 *
 * Offers: one struct regret_family a file, which the list in estimate/families.c names; nobody else does.
 * Way: a fit takes what families share from a session (estimate/fit), lists its candidates and their losses,
 * settles for one and writes predictions; grounded.c also holds the correction that grounded_linear.c and
 * grounded_anchored.c start from.
 * Uses: base/core, estimate/fit, linalg/design, linalg/ridge.
 */
#ifndef REGRET_ESTIMATE_FAMILIES_ROOM_H
#define REGRET_ESTIMATE_FAMILIES_ROOM_H

#endif
