/* Multiplies matrices that are stored as one array, as an array of arrays in blocks, and as rows
   behind pointers: addresses of two dimensions, sums of products. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef SMALL
enum { N = 32, ROUNDS = 1 };
#else
enum { N = 288, ROUNDS = 12 };
#endif
enum { BLOCK = 16 };

static double blocked[3][N][N];

static double flat(const double *a, const double *b, double *c) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      double sum = 0;
      for (int k = 0; k < N; k++) sum += a[i * N + k] * b[j * N + k];
      c[i * N + j] = sum;
    }
  return c[5 * N + 7];
}

static double blocks(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) blocked[2][i][j] = 0;
  for (int ii = 0; ii < N; ii += BLOCK)
    for (int kk = 0; kk < N; kk += BLOCK)
      for (int jj = 0; jj < N; jj += BLOCK)
        for (int i = ii; i < ii + BLOCK; i++)
          for (int j = jj; j < jj + BLOCK; j++) {
            double sum = blocked[2][i][j];
            for (int k = kk; k < kk + BLOCK; k++) sum += blocked[0][i][k] * blocked[1][k][j];
            blocked[2][i][j] = sum;
          }
  return blocked[2][7][5];
}

static double rows(double **a, double **b, double **c) {
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < N; j++) c[i][j] = 0;
    for (int k = 0; k < N; k++)
      for (int j = 0; j < N; j++) c[i][j] += a[i][k] * b[k][j];
  }
  return c[9][3];
}

static double *matrix(uint32_t seed) {
  double *m = malloc(N * N * sizeof *m);
  for (int i = 0; i < N * N; i++) {
    seed = seed * 1664525u + 1013904223u;
    m[i] = (double)(seed >> 20) / 4096;
  }
  return m;
}

int main(void) {
  double *flats[3], **pointers[3], sum = 0;
  for (int m = 0; m < 3; m++) {
    flats[m] = matrix((uint32_t)m);
    pointers[m] = malloc(N * sizeof(double *));
    for (int i = 0; i < N; i++) {
      pointers[m][i] = malloc(N * sizeof(double));
      for (int j = 0; j < N; j++) blocked[m][i][j] = pointers[m][i][j] = flats[m][i * N + j];
    }
  }
  for (int round = 0; round < ROUNDS; round++) {
    sum += flat(flats[0], flats[1], flats[2]);
    sum += blocks();
    sum += rows(pointers[0], pointers[1], pointers[2]);
    flats[0][5 * N + round] += 1;
    blocked[0][7][round] += 1;
    pointers[0][9][round] += 1;
  }
  printf("layouts %.9f\n", sum);
  for (int m = 0; m < 3; m++) {
    for (int i = 0; i < N; i++) free(pointers[m][i]);
    free(pointers[m]);
    free(flats[m]);
  }
  return 0;
}
