/* Fills tables of dynamic programming: edit distance in two rows, longest common subsequence, a
   knapsack, and an order of matrix products: minima, maxima, neighbours in arrays. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#ifdef SMALL
enum { LENGTH = 60, ITEMS = 20, CAPACITY = 200, CHAIN = 12, ROUNDS = 1 };
#else
enum { LENGTH = 1500, ITEMS = 200, CAPACITY = 20000, CHAIN = 180, ROUNDS = 48 };
#endif

static char a[LENGTH], b[LENGTH];
static uint16_t common[LENGTH + 1][LENGTH + 1];
static int64_t cost[CHAIN][CHAIN];
static uint32_t seed = 6;

static uint32_t random_below(uint32_t limit) {
  seed = seed * 1664525u + 1013904223u;
  return (seed >> 16) % limit;
}

static int least(int x, int y) { return x < y ? x : y; }

static int edit_distance(void) {
  static int rows[2][LENGTH + 1];
  for (int j = 0; j <= LENGTH; j++) rows[0][j] = j;
  for (int i = 1; i <= LENGTH; i++) {
    const int *above = rows[(i + 1) & 1];
    int *row = rows[i & 1];
    row[0] = i;
    for (int j = 1; j <= LENGTH; j++) {
      int kept = above[j - 1] + (a[i - 1] != b[j - 1]);
      row[j] = least(kept, least(above[j], row[j - 1]) + 1);
    }
  }
  return rows[LENGTH & 1][LENGTH];
}

static uint32_t common_subsequence(void) {
  for (int i = LENGTH - 1; i >= 0; i--)
    for (int j = LENGTH - 1; j >= 0; j--) {
      uint16_t down = common[i + 1][j], right = common[i][j + 1];
      common[i][j] = a[i] == b[j] ? (uint16_t)(common[i + 1][j + 1] + 1) : down > right ? down : right;
    }
  uint32_t hash = common[0][0];
  for (int i = 0, j = 0; i < LENGTH && j < LENGTH;) {
    if (a[i] == b[j]) {
      hash = hash * 31 + (uint32_t)a[i];
      i++, j++;
    } else if (common[i + 1][j] >= common[i][j + 1]) {
      i++;
    } else {
      j++;
    }
  }
  return hash;
}

static uint32_t knapsack(void) {
  static uint32_t best[CAPACITY + 1];
  memset(best, 0, sizeof best);
  for (int item = 0; item < ITEMS; item++) {
    int weight = 1 + (int)random_below(CAPACITY / 20);
    uint32_t value = 1 + random_below(1000);
    for (int room = CAPACITY; room >= weight; room--) {
      uint32_t with = best[room - weight] + value;
      if (with > best[room]) best[room] = with;
    }
  }
  return best[CAPACITY];
}

static int64_t chain(void) {
  int sizes[CHAIN + 1];
  for (int i = 0; i <= CHAIN; i++) sizes[i] = 5 + (int)random_below(90);
  for (int i = 0; i < CHAIN; i++) cost[i][i] = 0;
  for (int span = 1; span < CHAIN; span++)
    for (int i = 0; i + span < CHAIN; i++) {
      int j = i + span;
      int64_t lowest = INT64_MAX;
      for (int k = i; k < j; k++) {
        int64_t all = cost[i][k] + cost[k + 1][j] + (int64_t)sizes[i] * sizes[k + 1] * sizes[j + 1];
        if (all < lowest) lowest = all;
      }
      cost[i][j] = lowest;
    }
  return cost[0][CHAIN - 1];
}

int main(void) {
  uint32_t check = 0;
  for (int round = 0; round < ROUNDS; round++) {
    for (int i = 0; i < LENGTH; i++) {
      a[i] = (char)('a' + random_below(6));
      b[i] = random_below(4) ? a[i] : (char)('a' + random_below(6));
    }
    check = check * 31 + (uint32_t)edit_distance();
    check = check * 31 + common_subsequence();
    check = check * 31 + knapsack();
    check = check * 31 + (uint32_t)chain();
  }
  printf("tabled %u\n", check);
  return 0;
}
