// The C library of confined programs: one unit, so that everything but the library's functions is
// private.

#include "libc.h"

#include "string.c"

#include "memory.c"

#include "stdio.c"

#include "sort.c"

#include "big.c"

#include "number.c"

#include "math.c"

#include "real.c"

#include "output.c"

#include "decimal.c"

#include "format.c"

#include "glibc.c"

#include "exit.c"
