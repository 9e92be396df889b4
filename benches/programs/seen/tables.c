/* Calls operations of shapes through tables of functions, at places that see one kind and at places
   that see all: calls by pointer, small functions that nothing inlines. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef SMALL
enum { SHAPES = 100, ROUNDS = 5 };
#else
enum { SHAPES = 30000, ROUNDS = 4500 };
#endif

struct shape;

struct table {
  double (*area)(const struct shape *);
  void (*grow)(struct shape *, double);
  int (*corners)(const struct shape *);
};

struct shape {
  const struct table *table;
  double a, b;
};

static double square_area(const struct shape *s) { return s->a * s->a; }
static double box_area(const struct shape *s) { return s->a * s->b; }
static double disc_area(const struct shape *s) { return s->a * s->a * 3.140625; }
static double ring_area(const struct shape *s) { return (s->a * s->a - s->b * s->b) * 3.140625; }

static void grow_one(struct shape *s, double by) { s->a = s->a < 100 ? s->a + by : 1; }
static void grow_both(struct shape *s, double by) {
  grow_one(s, by);
  s->b = s->b < 50 ? s->b + by / 2 : 0.5;
}

static int four(const struct shape *s) { (void)s; return 4; }
static int none(const struct shape *s) { return s->a < 0; }

static const struct table tables[] = {
  {square_area, grow_one, four},
  {box_area, grow_both, four},
  {disc_area, grow_one, none},
  {ring_area, grow_both, none},
};

static double total(const struct shape *shapes, int from, int to) {
  double sum = 0;
  for (int i = from; i < to; i++) sum += shapes[i].table->area(&shapes[i]);
  return sum;
}

int main(void) {
  struct shape *shapes = malloc(SHAPES * sizeof *shapes);
  uint32_t seed = 4;
  double sum = 0;
  int64_t corners = 0;
  for (int i = 0; i < SHAPES; i++) {
    seed = seed * 1664525u + 1013904223u;
    /* The first half is in order, the second at random. */
    unsigned kind = i < SHAPES / 2 ? (unsigned)i * 8u / SHAPES : seed >> 30;
    shapes[i] = (struct shape){&tables[kind], 2 + (double)(seed >> 28), 1};
  }
  for (int round = 0; round < ROUNDS; round++) {
    /* A third of the shapes at random, all in order. */
    int from = round % 3 ? 0 : SHAPES / 2, to = round % 3 ? SHAPES / 2 : SHAPES * 2 / 3;
    sum += total(shapes, from, to);
    for (int i = from; i < to; i++) {
      struct shape *s = &shapes[i];
      corners += s->table->corners(s);
      s->table->grow(s, 0.25);
    }
  }
  printf("tables %.4f %lld\n", sum, (long long)corners);
  free(shapes);
  return 0;
}
