#include "base/escape.h" /* moved there; for branches that still look here */
