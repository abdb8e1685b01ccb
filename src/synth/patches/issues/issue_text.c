/* What a user writes about the fault. Calls and results are those of the programs. */
#include <string.h>

#include "synth/patches/issues/issue.h"

static const char *pick(struct regret_rng *rng, const char *const *from, uint32_t n)
{
    return from[regret_rng_below(rng, n)];
}

#define PICK(rng, from) pick(rng, from, (uint32_t)(sizeof(from) / sizeof(from)[0]))

static size_t items_of(const char *list)
{
    size_t n = strcmp(list, "[]") != 0;
    int depth = 0;
    for (const char *at = list; *at != '\0'; at++) {
        depth += *at == '[';
        depth -= *at == ']';
        n += *at == ',' && depth == 1;
    }
    return n;
}

/* What is the matter, in few words, told by the two results. */
static const char *symptom(const struct patches_test *test)
{
    const char *right = test->expected, *wrong = test->actual;
    int number = strspn(right, "-0123456789") == strlen(right) &&
                 strspn(wrong, "-0123456789") == strlen(wrong);
    if (test->actual_raised) {
        return strncmp(wrong, "TimeoutError", 12) == 0 ? "never comes back" : "crashes";
    }
    if (strcmp(wrong, "None") == 0) {
        return "is missing";
    }
    if (number) {
        size_t n = strlen(right), m = strlen(wrong);
        int minus = *right == '-', other = *wrong == '-';
        int larger = minus != other ? minus : m != n ? m > n : strcmp(wrong, right) > 0;
        return (larger != 0) != (minus && other) ? "is too high" : "is too low";
    }
    if (*right == '[' && *wrong == '[') {
        size_t n = items_of(right), m = items_of(wrong);
        return m < n ? "has entries missing" : m > n ? "has too many entries" : "has wrong entries";
    }
    if (strcmp(right, "True") == 0 || strcmp(right, "False") == 0) {
        return strcmp(wrong, "True") == 0 ? "says yes where it should say no"
                                          : "says no where it should say yes";
    }
    if (*right == '\'' && strlen(wrong) != strlen(right)) {
        return strlen(wrong) < strlen(right) ? "is cut short" : "is too long";
    }
    return "comes out wrong";
}

static void title(struct regret_buffer *t, struct regret_rng *rng,
                  const struct patches_issue *issue)
{
    static const char *const vague[] = {"", "Wrong result: ", "Bug: ", "Since the update: "};
    const struct patches_test *test = &issue->tests[issue->example];
    const char *front = PICK(rng, vague);
    if (issue->naming == PATCHES_VAGUE || regret_rng_below(rng, 2) == 0) {
        size_t at = t->length;
        regret_buffer_printf(t, "%s%s %s\n\n", front, issue->function->noun, symptom(test));
        if (t->status == REGRET_OK && *front == '\0') {
            t->data[at] = (char)(t->data[at] - 'a' + 'A');
        }
        return;
    }
    regret_buffer_printf(t, "%s() of %s: %s %s\n\n", issue->function->name, issue->project->name,
                         issue->function->noun, symptom(test));
}

static void opening(struct regret_buffer *t, struct regret_rng *rng,
                    const struct patches_issue *issue)
{
    static const char *const lines[] = {
        "I have been using this package for a while and noticed something odd today.",
        "Thanks for the project! We found this while checking our own figures.",
        "Not sure whether I am holding it wrong, but this looks like a bug to me.",
        "This broke one of our nightly jobs.",
        "A colleague reported this and I could reproduce it on a clean checkout.",
        "Hi, a short report.",
        "We compared some results with those worked out by hand and they disagree.",
        "I could not find an older report about this.",
    };
    regret_buffer_printf(t, "%s %c%s %s in some cases.\n", PICK(rng, lines),
                         issue->function->noun[0] - 'a' + 'A', issue->function->noun + 1,
                         symptom(&issue->tests[issue->example]));
}

/* The arguments of a call: what stands between its outer brackets. */
static void arguments(struct regret_buffer *t, const char *call)
{
    const char *from = strchr(call, '(') + 1;
    regret_buffer_append_n(t, from, strlen(from) - 1);
}

static void in_prose(struct regret_buffer *t, const struct patches_issue *issue)
{
    const struct patches_test *bad = &issue->tests[issue->example],
                              *good = &issue->tests[issue->counterexample];
    regret_buffer_append(t, "\nFor the input ");
    arguments(t, bad->call);
    regret_buffer_printf(t, bad->actual_raised ? " it fails with %s" : " it gives %s", bad->actual);
    regret_buffer_printf(t, ", but it should be %s. For ", bad->expected);
    arguments(t, good->call);
    regret_buffer_printf(t, " I get %s, which is right.\n", good->expected);
}

static void in_code(struct regret_buffer *t, const struct patches_issue *issue)
{
    const struct patches_test *bad = &issue->tests[issue->example],
                              *good = &issue->tests[issue->counterexample];
    regret_buffer_printf(t, "\n```python\n>>> %s\n%s\n>>> %s\n%s\n```\n\n", good->call,
                         good->expected, bad->call, bad->actual);
    regret_buffer_printf(t, "The first is right. I expected the second to be %s.\n", bad->expected);
}

static void location(struct regret_buffer *t, struct regret_rng *rng,
                     const struct patches_issue *issue)
{
    const char *name = issue->function->name, *path = issue->function->path;
    switch (regret_rng_below(rng, 3)) {
    case 0:
        regret_buffer_printf(t, "It must be somewhere in `%s`, I think.\n", path);
        break;
    case 1:
        regret_buffer_printf(t, "The function is `%s` in `%s`.\n", name, path);
        break;
    default:
        regret_buffer_printf(t, "I had a look at `%s` of `%s` but could not see why.\n", name,
                             path);
    }
}

static void hint(struct regret_buffer *t, struct regret_rng *rng, const struct patches_issue *issue)
{
    static const char *const guesses[PATCHES_KINDS][2] = {
        {"It looks as if the first or the last one is not handled.",
         "Maybe an index is off by one?"},
        {"It only happens right at the limit.", "Perhaps a comparison should include equality?"},
        {"The arithmetic seems to be the wrong way round.",
         "Is it adding where it should subtract?"},
        {"It looks as if it started from the wrong value.", "Some number in there must be wrong."},
        {"It seems to use the wrong variable.", "Could two arguments be in the wrong order?"},
        {"It does the opposite of what I want.", "A condition seems to be inverted."},
        {"I think a special case is not treated.", "There used to be a check for this."},
        {"Something seems to be forgotten along the way.", "As if a step were skipped."},
    };
    regret_buffer_printf(t, "%s\n", guesses[issue->fault.kind][regret_rng_below(rng, 2)]);
}

static void closing(struct regret_buffer *t, struct regret_rng *rng)
{
    static const char *const lines[] = {
        "",
        "\nVersion 1.4.2, Debian 12.\n",
        "\nIt used to work before the last release.\n",
        "\nThe test suite passes, by the way.\n",
        "\nHappy to test a fix.\n",
        "\nIs this intended?\n",
    };
    regret_buffer_append(t, PICK(rng, lines));
}

int patches_issue_write(struct patches_issue *issue, struct regret_rng *rng)
{
    struct regret_buffer *t = &issue->text;
    uint32_t draw = regret_rng_below(rng, 100);
    issue->naming = draw < 22   ? PATCHES_VAGUE
                    : draw < 50 ? PATCHES_CALLED
                    : draw < 78 ? PATCHES_LOCATED
                                : PATCHES_HINTED;
    regret_buffer_clear(t);
    title(t, rng, issue);
    opening(t, rng, issue);
    if (issue->naming == PATCHES_VAGUE) {
        in_prose(t, issue);
    } else {
        in_code(t, issue);
    }
    if (issue->naming >= PATCHES_LOCATED) {
        location(t, rng, issue);
    }
    if (issue->naming == PATCHES_HINTED) {
        hint(t, rng, issue);
    }
    closing(t, rng);
    return regret_buffer_status(t);
}
