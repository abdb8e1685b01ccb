/* Scores of an output against a reference, from 0 to 1, each as the standard implementation computes it; and pass@k.
 *
 *   exact          1 where both are the same bytes, else 0
 *   exact-squad    the same of answers normalised as SQuAD's evaluator does (evaluate-v2.0.py; Rajpurkar, Zhang,
 *                  Lopyrev and Liang, EMNLP 2016): lower case, no ASCII punctuation, no article (a, an, the), one blank
 *                  between words
 *   f1             F1 of the words of these, each counting as often as it stands in both; where one has no word, 1 if
 *                  the other has none either, else 0
 *   rouge-1, -2    F1 of the uni- or bigrams, as Google's rouge-score 0.1.2 (Lin, "ROUGE", 2004): words are
 *                  runs of a-z and 0-9 after lower-casing, so that a text in another script has none and scores 0
 *   rouge-l        F1 of the longest common subsequence of these words
 *   rouge-1-stem, rouge-2-stem, rouge-l-stem
 *                  the same with use_stemmer: words of four letters and more are cut by Porter's algorithm (Program
 *                  14, 1980) with the changes of NLTK 3, whose stemmer rouge-score takes
 *   chrf           character n-gram F-score (Popović, WMT 2015), as sacrebleu 2: orders 1 to 6 without white space, β = 2;
 *                  orders that one of the texts is too short for do not count
 *   chrf++         the same with word uni- and bigrams (Popović, WMT 2017), ASCII punctuation at either end of a word
 *                  being a word of its own
 *   bleu           BLEU of one segment (Papineni, Roukos, Ward and Zhu, ACL 2002), as sacrebleu 2's sentence_bleu(): tokens
 *                  of mteval-v13a, orders 1 to 4 that the output is long enough for, a precision of 0 replaced by
 *                  1/2, 1/4, … of one n-gram (exponential smoothing); case counts
 *
 * sacrebleu's scores are from 0 to 100; here they are divided by 100. Of several references the best score counts, as SQuAD's
 * evaluator, rouge-score's score_multi() and sacrebleu's chrF have it; BLEU takes all together: an n-gram counts as often
 * as in the reference that has it most often, and the length is that of the reference nearest in length, of two the shorter. */
#ifndef REGRET_METRICS_H
#define REGRET_METRICS_H

#include <stddef.h>

#include "regret/status.h"

/* The score of `output` by the metric of that name; both texts are UTF-8 (bytes that are not stand for U+FFFD). REGRET_E_INPUT: there is no
 * such metric; the message lists them. O(n log n) of n bytes; of rouge-l the product of the numbers of words
 * over 64. */
REGRET_API int regret_metric_score(double *out, const char *name, const char *output,
                                   const char *reference);
/* The same against n >= 1 references. */
REGRET_API int regret_metric_score_any(double *out, const char *name, const char *output,
                                       const char *const *references, size_t n);
/* The name of metric i, from 0; NULL behind the last. */
REGRET_API const char *regret_metric_name(size_t i);

/* pass@k, the probability that one of k outputs drawn without replacement of n is right, `right` of them being so:
 * 1 − C(n − right, k)/C(n, k), the unbiased estimator of Chen and others ("Evaluating large language models trained
 * on code", 2021). NaN unless 1 <= k <= n and right <= n. O(k). */
REGRET_API double regret_pass_at_k(size_t n, size_t right, size_t k);

#endif
