/* English function words: pronouns, articles, prepositions, conjunctions, auxiliaries with their
 * contractions, and the adverbs and quantifiers that carry grammar rather than a subject. Words
 * that may name a topic ("bill", "computer", "system", found on some older lists) are left in the
 * text. */
#include "text/words/stop_words.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "regret/text.h"
#include "text/words/keys.h"

static const char words[] =
    "i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his "
    "himself she her hers herself it its itself they them their theirs themselves one oneself "
    "who whom whose which what that this these those whoever whatever whichever someone somebody "
    "something anyone anybody anything everyone everybody everything nobody nothing none "
    "a an the some any each every either neither both all half several few many much more most "
    "less least enough other others another such same own "
    "of in to for with on at from by about as into like through after over between out against "
    "during without before under around among across behind beyond above below up down off near "
    "since until till upon toward towards within along amid amongst beneath beside besides despite "
    "except inside onto outside past per throughout underneath unlike via "
    "and or but nor so yet if then else because although though while whereas unless whether than "
    "once when whenever where wherever why how however therefore thus hence moreover furthermore "
    "nevertheless otherwise instead meanwhile "
    "am is are was were be been being have has had having do does did doing done will would shall "
    "should can could may might must ought cannot get gets got "
    "not no yes only just also too very quite rather even still already again ever never always "
    "often sometimes usually perhaps maybe almost nearly indeed really here there now "
    "everywhere somewhere anywhere nowhere elsewhere together apart away back further later "
    "latter former formerly last next first mostly namely anyway anyhow somehow somewhat "
    "thereafter thereby therein thereupon hereby herein hereafter hereupon whereby wherein "
    "whereupon whereafter whence whither seem seems seemed seeming become becomes became becoming "
    "i'm i've i'd i'll you're you've you'd you'll he's he'd he'll she's she'd she'll it's it'd "
    "it'll we're we've we'd we'll they're they've they'd they'll that's that'd that'll there's "
    "here's who's who'd who'll what's where's when's why's how's let's isn't aren't wasn't weren't "
    "haven't hasn't hadn't don't doesn't didn't won't wouldn't shan't shouldn't can't couldn't "
    "mayn't mightn't mustn't needn't oughtn't ain't";

/* The word at `at` and its length; returns the place after it, NULL at the end. */
static const char *next_word(const char **word, size_t *length, const char *at)
{
    at += strspn(at, " ");
    *word = at;
    *length = strcspn(at, " ");
    return *length == 0 ? NULL : at + *length;
}

int stop_word_hashes(uint64_t **out, size_t *n)
{
    const char *word = NULL;
    size_t length = 0, count = 0;
    for (const char *at = words; (at = next_word(&word, &length, at)) != NULL;) {
        count++;
    }
    uint64_t *hash = NULL;
    TRY(REGRET_NEW(&hash, count));
    size_t i = 0;
    for (const char *at = words; (at = next_word(&word, &length, at)) != NULL;) {
        hash[i++] = XXH3_64bits(word, length);
    }
    qsort(hash, count, sizeof *hash, key_compare);
    *out = hash;
    *n = count;
    return REGRET_OK;
}
