/* The parts of the page of a run, in their order: every table and figure names its own. */
#ifndef REGRET_REPORT_PARTS_H
#define REGRET_REPORT_PARTS_H

enum report_part {
    PART_ANSWER, /* what is seen first */
    PART_TAGS,
    PART_REQUESTS,
    PART_FAMILIES,
    PART_SWEEP,
    PART_VALUES,
    PART_DIAGNOSTICS,
    PART_CLAIMS,
    PART_RUN,
    N_PARTS
};

#endif
