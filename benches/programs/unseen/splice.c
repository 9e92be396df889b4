/* Keeps doubly linked lists in a ring: splices of runs, moves to the front, reversal, merging:
   stores through pointers that may be the same, chains of loads. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef SMALL
enum { CELLS = 300, ROUNDS = 500 };
#else
enum { CELLS = 20000, ROUNDS = 200000 };
#endif
enum { LISTS = 8 };

struct cell {
  struct cell *next, *previous;
  uint32_t value;
};

static struct cell heads[LISTS];

static void unlink_run(struct cell *first, struct cell *last) {
  first->previous->next = last->next;
  last->next->previous = first->previous;
}

static void link_run(struct cell *before, struct cell *first, struct cell *last) {
  last->next = before->next;
  before->next->previous = last;
  before->next = first;
  first->previous = before;
}

static void reverse(struct cell *head) {
  struct cell *cell = head;
  do {
    struct cell *next = cell->next;
    cell->next = cell->previous;
    cell->previous = next;
    cell = next;
  } while (cell != head);
}

/* Merges the cells of another list into one while they are in order. */
static void merge(struct cell *to, struct cell *from) {
  struct cell *at = to;
  while (from->next != from) {
    struct cell *moved = from->next;
    while (at->next != to && at->next->value < moved->value) at = at->next;
    unlink_run(moved, moved);
    link_run(at, moved, moved);
    if (at->next == to) break;
    at = at->next;
  }
}

int main(void) {
  struct cell *cells = malloc(CELLS * sizeof *cells);
  uint32_t seed = 21, check = 0;
  for (int i = 0; i < LISTS; i++) heads[i].next = heads[i].previous = &heads[i];
  for (int i = 0; i < CELLS; i++) {
    seed = seed * 1664525u + 1013904223u;
    cells[i].value = seed >> 12;
    link_run(heads[i % LISTS].previous, &cells[i], &cells[i]);
  }
  for (int round = 0; round < ROUNDS; round++) {
    seed = seed * 1664525u + 1013904223u;
    struct cell *from = &heads[seed >> 29], *to = &heads[seed >> 26 & 7];
    int run = (int)(seed >> 10 & 1023);
    struct cell *first = from->next, *last = first;
    if (first == from) continue;
    while (run-- && last->next != from) last = last->next;
    unlink_run(first, last);
    link_run(to, first, last);
    if (round % 64 == 0) reverse(to);
    if (round % 256 == 0 && to != from) merge(to, from);
    for (struct cell *cell = to->next; cell != to && cell->value & 255; cell = cell->next)
      check = check * 3 + cell->value;
  }
  for (int i = 0; i < LISTS; i++)
    for (struct cell *cell = heads[i].next; cell != &heads[i]; cell = cell->next)
      check = check * 31 + cell->value + (uint32_t)(cell->next->previous == cell);
  printf("splice %u\n", check);
  free(cells);
  return 0;
}
