/* Transforms signals by a Fourier transform that sorts itself (Stockham's) on separate arrays of
   real and imaginary parts, and multiplies polynomials by one over integers modulo a prime. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef SMALL
enum { BITS = 6, ROUNDS = 1 };
#else
enum { BITS = 13, ROUNDS = 900 };
#endif
enum { N = 1 << BITS };
static const uint32_t PRIME = 998244353;

static double cosines[N], sines[N];
static double real[2][N], imaginary[2][N];
static uint32_t roots[N], numbers[2][N], product[2][N];

/* Makes the roots of unity by halving angles, from minus one on; no library is needed. */
static double root_of(double x) {
  double r = x > 1 ? x : 1;
  for (int i = 0; i < 60; i++) r = (r + x / r) / 2;
  return r;
}

static void make_roots(void) {
  double c = -1, s = 0;
  cosines[0] = 1;
  for (int step = N / 2; step; step /= 2) {
    for (int i = step, from = 0; i < N; i += 2 * step, from += 2 * step) {
      cosines[i] = cosines[from] * c - sines[from] * s;
      sines[i] = cosines[from] * s + sines[from] * c;
    }
    double half = root_of((1 + c) / 2 > 0 ? (1 + c) / 2 : 0);
    if (c < -0.5) half = 0;
    s = c < -0.5 ? 1 : s / (2 * half);
    c = half;
  }
}

static uint32_t times(uint32_t a, uint32_t b) { return (uint32_t)((uint64_t)a * b % PRIME); }

static uint32_t power(uint32_t base, uint32_t exponent) {
  uint32_t result = 1;
  for (; exponent; exponent >>= 1, base = times(base, base))
    if (exponent & 1) result = times(result, base);
  return result;
}

/* Transforms part 0; returns the number of the part with the result. */
static int transform(void) {
  int from = 0;
  for (int half = N / 2, stride = 1; half; half /= 2, stride *= 2, from ^= 1) {
    const double *re = real[from], *im = imaginary[from];
    double *to_re = real[from ^ 1], *to_im = imaginary[from ^ 1];
    for (int p = 0; p < half; p++) {
      double c = cosines[p * stride], s = -sines[p * stride];
      for (int q = 0; q < stride; q++) {
        int a = q + stride * p, b = a + stride * half, to = q + stride * 2 * p;
        double dr = re[a] - re[b], di = im[a] - im[b];
        to_re[to] = re[a] + re[b];
        to_im[to] = im[a] + im[b];
        to_re[to + stride] = dr * c - di * s;
        to_im[to + stride] = dr * s + di * c;
      }
    }
  }
  return from;
}

static const uint32_t *transform_numbers(uint32_t (*parts)[N]) {
  int from = 0;
  for (int half = N / 2, stride = 1; half; half /= 2, stride *= 2, from ^= 1)
    for (int p = 0; p < half; p++)
      for (int q = 0; q < stride; q++) {
        uint32_t a = parts[from][q + stride * p], b = parts[from][q + stride * (p + half)];
        uint32_t *to = &parts[from ^ 1][q + stride * 2 * p];
        to[0] = a + b >= PRIME ? a + b - PRIME : a + b;
        to[stride] = times(a >= b ? a - b : a + PRIME - b, roots[p * stride]);
      }
  return parts[from];
}

int main(void) {
  uint32_t seed = 50, check = 0, root = power(3, (PRIME - 1) / N);
  double sum = 0;
  make_roots();
  roots[0] = 1;
  for (int i = 1; i < N; i++) roots[i] = times(roots[i - 1], root);
  for (int round = 0; round < ROUNDS; round++) {
    memset(imaginary[0], 0, sizeof imaginary[0]);
    for (int i = 0; i < N; i++) {
      seed = seed * 1664525u + 1013904223u;
      real[0][i] = (double)(seed >> 16) / 65536 - 0.5;
      numbers[0][i] = i < N / 2 ? seed >> 20 : 0;
      product[0][i] = i < N / 2 ? seed & 1023 : 0;
    }
    int part = transform();
    sum += real[part][3] + imaginary[part][N / 3] * 2 + real[part][N - 1];
    const uint32_t *a = transform_numbers(numbers), *b = transform_numbers(product);
    for (int i = 0; i < N; i++) numbers[0][i] = times(a[i], b[i]);
    a = transform_numbers(numbers);
    check = check * 31 + a[1] + a[N / 2];
  }
  printf("stockham %.6f %u\n", sum, check);
  return 0;
}
