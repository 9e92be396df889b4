/* Computes with large integers of 32-bit digits: factorials, Fibonacci numbers, powers, and their
   decimal digits: sums with carries, products of 64 bits, division by a digit. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#ifdef SMALL
enum { FACTORIAL = 60, FIBONACCI = 300, POWER = 40, ROUNDS = 1 };
#else
enum { FACTORIAL = 3000, FIBONACCI = 30000, POWER = 9000, ROUNDS = 36 };
#endif
enum { DIGITS = 2400 };

struct big {
  int length;
  uint32_t digits[DIGITS];
};

static void set(struct big *a, uint32_t value) {
  a->length = 1;
  a->digits[0] = value;
}

static void add(struct big *to, const struct big *a) {
  uint64_t carry = 0;
  int length = to->length > a->length ? to->length : a->length;
  for (int i = 0; i < length; i++) {
    carry += (i < to->length ? to->digits[i] : 0);
    carry += (i < a->length ? a->digits[i] : 0);
    to->digits[i] = (uint32_t)carry;
    carry >>= 32;
  }
  to->length = length;
  if (carry) to->digits[to->length++] = (uint32_t)carry;
}

static void scale(struct big *a, uint32_t by) {
  uint64_t carry = 0;
  for (int i = 0; i < a->length; i++) {
    carry += (uint64_t)a->digits[i] * by;
    a->digits[i] = (uint32_t)carry;
    carry >>= 32;
  }
  if (carry) a->digits[a->length++] = (uint32_t)carry;
}

static void multiply(struct big *out, const struct big *a, const struct big *b) {
  out->length = a->length + b->length;
  memset(out->digits, 0, (size_t)out->length * sizeof *out->digits);
  for (int i = 0; i < a->length; i++) {
    uint64_t carry = 0;
    for (int j = 0; j < b->length; j++) {
      carry += (uint64_t)a->digits[i] * b->digits[j] + out->digits[i + j];
      out->digits[i + j] = (uint32_t)carry;
      carry >>= 32;
    }
    out->digits[i + b->length] = (uint32_t)carry;
  }
  while (out->length > 1 && !out->digits[out->length - 1]) out->length--;
}

static uint32_t divide(struct big *a, uint32_t by) {
  uint64_t rest = 0;
  for (int i = a->length - 1; i >= 0; i--) {
    rest = rest << 32 | a->digits[i];
    a->digits[i] = (uint32_t)(rest / by);
    rest %= by;
  }
  while (a->length > 1 && !a->digits[a->length - 1]) a->length--;
  return (uint32_t)rest;
}

/* Returns a hash of the decimal digits, nine at a time. */
static uint32_t decimal(struct big *a) {
  uint32_t hash = 0;
  while (a->length > 1 || a->digits[0]) hash = hash * 16777619u ^ divide(a, 1000000000);
  return hash;
}

int main(void) {
  static struct big a, b, c;
  uint32_t check = 0;
  for (int round = 0; round < ROUNDS; round++) {
    set(&a, 1);
    for (uint32_t i = 2; i <= FACTORIAL; i++) scale(&a, i);
    check = check * 31 + decimal(&a);
    set(&a, (uint32_t)round);
    set(&b, 1);
    for (int i = 0; i < FIBONACCI; i += 2) {
      add(&a, &b);
      add(&b, &a);
    }
    check = check * 31 + decimal(&b);
    set(&a, 1);
    set(&b, 7 + (uint32_t)round);
    for (int power = POWER; power; power >>= 1) {
      if (power & 1) {
        multiply(&c, &a, &b);
        a = c;
      }
      if (power > 1) {
        multiply(&c, &b, &b);
        b = c;
      }
    }
    check = check * 31 + decimal(&a);
  }
  printf("bigint %u\n", check);
  return 0;
}
