/* Counts, reverses and permutes bits in the ways that books tell: Gray codes, parity, population
   counts, leading zeros, Morton numbers: shifts, masks, loops of few turns. */
#include <stdint.h>
#include <stdio.h>

#ifdef SMALL
enum { COUNT = 1000 };
#else
enum { COUNT = 12000000 };
#endif

static unsigned ones_by_loop(uint32_t x) {
  unsigned count = 0;
  for (; x; x &= x - 1) count++;
  return count;
}

static unsigned ones_by_sums(uint64_t x) {
  x -= x >> 1 & 0x5555555555555555u;
  x = (x & 0x3333333333333333u) + (x >> 2 & 0x3333333333333333u);
  x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fu;
  return (unsigned)(x * 0x0101010101010101u >> 56);
}

static uint32_t reversed(uint32_t x) {
  x = (x & 0x55555555u) << 1 | (x >> 1 & 0x55555555u);
  x = (x & 0x33333333u) << 2 | (x >> 2 & 0x33333333u);
  x = (x & 0x0f0f0f0fu) << 4 | (x >> 4 & 0x0f0f0f0fu);
  return x << 24 | (x & 0xff00u) << 8 | (x >> 8 & 0xff00u) | x >> 24;
}

static unsigned leading_zeros(uint64_t x) {
  unsigned count = 0;
  for (unsigned width = 32; width; width >>= 1)
    if (!(x >> (64 - width))) {
      count += width;
      x <<= width;
    }
  return count;
}

static unsigned trailing_zeros(uint32_t x) {
  unsigned count = 0;
  while (count < 32 && !(x >> count & 1)) count++;
  return count;
}

static uint32_t gray(uint32_t x) { return x ^ x >> 1; }

static uint32_t from_gray(uint32_t x) {
  for (unsigned by = 16; by; by >>= 1) x ^= x >> by;
  return x;
}

static uint64_t spread(uint64_t x) {
  x = (x | x << 16) & 0x0000ffff0000ffffu;
  x = (x | x << 8) & 0x00ff00ff00ff00ffu;
  x = (x | x << 4) & 0x0f0f0f0f0f0f0f0fu;
  x = (x | x << 2) & 0x3333333333333333u;
  return (x | x << 1) & 0x5555555555555555u;
}

static uint32_t next_same_count(uint32_t x) {
  uint32_t lowest = x & (0 - x), up = x + lowest;
  return up | ((x ^ up) >> 2) / lowest;
}

int main(void) {
  uint64_t check = 0;
  uint32_t combination = 0x1ff, seed = 2;
  for (uint32_t i = 0; i < COUNT; i++) {
    seed = seed * 1664525u + 1013904223u;
    uint64_t wide = (uint64_t)seed << 29 ^ i;
    uint64_t morton = spread(seed >> 16) | spread(i & 0xffff) << 1;
    check += ones_by_loop(seed) + ones_by_sums(wide) + leading_zeros(wide | 1) + trailing_zeros(i);
    check = (check << 7 | check >> 57) ^ reversed(seed) ^ morton;
    if (from_gray(gray(seed)) != seed) check++;
    combination = combination >> 30 ? 0x1ff : next_same_count(combination);
    check += combination;
  }
  printf("bits %llu\n", (unsigned long long)check);
  return 0;
}
