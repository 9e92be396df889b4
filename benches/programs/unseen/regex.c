/* Matches regular expressions by a compiled program that all threads of a search walk at once:
   lists of states, recursion, a dispatch for each byte. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef SMALL
enum { LINES = 20 };
#else
enum { LINES = 480000 };
#endif

enum op { CHAR, ANY, CLASS, SPLIT, JUMP, MATCH };

struct insn {
  enum op op;
  int x, y;
  uint32_t set[8];
};

static struct insn program[256];
static int length;
static const char *pattern;

static int emit(enum op op, int x, int y) {
  program[length] = (struct insn){.op = op, .x = x, .y = y};
  return length++;
}

/* Moves what was emitted from `from` on one place up; jumps there are relative. */
static void insert(int from, enum op op, int x, int y) {
  memmove(&program[from + 1], &program[from], (size_t)(length - from) * sizeof *program);
  program[from] = (struct insn){.op = op, .x = x, .y = y};
  length++;
}

static void alternatives(void);

static void atom(void) {
  if (*pattern == '(') {
    pattern++;
    alternatives();
    pattern++;
  } else if (*pattern == '[') {
    int at = emit(CLASS, 0, 0);
    for (pattern++; *pattern != ']'; pattern++) {
      unsigned low = (uint8_t)*pattern, high = low;
      if (pattern[1] == '-') {
        high = (uint8_t)pattern[2];
        pattern += 2;
      }
      for (unsigned c = low; c <= high; c++) program[at].set[c >> 5] |= 1u << (c & 31);
    }
    pattern++;
  } else if (*pattern == '.') {
    pattern++;
    emit(ANY, 0, 0);
  } else {
    emit(CHAR, *pattern++, 0);
  }
}

static void sequence(void) {
  while (*pattern && *pattern != '|' && *pattern != ')') {
    int from = length;
    atom();
    int size = length - from;
    switch (*pattern) {
    case '*': insert(from, SPLIT, 1, size + 2); emit(JUMP, -size - 1, 0); pattern++; break;
    case '+': emit(SPLIT, -size, 1); pattern++; break;
    case '?': insert(from, SPLIT, 1, size + 1); pattern++; break;
    }
  }
}

static void alternatives(void) {
  int from = length;
  sequence();
  if (*pattern == '|') {
    insert(from, SPLIT, 1, length - from + 2);
    int jump = emit(JUMP, 0, 0);
    pattern++;
    alternatives();
    program[jump].x = length - jump;
  }
}

struct list {
  int count, states[256];
};
static uint32_t mark[256], generation;

static void add(struct list *list, int state) {
  if (mark[state] == generation) return;
  mark[state] = generation;
  const struct insn *insn = &program[state];
  if (insn->op == JUMP) {
    add(list, state + insn->x);
  } else if (insn->op == SPLIT) {
    add(list, state + insn->x);
    add(list, state + insn->y);
  } else {
    list->states[list->count++] = state;
  }
}

/* Returns the number of places at which a match ends. */
static int search(const char *text) {
  static struct list lists[2];
  struct list *now = &lists[0], *next = &lists[1];
  int found = 0;
  generation++;
  now->count = 0;
  add(now, 0);
  for (;; text++) {
    unsigned c = (uint8_t)*text;
    generation++;
    next->count = 0;
    for (int i = 0; i < now->count; i++) {
      const struct insn *insn = &program[now->states[i]];
      int passes = 0;
      switch (insn->op) {
      case CHAR: passes = (unsigned)insn->x == c; break;
      case ANY: passes = c != 0; break;
      case CLASS: passes = insn->set[c >> 5] >> (c & 31) & 1; break;
      case MATCH: found++; break;
      default: break;
      }
      if (passes) add(next, now->states[i] + 1);
    }
    if (!c) return found;
    add(next, 0);
    struct list *old = now;
    now = next;
    next = old;
  }
}

int main(void) {
  static const char *const patterns[] = {"[a-z]+@[a-z]+(\\.|-)(com|org)",
                                         "(a|ab)*c+.?d", "[0-9]+(\\.[0-9]+)?", "x(yz?)+w"};
  static const char alphabet[] = "abcdxyz@.w019-com";
  uint32_t seed = 3, check = 0;
  char line[81];
  for (unsigned p = 0; p < 4; p++) {
    length = 0;
    pattern = patterns[p];
    alternatives();
    emit(MATCH, 0, 0);
    for (int i = 0; i < LINES / 4; i++) {
      for (int j = 0; j < 80; j++) {
        seed = seed * 1664525u + 1013904223u;
        line[j] = alphabet[(seed >> 16) % (sizeof alphabet - 1)];
      }
      line[80] = 0;
      check = check * 17 + (uint32_t)search(line);
    }
  }
  printf("regex %u\n", check);
  return 0;
}
