#include <stdint.h>
#include <stdio.h>

extern int64_t start(int64_t), small(int64_t), apply(int64_t (*)(int64_t), int64_t);

int64_t finish(int64_t sum, double x) { return sum + (int64_t)(x * 4); }
static int64_t twice(int64_t n) { return 2 * n; }

/* The same in C, as a loop. */
static int64_t expected(int64_t n) {
  int64_t sum = 1;
  double x = 0.5;
  float y = 0.25f;
  while (n != 0) {
    sum += n--;
    x += 0.5;
    x += y;
    n--;
    sum = n ^ sum;
  }
  return finish(sum, x) + 1;
}

int main(void) {
  printf("%d %d\n", start(10) == expected(10), start(10000000) == expected(10000000));
  printf("%d %d\n", (int)small(7), (int)apply(twice, 5));
  return 0;
}
