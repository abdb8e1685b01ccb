#include "import/build/vote_winner.h"

#include <ctype.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST = 40 };

/* Between blanks, as they are compared. */
static const char *const WORDS[] = {
    [WINNER_A] =
        " a modela 1 model1 left leftvote first firstvote responsea response1 outputa output1 "
        "answera answer1 assistanta assistant1 agenta agent1 awins win wins won ",
    [WINNER_B] =
        " b modelb 2 model2 right rightvote second secondvote responseb response2 outputb "
        "output2 answerb answer2 assistantb assistant2 agentb agent2 bwins loss loses lost ",
    [WINNER_NONE] = " tie tievote ties tied draw equal same both bothgood tiebothgood "
                    "tieinconsistent ",
    [WINNER_BOTH_BAD] = " tiebothbad bothbad bothbadvote bad neither bothworse "};

enum vote_winner winner_of(const char *word, const char *model_a, const char *model_b)
{
    char plain[LONGEST + 3] = " ";
    size_t n = 1;
    if (strcmp(word, model_a) == 0 || strcmp(word, model_b) == 0) {
        return strcmp(word, model_a) == 0 ? WINNER_A : WINNER_B;
    }
    for (const char *p = word; *p != '\0' && n <= LONGEST; p++) {
        if (isalnum((unsigned char)*p)) {
            plain[n++] = (char)tolower((unsigned char)*p);
        }
    }
    if (n == 1 || n > LONGEST || strpbrk(word, ".,") != NULL ||
        word[0] == '-') { /* 1.5 is no 15, −1 no 1 */
        return WINNER_UNKNOWN;
    }
    snprintf(plain + n, 2, " ");
    enum vote_winner w = WINNER_A;
    while (w < WINNER_UNKNOWN && strstr(WORDS[w], plain) == NULL) {
        w++;
    }
    return w;
}
