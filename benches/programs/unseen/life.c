/* Plays the game of life, on bytes with a border and on 64 cells in a word: sums of neighbours,
   logic on words. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#ifdef SMALL
enum { WORDS = 1, HEIGHT = 40, STEPS = 10 };
#else
enum { WORDS = 4, HEIGHT = 256, STEPS = 11000 };
#endif
enum { WIDTH = WORDS * 64, LINE = WIDTH + 2 };

static uint8_t cells[2][HEIGHT + 2][LINE];
static uint64_t words[2][HEIGHT + 2][WORDS];

/* The world is a torus: the border repeats the other side. */
static void wrap(uint8_t (*world)[LINE]) {
  for (int y = 1; y <= HEIGHT; y++) {
    world[y][0] = world[y][WIDTH];
    world[y][WIDTH + 1] = world[y][1];
  }
  memcpy(world[0], world[HEIGHT], LINE);
  memcpy(world[HEIGHT + 1], world[1], LINE);
}

static void step(uint8_t (*from)[LINE], uint8_t (*to)[LINE]) {
  wrap(from);
  for (int y = 1; y <= HEIGHT; y++)
    for (int x = 1; x <= WIDTH; x++) {
      int count = 0;
      for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) count += from[y + dy][x + dx];
      to[y][x] = count == 3 || (count == 4 && from[y][x]);
    }
}

static uint64_t west(const uint64_t *row, int i) { return row[i] << 1 | row[(i + WORDS - 1) % WORDS] >> 63; }
static uint64_t east(const uint64_t *row, int i) { return row[i] >> 1 | row[(i + 1) % WORDS] << 63; }

/* Adds a bit to the counters of two bits and their overflow. */
static void count(uint64_t *sums, uint64_t bit) {
  uint64_t carry = sums[0] & bit;
  sums[0] ^= bit;
  sums[2] |= sums[1] & carry;
  sums[1] ^= carry;
}

static void step_words(uint64_t (*from)[WORDS], uint64_t (*to)[WORDS]) {
  memcpy(from[0], from[HEIGHT], sizeof *from);
  memcpy(from[HEIGHT + 1], from[1], sizeof *from);
  for (int y = 1; y <= HEIGHT; y++)
    for (int i = 0; i < WORDS; i++) {
      uint64_t sums[3] = {0, 0, 0};
      for (int dy = -1; dy <= 1; dy++) {
        count(sums, west(from[y + dy], i));
        count(sums, east(from[y + dy], i));
        if (dy) count(sums, from[y + dy][i]);
      }
      to[y][i] = sums[1] & ~sums[2] & (sums[0] | from[y][i]);
    }
}

int main(void) {
  uint32_t seed = 30, check = 0, differences = 0;
  for (int y = 1; y <= HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++) {
      seed = seed * 1664525u + 1013904223u;
      uint64_t alive = seed >> 30 == 0;
      cells[0][y][x + 1] = (uint8_t)alive;
      words[0][y][x / 64] |= alive << x % 64;
    }
  for (int n = 0; n < STEPS; n++) {
    if (n % 8 == 0) step(cells[n / 8 & 1], cells[(n / 8 + 1) & 1]);
    step_words(words[n & 1], words[(n + 1) & 1]);
    for (int i = 0; i < WORDS; i++) check = check * 31 + (uint32_t)words[n & 1][1 + n % HEIGHT][i];
    if (n == 0)
      for (int y = 1; y <= HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
          differences += cells[1][y][x + 1] != (words[1][y][x / 64] >> x % 64 & 1);
  }
  for (int y = 1; y <= HEIGHT; y++)
    for (int x = 1; x <= WIDTH; x++) check = check * 3 + cells[0][y][x];
  printf("life %u %u\n", check, differences);
  return 0;
}
