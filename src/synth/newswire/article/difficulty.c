#include "synth/newswire/article/difficulty.h"

const struct newswire_difficulty newswire_hard = {
    .slips = 100,
    .suits = 100,
    .luck = {.sure = 42,
             .partial = 55,
             .garbling = 63,
             .rambling = 72,
             .confused = 83,
             .small = 8,
             .large = 95},
    .marks = {.claims = {0, 1, 3, 7},
              .missing = {0, 1},
              .told = {50, 25},
              .blemishes = {0, 2, 4, 6, 9},
              .words = 10,
              .shortest = {60, 45, 33, 20},
              .longest = {150, 200, 270, 350},
              .idle = {8, 18, 32, 50}},
};

const struct newswire_difficulty newswire_ceiling = {
    .slips = 81,
    .suits = 70,
    .luck = {.sure = 76,
             .partial = 82,
             .garbling = 85,
             .rambling = 89,
             .confused = 93,
             .small = 19,
             .large = 95},
    .marks = {.claims = {0, 1, 3, 7},
              .missing = {3, 4},
              .told = {28, 14},
              .blemishes = {2, 4, 6, 8, 11},
              .words = 10,
              .shortest = {50, 37, 27, 17},
              .longest = {182, 242, 327, 424},
              .idle = {16, 35, 63, 98}},
};

const struct regret_spread_options newswire_fitted = {
    .within = 0.18,
    .agents = 1.75,
    .contexts = 1.0,
    .noise = 0.0,
    .seed = 0,
};
