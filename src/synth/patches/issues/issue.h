/* An issue: a project with a seeded fault, what a user writes about it, and the hidden tests. */
#ifndef REGRET_SYNTH_PATCHES_ISSUES_ISSUE_H
#define REGRET_SYNTH_PATCHES_ISSUES_ISSUE_H

#include "regret/rng.h"
#include "synth/patches/issues/corpus.h"
#include "synth/patches/issues/mutation.h"

enum { PATCHES_TESTS = 24, PATCHES_CALL_BYTES = 160, PATCHES_RESULT_BYTES = 200 };

/* A call, what the right program returns and what the faulty one does (a value or an error). */
struct patches_test {
    char call[PATCHES_CALL_BYTES];
    char expected[PATCHES_RESULT_BYTES];
    char actual[PATCHES_RESULT_BYTES];
    int actual_raised;
    int passes; /* on the faulty program */
};

/* How much the issue gives away. */
enum patches_naming {
    PATCHES_VAGUE,   /* a result in prose */
    PATCHES_CALLED,  /* a call of the function */
    PATCHES_LOCATED, /* and the file */
    PATCHES_HINTED,  /* and a guess at the cause */
    PATCHES_NAMINGS
};

struct patches_issue {
    const struct patches_corpus *corpus; /* what it is made of */
    uint64_t seed, index;
    const struct patches_project *project;
    const struct patches_function *function; /* what the user calls */
    struct patches_repository right, faulty;
    struct patches_edit fault;        /* of the right program */
    char lost[2][PATCHES_LINE_BYTES]; /* the right lines that the fault replaced, as they are */
    size_t n_lost;
    char fault_function[PATCHES_LINE_BYTES]; /* where the fault is */
    int elsewhere; /* 1: in another function than the one the user calls */
    struct patches_test tests[PATCHES_TESTS];
    size_t example, counterexample; /* a test that fails and one that passes, told in the issue */
    enum patches_naming naming;
    struct regret_buffer text;
};

/* Issue `index` of the world `seed`, into one with its corpus, zeroed else or to be replaced. */
int patches_issue_make(struct patches_issue *issue, uint64_t seed, uint64_t index);
void patches_issue_clear(struct patches_issue *issue);

/* issue_text.c: writes issue->text. */
int patches_issue_write(struct patches_issue *issue, struct regret_rng *rng);

/* Streams of REGRET_RNG_PATCHES: of an agent's grasp of an issue, of an output. */
struct regret_rng patches_stream_grasp(uint64_t seed, uint64_t issue, size_t agent);
struct regret_rng patches_stream_output(uint64_t seed, uint64_t issue, size_t agent, uint32_t draw);

/* judge.c. 1 in *success when the program passes every hidden test. A program that does not parse fails. */
int patches_judge(int *success, const struct patches_issue *issue,
                  const struct patches_repository *repository);
/* The same from the text of the diff: applied to the faulty program. REGRET_E_INPUT when it does
 * not apply. The empty patch changes nothing. */
int patches_judge_diff(int *success, const struct patches_issue *issue, const char *diff);
/* Does the program pass the example told in the issue? */
int patches_try_example(int *passes, const struct patches_issue *issue,
                        const struct patches_repository *repository);

#endif
