/* Metrics of an output against a reference, beside what the standard implementations give. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "regret/status.h"
#include "text/metrics.h"
#include "text/units.h"

enum { METRICS = 12 };

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

/* Neither package can be installed everywhere, so these values are those of tests/outside/check_metrics.py (Python 3.11), which is
 * written from the packages' sources and gives what their tests expect, with the stemmer of NLTK 3.8 for the stems. */
static const struct {
    const char *output, *reference;
    double score[METRICS];
} PAIRS[] = {
    {"The quick brown dog jumps on the log.",
     "The quick brown fox jumps over the lazy dog",
     {0, 0, 0.615384615385, 0.705882352941, 0.266666666667, 0.588235294118, 0.705882352941,
      0.266666666667, 0.588235294118, 0.525324471644, 0.508932419232, 0.211053406319}},
    {"the cat", "The Cat!", {0, 1, 1, 1, 1, 1, 1, 1, 1, 0.155514630653, 0.11663597299, 0}},
    {"", "", {1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0}},
    {"", "a reference", {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}},
    {"an output", "", {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}},
    {"...", "?!", {0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0}},
    {"a", "an", {0, 1, 1, 0, 0, 0, 0, 0, 0, 0.555555555556, 0.277777777778, 0}},
    {"x", "x", {1, 1, 1, 1, 0, 1, 1, 0, 1, 1, 1, 1}},
    {"Paris", "paris.", {0, 1, 1, 1, 0, 1, 1, 0, 1, 0.439974293059, 0.366645244216, 0}},
    {"the answer is forty-two",
     "forty-two",
     {0, 0, 0.5, 0.571428571429, 0.4, 0.571428571429, 0.571428571429, 0.4, 0.571428571429,
      0.742151968908, 0.728178854717, 0.159735776062}},
    {"10-20 and 3.14, or 1,000",
     "10 - 20 and 3.14 or 1,000.",
     {0, 0, 0.727272727273, 1, 1, 1, 1, 1, 1, 0.788379342965, 0.696247606305, 0.594603557501}},
    {"It's the U.S. e.g. this.",
     "Its the US eg this",
     {0, 1, 1, 0.307692307692, 0, 0.307692307692, 0.307692307692, 0, 0.307692307692, 0.366472792176,
      0.319553439923, 0.040272481924}},
    {"&quot;A &amp; B&quot; &lt;b&gt;",
     "\"A & B\" <b>",
     {0, 0, 0, 0.545454545455, 0, 0.545454545455, 0.545454545455, 0, 0.545454545455, 0.070735090153,
      0.074664884093, 1}},
    {"line one\nline two-\nbroken <skipped>here",
     "line one line two broken here",
     {0, 0, 0.833333333333, 0.923076923077, 0.727272727273, 0.923076923077, 0.923076923077,
      0.727272727273, 0.923076923077, 0.697898230932, 0.690663149798, 0.349833012527}},
    {"Running runners ran easily; relational conditions happily agreed",
     "The runner runs easy, relating conditional happiness and agreements",
     {0, 0, 0, 0, 0, 0, 0.470588235294, 0.133333333333, 0.352941176471, 0.432551205173,
      0.32441340388, 0}},
    {"the the the the the the the",
     "the cat is on the mat",
     {0, 0, 0, 0.307692307692, 0, 0.307692307692, 0.307692307692, 0, 0.307692307692, 0.142324268482,
      0.14715329002, 0.078098498423}},
    {"东京是日本的首都",
     "日本的首都是东京",
     {0, 0, 0, 0, 0, 0, 0, 0, 0, 0.477380952381, 0.409183673469, 0}},
    {"東京 は 日本 の 首都 です 。",
     "東京 が 日本 の 首都 です 。",
     {0, 0, 0.857142857143, 0, 0, 0, 0, 0, 0, 0.678697691198, 0.699499458874, 0.643458884161}},
    {"서울은 한국의 수도이다",
     "한국의 수도는 서울이다",
     {0, 0, 0.333333333333, 0, 0, 0, 0, 0, 0, 0.399007936508, 0.340922619048, 0.275160604075}},
    {"Москва — столица России",
     "столица России: Москва",
     {0, 0, 0.857142857143, 0, 0, 0, 0, 0, 0, 0.788379342965, 0.726701173891, 0.353553390593}},
    {"Ωδή ΣΟΦΟΣ", "ωδή σοφος", {0, 1, 1, 0, 0, 0, 0, 0, 0, 0.065476190476, 0.049107142857, 0}},
    {"İstanbul'da naïve café",
     "istanbul da naive cafe",
     {0, 0, 0, 0.2, 0, 0.2, 0.2, 0, 0.2, 0.494188045174, 0.37064103388, 0}},
    {"e\314\201 a\314\200 la carte",
     "é à la carte",
     {0, 0, 0.5, 0.666666666667, 0.5, 0.666666666667, 0.666666666667, 0.5, 0.666666666667,
      0.628797696019, 0.576913408476, 0.319471552123}},
    {"one\302\240two\343\200\200three", "one two three", {0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}},
    {"🙂🙂 ok 🙃",
     "🙂 ok 🙃🙃",
     {0, 0, 0.333333333333, 1, 0, 1, 1, 0, 1, 0.543333333333, 0.435714285714, 0.275160604075}},
    {"(x) [y] {z} _w_ \"v\"",
     "x y z w v",
     {0, 1, 1, 1, 1, 1, 1, 1, 1, 0.142857142857, 0.102040816327, 0.039297193408}},
    {"A man a plan a canal panama",
     "A canal a plan a man panama",
     {0, 0, 1, 1, 0.666666666667, 0.714285714286, 1, 0.666666666667, 0.714285714286, 0.549190173145,
      0.578559296526, 0.302137539736}},
    {"Straße ﬁne ½ ²",
     "strasse fine 1/2 2",
     {0, 0, 0, 0, 0, 0, 0, 0, 0, 0.121968414423, 0.091476310817, 0}},
    {"def f(x):\n    return x + 1\n",
     "def f(y):\n    return y+1\n",
     {0, 0, 0.444444444444, 0.666666666667, 0.2, 0.666666666667, 0.666666666667, 0.2,
      0.666666666667, 0.561161387632, 0.520428539031, 0.298474589601}},
    {"no overlap whatsoever", "zzz qqq", {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}},
    {"one two three four five six seven eight nine ten",
     "one two three four five six seven eight nine ten",
     {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}},
    {"five.5 .5 5. ,,",
     "five . 5 .5 5 . , ,",
     {0, 0, 0.571428571429, 1, 1, 1, 1, 1, 1, 1, 0.921010610564, 1}},
};

Test(metrics, values_of_the_reference)
{
    for (size_t i = 0; i < sizeof PAIRS / sizeof *PAIRS; i++) {
        for (size_t m = 0; m < METRICS; m++) {
            gives(regret_metric_name(m), PAIRS[i].output, PAIRS[i].reference, PAIRS[i].score[m],
                  1e-9);
        }
    }
}

Test(metrics, long_texts)
{
    enum { A = 2000, B = 1500 };
    static const char a[] = "the cat sat on the mat ", b[] = "a dog sat on a mat and ";
    static const double WANTED[METRICS] = {0,
                                           0,
                                           0.58064516129,
                                           0.4,
                                           0.133345186239,
                                           NAN,
                                           0.4,
                                           0.133345186239,
                                           NAN,
                                           0.227572979109,
                                           0.240552786145,
                                           0.002525960137};
    char *output = calloc(A, sizeof a), *reference = calloc(B, sizeof b);
    for (size_t i = 0; i < A; i++) {
        memcpy(output + i * (sizeof a - 1), a, sizeof a);
    }
    for (size_t i = 0; i < B; i++) {
        memcpy(reference + i * (sizeof b - 1), b, sizeof b);
    }
    for (size_t m = 0; m < METRICS; m++) {
        double x = score(regret_metric_name(m), output, reference);
        cr_expect(isnan(WANTED[m]) ? x > 0.0 && x < 1.0 : fabs(x - WANTED[m]) < 1e-9, "%s: %.12f",
                  regret_metric_name(m), x);
    }
    free(output);
    free(reference);
}

/* The table of a longest common subsequence, against which the bits are held at lengths around a word's. */
static size_t table(const unsigned char *a, size_t n, const unsigned char *b, size_t m)
{
    static size_t t[201][201];
    for (size_t i = 1; i <= n; i++) {
        for (size_t j = 1; j <= m; j++) {
            size_t up = t[i - 1][j], left = t[i][j - 1];
            t[i][j] = a[i - 1] == b[j - 1] ? t[i - 1][j - 1] + 1 : up > left ? up : left;
        }
    }
    return t[n][m];
}

Test(metrics, longest_common_subsequences)
{
    srand(7);
    for (int round = 0; round < 200; round++) {
        unsigned char a[200], b[200];
        char output[401] = "", reference[401] = "";
        size_t n = 1 + (size_t)rand() % 200, m = 1 + (size_t)rand() % 200;
        int letters = 2 + rand() % 20;
        for (size_t i = 0; i < n; i++) {
            a[i] = (unsigned char)(rand() % letters);
            snprintf(output + 2 * i, 3, "%c ", 'a' + a[i]);
        }
        for (size_t j = 0; j < m; j++) {
            b[j] = (unsigned char)(rand() % letters);
            snprintf(reference + 2 * j, 3, "%c ", 'a' + b[j]);
        }
        double f = 2.0 * (double)table(a, n, b, m) / (double)(n + m);
        gives("rouge-l", output, reference, f, 1e-12);
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
    static const char *const WORDS[][2] = {{"caresses", "caress"},
                                           {"ponies", "poni"},
                                           {"ties", "tie"},
                                           {"caress", "caress"},
                                           {"cats", "cat"},
                                           {"feed", "feed"},
                                           {"agreed", "agre"},
                                           {"plastered", "plaster"},
                                           {"bled", "bled"},
                                           {"motoring", "motor"},
                                           {"sing", "sing"},
                                           {"conflated", "conflat"},
                                           {"troubled", "troubl"},
                                           {"sized", "size"},
                                           {"hopping", "hop"},
                                           {"tanned", "tan"},
                                           {"falling", "fall"},
                                           {"hissing", "hiss"},
                                           {"fizzed", "fizz"},
                                           {"failing", "fail"},
                                           {"filing", "file"},
                                           {"happy", "happi"},
                                           {"sky", "sky"},
                                           {"enjoy", "enjoy"},
                                           {"flies", "fli"},
                                           {"dies", "die"},
                                           {"died", "die"},
                                           {"tried", "tri"},
                                           {"relational", "relat"},
                                           {"conditional", "condit"},
                                           {"rational", "ration"},
                                           {"valency", "valenc"},
                                           {"hesitancy", "hesit"},
                                           {"digitizer", "digit"},
                                           {"conformably", "conform"},
                                           {"radically", "radic"},
                                           {"differently", "differ"},
                                           {"vileness", "vile"},
                                           {"analogously", "analog"},
                                           {"vietnamization", "vietnam"},
                                           {"predication", "predic"},
                                           {"operator", "oper"},
                                           {"feudalism", "feudal"},
                                           {"decisiveness", "decis"},
                                           {"hopefulness", "hope"},
                                           {"callousness", "callous"},
                                           {"formality", "formal"},
                                           {"sensitivity", "sensit"},
                                           {"sensibility", "sensibl"},
                                           {"fully", "fulli"},
                                           {"geology", "geolog"},
                                           {"triplicate", "triplic"},
                                           {"formative", "form"},
                                           {"formalize", "formal"},
                                           {"electricity", "electr"},
                                           {"electrical", "electr"},
                                           {"hopeful", "hope"},
                                           {"goodness", "good"},
                                           {"revival", "reviv"},
                                           {"allowance", "allow"},
                                           {"inference", "infer"},
                                           {"airliner", "airlin"},
                                           {"gyroscopic", "gyroscop"},
                                           {"adjustable", "adjust"},
                                           {"defensible", "defens"},
                                           {"irritant", "irrit"},
                                           {"replacement", "replac"},
                                           {"adjustment", "adjust"},
                                           {"dependent", "depend"},
                                           {"adoption", "adopt"},
                                           {"homologous", "homolog"},
                                           {"communism", "commun"},
                                           {"activate", "activ"},
                                           {"angularity", "angular"},
                                           {"effective", "effect"},
                                           {"bowdlerize", "bowdler"},
                                           {"probate", "probat"},
                                           {"rate", "rate"},
                                           {"cease", "ceas"},
                                           {"controlling", "control"},
                                           {"roll", "roll"},
                                           {"skies", "sky"},
                                           {"dying", "die"},
                                           {"news", "news"},
                                           {"innings", "inning"},
                                           {"howe", "howe"},
                                           {"succeed", "succeed"},
                                           {"generically", "gener"},
                                           {"nationally", "nation"},
                                           {"yyyy", "yyyi"},
                                           {"sayings", "say"},
                                           {"oed", "o"},
                                           {"a1ing", "a1e"},
                                           {"oscillators", "oscil"}};
    for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++) {
        char word[40];
        size_t n = strlen(WORDS[i][0]);
        memcpy(word, WORDS[i][0], n);
        n = stem_word(word, n);
        cr_expect(n == strlen(WORDS[i][1]) && memcmp(word, WORDS[i][1], n) == 0, "%s: %.*s",
                  WORDS[i][0], (int)n, word);
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
