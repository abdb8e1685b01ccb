#include "text/internal.h"

#include <math.h>
#include <string.h>

#include "base/names.h"
#include "base/status.h"
#include "regret/status.h"
#include "regret/text.h"
#include "text/buckets.h"
#include "text/classes.h"

/* A text is folded (classes.c), its characters are classed as bits, 64 bytes at a time (classes.c), and
 * tokens, sentences and lines follow from a few operations on these words. */

FREED_POINTER(struct regret_tokens, regret_tokens_free)

enum { LEAD_SENTENCES = 3 };

/* Where tokens are in a block: their bytes, the first byte of each, and the byte after each. */
struct bounds {
    uint64_t token, begin, end;
    size_t count; /* tokens that began before, of all texts of the part */
};

/* The state of one pass over the texts. */
struct scan {
    struct gather_part *part;        /* receives hash and is_number of the tokens */
    struct regret_text_shape *shape; /* of the text at hand */
    struct folded_text folded;       /* the text at hand; owned */
    struct class_block *block;       /* of the text at hand; owned */
    struct bounds *bounds;           /* one a block; owned */
    size_t n_blocks, block_capacity;
    size_t first;    /* index of the text's first token */
    size_t count;    /* tokens so far, of all texts of the part */
    size_t sentence; /* index of the present sentence's first token */
    int line_is_blank;
    size_t closed_until; /* what closes a sentence reaches to here, */
    int closed;          /* and white space or the end follows */
};

static void close_sentence(struct scan *s, size_t count)
{
    if (count == s->sentence) {
        return;
    }
    s->sentence = count;
    s->shape->sentences++;
    if (s->shape->sentences <= LEAD_SENTENCES) {
        s->shape->lead_tokens = count - s->first;
    }
}

static void close_line(struct scan *s, size_t count)
{
    if (s->line_is_blank) {
        close_sentence(s, count);
    } else {
        s->shape->lines++;
    }
    s->line_is_blank = 1;
}

/* The bits of the bytes one to the left of each, and one to the right. */
static uint64_t left_of(uint64_t bits, uint64_t previous)
{
    return bits << 1 | previous >> 63;
}

static uint64_t right_of(uint64_t bits, uint64_t next)
{
    return bits >> 1 | next << 63;
}

/* Bytes of tokens: words, and the signs that join two characters into one token. */
static uint64_t token_bytes(const struct scan *s, size_t i)
{
    static const struct class_block none;
    const struct class_block *b = &s->block[i], *previous = i > 0 ? b - 1 : &none,
                             *next = i + 1 < s->n_blocks ? b + 1 : &none;
    uint64_t apostrophe =
        b->apostrophe & left_of(b->letter, previous->letter) & right_of(b->letter, next->letter);
    uint64_t point =
        b->point & left_of(b->decimal, previous->decimal) & right_of(b->decimal, next->decimal);
    return b->letter | b->number | b->ideograph | apostrophe | point;
}

/* Finds the bounds of the text's tokens. */
static void find_tokens(struct scan *s)
{
    uint64_t token = 0, ideograph = 0; /* of the block before */
    for (size_t i = 0; i < s->n_blocks; i++) {
        const struct class_block *b = &s->block[i];
        uint64_t inside = token_bytes(s, i), was_inside = left_of(inside, token);
        uint64_t alone = b->ideograph & b->first; /* a token of its own begins, or has ended */
        alone |= left_of(b->ideograph, ideograph) & ~b->ideograph;
        uint64_t begin = inside & (~was_inside | alone);
        s->bounds[i] = (struct bounds){inside, begin, was_inside & (~inside | begin), 0};
        token = inside;
        ideograph = b->ideograph;
    }
}

/* The hashes of the tokens; each place holds the beginning of its token until its end is met. */
static void hash_tokens(struct scan *s)
{
    uint64_t *first = s->part->array[0], *hash = first + s->count, *ended = hash;
    uint8_t *is_number = (uint8_t *)s->part->array[1] + s->count;
    for (size_t i = 0; i < s->n_blocks; i++) {
        struct bounds *bounds = &s->bounds[i];
        uint64_t decimal = s->block[i].decimal;
        bounds->count = (size_t)(hash - first);
        for (uint64_t bits = bounds->begin; bits != 0; bits &= bits - 1) {
            unsigned bit = (unsigned)__builtin_ctzll(bits);
            *is_number++ = (uint8_t)(decimal >> bit & 1);
            *hash++ = 64 * i + bit;
        }
        for (uint64_t bits = bounds->end; bits != 0; bits &= bits - 1, ended++) {
            size_t end = 64 * i + (size_t)__builtin_ctzll(bits);
            *ended = XXH3_64bits(s->folded.byte + *ended, end - (size_t)*ended);
        }
    }
    s->count = (size_t)(hash - first);
}

/* Length of the closing sign at `at`, 0 where there is none: . ! ? " ' ) ] } and », ”, ›. */
static size_t closer(const struct folded_text *f, size_t at)
{
    static const char *const wide[] = {"\xc2\xbb", "\xe2\x80\x9d", "\xe2\x80\xba"};
    const char *text = f->byte + at;
    if (at >= f->n || strchr(".!?\"')]}", *text) != NULL) {
        return at < f->n;
    }
    for (size_t i = 0; i < sizeof wide / sizeof *wide; i++) {
        size_t length = strlen(wide[i]);
        if (strncmp(text, wide[i], length) == 0) {
            return length;
        }
    }
    return 0;
}

/* 1 when the ender at `at` ends a sentence: only enders, closing quotes and brackets stand between it
 * and white space or the end. */
static int ends_sentence(struct scan *s, size_t at)
{
    const struct folded_text *f = &s->folded;
    if ((unsigned char)f->byte[at] >= 0x80) { /* the ideographic full stop */
        return 1;
    }
    if (at >= s->closed_until) {
        size_t end = at + 1;
        for (size_t length; (length = closer(f, end)) > 0;) {
            end += length;
        }
        s->closed_until = end;
        s->closed = end == f->n || (s->block[end / 64].space >> (end % 64) & 1);
    }
    return s->closed;
}

/* Characters, sentences and lines of block i. */
static void scan_block(struct scan *s, size_t i)
{
    const struct class_block *b = &s->block[i];
    const struct bounds *bounds = &s->bounds[i];
    uint64_t ink = b->first & ~b->space, passed = 0; /* bits up to the last end of a line */
    s->shape->characters += (size_t)__builtin_popcountll(ink);
    s->shape->punctuation += (size_t)__builtin_popcountll(b->punctuation & b->first);
    for (uint64_t bits = b->newline | (b->ender & ~bounds->token); bits != 0; bits &= bits - 1) {
        uint64_t bit = bits & (0 - bits), below = bit - 1;
        size_t tokens = bounds->count + (size_t)__builtin_popcountll(bounds->begin & below);
        if ((b->newline & bit) != 0) {
            s->line_is_blank &= (ink & below & ~passed) == 0;
            passed = below;
            close_line(s, tokens);
        } else if (ends_sentence(s, 64 * i + (size_t)__builtin_ctzll(bit))) {
            close_sentence(s, tokens);
        }
    }
    s->line_is_blank &= (ink & ~passed) == 0;
}

static int reserve_blocks(struct scan *s)
{
    s->n_blocks = class_blocks(s->folded.n);
    if (s->n_blocks > s->block_capacity) {
        size_t n = 2 * s->n_blocks;
        TRY(regret_realloc((void **)&s->block, n, sizeof *s->block, "classes of characters"));
        TRY(regret_realloc((void **)&s->bounds, n, sizeof *s->bounds, "bounds of tokens"));
        s->block_capacity = n;
    }
    return REGRET_OK;
}

static int scan_text(struct scan *s, const char *text)
{
    TRY(fold_text(&s->folded, text));
    TRY(reserve_blocks(s));
    classes_find(s->block, &s->folded);
    find_tokens(s);
    TRY(gather_reserve(s->part, s->folded.n / 2 + 1)); /* two of one byte have one between them */
    s->first = s->sentence = s->count = s->part->n;
    s->line_is_blank = 1;
    s->closed_until = 0;
    hash_tokens(s);
    for (size_t i = 0; i < s->n_blocks; i++) {
        scan_block(s, i);
    }
    close_line(s, s->count);
    close_sentence(s, s->count);
    s->part->n = s->count;
    return REGRET_OK;
}

static void scan_free(struct scan *s)
{
    regret_free(s->block);
    regret_free(s->bounds);
    fold_free(&s->folded);
}

int token_spell(char **out, const char *text, uint64_t hash)
{
    struct scan s = {0};
    size_t start = 0;
    int rc;
    *out = NULL;
    TRY_CLEANUP(fold_text(&s.folded, text));
    TRY_CLEANUP(reserve_blocks(&s));
    classes_find(s.block, &s.folded);
    find_tokens(&s);
    for (size_t i = 0; i < s.n_blocks && *out == NULL; i++) {
        const struct bounds *b = &s.bounds[i];
        for (uint64_t bits = b->begin | b->end; bits != 0 && *out == NULL; bits &= bits - 1) {
            unsigned bit = (unsigned)__builtin_ctzll(bits);
            size_t at = 64 * i + bit; /* where one token ends another may begin */
            int is_it =
                (b->end >> bit & 1) != 0 && XXH3_64bits(s.folded.byte + start, at - start) == hash;
            TRY_CLEANUP(is_it ? regret_strndup(out, s.folded.byte + start, at - start) : REGRET_OK);
            start = (b->begin >> bit & 1) != 0 ? at : start;
        }
    }
cleanup:
    scan_free(&s);
    return rc;
}

struct cutting {
    const char *const *texts;
    struct regret_text_shape *shape;
    struct scan *scan; /* one a thread */
};

static int cut_text(void *context, size_t i, size_t worker, struct gather_part *part)
{
    struct cutting *c = context;
    struct scan *scan = &c->scan[worker];
    scan->part = part;
    scan->shape = &c->shape[i];
    int rc = scan_text(scan, c->texts[i] == NULL ? "" : c->texts[i]);
    if (rc != REGRET_OK) {
        return regret_fail_prefix(rc, "text %zu", i);
    }
    return REGRET_OK;
}

int regret_tokens_build(struct regret_tokens **out, const char *const *texts, size_t n)
{
    FREED_BY(regret_tokens_free_at) struct regret_tokens *tokens = NULL;
    size_t threads = regret_threads_allowed();
    struct cutting c = {.texts = texts};
    TRY(REGRET_NEW(&tokens, 1));
    tokens->n_texts = n;
    TRY(REGRET_NEW(&tokens->start, n + 1));
    TRY(REGRET_NEW(&tokens->shape, n));
    TRY(REGRET_NEW(&c.scan, threads));
    c.shape = tokens->shape;
    struct gather_whole all = {tokens->start, {.size = {sizeof *tokens->hash, 1}}};
    int rc = gather_rows(&all, n, cut_text, &c);
    tokens->hash = all.all.array[0];
    tokens->is_number = all.all.array[1];
    for (size_t t = 0; t < threads; t++) {
        scan_free(&c.scan[t]);
    }
    regret_free(c.scan);
    TRY(rc);
    *out = tokens;
    tokens = NULL;
    return REGRET_OK;
}

void regret_tokens_free(struct regret_tokens *tokens)
{
    if (tokens == NULL) {
        return;
    }
    regret_free(tokens->start);
    regret_free(tokens->hash);
    regret_free(tokens->is_number);
    regret_free(tokens->shape);
    regret_free(tokens);
}

size_t regret_text_cut(const char *text, size_t most)
{
    size_t n = most > 0 ? strnlen(text, most + 1) : strlen(text);
    if (most == 0 || n <= most) { /* strnlen() looks at most one byte past */
        return n;
    }
    n = most;
    while (n > 0 && ((unsigned char)text[n] & 0xC0) == 0x80) { /* a byte that goes on a character */
        n--;
    }
    return n;
}

static int check_pairs(const struct regret_pairs *pairs)
{
    if (pairs->outputs->n_texts != pairs->n_pairs) {
        return regret_fail(REGRET_E_INPUT, "%zu pairs with %zu outputs: give one output a pair",
                           pairs->n_pairs, pairs->outputs->n_texts);
    }
    for (size_t i = 0; i < pairs->n_pairs; i++) {
        if (pairs->context[i] >= pairs->contexts->n_texts) {
            return regret_fail(REGRET_E_INPUT,
                               "pair %zu refers to context %lu, but there are only %zu", i,
                               (unsigned long)pairs->context[i], pairs->contexts->n_texts);
        }
    }
    return REGRET_OK;
}

/* Of a table that n words fill by half at most: a power of two. */
static size_t table_slots(size_t n)
{
    size_t slots = 2;
    while (slots < 2 * n) {
        slots *= 2;
    }
    return slots;
}

int measurer_init(struct measurer *m, const struct regret_pairs *pairs)
{
    *m = (struct measurer){.pairs = pairs};
    TRY(check_pairs(pairs));
    for (size_t i = 0; i < pairs->n_pairs; i++) {
        size_t length = pairs->outputs->start[i + 1] - pairs->outputs->start[i];
        m->longest = length > m->longest ? length : m->longest;
    }
    return occurrences_build(&m->tokens, pairs->contexts, 1);
}

int measurer_index_bigrams(struct measurer *m)
{
    return occurrences_build(&m->bigrams, m->pairs->contexts, 2);
}

void measurer_free(struct measurer *m)
{
    occurrences_free(&m->tokens);
    occurrences_free(&m->bigrams);
}

int measuring_init(struct measuring *m, const struct measurer *by)
{
    *m = (struct measuring){.by = by, .known_of = SIZE_MAX};
    TRY(REGRET_NEW(&m->seen, table_slots(by->longest)));
    return REGRET_NEW(&m->known, by->longest);
}

void measuring_free(struct measuring *m)
{
    regret_free(m->seen);
    regret_free(m->known);
}

static double share(double part, double whole)
{
    return whole > 0.0 ? part / whole : 0.0;
}

/* Two neighbouring slices of tokens: an output and its context. */
struct view {
    const uint64_t *output;
    size_t n;
    const uint64_t *context;
    size_t n_context;
    size_t text; /* the context's index */
};

/* Different hashes among n, by a table of table_slots(n) in which 0 is an empty slot. */
static size_t distinct(const uint64_t *hash, size_t n, uint64_t *table)
{
    size_t slots = table_slots(n), count = 0, zeros = 0;
    memset(table, 0, slots * sizeof *table);
    for (size_t i = 0; i < n; i++) {
        size_t at = hash[i] & (slots - 1);
        while (table[at] != 0 && table[at] != hash[i]) {
            at = (at + 1) & (slots - 1);
        }
        zeros += hash[i] == 0;
        count += table[at] != hash[i];
        table[at] = hash[i];
    }
    return count + (zeros > 0);
}

static void measure_surface(double *value, const struct view *v,
                            const struct regret_text_shape *shape, uint64_t *table)
{
    double n = (double)v->n;
    value[MEASURE_WORDS] = n;
    value[MEASURE_LOG_WORDS] = log1p(n);
    value[MEASURE_SENTENCES] = (double)shape->sentences;
    value[MEASURE_MEAN_SENTENCE_WORDS] = share(n, (double)shape->sentences);
    value[MEASURE_COMPRESSION] = (double)v->n_context / fmax(n, 1.0);
    value[MEASURE_REPETITION] = share(n - (double)distinct(v->output, v->n, table), n);
    value[MEASURE_PUNCTUATION] = share((double)shape->punctuation, (double)shape->characters);
}

static void measure_overlap(double *value, const struct view *v, const struct measurer *m,
                            const uint8_t *known, const uint8_t *is_number)
{
    size_t numbers = 0, lead = 0, novel_bigrams = 0;
    size_t lead_tokens = m->pairs->contexts->shape[v->text].lead_tokens;
    const struct occurrence *first = NULL;
    for (size_t i = 0; i < v->n; i++) {
        numbers += !known[i] && is_number[i];
        lead += known[i] && occurrences_find(&first, &m->tokens, v->text, v->output[i]) > 0 &&
                first->position < lead_tokens;
        if (i + 1 < v->n) {
            uint64_t key = key_bigram(v->output[i], v->output[i + 1]);
            novel_bigrams += occurrences_find(&first, &m->bigrams, v->text, key) == 0;
        }
    }
    double n = (double)v->n;
    value[MEASURE_NOVEL_BIGRAMS] = share((double)novel_bigrams, n - 1.0);
    value[MEASURE_UNMATCHED_NUMBERS] = (double)numbers;
    value[MEASURE_LEAD_OVERLAP] = share((double)lead, n);
}

/* Longest run of context tokens equal to the output's from place i on. */
static size_t longest_fragment(const struct view *v, const struct measurer *m, size_t i)
{
    const struct occurrence *place = NULL;
    size_t longest = 0, places = occurrences_find(&place, &m->tokens, v->text, v->output[i]);
    for (size_t p = 0; p < places; p++) {
        size_t from = place[p].position, length = 1;
        while (i + length < v->n && from + length < v->n_context &&
               v->output[i + length] == v->context[from + length]) {
            length++;
        }
        longest = length > longest ? length : longest;
    }
    return longest;
}

/* Greedy copied fragments, Grusky et al. 2018, figure 3. */
static void measure_fragments(double *value, const struct view *v, const struct measurer *m)
{
    double covered = 0.0, squares = 0.0;
    for (size_t i = 0; i < v->n;) {
        size_t length = longest_fragment(v, m, i);
        covered += (double)length;
        squares += (double)length * (double)length;
        i += length > 0 ? length : 1;
    }
    value[MEASURE_FRAGMENT_COVERAGE] = share(covered, (double)v->n);
    value[MEASURE_FRAGMENT_DENSITY] = share(squares, (double)v->n);
}

static struct view view_of(const struct measurer *m, size_t pair)
{
    const struct regret_tokens *outputs = m->pairs->outputs, *contexts = m->pairs->contexts;
    size_t text = m->pairs->context[pair];
    return (struct view){outputs->hash + outputs->start[pair],
                         outputs->start[pair + 1] - outputs->start[pair],
                         contexts->hash + contexts->start[text],
                         contexts->start[text + 1] - contexts->start[text], text};
}

const uint8_t *measure_known(struct measuring *m, size_t pair)
{
    if (m->known_of != pair) {
        struct view v = view_of(m->by, pair);
        const struct occurrence *first = NULL;
        for (size_t i = 0; i < v.n; i++) {
            m->known[i] = occurrences_find(&first, &m->by->tokens, v.text, v.output[i]) > 0;
        }
        m->known_of = pair;
    }
    return m->known;
}

void measure_shape(double *value, struct measuring *m, size_t pair)
{
    struct view v = view_of(m->by, pair);
    const uint8_t *known = measure_known(m, pair);
    size_t novel = 0;
    for (size_t i = 0; i < v.n; i++) {
        novel += !known[i];
    }
    measure_surface(value, &v, &m->by->pairs->outputs->shape[pair], m->seen);
    value[MEASURE_NOVEL_TOKENS] = share((double)novel, (double)v.n);
}

void measure_pair(double *value, struct measuring *m, size_t pair)
{
    const struct regret_tokens *outputs = m->by->pairs->outputs;
    struct view v = view_of(m->by, pair);
    measure_shape(value, m, pair);
    measure_overlap(value, &v, m->by, measure_known(m, pair),
                    outputs->is_number + outputs->start[pair]);
    measure_fragments(value, &v, m->by);
}
