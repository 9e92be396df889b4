/* Solves a system with a sparse matrix in rows by conjugate gradients, and multiplies sparse matrices:
   indexed loads, sums of doubles, loops of few turns. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef SMALL
enum { SIDE = 12, STEPS = 10, ROUNDS = 1 };
#else
enum { SIDE = 150, STEPS = 120, ROUNDS = 28 };
#endif
enum { N = SIDE * SIDE, MOST = N * 5 };

static int row[N + 1], column[MOST];
static double value[MOST];
static double x[N], b[N], residue[N], direction[N], image[N];

static void multiply(const double *in, double *out) {
  for (int i = 0; i < N; i++) {
    double sum = 0;
    for (int k = row[i]; k < row[i + 1]; k++) sum += value[k] * in[column[k]];
    out[i] = sum;
  }
}

static double dot(const double *a, const double *c) {
  double sum = 0;
  for (int i = 0; i < N; i++) sum += a[i] * c[i];
  return sum;
}

static void add(double *to, double by, const double *a) {
  for (int i = 0; i < N; i++) to[i] += by * a[i];
}

/* The matrix of a grid: four neighbours, a heavier middle. */
static void build(void) {
  int count = 0;
  for (int i = 0; i < N; i++) {
    static const int steps[5] = {-SIDE, -1, 0, 1, SIDE};
    row[i] = count;
    for (int k = 0; k < 5; k++) {
      int to = i + steps[k];
      int is_over = (steps[k] == -1 && i % SIDE == 0) || (steps[k] == 1 && to % SIDE == 0);
      if (to < 0 || to >= N || is_over) continue;
      column[count] = to;
      value[count++] = steps[k] ? -1 : 4 + (i % 7) * 0.125;
    }
  }
  row[N] = count;
}

static double solve(void) {
  double old = 0;
  for (int i = 0; i < N; i++) {
    x[i] = 0;
    residue[i] = direction[i] = b[i];
  }
  old = dot(residue, residue);
  for (int step = 0; step < STEPS && old > 1e-18; step++) {
    multiply(direction, image);
    double by = old / dot(direction, image);
    add(x, by, direction);
    add(residue, -by, image);
    double now = dot(residue, residue);
    for (int i = 0; i < N; i++) direction[i] = residue[i] + now / old * direction[i];
    old = now;
  }
  return x[N / 2] + x[SIDE + 1];
}

/* Returns a sum over the square of the matrix, made row by row in a dense accumulator. */
static double square(int *entries) {
  static double sums[N];
  static int mark[N], used[N];
  double all = 0;
  for (int i = 0; i < N; i++) mark[i] = -1;
  for (int i = 0; i < N; i++) {
    int count = 0;
    for (int k = row[i]; k < row[i + 1]; k++) {
      int middle = column[k];
      for (int l = row[middle]; l < row[middle + 1]; l++) {
        int j = column[l];
        if (mark[j] != i) {
          mark[j] = i;
          sums[j] = 0;
          used[count++] = j;
        }
        sums[j] += value[k] * value[l];
      }
    }
    *entries += count;
    for (int k = 0; k < count; k++) all += sums[used[k]] * (used[k] & 15);
  }
  return all;
}

int main(void) {
  uint32_t seed = 60;
  double sum = 0;
  int entries = 0;
  build();
  for (int round = 0; round < ROUNDS; round++) {
    for (int i = 0; i < N; i++) {
      seed = seed * 1664525u + 1013904223u;
      b[i] = (double)(seed >> 20) / 4096;
    }
    sum += solve();
    for (int n = 0; n < 10; n++) sum += square(&entries) / N;
  }
  printf("sparse %.9f %d\n", sum, entries);
  return 0;
}
