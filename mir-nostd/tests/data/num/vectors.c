/* Prints what the long double of the C compiler's target gives: one line per operation, bits in hexadecimal.
   The files beside this one were made with gcc 12.2 and glibc 2.36, the emulated ones under QEMU 7.2:

     gcc -O1 vectors.c && ./a.out > x87.txt                                                  (on an x86_64 machine)
     aarch64-linux-gnu-gcc -O1 -static vectors.c && qemu-aarch64-static ./a.out > quad.txt
     powerpc64le-linux-gnu-gcc -O1 -static vectors.c && qemu-ppc64le-static ./a.out > double_double.txt

   Operations: add sub mul div and compare (l, e, g, u) of two numbers; neg; to and from i64, u64, f32, f64; text with so
   many digits after the point; reading text. Conversions to integers are limited to what fits. */
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef long double number;
typedef unsigned __int128 bits;

#define X87 (LDBL_MANT_DIG == 64)
#define PAIR (LDBL_MANT_DIG == 106)
#ifndef ROWS
#define ROWS 120
#endif
#define COUNT(a) ((int) (sizeof (a) / sizeof *(a)))

static uint64_t state = 0x9E3779B97F4A7C15u;
static uint64_t next (void) {
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}
static bits get (number x) {
  bits b = 0;
  memcpy (&b, &x, X87 ? 10 : 16);
  return b;
}
static number put (bits b) {
  number x = 0;
  memcpy (&x, &b, X87 ? 10 : 16);
  return x;
}
static void show (bits b) {
  if (b >> 64) printf (" %llx%016llx", (unsigned long long) (b >> 64), (unsigned long long) b);
  else printf (" %llx", (unsigned long long) b);
}
static double real (uint64_t b) {
  double d;
  memcpy (&d, &b, 8);
  return d;
}
static uint64_t real_bits (double d) {
  uint64_t b;
  memcpy (&b, &d, 8);
  return b;
}

/* Numbers at the borders of the format. */
static bits wide (uint64_t high, uint64_t low) { return (bits) high << 64 | low; }
static int border (bits *out) {
  int n = 0;
  if (X87) {
    static const uint64_t exponents[] = {0, 1, 0x3FFE, 0x3FFF, 0x403E, 0x7FFE};
    static const uint64_t mantissas[] = {0x8000000000000000u, 0x8000000000000001u, 0xFFFFFFFFFFFFFFFFu};
    for (int e = 0; e < COUNT (exponents); e++)
      for (int m = 0; m < COUNT (mantissas); m++) out[n++] = wide (exponents[e] | (m == 1) << 15, mantissas[m]);
    out[n++] = 0, out[n++] = wide (0x8000, 0), out[n++] = 1, out[n++] = wide (0x8000, 0x7FFFFFFFFFFFFFFFu);
    out[n++] = wide (0x7FFF, 1ull << 63), out[n++] = wide (0xFFFF, 1ull << 63);
    out[n++] = wide (0x7FFF, 0xC000000000000000u), out[n++] = wide (0xFFFF, 0xC000000000000123u);
    out[n++] = wide (0x7FFF, 0x8000000000000001u), out[n++] = wide (0x7FFF, 0x9000000000000000u);
    out[n++] = wide (0x4000, 0x4000000000000000u), out[n++] = wide (0x7FFF, 0), out[n++] = wide (0x4000, 0);
  } else if (PAIR) {
    static const uint64_t highs[] = {0, 1ull << 63, 1, 0x000FFFFFFFFFFFFFu, 0x0010000000000000u, 0x0360000000000000u,
      0x3FF0000000000000u, 0xBFF0000000000001u, 0x7FEFFFFFFFFFFFFFu, 0xFFEFFFFFFFFFFFFFu, 0x7FF0000000000000u,
      0xFFF0000000000000u, 0x7FF8000000000000u, 0x43F0000000000000u, 0x43E0000000000000u};
    for (int i = 0; i < COUNT (highs); i++) {
      double high = real (highs[i]), low = ldexp (high, -54);
      out[n++] = highs[i];
      if (isfinite (high) && low != 0 && high + low == high)
        out[n++] = wide (real_bits (low), highs[i]), out[n++] = wide (real_bits (-low * 0.4999), highs[i]);
    }
  } else {
    static const uint64_t exponents[] = {0, 1, 0x3FFE, 0x3FFF, 0x403E, 0x406F, 0x7FFE};
    for (int e = 0; e < COUNT (exponents); e++) {
      out[n++] = wide (exponents[e] << 48, 1), out[n++] = wide (exponents[e] << 48 | 1ull << 63, 0);
      out[n++] = wide (exponents[e] << 48 | 0xFFFFFFFFFFFFu, ~0ull);
    }
    out[n++] = 0, out[n++] = wide (0x7FFFull << 48, 0), out[n++] = wide (0xFFFFull << 48, 0);
    out[n++] = wide (0x7FFF8ull << 44, 0x123), out[n++] = wide (0x7FFFull << 48, 1);
  }
  return n;
}

/* A random number whose exponent lies about `spread` around that of 1. */
static bits some (int spread) {
  uint64_t a = next (), b = next ();
  if (next () % 4 == 0) a &= ~0ull << next () % 64, b &= a;
  if (next () % 8 == 0) a |= ~0ull >> next () % 64, b |= ~0ull >> next () % 64;
  int exponent = (int) (next () % (2 * spread)) - spread;
  uint64_t sign = next () & 1;
  if (X87) return wide (sign << 15 | (0x3FFF + exponent), a | 1ull << 63);
  if (!PAIR) return wide (sign << 63 | (uint64_t) (0x3FFF + exponent) << 48 | b >> 16, a);
  double high = real (sign << 63 | (uint64_t) (0x3FF + exponent) << 52 | a >> 12);
  double low = ldexp ((double) (int64_t) b, exponent - 53 - 63 - (next () % 4 ? 0 : next () % 60));
  double sum = high + low;
  return wide (real_bits (low - (sum - high)), real_bits (sum));
}
#define WIDEST (PAIR ? 1000 : 16300)

/* Whether an x87 unit refuses this pattern or reads it as another one. */
static int strange (bits x) { return X87 && ((uint64_t) x >> 63 == 0) != ((x >> 64 & 0x7FFF) == 0); }

static void binary (bits x, bits y) {
  /* What a refused pattern gives beside a NaN is of no interest. */
  if ((strange (x) && put (y) != put (y)) || (strange (y) && put (x) != put (x))) return;
  volatile number a = put (x), b = put (y);
  number results[4] = {a + b, a - b, a * b, a / b};
  static const char *names[4] = {"add", "sub", "mul", "div"};
  for (int i = 0; i < 4; i++) {
    printf ("%s", names[i]), show (x), show (y), show (get (results[i]));
    printf ("\n");
  }
  printf ("compare"), show (x), show (y);
  printf (" %c\n", a < b ? 'l' : a > b ? 'g' : a == b ? 'e' : 'u');
}

static void to_others (bits x) {
  volatile number a = put (x);
  float f = (float) a;
  uint32_t f_bits;
  memcpy (&f_bits, &f, 4);
  printf ("neg"), show (x), show (get (-a));
  printf ("\nto_f32"), show (x), show (f_bits);
  printf ("\nto_f64"), show (x), show (real_bits ((double) a));
  printf ("\n");
  if (a > -0x1p63L && a < 0x1p63L) {
    printf ("to_i64"), show (x), show ((uint64_t) (int64_t) a);
    printf ("\n");
  }
  if (a >= 0 && a < 0x1p64L) {
    printf ("to_u64"), show (x), show ((uint64_t) a);
    printf ("\n");
  }
}

static void from_others (uint64_t x) {
  volatile int64_t i = (int64_t) x;
  volatile uint64_t u = x;
  volatile double d = real (x);
  volatile float f;
  uint32_t low = (uint32_t) x;
  memcpy ((void *) &f, &low, 4);
  printf ("from_i64"), show (x), show (get ((number) i));
  printf ("\nfrom_u64"), show (x), show (get ((number) u));
  printf ("\nfrom_f64"), show (x), show (get ((number) d));
  printf ("\nfrom_f32"), show (low), show (get ((number) f));
  printf ("\n");
}

static void to_text (bits x, const char *style, int precision) {
  if (PAIR) {
    /* The C library drops what lies below the 106th bit; we do not. */
    char text[512];
    snprintf (text, sizeof text, "%.120Le", put (x));
    x = get (strtold (text, 0));
  }
  printf ("%s", style), show (x);
  char layout[16];
  snprintf (layout, sizeof layout, " %%.*L%s\n", style);
  printf (" %d", precision);
  printf (layout, precision, put (x));
}

static void from_text (const char *text) {
  printf ("read %s", text), show (get (strtold (text, 0)));
  printf ("\n");
}

int main (void) {
  bits edges[64];
  int count = border (edges);
  for (int i = 0; i < count; i++) {
    for (int k = 0; k < 6; k++) binary (edges[i], edges[next () % count]);
    to_others (edges[i]);
    if (!strange (edges[i])) to_text (edges[i], "e", LDBL_MANT_DIG), to_text (edges[i], "g", 6);
  }
  for (int i = 0; i < ROWS; i++) {
    static const int spreads[] = {2, 40, 150, 0};
    int spread = spreads[i % 4] ? spreads[i % 4] : WIDEST;
    bits x = some (spread), y = some (spread);
    binary (x, y);
    to_others (some (64)), to_others (some (PAIR ? 1000 : 1100));
    if (!PAIR) to_text (some (WIDEST), "e", LDBL_MANT_DIG);
    to_text (some (100), i % 2 ? "e" : "g", i % 40), to_text (some (20), "f", i % 50);
  }
  static const uint64_t values[] = {0, 1, ~0ull, 1ull << 63, 0x7FFFFFFFFFFFFFFFu, 0x7FF0000000000000u,
    0x3FF0000000000001u, 0x000FFFFF00000001u, 0x800000007F800000u, 0x80000000FF7FFFFFu};
  for (int i = 0; i < COUNT (values); i++) from_others (values[i]);
  for (int i = 0; i < ROWS; i++) from_others (next () >> (i % 2 ? next () % 64 : 0));
  static const char *texts[] = {"0", "-0.0", "1", "1.5", "0.1", "-123456789012345678901234567890.5e-3", "1e4000", "1e5000",
    "1e-4940", "1e-4951", "1e-5000", "9007199254740993", "36893488147419103233", "3.3621e-4932", "1.18973149535723176e4932",
    "1e308", "1.7976931348623157e308", "1.797693134862315807e308", "1.7976931348623159e308", "4.9e-324", "2.4e-324",
    "-1e5000", "1e-300", "20769187434139310514121985316880383", "20769187434139310514121985316880385"};
  for (int i = 0; i < COUNT (texts); i++) from_text (texts[i]);
  for (int i = 0; i < ROWS; i++) {
    char text[128];
    int length = 1 + next () % 100;
    text[0] = '1' + next () % 9;
    for (int k = 1; k < length; k++) text[k] = k == 1 ? '.' : '0' + next () % 10;
    int reach = i % 2 ? 30 : PAIR ? 300 : 4900;
    snprintf (text + length, 16, "e%d", (int) (next () % (2 * reach)) - reach);
    from_text (text);
  }
  if (X87) {
    /* NaNs with the same mantissa. */
    bits nan = wide (0x7FFF, 0xC000000000000123u), negative = wide (0xFFFF, 0xC000000000000123u);
    binary (nan, negative), binary (negative, nan), binary (negative, negative);
  } else if (!PAIR) {
    /* Products just above the middle between two numbers: their 128th bit, and what follows it, say so. */
    binary (wide (0x3FFFFFD0C796EE3Aull, 0xBA0AA353A44A320Bull), wide (0x3FFF09C6EAA9F546ull, 0x2DBE1C2CBEE467EEull));
    binary (wide (0x3FFFD914B7AB097Dull, 0x70983671FA8C5100ull), wide (0x3FFF2CD92826CD30ull, 0x26D6E5A0E069E69Cull));
  }
}
