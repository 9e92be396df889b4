/* Sorts records by functions that compare, with quicksort, merging and insertion: calls by pointer
   in inner loops, copies of structures. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef SMALL
enum { COUNT = 300, ROUNDS = 2 };
#else
enum { COUNT = 60000, ROUNDS = 24 };
#endif

struct record {
  uint32_t id;
  float weight;
  char name[12];
};

typedef int compare(const struct record *, const struct record *);

static int by_id(const struct record *a, const struct record *b) { return (a->id > b->id) - (a->id < b->id); }
static int by_name(const struct record *a, const struct record *b) {
  int order = strcmp(a->name, b->name);
  return order ? order : by_id(a, b);
}
static int by_weight(const struct record *a, const struct record *b) {
  if (a->weight < b->weight) return 1;
  return a->weight > b->weight ? -1 : by_id(a, b);
}

static void insertion(struct record *r, int count, compare *order) {
  for (int i = 1; i < count; i++) {
    struct record moved = r[i];
    int j = i;
    for (; j > 0 && order(&r[j - 1], &moved) > 0; j--) r[j] = r[j - 1];
    r[j] = moved;
  }
}

static void swap(struct record *a, struct record *b) {
  struct record old = *a;
  *a = *b;
  *b = old;
}

static void quick(struct record *r, int count, compare *order) {
  while (count > 12) {
    struct record *last = &r[count - 1];
    swap(&r[count / 2], last);
    int small = 0;
    for (int i = 0; i < count - 1; i++)
      if (order(&r[i], last) < 0) swap(&r[i], &r[small++]);
    swap(&r[small], last);
    quick(r, small, order);
    r += small + 1;
    count -= small + 1;
  }
  insertion(r, count, order);
}

static void merging(struct record *r, struct record *scratch, int count, compare *order) {
  if (count < 8) {
    insertion(r, count, order);
    return;
  }
  int half = count / 2, left = 0, right = half;
  merging(r, scratch, half, order);
  merging(r + half, scratch, count - half, order);
  memcpy(scratch, r, (size_t)half * sizeof *r);
  for (int to = 0; left < half; to++) {
    int takes_right = right < count && order(&scratch[left], &r[right]) > 0;
    r[to] = takes_right ? r[right++] : scratch[left++];
  }
}

int main(void) {
  static compare *const orders[] = {by_weight, by_name, by_id};
  struct record *records = malloc(COUNT * sizeof *records), *scratch = malloc(COUNT * sizeof *records);
  uint32_t seed = 8, check = 0;
  for (int round = 0; round < ROUNDS; round++) {
    for (int i = 0; i < COUNT; i++) {
      seed = seed * 1664525u + 1013904223u;
      records[i] = (struct record){.id = (uint32_t)i, .weight = (float)(seed >> 22)};
      for (int j = 0; j < 6; j++) records[i].name[j] = (char)('a' + (seed >> (4 * j + 4) & 15));
    }
    for (int n = 0; n < 3; n++) {
      if ((round + n) & 1) quick(records, COUNT, orders[n]);
      else merging(records, scratch, COUNT, orders[n]);
      for (int i = 0; i < COUNT; i += 97) check = check * 31 + records[i].id;
    }
  }
  printf("compare %u\n", check);
  free(records);
  free(scratch);
  return 0;
}
