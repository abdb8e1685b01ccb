/* A small language with the syntax of Python, and its interpreter.
 *
 * Offers: mini_parse(), mini_evaluate(), and the lexer for those who change programs.
 * Way: lexer.c → parser.c and parser_statements.c make the tree → program.c links modules and evaluates an expression
 * with expressions.c and statements.c, on values.c by operators.c, builtins.c and methods.c.
 * Uses: base/core, base/text, synth/data.
 */
#ifndef REGRET_SYNTH_MINI_ROOM_H
#define REGRET_SYNTH_MINI_ROOM_H

#include "synth/mini/lexer.h"
#include "synth/mini/mini.h"

#endif
