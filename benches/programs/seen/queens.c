/* Counts the ways to place queens by masks, and by arrays of attacked lines; colours a graph and
   solves a sudoku: recursion that goes back. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#ifdef SMALL
enum { MASKED = 7, MARKED = 6, SUDOKUS = 1 };
#else
enum { MASKED = 14, MARKED = 13, SUDOKUS = 1500 };
#endif

static unsigned masked(uint32_t all, uint32_t columns, uint32_t left, uint32_t right) {
  unsigned count = 0;
  if (columns == all) return 1;
  for (uint32_t free = all & ~(columns | left | right); free; free &= free - 1) {
    uint32_t queen = free & (0 - free);
    count += masked(all, columns | queen, (left | queen) << 1, (right | queen) >> 1);
  }
  return count;
}

static uint8_t column[16], rising[32], falling[32];

static unsigned marked(int row, int size) {
  unsigned count = 0;
  if (row == size) return 1;
  for (int x = 0; x < size; x++) {
    if (column[x] || rising[row + x] || falling[row - x + size]) continue;
    column[x] = rising[row + x] = falling[row - x + size] = 1;
    count += marked(row + 1, size);
    column[x] = rising[row + x] = falling[row - x + size] = 0;
  }
  return count;
}

static uint8_t grid[81];
static uint16_t rows[9], columns[9], boxes[9];
static unsigned tries;

static void toggle(int cell, int digit) {
  uint16_t bit = (uint16_t)(1 << digit);
  rows[cell / 9] ^= bit;
  columns[cell % 9] ^= bit;
  boxes[cell / 27 * 3 + cell % 9 / 3] ^= bit;
}

/* Fills the empty cell with the fewest candidates. */
static int solve(void) {
  int best = -1, fewest = 10;
  uint16_t candidates = 0;
  for (int cell = 0; cell < 81; cell++) {
    if (grid[cell]) continue;
    uint16_t taken = rows[cell / 9] | columns[cell % 9] | boxes[cell / 27 * 3 + cell % 9 / 3];
    uint16_t open = (uint16_t)(~taken & 0x3fe);
    int count = 0;
    for (unsigned rest = open; rest; rest &= rest - 1) count++;
    if (count < fewest) {
      best = cell;
      fewest = count;
      candidates = open;
    }
  }
  if (best < 0) return 1;
  for (int digit = 1; digit < 10; digit++) {
    if (!(candidates >> digit & 1)) continue;
    tries++;
    grid[best] = (uint8_t)digit;
    toggle(best, digit);
    if (solve()) return 1;
    toggle(best, digit);
  }
  grid[best] = 0;
  return 0;
}

int main(void) {
  unsigned check = masked((1u << MASKED) - 1, 0, 0, 0) * 1000 + marked(0, MARKED);
  for (int n = 0; n < SUDOKUS; n++) {
    memset(grid, 0, sizeof grid);
    memset(rows, 0, sizeof rows);
    memset(columns, 0, sizeof columns);
    memset(boxes, 0, sizeof boxes);
    /* A few digits in the boxes on the diagonal, which never contradict each other. */
    for (int i = 0; i < 27; i++) {
      int box = i / 9, cell = box * 30 + i % 9 / 3 * 9 + i % 3, digit = (i * 4 + n + box * 2) % 9 + 1;
      if ((i + n) % 4 == 0) continue;
      grid[cell] = (uint8_t)digit;
      toggle(cell, digit);
    }
    solve();
    for (int i = 0; i < 81; i++) check = check * 31 + grid[i];
  }
  printf("queens %u %u\n", check, tries);
  return 0;
}
