/* Decomposes matrices with pivots, makes them orthogonal, and finds eigenvalues by Jacobi's
   rotations: doubles in rows and columns, divisions, swaps of rows. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#ifdef SMALL
enum { N = 10, ROUNDS = 1, SWEEPS = 2 };
#else
enum { N = 120, ROUNDS = 144, SWEEPS = 6 };
#endif

static double a[N][N], lower[N][N], q[N][N];

static void fill(uint32_t seed) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      seed = seed * 1664525u + 1013904223u;
      a[i][j] = (double)(seed >> 16) / 65536 - 0.5;
    }
}

/* Decomposes `lower` in its place; returns the determinant's logarithm to base two, roughly. */
static double decompose(void) {
  double size = 0;
  for (int k = 0; k < N; k++) {
    int pivot = k;
    for (int i = k + 1; i < N; i++)
      if (fabs(lower[i][k]) > fabs(lower[pivot][k])) pivot = i;
    if (pivot != k)
      for (int j = 0; j < N; j++) {
        double old = lower[k][j];
        lower[k][j] = lower[pivot][j];
        lower[pivot][j] = old;
      }
    for (int i = k + 1; i < N; i++) {
      double by = lower[i][k] /= lower[k][k];
      for (int j = k + 1; j < N; j++) lower[i][j] -= by * lower[k][j];
    }
    for (double d = fabs(lower[k][k]); d < 1; d *= 2) size--;
  }
  return size;
}

/* Makes the columns of `q` orthogonal, one after another; returns the last one's length. */
static double orthogonalise(void) {
  double length = 0;
  for (int j = 0; j < N; j++) {
    for (int k = 0; k < j; k++) {
      double along = 0;
      for (int i = 0; i < N; i++) along += q[i][k] * q[i][j];
      for (int i = 0; i < N; i++) q[i][j] -= along * q[i][k];
    }
    length = 0;
    for (int i = 0; i < N; i++) length += q[i][j] * q[i][j];
    length = sqrt(length);
    for (int i = 0; i < N; i++) q[i][j] /= length;
  }
  return length;
}

static void rotate(double (*m)[N], int p, int r) {
  if (m[p][r] == 0) return;
  double theta = (m[r][r] - m[p][p]) / (2 * m[p][r]);
  double t = (theta < 0 ? -1 : 1) / (fabs(theta) + sqrt(theta * theta + 1));
  double c = 1 / sqrt(t * t + 1), s = t * c;
  for (int k = 0; k < N; k++) {
    double x = m[k][p], y = m[k][r];
    m[k][p] = c * x - s * y;
    m[k][r] = s * x + c * y;
  }
  for (int k = 0; k < N; k++) {
    double x = m[p][k], y = m[r][k];
    m[p][k] = c * x - s * y;
    m[r][k] = s * x + c * y;
  }
}

/* Returns the largest eigenvalue of the symmetric part after some sweeps. */
static double jacobi(void) {
  double most = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) lower[i][j] = a[i][j] + a[j][i];
  for (int sweep = 0; sweep < SWEEPS; sweep++)
    for (int p = 0; p < N / 2; p++)
      for (int r = p + 1; r < N / 2; r++) rotate(lower, p, r);
  for (int i = 0; i < N; i++)
    if (lower[i][i] > most) most = lower[i][i];
  return most;
}

int main(void) {
  double sum = 0;
  for (int round = 0; round < ROUNDS; round++) {
    fill((uint32_t)round);
    memcpy(lower, a, sizeof a);
    sum += decompose();
    memcpy(q, a, sizeof a);
    sum += orthogonalise();
    sum += jacobi();
  }
  printf("factor %.6f\n", sum);
  return 0;
}
