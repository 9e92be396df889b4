/* Interprets a bytecode of registers with tagged values, in the manner of Lua: a sieve in a table,
   a recursive function, and a sum of floats. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef SMALL
enum { LIMIT = 300, FIB = 12, TERMS = 300, ROUNDS = 2 };
#else
enum { LIMIT = 200000, FIB = 25, TERMS = 800000, ROUNDS = 24 };
#endif

enum tag { NIL, INT, NUM, TABLE };

struct table { struct value *slots; int64_t capacity; };

struct value {
  enum tag tag;
  union { int64_t i; double d; struct table *t; } as;
};

enum op { LOADI, LOADK, NEW, GET, SET, ADD, SUB, MUL, DIV, JLT, JGE, JSET, JMP, CALL, RET, HALT };

#define ABC(op, a, b, c)                                                                           \
  ((uint32_t)(op) | (uint32_t)(a) << 8 | (uint32_t)(b) << 16 | (uint32_t)(uint8_t)(c) << 24)
#define AX(op, a, x) ((uint32_t)(op) | (uint32_t)(a) << 8 | (uint32_t)(uint16_t)(x) << 16)

enum { FUNCTION = 30 };
static const uint32_t code[] = {
  /* 0: the sieve counts primes in register 4. */
  ABC(NEW, 0, 0, 0), AX(LOADI, 1, 2), AX(LOADK, 2, 0), AX(LOADI, 3, 1), AX(LOADI, 4, 0),
  /* 5 */ ABC(JLT, 2, 1, 10), ABC(GET, 5, 0, 1), AX(JSET, 5, 6), ABC(ADD, 4, 4, 3),
  ABC(ADD, 6, 1, 1),
  /* 10 */ ABC(JLT, 2, 6, 3), ABC(SET, 0, 6, 3), ABC(ADD, 6, 6, 1), AX(JMP, 0, -4),
  /* 14 */ ABC(ADD, 1, 1, 3), AX(JMP, 0, -11),
  /* 16: the function. */
  AX(LOADI, 6, FIB), AX(CALL, 6, FUNCTION), ABC(ADD, 4, 4, 6),
  /* 19: the sum of reciprocal squares in register 5. */
  AX(LOADK, 5, 1), AX(LOADK, 7, 2), AX(LOADI, 1, 1), AX(LOADK, 2, 3),
  /* 23 */ ABC(JLT, 2, 1, 5), ABC(MUL, 8, 1, 1), ABC(DIV, 9, 7, 8), ABC(ADD, 5, 5, 9),
  ABC(ADD, 1, 1, 3), AX(JMP, 0, -6), AX(HALT, 0, 0),
  /* 30: n < 2 ? n : f(n - 1) + f(n - 2), with n and the result in register 0. */
  AX(LOADI, 1, 2), ABC(JGE, 0, 1, 1), AX(RET, 0, 0), AX(LOADI, 1, 1), ABC(SUB, 2, 0, 1),
  AX(CALL, 2, FUNCTION), AX(LOADI, 1, 2), ABC(SUB, 3, 0, 1), AX(CALL, 3, FUNCTION),
  ABC(ADD, 0, 2, 3), AX(RET, 0, 0),
};

static struct value integer(int64_t i) { return (struct value){.tag = INT, .as.i = i}; }
static struct value number(double d) { return (struct value){.tag = NUM, .as.d = d}; }
static double as_number(struct value v) { return v.tag == INT ? (double)v.as.i : v.as.d; }

static struct value get(const struct table *t, int64_t key) {
  return key < t->capacity ? t->slots[key] : (struct value){.tag = NIL};
}

static void set(struct table *t, int64_t key, struct value v) {
  if (key >= t->capacity) {
    int64_t capacity = key * 2 + 8;
    t->slots = realloc(t->slots, (size_t)capacity * sizeof *t->slots);
    for (int64_t i = t->capacity; i < capacity; i++) t->slots[i] = (struct value){.tag = NIL};
    t->capacity = capacity;
  }
  t->slots[key] = v;
}

#define ARITHMETIC(operator)                                                                       \
  if (base[b].tag == INT && base[c].tag == INT)                                                    \
    base[a] = integer(base[b].as.i operator base[c].as.i);                                         \
  else                                                                                             \
    base[a] = number(as_number(base[b]) operator as_number(base[c]));                              \
  break

static int less(struct value x, struct value y) {
  return x.tag == INT && y.tag == INT ? x.as.i < y.as.i : as_number(x) < as_number(y);
}

static struct value *run(struct value *base, const struct value *constants) {
  struct { const uint32_t *pc; struct value *base; } frames[64];
  const uint32_t *pc = code;
  for (int depth = 0;;) {
    uint32_t insn = *pc++;
    unsigned a = insn >> 8 & 255, b = insn >> 16 & 255, c = insn >> 24;
    int x = (int16_t)(insn >> 16);
    switch ((enum op)(insn & 255)) {
    case LOADI: base[a] = integer(x); break;
    case LOADK: base[a] = constants[x]; break;
    case NEW: base[a] = (struct value){.tag = TABLE, .as.t = calloc(1, sizeof(struct table))}; break;
    case GET: base[a] = get(base[b].as.t, base[c].as.i); break;
    case SET: set(base[a].as.t, base[b].as.i, base[c]); break;
    case ADD: ARITHMETIC(+);
    case SUB: ARITHMETIC(-);
    case MUL: ARITHMETIC(*);
    case DIV: base[a] = number(as_number(base[b]) / as_number(base[c])); break;
    case JLT: if (less(base[a], base[b])) pc += (int8_t)c; break;
    case JGE: if (!less(base[a], base[b])) pc += (int8_t)c; break;
    case JSET: if (base[a].tag != NIL) pc += x; break;
    case JMP: pc += x; break;
    case CALL:
      frames[depth].pc = pc, frames[depth++].base = base;
      base += a;
      pc = code + x;
      break;
    case RET: pc = frames[--depth].pc; base = frames[depth].base; break;
    case HALT: return base;
    }
  }
}

int main(void) {
  static struct value stack[512];
  const struct value constants[] = {integer(LIMIT), number(0), number(1), integer(TERMS)};
  int64_t count = 0;
  double sum = 0;
  for (int round = 0; round < ROUNDS; round++) {
    struct value *result = run(stack, constants);
    count += result[4].as.i;
    sum += result[5].as.d;
    free(result[0].as.t->slots), free(result[0].as.t);
  }
  printf("luavm %lld %.9f\n", (long long)count, sum);
  return 0;
}
