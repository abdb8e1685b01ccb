/* The parts of the page of a run, in their order: every table and figure names its own. */
#ifndef REGRET_REPORT_PARTS_H
#define REGRET_REPORT_PARTS_H

enum report_part {
    PART_ANSWER, /* what is seen first, and is made by the page itself */
    PART_TAGS,
    PART_REQUESTS,
    PART_FAMILIES,
    PART_SWEEP,
    PART_VALUES,
    PART_DIAGNOSTICS,
    PART_RUN,
    N_PARTS
};

/* Where what names no part stands. */
static inline enum report_part part_or_default(enum report_part part)
{
    return part == PART_ANSWER ? PART_DIAGNOSTICS : part;
}

#endif
