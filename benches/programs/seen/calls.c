/* Calls itself: Takeuchi's and Ackermann's functions, towers, permutations, functions of many
   arguments, pairs that call each other: the cost of calls and frames. */
#include <stdint.h>
#include <stdio.h>

#ifdef SMALL
enum { TAK = 6, ACKERMANN = 3, DISKS = 6, ITEMS = 4, DEPTH = 10, ROUNDS = 1 };
#else
enum { TAK = 18, ACKERMANN = 8, DISKS = 16, ITEMS = 8, DEPTH = 30, ROUNDS = 800 };
#endif

static int tak(int x, int y, int z) {
  return y >= x ? z : tak(tak(x - 1, y, z), tak(y - 1, z, x), tak(z - 1, x, y));
}

static unsigned ackermann(unsigned m, unsigned n) {
  if (m == 0) return n + 1;
  return ackermann(m - 1, n == 0 ? 1 : ackermann(m, n - 1));
}

static uint32_t moves[3];

static void tower(int disks, int from, int to, int over) {
  if (disks == 0) return;
  tower(disks - 1, from, over, to);
  moves[from] = moves[from] * 5 + (uint32_t)(disks ^ to);
  tower(disks - 1, over, to, from);
}

static uint32_t permutations(uint8_t *items, int count, uint32_t sum) {
  if (count == 1) {
    for (int i = 0; i < ITEMS; i++) sum = sum * 3 + items[i];
    return sum;
  }
  for (int i = 0; i < count; i++) {
    sum = permutations(items, count - 1, sum);
    int other = count & 1 ? 0 : i;
    uint8_t old = items[other];
    items[other] = items[count - 1];
    items[count - 1] = old;
  }
  return sum;
}

/* More arguments than registers, of several types. */
static double many(int depth, int64_t a, double b, short c, int64_t d, double e, uint8_t f,
                   int64_t g, float h, int64_t i) {
  if (depth == 0) return (double)(a + d + g + i) + b + e + (double)h + c + f;
  double left = many(depth - 1, i, e, (short)f, a, b, (uint8_t)(f + 1), d, h, g);
  return depth % 3 ? left : left / 2 + many(depth - 1, g + 1, b + 1, c, d, e, f, a, h * 0.5f, i);
}

static unsigned is_odd(unsigned n);
static unsigned is_even(unsigned n) { return n == 0 ? 1 : is_odd(n - 1) + 0; }
static unsigned is_odd(unsigned n) { return n == 0 ? 0 : is_even(n - 1) + 0; }

struct pair { uint64_t low, high; };

static struct pair fibonacci(unsigned n) {
  if (n == 0) return (struct pair){0, 1};
  struct pair before = fibonacci(n - 1);
  return (struct pair){before.high, before.low + before.high};
}

int main(void) {
  uint8_t items[ITEMS];
  uint64_t check = 0;
  double sum = 0;
  for (int i = 0; i < ITEMS; i++) items[i] = (uint8_t)(i + 1);
  for (int round = 0; round < ROUNDS; round++) {
    check = check * 31 + (uint64_t)tak(TAK, TAK * 2 / 3 - (round & 1), TAK / 3);
    check = check * 31 + ackermann(2 + (round & 1), ACKERMANN - 2u);
    tower(DISKS, 0, 2, 1);
    check = check * 31 + permutations(items, ITEMS, (uint32_t)round);
    sum += many(DEPTH, round, 0.5, 3, 4, 1.25, 6, 7, 2.0f, 9) + is_even((unsigned)(round & 15) * 100);
    for (unsigned n = 0; n < 200; n++) check += fibonacci(n).low;
  }
  printf("calls %llu %u %.6f\n", (unsigned long long)check, moves[0] ^ moves[1] ^ moves[2], sum);
  return 0;
}
