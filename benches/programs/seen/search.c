/* Looks for strings by Horspool's table, by comparing at each place, and by a rolling hash: bytes,
   loops with two exits. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef SMALL
enum { SIZE = 2000, ROUNDS = 2 };
#else
enum { SIZE = 1000000, ROUNDS = 12 };
#endif

static uint8_t *text;

static int horspool(const uint8_t *needle, int length) {
  int skip[256], found = 0;
  for (int i = 0; i < 256; i++) skip[i] = length;
  for (int i = 0; i < length - 1; i++) skip[needle[i]] = length - 1 - i;
  for (int at = 0; at + length <= SIZE; at += skip[text[at + length - 1]]) {
    int i = length - 1;
    while (i >= 0 && text[at + i] == needle[i]) i--;
    found += i < 0;
  }
  return found;
}

static int plain(const uint8_t *needle, int length) {
  int found = 0;
  for (int at = 0; at + length <= SIZE; at++) {
    int i = 0;
    while (i < length && text[at + i] == needle[i]) i++;
    found += i == length;
  }
  return found;
}

static int rolling(const uint8_t *needle, int length) {
  uint32_t wanted = 0, hash = 0, power = 1;
  int found = 0;
  for (int i = 0; i < length; i++) {
    wanted = wanted * 257 + needle[i];
    hash = hash * 257 + text[i];
    if (i) power *= 257;
  }
  for (int at = 0;; at++) {
    if (hash == wanted && !memcmp(text + at, needle, (size_t)length)) found++;
    if (at + length >= SIZE) return found;
    hash = (hash - text[at] * power) * 257 + text[at + length];
  }
}

int main(void) {
  static const char *const needles[] = {"abacab", "tea", "cabbage", "aaaaab", "e", "beadbeadbead"};
  uint32_t seed = 11, check = 0;
  text = malloc(SIZE);
  for (int i = 0; i < SIZE; i++) {
    seed = seed * 1664525u + 1013904223u;
    text[i] = (uint8_t)"abcdegt a"[(seed >> 16) % 9];
  }
  for (int round = 0; round < ROUNDS; round++)
    for (unsigned n = 0; n < sizeof needles / sizeof *needles; n++) {
      const uint8_t *needle = (const uint8_t *)needles[n];
      int length = (int)strlen(needles[n]);
      text[(round * 7919 + (int)n) % SIZE] = 'b';
      check = check * 7 + (uint32_t)horspool(needle, length);
      check = check * 7 + (uint32_t)plain(needle, length);
      check = check * 7 + (uint32_t)rolling(needle, length);
    }
  printf("search %u\n", check);
  free(text);
  return 0;
}
