/* Metrics of an output against a reference: what is published, and what must hold. On made texts tests/outside/check_metrics.py has the
 * standards' own definitions. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "regret/status.h"
#include "text/metrics.h"
#include "text/units.h"

static double score(const char *metric, const char *output, const char *reference)
{
    double x = NAN;
    cr_assert_eq(regret_metric_score(&x, metric, output, reference), REGRET_OK, "%s",
                 regret_error_message());
    return x;
}

static void gives(const char *metric, const char *output, const char *reference, double wanted,
                  double room)
{
    double x = score(metric, output, reference);
    cr_expect(fabs(x - wanted) <= room, "%s of \"%.40s\": %.9f, not %.9f", metric, output, x,
              wanted);
}

/* What the packages' own tests expect: sacrebleu 2.x, test/test_sentence_bleu.py, test_bleu.py, test_chrf.py; rouge-score
 * 0.1.2, rouge_scorer_test.py, on lines of its testdata, which ROUGE-1.5.5.pl was run on. */
Test(metrics, values_that_are_published)
{
    gives("bleu", "Producția de zahăr primă va fi exprimată în ceea ce privește zahărul alb;",
          "producţia de zahăr brut se exprimă în zahăr alb;", 0.08493, 1e-5);
    gives("bleu", "this is a cat", "okay thanks", 0.0, 0.0);
    gives("bleu", "test", "a test", 0.3678794411714425, 1e-12);
    gives("bleu", "a test", "a test", 1.0, 1e-12);
    gives("chrf", "a b c", "abc", 1.0, 1e-12);
    gives("chrf", "aa", "ab", 0.25, 1e-12);
    gives("chrf", "", "reference", 0.0, 0.0);
    gives("rouge-1", "testing", "testing one two", 0.5, 1e-12);
    gives("rouge-2", "testing one", "testing one two", 2.0 / 3.0, 1e-12);
    gives("rouge-l", "testing two", "testing one two", 0.8, 1e-12);
    static const char *const PREDICTION[] = {
        "rFDJCRtion Ht-LM EKtDXkME,yz'RBr q'wer wrojNbN wL,b .a-'XdQggyFl jB-RPP'iyOIcUxi",
        "n cw-WeFyu vC MoBL Xdn g wkvcEiGvKtion BDFhrpMer pstion sbKao Q m qier LMmed "
        "HqqLFXe,XPY,J XsurkMeo ,ed nB'wH'bWVHjWFEer tQ.saefZwJtKrTlixYpMMNJtion UCAPwNHeYVjD"};
    static const char *const TARGET[] = {
        "ZfbCUIUuePaiLVUlCaUXxkpu XPeWing tUHfPMuZ',-Xd Y BrUgVJing M-HV.-DgdDaY.rFDJCRing Ht-LM "
        "EKBDXkME,yz'RBr q'wtion wIojNbN wL,b .a-'XdQggyFl jB-RPP'iyOIcUxer tKM L",
        "KsJdPByEtAor fE-Qg Dpdbring cw-WeFyu vC MoBL Xdn g wkvcEiGvKtion BDFhrpMtion psing sbKao "
        "Q m qiing LMmer HqqLFXe,XPY,J XsurkMer ,ed nB'wH'bWVHjWFEing tQ.saefZwJtKrTlixYpMMsJing "
        "UCAPwNHeYVjDing c T BUySKtion gMPfJpwGw p'NvxAoping eu pBwMBKV'I DNxqelhu,PHPxDEq,mtion "
        "SN"};
    static const struct {
        const char *metric;
        double f[2];
    } F[] = {{"rouge-1", {0.51163, 0.50000}},
             {"rouge-2", {0.39024, 0.36364}},
             {"rouge-l", {0.51163, 0.50000}},
             {"rouge-1-stem", {0.51163, 0.52941}},
             {"rouge-2-stem", {0.39024, 0.36364}}};
    for (size_t i = 0; i < sizeof F / sizeof *F; i++) {
        for (size_t j = 0; j < 2; j++) {
            gives(F[i].metric, PREDICTION[j], TARGET[j], F[i].f[j], 5e-6);
        }
    }
}

/* What holds of every metric: from 0 to 1, 1 of a text and itself (where it has units), and bytes that are no UTF-8 are
 * taken. */
Test(metrics, bounds)
{
    static const char *const TEXTS[] = {"one two three four", "\xff\xfe one two \xc3",
                                        "ONE, two. three four!"};
    for (size_t m = 0; regret_metric_name(m) != NULL; m++) {
        for (size_t i = 0; i < 9; i++) {
            double x = score(regret_metric_name(m), TEXTS[i / 3], TEXTS[i % 3]);
            cr_expect(x >= 0.0 && x <= 1.0);
            cr_expect(i / 3 != i % 3 || fabs(x - 1.0) < 1e-12, "%s", regret_metric_name(m));
        }
    }
    double x = 0.0;
    cr_assert_eq(regret_metric_score(&x, "rouge", "a", "b"), REGRET_E_INPUT);
    cr_expect_not_null(strstr(regret_error_message(), "rouge-l"), "%s", regret_error_message());
}

/* Porter's own examples and NLTK's departures; expected of NLTK 3.8. The whole vocabulary of SummEval and of SWE-bench Lite with
 * 60,000 made words, 67,847 words, came out the same. */
Test(metrics, stems)
{
    const char *at =
        "caresses caress  ponies poni  ties tie  caress caress  cats cat  feed feed  "
        "agreed agre  plastered plaster  bled bled  motoring motor  sing sing  "
        "conflated conflat  troubled troubl  sized size  hopping hop  tanned tan  "
        "falling fall  hissing hiss  fizzed fizz  failing fail  filing file  happy happi  "
        "sky sky  enjoy enjoy  flies fli  dies die  died die  tried tri  relational relat  "
        "conditional condit  rational ration  valency valenc  hesitancy hesit  "
        "digitizer digit  conformably conform  radically radic  differently differ  "
        "vileness vile  analogously analog  vietnamization vietnam  predication predic  "
        "operator oper  feudalism feudal  decisiveness decis  hopefulness hope  "
        "callousness callous  formality formal  sensitivity sensit  sensibility sensibl  "
        "fully fulli  geology geolog  triplicate triplic  formative form  formalize formal  "
        "electricity electr  electrical electr  hopeful hope  goodness good  revival reviv  "
        "allowance allow  inference infer  airliner airlin  gyroscopic gyroscop  "
        "adjustable adjust  defensible defens  irritant irrit  replacement replac  "
        "adjustment adjust  dependent depend  adoption adopt  homologous homolog  "
        "communism commun  activate activ  angularity angular  effective effect  "
        "bowdlerize bowdler  probate probat  rate rate  cease ceas  controlling control  "
        "roll roll  skies sky  dying die  news news  innings inning  howe howe  "
        "succeed succeed  generically gener  nationally nation  yyyy yyyi  sayings say  "
        "oed o  a1ing a1e  oscillators oscil  ";
    char word[40], stem[40];
    for (int n = 0; sscanf(at, "%39s %39s%n", word, stem, &n) == 2; at += n) {
        size_t length = stem_word(word, strlen(word));
        cr_expect(length == strlen(stem) && memcmp(word, stem, length) == 0, "%s: %.*s", stem,
                  (int)length, word);
    }
}

/* Against the share of all subsets of k outputs that hold one that is right. */
Test(metrics, pass_at_k)
{
    for (unsigned n = 1; n <= 10; n++) {
        for (unsigned right = 0; right <= n; right++) {
            for (unsigned k = 1; k <= n; k++) {
                unsigned all = 0, passed = 0;
                for (unsigned set = 0; set < 1u << n; set++) {
                    int is_of_k = __builtin_popcount(set) == (int)k;
                    all += (unsigned)is_of_k;
                    passed += (unsigned)(is_of_k && (set & ((1u << right) - 1)) != 0);
                }
                cr_expect(fabs(regret_pass_at_k(n, right, k) - (double)passed / all) < 1e-14);
            }
        }
    }
    cr_expect(isnan(regret_pass_at_k(3, 1, 4)) && isnan(regret_pass_at_k(3, 4, 1)) &&
              isnan(regret_pass_at_k(3, 1, 0)));
    cr_expect(fabs(regret_pass_at_k(100000, 99999, 2) - 1.0) < 1e-15);
}

/* ---------------------------------------------------------------- several references */

static double score_any(const char *metric, const char *output, const char *const *references,
                        size_t n)
{
    double x = NAN;
    cr_assert_eq(regret_metric_score_any(&x, metric, output, references, n), REGRET_OK, "%s",
                 regret_error_message());
    return x;
}

/* Papineni and others, 2002, their examples 1 and 2, unigrams by hand: "the" counts twice, as in the first reference; and the
 * nearest length of 6, 8 and 9 to 7 is the shorter of the two at one. */
Test(metrics, bleu_takes_all_references_together)
{
    static const char *const cat[] = {"the cat is on the mat", "there is a cat on the mat"};
    /* 2 of 7 words, 0 of 6, 5 and 4 longer ones; the second has 7 words, no brevity */
    double wanted = pow(2.0 / 7.0 * (0.5 / 6.0) * (0.25 / 5.0) * (0.125 / 4.0), 0.25);
    cr_expect_float_eq(score_any("bleu", "the the the the the the the", cat, 2), wanted, 1e-12);
    static const char *const lengths[] = {"a b c d e f g x y", "a b c d e f", "a b c d e f g x"};
    /* "a b c d e f g": all of it stands in the first; 6 and 8 are as near, the shorter one counts */
    cr_expect_float_eq(score_any("bleu", "a b c d e f g", lengths, 3), 1.0, 1e-12);
    static const char *const longer[] = {"a b c d e f g x y", "q r s t u v w x"};
    /* 9 and 8: 8 is nearer, exp(1 - 8/7) */
    cr_expect_float_eq(score_any("bleu", "a b c d e f g", longer, 2), exp(-1.0 / 7.0), 1e-12);
    static const char *const halves[] = {"a b", "c d"};
    /* 4 of 4 words are in one or the other, "a b" and "c d" of 3 pairs, no triple of 2, no four of 1; lengths 2: exp(1 - 2/4) > 1 */
    cr_expect_float_eq(score_any("bleu", "a b c d", halves, 2),
                       pow(1.0 * (2.0 / 3.0) * (0.5 / 2.0) * (0.25 / 1.0), 0.25), 1e-12);
}

Test(metrics, the_best_reference_counts)
{
    static const char *const METRIC[] = {"exact",   "exact-squad", "f1",   "rouge-1",
                                         "rouge-2", "rouge-l",     "chrf", "chrf++"};
    static const char *const OUTPUT[] = {"the red fox ran", "Red fox!", "a", ""};
    static const char *const REFERENCE[] = {"a red fox", "the fox ran home", "red fox",
                                            "the red fox ran"};
    for (size_t m = 0; m < sizeof METRIC / sizeof *METRIC; m++) {
        for (size_t o = 0; o < 4; o++) {
            double best = 0.0;
            for (size_t n = 1; n <= 4; n++) {
                best = fmax(best, score(METRIC[m], OUTPUT[o], REFERENCE[n - 1]));
                cr_expect_eq(score_any(METRIC[m], OUTPUT[o], REFERENCE, n), best, "%s %zu of %zu",
                             METRIC[m], o, n);
            }
        }
    }
    /* by hand: F1 of {red, fox} with {fox, ran, home} 2·1/2·1/3/(5/6) = .4, with {red, fox} 1 */
    cr_expect_float_eq(score_any("f1", "Red fox!", REFERENCE + 1, 1), 0.4, 1e-12);
    cr_expect_float_eq(score_any("f1", "Red fox!", REFERENCE + 1, 2), 1.0, 1e-12);
}

/* One reference, and the same one several times, are the same; so is any order. */
Test(metrics, order_and_repeats_of_references_are_nothing)
{
    static const char *const ONE[] = {"the cat sat on the mat", "the cat sat on the mat", "a dog",
                                      "the cat sat on the mat"};
    static const char *const OTHER[] = {"a dog", "the cat sat on the mat"};
    const char *name = NULL;
    for (size_t m = 0; (name = regret_metric_name(m)) != NULL; m++) {
        double one = score(name, "a cat sat on a mat today", ONE[0]);
        cr_expect_eq(score_any(name, "a cat sat on a mat today", ONE, 2), one, "%s", name);
        cr_expect_eq(score_any(name, "a cat sat on a mat today", ONE, 4),
                     score_any(name, "a cat sat on a mat today", OTHER, 2), "%s", name);
    }
}
