/* The order people expect of ids. */
#ifndef REGRET_IMPORT_NATURAL_ORDER_H
#define REGRET_IMPORT_NATURAL_ORDER_H

/* For qsort of const char *: digits compare as numbers, "M2" stands before "M10". Total. */
int natural_order(const void *left, const void *right);

#endif
